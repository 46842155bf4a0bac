"""The program as people and scripts run it: in this process, or as one of its own where that makes a difference."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT
from helpers_processes import Forked

from cli.app import main

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
TIMEOUT = 100
LOG = max(ROOT.glob("tests/logs/*/proved-plain-rules.storm"))
"""A whole match that was kept."""


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "cli.app.main", *words]


def run(*words: str, text: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command within this process, which starts no second Python for it."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))
        try:
            ended = main.main(words)
        except SystemExit as end:
            ended = end.code if isinstance(end.code, int) else 1
    done = subprocess.CompletedProcess(words, ended, out.getvalue(), err.getvalue())
    assert ended == code, done
    return done


def run_program(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a program of its own."""
    done = subprocess.run(command(*words), input="", capture_output=True, text=True, timeout=TIMEOUT, check=True)
    assert "Traceback" not in done.stderr
    return done


@contextmanager
def hosting(home: Path, *words: str) -> Iterator[tuple[Forked, str]]:
    """Start a host and yield its process and its invite."""
    always = ["host", "--home", str(home), "--bind", "127.0.0.1", "--port", "0", "--json", "--patience", "0"]
    with Forked(*always, *words, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield process, str(json.loads(process.stdout.readline())["invite"])
        finally:
            process.kill()


def finish(process: Forked) -> tuple[str, str]:
    """Return what is left of a process's output; ``communicate`` would lose what ``readline`` has read ahead."""
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = process.stdout.read(), process.stderr.read()
    process.wait(timeout=TIMEOUT)
    return out, err


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def verified(path: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = json.loads(run("verify", "--json", path).stdout)
    return found[0]
