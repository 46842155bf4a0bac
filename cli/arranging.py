"""The dialogue of the setup: commands change the placing, and the last of them seals it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable

from cli import board_text, placing
from cli.grammar import Arrange, Manner
from cli.placing import Placing
from cli.text import setups
from storm_p2p.state import Terms
from storm_p2p.units import Unit

Ask = Callable[[Iterable[str], Callable[[], object]], None]
"""Asks for a confirmation, and what to do after a yes."""


class Arranging:
    """One setup while it is made."""

    def __init__(self, begun: Placing, terms: Terms, dice: random.Random, *, plain: bool) -> None:
        self.placing = begun
        self.sealed: asyncio.Future[tuple[Unit, ...]] = asyncio.get_running_loop().create_future()
        self._terms = terms
        self._dice = dice
        self._plain = plain

    def introduction(self) -> list[str]:
        """Return how a setup begins, with the empty board."""
        return [*self.lines(), setups.first(self.placing.faction)]

    def lines(self) -> list[str]:
        """Return the setup so far."""
        if self._plain:
            return [placing.told(self.placing)]
        drawn = board_text.draw(placing.as_state(self.placing, self._terms), self.placing.faction)
        return [*drawn, *placing.lines(self.placing)]

    def obey(self, command: Arrange, ask: Ask) -> list[str]:
        """Do what a command says and return what is shown then; ``ask`` is called before the sealing."""
        try:
            if command.what == "seal":
                return self._seal(command.manner, ask)
            before = self.placing
            self.placing = placing.change(before, command.what, command.units, command.region, self._dice)
        except ValueError as refused:
            return [str(refused)]
        return [*self.lines(), *placing.moved_away(before, self.placing, command.units)]

    def _seal(self, manner: Manner, ask: Ask) -> list[str]:
        units = placing.finish(self.placing)

        def send() -> None:
            if not self.sealed.done():
                self.sealed.set_result(units)

        if manner == Manner.ACCEPT:
            send()
        else:
            ask([setups.LAST_WORD], send)
        return []
