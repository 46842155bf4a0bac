"""What is said of a match whose rules are not here: which it has, which are here, and who can go on."""

from __future__ import annotations

import re
from typing import Final

from cli.clean import clean
from cli.text import names
from cli.text.sentences import Sentence
from cli.text.wording import Lazy, fill, lazy
from protocol.game import MissingRules

_LOG: Final = lazy(
    "The match was played under rules {theirs}; this program has rules {ours}. The program that was used then, or one "
    "that still has rules {theirs}, can check and show it."
)
_MATCH: Final = lazy(
    "This match was begun under rules {theirs}; this program has rules {ours}. Nothing was changed; the program that "
    "was used then, or one that still has rules {theirs}, can continue it."
)
_UNKNOWN: Final = lazy(
    "This match belongs to another game, or to rules that storm-p2p never had. Only the program that played it can read"
    " it."
)
_OTHER: Final = lazy(
    "{name}'s program now plays by different rules from this match. Nobody is accused and nothing is lost: the match "
    "waits for the program that {name} began it with."
)
_OTHER_NUMBER: Final = lazy(
    "{name}'s program now plays by rules {rules}, but this match was begun under others. Nobody is accused and nothing "
    "is lost: the match waits for the program that {name} began it with."
)
_VERSION: Final = re.compile(r"([0-9.]{1,15})-([0-9a-f]{8,64})")
_SHORT: Final = 8

telling = Sentence[str]("{name} is told this too, if that program can be reached now.")


def of_log(missing: MissingRules) -> str:
    """Return why a log can be neither checked nor shown here."""
    return _said(_LOG, missing)


def of_match(missing: MissingRules) -> str:
    """Return why a stored match cannot go on here."""
    return _said(_MATCH, missing)


def of_other(name: str, version: str) -> str:
    """Return that the other's program plays by other rules now, whose version it says."""
    theirs = _VERSION.fullmatch(version)
    if theirs is None:
        return fill(_OTHER, name=clean(name))
    return fill(_OTHER_NUMBER, name=clean(name), rules=theirs[1])


def shortened(*versions: str) -> list[str] | None:
    """Return versions of rules by their numbers, or nothing if one of them is no such version."""
    found = [_VERSION.fullmatch(version) for version in versions]
    if None in found:
        return None
    parts = [(one[1], one[2][:_SHORT]) for one in found if one is not None]
    # Rules that were changed without a new number are told apart by their data.
    alike = len({number for number, data in parts}) < len(set(versions))
    return [f"{number}-{data}" if alike else number for number, data in parts]


def _said(template: Lazy, missing: MissingRules) -> str:
    known = shortened(missing.version, *missing.here)
    # Whoever made the file may have written anything there; nothing of it is repeated.
    if known is None or not missing.here:
        return str(_UNKNOWN)
    return fill(template, theirs=known[0], ours=names.listed(known[1:]))
