"""What the tournament commands say: what was done, what somebody has to do now, and what cannot be done."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.clean import clean
from cli.text import clocks, commands, wording
from cli.text.carrying import SHORT, Lookup
from cli.text.wording import Sentence, _, count, fill, lazy
from protocol.core.wire import CHAT_LIMIT
from protocol.core.words import spoken
from protocol.errors import ProtocolError
from protocol.tournament.contents import ABOUT_PLAYERS, Matter
from protocol.tournament.findings import Place

if TYPE_CHECKING:
    from cli.events.tasks import Task
    from protocol.tournament.contents import Ruling
    from protocol.tournament.no_shows import NoShow
    from protocol.tournament.ratings import SideFigures
    from protocol.tournament.rulings import Ruled
    from protocol.tournament.survey import Tournament


SYSTEMS: Final = lazy(
    {
        "round-robin": "round robin",
        "swiss": "Swiss system",
        "knock-out": "knock-out",
        "double-elimination": "double elimination",
    }
)
SEND_FOLDER: Final = lazy("Send the new files in the folder to the others (by mail, shared folder or web server).")
NOTHING_TO_DO: Final = lazy("There is nothing for you to do now.")
TO_DO: Final = lazy("What to do now:")
STILL_MISSING: Final = lazy("Still missing:")
NOT_COUNTED: Final = lazy("Not counted:")
TO_KNOW: Final = lazy("Good to know:")
NOT_A_PLAYER: Final = lazy("You do not play in this tournament.")
engine = Sentence[str]("Swiss pairings need gacrux, which is not installed. Install it and try again: {command}")
engine_table = Sentence[str](
    "The tie-breaks of this tournament need gacrux, which is not installed. Install it and try again: {command}"
)
NO_BYES: Final = lazy(
    "You can miss a round only in a Swiss. Ask your opponent for another time, or ask the arbiter; nothing was written."
)
no_round_to_miss = Sentence[int]("Round {round} is published already, or there is no such round; nothing was written.")
too_many_points = Sentence[str]("A bye is worth at most {points}; nothing was written.")
absent = Sentence[int, str](
    "You have said that you cannot play in round {round}, and asked for a bye worth {points}. An arbiter decides."
)


NO_THIRD_PLACE: Final = lazy("Only a knock-out has a match for third place. Leave out --third-place.")
places = Sentence[int]("At most {number} players: if more enter, the draw decides who plays, and the others wait.")
NO_ROUNDS: Final = lazy("You can choose the number of rounds only in a Swiss, so leave out --rounds.")
NO_CYCLES: Final = lazy("You can let each pair meet twice only in a round robin, so leave out --cycles.")
rounds_full = Sentence[int, int](
    "In a Swiss nobody meets the same player twice, so {players} players have at most {rounds} rounds. Nothing was written."
)
until_early = Sentence[int, str](
    "The announced deadline of round {round} is {when}. --until can move it to a later time, not to an earlier one; nothing "
    "was written."
)
ROUNDS_NEEDED: Final = lazy("A Swiss tournament needs a number of rounds: add --rounds N, such as --rounds 5.")
NO_SUCH_ARBITER: Final = lazy("You are not an arbiter of this tournament, so your ruling would not count.")
NOT_ORGANISER: Final = lazy("Only the organiser of this tournament can do that, and your key is not theirs.")
NO_GAME: Final = lazy("You have no game to play here now. storm-p2p event status says what comes next.")
NO_GAME_YET: Final = lazy(
    "This folder has no game for you to play now. If your next opponent has newer files, send them this invite: "
    "both programs exchange what is missing, and then your game begins."
)
OTHER_RULES: Final = lazy(
    "This tournament uses a game or a version of the rules that this program does not play, so nothing was done. Update "
    "this program, or ask the organiser."
)
NO_CARDS: Final = lazy(
    "The set of cards with which this tournament is played is not in the folder, so nothing was done. Ask the organiser "
    "for all files."
)
cards_long = Sentence[str, int]("{file} is too long for a tournament, which takes cards of at most {most} bytes.")
EVENT_DECIDES: Final = lazy(
    "The tournament sets game, cards, terms, clock, witness, aids and side: leave out --game, --cards, --terms, --clock, "
    "--witness, --aids, --seat, --challenge, --open-combat, --random-setup and --scheme."
)
OTHER_PAIRING: Final = lazy(
    "This invite is not for any game you have to play in this tournament now, so no match was started. Get the "
    "newest files for the folder, then run storm-p2p event status."
)
COIN_BEFORE: Final = lazy(
    "Your coin for this tournament is already open, for another list of entries. It is opened only once: otherwise an "
    "organiser could change the list after seeing the coins. Nothing was written."
)
OTHER_HOST: Final = lazy("This invite is not from anyone you have to play now, so no match was started.")
NO_EVENT_OFFERED: Final = lazy(
    "This invite is for a match outside the tournament, so no match was started. Ask your opponent to host with "
    "--event."
)
NO_FOLDER: Final = lazy(
    "This match belongs to a tournament whose folder is not on this machine. Once it is, storm-p2p event export "
    "FOLDER copies the log into it."
)
WOULD_NOT_COUNT: Final = lazy(
    "That would not count, so nothing was written: either the player is not in that pairing, or it does not fit this "
    "tournament or comes at the wrong time."
)
NO_CLAIM: Final = lazy("Nobody has claimed a forfeit against you, so there is nothing to answer.")
ENTRIES_CLOSED: Final = lazy("Entries are closed, and this tournament takes no late ones; nothing was written.")
COIN_OPENED: Final = lazy("Your coin for the draw is open; the tournament can start when everybody has opened theirs.")
ONE_PLAYER: Final = lazy("A tournament needs at least two players, so nothing was published.")
TERMS_OF_ENTRY: Final = lazy("By entering you agree to these terms:")
HASH_SCHEME: Final = lazy("Scheme hash: hidden units are checked only when both players open them after the game.")

no_event = Sentence[str](
    "There is no tournament in {path}. Copy the organiser's files there, or start one: storm-p2p event new"
)
other_event = Sentence[str, bytes, str](
    "{path} no longer holds {known}, the tournament you used there. Ask the organiser for its files; to use the "
    "tournament that is there now, add --id {other}."
)
several_events = Sentence[str]("{path} holds several tournaments. Add --id and the beginning of the right one's id:")
event_there = Sentence[str]("{path} already holds a tournament. Choose another folder; nothing was written.")
made = Sentence[str, str]('The tournament "{name}" is in {path}.')
until_entries = Sentence[str, str]("Players can enter until {when}: storm-p2p event enter {path}")
players_needed = Sentence[int, int](
    "Plan at least {players} players for {rounds} rounds: with fewer, a round may have no pairing, and then the tournament "
    "ends earlier."
)
too_many_rounds = Sentence[int, int, int](
    "With {players} players, the rounds after round {safe} of {rounds} may have no pairing; then the tournament ends "
    "earlier."
)
entered = Sentence[str, str]('You have entered "{event}" as {name}.')
in_already = Sentence[str]("You have already entered as {name}; nothing was written.")
entries_over = Sentence[str](
    "Entries were open until {when}. Your entry is written, but the organiser may leave it out."
)
entered_late = Sentence[str]("You have entered as {name}. Entries are closed; only an arbiter can let you in now.")
name_taken = Sentence[str]("Somebody else has entered as {name}. Choose another name with --name; nothing was written.")
bad_rating = Sentence[int, int, int]("A rating is a number from {least} to {most}, not {got}.")
too_early = Sentence[str]("You announced that players can enter until {when}. To close entries now, add --early.")
coins_wait = Sentence[Sequence[str], str](
    "Still missing: the coins of {players}, who have until {when}. To start without them, add --early."
)
games_wait = Sentence[int, str](
    "Games without a result: {number}. They may be played until {when}. To publish the next round now, add --early."
)
closed = Sentence[int]("Entries are closed: {number} players. Each of them now runs storm-p2p event status.")
started = Sentence[int]("The tournament has started with {number} players.")
round_made = Sentence[int, str]("Round {round} is published; its deadline is {when}.")
ended = Sentence[str]('"{name}" has ended: its results are final, and no log or ruling changes them any more.')
goes_on = Sentence[int](
    "The tournament is not over. Games without a result: {number}; there may be another round to play. To end it now, as it stands, add --early."
)
ruled = Sentence[str]("The ruling is published as {file}.")
readied = Sentence[str, str, str](
    "You are ready for game {place}. If your opponent has not come by {when}: storm-p2p event claim {path}"
)
claimed = Sentence[str, str]("You claim a forfeit in game {place}. Your opponent can answer until {when}.")
not_ready = Sentence[str, str](
    "You have not yet said that you are ready for game {place}, so nothing was written. Do that first: storm-p2p "
    "event ready {path}"
)
too_soon = Sentence[str, str]("Your opponent still has until {when} to come to game {place}; nothing was written.")
proposed = Sentence[str, str, str](
    "You propose to play game {place} on {when}. Once {opponent} agrees, event status tells you both."
)
appointed = Sentence[str, str]("You both agree to play game {place} on {when}.")
bad_date = Sentence[str]("{got} is not a date and time. Write one such as 2026-12-01 20:00, by your own clock.")
past_date = Sentence[str]("{when} is already over, so nothing was written.")
late_date = Sentence[str]("That is after the deadline of the round, {until}.")
NO_PROPOSAL: Final = lazy("Your opponent has not proposed a time that is still ahead, so there is nothing to agree to.")
several_proposals = Sentence[Sequence[str]](
    "Times are proposed for several games. Say which one with --game: {places}."
)
claimed_already = Sentence[str, str](
    "You have already claimed a forfeit in game {place}, and your opponent can answer until {when}; nothing was written."
)
nothing_claimed = Sentence[str]("Nobody claims a forfeit in game {place} now, so there is nothing to refuse.")
NOT_FORBIDDEN: Final = lazy(
    "Two players can be kept apart only in a Swiss; in the other systems, the schedule or the results decide who "
    "meets. Nothing was written."
)
FORBIDDEN_TWO: Final = lazy("You named the same player twice. Name two different players; nothing was written.")
NOTICE_LATE: Final = lazy(
    "Entries are closed. You can keep players apart and set ratings only before that, because afterwards it could "
    "change the draw. Nothing was written."
)
forbidden = Sentence[str, str]("{one} and {other} will not be paired.")
rated = Sentence[str, int]("In this tournament {name} has the rating {rating}.")
unrated = Sentence[str]("In this tournament {name} counts as unrated.")
ARBITER_ALREADY: Final = lazy("The owner of that key is an arbiter already; nothing was written.")
arbiters_enough = Sentence[int]("A tournament has at most {number} arbiters; nothing was written.")
arbiter_named = Sentence[bytes]("The owner of the key {key} is an arbiter now, too.")
ANNOUNCED: Final = lazy(
    "The announcement is signed. It appears in storm-p2p event status, in the standings, and on the page."
)
answered = Sentence[str]("Your answer about game {place} is published; an arbiter decides.")
signed_before = Sentence[int](
    "You have already signed another document with number {number}. A second one would convict you of cheating, so "
    "nothing was written. Look at the tournament again: storm-p2p event status"
)
put_back = Sentence[Sequence[str]](
    "These files were missing from the folder. This program had seen them before and has put them back: {files}. Send "
    "them to the others."
)
words_to_compare = Sentence[str]("Words to compare: {words}. Everybody with the same documents sees the same words.")
cannot_check = Sentence[str, str](
    'The organiser has this Swiss paired by "{wanted}", which is not installed here. Without it this program cannot '
    "check the pairings, so the organiser could choose them. Nothing was written. Add --unchecked-pairings to enter "
    "anyway, or install gacrux and try again: {command}"
)
unchecked = Sentence[Sequence[str], str, str](
    "Rounds with unchecked pairings: {rounds}. The organiser could have chosen them. The organiser's program for them is "
    '"{engine}". To check them, install gacrux and try again: {command}'
)
other_tournament = Sentence[str](
    'This invite is for a different tournament from yours ("{name}"), so no match was started. If both have the same '
    "name, the organiser may have shown each of you a different one: compare the words that storm-p2p event status "
    "prints."
)
other_document = Sentence[int](
    "Your opponent has a different document for round {round} from yours, so no match was started. Exchange the files "
    "in your folders: two documents with the same number prove that the organiser cheated."
)
log_added = Sentence[str, str]("The log is in the tournament's folder, {path}, as {file}. Send it to the others.")
log_not_added = Sentence[str, str, str]("The log could not be copied to {path} ({why}). Copy it yourself: {log}")
logs_added = Sentence[int]("Logs added to the folder: {number}.")
foreign = Sentence[Sequence[str]]("Ignored, because they are neither documents nor logs: {files}.")
unread = Sentence[Sequence[str]]("Unreadable or too long: {files}.")
ahead = Sentence[str, str]("{player} signed with a time in the future ({when}). Their clock is wrong, or yours is.")
written = Sentence[str]("Written: {file}")
nobody = Sentence[str]("Nobody here matches {got}. Give a player's name or number.")
no_entry = Sentence[str](
    "{got} has not entered, or plays already. Give the name or key of somebody who has entered and does not play yet."
)
several = Sentence[str]("Several players are called {got}. Give the key of the one you mean.")
bad_place = Sentence[str]("{got} is not a game. Write ROUND.TABLE or ROUND.TABLE.GAME, such as 2.1.1.")
bad_round = Sentence[str]("{got} is not the number of a round. Write one such as 3.")
no_place = Sentence[str]("There is no game {place} in the published rounds.")
no_ruling = Sentence[str]("There is no ruling with the number or id {got}: storm-p2p event rulings lists them.")
several_rulings = Sentence[str](
    "Several arbiters have a ruling {got}. Give its id, as storm-p2p event rulings shows it."
)
replaced_already = Sentence[str]("Ruling {got} has no effect any more, so it cannot be replaced; nothing was written.")
ruled_already = Sentence[str, Sequence[int], str](
    "There is a ruling about {place} already: number {numbers}. To replace it, add --replaces and the number; nothing "
    "was written. All rulings: storm-p2p event rulings {path}"
)
NO_RULINGS: Final = lazy("There are no rulings yet.")
_DECISIONS: Final = lazy(
    {
        "forfeit": "{player} forfeits",
        "double_forfeit": "both forfeit",
        "award": "{player} wins",
        "refusal": "no forfeit, they play on",
        "draw": "a draw",
        "bye": "{player} is not paired and gets {points}",
        "late_entry": "{player} plays from this round on",
        "withdrawal": "{player} has left",
    }
)
_RULING_COLUMNS: Final = lazy(("number", "id", "arbiter", "where", "ruling", "evidence", "state"))


def decision(ruling: Ruling, known: Lookup) -> str:
    """Return what a ruling says, without where."""
    matter = "draw" if ruling.matter is Matter.AWARD and not ruling.player else ruling.matter.name.lower()
    # An entry that a ruling lets in may not be here.
    called = known.person if ruling.entry in known.keys else known.file
    player = known.player(ruling.player) if ruling.entry is None else called(ruling.entry)
    return fill(_DECISIONS[matter], player=player, points=f"{ruling.points / 2:g}")


def ruling_cells(held: Sequence[Ruled], known: Lookup) -> list[list[str]]:
    """Return the cells of the table of rulings, the names of the columns first."""
    found = [[str(name) for name in _RULING_COLUMNS]]
    for one in held:
        ruling = one.ruling
        where = ruling.round if ruling.matter in ABOUT_PLAYERS else Place(ruling.round, ruling.table, ruling.game)
        others = wording.listed(other.id.hex()[:SHORT] for other in one.replaced_by)
        state = _("stands") if one.stands else fill("replaced by {id}", id=others) if others else _("no effect")
        evidence = wording.listed(known.file(part) for part in ruling.evidence)
        head = [str(ruling.number), one.document.id.hex()[:SHORT], known.person(one.document.author)]
        found.append([*head, str(where), decision(ruling, known), evidence, state])
    return found


who_needed = Sentence[str]("Which player? The ruling {matter} needs a name or a number.")
unknown_event = Sentence[bytes](
    "This match is for the tournament {event}, which this program does not know. Join with the tournament's folder: "
    "storm-p2p join INVITE --event FOLDER"
)
begun_here = Sentence[str]("Game {place} has already begun on this machine. To continue it: storm-p2p resume")
deadline_over = Sentence[int, str]("The deadline of round {round} was {when}. You can still play; the arbiter decides.")
hosting = Sentence[str, str, str]("Game {place} of the tournament, against {opponent}; you play the {side}.")
engine_version = Sentence[str, str](
    "This tournament uses {wanted} for its pairings; {got} is installed here and might pair differently. Install "
    "{wanted}; nothing was published."
)

_PROBLEMS: Final = lazy(
    {
        "too_early": "It is too early for that: storm-p2p event status says what is next. Nothing was written.",
        "too_late": "That has already been done; nothing was written.",
        "not_entered": "Your key is not on the list of entries; nothing was written.",
        "wrong_coin": "You entered with another copy of your key, so you cannot open the coin of your entry here.",
        "no_deadline": "The tournament sets no deadline for this round: add --until, such as --until 7d.",
        "undecided": "Some games of the last round have no result yet, so the next round cannot start.",
        "finished": "The tournament is over: there are no more rounds.",
        "too_many_players": "That many players would need too many rounds.",
        "no_pairing": "No more pairings are possible: everybody has met everybody they could, or a ruling changed who went "
        "on. To end the tournament: storm-p2p event end",
        "engine_failed": "The pairings or tie-breaks could not be computed; nothing was written.",
        "other_author": "Your key may not sign that; nothing was written.",
        "bad_points": "A win must be worth more than a draw, and a loss no more than a draw: change --points. Nothing was "
        "written.",
        "bad_text": "A text in a tournament has only visible characters, in their usual form (NFC), and no spaces around "
        "it. Nothing was written.",
    }
)


def problem(error: ProtocolError) -> str:
    """Return why a document cannot be made."""
    if error.code == "engine_missing":
        return engine(commands.engine_to_install())
    if error.code == "engine_version":
        return engine_version(error.expected, error.got)
    said = _PROBLEMS.get(error.code)
    if said is None:
        return fill(
            "That does not fit a tournament: expected {expected}, got {got}. Nothing was written.",
            expected=clean(error.expected),
            # A field of an event is called as the option that sets it.
            got=re.sub(r"^event\.([a-z_]+)[.0-9]*", lambda found: f"--{found[1].replace('_', '-')}", clean(error.got)),
        )
    return str(said)


def event_row(id: str, name: str) -> str:
    """Return one of several tournaments in a folder."""
    return f"  {id[:8]}  {clean(name)}"


def head(tournament: Tournament) -> str:
    """Return which tournament it is and how far it is."""
    event, name = tournament.event, clean(tournament.event.name)
    system = str(SYSTEMS[event.system])
    if tournament.start is None:
        stage = _("entries are closed") if tournament.close else _("entries are open")
        players = count("{number} entry", "{number} entries", len({one.author for one in tournament.entries.values()}))
        return f"{name}: {system}, {stage}, {players}"
    players = count("{number} player", "{number} players", len(tournament.players))
    # A match asks for other sentences of this module, and not for how pairings are made.
    from protocol.tournament.pairings import count_rounds

    played, rounds = len(tournament.rounds), count_rounds(tournament.field)
    stage = fill("round {round}", round=played) if played else _("before the first round")
    if played and rounds is not None:
        stage = fill("round {round} of {rounds}", round=played, rounds=rounds)
    if tournament.end is not None:
        stage = _("ended, its results are final")
    return f"{name}: {system}, {stage}, {players}"


you = Sentence[str, int]("You are {name}, number {number}.")


_TASKS: Final = lazy(
    {
        "enter": "You can enter until {until}:\n  storm-p2p event enter {folder}",
        "enter-late": "Entries are closed, but an arbiter can still let you in from a later round on. Enter, then ask one:\n"
        "  storm-p2p event enter {folder}",
        "wait-late": "You have entered, but are not among the players. An arbiter can still let you in from a later "
        "round on: ask one.",
        "wait-close": "You have entered. The organiser closes entries after {until}; then run\n"
        "  storm-p2p event status {folder}",
        "wait-start": "Your coin is open. The organiser can start the tournament once all coins are open, or after "
        "{until}.",
        "left-out": "You are not among the players: the organiser left out your entry, or your coin came too late.",
        "waiting": "The draw gave every place to others; you are number {missing} on the waiting list. In a Swiss, an "
        "arbiter can let you in when somebody leaves.",
        "absent": "{other} cannot play in round {round} and asks for a bye worth {points}. Until an arbiter "
        "decides, that round is not published by itself. To grant the bye:\n"
        "  storm-p2p event rule {folder} bye {round} {number} --points {points}\n"
        "To pair {other} all the same:\n"
        "  storm-p2p event round {folder}",
        "absence": "You have said that you cannot play in round {round}; an arbiter decides.",
        "free": "You do not play in round {round}; your bye is worth {points}.",
        "play": "Game {place} against {other}: you play the {side}. {due} If you host:\n"
        "  storm-p2p host --event {folder}\n"
        "If {other} hosts:\n"
        "  storm-p2p join INVITE --event {folder}",
        "resume": "Game {place} against {other} has begun. {due}\n  storm-p2p resume",
        "sign": "Game {place} against {other} is over, but it still needs your signature. {due}\n  storm-p2p resume",
        "confirm": "Game {place} against {other} is over, but {other} has not signed. Both of you need to run this. "
        "{due}\n  storm-p2p resume",
        "dispute": "Game {place} against {other} is in dispute, as listed below. An arbiter decides.",
        "answer": "{other} claims a forfeit in game {place}. Say what happened; you have until {until}:\n"
        "  storm-p2p event answer {folder} TEXT",
        "wait-claim": "There is a claim about game {place} against {other}. The answer is due by {until}; then an "
        "arbiter decides.",
        "wait-round first": "No round has been published yet, so there is nothing to play. The organiser publishes the "
        "first one.",
        "wait-round played": "You have played your games of this round. The tournament goes on when the others have played "
        "theirs.",
        "wait-round bye": "You have a bye: you get points without playing this round. The tournament goes on when the "
        "others have played their games.",
        "wait-round ruled": "An arbiter has decided your game of this round, so there is nothing left to play. The "
        "tournament goes on when the others have played their games.",
        "wait-round none": "You have no game in this round. The tournament goes on when the others have played their "
        "games.",
        "wait-round out": "You have lost, so you are out of this tournament and have no more games. The others play on.",
        "wait-round gone": "You are no longer in this tournament.",
        "close": "Players can enter until {until}. Then close entries:\n  storm-p2p event close {folder}",
        "start": "Waiting until {until} for the coins of: {missing}. Then start:\n  storm-p2p event round {folder}",
        "rule": "{by} claims a forfeit against {other} in game {place}; {other} has answered or "
        "let the time pass, as listed below. If {other} was absent and forfeits:\n"
        "  storm-p2p event rule {folder} forfeit {place} {number}\n"
        "If not, they play on:\n"
        "  storm-p2p event rule {folder} refuse {pairing}",
        "settle": "Game {place} has two results. Decide who wins it, or write draw for a draw:\n"
        "  storm-p2p event rule {folder} award {place} PLAYER",
        "settle-rulings": "Two rulings stand for game {place}. Replace one of them with --replaces:\n"
        "  storm-p2p event rulings {folder}",
        "engine": "The next round is due. Its pairings need {missing}. To install that:\n  {command}",
        "late": "Game {place} has no result, and the deadline of its round was {until}. Wait, or decide:\n"
        "  storm-p2p event rule {folder} double {place}",
        "end": "Nothing is left to play. If nobody objects to a result, make them all final:\n"
        "  storm-p2p event end {folder}",
        "no-pairing": "No further round can be paired: everybody has met everybody they could, or a ruling changed who "
        "went on. The tournament ends when the organiser says so. How it stands:\n"
        "  storm-p2p standings {folder}",
        "over": "The tournament is over:\n  storm-p2p standings {folder}",
    }
)


_DUE: Final = lazy(
    {"play": "Play it by {until}.", "resume": "Finish it by {until}.", "overdue": "It has been overdue since {until}."}
)
_DATES: Final = lazy(
    {
        "agreed": "You have agreed on {when}.",
        "theirs": "{other} proposes {when}. To agree:\n  storm-p2p event agree {folder} --game {place}",
        "mine": "You propose {when}; {other} has not agreed yet.",
    }
)


def task(one: Task, folder: Path, sides: Sequence[str]) -> str:
    """Return what to do, until when, and the command; ``sides`` are called as the game's console calls them."""
    said = _say_task(one, folder, sides)
    for date in one.dates:
        if one.place is not None and one.other is not None:
            facts = {"other": clean(one.other.name), "folder": shlex.quote(clean(str(folder)))}
            kind = "agreed" if date.by is None else "theirs" if date.by == one.other.number else "mine"
            said += "\n" + fill(_DATES[kind], when=clocks.local(date.when), place=str(one.place), **facts)
    return said


