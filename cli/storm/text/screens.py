"""The words of the full screen that are about Storm: its panel, its questions, its hints; and what a view answers."""

from collections.abc import Mapping, Sequence
from typing import Final

from cli.storm import vocabulary
from cli.storm.text import names
from cli.storm.text.names import Sentence
from cli.text.wording import Lazy, _, count, fill, lazy, listed, spoken
from storm_p2p.storm.board import REALM, Faction, Region
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import LEADERS, NAME, ROSTER, THROWERS, Maneuver, Unit

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

FIGHT_HINT: Final = lazy(
    (
        "Pick a maneuver with up and down, Energy with left and right, or type it: {examples}.",
        "Both sides choose in secret; the higher power wins, Energy is spent either way. F1 explains.",
    )
)
FIGHT_HINT_OPEN: Final = (
    FIGHT_HINT[0],
    lazy(
        "One side chooses after the other and sees its choice; the higher power wins, Energy is spent either way."
        " F1 explains."
    ),
)

GOALS: Final[Mapping[Faction, Lazy]] = lazy(
    {
        Faction.CHTHONIANS: "You win when Hades or Persephone reaches the Palace (15). At 0 Honor you lose.",
        Faction.OLYMPIANS: "You win when Hades and Persephone are both gone. At 0 Honor you lose.",
    }
)
FIRST_MOVE: Final = lazy(
    (
        "Type or click a region with your units: the board shows what moves cost.",
        "Honor is your life, Energy decides combats. F1 or help explains everything.",
    )
)
ALSO: Final = lazy("Or: {options}.")
WAYS: Final = lazy("{verb} ({number} ways)")
PICKED: Final = lazy("{units} in {region}: add where to, as in: {line}")
PRICED: Final = lazy("{units} in {region}; type the whole move, as in: {line}")
PICKED_NOWHERE: Final = lazy("{units} in {region} cannot go anywhere now.")
GIVEN_SEALED: Final = lazy(
    "Sealed: {what}. Nobody can change or read it; both choices are shown when {name} has chosen."
)
GIVEN: Final = lazy("Chosen: {what}. {name} sees it and chooses now.")
EYE_IS: Final[Mapping[bool, Lazy]] = lazy(
    {
        True: "Bright: what {name} knows. Dim: your secrets.",
        False: "All units look the same again; * marks what {name} knows.",
    }
)

NOT_SET_UP: Final = lazy("not set up yet")
MORE_UNITS: Final = "+{count} (F2)"
DEALING: Final = lazy("dealing the units")
SEAL_ASK: Final = lazy("After sealing nobody can change your setup, and nobody can see it.")
QUESTIONS: Final[Mapping[Phase, Lazy]] = lazy(
    {
        Phase.TURN: "YOUR MOVE",
        Phase.FIGHT: "COMBAT, choose",
        Phase.AID: "YOUR ANSWER: help?",
        Phase.LOSE: "YOUR ANSWER: who falls?",
        Phase.RETREAT: "YOUR ANSWER: where to?",
        Phase.STAY: "YOUR ANSWER: stay or leave?",
        Phase.SNEAK: "YOUR ANSWER: who is hit?",
        Phase.BOLT: "YOUR ANSWER: who is hit?",
    }
)
"""What is asked, for the head line; every other phase is an answer."""

HELP_READING: Final = lazy(
    (
        "ZEU or Zeus is yours, * after it: the enemy knows it. -zeu or <Zeus>: an enemy you know, -??? or <?>: a hidden "
        "one.",
        "Only a large window has room for whole names; crowds are shown by letters there too.",
        "Where both sides stand in a region, yours are in the upper row and the enemies in the lower one; +2: two more.",
        "The blue or wavy line is the Styx; crossing it costs 2 Energy. [-2] on a region: the Honor that a move there costs.",
        "ATTACK (or ! where space is short): the picked units would attack there; the numbers count both sides.",
        "In a 160x50 window, the number after a unit is its strength; ^ is a leader. 2-6: what a hidden one can have.",
        "> before or after your unit: picked (# when the enemy knows it). In a corner: < from here, > to here, ? where the "
        'unit on your line may stand, " your note; : entered and . left in this turn or the last, ; and , in the one before.',
        "Forward (Chthonians up, Olympians down) is cheap, back costs 2 Honor; each extra unit in a group costs 1.",
        "Attacking with fewer units than the enemy gains 2 Honor for each one fewer; with more it costs 2 for each extra "
        "one.",
    )
)
HELP_KEY_LINES: Final = lazy(
    (
        "F2 units  F3 Honor table  F4 what the enemy knows  F5 log  F6 chat  F7 plain lines  F8 notes  F9 look back"
        "  F10 bye.",
        "Each has a word too: help units table eye log chat plain notes replay bye. Alt and a digit acts as the F-key.",
        "Tab completes and shows prices, Up brings back earlier lines, Esc goes back a step and never sends anything.",
        "The mouse picks regions and units; Alt-m switches it off so that you can select text. unicode: lines or ASCII.",
    )
)

