"""The words of the full screen that are about Storm: its panel, its questions, its hints."""

from collections.abc import Mapping
from typing import Final

from cli.text.wording import Lazy, lazy
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Phase

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
SETUP_STATE: Final = lazy("SETUP: put 9 of your 12 units on the board")

YOUR_MOVE: Final = lazy("YOUR MOVE")
YOUR_COMBAT: Final = lazy("COMBAT, choose")
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

GOALS: Final[Mapping[Faction, Lazy]] = lazy({
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
GIVEN_SEALED: Final = lazy("Sealed: {what}. Nobody can change or read it; both choices are shown when {name} has "
    "chosen.")
GIVEN: Final = lazy("Chosen: {what}. {name} sees it and chooses now.")
EYE_IS: Final[Mapping[bool, Lazy]] = lazy({
    True: "Bright: what {name} knows. Dim: your secrets.",
    False: "All units look the same again; * marks what {name} knows.",
})  # fmt: skip

NOT_SET_UP: Final = lazy("not set up yet")
MORE_UNITS: Final = "+{count} (F2)"
DEALING: Final = lazy("dealing the units")
SEAL_ASK: Final = lazy("After sealing nobody can change your setup, and nobody can see it.")
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

HELP_READING: Final = lazy((
    "ZEU or Zeus is yours, * after it: the enemy knows it. -zeu or <Zeus>: an enemy you know, -??? or <?>: a hidden "
    "one.",
    "Only a large window has room for whole names; crowds are shown by letters there too.",
    "Where both sides stand in a region, yours are in the upper row and the enemies in the lower one; +2: two more.",
    "~~~ is the Styx; crossing it costs 2 Energy. [-2] on a region: the Honor it costs to move the picked units there.",
    "ATTACK (or ! where space is short): the picked units would attack there; the numbers count both sides.",
    "In a 160x48 window, the number after a unit is its strength (2-6: what a hidden one can have); ^ is a leader.",
    "Forward (Chthonians up, Olympians down) is cheap, back costs 2 Honor; each extra unit in a group costs 1.",
    "Attacking with fewer units than the enemy gains 2 Honor for each one fewer; with more it costs 2 for each extra "
    "one.",
))  # fmt: skip
HELP_KEY_LINES: Final = lazy((
    "F2 units  F3 Honor table  F4 what the enemy knows  F5 log  F6 chat  F7 plain lines  F8 notes  F9 look back"
    "  F10 leave.",
    "Each has a word too: help units table eye log chat plain notes replay bye. Alt and a digit acts as the F-key.",
    "Tab completes and shows prices, Up brings back earlier lines, Esc goes back a step and never sends anything.",
    "The mouse picks regions and units; Alt-m switches it off so that you can select text. unicode: lines or ASCII.",
))  # fmt: skip

HINTS: Final[Mapping[str, Lazy]] = lazy({
    "who": "enter says who is there   esc clear",
    "pick": "enter picks these units, then you pick a target   esc clear",
    "target": "now a target: type or click one (tab lists them)   esc clear",
    "turn": "click or type a region with your units   tab shows options   F1 help",
    "fight": "up/down maneuver   left/right Energy   enter asks first   - board",
    "hidden": "- shows the combat again   tab complete",
    "setup": "unit region: place   unit unit: swap   random   save/load NAME   seal: done",
    "setup hinted": "unit region: place   unit unit: swap   random   hint   save/load NAME   seal",
    "waiting": "/text talks   F2 units   F3 Honor table   F5 log   F9 looks back",
})  # fmt: skip
"""What stands below the prompt, beside the hints of every game."""

TITLES: Final[Mapping[str, Lazy]] = lazy({
    "units": "ALL UNITS   (card UNIT, or click one, shows what it can do)",
    "table": "HONOR AND ENERGY",
    "notes": "NOTES ON COUNTERS   (note 8 maybe Zeus)",
    "card": "UNIT",
})  # fmt: skip
"""Of the pages, beside those of every game."""

KEYS: Final = lazy({"F2": "units", "F3": "table", "F4": "eye", "F8": "notes"})
"""Keys and the words that do the same, beside those of every game."""

NOTE_EXPECTED: Final = lazy("Expected a region and some text, as in: note 8 maybe Zeus. note 8 alone removes the note.")
NO_NOTES: Final = lazy("No notes yet. Type for example: note 8 maybe Zeus. Only you see them.")

REPLAY_KEYS: Final = lazy((
    "c: the next combat. t: the next turn.",
    "v: the next view. 1: what everybody knew. 2: what the Chthonians knew. 3: what the Olympians knew. 4: all units.",
    "a: how the chances changed, and which decisions cost the most, in the computer's judgement.",
))  # fmt: skip
REPLAY_READING: Final = lazy((
    "ZEU or Zeus: the side whose view it is (the Chthonians when all are shown); * is a unit that the other side knew.",
    "-zeu or <Zeus>: a unit of the other side, -??? or <?>: one that this view does not know. Reverse: where something "
    "happens.",
))  # fmt: skip
LANDMARKS: Final = lazy("c combat   t turn")
