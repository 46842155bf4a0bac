"""The setup in words: what is asked, what is refused, how far it is."""

from __future__ import annotations

from collections.abc import Sequence

from cli.storm import vocabulary
from cli.storm.text import names
from cli.text.names import listed
from cli.text.wording import _, count, fill, lazy
from storm_p2p.storm.board import REALM, Faction, Region
from storm_p2p.storm.units import NAME, ROSTER, Unit


def first(faction: Faction) -> str:
    """Return how a setup begins, with an example of the own side."""
    sentence = lazy("Put nine of your twelve units on your nine regions, as in: {unit} {region}. Or: random.")
    return fill(sentence, unit=vocabulary.say_argument(NAME[ROSTER[faction][0]]), region=REALM[faction][0])


def not_in_realm(faction: Faction, region: Region) -> str:
    """Return that a region is not of the own realm."""
    realm = listed(REALM[faction], "or")
    return fill("Expected a region of your realm ({realm}), got {region}.", realm=realm, region=region)


def not_yours(faction: Faction, unit: Unit) -> str:
    """Return that a unit is the other side's."""
    sentence = lazy("Expected one of your {side}, got {unit}. Type units to see them.")
    return fill(sentence, side=names.side_name(faction), unit=names.unit_name(unit))


def both_off(one: Unit, two: Unit) -> str:
    """Return that neither of two units to swap is placed."""
    sentence = lazy("Neither {one} nor {two} is on the board yet. Place one first.")
    return fill(sentence, one=names.unit_name(one), two=names.unit_name(two))


def twice(unit: Unit) -> str:
    """Return that a unit cannot be swapped with itself."""
    return fill("Expected two units to swap, got {unit} twice.", unit=names.unit_name(unit))


def must_be_there(unit: Unit) -> str:
    """Return that a leader is missing."""
    return fill("{unit} has to be among the nine, but is not placed yet.", unit=names.unit_name(unit))


def free_regions(regions: Sequence[Region]) -> str:
    """Return that regions are still free."""
    return fill("Every region of your realm needs a unit; still free: {regions}.", regions=listed(regions))


def progress(placed: int, all_of_them: int, free: Sequence[Region]) -> str:
    """Return how far the setup is."""
    if not free:
        full = lazy("{placed} of {all} placed. Type seal to seal it, or two units to swap them.")
        return fill(full, placed=placed, all=all_of_them)
    return count(
        "{placed} of {all} placed. Free region: {regions}.", "{placed} of {all} placed. Free regions: {regions}.",
        len(free), placed=placed, all=all_of_them, regions=listed(free),
    )  # fmt: skip


def told(standing: Sequence[tuple[Region, Unit]]) -> str:
    """Return who stands where, for a screen reader."""
    if not standing:
        return _("Nothing placed yet.")
    return fill("{units}.", units=", ".join(f"{region} {names.unit_name(unit)}" for region, unit in standing))


def taken_off(unit: Unit, by: Unit) -> str:
    """Return that a unit has lost its place to another one."""
    sentence = lazy("{unit} is off the board again; {by} took that place.")
    return fill(sentence, unit=names.unit_name(unit), by=names.unit_name(by))


def moved_to(unit: Unit, region: Region) -> str:
    """Return that a unit stands somewhere else now, because two have changed places."""
    return fill("The two have swapped places: {unit} is now in {region}.", unit=names.unit_name(unit), region=region)
