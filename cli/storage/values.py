"""Values in small JSON files of the home; a file that holds something else counts as none."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from protocol.record.files import change_file
from protocol.system.files import read_file


def read(path: Path) -> Any:
    """Return the value in a file, which anybody may have written; None if there is none that can be read."""
    try:
        return parse(read_file(path))
    except OSError:
        return None


def change(path: Path, how: Callable[[Any], Any]) -> None:
    """Put another value into a file while no other program does, unless it is None.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """

    def write(data: bytes | None) -> bytes | None:
        value = how(None if data is None else parse(data))
        return None if value is None else dump(value)

    change_file(path, write)


def parse(data: bytes) -> Any:
    """Return the value of a file's bytes, or None if they are none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def dump(value: Any) -> bytes:
    """Return the bytes of a value."""
    # Names of files need not be text, and a file may hold what is none; it is read in the same way.
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode(errors="surrogatepass")
