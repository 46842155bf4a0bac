"""The setup in words: its screen, what is asked, what is refused, how far it is."""

from collections.abc import Sequence
from typing import Final

from cli.storm import vocabulary
from cli.storm.text import names
from cli.storm.text.sentences import Sentence
from cli.text.wording import _, count, fill, lazy, listed
from storm_p2p.storm.board import REALM, Faction, Region
from storm_p2p.storm.units import LEADERS, NAME, ROSTER, THROWERS, Unit

HEAD: Final = lazy("{side}  {count} of {whole}")
MUST: Final = lazy("{unit} must be there")
MUST_DONE: Final = lazy("{unit} is placed (must)")
FREE: Final = lazy("free: {regions}")
COMPLETE: Final = lazy("complete: type seal")
SEALED: Final = lazy("sealed")
TERMS: Final = lazy("terms: {terms}")
RIVAL: Final = lazy("{name} sets up at the same time.")
STANDS_IN: Final = lazy("in {region}")
RIVAL_SEALED: Final = lazy("{name} has sealed.")
STRENGTH: Final = lazy("strength {strength}")
YOUR_TWELVE: Final = lazy("your twelve: place, strength, power")
KEPT: Final = lazy("Saved setups: {names} (load NAME).")
LOADED: Final = lazy("The setup {name} is on the board.")
SAVE_EXPECTED: Final = lazy("You need units on the board and a name, as in: save wall.")
LOAD_EXPECTED: Final = lazy("Expected the name of a saved setup ({names}), as in: load wall.")
NONE_KEPT: Final = lazy("none yet")
FIRST: Final = lazy((
    "random places nine units at once, seal ends the setup. Or place them: {unit} {region}, or click unit and region.",
    "Nobody sees your units before they are revealed, so bluff: a weak unit can look like your leader.",
))  # fmt: skip
READY: Final = lazy((
    "seal ends the setup. Until then, two units swap places, mirror swaps left and right, clear starts over.",
    "save NAME keeps this setup for other matches.",
))  # fmt: skip
"""When all nine stand."""

SHORT: Final = lazy({
    Unit.HADES: "leader, recalls dead",
    Unit.PERSEPHONE: "leader, slips away",
    Unit.CERBERUS: "alone it must chase",
    Unit.CRONUS: "kills Zeus on sight",
    Unit.HECATE: "takes their Energy",
    Unit.HYPNOS: "others count for 0",
    Unit.ERINYES: "sneak attack",
    Unit.MOIRAE: "no Energy limit",
    Unit.HARPIES: "fly",
    Unit.THANATOS: "takes all with him",
    Unit.CHARON: "Styx for free",
    Unit.NYX: "cuts their Energy",
    Unit.ZEUS: "thunderbolts",
    Unit.HERA: "stronger with comrades",
    Unit.ATHENA: "sees choices first",
    Unit.APHRODITE: "charms males",
    Unit.DIONYSUS: "alone: less penalty",
    Unit.APOLLO: "flies; double penalty",
    Unit.HERMES: "alone: many steps",
    Unit.ARES: "alone: Energy twice",
    Unit.POSEIDON: "gains along the Styx",
    Unit.ARTEMIS: "strong in a chase",
    Unit.HEPHAESTUS: "strong in defense",
    Unit.DEMETER: "drains Energy below",
})  # fmt: skip
"""What a unit is good at, in a few words."""

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


def hint(standing: Sequence[tuple[Region, Unit]], side: Faction, name: str) -> list[str]:
    """Return the setup that the computer proposes, why, and how it is taken."""
    leads = any(1 << unit & LEADERS for unit in ROSTER[side])
    kept = LEADERS if leads else THROWERS
    why = lazy(
        "Strong units stand in front and protect {units}: without a leader you lose."
        if leads else "Strong units stand in front and protect {units}, whose thunderbolts guard the Palace."
    )
    behind = listed(names.unit_name(unit) for _, unit in standing if 1 << unit & kept)
    take = lazy("Your board has not changed. load {name} takes this setup, {name} proposes another one.")
    return [f"{fill('Hint: {units}', units=told(standing))} {fill(why, units=behind)}", fill(take, name=name)]


def told(standing: Sequence[tuple[Region, Unit]]) -> str:
    """Return who stands where, for a screen reader."""
    if not standing:
        return _("Nothing placed yet.")
    return fill("{units}.", units=", ".join(f"{region} {names.unit_name(unit)}" for region, unit in standing))
