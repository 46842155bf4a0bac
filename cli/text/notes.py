"""The player's notes on regions: what they say is his own, and only he sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cli.text.sentences import Sentence
from cli.text.wording import fill, lazy
from storm_p2p.storm.board import Region

EXPECTED: Final = lazy("Expected a region and some text, as in: note 8 maybe Zeus. note 8 alone removes the note.")
NONE: Final = lazy("No notes yet. Type for example: note 8 maybe Zeus. Only you see them.")

unkept = Sentence[str]("This lasts until the program ends and cannot be saved: {why}.")


def answer(region: Region, note: str) -> str:
    """Return what follows a note, or a note without text."""
    if not note:
        return fill("The note on {region} is gone.", region=region)
    return fill("Noted for {region}: {text}", region=region, text=note)


def listed(notes: Iterable[tuple[Region, str]]) -> list[str]:
    """Return all notes, or that there is none."""
    return [f"{region:2}  {text}" for region, text in sorted(notes)] or [str(NONE)]
