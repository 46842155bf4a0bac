"""What logs prove to somebody who has nothing else (SPEC.md, sections "Audit" and "End and results").

Pure: frames in, a verdict out.  Everything is recomputed: handshake, keys, signatures, order, openings, rules,
side messages, result, seeds, and the replay with open cards.  Every check is the one that the sessions make,
by the same code, so that a stranger and the two players cannot come to different ends.

Only the exporter vouches for the order and the completeness of a log, and the exporter may have an interest.  So a seat
is named for nothing but what its own signatures prove; what is missing, moved or repeated is blamed on nobody.
Several logs of one match are :mod:`protocol.core.merging`.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from protocol.core import results
from protocol.core.agreement import Agreement, read_agreement
from protocol.core.frames import FrameKind, Record, Trailer, unpack_frame
from protocol.core.game_data import read_data, supply
from protocol.core.messages import Envelope, Problem
from protocol.core.secret_replay import replay
from protocol.core.transcript import Transcript
from protocol.crypto.keys import verify_digest
from protocol.errors import BadCommitment, Damage, Disputed, Misbehaviour, ProtocolError
from protocol.game import Games, Known, MissingRules, Seat

PROBLEM_LIMIT = 64
"""How many problems a verdict lists: nobody reads more, and a hostile log could have one for each record."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A signed message that does not fit the log: nobody is accused, and its author owes what makes it fit."""

    code: str
    seat: Seat
    """Who has signed it."""
    needs: bytes | None
    """The hash of what it rests on, which its author must show; None where a program that knows more could read it,
    or where its state is not the one that the rules give."""

    @property
    def deviates(self) -> bool:
        """Whether it names another state than the rules of the match give."""
        return self.code == "states_differ"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a log proves."""

    ok: bool
    """Whether it holds, up to the message at which the match stopped if that is its last; an unfinished or unaudited
    match is not wrong, and what convicts a seat is no fault of the log."""
    agreement: Agreement | None
    """Match, players, terms and scheme; None when not even the handshake holds."""
    result: dict[str, str] | None = None
    """The result; None while the match goes on."""
    confirmed: bool = False
    """Whether nobody alone can have made the result: who is disadvantaged by it has signed what covers it."""
    audited: bool = False
    """Whether both seeds are open and the match was replayed with open cards."""
    signed: tuple[Seat, ...] = ()
    """Who has signed the result."""
    seeds: tuple[Seat, ...] = ()
    """Whose seed is open."""
    owes: Seat | None = None
    """Who has to write, sign or show something next; None if nobody has, or both, or if the log does not hold."""
    witnessed: bool = False
    """Whether the witness has countersigned the last message of the game."""
    messages: int = 0
    """The number of envelopes that hold."""
    problems: tuple[Problem, ...] = ()
    """What is wrong, the first thing first."""
    unlisted: frozenset[str] = frozenset()
    """The codes of what is wrong beyond that."""
    convictions: tuple[Problem, ...] = ()
    """What convicts a seat by what it has signed: a message, or what the audit finds."""
    remarks: tuple[Problem, ...] = ()
    """What should be known and makes nothing wrong."""
    dispute: Dispute | None = None
    """The message at which the match stopped without anybody's being accused; None if the log does not hold."""
    transcript: Transcript | None = field(default=None, compare=False, repr=False)
    """The match as far as it holds, with its clocks, breaks and claims; None where it cannot be replayed."""
    known: Known = field(default_factory=dict, compare=False, repr=False)
    """The hidden values that seeds and openings show."""


def verify(records: Sequence[Record], games: Games, trailer: Trailer | None = None) -> Verdict:
    """Judge a log.

    Args:
        records: all frames in the order of acceptance.
        games: finds the game that the log names.
        trailer: the end of the file, if the log comes from one.

    Raises:
        LocalProtocolError: the library that the scheme needs is too old or does not work.
    """
    opened = begin(records, games, trailer)
    if isinstance(opened, Verdict):
        return opened
    transcript, problems = opened
    conviction, dispute = _take_all(transcript, records[read_data(records)[1] :], problems)
    convictions = () if conviction is None else (conviction,)
    ok = len(problems) == len(convictions) + (dispute is not None)
    return conclude(transcript, problems, convictions, dispute, ok=ok)


def begin(
    records: Sequence[Record], games: Games, trailer: Trailer | None
) -> Verdict | tuple[Transcript, list[Problem]]:
    """Return an empty transcript of a log's match and what is wrong so far, or the verdict if that is all to be said.

    Raises:
        LocalProtocolError: the library that the scheme needs is too old or does not work.
    """
    try:
        agreement = read_agreement(records)
    except ProtocolError as error:
        problem = Problem("bad_handshake", None, None, f"handshake: {error}")
        return Verdict(False, None, problems=(problem,))
    problems = check_trailer(agreement, trailer)
    try:
        game = games(agreement.game, agreement.game_version)
    except MissingRules as missing:
        problems.append(Problem("rules_version", None, None, str(missing)))
        return Verdict(False, agreement, problems=tuple(problems))
    try:
        return Transcript(agreement, supply(game, read_data(records)[0])), problems
    except BadCommitment as error:
        problems.append(Problem(error.code, None, None, str(error)))
    except ValueError:
        # What the game says of them may be in the words of whoever wrote them.
        problems.append(Problem("bad_terms", None, None, f"expected terms and data of {game.name}, got others"))
    return Verdict(False, agreement, problems=tuple(problems))


