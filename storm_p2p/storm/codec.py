"""Actions and public states as plain numbers, for the wire and for hashing.

The numbers are those of SPEC.md, "Actions on the wire" and "The public state in bytes".

An action on the wire is a tuple that begins with the number of its kind.  It names regions, counts and tokens,
never a hidden unit.  The public state of a match is the engine's, and what the protocol still owes it: fresh
commitments for a divided group, and the deal of a random setup.
"""

# Numbers are written with %d: it is quicker than a format specifier, and a state is dumped for every message.
# ruff: noqa: UP031

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress
from operator import is_not
from typing import Any, Final

from protocol.game import Decision, Request, Seat, Slot
from storm_p2p.storm import actions as act
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.errors import NotationError
from storm_p2p.storm.state import Combat, CombatChoice, Group, Next, Outcome, Phase, Side, State, Terms, Token
from storm_p2p.storm.units import EVERY_MANEUVER, Maneuver, Unit

LARGEST: Final = 1 << 31
"""No number of an action or a state reaches this."""


def _int(value: Decision) -> int:
    if type(value) is not int or not 0 <= value < LARGEST:
        raise NotationError("bad-action", f"expected a number, got {type(value).__name__}")
    return value


def _maybe(value: Decision) -> int | None:
    return None if value is None else _int(value)


def _ints(value: Decision) -> tuple[int, ...]:
    if not isinstance(value, tuple) or not value or len(value) > 64:
        raise NotationError("bad-action", "expected some numbers")
    return tuple(_int(item) for item in value)


def _move(path: Decision, who: Decision, claim: Decision) -> Action:
    if isinstance(who, tuple):
        movers = _ints(who)
        if list(movers) != sorted(set(movers)):
            raise NotationError("bad-action", "expected ascending places in the group")
        return act.Move(_ints(path), movers, len(movers), _maybe(claim))
    if claim is not None:
        raise NotationError("bad-action", "expected named movers with a claim")
    return act.Move(_ints(path), (), _int(who))


def _sneak(path: Decision, mover: Decision) -> Action:
    regions = _ints(path)
    if len(regions) != 2:
        raise NotationError("bad-action", "expected two regions")
    return act.Sneak((regions[0], regions[1]), _int(mover))


def _recall(unit: Decision, caller: Decision) -> Action:
    if _int(unit) >= len(Unit):
        raise NotationError("bad-action", f"expected a unit, got number {unit}")
    return act.Recall(Unit(_int(unit)), _int(caller))


def _fight(faction: Decision, maneuver: Decision, energy: Decision) -> Action:
    if _int(faction) >= len(FACTIONS) or _int(maneuver) >= len(EVERY_MANEUVER):
        raise NotationError("bad-action", "expected a faction and a maneuver")
    return act.Fight(FACTIONS[_int(faction)], EVERY_MANEUVER[_int(maneuver)], _int(energy))


_KINDS: Final[tuple[tuple[type[Action], tuple[str, ...], Callable[..., Action]], ...]] = (
    (act.Move, ("path", "movers", "claim"), _move),
    (act.Sneak, ("path", "mover"), _sneak),
    (act.Reveal, ("region", "place"), lambda region, place: act.Reveal(_int(region), _int(place))),
    (act.Bolt, ("target", "thrower"), lambda target, thrower: act.Bolt(_int(target), _int(thrower))),
    (act.Recall, ("unit", "caller"), _recall),
    (act.Liturgy, (), act.Liturgy),
    (act.Pass, (), act.Pass),
    (act.Aid, ("helper",), lambda helper: act.Aid(_maybe(helper))),
    (act.Fight, ("faction", "maneuver", "energy"), _fight),
    (act.Lose, ("token", "claim"), lambda token, claim: act.Lose(_int(token), _maybe(claim))),
    (act.Immune, ("token",), lambda token: act.Immune(_int(token))),
    (act.Block, ("token",), lambda token: act.Block(_int(token))),
    (act.Retreat, ("target",), lambda target: act.Retreat(_int(target))),
    (act.Stay, (), act.Stay),
    (act.Succeed, ("token",), lambda token: act.Succeed(_maybe(token))),
)
"""By the number of its kind an action, its fields on the wire, and what makes it of them."""
_NUMBER: Final = {kind: number for number, (kind, _, _) in enumerate(_KINDS)}


