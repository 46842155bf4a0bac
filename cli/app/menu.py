"""``storm-p2p`` without a command: the menu, the command that is picked in it, and the menu again."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from cli import language
from cli.app.arguments import USUAL_BOT
from cli.clean import clean
from cli.console import menu
from cli.console.menu import Offered, Row
from cli.console.played import PlayedGame
from cli.console.shell import drop_typed
from cli.console.shell.menu import Found, make
from cli.runtime import console, terminal
from cli.runtime.console import Exit
from cli.storage import home
from cli.text import menus

MOST_LISTED = 9
"""So many unfinished matches are offered; storm-p2p resume finds the others by their name."""
_ALONE = ("play", "host", "join", "resume", "replay", "watch", "analyse", "learn")
"""Commands that want the terminal for themselves; all others say something and end."""
_USE_KEY = ("event", "export", "key")
"""Commands that ask for the passphrase of a locked key, which only the terminal can do."""
_PASSPHRASES = ("export", "import", "passphrase")
"""What asks for a new one."""
_JUDGING = threading.Lock()
"""Held by who reads the history: the next one finds what was judged."""


def main(folder: Path, account: str, run: Callable[[Sequence[str]], int], *, signs: str = "") -> int:
    """Show the menu until it is left; return the exit code.

    The name of the ``account`` is proposed to a player without one; ``run`` runs a command as if it had been typed;
    ``signs`` are ``unicode`` or ``ascii``, whatever the player has chosen.
    """
    try:
        return _main(folder, account, run, signs)
    finally:
        terminal.release()


def _main(folder: Path, account: str, run: Callable[[Sequence[str]], int], signs: str) -> int:
    looks = (partial(look, folder), partial(look_back, folder))

    def stored() -> tuple[home.Preferences, str]:
        chosen = home.load_preferences(folder)
        # The choices are kept again, so what the command line says is none of them.
        return chosen, terminal.looks(signs or chosen.signs, chosen.theme)[1]

    chosen, theme = stored()
    drawn = [f"--{signs}"] if signs else []
    shown = menu.begin(chosen, account, USUAL_BOT, theme)
    while True:
        terminal.hold()
        drop_typed()
        app = make(shown, folder, looks, partial(beside, folder), refuse)
        words = app.run()
        if words is None:
            return Exit.FINE
        if words[0] not in _ALONE:
            # It may say more than a window holds, so that the terminal has to keep it for scrolling back.
            terminal.release()
        # A picture heeds the signals itself; what is between two of them leaves no terminal behind that writes nothing.
        with console.ending_politely():
            run([*words, *drawn, *_always(folder)])
            shown = menu.again(app.model, *stored())
            if not terminal.Terminal.told:
                continue
            try:
                input(menus.AGAIN)
            except EOFError:
                return Exit.FINE
            except KeyboardInterrupt:
                return Exit.INTERRUPTED


def beside(folder: Path, words: Sequence[str]) -> Sequence[str] | None:
    """Return how a command is run beside the menu; None for one that wants the terminal for itself."""
    from cli.app.play import PROGRAM
    from cli.storage import unlock
    from cli.storage.home import Home

    if {"--help", "-h"}.isdisjoint(words):
        if words[0] in _ALONE or (words[0] == "key" and words[1:2] and words[1] in _PASSPHRASES):
            return None
        with suppress(OSError):
            if words[0] in _USE_KEY and unlock.locked(Home(folder).key_file):
                return None
    # Behind the words it would be a part of a name that begins like an option.
    return (*PROGRAM, *_always(folder), *words)


def _always(folder: Path) -> Sequence[str]:
    return "--home", str(folder), "--lang", language.current()


def look(folder: Path) -> Found:
    """Return the games, the unfinished matches, the logs, and what can be done in tournaments; the newest first."""
    from cli.app import games
    from cli.app.resume import row
    from cli.events.folder import known_folders
    from cli.match import stored
    from cli.storage.home import Home, list_logs
    from protocol.record.journal import JournalError, list_matches

    home = Home(folder)
    try:
        listed = list_matches(home.matches)
        found, unread = stored.playing(listed)[:MOST_LISTED], stored.unreadable(listed)
        # The only one is named in the menu itself.
        only = row(home, found[0], brief=True) if len(found) == 1 else ""
        matches = tuple(Row(("resume", match.local_id), row(home, match), only) for match in found)
        matches += tuple(Row(("resume", one.local_id), menus.unread(one.local_id)) for one in unread)
    except (JournalError, OSError):
        matches = ()
    events = [Row((str(one.path),), f"{one.name}  {clean(str(one.path))}") for one in known_folders(home)[:MOST_LISTED]]
    events += [
        Row(("event", "enter"), str(menus.ENTER_EVENT), asks=menus.FOLDER),
        Row(("event", "status"), str(menus.OTHER_EVENT), asks=menus.FOLDER),
        Row(("event", "new"), str(menus.ANNOUNCE), asks=menus.NEW_EVENT),
    ]
    return {
        "games": tuple(_offered(called, games.find(name)) for called, name in games.CALLED.items()),
        "matches": matches,
        "logs": tuple(Row((str(path),), clean(path.stem)) for path in list_logs(home)),
        "events": tuple(events),
    }


def _offered(called: str, game: PlayedGame) -> Offered:
    """Return what the menu has to know of a game."""
    from cli.app import games

    variants = {"setup": "random_setup", "combat": "open_combat", "challenge": "challenge"}
    choices = [item for item, variant in variants.items() if variant in game.variants]
    choices += ["cards"] if game.takes_cards else []
    choices += ["aids"] if game.console.adviser is not None else []
    if games.CALLED[called] == games.STORM:
        called = ""
        choices += ["side", "guided"]
    levels = tuple(Row((bot,), str(level)) for bot, level in game.levels.items())
    return Offered(called, str(game.console.title), levels, tuple(choices))


def refuse(called: str, file: str) -> str:
    """Return why a game cannot be played with the cards of a file; nothing if it can."""
    from cli.app import games
    from cli.app.launch.proposal import supplied
    from cli.runtime.console import UsageError

    try:
        supplied(games.find(games.CALLED.get(called, games.STORM)), file)
    except UsageError as error:
        return str(error)
    return ""


def look_back(folder: Path) -> Found:
    """Return all matches and all people; logs that were never judged are judged now, which takes its time."""
    from datetime import UTC, datetime

    from cli.app.history import ending, rows, score_against
    from cli.match import history
    from cli.storage import people
    from cli.storage.home import Home
    from cli.storage.people import BadBook
    from cli.text import stored
    from cli.text.people import since
    from cli.text.wording import also_called, draw_table
    from protocol.errors import ProtocolError
    from protocol.record.journal import JournalError

    home = Home(folder)
    history.empty_trash(home, datetime.now(UTC).date())
    found = history.History()
    with suppress(OSError, JournalError, ProtocolError), _JUDGING:
        found = history.read(home)
    digits = history.numbers(found.matches)
    head, *lines = draw_table([[str(title) for title in stored.COLUMNS], *rows(found.matches)])
    listed = [
        Row(
            ("replay", str(one.log)) if one.stored is None else ("resume", one.stored),
            line,
            more=f"{clean(one.opponent)} {ending(one)}",
            result=one.result,
            number=digits[one.match],
            is_open=one.stored is not None and not one.is_abandoned,
        )
        for one, line in zip(found.matches, lines, strict=True)
    ]
    if found.unread:
        listed.append(Row(("history",), menus.unlisted(len(found.unread))))
    opponents = history.by_key(found.matches)
    players: list[list[people.Person]] = []
    with suppress(OSError, BadBook):
        players = people.load(home.people_file).players()
    cells = []
    for persons in players:
        score = score_against(persons, opponents)
        name = also_called(persons[0].name, [one.name for one in persons[1:]])
        played = "" if score is None else stored.score(**score)
        cells.append([name, played, since(min(one.since for one in persons))])
    return {
        "history": tuple(listed),
        "columns_said": head,
        "people": tuple(
            Row((persons[0].name,), line)
            for persons, line in zip(players, draw_table([["", "", ""], *cells])[1:], strict=True)
        ),
    }
