"""A match from its log, step by step, as some seats knew it."""

from collections.abc import Iterator, Mapping, Sequence

from cli.console.replay import Moment
from cli.storm.notices import proved
from cli.storm.text import narrate, story
from protocol.core.secret_replay import SecretReplay
from protocol.core.transcript import Played, Transcript
from protocol.game import Hidden, Known, Mixed, Seat, Slot, Value
from storm_p2p import games
from storm_p2p.storm.board import REALM
from storm_p2p.storm.events import Event, Moved
from storm_p2p.storm.game import Storm, owner_view
from storm_p2p.storm.match_state import StormState
from storm_p2p.storm.rules import setup
from storm_p2p.storm.units import UNITS


def moments(transcript: Transcript, seats: Sequence[Seat]) -> Iterator[Moment]:
    """Yield what each step of a match did, with what the given seats knew."""
    agreement = transcript.agreement
    storm = games.find(agreement.game, agreement.game_version)
    assert isinstance(storm, Storm)
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
        found = proved(agreement.scheme, played.before.request, played.answer)
        told = [narrate.line(_named_movers(event, before, secret_replay.known)) for event in happened]
        if found is not None:
            told.append(story.proof(found))
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
        return narrate.divided(moved, stayed) if moved and stayed else ""
    placed = set(setup.missing(before.game)) - set(setup.missing(after.game))
    if not placed or (not isinstance(played.answer, Hidden) and before.deal is None):
        return ""
    faction = placed.pop()
    tokens = [group[0] for group in after.game.sides[faction][1:] if group]
    if any(token.serial not in known for token in tokens):
        return ""
    return ", ".join(
        f"{narrate.unit_word(UNITS[known[token.serial]])} {region}"
        for region, token in zip(REALM[faction], tokens, strict=True)
    )


def _named(slots: tuple[Slot, ...], known: Mapping[Slot, Value]) -> str:
    if any(slot not in known for slot in slots):
        return ""
    return ", ".join(narrate.unit_word(UNITS[known[slot]]) for slot in slots)
