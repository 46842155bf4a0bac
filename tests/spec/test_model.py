"""docs/model: the model of the handshake holds, and fails for each thing that the protocol would leave out."""

from __future__ import annotations

import re
import shutil
import subprocess
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
"""How the page compiles what goes through all states."""
OFF = 119
"""A number that stands nowhere in the model, for that of the switch that is off."""

CHOSEN = """char *getenv(const char *);
int atoi(const char *);
static int off;
__attribute__((constructor)) static void choose(void) { off = atoi(getenv("OFF")); }
"""
"""What a verifier needs to begin with the switch that is off."""

needs_rumur = pytest.mark.skipif(shutil.which("rumur") is None, reason="the model checker rumur is not here")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler is here")


def generate(model: str, folder: Path) -> Path:
    """Return the verifier of a model, as C."""
    source, verifier = folder / "handshake.m", folder / "handshake.c"
    source.write_text(model, encoding="utf-8")
    options = ["--deadlock-detection", "off", "--symmetry-reduction", "off"]
    subprocess.run(["rumur", *options, "--output", verifier, source], check=True, capture_output=True)
    return verifier


def compile_switched(folder: Path) -> Path:
    """Return the verifier of the model as a program, for which ``OFF`` in its environment is the switch that is off.

    To compile it takes longer than to find most of the faults, so that is done once for all switches.
    """
    assert COMPILER is not None
    model = MODEL
    for number, switch in enumerate(CAUGHT, 1):
        # What stands above the value of a switch does not use it.
        before, value, uses = model.partition(f"  {switch}: true;")
        model = before + value + re.sub(rf"\b{switch}\b", f"({OFF} != {number})", uses)
    source, program = generate(model, folder), folder / "handshake"
    code = source.read_text(encoding="utf-8")
    source.write_text(CHOSEN + code.replace(f"VALUE_C({OFF})", "off"), encoding="utf-8")
    options = [*FAST, "-std=c11", "-march=native", "-mcx16", "-w"]
    subprocess.run([COMPILER, *options, "-o", program, source, "-lpthread"], check=True, capture_output=True)
    return program


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
def test_the_model_holds_in_all_its_states_and_fails_without_what_the_protocol_does(tmp_path: Path) -> None:
    program = compile_switched(tmp_path)

    def explore(off: int) -> str:
        return subprocess.run([program], env={"OFF": str(off)}, capture_output=True, text=True, check=False).stdout

    said = explore(0)
    assert "No error found." in said, said
    (states,) = re.findall(r"(\d+) states, \d+ rules fired", said)
    assert f"{int(states):,} states" in README
    for off, (switch, sentence) in enumerate(CAUGHT.items(), 1):
        said = explore(off)
        assert f'invariant "{sentence}" failed' in said, f"without {switch}: {said}"
