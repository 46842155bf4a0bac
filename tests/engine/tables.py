"""The rules with another table of units: fresh modules that read it, beside those that everybody else has."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import ModuleType
from typing import Any, Final, TypeAlias

TABLE: Final = "storm_p2p.storm.units"
_FRESH: Final = ("storm_p2p", "cli", "helpers", "helpers_laws")
_AFTER_THE_TABLE: Final = "\nSTRENGTH: Final = "

Changes: TypeAlias = Mapping[int, Mapping[str, Any]]
"""By number of the unit, the traits that its row has instead."""


class _Loader(SourceFileLoader):
    """Loads the table and changes rows before anything is read from it."""

    def __init__(self, name: str, path: str, changes: Changes) -> None:
        super().__init__(name, path)
        self._changes = changes

    def get_code(self, fullname: str) -> Any:
        text = self.get_data(self.path).decode()
        assert text.count(_AFTER_THE_TABLE) == 1
        changed = text.replace(_AFTER_THE_TABLE, f"\nCARDS = _CHANGED(CARDS)\n{_AFTER_THE_TABLE}")
        return compile(changed, self.path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        changes = self._changes
        vars(module)["_CHANGED"] = lambda cards: tuple(replace(card, **changes.get(card.unit, {})) for card in cards)
        super().exec_module(module)


class _Finder:
    def __init__(self, path: str, changes: Changes) -> None:
        self._path, self._changes = path, changes

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != TABLE:
            return None
        loader = _Loader(name, self._path, self._changes)
        return spec_from_file_location(name, self._path, loader=loader)


def _is_fresh(name: str) -> bool:
    return name.partition(".")[0] in _FRESH


@contextmanager
def table_with(changes: Changes) -> Iterator[Callable[[str], Any]]:
    """Give fresh modules by their names, with which these rows are the table; the old ones are back afterwards."""
    path = importlib.import_module(TABLE).__file__
    assert path is not None
    kept = {name: module for name, module in sys.modules.items() if _is_fresh(name)}
    for name in kept:
        del sys.modules[name]
    finder: Any = _Finder(path, changes)
    sys.meta_path.insert(0, finder)
    try:
        yield importlib.import_module
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if _is_fresh(name)]:
            del sys.modules[name]
        sys.modules.update(kept)


ORDERED: Final = frozenset({"leads", "recalls", "bolts"})
"""Rights of a first and a second one: a second holder comes after the first."""
ONE_SIDE: Final = frozenset({"leads", "charms"})
"""Powers about which the rules ask one side (:func:`storm_p2p.storm.units.side_of`)."""


def second_holder(trait: str, rng: random.Random) -> tuple[int, dict[str, Any]]:
    """Return a unit that has not a trait in the table, and the trait as somebody has it there."""
    units: Any = importlib.import_module(TABLE)
    plain = units.Card(unit=units.Unit.HADES, name="", code="", faction=units.CHTHONIANS, strength=0, text="")
    none = getattr(plain, trait)
    holders = [card for card in units.CARDS if getattr(card, trait) != none]
    others = [card for card in units.CARDS if getattr(card, trait) == none]
    if trait in ONE_SIDE:
        others = [card for card in others if card.faction == holders[0].faction]
    value = max(getattr(card, trait) for card in holders) if trait in ORDERED else getattr(rng.choice(holders), trait)
    return int(rng.choice(others).unit), {trait: value}
