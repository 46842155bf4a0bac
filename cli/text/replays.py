"""The words of the replay screen."""

from collections.abc import Mapping
from typing import Final

from cli.text.wording import Lazy, lazy

HEAD: Final = lazy("Replay")
AT: Final = lazy("step {at} of {last}")
TURN: Final = lazy("turn {turn}")
VIEWS: Final[Mapping[str, Lazy]] = lazy({"public": "public view", "all": "everything open"})
VIEW_OF: Final = lazy("view of the {side}")
MARKED: Final = lazy("marked")
LOG: Final = lazy("what happened")
COMMENT: Final = lazy("comment")
COMMENT_PROMPT: Final = lazy("Comment on this step: {typed}_")
COMMENT_HINT: Final = lazy("enter keeps it   esc leaves it as it was")
JUMP_PROMPT: Final = lazy("Go to step: {typed}_")
JUMP_HINT: Final = lazy("enter goes there   esc stays")
HINT: Final = lazy("left/right step   PgUp/PgDn ten   {landmarks}   g go to   q quit")
HINT_MORE: Final = lazy("v or {keys} view   {analysis}   b mark   n next mark   # comment   F1 help")
STEPPING: Final = lazy((
    "left: a step back. right or space: a step forward. backspace and enter do the same, and so does the wheel.",
    "PgUp, PgDn, up, down: ten steps. home, end: the first and the last step. g and a number: that step.",
))  # fmt: skip
MARKING: Final = lazy((
    "b: mark this step, or take its mark away. n: the next mark. #: write a comment on this step.",
    "Marks and comments are kept in a file beside the log; the signed log itself is never touched.",
    "q or esc: leave.",
))  # fmt: skip
HELP: Final = lazy("HELP (any key: back)")
LIVE: Final = lazy("looking back")
HINT_LIVE: Final = lazy("left/right step   PgUp/PgDn ten   home/end   {landmarks}   g go to")
HINT_LIVE_MORE: Final = lazy("esc or F9: back to the match as it is now; it goes on meanwhile")
HINT_OVER: Final = lazy("{analysis}   esc or F9: back to the end")
ANALYSIS: Final = lazy("a analysis")
NOTHING_FURTHER: Final = lazy("There are no more.")
NO_STEPS: Final = lazy("This match has no steps yet.")
UNKEPT: Final = lazy("The marks cannot be saved: {why}.")
