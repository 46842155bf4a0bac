"""A command starts with what it needs: what others need stays on the disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT

LOG = str(max((ROOT / "tests" / "logs").rglob("hash-plain-rules.storm")))
OF_MATCHES = {"cli.match", "protocol.core.session", "sqlite3", "asyncio", "prompt_toolkit", "websockets", "segno"}
OF_LOGS = {"cryptography", "nacl", "msgpack"}
HOME = "NO SUCH HOME"
UNWANTED = {
    ("--version",): OF_MATCHES | OF_LOGS | {"argparse", "dataclasses", "storm_p2p.storm", "importlib.metadata"},
    ("scenario", "-"): OF_MATCHES
    | OF_LOGS
    | {"argparse", "gettext", "pathlib", "protocol.core", "importlib.metadata", "signal", "threading"},
    ("learn", "--plain"): OF_MATCHES
    | {"cryptography", "nacl", "secrets", "importlib.metadata", "shlex", "cli.notices", "protocol.core.events"},
    ("join", "x", "--home", HOME): {
        "prompt_toolkit",
        "nacl",
        "cryptography",
        "segno",
        "cli.console.messages",
        "cli.console.screen_state",
    },
    ("history", "--home", HOME): OF_MATCHES - {"cli.match", "sqlite3"}
    | {"nacl", "cli.notices", "cli.console.messages", "protocol.tournament.lines", "decimal"},
    ("verify", LOG): OF_MATCHES | {"cryptography", "protocol.crypto.proofs", "importlib.metadata"},
    ("verify", LOG, "--independent"): OF_MATCHES | {"cryptography", "nacl", "protocol.core.audit"},
    ("replay", LOG, "--text"): {"asyncio", "prompt_toolkit", "websockets", "cryptography", "importlib.metadata"},
    ("play", "--help"): OF_MATCHES | OF_LOGS | {"storm_p2p.storm", "secrets", "importlib.metadata"},
}


@pytest.mark.parametrize("words", UNWANTED, ids=lambda words: " ".join(words).replace(LOG, "LOG"))
def test_a_command_loads_nothing_that_it_does_not_need(words: tuple[str, ...], tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from cli.app.main import main\n"
        "try:\n"
        "    code = main(sys.argv[1:])\n"
        "except SystemExit as ended:\n"
        "    code = ended.code\n"
        "print(*sys.modules, file=sys.stderr)\n"
        "sys.exit(code)"
    )
    command = [sys.executable, "-c", code, *(str(tmp_path) if word == HOME else word for word in words)]
    done = subprocess.run(command, input="[]", cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    # An invite that is none is refused.
    refused = words[0] == "join"
    assert done.returncode == (2 if refused else 0), done.stderr
    assert done.stdout or refused or words[0] == "history"
    loaded = done.stderr.split()
    assert "cli.app.main" in loaded
    assert UNWANTED[words].isdisjoint(loaded), sorted(UNWANTED[words] & set(loaded))