def _say_task(one: Task, folder: Path, sides: Sequence[str]) -> str:
    until = "" if one.until is None else clocks.moment(one.until)
    return fill(
        _TASKS[str(one.kind) if one.idle is None else f"{one.kind} {one.idle}"],
        until=until,
        due=fill(_DUE["overdue" if one.overdue else "play" if one.kind == "play" else "resume"], until=until),
        folder=shlex.quote(clean(str(folder))),
        place="" if one.place is None else str(one.place),
        pairing="" if one.place is None else str(one.place._replace(game=0)),
        other="" if one.other is None else clean(one.other.name),
        number="" if one.other is None else one.other.number,
        by="" if one.by is None else clean(one.by.name),
        side="" if one.seat is None else sides[one.seat],
        command=commands.engine_to_install(one.missing[0]) if one.kind == "engine" else "",
        missing=wording.listed(wording.some(map(clean, one.missing))) or _("nobody"),
        round="" if one.absence is None else one.absence.round,
        points="" if one.absence is None else f"{one.absence.points / 2:g}",
    )


def command(one: Task, folder: Path, sides: Sequence[str]) -> str | None:
    """Return the first command of a task, for programs; None where there is nothing to type."""
    lines = _say_task(one, folder, sides).split("\n")[1:]
    return lines[0].strip() if lines else None


