"""The pages about the inside are true: each decision is in the index, each folder and each library is named."""

from __future__ import annotations

import re
import tomllib

from helpers import ROOT
from helpers_docs import PAGES, rows, section

FOLDER = ROOT / "docs" / "decisions"
ARCHITECTURE = PAGES["docs/architecture.md"]


def test_the_index_names_every_decision_by_its_number_and_title_in_order() -> None:
    stated = re.findall(r"^- \[([0-9]{4}) (.+)\]\((.+)\)$", PAGES["docs/decisions/README.md"], re.MULTILINE)
    pages = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
    assert stated == [
        (path.name[:4], path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# "), path.name)
        for path in pages
    ]
    assert [number for number, _, _ in stated] == [f"{number:04}" for number in range(1, len(pages) + 1)]


def test_every_decision_says_why_what_and_what_follows() -> None:
    for page, text in PAGES.items():
        if page.startswith("docs/decisions/0"):
            parts = re.findall(r"^\*\*([A-Z][a-z]+)\.\*\* ", text, re.MULTILINE)
            assert parts[:2] == ["Context", "Decision"], page
            assert set(parts[2:]) <= {"Consequences"}, page


def test_every_module_that_a_page_names_by_its_folder_is_there() -> None:
    named = set(re.findall(r"`((?:cli|protocol|storm_p2p)/[\w/]+\.py)`", "\n".join(PAGES.values())))
    assert {path for path in named if not (ROOT / path).is_file()} == set()


def test_every_folder_with_modules_is_named() -> None:
    named = {cells[0].strip("`") for cells in rows(ARCHITECTURE, "folder")}
    assert all((ROOT / folder).is_dir() for folder in named)
    packages = {
        path.parent.relative_to(ROOT) for name in ("storm_p2p", "protocol") for path in (ROOT / name).rglob("*.py")
    }
    assert {folder.as_posix() for folder in packages} <= named
    console = section(ARCHITECTURE, "The packages of the console")
    parts = {word for cells in rows(console, "package") for word in re.findall(r"`([a-z_]+)`", " ".join(cells))}
    here = {path.stem for path in (ROOT / "cli").iterdir() if path.is_dir() or path.suffix == ".py"}
    assert {part for part in here if not part.startswith("__")} <= parts


def test_the_libraries_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    wanted = project["project"]["dependencies"] + [one for extra in extras.values() for one in extra]
    wanted += project["build-system"]["requires"]
    for hook in project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"].values():
        wanted += hook.get("dependencies", [])
    named = set(re.findall(r"\*\*([a-z0-9_-]+)\*\*", PAGES["docs/decisions/0001-libraries.md"]))
    assert {re.split(r"[<>=;]", one)[0] for one in wanted} | {"sqlite3"} == named
