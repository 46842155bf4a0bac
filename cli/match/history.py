"""The matches that were played on this machine, as its logs prove them and its journals know them.

Each log is judged once (:mod:`cli.events.judging`).  What counts for no match is named, and the rest is listed.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from glob import escape
from itertools import chain
from pathlib import Path
from typing import Final

from cli.events import folder
from cli.events.judging import judge
from cli.storage.home import Home, logs_of
from cli.storage.people import shown
from cli.text import wording
from protocol.core.agreement import Role
from protocol.errors import BadKey
from protocol.game import Decision, MissingRules, other
from protocol.record import journal, keyfile
from protocol.record.files import make_folder
from protocol.record.journal import Journal, JournalError, StoredMatch, StoredState
from protocol.record.logfile import SIGNATURE_LENGTH
from protocol.tournament.reports import Report
from storm_p2p import games

MATCH_LENGTH: Final = 32
"""Of a match id, in bytes."""
BESIDE: Final = (".marks.json", ".position.json")
"""How files end that belong to a log and stand beside it."""
KEPT_DAYS: Final = 30
"""How long the trash keeps what was put there."""


class Result(StrEnum):
    """How a match ended for the player of this machine."""

    WON = "won"
    LOST = "lost"
    DRAW = "draw"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Played:
    """One match."""

    match: bytes
    began: int
    """Seconds since 1970; where only the log is here, when that was written."""
    opponent: str
    """What the other calls themselves; anything may stand there."""
    key: bytes
    """The other's identity."""
    side: str
    """What our seat is called; empty where the rules are not here."""
    game: str
    terms: Decision
    result: Result
    reason: str = ""
    guilty: bool = False
    """Whether somebody is convicted."""
    turns: int | None = None
    """None where nobody has counted them yet."""
    confirmed: bool = False
    log: Path | None = None
    stored: str | None = None
    """By which local name it can be resumed."""
    is_abandoned: bool = False
    """Whether the player has given up to finish it."""
    is_computer: bool = False
    """Whether the other was a computer player of this machine."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that counts for no match of this player.

    ``code`` is ``foreign``, a log of others; ``no-log``, a match whose log is gone; ``other``, no file of ours; the
    code of a :class:`LogError` or :class:`JournalError`; or that of the first problem of a log that does not verify.
    """

    file: str
    code: str
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Opponent:
    """One player, under all names."""

    matches: tuple[Played, ...]
    """Those against them, the newest first; one at least."""

    @property
    def name(self) -> str:
        """The latest name."""
        return self.matches[0].opponent

    @property
    def others(self) -> tuple[str, ...]:
        """Earlier names that look otherwise, the newest first."""
        names = {shown(one.opponent): one.opponent for one in reversed(self.matches)}
        return tuple(name for look, name in reversed(names.items()) if look != shown(self.name))

    @property
    def score(self) -> dict[str, int]:
        """How often they ended in which way."""
        counted = Counter(one.result for one in self.matches)
        return {result.value: counted[result] for result in Result}

    @property
    def key(self) -> bytes | None:
        """The identity key; None for a computer player of this machine."""
        return None if self.matches[0].is_computer else self.matches[0].key


@dataclass(frozen=True, slots=True)
class History:
    """What is known of all matches."""

    matches: tuple[Played, ...] = ()
    """The newest first."""
    unread: tuple[Unread, ...] = ()


