"""A computer player at a seat: it says nothing, and answers at once or after the time it was given."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Final

from cli.match.participant import Controls
from cli.match.player import Player
from cli.runtime.moment import now
from cli.storm.notices import StormNotice
from protocol.core.events import BreakProposed, DrawOffered
from protocol.errors import LocalProtocolError
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots import Bot, Thinker
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit

THINKS: Final = 0.8
"""The share of the time in which a simulation may still be begun; the rest is for the last one to end."""


class RobotPlayer(Player):
    """A :class:`storm_p2p.storm.bots.Bot` at a seat: each decision looks at the state alone."""

    def __init__(self, name: str, bot: Bot, seed: int, seconds: float = 0.0) -> None:
        """Seat a bot; one that can think answers after so many seconds, whatever is asked."""
        self._name = name
        self._bot = bot
        self._seconds = seconds
        # What it draws decides its play only; every secret of the match comes from elsewhere.
        self._rng = Random(seed)  # noqa: S311
        self._faction = Faction.CHTHONIANS
        self._terms = Terms()
        self._controls: Controls | None = None

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._name

    def seated(
        self, faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str], controls: Controls
    ) -> None:
        """Learn which side to play."""
        self._faction, self._terms, self._controls = faction, terms, controls

    async def place(self) -> tuple[Unit, ...]:
        """Return the bot's setup."""
        return self._bot.place(self._faction, self._terms, self._rng)

    async def decide(self, state: State) -> Action:
        """Return the bot's action.

        How long it takes must tell nothing about hidden units.  So one that thinks answers neither sooner, be there
        a single answer or many, nor later: when its time has passed.
        """
        if not isinstance(self._bot, Thinker) or not self._seconds:
            return self._bot.decide(state, self._faction, self._rng)
        begun = now()
        thoughts = self._bot.think(state, self._faction, self._rng)
        action = next(thoughts)
        while now() - begun < THINKS * self._seconds:
            # The line is served in between.
            await asyncio.sleep(0)
            action = next(thoughts)
        await asyncio.sleep(max(0.0, begun + self._seconds - now()))
        return action

    def on_notice(self, notice: StormNotice) -> None:
        """Decline draws and breaks; it plays to the end."""
        if self._controls is None:
            return
        # What was offered may be gone by now.
        with suppress(LocalProtocolError):
            if isinstance(notice, DrawOffered):
                self._controls.decline_draw()
            elif isinstance(notice, BreakProposed):
                self._controls.reject()
