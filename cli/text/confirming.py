"""Questions before something is sent, and what stands before the cursor."""

from __future__ import annotations

from typing import Final

from cli.text.wording import _, speak

speak(__name__)

READY: Final = "> "
RESIGN: Final = "You give up the match."
DRAW: Final = "You offer a draw."
ACCEPT: Final = "You accept the draw, and the match ends."

_SEND: Final = "Send? [y/N] "
_SURE: Final = "yes? "
_SEND_SPOKEN: Final = "Send? yes or no"
_TYPE_YES: Final = 'Type the word "yes" to go on; anything else does nothing.'


def lines(*, last: bool, plain: bool) -> list[str]:
    """Return the question as lines; a screen with a prompt asks the short one there.

    Args:
        last: it loses or ends the match, so that the word has to be typed.
        plain: there is no prompt.
    """
    if last:
        return [_(_TYPE_YES)]
    return [_(_SEND_SPOKEN)] if plain else []


def prompt(*, last: bool) -> str:
    """Return what stands before the cursor while the answer is awaited."""
    return _(_SURE if last else _SEND)
