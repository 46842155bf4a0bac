"""A match of Storm from outside: its terms, how it ended, where everybody stands at its end, and what a cheat hid."""

from collections import Counter
from typing import Final

from cli import language
from cli.storm.model import Model, in_palace, named
from cli.storm.text import names
from cli.text import verdicts
from cli.text.wording import _, count, fill, lazy, listed
from protocol.core.messages import FalseBatch
from storm_p2p.storm.board import REGIONS, Faction
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import CARDS, Unit


def terms(terms: Terms, *, short: bool = False) -> str:
    """Return the terms of a match in words; ``short`` leaves out whose Honor a challenge changes."""
    parts = [_("open combat")] if terms.open_combat else []
    if terms.random_setup:
        parts.append(_("random setup"))
    if terms.challenge:
        challenge = lazy("challenge {honor:+d}" if short else "challenge {honor:+d} Honor for the Chthonians")
        parts.append(fill(challenge, honor=terms.challenge))
    return ", ".join(parts) or _("standard rules")


_PALACE: Final = lazy("{leader} reached the Palace, which wins at once")
_LEADERS: Final = lazy("the Chthonians have lost their leaders")
_HONOR: Final = lazy({True: "{loser} has no Honor left", False: "no Honor is left", None: "nobody has Honor left"})
"""By whether the player has won; None for a draw."""


def why(model: Model, reason: str) -> str:
    """Return why a game has ended by its own rules (END-1, END-3, END-4); another reason as it is."""
    ending = model.ending
    if reason == "palace":
        return fill(_PALACE, leader=leader(model.state))
    if reason == "leaders" or ending is None:
        return str(_LEADERS) if reason == "leaders" else reason
    won = None if ending.winner == "draw" else ending.winner == model.side.name.lower()
    return fill(_HONOR[won], loser=model.opponent) if reason == "honor" else reason


def leader(state: State | None) -> str:
    """Return which leader of the Chthonians stands in the Palace, known to all, for a sentence."""
    found = None if state is None else in_palace(state)
    return _("a leader of the Chthonians") if found is None else names.unit_name(found)


def standing(model: Model, faction: Faction, state: State) -> str:
    """Return where all units of a side stand, for a screen reader."""
    units = [f"{region} {names.unit_name(unit)}" for region in REGIONS for unit in named(state.sides[faction][region])]
    template = lazy("Your units: {units}." if faction == model.side else "Units of {opponent}: {units}.")
    return fill(template, opponent=model.opponent, units=", ".join(units) or _("none"))


def false_batch(batch: FalseBatch) -> str:
    """Return what a side has done that hid other units than it had to, as far as its seed shows it."""
    due, parts = Counter(batch.due), [Counter(part) for part in batch.held]
    held = sum(parts, Counter[int]())
    if not held:
        return verdicts.how("batch_not_derived")
    wrong, missing, unread = sorted(held - due), sorted(due - held), len(batch.due) - held.total()
    own = CARDS[Unit(batch.due[0])].faction
    divided = len(parts) > 1
    kept = [value for value in wrong if divided and all(value in part for part in parts)]
    if kept:
        template = lazy("kept {units} on both sides when dividing a group")
        return fill(template, units=listed(_hidden(value, own) for value in kept))
    if divided and not unread:
        swapped = [listed(_hidden(value, own) for value in values) for values in (missing, wrong)]
        return fill("swapped {missing} for {units} when dividing a group", missing=swapped[0], units=swapped[1])
    # A unit that belongs there can only be there too often.
    units = [_several(Unit(value), held[value]) if value in due else _hidden(value, own) for value in wrong]
    if unread:
        units.append(
            count(
                "a unit that does not come from the secret they had committed to",
                "{number} units that do not come from the secret they had committed to", unread,
            )
        )  # fmt: skip
    return fill("put {units} into a divided group" if divided else "placed {units}", units=listed(units))


def _hidden(value: int, own: Faction) -> str:
    """Return what a side has hidden, whether or not it is a unit of theirs."""
    if value not in Unit.__members__.values():
        return _("something that is no unit")
    unit = Unit(value)
    name = names.unit_name(unit)
    return name if CARDS[unit].faction == own else fill("the enemy's {unit}", unit=name)


def _several(unit: Unit, number: int) -> str:
    """Return a unit that is there more than once; in German its name has no plural."""
    name = names.unit_name(unit)
    if language.current() == language.ENGLISH and not names.are_many((unit,)):
        name += "es" if name.endswith(("s", "x")) else "s"
    return fill("two {units}", units=name) if number == 2 else f"{number} {name}"
