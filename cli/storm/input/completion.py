"""Completion of what may be typed now: legal actions with their prices, costly ones last, the views, and setups.

All of it is pure; what hands it to prompt_toolkit stands in ``cli.console.shell.app``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cli.console.screen_state import Suggestion
from cli.storm import combat_text, vocabulary, words
from cli.storm.odds import Odds
from cli.storm.placing import Placing
from cli.storm.text import names, screens
from cli.storm.text.prices import priced
from cli.text.wording import _, fill, signed
from cli.vocabulary import ALWAYS, LANGUAGES, Tab, fold, split
from storm_p2p.storm import notation
from storm_p2p.storm.actions import Action, Fight, Lose, Move
from storm_p2p.storm.board import REALM, REGIONS, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.units import NAME, ROSTER, Unit

VIEWS = tuple(sorted(name for name, row in vocabulary.COMMANDS.items() if Tab.MATCH in row.tab))
"""Commands that are offered besides the actions."""
_SETUP_WORDS = tuple(name for name, row in vocabulary.COMMANDS.items() if Tab.SETUP in row.tab)
_UNITS = tuple(NAME[unit] for unit in Unit)
_PLACES = tuple(map(str, REGIONS))
_BEHIND: Final[Mapping[str, Sequence[str]]] = {
    "card": _UNITS, "where": _UNITS, "costs": _UNITS, "who": _PLACES, "note": _PLACES, "log": ("10", "20", "50"),
    "scan": ("1", "2", "3", "4", "5"), "lang": tuple(LANGUAGES)[::2], "confirm": tuple(ALWAYS),
    "help": tuple(sorted(vocabulary.COMMANDS)),
}  # fmt: skip
"""What can stand behind a word that is no action."""


def forms(action: Action) -> list[str]:
    """Return the ways to type an action, the canonical one first."""
    found = [notation.format_action(action)]
    if isinstance(action, Move) and len(action.path) == 2:
        units = " ".join(sorted(NAME[unit] for unit in action.units))
        found.append(f"{units} {action.path[1]}{'' if action.claim is None else ' claim'}")
    elif isinstance(action, Fight):
        found.append(f"{combat_text.typed_as(action.maneuver)} {action.energy}")
        found.append(f"{action.maneuver.name.lower()} {action.energy}")
    elif isinstance(action, Lose):
        found.append(found[0].removeprefix("lose "))
    return found


def suggest(line: str, options: Iterable[tuple[Action, Price]], others: Sequence[str] = VIEWS) -> list[Suggestion]:
    """Return what can come next in a line, the cheapest first; ``others`` are words that are no actions."""
    typed = split(line)
    partial = "" if not line or line[-1].isspace() or line[-1] == ">" else typed.pop()
    begun = [_canonical(word) for word in typed]
    found: dict[str, list[Price]] = {}
    for action, price in options:
        for form in forms(action):
            parts = form.split()
            if len(parts) > len(begun) and parts[: len(begun)] == begun and _begins(parts[len(begun)], partial):
                found.setdefault(parts[len(begun)], []).append(price)
    ranked = sorted(found.items(), key=lambda item: (*_dearness(item[1]), _order(item[0])))
    start = -len(partial)
    # The first word is a command, and what stands behind it is not.
    named = vocabulary.say_argument if begun else vocabulary.say
    shown: dict[str, Suggestion] = {}
    for word, prices in ranked:
        # Two canonical words may be one in the reader's language; the cheaper one is meant.
        shown.setdefault(named(word), Suggestion(named(word), start, _note(prices)))
    for word in () if begun else others:
        if _begins(word, partial):
            shown.setdefault(named(word), Suggestion(named(word), start, ""))
    for word in behind(begun, partial) if not shown else ():
        shown.setdefault(word, Suggestion(word, start, ""))
    return list(shown.values())


def behind(begun: Sequence[str], partial: str) -> list[str]:
    """Return what can stand behind a whole canonical word that only looks, talks or keeps, as the reader types it."""
    if len(begun) != 1 or begun[0] not in _BEHIND:
        return []
    say = vocabulary.say if begun[0] == "help" else vocabulary.say_argument
    return [say(word) for word in _BEHIND[begun[0]] if _begins(word, partial)]


def places(partial: str, prices: Iterable[tuple[Region, Price, Odds | None]]) -> list[Suggestion]:
    """Return regions that can come next, the cheapest first; ``partial`` is how far the number is typed."""
    ranked = sorted(prices, key=lambda item: (*_dearness([item[1]]), item[0]))
    return [Suggestion(str(region), -len(partial), priced(price, attack)) for region, price, attack in ranked]


def _canonical(word: str) -> str:
    if word in vocabulary.EXACT:
        return vocabulary.EXACT[word]
    if words.is_unit(word):
        return NAME[words.find_unit(word)]
    if word in words.MANEUVERS:
        return words.MANEUVERS[word].name.lower()
    return vocabulary.find_argument(word)


def _begins(word: str, partial: str) -> bool:
    """Return whether a word can be what is being typed: in the reader's language, and units by every name."""
    spoken = (vocabulary.say(word), vocabulary.say_argument(word))
    if word.startswith(partial) or any(fold(one).startswith(partial) for one in spoken):
        return True
    return bool(partial) and any(NAME[unit] == word for unit in words.starting_with(partial))


