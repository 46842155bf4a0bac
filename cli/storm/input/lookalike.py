"""Whether a line of talk reads like a command, so that a move typed at the wrong prompt is not told to the other side.

It asks nothing of the position: a move reads like one when it is not one's turn, and when it is mistyped.  What the
position says besides (:func:`cli.storm.grammar.parse`) the caller asks himself.
"""

import difflib
import re
from collections.abc import Sequence
from typing import Final

from cli.console.messages import Act, NotUnderstood, Own
from cli.storm import grammar, vocabulary, words
from cli.storm.grammar import Arrange
from cli.storm.input import reading
from cli.storm.model import StormScreen
from cli.storm.vocabulary import COMMANDS
from cli.vocabulary import Kind, Takes
from storm_p2p.storm.board import REGIONS, Faction
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import ROSTER

_ACTIONS: Final = {verb: row.takes for verb, row in COMMANDS.items() if row.kind is Kind.ACTION} | {"open": Takes.UNIT}
"""Actions and what stands behind them; ``open`` is one of the notation alone."""
_NOBODY: Final = frozenset({"none", "keine"})
_FILLERS: Final = words.ALL | words.CLAIM | _NOBODY | {"immune", "immun", "?", *(side.name.lower() for side in Faction)}
_GLUED: Final = re.compile(r"\b([a-zäöü]{3,})(\d+)\b")
"""A word and a number without the blank between them; ``gr8`` and ``m8`` are no such thing."""
LEAST_NAME: Final = 3
"""Letters that a name has at least: all three-letter codes, and no ``ha``."""
LIKENESS: Final = 0.75
"""How near a mistyped word is to the command that it stands for (see :mod:`difflib`)."""
_COMMANDS: Final = {
    word: verb for word, verb in vocabulary.EXACT.items() if _ACTIONS.get(verb) and len(word) >= LEAST_NAME
}
"""Words that a mistyped one may stand for; what is shorter is like too many."""


def reads_like_a_command(line: str, faction: Faction) -> bool:
    """Return whether a clean line reads like an action of the game, a view with units or regions, or a note."""
    apart = _GLUED.sub(r"\1 \2", line.lower())
    tokens = apart.rstrip("?! ").replace(">", " ").replace("+", " ").replace(",", " ").split()
    if not tokens:
        return False
    # As in the grammar, `r` with a name reveals.
    verb = "reveal" if tokens[0] == "r" else vocabulary.find_verb(tokens[0])
    if len(tokens) == 1:
        # A word alone is no answer in a talk; `yes` or `leave` are.
        return verb in _ACTIONS and not _ACTIONS[verb] and tokens[0] in vocabulary.EXACT
    return _orders(verb, tokens, faction) or _consists(verb, tokens, faction) or _betrays(tokens, faction)


def _orders(verb: str | None, tokens: Sequence[str], faction: Faction) -> bool:
    """Return whether a line begins with a command and with what belongs to it; what follows may be mistyped."""
    first, second = tokens[:2]
    if first in words.MANEUVERS and not first.isdigit() and second.isdigit():
        return True
    if verb == "fight" and (second in words.MANEUVERS or second in _FILLERS):
        return True
    if verb == "note" and second.isdigit():
        return True
    if verb is None and len(first) >= LEAST_NAME:
        near = difflib.get_close_matches(first, sorted(_COMMANDS), 1, LIKENESS)
        verb = _COMMANDS[near[0]] if near else first
    takes = _ACTIONS.get(verb or "", Takes.NOTHING)
    if Takes.REGION in takes and _is_region(second):
        return True
    return Takes.UNIT in takes and (_is_own(second, faction) or second in _NOBODY)


def _consists(verb: str | None, tokens: Sequence[str], faction: Faction) -> bool:
    """Return whether a line has nothing but regions, own units and words around them, after a command or without."""
    rest = tokens if verb is None or _is_own(tokens[0], faction) else tokens[1:]
    if not all(word.isdigit() or _is_own(word, faction) or word in _FILLERS for word in rest):
        return False
    named = [word for word in rest if _is_own(word, faction)]
    return bool(named) or len(rest) > 1 or (verb is not None and rest[0].isdigit())


def _betrays(tokens: Sequence[str], faction: Faction) -> bool:
    """Return whether a line names an own unit and a region, or two regions first, with one word beside them at most."""
    regions = [_is_region(word) for word in tokens]
    known = [_is_own(word, faction) for word in tokens]
    strange = sum(
        not (region or own or word in _FILLERS) for word, region, own in zip(tokens, regions, known, strict=True)
    )
    return strange <= 1 and ((any(regions) and any(known)) or all(regions[:2]))


def _is_region(word: str) -> bool:
    return word.isascii() and word.isdigit() and int(word) in REGIONS


def _is_own(word: str, faction: Faction) -> bool:
    if len(word) < LEAST_NAME or not words.is_unit(word, faction):
        return False
    return words.find_unit(word, faction) in ROSTER[faction]


def is_for_the_board(ui: StormScreen, line: str) -> bool:
    """Return whether the board would take a line as an action now, or it reads like a command at any time."""
    state, faction = ui.game.state, ui.game.side
    if reads_like_a_command(line, faction):
        return True
    if not ui.awaited:
        return False
    view = None if ui.placing is not None else state
    try:
        command = grammar.parse(line, view, faction, setting_up=ui.placing is not None)
    except NotUnderstood:
        begins = view is not None and view.phase == Phase.TURN and (line.isdigit() or len(line) >= LEAST_NAME)
        return begins and view is not None and reading.begun(line, view, faction) is not None
    return isinstance(command, Act) or (isinstance(command, Own) and isinstance(command.command, Arrange))
