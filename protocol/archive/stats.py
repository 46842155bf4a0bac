"""What the rows of an archive say together: results, lengths, setups that win, and the tree of first moves.

What counts is :class:`~protocol.archive.parts.Standing`: proven results alone, and each match once.
"""

import errno
import glob
import math
import os
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from protocol.archive.parts import ROWS, PartsError, Reader, Standing

THREADS: Final = 1
"""More threads save little of the second that a million matches take, and spend more in all."""

MEMORY: Final = "512MB"
"""What the database may hold before it uses the disk."""

MOST: Final = 10_000
"""How many players, events and variants are named, those with the most matches."""

Z: Final = 1.959963984540054
"""How many standard deviations on both sides hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Group:
    """Matches that ended alike."""

    game: str
    scheme: str
    terms: str
    winner: str
    reason: str
    matches: int
    shortest: int
    """Lengths are counted in messages of the game."""
    mean: float
    longest: int


@dataclass(frozen=True, slots=True)
class Score:
    """How the matches of a player, of an event or on the same terms ended."""

    game: str
    what: str
    """The identity key or the id of the event, in hexadecimal; or the terms."""
    name: str
    """What the player is called in the most matches; empty for an event and terms."""
    sides: tuple[str, str]
    """What the seats are called."""
    matches: int
    wins: tuple[int, int]
    """By seat; of a player, how many they have won and lost."""
    low: float
    """The 95 % interval of Wilson for the part of the first of them."""
    high: float


@dataclass(frozen=True, slots=True)
class Placing:
    """How it went for the side that has placed something somewhere, or to which that was dealt."""

    game: str
    rules: str
    dealt: bool
    side: str
    what: int
    where: int
    matches: int
    wins: int
    low: float
    """The 95 % interval of Wilson for its part of wins."""
    high: float


@dataclass(frozen=True, slots=True)
class Opening:
    """A public state after the first messages, and how the matches that went through it ended."""

    game: str
    path: tuple[bytes, ...]
    """The hashes of the public states up to it."""
    matches: int
    wins: tuple[int, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class Stats:
    """What an archive says."""

    logs: dict[Standing, int]
    """How many logs count, and how many do not and why."""
    groups: tuple[Group, ...]
    variants: tuple[Score, ...]
    events: tuple[Score, ...]
    players: tuple[Score, ...]
    placings: tuple[Placing, ...]
    openings: tuple[Opening, ...]
    """The tree, each state before those that follow from it, the most frequent one first."""
    manifest: str
    """:func:`~protocol.archive.parts.hash_manifest` of the archive if it was checked now; empty if it was before."""


def wilson(wins: int, matches: int) -> tuple[float, float]:
    """Return the 95 % interval of Wilson for a part of wins, of at least one match.

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]
    """
    part, square = wins / matches, Z * Z
    middle = part + square / (2 * matches)
    half = Z * math.sqrt(part * (1 - part) / matches + square / (4 * matches * matches))
    # Rounding must not put a part of 0 or 1 outside of its interval.
    low = 0.0 if wins == 0 else (middle - half) / (1 + square / matches)
    return low, 1.0 if wins == matches else (middle + half) / (1 + square / matches)


def survey_rows(
    folder: Path,
    *,
    depth: int,
    least: int,
    checked: Collection[str] = (),
    is_dealt: Callable[[str, str], bool] = lambda game, terms: False,
) -> Stats:
    """Return what the rows of an archive say; nothing is counted before its files are checked.

    Args:
        folder: of the archive.
        depth: how many messages the tree of first moves has.
        least: how many matches go at least through each state of it.
        checked: what :meth:`~protocol.archive.parts.Reader.is_unchanged` asks for.
        is_dealt: says of a game and its terms whether nobody chooses a setup.

    Raises:
        PartsError: ``missing``, a library is; ``empty``, there are no rows; the first fault of a file.
        OSError: a file cannot be read here, or there is no memory for it.
    """
    try:
        import duckdb
    except ImportError as error:
        raise PartsError("missing", "duckdb") from error
    # What a run adds from here on is not counted: it may come after the check.
    paths = sorted((folder / ROWS).glob("*.parquet"))
    if not paths:
        raise PartsError("empty", str(folder))
    reader, manifest = Reader(folder), ""
    if not reader.is_unchanged(checked):
        found = reader.check()
        for fault in found.faults:
            raise fault
        manifest = found.manifest
    with duckdb.connect(config={"threads": THREADS, "memory_limit": MEMORY}) as database:
        try:
            return _Survey(database, paths, is_dealt).take(depth, least, manifest)
        except duckdb.OutOfMemoryException as error:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM), str(folder / ROWS)) from error
        except duckdb.Error as error:
            raise PartsError("altered", str(folder / ROWS)) from error


class _Survey:
    """Asks the database."""

    def __init__(self, database: Any, paths: Sequence[Path], is_dealt: Callable[[str, str], bool]) -> None:
        self._database = database
        self._is_dealt = is_dealt
        # The database takes its files for patterns, and would read others than were checked.
        files = [glob.escape(os.path.abspath(path)) for path in paths]
        database.read_parquet(files).create_view("rows")
        database.execute(
            "create view counted as select *, case winner when side1 then 0 when side2 then 1 end as seat"
            " from rows where standing = 'counts'"
        )

    def _ask(self, question: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._database.execute(question).fetchall()
        return found

    def take(self, depth: int, least: int, manifest: str) -> Stats:
        counted = self._ask("select standing, count(*) from rows group by all")
        return Stats(
            {Standing(standing): number for standing, number in counted},
            self._groups(),
            self._scores("select game, terms, '', side1, side2, seat from counted", "what"),
            self._scores("select game, event, '', side1, side2, seat from counted where event is not null"),
            self._scores(
                "select game, key1, name1, side1, side2, seat from counted where key1 <> key2 union all "
                "select game, key2, name2, side1, side2, xor(seat, 1) from counted where key1 <> key2"
            ),
            self._placings(),
            self._openings(depth, least),
            manifest,
        )

    def _groups(self) -> tuple[Group, ...]:
        return tuple(
            Group(*found)
            for found in self._ask(
                "select game, scheme, terms, winner, reason, count(*), min(length), avg(length), max(length)"
                " from counted group by all order by all"
            )
        )

    def _scores(self, source: str, shown: str = "lower(hex(what))") -> tuple[Score, ...]:
        found = self._ask(
            f"with one(game, what, name, side1, side2, seat) as ({source}),"  # noqa: S608
            " named as (select game, what, name, side1, side2, count(*) as number,"
            " count(*) filter (seat = 0) as won, count(*) filter (seat = 1) as lost from one group by all)"
            f" select game, {shown}, arg_max(name, (number, name)), min(side1), min(side2),"
            " sum(number)::bigint as matches, sum(won)::bigint, sum(lost)::bigint"
            f" from named group by game, what order by matches desc, game, what limit {MOST}"
        )
        return tuple(
            Score(game, what, name, (first, second), matches, (won, lost), *wilson(won, matches))
            for game, what, name, first, second, matches, won, lost in found
        )

    def _placings(self) -> tuple[Placing, ...]:
        self._database.execute("create table dealt (game text, terms text)")
        for game, terms in self._ask("select distinct game, terms from counted where len(setup) > 0"):
            if self._is_dealt(game, terms):
                self._database.execute("insert into dealt values (?, ?)", [game, terms])
        self._database.execute("create view placed as select *, (game, terms) in (from dealt) as dealt from counted")
        # Grouping the entries of all setups by words, too, would take three times as long.
        kinds = self._ask("select distinct game, rules, dealt, side1, side2 from placed order by all")
        found: list[Placing] = []
        for game, rules, dealt, *sides in kinds:
            entries = self._database.execute(
                "select seat, code, count(*) from (select seat, unnest(setup) as code from placed"
                " where game = ? and rules = ? and dealt = ? and side1 = ? and side2 = ?) group by all",
                [game, rules, dealt, *sides],
            ).fetchall()
            matches, wins = Counter[int](), Counter[int]()
            for seat, code, number in entries:
                matches[code] += number
                wins[code] += number if seat == code >> 16 else 0
            for code in sorted(matches):
                what, scored = (sides[code >> 16], code >> 8 & 255, code & 255), (matches[code], wins[code])
                found.append(Placing(game, rules, dealt, *what, *scored, *wilson(wins[code], matches[code])))
        return tuple(found)

    def _openings(self, depth: int, least: int) -> tuple[Opening, ...]:
        columns = ", ".join(f"state{number + 1}" for number in range(depth))
        found = self._ask(f"select game, seat, {columns}, count(*) from counted group by all")  # noqa: S608
        counted: dict[tuple[str, tuple[bytes, ...]], list[int]] = {}
        for game, seat, *states, number in found:
            for end in range(1, depth + 1):
                if states[end - 1] is None:
                    break
                entry = counted.setdefault((game, tuple(states[:end])), [0, 0, 0])
                entry[2 if seat is None else seat] += number
        kept = {key: entry for key, entry in counted.items() if sum(entry) >= least}

        def order(key: tuple[str, tuple[bytes, ...]]) -> tuple[Any, ...]:
            game, path = key
            ends = range(1, len(path) + 1)
            return game, [(-sum(kept[game, path[:end]]), path[end - 1]) for end in ends]

        return tuple(
            Opening(game, path, sum(kept[game, path]), tuple(kept[game, path][:2]))
            for game, path in sorted(kept, key=order)
        )
