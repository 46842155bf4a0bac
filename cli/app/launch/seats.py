"""Who shall sit at a seat, from what ``--player`` says."""

from __future__ import annotations

import secrets
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cli.app.launch import naming
from cli.console.person import Change, Person
from cli.runtime import terminal
from cli.runtime.console import say
from cli.storage import preferences
from cli.storage.home import Home, player_name
from cli.storm.players.player import Player
from cli.storm.players.watcher import Watched
from cli.text import commands as told
from cli.text import usage
from protocol.core import wire
from storm_p2p.storm.bots import BOTS

if TYPE_CHECKING:
    from cli.console.plain.player import LinePlayer
    from cli.console.shell.player import ScreenPlayer


class UnknownPlayer(ValueError):
    """The words name no player; the message says what was expected."""


def of(options: Namespace, home: Home, *, keep_name: bool = True, ask_name: bool = False) -> Player:
    """Return the player that the options of a command name.

    Args:
        options: of the command.
        home: where the choices of a person are.
        keep_name: a person who says how he wants to be called is called so from now on.
        ask_name: a person at a terminal who has never said how he wants to be called is asked.

    Raises:
        UnknownPlayer: they name none.
        KeyboardInterrupt: Ctrl-C at the question for the name.
    """
    name = naming.ask(options, home.folder) if ask_name else None
    name = options.name if name is None else name
    if name is not None:
        if not naming.is_allowed(name):
            raise UnknownPlayer(told.bad_name(wire.NAME_LIMIT, name))
        if keep_name and options.player == "human":
            _keep(name, home.folder)
    return make(
        options.player, name, plain=options.plain, shown=not options.json, folder=home.folder,
        unicode=options.unicode,
    )  # fmt: skip


def make(
    who: str, name: str | None, *, plain: bool, shown: bool, folder: Path, unicode: bool = False
) -> Player:
    """Return the player for ``human``, ``bot:NAME`` or ``exec:COMMAND``.

    Args:
        who: the words of ``--player``.
        name: how it wants to be called; None for its own name.
        plain: a person wants bare lines.
        shown: print the match while a program plays it.
        folder: for what a program writes to stderr.
        unicode: draw with more than ASCII whatever the person has chosen.

    Raises:
        UnknownPlayer: it is none of these.
    """
    if who == "human":
        # Lines of JSON and pictures do not go together.
        return _person(name, plain=plain or not shown, shown=shown, folder=folder, unicode=unicode)
    player = _program(who, name, folder)
    return Watched(player) if shown else player


def _person(name: str | None, *, plain: bool, shown: bool, folder: Path, unicode: bool) -> Player:
    """Return a person with the full screen, or with plain lines where they are wanted or nothing else can be.

    Args:
        name: how he wants to be called, or None.
        plain: he wants plain lines.
        shown: the whole screen may be shown, now or later.
        folder: where his choices are kept.
        unicode: finer signs for this match, whatever he has chosen.
    """
    chosen = preferences.load(folder)
    called = name or (chosen.name if naming.is_allowed(chosen.name) else player_name())
    why = None if plain else terminal.why_plain()
    if why is not None:
        say(why)

    def in_lines(change: Change | None) -> LinePlayer:
        from cli.console.plain.player import LinePlayer

        return LinePlayer(called, full=change, call=_called(chosen), folder=folder)

    def on_screen(change: Change) -> ScreenPlayer:
        # Plain lines start faster without it.
        from cli.console.screen_state import Settings
        from cli.console.shell.alerts import Notice
        from cli.console.shell.player import ScreenPlayer

        settings = Settings(unicode=chosen.unicode or unicode, mouse=chosen.mouse)
        notice = Notice(chosen.notice, chosen.command)
        return ScreenPlayer(called, settings=settings, notice=notice, folder=folder, plain=change)

    if not shown:
        return in_lines(None)
    return Person(
        called, on_screen, in_lines, begin_plain=plain or why is not None, why_not_full=terminal.why_not_full
    )


def _called(chosen: preferences.Preferences) -> Callable[[str], object] | None:
    """Return what calls a person in plain lines: his command, for these lines have no control characters."""
    if chosen.notice != "command":
        return None
    from cli.console.shell.alerts import start

    return lambda sentence: start(chosen.command, sentence)


def _keep(name: str, folder: Path) -> None:
    """Call a person by this name at the next start, too."""
    chosen = preferences.load(folder)
    if chosen.name == name:
        return
    try:
        preferences.save(folder, replace(chosen, name=name))
    except OSError as error:
        # The match is played all the same.
        say(told.name_unkept(usage.reason(error)))


def _program(who: str, name: str | None, folder: Path) -> Player:
    kind, _, rest = who.partition(":")
    if kind == "bot" and rest in BOTS:
        from cli.storm.players.robot import RobotPlayer

        return RobotPlayer(name or rest, BOTS[rest], secrets.randbits(64))
    if kind == "exec" and rest.strip():
        from cli.storm.players.program import ProgramPlayer

        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            return ProgramPlayer(
                rest, errors=folder / "program-errors.txt", report=say, seed=secrets.randbits(64), name=name
            )
        except ValueError as error:
            raise UnknownPlayer(told.bad_command(str(error))) from None
    bots = ", ".join(f"bot:{bot}" for bot in BOTS)
    raise UnknownPlayer(told.unknown_player(bots, who))
