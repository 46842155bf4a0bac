"""The words of the replay screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.text.wording import speak

speak(__name__)

HEAD: Final = "Replay: {names}"
AT: Final = "step {at} of {last}"
TURN: Final = "turn {turn}"
VIEWS: Final[Mapping[str, str]] = {
    "public": "public view", "chthonians": "view of the Chthonians", "olympians": "view of the Olympians",
    "all": "all units open",
}  # fmt: skip
MARKED: Final = "marked"
LOG: Final = "what happened"
COMMENT: Final = "comment"
COMMENT_PROMPT: Final = "Comment on this step: {typed}_"
COMMENT_HINT: Final = "enter keeps it   esc leaves it as it was"
JUMP_PROMPT: Final = "Go to step: {typed}_"
JUMP_HINT: Final = "enter goes there   esc stays"
HINT: Final = "left/right step   PgUp/PgDn ten   c combat   t turn   g go to   q quit"
HINT_MORE: Final = "v or {keys} view   b mark   n next mark   # comment   home/end"
NEVER_OPENED: Final = "Not opened in this match, so hidden here, too: {names}."
NOTHING_FURTHER: Final = "There is no further one."
NO_STEPS: Final = "This match has no steps yet."
UNKEPT: Final = "The marks cannot be kept: {why}."
