"""What a log proves, in one flat row (SPEC.md, section "Rows").

A row follows from the bytes of the log and the rules alone.  Whoever has worked it out sends it as bytes, which are
checked when they come: workers are not trusted.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from protocol.core import wire
from protocol.core.audit import Trailer, Verdict, verify
from protocol.core.envelope import Envelope
from protocol.core.frames import FrameKind, unpack_frame
from protocol.core.transcript import Transcript
from protocol.errors import WireError
from protocol.game import SEATS, Games, Known, MissingRules
from protocol.record import logfile
from protocol.record.logfile import LogError

FIRST_STATES: Final = 8
"""How many hashes of the public state a row keeps, from the first envelope on."""

SETUP_LIMIT: Final = 256
"""The most entries of a setup."""

UNVERIFIABLE: Final = "unverifiable"
"""The problem of a log at which a program ends, or takes too long, however often it is tried."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one log proves, judged alone."""

    log: bytes
    """The SHA-256 of the file."""
    size: int
    """Its length in bytes."""
    ok: bool = False
    """Whether it holds."""
    problems: tuple[str, ...] = ()
    """The codes of all problems, sorted; those that convict, too."""
    match: bytes | None = None
    """The match id; None where not even the handshake holds."""
    protocol: int = 0
    game: str = ""
    rules: str = ""
    terms: str = ""
    """The terms of the game as JSON, with arrays for tuples."""
    scheme: str = ""
    keys: tuple[bytes, ...] = ()
    """The identity keys by seat."""
    names: tuple[str, ...] = ()
    """What the players call themselves, by seat."""
    sides: tuple[str, ...] = ()
    """What the seats are called; none where the game is not here."""
    event: bytes | None = None
    """The id of the event for which the match counts."""
    round: int = 0
    table: int = 0
    number: int = 0
    """The number of the game in its pairing; with ``round`` and ``table`` 0 without an event."""
    winner: str = ""
    """What the winner's seat is called, or ``draw``; empty while the match goes on."""
    reason: str = ""
    convicted: tuple[int, ...] = ()
    """The seats that cheated, whoever lost."""
    confirmed: bool = False
    audited: bool = False
    length: int = 0
    """The number of envelopes that hold."""
    states: tuple[bytes, ...] = ()
    """The hashes of the public state after each of the first envelopes."""
    setup: tuple[int, ...] = ()
    """What each seat whose seed is open has placed where: seat · 65536 + what · 256 + where, in ascending order."""

    def pack(self) -> bytes:
        """Return the one byte string of this row.

        Raises:
            WireError: a field is out of its bounds.
        """
        return wire.pack(tuple(int(value) if type(value) is bool else value for value in _values_of(self)), _row)

    @staticmethod
    def unpack(data: bytes) -> Row:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        values: Any = wire.unpack(data, _row)
        fields: Any = (bool(value) if name in _FLAGS else value for name, value in zip(NAMES, values, strict=True))
        return Row(*fields)


NAMES: Final = tuple(Row.__slots__)
"""The names of the fields, in their order."""

_values_of: Final = attrgetter(*NAMES)

_FLAGS: Final = frozenset({"ok", "confirmed", "audited"})


def _text(most: int) -> wire.Check:
    """Return the schema of what is a word or nothing."""
    inner = wire.word(most)

    def check(value: object) -> None:
        if value != "":
            inner(value)

    return check


def _code(value: object) -> None:
    """Check the code of a problem, which has no spaces."""
    wire.word(64)(value)
    if " " in str(value):
        raise WireError("bad_text", "one word", "several")


def _ascending(inner: wire.Check, most: int) -> wire.Check:
    """Return the schema of at most so many values in ascending order, each once."""
    several = wire.items(inner, 0, most)

    def check(value: object) -> None:
        several(value)
        assert isinstance(value, tuple)
        if len(value) > 1 and value != tuple(sorted(set(value))):
            raise WireError("bad_array", "ascending values, each once", "others")

    return check


def _row(value: object) -> None:
    """Check the fields, and what they say of each other."""
    _FIELDS(value)
    assert isinstance(value, tuple)
    ok, problems, match = value[2:5]
    if not (ok or problems):
        raise WireError("bad_array", "a log that holds, or problems", "neither")
    if match is None and (ok or any(value[5:])):
        raise WireError("bad_array", "nothing of a match without its id", "more")


