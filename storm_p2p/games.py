"""The games that are here, by the name and the version of their rules (SPEC.md, "The version of the rules").

Two versions of one game may stand side by side: a match is begun by the newest, and a log is checked and shown by the
one that it names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from protocol.game import Game

STORM: Final = "storm-over-olympus"
FIGHT: Final = "fight-for-olympus"


def _storm() -> Game[Any]:
    # Rules are loaded when somebody asks for them, and old ones only for an old log.
    from storm_p2p.storm.game import Storm

    return Storm()


def _fight() -> Game[Any]:
    from storm_p2p.fight.game import Fight

    return Fight()


GAMES: Final[dict[str, tuple[Callable[[], Game[Any]], ...]]] = {STORM: (_storm,), FIGHT: (_fight,)}
"""What makes each version of a game, the newest first."""

NUMBERS: Final = {name: number for number, name in enumerate(GAMES)}
"""The number of each game in an invite; it never changes."""

NEWEST: Final = {
    STORM: "2-45ddc7eece24e4bf6d80bd7d43f248095c694240877a26f23873651332c9ae5d",
    FIGHT: "1-6f85b7984b1bc13bd75ec9b06ad1654c4147bf2f1e29035baa943049401aa390",
}
"""The version of the newest rules of each game, for who only names it: the rules work it out when they are loaded.

``tests/fingerprint.py`` writes it, and a test compares.
"""


def find(name: str, version: str) -> Game[Any]:
    """Return the game of a name with a version of its rules.

    Raises:
        MissingRules: no game has this name, or none of this name this version.
    """
    here: list[str] = []
    for make in GAMES.get(name, ()):
        game = make()
        if game.version == version:
            return game
        here.append(game.version)
    # Who only plays never needs it.
    from protocol.game import MissingRules

    raise MissingRules(name, version, tuple(here))


def find_newest(name: str = STORM) -> Game[Any]:
    """Return a game by the rules with which a new match is begun.

    Raises:
        KeyError: no game has this name.
    """
    return GAMES[name][0]()
