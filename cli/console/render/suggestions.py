"""What Tab offers, in the rows below the prompt: nothing of what is needed for a decision lies under it.  Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from cli.clean import shorten
from cli.console.render.spans import Line, Span, fitted, line, line_width
from cli.text import screens
from cli.text.wording import fill

_GAP = 2


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a suggestion stands."""

    row: int
    """From the first of the rows below the prompt on."""
    left: int
    right: int
    """The column behind its last one."""
    number: int
    """Of the suggestion."""


def draw(
    offered: Sequence[tuple[str, str]], picked: int | None, columns: int, rows: int
) -> tuple[list[Line], list[Spot]]:
    """Return the rows below the prompt with as many suggestions as fit, and where they stand.

    They are words, each with its price or what it is, around the ``picked`` one, which is at the prompt.
    """
    room = columns - line_width(_count(len(offered), len(offered), len(offered))) - 2 * _GAP
    texts = [shorten(f"{word} ({note})" if note else word, room) for word, note in offered]
    first, spots = _page(texts, picked or 0, columns, rows)
    lines: list[Line] = []
    for row in range(rows):
        spans: list[Span] = []
        column = 0
        for spot in (spot for spot in spots if spot.row == row):
            spans.append(("", " " * (spot.left - column)))
            spans.append(("picked" if spot.number == picked else "", texts[spot.number]))
            column = spot.right
        lines.append(tuple(spans))
    if len(spots) < len(texts):
        more = _count(first + 1, first + len(spots), len(texts))
        lines[-1] = fitted(lines[-1], columns - 1 - line_width(more)) + line(more, "dim")
    return [fitted(found, columns) for found in lines], spots


def _count(first: int, last: int, count: int) -> str:
    return fill(screens.MORE, first=first, last=last, count=count)


def _page(texts: Sequence[str], picked: int, columns: int, rows: int) -> tuple[int, list[Spot]]:
    """Return the first suggestion of the page that the picked one is on, and where those of that page stand."""
    first = 0
    while True:
        spots = _placed(texts, first, columns, rows)
        after = first + len(spots)
        if picked < after or after >= len(texts):
            return first, spots
        first = after


def _placed(texts: Sequence[str], first: int, columns: int, rows: int) -> list[Spot]:
    """Return where suggestions stand from one on, as many as fit; the last row keeps room for how many there are."""
    count = _count(len(texts), len(texts), len(texts))
    spots: list[Spot] = []
    row, column = 0, 1
    for number in range(first, len(texts)):
        whole = first == 0 and number == len(texts) - 1
        room = columns if row < rows - 1 or whole else columns - line_width(count) - _GAP
        if column > 1 and column + line_width(texts[number]) > room:
            row, column = row + 1, 1
        if row == rows:
            break
        spots.append(Spot(row, column, column + line_width(texts[number]), number))
        column += line_width(texts[number]) + _GAP
    return spots
