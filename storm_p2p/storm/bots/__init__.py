"""Computer players: pure functions of what a seat may know and of a source of chance."""

from __future__ import annotations

from typing import Final

from storm_p2p.storm.bots.bot import Bot as Bot
from storm_p2p.storm.bots.bot import Thinker as Thinker
from storm_p2p.storm.bots.greedy import Greedy
from storm_p2p.storm.bots.novice import Novice
from storm_p2p.storm.bots.oracle import Oracle
from storm_p2p.storm.bots.uniform import Uniform

_ALL: Final[tuple[Bot, ...]] = (
    Uniform(),
    Novice(),
    Greedy(),
    Oracle("seer", 6, 0.5, looks_ahead=False),
    Oracle("oracle", 60, 1.0),
)

BOTS: Final[dict[str, Bot]] = {bot.name: bot for bot in _ALL}
"""The computer players by the name that ``--bot`` and ``bot:NAME`` take."""

LEVELS: Final = tuple(BOTS)
"""Their names from the weakest to the strongest; how much stronger, ``benchmarks/arena.py`` says."""
