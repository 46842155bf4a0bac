"""The guide of a first match: what it says is a fact of the owner's view, and it can be called and sent away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import helpers
import helpers_tui as tui
import pytest
from helpers_console import Script, play

from cli.app import play as command
from cli.app.arguments import make_parser
from cli.app.launch.proposal import player_of
from cli.console.messages import Entered, KeepNotes
from cli.console.plain import LinePlayer
from cli.console.screen_state import Settings
from cli.match.player import Asked, Happened
from cli.storage.home import Home
from cli.storm import guide
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.text import screens
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.state import State

C, OLYMPIANS = FACTIONS


def guided(state: State, side: Faction = C, size: tuple[int, int] = tui.SIZES[0]) -> StormScreen:
    screen = tui.asked(state, size, side)
    return replace(screen, match=replace(screen.match, guided=True, computer=True))


@pytest.mark.parametrize(
    ("state", "side", "said"),
    [
        (helpers.at("chthonians", "hades 14, nyx 11, zeus 15, ares 20"), C,
         "Hades is next to the Palace: move 14 15 hades wins the game at once."),
        (helpers.at("chthonians", "hades 14, nyx 11, zeus 4, ares 20"), C,
         "Hades is next to the Palace: move 14 15 hades claim wins the game at once."),
        (helpers.at("olympians", "hades 10, nyx 14, zeus 15, ares 13"), OLYMPIANS,
         "A hidden unit next to the Palace, in 14, could be Hades or Persephone, who wins by entering it."),
        (helpers.at("olympians", "hades 14, nyx 11, zeus 15, ares 13", known="hades"), OLYMPIANS,
         "Hades in 14 is next to the Palace and wins by entering it: attack now."),
        (helpers.at("chthonians", "hades 11, nyx 14, zeus 15, ares artemis 10"), C,
         "2 enemies stand in your base (10) and cost you 2 Honor each turn."),
        (helpers.at("chthonians", "hades 11, zeus 15", honor=(3, 16)), C, "You have 3 Honor left"),
        (helpers.at("chthonians", "hades 11, zeus 15", energy=(0, 9)), C,
         "You have 0 Energy, and without it you lose combats. liturgy gains 6 for 1 Honor, but uses up your turn."),
        (helpers.at("chthonians", "hades 11, nyx 14, zeus 15, ares hera 9"), C,
         "A bold attack gains Honor, if you dare: move 14 9 nyx (+2)."),
        (helpers.at("chthonians", "hades 12, zeus 15"), C, "Hades in 12 is 3 steps from the Palace."),
        (helpers.at("olympians", "hades 12, nyx 13, zeus 4"), OLYMPIANS,
         "Their foremost unit, in 13, is 2 steps from the Palace."),
        (helpers.play(helpers.at("olympians", "cronus 13, hades 10, harpies 14, hermes ares 9, zeus 15"),
                      "move 9 14 hermes ares", *helpers.fights("retreat 0")), C, "has the fewest enemies next to it"),
    ],
)  # fmt: skip
def test_what_matters_is_said(state: State, side: Faction, said: str) -> None:
    assert any(line.startswith(said) or said in line for line in guide.guide(guided(state, side)))


def test_a_leader_whom_somebody_in_the_palace_could_stop_is_not_said_to_win() -> None:
    for defender, wins in (("ares", False), ("zeus", False)):
        state = helpers.at("chthonians", f"persephone 14, hades 10, {defender} 15, apollo 4")
        said = guide.guide(guided(state))
        assert any("wins the game" in line for line in said) == wins
    known = helpers.at("chthonians", "persephone 14, hades 10, ares 15, zeus 4", known="ares")
    assert guide.guide(guided(known))[0].startswith("Persephone is next to the Palace")


@pytest.mark.parametrize(("ours", "energy"), [("cronus 12", 3), ("cronus charon 12", 1)])
def test_a_choice_that_is_called_safe_wins_against_every_standard_choice(ours: str, energy: int) -> None:
    state = helpers.play(helpers.at("chthonians", f"{ours}, hades 10, hermes 13, zeus 15"), "move 12 13")
    [line] = guide.guide(guided(state))
    assert line.startswith(f"std {energy} cannot lose")
    for theirs in range(7):
        fought = helpers.play(state, *helpers.fights(f"standard {energy}", f"standard {theirs}"))
        assert "hermes" in helpers.eliminated(fought)
    lost = helpers.play(state, *helpers.fights(f"standard {energy - 1}", "standard 6"))
    assert "hermes" not in helpers.eliminated(lost)


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("size", tui.SIZES, ids=["80x24", "120x40"])
def test_it_stands_above_what_to_do_and_every_word_of_it_is_on_the_screen(size: tuple[int, int]) -> None:
    for state, side in ((tui.EXAMPLE, C), (tui.COMBAT, C), (tui.QUESTIONS["retreat"][0], OLYMPIANS)):
        screen = guided(state, side, size)
        said = guide.guide(screen)
        shown = " ".join(tui.text(screen).split())
        assert said
        assert str(screens.GUIDE) in shown
        assert [line for line in said if line not in shown] == []


def test_it_can_be_called_and_sent_away_at_any_time_and_not_against_a_person() -> None:
    screen = guided(tui.EXAMPLE)
    silent, effects = tui.stepped(screen, Entered("guide"))
    assert not silent.match.guided
    assert effects == (KeepNotes(),)
    assert str(screens.GUIDE) not in tui.text(replace(silent, notice=()))
    assert tui.after(silent, Entered("guide")).match.guided
    person = tui.after(tui.asked(tui.EXAMPLE), Entered("guide"))
    assert not person.match.guided
    assert str(screens.NO_GUIDE) in person.notice


def test_a_guided_match_is_told_in_plain_lines_and_against_a_person_nobody_is_guided() -> None:
    for computer, told in (("novice", True), ("", False)):
        script = Script(["guide", "guide"])
        player = LinePlayer("alice", STORM, lines=script.screen, settings=Settings(guided=True))
        play(player, C, state=tui.EXAMPLE, most=1, facts={"computer": computer, "words": ""})
        line = guide.guide(guided(tui.EXAMPLE))[0]
        assert (line in script.shown) == told
        assert (str(screens.GUIDED[False]) in script.shown) == told


def test_play_guided_deals_the_units_and_takes_a_beginner(monkeypatch: pytest.MonkeyPatch) -> None:
    options = make_parser(("play",)).parse_args(["play", "--guided"])
    options.signs = ""
    found = []

    def taken(game: object, who: object, home: object) -> None:
        found.append((who, options.bot, options.random_setup, options.seat))
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.app.play.seats.of", taken)
    with pytest.raises(KeyboardInterrupt):
        command.main(Home(Path("nowhere")), options)
    assert found == [(player_of(options), "novice", True, "chthonians")]
    assert player_of(options).guided


def test_the_guide_is_asked_anew_with_every_question() -> None:
    before = guided(helpers.at("chthonians", "hades 12, zeus 15"))
    view = helpers.owner_view(helpers.at("chthonians", "hades 14, zeus 9"), C)
    after = tui.after(before, Happened((), view), Asked(view))
    assert guide.guide(before) != guide.guide(after)
