"""A player whose match is shown while somebody else plays it: for computer players without ``--json``."""

from collections.abc import Mapping, Sequence

from cli.clean import clean
from cli.fight.notices import FightNotice, Illegal, Shuffling
from cli.fight.text import narrate, screens, watched
from cli.match.next import Next
from cli.match.participant import Controls, Ending, Remark
from cli.match.player import Past, Player
from cli.runtime.console import result, say
from cli.text import notices
from protocol.game import Decision, Seat
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.events import Event
from storm_p2p.fight.views import View


class Watched:
    """A :class:`cli.match.player.Player` that passes everything on and prints it, one line an event."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._side: Seat = 0
        self._opponent = ""
        self._timed = False

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._player.name

    def seated(self, side: Seat, cards: CardSet, opponent: str, facts: Mapping[str, str], controls: Controls) -> None:
        """Say who plays."""
        self._side, self._opponent, self._timed = side, opponent, controls.clocks() is not None
        result(watched.seated(self.name, side, opponent))
        self._player.seated(side, cards, opponent, facts, controls)

    def resumed(self, past: Past, state: View, said: Sequence[Remark] = ()) -> None:
        """Print where the match goes on."""
        result(watched.resumed(state.state))
        self._player.resumed(past, state, said)

    async def place(self) -> None:
        """Return nothing: the game has no setup."""

    async def decide(self, state: View) -> Decision:
        """Ask the player."""
        found: Decision = await self._player.decide(state)
        return found

    def happened(self, events: tuple[Event, ...], state: View) -> None:
        """Print what has happened."""
        for event in events:
            result(narrate.line(event, state.cards))
        self._player.happened(events, state)

    def heard(self, text: str) -> None:
        """Print a line of chat."""
        result(watched.chat(text))
        self._player.heard(text)

    def on_notice(self, notice: FightNotice) -> None:
        """Say what has happened beside the game."""
        if isinstance(notice, Shuffling):
            say(str(screens.SHUFFLING))
        elif isinstance(notice, Illegal):
            say(clean(str(notice.error)))
        else:
            say(notices.sentence(notice, self._opponent, self._side, timed=self._timed))
        self._player.on_notice(notice)

    def over(self, ending: Ending) -> None:
        """Print how it ended."""
        for line in watched.over(ending, {str(self._side): self.name, str(1 - self._side): self._opponent}):
            result(line)
        self._player.over(ending)

    async def linger(self) -> Next:
        """Let the player say what comes next."""
        return await self._player.linger()

    async def close(self) -> None:
        """Let the player go."""
        await self._player.close()


