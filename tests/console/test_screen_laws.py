"""What holds whatever somebody types, clicks or says: nothing is lost without a yes, and nothing foreign is drawn."""

from __future__ import annotations

import random
from dataclasses import replace

import helpers
import helpers_tui as tui
from helpers_console import seated
from hypothesis import given
from hypothesis import strategies as st

from cli.console.messages import (
    Clicked,
    Control,
    Entered,
    Event,
    Key,
    Refused,
    Resized,
    Rolled,
    Seal,
    Send,
    Severity,
    Typed,
)
from cli.console.render.screen import render
from cli.match.player import Ended, Ending, Happened, Heard, Noticed, Placed
from cli.notices import Failed
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.storm.preview import preview
from cli.storm.text.prices import changes
from protocol.transport import TransportError
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms


def any_event(rng: random.Random, screen: StormScreen) -> Event:
    """Return something that a person could do."""
    kind = rng.randrange(5)
    if kind == 0:
        return Entered(rng.choice(tui.LINES))
    if kind == 1:
        return Typed(rng.choice(tui.LINES))
    if kind == 2:
        return Key(rng.choice(tui.KEYS))
    if kind == 3:
        zones = [zone.what for zone in render(screen).zones if not zone.what.startswith("key ")]
        return Clicked(rng.choice(zones), rng.random() < 0.2) if zones else Key("any")
    model = screen.match
    if model.deciding and model.state is not None:
        actions = engine.legal_actions(model.state, model.side)
        return Entered(notation.format_action(rng.choice(actions)) + rng.choice(("", "!", "?")))
    return Entered(screen.typed)


def assert_wanted(before: StormScreen, event: Event, effect: Send) -> None:
    """An action that is sent was free, or accepted, or answered with a yes after its price was shown."""
    state = before.match.state
    assert state is not None
    found = preview(state, effect.action, before.match.side, "bob")
    question = before.question
    if question is not None:
        assert question.then == effect
        said = event.text if isinstance(event, Entered) else ""
        clicked = isinstance(event, Clicked) and event.what == "send"
        assert said in ("yes", "y") or (clicked and found.severity < Severity.LAST)
        assert said == "yes" or found.severity < Severity.LAST
        # The question shows what the engine then books.
        price = engine.price(state, effect.action)
        assert (found.honor[1] - found.honor[0], found.energy[1] - found.energy[0]) == (price.honor, price.energy)
    else:
        typed = event.text if isinstance(event, Entered) else before.typed
        assert found.severity == Severity.FREE or (found.severity == Severity.ASK and typed.endswith("!"))


def test_whatever_is_done_nothing_is_sent_that_was_not_wanted() -> None:
    sent = 0
    for seed in range(14):
        rng = random.Random(seed)
        for start in tui.walk_models(seed, 12):
            screen = start
            for _ in range(12):
                event = any_event(rng, screen)
                before = screen
                screen, effects = tui.stepped(screen, event)
                render(screen)
                for effect in effects:
                    if isinstance(effect, Send):
                        assert_wanted(before, event, effect)
                        sent += 1
                    elif isinstance(effect, Control) and effect.word in ("resign", "draw", "accept"):
                        assert before.question is not None
                        assert event == Entered("yes")
                if screen.sent:
                    break
    assert sent > 30


def test_a_setup_is_sealed_only_after_a_yes_or_an_exclamation_mark() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        screen = tui.after(tui.begin(faction=Faction(seed % 2)), Placed())
        for _ in range(40):
            event = any_event(rng, screen)
            before = screen
            screen, effects = tui.stepped(screen, event)
            if any(type(effect).__name__ == "Roll" for effect in effects):
                screen = tui.after(screen, Rolled(seed))
            render(screen)
            if any(isinstance(effect, Seal) for effect in effects):
                assert event == Entered("seal!") or before.question is not None
                break


def test_the_typed_line_shows_the_price_that_is_then_booked() -> None:
    compared = 0
    for seed in range(10):
        rng = random.Random(seed)
        for screen in tui.walk_models(seed, 15):
            state, faction = screen.match.state, screen.match.side
            if not screen.match.deciding or state is None or screen.choice is not None:
                continue
            actions = engine.legal_actions(state, faction)
            action = rng.choice(actions)
            if not notation.format_action(action) or "succeed" in notation.format_action(action):
                continue
            found = tui.after(screen, Typed(notation.format_action(action))).found
            if found.severity is None:
                continue
            price = engine.price(state, action)
            stocks = ((state.honor[faction], price.honor), (state.energy[faction], price.energy))
            honor, energy = ((stock, stock + change) for stock, change in stocks)
            assert "  ".join(changes(honor, energy)) in found.lines[0]
            marked = {region: (honor, energy) for region, honor, energy in found.marks.prices}
            if found.marks.target in marked and getattr(action, "claim", None) is None:
                listed = marked[found.marks.target]
                assert listed >= (price.honor, price.energy)
            compared += 1
    assert compared > 60


NASTY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x1b\x07\x9b\u202e\u200b\u2066\ufeff\u0301\n\r\t"),
        st.sampled_from("abc []0;?"),
    ),
    max_size=60,
)


@given(NASTY, NASTY, NASTY)
def test_nothing_foreign_reaches_the_screen_but_visible_characters(name: str, said: str, sentence: str) -> None:
    model = STORM.begin_match(seated(Faction.CHTHONIANS, Terms(), name, match=said, words=sentence))
    screen = replace(tui.begin(), match=model)
    view = helpers.owner_view(tui.EXAMPLE, Faction.CHTHONIANS)
    screen = tui.after(
        screen,
        Happened((), view),
        Heard(said),
        Noticed(Failed(TransportError("odd", sentence))),
        Refused(sentence),
        Entered(f"note 9 {said}"),
    )
    for event in (Key("f6"), Key("f5"), Key("f8"), Ended(Ending("draw", sentence, True, said, (said, sentence)))):
        screen = tui.after(screen, event)
        for columns, rows in tui.SIZES:
            frame = render(tui.after(screen, Resized(columns, rows)))
            for row in (*frame.above, *frame.below):
                assert all(text.isprintable() for _, text in row)
