"""The words of the console: titles, hints, what is asked, the keys, and what is wrong with a typed line."""

from collections.abc import Iterable, Mapping
from typing import Final

from cli.text.wording import Lazy, Sentence, fill, lazy, listed, quoted

PROGRAM: Final = lazy("Storm P2P")
WATCHED: Final = lazy("watched")
MATCH: Final = lazy("match {number}")
TURN: Final = lazy("turn {number}")
YOU: Final = lazy("YOU")
GUIDED: Final[Mapping[bool, Lazy]] = lazy(
    {
        True: "The guide is on and tells you what matters; guide turns it off.",
        False: "The guide is off; guide turns it on again.",
    }
)
PASTED_LINES: Final = {True: "\u23ce", False: " | "}
"""Between lines that were pasted together, where the terminal draws finer signs and elsewhere."""
NO_GUIDE: Final = lazy("There is no guide in a match against another person.")
GUIDE: Final = lazy("what matters, and what to do (guide turns it off)")
TO_COMPARE: Final = lazy("compare: {words} (type same)")
COMPARED: Final = lazy("Compared: nobody can listen in, and nobody sits between you.")
DIFFER_ASK: Final = lazy(
    "Do the words really differ? Then somebody may be listening in, and the match should end. Type yes to end it; "
    "if the words are the same after all, type no and then same."
)
NO_WORDS: Final = lazy("There are no words to compare in this match: it stays on this machine.")
SAFE_WORDS: Final = lazy("safe words: {words}")
NOBODY: Final = lazy("none")

LOG: Final = lazy("log (F5 all)")
PREVIEW: Final = lazy("what it costs")
ANSWER: Final = lazy("answer")
ASKED: Final = lazy("question")
COMING: Final = lazy("what to do")
YOUR_ANSWER: Final = lazy("YOUR ANSWER")
WAITING: Final = lazy("waiting for {name}")
SEALED_WAITING: Final = lazy("sealed, waiting for {name}")
OVER: Final = lazy("THE END")
LINE_DOWN: Final = lazy("RECONNECTING")
TIME_SHORT: Final = lazy("YOUR TIME {time}")
UNREAD: Final = lazy("chat: {count} new")
ANSWERS: Final = lazy("Answers: {answers}")
WAIT_HINT: Final = lazy("You can look around, or talk: /hello. The program tells you when it is your turn.")
BEGINNING: Final = lazy("The match begins; the other side is still setting up.")
SENDING: Final = lazy("Sent. Waiting for {name}.")
NOT_DONE: Final = lazy('Nothing was done with "{line}"; Up brings it back.')

DEEDS: Final[Mapping[str, Mapping[str, Lazy]]] = {
    "send": lazy(
        {
            "ask": "send? [y/N] ",
            "open": "y and enter: it is sent   enter or esc: no, nothing is sent",
            "agreed": "enter sends it",
            "escapes": "esc: no, nothing is sent",
            "declined": "enter: no, nothing is sent",
            "refused": "enter or esc: no, nothing is sent",
            "refusal": "Nothing sent.",
        }
    ),
    "seal": lazy(
        {
            "ask": "seal? [y/N] ",
            "open": "y and enter: it is sealed   enter or esc: no, nothing is sealed",
            "agreed": "enter seals it",
            "escapes": "esc: no, nothing is sealed",
            "declined": "enter: no, nothing is sealed",
            "refused": "enter or esc: no, nothing is sealed",
            "refusal": "Nothing sealed; you can still change your setup.",
        }
    ),
    "leave": lazy(
        {
            "ask": "leave? [y/N] ",
            "open": "y and enter: you leave   enter or esc: no, you stay",
            "agreed": "enter leaves the match",
            "escapes": "esc: no, you stay",
            "declined": "enter: no, you stay",
            "refused": "enter or esc: no, you stay",
            "refusal": "You stay in the match.",
        }
    ),
}
"""By what a yes does: what is asked; the hint while nothing is typed (open), a yes, what Escape does beside it, what
Enter does with something else on a page that lies over the question (declined), something else; what follows a no."""
BACK_TO_QUESTION: Final = lazy("esc: back to the question")
ASK_YES: Final = lazy('type "yes" > ')
PROMPT: Final = "> "
PROMPT_CHAT: Final = lazy("say> ")
NEWS: Final = lazy("Enter goes on. ")
THE_END: Final = lazy("The match is over. ")
REMATCH_OFFERED: Final = lazy("{name} offers a rematch: r accepts, d declines. ")
REMATCH_WANTED: Final = lazy("You offer {name} a rematch. ")
NEXT_OFFERED: Final = lazy("{name} wants to play the next game now: g accepts, d declines. ")
NEXT_WANTED: Final = lazy("You offer {name} the next game. ")
REMATCH_REFUSED: Final = lazy("{name} does not want another match now. ")
END_ALONE: Final = lazy("{name} has left. ")
END_UNHEARD: Final = lazy("Calling {name} again. ")
STARTING_AGAIN: Final = lazy("Starting the computer player... ")

