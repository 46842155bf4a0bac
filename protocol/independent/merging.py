"""Finding the longest common truth of messages, in whatever order they came (SPEC.md, section "Several logs")."""

from collections.abc import Sequence
from typing import Final

from protocol.game import Seat
from protocol.independent.cases import Case
from protocol.independent.chain import Repeated
from protocol.independent.faults import Disagreement, Fault, Misbehaviour
from protocol.independent.messages import Envelope, OpenedSeed, Result, Side, Verdict
from protocol.independent.order import Order
from protocol.independent.reading import SEATS, Message, Signed

_RANKS: Final = {Envelope: 0, Side: 0, Result: 1, OpenedSeed: 2, Verdict: 3}


def merge(case: Case, messages: Sequence[Message]) -> None:
    """Take messages in the order of SPEC.md; what does not fit is left out, what convicts, convicts."""
    signed = sorted((one for one in messages if isinstance(one, Signed)), key=_place)
    _convict_together(case, signed)
    told, results, ends = ([one for one in signed if _rank(one) in ranks] for ranks in ((0,), (1,), (2, 3)))
    spent: set[tuple[Seat, int | None]] = set()
    for one in told:
        if (one.seat, one.seq) not in spent:
            fault = _take(case, one)
            _leave_out(case, fault)
            if one.seq is not None and (
                isinstance(fault, Misbehaviour) or (fault is not None and fault.code == "states_differ")
            ):
                spent.add((one.seat, one.seq))
    # Whoever has resigned signs the result after the other.
    again: list[Message] = [one for one in results if _take(case, one) is not None]
    for last in [*again, *ends, *(one for one in messages if not isinstance(one, Signed))]:
        _leave_out(case, _take(case, last))


def _rank(message: Signed) -> int:
    return _RANKS[type(message.body)]


def _place(message: Signed) -> tuple[int, int, bool, Seat, bytes]:
    """Return what sorts messages: the more their authors had seen, the later they have signed."""
    return _rank(message), sum(message.before), isinstance(message.body, Side), message.seat, message.frame


def _convict_together(case: Case, messages: Sequence[Signed]) -> None:
    """Note the first thing that the messages of each author prove together."""
    orders = [Order() for _ in SEATS]
    unique = {one.hash: one for one in messages}
    for message in sorted(unique.values(), key=lambda one: (one.before, one.after, one.hash)):
        code = orders[message.seat].find_contradiction(message)
        if code is None:
            orders[message.seat].add(message)
        else:
            case.convict(Misbehaviour(code, message.seat, message.seq))


def _take(case: Case, message: Message) -> Fault | None:
    """Take a message; return why it does not hold, if it does not, and note whom it convicts."""
    try:
        case.chain.take(message)
    except Repeated:
        return None
    except Fault as fault:
        if isinstance(fault, Misbehaviour):
            case.convict(fault)
        return fault
    return None


def _leave_out(case: Case, fault: Fault | None) -> None:
    """Leave out what does not fit: its author has to show why."""
    if isinstance(fault, Disagreement):
        case.dispute = case.dispute or fault
