"""The words of the menu."""

from typing import Final

from cli.text.wording import Sentence, _, count, fill, lazy

TITLE: Final = lazy("Storm over Olympus")
WHAT: Final = lazy(
    (
        "Two games for two players, and no server.",
        "Storm over Olympus: hidden units, and Hades or Persephone on the way to the Palace.",
        "Fight for Olympus: a card duel; nobody knows the order of the pile.",
    )
)
NAME: Final = lazy("What is your name?")
NAME_ASKED: Final = lazy("What is your name? Enter takes {name}; you are asked only once, and --name changes it.")
NAME_AGAIN: Final = lazy("You can change it here at any time. The other player sees it.")
LOOKING: Final = "..."
NOTHING: Final = lazy("none yet")

ITEMS: Final = lazy(
    {
        "play": "Play now against the computer",
        "own": "Play on your own terms",
        "host": "Host a match for a friend",
        "join": "Join a match",
        "continue": "Continue a match",
        "learn": "Learn the rules",
        "boards": "Short lessons to play",
        "guided": "A first match with a guide",
        "history": "All matches",
        "people": "People",
        "events": "Tournaments",
        "tools": "Tools",
        "settings": "Settings",
        "quit": "Quit",
        "game": "Game",
        "level": "Computer player",
        "cards": "Cards",
        "side": "Your side",
        "setup": "Setup",
        "combat": "Combat",
        "challenge": "Challenge: Honor added for the Chthonians",
        "clock": "Clock",
        "aids": "Hints from the computer",
        "near": "How your friend finds you",
        "start": "Start",
        "invite": "With an invite",
        "nearby": "On this network",
        "swap": "The host cannot be reached",
        "replay": "Replay a log",
        "analyse": "Analyse a log",
        "check": "Check a log",
        "export": "Write the log of an unfinished match",
        "doctor": "Can others reach me?",
        "witness": "Be a witness for others",
        "key": "Your key",
        "command": "Type a command",
        "show": "Show it",
        "copy": "Copy it to a file",
        "take": "Take one from a file",
        "lock": "Lock it with a passphrase",
        "name": "Your name",
        "signs": "Fine lines and tints",
        "mouse": "Mouse",
        "notice": "Call me when it is my turn",
        "thinking": "Thinking time for a hint",
        "language": "Language / Sprache",
        "met": "Matches against this player",
        "trust": "Trust the key that was refused",
        "forget": "Forget this player",
        "todo": "What to do now",
        "hostgame": "Host my next game",
        "joingame": "Join my next game",
        "table": "The standings",
        "ready": "I am ready for my game",
        "claim": "My opponent did not show up",
        "answer": "Answer a claim",
        "logs": "Put my logs into the folder",
        "enter": "Take part",
        "close": "Organiser: close the entries",
        "round": "Organiser: start, or publish the next round",
        "rule": "Arbiter: rule on a game or a player",
    }
)
"""The items of all pages."""
NOTES: Final = lazy(
    {
        "own": "game, level, side, variants",
        "host": "prints an invite to send",
        "join": "asks for the invite",
        "learn": "lessons, a first match",
        "guided": "against a beginner",
        "tools": "replay, check, reach, key",
        "settings": "name, language, notices",
        "invite": "asks for the line",
        "nearby": "asks for four words",
        "swap": "prints a line for them",
        "replay": "step by step",
        "analyse": "which moves cost most?",
        "check": "was every move legal?",
        "doctor": "tries every way",
        "witness": "until you stop it",
        "key": "show, copy, lock",
        "command": "anything else",
        "show": "others know you by it",
        "copy": "for another machine",
        "take": "yours here is kept",
        "lock": "an empty one unlocks it",
    }
)
"""What stands behind items that have nothing else to tell."""
PLAY_NOTE: Final = lazy("{level}, random setup")

OTHER_FILE: Final = lazy("Another file")
ENTER_EVENT: Final = lazy("Take part in a tournament")
OTHER_EVENT: Final = lazy("Look at another tournament")
ANNOUNCE: Final = lazy("Announce a tournament")
ASKED: Final = lazy(
    {
        "command": "Which command?",
        "announce": "Which tournament?",
        "rule": "Which ruling?",
        "log": "Which file?",
        "folder": "Which folder are its files in?",
        "copy": "To which file?",
        "take": "From which file?",
        "cards": "Which set of cards?",
        "answer": "What happened?",
    }
)
HELP: Final = lazy(
    {
        "command": "--help lists all commands, and play --help the options of one.",
        "announce": "Add a folder and a name, such as: event new cup --name 'Winter Cup'. event new --help lists more.",
        "cards": "Type the path of your set of cards. An empty line goes back to the cards that come with the program.",
        "rule": "Type your ruling and the game or player, such as: forfeit 2.1.1 Bob. event rule --help lists more.",
        "answer": "Your opponent says you did not show up. Answer in up to 500 characters.",
    }
)
"""What helps with an answer; anything else is a path."""
PATH_HELP: Final = lazy("Type the whole path, or one that begins in the folder where you started the program.")
QUOTES: Final = lazy("One quotation mark is missing; add it, or leave both out.")

