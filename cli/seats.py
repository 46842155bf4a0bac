"""Who shall sit at a seat, from what ``--player`` says."""

from __future__ import annotations

import secrets
from pathlib import Path

from cli.console import say
from cli.players import Player
from storm_p2p.bot import BOTS


class UnknownPlayer(ValueError):
    """The words name no player; the message says what was expected."""


def make(who: str, name: str | None, *, plain: bool, folder: Path) -> Player:
    """Return the player for ``human``, ``bot:NAME`` or ``exec:COMMAND``.

    Raises:
        UnknownPlayer: it is none of these.
    """
    if who == "human":
        from cli.human import HumanPlayer

        return HumanPlayer(name or "player", plain=plain)
    kind, _, rest = who.partition(":")
    if kind == "bot" and rest in BOTS:
        from cli.robot import RobotPlayer

        return RobotPlayer(name or rest, BOTS[rest], secrets.randbits(64))
    if kind == "exec" and rest.strip():
        from cli.program import ProgramPlayer

        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            return ProgramPlayer(
                rest, errors=folder / "program-errors.txt", report=say, seed=secrets.randbits(64), name=name
            )
        except ValueError as error:
            raise UnknownPlayer(str(error)) from None
    bots = ", ".join(f"bot:{bot}" for bot in BOTS)
    raise UnknownPlayer(f"expected human, {bots} or exec:COMMAND as a player, got {who[:60]!r}")
