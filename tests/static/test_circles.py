"""No module imports itself over others when it runs: not at its top, not within a function. For types alone it may."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from helpers import ROOT

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for folder in ("storm_p2p", "protocol", "cli")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


def run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a tree and is run: all but what only a type checker reads."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        children: Iterator[ast.AST] = iter(node.orelse)
    else:
        yield node
        children = ast.iter_child_nodes(node)
    for child in children:
        yield from run(child)


def imported(name: str) -> Iterator[str]:
    """Yield the modules of ours that a module imports when it runs."""
    for node in run(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_no_module_imports_itself_over_others() -> None:
    graph = {name: {one for one in imported(name) if one in MODULES and one != name} for name in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(reversed(error.args[1]))) from None
