"""How templates become sentences: the one place that asks the catalogue of another language.

A template is a whole sentence, or a whole part of a list, with named gaps.  Nothing is put together from pieces of a
sentence, and what differs with a number has a template for one and a template for several.

A sentence that is said now is written ``_("...")``, ``fill("... {gap}", gap=...)`` or ``count("one", "several", n)``.
One that is kept, in a constant or under a name, is written ``lazy("...")``; whoever shows it writes ``str(...)`` or
fills it.  ``tests/catalogue.py`` finds both, and the type checker where ``str`` was forgotten.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar, overload

from cli import language

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Lazy:
    """A sentence, or a template of one, whose ``str`` is what it says in the language of the moment."""

    english: str

    def __str__(self) -> str:
        """Return the sentence in the chosen language."""
        return language.translate(self.english)

    def __format__(self, spec: str) -> str:
        """Return the sentence in the chosen language as a gap of another one takes it."""
        return format(str(self), spec)


@overload
def lazy(english: str, /) -> Lazy: ...
@overload
def lazy(english: tuple[str, ...], /) -> tuple[Lazy, ...]: ...
@overload
def lazy(english: Mapping[K, str], /) -> Mapping[K, Lazy]: ...
def lazy(english: str | tuple[str, ...] | Mapping[K, str], /) -> Lazy | tuple[Lazy, ...] | Mapping[K, Lazy]:
    """Mark sentences that are translated when they are read: a constant is made once, and the language can change."""
    if isinstance(english, str):
        return Lazy(english)
    if isinstance(english, tuple):
        return tuple(map(Lazy, english))
    return {key: Lazy(said) for key, said in english.items()}


def _(sentence: str, /) -> str:
    """Return a sentence in the chosen language."""
    return language.translate(sentence)


def fill(template: str | Lazy, /, **values: object) -> str:
    """Return a template in the chosen language with its gaps filled."""
    return language.translate(template.english if isinstance(template, Lazy) else template).format(**values)


def count(one: str, several: str, number: int, /, **values: object) -> str:
    """Return the template for one or for several, with ``number`` and the other gaps filled."""
    return language.translate_count(one, several, number).format(number=number, **values)
