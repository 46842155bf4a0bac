"""What is cited is there: sections by their headings, pages by their paths; and every text stands alone."""

from __future__ import annotations

import re

import pytest
from helpers import ROOT
from helpers_docs import MODULES, PAGES, headings

NAMES = r'"[^"]+"(?:(?:,| and|, and) "[^"]+")*'
OTHERS = ("README.md", "CHANGELOG.md", "pyproject.toml")
CITING = {path.relative_to(ROOT).as_posix(): text for path, text in MODULES.items()} | PAGES
CITING |= {name: (ROOT / name).read_text(encoding="utf-8") for name in OTHERS}


def prose(text: str) -> str:
    """Return a text without its blocks of code."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def joined(text: str) -> str:
    """Return prose in one line, so that a citation may go over the end of one, also in a comment."""
    # A link is cited like the page that it leads to.
    return re.sub(r"\s*\n\s*(?:#+ )?", " ", re.sub(r"\[([^]\n]+)\]\([^)\n]+\)", r"\1", prose(text)))


JOINED = {citing: joined(text) for citing, text in CITING.items()}


def is_heading_of(page: str, title: str) -> bool:
    """Return whether a page has a heading that is cited whole, or by the words with which it begins."""
    return any(one == title or one.startswith((f"{title} ", f"{title},")) for one in headings(PAGES.get(page, "")))


def anchors(text: str) -> set[str]:
    """Return the names by which the headings of a page are linked."""
    lines = [line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", line).replace(" ", "-") for line in lines}


def test_every_heading_that_is_cited_is_there() -> None:
    missing = {
        (citing, page, title)
        for citing, text in JOINED.items()
        for page, names in re.findall(rf"\b(SPEC|[\w./-]*\.md),(?: sections?)? ({NAMES})", text)
        for title in re.findall(r'"([^"]+)"', names)
        if not is_heading_of("SPEC.md" if page == "SPEC" else page, title)
    }
    assert missing == set()


@pytest.mark.parametrize("page", PAGES)
def test_every_heading_that_a_page_cites_of_its_own_is_there(page: str) -> None:
    text = re.sub("`[^`]*`", "", JOINED[page])
    cited = [
        title
        for names in re.findall(rf"(?:(?<!\w)\(| in | of )(?=\"[A-Z])({NAMES})", text)
        for title in re.findall(r'"([^"]+)"', names)
    ]
    assert [title for title in cited if not is_heading_of(page, title)] == []


def test_sections_are_cited_by_number_within_the_specification_alone() -> None:
    spec = PAGES["SPEC.md"]
    numbered = set(re.findall(r"^#+ ([0-9]+(?:\.[0-9]+)?)", spec, re.MULTILINE))
    assert [number for number in re.findall(r"\((?:also )?([1-9]\.[0-9]+)", spec) if number not in numbered] == []
    cited = r"(?:SPEC(?:\.md)?,?|docs/[a-z/]+\.md,?) (?:chapters? |sections? )?[0-9]"
    assert [citing for citing, text in JOINED.items() if re.search(cited, text)] == []


def test_every_page_that_is_named_or_linked_is_there() -> None:
    for citing, text in CITING.items():
        for name in re.findall(r"\bdocs/[\w./-]*\w", text):
            assert (ROOT / name).exists(), f"{citing}: {name}"
        if citing.endswith(".md"):
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub("`[^`\n]*`", "", prose(text))):
                path, _, anchor = target.partition("#")
                page = (ROOT / citing).parent / path if path else ROOT / citing
                assert page.is_file(), f"{citing}: {target}"
                assert not anchor or anchor in anchors(page.read_text(encoding="utf-8")), f"{citing}: {target}"


@pytest.mark.parametrize("page", PAGES)
def test_it_stands_alone_and_its_lines_are_short(page: str) -> None:
    # Addresses that a player types are no links.
    text = PAGES[page].replace("https://example.org/", "").replace("http://192.168.1.5:8000/", "")
    for word in ("/work", "../", "/home/", "/tmp", "http:", "https:"):
        assert word not in text, word
    for name in re.findall(r"(?<!\]\()(?<![\w./-])[\w./-]+\.md\b", text):
        assert (ROOT / name).is_file(), name
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        code ^= line.startswith("```")
        assert len(line) <= 120 or code or line.startswith("|"), number
