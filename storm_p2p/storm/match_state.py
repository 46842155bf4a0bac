"""The public state of a match of Storm: the engine's, and what the protocol still owes it.

That is fresh commitments for a divided group, and the deal of a random setup (SPEC.md, "The public state in bytes").
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from protocol.game import Decision, Request, Slot
from storm_p2p.storm import codec
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import State


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
        self.passed: tuple[Decision, ...] = ()
        """Decisions that the public record has nothing against: the last two, for there may be two in a combat."""


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
        rest = codec.dumps([_plain_regroup(state.regroup), _plain_deal(state.deal)])[1:-1]
    return f"[{codec.dump(state.game)},{rest}]".encode("ascii")


def load(data: bytes) -> StormState:
    """Return the state of its canonical bytes.

    Raises:
        ValueError: they are none.
    """
    try:
        game, regroup, deal = json.loads(data)
        state = StormState(codec.read_plain(game), _regroup(regroup), _deal(deal))
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
    return Regroup(
        Faction(codec.whole(faction)), codec.wholes(taken), codec.wholes(moved), codec.wholes(stayed), codec.whole(bits)
    )


def _plain_deal(deal: Deal | None) -> list[Any] | None:
    return None if deal is None else [deal.faction, deal.slots, int(deal.hidden), deal.order]


def _deal(value: list[Any] | None) -> Deal | None:
    if value is None:
        return None
    faction, slots, hidden, order = value
    return Deal(Faction(codec.whole(faction)), codec.wholes(slots), bool(codec.whole(hidden)), codec.wholes(order))
