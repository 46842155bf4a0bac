"""Who shall sit at a seat, from what ``--player`` says, and how they are called."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING

from cli.app.launch.proposal import PlayerOptions
from cli.clean import clean
from cli.console.played import PlayedGame
from cli.console.seats import Change, Person, Watched
from cli.match.player import Player
from cli.match.program import Program
from cli.runtime import terminal
from cli.runtime.console import UsageError, ask, say
from cli.storage import home
from cli.storage.home import Home, player_name
from cli.storage.people import mixes_scripts
from cli.text import commands, menus
from cli.text.wording import fill
from protocol.core import wire
from protocol.errors import WireError
from protocol.record.files import make_folder

if TYPE_CHECKING:
    from cli.console.plain import LinePlayer, PlainScreen
    from cli.console.shell.app import ScreenPlayer


def of(
    game: PlayedGame,
    wanted: PlayerOptions,
    home: Home,
    *,
    keep_name: bool = True,
    ask_name: bool = False,
    screen: PlainScreen | None = None,
) -> Player:
    """Return the player that is wanted; ``screen`` is where a person's plain lines come from, if not from a new one.

    A person who says how they want to be called is called so from now on (``keep_name``); one at a terminal who has
    never said so is asked (``ask_name``).

    Raises:
        UsageError: it is none.
        KeyboardInterrupt: Ctrl-C at the question for the name.
    """
    name = wanted.name
    if name is not None:
        if not is_allowed(name):
            raise UsageError(why_not(name))
        if keep_name and wanted.is_person:
            _keep(name, home.folder)
    elif ask_name:
        name = learn_name(wanted, home.folder)
    if wanted.is_person:
        return _person(game, name, wanted, home.folder, screen)
    player = _program(game, wanted.player, name, home.folder)
    return player if wanted.json else Watched(player, game.console)


def learn_name(wanted: PlayerOptions, folder: Path) -> str | None:
    """Return the name that a person gives at a terminal before others first hear one, and keep it.

    None stands for no question: the name is known, or nobody is there to be asked.  The name of the account is taken
    for an empty line; it is not taken unasked, for half of all accounts are called alike.
    """
    if not wanted.is_person or wanted.json or home.load_preferences(folder).name:
        return None
    if not terminal.is_terminal(sys.stdin, sys.stderr):
        return None
    proposed = player_name()
    while True:
        say(fill(menus.NAME_ASKED, name=proposed))
        try:
            typed = ask("> ").strip()
        except EOFError:
            return None
        name = typed or proposed
        if is_allowed(name):
            _keep(name, folder)
            return name
        say(why_not(name))


def is_allowed(name: str) -> bool:
    """Return whether the protocol takes a name, and other players need not fear that it stands for another."""
    try:
        wire.text(wire.NAME_LIMIT)(name)
    except WireError:
        return False
    return not mixes_scripts(name)


def why_not(name: str) -> str:
    """Return why a name is not allowed."""
    return commands.mixed_name(name) if mixes_scripts(name) else commands.bad_name(wire.NAME_LIMIT, repr(name)[:60])


def _person(
    game: PlayedGame, name: str | None, wanted: PlayerOptions, folder: Path, screen: PlainScreen | None
) -> Player:
    """Return a person with the full screen, or with plain lines where they are wanted or nothing else can be."""
    chosen = home.load_preferences(folder)
    called = name or (chosen.name if is_allowed(chosen.name) else player_name())
    # Lines of JSON and pictures do not go together.
    plain = wanted.plain or wanted.json
    why = None if plain else terminal.why_plain()
    if why is not None:
        say(why)

    def in_lines(change: Change | None) -> LinePlayer:
        from cli.console.plain import LinePlayer
        from cli.console.screen_state import Settings

        settings = Settings(hint_seconds=chosen.hint_seconds, guided=wanted.guided)
        return LinePlayer(
            called, game.console, lines=screen, full=change, call=_called(chosen), folder=folder, settings=settings
        )

    def on_screen(change: Change) -> ScreenPlayer:
        # Plain lines start faster without it.
        from cli.console.alerts import Alert
        from cli.console.screen_state import Settings
        from cli.console.shell.app import ScreenPlayer

        fine, theme = terminal.looks(wanted.signs or chosen.signs, chosen.theme)
        settings = Settings(
            unicode=fine,
            mouse=chosen.mouse,
            motion=chosen.motion,
            theme=theme,
            colourful=terminal.colours(os.environ) >= terminal.TINTED,
            hint_seconds=chosen.hint_seconds,
            guided=wanted.guided,
        )
        notice = Alert(chosen.notice, chosen.command)
        return ScreenPlayer(called, game.console, settings=settings, notice=notice, folder=folder, plain=change)

    if wanted.json:
        return in_lines(None)
    return Person(called, on_screen, in_lines, begin_plain=plain or why is not None, why_plain=terminal.why_plain)


def _called(chosen: home.Preferences) -> Callable[[str], object] | None:
    """Return what calls a person in plain lines: their command, for these lines have no control characters."""
    if chosen.notice != "command":
        return None
    from cli.console.alerts import start

    return lambda sentence: start(chosen.command, sentence)


def _keep(name: str, folder: Path) -> None:
    """Call a person by this name at the next start, too."""
    chosen = home.load_preferences(folder)
    if chosen.name == name:
        return
    try:
        home.save_preferences(folder, replace(chosen, name=name), chosen)
    except OSError as error:
        # The match is played all the same.
        say(commands.name_unkept(commands.reason(error)))


def _program(game: PlayedGame, who: str, name: str | None, folder: Path) -> Player:
    kind, _, rest = who.partition(":")
    bot = game.make_bot(rest, name) if kind == "bot" else None
    if bot is not None:
        return bot
    if kind == "exec" and rest.strip():
        make_folder(folder)
        try:
            asked = Program(rest, errors=folder / "program-errors.txt", report=say, name=name)
        except ValueError as error:
            raise UsageError(commands.bad_command(str(error))) from None
        return game.program(asked, randbits(64))
    bots = ", ".join(f"bot:{bot}" for bot in game.levels)
    raise UsageError(commands.unknown_player(clean(who, 40), bots))
