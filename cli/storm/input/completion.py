"""Completion of what may be typed now: legal actions with their prices, costly ones last, and the views.

:func:`suggest` is pure; what hands it to prompt_toolkit stands in ``cli.console.shell.app``.
"""

from collections.abc import Iterable, Sequence

from cli.console.screen_state import Suggestion
from cli.storm import combat_text, vocabulary, words
from cli.storm.text import names
from cli.text.names import signed
from cli.text.wording import _, fill
from cli.vocabulary import Tab, fold, split
from storm_p2p.storm import notation
from storm_p2p.storm.actions import Action, Fight, Lose, Move
from storm_p2p.storm.board import Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.units import NAME

VIEWS = tuple(sorted(name for name, row in vocabulary.COMMANDS.items() if Tab.MATCH in row.tab))
"""Commands that are offered besides the actions."""


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
    return list(shown.values())


def places(partial: str, prices: Iterable[tuple[Region, Price]]) -> list[Suggestion]:
    """Return regions that can come next, the cheapest first; ``partial`` is how far the number is typed."""
    ranked = sorted(prices, key=lambda item: (*_dearness([item[1]]), item[0]))
    return [Suggestion(str(region), -len(partial), names.cost(price)) for region, price in ranked]


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
