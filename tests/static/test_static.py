"""Linters, types and import contracts, so that one command says whether the tree is ready."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from helpers import ROOT

pytestmark = pytest.mark.static


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_finds_nothing() -> None:
    assert run("-m", "ruff", "check", "--quiet", ".") == ""


# Nothing else takes so long without a cache; .ci/run fills that cache beside the daily tests.
@pytest.mark.long
def test_mypy_in_strict_mode_finds_nothing(pytestconfig: pytest.Config) -> None:
    # Its cache goes by the contents of the files, the options and its own version.
    cache = pytestconfig.cache.mkdir("mypy") if hasattr(pytestconfig, "cache") else os.devnull
    assert run("-m", "mypy", "--no-error-summary", "--cache-dir", str(cache)) == ""


def test_no_import_goes_against_the_direction_of_the_layers() -> None:
    script = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir=None))"
    assert run("-c", script) == ""