def encode(action: Action) -> tuple[Decision, ...]:
    """Return an action as numbers; it must be in the public form (:func:`storm_p2p.storm.views.publish`)."""
    number = _NUMBER[type(action)]
    if isinstance(action, act.Move):
        return (number, action.path, action.movers or action.count, action.claim)
    values = [getattr(action, field) for field in _KINDS[number][1]]
    # A member of an enumeration is said as its number.
    return (number, *[int(value) if isinstance(value, int) else value for value in values])


@lru_cache(maxsize=4096)
def decode(decision: Decision) -> Action:
    """Return the action of its numbers.

    Raises:
        NotationError: they are no action.
    """
    if not isinstance(decision, tuple) or not decision:
        raise NotationError("bad-action", "expected an action")
    kind = _int(decision[0])
    if kind >= len(_KINDS) or len(decision) != 1 + len(_KINDS[kind][1]):
        raise NotationError("bad-action", f"expected an action, got kind {kind} with {len(decision) - 1} fields")
    return _KINDS[kind][2](*decision[1:])


# -- states -----------------------------------------------------------------------------------------------


def _numbers(numbers: Sequence[int]) -> str:
    return f"[{','.join(['%d' % number for number in numbers])}]" if numbers else "[]"


# Most groups are those of the state before, so their text is kept.
@lru_cache(maxsize=1 << 14)
def _group(group: Group) -> str:
    # What a view knows beyond the public record (``unit``) is left out, so that every view gives the same bytes.
    return ",".join(["%d,%d,%d" % (token.serial, token.can, token.known) for token in group])


def _side(faction: int, side: Side) -> str:
    # Most regions are as they were in the state that was dumped last; one look at each shows which.
    before, texts, text = _LATEST[faction]
    if side is not before:
        texts = texts.copy()
        for region in compress(range(25), map(is_not, side, before)):
            texts[region] = f"[{region},{_group(side[region])}]" if side[region] else ""
        text = f"[{','.join(filter(None, texts))}]"
        _LATEST[faction] = side, texts, text
    return text


_LATEST: Final[list[tuple[Side, list[str], str]]] = [(((),) * 25, [""] * 25, "[]")] * 2
"""The last side of each faction, the texts of its groups by region, and all of them joined."""


def _decision(decision: Decision) -> str:
    if isinstance(decision, tuple):
        return f"[{','.join([_decision(item) for item in decision])}]"
    return "null" if decision is None else "%d" % decision


def _combat(combat: Combat | None) -> str:
    if combat is None:
        return "null"
    origin = "null" if combat.origin is None else combat.origin
    first, second = ["null" if choice is None else "[%d,%d]" % choice for choice in combat.choices]
    left = ",".join(["[%d,%d]" % pair for pair in combat.left])
    return (
        f"[{combat.region},%d,{origin},{combat.round},[%d,%d],%d,[{first},{second}],{_numbers(combat.losers)},"
        f"{_numbers(combat.doomed)},{_numbers(combat.leavers)},[{left}]]"
    ) % (combat.attacker, *combat.alone, combat.aid)


