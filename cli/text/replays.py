"""The words of the replay screen."""

from __future__ import annotations

from typing import Final

from cli.text.wording import lazy

HEAD: Final = lazy("Replay")
AT: Final = lazy("step {at} of {last}")
TURN: Final = lazy("turn {turn}")
VIEWS: Final = lazy({
    "public": "public view", "chthonians": "view of the Chthonians", "olympians": "view of the Olympians",
    "all": "all units open",
})  # fmt: skip
MARKED: Final = lazy("marked")
LOG: Final = lazy("what happened")
COMMENT: Final = lazy("comment")
COMMENT_PROMPT: Final = lazy("Comment on this step: {typed}_")
COMMENT_HINT: Final = lazy("enter keeps it   esc leaves it as it was")
JUMP_PROMPT: Final = lazy("Go to step: {typed}_")
JUMP_HINT: Final = lazy("enter goes there   esc stays")
HINT: Final = lazy("left/right step   PgUp/PgDn ten   c combat   t turn   g go to   q quit")
HINT_MORE: Final = lazy("v or {keys} view   b mark   n next mark   # comment   home/end   F1 help")
HELP: Final = lazy("HELP (any key: back)")
HELP_KEYS: Final = lazy((
    "left: a step back. right or space: a step forward. backspace and enter do the same, and so does the wheel.",
    "PgUp, PgDn, up, down: ten steps. home, end: the first and the last step. g and a number: that step.",
    "c: the next combat. t: the next turn.",
    "v: the next view. 1: what everybody knew. 2: what the Chthonians knew. 3: what the Olympians knew. 4: all units.",
    "b: mark this step, or take its mark away. n: the next mark. #: write a comment on this step.",
    "Marks and comments are kept in a file beside the log; the signed log itself is never touched.",
    "q or esc: leave.",
))  # fmt: skip
HELP_READING: Final = lazy((
    "Upper case: the side whose view it is (the Chthonians when all are shown); * is a unit that the other side knew.",
    "-abc: a unit of the other side by name, -???: one that this view does not know. Reverse: where something happens.",
))  # fmt: skip
LIVE: Final = lazy("looking back")
HINT_LIVE: Final = lazy("left/right step   PgUp/PgDn ten   home/end   c combat   t turn   g go to")
HINT_LIVE_MORE: Final = lazy("esc or F9: back to the match as it is now; it goes on meanwhile")
NOTHING_FURTHER: Final = lazy("There are no more.")
NO_STEPS: Final = lazy("This match has no steps yet.")
UNKEPT: Final = lazy("The marks cannot be saved: {why}.")