HINTS: Final[Mapping[str, Lazy]] = lazy(
    {
        "who": "enter says who is there   esc clear",
        "pick": "enter picks these units, then you pick a target   esc clear",
        "target": "now a target: type or click one (tab lists them)   esc clear",
        "turn": "click or type a region with your units   tab shows options   F1 help",
        "fight": "up/down maneuver   left/right Energy   enter asks first   - board",
        "hidden": "- shows the combat again   tab complete",
        "setup": "unit region: place   unit unit: swap   random   save/load NAME   seal: done",
        "setup hinted": "unit region: place   unit unit: swap   random   hint   save/load NAME   seal",
        "waiting": "/text talks   F2 units   F3 Honor table   F5 log   F9 looks back",
    }
)
"""What stands below the prompt, beside the hints of every game."""

TITLES: Final[Mapping[str, Lazy]] = lazy(
    {
        "units": "ALL UNITS   (card UNIT, or click one, shows what it can do)",
        "table": "HONOR AND ENERGY",
        "notes": "NOTES ON REGIONS   (note 8 maybe Zeus)",
        "card": "UNIT",
    }
)
"""Of the pages, beside those of every game."""

KEYS: Final = lazy({"F2": "units", "F3": "table", "F4": "eye", "F8": "notes"})
"""Keys and the words that do the same, beside those of every game."""

REPLAY_KEYS: Final = lazy(
    (
        "c: the next combat (* on the bar). t: the next turn. r: the next reveal (!).",
        "v: the next view. 1: public. 2: Chthonians. 3: Olympians. 4: all units.",
        "a: how the chances changed, and which decisions cost the most.",
    )
)
REPLAY_READING: Final = lazy(
    (
        "ZEU or Zeus: the side whose view it is (the Chthonians when all are shown); * is a unit that the other side knew.",
        "-zeu or <Zeus>: a unit of the other side, -??? or <?>: one that this view does not know. In a corner: > where "
        "something happens; : entered and . left in this turn or the last, ; and , in the one before.",
    )
)
LANDMARKS: Final = lazy("c combat   t turn")


dealt = Sentence[int]("dealt: one try, proved (o opens it)", "dealt: {number} tries, all proved (o opens them)")
TITLE: Final = lazy("COMBAT in {region}, round {round}")
YOU_ATTACK: Final = lazy("you attack{origin}: a tie is yours")
THEY_ATTACK: Final = lazy("{name} attacks{origin}: a tie is theirs")
FROM: Final = lazy(" from {region}")
BASE: Final = lazy("base {base:2}   stock {stock:2}")
MODIFIERS: Final = lazy("Strengths changed: {list}")
SPENT: Final = lazy("{energy} Energy")
COMBAT_ENERGY: Final = lazy("Energy 0 to {limit}:")
DEAR: Final = lazy("{amount} or more costs Honor")
POWER: Final = lazy("power {power}")
NEEDS: Final = lazy("with {maneuver}, {name} needs {energy} Energy to win")
CANNOT: Final = lazy("with {maneuver}, {name} cannot win: at most {limit} Energy")
WINS: Final = lazy("with {maneuver}, {name} wins without Energy")
HE_LEAVES: Final = lazy("{name} gets away unless you chase")
YOU_LEAVE: Final = lazy("{name} does not chase: you get away")
HE_SLIPS: Final = lazy("{name} gets away: no chase stops that")
YOU_SLIP: Final = lazy("no chase by {name} can stop you: you get away")
NOBODY_WINS: Final = lazy("nobody wins: {name} plays the same")
YOU_WIN: Final = lazy("{name} has {power}: you win the round")
HE_WINS: Final = lazy("{name} has {power} and wins the round")
RISK: Final = lazy("after this choice: honor {honor}, energy {energy}")
THEY_CHOOSE: Final = lazy("{name} chooses first; then you.")
WHOLE_WORDS: Final = lazy(
    {
        Maneuver.STANDARD: "standard",
        Maneuver.RETREAT: "retreat",
        Maneuver.CHASE: "chase",
        Maneuver.ATTACK: "attack",
        Maneuver.DEFENSE: "defense",
    }
)
"""What can be typed for a choice, where there is room for it."""
EFFECTS: Final = lazy(
    {
        Maneuver.STANDARD: "higher power kills one; the rest fight on",
        Maneuver.RETREAT: "if not chased: honor {change}, to {ways}",
        Maneuver.CHASE: "stops a retreat; your power {change:+d}",
        Maneuver.ATTACK: "power x2; yours die unless they defend",
        Maneuver.DEFENSE: "power x2; if you win nobody dies",
    }
)
COSTLY: Final = lazy("{amount} or more: honor {change}.")
ANY_AMOUNT: Final = lazy("Any amount costs no Honor.")
YOU_ATTACK_SPOKEN: Final = lazy("Combat in {region}, round {round}. You attack; a tie goes to the attacker.")
THEY_ATTACK_SPOKEN: Final = lazy("Combat in {region}, round {round}. {name} attacks; a tie goes to the attacker.")
COSTS_SAYS: Final = lazy("Type costs to hear again what each maneuver does.")
HAS_CHOSEN: Final = lazy("{name} has chosen: {maneuver} with {energy} Energy.")


