"""What the views answer that every game has: the log, the last message, a step back, the chat, the notes, the clocks.

Each function returns lines that a screen reader can say.
"""

from collections.abc import Sequence

from cli.console.messages import NotUnderstood
from cli.console.screen_state import Model
from cli.notices import Quiet
from cli.text import clocks, matches, screens, typed

LOG_LINES = 10
"""How many lines the log shows when no number is given."""


def show(model: Model, what: str, args: Sequence[str]) -> list[str] | None:
    """Return what a view shows; None for a view of the game.

    Raises:
        NotUnderstood: it cannot be shown; the sentence says what was expected.
    """
    match what:
        case "log":
            return _log(model, _count(args))
        case "last":
            return last(model)
        case "chat":
            return [matches.remark(model, said) for said in model.chat] or [str(screens.NO_CHAT)]
        case "notes":
            return [f"{place:2}  {note}" for place, note in sorted(model.notes)] or [str(model.guest.no_notes)]
        case "clocks":
            return show_clocks(model)
        case "undo":
            return [str(typed.TAKEBACK)]
        case "table":
            return model.guest.table(model)
        case _:
            return None


def show_clocks(model: Model) -> list[str]:
    """Return what the clocks show."""
    shown = model.clocks
    if shown is None:
        return [str(clocks.NONE)]
    return [clocks.both(shown.mine, shown.theirs, model.opponent, shown.running)]


def last(model: Model) -> list[str]:
    """Return what the last message did."""
    entries = model.entries
    return model.guest.tell(model, entries[-1]) if entries else [str(screens.NOTHING_YET)]


def step_of(word: str, count: int) -> int:
    """Return the place of a typed number among so many steps, from 0.

    Raises:
        NotUnderstood: it is none.
    """
    if word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= count:
        return int(word) - 1
    raise NotUnderstood(typed.step(word, count))


def _log(model: Model, count: int) -> list[str]:
    """Return the last lines of what happened and what was said, each message with its turn."""
    # A lesson asks for views, too, and has no log.
    from cli.console.guest import tell

    lines: list[str] = []
    for item in reversed(model.chronicle):
        if len(lines) >= count:
            break
        # What was proved follows each message; whoever hears the log need not hear it again.
        if not (isinstance(item, Quiet) and item.follows):
            lines[:0] = tell(model, item)
    return lines[-count:] or [str(screens.NOTHING_YET)]


def _count(args: Sequence[str]) -> int:
    """Return how many lines of the log are wanted."""
    word = args[0] if args else ""
    if not word:
        return LOG_LINES
    if word.isascii() and word.isdigit() and len(word) < 6 and int(word):
        return int(word)
    raise NotUnderstood(typed.lines(word))
