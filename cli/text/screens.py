"""The words of the full-screen console: titles, hints, what is asked, the keys.  Complete sentences and templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.text.wording import Lazy, lazy
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Phase

GAME: Final = lazy("Storm over Olympus")
MATCH: Final = lazy("match {number}")
TURN: Final = lazy("turn {number}")
YOU: Final = lazy("YOU")
HONOR: Final = lazy("honor")
ENERGY: Final = lazy("energy")
LEFT: Final = lazy("{count} left, {known} known")
LEFT_HIDDEN: Final = lazy("{count} left: {known} known {hidden} ???")
LOST: Final = lazy("lost: {units}")
NEXT_TURN: Final = lazy("next turn: -{loss} honor")
NEXT_TURN_WHY: Final = lazy("next turn: -{loss} honor ({loss} in {base})")
KNOWN_TO: Final = lazy("known to {name} ({known} of {count}):")
UNSEEN: Final = lazy("secret:")
NOT_IN_PLAY: Final = lazy("not in play:")
KNOWN: Final = lazy("known:")
HIDDEN_IN: Final = lazy("hidden {count}, in {regions}")
CAN_BE: Final = lazy("they can be:")
ONE_IS: Final = lazy("{unit} is one of them; {number} of")
ONE_IS_ALONE: Final = lazy("it is {unit}")
SAFE_WORDS: Final = lazy("safe words: {words}")
NOBODY: Final = lazy("none")

LOG: Final = lazy("log (F5 all)")
CHAT: Final = lazy("chat (F6)")
PREVIEW: Final = lazy("what it costs")
ANSWER: Final = lazy("answer")
ASKED: Final = lazy("question")
COMING: Final = lazy("what to do")
SETUP_STATE: Final = lazy("SETUP: put 9 of your 12 units on the board")

YOUR_MOVE: Final = lazy("YOUR MOVE")
YOUR_ANSWER: Final = lazy("YOUR ANSWER")
YOUR_COMBAT: Final = lazy("COMBAT, choose")
DEALING: Final = lazy("dealing the units")
WAITING: Final = lazy("waiting for {name}")
SEALED_WAITING: Final = lazy("sealed, waiting for {name}")
OVER: Final = lazy("THE END")
LINE_DOWN: Final = lazy("RECONNECTING")
UNREAD: Final = lazy("chat: {count} new")
ANSWERS: Final = lazy("Answers: {answers}")
FIGHT_HINT: Final = lazy((
    "Pick a maneuver with up and down, Energy with left and right, or type it: {examples}.",
    "Both sides choose in secret; the higher power wins, Energy is spent either way. F1 explains.",
))  # fmt: skip
FIGHT_HINT_OPEN: Final = (
    FIGHT_HINT[0],
    lazy(
        "One side chooses after the other and sees its choice; the higher power wins, Energy is spent either way."
        " F1 explains."
    ),
)

GOALS: Final = lazy({
    Faction.CHTHONIANS: "You win when Hades or Persephone reaches the Palace (15). At 0 Honor you lose.",
    Faction.OLYMPIANS: "You win when Hades and Persephone are both gone. At 0 Honor you lose.",
})  # fmt: skip
FIRST_MOVE: Final = lazy((
    "Type or click a region with your units: the board shows what moves cost.",
    "Honor is your life, Energy decides combats. F1 or help explains everything.",
))  # fmt: skip
ALSO: Final = lazy("Or: {options}.")
WAYS: Final = lazy("{verb} ({number} ways)")
OPTION: Final = "{words} ({price})"
PICKED: Final = lazy("{units} in {region}: add where to, as in: {line}")
PRICED: Final = lazy("{units} in {region}; type the whole move, as in: {line}")
PICKED_NOWHERE: Final = lazy("{units} in {region} cannot go anywhere now.")
TARGETS: Final = lazy("Honor: {prices}")
WAIT_HINT: Final = lazy("You can look around, or talk: /hello. The program tells you when it is your turn.")
BEGINNING: Final = lazy("The match begins; the other side is still setting up.")
GIVEN_SEALED: Final = lazy(
    "Sealed: {what}. Nobody can change or read it; both choices are shown when {name} has chosen."
)
GIVEN: Final = lazy("Chosen: {what}. {name} sees it and chooses now.")
SENDING: Final = lazy("Sent. Waiting for {name}.")
NOT_DONE: Final = lazy('Nothing was done with "{line}"; Up brings it back.')

ASK: Final = lazy({"send": "send? [y/N] ", "seal": "seal? [y/N] ", "leave": "leave? [y/N] "})
"""What is asked, by what a yes does."""
OPEN: Final = lazy({
    "send": "y and enter: it is sent   enter or esc: no, nothing is sent",
    "seal": "y and enter: it is sealed   enter or esc: no, nothing is sealed",
    "leave": "y and enter: you leave   enter or esc: no, you stay",
})  # fmt: skip
"""The hint while nothing is typed."""
AGREED: Final = lazy({
    "send": "enter sends it", "seal": "enter seals it", "leave": "enter leaves the match",
})  # fmt: skip
"""What Enter does while a yes is typed."""
ESCAPES: Final = lazy({
    "send": "esc: no, nothing is sent",
    "seal": "esc: no, nothing is sealed",
    "leave": "esc: no, you stay",
    "page": "esc: back to the question",
})  # fmt: skip
"""What Escape does at the question, and on a page that lies over it."""
DECLINED: Final = lazy({
    "send": "enter: no, nothing is sent", "seal": "enter: no, nothing is sealed", "leave": "enter: no, you stay",
})  # fmt: skip
"""What Enter does on such a page while something else is typed."""
REFUSED: Final = lazy({
    "send": "enter or esc: no, nothing is sent",
    "seal": "enter or esc: no, nothing is sealed",
    "leave": "enter or esc: no, you stay",
})  # fmt: skip
"""The hint while something else is typed."""
REFUSAL: Final = lazy({
    "send": "Nothing sent.",
    "seal": "Nothing sealed; you can still change your setup.",
    "leave": "You stay in the match.",
})  # fmt: skip
"""What is said after a no."""
ASK_YES: Final = lazy('type "yes" > ')
PROMPT: Final = "> "
PROMPT_CHAT: Final = lazy("say> ")
NEWS: Final = lazy("Enter goes on. ")
THE_END: Final = lazy("The match is over. ")

HINTS: Final = lazy({
    "typing": "enter does what is typed   tab complete   esc clear",
    "who": "enter says who is there   esc clear",
    "price": "enter shows the price and sends nothing   esc clear",
    "free": "enter sends it at once   ? price only   esc clear",
    "costs": "enter asks before it sends   ! at the end: sends at once   ? price only",
    "warned": "enter asks before it sends   ? price only   esc clear",
    "fatal": "enter asks for the whole word yes   ? price only   esc clear",
    "pick": "enter picks these units, then you pick a target   esc clear",
    "target": "now a target: type or click one (tab lists them)   esc clear",
    "last": "the whole word yes and enter: it is sent   enter or esc: no, nothing is sent",
    "aside": "enter or esc: back to the question   PgUp PgDn scroll",
    "chat": "enter sends the line to the other side   esc back   PgUp PgDn scroll",
    "saying": "enter sends the line to the other side   esc clear   PgUp PgDn scroll",
    "unsaid": "esc takes the line to the board   / in front says it",
    "page": "enter or esc: back   PgUp PgDn scroll",
    "result": "enter, esc or space: go on   PgUp PgDn scroll",
    "turn": "click or type a region with your units   tab shows options   F1 help",
    "answer": "tab shows the answers   F1 help",
    "fight": "up/down maneuver   left/right Energy   enter asks first   - board",
    "hidden": "- shows the combat again   tab complete",
    "sealing": "enter asks before it seals   ! at the end: seals at once   esc clear",
    "sealed": "enter seals it at once   esc clear",
    "setup": "unit region: place   unit unit: swap   random   save/load NAME   seal: done",
    "waiting": "/text talks   F2 units   F3 Honor table   F5 log   F9 looks back",
    "over": "enter or esc: leave   PgUp PgDn scroll",
})  # fmt: skip
SEND_BUTTON: Final = lazy("[send]")
YES_BUTTON: Final = lazy("[yes]")
NO_BUTTON: Final = lazy("[no]")

KEYS: Final = lazy({
    "F1": "help", "F2": "units", "F3": "table", "F4": "eye", "F5": "log", "F6": "chat", "F7": "plain", "F8": "notes",
    "F9": "replay", "F10": "leave",
})  # fmt: skip
"""Keys and the words that do the same."""
MOUSE_ON: Final = lazy("mouse on")
MOUSE_OFF: Final = lazy("mouse off")
MOUSE_IS: Final = lazy({
    True: "The mouse works on the board. Alt-m switches it off so that you can select text.",
    False: "The mouse selects text again. Alt-m switches it on for the board.",
})  # fmt: skip
EYE_IS: Final = lazy({
    True: "Bright: what {name} knows. Dim: your secrets.",
    False: "All units look the same again; * marks what {name} knows.",
})  # fmt: skip

TITLES: Final = lazy({
    "help": "HELP",
    "units": "ALL UNITS   (card UNIT, or click one, shows what it can do)",
    "table": "HONOR AND ENERGY",
    "log": "LOG",
    "chat": "CHAT",
    "notes": "NOTES ON COUNTERS   (note 8 maybe Zeus)",
    "card": "UNIT",
    "answer": "ANSWER",
    "result": "WHAT HAPPENED",
    "over": "THE END",
})  # fmt: skip
NOT_SET_UP: Final = lazy("not set up yet")
MORE_UNITS: Final = "+{count} (F2)"
PART: Final = lazy("(lines {first} to {last} of {count})")
MORE: Final = lazy("{first} to {last} of {count}")
NO_CHAT: Final = lazy("Nobody has said anything yet. Type something, and Enter sends it.")
READS_LIKE_A_MOVE: Final = lazy(
    "That looks like a move. Nothing was said and nothing was played. Esc goes back to the board; / in front says it "
    "as it is."
)

CALL_SETUP: Final = lazy("Set up your units.")
CALL_MOVE: Final = lazy("It is your turn against {name}.")
TOO_SMALL: Final = lazy(
    "The window is {columns} x {rows}; the full screen needs 80 x 24. The match goes on in plain lines, and nothing is "
    "lost: make the window larger and type full to come back."
)
AS_ASKED: Final = lazy("The match goes on in plain lines, as you asked. full brings the full screen back.")
FULL_ALREADY: Final = lazy("This is the full screen. Type plain, or F7, for plain lines.")
GIVE_UP: Final = lazy("You give up the match.")
OFFER_DRAW: Final = lazy("You offer a draw.")
ACCEPT_DRAW: Final = lazy("You accept the draw, and the match ends.")
DRAW_WAITS: Final = lazy("{name} offers a draw: type accept or decline.")
SEAL_ASK: Final = lazy("After sealing nobody can change your setup, and nobody can see it.")
LEAVE_ASK: Final = lazy("You leave the match. It is saved, and storm-p2p resume continues it.")

QUESTIONS: Final[Mapping[Phase, Lazy]] = {
    Phase.TURN: YOUR_MOVE,
    Phase.FIGHT: YOUR_COMBAT,
    Phase.AID: lazy("YOUR ANSWER: help?"),
    Phase.LOSE: lazy("YOUR ANSWER: who falls?"),
    Phase.RETREAT: lazy("YOUR ANSWER: where to?"),
    Phase.STAY: lazy("YOUR ANSWER: stay or leave?"),
    Phase.SNEAK: lazy("YOUR ANSWER: who is hit?"),
    Phase.BOLT: lazy("YOUR ANSWER: who is hit?"),
}
"""What is asked, for the head line; every other phase is an answer."""

HELP_NOW: Final = lazy("Now:")
HELP_GOAL: Final = lazy("Goal:")
HELP_BOARD: Final = lazy("The board:")
HELP_READING: Final = lazy((
    "Upper case is yours, * after it: the enemy knows it. -abc: an enemy you know, -???: a hidden one.",
    "In a large window Zeus is yours, <Zeus> an enemy you know, <?> a hidden one; crowds are shown by letters there "
    "too.",
    "Where both sides stand in a region, yours are in the upper row and the enemies in the lower one; +2: two more.",
    "~~~ is the Styx; crossing it costs 2 Energy. [-2] on a region: the Honor it costs to move the picked units there.",
    "Forward (Chthonians up, Olympians down) is cheap, back costs 2 Honor; each extra unit in a group costs 1.",
    "Attacking with fewer units than the enemy gains 2 Honor for each one fewer; with more it costs 2 for each extra "
    "one.",
))  # fmt: skip
HELP_KEYS: Final = lazy("Keys:")
HELP_KEY_LINES: Final = lazy((
    "F2 units  F3 Honor table  F4 what the enemy knows  F5 log  F6 chat  F7 plain lines  F8 notes  F9 look back"
    "  F10 leave.",
    "Each has a word too: help units table eye log chat plain notes replay bye. Alt and a digit acts as the F-key.",
    "Tab completes and shows prices, Up brings back earlier lines, Esc goes back a step and never sends anything.",
    "The mouse picks regions and units; Alt-m switches it off so that you can select text. unicode: Unicode symbols.",
))  # fmt: skip
