"""Whatever a page calls by its name in the code is called so in the code."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest
from helpers import ROOT
from helpers_docs import MODULES, PAGES, blocks

FOLDERS = ("storm_p2p", "protocol", "cli", "tests", "benchmarks", "docs")
NAMING = [page for page in PAGES if re.fullmatch(r"SPEC\.md|docs/[^/]*", page)]
OTHERS = {"Origin", "compinit", "confusables.txt"}
"""What others have named: a header of HTTP, a command of zsh, a file of Unicode."""


@cache
def known() -> set[str]:
    """Return every word of the code, without comments and docstrings, and of the paths of its files."""
    texts = [text for path, text in MODULES.items() if path.relative_to(ROOT).parts[0] in FOLDERS[:3]]
    code = [re.sub(r'"""(?s:.)*?"""|(?m:#.*$)', "", text) for text in texts]
    files = [path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix != ".pyc"]
    files += [path.name for path in ROOT.iterdir()]
    return set(re.findall(r"\w+", " ".join(code + files))) | set(files)


def words(name: str) -> set[str]:
    """Return what has to be known of a name: a module is a file, anything else stands in one."""
    return {name} if name.endswith(".py") else set(re.findall(r"\w+", name.partition("(")[0]))


@pytest.mark.parametrize("page", NAMING)
def test_every_name_that_a_page_quotes_is_in_the_code(page: str) -> None:
    quoted = set(re.findall("`([^`]+)`", re.sub(r"^```.*?^```", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)))
    # What has a digit is a number, or a variable of a formula.
    names = {name for name in quoted if re.fullmatch(r"[A-Za-z_.]+(\(.*\))?", name)} - OTHERS
    for block in blocks(PAGES[page], "python"):
        names |= {node.attr for node in ast.walk(ast.parse(block)) if isinstance(node, ast.Attribute)}
    assert names, "no name is recognised"
    assert {name for name in names if not words(name) <= known()} == set()
    paths = {name for name in quoted if re.fullmatch(r"[\w.-]+(/[\w.-]+)+/?", name) and name.split("/")[0] in FOLDERS}
    assert {path for path in paths if not (ROOT / path).exists()} == set()
