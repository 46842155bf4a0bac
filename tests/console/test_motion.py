"""What moves is seen in the picture alone, ends with any key, and tells nothing but what everybody knows."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import helpers
import helpers_tui as tui
import pytest
from prompt_toolkit.output import DummyOutput

from cli.console import shell
from cli.console.messages import Clicked, Entered, Event, KeepSetting, Key, Slowed, Stepped, TakenOver, Typed
from cli.console.render.spans import fitted, line_width, plain, turned
from cli.console.screen_state import Page, Settings
from cli.console.shell import app
from cli.fight.model import FightScreen
from cli.fight.reading import read_action
from cli.match.player import Happened
from cli.storage import home
from cli.storm.console import STORM
from cli.storm.model import Motion, StormScreen
from cli.storm.render.board import MOST_STEPS, STEP, TURN
from cli.storm.render.combat import DOWN, Reveal
from cli.storm.text.story import power_account
from console import fight_console as fight
from storm_p2p.fight.positions import load_position
from storm_p2p.fight.state import View
from storm_p2p.storm import engine, notation
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


def boards(screen: StormScreen | FightScreen, most: int = 100) -> list[str]:
    """Return the pictures until nothing moves any more, at most so many."""
    found = [tui.text(screen)]
    while screen.motion is not None and len(found) < most:
        screen = tui.after(screen, Stepped())
        found.append(tui.text(screen))
    return found


@pytest.mark.parametrize("size", [*tui.SIZES, tui.HUGE], ids=["80x24", "120x40", "160x50"])
def test_a_unit_is_seen_on_its_way_and_then_there(size: tuple[int, int]) -> None:
    screen = moved(START, "move 10 11 charon", Faction.CHTHONIANS, size)
    pictures = boards(screen)
    assert len(pictures) == STEP + 1
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
    assert tui.after(seen, typed[0]).motion is None
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
    assert len(pictures) == STEP + 1
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


def test_the_clock_runs_only_while_something_moves_and_no_key_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    true = asyncio.sleep

    async def sleep(seconds: float) -> None:
        if seconds == shell.STEP_SECONDS:
            waits.append(seconds)
        await true(0)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    played = tui.play(START, ["10 11 charon!\r", "/hello\r"], settings=MOVING)
    assert tui.actions(played.match)[0] == "move 10 11 charon"
    assert "say hello" in played.match.said
    assert played.screen.motion is None
    assert STEP <= len(waits) < 200


def test_a_move_takes_at_most_a_second_and_a_quarter() -> None:
    assert STEP * shell.STEP_SECONDS < 0.35
    assert (MOST_STEPS * STEP + TURN) * shell.STEP_SECONDS <= 1.25


def test_a_flight_draws_its_arc() -> None:
    state = helpers.at("chthonians", "hades 10, harpies 2, zeus 15", known="harpies")
    pictures = boards(moved(state, "move 2 22 harpies", Faction.CHTHONIANS, tui.SIZES[1]))[:-1]
    rows = [next(at for at, row in enumerate(one.splitlines()) if "HAR" in row) for one in pictures]
    assert min(rows) < min(rows[0], rows[-1])
    dots = [one.count(" . ") for one in pictures]
    assert dots == sorted(dots)
    assert dots[-1] > dots[0] == boards(moved(START, "move 10 11 charon", Faction.CHTHONIANS))[0].count(" . ")


def test_a_unit_that_is_revealed_turns_over() -> None:
    state = helpers.at("olympians", "hades 10, nyx 12, ares 14, zeus 15", known="zeus")
    pictures = boards(moved(state, "reveal ares", Faction.CHTHONIANS))
    assert len(pictures) == TURN + 1
    assert "-are" in pictures[-1]
    assert not any("-are" in one or "-???" in one for one in pictures[:-1])


@pytest.mark.parametrize("event", [Typed("1"), Key("escape"), Key("f1"), Clicked("hex 12"), Entered("help")], ids=str)
def test_any_key_ends_what_moves(event: Event) -> None:
    screen = moved(START, "move 10 11 charon", Faction.CHTHONIANS)
    assert screen.moving is not None
    assert tui.after(screen, event).motion is None
    # What the console itself puts at the prompt is no key.
    assert tui.after(screen, Typed("14", by_hand=False)).motion is not None


def test_a_line_that_is_slow_twice_in_a_row_ends_motion_for_good() -> None:
    slow: list[bool] = []
    output = DummyOutput()
    waits = iter([0.2, 0.0, 0.2, 0.2, 0.0])
    now = [0.0]

    def flush() -> None:
        now[0] += next(waits)

    vars(output).update(flush=flush)
    watched = shell.watch_line(output, lambda: True, lambda: slow.append(True), lambda: now[0])
    told = []
    for _ in range(5):
        watched.flush()
        told.append(len(slow))
    assert told == [0, 0, 0, 1, 1]
    screen, effects = tui.stepped(moved(START, "move 10 11 charon", Faction.CHTHONIANS), Slowed())
    assert screen.motion is None
    assert not screen.settings.motion
    assert "too slow" in " ".join(screen.notice)
    assert effects == (KeepSetting("motion", False),)
    assert moved_on(screen).motion is None


def moved_on(screen: StormScreen) -> StormScreen:
    """Return the console after a move more."""
    assert screen.match.state is not None
    after, events = helpers.happened(START, "move 10 11 charon")
    return tui.after(screen, Happened(tuple(events), helpers.owner_view(after, Faction.CHTHONIANS)))


def test_a_match_more_has_motion_as_it_was_left() -> None:
    player = app.ScreenPlayer("alice", STORM, settings=MOVING)
    assert player._fresh(tui.begin().match).settings.motion
    player._screen = replace(tui.begin(), settings=Settings())
    assert not player._fresh(tui.begin().match).settings.motion


CHOICES = [
    f"{maneuver} {energy}"
    for maneuver, energy in (
        ("standard", 0),
        ("standard", 3),
        ("retreat", 0),
        ("chase", 1),
        ("attack", 2),
        ("defense", 0),
    )
]
FIGHTS = {
    "plain": tui.COMBAT,
    "charmed": helpers.play(
        helpers.at("chthonians", "charon cronus 12, hades 10, ares hermes poseidon aphrodite 13, zeus 15"),
        "move 12 13 charon cronus",
    ),
    "asleep": helpers.play(
        helpers.at("chthonians", "hypnos nyx 12, hades 10, hephaestus poseidon 13, zeus 15"), "move 12 13 hypnos nyx"
    ),
    "alone": helpers.play(
        helpers.at("chthonians", "hades 12, nyx 10, ares 13, zeus 15", known="hades ares"), "move 12 13 hades"
    ),
    "chasers": helpers.play(
        helpers.at("chthonians", "erinyes 12, hades 10, artemis hera 13, zeus 15"), "move 12 13 erinyes"
    ),
}


def fought(
    state: State, choices: tuple[str, str], size: tuple[int, int] = tui.SIZES[0], settings: Settings = MOVING
) -> StormScreen:
    """Return the console of the attacker right after both choices of a combat were opened."""
    after, events = state, []
    for line in helpers.fights(*choices):
        after, more = helpers.happened(after, line)
        events += more
    screen = replace(tui.asked(state, size), settings=settings)
    return tui.after(screen, Happened(tuple(events), helpers.owner_view(after, Faction.CHTHONIANS)))


@pytest.mark.parametrize("name", FIGHTS)
def test_each_power_is_the_sum_of_what_is_named(name: str) -> None:
    sides = (Faction.CHTHONIANS, Faction.OLYMPIANS)
    may = [[one for one in CHOICES if f"fight {side.name.lower()} {one}" in legal(name, side)] for side in sides]
    seen = [fought(FIGHTS[name], choices).motion for choices in itertools.product(may[0], may[1])]
    assert all(isinstance(one, Reveal) and 1 <= one.pictures * shell.STEP_SECONDS <= 2.5 for one in seen)
    counted = [one for one in seen if isinstance(one, Reveal) and one.fought is not None]
    assert len(counted) >= 9
    for one in counted:
        assert one.fought is not None
        parts = power_account(one.before, one.choices, one.fought)
        assert tuple(sum(amount for _, amount in found) for found in parts) == one.fought.power
        assert all(str(abs(amount)) in words for found in parts for words, amount in found)


def legal(name: str, side: Faction) -> set[str]:
    """Return what a side may choose in a combat."""
    return {notation.format_action(action) for action in engine.legal_actions(FIGHTS[name], side)}


@pytest.mark.parametrize("size", [*tui.SIZES, (160, 50)], ids=str)
@pytest.mark.parametrize("theme", ["lines", "dark"])
def test_a_combat_is_opened_and_ends_in_the_page_that_tells_it(size: tuple[int, int], theme: str, spoken: str) -> None:
    del spoken
    settings = replace(MOVING, theme=theme, colourful=True)
    for name, choices in (("charmed", ("attack 2", "attack 2")), ("chasers", ("chase 1", "standard 3"))):
        quick = fought(FIGHTS[name], choices, size, replace(settings, motion=False))
        screen = fought(FIGHTS[name], choices, size, settings)
        assert quick.motion is None
        pictures = boards(screen)
        assert pictures[-1] == tui.text(quick)
        assert all(line_width(row) <= size[0] for one in pictures for row in one.splitlines())
        assert {len(one.splitlines()) for one in pictures} == {len(pictures[-1].splitlines())}
        seen = screen.motion
        assert isinstance(seen, Reveal)
        assert seen.fought is not None
        last = pictures[-2].replace("\u2502", " ")
        for parts, power in zip(power_account(seen.before, seen.choices, seen.fought), seen.fought.power, strict=True):
            assert f" {power}" in last
            assert [text for text, _ in parts if text not in last] == []


@pytest.mark.parametrize("name", FIGHTS)
def test_choices_that_lie_face_down_look_alike_whatever_they_are(name: str) -> None:
    pictures = [boards(fought(FIGHTS[name], choices), DOWN) for choices in itertools.product(CHOICES[:2], CHOICES[:2])]
    assert all(one == pictures[0] for one in pictures)
    assert not any("standard" in one for one in pictures[0])


def test_a_key_ends_the_combat_that_is_seen_and_another_one_the_page_behind_it() -> None:
    for event in (Key("enter"), Key("any"), Clicked("")):
        screen = tui.after(fought(tui.COMBAT, ("standard 1", "standard 0")), event)
        assert screen.motion is None
        assert "Power: you 9, bob 8" in tui.text(screen)
        assert tui.after(screen, event).page is None


def test_signs_of_ascii_are_enough_for_a_combat_that_is_seen() -> None:
    for picture in boards(fought(tui.COMBAT, ("attack 1", "chase 0"), settings=replace(MOVING, unicode=False))):
        assert picture.isascii()


def test_in_plain_lines_a_combat_is_told_and_not_seen() -> None:
    plain = replace(tui.asked(tui.COMBAT), settings=MOVING, plain=True)
    after, events = tui.COMBAT, []
    for line in helpers.fights("standard 1", "standard 0"):
        after, more = helpers.happened(after, line)
        events += more
    assert tui.after(plain, Happened(tuple(events), helpers.owner_view(after, Faction.CHTHONIANS))).motion is None


def test_a_move_that_follows_at_once_does_not_cut_a_combat_off() -> None:
    screen = fought(tui.COMBAT, ("standard 1", "retreat 0"))
    seen = screen.motion
    assert isinstance(seen, Reveal)
    assert moved_on(screen).motion == seen
    assert isinstance(moved_on(tui.after(screen, Key("enter"), Key("enter"))).motion, Motion)


def played(
    lines: Sequence[str], size: tuple[int, int] = tui.SIZES[1], settings: Settings = MOVING, **position: Any
) -> FightScreen:
    """Return the console of seat 0 after the active seat of a position of Fight has played."""
    table = load_position(fight.CARDS, {**fight.BOARD, **position})
    hands = table.state.hands
    views = [View(table.state, {entry: table.names[entry] for entry in hands[0]})]
    screen = tui.after(replace(fight.begin(size), settings=settings), Happened((), views[0]))
    for line in lines:
        active = table.state.active
        known = {entry: table.names[entry] for entry in table.state.hands[active]}
        table.decide(read_action(line, View(table.state, known), active))
        held = {entry: table.names[entry] for entry in table.state.hands[0] if entry >= 0}
        screen = tui.after(screen, Happened(tuple(table.state.events), View(table.state, held)))
    return screen


@pytest.mark.parametrize("size", [*tui.SIZES, tui.HUGE], ids=str)
@pytest.mark.parametrize("settings", [MOVING, replace(MOVING, theme="dark"), replace(MOVING, unicode=False)], ids=str)
def test_a_card_glides_to_its_space_and_blows_fly_before_what_they_change_is_seen(
    size: tuple[int, int], settings: Settings
) -> None:
    screen = played(["play 3 2 pay 63", "end"], size, settings)
    pictures = boards(screen)
    assert {len(one.splitlines()) for one in pictures} == {size[1]}
    assert all(line_width(row) <= size[0] for one in pictures for row in one.splitlines())
    assert settings.unicode or all(one.isascii() for one in pictures)
    names = [min(at for at, row in enumerate(one.splitlines()) if "Patroclus" in row) for one in pictures[:4]]
    assert names == sorted(names, reverse=True)
    assert names[0] > names[-1]
    assert [" -1 " in one for one in pictures].index(True) > 4
    assert any(" a point " in one for one in pictures)
    assert "Alcmene" in pictures[-7]
    # The log tells the defeat, too; the card is above it.
    assert "Alcmene" not in "".join(pictures[-1].splitlines()[: size[1] // 3])
    assert pictures[-1] == tui.text(played(["play 3 2 pay 63", "end"], size, replace(settings, motion=False)))


THEIRS: dict[str, Any] = {"active": 1, "hands": [[3, 63], [60, 20, 21]]}


def test_what_the_enemy_has_done_is_seen_first_and_then_told_below_the_board() -> None:
    screen = played(["play 60 6", "end"], **THEIRS)
    assert screen.page is Page.RESULT
    pictures = boards(screen)
    assert not any("Slingers played" in one for one in pictures[:-1])
    assert len(pictures) <= 2.5 / shell.STEP_SECONDS + 1
    rows = pictures[-1].splitlines()
    told = next(at for at, row in enumerate(rows) if "-- WHAT HAPPENED" in row or "\u2500 WHAT HAPPENED" in row)
    assert any("Menelaus" in row for row in rows[:told])
    assert any("bob: Slingers played on space 6 (Troy)." in row for row in rows[told:])
    ended = tui.after(screen, Key("enter"))
    assert (ended.motion, ended.page) == (None, Page.RESULT)
    assert tui.after(ended, Key("enter")).page is None


@pytest.mark.parametrize("lines", [["play 60 6"], ["play 60 6", "end"]], ids=str)
def test_what_moves_in_fight_depends_on_no_hidden_card(lines: list[str]) -> None:
    pictures = [
        boards(played(lines, hands=[[3, 63], [60, *held]], pile=pile, active=1))
        for held, pile in (([20, 21], [90, 91, 94, 95]), ([40, 22], [95, 10, 45, 90]))
    ]
    assert pictures[0] == pictures[1]


def test_a_name_of_wide_letters_turns_over_in_whole_columns() -> None:
    before, after = ((("", text),) for text in ("\u795e\u8a71 1 abc", "a\u795e\u8a71 2 bc"))
    for share in (0.0, 0.3, 0.5, 0.8, 1.0):
        (row,) = turned([fitted(before, 12)], [fitted(after, 12)], share)
        assert abs(line_width(plain(row)) - 12) <= 1
