"""One picture of the full screen: its rows, and which cells of it can be clicked."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of a row that can be clicked."""

    row: int
    left: int
    right: int
    """The column behind its last one."""
    what: str
    """``send``, ``no``, ``word WORD`` (is taken), ``choose WORDS`` (is typed), ``key NAME``, or the game's own."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: the rows above and below the prompt, and what can be clicked."""

    above: tuple[tuple[tuple[str, str], ...], ...]
    prompt: str
    below: tuple[tuple[tuple[str, str], ...], ...]
    zones: tuple[Zone, ...] = field(default=())


def zone_at(frame: Frame, row: int, column: int) -> str:
    """Return what is under a cell of the screen, or nothing."""
    for zone in reversed(frame.zones):
        if zone.row == row and zone.left <= column < zone.right:
            return zone.what
    return ""