HEAD: Final = lazy("{side}  {count} of {whole}")
MUST: Final = lazy("{unit} must be there")
MUST_DONE: Final = lazy("{unit} is placed (must)")
FREE: Final = lazy("free: {regions}")
COMPLETE: Final = lazy("complete: type seal")
SEALED: Final = lazy("sealed")
TERMS: Final = lazy("terms: {terms}")
RIVAL: Final = lazy("{name} sets up at the same time.")
STANDS_IN: Final = lazy("in {region}")
RIVAL_SEALED: Final = lazy("{name} has sealed.")
STRENGTH: Final = lazy("strength {strength}")
YOUR_TWELVE: Final = lazy("your twelve: place, strength, power")
KEPT: Final = lazy("Saved setups: {names} (load NAME).")
LOADED: Final = lazy("The setup {name} is on the board.")
SAVE_EXPECTED: Final = lazy("You need units on the board and a name, as in: save wall.")
LOAD_EXPECTED: Final = lazy("Which saved setup ({names})? For example: load wall.")
NONE_KEPT: Final = lazy("none yet")
FIRST: Final = lazy(
    (
        "random places nine units at once, seal ends the setup. Or place them: {unit} {region}, or click unit and region.",
        "Nobody sees your units before they are revealed, so bluff: a weak unit can look like your leader.",
    )
)
READY: Final = lazy(
    (
        "seal ends the setup. Until then, two units swap places, mirror swaps left and right, clear starts over.",
        "save NAME keeps this setup for other matches.",
    )
)
"""When all nine stand."""

SHORT: Final = lazy(
    {
        Unit.HADES: "leader, recalls dead",
        Unit.PERSEPHONE: "leader, slips away",
        Unit.CERBERUS: "alone it must chase",
        Unit.CRONUS: "kills Zeus on sight",
        Unit.HECATE: "takes their Energy",
        Unit.HYPNOS: "others count for 0",
        Unit.ERINYES: "sneak attack",
        Unit.MOIRAE: "no Energy limit",
        Unit.HARPIES: "fly",
        Unit.THANATOS: "takes all with him",
        Unit.CHARON: "Styx for free",
        Unit.NYX: "cuts their Energy",
        Unit.ZEUS: "thunderbolts",
        Unit.HERA: "stronger with comrades",
        Unit.ATHENA: "sees choices first",
        Unit.APHRODITE: "charms males",
        Unit.DIONYSUS: "alone: less penalty",
        Unit.APOLLO: "flies; double penalty",
        Unit.HERMES: "alone: many steps",
        Unit.ARES: "alone: Energy twice",
        Unit.POSEIDON: "gains along the Styx",
        Unit.ARTEMIS: "strong in a chase",
        Unit.HEPHAESTUS: "strong in defense",
        Unit.DEMETER: "drains Energy below",
    }
)
"""What a unit is good at, in a few words."""

not_yours = Sentence[Faction, Unit]("You play the {side}, and {unit} is not one of them. Type units to see them.")
both_off = Sentence[Unit, Unit]("Neither {one} nor {two} is on the board yet. Place one first.")
twice = Sentence[Unit]("Name two different units to swap, not {unit} twice.")
must_be_there = Sentence[Unit]("{unit} has to be among the nine, but is not placed yet.")
free_regions = Sentence[Sequence[Region]]("Every region of your realm needs a unit; still free: {regions}.")
taken_off = Sentence[Unit, Unit]("{unit} is off the board again; {by} took that place.")
moved_to = Sentence[Unit, Region]("The two have swapped places: {unit} is now in {region}.")