def read(home: Home, on_many: Callable[[int], object] = lambda number: None) -> History:
    """Return the matches of a player.

    Args:
        home: the player's folder.
        on_many: called with their number if so many logs are to be judged that it takes seconds.

    Raises:
        OSError: the logs cannot be listed.
        JournalError: the matches cannot be listed.
        LocalProtocolError: the library that checks keys is too old or does not work.
    """
    listed = journal.list_matches(home.matches)
    begun = {one.match.match_id: one.match for one in listed if one.match is not None and one.match.match_id}
    unread = [
        Unread(f"{one.local_id}{journal.SUFFIX}", one.problem.code, one.problem.sentence)
        for one in listed
        if one.problem is not None
    ]
    files = folder.read_folder(home.logs) if home.logs.is_dir() else folder.Files({}, {})
    unread += [Unread(name, "unreadable") for name in files.unread]
    unread += [Unread(name, "other") for name in (*files.documents, *files.foreign) if not name.endswith(BESIDE)]
    called = {digest: home.logs / name for name, digest in files.logs.items()}
    own = _own_keys(home)
    found: dict[bytes, Played] = {}
    reports = judge({path: digest for digest, path in called.items()}, home.folder / "judged", on_many)
    logs = (_of_log(report, called[report.digest], own, begun) for report in reports)
    # Only what no log shows is looked for in its journal.
    others = (_of_journal(home, kept) for match, kept in begun.items() if match not in found)
    for played in chain(logs, others):
        if isinstance(played, Unread):
            unread.append(played)
        elif played.match not in found or _is_longer(played, found[played.match]):
            found[played.match] = played
    computer = _own_keys(home.computer)
    known = (replace(one, is_computer=one.key.hex()[:16] in computer) for one in found.values())
    return History(tuple(sorted(known, key=lambda one: one.began, reverse=True)), tuple(unread))


def opponents(matches: Iterable[Played]) -> tuple[Opponent, ...]:
    """Return the opponents of matches, the newest of which come first, in the order in which they were met last.

    A key is one player under whatever name.  A name alone joins nobody, because anybody can take it where no address
    book is asked, as at a match that a program plays.  The computer players of this machine share a key and go by their
    names.
    """
    groups: dict[str | bytes, list[Played]] = {}
    for one in matches:
        groups.setdefault(shown(one.opponent) if one.is_computer else one.key, []).append(one)
    return tuple(Opponent(tuple(group)) for group in groups.values())


def by_key(matches: Iterable[Played]) -> Mapping[bytes, Opponent]:
    """Return the opponents of matches by their keys, without the computer players of this machine."""
    return {player.key: player for player in opponents(matches) if player.key is not None}


def against(matches: Iterable[Played], name: str, keys: Collection[bytes] = ()) -> tuple[Played, ...]:
    """Return the matches against a player, the newest first.

    Args:
        matches: all of them.
        name: what the player is or was called; it counts only where no keys belong to it.
        keys: those that belong to the name, since anybody can take a name.
    """
    look = shown(name)
    found = (
        one
        for player in opponents(matches)
        if (player.key in keys if keys else any(shown(one.opponent) == look for one in player.matches))
        for one in player.matches
    )
    return tuple(sorted(found, key=lambda one: one.began, reverse=True))


def numbers(matches: Iterable[Played]) -> Mapping[bytes, str]:
    """Return the digits by which each match goes: four, and more where others begin so, too."""
    whole = [one.match.hex() for one in matches]
    lengths = range(wording.DIGITS, 2 * MATCH_LENGTH + 1)
    counted = Counter(one[:length] for one in whole for length in lengths)
    return {bytes.fromhex(one): next(one[:length] for length in lengths if counted[one[:length]] == 1) for one in whole}


def _own_keys(home: Home) -> frozenset[str]:
    """Return the beginnings of the keys that are or were the player's, as far as no passphrase has to be asked for."""
    found = {path.stem.removeprefix("identity-") for path in home.folder.glob("identity-*.key")}
    with suppress(OSError, BadKey):
        found.add(keyfile.load(home.key_file).public.hex()[:16])
    return frozenset(found)


def _of_log(report: Report, path: Path, own: frozenset[str], begun: Mapping[bytes, StoredMatch]) -> Played | Unread:
    """Return the match of a log, or why it is none of this player's."""
    if report.match is None or not (report.ok or report.convicted):
        return Unread(path.name, report.problems[0] if report.problems else "damaged")
    seats = [seat for seat, key in enumerate(report.keys) if key.hex()[:16] in own]
    if len(seats) != 1 and (seats or report.match in begun):
        # Whoever plays against themselves, or has a locked key, sits where the log was written.
        seats = [path.read_bytes()[-SIGNATURE_LENGTH - 1] % len(report.keys)]
    if not seats:
        return Unread(path.name, "foreign")
    seat, kept = seats[0], begun.get(report.match)
    side, result = report.sides[seat], Result.UNFINISHED
    if report.winner is not None:
        result = Result.DRAW if report.winner == "draw" else Result.WON if report.winner == side else Result.LOST
    return Played(
        match=report.match,
        began=int(path.stat().st_mtime) if kept is None else kept.started_at,
        opponent=report.names[other(seat)],
        key=report.keys[other(seat)],
        side=side,
        game=report.game,
        terms=report.terms,
        result=result,
        reason=report.reason,
        guilty=bool(report.convicted),
        turns=report.turns,
        confirmed=report.confirmed,
        log=path,
        stored=kept.local_id if kept is not None and kept.state is not StoredState.FINISHED else None,
        is_abandoned=kept is not None and kept.state is StoredState.SHELVED,
    )


