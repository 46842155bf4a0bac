"""A match as it begins at the console, and the lines of its log."""

from collections.abc import Mapping
from typing import Any

from cli.clean import clean
from cli.console.guest import GameConsole
from cli.console.model import Entry, Item, Model, Said, Word
from cli.text import matches

LONGEST_NAME = 24
"""Longest name of an opponent that is shown."""


def begin_match(guest: GameConsole[Any], side: Any, terms: Any, opponent: str, facts: Mapping[str, str]) -> Any:
    """Return the model of a match that has just begun, of the kind that its game has.

    ``facts`` are those of :meth:`cli.match.player.Player.seated`.
    """
    return guest.model(
        guest,
        side,
        terms,
        clean(opponent, LONGEST_NAME) or "opponent",
        clean(facts.get("match", "")),
        clean(facts.get("words", "")),
        clean(facts.get("log", "")),
        facts.get("notes", ""),
        computer=bool(facts.get("computer")),
        progress=guest.begins(terms),
    )


def tell(model: Model, item: Item) -> list[str]:
    """Return the lines of the log for one thing that was told."""
    match item:
        case Entry():
            return [f"{item.turn:3} {line}" for line in model.guest.tell(model, item)]
        case Said():
            return [f"    {matches.remark(model, item)}"]
        case Word():
            return [f"    {item.sentence}"]
        case _:
            return [f"    {model.guest.say(model, item)}"]