_FLAG, _NUMBER, _LENGTH = wire.integer(0, 1), wire.integer(0, 65_535), wire.integer(0, logfile.RECORD_LIMIT)
_FIELDS = wire.fields(
    "row",
    ("log", wire.HASH),
    ("size", wire.COUNT),
    ("ok", _FLAG),
    ("problems", _ascending(_code, 64)),
    ("match", wire.optional(wire.HASH)),
    ("protocol", _NUMBER),
    ("game", _text(64)),
    ("rules", _text(100)),
    # Small numbers take twice as much room as JSON.
    ("terms", _text(3 * wire.HANDSHAKE_LIMIT)),
    ("scheme", _text(16)),
    ("keys", wire.items(wire.HASH, 0, SEATS)),
    ("names", wire.items(wire.text(wire.NAME_LIMIT), 0, SEATS)),
    ("sides", wire.items(wire.word(64), 0, SEATS)),
    ("event", wire.optional(wire.HASH)),
    ("round", _NUMBER),
    ("table", _NUMBER),
    ("number", _NUMBER),
    ("winner", _text(64)),
    ("reason", _text(64)),
    ("convicted", _ascending(wire.integer(0, SEATS - 1), SEATS)),
    ("confirmed", _FLAG),
    ("audited", _FLAG),
    ("length", _LENGTH),
    ("states", wire.items(wire.HASH, 0, FIRST_STATES)),
    ("setup", _ascending(wire.integer(0, SEATS * 65_536 - 1), SETUP_LIMIT)),
)


def row(data: bytes, games: Games) -> Row:
    """Return what a log proves.

    Args:
        data: the bytes of the file.
        games: finds the game that the log names.

    Raises:
        LocalProtocolError: the library that the scheme needs is too old or does not work.
    """
    digest = hashlib.sha256(data).digest()
    try:
        found = logfile.load(data)
    except LogError as error:
        return Row(digest, len(data), problems=(error.code,))
    verdict = verify(found.records, games, Trailer(found.seat, found.digest, found.signature))
    problems = tuple(sorted(verdict.unlisted.union(one.code for one in verdict.problems)))
    agreement, result = verdict.agreement, verdict.result or {}
    if agreement is None:
        return Row(digest, len(data), problems=problems)
    event = agreement.conditions.event
    return Row(
        log=digest,
        size=len(data),
        ok=verdict.ok,
        problems=problems,
        match=agreement.match_id,
        protocol=agreement.protocol,
        game=agreement.game,
        rules=agreement.game_version,
        terms=json.dumps(agreement.terms, separators=(",", ":")),
        scheme=agreement.scheme,
        keys=tuple(player.identity for player in agreement.players),
        names=tuple(player.name for player in agreement.players),
        sides=_sides(verdict, games),
        event=None if event is None else event.event,
        round=0 if event is None else event.round,
        table=0 if event is None else event.table,
        number=0 if event is None else event.game,
        winner=result.get("winner", ""),
        reason=result.get("reason", ""),
        convicted=tuple(sorted({one.seat for one in verdict.convictions if one.seat is not None})),
        confirmed=verdict.confirmed,
        audited=verdict.audited,
        length=verdict.messages,
        states=() if verdict.transcript is None else _first_states(verdict.transcript),
        setup=() if verdict.transcript is None else _setup(verdict.transcript, verdict.known),
    )


def _sides(verdict: Verdict, games: Games) -> tuple[str, ...]:
    assert verdict.agreement is not None
    with suppress(MissingRules):
        return tuple(games(verdict.agreement.game, verdict.agreement.game_version).sides)
    return ()


def _first_states(transcript: Transcript) -> tuple[bytes, ...]:
    found: list[bytes] = []
    for record in transcript.records:
        if len(found) == min(FIRST_STATES, transcript.length):
            break
        if record.kind == FrameKind.ENVELOPE:
            # A frame that ends the match against the rules is held, too, and is no envelope that counts.
            with suppress(WireError):
                found.append(Envelope.unpack(unpack_frame(record.frame)[1][0]).state)
    return tuple(found)


def _setup(transcript: Transcript, known: Known) -> tuple[int, ...]:
    # Of a seat that keeps its seed the openings show some units, and just those that have fought.
    seats = set(transcript.seeds)
    if not seats:
        return ()
    for played in transcript.history:
        placed = transcript.game.setup(played.before.state, known)
        if placed is not None:
            return tuple(sorted({seat * 65_536 + what * 256 + where for seat, what, where in placed if seat in seats}))
    return ()
