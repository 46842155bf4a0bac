"""What one log or several show of a match."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from protocol.game import Seat, Slot, Value
from protocol.independent.audit import FalseBatch, find_problems
from protocol.independent.chain import Chain
from protocol.independent.faults import Disagreement, Misbehaviour
from protocol.independent.reading import SEATS

MOST_PROBLEMS: Final = 64


class Problem(NamedTuple):
    """Something that is wrong, with whom and where if that can be said."""

    code: str
    seq: int | None = None
    seat: Seat | None = None
    batch: FalseBatch | None = None


@dataclass(slots=True)
class Case:
    """What one log or several show."""

    chain: Chain
    problems: list[Problem] = field(default_factory=list)
    """What is wrong, but for what the open cards show."""
    remarks: list[Problem] = field(default_factory=list)
    convictions: dict[Seat, Problem] = field(default_factory=dict)
    """The first message that convicts each seat."""
    findings: list[Problem] = field(default_factory=list)
    """What the open cards show, each against a seat."""
    hidden: dict[Slot, Value] = field(default_factory=dict)
    """What the open cards show to be in the slots."""
    dispute: Disagreement | None = None
    """The message that does not fit, at which the match has stopped."""

    def convict(self, fault: Misbehaviour) -> None:
        """Note what somebody has done."""
        self.convictions.setdefault(fault.seat, Problem(fault.code, fault.seq, fault.seat))

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong but what convicts somebody, and the message at which the match has stopped."""
        stopped = None if self.dispute is None else Problem(self.dispute.code, self.dispute.seq)
        return all(one.seat is not None or one == stopped for one in self.problems)

    @property
    def convicted(self) -> set[Seat]:
        """The seats that a message or the open cards convict."""
        return {*self.convictions, *(one.seat for one in self.findings if one.seat is not None)}

    @property
    def is_audited(self) -> bool:
        """Whether both seeds are open, so that the cards were looked at."""
        return len(self.chain.seeds) == len(SEATS)

    def audit(self) -> None:
        """Look at the open cards, and at what both have said of them."""
        found, self.hidden = find_problems(self.chain.board, self.chain.seeds)
        self.findings = [Problem(*one) for one in found]
        players = self.chain.agreement.players
        if len({one.identity for one in players}) < len(players):
            self.remarks.append(Problem("one_identity"))
        for seat, verdict in sorted(self.chain.verdicts.items()):
            if list(verdict.problems) != [one[:3] for one in self.findings[:MOST_PROBLEMS]]:
                self.remarks.append(Problem("false_verdict", None, seat))
