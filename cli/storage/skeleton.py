"""What a name looks like: the same for names that a person cannot tell apart (SPEC.md, section "People").

The methods are those of Unicode Technical Standard 39: the skeleton of section 4, with the pairs of its data file
``confusables.txt`` in which a letter of the European scripts, of Armenian, Cherokee or Lisu stands for a letter or
digit of ASCII, or a sign for an apostrophe or a hyphen; and the mixed scripts and mixed numbers of section 5, with the
scripts that are in common use.
"""

import unicodedata
from bisect import bisect
from typing import Final

from cli.clean import clean

_LOOKS_LIKE: Final = {
    "3": "\u0417\u04e0", "4": "\u13ce", "6": "\u0431\u13ee", "A": "\u0391\u0410\u13aa", "B": "\u0392\u0412\u13f4",
    "C": "\u0421\u13df", "D": "\u13a0", "E": "\u0395\u0415\u13ac", "F": "\u03dc", "G": "\u050c\u13c0\u13f3",
    "H": "\u0397\u041d\u13bb", "J": "\u037f\u0408\u13ab", "K": "\u039a\u041a\u13e6", "L": "\u13de",
    "M": "\u039c\u03fa\u041c\u13b7", "N": "\u039d", "O": "0\u039f\u041e\u0555", "P": "\u03a1\u0420\u13e2",
    "R": "\u13a1\u13d2", "S": "\u0405\u054f\u13d5\u13da", "T": "\u03a4\u0422\u13a2", "U": "\u054d",
    "V": "\u0474\u13d9", "W": "\u051c\u13b3\u13d4", "X": "\u03a7\u0425", "Y": "\u03a5\u0423\u04ae\u13a9\u13bd",
    "Z": "\u0396\u13c3", "a": "\u0251\u03b1\u0430", "b": "\u042c\u13cf", "c": "\u0441\u1d04\uabaf",
    "d": "\u0501\u13e7", "e": "\u0435\u04bd", "f": "\u0584", "g": "\u0261\u0581", "h": "\u04bb\u0570\u13c2",
    "i": "\u0131\u0269\u026a\u03b9\u0456\u04cf\u13a5\uab75", "j": "\u03f3\u0458",
    "l": "1I|\u13c6\u0196\u01c0\u0399\u0406\u04c0", "n": "\u0578\u057c", "o": "\u03bf\u03c3\u043e\u1d0f\u0585",
    "p": "\u03c1\u0440", "q": "\u051b\u0563\u0566", "r": "\u0433\uab81", "s": "\u0455\ua731\uabaa",
    "u": "\u028b\u03c5\u1d1c\u057d", "v": "\u03bd\u0475\u1d20\uaba9", "w": "\u0461\u051d\u1d21\u0561\uab83",
    "x": "\u0445", "y": "\u0263\u028f\u03b3\u0443\u04af", "z": "\u1d22\uab93",
    "'": "`\u02b9\u02bb\u02bc\u02bd\u055a\u2018\u2019\u201b\u2032\ua78c", "-": "\u02d7\u2010\u2012\u2013\u2043\u2212",
}  # fmt: skip
_LISU: Final = (
    "\ua4ee\ua4d0\ua4da\ua4d3\ua4f0\ua4dd\ua4d6\ua4e7\ua4f2\ua4d9\ua4d7\ua4e1\ua4df"
    "\ua4e0\ua4f3\ua4d1\ua4e3\ua4e2\ua4d4\ua4f4\ua4e6\ua4ea\ua4eb\ua4ec\ua4dc\ua4d2",
    "ABCDEFGHlJKLMNOPRSTUVWXYZd",
)
_MAPPED: Final = str.maketrans(*_LISU) | str.maketrans(
    {other: letter for letter, others in _LOOKS_LIKE.items() for other in others}
)
# NFKC makes another sigma of it, which looks like none of these.
_LUNATE: Final = str.maketrans("\u03f2\u03f9", "cC")

