"""What a match tells its player and reports: who sits where, what every message has done, and words about the rest."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from cli.match.timekeeping import Timekeeper
from cli.meeting.whereabouts import TheirDoor
from cli.runtime.console import Reporter
from cli.storm.notes import file_of
from cli.storm.players.dealing import Dealing
from cli.storm.players.player import Controls, Player, Remark
from cli.storm.text import checked
from protocol.core import events as ev
from protocol.core.frames import Kind, unpack_frame
from protocol.core.messages import Side, SideType
from protocol.core.session import Session
from protocol.errors import Damage, WireError
from protocol.game import Request
from protocol.record.journal import Journal
from storm_p2p.storm import game
from storm_p2p.storm.board import FACTIONS
from storm_p2p.storm.events import Event
from storm_p2p.storm.game import Storm
from storm_p2p.storm.state import State

_WORDS: dict[type, str] = {
    ev.DrawOffered: "draw-offered",
    ev.DrawAccepted: "draw-accepted",
    ev.DrawDeclined: "draw-declined",
    ev.DrawLapsed: "draw-lapsed",
    ev.Resigned: "opponent-resigned",
}


class Telling:
    """What is told to the player of one match."""

    def __init__(
        self,
        session: Session,
        journal: Journal,
        player: Player,
        clock: Timekeeper,
        report: Reporter,
        moved: Callable[[TheirDoor], None],
    ) -> None:
        """Follow what had happened before this program started, without a word about it yet.

        Args:
            session: our side of the match.
            journal: where it is stored.
            player: who is told.
            clock: tells of time, breaks and claims.
            report: takes the lines of ``--json``.
            moved: learns where the other can be called from now on.
        """
        self._session = session
        self._journal = journal
        self._player = player
        self._clock = clock
        self._report = report
        self._moved = moved
        self._dealing = Dealing(player.told)
        self._storm: Storm = session.game  # type: ignore[assignment]  # the session carries any game
        self.shown = self._storm.begin(session.agreement.terms)
        """The state up to what the player has been told."""
        self._past: list[tuple[tuple[Event, ...], State]] = []
        self._told_at: list[int] = []
        """The number of each message of the past."""
        for event in self._replayed():
            self._dealing.follow(event.answers, tell=False)
            happened = self._carry_on(event)
            if happened:
                self._past.append((happened, self._view()))
                self._told_at.append(event.seq)

    def begin(self, controls: Controls) -> None:
        """Seat the player, and tell what had happened before this program started."""
        session = self._session
        agreement = session.agreement
        computer = (self._journal.kept("computer") or b"").decode()
        facts = {
            "match": agreement.match_id.hex(),
            # There is nobody to read the words to; and who would listen to the loopback?
            "words": "" if computer else " ".join(agreement.words),
            "computer": computer,
            "log": str(self._journal.path),
            "notes": str(file_of(self._journal.path)),
        }
        terms = game.decode_terms(agreement.terms)
        opponent = agreement.players[session.peer].name
        self._player.seated(FACTIONS[session.seat], terms, opponent, facts, controls)
        said = self._talk()
        if session.history or said:
            # A match that is resumed begins where it stood; both may have talked before the first setup was sealed.
            self._player.resumed(self._past, self._view(), said)
            self._past = []
            self._told_at = []
        if session.side.draw_offer is not None:
            self._player.told("draw-offered", "")
        self._clock.resume()
        if terms.random_setup and not session.history:
            self._dealing.begin()

    def follow(self, event: ev.Event) -> None:
        """Tell the player what has happened just now."""
        self._clock.follow(event)
        match event:
            case ev.Answered():
                self._follow_message(event)
            case ev.ChatReceived() if event.seat != self._session.seat:
                self._player.heard(event.text)
            case ev.DrawOffered() | ev.DrawAccepted() | ev.DrawDeclined() | ev.DrawLapsed() | ev.Resigned():
                if event.seat != self._session.seat:
                    self._player.told(_WORDS[type(event)], "")
            case ev.EndpointTold():
                if event.candidates:
                    self._follow_move(TheirDoor(event.pin, event.candidates))
            case ev.Disagreement(evidence=(frame,)):
                # Signed by the other: what he claims to hold of ours.
                self._journal.keep("fork", frame)
                self._player.told(event.code, event.sentence)
            case ev.Damaged() | ev.Disagreement() | ev.PeerMisbehaved():
                self._player.told(event.code, event.sentence)
            case _:
                pass

    def _follow_message(self, event: ev.Answered) -> None:
        self._dealing.follow(event.answers, tell=True)
        happened = self._carry_on(event)
        self._tell_checks(event)
        self._report({"event": "message", "seq": event.seq, "type": _type(event)})
        if happened:
            self._player.happened(happened, self._view())

    def _follow_move(self, place: TheirDoor) -> None:
        """Keep where the other can be called from now on."""
        for word, value in place.kept().items():
            self._journal.keep(word, value)
        self._moved(place)

    def _tell_checks(self, event: ev.Answered) -> None:
        """Say what the other's message has proved without telling it."""
        if event.seat == self._session.seat:
            return
        for request, answer in event.answers:
            proved = checked.line(self._session.agreement.scheme, request, answer)
            if proved is not None and not self._dealing.repeats(request, answer):
                self._player.told("checked", proved)

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
            if record.kind == Kind.ENVELOPE:
                seq += 1
            elif record.kind == Kind.SIDE:
                try:
                    side = Side.unpack(unpack_frame(record.frame)[1][0])
                except (Damage, WireError):
                    # The last frame may be the one that was against the rules.
                    continue
                if side.type is SideType.CHAT:
                    after = bisect_right(self._told_at, seq)
                    found.append(Remark(after, side.seat == self._session.seat, str(side.body)))
        return found

    def _carry_on(self, event: ev.Answered) -> tuple[Event, ...]:
        """Carry the shown state on and return what the message has done."""
        happened: tuple[Event, ...] = ()
        for _, answer in event.answers:
            self.shown, more = self._storm.happened(self.shown, answer)
            happened += more
        return happened

    def _view(self) -> State:
        return game.owner_view(self.shown, self._session.known)


def _type(event: ev.Answered) -> str:
    if not event.answers:
        return "seal"
    request = event.answers[0][0]
    return str(getattr(request, "kind", type(request).__name__.lower()))
