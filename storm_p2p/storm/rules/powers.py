"""Powers used instead of moving or as an answer: thunderbolt, recall, sneak attack; and the liturgy
(docs/rules.md, "The Liturgy" and "The units").

Powers that change a move stand in ``movement``, those that act in a combat in
``rounds`` and ``strength``.
"""

from __future__ import annotations

from typing import Final

from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Bolt, Immune, Lose, Recall
from storm_p2p.storm.board import NEIGHBOURS, OTHER, TARTARUS, UNDERWORLD, Region
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules import rounds
from storm_p2p.storm.rules.honor import MOST_IN_REGION
from storm_p2p.storm.state import BOLT, END, State, Token, find, mask
from storm_p2p.storm.state_builder import StateBuilder
from storm_p2p.storm.units import (
    BOLT_FED,
    BOLT_ORDER,
    BOLT_PROOF,
    CARDS,
    OLYMPIANS,
    RECALL_ORDER,
    SNEAK_BLOCKERS,
    UNITS,
    Unit,
    units_in,
)  # fmt: skip

LITURGY_ENERGY: Final = 6
"""LIT-1."""
BOLT_ENERGY: Final = 6
"""ZEU-1."""
BOLT_PENALTY: Final = 1
"""ZEU-1."""
RECALL_ENERGY: Final = 10
"""HAD-1."""


def liturgy_penalty(stock: int) -> int:
    """Return what a liturgy costs in Honor: 1 with an empty stock before it, else 2 (LIT-2, A-23)."""
    return 1 if stock == 0 else 2


def liturgy(builder: StateBuilder) -> None:
    """Pray (LIT-1..3)."""
    faction = builder.turn
    penalty = liturgy_penalty(builder.energy[faction])
    builder.events.append(ev.Prayed(faction))
    builder.charge(faction, LITURGY_ENERGY, "liturgy")
    if builder.book([(faction, -penalty, "liturgy")]):
        builder.begin_turn()


def may_pass(state: State) -> bool:
    """Return whether the side to move may do nothing: Olympians none of whom is outside Tartarus (TRN-3, A-05)."""
    if state.turn != OLYMPIANS:
        return False
    side = state.sides[OLYMPIANS]
    return not any(side[1:TARTARUS]) and not any(side[TARTARUS + 1 :])


def holders(state: State, order: tuple[int, int]) -> int:
    """Return the units that hold a right now: the second ones only when all the first are gone (PER-3, HER-2)."""
    first, second = order
    return first if first & ~(mask(state.fallen) | state.gone) else second


def _is(token: Token, bits: int) -> bool:
    """Return whether a token is one of the units in ``bits``, or can be as far as this view knows."""
    return bool((token.can if token.unit is None else 1 << token.unit) & bits)


# -- thunderbolt (ZEU-1..4, HER-2, A-32, A-33) --------------------------------------------------------------


def check_bolt(state: State, action: Bolt) -> None:
    """Refuse a thunderbolt that cannot be thrown.

    Raises:
        IllegalAction: with the condition that fails.
    """
    faction = state.turn
    found = find(state, action.thrower)
    able = holders(state, BOLT_ORDER)
    if found is None or found[1].faction != faction or not _is(found[1], able):
        raise IllegalAction("no-thrower", "expected {unit} to throw, got another unit or none", unit=units_in(able))
    if action.target not in bolt_targets(state, found[0]):
        raise IllegalAction(
            "no-target",
            "expected 6 Energy and an enemy next to {start}, not in the Underworld, got {region}",
            start=found[0], region=action.target,
        )


def bolt_targets(state: State, origin: Region) -> list[Region]:
    """Return where a thunderbolt from ``origin`` can strike (ZEU-1, ZEU-4)."""
    if state.energy[state.turn] < BOLT_ENERGY:
        return []
    enemies = state.sides[OTHER[state.turn]]
    return [there for there in NEIGHBOURS[origin] if enemies[there] and there not in UNDERWORLD]


def bolt(builder: StateBuilder, action: Bolt) -> None:
    """Throw a thunderbolt and ask the other side for its victim."""
    faction = builder.turn
    _, thrower = builder.locate(action.thrower)
    assert thrower.unit is not None
    builder.events += [ev.Struck(UNITS[thrower.unit], action.target), ev.Used(UNITS[thrower.unit], "bolts")]
    builder.charge(faction, -BOLT_ENERGY, "bolts")
    if builder.book([(faction, -BOLT_PENALTY, "bolts")]):
        builder.phase = BOLT
        builder.target = action.target


