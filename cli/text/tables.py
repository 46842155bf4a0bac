"""Tables in lines."""

from collections.abc import Sequence

from cli.clean import pad, width


def draw_table(cells: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table whose first row names the columns; numbers stand to the right."""
    columns = [max(map(width, column)) for column in zip(*cells, strict=True)]
    right = [all(cell[:1].isdigit() or not cell for cell in column[1:]) for column in zip(*cells, strict=True)]

    def fitted(cell: str, number: int) -> str:
        return " " * (columns[number] - width(cell)) + cell if right[number] else pad(cell, columns[number])

    return ["  ".join(fitted(cell, number) for number, cell in enumerate(row)).rstrip() for row in cells]
