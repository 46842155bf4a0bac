"""The sentences of the ten lessons.  Every number in them comes from the rules (``{gaps}``).

Some pages end with a question; the next page begins with its answer.
"""

from collections.abc import Mapping
from typing import Final

from cli.storm.text import names
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
    "You play the Chthonians, who set out from the Underworld at the bottom. Your goal is the Palace at the top, "
    "region 15: when Hades or Persephone, your two leaders, gets there, you win. The Olympians win when both are "
    "eliminated. Hades is next to the Palace, and an enemy is in it. Can that enemy stop Hades?"
)
GOAL_2: Final = lazy(
    "No, not even Zeus can. A leader who enters the Palace wins at once, without a combat, no matter who defends it. "
    "Only Demeter can stop one of the two: where she and Persephone meet, both are eliminated. And a side with no "
    "Honor left loses at once, even as its leader enters the Palace."
)
SECRETS: Final = lazy("Hidden units")
SECRETS_1: Final = lazy(
    "Neither side sees who the other's units are. {hidden_sign} is a hidden enemy; {hera_sign} is Hera, whom you have "
    "seen. Of your own units, {erinyes_sign} is known to the enemy (*), and {hecate_sign} is still your secret. Eye "
    "(F4) shows this at a glance."
)
SECRETS_2: Final = lazy(
    "Each side takes {placed} of its {roster} units and places one on each region of its realm. The panel lists what "
    "the hidden ones can still be. A weak unit that walks boldly towards the Palace looks just like Hades."
)
MOVING: Final = lazy("Moving")
MOVING_1: Final = lazy(
    "Each turn you move one unit, or several that stand together, to a region next door. Here is what it costs for Nyx "
    "alone: nothing forward, which is up for you and down for the enemy, and {back} Honor back."
)
MOVING_2: Final = lazy(
    "Nyx and Hecate together: forward, each unit after the first costs 1 Honor. Back, it is still {back}: prices never "
    "add up, and only the highest counts. What will all three cost, forward and back?"
)
MOVING_3: Final = lazy(
    "{three_forward} forward, for the two after the first, and {three_back} back: there are two prices, but you pay "
    "only one. {most} units, the most a region can hold, would cost {most_moved} either way."
)
MOVING_4: Final = lazy(
    "Two have moved to 14, for {two_forward} Honor. You hardly ever get Honor back, so groups are expensive."
)
STYX: Final = lazy("The Styx")
STYX_1: Final = lazy(
    "The wavy line is the river Styx. Crossing it costs {styx} Energy (E), for one unit or a whole group, in either "
    "direction; the way round it, through region 22, is free. Energy also decides combats, so do not waste it."
)
STYX_2: Final = lazy(
    "Charon reveals himself first, which is free and takes no turn. While he stands revealed on the bank, in or next "
    "to the start or end of a crossing, it costs nothing."
)
NUMBERS_TITLE: Final = lazy("Attacking")
ATTACK_1: Final = lazy(
    "Entering a region with enemies is an attack. It has its own price, instead of those for groups and for going "
    "back: {more} Honor for each attacker more than there are defenders. So two against the one in 8 cost {more}, "
    "because that is not brave, and two against the two in 9 cost nothing. What would three cost?"
)
ATTACK_2: Final = lazy(
    "{many} against the one in 8, two more attackers than defenders, and {more} in 9. With fewer it is the other way "
    "round: you gain {fewer} Honor for each extra defender. What would the Erinyes alone gain, against the two in 9 and"
    " the one in 8?"
)
ATTACK_3: Final = lazy(
    "{fewer} Honor in 9: a bold attack, and that is how you win Honor. In 8 it is one against one: equal numbers cost "
    "nothing forward, but {equal_back} back, and 8 lies lower than 14."
)
SHOWN: Final = lazy("Seen and forgotten")
SHOWN_1: Final = lazy(
    "The enemy knows the Erinyes (*), but not Hecate. Both stand in 13. Now Hecate moves on to 14 alone. What does the "
    "enemy then know about the Erinyes?"
)
SHOWN_2: Final = lazy(
    "Only that they are in 13 or in 14: the enemy is not told which unit moved, so the Erinyes are a secret again. A "
    "group that divides hides its units; but a combat reveals all that take part, on both sides, and they stay known."
)
COMBAT: Final = lazy("Combat")
COMBAT_1: Final = lazy(
    "You have attacked from 12, over the Styx, which cost {styx} of your {start} Energy. The combat shows all who take "
    "part, with the enemies in the row below yours. Cronus {cronus} and Charon {charon} make {ours}; the enemy has "
    "{hermes} + {poseidon} = {theirs}. Who wins if nobody adds anything?"
)
COMBAT_2: Final = lazy(
    "You do, because a tie goes to the attacker. But both sides add something: each secretly chooses a maneuver and "
    "Energy, up to {per_unit} for each of its units in the combat. More than {free} in a round, for all units "
    "together, costs {much} Honor."
)
COMBAT_3: Final = lazy(
    "You: standard with 1 Energy, so power {ours_and_one}. They: standard with none, power {theirs}. The weaker side "
    "loses one unit of its own choice, and the rest fight on. The Energy is gone either way."
)
COMBAT_4: Final = lazy("They give up Hermes. The next round begins; it goes on until one side is gone or retreats.")
RETREAT: Final = lazy("Retreat and chase")
RETREAT_1: Final = lazy(
    "Now they attack: Ares {ares} came from 14, against your Moirae {moirae}. You can fight, or choose to retreat, for "
    "{retreat} Honor. Where can the Moirae go?"
)
RETREAT_2: Final = lazy(
    "You retreat, and they did not chase. To 7 or to 18: a defender goes away from where the attack came from, so not "
    "to 14 or to a region next to it (8, 19). No unit retreats over the Styx (12), to enemies, or to a region that "
    "already holds {most} of its own side. An attacker goes back to the region the attack came from, or to a region "
    "next to both."
)
RETREAT_3: Final = lazy(
    "The Moirae stand in 18, and nobody was eliminated. If there is no region to go to, a retreat counts as standard: "
    "you fight, and you do not pay the {retreat} Honor. The answer to a retreat is the chase: it stops a retreat, but "
    "the chasing side has {chase} less power, whatever the other side has chosen."
)
ALL_OUT: Final = lazy("All-out")
ALL_OUT_1: Final = lazy(
    "Attacking two with one has won you {fewer} Honor; but it is Nyx {nyx} against Ares {ares} and Apollo {apollo}. "
    "Two maneuvers double your power, including the Energy, for {all_out} Honor each. All-out attack: your units die "
    "after the fight. All-out defense: if you win, nobody dies. What is Nyx's power in an all-out attack with {spent} "
    "Energy?"
)
ALL_OUT_2: Final = lazy(
    "({nyx} + {spent}) x 2 = {doubled}, against {both}: standard, with no Energy. They lose a unit of their choice."
)
ALL_OUT_3: Final = lazy(
    "They gave up Apollo, and after the fight Nyx is eliminated too. One for one: sometimes worth it."
)
STOCKS: Final = lazy("Energy, prayer and powers")
STOCKS_1: Final = lazy(
    "Tartarus (10) is your base, as the Palace is theirs: each enemy in your base costs you 1 Honor at the start of "
    "each of your turns. You also have no Energy left. A liturgy takes the whole turn and brings {liturgy} Energy for "
    "{prayer} Honor, or for {empty} when you have no Energy."
)
STOCKS_2: Final = lazy("That was your turn: {liturgy} Energy for {empty} Honor, because you had no Energy.")
STOCKS_3: Final = lazy(
    "Each unit also has a power of its own: some fly or go far, throw thunderbolts, bring back the eliminated, strike "
    "in secret, or help in a combat next door; some you use by adding claim to a move. F2 lists them all, and card "
    "zeus explains one. You see every price before you pay it, and F1 explains what you are being asked. Good luck!"
)
