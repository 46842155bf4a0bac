"""A match of Storm from outside: its terms, how it ended, where everybody stands at its end."""

from typing import Final

from cli.storm.model import Model, in_palace, named
from cli.storm.text import names
from cli.text.wording import _, fill, lazy
from storm_p2p.storm.board import REGIONS, Faction
from storm_p2p.storm.state import State, Terms


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
