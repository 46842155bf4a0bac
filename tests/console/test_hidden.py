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
from cli.console.analysis import Adviser, Candidate
from cli.console.guest import GameConsole, GuestWords
from cli.console.lines import suggest
from cli.console.messages import Clicked, Entered, Event, Key, NotUnderstood, Own, Send, Settled, Stepped, Typed
from cli.console.pages import begin_replay as look_back
from cli.console.render.screen import render
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


def _legal(ui: StormScreen) -> list[Action]:
    return engine.legal_actions(ui.game.state, ui.game.side) if ui.game.deciding and ui.game.state is not None else []


def _meanings(ui: StormScreen) -> Iterator[object]:
    for typed in TYPED:
        for setting_up in (False, True):
            with suppress(NotUnderstood):
                yield STORM.parse(typed, ui.game.state, ui.game.side, setting_up=setting_up)


def advised(ui: StormScreen) -> Sequence[Candidate]:
    state = ui.game.state
    decides = ui.game.deciding and state is not None and state.phase != Phase.SETUP
    return next(STORM.adviser.advise(state, ui.game.side)) if decides and state is not None else ()


ASKED: Final[Mapping[str, Callable[[StormScreen], object]]] = {
    # What is said.
    "why": lambda ui: STORM.why(ui.game, "palace"),
    "say": lambda ui: STORM.say(ui.game, LineLost(calls=True)),
    "tell": lambda ui: [STORM.tell(ui.game, entry) for entry in ui.game.entries],
    "table": lambda ui: STORM.table(ui.game),
    "opened": lambda ui: STORM.opened(ui.game),
    "turn": lambda ui: STORM.turn(ui.game.state) if ui.game.state is not None else 0,
    "question": lambda ui: STORM.question(ui) if ui.game.deciding else (),
    "sealed": STORM.sealed,
    "help": STORM.help,
    "asked": STORM.asked,
    "said_above": STORM.said_above,
    "coming": STORM.coming,
    "guide": STORM.guide,
    "hint": STORM.hint,
    "answers": STORM.answers,
    "advise": lambda ui: advised(ui),
    "name_action": lambda ui: [STORM.name_action(one.action) for one in advised(ui)],
    "reason": lambda ui: [STORM.adviser.reason(fact) for one in advised(ui) for fact in one.reasons],
    "preview": lambda ui: [STORM.preview(ui, action) for action in _legal(ui)],
    # What is drawn.
    "draw": lambda ui: [STORM.draw(ui, rows) for rows in (15, 30)],
    "text_rows": lambda ui: STORM.text_rows(ui, 20),
    "hides_log": STORM.hides_log,
    "page": STORM.page,
    "last_board": lambda ui: STORM.last_board(ui, 15),
    "look": lambda ui: [tui.stepped(replace(ui, question=None, page=None), Entered(line)) for line in LOOKS],
    "draw_replay": lambda ui: [STORM.draw_replay(shown.replay) for shown in (look_back(ui)[0],) if shown.replay],
    # What is typed, pressed and clicked.
    "parse": lambda ui: list(_meanings(ui)),
    "read": lambda ui: [STORM.read(tui.after(ui, Typed(typed))) for typed in TYPED],
    "suggest": lambda ui: [suggest(ui, typed) for typed in TYPED] + [STORM.suggest(ui, typed) for typed in TYPED],
    "goes_on": lambda ui: [STORM.goes_on(ui, typed) for typed in TYPED],
    "lead_on": lambda ui: [STORM.lead_on(ui, typed) for typed in TYPED],
    "reads_like_a_move": lambda ui: [STORM.reads_like_a_move(ui, typed) for typed in TYPED],
    "enter": lambda ui: STORM.enter(ui) if ui.awaited else (),
    "obey": lambda ui: STORM.obey(ui, Own(Arrange("random"))) if ui.placing is not None else (),
    "press": lambda ui: [tui.stepped(ui, Key(key)) for key in KEYS],
    "click": lambda ui: [
        tui.stepped(ui, Clicked(zone.what, right))
        for zone in render(ui).zones
        if not zone.what.startswith("key ")
        for right in (False, True)
    ],
    "steers": STORM.steers,
    "lit": STORM.lit,
    "move_on": lambda ui: STORM.move_on(ui).motion,
    # What happens.
    "forced": lambda ui: STORM.forced(ui.game) if ui.game.deciding else None,
    "is_waiting": lambda ui: STORM.is_waiting(ui.game),
    "is_within_turn": lambda ui: STORM.is_within_turn(ui.game),
    "ask": lambda ui: STORM.ask(ui),
    "give": lambda ui: [STORM.give(ui, Send(action)) for action in _legal(ui)],
    "clear": STORM.clear,
    "settle": STORM.settle,
    "follow": lambda ui: [STORM.follow(ui, one, caused=caused) for one in ui.game.entries for caused in (False, True)],
    "place": STORM.place,
}
"""What is asked of the game with the match in hand."""
NO_MATCH: Final = {
    "false_batch",
    "side_name",
    "seat_word",
    "terms_of",
    "title_of",
    "begins",
    "roll",
    "load_setups",
    "save_setup",
}
"""What gets nothing of the match, or before it begins, or after its end."""


def told(ui: StormScreen) -> dict[str, object]:
    """Return all that a console in a state shows, says, offers and would do."""
    return {**{name: ask(ui) for name, ask in ASKED.items()}, "picture": tui.text(ui), "state": ui}


def test_the_law_asks_everything_of_a_console_that_knows_the_match() -> None:
    methods = {
        name
        for kind in (GuestWords, GameConsole, Adviser)
        for name, value in vars(kind).items()
        if callable(value) and not isinstance(value, type) and not name.startswith("_")
    }
    assert methods == set(ASKED) | NO_MATCH


class Twins:
    """Both consoles of one seat in two games that differ in hidden units of the other side alone."""

    def __init__(self, side: Faction, states: tuple[State, State], *, plain: bool) -> None:
        self.side = side
        self.views: list[StormScreen] = []
        for state in states:
            ui = tui.begin(faction=side, terms=state.terms)
            self.views.append(replace(ui, plain=plain, settings=Settings(motion=True)))
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


@pytest.mark.parametrize("seed", helpers.daily_first(range(40), 6))
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
    ui: Any = tui.asked(state, faction=Faction(side))
    return STORM.forced(ui.game) is not None
