"""A move is seen to happen: in the picture alone, for a third of a second, and only as everybody knows it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import helpers
import helpers_tui as tui
import pytest

from cli.console.messages import Entered, Event, KeepSetting, Stepped, TakenOver, Typed
from cli.console.screen_state import Settings
from cli.console.shell import app
from cli.match.player import Happened
from cli.storage import home
from cli.storm.model import MOTION_STEPS, StormScreen
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import State

pytestmark = pytest.mark.usefixtures("recorded_strengths")

MOVING = Settings(motion=True)
START = helpers.at("chthonians", "hades charon 10, nyx 12, ares 13, zeus 15", known="ares")


def moved(state: State, line: str, side: Faction, size: tuple[int, int] = tui.SIZES[0]) -> StormScreen:
    """Return the console of a side right after an action."""
    after, events = helpers.happened(state, line)
    before, then = (helpers.owner_view(one, side) for one in (state, after))
    screen = replace(tui.begin(size, side), settings=MOVING)
    return tui.after(screen, Happened((), before), Happened(tuple(events), then))


def boards(screen: StormScreen) -> list[str]:
    """Return the pictures until nothing moves any more."""
    found = [tui.text(screen)]
    while screen.motion is not None:
        screen = tui.after(screen, Stepped())
        found.append(tui.text(screen))
    return found


@pytest.mark.parametrize("size", [*tui.SIZES, tui.HUGE], ids=["80x24", "120x40", "160x50"])
def test_a_unit_is_seen_on_its_way_and_then_there(size: tuple[int, int]) -> None:
    screen = moved(START, "move 10 11 charon", Faction.CHTHONIANS, size)
    pictures = boards(screen)
    assert len(pictures) == MOTION_STEPS + 1
    places = [[at for at, row in enumerate(one.splitlines()) if "CHA" in row] for one in pictures[:-1]]
    # One unit, and it goes upwards.
    assert all(len(found) == 1 for found in places)
    rows = [row for found in places for row in found]
    assert rows == sorted(rows, reverse=True)
    assert rows[0] > rows[-1]
    # The picture at the end is that of somebody who sees moves at once.
    still = replace(screen, settings=Settings(), motion=None)
    assert pictures[-1] == tui.text(replace(still, settings=MOVING))


def test_everything_but_the_picture_has_gone_on_at_once() -> None:
    quick, seen = (
        tui.after(
            replace(tui.begin(), settings=settings),
            Happened((), helpers.owner_view(START, Faction.CHTHONIANS)),
            Happened(
                tuple(helpers.happened(START, "move 10 11 charon")[1]),
                helpers.owner_view(helpers.play(START, "move 10 11 charon"), Faction.CHTHONIANS),
            ),
        )
        for settings in (Settings(), MOVING)
    )
    assert quick.motion is None
    assert seen.motion is not None
    assert replace(seen, motion=None, settings=Settings()) == quick
    typed: list[Event] = [Typed("14"), Entered("help"), Typed("x")]
    for event in typed:
        quick, seen = tui.after(quick, event), tui.after(seen, event)
    assert replace(seen, motion=None, settings=Settings()) == quick


def test_an_attack_is_seen_before_its_window_opens() -> None:
    screen = moved(START, "move 12 13 nyx", Faction.CHTHONIANS)
    assert screen.match.state is not None
    decided = replace(screen, match=replace(screen.match, deciding=True))
    pictures = boards(decided)
    assert "NYX" in pictures[0]
    assert "COMBAT in 13" not in pictures[0]
    assert "COMBAT in 13" in pictures[-1]


def test_a_hidden_enemy_moves_without_a_name() -> None:
    state = helpers.at("olympians", "hades 10, nyx 12, ares 14, zeus 15", known="zeus")
    pictures = boards(moved(state, "move 14 19 ares", Faction.CHTHONIANS))
    assert len(pictures) == MOTION_STEPS + 1
    assert all("-???" in one and "-are" not in one for one in pictures[:-1])


def test_plain_lines_and_a_change_of_console_move_nothing() -> None:
    after, events = helpers.happened(START, "move 10 11 charon")
    screen = replace(tui.begin(), settings=MOVING, plain=True)
    views = [helpers.owner_view(one, Faction.CHTHONIANS) for one in (START, after)]
    screen = tui.after(screen, Happened((), views[0]), Happened(tuple(events), views[1]))
    assert screen.motion is None
    taken = tui.after(replace(screen, plain=False), TakenOver(screen.match))
    assert taken.motion is None


def test_motion_is_switched_by_a_word_and_kept(tmp_path: Path) -> None:
    screen, effects = tui.stepped(replace(tui.asked(tui.EXAMPLE), settings=MOVING), Entered("motion off"))
    assert effects == (KeepSetting("motion", False),)
    assert not screen.settings.motion
    assert tui.stepped(screen, Entered("motion"))[1] == (KeepSetting("motion", True),)
    assert tui.stepped(screen, Entered("bewegung an"))[0].settings.motion
    wrong, effects = tui.stepped(screen, Entered("motion maybe"))
    assert effects == ()
    assert "Type motion on or motion off." in wrong.notice
    home.save_preferences(tmp_path, home.Preferences("alice", mouse=False))
    tui.play(tui.EXAMPLE, ["motion off\r"], settings=MOVING, folder=tmp_path)
    assert home.load_preferences(tmp_path) == home.Preferences("alice", mouse=False, motion=False)


def test_keys_during_a_motion_are_taken_at_once_and_the_last_picture_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    true = asyncio.sleep

    async def sleep(seconds: float) -> None:
        if seconds == app.STEP_SECONDS:
            waits.append(seconds)
        await true(0)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    played = tui.play(START, ["10 11 charon!\r", "/hello\r"], settings=MOVING)
    assert tui.actions(played.match)[0] == "move 10 11 charon"
    assert "say hello" in played.match.said
    assert played.screen.motion is None
    assert len(waits) >= MOTION_STEPS


def test_a_motion_takes_a_third_of_a_second() -> None:
    assert 0.3 <= MOTION_STEPS * app.STEP_SECONDS <= 0.35
