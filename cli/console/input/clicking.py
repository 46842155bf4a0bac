"""What a click does: it fills the line at the prompt, and sends only what was asked for with ``[send]``.  Pure."""

from cli.console.guest import guest_of
from cli.console.input import asking, lines
from cli.console.screen_state import Clicked, Effects, Key, S
from cli.console.severity import Severity


def click(ui: S, event: Clicked) -> tuple[S, Effects]:
    """Return the model after a click, and what is to be done."""
    kind, _, rest = event.what.partition(" ")
    match kind:
        case "send":
            return _send(ui)
        case "no":
            return asking.refuse(ui)
        case "word":
            return lines.take(ui, rest)
        case "choose":
            return asking.offer(ui, rest)
        case _:
            clicked: tuple[S, Effects] = guest_of(ui).click(ui, kind, rest, right=event.right)
            return clicked


def _send(ui: S) -> tuple[S, Effects]:
    if ui.question is None:
        return lines.take(ui, ui.typed)
    # What loses the game needs the typed word.
    return (ui, ()) if ui.question.severity == Severity.LAST else asking.answer(ui, "yes")


def key_of(what: str) -> Key | None:
    """Return the key that a zone stands for, or None."""
    kind, _, name = what.partition(" ")
    return Key(name) if kind == "key" else None
