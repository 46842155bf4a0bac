"""The vocabulary of the tests: positions in words, random walks, and scenarios.

Nothing here knows how the engine works inside; it speaks with it through the interface of docs/rules.md, "The engine",
and the words of the notation.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from storm_p2p.storm import engine, notation, views
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import (
    Action,
    Aid,
    Block,
    Bolt,
    Fight,
    Liturgy,
    Lose,
    Move,
    Pass,
    Place,
    Recall,
    Reveal,
    Sneak,
    Succeed,
)
from storm_p2p.storm.board import BASE, FACTIONS, OTHER, Faction
from storm_p2p.storm.errors import IllegalAction, RulesError
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import LEADERS, NAME, REQUIRED, ROSTER, Maneuver, Unit

ROOT: Final = Path(__file__).resolve().parent.parent
"""The top of the repository."""
GOLDEN: Final = ROOT / "tests" / "golden"
SCENARIOS: Final = ROOT / "tests" / "scenarios"

CHTHONIANS, OLYMPIANS = FACTIONS

TERMS: Final = (
    Terms(),
    Terms(open_combat=True),
    Terms(random_setup=True),
    Terms(challenge=-3),
    Terms(open_combat=True, random_setup=True, challenge=4),
)
"""The variants, alone and together (docs/rules.md, "Variants")."""


def daily_first(values: Iterable[Any], daily: int = 1) -> list[Any]:
    """Return values for ``parametrize``, of which only the first ones belong to the daily run."""
    return [pytest.param(one, marks=pytest.mark.long if place >= daily else ()) for place, one in enumerate(values)]


def assert_golden(name: str, text: str) -> None:
    """Compare with the recorded text; UPDATE_GOLDEN=1 records anew, to be reviewed as a diff."""
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


# -- positions and actions in words -----------------------------------------------------------------------


def at(turn: str, units: str, *, known: str = "", **more: Any) -> State:
    """Return a position: ``at("chthonians", "erinyes 14, ares 9", known="erinyes")``.

    Args:
        turn: whose turn it is.
        units: names with their region, or several names with the same one, between commas.
        known: names of units that the other side knows; ``all`` for all in play.
        more: the other keys of a scenario; ``honor`` and ``energy`` as (Chthonians, Olympians) or one number,
            ``eliminated`` and ``gone`` as words.
    """
    places: dict[str, int] = {}
    for part in units.split(","):
        *names, region = part.split()
        places.update(dict.fromkeys(names, int(region)))
    position: dict[str, Any] = {"turn": turn, "units": places}
    position["known"] = sorted(places) if known == "all" else known.split()
    for key, value in more.items():
        if key in ("honor", "energy"):
            pair = (value, value) if isinstance(value, int) else value
            position[key] = {"chthonians": pair[0], "olympians": pair[1]}
        elif key in ("eliminated", "gone"):
            position[key] = value.split()
        else:
            position[key] = value
    return notation.load_position(position)


def happened(state: State, *actions: str) -> tuple[State, list[ev.Event]]:
    """Play actions in words and return the state and all that happened; unasked help next door is declined."""
    found: list[ev.Event] = []
    for text in actions:
        if state.phase == Phase.AID and not text.startswith("aid"):
            state, more = engine.play(state, Aid(None))
            found += more
        state, more = engine.play(state, notation.parse_action(text, state))
        found += more
    return state, found


def play(state: State, *actions: str) -> State:
    """Play actions in words and return the state."""
    return happened(state, *actions)[0]


def fights(chthonians: str = "standard 0", olympians: str = "standard 0") -> tuple[str, str]:
    """Return both choices of a combat round in words."""
    return f"fight chthonians {chthonians}", f"fight olympians {olympians}"


def last_round(events: Sequence[ev.Event]) -> ev.RoundFought:
    """Return the last round in which power counted."""
    return [event for event in events if isinstance(event, ev.RoundFought)][-1]


def base_of(state: State, *actions: str) -> tuple[int, int]:
    """Return both base strengths in the last round that the actions lead to."""
    return last_round(happened(state, *actions)[1]).base


def power_of(state: State, *actions: str) -> tuple[int, int]:
    """Return both effective powers in the last round that the actions lead to."""
    return last_round(happened(state, *actions)[1]).power


def legal(state: State) -> dict[str, tuple[int, int]]:
    """Return every legal action in words with its price in Honor and Energy."""
    request = engine.next_request(state)
    return {
        notation.format_action(action): (price.honor, price.energy)
        for seat in (() if request is None else request.seats)
        for action, price in engine.options(state, seat)
    }


def price(state: State, action: str) -> tuple[int, int]:
    """Return the price of a legal action in words."""
    return legal(state)[action]


def assert_legal(state: State, *actions: str) -> None:
    """Each of the actions is listed and accepted."""
    listed = legal(state)
    for text in actions:
        assert text in listed
        engine.play(state, notation.parse_action(text, state))


def assert_illegal(state: State, *actions: str, code: str | None = None) -> None:
    """None of the actions is listed, and each is refused."""
    listed = legal(state)
    for text in actions:
        assert text not in listed
        refusal = refusal_of(state, text)
        assert refusal is not None, f"expected a refusal of {text!r}"
        assert code in (None, refusal.code)


def refusal_of(state: State, action: str | Action) -> IllegalAction | None:
    """Return why the rules refuse an action, in words or not, or None when they do not."""
    try:
        engine.play(state, notation.parse_action(action, state) if isinstance(action, str) else action)
    except IllegalAction as refusal:
        return refusal
    return None


def region_of(state: State, name: str) -> int:
    """Return where a unit stands, or 0."""
    return int(notation.dump_position(state)["units"].get(name, 0))


def is_known(state: State, name: str) -> bool:
    """Return whether the other side knows a unit in play."""
    return name in notation.dump_position(state)["known"]


def eliminated(state: State) -> set[str]:
    """Return the names of all that are out of the game, for good or not."""
    position = notation.dump_position(state)
    return {*position["eliminated"], *position["gone"]}


def result(state: State) -> tuple[str, str] | None:
    """Return winner and reason, or None."""
    return None if state.outcome is None else (state.outcome.winner, state.outcome.reason)


def honor_changes(events: Sequence[ev.Event], faction: Faction) -> list[tuple[int, str]]:
    """Return every change of a side's Honor with its reason."""
    return [(e.change, e.reason) for e in events if isinstance(e, ev.HonorChanged) and e.faction == faction]


