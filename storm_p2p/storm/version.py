"""Which rules these are: a number that is raised by hand, and a hash of the data that they read.

Two programs play with each other when both are the same (SPEC.md, "The version of the rules").  So what decides nothing
must not stand here: no name, no code, no text, and no word of the source.  Data is called by the number of its rule, a
unit by its place in the list.
"""

import hashlib
import json
from dataclasses import fields
from typing import Annotated, Final, get_args, get_origin

from storm_p2p.storm import board, state, units
from storm_p2p.storm.rules import combat, honor, powers, setup
from storm_p2p.storm.units import Card

RULES_VERSION: Final = "2"
"""The number of the rules: digits and dots.  Raise it whenever they decide anything else than before."""

_TRAITS: Final = {get_args(field.type)[1]: field.name for field in fields(Card) if get_origin(field.type) is Annotated}
"""What the rules read of a card, by the number of its rule."""


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
        "units": [{rule: getattr(card, name) for rule, name in _TRAITS.items()} for card in units.CARDS],
    }
    return json.dumps(plain, separators=(",", ":"), sort_keys=True).encode("ascii")


def rules_version() -> str:
    """Return the version of the rules: their number and the hash of their data."""
    return f"{RULES_VERSION}-{hashlib.sha256(rules_data()).hexdigest()}"
