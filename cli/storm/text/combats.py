"""The words of the combat window."""

from typing import Final

from cli.text.wording import lazy
from storm_p2p.storm.units import Maneuver

TITLE: Final = lazy("COMBAT in {region}, round {round}")
YOU_ATTACK: Final = lazy("you attack{origin}: a tie is yours")
THEY_ATTACK: Final = lazy("{name} attacks{origin}: a tie is theirs")
FROM: Final = lazy(" from {region}")
BASE: Final = lazy("base {base:2}   stock {stock:2}")
MODIFIERS: Final = lazy("Strengths changed: {list}")
ENERGY: Final = lazy("Energy 0 to {limit}:")
DEAR: Final = lazy("{amount} or more costs Honor")
POWER: Final = lazy("power {power}")
NEEDS: Final = lazy("with standard, {name} needs {energy} Energy to win")
CANNOT: Final = lazy("with standard, {name} cannot win: at most {limit} Energy")
WINS: Final = lazy("with standard, {name} wins without Energy")
HE_LEAVES: Final = lazy("{name} gets away unless you chase")
YOU_LEAVE: Final = lazy("{name} does not chase: you get away")
HE_SLIPS: Final = lazy("{name} gets away: no chase stops that")
YOU_SLIP: Final = lazy("no chase by {name} can stop you: you get away")
NOBODY_WINS: Final = lazy("nobody wins: {name} plays the same")
YOU_WIN: Final = lazy("{name} has {power}: you win the round")
HE_WINS: Final = lazy("{name} has {power} and wins the round")
CHASE_NEEDS: Final = lazy("if {name} chases: {energy} Energy beats that")
CHASE_CANNOT: Final = lazy("if {name} chases: cannot beat that, at most {limit} Energy")
CHASE_WINS: Final = lazy("if {name} chases: beats that without Energy")
RISK: Final = lazy("after this choice: honor {honor}, energy {energy}")
THEY_CHOOSE: Final = lazy("{name} chooses first; then you.")
EFFECTS: Final = lazy({
    Maneuver.STANDARD: "higher power kills one; the rest fight on",
    Maneuver.RETREAT: "if not chased: honor {change}, to {ways}",
    Maneuver.CHASE: "stops a retreat; your power {change:+d}",
    Maneuver.ATTACK: "power x2; yours die unless they play def",
    Maneuver.DEFENSE: "power x2; if you win nobody dies",
})  # fmt: skip
COSTLY: Final = lazy("{amount} or more: honor {change}.")
ANY_AMOUNT: Final = lazy("Any amount costs no Honor.")
YOU_ATTACK_SPOKEN: Final = lazy("Combat in {region}, round {round}. You attack; a tie goes to the attacker.")
THEY_ATTACK_SPOKEN: Final = lazy("Combat in {region}, round {round}. {name} attacks; a tie goes to the attacker.")
HAS_CHOSEN: Final = lazy("{name} has chosen: {maneuver} with {energy} Energy.")