def used(events: Sequence[ev.Event]) -> set[tuple[str, str]]:
    """Return which powers acted, by names."""
    return {(NAME[e.unit], e.power) for e in events if isinstance(e, ev.Used)}


# -- random games -----------------------------------------------------------------------------------------


def random_units(rng: random.Random, faction: Faction, terms: Terms) -> tuple[Unit, ...]:
    """Return a setup of the side that the terms allow, in the order of Place."""
    while True:
        units = list(ROSTER[faction])
        rng.shuffle(units)
        if setup.check_units(faction, units, random=terms.random_setup) is None:
            return tuple(units)


def set_up(rng: random.Random, terms: Terms = TERMS[0]) -> State:
    """Return a game after both secret setups, all cards known to the state."""
    state = engine.new_game(terms)
    for faction in FACTIONS:
        place = Place(faction, setup.first_serials(faction), random_units(rng, faction, terms))
        state, _ = engine.apply(state, place)
    return state


def random_position(rng: random.Random) -> State:
    """Return a position in the middle of some game: crowded, near the river and both bases."""
    terms = rng.choice(TERMS)
    places: dict[str, int] = {}
    eliminated: list[str] = []
    gone: list[str] = []
    owner: dict[int, Faction] = {}
    crowd: dict[int, int] = {}
    for faction in FACTIONS:
        picked = rng.sample(ROSTER[faction], 9)
        if rng.random() < 0.8 and not any(1 << unit & REQUIRED for unit in picked):
            picked[0] = next(unit for unit in ROSTER[faction] if 1 << unit & REQUIRED)
        # Few regions, so that groups meet.
        regions = [region for region in rng.sample(range(1, 25), 7) if owner.get(region, faction) == faction]
        if rng.random() < 0.3 and owner.get(BASE[OTHER[faction]], faction) == faction:
            regions.append(BASE[OTHER[faction]])
        for unit in picked:
            if rng.random() < 0.2 and not 1 << unit & LEADERS:
                eliminated.append(NAME[unit])
                continue
            room = [region for region in regions if crowd.get(region, 0) < 4]
            if not room:
                continue
            region = rng.choice(room)
            owner[region] = faction
            crowd[region] = crowd.get(region, 0) + 1
            places[NAME[unit]] = region
    if rng.random() < 0.1 and "persephone" in places and "demeter" in places:
        del places["persephone"], places["demeter"]
        gone, eliminated = ["persephone"], [*eliminated, "demeter"]
    chance = rng.choice((0.0, 0.3, 0.7))
    return notation.load_position(
        {
            "terms": {
                "open_combat": terms.open_combat,
                "random_setup": terms.random_setup,
                "challenge": terms.challenge,
            },
            "turn": rng.choice(("chthonians", "olympians")),
            "honor": {"chthonians": rng.choice((2, 5, 16)), "olympians": rng.choice((2, 5, 16))},
            "energy": {"chthonians": rng.choice((0, 2, 9, 24)), "olympians": rng.choice((0, 2, 9, 24))},
            "units": places,
            "known": sorted(unit for unit in places if rng.random() < chance),
            "eliminated": sorted(eliminated),
            "gone": gone,
        }
    )


