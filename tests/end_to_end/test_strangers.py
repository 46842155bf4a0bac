"""What was attacked on real processes with files, bytes and names: none of it runs, shows or stops anything."""

from __future__ import annotations

import os
import site
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands import play

TIMEOUT = 60
PLANTED = "open('ran.txt', 'a').write(__name__ + chr(10))\nraise ImportError('planted')\n"


def planted(folder: Path) -> Path:
    """Return a folder with a log and with modules that bear the names of those that the program imports."""
    folder.mkdir()
    for name in ("msgpack", "websockets", "cryptography", "cli", "json"):
        (folder / f"{name}.py").write_text(PLANTED)
    (folder / "friend.storm").write_bytes(b"storm-p2p log 1\n")
    return folder


@pytest.mark.parametrize("again", ["play", "resume"])
def test_no_module_that_lies_in_the_current_folder_is_run(again: str, tmp_path: Path) -> None:
    folder, home = planted(tmp_path / "downloads"), str(tmp_path / "home")
    for word in ("play", "resume") if again == "resume" else ("play",):
        done = subprocess.run(
            [sys.executable, "-P", "-m", "cli.main", word, "--plain", "--home", home], cwd=folder, input="bye\n",
            capture_output=True, text=True, timeout=TIMEOUT,
        )  # fmt: skip
        assert done.returncode == 4, (done.stdout, done.stderr)
    assert not (folder / "ran.txt").exists()


def test_the_computer_player_starts_where_the_program_is_not_installed(tmp_path: Path) -> None:
    folder = planted(tmp_path / "downloads")
    # Without the module ``site`` no path file is read: nothing but the folder of its source leads to the program.
    python, *rest = play.PROGRAM
    libraries = next(path for path in site.getsitepackages() if Path(path, "msgpack").is_dir())
    done = subprocess.run(
        [python, "-S", *rest, "people", "--home", str(tmp_path)], cwd=folder, capture_output=True, text=True,
        timeout=TIMEOUT, env={**os.environ, "PYTHONPATH": libraries},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not (folder / "ran.txt").exists()
