"""Make finished logs of both games, which every later version must verify, and what it must say to each.

Run ``python tests/logs/make.py`` from the top of the repository when protocol or rules have got a new number.  The logs
of a number are made once: while it is not released, delete its folder first; after that they stay as they are.
``tests/storm/test_old_logs.py`` verifies all of them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from helpers_wire import Pair

    from protocol.core.session import Session
    from protocol.core.witness import Witness

HERE = Path(__file__).resolve().parent
START = 1_700_000_000.0
WEEK = 7 * 24 * 3600

FACTS = (
    "ok", "match", "protocol", "rules", "event", "players", "result", "confirmed", "signed", "seeds", "owes", "audited",
    "scheme", "messages", "problems", "remarks", "break", "claims",
)  # fmt: skip


def plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return of what ``verify --json`` says that which must never change."""
    found = {name: facts[name] for name in FACTS}
    clock, witness = facts["clock"], facts["witness"]
    found["clock"] = None if clock is None else clock["seats"]
    names = ("key", "address", "witnessed", "envelopes", "contradictions")
    found["witness"] = None if witness is None else {name: witness[name] for name in names}
    return found


def folders() -> tuple[Path, Path]:
    """Return where the logs of the present numbers stand: those of Storm, and those of Fight."""
    from protocol import VERSIONS
    from storm_p2p.games import FIGHT, NEWEST, STORM

    storm, fight = (NEWEST[game].split("-")[0] for game in (STORM, FIGHT))
    return HERE / f"protocol{VERSIONS[-1]}-rules{storm}", HERE / f"protocol{VERSIONS[-1]}-fight{fight}"


class Table:
    """A match between two computer players, and how it is played."""

    def __init__(
        self, make: Callable[..., Pair], name: str, seed: int, *, clock: bool = False, witness: bool = False, **own: Any
    ) -> None:
        from helpers_wire import identity

        from protocol.core.clock import ClockKind, ClockTerms
        from protocol.core.game_data import Conditions, WitnessTerms
        from protocol.core.witness import Witness

        self.chance = Random(seed)
        self.witness: Witness | None = Witness(identity("witness")) if witness else None
        conditions = Conditions(
            ClockTerms(ClockKind.BASE, 900, 10, 3, 120, 600) if clock else None,
            WitnessTerms(identity("witness").public, "witness.example:4711") if witness else None,
        )
        scheme = name.split("-")[0]
        self.pair = make(tag=f"old log {name}", scheme=scheme, conditions=conditions, now=START, **own)

    @property
    def asked(self) -> Session | None:
        """The session whose player has to decide."""
        return next((session for session in self.pair.sessions if session.asks_us is not None), None)

    def play(self, limit: int = 10_000) -> None:
        """Let both play on, for so many decisions or to the end."""
        pair = self.pair
        for _ in range(limit):
            asked = self.asked
            if asked is None:
                break
            pair.now += self.chance.randrange(1, 20)
            pair.decide(asked, self.chance)
            pair.settle()
            self.show()

    def show(self) -> None:
        """Show the witness all that it has not seen."""
        for session in self.pair.sessions if self.witness is not None else ():
            while (question := session.side_channel.next_for_witness()) is not None:
                assert self.witness is not None
                answer = self.witness.answer(question, int(self.pair.now))
                assert answer is not None
                session.side_channel.take_statement(answer)

    @property
    def turn(self) -> int:
        """Whose decision it is."""
        assert self.asked is not None
        return self.asked.seat

    def end(self, what: Callable[[Table, int], None], decisions: int = 12) -> Table:
        """Play so many decisions, and end the match by something else than the rules."""
        self.play(decisions)
        what(self, self.turn)
        self.pair.settle()
        self.show()
        return self

    def rules(self) -> Table:
        """Play to the end."""
        self.play()
        return self


def resigned(table: Table, turn: int) -> None:
    """Give up in the own turn."""
    pair = table.pair
    pair.sessions[turn].side_channel.chat("gg", now=pair.now)
    pair.sessions[turn].side_channel.resign(now=pair.now)


def resigned_early(table: Table, turn: int) -> None:
    """Give up in the other's turn."""
    pair = table.pair
    pair.sessions[1 - turn].side_channel.resign(now=pair.now)


def drawn(table: Table, turn: int) -> None:
    """Agree on a draw, the second time it is offered."""
    pair = table.pair
    one, other = pair.sessions[turn], pair.sessions[1 - turn]
    one.side_channel.offer_draw(now=pair.now)
    pair.settle()
    other.side_channel.decline_draw(now=pair.now)
    pair.settle()
    other.side_channel.offer_draw(now=pair.now)
    pair.settle()
    one.side_channel.accept_draw(now=pair.now)


def out_of_time(table: Table, turn: int) -> None:
    """Think too long by one's own word, and be claimed."""
    pair = table.pair
    pair.now += 2000
    chance = Random(1)
    while (asked := table.asked) is not None and asked.seat == turn:
        pair.decide(asked, chance)
        pair.settle()
    pair.sessions[1 - turn].side_channel.claim(now=pair.now)


