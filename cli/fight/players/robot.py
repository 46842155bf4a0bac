"""A computer player at a seat: it answers at once and says nothing."""

from collections.abc import Mapping
from contextlib import suppress
from random import Random

from cli.fight.notices import FightNotice
from cli.match.participant import Controls
from cli.match.player import Player
from protocol.core.events import BreakProposed, DrawOffered
from protocol.errors import LocalProtocolError
from protocol.game import Decision, Seat
from storm_p2p.fight.bots.bot import Bot
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.views import View


class RobotPlayer(Player):
    """A :data:`storm_p2p.fight.bots.Bot` at a seat: each decision looks at the view alone."""

    def __init__(self, name: str, bot: Bot, seed: int) -> None:
        self._name = name
        self._bot = bot
        # What it draws decides its play only; every secret of the match comes from elsewhere.
        self._rng = Random(seed)  # noqa: S311
        self._side: Seat = 0
        self._controls: Controls | None = None

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._name

    def seated(self, side: Seat, cards: CardSet, opponent: str, facts: Mapping[str, str], controls: Controls) -> None:
        """Learn which side to play."""
        self._side, self._controls = side, controls

    async def place(self) -> None:
        """Return nothing: the game has no setup."""

    async def decide(self, view: View) -> Decision:
        """Return the bot's decision."""
        return self._bot(view.state, view.names, self._rng)

    def on_notice(self, notice: FightNotice) -> None:
        """Decline draws and breaks; it plays to the end."""
        if self._controls is None:
            return
        # What was offered may be gone by now.
        with suppress(LocalProtocolError):
            if isinstance(notice, DrawOffered):
                self._controls.decline_draw()
            elif isinstance(notice, BreakProposed):
                self._controls.reject()
