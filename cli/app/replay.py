"""``storm-p2p replay``: a match from its log, event by event."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cli.app import games
from cli.clean import clean
from cli.console import replay
from cli.console.played import PlayedGame
from cli.console.render.replay import render, step_at
from cli.console.replay import PUBLIC, Moment, Replay, Step
from cli.runtime import terminal
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage.home import Home, Preferences, find_log, list_logs, load_preferences
from cli.text import commands, failures, verdicts, wording
from protocol.core import secret_replay
from protocol.core.agreement import read_agreement
from protocol.core.game_data import read_data, supply
from protocol.core.results import missing_signatures, result_of
from protocol.core.transcript import Transcript
from protocol.errors import Damage, Misbehaviour, ProtocolError
from protocol.game import MissingRules, Seat
from protocol.record import logfile
from protocol.record.files import write_file
from protocol.record.logfile import LogError
from protocol.system import files
from storm_p2p import games as rules

if TYPE_CHECKING:
    from cli.console.shell.menu import SmallApp

MOST_LISTED = 9
"""So many logs are listed where none is named."""


@dataclass(frozen=True, slots=True)
class OpenedLog:
    """A log that has been read as far as it holds."""

    file: Path
    game: PlayedGame
    transcript: Transcript
    own: str | None
    """The view of the player who has played it here, if what that player hid was opened."""
    notices: tuple[str, ...]
    """What has to be said about it."""
    convicted: Seat | None
    """Whom the first record that does not hold convicts."""

    @property
    def called(self) -> list[str]:
        """What the log calls the sides, by seat."""
        return [self.game.console.seat_word(side) for side in self.game.console.sides]

    def never_opened(self, seats: Iterable[Seat]) -> list[str]:
        """Return that what some of these seats hid was never opened, if that is so."""
        missing = [seat for seat in seats if seat not in self.transcript.seeds]
        return [verdicts.never_opened([wording.seat(self.called[seat]) for seat in missing])] if missing else []


def players_of(transcript: Transcript) -> list[tuple[str, str]]:
    """Return the names of the players of a log, each with the side."""
    console = games.find(transcript.agreement.game).console
    sides = map(console.seat_word, console.sides)
    return [(one.name, side) for one, side in zip(transcript.agreement.players, sides, strict=True)]


def open_log(home: Home, named: str | None, command: str) -> OpenedLog:
    """Return the log that a command means; where none is named, or there is none, say which are here.

    Raises:
        UsageError: there is none, or it cannot be shown.
    """
    file = None if named is None else find_log(home, named)
    if file is None:
        newest = list_logs(home)[:MOST_LISTED]
        say(f"{commands.log_wanted(command)} {commands.NEWEST if newest else commands.NO_LOGS}")
        result(*(f"  {clean(str(path))}" for path in newest))
        raise UsageError
    try:
        return open_bytes(home, file, logfile.read(file))
    except LogError as error:
        is_page = error.code == "not-a-log" and file.suffix.lower() == ".html"
        raise UsageError(str(commands.A_PAGE) if is_page else commands.log_problem(error, str(file))) from error


def open_bytes(home: Home, file: Path, data: bytes) -> OpenedLog:
    """Return the log in the bytes of a file.

    Raises:
        LogError: there is none in it.
        UsageError: it cannot be shown.
    """
    log = logfile.load(data)
    try:
        agreement = read_agreement(log.records)
        supplied, begins = read_data(log.records)
        transcript = Transcript(agreement, supply(rules.find(agreement.game, agreement.game_version), supplied))
    except MissingRules as error:
        raise UsageError(failures.no_rules(error)) from error
    except (ProtocolError, ValueError) as error:
        raise UsageError(verdicts.cannot_be_shown(verdicts.what("bad_handshake", None))) from error
    convicted: Seat | None = None
    notices: list[str] = []
    for record in log.records[begins:]:
        try:
            transcript.accept(record.frame)
        except (Damage, Misbehaviour, ProtocolError) as error:
            problem = verdicts.what(error.code, None)
            if isinstance(error, Misbehaviour):
                convicted = error.seat
                problem = verdicts.cheated(*players_of(transcript)[convicted], verdicts.how(error.code), error.seq)
            notices.append(verdicts.goes_wrong(problem))
            break
    game = games.find(agreement.game)
    if supplied:
        game = game.supply(supplied)
    assert log.trailer is not None
    seat = log.trailer.seat
    own = game.console.seat_word(game.console.sides[seat]) if is_own(file, seat, home, transcript) else None
    return OpenedLog(file, game, transcript, own, tuple(notices), convicted)


def view_named(found: OpenedLog, word: str) -> str:
    """Return a view by its name, or that of a seat by its number.

    Raises:
        UsageError: the game has none of this name.
    """
    views = list(replay.views_of(found.game.console))
    named = dict(zip(map(str, range(len(found.called))), views[1:], strict=False))
    if word not in views and word not in named:
        raise UsageError(commands.no_view(word, views))
    return named.get(word, word)


def is_own(file: Path, seat: Seat, home: Home, transcript: Transcript) -> bool:
    """Return whether the log of a seat was written here and what its player hid was opened."""
    return file.resolve().parent == home.logs.resolve() and seat in transcript.seeds


def last_line(transcript: Transcript, called: Mapping[str, str], convicted: Seat | None) -> str:
    """Return how a match ended, by all of the log that holds.

    ``called`` names the players by their sides, in lower case; ``convicted`` is whom the first record that does not
    hold convicts, if it does.
    """
    found = secret_replay.replay(transcript.referee, transcript.history, transcript.seeds)[0]
    culprits = {seat for seat in (convicted, *(one.seat for one in found)) if seat is not None}
    said = result_of(transcript, culprits, by_message=convicted is not None)
    guilty = bool(culprits)
    confirmed = guilty or (said is not None and not missing_signatures(transcript, said))
    return verdicts.result(said, called, guilty=guilty, confirmed=confirmed)


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    found = open_log(home, options.file, "replay")
    game, transcript, agreement = found.game, found.transcript, found.transcript.agreement
    view = view_named(found, options.view or found.own or PUBLIC)
    wanted = replay.views_of(game.console)[view]
    notices = [*found.notices, *found.never_opened(wanted)]
    if not options.text and terminal.why_plain() is None:
        chosen = load_preferences(home.folder, options.signs)
        return show(found, view, " ".join(notices), chosen)
    say(*notices)
    result(verdicts.match(agreement.match_id.hex(), players_of(transcript)))
    stepping = not options.text and terminal.is_terminal(sys.stdin)
    if stepping:
        say(str(verdicts.STEPPING))
    if not print_lines(lines(game, transcript, wanted), stepping=stepping):
        return Exit.FINE
    result(last_line(transcript, {seat: name for name, seat in players_of(transcript)}, found.convicted))
    return Exit.FINE


def print_lines(events: Iterator[str], *, stepping: bool) -> bool:
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


def lines(game: PlayedGame, transcript: Transcript, seats: tuple[int, ...]) -> Iterator[str]:
    """Yield a line for each event, with what the given seats knew."""
    for moment in game.console.moments(transcript, seats):
        for number, line in enumerate(moment.lines):
            yield f"{moment.seq:4}  {line}" if number < moment.public else f"      ({line})"


MARKS_SUFFIX = ".marks.json"
LONGEST_NAME = 24


def marks_file(log: Path) -> Path:
    """Return where the marks of a log are: beside it, so that the signed file is never touched."""
    return log.with_name(log.name + MARKS_SUFFIX)


def steps(game: PlayedGame, transcript: Transcript, view: str) -> dict[int, Step]:
    """Return what each message of a match did, as a view shows it, by its number."""
    found: dict[int, Step] = {}
    add_steps(found, game.console.moments(transcript, replay.views_of(game.console)[view]))
    return found


def add_steps(found: dict[int, Step], moments: Iterable[Moment]) -> None:
    """Add what answers have done to the steps by the numbers of their messages."""
    for moment in moments:
        before = found.get(moment.seq)
        lines, events = (before.lines, before.events) if before is not None else ((), ())
        found[moment.seq] = Step(moment.seq, lines + moment.lines, events + moment.events, moment.state)


def begin(
    game: PlayedGame,
    transcript: Transcript,
    view: str,
    convicted: Seat | None = None,
    done: Mapping[str, Mapping[int, Step]] = {},
    *,
    whole: bool = True,
) -> Replay:
    """Return the replay of a match at its beginning, in which a seat may be convicted by the last record.

    ``done`` is what some views show, where that was worked out before; if they do not show the ``whole`` match, they
    do not tell of its end either.
    """
    players = zip(game.console.sides, transcript.agreement.players, strict=True)
    names = {side: clean(player.name, LONGEST_NAME) or "?" for side, player in players}
    called = wording.tell_apart({game.console.seat_word(side): name for side, name in names.items()})
    names = dict(zip(names, called.values(), strict=True))
    views_of = replay.views_of(game.console)
    made = {name: done[name] if name in done else steps(game, transcript, name) for name in views_of}
    # Every view has the same steps: those that one of them says something about.
    told = sorted(seq for seq in made[PUBLIC] if any(found[seq].lines for found in made.values()))
    views = {name: tuple(found[seq] for seq in told) for name, found in made.items()}
    if told and whole and (last := untold_end(transcript, called, convicted)) is not None:
        views = {name: (*one, replace(one[-1], lines=(last,), events=())) for name, one in views.items()}
    return Replay(game.console, names, game.read_terms(transcript.agreement.terms), views, view)


def untold_end(transcript: Transcript, called: Mapping[str, str], convicted: Seat | None = None) -> str | None:
    """Return how a match ended if no move has brought it about: by a resignation, a draw, a claim or a foul."""
    moved = transcript.outcome() is None or transcript.game.result(transcript.position.state) is not None
    return None if convicted is None and moved else last_line(transcript, called, convicted)


def show(
    found: OpenedLog,
    view: str,
    notice: str,
    chosen: Preferences,
    *,
    simulations: int = replay.SIMULATIONS,
    seed: int = replay.SEED,
    charted: bool = False,
) -> Exit:
    """Show the replay until it is left, with the knowledge of a view first; marks are kept beside the log.

    ``notice`` has to be said about the log before; ``charted`` begins with the analysis, which tries so many
    simulations of each decision.
    """
    log, seats = found.file, range(len(found.game.console.sides))
    shown = begin(found.game, found.transcript, view, found.convicted)
    shown = replay.opening(shown)
    try:
        marks = replay.load_marks(files.read_file(marks_file(log)), shown.last + 1)
    except OSError:
        marks = ()
    unicode, theme = terminal.looks(chosen.signs, chosen.theme)
    shown = replace(shown, notice=notice, marks=marks, unicode=unicode, theme=theme, mouse=chosen.mouse)
    adviser, analysis = found.game.console.adviser, None
    if adviser is not None:
        analysis = partial(adviser().analyse, found.transcript, tuple(seats), simulations, seed)
    app(shown, log, analysis, charted=charted).run()
    return Exit.FINE


def app(
    shown: Replay,
    log: Path,
    analysis: Callable[[], Iterator[replay.Analysis]] | None,
    *,
    charted: bool = False,
    follow: Callable[[SmallApp[Replay]], Coroutine[object, object, None]] | None = None,
    **options: object,
) -> SmallApp[Replay]:
    """Return the application of a replay; ``analysis`` makes that of its match, which ``charted`` begins with.

    Without one the game has none.  ``follow`` runs beside it and changes what is shown.
    """
    # Who reads lines needs no screen.
    import asyncio

    from cli.console.player import watch
    from cli.console.shell.menu import Behaviour, SmallApp

    judging: list[asyncio.Task[None]] = []
    playing: list[asyncio.Task[None]] = []

    async def play(running: SmallApp[Replay], before: Sequence[asyncio.Task[None]]) -> None:
        # Whoever stops and plays again at once does not play twice as fast.
        for task in before:
            task.cancel()
        while running.model.playing:
            await asyncio.sleep(1 / running.model.speed)
            if running.model.playing:
                running.change(replay.advance(running.model))

    def begin_charted(running: SmallApp[Replay]) -> None:
        if charted:
            model, wish = replay.analyse(running.model)
            running.change(model)
            grant(running, wish)
        if follow is not None:
            running.application.create_background_task(follow(running))

    def grant(running: SmallApp[Replay], wish: object) -> None:
        match wish:
            case replay.Quit():
                running.end()
            case replay.Play():
                playing[:] = [running.application.create_background_task(play(running, playing[:]))]
            case replay.Analyse() if analysis is not None:
                steps = watch(analysis(), lambda found: running.change(replay.analysed(running.model, found)))
                judging[:] = [running.application.create_background_task(steps)]
            case replay.StopAnalysis():
                for task in judging:
                    task.cancel()
            case replay.KeepMarks():
                try:
                    write_file(marks_file(log), replay.dump_marks(running.model).encode())
                except OSError as error:
                    running.change(replace(running.model, notice=commands.unkept(error)))

    return SmallApp(shown, Behaviour(render, replay.press, grant, click=step_at, begin=begin_charted), **options)
