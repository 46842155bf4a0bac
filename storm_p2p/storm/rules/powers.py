"""Powers used instead of moving or as an answer: thunderbolt, recall, sneak attack; and the liturgy
(docs/rules.md, "The Liturgy" and "The units").

Powers that change a move stand in ``movement``, those that act in a combat in
``rounds`` and ``combat``.
"""

from typing import Final

from storm_p2p.storm import events as ev
from storm_p2p.storm import units as traits
from storm_p2p.storm.actions import Bolt, Immune, Lose, Recall
from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import NEIGHBOURS, OTHER, TARTARUS, UNDERWORLD, Region
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules import rounds
from storm_p2p.storm.rules.honor import MOST_IN_REGION
from storm_p2p.storm.state import BOLT, END, Token, find
from storm_p2p.storm.state_builder import StateBuilder
from storm_p2p.storm.units import CARDS, OLYMPIANS, UNITS, units_in

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


def liturgy(board: Bitboard) -> None:
    """Pray (LIT-1..3)."""
    faction = board.turn
    penalty = liturgy_penalty(board.energy[faction])
    board.note(ev.Prayed, faction)
    board.charge(faction, LITURGY_ENERGY, "liturgy")
    board.change_honor(faction, -penalty, "liturgy")
    if board.passes():
        board.begin_turn()


def may_pass(board: Bitboard) -> bool:
    """Return whether the side to move may do nothing: Olympians none of whom is outside Tartarus (TRN-3, A-05)."""
    if board.turn is not OLYMPIANS:
        return False
    side = board.size[OLYMPIANS]
    return not any(side[:TARTARUS]) and not any(side[TARTARUS + 1 :])


def do_pass(board: Bitboard) -> None:
    """Do nothing (TRN-3)."""
    board.note(ev.Passed, board.turn)
    board.begin_turn()


def holders(board: Bitboard, order: tuple[int, int]) -> int:
    """Return the units that hold a right now: the second ones only when all the first are gone (PER-3, HER-2)."""
    first, second = order
    return first if first & ~(board.fallen | board.gone) else second


def _is(token: Token, bits: int) -> bool:
    """Return whether a token is one of the units in ``bits``, or can be as far as this view knows."""
    return bool((token.can if token.unit is None else 1 << token.unit) & bits)


# -- thunderbolt (ZEU-1..4, HER-2, A-32, A-33) --------------------------------------------------------------


def check_bolt(state: StateBuilder, action: Bolt) -> None:
    """Refuse a thunderbolt that cannot be thrown.

    Raises:
        IllegalAction: with the condition that fails.
    """
    faction = state.turn
    found = find(state, action.thrower)
    able = holders(state, traits.BOLT_ORDER)
    if found is None or found[1].faction != faction or not _is(found[1], able):
        raise IllegalAction("no-thrower", "expected {unit} to throw, got another unit or none", unit=units_in(able))
    if action.target not in bolt_targets(state, found[0]):
        raise IllegalAction(
            "no-target",
            "expected 6 Energy and an enemy next to {start}, not in the Underworld, got {region}",
            start=found[0],
            region=action.target,
        )


def bolt_targets(board: Bitboard, origin: Region) -> list[Region]:
    """Return where a thunderbolt from ``origin`` can strike (ZEU-1, ZEU-4)."""
    if board.energy[board.turn] < BOLT_ENERGY:
        return []
    enemies = board.size[OTHER[board.turn]]
    return [there for there in NEIGHBOURS[origin] if enemies[there] and there not in UNDERWORLD]


def bolt(board: Bitboard, thrower: int, target: Region) -> None:
    """Throw a thunderbolt, by a unit that is open, and ask the other side for its victim."""
    faction = board.turn
    if board.events is not None:
        unit = UNITS[thrower.bit_length() - 1]
        board.events += [ev.Struck(unit, target), ev.Used(unit, "bolts")]
    board.charge(faction, -BOLT_ENERGY, "bolts")
    board.change_honor(faction, -BOLT_PENALTY, "bolts")
    if board.passes():
        board.phase = BOLT
        board.target = target


