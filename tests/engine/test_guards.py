"""What the modules of the rules may not do, read from their syntax trees; and the doctests of the notation."""

from __future__ import annotations

import ast
import doctest
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import ROOT

from storm_p2p.storm import notation
from storm_p2p.storm.units import CARDS

PACKAGE = ROOT / "storm_p2p"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent.name != "bots")
ALL_MODULES = sorted(PACKAGE.rglob("*.py"))
NAMES = {card.name for card in CARDS}
IMPURE = {
    "asyncio",
    "datetime",
    "io",
    "locale",
    "logging",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "sys",
    "tempfile",
    "threading",
    "time",
    "uuid",
}
OWN = {"storm_p2p", "protocol"}
SEATS = {
    "attacker",
    "defender",
    "faction",
    "loser",
    "me",
    "mine",
    "owner",
    "player",
    "seat",
    "side",
    "turn",
    "us",
    "who",
    "winner",
}


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def docstrings(tree: ast.Module) -> set[int]:
    """Return which constants are text for readers: string literals that stand alone."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }


def words_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every identifier and every word of every string that is no docstring, with its line."""
    text = docstrings(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Name():
                yield node.lineno, node.id
            case ast.Attribute():
                yield node.lineno, node.attr
            case ast.arg() | ast.keyword():
                yield node.lineno, node.arg or ""
            case ast.FunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.alias():
                yield node.lineno, node.asname or node.name
            case ast.Constant() if isinstance(node.value, str) and id(node) not in text:
                for word in node.value.split():
                    yield node.lineno, word
            case _:
                pass


def parts(word: str) -> set[str]:
    return {part.strip("'\".,:;!?(){}[]") for part in word.lower().replace("_", " ").split()}


@pytest.mark.parametrize("path", [path for path in MODULES if path.name != "units.py"], ids=name_of)
def test_no_module_but_units_names_a_special_unit(path: Path) -> None:
    named = [f"{path.name}:{line}: {word}" for line, word in words_of(tree_of(path)) if parts(word) & NAMES]
    assert named == []


@pytest.mark.parametrize("path", ALL_MODULES, ids=name_of)
def test_no_module_reckons_the_other_seat_as_one_minus_a_seat(path: Path) -> None:
    found = [
        f"{path.name}:{node.lineno}"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub | ast.BitXor)
        and isinstance(node.left, ast.Constant)
        and node.left.value == 1
        and SEATS & parts(ast.unparse(node.right).replace(".", " "))
    ]
    assert found == []


def imports_of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        # What is kept may be kept for each thread.
        if isinstance(node, ast.ImportFrom) and ast.unparse(node) != "from threading import local":
            assert node.level == 0, "absolute imports only"
            # A module of the protocol may be imported whole.
            modules = [f"protocol.{alias.name}" for alias in node.names] if node.module == "protocol" else [node.module]
            yield from filter(None, modules)


@pytest.mark.parametrize("path", ALL_MODULES, ids=name_of)
def test_the_rules_import_the_pure_part_of_the_standard_library_and_the_contract_of_a_game(path: Path) -> None:
    allowed = set(sys.stdlib_module_names) - IMPURE | OWN
    if "bots" in (path.parent.name, path.stem):
        allowed.add("random")
    for name in imports_of(tree_of(path)):
        assert name.split(".")[0] in allowed, name
        assert not name.startswith("protocol") or name in ("protocol.game", "protocol.text")


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_engine_uses_nothing_that_differs_between_machines(path: Path) -> None:
    forbidden = {"hash", "id", "open", "print", "input", "eval", "exec", "globals", "vars", "float"}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in forbidden, f"{path.name}:{node.lineno}"
        # No floats.
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), f"{path.name}:{node.lineno}"
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)), f"{path.name}:{node.lineno}"
        assert not isinstance(node, ast.Global | ast.Nonlocal), f"{path.name}:{node.lineno}"
        # No order of a set; a set may only be asked what it holds.
        if isinstance(node, ast.For | ast.comprehension):
            assert not isinstance(node.iter, ast.Set | ast.SetComp), f"{path.name}"
        # Nothing depends on an assert having an effect.
        if isinstance(node, ast.Assert):
            assert not any(isinstance(part, ast.NamedExpr | ast.Await | ast.Yield) for part in ast.walk(node.test))


@pytest.mark.parametrize("path", ALL_MODULES, ids=name_of)
def test_each_module_and_each_public_name_says_what_it_is(path: Path) -> None:
    tree = tree_of(path)
    assert ast.get_docstring(tree) or not tree.body, path.name
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{path.name}:{node.lineno}: {node.name}"


def test_the_examples_of_the_notation_are_true() -> None:
    failures, tried = doctest.testmod(notation)
    assert failures == 0
    assert tried >= 3
