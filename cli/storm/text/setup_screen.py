"""The words of the setup screen."""

from typing import Final

from cli.text.wording import lazy
from storm_p2p.storm.units import Unit

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
LOADED: Final = lazy("This is {name}. seal ends the setup.")
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
