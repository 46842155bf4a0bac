"""A match from its log, step by step, as some seats knew it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cli.storm.text import checked, narrate, verdicts
from protocol.core.confirmation import missing_signatures
from protocol.core.match_record import Played
from protocol.core.secret_replay import SecretReplay
from protocol.core.transcript import Transcript
from protocol.game import Hidden, Known, Mixed, Seat, Slot, Value
from storm_p2p import games
from storm_p2p.storm.board import REALM, Faction
from storm_p2p.storm.events import Event, Moved
from storm_p2p.storm.game import owner_view
from storm_p2p.storm.match_state import StormState
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import State
from storm_p2p.storm.units import UNITS

SEATS_SHOWN: Mapping[str, tuple[int, ...]] = {
    "public": (),
    "chthonians": (Faction.CHTHONIANS,),
    "olympians": (Faction.OLYMPIANS,),
    "all": (Faction.CHTHONIANS, Faction.OLYMPIANS),
}


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of a match, as the given seats saw it."""

    seq: int
    """The message that it came with."""
    lines: tuple[str, ...]
    """What happened."""
    public: int
    """So many of the lines everybody knew; the rest only the owner."""
    events: tuple[Event, ...]
    state: State
    """After it, with the units that the seats knew."""


def moments(transcript: Transcript, seats: tuple[int, ...]) -> Iterator[Moment]:
    """Yield what each step of a match did, with what the given seats knew."""
    agreement = transcript.agreement
    storm = games.find(agreement.game, agreement.game_version)
    secret_replay = SecretReplay(
        transcript.referee, {seat: seed for seat, seed in transcript.seeds.items() if seat in seats}
    )
    state = storm.begin(agreement.terms)
    for played in transcript.history:
        secret_replay.follow(played, check=False)
        if played.answer is None:
            continue
        before = state
        state, happened = storm.step_with_events(state, played.answer)
        assert played.before.request is not None
        proved = checked.line(agreement.scheme, played.before.request, played.answer)
        told = [narrate.line(_named_movers(event, before, secret_replay.known)) for event in happened]
        if proved is not None:
            told.append(proved)
        secret = _secret(before, state, played, secret_replay.known)
        hidden = (secret,) if secret else ()
        yield Moment(played.seq, (*told, *hidden), len(told), happened, owner_view(state, secret_replay.known))


def _named_movers(event: Event, before: StormState, known: Known) -> Event:
    """Return a move of a whole group with the names that the view knows."""
    if not isinstance(event, Moved) or None not in event.units:
        return event
    group = before.game.sides[event.faction][event.path[0]]
    if len(group) != len(event.units) or any(token.serial not in known for token in group if not token.known):
        return event
    numbers = [token.unit if token.known and token.unit is not None else known[token.serial] for token in group]
    return event._replace(units=tuple(UNITS[number] for number in numbers))


def _secret(before: StormState, after: StormState, played: Played, known: Known) -> str:
    """Return what only the owner knew about a setup or a divided group, or an empty text."""
    if isinstance(played.answer, Mixed) and before.regroup is not None:
        moved, stayed = (_named(slots, known) for slots in (before.regroup.moved, before.regroup.stayed))
        return verdicts.divided(moved, stayed) if moved and stayed else ""
    placed = set(setup.missing(before.game)) - set(setup.missing(after.game))
    if not placed or (not isinstance(played.answer, Hidden) and before.deal is None):
        return ""
    faction = placed.pop()
    tokens = [group[0] for group in after.game.sides[faction][1:] if group]
    if any(token.serial not in known for token in tokens):
        return ""
    return ", ".join(
        f"{UNITS[known[token.serial]].name.capitalize()} {region}"
        for region, token in zip(REALM[faction], tokens, strict=True)
    )


def _named(slots: tuple[Slot, ...], known: Mapping[Slot, Value]) -> str:
    if any(slot not in known for slot in slots):
        return ""
    return ", ".join(narrate.unit_word(UNITS[known[slot]]) for slot in slots)


def last_line(transcript: Transcript, called: Mapping[str, str], convicted: Seat | None) -> str:
    """Return how a match ended.

    Args:
        transcript: with all of the log that holds.
        called: the players' names by their sides, in lower case.
        convicted: whom the first record that does not hold convicts, if it does.
    """
    outcome = transcript.outcome() if convicted is None else transcript.forfeit_result(convicted)
    said = None if outcome is None else dict(outcome)
    guilty = convicted is not None
    confirmed = guilty or (said is not None and not missing_signatures(transcript, said))
    return verdicts.result(said, called, guilty=guilty, confirmed=confirmed)
