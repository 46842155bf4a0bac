"""Games: their rules, pure, on partial knowledge, deterministic.

Standard library only, and of that nothing that knows a clock, chance, a file or a network.  A game is a folder;
:mod:`storm_p2p.games` finds it by name and version.  ``engine``, ``notation`` and ``views`` of *Storm over Olympus* can
be imported from here.
"""

import importlib
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """Return a module of Storm over Olympus, imported when it is first asked for."""
    if name in ("engine", "notation", "views"):
        return importlib.import_module(f"storm_p2p.storm.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
