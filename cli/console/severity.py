"""How loudly the console asks before an action is sent (docs/console.md, "Questions")."""

from enum import IntEnum


class Severity(IntEnum):
    """How loudly it asks."""

    FREE = 0
    """Sent at once."""
    ASK = 1
    """Asked once; ``!`` accepts beforehand."""
    WARN = 2
    """Asked with the reason; ``!`` is not enough."""
    LAST = 3
    """The word ``yes`` has to be typed."""


def sent_at_once(severity: Severity, *, accepted: bool, confirms: bool) -> bool:
    """Return whether an action is sent without a question.

    ``accepted`` says that ``!`` was typed, ``confirms`` that the player wants to be asked always.
    """
    return severity <= (Severity.ASK if accepted else Severity.FREE) and (accepted or not confirms)
