"""Which rules these are: a number that is raised by hand, and a hash of the data that they read.

The cards are not among it: the terms of a match name their set.
"""

import hashlib
import json
from typing import Final

from storm_p2p.fight import board, card_file, state

RULES_VERSION: Final = "1"
"""The number of the rules.  Raise it whenever they decide anything else than before."""


def rules_data() -> bytes:
    """Return the canonical bytes of the data that the rules read, by the numbers of the rules."""
    plain = {
        "version": RULES_VERSION,
        "F-1.2": [card_file.PER_COLOUR[kind] for kind in sorted(card_file.PER_COLOUR)],
        "F-1.3": len(board.Colour),
        "F-1.4": [card_file.COPIES[kind] for kind in sorted(card_file.COPIES)],
        "F-2.1": board.AREA[1:],
        "F-2.5": board.GOAL,
        "F-3.2": state.ASIDE,
        "F-3.3": state.HAND,
        "F-11.1": state.DRAWS,
    }
    return json.dumps(plain, separators=(",", ":"), sort_keys=True).encode("ascii")


def rules_version() -> str:
    """Return the version of the rules: their number and the hash of their data."""
    return f"{RULES_VERSION}-{hashlib.sha256(rules_data()).hexdigest()}"
