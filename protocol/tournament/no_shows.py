"""Who asks for a forfeit, and whether the other has answered (SPEC.md, section "No-shows").

Times are those of the players' own clocks: they say what each claims, and the arbiter decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.tournament.contents import Answer, Claim, Ready
from protocol.tournament.findings import Place
from protocol.tournament.results import SETTLED
from protocol.tournament.survey import Tournament


@dataclass(frozen=True, slots=True)
class NoShow:
    """A claim that no ruling or result has settled yet."""

    place: Place
    claim: bytes
    """The id of the claim, as evidence for a ruling."""
    by: int
    """The player who claims."""
    against: int
    at: int
    waited: bool
    """Whether he says that he was ready for as long as the event asks for."""
    other_ready: bool
    """Whether the other says that he was ready before the claim, too."""
    answers: tuple[bytes, ...]
    """The ids of what the other has answered."""
    answer_until: int


def no_shows(tournament: Tournament) -> tuple[NoShow, ...]:
    """Return the claims that wait for an answer or a ruling, in the order of their places."""
    found: list[NoShow] = []
    for document in tournament.claims:
        claim = document.content
        assert isinstance(claim, Claim)
        place = Place(claim.round, claim.table, claim.game)
        result = tournament.results.get(place)
        if result is None or result.state in SETTLED:
            continue
        pairing = tournament.rounds[place.round - 1].pairings[place.table - 1]
        own = tournament.players[pairing.first - 1].key == document.author
        by, against = pairing if own else pairing[::-1]
        other = tournament.players[against - 1].key
        ready = [(one.author, one.content.at) for one in tournament.ready if isinstance(one.content, Ready)
                 and (one.content.round, one.content.table, one.content.game) == place]  # fmt: skip
        answers = tuple(one.id for one in tournament.answers
                        if isinstance(one.content, Answer) and one.content.claim == document.id)  # fmt: skip
        found.append(
            NoShow(
                place, document.id, by, against, claim.at,
                any(author == document.author and at + tournament.event.grace <= claim.at for author, at in ready),
                any(author == other and at <= claim.at for author, at in ready),
                answers, claim.at + tournament.event.answer,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda one: (one.place, one.claim)))
