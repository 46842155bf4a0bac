"""The texts of the project as tests read them, and the modules that cite them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from helpers import ROOT

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "SPEC.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md")))
}
"""The texts that code and tests are held to, by their paths."""
MODULES = {
    path: path.read_text(encoding="utf-8")
    for folder in ("storm_p2p", "protocol", "cli", "tests", "benchmarks")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.parent.name != "spec" and path.name != "helpers_docs.py"
}


@cache
def headings(text: str) -> list[str]:
    """Return the headings of a text, without the numbers of chapters."""
    return [re.sub(r"^#+ (?:[0-9.]+ )?", "", line) for line in text.splitlines() if re.match("#+ ", line)]


def section(text: str, title: str) -> str:
    """Return what stands below a heading, up to the next one."""
    found = re.search(rf"^#+ (?:[0-9.]+ )?{re.escape(title)}\n(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def chapter(text: str, title: str) -> str:
    """Return what stands below a heading of the second level, up to the next one."""
    found = re.search(rf"^## (?:[0-9.]+ )?{re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def rows(text: str, first: str = "") -> list[list[str]]:
    """Return the cells of the tables in a text; with ``first`` only those of the table whose head begins so."""
    found: list[list[str]] = []
    reading = False
    for line in text.splitlines():
        if not line.startswith("|"):
            reading = False
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not reading:
            head, reading = cells[0], True
        elif not set("".join(cells)) <= {"-"} and (not first or head == first):
            found.append(cells)
    return found


def blocks(text: str, kind: str) -> list[str]:
    """Return the contents of the code blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def backed(text: str) -> set[str]:
    """Return every word that stands in backquotes, but not in a block of code."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return {word for words in re.findall(r"`([^`]+)`", prose) for word in re.split(r"[,\s]+", words)}


def codes_of(folder: str, names: set[str]) -> Iterator[str]:
    """Yield the codes with which a folder's modules call one of these classes or functions."""
    for path, text in MODULES.items():
        if path.relative_to(ROOT).parts[0] == folder and any(f"{name}(" in text for name in names):
            for node in ast.walk(ast.parse(text)):
                name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
                if isinstance(node, ast.Call) and name in names:
                    first = node.args[1 if name == "Foul" else 0 :][:1]
                    yield from (
                        one.value for one in first if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    )
