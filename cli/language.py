"""The language of everything a person reads: which one is chosen, and its catalogue (docs/console.md, "Languages").

English is the language of the source; a sentence without a translation stays English.  What programs read (actions,
``--json``, logs, the wire) does not depend on it.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from gettext import NullTranslations

P = ParamSpec("P")
T = TypeVar("T")

ENGLISH: Final = "en"
GERMAN: Final = "de"
LANGUAGES: Final = (ENGLISH, GERMAN)
NAMES: Final = {ENGLISH: "English", GERMAN: "Deutsch"}
"""What each is called by those who speak it."""
DOMAIN: Final = "storm_p2p"
FOLDER: Final = os.path.join(os.path.dirname(__file__), "locale")

_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_OF_THE_SOURCE: Final = frozenset({ENGLISH, "C", "POSIX"})


class _Chosen:
    language = ENGLISH
    catalogue: NullTranslations | None = None
    """None for English, which needs none."""


def current() -> str:
    """Return the chosen language."""
    return _Chosen.language


def choose(language: str) -> None:
    """Choose a language; one that is not known, or whose catalogue is missing or damaged, is English."""
    _Chosen.language, _Chosen.catalogue = ENGLISH, None
    if language == ENGLISH or language not in LANGUAGES:
        return
    import gettext

    try:
        _Chosen.catalogue = gettext.translation(DOMAIN, FOLDER, [language])
    except (OSError, ValueError):
        return
    _Chosen.language = language


def from_environment(environment: Mapping[str, str]) -> str:
    """Return the language that the locale's variables ask for, as gettext reads them; English otherwise."""
    said = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    for locale in said.split(":"):
        word = locale.partition(".")[0].partition("@")[0].partition("_")[0]
        if word in _OF_THE_SOURCE:
            return ENGLISH
        if word in LANGUAGES:
            return word
    return ENGLISH


def translate(sentence: str) -> str:
    """Return a sentence, or a template of one, in the chosen language."""
    # The empty message is the head of the catalogue.
    return _Chosen.catalogue.gettext(sentence) if sentence and _Chosen.catalogue is not None else sentence


def translate_count(one: str, several: str, number: int) -> str:
    """Return the form of a sentence that the chosen language has for a number."""
    if _Chosen.catalogue is None:
        return one if number == 1 else several
    return _Chosen.catalogue.ngettext(one, several, number)


class Cached(Generic[P, T]):
    """A function that keeps what it has returned in each language; like :func:`functools.lru_cache`."""

    def __init__(self, function: Callable[P, T], maxsize: int) -> None:
        @lru_cache(maxsize=maxsize)
        def kept(language: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return function(*args, **kwargs)

        self._kept = kept
        self.cache_clear = kept.cache_clear
        """Forget everything."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what the function returns."""
        return self._kept(current(), *args, **kwargs)  # type: ignore[arg-type]


def cached(maxsize: int) -> Callable[[Callable[P, T]], Cached[P, T]]:
    """Return a decorator for a pure function whose result depends on the language, too."""
    return lambda function: Cached(function, maxsize)
