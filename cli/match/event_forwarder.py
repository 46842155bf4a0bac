"""What a match tells its participant and reports: who sits where, what every message has done, words about the rest."""

from collections.abc import Callable
from typing import Any

from cli.clean import clean
from cli.match.player import Controls, Participant, Remark
from cli.match.timekeeping import Timekeeper
from cli.meeting.reachability import TheirDoor
from cli.notices import WordOfOther
from cli.runtime.console import Reporter
from protocol.core import events as ev
from protocol.core.frames import FrameKind, unpack_frame
from protocol.core.messages import Side, SideType
from protocol.core.session import Session
from protocol.errors import Damage, WireError
from protocol.game import Request
from protocol.record.journal import Journal


class EventForwarder:
    """What is told to the participant of one match."""

    def __init__(
        self, session: Session, journal: Journal, participant: Participant, clock: Timekeeper, report: Reporter,
        moved: Callable[[TheirDoor], None],
    ) -> None:  # fmt: skip
        """Tell nothing yet; ``moved`` learns where the other can be called from now on."""
        self._session = session
        self._journal = journal
        self._participant = participant
        self._clock = clock
        self._report = report
        self._moved = moved

    def begin(self, controls: Controls) -> None:
        """Tell who plays, and what had happened before this program started."""
        session = self._session
        computer = self._journal.read_word("computer") or ""
        facts = {
            "match": session.agreement.match_id.hex(),
            # There is nobody to read the words to; and who would listen to the loopback?
            "words": "" if computer else " ".join(session.agreement.words),
            "computer": computer,
            "aids": "agreed" if session.agreement.conditions.aids else "",
            "log": str(self._journal.path),
        }
        self._participant.seated(session, facts, controls)
        said = self._talk()
        if session.history or said:
            # A match that is resumed begins where it stood; both may have talked before the first message.
            self._participant.resumed(self._replayed(), said)
        if session.side.draw_offer is not None:
            self._participant.on_notice(ev.DrawOffered(session.peer, session.side.draw_offer))
        self._clock.resume()

    def follow(self, event: ev.Event) -> None:
        """Tell the player what has happened just now."""
        self._clock.follow(event)
        match event:
            case ev.Answered():
                self._report({"event": "message", "seq": event.seq, "type": _type(event)})
                self._participant.happened(event)
            case ev.ChatReceived():
                # A line of which nothing can be shown is none.
                if event.seat != self._session.seat and clean(event.text):
                    self._participant.heard(event.text)
            case ev.EndpointTold():
                if event.candidates:
                    self._follow_move(TheirDoor(event.pin, event.candidates))
            case ev.RecordsDiffer():
                if event.resume:
                    # Signed by the other: what they claim to hold of ours.
                    self._journal.keep("fork", event.resume)
                self._participant.on_notice(event)
            case ev.Damaged() | ev.Disagreement() | ev.PeerMisbehaved():
                self._participant.on_notice(event)
            case ev.RematchOffered() | ev.RematchDeclined() if event.seat != self._session.seat:
                state = "offered" if isinstance(event, ev.RematchOffered) else "declined"
                self._report({"event": "rematch", "state": state, "seat": self._session.game.sides[event.seat]})
                self._participant.on_notice(event)
            case _ if isinstance(event, WordOfOther) and event.seat != self._session.seat:
                self._participant.on_notice(event)
            case _:
                pass

    def _follow_move(self, place: TheirDoor) -> None:
        """Keep where the other can be called from now on."""
        for word, value in place.kept().items():
            self._journal.keep(word, value)
        self._moved(place)

    def _replayed(self) -> list[ev.Answered]:
        """Return what had happened before this program started."""
        played: dict[int, list[tuple[Request, Any]]] = {}
        seats: dict[int, int] = {}
        for step in self._session.history:
            seats[step.seq] = step.seat
            answers = played.setdefault(step.seq, [])
            if step.answer is not None and step.before.request is not None:
                answers.append((step.before.request, step.answer))
        return [ev.Answered(seq, seats[seq], tuple(answers)) for seq, answers in played.items()]

    def _talk(self) -> list[Remark]:
        """Return the lines of chat that stand in the record, in order."""
        found: list[Remark] = []
        seq = 0
        for record in self._session.records:
            if record.kind == FrameKind.ENVELOPE:
                seq += 1
            elif record.kind == FrameKind.SIDE:
                try:
                    side = Side.unpack(unpack_frame(record.frame)[1][0])
                except (Damage, WireError):
                    # The last frame may be the one that was against the rules.
                    continue
                if side.type is SideType.CHAT and clean(str(side.body)):
                    found.append(Remark(seq, side.seat == self._session.seat, str(side.body)))
        return found


def _type(event: ev.Answered) -> str:
    if not event.answers:
        return "seal"
    request = event.answers[0][0]
    return str(getattr(request, "kind", type(request).__name__.lower()))
