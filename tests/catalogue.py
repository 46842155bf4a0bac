"""The sentences of the console, read from its source, and the catalogues of their translations.

::

    python tests/catalogue.py update      new and changed sentences go into every .po file
    python tests/catalogue.py compile     every .po file becomes its .mo file

Babel reads and writes the files; it is needed for development only.  The sentences are found here and not by Babel,
because constants of the folders ``text`` are sentences without a mark (see ``cli/text/wording.py``).
"""

from __future__ import annotations

import ast
import io
import re
import string
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parent.parent
SOURCE: Final = ROOT / "cli"
FOLDER: Final = SOURCE / "locale"
_TEXT: Final = (SOURCE / "text", SOURCE / "storm" / "text")
_ASKS: Final = frozenset({"_", "fill", "count"})
"""The functions of ``cli.text.wording`` that ask the catalogue."""
_GATHERS: Final = frozenset({"append", "extend", "insert"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """One message, or one literal that ought to be one."""

    one: str
    several: str
    """For several, where the number decides; empty otherwise."""
    file: str
    line: int

    @property
    def key(self) -> str | tuple[str, str]:
        """What Babel calls the message."""
        return (self.one, self.several) if self.several else self.one


_ARGPARSE: Final = (
    "usage: ", "options", "positional arguments", "show this help message and exit",
    "show program's version number and exit", "%(prog)s: error: %(message)s\n", "unrecognized arguments: %s",
    "the following arguments are required: %s", "expected one argument", "argument %(argument_name)s: %(message)s",
    "invalid choice: %(value)r (choose from %(choices)s)", "invalid %(type)s value: %(value)r",
)  # fmt: skip
"""What the standard library says about a command line; it asks the same catalogue."""


def is_sentence(text: str) -> bool:
    """Return whether a text has words besides its gaps."""
    return re.search(r"[^\W\d_]{2}", re.sub(r"\{[^}]*\}", "", text)) is not None


def sentences() -> list[Sentence]:
    """Return every sentence of the console in the order of the files, and the cards of the units."""
    from storm_p2p.storm.units import CARDS

    found = [sentence for path in sorted(SOURCE.rglob("*.py")) for sentence in _Module(path).sentences()]
    found += [Sentence(card.text, "", "storm_p2p/storm/units.py", 1) for card in CARDS]
    return found + [Sentence(said, "", "argparse", 1) for said in _ARGPARSE]


def unasked() -> list[Sentence]:
    """Return the literals in functions of ``cli/text`` that nothing looks up, so that they would stay English."""
    return [bare for folder in _TEXT for path in sorted(folder.glob("*.py")) for bare in _Module(path).unasked()]


def read_at_import() -> list[Sentence]:
    """Return the constants of ``cli/text`` that other modules read while they are imported, or import by name."""
    return [one for path in sorted(SOURCE.rglob("*.py")) for one in _Module(path).read_at_import()]


class _Module:
    """One module of the console."""

    def __init__(self, path: Path) -> None:
        self._file = path.relative_to(ROOT).as_posix()
        self._tree = ast.parse(path.read_text(encoding="utf-8"))
        self._is_text = path.parent in _TEXT and path.stem != "wording"
        self._constants = {
            node.target.id: node.value
            for node in self._tree.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None
        }
        self._calls = [node for node in ast.walk(self._tree) if isinstance(node, ast.Call) and _name(node) in _ASKS]

    def sentences(self) -> Iterator[Sentence]:
        """Yield what the catalogue is asked for."""
        found: dict[int, Sentence] = {}
        if self._is_text:
            # A constant is asked for when it is read, and a template with a name of its own when it is filled.
            values = [*self._constants.values(), *self._templates()]
            found = {id(node): self._sentence(node) for value in values for node in _literals(value)}
        for call in self._calls:
            if _name(call) == "count":
                one, several = self._resolved(call.args[0]), self._resolved(call.args[1])
                found[id(one)] = self._sentence(one, several)
                found.pop(id(several), None)
            else:
                found |= {id(node): self._sentence(node) for node in _literals(call.args[0])}
        yield from sorted(found.values(), key=lambda sentence: sentence.line)

    def unasked(self) -> Iterator[Sentence]:
        """Yield what functions return or gather without asking."""
        asked = {id(node) for call in self._calls for node in ast.walk(call)}
        for node in ast.walk(self._tree):
            for value in _shown(node):
                for part in ast.walk(value):
                    if isinstance(part, ast.JoinedStr) and is_sentence(_between(part)):
                        yield Sentence(ast.unparse(part), "", self._file, part.lineno)
                for literal in _literals(value):
                    if id(literal) not in asked:
                        yield self._sentence(literal)

    def read_at_import(self) -> Iterator[Sentence]:
        """Yield where constants of the texts are read outside of functions, or imported by name."""
        called: set[str] = set()
        for node in ast.walk(self._tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cli.text"):
                if node.module == "cli.text":
                    called |= {one.asname or one.name for one in node.names}
                for one in node.names:
                    if one.name.isupper():
                        yield Sentence(one.name, "", self._file, node.lineno)
        functions = [one for one in ast.walk(self._tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
        inside = {id(part) for one in functions for statement in one.body for part in ast.walk(statement)}
        inside |= {id(part) for one in ast.walk(self._tree) if isinstance(one, ast.Lambda) for part in ast.walk(one)}
        for node in ast.walk(self._tree):
            outside = isinstance(node, ast.Attribute) and node.attr.isupper() and id(node) not in inside
            if outside and isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in called:
                yield Sentence(node.attr, "", self._file, node.lineno)

    def _templates(self) -> Iterator[ast.expr]:
        for function in ast.walk(self._tree):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Assign | ast.AugAssign):
                        yield node.value

    def _resolved(self, node: ast.expr) -> ast.Constant:
        while isinstance(node, ast.Name):
            node = self._constants.get(node.id) or self._local(node)
        assert isinstance(node, ast.Constant), f"{self._file}:{node.lineno}: expected a literal or a constant"
        return node

    def _local(self, name: ast.Name) -> ast.expr:
        """Return what the function in which a name stands gives it."""
        functions = [node for node in ast.walk(self._tree) if isinstance(node, ast.FunctionDef)]
        inside = next(one for one in functions if name.lineno in range(one.lineno, (one.end_lineno or 0) + 1))
        return next(
            node.value for node in ast.walk(inside)
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name.id
        )  # fmt: skip

    def _sentence(self, one: ast.Constant, several: ast.Constant | None = None) -> Sentence:
        return Sentence(str(one.value), "" if several is None else str(several.value), self._file, one.lineno)


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _shown(node: ast.AST) -> list[ast.expr]:
    """Return what a statement gives to a reader: what is returned, or put into a list."""
    if isinstance(node, ast.Return) and node.value is not None:
        return [node.value]
    if isinstance(node, ast.Call) and _name(node) in _GATHERS:
        return node.args
    if isinstance(node, ast.Assign | ast.AugAssign):
        return [part for part in ast.walk(node.value) if isinstance(part, ast.List)]
    return []


def _literals(node: ast.expr) -> Iterator[ast.Constant]:
    """Yield the literals among which an expression chooses, or which it holds."""
    match node:
        case ast.Constant(value=str() as text) if is_sentence(text):
            yield node
        case ast.IfExp(body=body, orelse=other):
            yield from _literals(body)
            yield from _literals(other)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts) | ast.BoolOp(values=parts):
            for part in parts:
                yield from _literals(part)
        case ast.Subscript(value=value) | ast.Starred(value=value):
            yield from _literals(value)


def _between(text: ast.JoinedStr) -> str:
    return " ".join(str(part.value) for part in text.values if isinstance(part, ast.Constant))


# -- files ----------------------------------------------------------------------------------------------------


def languages() -> list[str]:
    """Return the languages that have a catalogue."""
    return sorted(path.parent.parent.name for path in FOLDER.glob("*/LC_MESSAGES/*.po"))


def read(language: str) -> Catalog:
    """Return a catalogue."""
    with _po(language).open("rb") as file:
        return read_po(file, locale=language, domain=_DOMAIN)


def gaps(template: str) -> set[str]:
    """Return the names of a template's gaps."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def compiled(language: str) -> bytes:
    """Return the bytes of a catalogue's .mo file."""
    file = io.BytesIO()
    catalog = read(language)
    # The same sentences make the same bytes on any day.
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    write_mo(file, catalog)
    return file.getvalue()


def forms(message: Message) -> tuple[str, ...]:
    """Return the translations of a message: one, or one for each form of a number."""
    said = message.string
    return (said or "",) if said is None or isinstance(said, str) else tuple(said)


def mo(language: str) -> Path:
    """Return where a catalogue is, compiled."""
    return _po(language).with_suffix(".mo")


_DOMAIN: Final = "storm_p2p"


def _po(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / f"{_DOMAIN}.po"


def update(language: str) -> None:
    """Write the present sentences into a catalogue; what is gone is left out, and nothing is guessed."""
    known = read(language)
    new = Catalog(language, _DOMAIN)
    for sentence in sentences():
        old = known.get(sentence.one)
        message = new.add(sentence.key, locations=[(sentence.file, sentence.line)])
        if old is not None and old.string and isinstance(old.id, str) == isinstance(message.id, str):
            message.string = old.string
            message.user_comments = old.user_comments
    write(language, new)


def write(language: str, catalog: Catalog) -> None:
    """Write a catalogue below the head of its file, which is written by hand and stays as it is."""
    head = _po(language).read_text(encoding="utf-8").partition("\n\n")[0]
    file = io.BytesIO()
    write_po(file, catalog, width=120, omit_header=True, include_lineno=False, sort_by_file=True)
    text = f"{head}\n\n{file.getvalue().decode('utf-8').strip()}\n"
    _po(language).write_text(text, encoding="utf-8", newline="\n")


def main(words: list[str]) -> int:
    """Run a command and return its exit code."""
    match words:
        case ["update"]:
            for language in languages():
                update(language)
        case ["compile"]:
            for language in languages():
                mo(language).write_bytes(compiled(language))
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
