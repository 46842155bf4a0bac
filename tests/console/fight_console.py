"""Fight for Olympus at the console in the tests: positions as its screens show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import helpers_tui as tui
from helpers_console import seated

from cli.console.messages import Resized
from cli.fight.console import FIGHT
from cli.fight.model import FightScreen
from cli.fight.reading import read_action
from cli.match.player import Asked, Happened
from storm_p2p.fight.card_file import load_reconstructed
from storm_p2p.fight.positions import load_position
from storm_p2p.fight.state import View

CARDS: Final = load_reconstructed()
BOARD: Final[Mapping[str, Any]] = {
    "number": 7,
    "counter": -2,
    "markers": {"red": 0, "blue": 1},
    "sides": [
        [{"card": 0, "damage": 1, "gear": 85}, None, {"card": 70}, {"card": 16}, None, {"card": 5}],
        [{"card": 2}, {"card": 30}, None, {"card": 72, "damage": 2}, {"card": 82}, None],
    ],
    "hands": [[3, 10, 45, 60, 63, 79, 86, 89], [20, 21, 22]],
    "pile": [90, 91, 94, 95],
    "discard": [7, 62],
}
"""The middle of a game, seen from seat 0."""
QUESTION: Final = {**BOARD, "hands": [[10, 1, 63], [20]]}
"""After ``play 10 2 pay 63`` a unit of the enemy is chosen."""
MANY: Final = {**BOARD, "hands": [[*range(20, 30), *range(40, 52)], [56]]}
"""More cards in hand than a small window holds."""


def seen(position: Mapping[str, Any], *typed: str) -> View:
    """Return a position as seat 0 sees it, after what was typed."""
    table = load_position(CARDS, position)
    for line in typed:
        table.decide(read_action(line, _view(table), 0))
    return _view(table)


def _view(table: Any) -> View:
    return View(table.state, {entry: table.names[entry] for entry in table.state.hands[0] if entry >= 0})


def begin(size: tuple[int, int] = tui.SIZES[0]) -> FightScreen:
    """Return the console of a match that has just begun."""
    facts = {"match": "7c1f0a", "words": "otter anvil plum", "log": "/home/alice/7c1f.match"}
    return tui.after(
        FightScreen(replace(FIGHT.begin_match(seated(0, CARDS, "bob", **facts)), compared=True)), Resized(*size)
    )


def asked(view: View, size: tuple[int, int] = tui.SIZES[0]) -> FightScreen:
    """Return the console while a decision is asked in a position."""
    return tui.after(begin(size), Happened((), view), Asked(view))
