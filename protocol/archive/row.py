"""What a log proves, in one flat row (SPEC.md, section "Rows").

A row follows from the bytes of the log and the rules alone.  Whoever has worked it out sends it as bytes, which are
checked when they come: workers are not trusted.
"""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Final, Self, TypeAlias, get_type_hints

from protocol.core import wire
from protocol.core.audit import Verdict, verify
from protocol.core.frames import FrameKind, unpack_frame
from protocol.core.messages import Envelope
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
    return wire.ascending(inner, most, "bad_array", "ascending values, each once")


Flag: TypeAlias = Annotated[bool, wire.integer(0, 1)]
Number: TypeAlias = Annotated[int, wire.integer(0, 65_535)]


@dataclass(frozen=True, slots=True)
class Row(wire.Packed):
    """What one log proves, judged alone."""

    LIMIT: ClassVar = 2 * wire.FRAME_LIMIT

    log: wire.Hash
    """The SHA-256 of the file."""
    size: wire.Count
    """Its length in bytes."""
    ok: Flag = False
    """Whether it holds."""
    problems: Annotated[tuple[str, ...], _ascending(_code, 64)] = ()
    """The codes of all problems, sorted; those that convict, too."""
    match: Annotated[bytes | None, wire.optional(wire.HASH)] = None
    """The match id; None where not even the handshake holds."""
    protocol: Number = 0
    game: Annotated[str, _text(64)] = ""
    rules: Annotated[str, _text(100)] = ""
    terms: Annotated[str, _text(5 * wire.HANDSHAKE_LIMIT)] = ""
    """The terms of the game as JSON, with arrays for tuples; nothing takes five times as much room in it, ``null,``."""
    scheme: Annotated[str, _text(16)] = ""
    keys: Annotated[tuple[bytes, ...], wire.items(wire.HASH, 0, SEATS)] = ()
    """The identity keys by seat."""
    names: Annotated[tuple[str, ...], wire.items(wire.text(wire.NAME_LIMIT), 0, SEATS)] = ()
    """What the players call themselves, by seat."""
    sides: Annotated[tuple[str, ...], wire.items(wire.word(64), 0, SEATS)] = ()
    """What the seats are called; none where the game is not here."""
    event: Annotated[bytes | None, wire.optional(wire.HASH)] = None
    """The id of the event for which the match counts."""
    round: Number = 0
    table: Number = 0
    number: Number = 0
    """The number of the game in its pairing; with ``round`` and ``table`` 0 without an event."""
    winner: Annotated[str, _text(64)] = ""
    """What the winner's seat is called, or ``draw``; empty while the match goes on."""
    reason: Annotated[str, _text(64)] = ""
    convicted: Annotated[tuple[int, ...], _ascending(wire.integer(0, SEATS - 1), SEATS)] = ()
    """The seats that cheated, whoever lost."""
    confirmed: Flag = False
    audited: Flag = False
    length: Annotated[int, wire.integer(0, logfile.RECORD_LIMIT)] = 0
    """The number of envelopes that hold."""
    states: Annotated[tuple[bytes, ...], wire.items(wire.HASH, 0, FIRST_STATES)] = ()
    """The hashes of the public state after each of the first envelopes."""
    setup: Annotated[tuple[int, ...], _ascending(wire.integer(0, SEATS * 65_536 - 1), SETUP_LIMIT)] = ()
    """What each seat whose seed is open has placed where: seat · 65536 + what · 256 + where, in ascending order."""

    @staticmethod
    def check_whole(value: tuple[Any, ...]) -> None:
        """Refuse fields that contradict each other.

        Raises:
            WireError: they do.
        """
        ok, problems, match = value[2:5]
        keys, names, sides = value[10:13]
        if not (ok or problems):
            raise WireError("bad_array", "a log that holds, or problems", "neither")
        if match is None and (ok or any(value[5:])):
            raise WireError("bad_array", "nothing of a match without its id", "more")
        if ok and not all(len(one) == SEATS for one in (keys, names, sides)):
            raise WireError("bad_array", "key, name and side of each seat where a log holds", "fewer")

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        values = wire.unpack(data, wire.schema_of(cls), cls.LIMIT)
        found: Any = (bool(value) if name in _FLAGS else value for name, value in zip(NAMES, values, strict=True))
        return cls(*found)


NAMES: Final = tuple(field.name for field in fields(Row))
"""The names of the fields, in their order."""

_FLAGS: Final = tuple(name for name, kind in get_type_hints(Row).items() if kind is bool)


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
    verdict = verify(found.records, games, found.trailer)
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
