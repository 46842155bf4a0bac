"""The sentences of the console, read from its source, and the catalogues of their translations.

::

    python tests/catalogue.py update      new and changed sentences go into every .po file
    python tests/catalogue.py compile     every .po file becomes its .mo file

The .mo files are not in git: installing compiles them (``hatch_build.py``), and so does every run of the tests.

Babel reads and writes the files; no program needs it.  The sentences are found here and not by Babel,
because one mark may hold a choice between sentences, or a table of them (see ``cli/text/wording.py``).
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
from functools import cache
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parent.parent
SOURCE: Final = ROOT / "cli"
FOLDER: Final = SOURCE / "locale"
_TEXT: Final = (SOURCE / "text", SOURCE / "fight" / "text", SOURCE / "storm" / "text")
_LATER: Final = frozenset({"lazy", "Sentence"})
"""What looks a sentence up when it is read, not when it is made."""
_MARKS: Final = frozenset({"_", "fill", "count", *_LATER})
"""The functions of ``cli.text.wording`` that ask the catalogue, and the class of ``cli.text.wording`` that does."""
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
    "usage: ",
    "options",
    "positional arguments",
    "show this help message and exit",
    "show program's version number and exit",
    "%(prog)s: error: %(message)s\n",
    "unrecognized arguments: %s",
    "the following arguments are required: %s",
    "expected one argument",
    "argument %(argument_name)s: %(message)s",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "invalid %(type)s value: %(value)r",
)
"""What the standard library says about a command line; it asks the same catalogue."""


def is_sentence(text: str) -> bool:
    """Return whether a text has words besides its gaps."""
    return re.search(r"[^\W\d_]{2}", re.sub(r"\{[^}]*\}", "", text)) is not None


def sentences() -> list[Sentence]:
    """Return every sentence of the console in the order of the files, the cards of the units, and the cards."""
    from storm_p2p.fight.card_file import load_reconstructed
    from storm_p2p.storm.units import CARDS

    found = [sentence for path in sorted(SOURCE.rglob("*.py")) for sentence in _read(path).sentences()]
    found += [Sentence(card.text, "", "storm_p2p/storm/units.py", 1) for card in CARDS]
    cards = load_reconstructed().cards
    texts = dict.fromkeys(said for card in cards for said in (card.text, card.name) if said)
    found += [Sentence(text, "", "storm_p2p/fight/cards.json", 1) for text in texts]
    return found + [Sentence(said, "", "argparse", 1) for said in _ARGPARSE]


def unmarked() -> list[Sentence]:
    """Return the literals of ``cli/text`` that nothing looks up, so that they would stay English."""
    return [bare for folder in _TEXT for path in sorted(folder.glob("*.py")) for bare in _read(path).unmarked()]


def read_at_import() -> list[Sentence]:
    """Return the sentences that are looked up while their module is imported, in the language of that moment."""
    return [one for path in sorted(SOURCE.rglob("*.py")) for one in _read(path).read_at_import()]


@cache
def _read(path: Path) -> _Module:
    return _Module(path)


class _Module:
    """One module of the console."""

    def __init__(self, path: Path) -> None:
        self._file = path.relative_to(ROOT).as_posix()
        self._tree = ast.parse(path.read_text(encoding="utf-8"))
        self._marked = [node for node in ast.walk(self._tree) if isinstance(node, ast.Call) and _name(node) in _MARKS]

    def sentences(self) -> Iterator[Sentence]:
        """Yield what the catalogue is asked for."""
        found: list[Sentence] = []
        for call in self._marked:
            if _name(call) == "count" or (_name(call) == "Sentence" and len(call.args) == 2):
                one, several = call.args[:2]
                assert isinstance(one, ast.Constant), f"{self._file}:{call.lineno}: expected a literal"
                assert isinstance(several, ast.Constant), f"{self._file}:{call.lineno}: expected a literal"
                found.append(self._sentence(one, several))
            else:
                found += map(self._sentence, _literals(call.args[0]))
        yield from sorted(found, key=lambda sentence: sentence.line)

    def unmarked(self) -> Iterator[Sentence]:
        """Yield what constants hold, and what functions keep, return or gather, without a mark."""
        marked = {id(node) for call in self._marked for node in ast.walk(call)}
        for node in ast.walk(self._tree):
            for value in _shown(node):
                for part in ast.walk(value):
                    if isinstance(part, ast.JoinedStr) and is_sentence(_between(part)):
                        yield Sentence(ast.unparse(part), "", self._file, part.lineno)
                for literal in _literals(value):
                    if id(literal) not in marked:
                        yield self._sentence(literal)

    def read_at_import(self) -> Iterator[Sentence]:
        """Yield what is looked up outside of functions."""
        functions = [one for one in ast.walk(self._tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
        inside = {id(part) for one in functions for statement in one.body for part in ast.walk(statement)}
        for call in self._marked:
            if _name(call) not in _LATER and id(call) not in inside:
                yield Sentence(ast.unparse(call), "", self._file, call.lineno)

    def _sentence(self, one: ast.Constant, several: ast.Constant | None = None) -> Sentence:
        return Sentence(str(one.value), "" if several is None else str(several.value), self._file, one.lineno)


def _name(call: ast.Call) -> str:
    # A sentence says the types of its facts: ``Sentence[int]("...")``.
    func = call.func.value if isinstance(call.func, ast.Subscript) else call.func
    return func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")


def _shown(node: ast.AST) -> list[ast.expr]:
    """Return what a statement gives to a reader: what is returned, kept under a name, or put into a list."""
    if isinstance(node, ast.Return | ast.AnnAssign) and node.value is not None:
        return [node.value]
    if isinstance(node, ast.Assign | ast.AugAssign):
        # One word alone may be the key of a table.
        phrases = [literal for literal in _literals(node.value) if " " in str(literal.value)]
        return [*phrases, *(part for part in ast.walk(node.value) if isinstance(part, ast.List))]
    return node.args if isinstance(node, ast.Call) and _name(node) in _GATHERS else []


def _literals(node: ast.expr) -> Iterator[ast.Constant]:
    """Yield the literals among which an expression chooses, or which it holds."""
    match node:
        # Languages differ in their quotation marks.
        case ast.Constant(value=str() as text) if is_sentence(text) or '"{' in text:
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


def compile_all() -> None:
    """Write every .mo file that is not there or is behind its .po file."""
    for language in languages():
        made = compiled(language)
        if not mo(language).exists() or mo(language).read_bytes() != made:
            mo(language).write_bytes(made)


def main(words: list[str]) -> int:
    """Run a command and return its exit code."""
    match words:
        case ["update"]:
            for language in languages():
                update(language)
        case ["compile"]:
            compile_all()
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
