"""A setup as the protocol asks for it, and the deals of a random one (VAR-7, A-31).

Each request is told in SPEC.md, "What Storm asks for".  Own setups are hidden at once.  In a random one each
side hides its units in a secret order, the opponent deals them, and it is shown whether the leader has landed where he
may; otherwise they are dealt again.
"""

from collections.abc import Callable

from protocol.game import Choose, Decision, Hide, Known, Locate, Request, Slot
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.codec import Deal, StormState
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import State
from storm_p2p.storm.units import REQUIRED, ROSTER


def deal_request(state: StormState) -> Request:
    """Return what a setup needs next."""
    faction = setup.missing(state.game)[0]
    if not state.game.terms.random_setup:
        slots = setup.first_serials(faction)
        # SET-2.
        return Hide(int(faction), slots, "setup", _values(faction), ((_leader(faction), slots[: setup.SELECTED]),))
    deal = state.deal
    if deal is None or not deal.hidden:
        slots = setup.first_serials(faction) if deal is None else deal.slots
        return Hide(int(faction), slots, "deck", _values(faction))
    if not deal.order:
        return Choose(int(OTHER[faction]), "deal")
    return Locate(int(faction), _leader(faction), _grounds(deal), "landed")


def check_hidden(request: Hide, known: Known) -> str | None:
    """Return why these units may not be hidden, as far as they are known, or None."""
    units = [known[slot] for slot in request.slots if slot in known]
    if len(units) != len(request.slots) or request.kind == "deck":
        return None
    refusal = setup.check_units(Faction(request.seat), units, random=False)
    return None if refusal is None else str(refusal)


def deal_order(deal: Deal) -> tuple[Slot, ...]:
    """Return the slots in the order of :class:`~storm_p2p.storm.actions.Place`, as the opponent has dealt them."""
    return tuple(deal.slots[place] for place in deal.order)


def check_order(decision: Decision) -> str | None:
    """Return why this is no order of a deal, or None."""
    if not isinstance(decision, tuple) or sorted(item for item in decision if type(item) is int) != list(range(12)):
        return "expected a permutation of 0 to 11"
    return None if len(decision) == 12 else "expected a permutation of 0 to 11"


def check_landed(deal: Deal, decision: Decision, known: Known) -> str | None:
    """Return why this is not where the deal has put the leader, as far as the units are known, or None."""
    slots = deal_order(deal)
    if all(slot in known for slot in slots):
        right = int(setup.is_well_dealt(deal.faction, [known[slot] for slot in slots]))
        if decision != right:
            return f"expected {right} for where the deal put the leader, got {decision}"
    return None


def begin_deal(request: Hide) -> Deal:
    """Return the deal of a side whose units are hidden in an order that nobody else knows."""
    return Deal(Faction(request.seat), request.slots, True)


def order_deal(deal: Deal, decision: Decision) -> Deal:
    """Return the deal with the order that the opponent has named; :func:`check_order` has passed it."""
    assert isinstance(decision, tuple)
    return Deal(deal.faction, deal.slots, True, tuple(item for item in decision if isinstance(item, int)))


def deal_again(game: State, deal: Deal) -> Deal:
    """Return the next deal of a side whose leader has landed badly: once more, with fresh slots."""
    fresh = max(game.fresh, deal.slots[-1] + 1)
    return Deal(deal.faction, tuple(range(fresh, fresh + 12)))


def answer_automatically(
    state: StormState, request: Request, known: Known, shuffle: Callable[[list[int]], None]
) -> tuple[Decision, tuple[int, ...] | None] | None:
    """Return (decision, secret) for a request of the random setup, which the program answers and not the player.

    ``shuffle`` puts a list into a random order, fit for secrets.  Returns None for every other request.
    """
    if isinstance(request, Hide) and request.kind == "deck":
        values = list(request.values)
        shuffle(values)
        return None, tuple(values)
    if isinstance(request, Choose) and request.kind == "deal":
        order = list(range(12))
        shuffle(order)
        return tuple(order), None
    return None


def _values(faction: Faction) -> tuple[int, ...]:
    return tuple(int(unit) for unit in ROSTER[faction])


def _leader(faction: Faction) -> int:
    return next(int(unit) for unit in ROSTER[faction] if 1 << unit & REQUIRED)


def _grounds(deal: Deal) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
    """Return the slots where a random setup must not have put the leader, and those where it may (VAR-7)."""
    slots = deal_order(deal)
    good = setup.at_leader_starts(deal.faction, slots)
    return tuple(slot for slot in slots if slot not in good), tuple(good)
