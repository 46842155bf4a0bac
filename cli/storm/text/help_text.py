"""Help for each phase, and for single words (``help WORD``)."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Final

from cli.storm import grammar, vocabulary
from cli.storm.text import names
from cli.storm.text.typed import ANSWERS
from cli.text.wording import Lazy, fill, lazy, quoted
from storm_p2p.storm.board import ALTITUDE, BANK, NEIGHBOURS, REALM, Faction, Region, climbs
from storm_p2p.storm.rules import combat, honor
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CHARMERS, EVERY_MANEUVER, NAME, ROSTER, Maneuver, Unit, units_in

NOBODY_HELPS: Final = lazy(
    "None of your units there can, so the answer is no. You are asked anyway: otherwise your opponent would know."
)

LAST_BOARD_SMALL: Final = lazy("The final board (ZEU is yours, -zeu an enemy; +2: two more there):")
LAST_BOARD_SPOKEN: Final = lazy("The final board:")
LAST_BOARD: Final = lazy("The final board (ZEU or Zeus is yours, -zeu or <Zeus> an enemy):")

_VIEWS: Final = lazy(
    (
        "Look: board, who REGION, costs UNITS, options, hint, units, card UNIT, table, eye, log N, help WORD.",
        "Short: l last, c clocks, o opponent, p UNIT where, s COLUMN scan, t turn, r repeat. replay N: back to step N.",
        "Talk: say TEXT or /TEXT, chat. The match: draw, accept, decline, resign, bye (leave; the match is saved).",
        "plain switches to plain lines, full to the full screen; note REGION TEXT keeps a note for yourself, notes lists "
        "them.",
        "After an action, ? only shows its price, and ! sends it without asking. See help confirm, help lang.",
    )
)
_WAITING: Final = lazy("You are waiting for the other side.")

_PHASES: Final[Mapping[Phase, tuple[Lazy, ...]]] = {
    Phase.SETUP: lazy(
        (
            "Put nine of your twelve units on the nine regions of your realm: {unit} {home}.",
            "Name two units to swap them: {unit} {other}. random, mirror and clear change them all. seal ends the setup.",
            "save NAME keeps this setup for other matches, load NAME brings it back; a setup you seal is saved "
            "automatically.",
        )
    ),
    Phase.TURN: lazy(
        (
            "Move: move {start} {end}, move {start} {end} {unit} {other}, {start}>{end} {code} {code2}, or {unit} {end}. "
            "No names: all your units there.",
            "{powers}",
            "Type a unit's English or German name, a unique beginning of it, or its three letters on the board.",
        )
    ),
    **{phase: (said,) for phase, said in ANSWERS.items()},
    Phase.FIGHT: (
        ANSWERS[Phase.FIGHT],
        lazy("Energy is spent whatever happens. Both choices are shown together unless the table says otherwise."),
    ),
}
_POWERS: Final = lazy(
    {
        Faction.CHTHONIANS: "Or: reveal UNIT (free, before the action), liturgy, recall UNIT, sneak REGION.",
        Faction.OLYMPIANS: "Or: reveal UNIT (free, before the action), liturgy, bolt REGION, drain REGION, pass.",
    }
)
_CLAIMS: Final = lazy(
    {
        Faction.CHTHONIANS: "claim, typed after a leader's move into the Palace, shows the leader and wins: "
        "move 9 15 hades claim.",
        Faction.OLYMPIANS: "claim, typed after a move, uses a power that the move triggers and shows the unit: Poseidon along "
        "the Styx, Demeter into an empty Underworld region, as in: move 2 7 poseidon claim.",
    }
)

_WORDS: Final = lazy(
    {
        "move": "move FROM TO UNITS moves units; without names, all your units there go. UNITS TO is enough: {unit} {end}.",
        "reveal": "reveal UNIT shows a unit to everybody; free, before your action; needed to fly and for the ferry.",
        "bolt": "bolt REGION throws a thunderbolt next door; the enemy names the victim. See table for the price.",
        "recall": "recall UNIT brings an eliminated unit back to Tartarus. See table for the price.",
        "sneak": "sneak REGION is the sneak attack of the Erinyes, alone and on foot: one enemy falls before the combat.",
        "drain": "drain REGION moves Demeter alone into an empty region of the Underworld and takes Energy; she is "
        "revealed.",
        "claim": "{claims} claim, typed alone, claims the match when your opponent is out of time or gone.",
        "liturgy": "liturgy brings Energy and costs Honor; it takes the whole turn. See table.",
        "pass": "pass does nothing; only the Olympians may, and only when all of them are in Tartarus.",
        "fight": "fight SIDE MANEUVER ENERGY is the long form; std, ret, chase, att or def and the Energy is the short "
        "one.",
        "lose": "lose UNIT names the unit you lose.",
        "retreat": "retreat REGION goes there. While you choose a maneuver, retreat ENERGY chooses to retreat. An attacker "
        "goes back to the region the attack came from, or to one next to it; a defender goes to a neighbouring region that "
        "is neither that one nor next to it. No unit retreats over the Styx, to enemies, or to a region that would then "
        "hold more than four. If no region is left, it counts as standard.",
        "stay": "stay keeps your units in the region after you beat a chase.",
        "aid": "aid NAME shows the unit next door, and its help counts; aid none keeps it secret.",
        "block": "block stops a sneak attack and shows who blocks it.",
        "confirm": "confirm always asks before every action; confirm costs asks only before combats and actions that cost "
        "or show something.",
        "lang": "lang en switches to English for now, lang de to German; the menu and --lang set it for good.",
        "board": "board shows the board. ZEU or Zeus: yours, * known to the enemy. -zeu or <Zeus>: enemy, -??? or <?>: "
        "hidden. ~: the Styx.",
        "who": "who REGION says who stands in and around a region.",
        "costs": "costs UNITS, or costs REGION, shows the price of every region they can go to; in a combat, the table.",
        "options": "options lists what you may do besides plain moves.",
        "units": "units lists all 24 units and what you know about them.",
        "card": "card UNIT shows what a unit can do.",
        "table": "table shows what costs or brings Honor.",
        "eye": "eye shows which of your units the enemy knows.",
        "hint": "hint says what the computer would play here and why; it knows no more than you do. Against another person "
        "both of you must have agreed to it (host --aids).",
        "log": "log N shows the last N lines of what happened.",
        "last": "last, or l, says what the last message did.",
        "opponent": "opponent, or o, says what you know about the other side.",
        "where": "where UNIT, or p UNIT, says where a unit is, as far as you know.",
        "scan": "scan COLUMN, or s COLUMN, says who stands in a column, from the top; columns are 1 to 5, or a to e.",
        "turn": "turn, or t, says whose turn it is, with both sides' Honor and Energy.",
        "repeat": "repeat, or r, says the last lines again. r UNIT reveals a unit.",
        "undo": "undo drops what you have not sent; what is sent is signed and cannot be taken back.",
        "help": "help says what you can do now; help WORD explains a command.",
        "accept": "accept agrees to the draw or break on offer; for a draw you have to type the word yes.",
        "decline": "decline refuses the draw or break on offer.",
        "succeed": "succeed UNIT names who leads next, where there is a choice.",
        "place": "place UNIT REGION puts a unit on the board during setup; UNIT REGION is enough.",
        "save": "save NAME keeps the setup so far for other matches.",
        "load": "load NAME brings back a setup you saved.",
        "mouse": "mouse turns the full screen's mouse support on or off; so does Alt-m.",
        "unicode": "unicode switches the full screen between plain ASCII and fine lines with tints.",
        "motion": "motion on animates moves on the full screen, and motion off shows them at once.",
        "theme": "theme dark, theme light, theme contrast and theme lines change the colours of the board on the full screen.",
        "hide": "hide, or -, hides the full screen's combat window, or shows it again.",
        "chat": "chat shows what you and the other player have said.",
        "note": "note REGION TEXT keeps a note on a region, for you alone; without TEXT it removes the note. who REGION "
        "shows it.",
        "notes": "notes lists your notes on regions.",
        "plain": "plain switches to plain lines, for a screen reader or a small window; full returns to the full screen.",
        "full": "full shows the match on the full screen, in a window of 80x24 or more; plain switches to plain lines.",
        "replay": "replay looks back at the match so far, step by step, as you saw it then; replay N begins at step N.",
        "say": "say TEXT, or /TEXT, sends a line to the other player.",
        "guide": "guide turns the guide on or off: in a match against the computer, it tells you what matters.",
        "same": "same confirms that you and the other player see the same words, so nobody sits between you.",
        "differ": "differ says that you and the other player see different words, and ends the match.",
        "mute": "mute hides what the other player says, or shows it again.",
        "draw": "draw offers a draw; accept agrees to one on offer, decline refuses it.",
        "resign": "resign gives up; you have to type the word yes.",
        "pause": "pause proposes to stop the clocks until one of you goes on; the other player accepts or declines, and "
        "the next move withdraws it.",
        "adjourn": "adjourn proposes to leave and go on another day; you both sign it.",
        "continue": "continue ends a pause; so does a move.",
        "clocks": "clocks shows both clocks.",
        "concede": "concede signs that the other player's claim to the match is right; you have to type the word yes.",
        "deny": "deny rejects the other player's claim to the match; so does playing on.",
        "next": "next, at the end of a tournament game, begins your next game against the same player.",
        "rematch": "rematch, at the end of a match, offers another one to the same player, with the sides swapped.",
        "again": "again, at the end of a match against the computer, starts another one on the same terms.",
        "analyse": "analyse, at the end of a match, shows how the chances changed and which decisions cost the most.",
        "menu": "menu, at the end of a match, goes to the menu.",
        "bye": "bye leaves the match, which is saved; storm-p2p resume continues it.",
        "seal": "seal ends your setup; only a fingerprint of it is sent, and nobody can change it later.",
        "random": "random places nine units at random.",
        "mirror": "mirror swaps the left and right of your setup.",
        "clear": "clear takes all units off the board.",
    }
)

_MANEUVERS: Final = lazy(
    {
        Maneuver.STANDARD: "std 0, standard: the side with less power loses one unit, and the rest fight on; costs no "
        "Honor.",
        Maneuver.RETREAT: "ret 0, retreat: for {retreat} Honor all your units leave for a region next door and nobody "
        "dies; a chase forces a fight.",
        Maneuver.CHASE: "chase 0: like standard with {chase} less power, but the enemy cannot simply retreat; costs no "
        "Honor.",
        Maneuver.ATTACK: "att 0, all-out attack: {all_out} Honor, power doubled; the enemy loses one unit if you win, and"
        " all of yours there die unless the enemy retreats or plays all-out defense.",
        Maneuver.DEFENSE: "def 0, all-out defense: {all_out} Honor, power doubled; if you win nobody dies, if you lose you"
        " lose one unit.",
    }
)
"""What each maneuver does (rules STD-1 to AOD-4), in one line."""


def help_for(phase: Phase | None, faction: Faction, *, deciding: bool, choices: str = "") -> list[str]:
    """Return the help of a phase with examples of the own side; the phase is None while nothing is asked yet.

    ``deciding`` says that the player's answer is awaited; ``choices`` are examples of what they can choose in a combat.
    """
    if phase is None or not deciding:
        return [str(_WAITING), *map(str, _VIEWS)]
    gaps = {**_examples(faction), "choices": choices}
    return [*(fill(line, **gaps) for line in _PHASES.get(phase, ())), *map(str, _VIEWS)]


def help_on(word: str, faction: Faction) -> list[str]:
    """Return the help on a word; on a combat and on a maneuver, what maneuvers do."""
    if word in ("combat", "kampf", "fight"):
        return [fill(_WORDS["fight"]), *map(_maneuver, EVERY_MANEUVER)]
    if word in grammar.MANEUVERS and not word.isdigit():
        said = _maneuver(grammar.MANEUVERS[word])
        # To retreat is a maneuver, and the answer to where to as well.
        return [said, fill(_WORDS[word])] if word in _WORDS else [said]
    verb = word if word in _WORDS else vocabulary.find_verb(word) or vocabulary.console_word(word) or word
    if verb in _WORDS:
        return [fill(_WORDS[verb], **_examples(faction))]
    near = difflib.get_close_matches(verb, sorted(_WORDS), 1, 0.6)
    known = ", ".join(sorted(map(vocabulary.say, _WORDS)))
    if near:
        sentence = lazy("There is no command {word}. Did you mean {near}? The commands are: {known}.")
        return [fill(sentence, word=quoted(word), near=vocabulary.say(near[0]), known=known)]
    sentence = lazy("There is no command {word}. The commands are: {known}.")
    return [fill(sentence, word=quoted(word), known=known)]


def _maneuver(maneuver: Maneuver) -> str:
    penalties = {"retreat": honor.RETREAT_PENALTY, "all_out": honor.ALL_OUT_PENALTY}
    return fill(_MANEUVERS[maneuver], chase=-combat.CHASE_MODIFIER, **penalties)


def _examples(faction: Faction) -> Mapping[str, object]:
    """Return units and regions for the examples, those of the own side."""
    units = ROSTER[faction][:2]
    unit, other = (vocabulary.say_argument(NAME[one]) for one in units)
    code, code2 = (names.code(one).lower() for one in units)
    start, end = _first_step(faction)
    return {
        "unit": unit,
        "other": other,
        "code": code,
        "code2": code2,
        "home": REALM[faction][0],
        "start": start,
        "end": end,
        "powers": str(_POWERS[faction]),
        "claims": str(_CLAIMS[faction]),
    }


def _first_step(faction: Faction) -> tuple[Region, Region]:
    """Return a step out of the own realm, forward."""
    border = max(BANK & set(REALM[faction]), key=lambda region: ALTITUDE[region] * (1 - 2 * faction))
    return border, next(there for there in NEIGHBOURS[border] if climbs(faction, border, there) > 0)


_QUESTIONS: Final = lazy(
    {
        Phase.AID: "Should {charmer} help from next door? That would reveal her.",
        Phase.LOSE: "You lose one unit in {region}. Which one?",
        Phase.RETREAT: "Your units leave {region}. Where to?",
        Phase.STAY: "You won in {region} despite the chase: do you leave, or stay so that the enemy loses a unit?",
        Phase.SNEAK: "A sneak attack hits {region}. Which unit is eliminated?",
        Phase.BOLT: "A thunderbolt hits {region}. Which unit is eliminated?",
    }
)


def question(phase: Phase, region: int) -> str:
    """Return the question of a phase, about a region."""
    return fill(_QUESTIONS[phase], region=region, charmer=names.any_of(units_in(CHARMERS)))


def helper(charmers: Sequence[Unit], region: Region, males: Sequence[Unit], amount: int) -> str:
    """Return where the charmer stands and what she would add to whose strength."""
    sentence = lazy("{charmer} stands in {region}; she would add {amount} to your strength, for {units}.")
    return fill(sentence, charmer=names.any_of(charmers), region=region, amount=amount, units=names.crowd(males))


def first_turn(faction: Faction) -> str:
    """Return what can be typed, for the first question."""
    start, end = _first_step(faction)
    sentence = lazy("Type help for the commands, board for both sides, or an action such as: move {start} {end}.")
    return fill(sentence, start=start, end=end)