def _is_longer(one: Played, than: Played) -> bool:
    """Return whether one of two logs of a match shows more of it; they were judged together."""
    assert one.log is not None
    assert than.log is not None
    return one.log.stat().st_size > than.log.stat().st_size


def _of_journal(home: Home, kept: StoredMatch) -> Played | Unread:
    """Return the match of a journal without a log."""
    # A match that is over has a log.
    from cli.match.stored import agreement_of

    assert kept.match_id is not None
    if kept.state is StoredState.FINISHED:
        return Unread(f"{kept.local_id}{journal.SUFFIX}", "no-log", kept.match_id.hex())
    try:
        with Journal.open(home.matches, kept.local_id) as book:
            agreement = agreement_of(book)
    except JournalError as error:
        return Unread(f"{kept.local_id}{journal.SUFFIX}", error.code, error.sentence)
    seat = agreement.host_seat if kept.role is Role.HOST else other(agreement.host_seat)
    side = ""
    with suppress(MissingRules):
        side = games.find(agreement.game, agreement.game_version).sides[seat]
    opponent = agreement.players[other(seat)]
    begun, theirs = (kept.match_id, kept.started_at), (opponent.name, opponent.identity)
    game, terms, shelved = agreement.game, agreement.terms, kept.state is StoredState.SHELVED
    return Played(*begun, *theirs, side, game, terms, Result.UNFINISHED, stored=kept.local_id, is_abandoned=shelved)


# -- taking one off the list -----------------------------------------------------------------------------------


def abandon(home: Home, local: str) -> None:
    """Take a match off the list of unfinished ones; its number alone continues it.

    Raises:
        JournalError: it cannot be read or written, or is open in another window.
    """
    with Journal.open(home.matches, local) as book:
        book.end(StoredState.SHELVED)


def delete(home: Home, match: bytes, log: Path | None, today: date) -> Path:
    """Move all files of a match to the trash, those of the computer player of this machine, too; return where.

    Raises:
        JournalError: ``in-use``: it may be the one that is open in another window.
        OSError: a file cannot be moved; what was moved before is in the trash, and the rest can be deleted again.
    """
    digits = match.hex()
    trash = home.trash / f"{today.isoformat()}-{digits[:8]}"
    for one in (home, home.computer):
        listed = journal.list_matches(one.matches)
        names = [entry.local_id for entry in listed if entry.match is not None and entry.match.match_id == match]
        if one is home and not names and any(entry.problem and entry.problem.code == "in-use" for entry in listed):
            raise JournalError("in-use", "a match is open in another window")
        # Without its journal a match is none that could be resumed; without its logs it is not listed.
        files = [path for name in names for path in one.matches.glob(f"{name}*")]
        logs = {path for found, path in logs_of(one, digits)} | ({log} if log is not None and one is home else set())
        files += [path for name in logs for path in name.parent.glob(f"{escape(name.stem)}.*")]
        for path in files:
            place = trash / path.relative_to(home.folder)
            make_folder(place.parent)
            path.replace(place)
    return trash


def empty_trash(home: Home, today: date) -> None:
    """Remove what was put into the trash long ago; what cannot be removed is tried again at the next start."""
    for path in home.trash.glob("????-??-??-*"):
        with suppress(ValueError):
            if date.fromisoformat(path.name[:10]) < today - timedelta(KEPT_DAYS):
                shutil.rmtree(path, ignore_errors=True)