CLAIMS: Final = lazy("Claims of a forfeit, with times by each player's own clock:")
_CLAIMS: Final = lazy(
    {
        "claim": "{by} claimed at {at} that {other} did not come to game {places}.",
        "ready long": "{by} says they were ready from {ready}, for as long as the tournament requires.",
        "ready short": "{by} says they were ready from {ready}; the tournament requires {grace}.",
        "ready never": "{by} never said they were ready.",
        "other before": "{other} says they were ready from {other_ready}, before the claim.",
        "other after": "{other} says they were ready from {other_ready}, after the claim.",
        "other never": "{other} never said they were ready.",
        "agreed": "Both had agreed to play game {place} on {when}.",
        "answer": '{other} answered at {when}: "{text}"',
        "wait": "{other} can answer until {until}.",
        "silent": "{other} did not answer by {until}.",
    }
)


def claim(one: NoShow, tournament: Tournament, known: Lookup, now: int) -> list[str]:
    """Return what is claimed, who says to have been there, and what was answered, a sentence a line."""
    # A match asks for other sentences of this module.
    from protocol.tournament.appointments import appointments

    own = "never" if one.ready is None else "long" if one.waited else "short"
    other = "never" if one.other_ready is None else "before" if one.other_ready <= one.at else "after"
    facts = {
        "by": known.player(one.by),
        "other": known.player(one.against),
        "places": wording.listed(one.places),
        "at": clocks.moment(one.at),
        "ready": clocks.moment(one.ready or 0),
        "other_ready": clocks.moment(one.other_ready or 0),
        "grace": clocks.span(tournament.event.grace),
        "until": clocks.moment(one.answer_until),
    }
    answers = [
        fill(_CLAIMS["answer"], **facts, when=clocks.moment(said.at), text=clean(said.text, CHAT_LIMIT))
        for said in (document.content for document in one.answers)
    ]
    if not answers:
        answers.append(fill(_CLAIMS["wait" if now <= one.answer_until else "silent"], **facts))
    head = [fill(_CLAIMS[name], **facts) for name in ("claim", f"ready {own}", f"other {other}")]
    dates = [
        fill(_CLAIMS["agreed"], place=str(place), when=clocks.local(date.when))
        for place, found in appointments(tournament).items()
        for date in found
        if one.covers(place) and date.by is None
    ]
    return [*head, *dates, *wording.capped(answers)]


