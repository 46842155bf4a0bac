"""Who asks for a forfeit, and whether the other has answered (SPEC.md, section "No-shows").

Times are those of the players' own clocks: they say what each claims, and the arbiter decides.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count, takewhile

from protocol.tournament.contents import Answer, Claim, Matter
from protocol.tournament.documents import Signed
from protocol.tournament.findings import Place
from protocol.tournament.results import SETTLED
from protocol.tournament.survey import Tournament


@dataclass(frozen=True, slots=True)
class NoShow:
    """What a player claims of a pairing, while no ruling or result has settled it; more claims of it add nothing."""

    places: tuple[Place, ...]
    """What a ruling would be about: the pairing, as game 0, if none of its games has an outcome, else the open ones."""
    claims: tuple[bytes, ...]
    """The ids of the claims, the latest first."""
    by: int
    """The player who claims."""
    against: int
    at: int
    """When they claimed: the first time after a wait that was long enough, if there was one."""
    ready: int | None
    """Since when they say to have been there."""
    waited: bool
    """Whether that was as long as the event asks for."""
    other_ready: int | None
    """Since when the other says to have been there."""
    answers: tuple[Signed[Answer], ...]
    """What the other has answered, the first first."""
    answer_until: int

    def covers(self, place: Place) -> bool:
        """Say whether it is about a game, or with game 0 about any game of a pairing."""
        return any(one[:2] == place[:2] and (0 in (one.game, place.game) or one == place) for one in self.places)


def no_shows(tournament: Tournament) -> tuple[NoShow, ...]:
    """Return what waits for an answer or a ruling, in the order of the places; of each claimant and pairing one."""
    if tournament.end is not None:
        return ()
    # A player may post thousands of each, so they are sorted once.
    claims: dict[tuple[int, int, bytes], list[Signed[Claim]]] = {}
    for one in sorted(tournament.claims, key=_order):
        result = tournament.results.get(one.content.place)
        if result is not None and result.state not in SETTLED:
            claims.setdefault((one.content.round, one.content.table, one.author), []).append(one)
    answers: dict[bytes, list[Signed[Answer]]] = {}
    for said in tournament.answers:
        answers.setdefault(said.content.claim, []).append(said)
    ready: dict[tuple[Place, bytes], list[int]] = {}
    for seated in tournament.ready:
        ready.setdefault((seated.content.place, seated.author), []).append(seated.content.at)
    refused = _refused(tournament)
    found: list[NoShow] = []
    for (number, table, key), posted in claims.items():
        after = refused.get((number, table, key), -1)
        made = [one for one in posted if _order(one)[0] > after]
        if not made:
            continue
        pairing = tournament.rounds[number - 1].pairings[table - 1]
        by, against = pairing if tournament.players[pairing.first - 1].key == key else pairing[::-1]
        games = list(takewhile(tournament.results.__contains__, (Place(number, table, game) for game in count(1))))
        places = tuple(one for one in games if tournament.results[one].state not in SETTLED)
        own, other = (
            _first((at for place in places for at in ready.get((place, one), ())), after)
            for one in (key, tournament.players[against - 1].key)
        )
        times = [_order(one)[0] for one in made]
        waits = [at for at in times if own is not None and own + tournament.event.grace <= at]
        at = (waits or times)[0]
        about = places if len(places) < len(games) else (Place(number, table, 0),)
        ids, until = tuple(one.id for one in reversed(made)), at + tournament.event.answer
        replies = tuple(sorted((said for one in made for said in answers.get(one.id, ())), key=_order))
        found.append(NoShow(about, ids, by, against, at, own, bool(waits), other, replies, until))
    return tuple(sorted(found, key=lambda one: (one.places, one.by)))


def ready_since(tournament: Tournament, key: bytes, place: Place) -> int | None:
    """Return since when a player says to be there for a game; None if they have not said so since a refused claim."""
    said = (one.content.at for one in tournament.ready if (one.author, one.content.place) == (key, place))
    return _first(said, _refused(tournament).get((place.round, place.table, key), -1))


def _refused(tournament: Tournament) -> dict[tuple[int, int, bytes], int]:
    """Return when the last claim was made that an arbiter has refused, by round, table and claimant."""
    rulings = [one.content for one in tournament.in_force]
    named = {(one.round, one.table, part) for one in rulings if one.matter is Matter.REFUSAL for part in one.evidence}
    found: dict[tuple[int, int, bytes], int] = {}
    for document in tournament.claims:
        claim = document.content
        if (claim.round, claim.table, document.id) in named:
            where = claim.round, claim.table, document.author
            found[where] = max(claim.at, found.get(where, claim.at))
    return found


def _first(times: Iterable[int], after: int) -> int | None:
    return min((at for at in times if at >= after), default=None)


def _order(document: Signed[Claim] | Signed[Answer]) -> tuple[int, bytes]:
    """Return what claims and answers are sorted by."""
    return document.content.at, document.id
