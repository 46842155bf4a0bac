"""German on a terminal that knows no umlauts: they are spelled with two letters, and nothing ends in an error."""

import codecs
from typing import Final, TextIO

_NAME: Final = "storm-p2p-spelled"
_SPELLED: Final = {
    "\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00df": "ss", "\u00c4": "Ae", "\u00d6": "Oe", "\u00dc": "Ue",
}  # fmt: skip


def spell(stream: TextIO | None) -> None:
    """Let a stream spell what its encoding does not know; a stream of another kind stays as it is."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        codecs.register_error(_NAME, _spelled)
        reconfigure(errors=_NAME)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    return "".join(_SPELLED.get(char, "?") for char in unknown), error.end
