"""Whatever the other side, the line and the person do in whatever order, the console goes on, and its picture fits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest
from helpers_console import seated
from toys import Rounds

from cli.console.lines import suggest
from cli.console.messages import (
    Clicked,
    Control,
    Done,
    Entered,
    Event,
    Key,
    Refused,
    Resized,
    Ring,
    Rolled,
    Settled,
    TakenOver,
    Typed,
)
from cli.console.plain import said
from cli.console.render.screen import render
from cli.console.render.spans import line_width, plain
from cli.console.screen_state import ScreenState
from cli.match.player import Asked, Ended, Ending, Happened, Heard, Noticed, Placed
from cli.notices import Claimable, Failed, LineBack, LineLost, LineTried, OtherRules, WitnessSilent
from cli.storm.console import STORM
from cli.storm.guide import AUTOMATIC
from cli.storm.model import StormScreen
from console.toy_console import THROWS, TOY, Thrown
from protocol.core import events
from protocol.core.clock import Difference
from protocol.core.messages import Break, Ground
from protocol.transport import TransportError
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import FACTIONS
from storm_p2p.storm.state import Phase

SIZES = (*tui.SIZES, (81, 25), (500, 24), (80, 200), (79, 24), (80, 23), (0, 0))
ODD = "abc \x1b\x07\x9b\u202e\u200b\u0301\n\t[]0;?%{}\\'$漢🙂ﷺ½²٣\U000e0041\ud800"
WORDS = (
    *tui.LINES, *THROWS, "rock!", "who ²", "move ٣", "log 99999999999999999999", "note 0 a", "att 99999999999999999999",
    "replay 1", "save ../x", "load ../x", "/", "plain", "full", "pause", "claim", "concede",
)  # fmt: skip


def odd(rng: random.Random) -> str:
    """Return a text that somebody could send who means harm."""
    return "".join(rng.choice(ODD) for _ in range(rng.choice((0, 1, 5, 40, 600))))


def by_hand(rng: random.Random, screen: ScreenState) -> Event:
    """Return what a person could do, whatever the game."""
    match rng.randrange(6):
        case 0:
            return Typed(rng.choice((rng.choice(WORDS), odd(rng))), by_hand=rng.random() < 0.8)
        case 1 if not screen.plain:
            return Key(rng.choice(tui.KEYS))
        case 2 if not screen.plain and (zones := render(screen).zones):
            what = rng.choice(zones).what
            return Clicked(what, not what.startswith("key ") and rng.random() < 0.2)
        case 3 if not screen.plain:
            return Resized(*rng.choice(SIZES))
        case 4:
            return Entered(screen.typed)
        case _:
            return Entered(rng.choice((rng.choice(WORDS), odd(rng))))


def from_outside(rng: random.Random) -> Event:
    """Return what the other side or the line could do."""
    seat, number, text = rng.randrange(2), rng.choice((0, 2**31)), odd(rng)
    shown: tuple[Event, ...] = (
        Heard(text), Refused(text, rng.choice((None, Control("say", text), Control("draw")))), seated(0, None),
        Rolled(number), Settled(),
        *map(Noticed, (
            LineLost(calls=bool(seat)), LineTried(number, 1e9), LineBack(), OtherRules(text), WitnessSilent(),
            Claimable(rng.choice(list(Ground)), 10**12), Failed(TransportError("odd", text)),
            events.DrawOffered(seat, number), events.DrawLapsed(seat, number),
            events.BreakProposed(seat, number, Break.PAUSE), events.BreakAgreed(seat, number, Break.ADJOURNMENT),
            events.GoneOn(seat), events.ClaimDenied(seat, number),
            events.TimesDiffer(Difference(seat, number, number, 2**31)),
            events.Damaged(text, text), events.PeerMisbehaved(text, text, seat, None, (), {}),
            events.Disagreement(text, text, b""),
        )),
    )  # fmt: skip
    return rng.choice(shown)


def storm(rng: random.Random) -> tuple[ScreenState, Iterator[tuple[Event, ...]]]:
    """Return a console of Storm, and what a random game tells it, message by message."""
    state, side = helpers.random_start(rng), rng.choice(FACTIONS)
    facts = {"match": odd(rng), "words": odd(rng), "log": "/home/alice/x.match", "computer": rng.choice(("", "x"))}

    def game() -> Iterator[tuple[Event, ...]]:
        yield Placed(), Settled()
        yield (Happened((), helpers.owner_view(state, side)),)
        for before, action in helpers.walk(rng, state, 8):
            request = engine.next_request(before)
            if request is not None and side in request.seats and before.phase not in (Phase.SETUP, *AUTOMATIC):
                words = notation.format_action(rng.choice(engine.legal_actions(before, side)))
                yield Asked(helpers.owner_view(before, side)), Entered(words + rng.choice(("", "!", "?")))
            after, done = engine.apply(before, action)
            yield (Happened(done, helpers.owner_view(after, side)),)

    return StormScreen(STORM.begin_match(seated(side, state.terms, odd(rng), **facts))), game()


def toy(rng: random.Random) -> tuple[ScreenState, Iterator[tuple[Event, ...]]]:
    """Return a console of rock-paper-scissors, and what a random game tells it."""

    def game() -> Iterator[tuple[Event, ...]]:
        state = Rounds((0, 0), 9)
        yield (Happened((), state),)
        for _ in range(8):
            yield (Asked(state),)
            throws = rng.randrange(3), rng.randrange(3)
            lead = (throws[0] - throws[1]) % 3
            state = replace(state, wins=(state.wins[0] + (lead == 1), state.wins[1] + (lead == 2)))
            yield Settled(), Happened((Thrown(throws, state.wins),), state)

    return ScreenState(TOY.begin_match(seated(0, 9, odd(rng), match=odd(rng), log="/x"))), game()


class Tried:
    """A console to which anything may happen; after each event its picture and its sentences are looked at."""

    def __init__(self, rng: random.Random, screen: ScreenState) -> None:
        self.rng = rng
        self.screen = screen

    def feel(self, event: Event) -> None:
        """Let something happen, and what follows from it."""
        before = self.screen
        self.screen, effects = tui.stepped(before, event)
        for effect in effects:
            if isinstance(effect, Ring):
                assert effect.sentence.isprintable()
            elif isinstance(effect, Control) and self.rng.random() < 0.7:
                self.screen, _ = tui.stepped(self.screen, Done(effect, told_anyway=self.rng.random() < 0.3))
        if self.screen.plain:
            assert all(isinstance(line, str) for line in said(before, self.screen, event))
        else:
            self._look()
        typed = self.rng.choice((self.rng.choice(WORDS), odd(self.rng)))
        assert all(found.word.isprintable() for found in suggest(self.screen, typed))

    def _look(self) -> None:
        frame = render(self.screen)
        assert len(frame.above) + 1 + len(frame.below) == self.screen.rows
        for row in map(plain, (*frame.above, *frame.below)):
            assert row.isprintable()
            assert line_width(row) <= self.screen.columns
        assert all(
            0 <= zone.row < self.screen.rows and zone.left < zone.right <= self.screen.columns for zone in frame.zones
        )


@pytest.mark.parametrize("begin", [storm, toy], ids=["storm", "toy"])
@pytest.mark.parametrize("seed", helpers.daily_first(range(60), 6))
def test_whatever_happens_the_console_goes_on(
    seed: int, begin: Callable[[random.Random], tuple[ScreenState, Iterator[tuple[Event, ...]]]]
) -> None:
    rng = random.Random(seed)
    screen, game = begin(rng)
    tried = Tried(rng, replace(screen, plain=rng.random() < 0.3))
    for more in game:
        for event in more:
            tried.feel(event)
            for _ in range(rng.randrange(4)):
                tried.feel(by_hand(rng, tried.screen) if rng.random() < 0.7 else from_outside(rng))
        if rng.random() < 0.1:
            tried.feel(TakenOver(tried.screen.match))
    tried.feel(
        Ended(Ending(rng.choice((None, "draw", STORM.seat_word(FACTIONS[0]))), odd(rng), False, odd(rng), (odd(rng),)))
    )
    for _ in range(8):
        tried.feel(by_hand(rng, tried.screen) if rng.random() < 0.7 else from_outside(rng))
