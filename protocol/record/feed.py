"""Following a match that others may watch, from the beginnings of its log (SPEC.md, section "Feeds"): pure.

What is shown was checked by the code that judges logs: handshake, signatures, order, rules, proofs, boards.
"""

from contextlib import suppress

from protocol.core.agreement import read_agreement
from protocol.core.frames import Log, Record
from protocol.core.game_data import HANDSHAKE_LENGTH, read_data, supply
from protocol.core.merging import verify_together
from protocol.core.transcript import Transcript
from protocol.errors import Damage, Disputed, Failure, Misbehaviour, ProtocolError
from protocol.game import Games, Seat
from protocol.record import logfile

_PASSES = 4
"""So often messages that wait for others are gone through at once: more than any two logs of honest players need."""


class FeedError(Failure):
    """A feed that shows nothing new, because it does not hold.

    Attributes:
        code: ``changed``, it does not begin with what it was before; ``other_match``, it is of another match than the
            first one; or the code of a :class:`~protocol.record.logfile.LogError` or of damage.
        sentence: what was expected and what came.
    """


class Feeds:
    """What one or two feeds of a match have shown so far; it only grows."""

    def __init__(self, games: Games) -> None:
        """Begin with nothing.

        ``games`` finds the rules of a match.
        """
        self._games = games
        self.transcript: Transcript | None = None
        """All messages that hold; None before the handshake is there."""
        self.data = b""
        """Of the game (SPEC.md, section "Data of a game")."""
        self.convicted: dict[Seat, str] = {}
        """Whom messages convict, with the code."""
        self._held: dict[int, bytes] = {}
        self._taken: set[bytes] = set()
        self._waiting: list[Record] = []

    def take(self, feed: int, data: bytes) -> None:
        """Take what a feed shows now.

        Raises:
            FeedError: nothing of it was taken, or nothing from its first record that does not hold.
            MissingRules: the rules of the match are not here.
        """
        before = self._held.get(feed, b"")
        if before.startswith(data):
            # An older copy, which a carrier may still have.
            return
        if not data.startswith(before):
            raise FeedError("changed", "expected a file that begins with what it was")
        try:
            records = logfile.load_beginning(data)
        except logfile.LogError as error:
            raise FeedError(error.code, error.sentence) from error
        if len(records) >= HANDSHAKE_LENGTH:
            self._begin(records)
            self._take(records, alone=not set(self._held) - {feed})
        self._held[feed] = data
        if self._waiting:
            self._compare()

    def _begin(self, records: tuple[Record, ...]) -> None:
        try:
            agreement = read_agreement(records[:HANDSHAKE_LENGTH])
            if self.transcript is None:
                self.data = read_data(records)[0]
                game = supply(self._games(agreement.game, agreement.game_version), self.data)
                self.transcript = Transcript(agreement, game)
        except (ProtocolError, ValueError) as error:
            raise FeedError("bad_handshake", str(error)) from error
        if self.transcript.agreement.match_id != agreement.match_id:
            raise FeedError("other_match", "expected a feed of the same match")

    def _take(self, records: tuple[Record, ...], *, alone: bool) -> None:
        """Take the messages that are new; those of two feeds may stand in another order."""
        transcript = self.transcript
        assert transcript is not None
        begins = read_data(records)[1]
        self._waiting += [one for one in records[begins:] if one.frame not in self._taken]
        self._taken.update(one.frame for one in records[begins:])
        for _ in range(_PASSES):
            late: list[Record] = []
            for place, record in enumerate(self._waiting):
                try:
                    # A frame begins with the head of an array and its kind (SPEC.md, "Frames").
                    if record.frame[1:2] != bytes((record.kind,)):
                        raise Damage("wrong_kind", f"a record of kind {record.frame[1:2].hex()}", str(record.kind))
                    transcript.accept(record.frame)
                except Misbehaviour as error:
                    self.convicted.setdefault(error.seat, error.code)
                except ProtocolError as error:
                    # What the other feed may still bring comes later; what nobody has signed never fits.
                    if alone or (isinstance(error, Damage) and error.code != "gap"):
                        # What was not looked at here the other feed may still bring.
                        self._taken.difference_update(one.frame for one in (*late, *self._waiting[place:]))
                        self._waiting = []
                        code = error.code if isinstance(error, Damage | Disputed) else "damage"
                        raise FeedError(code, str(error)) from error
                    late.append(record)
            done, self._waiting = not late or len(late) == len(self._waiting), late
            if done:
                break

    def _compare(self) -> None:
        """Find whom both feeds together convict, whatever order they were read in."""
        logs = [Log(logfile.load_beginning(data)) for data in self._held.values()]
        with suppress(ProtocolError):
            for verdict in verify_together(logs, self._games):
                for one in verdict.convictions:
                    if one.seat is not None:
                        self.convicted.setdefault(one.seat, one.code)

    @property
    def shown(self) -> tuple[int, int]:
        """How many records hold, and how many of the feeds are whole logs; it grows with everything new."""
        return 0 if self.transcript is None else 1 + len(self.transcript.records), len(self.whole())

    def agreed(self) -> int:
        """Return up to which envelope both seats have signed everything: the last of each binds all before it."""
        transcript = self.transcript
        if transcript is None:
            return 0
        return min(transcript.last_envelope_of(seat) for seat in range(len(transcript.agreement.players)))

    def whole(self) -> list[bytes]:
        """Return the feeds that are whole logs now."""
        found = []
        for data in self._held.values():
            with suppress(logfile.LogError):
                logfile.load(data)
                found.append(data)
        return found