def random_start(rng: random.Random) -> State:
    """Return a fresh game or a position in the middle of one."""
    return random_position(rng) if rng.random() < 0.6 else set_up(rng, rng.choice(TERMS))


def candidates(state: State) -> list[Action]:
    """Return every legal action of all who are asked; the state knows all units."""
    request = engine.next_request(state)
    if request is None:
        return []
    found = [action for seat in request.seats for action in engine.legal_actions(state, seat)]
    if state.phase == Phase.SUCCESSION:
        # Not to open her is legal, and lost; it is not listed.
        found.append(Succeed(None))
    return found


def prefer(rng: random.Random, state: State, actions: Sequence[Action]) -> Action:
    """Choose at random, but with a taste for combats, claims and rare actions, and against quick defeats."""

    def weight(action: Action) -> float:
        match action:
            case Move() if action.claim is not None:
                return 12
            case Move():
                attack = bool(state.sides[OTHER[state.turn]][action.path[-1]])
                return 8 if attack else 2 if len(action.path) > 2 else 1 / action.count
            case Reveal():
                return 0.7
            case Bolt():
                return 100
            case Recall() | Sneak() | Block() | Pass():
                return 12
            case Lose():
                return 4 if action.claim is None else 12
            case Liturgy():
                return 8 if state.energy[state.turn] < 6 else 1
            case Fight():
                much = 0.3 if action.energy > 4 else 1
                return much * (3 if action.maneuver in (Maneuver.RETREAT, Maneuver.CHASE) else 1)
            case Succeed():
                return 4 if action.token is not None else 1
            case _:
                return 4

    return rng.choices(actions, [weight(action) for action in actions])[0]


def walk(rng: random.Random, state: State, steps: int) -> Iterator[tuple[State, Action]]:
    """Yield states of a random game, all cards known, each with the action that is taken there."""
    for _ in range(steps):
        actions = candidates(state)
        if not actions:
            return
        action = prefer(rng, state, actions)
        yield state, action
        state, _ = engine.apply(state, action)


def actor(state: State, action: Action) -> Faction:
    """Return who takes an action."""
    if isinstance(action, Fight | Place):
        return action.faction
    request = engine.next_request(state)
    assert request is not None
    return request.seats[0]


def secrets(state: State, seat: int) -> dict[int, int]:
    """Return the units under a side's hidden tokens, from a state that knows them."""
    return {
        token.serial: token.unit
        for group in state.sides[seat]
        for token in group
        if not token.known and token.unit is not None
    }


def owner_view(state: State, seat: int) -> State:
    """Return a full state as one side knows it."""
    return views.with_secrets(views.public(state), secrets(state, seat))


def exchange(rng: random.Random, state: State, faction: Faction) -> State:
    """Return the state with hidden units of a side exchanged as the public record allows, left-outs too."""
    tokens = [token for group in state.sides[faction] for token in group if not token.known]
    unit = {token.serial: token.unit or 0 for token in tokens}
    for _ in range(40 if len(tokens) > 1 else 0):
        one, two = rng.sample(tokens, 2)
        first, second = unit[one.serial], unit[two.serial]
        if one.can >> second & 1 and two.can >> first & 1:
            unit[one.serial], unit[two.serial] = second, first
    return views.with_secrets(state, unit)


# -- scenarios --------------------------------------------------------------------------------------------------


def load_scenarios(path: Path) -> list[dict[str, Any]]:
    """Return the cases of a file."""
    return list(json.loads(path.read_text(encoding="utf-8")))


def question(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the program is asked: the case without what it expects."""
    return {key: value for key, value in case.items() if key not in ("expect", "rules")}


def played(case: Mapping[str, Any]) -> Iterator[tuple[State, Action]]:
    """Yield the states of a scenario, each with the action that is taken there, as far as the rules allow them."""
    try:
        state = notation.load_position(case)
        for text in case.get("actions", ()):
            if state.phase == Phase.AID and not text.startswith("aid"):
                state, _ = engine.play(state, Aid(None))
            if text == "aid none" and state.phase == Phase.FIGHT:
                continue
            action = notation.parse_action(text, state)
            after, _ = engine.play(state, action)
            yield state, action
            state = after
    except RulesError:
        return
