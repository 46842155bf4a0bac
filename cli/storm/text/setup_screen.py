"""The words of the setup screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.text.wording import speak
from storm_p2p.storm.units import Unit

speak(__name__)

HEAD: Final = "{side}  {count} of {whole}"
MUST: Final = "{unit} must be there"
MUST_DONE: Final = "{unit} is placed (must)"
FREE: Final = "free: {regions}"
COMPLETE: Final = "complete: type seal"
SEALED: Final = "sealed"
TERMS: Final = "terms: {terms}"
RIVAL: Final = "{name} sets up at the same time."
STANDS_IN: Final = "in {region}"
RIVAL_SEALED: Final = "{name} has sealed."
STRENGTH: Final = "strength {strength}"
YOUR_TWELVE: Final = "your twelve: place, strength, what it can"
KEPT: Final = "Kept setups: {names} (load NAME)."
SAVED: Final = "Kept as {name}; load {name} brings it back in any match."
LOADED: Final = "This is {name}. seal ends the setup."
SAVE_EXPECTED: Final = "Expected units on the board and a name, as in: save wall."
LOAD_EXPECTED: Final = "Expected the name of a setup that you have kept ({names}), as in: load wall."
NONE_KEPT: Final = "none yet"
LAST: Final = "last"
UNKEPT: Final = "The setup cannot be kept: {why}."
FIRST: Final = (
    "random places nine units at once, seal ends the setup. Or place them: {unit} {region}, or click unit and region.",
    "Nobody sees your units before they are revealed, so bluff: a weak unit can look like your leader.",
)
READY: Final = (
    "seal ends the setup. Until then two units change places, mirror turns left and right, clear begins anew.",
    "save NAME keeps this setup for other matches.",
)
"""When all nine stand."""

SHORT: Final[Mapping[Unit, str]] = {
    Unit.HADES: "leader, recalls dead",
    Unit.PERSEPHONE: "leader, slips away",
    Unit.CERBERUS: "alone it must chase",
    Unit.CRONUS: "kills Zeus on sight",
    Unit.HECATE: "takes their Energy",
    Unit.HYPNOS: "others count nothing",
    Unit.ERINYES: "sneak attack",
    Unit.MOIRAE: "no limit of Energy",
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
}
"""What a unit is good at, in a few words."""
