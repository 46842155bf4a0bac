"""``storm-p2p replay``: a match from its log, event by event."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cli.clean import clean
from cli.kept import preferences
from cli.kept.home import Home
from cli.match import stored
from cli.process import terminal
from cli.process.console import Exit, result, say
from cli.text import checked, narrate, usage, verdicts, versions
from protocol.core.agreement import read_agreement
from protocol.core.confirmation import uncovered
from protocol.core.secret_replay import OpenCards
from protocol.core.transcript import Played, Transcript
from protocol.errors import Damage, Misbehaviour, ProtocolError
from protocol.game import Hidden, Known, MissingRules, Mixed, Slot, Value
from protocol.record import logfile
from protocol.record.logfile import Log, LogError
from storm_p2p import games
from storm_p2p.storm.board import FACTIONS, REALM, Faction
from storm_p2p.storm.events import Event, Moved
from storm_p2p.storm.game import owner_view
from storm_p2p.storm.match_state import StormState
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import State
from storm_p2p.storm.units import UNITS

MOST_LISTED = 9
"""So many logs are listed where none is named."""
VIEWS: Mapping[str, tuple[int, ...]] = {
    "public": (),
    "chthonians": (Faction.CHTHONIANS,),
    "olympians": (Faction.OLYMPIANS,),
    "all": (Faction.CHTHONIANS, Faction.OLYMPIANS),
}


def main(options: Namespace) -> Exit:
    """Run the command."""
    home = Home(Path(options.home))
    file = None if options.file is None else stored.log_named(home, options.file)
    if file is None:
        return _which(home)
    try:
        log = logfile.load(logfile.read(file))
        agreement = read_agreement(log.records)
        transcript = Transcript(agreement, games.find(agreement.game, agreement.game_version))
    except LogError as error:
        say(usage.log_problem(error, str(file)))
        return Exit.USAGE
    except MissingRules as error:
        say(versions.of_log(error))
        return Exit.USAGE
    except (ProtocolError, ValueError) as error:
        say(verdicts.cannot_be_shown(str(error)))
        return Exit.USAGE
    guilty = False
    notices: list[str] = []
    for record in log.records[4:]:
        try:
            transcript.accept(record.frame)
        except (Damage, Misbehaviour, ProtocolError) as error:
            notices.append(verdicts.goes_wrong(str(error)))
            guilty = True
            break
    view = options.view or own_view(file, log, home, transcript)
    wanted = VIEWS[view]
    missing = [seat for seat in wanted if seat not in transcript.seeds]
    if missing:
        notices.append(verdicts.never_opened([FACTIONS[seat].name.lower() for seat in missing]))
    if not options.text and terminal.why_plain() is None:
        from cli.commands import replay_screen

        chosen = preferences.load(home.folder)
        chosen = replace(chosen, unicode=chosen.unicode or options.unicode)
        return replay_screen.show(transcript, view, file, agreement, " ".join(notices), chosen, guilty=guilty)
    for notice in notices:
        say(notice)
    seated = [(player.name, FACTIONS[seat].name.lower()) for seat, player in enumerate(agreement.players)]
    result(verdicts.match(agreement.match_id.hex(), seated))
    stepping = not options.text and sys.stdin is not None and sys.stdin.isatty()
    if stepping:
        say(verdicts.STEPPING)
    if not show(lines(transcript, wanted), stepping=stepping):
        return Exit.FINE
    outcome = transcript.outcome()
    called = {seat: name for name, seat in seated}
    confirmed = outcome is not None and not uncovered(transcript, dict(outcome))
    said = None if outcome is None else dict(outcome)
    result(verdicts.result(said, called, guilty=guilty, confirmed=confirmed))
    return Exit.FINE


def own_view(file: Path, log: Log, home: Home, transcript: Transcript) -> str:
    """Return the view of who has played a match, if its log was written here and his units were opened, else public."""
    mine = file.resolve().parent == home.logs.resolve() and log.seat in transcript.seeds
    return FACTIONS[log.seat].name.lower() if mine else "public"


def _which(home: Home) -> Exit:
    """Say which logs are here."""
    newest = stored.logs(home)[:MOST_LISTED]
    say(usage.REPLAY if newest else usage.NO_LOGS)
    for path in newest:
        result(f"  {clean(str(path))}")
    return Exit.USAGE


def show(events: Iterator[str], *, stepping: bool) -> bool:
    """Print events, all at once or as many as the person asks for; return whether the end was reached."""
    due = 0
    for line in events:
        if stepping and due == 0:
            try:
                words = input(verdicts.STEP).strip().lower()
            except EOFError:
                return False
            if words.startswith("q"):
                return False
            due = int(words) if words.isascii() and words.isdigit() and len(words) < 5 else 1
        due -= 1
        result(line)
    return True


def lines(transcript: Transcript, seats: tuple[int, ...]) -> Iterator[str]:
    """Yield a line for each event, with what the given seats knew."""
    for moment in moments(transcript, seats):
        for number, line in enumerate(moment.lines):
            yield f"{moment.seq:4}  {line}" if number < moment.public else f"      ({line})"


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
    cards = OpenCards(transcript.referee, {seat: seed for seat, seed in transcript.seeds.items() if seat in seats})
    state = storm.begin(agreement.terms)
    for played in transcript.history:
        cards.follow(played, check=False)
        if played.answer is None:
            continue
        before = state
        state, happened = storm.happened(state, played.answer)
        assert played.before.request is not None
        proved = checked.line(agreement.scheme, played.before.request, played.answer)
        told = [narrate.line(_named_movers(event, before, cards.known)) for event in happened]
        if proved is not None:
            told.append(proved)
        secret = _secret(before, state, played, cards.known)
        hidden = (secret,) if secret else ()
        yield Moment(played.seq, (*told, *hidden), len(told), happened, owner_view(state, cards.known))


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


