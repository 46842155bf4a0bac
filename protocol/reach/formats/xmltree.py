"""XML of a stranger as a small tree: no DTD, no entities, little of everything.

Entities are what makes XML dangerous, by growing without end or by reading files, and a UPnP router needs none;
so a document with a DTD, which alone declares them, is refused at its first mark.  Why not ``defusedxml``: its last
release is years old, and what it does for this one use is the few methods below.
"""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element, TreeBuilder

from protocol.reach import ReachError

SIZE_LIMIT = 65_536
DEPTH_LIMIT = 32
ELEMENT_LIMIT = 4_000


def parse(data: bytes) -> Element:
    """Return the root of a document, whose names are without their namespaces.

    Raises:
        ReachError: ``oversized``, or ``malformed``: no XML, or XML with declarations.
    """
    if len(data) > SIZE_LIMIT:
        raise ReachError("oversized", f"expected at most {SIZE_LIMIT} bytes of XML, got {len(data)}")
    parser = ElementTree.XMLParser(target=_Builder())  # noqa: S314  # what is dangerous is refused by the target
    try:
        parser.feed(data)
        return parser.close()
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        # ValueError and LookupError: an encoding that is declared and does not exist.
        raise ReachError("malformed", f"expected XML, got other bytes ({error})") from error


def text_of(element: Element, name: str) -> str:
    """Return the text of the first child of a name, without the space around it; "" when there is none."""
    child = element.find(name)
    return "" if child is None else "".join(child.itertext()).strip()


class _Builder(TreeBuilder):
    """Makes the tree of one document; the parser calls it."""

    count = depth = 0

    def doctype(self, *facts: object) -> None:
        raise ReachError("malformed", "expected XML without declarations, got a DTD")

    def start(self, name: str, attributes: dict[str, str]) -> Element:
        self.count += 1
        self.depth += 1
        if self.count > ELEMENT_LIMIT or self.depth > DEPTH_LIMIT:
            raise ReachError("oversized", f"expected {ELEMENT_LIMIT} elements, {DEPTH_LIMIT} deep, got more")
        return super().start(name.rpartition("}")[2], {})

    def end(self, name: str) -> Element:
        self.depth -= 1
        return super().end(name.rpartition("}")[2])
