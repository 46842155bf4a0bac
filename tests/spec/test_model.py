"""docs/model: the model of the handshake holds, and fails for each thing that the protocol would leave out."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers import ROOT
from helpers_docs import PAGES, rows, section

MODEL = (ROOT / "docs" / "model" / "handshake.m").read_text(encoding="utf-8")
README = PAGES["docs/model/README.md"]
CAUGHT = {cells[0].strip("`"): cells[1] for cells in rows(section(README, "What fails without it"), "switch")}
"""Which sentence fails without which switch."""
COMPILER = next(filter(None, map(shutil.which, ("gcc", "cc"))), None)

FAST = re.findall(r"(?<=gcc )-O3.*(?= -std)", README)[0].split()
"""How the page compiles what goes through all states; who finds a fault soon, compiles longer than it runs."""
LATE = ("REMATCH_IDENTITY", "REMATCH_TERMS")
"""Without these the fault is found after millions of states."""

needs_rumur = pytest.mark.skipif(shutil.which("rumur") is None, reason="the model checker rumur is not here")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler is here")


def generate(model: str, folder: Path) -> Path:
    """Return the verifier of a model, as C."""
    source, verifier = folder / "handshake.m", folder / "handshake.c"
    source.write_text(model, encoding="utf-8")
    options = ["--deadlock-detection", "off", "--symmetry-reduction", "off"]
    subprocess.run(["rumur", *options, "--output", verifier, source], check=True, capture_output=True)
    return verifier


def explore(model: str, folder: Path, speed: Sequence[str]) -> str:
    """Return what the verifier of a model says."""
    assert COMPILER is not None
    program = folder / "handshake"
    source = generate(model, folder)
    options = [*speed, "-std=c11", "-march=native", "-mcx16", "-w"]
    subprocess.run([COMPILER, *options, "-o", program, source, "-lpthread"], check=True, capture_output=True)
    return subprocess.run([program], capture_output=True, text=True, check=False).stdout


def test_the_page_has_a_row_for_each_switch_and_each_sentence() -> None:
    switches = re.findall(r"^  (\w+): true;", MODEL, re.MULTILINE)
    assert sorted(CAUGHT) == sorted(switches)
    sentences = re.findall(r'^invariant "(.+)"', MODEL, re.MULTILINE)
    assert [cells[0] for cells in rows(section(README, "What holds"))] == sentences


@needs_rumur
def test_the_model_can_be_read(tmp_path: Path) -> None:
    assert generate(MODEL, tmp_path).stat().st_size > 0


@pytest.mark.long
@needs_rumur
@needs_compiler
def test_the_model_holds_in_all_its_states(tmp_path: Path) -> None:
    said = explore(MODEL, tmp_path, FAST)
    assert "No error found." in said, said
    (states,) = re.findall(r"(\d+) states, \d+ rules fired", said)
    assert f"{int(states):,} states" in README


@pytest.mark.long
@needs_rumur
@needs_compiler
@pytest.mark.parametrize("switch", CAUGHT)
def test_the_model_fails_without_what_the_protocol_does(switch: str, tmp_path: Path) -> None:
    speed = ("-O3",) if switch in LATE else ("-O1",)
    said = explore(MODEL.replace(f"  {switch}: true;", f"  {switch}: false;"), tmp_path, speed)
    assert f'invariant "{CAUGHT[switch]}" failed' in said, said
