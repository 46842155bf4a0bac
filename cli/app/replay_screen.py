"""The replay on the whole screen: makes the steps of all four views, and keeps marks beside the signed file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cli.app.games import PlayedGame
from cli.app.last_line import last_line
from cli.clean import clean
from cli.console.analysis import SEED, SIMULATIONS, Analysis
from cli.console.player import watch
from cli.console.render.replay import render
from cli.console.replay import (
    PUBLIC,
    Analyse,
    KeepMarks,
    Quit,
    Replay,
    Step,
    StopAnalysis,
    analyse,
    analysed,
    dump_marks,
    load_marks,
    press,
    see,
    views_of,
)
from cli.console.shell.menu import Behaviour, SmallApp
from cli.runtime import terminal
from cli.runtime.console import Exit
from cli.storage.home import Preferences
from cli.text import analyses
from cli.text.wording import fill
from protocol.core.agreement import Agreement
from protocol.core.transcript import Transcript
from protocol.game import Seat
from protocol.record.files import write_file
from protocol.system import files

if TYPE_CHECKING:
    from cli.app.opened_log import OpenedLog

MARKS_SUFFIX = ".marks.json"
LONGEST_NAME = 24


def marks_file(log: Path) -> Path:
    """Return where the marks of a log are: beside it, so that the signed file is never touched."""
    return log.with_name(log.name + MARKS_SUFFIX)


def steps(game: PlayedGame, transcript: Transcript, view: str) -> dict[int, Step]:
    """Return what each message of a match did, as a view shows it, by its number."""
    found: dict[int, Step] = {}
    for moment in game.moments(transcript, views_of(game.console)[view]):
        before = found.get(moment.seq)
        lines, events = (before.lines, before.events) if before is not None else ((), ())
        found[moment.seq] = Step(moment.seq, lines + moment.lines, events + moment.events, moment.state)
    return found


def begin(
    game: PlayedGame, transcript: Transcript, view: str, agreement: Agreement, convicted: Seat | None = None
) -> Replay:
    """Return the replay of a match at its beginning, in which a seat may be convicted by the last record."""
    players = zip(game.console.sides, agreement.players, strict=True)
    names = {side: clean(player.name, LONGEST_NAME) or "?" for side, player in players}
    called = {game.console.seat_word(side): name for side, name in names.items()}
    made = {name: steps(game, transcript, name) for name in views_of(game.console)}
    # Every view has the same steps: those that one of them says something about.
    told = sorted(seq for seq in made[PUBLIC] if any(found[seq].lines for found in made.values()))
    views = {
        name: ended(tuple(found[seq] for seq in told), transcript, called, convicted) for name, found in made.items()
    }
    return see(Replay(game.console, names, game.read_terms(agreement.terms), views), view)


def ended(
    told: tuple[Step, ...], transcript: Transcript, called: Mapping[str, str], convicted: Seat | None = None
) -> tuple[Step, ...]:
    """Return the steps with one more for an end that no move has brought: a resignation, a draw, a claim, a foul."""
    if not told:
        return told
    moved = transcript.outcome() is None or transcript.game.result(transcript.position.state) is not None
    if convicted is None and moved:
        return told
    last = last_line(transcript, called, convicted)
    return (*told, replace(told[-1], lines=(last,), events=()))


def show(
    found: OpenedLog, view: str, notice: str, chosen: Preferences, *, simulations: int = SIMULATIONS, seed: int = SEED,
    charted: bool = False,
) -> Exit:  # fmt: skip
    """Show the replay until it is left, with the knowledge of a view first; marks are kept beside the log.

    ``notice`` has to be said about the log before; ``charted`` begins with the analysis, which tries so many
    simulations of each decision.
    """
    log, seats = found.file, range(len(found.game.console.sides))
    shown = begin(found.game, found.transcript, view, found.transcript.agreement, found.convicted)
    try:
        marks = load_marks(files.read_file(marks_file(log)), shown.last + 1)
    except OSError:
        marks = ()
    unicode = terminal.draws_unicode(chosen.signs, os.environ)
    shown = replace(shown, notice=notice, marks=marks, unicode=unicode, mouse=chosen.mouse)
    analyst, analysis = found.game.console.analyst, None
    if analyst is not None:
        analysis = partial(analyst.analyse, found.transcript, tuple(seats), simulations, seed)
    app(shown, log, analysis, charted=charted).run()
    return Exit.FINE


def app(
    shown: Replay, log: Path, analysis: Callable[[], Iterator[Analysis]] | None, *, charted: bool = False,
    **options: object,
) -> SmallApp[Replay]:
    """Return the application of a replay; ``analysis`` makes that of its match, which ``charted`` begins with.

    Without one the game has none.
    """
    judging: list[asyncio.Task[None]] = []

    def begin_charted(running: SmallApp[Replay]) -> None:
        if charted:
            model, wish = analyse(running.model)
            running.change(model)
            grant(running, wish)

    def grant(running: SmallApp[Replay], wish: object) -> None:
        match wish:
            case Quit():
                running.end()
            case Analyse() if analysis is not None:
                steps = watch(analysis(), lambda found: running.change(analysed(running.model, found)))
                judging[:] = [running.application.create_background_task(steps)]
            case StopAnalysis():
                for task in judging:
                    task.cancel()
            case KeepMarks():
                try:
                    write_file(marks_file(log), dump_marks(running.model).encode())
                except OSError as error:
                    running.change(replace(running.model, notice=fill(analyses.UNKEPT, why=error.strerror or str(error))))

    return SmallApp(shown, Behaviour(render, press, grant, begin=begin_charted), **options)