def first(faction: Faction) -> str:
    """Return how a setup begins, with an example of the own side."""
    sentence = lazy("Put nine of your twelve units on your nine regions, as in: {unit} {region}. Or: random.")
    return fill(sentence, unit=vocabulary.say_argument(NAME[ROSTER[faction][0]]), region=REALM[faction][0])


not_in_realm = Sentence[Region, str]("{region} is not in your realm ({realm}).")
full = Sentence[int, int]("{placed} of {all} placed. Type seal to seal it, or two units to swap them.")
progress = Sentence[int, int, Sequence[Region]](
    "{placed} of {all} placed. Free region: {regions}.", "{placed} of {all} placed. Free regions: {regions}."
)


def hint(standing: Sequence[tuple[Region, Unit]], side: Faction, name: str) -> list[str]:
    """Return the setup that the computer proposes, why, and how it is taken."""
    leads = any(1 << unit & LEADERS for unit in ROSTER[side])
    kept = LEADERS if leads else THROWERS
    why = lazy(
        "Strong units stand in front and protect {units}: without a leader you lose."
        if leads
        else "Strong units stand in front and protect {units}, whose thunderbolts guard the Palace."
    )
    behind = listed(names.unit_name(unit) for _, unit in standing if 1 << unit & kept)
    take = lazy("Your board has not changed. load {name} takes this setup, {name} proposes another one.")
    return [f"{fill('Hint: {units}', units=told(standing))} {fill(why, units=behind)}", fill(take, name=name)]


def told(standing: Sequence[tuple[Region, Unit]]) -> str:
    """Return who stands where, for a screen reader."""
    if not standing:
        return _("Nothing placed yet.")
    return fill("{units}.", units=", ".join(f"{region} {names.unit_name(unit)}" for region, unit in standing))


wins = Sentence[Unit, str]("{unit} is next to the Palace: {line} wins the game at once.")
stop_leader = Sentence[Unit, Region]("{unit} in {region} is next to the Palace and wins by entering it: attack now.")
low_honor = Sentence[int]("You have {honor} Honor left. At 0 you lose at once, so look for moves that cost nothing.")
low_energy = Sentence[int, str, int, int](
    "You have {energy} Energy, and without it you lose combats. {line} gains {gain} for {price} Honor, but uses up "
    "your turn."
)
bold = Sentence[str, int]("A bold attack gains Honor, if you dare: {line} ({honor:+d}).")
surely = Sentence[str, int]("{maneuver} {energy} cannot lose against their standard, however much Energy they add.")
retreat_from = Sentence[str, int](
    "You cannot be sure to win here. A retreat ({line}) costs {price} Honor if it works, and saves your units."
)
weakest = Sentence[Unit]("You choose which unit you lose. {unit} is the weakest that is not a leader.")
safest = Sentence[Region, int]("Region {region} has the fewest enemies next to it: {enemies}.")
SAYS_NOTHING: Final = lazy("No costs nothing and gives nothing away; yes reveals the unit.")


in_base = Sentence[int, Region](
    "{number} enemy stands in your base ({region}) and costs you {number} Honor each turn.",
    "{number} enemies stand in your base ({region}) and cost you {number} Honor each turn.",
)


may_be_leader = Sentence[Sequence[Region], str](
    "A hidden unit next to the Palace, in {regions}, could be {units}, who wins by entering it. Attack it first.",
    "Hidden units next to the Palace, in {regions}, could be {units}, who wins by entering it. Attack them first.",
)
leader_way = Sentence[Unit, Region, int](
    "{unit} in {region} is {number} step from the Palace. Moving one unit forward is free.",
    "{unit} in {region} is {number} steps from the Palace. Moving one unit forward is free.",
)
enemy_way = Sentence[Region, int](
    "Their foremost unit, in {region}, is {number} step from the Palace. You win when both leaders are gone.",
    "Their foremost unit, in {region}, is {number} steps from the Palace. You win when both leaders are gone.",
)


LEVELS: Final = lazy(
    {
        "random": "Takes any legal action and soon runs out of Honor.",
        "novice": "Sets up at random, plays sensibly, but often slips.",
        "greedy": "Looks one move ahead, and bluffs in combat.",
        "seer": "Has learned from many matches what a position is worth.",
        "oracle": "Plays like seer, and also weighs what you may answer.",
    }
)
"""A sentence for each name of :data:`storm_p2p.storm.bots.LEVELS`."""


