"""Files are written in one place, whose changes of the home are locked and whole (decision 0040)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from helpers import ROOT

WRITERS = {
    "protocol/record/files.py",
    "protocol/record/journal.py",
    # A log takes a free name; a box is overwritten where it stands; what others print is cut at its beginning.
    "protocol/record/logfile.py",
    "cli/meeting/meeting.py",
    "cli/runtime/console.py",
    # A folder of the system, for the length of a call; no file at all; and files that are only read.
    "protocol/transport/certificate.py",
    "cli/app/main.py",
    "protocol/system/files.py",
}
"""What opens files to write them."""

WHOLE = {
    "protocol/record/keyfile.py",
    "protocol/archive/parts.py",
    "cli/app/carrying.py",
    "cli/app/launch/proposal.py",
    "cli/app/page.py",
    "cli/app/play.py",
    "cli/app/replay.py",
    "cli/app/standings.py",
    "cli/app/watch.py",
    "cli/console/screen_state.py",
    "cli/events/folder.py",
    "cli/events/judging.py",
    "cli/match/publishing.py",
    "cli/match/stored.py",
    "cli/storage/home.py",
}
"""What writes a file without having read it: named by its hash, or by a person, or for one log alone."""


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    text = path.read_text(encoding="utf-8")
    if not re.search(r"\bopen\(|write_(text|bytes|file)|drafted\(|os\.(replace|rename)", text):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def modes(node: ast.Call) -> str:
    """Return the words among the arguments, of which one may be how a file is opened."""
    return "".join(str(one.value) for one in node.args if isinstance(one, ast.Constant) and len(str(one.value)) < 4)


def test_nothing_else_opens_a_file_to_write_it_or_writes_one_that_it_may_have_read() -> None:
    writers, whole = set(), set()
    for folder in ("cli", "protocol", "storm_p2p"):
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            for called, node in calls(path):
                last = called.rpartition(".")[2]
                if last in ("write_text", "write_bytes") or called in ("os.open", "os.replace", "os.rename"):
                    writers.add(name)
                if last == "open" and set(modes(node)) & set("wax+"):
                    writers.add(name)
                if last in ("write_file", "drafted"):
                    whole.add(name)
    assert writers == WRITERS
    assert whole - {"protocol/record/files.py", "protocol/record/logfile.py"} == WHOLE
