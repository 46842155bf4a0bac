"""Computer players: functions of what a seat knows and a random source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from storm_p2p.fight.bots.bot import Bot
from storm_p2p.fight.bots.greedy import decide_greedily
from storm_p2p.fight.bots.uniform import decide_by_chance

BOTS: Final[Mapping[str, Bot]] = {"random": decide_by_chance, "greedy": decide_greedily}
"""The computer players by their name, the weakest first."""