EMPTY: Final = lazy("empty.")

_DIRECTIONS: Final = lazy(
    {
        (True, 0): "Up",
        (True, -1): "Up left",
        (True, 1): "Up right",
        (False, 0): "Down",
        (False, -1): "Down left",
        (False, 1): "Down right",
    }
)

steps = Sentence[int](
    "The match has {number} steps so far. replay {number} shows the last one and who stood where after it, replay 1 "
    "shows the first; log {number} shows the last {number} lines of what happened."
)
base = Sentence[int]("At the start of your next turn, enemies in your base cost you {loss} Honor.")
option = Sentence[str, str]("{action} ({price})")
noted = Sentence[str]("Your note: {note}.")
step = Sentence[int, int, int, int, str, int, int, int](
    "Step {at} of {last}, turn {turn}. Honor: you {honor}, {opponent} {their_honor}. Energy: you {energy},"
    " {opponent} {their_energy}."
)
turn = Sentence[int, str, str]("Turn {number}. {what} {resources}")
resources = Sentence[int, str, int, int, int](
    "Honor: you {honor}, {opponent} {his_honor}. Energy: you {energy}, {opponent} {his_energy}."
)


def realm(faction: Faction | None, *, bank: bool) -> str:
    """Return where a region lies; ``faction`` is None outside both realms."""
    if faction is None:
        return _("outside both realms, on the Styx") if bank else _("outside both realms")
    side = names.side_name(faction)
    return fill("realm of the {side}, on the Styx" if bank else "realm of the {side}", side=side)


region = Sentence[str, str, str]("{region}, {realm}. {who}")
occupied = Sentence[str, str]("{region}: {who}")
yours = Sentence[str]("yours: {units}.")
can_be = Sentence[str]("Could be there: {units}.")
movable = Sentence[str]("can move: {units}; costs UNIT shows where to")
opponent = Sentence[str, Faction, int, int, int, int, str, str](
    "{name}, {side}: honor {honor}, energy {energy}, {units} units, {hidden} hidden. Known: {known}. Lost: {lost}."
)


def neighbour(number: Region, who: str, *, up: bool, side: int, river: bool) -> str:
    """Return a neighbour and who stands there; ``side`` is -1 to the left, 1 to the right."""
    template = lazy("{direction}: {region}, over the Styx, {who}") if river else "{direction}: {region}, {who}"
    return fill(template, direction=_DIRECTIONS[up, side], region=number, who=who)


def theirs(opponent: str, known: Sequence[str], hidden: int) -> str:
    """Return the enemy units of a region."""
    words = [*known, *([count("one hidden", "{number} hidden", hidden)] if hidden else [])]
    return fill("{opponent}: {units}.", opponent=opponent, units=listed(words))


def own(unit: Unit | None, opponent: str, *, known: bool) -> str:
    """Return an own unit with what the opponent knows of it."""
    template = lazy("{unit} known to {opponent}" if known else "{unit} secret")
    return fill(template, unit=names.unit_name(unit), opponent=opponent)


def asked(*, move: bool) -> str:
    """Return that the player has to do something."""
    return _("Your move.") if move else _("You have to answer.")


def priced(regions: str, honor: int, energy: int) -> str:
    """Return regions with the Honor, and the Energy if any, that it costs to go there."""
    parts = [fill("{honor} honor", honor=spoken(honor))] if honor else []
    parts += [fill("{energy} energy", energy=spoken(energy))] if energy else []
    return f"{regions}: {listed(parts) or 0}"


costs_from = Sentence[Region, str, str]("From {origin}, {units}: {prices}")
"""The prices of all ways of a group."""


PAGE_PHASES: Final = lazy(
    (
        "setup",
        "choosing an action",
        "reveals",
        "aid",
        "choices for the combat",
        "losses",
        "retreat",
        "stay or leave",
        "sneak attack",
        "thunderbolt",
        "succession",
        "over",
    )
)
"""What is asked, by the number of the phase, as a web page says it."""
PAGE_WORDS: Final = lazy(
    {
        "board": "the board",
        "turn": "turn {number}, {side}",
        "stock": "{side}: Honor {honor}, Energy {energy}",
        "eliminated": "eliminated: {units}",
        "unseen": "hidden unit",
    }
)
"""What else a web page says of a position."""
