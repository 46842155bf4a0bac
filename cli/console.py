"""Output of the commands: results to stdout, talk to stderr, and the exit codes (SPEC.md 6.1)."""

from __future__ import annotations

import json
import sys
from enum import IntEnum
from typing import Any


class Exit(IntEnum):
    """How a command ends."""

    FINE = 0
    NO = 1
    """The answer is no: illegal, does not verify, lost to misbehaviour."""
    USAGE = 2
    """Wrong usage, or input that cannot be read."""
    NO_CONNECTION = 3
    LEFT = 4
    """Left; the match is saved."""
    INTERRUPTED = 130


def say(text: str) -> None:
    """Tell the person something."""
    print(text, file=sys.stderr, flush=True)


def result(text: str) -> None:
    """Print a result."""
    print(text, flush=True)


def line(value: dict[str, Any]) -> None:
    """Print one line of ``--json``."""
    print(json.dumps(value), flush=True)
