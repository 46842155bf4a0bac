"""The engine compiled with mypyc, which is only built on demand, plays as the plain one does.

Why it is not built for everybody: docs/decisions/0020-plain-python-engine.md.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
from helpers import ROOT

HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
    "wheel"
]["hooks"]["mypyc"]

BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(sys.argv[1:], opt_level="0", debug_level="0")
setup(name="compiled", packages=[], ext_modules=modules, script_args=["-q", "build_ext", "--inplace"])
"""

PLAY = """
import hashlib, json, random
from storm_p2p.storm import engine, positions
from storm_p2p.storm.rules import setup
from storm_p2p.storm.actions import Place
from storm_p2p.storm.board import FACTIONS
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import ROSTER

record = hashlib.sha256()
for seed in range(12):
    rng = random.Random(seed)
    state = setup.new_game(Terms(open_combat=seed % 3 == 0))
    for faction in FACTIONS:
        units = tuple(sorted(ROSTER[faction], key=lambda unit: (unit != ROSTER[faction][0], rng.random())))
        state = engine.apply(state, Place(faction, setup.first_serials(faction), units))[0]
    while (want := engine.next_request(state)) is not None:
        options = engine.options(state, want.seats[0])
        priced = engine.price_actions(state, want.seats[0])
        state, events = engine.play(state, rng.choice(options)[0])
        record.update(repr((options, priced, events)).encode() + json.dumps(positions.show(state)).encode())
print(engine.__file__.endswith(".py"), record.hexdigest())
"""


def run(folder: Path, program: str, *arguments: str) -> str:
    # What is to be played with lies in the folder, where storm-p2p itself would not look.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def can_compile() -> bool:
    """Return whether this machine has what the optional build needs: mypyc, a C compiler, the headers of Python."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None or any(importlib.util.find_spec(name) is None for name in ("mypyc", "setuptools")):
        return False
    command = [compiler, "-fsyntax-only", "-I", sysconfig.get_path("include"), "-x", "c", "-"]
    tried = subprocess.run(command, input=b"#include <Python.h>", capture_output=True, check=False, timeout=100)
    return tried.returncode == 0


def test_nothing_is_compiled_unless_somebody_asks_for_it() -> None:
    assert HOOK["enable-by-default"] is False
    assert all((ROOT / module).is_file() for module in HOOK["include"])


@pytest.mark.long
def test_the_compiled_engine_plays_like_the_plain_one(tmp_path: Path) -> None:
    if not can_compile():
        pytest.skip("needs a C compiler, the headers of Python, mypyc and setuptools")
    for package in ("storm_p2p", "protocol"):
        source_only = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=source_only)
    plain = run(tmp_path, PLAY)
    run(tmp_path, BUILD, *HOOK["mypy-args"], *HOOK["include"])
    compiled = run(tmp_path, PLAY)
    assert plain.split()[0] == "True"
    assert compiled.split() == ["False", plain.split()[1]]
