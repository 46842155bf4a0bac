"""Which rules these are: a number that is raised by hand, and a hash of the data that they read.

Two programs play with each other when both are the same (SPEC.md, "The version of the rules").  So what decides nothing
must not stand here: no name, no code, no text, and no word of the source.  Data is called by the number of its rule, a
unit by its place in the list.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Final

from storm_p2p.storm import board, state, units
from storm_p2p.storm.rules import combat, honor, powers, setup
from storm_p2p.storm.units import Card

RULES_VERSION: Final = "2"
"""The number of the rules: digits and dots.  Raise it whenever they decide anything else than before."""

_TRAITS: Final[Mapping[str, Callable[[Card], object]]] = {
    "CMP-1": lambda card: card.faction,
    "CMP-3": lambda card: card.strength,
    "APH-3": lambda card: card.male,
    "SET-2": lambda card: card.required,
    "END-1": lambda card: card.leads,
    "HAD-1": lambda card: card.recalls,
    "ZEU-1": lambda card: card.bolts,
    "CER-2": lambda card: card.bolt_proof,
    "ZEU-3": lambda card: card.bolt_energy,
    "FLY-1": lambda card: card.flies,
    "HRM-1": lambda card: card.wanders,
    "CHN-1": lambda card: card.ferries,
    "POS-1": lambda card: card.river_energy,
    "DEM-1": lambda card: card.drains,
    "APO-2": lambda card: card.doubles_penalties,
    "DIO-1": lambda card: card.spares_penalties,
    "ERI-1": lambda card: card.sneaks,
    "HEP-2": lambda card: card.blocks_sneak,
    "CRO-1": lambda card: card.slays,
    "DEM-2": lambda card: card.perishes_with,
    "HYP-1": lambda card: card.silences,
    "APH-1": lambda card: card.charms,
    "HER-1": lambda card: card.per_comrade,
    "HEP-1": lambda card: card.defending,
    "ARE-1": lambda card: card.energy_worth,
    "ART-1": lambda card: card.chase,
    "MOI-1": lambda card: card.boundless_energy,
    "NYX-1": lambda card: card.thins_enemy,
    "HEC-1": lambda card: card.takes_spent,
    "CER-1": lambda card: card.alone_maneuvers,
    "PER-1": lambda card: card.slips_away,
    "HRM-2": lambda card: card.holds_slippery,
    "ATH-1": lambda card: card.sees_first,
    "THA-1": lambda card: card.buries_all,
}
"""What the rules read of a card."""


def rules_data() -> bytes:
    """Return the canonical bytes of the data that the rules read: map, numbers, units."""
    plain = {
        "version": RULES_VERSION,
        "map": {
            "altitudes": board.ALTITUDE[1:],
            "neighbours": board.NEIGHBOURS[1:],
            "bases": board.BASE,
            "realms": board.REALM,
            "underworld": sorted(board.UNDERWORLD),
            "banks": sorted(board.BANK),
            "styx": sorted(board.STYX),
            "leaders": board.LEADER_STARTS,
        },
        "numbers": {
            "SET-1": setup.SELECTED,
            "SET-5": [state.START_HONOR, setup.START_ENERGY],
            "VAR-4": state.OPEN_HONOR,
            "A-29": setup.MOST_CHALLENGE,
            "MOV-4": honor.MOST_IN_REGION,
            "MOV-5": honor.STYX_ENERGY,
            "NRG-1": combat.ENERGY_PER_UNIT,
            "NRG-2": honor.FREE_ENERGY,
            "AOA-1": honor.ALL_OUT_PENALTY,
            "RET-6": honor.RETREAT_PENALTY,
            "CHA-1": combat.CHASE_MODIFIER,
            "APH-1": [combat.CHARM_COMRADE, combat.CHARM_ENEMY],
            "LIT-1": powers.LITURGY_ENERGY,
            "ZEU-1": [powers.BOLT_ENERGY, powers.BOLT_PENALTY],
            "HAD-1": powers.RECALL_ENERGY,
            "ERI-1": [honor.SNEAK_ENERGY, honor.SNEAK_PENALTY],
        },
        "units": [{rule: read(card) for rule, read in _TRAITS.items()} for card in units.CARDS],
    }
    return json.dumps(plain, separators=(",", ":"), sort_keys=True).encode("ascii")


def rules_version() -> str:
    """Return the version of the rules: their number and the hash of their data."""
    return f"{RULES_VERSION}-{hashlib.sha256(rules_data()).hexdigest()}"
