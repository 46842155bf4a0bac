"""A match of Storm judged decision by decision, each from what its seat could know at that moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from cli.console.replay import Analysis, End, Judged, Point
from cli.storm import advice
from protocol.core.agreement import read_agreement
from protocol.core.secret_replay import SecretReplay
from protocol.core.transcript import Played, Transcript
from protocol.game import Chosen, Decision, Known, Mixed, Seat, Unsealed
from protocol.record import logfile
from storm_p2p import games
from storm_p2p.storm import codec, engine, notation, views
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action, Fight, Move
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.bots import rating
from storm_p2p.storm.bots.rating import Rated
from storm_p2p.storm.codec import StormState
from storm_p2p.storm.events import Event
from storm_p2p.storm.game import Storm, owner_view
from storm_p2p.storm.state import Phase, State

_FORCED = frozenset({Phase.SETUP, Phase.OPENING, Phase.SUCCESSION})
"""Phases in which nothing is judged: the setup, and what programs answer."""


class Decided(NamedTuple):
    """A decision as its seat has made it."""

    seq: int
    faction: Faction
    state: State
    """What the seat knew before it."""
    action: Action


class Happened(NamedTuple):
    """What one step of the match brought about."""

    seq: int
    events: tuple[Event, ...]
    after: StormState
    known: Mapping[Seat, Known]
    """What each seat knows of hidden units after it."""
    decided: tuple[Decided, ...]


def analyse(transcript: Transcript, seats: Sequence[Seat], simulations: int, seed: int) -> Iterator[Analysis]:
    """Yield the analysis of a match step by step, the last one complete.

    A seat is judged if its seed is open.  Nothing is drawn from its view but what it could know at that moment, so the
    analysis of a seat is the same whether or not the other's units were ever opened.
    """
    judged_seats = tuple(seat for seat in seats if seat in transcript.seeds)
    found = Analysis(judged_seats, total=len(transcript.history), end=_end(transcript))
    yield found
    for step in follow(transcript, found.seats):
        points, decisions = found.points, found.decisions
        for decided in step.decided:
            judged = _judge(decided, simulations, seed)
            decisions += () if judged is None else (judged,)
        if any(isinstance(event, ev.TurnBegan | ev.GameOver) for event in step.events):
            points = (*points, _point(step, seed))
        told = found.told if not step.events or step.seq in found.told[-1:] else (*found.told, step.seq)
        done = found.done + 1
        if done == found.total and found.end is not None and step.after.game.outcome is None:
            # No move has brought the end about.
            points = (*points, _point(step, seed, found.end.winner))
        found = replace(found, points=points, decisions=decisions, told=told, done=done)
        yield found


def _end(transcript: Transcript) -> End | None:
    outcome, state = transcript.outcome(), transcript.position.state
    if outcome is None:
        return None
    turn = 0 if state.game.phase is Phase.SETUP or state.deal is not None else state.game.number
    return End(turn, **dict(outcome))


def analyse_log(file: Path, simulations: int, seed: int) -> Iterator[Analysis]:
    """Yield the analysis of the match in a log, which its own program has written and which is whole.

    Raises:
        OSError, LogError, ProtocolError: it cannot be read.
    """
    records = logfile.load(logfile.read(file)).records
    agreement = read_agreement(records)
    transcript = Transcript(agreement, games.find(agreement.game, agreement.game_version))
    for record in records[4:]:
        transcript.accept(record.frame)
    yield from analyse(transcript, (0, 1), simulations, seed)


def follow(transcript: Transcript, seats: Sequence[Seat]) -> Iterator[Happened]:
    """Yield each step of a match with what the given seats decided in it and knew after it."""
    storm = games.find(transcript.agreement.game, transcript.agreement.game_version)
    assert isinstance(storm, Storm)
    secrets = {seat: SecretReplay(transcript.referee, {seat: transcript.seeds[seat]}) for seat in seats}
    state = storm.begin(transcript.agreement.terms)
    divided: tuple[Decided, ...] = ()
    for played in transcript.history:
        before, seen = state, {seat: owner_view(state, secrets[seat].known) for seat in seats}
        for secret in secrets.values():
            secret.follow(played, check=False)
        happened: tuple[Event, ...] = ()
        if played.answer is not None:
            state, happened = storm.step_with_events(state, played.answer)
        decided = tuple(one for one in _decided(played, before, seen))
        if isinstance(played.answer, Mixed) and divided:
            # Who of a divided group went is seen in what its owner hid again.
            regroup, known = before.regroup, secrets[played.seat].known
            assert regroup is not None
            gone = {known[slot] for slot in regroup.moved}
            decided = tuple(one for one in divided if isinstance(one.action, Move) and set(one.action.units) == gone)
        divided = decided if len({one.faction for one in decided}) < len(decided) else ()
        shown = {seat: dict(secret.known) for seat, secret in secrets.items()}
        yield Happened(played.seq, happened, state, shown, () if divided else decided)


def _decided(played: Played, before: StormState, seen: dict[Seat, State]) -> Iterator[Decided]:
    """Yield what the seats have decided with one answer; several for one seat where the answer does not tell."""
    if before.game.phase in _FORCED or before.deal is not None or before.regroup is not None:
        return
    match played.answer:
        case Chosen(decision=decision):
            decisions: tuple[tuple[Seat, Decision], ...] = ((played.seat, decision),)
        case Unsealed(decisions=both):
            # The rules name who seals; a choice in a combat says whose it is.
            choices = [(codec.decode(one), one) for one in both]
            decisions = tuple((choice.faction, one) for choice, one in choices if isinstance(choice, Fight))
        case _:
            return
    for seat, decision in decisions:
        if seat not in seen:
            continue
        state = seen[seat]
        actions = engine.legal_actions(state, seat)
        meant = [one for one in actions if codec.encode(views.publish(state, one)) == decision]
        for action in meant or [codec.decode(decision)]:
            if len(actions) > 1:
                yield Decided(played.seq, FACTIONS[seat], state, action)


def _judge(decided: Decided, simulations: int, seed: int) -> Judged | None:
    """Return a decision beside what promised most; None for one that the computer does not think of."""
    seq, faction, state, action = decided
    rated = advice.rate(state, faction, seed + seq, simulations)
    played = _find(rated, action)
    if played is None:
        return None
    best = max(rated, key=lambda one: one.chance)
    better = advice.make_candidate(state, best, faction)
    words = notation.format_action(action)
    return Judged(seq, state.number, int(faction), words, played.chance, better)


def _find(rated: Sequence[Rated], action: Action) -> Rated | None:
    """Return the rating of an action, or of the one that is most like it: not all are listed."""
    for one in rated:
        if one.action == action:
            return one
    if isinstance(action, Fight):
        # Of the Energy only some amounts are rated.
        alike = [one for one in rated if isinstance(one.action, Fight) and one.action.maneuver == action.maneuver]
        return min(alike, key=lambda one: abs(_energy(one) - action.energy), default=None)
    if isinstance(action, Move):
        # Of a wanderer's ways to a region only the cheapest is rated.
        ends = (action.path[0], action.path[-1], action.movers, action.claim)
        return next((one for one in rated if _ends(one.action) == ends), None)
    return None


def _energy(rated: Rated) -> int:
    assert isinstance(rated.action, Fight)
    return rated.action.energy


def _ends(action: Action) -> tuple[object, ...] | None:
    return (action.path[0], action.path[-1], action.movers, action.claim) if isinstance(action, Move) else None


def _point(step: Happened, seed: int, winner: str | None = None) -> Point:
    """Return how the match stands after a step; ``winner`` is who has won by other means than a move."""
    game = step.after.game
    winner = game.outcome.winner if game.outcome is not None else winner
    chances: list[float | None] = []
    for faction in FACTIONS:
        if faction not in step.known:
            chances.append(None)
        elif winner is not None:
            chances.append({faction.name.lower(): 1.0, "draw": 0.5}.get(winner, 0.0))
        else:
            view = owner_view(step.after, step.known[faction])
            chances.append(rating.estimate_chance(view, faction, Random(seed + step.seq)))  # noqa: S311
    return Point(step.seq, game.number, tuple(chances), (tuple(game.honor), tuple(game.energy)))
