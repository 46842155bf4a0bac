"""The end of a match: what has decided it is seen and said, in words that need no knowledge of the rules."""

from __future__ import annotations

from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli.players.player import Ending
from cli.text import narrate
from cli.tui.model import Ended, Happened, Key, Page, Ui
from storm_p2p import events as ev
from storm_p2p.board import Faction
from storm_p2p.state import Outcome, State
from storm_p2p.units import Unit

QUIET = helpers.at("chthonians", "hades 14, nyx 1, zeus 8, hera 20", known="hades")
"""Hades walks into an empty Palace."""
HELD = helpers.at("chthonians", "hades cronus nyx 14, artemis athena ares hera 15, zeus 8")
"""Hades and two comrades meet four defenders there."""


def ended(
    before: State, move: str, faction: Faction, size: tuple[int, int] = tui.SIZES[0], *, sent: bool = False
) -> Ui:
    """Return the console of a player after the last move of a match, when all of it is opened."""
    after, events = helpers.happened(before, move)
    ui = tui.after(tui.begin(size, faction), Happened((), helpers.owner_view(before, faction)))
    ui = tui.after(replace(ui, sent=sent), Happened(tuple(events), helpers.owner_view(after, faction)))
    return tui.after(ui, Ended(Ending("chthonians", "palace", True, "/home/alice/bob.storm", opened=after)))


def test_the_enemys_winning_move_is_shown_before_the_end() -> None:
    ui = ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS)
    assert ui.page is Page.RESULT
    assert "Hades moves 14 > 15" in tui.text(ui)
    assert "Hades reached the Palace: the Chthonians win at once." in tui.text(ui)
    assert tui.after(ui, Key("enter")).page is Page.OVER


def test_the_winning_move_follows_a_result_that_was_not_looked_at() -> None:
    """It came on the page of an earlier combat, which ended at the turn of the enemy, and the end came next."""
    view = helpers.owner_view(QUIET, Faction.OLYMPIANS)
    fought = ev.Eliminated(Unit.ARES, 9, for_good=False, cause="lost")
    ui = tui.after(tui.begin(faction=Faction.OLYMPIANS), Happened((), view), Happened((fought,), view))
    after, events = helpers.happened(QUIET, "move 14 15 hades")
    ui = tui.after(ui, Happened(tuple(events), helpers.owner_view(after, Faction.OLYMPIANS)))
    shown = tui.text(tui.after(ui, Ended(Ending("chthonians", "palace", True, None, opened=after))))
    assert "Ares is eliminated in 9" in shown
    assert "Hades moves 14 > 15" in shown


def test_an_own_winning_move_needs_no_look() -> None:
    assert ended(QUIET, "move 14 15 hades", Faction.CHTHONIANS, sent=True).page is Page.OVER


@pytest.mark.parametrize("before", [QUIET, HELD])
def test_who_has_reached_the_palace_is_named(before: State) -> None:
    move = "move 14 15 hades" if before is QUIET else "move 14 15 cronus hades nyx"
    ui = tui.after(ended(before, move, Faction.OLYMPIANS), Key("enter"))
    assert "You lost in turn 1: Hades reached the Palace, which wins at once." in tui.text(ui)
    assert any("Hades reached the Palace: the Chthonians win at once." in row for row in ui.log)


@pytest.mark.parametrize(
    ("winner", "reason", "said"),
    [
        ("chthonians", "palace", "the Chthonians win: a leader reached the Palace"),
        ("olympians", "leaders", "the Olympians win: the leaders are gone"),
        ("olympians", "honor", "the Olympians win: the other side has no Honor left"),
        ("draw", "honor", "a draw: nobody has Honor left"),
    ],
)
def test_everybody_is_told_what_has_decided_a_game(winner: str, reason: str, said: str) -> None:
    assert narrate.line(ev.GameOver(Outcome(winner, reason))) == said