HINTS: Final = lazy(
    {
        "typing": "enter does what is typed   tab complete   esc clear",
        "price": "enter shows the price and sends nothing   esc clear",
        "free": "enter sends it at once   ? price only   esc clear",
        "costs": "enter asks before it sends   ! at the end: sends at once   ? price only",
        "warned": "enter asks before it sends   ? price only   esc clear",
        "fatal": "enter asks for the whole word yes   ? price only   esc clear",
        "last": "the whole word yes and enter: it is sent   enter or esc: no, nothing is sent",
        "aside": "enter or esc: back to the question   PgUp PgDn scroll",
        "chat": "enter sends the line to the other side   esc back   PgUp PgDn scroll",
        "saying": "enter sends the line to the other side   esc clear   PgUp PgDn scroll",
        "unsaid": "esc takes the line to the board   / in front says it",
        "page": "enter or esc: back   PgUp PgDn scroll",
        "result": "enter, esc or space: go on   PgUp PgDn scroll",
        "waiting": "/text talks   F5 log   F9 looks back",
        "answer": "tab shows the answers   F1 help",
        "sealing": "enter asks before it seals   ! at the end: seals at once   esc clear",
        "sealed": "enter seals it at once   esc clear",
        "over": "{replay}   enter or esc: leave   PgUp PgDn scroll",
        "over person": "r: rematch   {replay}   enter or esc: leave   PgUp PgDn scroll",
        "over wanted": "{replay}   esc: leave   PgUp PgDn scroll",
        "over next": "g: next game   {replay}   enter or esc: leave   PgUp PgDn scroll",
        "over computer": "a: play again   {replay}   enter or esc: leave   PgUp PgDn scroll",
    }
)
ALOUD: Final = lazy({">": "to", "x": "times"})
"""What is said in plain lines for a sign between or before numbers."""
REPLAY: Final = lazy("F9 replay")
REPLAY_ANALYSIS: Final = lazy("F9 replay, analysis")
SEND_BUTTON: Final = lazy("[send]")
YES_BUTTON: Final = lazy("[yes]")
NO_BUTTON: Final = lazy("[no]")

KEYS: Final = lazy({"F1": "help", "F5": "log", "F6": "chat", "F7": "plain", "F9": "replay", "F10": "bye"})
"""Keys and the words that do the same."""
MENU_KEY: Final = lazy("menu")
"""What the key for leaving does when the match is over."""
MOUSE_ON: Final = lazy("mouse on")
MOUSE_OFF: Final = lazy("mouse off")
MOUSE_IS: Final = lazy(
    {
        True: "The mouse works on the board. Alt-m switches it off so that you can select text.",
        False: "The mouse selects text again. Alt-m switches it on for the board.",
    }
)
MOTION_IS: Final = lazy(
    {
        True: "Moves are animated, in this match and in others.",
        False: "Moves are shown at once, in this match and in others.",
    }
)
TOO_SLOW: Final = lazy("This connection is too slow for motion, so motion is now off; type motion on to try again.")
MOTION_HOW: Final = lazy("Type motion on or motion off.")
THEME_IS: Final = lazy(
    {
        "dark": "The board is drawn in dark colours, in this match and in others.",
        "light": "The board is drawn in light colours, in this match and in others.",
        "contrast": "The board is drawn in high contrast, in this match and in others.",
        "lines": "The board is drawn in lines, in this match and in others.",
    }
)
THEME_HOW: Final = lazy("Type theme dark, theme light, theme contrast or theme lines.")
THEME_POOR: Final = lazy("This terminal has too few colours or characters for that, so the board stays in lines.")
TITLES: Final = lazy(
    {"help": "HELP", "log": "LOG", "chat": "CHAT", "answer": "ANSWER", "result": "WHAT HAPPENED", "over": "THE END"}
)
PART: Final = lazy("(lines {first} to {last} of {count})")
MORE: Final = lazy("{first} to {last} of {count}")
NO_CHAT: Final = lazy("Nobody has said anything yet. Type something, and Enter sends it.")
READS_LIKE_A_MOVE: Final = lazy(
    "That looks like a move. Nothing was said and nothing was played. Esc goes back to the board; / in front says it "
    "as it is."
)

