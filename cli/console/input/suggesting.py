"""What Tab offers at the prompt: what can come next where the line is a command, and nothing elsewhere.  Pure."""

from cli.console.guest import guest_of
from cli.console.screen_state import Page, S, Suggestion


def suggest(ui: S, line: str) -> list[Suggestion]:
    """Return what can come next behind ``line``, which stands before the cursor."""
    return [] if ui.page == Page.CHAT or ui.question is not None else guest_of(ui).suggest(ui, line)