def conclude(
    transcript: Transcript,
    problems: Sequence[Problem],
    convictions: Sequence[Problem],
    dispute: Dispute | None,
    *,
    ok: bool = True,
) -> Verdict:
    """Return what a transcript proves that has taken all of a log, or of several.

    Args:
        transcript: with all that holds.
        problems: what was wrong with the rest.
        convictions: those of the problems that convict somebody.
        dispute: the message at which the match stopped without that.
        ok: whether the log holds.
    """
    agreement = transcript.agreement
    found, known = replay(transcript.referee, transcript.history, transcript.seeds)
    # One log alone may have shown in its audit what the whole shows, too.
    shown = {one.key for one in found}
    problems = [one for one in problems if one.key not in shown]
    convictions = [one for one in convictions if one.key not in shown]
    by_message = {one.seat for one in convictions}
    convictions = (*convictions, *found)
    culprits = {one.seat for one in convictions if one.seat is not None}
    result = results.result_of(transcript, culprits, by_message=bool(by_message))
    # What convicts a seat covers what that seat loses by it.
    confirmed = result is not None and (bool(culprits) or not results.missing_signatures(transcript, result))
    owes = None if culprits else results.owes(transcript, result)
    if dispute is not None and not confirmed and not culprits:
        owes = dispute.seat
    if not ok:
        # SPEC, "End and results": one flipped bit would be an accusation.
        owes = dispute = None
    seats = range(len(agreement.players))
    return Verdict(
        ok=ok,
        agreement=agreement,
        result=result,
        confirmed=confirmed,
        audited=len(transcript.seeds) == len(agreement.players),
        signed=tuple(seat for seat in seats if results.has_signed(transcript, seat)),
        seeds=tuple(sorted(transcript.seeds)),
        owes=owes,
        witnessed=transcript.length > 0 and transcript.head in transcript.witnessed,
        messages=transcript.length,
        problems=(*problems, *found)[:PROBLEM_LIMIT],
        unlisted=frozenset(one.code for one in (*problems, *found)[PROBLEM_LIMIT:]),
        convictions=convictions,
        remarks=_remarks(transcript, found),
        dispute=dispute,
        transcript=transcript,
        known=known,
    )


def _remarks(transcript: Transcript, found: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return what should be known of a match; ``found`` is what its replay with open cards has found."""
    remarks = []
    if len({player.identity for player in transcript.agreement.players}) < len(transcript.agreement.players):
        text = "expected an identity for each seat, got one for both"
        remarks.append(Problem("one_identity", None, None, text))
    true = tuple((one.code, one.seq, one.seat) for one in found[:PROBLEM_LIMIT])
    for seat, verdict in sorted(transcript.verdicts.items()):
        if verdict.problems != true:
            text = f"expected {list(true)}, got another list"
            remarks.append(Problem("false_verdict", None, seat, text))
    return tuple(remarks)


def _take_all(
    transcript: Transcript, records: Sequence[Record], problems: list[Problem]
) -> tuple[Problem | None, Dispute | None]:
    """Feed all records up to the first that does not hold, and list what is wrong.

    Nothing can be said of order and rules behind that one, and its signature alone says nothing.

    Returns:
        what convicts the author of a message, and the message at which the match stopped without that.
    """
    conviction: Problem | None = None
    dispute: Dispute | None = None
    for record in records:
        if (conviction or dispute) and not _is_statement(record):
            text = "expected the end of the log behind the message at which the match stopped, got more"
            problems.append(Problem("not_examined", place(record), None, text))
            break
        try:
            before = len(transcript.records)
            transcript.accept(record.frame)
            if len(transcript.records) == before:
                problems.append(Problem("repeated", place(record), None, "expected each frame once, got one again"))
            elif record.kind != transcript.records[-1].kind:
                kind = transcript.records[-1].kind
                text = f"expected kind {kind} of the frame, got {record.kind}"
                problems.append(Problem("wrong_kind", place(record), None, text))
        except Misbehaviour as error:
            conviction = Problem(error.code, error.seq, error.seat, str(error))
            problems.append(conviction)
        except Disputed as error:
            problems.append(Problem(error.code, place(record), None, str(error)))
            dispute = Dispute(error.code, error.seat, error.needs)
        except Damage as error:
            # Whoever made the log may have left something out, or signed something else in its place.
            problems.append(Problem(error.code, place(record), None, str(error)))
            break
    return conviction, dispute


def _is_statement(record: Record) -> bool:
    """Say whether a record is a statement of the witness, who may answer when the match has stopped."""
    with suppress(ProtocolError):
        return unpack_frame(record.frame)[0] is FrameKind.WITNESS
    return False


def place(record: Record) -> int | None:
    """Return what an envelope says of its number, for pointing at it."""
    try:
        kind, values = unpack_frame(record.frame)
        if kind is FrameKind.ENVELOPE:
            return Envelope.unpack(values[0]).number
    except ProtocolError:
        pass
    return None


def check_trailer(agreement: Agreement, trailer: Trailer | None) -> list[Problem]:
    """Return what is wrong with the end of a file, if there is one."""
    if trailer is None:
        return []
    try:
        if trailer.seat >= len(agreement.players):
            raise Damage("bad_trailer", "a seat of the match", f"seat {trailer.seat}")
        public = agreement.players[trailer.seat].match_key
        verify_digest(public, trailer.digest, trailer.signature)
    except ProtocolError as error:
        # Not even who changed the file can be known: nobody is to blame.
        return [Problem("bad_trailer", None, None, f"trailer: {error}")]
    return []
