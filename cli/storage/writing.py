"""How small files of a player are written: all of it or nothing, for nobody else to read."""

from pathlib import Path

from protocol.record.files import make_folder, write_file


def write(path: Path, text: str) -> None:
    """Write a file of the home folder, and make the folder where it is missing.

    A program that is killed meanwhile, or a machine that stops, leaves the file as it was before.  Nobody but the owner
    can read it, not even for a moment.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    make_folder(path.parent)
    write_file(path, text.encode(), private=True)
