"""A player whose match is shown while somebody else plays it: for computer players without ``--json``."""

from collections.abc import Mapping, Sequence

from cli.match.next import Next
from cli.match.participant import Controls, Ending, Remark
from cli.match.player import Past, Player
from cli.runtime.console import result, say
from cli.storm.notices import StormNotice
from cli.storm.text import narrate, notices, watched
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.events import Event
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit


class Watched:
    """A :class:`cli.match.player.Player` that passes everything on and prints it, one line an event."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._faction = Faction.CHTHONIANS
        self._opponent = ""
        self._timed = False

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._player.name

    def seated(
        self, faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str], controls: Controls
    ) -> None:
        """Say who plays."""
        self._faction, self._opponent, self._timed = faction, opponent, controls.clocks() is not None
        result(watched.seated(self.name, faction, opponent))
        self._player.seated(faction, terms, opponent, facts, controls)

    def resumed(self, past: Past, state: State, said: Sequence[Remark] = ()) -> None:
        """Print where the match goes on."""
        result(watched.resumed(state))
        self._player.resumed(past, state, said)

    async def place(self) -> tuple[Unit, ...]:
        """Ask the player."""
        found: tuple[Unit, ...] = await self._player.place()
        return found

    async def decide(self, state: State) -> Action:
        """Ask the player."""
        found: Action = await self._player.decide(state)
        return found

    def happened(self, events: tuple[Event, ...], state: State) -> None:
        """Print what has happened."""
        for event in events:
            result(narrate.line(event))
        self._player.happened(events, state)

    def heard(self, text: str) -> None:
        """Print a line of chat."""
        result(watched.chat(text))
        self._player.heard(text)

    def on_notice(self, notice: StormNotice) -> None:
        """Say what has happened beside the game."""
        say(notices.sentence(notice, self._opponent, self._faction, timed=self._timed))
        self._player.on_notice(notice)

    def over(self, ending: Ending) -> None:
        """Print how it ended."""
        for line in watched.over(ending, self.name, self._opponent, self._faction):
            result(line)
        self._player.over(ending)

    async def linger(self) -> Next:
        """Let the player say what comes next."""
        return await self._player.linger()

    async def close(self) -> None:
        """Let the player go."""
        await self._player.close()
