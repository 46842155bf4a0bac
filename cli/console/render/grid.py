"""A rectangle of characters with styles, that becomes lines of spans."""

from cli.console.render.spans import Line, Span


class Grid:
    """Characters that are put one over the other."""

    def __init__(self, rows: int, columns: int) -> None:
        self._chars = [[" "] * columns for _ in range(rows)]
        self._styles = [[""] * columns for _ in range(rows)]

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write text; each of its characters takes one column."""
        self._chars[row][column : column + len(text)] = text
        self._styles[row][column : column + len(text)] = [style] * len(text)

    def lines(self) -> tuple[Line, ...]:
        """Return the rows as spans."""
        return tuple(
            _spans(chars, styles) for chars, styles in zip(self._chars, self._styles, strict=True)
        )


def _spans(chars: list[str], styles: list[str]) -> Line:
    spans: list[Span] = []
    start = 0
    for column in range(1, len(chars) + 1):
        if column == len(chars) or styles[column] != styles[start]:
            spans.append((styles[start], "".join(chars[start:column])))
            start = column
    return tuple(spans)
