"""The setup in words: what is asked, what is refused, how far it is."""

from collections.abc import Sequence

from cli.storm import vocabulary
from cli.storm.text import names
from cli.storm.text.sentences import Sentence
from cli.text.names import listed
from cli.text.wording import _, count, fill, lazy
from storm_p2p.storm.board import REALM, Faction, Region
from storm_p2p.storm.units import NAME, ROSTER, Unit

not_yours = Sentence[Faction, Unit]("Expected one of your {side}, got {unit}. Type units to see them.")
both_off = Sentence[Unit, Unit]("Neither {one} nor {two} is on the board yet. Place one first.")
twice = Sentence[Unit]("Expected two units to swap, got {unit} twice.")
must_be_there = Sentence[Unit]("{unit} has to be among the nine, but is not placed yet.")
free_regions = Sentence[Sequence[Region]]("Every region of your realm needs a unit; still free: {regions}.")
taken_off = Sentence[Unit, Unit]("{unit} is off the board again; {by} took that place.")
moved_to = Sentence[Unit, Region]("The two have swapped places: {unit} is now in {region}.")


def first(faction: Faction) -> str:
    """Return how a setup begins, with an example of the own side."""
    sentence = lazy("Put nine of your twelve units on your nine regions, as in: {unit} {region}. Or: random.")
    return fill(sentence, unit=vocabulary.say_argument(NAME[ROSTER[faction][0]]), region=REALM[faction][0])


def not_in_realm(faction: Faction, region: Region) -> str:
    """Return that a region is not of the own realm."""
    realm = listed(REALM[faction], "or")
    return fill("Expected a region of your realm ({realm}), got {region}.", realm=realm, region=region)


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
