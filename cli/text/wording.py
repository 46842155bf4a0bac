"""How templates become sentences: the one place that asks the catalogue of another language.

A template is a whole sentence, or a whole part of a list, with named gaps.  Nothing is put together from pieces of a
sentence, and what differs with a number has a template for one and a template for several.

Within a function a sentence is written ``_("...")``, ``fill("... {gap}", gap=...)`` or ``count("one", "several", n)``.
The sentences of a module's constants are translated whenever another module reads them (see :func:`speak`).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from cli import language


def _(sentence: str, /) -> str:
    """Return a sentence in the chosen language."""
    return language.translate(sentence)


def fill(template: str, /, **values: object) -> str:
    """Return a template in the chosen language with its gaps filled."""
    return language.translate(template).format(**values)


def count(one: str, several: str, number: int, /, **values: object) -> str:
    """Return the template for one or for several, with ``number`` and the other gaps filled."""
    return language.translate_count(one, several, number).format(number=number, **values)


class Speaking(ModuleType):
    """A module whose constants are read in the chosen language.

    A constant is made once, when its module is imported; the language can change later, in the menu.  So the English
    sentence is kept and looked up at each reading.  Within its own module a constant is English, and goes through
    :func:`_`, :func:`fill` or :func:`count` there.
    """

    def __getattribute__(self, name: str) -> Any:
        """Return what the module has under a name, sentences of constants translated."""
        value = super().__getattribute__(name)
        return _spoken(value) if name.isupper() and language.current() != language.ENGLISH else value


def speak(name: str) -> None:
    """Let the constants of a module be read in the chosen language.

    Args:
        name: of a module that is being imported.
    """
    sys.modules[name].__class__ = Speaking


def _spoken(value: Any) -> Any:
    if isinstance(value, str):
        return language.translate(value)
    if isinstance(value, tuple):
        return tuple(map(_spoken, value))
    if isinstance(value, Mapping):
        return {key: _spoken(said) for key, said in value.items()}
    return value
