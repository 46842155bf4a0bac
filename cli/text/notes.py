"""The player's notes on places of the board; nobody else sees them."""

from collections.abc import Iterable

from cli.text.sentences import Sentence
from cli.text.wording import fill

unkept = Sentence[str]("This lasts until the program ends and cannot be saved: {why}.")


def answer(place: int, note: str) -> str:
    """Return what follows a note, or a note without text."""
    if not note:
        return fill("The note on {place} is gone.", place=place)
    return fill("Noted for {place}: {text}", place=place, text=note)


def listed(notes: Iterable[tuple[int, str]]) -> list[str]:
    """Return all notes."""
    return [f"{place:2}  {text}" for place, text in sorted(notes)]
