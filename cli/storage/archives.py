"""Which archives were checked here and held, so that counting does not check them once more.

It stands in the home and not in the archive, where whoever has made that could say so, too.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from cli.storage import values
from cli.storage.home import Home

MOST: Final = 1000
"""How many are remembered; the oldest is forgotten first."""


def load_checked(home: Home, verifier: str) -> list[str]:
    """Return what identifies each archive that this program has checked.

    Args:
        home: where it is kept.
        verifier: the program; what another version did not find, this one may.
    """
    return _of(values.read(home.archives_file), verifier)


def add_checked(home: Home, verifier: str, manifest: str) -> None:
    """Remember an archive; where that cannot be written, it is checked again."""

    def add(found: Any) -> dict[str, Any]:
        others = [one for one in _of(found, verifier) if one != manifest]
        return {"verifier": verifier, "checked": [*others, manifest][-MOST:]}

    with suppress(OSError):
        values.change(home.archives_file, add)


def _of(found: Any, verifier: str) -> list[str]:
    if isinstance(found, dict) and found.get("verifier") == verifier and isinstance(found.get("checked"), list):
        return [one for one in found["checked"] if isinstance(one, str)]
    return []
