"""Who shall sit at a seat, from what ``--player`` says."""

from __future__ import annotations

import secrets
from argparse import Namespace
from pathlib import Path

from cli import preferences, terminal
from cli.console import say
from cli.home import Home, player_name
from cli.players import Player
from cli.watcher import Watched
from protocol import wire
from protocol.errors import WireError
from storm_p2p.bot import BOTS


class UnknownPlayer(ValueError):
    """The words name no player; the message says what was expected."""


def of(options: Namespace, home: Home) -> Player:
    """Return the player that the options of a command name.

    Raises:
        UnknownPlayer: they name none.
    """
    if options.name is not None:
        try:
            wire.text(wire.NAME_LIMIT)(options.name)
        except WireError as error:
            raise UnknownPlayer(f"expected a name of {error.expected}, got {error.got}") from None
    return make(
        options.player, options.name, plain=options.plain, shown=not options.json, folder=home.folder,
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
        return _person(name, plain=plain or not shown, folder=folder, unicode=unicode)
    player = _program(who, name, folder)
    return Watched(player) if shown else player


def _person(name: str | None, *, plain: bool, folder: Path, unicode: bool) -> Player:
    """Return a person with the full screen, or with plain lines where they are wanted or nothing else can be."""
    chosen = preferences.load(folder)
    called = name or _allowed(chosen.name) or player_name()
    why = None if plain else terminal.why_plain()
    if why is not None:
        say(why)
    if plain or why is not None:
        from cli.human import HumanPlayer

        return HumanPlayer(called, plain=True)
    from cli.tui.model import Settings
    from cli.tui.notice import Notice
    from cli.tui.player import ScreenPlayer

    settings = Settings(unicode=chosen.unicode or unicode, mouse=chosen.mouse)
    return ScreenPlayer(called, settings=settings, notice=Notice(chosen.notice, chosen.command), folder=folder)


def _allowed(name: str) -> str:
    """Return a kept name if the protocol takes it, or nothing."""
    try:
        wire.text(wire.NAME_LIMIT)(name)
    except WireError:
        return ""
    return name


def _program(who: str, name: str | None, folder: Path) -> Player:
    kind, _, rest = who.partition(":")
    if kind == "bot" and rest in BOTS:
        from cli.robot import RobotPlayer

        return RobotPlayer(name or rest, BOTS[rest], secrets.randbits(64))
    if kind == "exec" and rest.strip():
        from cli.program import ProgramPlayer

        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            return ProgramPlayer(
                rest, errors=folder / "program-errors.txt", report=say, seed=secrets.randbits(64), name=name
            )
        except ValueError as error:
            raise UnknownPlayer(str(error)) from None
    bots = ", ".join(f"bot:{bot}" for bot in BOTS)
    raise UnknownPlayer(f"expected human, {bots} or exec:COMMAND as a player, got {who[:60]!r}")
