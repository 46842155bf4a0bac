"""XML of a stranger as a small tree: no DTD, no entities, little of everything.

Entities are what makes XML dangerous, by growing without end or by reading files, and a UPnP router needs none;
so a document that declares anything is refused at its first mark.  Why not ``defusedxml``: its last release is
years old, and what it does for this one use is the few handlers below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from protocol.reach import ReachError

SIZE_LIMIT = 65_536
DEPTH_LIMIT = 32
ELEMENT_LIMIT = 4_000


@dataclass(slots=True)
class Element:
    """One element: its name without the namespace, its text and its children."""

    name: str
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def first(self, name: str) -> str:
        """Return the text of the first child of a name, without the space around it; "" when there is none."""
        return next((child.text.strip() for child in self.children if child.name == name), "")

    def every(self, name: str) -> Iterator[Element]:
        """Yield this element and all below it that have a name."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            if element.name == name:
                yield element
            waiting.extend(reversed(element.children))


def parse(data: bytes) -> Element:
    """Return the root of a document.

    Raises:
        ReachError: ``oversized``, or ``malformed``: no XML, or XML with declarations.
    """
    if len(data) > SIZE_LIMIT:
        raise ReachError("oversized", f"expected at most {SIZE_LIMIT} bytes of XML, got {len(data)}")
    reader = _Reader()
    try:
        reader.parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        # ValueError and LookupError: an encoding that is declared and does not exist.
        raise ReachError("malformed", f"expected XML, got other bytes ({error})") from error
    return reader.root.children[0]


class _Reader:
    """The handlers of one document."""

    def __init__(self) -> None:
        self.root = Element("")
        self.open = [self.root]
        self.count = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._declared
        self.parser.EntityDeclHandler = self._declared
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def _declared(self, *facts: object) -> None:
        raise ReachError("malformed", "expected XML without declarations, got a DTD or an entity")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > ELEMENT_LIMIT or len(self.open) > DEPTH_LIMIT:
            raise ReachError("oversized", f"expected {ELEMENT_LIMIT} elements, {DEPTH_LIMIT} deep, got more")
        element = Element(name.rpartition(" ")[2])
        self.open[-1].children.append(element)
        self.open.append(element)

    def _end(self, name: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].text += text
