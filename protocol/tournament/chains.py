"""The documents of one author in their order (SPEC.md, section "Chains").

The organiser's close, start and rounds form one chain from the event on, and so do the rulings of each arbiter.
Whoever signs two documents with one number is convicted, and nothing of that chain counts from that number on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from protocol.tournament.contents import Chained
from protocol.tournament.documents import Equivocation, Signed
from protocol.tournament.findings import Finding, finding

H = TypeVar("H", bound=Chained)


@dataclass(frozen=True, slots=True)
class Chain(Generic[H]):
    """What is held of a chain without a gap, and what is wrong with the rest."""

    documents: tuple[Signed[H], ...]
    equivocations: tuple[Equivocation, ...] = ()
    holes: tuple[Finding, ...] = ()

    def tip(self, event: bytes) -> tuple[int, bytes]:
        """Return the number of the next document and the id that it names."""
        return len(self.documents) + 1, self.documents[-1].id if self.documents else event


def follow(event: bytes, documents: Iterable[Signed[H]]) -> Chain[H]:
    """Return the chain that documents of one author form which are all chained.

    Args:
        event: the id of the event, which the first one names.
        documents: each once, in any order.
    """
    by_number: dict[int, list[Signed[H]]] = {}
    for document in sorted(documents, key=lambda one: one.id):
        by_number.setdefault(document.content.number, []).append(document)
    forks = tuple(
        Equivocation(same[0].author, number, same[0].data, same[1].data)
        for number, same in sorted(by_number.items())
        if len(same) > 1
    )
    held: list[Signed[H]] = []
    previous = event
    while len(same := by_number.get(len(held) + 1, [])) == 1:
        if same[0].content.previous != previous:
            break
        held.append(same[0])
        previous = same[0].id
    holes = [finding("equivocation", b"", author=fork.author, number=fork.number) for fork in forks]
    number = len(held) + 1
    later = [same[0].author for one, same in by_number.items() if one >= number]
    # A number is missing, or its document rests on one that nobody has shown; a second one is named already.
    if later and len(by_number.get(number, ())) < 2:
        code = "document_unlinked" if number in by_number else "document_missing"
        holes.append(finding(code, b"", author=later[0], number=number))
    return Chain(tuple(held), forks, tuple(holes))
