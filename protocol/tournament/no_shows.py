"""Who asks for a forfeit, and whether the other has answered (SPEC.md, section "No-shows").

Times are those of the players' own clocks: they say what each claims, and the arbiter decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.tournament.contents import Answer, Claim, Ready
from protocol.tournament.findings import Place
from protocol.tournament.results import SETTLED
from protocol.tournament.survey import Tournament

_NEVER = 2**60
"""Later than every time of a document."""


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
    """Whether the claimant says to have been ready for as long as the event asks for."""
    other_ready: bool
    """Whether the other says to have been ready before the claim, too."""
    answers: tuple[bytes, ...]
    """The ids of what the other has answered."""
    answer_until: int


def no_shows(tournament: Tournament) -> tuple[NoShow, ...]:
    """Return the claims that wait for an answer or a ruling, in the order of their places."""
    if tournament.end is not None:
        return ()
    # For each game and player the first moment of being there, for each claim its answers: a player may post thousands.
    ready: dict[tuple[Place, bytes], int] = {}
    for one in tournament.ready:
        assert isinstance(one.content, Ready)
        where = Place(one.content.round, one.content.table, one.content.game), one.author
        ready[where] = min(one.content.at, ready.get(where, one.content.at))
    answers: dict[bytes, list[bytes]] = {}
    for one in tournament.answers:
        assert isinstance(one.content, Answer)
        answers.setdefault(one.content.claim, []).append(one.id)
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
        found.append(
            NoShow(
                place,
                document.id,
                by,
                against,
                claim.at,
                ready.get((place, document.author), _NEVER) + tournament.event.grace <= claim.at,
                ready.get((place, other), _NEVER) <= claim.at,
                tuple(answers.get(document.id, ())),
                claim.at + tournament.event.answer,
            )
        )
    return tuple(sorted(found, key=lambda one: (one.place, one.claim)))
