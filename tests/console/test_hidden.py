"""Nothing that the console draws, says, offers or does by itself depends on a hidden unit of the other side."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import helpers
import helpers_tui as tui
import pytest
from helpers_laws import accepts

from cli.console import plain
from cli.console.guest import GameConsole, guest_of
from cli.console.lines import suggest
from cli.console.messages import Clicked, Entered, Event, Key, NotUnderstood, Own, Send, Settled, Stepped, Typed
from cli.console.pages import begin_replay as look_back
from cli.console.pages import steps
from cli.console.render.screen import render
from cli.console.replay import Candidate
from cli.console.screen_state import Settings
from cli.match.player import Asked, Happened, Heard, Noticed
from cli.notices import LineLost
from cli.storm.console import STORM
from cli.storm.grammar import Arrange
from cli.storm.model import StormScreen
from storm_p2p.storm import engine, notation, views
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.state import Phase, State

TYPED: Final = ("", "h", "move 1", "12 ", "14", "9 10", "hades ", "zeus 1", "sneak 9 ", "bolt ", "att", "aid ", "std 3")
LOOKS: Final = (
    "board", "units", "opponent", "turn", "eye", "table", "help", "options", "log", "last", "replay", "where zeus",
    "where hades", "scan 3", "card nyx", "costs 12", "costs 10", *(f"who {region}" for region in range(7, 19)),
)  # fmt: skip
KEYS: Final = ("f1", "f2", "f3", "f4", "f5", "f6", "f8", "pageup", "up", "down", "left", "hide")


def _legal(screen: StormScreen) -> list[Action]:
    return (
        engine.legal_actions(screen.match.state, screen.match.side)
        if screen.match.deciding and screen.match.state is not None
        else []
    )


def _meanings(screen: StormScreen) -> Iterator[object]:
    for typed in TYPED:
        for setting_up in (False, True):
            with suppress(NotUnderstood):
                yield STORM.parse(typed, screen.match.state, screen.match.side, setting_up=setting_up)


def advised(screen: StormScreen) -> Sequence[Candidate]:
    state = screen.match.state
    decides = screen.match.deciding and state is not None and state.phase != Phase.SETUP
    return next(STORM.adviser().advise(state, screen.match.side)) if decides and state is not None else ()


ASKED: Final[Mapping[str, Callable[[StormScreen], object]]] = {
    # What is said.
    "say": lambda screen: STORM.say(screen.match, LineLost(calls=True)),
    "tell": lambda screen: [STORM.tell(screen.match, entry) for entry in screen.match.entries],
    "happened": lambda screen: [STORM.happened(entry.events, entry.after) for entry in screen.match.entries],
    "table": lambda screen: STORM.table(screen.match),
    "opened": lambda screen: STORM.opened(screen.match),
    "turn": lambda screen: STORM.turn(screen.match.state) if screen.match.state is not None else 0,
    "question": lambda screen: STORM.question(screen) if screen.match.deciding else (),
    "sealed": STORM.sealed,
    "help": STORM.help,
    "asked": STORM.asked,
    "said_above": STORM.said_above,
    "coming": STORM.coming,
    "guide": STORM.guide,
    "hint": STORM.hint,
    "answers": STORM.answers,
    "advise": lambda screen: advised(screen),
    "name_action": lambda screen: [STORM.name_action(one.action) for one in advised(screen)],
    "reason": lambda screen: [STORM.reason(fact) for one in advised(screen) for fact in one.reasons],
    "preview": lambda screen: [STORM.preview(screen, action) for action in _legal(screen)],
    # What is drawn.
    "draw": lambda screen: [STORM.draw(screen, rows) for rows in (15, 30)],
    "text_rows": lambda screen: STORM.text_rows(screen, 20),
    "hides_log": STORM.hides_log,
    "page": STORM.page,
    "last_board": lambda screen: STORM.last_board(screen, 15),
    "look": lambda screen: [tui.stepped(replace(screen, question=None, page=None), Entered(line)) for line in LOOKS],
    "draw_replay": lambda screen: [
        guest_of(screen).draw_replay(replay, replay.step.state, replay.terms)
        for replay in (look_back(screen)[0].replay,)
        if replay is not None and replay.step is not None
    ],
    # What is typed, pressed and clicked.
    "parse": lambda screen: list(_meanings(screen)),
    "read": lambda screen: [STORM.read(tui.after(screen, Typed(typed))) for typed in TYPED],
    "suggest": lambda screen: (
        [suggest(screen, typed) for typed in TYPED] + [STORM.suggest(screen, typed) for typed in TYPED]
    ),
    "goes_on": lambda screen: [STORM.goes_on(screen, typed) for typed in TYPED],
    "lead_on": lambda screen: [STORM.lead_on(screen, typed) for typed in TYPED],
    "reads_like_a_move": lambda screen: [STORM.reads_like_a_move(screen, typed) for typed in TYPED],
    "enter": lambda screen: STORM.enter(screen) if screen.awaited else (),
    "obey": lambda screen: STORM.obey(screen, Own(Arrange("random"))) if screen.placing is not None else (),
    "press": lambda screen: [tui.stepped(screen, Key(key)) for key in KEYS],
    "click": lambda screen: [
        tui.stepped(screen, Clicked(zone.what, right))
        for zone in render(screen).zones
        if not zone.what.startswith("key ")
        for right in (False, True)
    ],
    "steers": STORM.steers,
    "sign": lambda screen: [STORM.sign(event) for entry in screen.match.entries for event in entry.events],
    "dealt": lambda screen: STORM.dealt(steps(screen.match)),
    "draw_motion": lambda screen: STORM.draw_motion(screen, 20) if screen.revealing else (),
    "news_place": STORM.news_place,
    "lit": STORM.lit,
    # What happens.
    "forced": lambda screen: STORM.forced(screen.match) if screen.match.deciding else None,
    "is_waiting": lambda screen: STORM.is_waiting(screen.match),
    "is_within_turn": lambda screen: STORM.is_within_turn(screen.match),
    "ask": lambda screen: STORM.ask(screen),
    "give": lambda screen: [STORM.give(screen, Send(action)) for action in _legal(screen)],
    "clear": STORM.clear,
    "settle": STORM.settle,
    "follow": lambda screen: [
        STORM.follow(screen, one, caused=caused) for one in screen.match.entries for caused in (False, True)
    ],
    "place": STORM.place,
}
"""What is asked of the game with the match in hand."""
NO_MATCH: Final = {
    "false_batch",
    "side_name",
    "seat_word",
    "terms_of",
    "match_of",
    "title_of",
    "begins",
    "begin_match",
    "roll",
    "load_setups",
    "recall_setup",
    "save_setup",
    "forget_setup",
    "moments",
    "tell_action",
    "page_script",
    "page_names",
}
"""What gets nothing of the match, or before it begins, or after its end."""


def told(screen: StormScreen) -> dict[str, object]:
    """Return all that a console in a state shows, says, offers and would do."""
    return {**{name: ask(screen) for name, ask in ASKED.items()}, "picture": tui.text(screen), "state": screen}


def test_the_law_asks_everything_of_a_console_that_knows_the_match() -> None:
    methods = {
        name
        for name, value in vars(GameConsole).items()
        if callable(value) and not isinstance(value, type) and not name.startswith("_")
    }
    assert methods | {"advise"} == set(ASKED) | NO_MATCH


class Twins:
    """Both consoles of one seat in two games that differ in hidden units of the other side alone."""

    def __init__(self, side: Faction, states: tuple[State, State], *, plain: bool) -> None:
        self.side = side
        self.views: list[StormScreen] = []
        for state in states:
            screen = tui.begin(faction=side, terms=state.terms)
            self.views.append(replace(screen, plain=plain, settings=Settings(motion=True)))
        self.each(*(Happened((), helpers.owner_view(state, side)) for state in states))

    def each(self, one: Event, other: Event) -> None:
        """Let something happen in both, and compare what is shown, said and wanted."""
        said = []
        for number, event in enumerate((one, other)):
            before = self.views[number]
            after, effects = tui.stepped(before, event)
            self.views[number] = after
            pictures = [tui.text(after)]
            while after.motion is not None:
                # What is seen to move on the way.
                after = self.views[number] = tui.after(after, Stepped())
                pictures.append(tui.text(after))
            said.append((effects, plain.said(before, after, event), pictures))
        assert said[0] == said[1]

    def compare(self) -> None:
        """Compare everything that a player could see or do now."""
        one, other = map(told, self.views)
        assert [name for name, value in one.items() if value != other[name]] == []

    def both(self, event: Event) -> None:
        """Let the same happen in both."""
        self.each(event, event)


@pytest.mark.parametrize("seed", helpers.daily_first(range(25), 6))
def test_two_games_that_differ_in_hidden_units_of_the_other_side_look_and_act_alike(seed: int) -> None:
    rng = random.Random(seed)
    side = rng.choice(FACTIONS)
    state = twin = helpers.random_start(rng)
    while twin == state or state.phase in (Phase.SETUP, Phase.OPENING):
        state = helpers.random_start(rng)
        twin = helpers.exchange(rng, state, OTHER[side])
    twins = Twins(side, (state, twin), plain=seed % 4 == 3)
    for _ in range(6):
        shared = [action for action in helpers.candidates(state) if accepts(twin, action)]
        if not shared:
            break
        action = helpers.prefer(rng, state, shared)
        if views.publish(state, action) != views.publish(twin, action):
            break
        asked = engine.next_request(state)
        if asked is not None and side in asked.seats:
            twins.each(*(Asked(helpers.owner_view(one, side)) for one in (state, twin)))
            if helpers.actor(state, action) == side:
                twins.both(Entered(notation.format_action(action) + "?"))
            twins.compare()
            twins.both(Settled())
        state, events = engine.apply(state, action)
        twin, twin_events = engine.apply(twin, action)
        if Phase.OPENING in (state.phase, twin.phase):
            break
        twins.each(
            *(
                Happened(happened, helpers.owner_view(one, side))
                for one, happened in ((state, events), (twin, twin_events))
            )
        )
        twins.both(Heard("who is there?"))
        twins.both(Noticed(LineLost(calls=True)))
    twins.compare()


def test_the_law_sees_a_unit_that_a_view_does_not_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "owner_view", lambda state, side: state)
    with pytest.raises(AssertionError):
        test_two_games_that_differ_in_hidden_units_of_the_other_side_look_and_act_alike(0)


@pytest.mark.parametrize("seed", helpers.daily_first(range(60), 20))
def test_whether_the_program_answers_by_itself_depends_on_no_hidden_unit_of_its_own(seed: int) -> None:
    rng = random.Random(seed)
    for state, _ in helpers.walk(rng, helpers.random_start(rng), 15):
        asked = engine.next_request(state)
        for side in () if asked is None or state.phase == Phase.OPENING else asked.seats:
            twin = helpers.exchange(rng, state, Faction(side))
            answers = [_forced(one, side) for one in (state, twin)]
            assert answers[0] == answers[1]


def _forced(state: State, side: int) -> bool:
    screen: Any = tui.asked(state, faction=Faction(side))
    return STORM.forced(screen.match) is not None
