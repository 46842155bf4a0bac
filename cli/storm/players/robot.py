"""A computer player at a seat: it answers at once and says nothing."""

from collections.abc import Mapping
from contextlib import suppress
from random import Random

from cli.match.participant import Controls
from cli.match.player import Player
from cli.storm.notices import StormNotice
from protocol.core.events import BreakProposed, DrawOffered
from protocol.errors import LocalProtocolError
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots import Bot
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit


class RobotPlayer(Player):
    """A :class:`storm_p2p.storm.bots.Bot` at a seat: each decision looks at the state alone."""

    def __init__(self, name: str, bot: Bot, seed: int) -> None:
        self._name = name
        self._bot = bot
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
        """Return the bot's action."""
        return self._bot.decide(state, self._faction, self._rng)

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
