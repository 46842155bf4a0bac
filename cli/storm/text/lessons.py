"""The sentences of the ten lessons.  Every number in them comes from the rules (``{gaps}``).

Some pages end with a question; the next page begins with its answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.text import names
from cli.text.wording import lazy
from storm_p2p.storm.rules import combat, honor, powers, setup, strength
from storm_p2p.storm.units import CARDS, NAME, ROSTER, STRENGTH, Maneuver, Unit

_SPENT: Final = 3
"""Energy in the lesson on all-out maneuvers."""
_FORWARD: Final = 1
_BACK: Final = -1


def _attack(attackers: int, defenders: int, direction: int = _FORWARD) -> tuple[int, int]:
    return honor.attack_change(attackers, defenders, direction, own_base=False)


NUMBERS: Final[Mapping[str, int]] = {
    **{NAME[unit]: STRENGTH[unit] for unit in Unit},
    "placed": setup.SELECTED,
    "roster": len(ROSTER[0]),
    "ours": STRENGTH[Unit.CRONUS] + STRENGTH[Unit.CHARON],
    "ours_and_one": STRENGTH[Unit.CRONUS] + STRENGTH[Unit.CHARON] + 1,
    "theirs": STRENGTH[Unit.HERMES] + STRENGTH[Unit.POSEIDON],
    "spent": _SPENT,
    "doubled": 2 * (STRENGTH[Unit.NYX] + _SPENT),
    "both": STRENGTH[Unit.ARES] + STRENGTH[Unit.APOLLO],
    "start": setup.START_ENERGY,
    "styx": honor.STYX_ENERGY,
    "back": honor.friendly_penalty(1, _BACK),
    "two_forward": honor.friendly_penalty(2, _FORWARD),
    "three_forward": honor.friendly_penalty(3, _FORWARD),
    "three_back": honor.friendly_penalty(3, _BACK),
    "most": honor.MOST_IN_REGION,
    "most_moved": honor.friendly_penalty(honor.MOST_IN_REGION, _BACK),
    "retreat": honor.RETREAT_PENALTY,
    "all_out": honor.ALL_OUT_PENALTY,
    "free": honor.FREE_ENERGY,
    "much": honor.combat_penalties(Maneuver.STANDARD, honor.FREE_ENERGY + 1, 0, alone=False)[1],
    "per_unit": combat.ENERGY_PER_UNIT,
    "chase": -strength.CHASE_MODIFIER,
    "liturgy": powers.LITURGY_ENERGY,
    "prayer": powers.liturgy_penalty(1),
    "empty": powers.liturgy_penalty(0),
    "fewer": _attack(1, 2)[1],
    "more": _attack(2, 1)[0],
    "many": _attack(3, 1)[0],
    "equal_back": _attack(1, 1, _BACK)[0],
}


def signs(*, large: bool) -> dict[str, str]:
    """Return how the board shows the units that the lesson on hidden units names."""
    hera, erinyes, hecate = CARDS[Unit.HERA], CARDS[Unit.ERINYES], CARDS[Unit.HECATE]
    return {
        "hidden_sign": "<?>" if large else "-???",
        "hera_sign": f"<{hera.name.capitalize()}>" if large else f"-{hera.code}",
        "erinyes_sign": f"{names.unit_name(erinyes.unit) if large else erinyes.code.upper()}*",
        "hecate_sign": names.unit_name(hecate.unit) if large else hecate.code.upper(),
    }


HEAD: Final = lazy("Learn: {number} of {count}, {title}")
ENEMY: Final = lazy("enemy")
HINT: Final = lazy("right: go on   left: back   1-9, 0: lesson   q quit")
HINT_QUESTION: Final = lazy("right: the answer   left: back   1-9, 0: lesson   q quit")

GOAL: Final = lazy("The goal")
GOAL_1: Final = lazy(
    "You play the Chthonians, who set out from the Underworld at the bottom. Your goal is the Palace at the top,"
    " region 15: when Hades or Persephone, your two leaders, gets there, you win. The Olympians win when both are"
    " eliminated. Hades stands before the Palace, and an enemy in it. Does he stop Hades?"
)
GOAL_2: Final = lazy(
    "No, he does not, although he is Zeus. A leader who enters the Palace has won at once, without a combat, whoever"
    " defends it. Demeter alone stops one of the two: where she and Persephone meet, both are eliminated. And whoever"
    " has no Honor left has lost at once, even in the moment of reaching the goal."
)
SECRETS: Final = lazy("Hidden units")
SECRETS_1: Final = lazy(
    "Nobody sees who the other's units are. {hidden_sign} is a hidden enemy; {hera_sign} is Hera, whom you have seen."
    " Of your own units, {erinyes_sign} is known to the enemy (*), and {hecate_sign} is still your secret. Eye (F4)"
    " shows it at a glance."
)
SECRETS_2: Final = lazy(
    "Each side takes {placed} of its {roster} units and places one on each region of its realm. The panel says what the"
    " hidden ones can still be. A weak unit that walks boldly towards the Palace looks just like Hades."
)
MOVING: Final = lazy("Moving")
MOVING_1: Final = lazy(
    "In each turn you move one unit, or several that stand together, to a region next door. Here are the prices for"
    " Nyx alone: nothing forward, which is up for you and down for the enemy, and {back} Honor back."
)
MOVING_2: Final = lazy(
    "Nyx and Hecate together: forward, each unit after the first costs 1 Honor. Back it is still {back}, for reasons"
    " never add up, the worst counts. What will all three cost, forward and back?"
)
MOVING_3: Final = lazy(
    "{three_forward} forward, for the two after the first, and {three_back} back: two reasons, and the worst counts"
    " alone. {most} units, more cannot stand in a region, would cost {most_moved} either way."
)
MOVING_4: Final = lazy(
    "Two have gone to 14, for {two_forward} Honor. Honor hardly ever comes back, so groups are dear."
)
STYX: Final = lazy("The Styx")
STYX_1: Final = lazy(
    "The wavy line is the river Styx. Whoever crosses it pays {styx} Energy (E), one unit or a whole group, in either"
    " direction; the way round it, by region 22, is free. Energy also decides combats, so it is worth something."
)
STYX_2: Final = lazy(
    "Charon shows himself first, which is free and takes no turn. While he is seen at the bank where a crossing begins"
    " or ends, or next to there, it costs nothing."
)
NUMBERS_TITLE: Final = lazy("Attacking")
ATTACK_1: Final = lazy(
    "Entering a region with enemies is an attack. Its price takes the place of the price of a group and of going back:"
    " for each attacker more than defenders it costs {more} Honor. So two against the one in 8 cost {more}, for that"
    " is not brave, and two against the two in 9 nothing. What would three cost?"
)
ATTACK_2: Final = lazy(
    "{many} against the one in 8, for two too many, and {more} in 9. With fewer it is the other way round: each"
    " defender more brings {fewer} Honor. What would Erinyes alone bring, against the two in 9 and the one in 8?"
)
ATTACK_3: Final = lazy(
    "{fewer} Honor in 9: bold, and that is how Honor is won. In 8 it is one against one: equal numbers cost nothing"
    " forward, but {equal_back} back, and 8 lies lower than 14."
)
SHOWN: Final = lazy("Seen and forgotten")
SHOWN_1: Final = lazy(
    "The enemy knows Erinyes (*), but not Hecate. Both stand in 13. Now Hecate goes on to 14, alone. What does the"
    " enemy know of Erinyes then?"
)
SHOWN_2: Final = lazy(
    "Only that she is one of the two: nobody says which has moved, so Erinyes is a secret again. A group that divides"
    " hides its units; but a combat shows all that take part, on both sides, and they stay known."
)
COMBAT: Final = lazy("Combat")
COMBAT_1: Final = lazy(
    "You have attacked from 12, over the Styx: that was {styx} of your {start} Energy. The combat shows all who take"
    " part, the enemies in the row below yours. Cronus {cronus} and Charon {charon} make {ours}, the others {hermes}"
    " + {poseidon} = {theirs}. Who wins if nobody adds anything?"
)
COMBAT_2: Final = lazy(
    "You, for a tie is the attacker's. But both sides add: in secret each chooses a maneuver and Energy, up to"
    " {per_unit} for each of its units in the combat. More than {free} in a round, for all units together, cost"
    " {much} Honor."
)
COMBAT_3: Final = lazy(
    "You: standard with 1 Energy, so power {ours_and_one}. They: standard with none, power {theirs}. The weaker"
    " side loses one unit of its own choice, and the rest fights on. Energy is gone either way."
)
COMBAT_4: Final = lazy("They give up Hermes. The next round begins; it goes on until one side is gone or retreats.")
RETREAT: Final = lazy("Retreat and chase")
RETREAT_1: Final = lazy(
    "Now they attack: Ares {ares} came from 14, against your Moirae {moirae}. You may fight, or choose to retreat, for"
    " {retreat} Honor. Where can the Moirae go?"
)
RETREAT_2: Final = lazy(
    "You retreat, and they did not chase. To 7 or to 18: whoever is attacked goes away from where the attack came from,"
    " so not to 14 nor to a region next to it (8, 19). Nobody retreats over the Styx (12), to enemies, or where {most}"
    " of his stand already. An attacker goes back to where he came from, or to a region next to both."
)
RETREAT_3: Final = lazy(
    "The Moirae stand in 18, and nobody was eliminated. If there is no region to go to, a retreat counts as standard:"
    " it is fought, and the {retreat} Honor are not paid. Against a retreat there is the chase: it stops it, but the"
    " chasing side has {chase} power less, whatever the other has chosen."
)
ALL_OUT: Final = lazy("All-out")
ALL_OUT_1: Final = lazy(
    "One against two has brought {fewer} Honor; but it is Nyx {nyx} against Ares {ares} and Apollo {apollo}. Two"
    " maneuvers double your power, with the Energy in it, for {all_out} Honor each. All-out attack: your units die"
    " after the fight. All-out defense: if you win, nobody dies. What is the power of Nyx in an all-out attack with"
    " {spent} Energy?"
)
ALL_OUT_2: Final = lazy(
    "({nyx} + {spent}) x 2 = {doubled}, against {both}: standard, with no Energy. They lose a unit of their choice."
)
ALL_OUT_3: Final = lazy(
    "They gave up Apollo, and after the fight Nyx is eliminated, too. One for one: sometimes worth it."
)
STOCKS: Final = lazy("Energy, prayer and powers")
STOCKS_1: Final = lazy(
    "Tartarus (10) is your base, as the Palace is theirs: each enemy in it costs 1 Honor whenever a turn of yours"
    " begins. And you have no Energy left. A liturgy takes the whole turn and brings {liturgy} Energy, for {prayer}"
    " Honor, or {empty} when you have none."
)
STOCKS_2: Final = lazy("That was the turn: {liturgy} Energy for {empty} Honor, for you had no Energy.")
STOCKS_3: Final = lazy(
    "Each unit has a power of its own, too: some fly or go far, throw thunderbolts, call back the eliminated, strike in"
    " secret, or help in a combat next door; some are said with a move, as a claim. F2 lists them, and the words card"
    " zeus tell all of one. Every price is shown before you pay it, and F1 says what is asked. Good luck!"
)
