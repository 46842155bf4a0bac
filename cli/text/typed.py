"""What is wrong with a typed line: one sentence for what was expected, and what to type instead."""

from collections.abc import Sequence
from typing import Final

from cli.text import names
from cli.text.names import quoted
from cli.text.wording import fill, lazy

NOTHING_ASKED: Final = lazy("No question is open now. Type help for what you can do.")
NOTHING_SAID: Final = lazy("Expected words to send, as in: say good luck.")
LANGUAGE: Final = lazy("Expected a language: lang en or lang de.")
CONFIRM: Final = lazy(
    "Expected confirm always (before every action) or confirm costs (before what costs or shows something)."
)
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
    commands = names.listed([quoted(one) for one in near], "or")
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


