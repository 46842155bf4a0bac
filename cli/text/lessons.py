"""The sentences of the ten lessons.  Every number in them comes from the rules (``{gaps}``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.text.wording import speak
from storm_p2p import combat, honor, powers, strength
from storm_p2p.units import NAME, STRENGTH, Unit

speak(__name__)

_SPENT: Final = 3
"""Energy in the lesson on all-out maneuvers."""
NUMBERS: Final[Mapping[str, int]] = {
    **{NAME[unit]: STRENGTH[unit] for unit in Unit},
    "ours": STRENGTH[Unit.CRONUS] + STRENGTH[Unit.CHARON],
    "ours_and_one": STRENGTH[Unit.CRONUS] + STRENGTH[Unit.CHARON] + 1,
    "theirs": STRENGTH[Unit.HERMES] + STRENGTH[Unit.POSEIDON],
    "spent": _SPENT,
    "doubled": 2 * (STRENGTH[Unit.NYX] + _SPENT),
    "both": STRENGTH[Unit.ARES] + STRENGTH[Unit.APOLLO],
    "styx": honor.STYX_ENERGY,
    "back": honor.friendly_penalty(1, -1),
    "retreat": honor.RETREAT_PENALTY,
    "all_out": honor.ALL_OUT_PENALTY,
    "free": honor.FREE_ENERGY,
    "per_unit": combat.ENERGY_PER_UNIT,
    "chase": -strength.CHASE_MODIFIER,
    "liturgy": powers.LITURGY_ENERGY,
    "prayer": powers.liturgy_penalty(1),
    "empty": powers.liturgy_penalty(0),
    "fewer": honor.attack_change(1, 2, 1, own_base=False)[1],
    "more": honor.attack_change(2, 1, 1, own_base=False)[0],
}

HEAD: Final = "Learn: {number} of {count}, {title}"
ENEMY: Final = "enemy"
HINT: Final = "right: go on   left: back   1-9, 0: lesson   q quit"

GOAL: Final = "The goal"
GOAL_1: Final = (
    "You play the Chthonians, here in capitals, from the Underworld at the bottom. Your goal is the Palace at the top,"
    " region 15: when Hades or Persephone gets there, you win. The Olympians want to eliminate both."
)
GOAL_2: Final = (
    "The Palace is empty, so Hades walks in and shows himself: you have won. There is one more way to lose for"
    " both sides: whoever has no Honor left has lost at once, even in the moment of reaching the goal."
)
SECRETS: Final = "Hidden units"
SECRETS_1: Final = (
    "Nobody sees the other's units. -??? is a hidden enemy; -hra is Hera, whom you have seen. Of your own units,"
    " ERI* is known to the enemy (*), and HEC is still your secret. Eye (F4) shows it at a glance."
)
SECRETS_2: Final = (
    "Each side takes 9 of its 12 units and places one on each region of its realm. The panel says what the hidden"
    " ones can still be. A weak unit that walks boldly towards the Palace looks just like Hades."
)
MOVING: Final = "Moving"
MOVING_1: Final = (
    "Each turn you move one unit or one group, one region far. Nyx alone: forward, which is up for you, costs nothing;"
    " back costs {back} Honor. The numbers on the board are those prices."
)
MOVING_2: Final = (
    "Nyx and Hecate together: each unit after the first costs 1 Honor. Going back costs no more for it: reasons never"
    " add up, the worst counts."
)
MOVING_3: Final = "They have gone to 14 together, for 1 Honor. Honor hardly ever comes back, so groups are dear."
STYX: Final = "The Styx"
STYX_1: Final = (
    "The river ~~~ runs between the Underworld and the plain. Hades may cross it for {styx} Energy: [ 0 -2E]. Energy is"
    " also what decides combats, so it is worth something."
)
STYX_2: Final = "Charon shows himself first, which is free and takes no turn. Now the crossing costs nothing."
NUMBERS_TITLE: Final = "Attacking"
ATTACK_1: Final = (
    "Entering a region with enemies is an attack. Two against one, as in 8, costs {more} Honor: that is not brave."
    " Two against two, as in 9, costs nothing."
)
ATTACK_2: Final = "Erinyes alone against the two in 9: bold, and it brings {fewer} Honor. That is how Honor is won."
SHOWN: Final = "Seen and forgotten"
SHOWN_1: Final = "The enemy knows Erinyes (*), but not Hecate. Both stand in 13."
SHOWN_2: Final = (
    "One of them moves on, and nobody says which. The enemy cannot tell any more: Erinyes is a secret again. A group"
    " that divides hides its units; an attack shows all that take part, and those attacked."
)
COMBAT: Final = "Combat"
COMBAT_1: Final = (
    "You attack from 12, so a tie is yours. Cronus {cronus} and Charon {charon} make {ours}, the others {hermes}"
    " + {poseidon} = {theirs}. Both sides choose"
    " a maneuver and Energy in secret: up to {per_unit} Energy for each unit, and more than {free} cost 1 Honor."
)
COMBAT_2: Final = (
    "You: standard with 1 Energy, so power {ours_and_one}. They: standard with none, power {theirs}. The weaker"
    " side loses one unit of"
    " its own choice, and the rest fights on. Energy is gone either way."
)
COMBAT_3: Final = "They give up Hermes. The next round begins; it goes on until one side is gone or retreats."
RETREAT: Final = "Retreat and chase"
RETREAT_1: Final = "Now they attack: Ares against your Moirae. You may fight, or choose to retreat."
RETREAT_2: Final = (
    "You retreat, they did not chase: you get away, for {retreat} Honor, and choose where to. Against a retreat"
    " there is the chase: it stops it, and the chasing side fights with {chase} power less."
)
RETREAT_3: Final = "The Moirae stand in 18, and nobody was eliminated."
ALL_OUT: Final = "All-out"
ALL_OUT_1: Final = (
    "Nyx {nyx} against Ares {ares} and Apollo {apollo}. She cannot win two rounds, but two maneuvers double your power,"
    " for {all_out} Honor each. All-out attack: your units die after the round. All-out defense: if you win,"
    " nobody dies."
)
ALL_OUT_2: Final = (
    "All-out attack with {spent} Energy: ({nyx} + {spent}) x 2 = {doubled} against {both}. They lose a unit of"
    " their choice."
)
ALL_OUT_3: Final = "They gave up Apollo, and after the round Nyx is eliminated, too. One for one: sometimes worth it."
STOCKS: Final = "Energy and prayer"
STOCKS_1: Final = (
    "No Energy left, and an enemy in your base Tartarus: that costs 1 Honor at the start of each of your turns."
    " A liturgy takes the whole turn and brings {liturgy} Energy, for {prayer} Honor, or {empty} when you have none."
)
STOCKS_2: Final = (
    "That was the turn: {liturgy} Energy for {empty} Honor. You know enough now: every price is shown before you pay,"
    " F1 helps, F2 shows what each unit can do. Good luck!"
)
