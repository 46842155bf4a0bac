"""What the board of Storm over Olympus on a web page needs beside the public state: the map, names and words."""

from __future__ import annotations

from cli.storm.text import names, screens
from protocol.game import Json
from storm_p2p.storm.board import ALTITUDE, BASE, COLUMN, OLYMPUS, REGIONS, STYX, UNDERWORLD
from storm_p2p.storm.units import CARDS


def page_names() -> Json:
    """Return them in the chosen language; what belongs to units and regions is listed by their numbers."""
    realms = ["underworld" if region in UNDERWORLD else "olympus" if region in OLYMPUS else "" for region in REGIONS]
    return {
        "altitude": list(ALTITUDE),
        "column": list(COLUMN),
        "realms": ["", *realms],
        "bases": list(BASE),
        "styx": [list(border) for border in sorted(STYX)],
        "units": [names.unit_name(card.unit) for card in CARDS],
        "codes": [names.code(card.unit) for card in CARDS],
        "words": {
            "phases": [str(phase) for phase in screens.PAGE_PHASES],
            **{key: str(said) for key, said in screens.PAGE_WORDS.items()},
        },
    }