CALL_SETUP: Final = lazy("Make your setup.")
CALL_MOVE: Final = lazy("It is your turn against {name}.")
AS_ASKED: Final = lazy("The match goes on in plain lines, as you asked. full brings the full screen back.")
FULL_ALREADY: Final = lazy("This is the full screen. Type plain, or F7, for plain lines.")
GIVE_UP: Final = lazy("You give up the match.")
OFFER_DRAW: Final = lazy("You offer a draw.")
ACCEPT_DRAW: Final = lazy("You accept the draw, and the match ends.")
DRAW_WAITS: Final = lazy("{name} offers a draw: type accept or decline.")
LEAVE_ASK: Final = lazy("You leave the match. It is saved, and storm-p2p resume continues it.")
LEAVE_AGAIN: Final = lazy("Press Ctrl-C again now to leave the match. It is saved, and storm-p2p resume continues it.")

LESSON: Final = lazy("Learn: {number} of {count}, {title}")
LESSON_ENEMY: Final = lazy("enemy")
LESSON_HINT: Final = lazy("enter: go on   left: back   page down, page up: lesson   q quit")
LESSON_HINT_TASK: Final = lazy("enter: do it   enter alone: an example   right: skip   left: back   esc: quit")
LESSON_HINT_LAST: Final = lazy("enter: your first match   left: back   q quit")
LESSON_EXAMPLE: Final = lazy("For example: {line}")
LESSON_OTHERWISE: Final = lazy("Allowed, but not what this lesson asks for.")
LESSON_SOLVED: Final = lazy("Done: {line}.")

HELP_NOW: Final = lazy("Now:")
HELP_GOAL: Final = lazy("Goal:")
HELP_BOARD: Final = lazy("The board, words and keys:")
HELP_KEYS: Final = lazy("Keys:")


def help_page(now: Iterable[str], goals: Iterable[str], board: Iterable[str]) -> list[str]:
    """Return the page of help: what can be done now, what there is to win, and how the board is read."""
    return [str(HELP_NOW), *now, "", str(HELP_GOAL), *goals, "", str(HELP_BOARD), *board]


END_WORDS: Final = lazy("The match is over. Type {words}, or what you want to look at; bye leaves.")
ONLY_AT_END: Final = lazy(
    "{word} works only at the end of a match. This one is still on; bye leaves it, and it is saved."
)
NO_COMPUTER: Final = lazy(
    "again works only against the computer. menu takes you to the menu, where you can host or join a match."
)
OTHER_GONE: Final = lazy("{name} is no longer there: nobody hears you, and there is no rematch.")
NO_OFFER: Final = lazy("No draw is on offer. Type draw to offer one yourself.")
PLAIN_ALREADY: Final = lazy("You are in plain lines already. Type full for the full screen.")
CONFIRMS: Final[Mapping[bool, Lazy]] = lazy(
    {
        True: "You are asked before every action is sent; an exclamation mark after it skips that.",
        False: "Outside combat, actions that cost and show nothing are sent at once.",
    }
)
"""After ``confirm``."""
SPOKEN: Final = lazy("English from here on; the menu and --lang set the language for good.")
"""After ``lang``, in the language that was chosen."""
MUTED: Final = lazy("Muted: what the other player says is not shown. Type mute again to hear them.")
NOT_MUTED: Final = lazy("No longer muted.")

