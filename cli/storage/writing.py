"""How small files of a player are written: all of it or nothing, for nobody else to read."""

import os
import secrets
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write a file of the home folder, and make the folder where it is missing.

    A program that is killed meanwhile, or a machine that stops, leaves the file as it was before.  Nobody but the owner
    can read it, not even for a moment.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
