"""What one log proves, as a plain value that can be stored, and whether it counts for its place.

A log counts for the one place that both players have signed with the terms of their match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from protocol.core.audit import Verdict
from protocol.core.game_data import NO_CONDITIONS, Conditions, EventTerms
from protocol.game import Decision, Seat
from protocol.tournament.contents import Event
from protocol.tournament.findings import Fact, Finding, Place, finding

Places: TypeAlias = "Mapping[Place, tuple[bytes, bytes]]"
"""The identity keys by seat for each place where a game belongs."""


@dataclass(frozen=True, slots=True)
class Report:
    """What one log proves of its match, judged together with the other logs of the match that are held."""

    digest: bytes
    """The SHA-256 of the file."""
    match: bytes | None = None
    """The match id; None where not even the handshake holds."""
    place: EventTerms | None = None
    game: str = ""
    rules: str = ""
    terms: Decision = None
    scheme: str = ""
    conditions: Conditions = NO_CONDITIONS
    """Without the place."""
    keys: tuple[bytes, ...] = ()
    """The identity keys by seat."""
    names: tuple[str, ...] = ()
    """What the players call themselves, by seat; anything may stand there."""
    sides: tuple[str, ...] = ()
    """What the seats are called; none where the game is not here."""
    turns: int = 0
    """The number of the last turn, as far as the log shows it."""
    ok: bool = False
    problems: tuple[str, ...] = ()
    """The codes of what is wrong."""
    convicted: tuple[Seat, ...] = ()
    winner: str | None = None
    """What the winner's seat is called, or ``draw``; None while the match goes on."""
    reason: str = ""
    confirmed: bool = False
    seeds: tuple[Seat, ...] = ()
    """Whose seed is open."""
    owes: Seat | None = None


def report_of(digest: bytes, verdict: Verdict) -> Report:
    """Return what a judged log proves.

    Args:
        digest: the SHA-256 of the file.
        verdict: the judge's, from all logs of the match together.
    """
    problems = tuple(sorted({one.code for one in verdict.problems}))
    agreement = verdict.agreement
    if agreement is None:
        return Report(digest, problems=problems)
    result, shown = verdict.result or {}, verdict.transcript
    return Report(
        digest=digest,
        match=agreement.match_id,
        place=agreement.conditions.event,
        game=agreement.game,
        rules=agreement.game_version,
        terms=agreement.terms,
        scheme=agreement.scheme,
        conditions=replace(agreement.conditions, event=None),
        keys=tuple(player.identity for player in agreement.players),
        names=tuple(player.name for player in agreement.players),
        sides=() if shown is None else tuple(shown.game.sides),
        turns=0 if shown is None else shown.game.turn(shown.position.state),
        ok=verdict.ok,
        problems=problems,
        convicted=tuple(sorted({one.seat for one in verdict.convictions if one.seat is not None})),
        winner=result.get("winner"),
        reason=result.get("reason", ""),
        confirmed=verdict.confirmed,
        seeds=verdict.seeds,
        owes=verdict.owes,
    )


def refuse(report: Report, id: bytes, event: Event, rounds: Sequence[bytes], places: Places) -> Finding | None:
    """Return why a log counts for no place of an event, or None.

    Args:
        report: what it proves.
        id: that of the event.
        event: its terms.
        rounds: the ids of the documents of the rounds that hold.
        places: where games belong, and whose.
    """

    def refused(code: str, **facts: Fact) -> Finding:
        return finding(code, report.digest, **facts)

    if report.match is None or (not report.ok and not report.convicted):
        missing = "rules_version" in report.problems
        return refused("rules_missing" if missing else "altered", problems=" ".join(report.problems))
    where = report.place
    if where is None or where.event != id:
        return refused("other_event", event=b"" if where is None else where.event)
    place = Place(where.round, where.table, where.game)
    told: dict[str, Fact] = {"round": place.round, "table": place.table, "game": place.game}
    if place.round > len(rounds):
        return refused("other_round", **told)
    if where.document != rounds[place.round - 1]:
        return refused("other_document", **told, document=where.document)
    if place not in places:
        known = any(one[:2] == place[:2] for one in places)
        return refused("other_game" if known else "other_table", **told)
    if len(set(report.keys)) < len(report.keys):
        return refused("one_identity", **told)
    if report.keys != places[place]:
        return refused("other_sides" if set(report.keys) == set(places[place]) else "other_players", **told)
    agreed = {
        name
        for name in ("game", "rules", "terms", "scheme", "conditions")
        if getattr(report, name) != getattr(event, name)
    }
    if agreed:
        return refused("other_terms", **told, fields=" ".join(sorted(agreed)))
    if report.winner not in (None, *event.sides, "draw"):
        return refused("unknown_winner", **told, winner=report.winner or "")
    return None


def unproven(report: Report, event: Event) -> str | None:
    """Return why the result of a log that counts is not proven: ``unfinished``, ``unconfirmed`` or ``unaudited``.

    A cheat may show only when the cheat's seed is open.  So whoever gains from a result must have opened theirs, or
    wait for a message that the loser owes; and the loser cannot spoil it by keeping the other seed.  Who is convicted
    has lost whatever the other one hides.
    """
    if len(report.convicted) > 1:
        return None
    if report.winner is None:
        return "unfinished"
    if not report.confirmed:
        return "unconfirmed"
    gains = [seat for seat, side in enumerate(event.sides) if report.winner in (side, "draw")]
    if report.convicted or set(gains) <= set(report.seeds):
        return None
    # A program opens its seed when both have signed the result: who owes that signature, loses.
    return None if report.owes is not None and report.owes not in gains else "unaudited"
