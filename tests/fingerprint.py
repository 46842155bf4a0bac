"""What the rules answer in fixed random plays, as one digest: their fingerprint (SPEC.md, "The version of the rules").

::

    python tests/fingerprint.py           records the fingerprint of rules with a new number
    python tests/fingerprint.py 200       prints that of the first 200 plays

A play asks the rules for actions that may be legal or not, and goes on with one that is.  It reads no list of legal
actions, no name and no sentence, so that another order of a list or a renamed unit changes nothing.  Chance is
``Random.random`` alone: of what Python draws, only that stays the same in every version.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from protocol.game import (
    Answer,
    Choose,
    Chosen,
    Decision,
    Foul,
    Hidden,
    Hide,
    Locate,
    Located,
    Mix,
    Mixed,
    Open,
    Opened,
    Request,
    Sealed,
    Unsealed,
)
from storm_p2p import games
from storm_p2p.storm import engine, game
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import (
    Action,
    Aid,
    Block,
    Bolt,
    Fight,
    Immune,
    Liturgy,
    Lose,
    Move,
    Pass,
    Recall,
    Retreat,
    Reveal,
    Sneak,
    Stay,
    Succeed,
)
from storm_p2p.storm.board import FACTIONS, NEIGHBOURS, OTHER, REGIONS
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.game import Storm
from storm_p2p.storm.state import Phase, State, Token
from storm_p2p.storm.units import EVERY_MANEUVER, UNITS

RECORD: Final = Path(__file__).parent / "golden" / "fingerprint.json"
NAMED: Final = Path(games.__file__)
"""Where the version is written for who does not load the rules."""
DAILY: Final = 100
"""So many of the plays take a few seconds."""
ALL: Final = 2_000

_LONGEST: Final = 300
"""Steps of a play; most end earlier."""
_PATIENCE: Final = 100_000
"""So often the rules may refuse what is asked in one position."""
_CHALLENGES: Final = (0, -5, 0, 12)
_EVENTS: Final[tuple[type, ...]] = (
    ev.Placed, ev.TurnBegan, ev.HonorChanged, ev.EnergyChanged, ev.Revealed, ev.Rehidden, ev.Moved, ev.Used,
    ev.Prayed, ev.Passed, ev.Struck, ev.Sneaked, ev.CombatBegan, ev.RoundBegan, ev.Chose, ev.RoundFought,
    ev.Eliminated, ev.Returned, ev.Retreated, ev.Stayed, ev.CombatEnded, ev.GameOver,
)  # fmt: skip
"""Each is told by its number; a new one comes last."""

T = TypeVar("T")


def written(value: object) -> str:
    """Return a value as numbers, without its words."""
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, tuple):
        return f"({','.join(map(written, value))})"
    return "-"


class Play:
    """One play by its number."""

    def __init__(self, number: int) -> None:
        self._hash = hashlib.sha256()
        self._chance = Random(number)
        self._rules = Storm()
        terms = (number % 2, number // 2 % 2, _CHALLENGES[number // 4 % 4])
        self._state = self._rules.begin(terms)
        self._known: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._parts: tuple[tuple[int, ...], ...] = ()
        """Which tokens went and which stayed, as only the mover knows."""

    def run(self) -> bytes:
        """Play and return the digest of all answers."""
        for _ in range(_LONGEST):
            self._note(self._rules.dump(self._state))
            request = self._rules.next_request(self._state)
            if request is None:
                break
            self._state, happened = self._rules.step_with_events(self._state, self._answer(request))
            for event in happened:
                self._note(written((_EVENTS.index(type(event)), *event)).encode())
        return self._hash.digest()

    def _note(self, answer: bytes) -> None:
        self._hash.update(b"%d:%b" % (len(answer), answer))

    def _draw(self, count: int) -> int:
        return int(self._chance.random() * count)

    def _pick(self, things: Sequence[T]) -> T:
        return things[self._draw(len(things))]

    def _shuffled(self, things: Sequence[T]) -> tuple[T, ...]:
        rest = list(things)
        return tuple(rest.pop(self._draw(len(rest))) for _ in things)

    # -- requests -----------------------------------------------------------------------------------------

    def _answer(self, request: Request) -> Answer:
        match request:
            case Choose(seat, kind):
                self._note(written((0, seat)).encode())
                decision = self._shuffled(range(12)) if kind == "deal" else self._ask(seat)
                return Chosen(seat, decision)
            case Sealed(seats):
                self._note(written((1, seats)).encode())
                return Unsealed(tuple(self._ask(seat) for seat in seats))
            case Hide(seat, slots, _, values, within):
                self._note(written((2, seat, slots, values, within)).encode())
                self._hide(seat, (slots,), (values,))
                return Hidden(seat)
            case Mix(take, give, by, barred):
                self._note(written((3, take, give, by, barred)).encode())
                known = self._known[by[0]]
                self._hide(by[0], give, [[known[slot] for slot in part] for part in self._parts])
                return Mixed()
            case Locate(seat, value, parts):
                self._note(written((4, seat, value, parts)).encode())
                right = [part for part in range(len(parts)) if self._allows(seat, part, self._known[seat])]
                return Located(seat, right[0])
            case Open(seat, slots):
                self._note(written((5, seat, slots, (0, 1))).encode())
                values = tuple(self._known[seat][slot] for slot in slots)
                self._open_falsely(values)
                return Opened(values)
            case _:
                raise AssertionError(request)

    def _allows(self, seat: int, decision: Decision, known: Mapping[int, int]) -> bool:
        allowed = self._rules.check(self._state, seat, decision, known) is None
        self._note(b"%d" % allowed)
        return allowed

    def _hide(self, seat: int, parts: Sequence[Sequence[int]], values: Sequence[Sequence[int]]) -> None:
        """Put values under the slots of each part, in an order that the rules allow."""
        for _ in range(_PATIENCE):
            found = dict(self._known[seat])
            for slots, some in zip(parts, values, strict=True):
                found.update(zip(slots, self._shuffled(some), strict=True))
            if self._allows(seat, None, found):
                self._known[seat].update(found)
                return
        raise AssertionError("expected that the rules allow some order, got none")

    def _open_falsely(self, values: tuple[int, ...]) -> None:
        place = self._draw(len(values))
        try:
            self._rules.step_with_events(self._state, Opened((*values[:place], self._draw(24), *values[place + 1 :])))
        except Foul as foul:
            self._note(f"{foul.seat} {foul.code}".encode())

    # -- decisions ----------------------------------------------------------------------------------------

    def _ask(self, seat: int) -> Decision:
        """Propose until the rules agree, rather something that costs no Honor."""
        known = self._known[seat]
        view = game.owner_view(self._state, known)
        for _ in range(_PATIENCE):
            action = self._proposal(view, seat)
            try:
                engine.check(view, action)
            except RulesError:
                self._note(b"no")
                continue
            price = engine.price(view, action)
            self._note(written((price.honor, price.energy, price.reveals, price.hides)).encode())
            if price.honor < 0 and self._draw(6) and isinstance(action, Move | Fight | Liturgy):
                continue
            decision, parts = game.wire_form(self._state, action, known)
            self._note(written(decision).encode())
            if self._allows(seat, decision, known):
                self._parts = parts or ()
                return decision
        raise AssertionError("expected that the rules allow something, got nothing")

    def _proposal(self, view: State, seat: int) -> Action:
        combat = view.combat
        region = view.target if combat is None else combat.region
        mine = [token for group in view.sides[seat][1:] for token in group]
        here = view.sides[seat][region] or mine
        match view.phase:
            case Phase.TURN:
                return self._turn(view, seat, mine)
            case Phase.AID:
                return Aid(self._pick((None, self._pick(mine).serial)))
            case Phase.FIGHT:
                energy = self._draw(30) if self._draw(4) == 0 else self._draw(5)
                return Fight(FACTIONS[seat], self._pick(EVERY_MANEUVER), energy)
            case Phase.SUCCESSION:
                return Succeed(self._pick((None, self._pick(mine).serial)))
            case Phase.RETREAT | Phase.STAY:
                ways: tuple[Action, ...] = (Stay(), Retreat(self._pick(NEIGHBOURS[region])))
                return self._pick(ways)
            case _:
                token = self._pick(here).serial
                claim = self._pick((None, self._pick(here).serial))
                answers: tuple[Action, ...] = (Lose(token), Lose(token, claim), Immune(token), Block(token))
                return self._pick(answers)

    def _turn(self, view: State, seat: int, mine: Sequence[Token]) -> Action:
        kind = self._draw(40)
        if kind == 0 or not mine:
            rest: tuple[Action, ...] = (Liturgy(), Pass())
            return self._pick(rest)
        origin = self._pick([region for region in REGIONS if view.sides[seat][region]])
        place = self._draw(len(view.sides[seat][origin]))
        token = view.sides[seat][origin][place].serial
        target = self._target(view, seat, origin)
        if kind == 1:
            return Reveal(origin, place)
        if kind <= 4:
            return Recall(self._pick(UNITS), token)
        if kind <= 12:
            return Bolt(target, token)
        if kind <= 16:
            return Sneak((origin, target), place)
        return self._move(view, seat, origin, target)

    def _target(self, view: State, seat: int, origin: int) -> int:
        if self._draw(5) == 0:
            return self._pick(REGIONS)
        near = NEIGHBOURS[origin]
        enemies = [region for region in near if view.sides[OTHER[seat]][region]]
        return self._pick(enemies if enemies and self._draw(2) else near)

    def _move(self, view: State, seat: int, origin: int, target: int) -> Move:
        places = self._shuffled(range(len(view.sides[seat][origin])))
        movers = tuple(sorted(places[self._draw(len(places)) :]))
        path = [origin, target]
        while len(movers) == 1 and self._draw(4) == 0:
            path.append(self._target(view, seat, path[-1]))
        return Move(tuple(path), movers, len(movers), self._pick(movers) if self._draw(5) == 0 else None)


def fingerprint(plays: int) -> str:
    """Return the fingerprint of the first plays."""
    return hashlib.sha256(b"".join(Play(number).run() for number in range(plays))).hexdigest()


# -- the record -------------------------------------------------------------------------------------------

UNRECORDED: Final = (
    "The fingerprint of rules {number} is not recorded yet. Run python tests/fingerprint.py and commit"
    " tests/golden/fingerprint.json and storm_p2p/games.py."
)
CHANGED: Final = (
    "These rules decide otherwise than the rules {number} of tests/golden/fingerprint.json, and two programs that both"
    " call them {number} would stop in the middle of a match. If that is not wanted, undo the change. If it is, raise"
    " RULES_VERSION in storm_p2p/storm/version.py, run python tests/fingerprint.py, and keep the old rules in"
    ' storm_p2p/games.py if they were ever released (SPEC.md, "The version of the rules").'
)


def objection(plays: int) -> str:
    """Return what is to be done before the rules are those of the record, by so many plays; empty for nothing."""
    version = Storm.version
    number = version.partition("-")[0]
    kept: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    if kept["version"].partition("-")[0] != number:
        return UNRECORDED.format(number=number)
    same = kept["version"] == version and kept["plays"][str(plays)] == fingerprint(plays)
    return "" if same else CHANGED.format(number=number)


def record(*plays: int) -> str:
    """Write the record of rules with a new number; return why not, empty for done."""
    kept = json.loads(RECORD.read_text(encoding="utf-8"))["version"] if RECORD.exists() else ""
    number = Storm.version.partition("-")[0]
    if kept.partition("-")[0] == number:
        return objection(min(plays)) or f"The fingerprint of rules {number} is recorded."
    found = {"version": Storm.version, "plays": {str(count): fingerprint(count) for count in plays}}
    RECORD.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
    named = re.sub(r'(?<=STORM: ")[^"]+', Storm.version, NAMED.read_text(encoding="utf-8"))
    NAMED.write_text(named, encoding="utf-8", newline="\n")
    return ""


if __name__ == "__main__":
    if sys.argv[1:]:
        print(fingerprint(int(sys.argv[1])))
    else:
        sys.exit(record(DAILY, ALL))
