"""Plain lines as a screen reader says them: whole matches of both games without a sign that nobody can hear."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli.console.messages import Entered, Event
from cli.console.plain import aloud, said
from cli.console.screen_state import ScreenState
from cli.match.player import Asked, Happened
from console import fight_console as fight
from storm_p2p.fight import engine as fight_engine
from storm_p2p.fight.positions import load_position
from storm_p2p.fight.state import View
from storm_p2p.storm import engine
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Phase

pytestmark = pytest.mark.usefixtures("recorded_strengths")

UNHEARD = re.compile(
    r"\d/\d|\d [<>] \d|\bx\d|\d:\d|\[\d|\S  +\S|[^\x00-\u024f\u2010-\u201f]|\b(?:std|ret|att|def|vert)\b"
)
"""Signs that are passed over or spelt: values with a slash, arrows, factors, columns, frames, blocks, cuts of words."""
LOOKS = {
    "storm": ("board", "units", "table", "options", "help"),
    "fight": ("board", "units", "hand", "card 16", "discards", "rules", "options", "help"),
}


def heard(screen: ScreenState, *events: Event) -> Iterator[str]:
    """Yield every line that plain lines say of events, one after the other."""
    for event in events:
        after, _ = tui.stepped(screen, event)
        yield from map(aloud, said(screen, after, event))
        screen = after


def fight_lines(seed: int) -> Iterator[str]:
    """Yield what is said of a match of Fight for Olympus that both play at random."""
    rng = random.Random(seed)
    deck = list(range(96))
    rng.shuffle(deck)
    table = load_position(fight.CARDS, {"number": 2, "hands": [deck[:6], deck[6:12]], "pile": deck[12:76]})
    screen, told = replace(fight.begin(), plain=True), 0
    while table.state.question is not None:
        view = View(table.state, {entry: table.names[entry] for entry in table.state.hands[0] if entry >= 0})
        events, told = tuple(table.events[told:]), len(table.events)
        happened: tuple[Event, ...] = (Happened(events, view),)
        if table.state.question.seat == 0:
            happened += (Asked(view),)
        yield from heard(screen, *happened)
        screen = tui.after(screen, *happened)
        if table.state.question.seat == 0 and rng.random() < 0.1:
            yield from (line for look in LOOKS["fight"] for line in heard(screen, Entered(look)))
        table.decide(rng.choice(list(fight_engine.legal(table.state, table.names))))


def storm_lines(seed: int) -> Iterator[str]:
    """Yield what is said of a match of Storm over Olympus that both play at random."""
    rng = random.Random(seed)
    side = Faction.CHTHONIANS
    screen = replace(tui.begin(), plain=True)
    events: tuple[object, ...] = ()
    for state, action in helpers.walk(rng, helpers.random_position(rng), 60):
        view = helpers.owner_view(state, side)
        request = engine.next_request(state)
        happened: tuple[Event, ...] = (Happened(events, view),)
        if request is not None and side in request.seats and state.phase != Phase.OPENING:
            happened += (Asked(view),)
        yield from heard(screen, *happened)
        screen = tui.after(screen, *happened)
        if len(happened) > 1 and rng.random() < 0.2:
            yield from (line for look in LOOKS["storm"] for line in heard(screen, Entered(look)))
        events = tuple(engine.apply(state, action)[1])


def test_the_first_question_says_how_to_win_and_where_everything_stands() -> None:
    state = helpers.at("chthonians", "hades charon 10, nyx 12, ares 13, zeus 15", known="ares")
    view = helpers.owner_view(state, Faction.CHTHONIANS)
    told = list(heard(replace(tui.begin(), plain=True), Happened((), view), Asked(view)))
    assert "You win when Hades or Persephone reaches the Palace (15). At 0 Honor you lose." in told
    assert "Your units: 10 Hades, 10 Charon, 12 Nyx." in told
    cards = list(heard(replace(fight.begin(), plain=True), *(one(fight.seen(fight.BOARD)) for one in (_seen, Asked))))
    assert any(line.startswith("You win at once when the counter stands on your 7") for line in cards)
    assert "Type rules for the other rules, or help for what you can type." in cards


def test_what_was_heard_just_now_or_in_an_earlier_round_is_not_said_again() -> None:
    state, heard_before = tui.COMBAT, 0
    for number in (1, 2):
        view = helpers.owner_view(state, Faction.CHTHONIANS)
        told = list(heard(replace(tui.begin(), plain=True), Asked(view)))
        assert told[0].startswith(f"Combat in 13, round {number}. You attack")
        assert ("Type costs to hear again what each maneuver does." in told) is (number == 2)
        assert (len(told) < heard_before) is (number == 2)
        heard_before, before = len(told), state
        events: list[object] = []
        for line in helpers.fights("defense 0", "defense 0"):
            state, more = helpers.happened(state, line)
            events += more
        screen = tui.after(
            replace(tui.begin(), plain=True), Happened((), helpers.owner_view(before, Faction.CHTHONIANS))
        )
        after = helpers.owner_view(state, Faction.CHTHONIANS)
        told = list(heard(screen, Happened(tuple(events), after), Asked(after)))
        assert sum(line.startswith(("round", "Combat in")) for line in told) == 1


def _seen(view: View) -> Event:
    return Happened((), view)


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lines", [fight_lines, storm_lines])
def test_nothing_is_said_that_cannot_be_heard(lines: object, seed: int) -> None:
    told = list(lines(seed))  # type: ignore[operator]
    assert len(told) > 20
    assert [(found[0], line) for line in told if (found := UNHEARD.search(line))] == []
