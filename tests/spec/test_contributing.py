"""CONTRIBUTING.md leads to what is there: every file and folder that it names, every heading that it cites."""

from __future__ import annotations

import re

from helpers import ROOT
from helpers_docs import PAGES, headings

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_file_and_folder_that_it_names_is_there() -> None:
    quoted = re.findall(r"`([^`\n]+)`", TEXT)
    words = {word for text in quoted for word in text.split() if re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+|\w+\.\w+", word)}
    named = {word for word in words if not word.startswith((".venv/", "XX/"))}
    missing = {name for name in named if not (ROOT / name).exists() and not is_there_otherwise(name)}
    assert missing == set()
    assert len(named) > 30


def is_there_otherwise(name: str) -> bool:
    """Return whether this is one of the modules listed behind their folder, or a package that Python runs."""
    listed = ROOT / "storm_p2p" / "storm" / "rules" / name
    return listed.exists() or (ROOT / name.replace(".", "/") / "__main__.py").exists()


def test_every_heading_that_it_cites_is_there() -> None:
    cited = re.findall(r"`(docs/[\w./]+)` \(\"([^\"]+)\"\)", TEXT)
    assert [(page, title) for page, title in cited if title not in headings(PAGES[page])] == []
    assert cited
    assert all(len(line) <= 120 or line.startswith("|") for line in TEXT.splitlines())
