"""Text that is agreed on or signed: which characters it may have (SPEC.md, section "Encodings").

Names, chat, what the documents of a tournament say, and the texts of cards are all judged here.  What is *not* here:
what a terminal may show, which is less (``cli.clean``).
"""

import re
import unicodedata
from typing import Final


def _ranges(spans: str) -> str:
    ends = [span.split("-") for span in spans.split()]
    return "".join(f"{chr(int(one[0], 16))}-{chr(int(one[-1], 16))}" for one in ends)


HIDDEN: Final = re.compile(
    "["
    + _ranges(
        # Control characters, separators but the space, and soft hyphen.
        "00-1f 7f-a0 ad 1680 2000-200f 2028-202f 205f-206f 3000 "
        # Format characters and those that stand for none, up to Unicode 16.
        "600-605 61c 6dd 70f 890-891 8e2 feff fff0-fffb 110bd 110cd 13430-1343f 1bca0-1bca3 1d173-1d17a "
        # Letters and symbols that show as nothing: they would make two names look alike.
        "34f 115f-1160 17b4-17b5 180b-180f 2800 3164 ffa0 "
        # Surrogates, private use and what never will be a character.
        "d800-f8ff fdd0-fdef fffe-ffff 1fffe-1ffff 2fffe-2ffff 3fffe-10ffff"
    )
    + "]"
)
"""What stands in no text.

A list of numbers, because the categories in Python's library change from version to version: what one program may
sign must be a message to every other one, for whoever signs what is none is convicted.
"""

# Of characters in Unicode 3.2, which each version of the library knows, no later version changes the normal form.
_ASSIGNED_LONG_AGO = unicodedata.ucd_3_2_0


def is_normal(value: str) -> bool:
    """Say whether text is in NFC, as far as this is the same under every version of Unicode."""
    if value.isascii():
        return True
    # What came later stands for itself and joins with nothing, as U+FFFD does.
    old = ["\ufffd" if _ASSIGNED_LONG_AGO.category(char) == "Cn" else char for char in value]
    return unicodedata.is_normalized("NFC", "".join(old))


def find_fault(text: str) -> tuple[str, str] | None:
    """Return what was expected of a text and what came, or None if everybody may sign it."""
    hidden = HIDDEN.search(text)
    if hidden is not None:
        return "visible characters", f"U+{ord(hidden[0]):04X}"
    if not is_normal(text):
        return "text in NFC", "another form"
    if text != text.strip(" "):
        return "text without spaces around it", "some"
    return None
