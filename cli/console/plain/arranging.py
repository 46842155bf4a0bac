"""The dialogue of the setup: commands change the placing, and the last of them seals it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from cli.console.input.grammar import Arrange, Keep, SubmitMode
from cli.storm import placing
from cli.storm import setups as kept_setups
from cli.storm.placing import Placing
from cli.storm.text import setup_screen, setups
from cli.text import usage
from cli.text.wording import fill
from storm_p2p.storm.units import Unit

Ask = Callable[[Iterable[str], Callable[[], object]], None]
"""Asks for a confirmation, and what to do after a yes."""


class Arranging:
    """One setup while it is made."""

    def __init__(self, begun: Placing, dice: random.Random, folder: Path | None = None) -> None:
        """Go on with a setup.

        Args:
            begun: what is placed already.
            dice: for a random setup.
            folder: where setups are kept; nowhere when left out.
        """
        self.placing = begun
        self._folder = folder
        self.sealed: asyncio.Future[tuple[Unit, ...]] = asyncio.get_running_loop().create_future()
        self._dice = dice

    def introduction(self) -> list[str]:
        """Return how a setup begins."""
        known = self._known()
        named = [fill(setup_screen.KEPT, names=" ".join(known))] if known else []
        return [*self.lines(), setups.first(self.placing.faction), *named]

    def _known(self) -> Mapping[str, Placing]:
        return {} if self._folder is None else kept_setups.load(self._folder)[self.placing.faction]

    def lines(self) -> list[str]:
        """Return the setup so far."""
        return [placing.told(self.placing)]

    def obey(self, command: Arrange, ask: Ask) -> list[str]:
        """Do what a command says and return what is shown then; ``ask`` is called before the sealing."""
        try:
            if command.what == "seal":
                return self._seal(command.mode, ask)
            before = self.placing
            self.placing = placing.change(before, command.what, command.units, command.region, self._dice)
        except ValueError as refused:
            return [str(refused)]
        return [*self.lines(), *placing.moved_away(before, self.placing, command.units)]

    def keep(self, command: Keep) -> list[str]:
        """Keep the setup so far under a name, or take one that was kept; return what is shown then."""
        name = kept_setups.name_of(command.name)
        if command.what == "save":
            if not name or not self.placing.places:
                return [setup_screen.SAVE_EXPECTED]
            return self._write(name) or [fill(setup_screen.SAVED, name=name)]
        known = self._known()
        if name not in known:
            return [fill(setup_screen.LOAD_EXPECTED, names=", ".join(known) or setup_screen.NONE_KEPT)]
        self.placing = known[name]
        return [fill(setup_screen.LOADED, name=name), *self.lines()]

    def _write(self, name: str) -> list[str]:
        """Write the setup down; return why it cannot be, or nothing."""
        if self._folder is not None:
            try:
                kept_setups.save(self._folder, name, self.placing)
            except OSError as error:
                return [fill(setup_screen.UNKEPT, why=usage.reason(error))]
        return []

    def _seal(self, mode: SubmitMode, ask: Ask) -> list[str]:
        units = placing.finish(self.placing)

        def send() -> None:
            if not self.sealed.done():
                # What cannot be kept is no reason not to play.
                self._write(setup_screen.LAST)
                self.sealed.set_result(units)

        if mode == SubmitMode.ACCEPT:
            send()
        else:
            ask([setups.LAST_WORD], send)
        return []
