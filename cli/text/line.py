"""The state of the line in words."""

from __future__ import annotations

from cli.text.wording import _, fill


def direct(latency: float) -> str:
    """Return the words for a line that is there; ``latency`` in seconds, 0 if it is not known yet."""
    return fill("direct, {time} ms", time=round(latency * 1000)) if latency else _("direct")


def calling(count: int, seconds: float) -> str:
    """Return the words for a line that is called for."""
    return fill("calling, try {count}, next in {seconds} s", count=count, seconds=round(seconds))


def none(seconds: float) -> str:
    """Return the words for a line that is not there, ``seconds`` long."""
    return fill("offline for {seconds} s", seconds=round(seconds)) if seconds >= 1 else _("offline")
