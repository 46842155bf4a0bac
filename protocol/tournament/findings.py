"""What is noticed about an event and its folder, as codes and facts (SPEC.md, section "What is noticed")."""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Fact: TypeAlias = str | int | bytes
"""What a finding may tell."""


class Place(NamedTuple):
    """Where a game belongs; all count from 1."""

    round: int
    table: int
    game: int
    """0 stands for all of the pairing."""

    def __str__(self) -> str:
        """Return the place as it is typed and shown: ``2.1.1``, and ``2.1`` for all of a pairing."""
        return ".".join(map(str, self if self.game else self[:2]))


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something that a reader should know."""

    code: str
    """A stable word, listed in SPEC.md."""
    subject: bytes = b""
    """The SHA-256 of the file, or the id of the document or match, that it is about; empty if it is about none."""
    facts: tuple[tuple[str, Fact], ...] = ()

    def fact(self, name: str) -> Fact | None:
        """Return one of the facts, or None."""
        return dict(self.facts).get(name)


def finding(code: str, subject: bytes = b"", /, **facts: Fact) -> Finding:
    """Return a finding with its facts in the order of their names."""
    return Finding(code, subject, tuple(sorted(facts.items())))


def sorted_findings(findings: set[Finding]) -> tuple[Finding, ...]:
    """Return findings in an order that depends on nothing but themselves."""
    return tuple(sorted(findings, key=lambda one: (one.code, one.subject, repr(one.facts))))
