"""The words of the combat window."""

from __future__ import annotations

from typing import Final

from cli.text.wording import speak
from storm_p2p.storm.units import Maneuver

speak(__name__)

TITLE: Final = "COMBAT in {region}, round {round}"
YOU_ATTACK: Final = "you attack{origin}: a tie is yours"
THEY_ATTACK: Final = "{name} attacks{origin}: a tie is theirs"
FROM: Final = " from {region}"
BASE: Final = "base {base:2}   stock {stock:2}"
MODIFIERS: Final = "Strengths changed: {list}"
ENERGY: Final = "Energy 0 to {limit}:"
DEAR: Final = "{amount} and more cost Honor"
POWER: Final = "power {power}"
NEEDS: Final = "with standard, {name} needs {energy} Energy to win"
CANNOT: Final = "with standard, {name} cannot win: at most {limit} Energy"
WINS: Final = "with standard, {name} wins without Energy"
HE_LEAVES: Final = "{name} gets away unless you chase"
YOU_LEAVE: Final = "{name} does not chase: you get away"
HE_SLIPS: Final = "{name} gets away: no chase stops that"
YOU_SLIP: Final = "no chase of {name} stops you: you get away"
NOBODY_WINS: Final = "nobody wins, for {name} plays the same"
YOU_WIN: Final = "{name} has {power}: you win the round"
HE_WINS: Final = "{name} has {power} and wins the round"
CHASE_NEEDS: Final = "if {name} chases: {energy} Energy beats that"
CHASE_CANNOT: Final = "if {name} chases: cannot beat that, at most {limit} Energy"
CHASE_WINS: Final = "if {name} chases: beats that without Energy"
RISK: Final = "after this choice: honor {honor}, energy {energy}"
THEY_CHOOSE: Final = "{name} chooses first; then you."
EFFECTS: Final = {
    Maneuver.STANDARD: "higher power kills one; the rest fights on",
    Maneuver.RETREAT: "if not chased: honor {change}, to {ways}",
    Maneuver.CHASE: "stops a retreat; your power {change:+d}",
    Maneuver.ATTACK: "power x2; yours die unless he plays def",
    Maneuver.DEFENSE: "power x2; if you win nobody dies",
}
COSTLY: Final = "{amount} and more: honor {change}."
ANY_AMOUNT: Final = "Any amount without loss of Honor."
YOU_ATTACK_SPOKEN: Final = "Combat in {region}, round {round}. You attack; a tie goes to the attacker."
THEY_ATTACK_SPOKEN: Final = "Combat in {region}, round {round}. {name} attacks; a tie goes to the attacker."
HAS_CHOSEN: Final = "{name} has chosen: {maneuver} with {energy} Energy."
