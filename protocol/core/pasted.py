"""Bytes as a line that people paste: found again in a chat or a mail that quotes it, breaks it and adds words.

::

    prefix version "-" base32(length · body · checksum), RFC 4648, upper case, without "="

    checksum   4 bytes    the first bytes of H(label, version, length · body)

The length comes first so that words after the line are not taken for a part of it.
"""

import base64
import re

from protocol.crypto.hashing import hash_parts
from protocol.errors import Failure

_CHECKSUM = 4

# Marks that mail programs and chats put into a quoted line, "=" among them for quoted-printable.
_QUOTING = r"[\s>|<\"'`*_=\u00ab\u00bb\u2018-\u201f\u200b-\u200d\u2060\ufeff\u00ad]"
_BASE32 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


class LineError(Failure):
    """A line that cannot be used.

    Attributes:
        code: ``cut``, ``checksum`` or ``malformed``.
        sentence: what was expected and what came.
    """


def _checksum(label: str, version: int, counted: bytes) -> bytes:
    return hash_parts(label, version, counted)[:_CHECKSUM]


def dump(prefix: str, label: str, version: int, body: bytes, width: int = 1) -> str:
    """Return the line; ``width`` is how many bytes the length has."""
    counted = len(body).to_bytes(width, "big") + body
    line = base64.b32encode(counted + _checksum(label, version, counted)).decode("ascii")
    return f"{prefix}{version}-{line.rstrip('=')}"


def load(text: str, prefix: str, label: str, version: int, width: int = 1) -> bytes:
    """Return the body of a line.

    Args:
        text: begins behind the prefix, and may go on behind the line.
        prefix: stands before it.
        label: is hashed with it.
        version: of its format.
        width: how many bytes the length has.

    Raises:
        LineError: it is none.
    """
    letters: list[str] = []
    for char in re.sub(_QUOTING, "", text):
        # Of foreign letters some have capitals in ASCII; those are not ours.
        if not char.isascii() or char.upper() not in _BASE32:
            break
        letters.append(char.upper())
    data = _decode("".join(letters))
    size = width + int.from_bytes(data[:width], "big") + _CHECKSUM
    needed = -(-size * 8 // 5)
    if len(data) < width or len(letters) < needed:
        raise LineError("cut", f"expected {needed} characters after {prefix}{version}-, got {len(letters)}")
    data = _decode("".join(letters[:needed]))
    counted, checksum = data[: size - _CHECKSUM], data[size - _CHECKSUM :]
    if _checksum(label, version, counted) != checksum:
        raise LineError("checksum", "expected a matching checksum, got a line with a changed character")
    # The unused bits of the last character are the one part that the checksum does not cover.
    if dump(prefix, label, version, counted[width:], width) != f"{prefix}{version}-{''.join(letters[:needed])}":
        raise LineError("malformed", "expected the one way to write it, got another")
    return counted[width:]


def _decode(letters: str) -> bytes:
    # Trailing letters that do not fill a byte are left out; b32decode wants groups of eight.
    return base64.b32decode(letters + "A" * (-len(letters) % 8))[: len(letters) * 5 // 8]
