"""What is said while the units are dealt at random."""

from __future__ import annotations

from typing import Final

from cli.text import names
from cli.text.wording import count, fill, lazy
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Unit

BEGUN: Final = lazy(
    "The units are being dealt at random. Each side is dealt again until its leader stands in its base or next to it. "
    "This can take a few seconds."
)


def again(faction: Faction, leader: Unit, number: int) -> str:
    """Return that a deal did not count, ``number`` times so far for this side."""
    return count(
        "The {side} are dealt again: {leader} stood too far from the base.",
        "The {side} are dealt again: {leader} stood too far from the base {number} times.",
        number, side=names.side_name(faction), leader=names.unit_name(leader),
    )  # fmt: skip


def done(faction: Faction, deals: int) -> str:
    """Return that the units of a side are dealt, and after how many deals."""
    side = names.side_name(faction)
    if deals == 1:
        return fill("The {side} are dealt.", side=side)
    return fill("The {side} are dealt; it took {number} deals.", side=side, number=deals)
