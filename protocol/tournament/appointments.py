"""When two players want to play a game (SPEC.md, section "Appointments")."""

from dataclasses import dataclass

from protocol.tournament.contents import Proposal
from protocol.tournament.documents import Signed
from protocol.tournament.findings import Place
from protocol.tournament.results import SETTLED
from protocol.tournament.survey import Tournament


@dataclass(frozen=True, slots=True)
class Appointment:
    """A time for a game without an outcome."""

    when: int
    by: int | None = None
    """The player who proposes it; None if both have agreed."""


def appointments(tournament: Tournament) -> dict[Place, tuple[Appointment, ...]]:
    """Return for each game the time on which both agree, and what each player proposes instead.

    A player's later proposal takes the place of the earlier one.  When both propose the same time they have agreed on
    it, and it stands until they agree on another one.
    """
    latest: dict[Place, dict[bytes, int]] = {}
    agreed: dict[Place, int] = {}
    for document in sorted(tournament.proposals, key=_order):
        content, place = document.content, document.content.place
        result = tournament.results.get(place)
        if tournament.end is None and result is not None and result.state not in SETTLED:
            wanted = latest.setdefault(place, {})
            wanted[document.author] = content.when
            if list(wanted.values()) == [content.when] * 2:
                agreed[place] = content.when
    found: dict[Place, tuple[Appointment, ...]] = {}
    for place, wanted in latest.items():
        both = (Appointment(agreed[place]),) if place in agreed else ()
        numbers = sorted((player.number, wanted[player.key]) for player in tournament.players if player.key in wanted)
        found[place] = (*both, *(Appointment(when, by) for by, when in numbers if when != agreed.get(place)))
    return found


def _order(document: Signed[Proposal]) -> tuple[int, bytes]:
    return document.content.at, document.id
