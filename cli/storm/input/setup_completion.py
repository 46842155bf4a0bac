"""Completion while a setup is made: units with their places, regions with who stands there, and the words of setups.

Pure, like :mod:`cli.storm.input.completion`.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from cli.console.screen_state import Suggestion
from cli.storm import vocabulary, words
from cli.storm.placing import Placing
from cli.storm.text import names
from cli.storm.text import setup_screen as said
from cli.text.wording import fill
from cli.vocabulary import Tab, fold
from storm_p2p.storm.board import REALM
from storm_p2p.storm.units import NAME, ROSTER, Unit

_WORDS: Final = tuple(name for name, row in vocabulary.COMMANDS.items() if Tab.SETUP in row.tab)


def suggest(line: str, placing: Placing, kept: Sequence[str]) -> list[Suggestion]:
    """Return what can come next in a line, with the names of the setups that were kept."""
    typed = fold(line).split()
    partial = "" if not line or line[-1].isspace() else typed.pop()
    if not typed:
        commands = [(vocabulary.say(word), "") for word in _WORDS if _begins(word, partial)]
        return _made([*_units(placing, partial), *commands], partial)
    if vocabulary.console_word(typed[0]) == "load" and len(typed) == 1:
        return _made(_matching(((name, "") for name in kept), partial), partial)
    if len(typed) == 1 and words.is_unit(typed[0], placing.faction):
        name = vocabulary.say_argument(NAME[words.find_unit(typed[0], placing.faction)])
        others = [found for found in _units(placing, partial) if found[0] != name]
        return _made([*_matching(_regions(placing), partial), *others], partial)
    return []


def _made(found: Iterable[tuple[str, str]], partial: str) -> list[Suggestion]:
    return [Suggestion(word, -len(partial), note) for word, note in found]


def _begins(word: str, partial: str) -> bool:
    return any(fold(one).startswith(partial) for one in (word, vocabulary.say(word)))


def _matching(found: Iterable[tuple[str, str]], partial: str) -> list[tuple[str, str]]:
    return [(word, note) for word, note in found if word.startswith(partial)]


def _units(placing: Placing, partial: str) -> list[tuple[str, str]]:
    """Return the own units that can be meant, those that are not placed first, with where they stand."""
    where = placing.by_unit
    meant = set(words.starting_with(partial)) if partial else set(ROSTER[placing.faction])
    found = sorted((unit for unit in ROSTER[placing.faction] if unit in meant), key=lambda unit: unit in where)
    return [(vocabulary.say_argument(NAME[unit]), _place(where.get(unit))) for unit in found]


def _place(region: int | None) -> str:
    return "" if region is None else fill(said.STANDS_IN, region=region)


def _regions(placing: Placing) -> list[tuple[str, str]]:
    """Return the regions of the realm, free ones first, with who stands there."""
    by_region: dict[int, Unit] = dict(placing.by_region)
    regions = sorted(REALM[placing.faction], key=lambda region: (region in by_region, region))
    return [
        (str(region), names.unit_name(by_region[region]) if region in by_region else "") for region in regions
    ]