COLUMNS: Final = lazy(
    {
        "rank": "rank",
        "place": "place",
        "number": "no.",
        "name": "name",
        "points": "points",
        "rating": "rating",
        "gone": "left",
        "turn": "turn",
    }
)
"""Tie-breaks have the names that FIDE gives them."""
TITLE_PLAYING: Final = lazy("Being played")
playing = Sentence[str, Sequence[str], int, str]("Game {place} between {players}, turn {turn}: storm-p2p watch {file}")
TITLE_STANDINGS: Final = lazy("Standings")
TITLE_ANNOUNCED: Final = lazy("Announcements:")
TITLE_CROSS: Final = lazy("Cross table")
TITLE_COMPARE: Final = lazy("To compare by phone")
LINKS: Final = lazy({"log": "match log", "board": "board", "ruling": "ruling"})
GAME_COLUMNS: Final = lazy(("game", "result"))
ALL_THERE: Final = lazy("Every game of the published rounds has its result.")
NOT_STARTED: Final = lazy("The tournament has not started, so there are no standings yet.")
RECOMPUTED: Final = lazy("Anybody who has the folder can compute this page: storm-p2p standings FOLDER")
STATES: Final = lazy(
    {
        "result": "played",
        "unconfirmed": "not proved",
        "open": "not finished",
        "missing": "no log yet",
        "dispute": "two results",
        "two_rulings": "two rulings",
        "forfeit": "forfeit",
        "awarded": "by ruling",
    }
)
DOUBLE_FORFEIT: Final = lazy("double forfeit")