def absent(table: Table, turn: int) -> None:
    """Come back after more than a week, and concede."""
    pair = table.pair
    pair.now += WEEK + 60
    pair.sessions[1 - turn].side_channel.claim(now=pair.now)
    pair.settle()
    pair.sessions[turn].side_channel.concede(now=pair.now)


def broken(table: Table, turn: int) -> None:
    """Adjourn, go on another day, and give up then."""
    from protocol.core.messages import Break

    pair = table.pair
    pair.sessions[turn].side_channel.propose(Break.ADJOURNMENT, now=pair.now)
    pair.settle()
    pair.sessions[1 - turn].side_channel.agree(now=pair.now)
    pair.settle()
    pair.now += 3600 * 24
    pair.sessions[1 - turn].side_channel.go_on(now=pair.now)
    pair.settle()
    pair.sessions[turn].side_channel.resign(now=pair.now)


OPEN, DEALT = (True, False, 0), (False, True, 0)
GREEDY = ("greedy", "greedy")


def storm(*terms: Any, **both: Any) -> Pair:
    """Begin a match of Storm with such terms."""
    from helpers_storm import StormPair

    from storm_p2p.storm.state import Terms

    return StormPair(Terms(*terms), **both)


def tables() -> dict[str, Table]:
    """Return all matches of Storm by the names of their files, played."""

    def table(name: str, seed: int, *terms: Any, **more: Any) -> Table:
        made[name] = Table(partial(storm, *terms), name, seed, **more)
        return made[name]

    made: dict[str, Table] = {}
    table("proved-plain-rules", 0, bots=GREEDY).rules()
    table("proved-open-rules-clock", 1, *OPEN, clock=True).rules()
    table("proved-dealt-rules-witness", 2, *DEALT, witness=True).rules()
    table("proved-challenge-draw-clock-witness", 3, False, False, 10, clock=True, witness=True).end(drawn)
    table("proved-plain-time-clock", 4, clock=True).end(out_of_time)
    table("proved-plain-absence", 5, gather=True).end(absent)
    table("proved-everything-resigned", 6, True, True, 5, gather=True).end(resigned)
    table("hash-plain-rules", 7).rules()
    table("hash-open-draw", 8, *OPEN).end(drawn)
    table("hash-dealt-rules-clock", 9, *DEALT, clock=True, bots=GREEDY).rules()
    table("hash-challenge-resigned-witness", 10, False, False, -4, witness=True).end(resigned_early)
    table("hash-plain-adjourned-clock-witness", 11, clock=True, witness=True, gather=True).end(broken)
    table("hash-everything-rules", 12, True, True, 3, gather=True).rules()
    return made


def fight_tables() -> dict[str, Table]:
    """Return all matches of Fight by the names of their files, played; it has no other scheme."""
    from helpers_fight import FightPair

    from storm_p2p.fight.card_file import FIRST, load_reconstructed

    def table(name: str, seed: int, **more: Any) -> Table:
        # What is newest is played in many tests; these logs are read when it no longer is.
        made[name] = Table(partial(FightPair, cards=load_reconstructed(FIRST)), name, seed, **more)
        return made[name]

    made: dict[str, Table] = {}
    table("proved-reconstructed-rules", 28, bots=("greedy", "random")).rules()
    table("proved-reconstructed-resigned-witness", 1, witness=True, gather=True).end(resigned, 4)
    table("proved-reconstructed-draw-clock", 2, clock=True).end(drawn, 4)
    table("proved-reconstructed-time-clock-witness", 3, clock=True, witness=True, gather=True).end(out_of_time, 4)
    table("proved-reconstructed-absence", 4, gather=True).end(absent, 4)
    table("proved-reconstructed-adjourned-clock", 5, clock=True, gather=True).end(broken, 4)
    table("proved-own-rules-clock-witness", 0, own=True, clock=True, witness=True).rules()
    table("proved-own-resigned", 7, own=True, gather=True).end(resigned_early, 4)
    return made


def main() -> None:
    """Write the logs of the present numbers, and what is expected of them."""
    from helpers_judging import log_of
    from helpers_storm import judged

    missing = [
        (place, make) for place, make in zip(folders(), (tables, fight_tables), strict=True) if not place.exists()
    ]
    if not missing:
        sys.exit(
            f"The logs of {' and '.join(place.name for place in folders())} are there. They are made once: if these"
            " numbers were never released, delete the folder and run this again; else raise the number of the rules or"
            " of the protocol first."
        )
    for place, make in missing:
        played = make()
        place.mkdir()
        expected = {}
        for number, (name, table) in enumerate(played.items()):
            facts = plain(judged(log_of(table.pair, number % 2), place))
            assert all(facts[word] for word in ("ok", "audited", "confirmed")), (name, facts)
            (place / "match.storm").rename(place / f"{name}.storm")
            expected[f"{name}.storm"] = facts
        (place / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]
    main()
