"""The sentences of the ten lessons.  Every number in them comes from the rules (``{gaps}``).

A page that asks for a move has a sentence for it (``_TASK``); the next page begins with what came of it.
"""

from collections.abc import Mapping
from typing import Final

from cli.storm.text import names
from cli.text.wording import lazy
from storm_p2p.storm.rules import combat, honor, powers, setup
from storm_p2p.storm.units import NAME, ROSTER, STRENGTH, Maneuver, Unit

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
    "chase": -combat.CHASE_MODIFIER,
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
    said = names.unit_name if large else names.code
    return {
        "hidden_sign": "<?>" if large else "-???",
        "hera_sign": f"<{said(Unit.HERA)}>" if large else f"-{said(Unit.HERA).lower()}",
        "erinyes_sign": f"{said(Unit.ERINYES)}*",
        "hecate_sign": said(Unit.HECATE),
    }


GOAL: Final = lazy("The goal")
GOAL_1: Final = lazy(
    "You play the Chthonians, who set out from the Underworld at the bottom. Your goal is the Palace at the top, "
    "region 15: as soon as one of your two leaders, Hades or Persephone, gets there, you win. The Olympians win when "
    "both are eliminated. Hades is next to the Palace, and an enemy is inside."
)
GOAL_1_TASK: Final = lazy("Go in anyway: type hades 15.")
GOAL_2: Final = lazy(
    "Not even Zeus can stop Hades. A leader who enters the Palace wins at once, without a combat, no matter who "
    "defends it. Only Demeter can stop one of the two: where she and Persephone meet, both are eliminated. And a side "
    "with no Honor left loses at once, even as its leader enters the Palace."
)
SECRETS: Final = lazy("Hidden units")
SECRETS_1: Final = lazy(
    "Neither side sees who the other's units are. {hidden_sign} is a hidden enemy; {hera_sign} is Hera, whom you have "
    "seen. Of your own units, {erinyes_sign} is known to the enemy (*), and {hecate_sign} is still your secret. In a "
    "match, eye (F4) shows this at a glance."
)
SECRETS_1_TASK: Final = lazy("Send your secret unit boldly towards the Palace: type hecate 14.")
SECRETS_2: Final = lazy(
    "All the enemy sees is a hidden unit coming closer, and it could be Hades. Each side takes {placed} of its "
    "{roster} units and places one on each region of its realm; the panel lists what the hidden ones could still be."
)
MOVING: Final = lazy("Moving")
MOVING_1: Final = lazy(
    "Each turn you move one unit, or several that stand together, to a region next door. Here is what it costs for Nyx "
    "alone: nothing forward, which is up for you and down for the enemy, and {back} Honor backward."
)
MOVING_2: Final = lazy(
    "Nyx and Hecate together: forward, each unit after the first costs 1 Honor. Backward, it is still {back}: prices "
    "never add up, and only the highest counts."
)
MOVING_2_TASK: Final = lazy("Send the two of them up to 14: type move 8 14 nyx hecate.")
MOVING_3: Final = lazy(
    "All three would have cost {three_forward} forward and {three_back} backward; {most} units, the most a region "
    "can hold, {most_moved} either way. You hardly ever get Honor back, so groups are expensive."
)
STYX: Final = lazy("The Styx")
STYX_1: Final = lazy(
    "The blue or wavy line is the river Styx. Crossing it costs {styx} Energy (E), for one unit or a whole group, in either "
    "direction; the way round it, through region 22, is free. Energy also decides combats, so do not waste it. Charon "
    "is a ferryman, but not while he is hidden."
)
STYX_1_TASK: Final = lazy("Make the crossing free: type reveal charon.")
STYX_2: Final = lazy(
    "Revealing a unit does not use up your turn. While Charon stands revealed in or next to the region where a "
    "crossing starts or ends, the crossing is free; but now the enemy knows him."
)
STYX_2_TASK: Final = lazy("Now let Hades cross: type hades 13.")
STYX_3: Final = lazy("Hades is across, and all {start} Energy is still there.")
NUMBERS_TITLE: Final = lazy("Attacking")
ATTACK_1: Final = lazy(
    "Entering a region with enemies is an attack, and it has its own price: you pay {more} Honor for each extra "
    "attacker, and gain {fewer} for each extra defender. The board shows it for two attackers: {more} against the one "
    "enemy in 8, because that is not brave, and nothing against the two in 9."
)
ATTACK_1_TASK: Final = lazy("Attack in a way that gains you Honor.")
ATTACK_2: Final = lazy(
    "One against two: a bold attack, and that is how you win Honor. All three would have paid {many} in 8. One against "
    "one costs nothing forward, but {equal_back} backward, and 8 lies lower than 14."
)
SHOWN: Final = lazy("Seen and forgotten")
SHOWN_1: Final = lazy("The enemy knows the Erinyes (*), but not Hecate. Both stand in 13.")
SHOWN_1_TASK: Final = lazy("Make the enemy forget which is which: let Hecate go on to 14 alone.")
SHOWN_2: Final = lazy(
    "The enemy is not told which unit moved: the Erinyes are in 13 or in 14, and are a secret again. A group that "
    "splits up hides its units; but a combat reveals everyone who takes part, on both sides, and they stay known."
)
COMBAT: Final = lazy("Combat")
COMBAT_1: Final = lazy(
    "An attack leads to a combat, which reveals everyone who takes part. Across the Styx, it also costs {styx} of "
    "your {start} Energy."
)
COMBAT_1_TASK: Final = lazy("Attack 13 with both of your units: type 12 13.")
COMBAT_2: Final = lazy(
    "Cronus {cronus} and Charon {charon} make {ours}, the enemy has {hermes} + {poseidon} = {theirs}; a tie goes to "
    "you, the attacker. But each side secretly adds a maneuver and Energy, up to {per_unit} for each of its units "
    "there; more than {free} in all costs {much} Honor."
)
COMBAT_2_TASK: Final = lazy("Choose standard with 1 Energy: type std 1.")
COMBAT_3: Final = lazy(
    "Your power is {ours_and_one}. They chose standard with no Energy: power {theirs}. The weaker side loses one unit "
    "of its own choice, and the rest fight on. The Energy is gone either way."
)
COMBAT_4: Final = lazy("They give up Hermes. The next round begins; it goes on until one side is gone or retreats.")
RETREAT: Final = lazy("Retreat and chase")
RETREAT_1: Final = lazy(
    "Now they attack: Ares {ares} came from 14, against your Moirae {moirae}. You can fight, or retreat for {retreat} "
    "Honor, which works unless they chase you."
)
RETREAT_1_TASK: Final = lazy("Get away, without Energy: type ret 0.")
RETREAT_2: Final = lazy(
    "They did not chase. A defender retreats away from the attack: not to 14 or next to it (8, 19), not over the Styx "
    "(12), not to enemies, and not where {most} of its own side stand."
)
RETREAT_2_TASK: Final = lazy("Choose where the Moirae go: type 7 or 18.")
RETREAT_3: Final = lazy(
    "The Moirae got away, and nobody was eliminated. If there is no region to go to, a retreat counts as standard and "
    "costs nothing. The answer to a retreat is the chase: it stops a retreat, but the chasing side has {chase} less "
    "power, whatever the other side has chosen."
)
ALL_OUT: Final = lazy("All-out")
ALL_OUT_1: Final = lazy("Two enemies stand in 14, and Nyx is alone: attacking them is brave, and earns {fewer} Honor.")
ALL_OUT_1_TASK: Final = lazy("Attack: type nyx 14.")
ALL_OUT_2: Final = lazy(
    "It is Nyx {nyx} against Ares {ares} and Apollo {apollo}. Two maneuvers double your power, including the Energy, "
    "for {all_out} Honor each. All-out attack: your units die after the fight. All-out defense: if you win, nobody "
    "dies."
)
ALL_OUT_2_TASK: Final = lazy("Choose an all-out attack with {spent} Energy: type att {spent}.")
ALL_OUT_3: Final = lazy(
    "({nyx} + {spent}) x 2 = {doubled}, against {both}: standard, with no Energy. They lose a unit of their choice."
)
ALL_OUT_4: Final = lazy(
    "They gave up Apollo, and after the fight Nyx is eliminated too. One for one: sometimes worth it."
)
STOCKS: Final = lazy("Energy, prayer and powers")
STOCKS_1: Final = lazy(
    "Tartarus (10) is your base, as the Palace is theirs: each enemy in your base costs you 1 Honor at the start of "
    "each of your turns. You also have no Energy left. A liturgy takes the whole turn and brings {liturgy} Energy for "
    "{prayer} Honor, or for {empty} when you have no Energy."
)
STOCKS_1_TASK: Final = lazy("Pray: type liturgy. This word has no short form.")
STOCKS_2: Final = lazy("That was your turn: {liturgy} Energy for {empty} Honor, because you had no Energy.")
STOCKS_3: Final = lazy(
    "Each unit also has a power of its own: some fly or go far, throw thunderbolts, bring back the eliminated, strike "
    "in secret, or help in a combat next door; some you use by adding claim to a move. In a match, F2 lists them all, and card "
    "zeus explains one. You see every price before you pay it, and F1 explains what you are being asked. Good luck!"
)
