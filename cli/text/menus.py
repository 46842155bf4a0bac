"""The words of the menu."""

from typing import Final

from cli.text.sentences import Sentence
from cli.text.wording import count, lazy

TITLE: Final = lazy("Storm over Olympus")
WHAT: Final = lazy((
    "Two players, hidden units, no server. The Chthonians want to bring Hades or Persephone to the Palace,",
    "the Olympians hunt both down. You see every move's price in Honor and Energy before you make it.",
))  # fmt: skip
NAME: Final = lazy("What is your name?")
NAME_ASKED: Final = lazy("What is your name? Enter takes {name}; you are asked only once, and --name changes it.")
NAME_AGAIN: Final = lazy("You can change it here at any time. The other player sees it.")
PLAY: Final = lazy("Play now against the computer")
PLAY_NOTE: Final = lazy("all units set up at random")
OWN: Final = lazy("Play with your own setup")
OWN_NOTE: Final = lazy("side, variants, Challenge")
HOST: Final = lazy("Host a match for a friend")
HOST_NOTE: Final = lazy("prints an invite to send")
JOIN: Final = lazy("Join a match")
JOIN_NOTE: Final = lazy("asks for the invite")
CONTINUE: Final = lazy("Continue a match")
LOOKING: Final = "..."
NOTHING: Final = lazy("none yet")
REPLAY: Final = lazy("Replay a match")
EVENTS: Final = lazy("Tournaments")
status = Sentence[str, str]("{name}: what to do now ({folder})")
next_game = Sentence[str]("{name}: host my next game")
LEARN: Final = lazy("Learn the rules")
LEARN_NOTE: Final = lazy("ten short boards")
NAME_ITEM: Final = lazy("Your name")
SIGNS: Final = lazy("Fine lines and tints")
MOUSE: Final = lazy("Mouse")
NOTICE: Final = lazy("Call me when it is my turn")
NOTICES: Final = lazy({
    "auto": "automatic",
    "bell": "bell",
    "osc9": "message (OSC 9)",
    "osc777": "message (OSC 777)",
    "command": "your command",
})  # fmt: skip
"""How one is called; anything else is off."""
LANGUAGE: Final = lazy("Language / Sprache")
ON: Final = lazy("on")
OFF: Final = lazy("off")
QUIT: Final = lazy("Quit")

OPTIONS: Final = lazy("How do you want to play?")
HOST_OPTIONS: Final = lazy("The terms that your friend will be asked to accept")
SIDE: Final = lazy("Your side")
SIDES: Final = lazy(("by lot", "Chthonians", "Olympians"))
SETUP: Final = lazy("Setup")
SETUPS: Final = lazy(("your own", "at random"))
COMBAT: Final = lazy("Combat")
COMBATS: Final = lazy(("both choose in secret", "open: the defender sees the choice"))
CHALLENGE: Final = lazy("Challenge: Honor added for the Chthonians")
START: Final = lazy("Start")
WHICH_MATCH: Final = lazy("Which match?")
WHICH_LOG: Final = lazy("Which log?")
WHICH_EVENT: Final = lazy("Which tournament?")

HINT: Final = lazy("up/down choose   enter select   q quit")
HINT_OPTIONS: Final = lazy("up/down choose   left/right change   enter start   esc back")
HINT_PICK: Final = lazy("up/down choose   enter select   esc back")
HINT_NAME: Final = lazy("type a name   enter takes the one shown")
AGAIN: Final = lazy("Press Enter for the menu. ")
UNWRITABLE: Final = lazy("Your choices cannot be saved: {why}.")


def unfinished(number: int) -> str:
    """Return how many matches can be continued."""
    return count("{number} unfinished", "{number} unfinished", number)


def finished(number: int) -> str:
    """Return how many logs can be replayed."""
    return count("{number} log", "{number} logs", number)


def tournaments(rows: int) -> str:
    """Return how many tournaments are known; each has two rows."""
    return count("{number} tournament", "{number} tournaments", rows // 2)