def check_bolt_answer(state: StateBuilder, action: Lose | Immune) -> None:
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
        if not all(_is(one, traits.BOLT_PROOF) for one in group):
            raise IllegalAction(
                "not-immune", "expected only units in {region} that are proof, got another", region=state.target
            )
        return
    # ZEU-2.
    if not _is(token, ~traits.BOLT_PROOF):
        proof = units_in(token.can & traits.BOLT_PROOF)
        raise IllegalAction(
            "bolt-proof", "expected another victim in {region}, got {unit}", region=state.target, unit=proof
        )
    if action.claim is not None:
        fed = next((token for token in group if token.serial == action.claim), None)
        if fed is None or not _is(fed, traits.BOLT_FED):
            raise IllegalAction(
                "no-claim",
                "expected {unit} in {region}, got another",
                unit=units_in(traits.BOLT_FED),
                region=state.target,
            )


def bolt_answer(board: Bitboard, victim: int, fed: int) -> None:
    """Eliminate who is hit by a thunderbolt, and feed who claims it; both are open by now."""
    if fed:
        # ZEU-3: even if she is the victim.
        unit = UNITS[fed.bit_length() - 1]
        board.charge(OTHER[board.turn], CARDS[unit].bolt_energy, "bolt_energy")
        board.note(ev.Used, unit, "bolt_energy")
    board.eliminate(board.target, [(victim, "bolts")])
    board.target = 0
    rounds.proceed(board, END)


def defy_bolt(board: Bitboard, proof: int) -> None:
    """Let a thunderbolt strike where nobody can be hit, as an open unit shows (ZEU-2)."""
    board.note(ev.Used, UNITS[proof.bit_length() - 1], "bolt_proof")
    board.target = 0
    rounds.proceed(board, END)


# -- recall (HAD-1, PER-3, BAS-2, A-10) ---------------------------------------------------------------------


def check_recall(state: StateBuilder, action: Recall) -> None:
    """Refuse a recall that the rules do not allow.

    Raises:
        IllegalAction: with the condition that fails.
    """
    faction = state.turn
    found = find(state, action.caller)
    able = holders(state, traits.RECALL_ORDER)
    if found is None or found[1].faction != faction or not _is(found[1], able):
        raise IllegalAction("no-caller", "expected {unit} to recall, got another unit or none", unit=units_in(able))
    if not find_recallable(state) >> action.unit & 1:
        raise IllegalAction(
            "no-recall",
            "expected 10 Energy, room and no enemy in {region}, and an eliminated unit, got {unit}",
            region=TARTARUS,
            unit=action.unit,
        )


def find_recallable(board: Bitboard) -> int:
    """Return the units that can be brought back now (HAD-1, BAS-2)."""
    faction = board.turn
    if (
        board.energy[faction] < RECALL_ENERGY
        or board.size[OTHER[faction]][TARTARUS]
        or board.size[faction][TARTARUS] >= MOST_IN_REGION
    ):
        return 0
    # PER-3: the second leader does not bring back the first.
    return board.fallen & traits.ALL_OF[faction] & ~traits.RECALL_ORDER[0]


def recall(board: Bitboard, caller: int, unit: int) -> None:
    """Bring an eliminated unit back, called by one that is open (A-10)."""
    faction = board.turn
    board.charge(faction, -RECALL_ENERGY, "recalls")
    board.note(ev.Used, UNITS[caller.bit_length() - 1], "recalls")
    board.note(ev.Returned, UNITS[unit.bit_length() - 1], TARTARUS)
    board.bring_back(faction, TARTARUS, unit)
    board.begin_turn()


# -- the answer to a sneak attack (ERI-1, HEP-2, A-45) ------------------------------------------------------


def check_sneak_answer(state: StateBuilder, serial: int, *, block: bool) -> None:
    """Refuse an answer to a sneak attack that the rules do not allow.

    Raises:
        IllegalAction: with what was expected.
    """
    group = state.sides[OTHER[state.turn]][state.target]
    token = next((token for token in group if token.serial == serial), None)
    if token is None:
        raise IllegalAction("not-there", "expected a unit in {region}, got another", region=state.target)
    if block and not _is(token, traits.SNEAK_BLOCKERS):
        raise IllegalAction(
            "no-claim", "expected {unit} to block, got another unit", unit=units_in(traits.SNEAK_BLOCKERS)
        )


def sneak_answer(board: Bitboard, unit: int, *, block: bool) -> None:
    """Eliminate a unit, or block it with one; it is open by now, and whoever is left fights (CBT-1)."""
    region = board.target
    if not block:
        board.eliminate(region, [(unit, "sneaks")])
    else:
        board.note(ev.Used, UNITS[unit.bit_length() - 1], "blocks_sneak")
    if board.size[OTHER[board.turn]][region]:
        rounds.start(board, region, board.turn, board.origin)
        return
    board.start_combat(0, board.turn, 0)
    board.target = 0
    rounds.proceed(board, END)