def check_bolt_answer(state: State, action: Lose | Immune) -> None:
    """Refuse an answer to a thunderbolt that the rules do not allow.

    Raises:
        IllegalAction: with what was expected.
    """
    group = state.sides[OTHER[state.turn]][state.target]
    token = next((token for token in group if token.serial == action.token), None)
    if token is None:
        raise IllegalAction(
            "not-there", "expected a unit hit by the thunderbolt in {region}, got another", region=state.target
        )
    if isinstance(action, Immune):
        # ZEU-2: otherwise a comrade is hit.
        if not all(_is(one, BOLT_PROOF) for one in group):
            raise IllegalAction(
                "not-immune", "expected only units in {region} that are proof, got another", region=state.target
            )
        return
    # ZEU-2.
    if not _is(token, ~BOLT_PROOF):
        proof = units_in(token.can & BOLT_PROOF)
        raise IllegalAction(
            "bolt-proof", "expected another victim in {region}, got {unit}", region=state.target, unit=proof
        )
    if action.claim is not None:
        fed = next((token for token in group if token.serial == action.claim), None)
        if fed is None or not _is(fed, BOLT_FED):
            raise IllegalAction(
                "no-claim", "expected {unit} in {region}, got another", unit=units_in(BOLT_FED), region=state.target
            )


def bolt_answer(builder: StateBuilder, action: Lose | Immune) -> None:
    """Carry out the answer; its tokens are open by now."""
    region, token = builder.locate(action.token)
    if isinstance(action, Immune):
        builder.events.append(ev.Used(units_in(token.can)[0], "bolt_proof"))
    else:
        if action.claim is not None:
            # ZEU-3: even if she is the victim.
            unit = units_in(builder.locate(action.claim)[1].can)[0]
            builder.charge(OTHER[builder.turn], CARDS[unit].bolt_energy, "bolt_energy")
            builder.events.append(ev.Used(unit, "bolt_energy"))
        builder.eliminate([(region, token, "bolts")])
    builder.target = 0
    rounds.proceed(builder, END)


# -- recall (HAD-1, PER-3, BAS-2, A-10) ---------------------------------------------------------------------


def check_recall(state: State, action: Recall) -> None:
    """Refuse a recall that the rules do not allow.

    Raises:
        IllegalAction: with the condition that fails.
    """
    faction = state.turn
    found = find(state, action.caller)
    able = holders(state, RECALL_ORDER)
    if found is None or found[1].faction != faction or not _is(found[1], able):
        raise IllegalAction("no-caller", "expected {unit} to recall, got another unit or none", unit=units_in(able))
    if action.unit not in find_recallable(state):
        raise IllegalAction(
            "no-recall",
            "expected 10 Energy, room and no enemy in {region}, and an eliminated unit, got {unit}",
            region=TARTARUS, unit=action.unit,
        )


def find_recallable(state: State) -> list[Unit]:
    """Return the units that can be brought back now (HAD-1, BAS-2)."""
    faction = state.turn
    if (
        state.energy[faction] < RECALL_ENERGY
        or state.sides[OTHER[faction]][TARTARUS]
        or len(state.sides[faction][TARTARUS]) >= MOST_IN_REGION
    ):
        return []
    fallen = [token.unit for token in state.fallen if token.faction == faction and token.unit is not None]
    # PER-3: the second leader does not bring back the first.
    return [UNITS[unit] for unit in fallen if not 1 << unit & RECALL_ORDER[0]]


def recall(builder: StateBuilder, action: Recall) -> None:
    """Bring an eliminated unit back; it stands there for all to see (A-10)."""
    faction = builder.turn
    _, caller = builder.locate(action.caller)
    builder.charge(faction, -RECALL_ENERGY, "recalls")
    builder.events.append(ev.Used(units_in(caller.can)[0], "recalls"))
    token = next(token for token in builder.fallen if token.unit == action.unit)
    builder.fallen = tuple(other for other in builder.fallen if other != token)
    builder.put(faction, TARTARUS, [*builder.sides[faction][TARTARUS], token])
    builder.events.append(ev.Returned(action.unit, TARTARUS))
    builder.begin_turn()


# -- the answer to a sneak attack (ERI-1, HEP-2, A-45) ------------------------------------------------------


def check_sneak_answer(state: State, serial: int, *, block: bool) -> None:
    """Refuse an answer to a sneak attack that the rules do not allow.

    Raises:
        IllegalAction: with what was expected.
    """
    group = state.sides[OTHER[state.turn]][state.target]
    token = next((token for token in group if token.serial == serial), None)
    if token is None:
        raise IllegalAction("not-there", "expected a unit in {region}, got another", region=state.target)
    if block and not _is(token, SNEAK_BLOCKERS):
        raise IllegalAction("no-claim", "expected {unit} to block, got another unit", unit=units_in(SNEAK_BLOCKERS))


def sneak_answer(builder: StateBuilder, serial: int, *, block: bool) -> None:
    """Carry out the answer; whoever is left fights (CBT-1)."""
    region, token = builder.locate(serial)
    current = builder.combat
    assert current is not None
    if block:
        builder.events.append(ev.Used(units_in(token.can)[0], "blocks_sneak"))
    else:
        builder.eliminate([(region, token, "sneaks")])
    if builder.sides[OTHER[builder.turn]][region]:
        rounds.start(builder, region, builder.turn, current.origin)
        return
    builder.combat = None
    builder.target = 0
    rounds.proceed(builder, END)
