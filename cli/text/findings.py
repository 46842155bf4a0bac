"""What is noticed about a tournament and its folder, in words: SPEC.md, "What is noticed", lists the codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cli.clean import clean
from cli.text import clocks, names
from cli.text.wording import Lazy, fill, lazy

if TYPE_CHECKING:
    from protocol.tournament.findings import Finding

_SHORT: Final = 8
"""The digits of an id that are shown."""

_DAMAGED: Final = lazy("{subject} is not counted: it is not a complete document. Ask the sender for another copy.")
_SAID: Final = lazy({
    "bad_signature": "{subject} is not counted: its signature is wrong. Somebody has changed it, or it was damaged; "
    "ask for another copy.",
    "version": "{subject} is not counted: a newer version of this program wrote it. Update yours.",
    "other_event": "{subject} is not counted: it belongs to another tournament, or to none.",
    "other_author": "{subject} is not counted: {author} may not write it.",
    "unlinked": "{subject} is not counted: it follows a document that is missing or contradicted.",
    "too_early": "{subject} is not counted: it needs an earlier step that is missing.",
    "too_late": "{subject} is not counted: that step was already done.",
    "entered_twice": "{key} has entered more than once; one entry counts.",
    "close_twice": "{subject} is not counted: it lists {key} twice.",
    "other_close": "{subject} is not counted: it opens a coin for another list of entries.",
    "other_entry": "{subject} is not counted: it opens a coin for somebody else's entry.",
    "wrong_coin": "{subject} is not counted: the coin is not the one that the entry fixed.",
    "bad_coin": "{subject} is not counted: it lists a coin that does not count.",
    "round_order": "{subject} is not counted: it is round {round}, but round {wanted} comes next.",
    "deadline": "{subject} is not counted: round {round} would end before its announced deadline.",
    "basis": "{subject} is not counted: round {round} rests on results that do not fit the earlier rounds.",
    "ruling_order": "{subject} is not counted: round {round} lists rulings in the wrong order, or twice.",
    "ruling_missing": "Round {round} does not count yet: it rests on a ruling that is not in this folder. Ask the "
    "organiser for it.",
    "pairings": "{subject} is not counted: the pairings of round {round} do not follow from the rules.",
    "undecided": "{subject} is not counted: round {round} was published before all earlier games had results.",
    "finished": "{subject} is not counted: there is no round {round}; the tournament is over.",
    "too_many_players": "{subject} is not counted: that many players would need too many rounds.",
    "no_pairing": "{subject} is not counted: for round {round} no pairings are possible.",
    "engine_failed": "{subject} is not counted: the pairings of round {round} could not be computed here.",
    "ruling_place": "{subject} is not counted: round {round} has no table {table}, or this player is not at it.",
    "ruling_unfit": "{subject} has no effect: this ruling does not fit the tournament or the player, or comes at the "
    "wrong time.",
    "rules_missing": "{subject} cannot be checked: this program does not have the rules of that match. Update the "
    "program.",
    "altered": "{subject} is not counted: the log was changed, cut short or damaged. Ask both players for their logs.",
    "other_round": "{subject} is not counted: it is for round {round}, which has not been published.",
    "other_document": "{subject} is not counted: it was played under a different document of round {round} from the "
    "one that counts here. Ask both players for that document: two with the same number prove that the organiser "
    "cheated.",
    "other_table": "{subject} is not counted: it is for table {table} of round {round}, which does not exist.",
    "other_game": "{subject} is not counted: it is for game {game} at table {table} of round {round}, which is not "
    "played.",
    "one_identity": "{subject} is not counted: the same key played both sides of game {place}.",
    "other_players": "{subject} is not counted: game {place} belongs to other players.",
    "other_sides": "{subject} is not counted: in game {place} the sides were swapped.",
    "other_terms": "{subject} is not counted: game {place} was not played on the terms of the tournament.",
    "unknown_winner": "{subject} is not counted: it names a winner who does not exist.",
    "log_twice": "The same log is here under several names ({subject}). It counts once.",
    "second_match": "{subject} is not counted: another match already gives the result of its game.",
    "unconfirmed": "{subject} does not prove its result: the player it disadvantages has not signed it.",
    "unaudited": "{subject} does not prove its result: the player it favours has not opened their units.",
    "document_missing": "Document {number} by {author} is missing, so the later ones do not count. Ask the organiser "
    "for it.",
    "document_unlinked": "Document {number} by {author} does not follow the one before it. Ask the organiser for the "
    "right one.",
    "equivocation": "{author} has signed two different documents with number {number}: that proves cheating. Nothing "
    "from number {number} on counts.",
    "entry_missing": "The list of entries names one that is not in this folder. Ask the organiser for it.",
    "coin_missing": "The list of coins names one that is not in this folder. Ask the organiser for it.",
    "game_missing": "Game {place}, {first} against {second}: no log yet.",
    "game_open": "Game {place}, {first} against {second}: begun but not finished.",
    "game_unconfirmed": "Game {place}, {first} against {second}: the result is not proved.",
    "game_unconfirmed_owes": "Game {place}, {first} against {second}: the result is not proved; {owes} has to sign it "
    "(storm-p2p resume).",
    "game_unaudited_owes": "Game {place}, {first} against {second}: the result does not count until {owes} opens what "
    "was hidden (storm-p2p resume).",
    "game_dispute": "Game {place}, {first} against {second}: there are two results, and the arbiter has to decide.",
    "pairings_unchecked": "The pairings of round {round} could not be checked here: they need {engine}. To check them: "
    "pip install 'storm-p2p[tournament]'",
    "cheated": "{player} cheated in game {place}; storm-p2p verify says how. The result already takes this into "
    "account.",
    "event_twice": "{author} has announced two tournaments with this name; the other one is {event}. Check that "
    "everybody plays in the same one.",
    "name_twice": "Two different keys play under the name {name}.",
    "name_alike": "The name {name} could be mistaken for someone else's: it looks like another player's, or mixes "
    "several scripts.",
    "entry_left_out": "The organiser left out an entry by {key}.",
    "coin_left_out": "The organiser left out the coin of {key}, who therefore cannot play.",
    "basis_differs": "When round {made} was paired, game {place} had {taken}; now it has {now}. The pairings stay.",
    "ruling_left_out": "Round {round} was paired without a ruling that affects it.",
})  # fmt: skip
_OUTCOMES: Final = lazy({
    "none": "no result",
    "first": "a win for the first player",
    "draw": "a draw",
    "second": "a win for the second player",
    "forfeit_first": "a forfeit win for the first player",
    "forfeit_second": "a forfeit win for the second player",
    "double_forfeit": "a double forfeit",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lookup:
    """What ids and numbers are called."""

    files: Mapping[bytes, tuple[str, ...]]
    """Names of files by the hash of what is in them, and by the id of a document."""
    keys: Mapping[bytes, str]
    """Names of players by key."""
    numbers: Mapping[int, str]
    """Names of players by number."""

    def file(self, subject: bytes) -> str:
        """Return what a file is called."""
        found = self.files.get(subject)
        if found is None:
            return fill("The document or log {id}", id=subject.hex()[:_SHORT])
        return names.listed(map(clean, found))

    def person(self, key: bytes) -> str:
        """Return what somebody is called: the name under which they entered, else the beginning of their key."""
        name = self.keys.get(key)
        return fill("the key {key}", key=names.fingerprint(key)) if name is None else clean(name)

    def player(self, number: int) -> str:
        """Return what the player with a number is called."""
        return clean(self.numbers.get(number, str(number)))


def template_of(found: Finding) -> Lazy:
    """Return the template for a finding."""
    code = found.code
    if code == "entered_twice" and found.fact("entry") is not None:
        code = "close_twice"
    if code == "game_unconfirmed" and found.fact("owes"):
        code = "game_unaudited_owes" if found.fact("reason") == "unaudited" else "game_unconfirmed_owes"
    return _SAID.get(code, _DAMAGED)


def say_finding(found: Finding, known: Lookup) -> str:
    """Return a finding in words."""
    facts = dict(found.facts)
    values: dict[str, str] = {"subject": known.file(found.subject)}
    for name, fact in facts.items():
        if isinstance(fact, bytes):
            values[name] = known.person(fact) if name in ("key", "author") else fact.hex()[:_SHORT]
        elif name in ("first", "second", "owes", "player") and isinstance(fact, int):
            values[name] = known.player(fact)
        elif name == "until" and isinstance(fact, int):
            values[name] = clocks.moment(fact)
        elif name in ("taken", "now"):
            values[name] = str(_OUTCOMES.get(str(fact), fact))
        else:
            values[name] = clean(str(fact))
    if "round" in facts and "table" in facts:
        values["place"] = place_of(*(int(facts.get(one, 0)) for one in ("round", "table", "game")))
    return fill(template_of(found), **values)


def place_of(round: int, table: int, game: int) -> str:
    """Return where a game belongs, as it is typed and shown: ``2.1.1``."""
    return f"{round}.{table}.{game}" if game else f"{round}.{table}"
