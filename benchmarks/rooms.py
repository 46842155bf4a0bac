"""The grain of the house: how many files there are, how large, and through how many a move and an option go.

Counted from the sources, but for two walks: one match in memory is traced from a typed move to its frame and from a
frame to the screen, and the functions that ``join`` hands its options to are followed from call to call.
"""

from __future__ import annotations

import ast
import asyncio
import tempfile
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from tokenize import COMMENT, DEDENT, ENCODING, ENDMARKER, INDENT, NEWLINE, NL, tokenize
from typing import Final

from prompt_toolkit.input import create_pipe_input

from benchmarks import entered, goals

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("storm_p2p", "protocol", "cli")
TREES: Final = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_bytes())
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}
Function = ast.FunctionDef | ast.AsyncFunctionDef
BLANK: Final = (COMMENT, NL, NEWLINE, INDENT, DEDENT, ENCODING, ENDMARKER)
"""Tokens that make no line one of code."""


def path_of(module: str) -> Path:
    """Return the file of a module."""
    path = ROOT / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def lines_of(nodes: Iterable[ast.AST]) -> set[int]:
    """Return the lines on which statements stand."""
    found = (node for node in nodes if isinstance(node, ast.stmt))
    return {line for node in found for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def code_lines(module: str) -> tuple[int, int]:
    """Return how many lines of a module hold code, and how many of those import; docstrings are no code."""
    nodes = list(ast.walk(TREES[module]))
    tokens = tokenize(BytesIO(path_of(module).read_bytes()).readline)
    written = [range(token.start[0], token.end[0] + 1) for token in tokens if token.type not in BLANK]
    texts = lines_of(node for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    importing = lines_of(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    return len({line for lines in written for line in lines} - texts), len(importing)


def imports(module: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield what a module imports of ours: the name it has here, the module, and the name there if it is no module."""
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in TREES:
                    yield alias.asname or alias.name, whole, None
                elif node.module in TREES:
                    yield alias.asname or alias.name, node.module, alias.name


def lone_modules() -> list[str]:
    """Return the modules that one other imports, which stands in the same folder."""
    importers: dict[str, set[str]] = {module: set() for module in TREES}
    for module in TREES:
        for _, other, _ in imports(module):
            importers[other].add(module)
    folder = {module: path_of(module).parent for module in TREES}
    return [one for one, by in importers.items() if len(by) == 1 and folder[next(iter(by))] == folder[one]]


class Walk:
    """The functions that take a value, one of its attributes or what holds them; what a call returns is a new value."""

    def __init__(self) -> None:
        """Know what each name of each module means."""
        self.names = {module: {here: (at, name) for here, at, name in imports(module)} for module in TREES}
        self.functions = {
            (module, one.name): one for module in TREES for one in TREES[module].body if isinstance(one, Function)
        }
        self.reached: dict[tuple[str, str], set[str]] = {}

    def follow(self, module: str, name: str, given: set[str]) -> None:
        """Go into a function of a module, some of whose parameters are given the value."""
        before = self.reached.setdefault((module, name), set())
        body = self.functions.get((module, name))
        if body is None or (before and given <= before):
            return
        before |= given
        held, size = set(before), -1
        while size != len(held):
            size = len(held)
            for node in ast.walk(body):
                if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and self._holds(node.value, held):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    held |= {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        for node in ast.walk(body):
            if isinstance(node, ast.Call):
                self._call(module, node, held)

    def _holds(self, node: ast.AST | None, held: set[str]) -> bool:
        if node is None or isinstance(node, ast.Call):
            return False
        inside = (self._holds(one, held) for one in ast.iter_child_nodes(node))
        return (isinstance(node, ast.Name) and node.id in held) or any(inside)

    def _call(self, module: str, call: ast.Call, held: set[str]) -> None:
        called, given = call.func, call.args
        if isinstance(called, ast.Name) and called.id == "partial":
            called, given = given[0], given[1:]
        positions = [number for number, one in enumerate(given) if self._holds(one, held)]
        words = [one.arg for one in call.keywords if self._holds(one.value, held)]
        found = self._meant(module, called)
        if found is None or not (positions or words):
            return
        body = self.functions.get(found)
        taken = [one.arg for one in body.args.posonlyargs + body.args.args] if body is not None else []
        self.follow(*found, {taken[one] for one in positions if one < len(taken)} | {word for word in words if word})

    def _meant(self, module: str, called: ast.expr) -> tuple[str, str] | None:
        """Return the module and the name of what is called, if it is ours."""
        known = self.names[module]
        if isinstance(called, ast.Name):
            at, name = known.get(called.id, (module, called.id))
            defined = any(getattr(one, "name", None) == (name or called.id) for one in TREES[at].body)
            return (at, name or called.id) if defined else None
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            at, name = known.get(called.value.id, (module, None))
            return (at, called.attr if name is None else name) if called.value.id in known else None
        return None


def main() -> None:
    """Print everything."""
    rooms = {module: module.split(".")[0] for module in TREES}
    sizes = {module: code_lines(module) for module in TREES}
    for package in PACKAGES:
        mine = [module for module in TREES if rooms[module] == package]
        lines = sum(len(path_of(module).read_bytes().splitlines()) for module in mine)
        code, importing = (sum(sizes[module][part] for module in mine) for part in (0, 1))
        goal = f" ({goals.say('files of cli', len(mine), most=155)})" if package == "cli" else ""
        print(f"rooms: {package} {len(mine)} files{goal}, {lines:,} lines, {code:,} of them code")
    print(f"rooms: {len(TREES)} files in all ({goals.say('files', len(TREES), most=400)})")
    share = importing / code * 100
    print(f"rooms: {share:.1f}% of the code of cli imports ({goals.say('imports of cli, percent', share, most=10.5)}%)")
    lone = sorted(lone_modules())
    print(f"rooms: {len(lone)} modules with one importer, in their own folder: {', '.join(lone)}")
    untyped = sum(
        isinstance(node, ast.Name) and node.id == "Any"
        for module in TREES
        if rooms[module] == "cli"
        for node in ast.walk(TREES[module])
    )
    print(f"rooms: Any stands {untyped} times in cli ({goals.say('Any', untyped, most=80)})")
    walk = Walk()
    walk.follow("cli.app.join", "main", {"options"})
    passed = len({module for module, _ in walk.reached})
    print(f"rooms: the options of join go through {passed} modules ({goals.say('options', passed, most=25)})")
    with tempfile.TemporaryDirectory() as name, create_pipe_input() as pipe:
        traced = asyncio.run(asyncio.wait_for(entered.play(Path(name), pipe), 60))
    for what, words, most in (("moves", "a typed move, to its frame", 70), ("frames", "a frame, to the screen", 80)):
        files = max(len(files) for files in traced.seen[what])
        print(f"rooms: {words}, enters {files} files at most ({goals.say(what, files, most=most)})")