def _dump_game(state: State) -> str:
    """Return the public part of a state as canonical JSON without white space, the same for every view of it."""
    terms, declared = state.terms, state.declared
    ours, theirs = state.sides
    pending = "null" if state.pending is None else _decision(encode(state.pending))
    flight = "null" if declared is None else _numbers(declared)
    outcome = "null" if state.outcome is None else _dumps([state.outcome.winner, state.outcome.reason])
    # What is not a plain ``int`` stands outside of the braces: an enum would give its name, a bool its word.
    return (
        f"[[%d,%d,%d],%d,%d,%d,[%d,%d],[%d,%d],[{_side(0, ours)},{_side(1, theirs)}],[{_group(state.fallen)}],"
        f"{state.gone},{state.fresh},{_combat(state.combat)},{state.target},{_numbers(state.due)},%d,{pending},{flight},{outcome}]"
    ) % (
        terms.open_combat,
        terms.random_setup,
        terms.challenge,
        state.phase,
        state.turn,
        state.number,
        *state.honor,
        *state.energy,
        state.then,
    )


_encoder = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def _dumps(value: Sequence[Any] | None) -> str:
    """Return lists of numbers as JSON without white space."""
    return _encoder.encode(value)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _whole(value: Any) -> int:
    """Return a number of a dumped state.

    Raises:
        ValueError: it is none.
    """
    if type(value) is not int or not -LARGEST < value < LARGEST:
        raise ValueError(f"expected a number, got {type(value).__name__}")
    return value


def _wholes(value: Any, count: int | None = None) -> tuple[int, ...]:
    """Return the numbers of a list in a dumped state.

    Raises:
        ValueError: they are none, or not so many.
    """
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise ValueError("expected a list of numbers")
    return tuple(_whole(item) for item in value)


def _read_group(numbers: Sequence[int], faction: int) -> Group:
    triples = zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
    return tuple(
        Token(serial, faction, can.bit_length() - 1 if known else None, bool(known), can)
        for serial, can, known in triples
    )


def _read_side(value: Any, faction: int) -> tuple[Group, ...]:
    groups: list[Group] = [()] * 25
    for entry in value:
        region, *tokens = _wholes(entry)
        if not 0 <= region < 25:
            raise ValueError(f"expected a region, got {region}")
        groups[region] = _read_group(tokens, faction)
    return tuple(groups)


def _choice(value: Any) -> CombatChoice | None:
    if value is None:
        return None
    maneuver, energy = _wholes(value, 2)
    return CombatChoice(Maneuver(maneuver), energy)


def _factions(value: Any) -> tuple[Faction, ...]:
    return tuple(Faction(seat) for seat in _wholes(value))


def _read_combat(value: Any) -> Combat | None:
    if value is None:
        return None
    region, attacker, origin, number, alone, aid, choices, losers, doomed, leavers, left = value
    ours, theirs = (bool(item) for item in _wholes(alone, 2))
    first, second = (_choice(choice) for choice in choices)
    gone = [_wholes(pair, 2) for pair in left]
    return Combat(
        _whole(region),
        Faction(_whole(attacker)),
        None if origin is None else _whole(origin),
        _whole(number),
        (ours, theirs),
        bool(_whole(aid)),
        (first, second),
        _factions(losers),
        _wholes(doomed),
        _factions(leavers),
        tuple((Faction(seat), price) for seat, price in gone),
    )


def _outcome(value: Any) -> Outcome | None:
    if value is None:
        return None
    winner, reason = value
    if not isinstance(winner, str) or not isinstance(reason, str):
        raise ValueError("expected the words of an outcome")
    return Outcome(winner, reason)


def _read_game(value: Any) -> State:
    """Return the public state of its lists of numbers.

    Raises:
        ValueError: they are none.
    """
    try:
        (terms, phase, turn, number, honor, energy, sides, fallen, gone, fresh, combat, target, due, then, pending,
         declared, outcome) = value  # fmt: skip
        opened, dealt, challenge = _wholes(terms, 3)
        ours, theirs = (_read_side(side, faction) for faction, side in enumerate(sides))
        chthonian, olympian = _wholes(honor, 2)
        stock, other_stock = _wholes(energy, 2)
        dead = _read_group(_wholes(fallen), 0)
        dead = tuple(token._replace(faction=0 if token.can < 1 << 12 else 1) for token in dead)
        flight, styx = (0, 0) if declared is None else _wholes(declared, 2)
        return State(
            Terms(bool(opened), bool(dealt), challenge),
            Phase(_whole(phase)),
            Faction(_whole(turn)),
            _whole(number),
            (chthonian, olympian),
            (stock, other_stock),
            (ours, theirs),
            dead,
            _whole(gone),
            _whole(fresh),
            _read_combat(combat),
            _whole(target),
            _wholes(due),
            Next(_whole(then)),
            None if pending is None else decode(_tuples(pending)),
            None if declared is None else (bool(flight), styx),
            _outcome(outcome),
        )
    except (TypeError, IndexError, KeyError, AttributeError) as error:
        raise ValueError(f"expected a dumped state, got something else ({error})") from None