left = Sentence[int]("before round {round}")
bye = Sentence[str]("bye {points}")
_number = Sentence[bytes, str]("Number of the tournament: {number}, in words: {words}")
_organiser = Sentence[bytes, str]("Key of the organiser: {key}, in words: {words}")


def round_title(round: int, until: int) -> str:
    """Return what stands above the games of a round."""
    return fill("Round {round}, to be played by {until}", round=round, until=clocks.moment(until))


def entries_title(tournament: Tournament) -> str:
    """Return what stands above those who have entered: all before the draw, and after it those without a place."""
    return _("Waiting for a place, in this order") if tournament.start else _("Entries")


def dates(tournament: Tournament) -> str:
    """Return until when players enter, and when the draw is at the latest."""
    entries, coins = (clocks.moment(one) for one in (tournament.event.entries_until, tournament.event.coins_until))
    return fill("Players can enter until {entries}; the draw follows by {coins}.", entries=entries, coins=coins)


def announcements(tournament: Tournament) -> list[str]:
    """Return what the organiser has announced, the latest first."""
    told = [one.content for one in reversed(tournament.notices)]
    return wording.capped(
        [f"{clocks.moment(one.at)}: {clean(one.text, CHAT_LIMIT)}" for one in told if one.text is not None]
    )


def identity(tournament: Tournament) -> tuple[str, ...]:
    """Return which event it is and whose, a sentence each, so that two people can compare them by phone."""
    told = (_number, tournament.id), (_organiser, tournament.document.author)
    return tuple(say(one, " ".join(spoken(one, 8))) for say, one in told)


