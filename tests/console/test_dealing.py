"""A random setup that is under way: each deal is said, and no log is filled with them."""

from __future__ import annotations

from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest
from helpers_console import seated

from cli.console.messages import Resized
from cli.match.player import Asked, Happened, Noticed
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.storm.notices import Dealt, StormNotice
from cli.storm.players import Dealing
from cli.text import matches
from protocol.game import Hidden, Hide, Locate, Located
from storm_p2p.storm import engine
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit

RANDOM = Terms(random_setup=True)
HADES = int(Unit.HADES)
WHERE = Locate(0, HADES, ((0,), (1,)), "landed")
HIDE = Hide(0, tuple(range(12)), "deck", tuple(range(12)))


def dealt(*parts: int) -> list[StormNotice]:
    """Return what is told of deals of the Chthonians of which the last number is whether the leader landed well."""
    told: list[StormNotice] = []
    dealing = Dealing(told.append)
    for part in parts:
        dealing.follow([(WHERE, Located(0, part))], tell=True)
    return told


def test_each_deal_that_does_not_count_is_told_with_its_number() -> None:
    model = STORM.begin_match(seated(Faction.CHTHONIANS, RANDOM, "bob"))
    assert [STORM.say(model, one) for one in dealt(0, 0, 1)] == [
        "The Chthonians are dealt again: Hades stood too far from the base.",
        "The Chthonians are dealt again: Hades stood too far from the base 2 times.",
        "The Chthonians are dealt; it took 3 deals.",
    ]
    assert [STORM.say(model, one) for one in dealt(1)] == ["The Chthonians are dealt."]


def test_a_resumed_match_counts_the_deals_before_it_was_left() -> None:
    told: list[StormNotice] = []
    dealing = Dealing(told.append)
    dealing.follow([(WHERE, Located(0, 0))], tell=False)
    assert told == []
    dealing.follow([(WHERE, Located(0, 1))], tell=True)
    assert told == [Dealt(Faction.CHTHONIANS, 2)]


def test_both_sides_are_counted_apart() -> None:
    told: list[StormNotice] = []
    dealing = Dealing(told.append)
    dealing.follow([(WHERE, Located(0, 0)), (WHERE, Located(0, 1))], tell=True)
    dealing.follow([(Locate(1, int(Unit.ZEUS), ((12,), (13,)), "landed"), Located(1, 1))], tell=True)
    assert told[-1] == Dealt(Faction.OLYMPIANS, 1)


def test_what_every_deal_proves_is_said_of_the_first_one_only() -> None:
    dealing = Dealing(lambda notice: None)
    assert not dealing.repeats(HIDE, Hidden(0))
    assert dealing.repeats(WHERE, Located(0, 0))
    assert not dealing.repeats(WHERE, Located(0, 1))
    dealing.follow([(WHERE, Located(0, 0))], tell=True)
    assert dealing.repeats(HIDE, Hidden(0))
    assert not dealing.repeats(Hide(1, tuple(range(12, 24)), "deck", tuple(range(12, 24))), Hidden(1))


def waiting(*parts: int, size: tuple[int, int] = tui.SIZES[0]) -> StormScreen:
    """Return the screen after such deals."""
    return tui.after(tui.begin(size, terms=RANDOM), *map(Noticed, dealt(*parts)))


@pytest.mark.usefixtures("spoken")
def test_the_screen_while_units_are_dealt() -> None:
    tui.assert_picture("dealing", 80, tui.text(waiting(0, 0)))


def test_the_screen_says_that_units_are_dealt_and_how_often_again() -> None:
    assert "| dealing the units" in tui.text(waiting())
    assert "being dealt at random" in tui.text(waiting())
    assert "2 times" in tui.text(waiting(0, 0))
    # Only the end of it is worth a line of the log.
    assert waiting(0, 0).log == ()
    assert [line.strip() for line in waiting(0, 0, 1).log] == ["The Chthonians are dealt; it took 3 deals."]


def test_nothing_is_dealt_any_more_once_both_have_set_up() -> None:
    view = helpers.owner_view(tui.EXAMPLE, Faction.CHTHONIANS)
    assert "dealing" not in tui.text(tui.after(waiting(0, 0, 1), Happened((), view)))
    assert "dealing" in tui.text(tui.after(waiting(0, 1), Happened((), engine.new_game(RANDOM))))


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("deciding", [False, True], ids=["while units are dealt", "at the first decision"])
def test_words_to_compare_are_read_whole_in_the_smallest_window(deciding: bool) -> None:
    facts = {"match": "7c1f0a", "words": "quartz blanket trumpet sunflower"}
    told = seated(Faction.CHTHONIANS, replace(RANDOM, open_combat=True), "wwwwwwww" * 4, **facts)
    model = STORM.begin_match(told)
    said = matches.seated(replace(model, aids=True))
    screen = StormScreen(replace(model, aids=True), log=tuple(said))
    screen = tui.after(screen, Resized(80, 24), told, *map(Noticed, dealt(0, 0)))
    if deciding:
        view = helpers.owner_view(engine.new_game(RANDOM), Faction.CHTHONIANS)
        screen = tui.after(screen, Happened((), view), Asked(view))
    shown = " ".join(tui.text(screen).split())
    assert said[-1] in shown
    assert ("2 " in shown.split(said[-1])[1]) or deciding


@pytest.mark.usefixtures("spoken")
def test_what_has_no_room_beside_words_to_compare_is_left_out_whole() -> None:
    facts = {"match": "7c1f0a", "words": "quartz blanket trumpet sunflower"}
    begun = seated(Faction.CHTHONIANS, RANDOM, "bob", **facts)
    model = replace(STORM.begin_match(begun), aids=True)
    said = matches.seated(model)
    view = helpers.owner_view(tui.EXAMPLE, Faction.CHTHONIANS)
    screen = tui.after(StormScreen(model, log=tuple(said)), Resized(80, 24), begun, Happened((), view), Asked(view))
    shown = tui.text(screen).splitlines()
    (title,) = (number for number, row in enumerate(shown) if "quartz" in row and row.startswith(("--", "\u2500")))
    told = " ".join(" ".join(shown[title + 1 : shown.index(">")]).split())
    assert told.startswith(said[-1])
    first = list(STORM.coming(screen))
    rest = told.removeprefix(said[-1]).strip()
    assert rest in [" ".join(first[:count]) for count in range(1, len(first) + 1)]


def test_words_to_compare_do_not_hide_that_units_are_dealt() -> None:
    screen = replace(waiting(0), notice=("Compare these words with bob: otter anvil plum.",))
    assert "otter anvil plum" in tui.text(screen)
    assert "dealt again" in tui.text(screen)
