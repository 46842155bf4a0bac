"""The words of the menu."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.text.wording import count, speak

speak(__name__)

TITLE: Final = "Storm over Olympus"
WHAT: Final = (
    "Two players, hidden units, no server. The Chthonians want to carry Hades or Persephone to the Palace,",
    "the Olympians hunt both down. Every move shows its price in Honor and Energy before it is made.",
)
NAME: Final = "What shall others call you?"
NAME_ASKED: Final = "What shall others call you? Enter takes {name}; it is asked only once, and --name changes it."
NAME_AGAIN: Final = "Change it here at any time. It is shown to the other player."
PLAY: Final = "Play now against the computer"
PLAY_NOTE: Final = "all units set up at random"
OWN: Final = "Play with your own setup"
OWN_NOTE: Final = "side, variants, Challenge"
HOST: Final = "Host a match for a friend"
HOST_NOTE: Final = "prints an invite to send"
JOIN: Final = "Join a match"
JOIN_NOTE: Final = "asks for the invite"
CONTINUE: Final = "Continue a match"
LOOKING: Final = "..."
NOTHING: Final = "none yet"
REPLAY: Final = "Replay a match"
LEARN: Final = "Learn the rules"
LEARN_NOTE: Final = "ten short boards"
NAME_ITEM: Final = "Your name"
SIGNS: Final = "Finer signs (Unicode)"
MOUSE: Final = "Mouse"
NOTICE: Final = "Call me when it is my turn"
NOTICES: Final[Mapping[str, str]] = {
    "auto": "as this terminal can",
    "bell": "bell",
    "osc9": "message (OSC 9)",
    "osc777": "message (OSC 777)",
    "command": "your command",
}
"""How one is called; anything else is off."""
LANGUAGE: Final = "Language / Sprache"
ON: Final = "on"
OFF: Final = "off"
QUIT: Final = "Quit"

OPTIONS: Final = "How do you want to play?"
HOST_OPTIONS: Final = "The terms that your friend will be asked to accept"
SIDE: Final = "Your side"
SIDES: Final = ("by lot", "Chthonians", "Olympians")
SETUP: Final = "Setup"
SETUPS: Final = ("your own", "at random")
COMBAT: Final = "Combat"
COMBATS: Final = ("both choose in secret", "open: the defender sees the choice")
CHALLENGE: Final = "Challenge: Honor added for the Chthonians"
START: Final = "Start"
WHICH_MATCH: Final = "Which match?"
WHICH_LOG: Final = "Which log?"

HINT: Final = "up/down choose   enter take it   q quit"
HINT_OPTIONS: Final = "up/down choose   left/right change   enter start   esc back"
HINT_PICK: Final = "up/down choose   enter take it   esc back"
HINT_NAME: Final = "type a name   enter takes the one shown"
AGAIN: Final = "Press Enter for the menu. "
UNWRITABLE: Final = "Your choices cannot be kept: {why}."


def unfinished(number: int) -> str:
    """Return how many matches can be continued."""
    return count("{number} unfinished", "{number} unfinished", number)


def finished(number: int) -> str:
    """Return how many logs can be replayed."""
    return count("{number} log", "{number} logs", number)