NOTHING_YET: Final = lazy("Nothing has happened yet.")
SAVED: Final = lazy("Saved as {name}; load {name} brings it back in any match.")
LAST_SETUP: Final = lazy("last")

SEND_OR_NOT: Final = lazy("Send? yes or no")
TYPE_YES: Final = lazy('Type the word "yes" to go on; anything else does nothing.')
EXPLAINED: Final = lazy("Type yes to do what is shown above. Any other answer does nothing, and you go on as before.")

NO_MENU: Final = lazy(
    "The menu needs a terminal of 80x24 or more. In a larger window, type storm-p2p again; or play in plain lines with "
    "storm-p2p play --plain. storm-p2p --help lists all commands."
)
NO_FULL: Final = lazy(
    "The full screen cannot be shown here: this match was begun with --json. storm-p2p resume can show it."
)
NO_TERMINAL: Final = lazy(
    "You are playing in plain lines: the full screen needs a terminal for both input and output. To go on in one, leave with "
    "bye and run storm-p2p resume there."
)
DUMB: Final = lazy(
    "You are playing in plain lines: this terminal says that it cannot move its cursor (TERM=dumb). To go on in another one, "
    "leave with bye and run storm-p2p resume there."
)
too_small = Sentence[int, int, int, int](
    "You are playing in plain lines: this window is {columns}x{rows}, and the full screen needs "
    "{wanted_columns}x{wanted_rows}. Make it larger, or the font smaller, and type full."
)

noted = Sentence[int, str]("Noted for {place}: {text}")
NO_NOTES: Final = lazy("No notes yet. Type for example: note 5 beware. Only you see them.")
NOTE_EXPECTED: Final = lazy("Type a number and a note, as in: note 5 beware. note 5 alone removes the note.")
note_gone = Sentence[int]("The note on {place} is gone.")


ASKED_ELSE: Final = lazy("You are being asked something else now. {answers}")
NOTHING_ASKED: Final = lazy("No question is open now. Type help for what you can do.")
NOT_YOUR_TURN: Final = lazy(
    "It is not your turn. For now you can look (board, units), chat (say TEXT), offer a draw (draw) or resign."
)
NOTHING_SAID: Final = lazy("What do you want to say? For example: say good luck.")
LANGUAGE: Final = lazy("Which language? Type lang en or lang de.")
CONFIRM: Final = lazy(
    "Type confirm always (before every action) or confirm costs (before what costs or shows something)."
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


def no_step(got: str, count: int) -> str:
    """Return that a number is no step of the match so far."""
    return fill("The steps are 1 to {count}, so there is no {got}.", count=count, got=quoted(got))


def alone(verb: str, got: str) -> str:
    """Return that a word stands alone."""
    return fill("Type the word {verb} alone, not {got}.", verb=verb, got=quoted(got))


def unknown(word: str, near: str | None) -> str:
    """Return that a word is no command, with the nearest one that is."""
    if near is None:
        return fill("{word} is not a command. Type help for the commands.", word=quoted(word))
    sentence = lazy("{word} is not a command. Did you mean {near}? Type help for the commands.")
    return fill(sentence, word=quoted(word), near=quoted(near))


def which_word(word: str, near: Iterable[str]) -> str:
    """Return that a beginning fits several commands or names."""
    return fill("{word} can mean {others}. Type a few more letters.", word=quoted(word), others=listed(near, "or"))


def of_setup(word: str) -> str:
    """Return that a word belongs to the setup."""
    return fill("Not possible: {word} belongs to the setup.", word=quoted(word))


def of_full_screen(word: str, full: str) -> str:
    """Return that a word belongs to the full screen, and the word that goes there."""
    return fill("{word} only works on the full screen. Type {full} to go there.", word=quoted(word), full=full)


def no_number(word: str) -> str:
    """Return that a word is no number of lines."""
    return fill("log takes a number of lines, not {word}. For example: log 20.", word=quoted(word))


def only_in_a_match(typed: str) -> str:
    """Return what is said to a line in a lesson that a match would understand."""
    return fill("{typed} works only in a match. Here, type what the lesson asks for.", typed=quoted(typed))
