"""What a name looks like: the same for names that a person cannot tell apart (SPEC.md, section "People").

The method is the skeleton of Unicode Technical Standard 39, section 4, and the pairs of letters are those of its data
file ``confusables.txt`` in which a Greek, a Cyrillic or a rare Latin letter stands for a letter or digit of ASCII.
Letters of other scripts stand for themselves.
"""

import unicodedata
from typing import Final

from cli.clean import clean

_LOOKS_LIKE: Final = {
    "3": "\u0417\u04e0", "6": "\u0431", "A": "\u0391\u0410", "B": "\u0392\u0412", "C": "\u0421", "E": "\u0395\u0415",
    "F": "\u03dc", "G": "\u050c", "H": "\u0397\u041d", "J": "\u037f\u0408", "K": "\u039a\u041a",
    "M": "\u039c\u03fa\u041c", "N": "\u039d", "O": "0\u039f\u041e", "P": "\u03a1\u0420", "S": "\u0405",
    "T": "\u03a4\u0422", "V": "\u0474", "W": "\u051c", "X": "\u03a7\u0425", "Y": "\u03a5\u0423\u04ae", "Z": "\u0396",
    "a": "\u0251\u03b1\u0430", "b": "\u042c", "c": "\u0441\u1d04", "d": "\u0501", "e": "\u0435\u04bd", "g": "\u0261",
    "h": "\u04bb", "i": "\u0131\u0269\u026a\u03b9\u0456\u04cf", "j": "\u03f3\u0458",
    "l": "1I|\u0196\u01c0\u0399\u0406\u04c0", "o": "\u03bf\u03c3\u043e\u1d0f", "p": "\u03c1\u0440", "q": "\u051b",
    "r": "\u0433", "s": "\u0455\ua731", "u": "\u028b\u03c5\u1d1c", "v": "\u03bd\u0475\u1d20", "w": "\u0461\u051d\u1d21",
    "x": "\u0445", "y": "\u0263\u028f\u03b3\u0443\u04af", "z": "\u1d22",
}  # fmt: skip
_MAPPED: Final = str.maketrans({other: letter for letter, others in _LOOKS_LIKE.items() for other in others})


def shown(name: str) -> str:
    """Return what a name is compared by: what a person sees of it, so that nothing unseen makes another name of it."""
    return unicodedata.normalize("NFKC", clean(name)).casefold()


def look_alike(one: str, other: str) -> bool:
    """Return whether two names that differ look alike, with capital and small letters taken for the same."""
    return shown(one) != shown(other) and not _skeletons(one).isdisjoint(_skeletons(other))


def _skeletons(name: str) -> frozenset[str]:
    # A capital may look like what its small letter does not, as "I" looks like "l"; so both are asked.
    written = unicodedata.normalize("NFKC", clean(name))
    return frozenset(text.translate(_MAPPED).casefold() for text in (written, written.casefold()))
