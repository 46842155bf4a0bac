"""Which rulings stand, and which others have taken their places (SPEC.md, section "Rulings and no-shows")."""

from dataclasses import dataclass

from protocol.tournament.contents import ABOUT_PLAYERS, Matter, Ruling
from protocol.tournament.documents import Signed
from protocol.tournament.findings import Place
from protocol.tournament.survey import Tournament


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling that stands in its arbiter's chain."""

    document: Signed[Ruling]
    replaced_by: tuple[Signed[Ruling], ...]
    """More than one if arbiters have not seen each other's rulings."""
    stands: bool
    """Whether it works: it fits the event and is not replaced, or a round has named it before."""

    @property
    def ruling(self) -> Ruling:
        """What it says."""
        return self.document.content


def list_rulings(tournament: Tournament) -> tuple[Ruled, ...]:
    """Return the rulings in the order of the arbiters and then of their numbers."""
    documents = [one for arbiter in tournament.arbiters for one in tournament.rulings[arbiter].documents]
    successors: dict[bytes, list[Signed[Ruling]]] = {}
    for document in documents:
        if document.content.replaces is not None:
            successors.setdefault(document.content.replaces, []).append(document)
    standing = {one.id for one in tournament.in_force} - {one.subject for one in tournament.refused}
    found: list[Ruled] = []
    for document in documents:
        named = document.content.matter in ABOUT_PLAYERS and document.id in tournament.listed
        stands = document.id in standing or named
        found.append(Ruled(document, tuple(successors.get(document.id, ())), stands))
    return tuple(found)


def rulings_on(tournament: Tournament, place: Place) -> tuple[Ruled, ...]:
    """Return the rulings that give a game an outcome, or with game 0 any game of the pairing."""
    return tuple(
        one
        for one in list_rulings(tournament)
        if one.stands
        and one.ruling.matter is not Matter.REFUSAL
        and (one.ruling.round, one.ruling.table) == place[:2]
        and (one.ruling.game == place.game or not one.ruling.game or not place.game)
    )