def side_letters(sides: Sequence[str]) -> tuple[str, ...]:
    """Return how the sides are called in a cross table: by the first letters of words that differ, or by numbers."""
    initials = zip(*([word[0] for word in side.upper().split()] for side in sides), strict=False)
    return next((letters for letters in initials if len(set(letters)) == len(letters)), ("1", "2"))


def cross_legend(sides: Sequence[str]) -> str:
    """Return what a cell of the cross table means."""
    return fill(
        "3{letter} 2 means: 2 points against number 3, with the {side} in the first game. A question mark stands for "
        "games without a result, + and - for a pairing that was not played.",
        letter=side_letters(sides)[0],
        side=sides[0],
    )


def side_scores(figures: SideFigures, first: str) -> str:
    """Return how the first side has done."""
    if figures.share is None or figures.interval is None:
        return fill("No game is confirmed yet, so there is no score for the {side}.", side=first)
    low, high = figures.interval
    template = count(
        "The {side} scored {share} % of one game (95 % interval: {low} to {high} %).",
        "The {side} scored {share} % of {number} games (95 % interval: {low} to {high} %).",
        figures.games,
        side=first,
        share=round(100 * figures.share),
        low=round(100 * low),
        high=round(100 * high),
    )
    if figures.advantage is None:
        return template
    return template + " " + fill("That is worth {points} rating points.", points=f"{figures.advantage:+.0f}")