_SCRIPTS: Final = {
    "Latn": "41-2af 1d00-1d25 1d6b-1eff 209d-2184 2c60-2c7f a722-a7ff ab30-ab64 ab66-ab6d 107bb-107bf 1df00-1dff2 "
    "1dff5-1dfff",
    "Grek": "370-3e1 3f3-3ff 1d26-1d2a 1f00-1ffc ab65 1dff3-1dff4",
    "Cyrl": "400-52f 1c80-1c8a 1d2b a640-a69b 1e030-1e08f", "Armn": "531-58c",
    "Geor": "10a0-10ff 1c90-1cbf 2d00-2d2d", "Cher": "13a0-13fd ab70-abbf", "Hebr": "5c8-5f2",
    "Arab": "620-6ff 750-77f 870-8c8 fbc3-fe73 10ec2-10eff", "Syrc": "710-74f 860-86a", "Thaa": "780-7b1",
    "Deva": "904-97f a8f2-a8fe 11b00-11b0a", "Beng": "980-9fc 11df0-11df1", "Guru": "a05-a74", "Gujr": "a85-af9",
    "Orya": "b05-b71", "Taml": "b83-bd0", "Telu": "c05-c61", "Knda": "c80-cf3", "Mlym": "d04-d7f", "Sinh": "d85-dc6",
    "Thai": "e01-e45", "Laoo": "e81-edf", "Tibt": "f00-f8c", "Mymr": "1000-108e a9e0-a9fe aa60-aa7f 116d0-116e3",
    "Khmr": "1780-17dc", "Ethi": "1200-138f 2d80-2dde ab01-ab2e 1e7e0-1e7fe", "Hang": "1100-11ff a960-a97c ac00-d7fb",
    "Hira": "3041-3096 1b001-1b11f 1b123 1b132-1b152",
    "Kana": "30a1-30fa 31f0-31ff 1b000 1b120-1b122 1b124-1b128 1b155-1b168", "Bopo": "3105-31bf",
    "Hani": "3400-9fff fa0e-fa29 16ff2-16ff6 20000-33479",
}  # fmt: skip
"""Where the letters of the scripts in common use lie, and of Cherokee, by ``Scripts.txt`` of Unicode 18.

The library of Python does not tell scripts.  No later version of Unicode moves a letter to another script.
"""
_LIMITS: Final = sorted(
    (int(low, 16), int(high or low, 16), script)
    for script, ranges in _SCRIPTS.items()
    for low, _, high in (one.partition("-") for one in ranges.split())
)
_TOGETHER: Final = ({"Hani", "Hira", "Kana"}, {"Hani", "Hang"}, {"Hani", "Bopo"})
"""Scripts in which one language is written."""


def shown(name: str) -> str:
    """Return what a name is compared by: what a person sees of it, so that nothing unseen makes another name of it."""
    return unicodedata.normalize("NFKC", clean(name)).casefold()


def look_alike(one: str, other: str) -> bool:
    """Return whether two names that differ look alike, with capital and small letters taken for the same."""
    return shown(one) != shown(other) and not looks(one).isdisjoint(looks(other))


def looks(name: str) -> frozenset[str]:
    """Return the skeletons of a name; names that share one look alike."""
    # A capital may look like what its small letter does not, as "I" looks like "l"; so both are asked.
    written = unicodedata.normalize("NFKC", clean(name).translate(_LUNATE))
    return frozenset(text.translate(_MAPPED).casefold() for text in (written, written.casefold()))


def mixes_scripts(name: str) -> bool:
    """Return whether a name has letters of several scripts, or digits of several, that no language has together."""
    letters, zeros = set(), set()
    for char in unicodedata.normalize("NFKC", clean(name)):
        category = unicodedata.category(char)
        if category == "Nd":
            zeros.add(ord(char) - unicodedata.decimal(char))
        elif category in ("Lu", "Ll", "Lt", "Lo"):
            letters.add(_script(ord(char)))
    return len(zeros) > 1 or (len(letters) > 1 and not any(letters <= one for one in _TOGETHER))


def _script(letter: int) -> str:
    low, high, script = _LIMITS[max(0, bisect(_LIMITS, (letter, 0x110000)) - 1)]
    return script if low <= letter <= high else "rare"
