"""What is said of the files of a tournament: how they travel, which are not taken, and what is noticed about them.

What is noticed has the codes of SPEC.md, "What is noticed".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from cli.clean import clean
from cli.text import commands, failures, wording
from cli.text.wording import Lazy, Sentence, count, fill, lazy
from protocol.tournament.findings import Finding, Place

_MOST: Final = 8
"""Names of files that are told."""

_PROBLEMS: Final = lazy(
    {
        "missing": "There is nothing at {address}. Check the spelling, and that the disk is connected.",
        "scheme": "{address} is not an address for a tournament's files. Give a folder, a zip, an https address or "
        "a git repository.",
        "insecure": "{address} is not encrypted. Use https; plain http works only for this machine and your own network.",
        "no_git": "{address} is a git repository, but git is not installed here. Install it, or ask for the files as a "
        "zip.",
        "git": "git cannot use {address} ({why}). Check the address, and whether you may read what is there.",
        "refused": "{address} does not take your new files ({why}). They stay in your folder. Ask its owner to let you "
        "write there.",
        "lost_race": "Others keep changing {address}, so your new files could not be sent. Try again in a minute.",
        "late": "{address} took too long. What has arrived is in your folder; try again later.",
        "unreachable": "{address} cannot be reached ({why}).",
        "status": "The server did not send {address} (it answered {why}). Check the address.",
        "redirect": "{address} leads to an address that is not encrypted, or only to further addresses ({why}). "
        "Give the address where the files are.",
        "no_list": "{address} lists no tournament files. Give the address of the folder where they are; that of a git "
        "repository ends in .git.",
        "zip": "{address} is not a zip that this program can read. Ask the sender for another copy.",
        "too_much": "{address} holds far more than a tournament, so nothing more was taken from it.",
        "unusable": "{address} cannot be used ({why}).",
    }
)
_REFUSED: Final = lazy(
    {
        "foreign": "Not taken (damaged, or neither a document nor a log): {files}. Ask for another copy.",
        "unsigned": "Not taken (wrong signature): {files}. Ask for another copy.",
        "other_event": "Not taken (from another tournament): {files}.",
        "too_long": "Not taken (too long): {files}.",
        "version": "Not taken (from a newer version of this program): {files}. Update yours.",
        "stranger": "Not taken (the author is not in this tournament, or has written too much): {files}. If the author is "
        "a player, get their entry into your folder first and try again.",
    }
)

moved = Sentence[str, int, int]("New files from {address}: {came}. New files sent there: {sent}.")
came = Sentence[str, int]("New files from {address}: {came}.")
sent = Sentence[str, int]("New files sent to {address}: {sent}.")
READ_ONLY: Final = lazy(
    "Nothing can be sent there. Send your own new files to the others another way, for example with storm-p2p "
    "event bundle."
)
MORE: Final = lazy("There are more files than the program takes at once. Run the command again for the rest.")
LATER: Final = lazy("Your new files have not been sent yet. The next command about the tournament sends them.")
no_remote = Sentence[str](
    "Where should {folder} exchange its files? Give an address once: a git repository, an https address, a zip, or "
    "another folder. A program that serves the tournament needs no address: give its line each time."
)
remembered = Sentence[str, str](
    "From now on, every command about {folder} also exchanges files with {address}. Add --offline to leave that out."
)
forgotten = Sentence[str]("{folder} no longer exchanges files with any address.")

paste_this = Sentence[str](
    "Or paste this into a chat. The others type storm-p2p event take {folder} and paste it there:"
)
PASTE: Final = lazy("Paste the line: ")
REST: Final = lazy("The line is incomplete. Paste the rest, or press Enter to try it as it is: ")
took = Sentence[str]("Added: {file}")
HELD: Final = lazy("That is already in the folder.")
_NO_LINE: Final = lazy("That text holds no line of a tournament. Such a line begins with SOE1-.")
_THE_LINE: Final = lazy("the line")
SERVING: Final = lazy(
    "Send this line to the players; it stays the same for the whole tournament. They exchange files with you by "
    "typing storm-p2p event sync FOLDER LINE. This program waits for them until you stop it with Ctrl-C:"
)
met = Sentence[int, int]("New files of the tournament from the other program: {came}. New files sent to it: {given}.")
NOT_SERVED: Final = lazy(
    "No program serves the tournament there now, so no files were exchanged. Ask the person who gave you the line "
    "whether storm-p2p event serve is running, and whether this is its latest line."
)
OTHER_TOURNAMENT: Final = lazy(
    "This line is for a different tournament from the one in the folder, so nothing was exchanged."
)
_broken_off = Sentence[Lazy](
    "The two programs stopped exchanging files of the tournament: {why} Files that had arrived whole are kept, and "
    "a match goes on without the rest."
)
_BROKEN_OFF: Final = lazy(
    {
        "timeout": "it took too long.",
        "closed": "the connection broke.",
        "folder": "the folder cannot be read or written.",
        "too_many": "the other program sent more than is allowed at once.",
        "other": "the other program sent something that does not belong there.",
    }
)

watching = Sentence[str, int]("Checking {folder} every {seconds} seconds. Ctrl-C stops this.")
is_ready = Sentence[str, str]("{other} is ready for game {place}.")
soon = Sentence[str, str, str]("Less than a day is left for game {place} against {other}: the deadline is {until}.")


def not_taken(code: str) -> str:
    """Return why a line was not taken: what is wrong with it, or with the document in it."""
    if code == "not-found":
        return str(_NO_LINE)
    return refused(code, [str(_THE_LINE)]) if code in _REFUSED else failures.sentence(code, "")


def broken_off(code: str) -> str:
    """Return why files are no longer exchanged with a program that was met."""
    return _broken_off(_BROKEN_OFF.get(code, _BROKEN_OFF["other"]))


def address_of(address: str) -> str:
    """Return an address as it is shown: without a password."""
    try:
        parts = urlsplit(address)
        if parts.password is not None:
            return clean(address.replace(f":{parts.password}@", "@"))
    except ValueError:
        pass
    return clean(address)


def problem(code: str, address: str, why: str) -> str:
    """Return why a carrier could not be used."""
    return fill(_PROBLEMS[code], address=address_of(address), why=clean(why))


def refused(fate: str, names: Sequence[str]) -> str:
    """Return which files were not taken, and why."""
    told = wording.capped(sorted(map(clean, names)), _MOST)
    return fill(_REFUSED[fate], files=wording.listed(told) if len(told) == len(names) else ", ".join(told))


SHORT: Final = 8
"""The digits of an id that are shown."""

_DAMAGED: Final = lazy("this is not a complete document. Ask the sender for another copy.")
_REASONS: Final = lazy(
    {
        "bad_signature": "the signature is wrong. Somebody has changed this, or it was damaged; ask for another copy.",
        "unknown_document": "this is no document, or one of a kind that only a newer program knows. Update yours, or "
        "ask the sender for another copy.",
        "version": "a newer version of this program wrote this. Update yours.",
        "other_event": "this belongs to another tournament, or to none.",
        "other_author": "{author} may not write this.",
        "unlinked": "the document before it is missing, or there are two versions of it.",
        "too_early": "an earlier step is missing.",
        "too_late": "that step was already done.",
        "close_twice": "{key} is listed twice.",
        "other_close": "this coin is for another list of entries.",
        "other_entry": "this coin is for somebody else's entry.",
        "wrong_coin": "this is not the coin that the entry fixed.",
        "bad_coin": "this lists a coin that does not count.",
        "round_order": "this is round {round}, but round {wanted} comes next.",
        "deadline": "round {round} would end before its announced deadline.",
        "basis": "round {round} rests on results that do not fit the earlier rounds.",
        "ruling_order": "round {round} lists rulings in the wrong order, or twice.",
        "pairings": "the pairings of round {round} do not follow from the rules.",
        "undecided": "round {round} was published before all earlier games had results.",
        "finished": "there is no round {round}; the tournament is over.",
        "too_many_players": "that many players would need too many rounds.",
        "no_pairing": "for round {round} no pairings are possible.",
        "engine_failed": "the pairings of round {round} could not be computed here.",
        "ruling_place": "round {round} has no table {table}, or this player is not at it.",
        "rules_missing": "this program does not have the rules of that match. Update the program.",
        "altered": "the log was changed, cut short or damaged. Ask both players for their logs.",
        "other_round": "round {round} is not published here, or does not count.",
        "other_document": "the match was played under a different document of round {round} than the one that "
        "counts here. Ask both players for their document: two with the same number prove that the organiser "
        "cheated.",
        "other_table": "round {round} has no table {table}.",
        "other_game": "game {game} at table {table} of round {round} is not played.",
        "one_identity": "the same key played both sides of game {place}.",
        "other_players": "game {place} belongs to other players.",
        "other_sides": "in game {place} the sides were swapped.",
        "other_terms": "game {place} was not played on the terms of the tournament.",
        "unknown_winner": "the winner that is named does not exist.",
        "settled": "round {made} was paired with another result of game {place}, and that one stands.",
        "settled_end": "the result of game {place} is final, because the tournament has ended.",
        "too_late_ruling": "this ruling came after the end of the tournament.",
        "second_match": "another match already gives the result of that game.",
    }
)
"""Why a document or log is not counted."""
_SAID: Final = lazy(
    {
        "entered_twice": "{key} has entered more than once; one entry counts.",
        "ruling_missing": "Round {round} does not count yet: it rests on a ruling that is not in this folder. Ask the "
        "organiser for it.",
        "ruling_unfit": "{subject} has no effect: this ruling does not fit the tournament or the player, or comes at "
        "the wrong time.",
        "log_twice": "The same log is here under several names ({files}). It counts once.",
        "unconfirmed": "{subject} does not prove its result: the player it disadvantages has not signed it.",
        "unaudited": "{subject} does not prove its result: the player it favours has not opened their units.",
        "document_missing": "Document {number} by {author} is missing, so the later ones do not count. Ask the "
        "organiser for it.",
        "document_unlinked": "Document {number} by {author} does not follow the one before it. Ask the organiser for "
        "the right one.",
        "equivocation": "{author} has signed two different documents with number {number}: that proves cheating. "
        "Nothing from number {number} on counts.",
        "entry_missing": "The list of entries names one that is not in this folder. Ask the organiser for it.",
        "coin_missing": "The list of coins names one that is not in this folder. Ask the organiser for it.",
        "game_missing": "Game {place}, {first} against {second}: no log yet.",
        "game_open": "Game {place}, {first} against {second}: begun but not finished.",
        "game_unconfirmed": "Game {place}, {first} against {second}: the result is not proved.",
        "game_unconfirmed_owes": "Game {place}, {first} against {second}: the result is not proved; {owes} has to "
        "sign it (storm-p2p resume).",
        "game_unaudited_owes": "Game {place}, {first} against {second}: the result does not count until {owes} opens "
        "what was hidden (storm-p2p resume).",
        "game_dispute": "Game {place}, {first} against {second}: there are two results, and the arbiter has to decide.",
        "game_dispute_basis": "Game {place}, {first} against {second}: the organiser recorded a different result "
        "than the log here proves. Ask for the log that the organiser saw; without it, the arbiter has to decide.",
        "game_dispute_rulings": "Game {place}, {first} against {second}: there are two rulings, and an arbiter has to "
        "replace one (storm-p2p event rulings).",
        "pairings_unchecked": "The pairings of round {round} could not be checked here: they need {engine}. To check "
        "them: {command}",
        "notice_unfit": "{subject} has no effect: the organiser's notice does not fit this system, or there are "
        "enough arbiters already.",
        "notice_forbidden": "The organiser keeps {key} and {other} apart: they are never paired.",
        "notice_rating": "The organiser has set the rating of {key} to {rating}.",
        "notice_unrated": "The organiser counts {key} as unrated.",
        "notice_arbiter": "The organiser has named a further arbiter: {key}.",
        "cheated": "{player} cheated in game {place}; storm-p2p verify says how. The result already takes this into "
        "account.",
        "cheated_late": "{player} cheated in game {place}, which showed after its result was settled; storm-p2p "
        "verify says how. The result stands unless an arbiter ruled before the end.",
        "event_twice": "{author} has announced two tournaments with this name; the other one is {event}. Check that "
        "everybody plays in the same one.",
        "name_twice": "Two different keys play under the name {name}.",
        "name_alike": "The name {name} could be mistaken for someone else's: it looks like another player's, or mixes "
        "several scripts.",
        "entry_left_out": "The organiser left out an entry by {key}.",
        "coin_left_out": "The organiser left out the coin of {key}, who therefore cannot play.",
        "basis_differs": "When round {made} was paired, game {place} had {taken}; now it has {now}. The pairings stay.",
        "basis_differs_end": "When the tournament ended, game {place} had {taken}; now it has {now}.",
        "ruling_left_out": "Round {round} was paired without a ruling that affects it.",
    }
)
_OUTCOMES: Final = lazy(
    {
        "none": "no result",
        "first": "a win for the first player",
        "draw": "a draw",
        "second": "a win for the second player",
        "forfeit_first": "a forfeit win for the first player",
        "forfeit_second": "a forfeit win for the second player",
        "double_forfeit": "a double forfeit",
    }
)


@dataclass(frozen=True, slots=True)
class Lookup:
    """What ids and numbers are called."""

    files: Mapping[bytes, tuple[str, ...]]
    """Names of files by the hash of what is in them, and by the id of a document."""
    keys: Mapping[bytes, str]
    """Names of players by key, and by the id of an entry."""
    numbers: Mapping[int, str]
    """Names of players by number."""

    def names(self, subject: bytes) -> list[str]:
        """Return what a file is called; it may lie there under several names."""
        found = self.files.get(subject, (fill("The document or log {id}", id=subject.hex()[:SHORT]),))
        return sorted(map(clean, found))

    def file(self, subject: bytes) -> str:
        """Return what a file is called, as one thing."""
        first, *others = self.names(subject)
        return wording.also_called(first, others)

    def person(self, key: bytes) -> str:
        """Return what somebody is called: the name under which they entered, else the beginning of their key."""
        name = self.keys.get(key)
        return fill("the key {key}", key=wording.fingerprint(key)) if name is None else clean(name)

    def player(self, number: int) -> str:
        """Return what the player with a number is called."""
        return clean(self.numbers.get(number, str(number)))


def _code_of(found: Finding) -> str:
    """Return under which code the sentence about a finding stands."""
    code = found.code
    if code == "entered_twice" and found.fact("entry") is not None:
        code = "close_twice"
    if code == "game_unconfirmed" and found.fact("owes"):
        code = "game_unaudited_owes" if found.fact("reason") == "unaudited" else "game_unconfirmed_owes"
    if code in ("settled", "basis_differs") and found.fact("made") == 0:
        code += "_end"
    if code == "too_late" and found.fact("kind") == "ruling":
        code = "too_late_ruling"
    if code == "notice_rating" and not found.fact("rating"):
        code = "notice_unrated"
    if code == "game_dispute":
        code += {"two_rulings": "_rulings", "basis": "_basis"}.get(str(found.fact("reason")), "")
    return code


def say_findings(found: Iterable[Finding], known: Lookup) -> list[str]:
    """Return findings in words, by what they are about; what does not count for one reason is named in one sentence."""
    said: dict[tuple[bool, str], list[str]] = {}
    for one in sorted(found, key=lambda one: (one.code, _place_of(one), known.names(one.subject))):
        code, names = _code_of(one), known.names(one.subject)
        whole = code in _SAID
        sentence = fill(_SAID[code] if whole else _REASONS.get(code, _DAMAGED), **_gaps(one, known))
        said.setdefault((whole, sentence), []).extend(names)
    return [
        sentence
        if whole
        else count(
            "{subject} is not counted: {reason}",
            "{subject} are not counted: {reason}",
            len(names),
            subject=wording.listed(wording.some(names)),
            reason=sentence,
        )
        for (whole, sentence), names in said.items()
    ]


def _place_of(found: Finding) -> Place:
    facts = (found.fact(name) for name in Place._fields)
    return Place._make(fact if isinstance(fact, int) else 0 for fact in facts)


def _gaps(found: Finding, known: Lookup) -> dict[str, str]:
    """Return what fills the sentence about a finding."""
    values = {"subject": known.file(found.subject), "files": wording.listed(known.names(found.subject))}
    for name, fact in found.facts:
        if isinstance(fact, bytes):
            values[name] = known.person(fact) if name in ("key", "author", "other") else fact.hex()[:SHORT]
        elif name in ("first", "second", "owes", "player") and isinstance(fact, int):
            values[name] = known.player(fact)
        elif name in ("taken", "now"):
            values[name] = str(_OUTCOMES.get(str(fact), fact))
        else:
            values[name] = clean(str(fact))
    if "engine" in values:
        values["command"] = commands.engine_to_install(values["engine"])
    if "round" in values and "table" in values:
        values["place"] = str(_place_of(found))
    return values
