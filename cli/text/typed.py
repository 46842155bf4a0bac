"""What is wrong with a typed line: one sentence for what was expected, and what to type instead."""

from collections.abc import Mapping, Sequence
from typing import Final

from cli.text import wording
from cli.text.wording import Lazy, fill, lazy, quoted

NOTHING_ASKED: Final = lazy("No question is open now. Type help for what you can do.")
NOTHING_SAID: Final = lazy("Expected words to send, as in: say good luck.")
LANGUAGE: Final = lazy("Expected a language: lang en or lang de.")
CONFIRM: Final = lazy(
    "Expected confirm always (before every action) or confirm costs (before what costs or shows something)."
)
TAKEBACK: Final = lazy(
    "What is sent is signed and cannot be taken back. Until then you can change anything: an empty answer sends "
    "nothing."
)
_ELSEWHERE: Final[Mapping[str, Lazy]] = {
    "takeback": TAKEBACK,
    "rules": lazy(
        "help says what you can do now, table says what everything costs and earns, and units shows all units. All "
        "the rules are in docs/rules.md."
    ),
    "settings": lazy(
        "The settings are in the menu: run storm-p2p without a command. During a match you can type unicode, mouse, "
        "lang or confirm."
    ),
    "new": lazy("Finish this match first: resign gives up, draw offers a draw, and bye leaves and keeps it."),
    "flag": lazy(
        "Nothing happens by itself when time runs out: clocks shows both clocks, and claim claims the match once the "
        "other player's time is up."
    ),
    "version": lazy("storm-p2p --version says which program and which rules these are."),
    "q": lazy("To leave the match, type bye; it is saved. A single letter never does it."),
}
_ALIKE: Final[Mapping[str, str]] = {
    other: word
    for word, others in {
        "takeback": ("back", "redo", "revert", "zurueck", "ruecknahme"),
        "rules": ("regeln", "rule", "manual", "howto", "anleitung"),
        "settings": ("setting", "config", "preferences", "einstellungen"),
        "new": ("restart", "start", "newgame", "abort", "neustart", "abbrechen"),
        "flag": ("timeout", "time", "zeit", "fahne"),
        "q": ("x", "logout", "disconnect"),
    }.items()
    for other in others
}
"""Words of neighbouring programs, folded; those of one row have one answer."""


def elsewhere(word: str) -> str | None:
    """Return the answer to a word that means something in a neighbouring program; None for another word."""
    answer = _ELSEWHERE.get(_ALIKE.get(word, word))
    return None if answer is None else str(answer)


def step(got: str, count: int) -> str:
    """Return that a number is no step of the match so far."""
    return fill("Expected a step from 1 to {count}, got {got}.", count=count, got=quoted(got))


def alone(verb: str, got: str) -> str:
    """Return that a word stands alone."""
    return fill("Expected the word {verb} alone, got {got}.", verb=verb, got=quoted(got))


def unknown(word: str, near: str | None) -> str:
    """Return that a word is no command, with the nearest one that is."""
    if near is None:
        return fill("Expected a command, got {word}. Type help for the commands.", word=quoted(word))
    sentence = lazy("Expected a command, got {word}. Did you mean {near}? Type help for the commands.")
    return fill(sentence, word=quoted(word), near=quoted(near))


def which_word(word: str, near: Sequence[str]) -> str:
    """Return that a beginning fits several commands."""
    commands = wording.listed([quoted(one) for one in near], "or")
    return fill("Expected one command, but {word} can mean {commands}.", word=quoted(word), commands=commands)


def of_setup(word: str) -> str:
    """Return that a word belongs to the setup."""
    return fill("Not possible: {word} belongs to the setup.", word=quoted(word))


def of_full_screen(word: str, full: str) -> str:
    """Return that a word belongs to the full screen, and the word that goes there."""
    return fill("{word} only works on the full screen. Type {full} to go there.", word=quoted(word), full=full)


def lines(word: str) -> str:
    """Return that a word is no number of lines."""
    return fill("Expected a number of lines, got {word}, as in: log 20.", word=quoted(word))


def only_in_a_match(typed: str) -> str:
    """Return what is said to a line in a lesson that a match would understand."""
    return fill("{typed} works only in a match. Here, type what the lesson asks for.", typed=quoted(typed))
