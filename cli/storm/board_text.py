"""How units are ordered and written in a region, wherever a board is told or drawn."""

from collections.abc import Sequence

from cli.text.wording import _
from storm_p2p.storm.board import BASE, Region
from storm_p2p.storm.state import Group, Token
from storm_p2p.storm.units import CARDS, STRENGTH


def leaders_first(group: Sequence[Token]) -> list[Token]:
    """Return a group of which not everybody is named with its known leader first: he decides the match."""
    return sorted(group, key=lambda token: token.unit is None or not CARDS[token.unit].leads)


def ordered(group: Group, *, known_first: bool = False) -> list[Token]:
    """Return tokens with the strongest first, so that their order tells nothing about serials."""
    return sorted(
        group,
        key=lambda token: (
            known_first and not token.known,
            -1 if token.unit is None else -STRENGTH[token.unit],
            -1 if token.unit is None else token.unit,
        ),
    )


def own_word(token: Token) -> str:
    """Return an own unit in four columns."""
    code = "???" if token.unit is None else CARDS[token.unit].code.upper()
    return f"{code}{'*' if token.known else ' '}"


def enemy_word(token: Token) -> str:
    """Return an enemy counter in four columns."""
    return "-???" if token.unit is None or not token.known else f"-{CARDS[token.unit].code}"


def base_name(region: Region) -> str:
    """Return the name of a base, or nothing."""
    return {BASE[0]: _("Tartarus"), BASE[1]: _("Palace")}.get(region, "")
