"""What a log proves to somebody who has nothing else (SPEC.md, section "Audit").

Pure: frames in, a verdict out.  Everything is recomputed: handshake, keys, signatures, order, openings, rules,
side messages, result, seeds, and the replay with open cards.  Every check is the one that the sessions make,
by the same code, so that a stranger and the two players cannot come to different ends.

Only the exporter vouches for the order and the completeness of a log, and he may have an interest.  So a seat
is named for nothing but what its own signatures prove; what is missing, moved or repeated is blamed on nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.agreement import Agreement, read_agreement
from protocol.claims import Claim
from protocol.errors import BadCommitment, Damage, Disputed, Misbehaviour, ProtocolError
from protocol.frames import Kind, Record, unpack_frame
from protocol.game import Games, MissingRules, Seat
from protocol.implementation import LIBRARIES, Implementation, Signatures
from protocol.messages import Break, Envelope, Problem
from protocol.opencards import replay
from protocol.stages import Stage
from protocol.times import Times
from protocol.transcript import Transcript
from protocol.witness import Statement


@dataclass(frozen=True, slots=True)
class Trailer:
    """Who exported the log, and his match key's signature over the digest of everything before it."""

    seat: Seat
    digest: bytes
    """H("log", bytes)."""
    signature: bytes


@dataclass(frozen=True, slots=True)
class Course:
    """How a match stands where its log ends, beside the game: nothing of it is a fault of anybody's."""

    owes: Seat | None
    """Who has to write the next message; None once there is a result."""
    agreed_break: Break | None
    """The break in which the match stands."""
    claims: tuple[Claim, ...]
    """All claims to the match and what has become of each."""
    times: Times | None
    """The clocks, if there are any: by each seat's own word and by the other's reading."""
    statements: tuple[Statement, ...]
    """What the witness has signed, if there is one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a log proves."""

    ok: bool
    """Whether nothing is wrong with it; an unfinished or unaudited match is not wrong."""
    agreement: Agreement | None
    """Match, players, terms and scheme; None when not even the handshake holds."""
    result: dict[str, str] | None
    """The result; None while the match goes on."""
    audited: bool
    """Whether both seeds are open and the match was replayed with open cards."""
    signed: tuple[Seat, ...]
    """Who has signed the result."""
    messages: int
    """The number of envelopes that hold."""
    problems: tuple[Problem, ...]
    """What is wrong, the first thing first."""
    course: Course | None = None
    """Clocks, breaks, claims and who owes a message; None where the match cannot be replayed."""


def verify(
    records: Sequence[Record],
    games: Games,
    trailer: Trailer | None = None,
    by: Implementation = LIBRARIES,
) -> Verdict:
    """Judge a log.

    Args:
        records: all frames in the order of acceptance.
        games: finds the game that the log names.
        trailer: the end of the file, if the log comes from one.
        by: whose cryptography checks.

    Raises:
        LocalProtocolError: the library that the scheme needs is too old or does not work.
    """
    try:
        agreement = read_agreement(records, by.signatures)
    except ProtocolError as error:
        problem = Problem(error.code, None, None, f"handshake: {error}")
        return Verdict(False, None, None, False, (), 0, (problem,))
    problems: list[Problem] = []
    if trailer is not None:
        problems.extend(_check_trailer(agreement, trailer, by.signatures))
    try:
        game = games(agreement.game, agreement.game_version)
    except MissingRules as missing:
        problems.append(Problem("rules_version", None, None, str(missing)))
        return Verdict(False, agreement, None, False, (), 0, tuple(problems))
    try:
        transcript = Transcript(agreement, game, by)
    except (ValueError, BadCommitment) as error:
        problems.append(Problem("bad_terms", None, None, f"expected terms of {game.name}, got {error}"))
        return Verdict(False, agreement, None, False, (), 0, tuple(problems))
    culprit = _take_all(transcript, records[4:], problems)
    problems.extend(replay(transcript.referee, transcript.history, transcript.seeds))
    found = tuple((one.code, one.seq, one.seat) for one in problems[:64])
    for seat, verdict in transcript.verdicts.items():
        if verdict.problems != found and not problems:
            text = f"expected {list(found)}, got {list(verdict.problems)}"
            problems.append(Problem("false_verdict", None, seat, text))
    outcome = transcript.outcome() if culprit is None else transcript.forfeited(culprit)
    later = (Stage.SIGNED, Stage.OPENED, Stage.CLOSED)
    return Verdict(
        ok=not problems,
        agreement=agreement,
        result=None if outcome is None else dict(outcome),
        audited=len(transcript.seeds) == len(agreement.players),
        signed=tuple(seat for seat, stage in enumerate(transcript.stages) if stage in later),
        messages=transcript.length,
        problems=tuple(problems),
        course=_course(transcript, over=outcome is not None),
    )


def _course(transcript: Transcript, *, over: bool) -> Course:
    standing = transcript.standing
    return Course(
        owes=None if over else transcript.referee.turn(transcript.position),
        agreed_break=None if over else standing.breaks.agreed,
        claims=tuple(standing.claims.all),
        times=transcript.times,
        statements=tuple(transcript.statements),
    )


def _take_all(transcript: Transcript, records: Sequence[Record], problems: list[Problem]) -> Seat | None:
    """Feed all records and list what is wrong; return the seat that a signed message convicts, if any."""
    culprit: Seat | None = None
    broken = False
    for record in records:
        try:
            if broken:
                # Nothing can be said any more about order and rules, but each signature stands for itself.
                transcript.authors.check_frame(record.frame)
                continue
            before = len(transcript.records)
            transcript.accept(record.frame)
            if len(transcript.records) == before:
                problems.append(Problem("repeated", _place(record), None, "expected each frame once, got one again"))
            elif record.kind != transcript.records[-1].kind:
                kind = transcript.records[-1].kind
                text = f"expected kind {kind} of the frame, got {record.kind}"
                problems.append(Problem("wrong_kind", _place(record), None, text))
        except Misbehaviour as error:
            broken, culprit = True, error.seat
            problems.append(Problem(error.code, error.seq, error.seat, str(error)))
        except (Damage, Disputed) as error:
            # Whoever made the log may have left something out, or signed something else in its place.
            broken = True
            problems.append(Problem(error.code, _place(record), None, str(error)))
    return culprit


def _place(record: Record) -> int | None:
    """Return what an envelope says of its number, for pointing at it."""
    try:
        kind, values = unpack_frame(record.frame)
        if kind is Kind.ENVELOPE:
            return Envelope.unpack(values[0]).seq
    except ProtocolError:
        pass
    return None


def _check_trailer(agreement: Agreement, trailer: Trailer, signatures: Signatures) -> list[Problem]:
    try:
        if trailer.seat >= len(agreement.players):
            raise Damage("bad_trailer", "a seat of the match", f"seat {trailer.seat}")
        public = agreement.players[trailer.seat].match_key
        signatures.verify_digest(public, trailer.digest, trailer.signature)
    except ProtocolError as error:
        # Not even who changed the file can be known: nobody is to blame.
        return [Problem("bad_trailer", None, None, f"trailer: {error}")]
    return []