sure = Sentence[str]("Press Enter again to forget {name}: the next player with that name counts as new.")
output = Sentence[str]("What storm-p2p {command} says:")
NOTICES: Final = lazy(
    {
        "auto": "automatic",
        "bell": "bell",
        "osc9": "message (OSC 9)",
        "osc777": "message (OSC 777)",
        "command": "your command",
    }
)
"""How one is called; anything else is off."""
ON: Final = lazy("on")
OFF: Final = lazy("off")

SIDES: Final = lazy({"": "by lot", "chthonians": "Chthonians", "olympians": "Olympians"})
OTHER_CARDS: Final = lazy('Choose other cards under "Play on your own terms".')
USUAL_CARDS: Final = lazy("built-in")
SETUPS: Final = lazy(("your own", "at random"))
COMBATS: Final = lazy(("both choose in secret", "open: the defender sees the choice"))
CLOCKS: Final = lazy(
    {
        "": "none",
        "10m+5s": "10 minutes each, 5 seconds a move",
        "20m+10s": "20 minutes each, 10 seconds a move",
        "1h": "1 hour each",
        "3d": "3 days a move",
    }
)
AIDS: Final = lazy(("not allowed", "allowed for both"))
NEAR: Final = lazy(("with an invite", "with four words, on this network"))

ABOUT: Final = lazy(
    {
        "play": "How do you want to play? Your choices are kept for next time.",
        "levels": "Which computer player? The weakest comes first.",
        "host": "The terms that your friend will be asked to accept",
        "join": "How do you want to find the host?",
        "learn": "New to the game? The rules in five minutes, then a match with a guide",
        "tools": "Everything around a match",
        "key": "Your key is your identity: anyone who has it can sign as you.",
        "settings": "These choices are kept.",
        "matches": "Which match?",
        "export": "Which match? Its log shows what has been played so far.",
        "logs": "Which log?",
        "analyse": "Which log?",
        "check": "Which log?",
        "people": "Who? Each name belongs to a key, so nobody else can use it.",
        "events": "Which tournament?",
        "tournament": "The tournament in {picked}",
    }
)
"""What a page is about."""
CHECKING: Final = lazy("The logs are being checked; each is checked only once.")
FILTER: Final = lazy("Type to filter: a name, a side, a result, a variant.")
FILTERED: Final = lazy("Filter: {typed}")

HINT: Final = lazy("up/down choose   enter select   q quit")
HINT_TERMS: Final = lazy("up/down choose   left/right change   enter start   esc back")
HINT_PICK: Final = lazy("up/down choose   enter select   esc back")
HINT_HISTORY: Final = lazy("up/down choose   enter replay or continue   type to filter   esc back")
HINT_NAME: Final = lazy("type a name   enter takes the one shown")
HINT_LINE: Final = lazy("type it   enter continue   esc back")
HINT_OUTPUT: Final = lazy("up/down scroll   enter back")
HINT_RUNNING: Final = lazy("up/down scroll   esc stop and back")
AGAIN: Final = lazy("Press Enter for the menu. ")
UNWRITABLE: Final = lazy("Your choices cannot be saved: {why}.")
_PART: Final = lazy("{first} to {last} of {count}")


def part(first: int, last: int, number: int) -> str:
    """Return which rows of a list are shown."""
    return fill(_PART, first=first, last=last, count=number)


def seconds(number: int) -> str:
    """Return how long the computer thinks."""
    return count("{number} second", "{number} seconds", number)


def ended(code: int) -> str:
    """Return how a command ended that has said nothing."""
    return _("Done.") if not code else fill("It ended with exit code {code}.", code=code)


def unfinished(number: int) -> str:
    """Return how many matches can be continued."""
    return count("{number} unfinished", "{number} unfinished", number)


def matches(number: int) -> str:
    """Return how many matches are listed."""
    return count("{number} match", "{number} matches", number)


def players(number: int) -> str:
    """Return how many people the address book has."""
    return count("{number} player", "{number} players", number)


unread = Sentence[str]("The match {file} cannot be read: why?")


def unlisted(number: int) -> str:
    """Return how many files count for no match; picking it shows the reasons."""
    return count("{number} file is not listed: why?", "{number} files are not listed: why?", number)


def tournaments(rows: int) -> str:
    """Return how many tournaments are known."""
    return count("{number} tournament", "{number} tournaments", rows)
