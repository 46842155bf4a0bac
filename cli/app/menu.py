"""``storm-p2p`` without a command: the menu, the command that is picked in it, and the menu again."""

from collections.abc import Callable, Sequence
from pathlib import Path

from cli import language
from cli.clean import clean
from cli.console import menu
from cli.console.menu import Row
from cli.console.shell import menu_app
from cli.runtime.console import Exit
from cli.storage import preferences
from cli.text import menus as said

MOST_LISTED = 9
"""So many unfinished matches are offered; storm-p2p resume finds the others by their name."""
_BACK_AT_ONCE = ("replay", "learn")
"""Commands that say nothing at their end."""


def main(folder: Path, account: str, run: Callable[[Sequence[str]], int], *, signs: str = "") -> int:
    """Show the menu until it is left; return the exit code.

    The name of the ``account`` is proposed to a player without one; ``run`` runs a command as if it had been typed;
    ``signs`` are ``unicode`` or ``ascii``, whatever the player has chosen.
    """
    drawn = [f"--{signs}"] if signs else []
    while True:
        start = menu.begin(preferences.load(folder), account)
        words = menu_app.make(start, folder, lambda: look(folder)).run()
        if words is None:
            return Exit.FINE
        run([*words, *drawn, "--home", str(folder), "--lang", language.current()])
        if words[0] in _BACK_AT_ONCE:
            continue
        try:
            input(said.AGAIN)
        except EOFError:
            return Exit.FINE
        except KeyboardInterrupt:
            return Exit.INTERRUPTED


def look(folder: Path) -> tuple[tuple[Row, ...], tuple[Row, ...], tuple[Row, ...]]:
    """Return the unfinished matches, the logs, and what can be done in tournaments; the newest first."""
    from cli.app.rows import row
    from cli.events.known import known_folders
    from cli.match import stored
    from cli.storage.home import Home
    from cli.storage.logs import list_logs
    from protocol.record.journal import JournalError

    home = Home(folder)
    try:
        found = stored.unfinished(home)[:MOST_LISTED]
        # The only one is named in the menu itself.
        only = row(home, found[0], brief=True) if len(found) == 1 else ""
        matches = tuple(Row(("resume", match.local_id), row(home, match), only) for match in found)
    except (JournalError, OSError):
        matches = ()
    logs = tuple(Row(("replay", str(path)), clean(path.stem)) for path in list_logs(home))
    events = [
        each
        for one in known_folders(home)[:MOST_LISTED]
        for each in (
            Row(("event", "status", str(one.path)), said.status(one.name, str(one.path))),
            Row(("host", "--event", str(one.path)), said.next_game(one.name)),
        )
    ]
    return matches, logs, tuple(events)