def _order(word: str) -> tuple[int, str]:
    return (int(word), "") if word.isdigit() else (99, word)


def _dearness(prices: Sequence[Price]) -> tuple[int, int]:
    """Return a key that is small for what is cheap: the cheapest way to go on counts."""
    best = max((price.honor, price.energy) for price in prices)
    return (-min(best[0], 0), -min(best[1], 0))


def _note(prices: Sequence[Price]) -> str:
    different = sorted({(price.honor, price.energy) for price in prices}, reverse=True)
    if len(different) == 1:
        return names.cost(prices[0])
    honors = sorted({honor for honor, _ in different})
    if len(honors) == 1:
        return _("several prices")
    return fill("honor {least} to {most}", least=signed(honors[0]), most=signed(honors[-1]))


def suggest_setup(line: str, placing: Placing, kept: Sequence[str]) -> list[Suggestion]:
    """Return what can come next in a line while a setup is made; ``kept`` are the names of those that were kept."""
    typed = fold(line).split()
    partial = "" if not line or line[-1].isspace() else typed.pop()
    if not typed:
        commands = [(vocabulary.say(word), "") for word in _SETUP_WORDS if _begins(word, partial)]
        return _made([*_units(placing, partial), *commands], partial)
    if vocabulary.console_word(typed[0]) == "load" and len(typed) == 1:
        return _made(_matching(((name, "") for name in kept), partial), partial)
    if len(typed) == 1 and words.is_unit(typed[0], placing.faction):
        name = vocabulary.say_argument(NAME[words.find_unit(typed[0], placing.faction)])
        others = [found for found in _units(placing, partial) if found[0] != name]
        return _made([*_matching(_regions(placing), partial), *others], partial)
    return _made([(word, "") for word in behind([_canonical(word) for word in typed], partial)], partial)


def _made(found: Iterable[tuple[str, str]], partial: str) -> list[Suggestion]:
    return [Suggestion(word, -len(partial), note) for word, note in found]


def _matching(found: Iterable[tuple[str, str]], partial: str) -> list[tuple[str, str]]:
    return [(word, note) for word, note in found if word.startswith(partial)]


def _units(placing: Placing, partial: str) -> list[tuple[str, str]]:
    """Return the own units that can be meant, those that are not placed first, with where they stand."""
    where = placing.by_unit
    meant = set(words.starting_with(partial)) if partial else set(ROSTER[placing.faction])
    found = sorted((unit for unit in ROSTER[placing.faction] if unit in meant), key=lambda unit: unit in where)
    return [(vocabulary.say_argument(NAME[unit]), _place(where.get(unit))) for unit in found]


def _place(region: int | None) -> str:
    return "" if region is None else fill(screens.STANDS_IN, region=region)


def _regions(placing: Placing) -> list[tuple[str, str]]:
    """Return the regions of the realm, free ones first, with who stands there."""
    by_region: dict[int, Unit] = dict(placing.by_region)
    regions = sorted(REALM[placing.faction], key=lambda region: (region in by_region, region))
    return [(str(region), names.unit_name(by_region[region]) if region in by_region else "") for region in regions]
