"""Finding the longest common truth of messages, in whatever order they came (SPEC.md, section "Several logs")."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.game import Seat
from protocol.independent.cases import Case
from protocol.independent.chain import Repeated
from protocol.independent.faults import Disagreement, Fault, Misbehaviour
from protocol.independent.messages import Envelope, Result, Side, Verdict
from protocol.independent.reading import SEATS, Message, Seed, Signed, Witnessed


class Merging:
    """Takes messages in the order of SPEC.md; what does not fit is left out, what convicts, convicts."""

    def __init__(self, case: Case, messages: Sequence[Message]) -> None:
        self._case = case
        self._envelopes: dict[int, list[Signed]] = {}
        self._sides: dict[int, list[Signed]] = {}
        self._ends: list[list[Message]] = [[] for _ in range(4)]
        for one in messages:
            match one:
                case Signed(body=Envelope(seq=seq)):
                    self._envelopes.setdefault(seq, []).append(one)
                case Signed(body=Side(seq=seq)):
                    self._sides.setdefault(seq, []).append(one)
                case Signed(body=Result()):
                    self._ends[0].append(one)
                case Seed():
                    self._ends[1].append(one)
                case Signed(body=Verdict()):
                    self._ends[2].append(one)
                case Witnessed():
                    self._ends[3].append(one)

    def run(self) -> None:
        """Take all of them."""
        for length in sorted({*self._envelopes, *self._sides}):
            self._take_envelopes(self._envelopes.get(length, ()))
            self._take_sides(self._sides.get(length, ()))
        # Whoever has resigned signs the result after the other.
        self._ends.insert(0, [one for one in self._ends[0] if self._misfit(one) is not None])
        for ends in (self._ends[0], *self._ends[2:]):
            for one in ends:
                self._leave_out(self._misfit(one))

    def _take_envelopes(self, envelopes: Sequence[Signed]) -> None:
        """Take the envelopes with one number, of each seat until the steps of one were tried in vain."""
        spent: set[Seat] = set()
        for envelope in envelopes:
            if envelope.seat in spent:
                continue
            try:
                self._case.chain.take(envelope)
            except Repeated:
                pass
            except Misbehaviour as fault:
                self._case.convict(fault)
                spent.add(envelope.seat)
            except Fault as fault:
                self._leave_out(fault)
                if fault.code == "states_differ":
                    spent.add(envelope.seat)

    def _take_sides(self, sides: Sequence[Signed]) -> None:
        """Take the side envelopes of one length, those of each seat by their numbers."""
        queues = [sorted((one for one in sides if one.seat == seat), key=_place) for seat in SEATS]
        while any(queues):
            misfits = []
            for queue in filter(None, queues):
                misfit = self._misfit(queue[0])
                if misfit is None:
                    queue.pop(0)
                    break
                misfits.append((queue, misfit))
            else:
                # Neither fits, whatever else the other has said at this length.
                queue, misfit = misfits[0]
                queue.pop(0)
                self._leave_out(misfit)

    def _misfit(self, message: Message) -> Fault | None:
        """Take a message; return why it does not fit, if it does not and convicts nobody."""
        try:
            self._case.chain.take(message)
        except Repeated:
            pass
        except Misbehaviour as fault:
            self._case.convict(fault)
        except Fault as fault:
            return fault
        return None

    def _leave_out(self, misfit: Fault | None) -> None:
        """Leave out what does not fit: if it is not damaged, its author has to show why."""
        if isinstance(misfit, Disagreement):
            self._case.dispute = self._case.dispute or misfit


def _place(message: Signed) -> tuple[int, bytes]:
    assert isinstance(message.body, Side)
    return message.body.number, message.frame