@dataclass(frozen=True, slots=True)
class Regroup:
    """A divided group that needs fresh commitments."""

    faction: Faction
    taken: tuple[Slot, ...]
    moved: tuple[Slot, ...]
    stayed: tuple[Slot, ...]
    barred: int
    """The units that everybody would have recognised among those who moved (A-09)."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A random setup under way (VAR-7, A-31): hidden in a secret order, dealt by the opponent, accepted or not."""

    faction: Faction
    slots: tuple[Slot, ...]
    hidden: bool = False
    order: tuple[int, ...] = ()
    """Place i gets the slot ``slots[order[i]]``."""


class Memo:
    """What has been worked out about a state already, so that it is not worked out again.

    A session, the other one and the audit ask the same questions of the same state several times.  The answers
    follow from the state alone; nothing of the match stands here.
    """

    __slots__ = ("asked", "passed", "request")

    def __init__(self) -> None:
        """Begin with nothing."""
        self.asked = False
        """Whether :attr:`request` has been worked out."""
        self.request: Request | None = None
        """What the game needs next."""
        self.passed: tuple[tuple[Seat, Decision], ...] = ()
        """Decisions of seats that claim nothing and that the public record has nothing against, whatever is hidden: the
        last two, for there may be two in a combat."""


@dataclass(frozen=True, slots=True)
class StormState:
    """The public state of a match."""

    game: State
    regroup: Regroup | None = None
    deal: Deal | None = None
    memo: Memo = field(default_factory=Memo, init=False, compare=False, repr=False)


def dump(state: StormState) -> bytes:
    """Return the canonical bytes of a state (SPEC.md, "The public state in bytes")."""
    rest = "null,null"
    if state.regroup is not None or state.deal is not None:
        rest = _dumps([_plain_regroup(state.regroup), _plain_deal(state.deal)])[1:-1]
    return f"[{_dump_game(state.game)},{rest}]".encode("ascii")


def load(data: bytes) -> StormState:
    """Return the state of its canonical bytes.

    Raises:
        ValueError: they are none.
    """
    try:
        game, regroup, deal = json.loads(data)
        state = StormState(_read_game(game), _regroup(regroup), _deal(deal))
    except (TypeError, RecursionError, AttributeError, IndexError, KeyError) as error:
        raise ValueError(f"expected a dumped state, got something else ({error})") from None
    if dump(state) != data:
        raise ValueError("expected the canonical bytes of a state, got other bytes for it")
    return state


def _plain_regroup(group: Regroup | None) -> list[Any] | None:
    return None if group is None else [group.faction, group.taken, group.moved, group.stayed, group.barred]


def _regroup(value: list[Any] | None) -> Regroup | None:
    if value is None:
        return None
    faction, taken, moved, stayed, bits = value
    return Regroup(Faction(_whole(faction)), _wholes(taken), _wholes(moved), _wholes(stayed), _whole(bits))


def _plain_deal(deal: Deal | None) -> list[Any] | None:
    return None if deal is None else [deal.faction, deal.slots, int(deal.hidden), deal.order]


def _deal(value: list[Any] | None) -> Deal | None:
    if value is None:
        return None
    faction, slots, hidden, order = value
    return Deal(Faction(_whole(faction)), _wholes(slots), bool(_whole(hidden)), _wholes(order))
