"""XML of a stranger as a small tree: no DTD, no entities, little of everything.

Entities are what makes XML dangerous, by growing without end or by reading files, and a UPnP router needs none;
so a document with a DTD, which alone declares them, is refused at its first mark.  Why not ``defusedxml``: its last
release is years old, and what it does for this one use is the few methods below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree

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
    builder = _Builder()
    parser = ElementTree.XMLParser(target=builder)  # noqa: S314  # what is dangerous is refused by the target
    try:
        parser.feed(data)
        parser.close()
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        # ValueError and LookupError: an encoding that is declared and does not exist.
        raise ReachError("malformed", f"expected XML, got other bytes ({error})") from error
    return builder.open[0].children[0]


class _Builder:
    """Makes the tree of one document; the parser calls it."""

    def __init__(self) -> None:
        self.open = [Element("")]
        self.count = 0

    def doctype(self, *facts: object) -> None:
        raise ReachError("malformed", "expected XML without declarations, got a DTD")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > ELEMENT_LIMIT or len(self.open) > DEPTH_LIMIT:
            raise ReachError("oversized", f"expected {ELEMENT_LIMIT} elements, {DEPTH_LIMIT} deep, got more")
        element = Element(name.rpartition("}")[2])
        self.open[-1].children.append(element)
        self.open.append(element)

    def end(self, name: str) -> None:
        self.open.pop()

    def data(self, text: str) -> None:
        self.open[-1].text += text
