"""The games that can be played, shown and replayed here: what the commands need of each.

A game is an entry of :data:`_GAMES`, beside its rules in :mod:`storm_p2p.games`.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from cli.console.played import PlayedGame
from cli.fight.game import FightGame
from cli.storm.game import StormGame
from protocol.game import Decision
from storm_p2p import games

STORM: Final = games.STORM
"""The game that is meant where none is named."""
_GAMES: Final[Mapping[str, PlayedGame]] = {STORM: StormGame(), games.FIGHT: FightGame()}
NAMES: Final = tuple(_GAMES)
"""The names of all games."""
CALLED: Final[Mapping[str, str]] = {name.partition("-")[0]: name for name in _GAMES}
"""What ``--game`` calls each game: the first word of its name."""


def find(name: str = STORM) -> PlayedGame:
    """Return a game by the name of its rules.

    Raises:
        KeyError: no game has this name.
    """
    return _GAMES[name]


def name_terms(name: str, terms: Decision) -> str | None:
    """Return the terms of a match in words; None where its game is not here, or has no such terms."""
    with suppress(KeyError, ValueError):
        game = find(name)
        return game.console.terms_of(game.read_terms(terms))
    return None
