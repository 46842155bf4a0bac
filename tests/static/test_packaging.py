"""What the packages say about themselves."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from helpers import ROOT

from cli import __version__

pytestmark = pytest.mark.static

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = ("storm_p2p", "protocol", "cli")


def test_the_three_packages_are_built_and_each_says_that_it_is_typed() -> None:
    assert tuple(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == PACKAGES
    for package in PACKAGES:
        assert (ROOT / package / "py.typed").is_file()


def test_every_folder_with_modules_is_a_package() -> None:
    for package in PACKAGES:
        for folder in {path.parent for path in (ROOT / package).rglob("*.py")}:
            assert (folder / "__init__.py").is_file(), folder


def test_the_entry_point_can_be_called() -> None:
    module, name = PROJECT["project"]["scripts"]["storm-p2p"].split(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_the_version_is_written_once_as_three_numbers() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "cli/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    try:
        installed = metadata.version(PROJECT["project"]["name"])
    except metadata.PackageNotFoundError:
        pytest.skip("the project runs from its folder")
    assert installed == __version__


def test_the_version_is_the_newest_one_of_the_changes() -> None:
    newest = re.search(r"^## (\d\S*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == __version__


def test_the_oldest_python_that_is_promised_is_the_one_that_the_linter_assumes() -> None:
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert PROJECT["tool"]["ruff"]["target-version"] == "py311"


def test_the_source_package_holds_the_texts_that_its_modules_cite_and_its_tests_read() -> None:
    assert {"/SPEC.md", "/docs"} <= set(PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])


def test_ci_installs_what_has_a_known_hash_and_the_versions_that_everybody_is_held_to() -> None:
    if not (ROOT / ".ci").is_dir():
        pytest.skip("the source package has no CI")
    pin = re.compile(r"^([\w.-]+==[\w.]+)", re.MULTILINE)
    wanted = {one.lower().replace("_", "-") for one in pin.findall((ROOT / "constraints.txt").read_text("utf-8"))}
    hashed = (ROOT / ".ci" / "hashes.txt").read_text("utf-8")
    hashes = r" +--hash=sha256:[0-9a-f]{64}(?: \\)?\n"
    blocks = re.findall(rf"^([\w.-]+==[\w.]+)[^\n]*\\\n(?:{hashes})+", hashed, re.MULTILINE)
    assert set(blocks) == wanted
    assert set(pin.findall(hashed)) == wanted
    assert "http" not in hashed
    installs = re.findall(r"pip\"? (?:install|download).*", (ROOT / ".ci" / "run").read_text("utf-8"))
    assert [one for one in installs if "--require-hashes" not in one and "--no-deps" not in one] == []


def test_who_found_a_flaw_finds_how_to_report_it() -> None:
    assert "/SECURITY.md" in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    for page in ("README.md", "CONTRIBUTING.md"):
        assert "](SECURITY.md)" in (ROOT / page).read_text(encoding="utf-8"), page
    # A host that has a name can change, and an address that nobody reads loses reports.
    assert not re.search(r"@|https?:|\bwww\.", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))


def test_an_editable_install_compiles_the_catalogues_anew_and_makes_no_manual(tmp_path: Path) -> None:
    files = ["hatch_build.py", "tests/catalogue.py", *(str(one.relative_to(ROOT)) for one in ROOT.glob("cli/**/*.po"))]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    behind = [(tmp_path / name).with_suffix(".mo") for name in files[2:]]
    behind[0].write_bytes(b"what was compiled before a sentence changed")
    code = "import hatch_build; hatch_build.MadeFiles('.', {}, 0, 0, 'dist', 'wheel').initialize('editable', {})"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, timeout=50, check=True)
    compiled = {name.stem: name.read_bytes() for name in behind}
    assert compiled == {one.stem: one.read_bytes() for one in ROOT.glob("cli/**/*.mo")}
    assert not (tmp_path / "dist").exists()


def test_files_that_the_package_names_are_there() -> None:
    names = [PROJECT["project"]["readme"], *PROJECT["project"]["license-files"]]
    missing = [name for name in names if not (ROOT / name).is_file()]
    assert missing == []
