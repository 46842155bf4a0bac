"""Linters, types and import contracts, so that one command says whether the tree is ready."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from helpers import ROOT
from helpers_docs import MODULES

pytestmark = pytest.mark.static


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=500, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_finds_nothing() -> None:
    assert run("-m", "ruff", "check", "--quiet", ".") == ""


def test_ruff_lays_out_the_code_but_for_a_few_tables() -> None:
    assert run("-m", "ruff", "format", "--check", "--quiet", ".") == ""
    kept = [line for text in MODULES.values() for line in text.splitlines() if line.endswith("# fmt: skip")]
    assert len(kept) <= 60


# Nothing else takes so long without a cache; .ci/run fills that cache beside the daily tests.
@pytest.mark.long
def test_mypy_in_strict_mode_finds_nothing(pytestconfig: pytest.Config) -> None:
    # Its cache goes by the contents of the files, the options and its own version.
    cache = pytestconfig.cache.mkdir("mypy") if hasattr(pytestconfig, "cache") else os.devnull
    assert run("-m", "mypy", "--no-error-summary", "--cache-dir", str(cache)) == ""


def test_no_import_goes_against_the_direction_of_the_layers() -> None:
    script = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir=None))"
    assert run("-c", script) == ""
