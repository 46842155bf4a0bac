"""Both implementations say the same: of honest matches whose messages cross, and of all that a cheat can make of them.

Beside that they agree, what both must never say is looked at: whoever keeps to the protocol is not accused, whatever
the other signs, and what one log confirms is undone by no other in favour of whoever made that.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from helpers import ROOT, daily_first
from helpers_crossing import Crossing
from helpers_fight import FightPair
from helpers_judging import agreed, log_of
from helpers_storm import StormPair
from helpers_wire import Pair, only
from toys import Bluff, RockPaperScissors

from independent.mutants import Forger, Mutant
from storm_p2p.storm.state import Terms

GAMES: tuple[tuple[Any, Any], ...] = (
    (RockPaperScissors(), 1),
    (RockPaperScissors(), 3),
    (Bluff(), (2, 0)),
    (Bluff(), (3, 1)),
    (Bluff(), (4, 0)),
)


def crossed(seed: int, scheme: str = "hash") -> Pair:
    """Return a match in which all kinds of messages have crossed, finished or not."""
    game, terms = GAMES[seed % len(GAMES)]
    crossing = Crossing(seed, game, terms, scheme=scheme)
    crossing.play(crossing.chance.randrange(5, 60))
    crossing.settle()
    if seed % 2:
        crossing.pair.play_out(seed)
    return crossing.pair


def forged(pair: Pair, seat: int, chance: random.Random, seats: tuple[int, ...]) -> bytes:
    """Return a log that a seat exports, changed by whoever has the keys of some seats."""
    records = pair.sessions[seat].records
    if chance.random() < 0.5:
        mutant = Mutant(pair, records, chance, seats)
        for _ in range(chance.choice((1, 1, 2, 3))):
            mutant.change()
        return log_of(pair, seat, mutant.records)
    kept = chance.choice((len(records), chance.randrange(4, len(records) + 1)))
    forger = Forger(pair, records[:kept], chance, seats)
    for _ in range(chance.choice((1, 2, 4, 8, 15))):
        forger.go_on()
    return log_of(pair, seat, forger.records if chance.random() < 0.3 else forger.held())


def check_forgeries(pair: Pair, chance: random.Random, count: int) -> None:
    """Check what is said of forged logs, alone and beside the honest one of the other seat, in both orders."""
    games = only(pair.game)
    logs = [log_of(pair, seat) for seat in (0, 1)]
    verdicts = [agreed([log], games)[0] for log in logs]
    for _ in range(count):
        cheat = chance.randrange(2)
        honest, before = logs[1 - cheat], verdicts[1 - cheat]
        seats = chance.choice(((0, 1), (cheat,), (cheat,)))
        forgery = forged(pair, cheat, chance, seats)
        (alone,) = agreed([forgery], games)
        first, second = agreed([honest, forgery], games)
        assert agreed([forgery, honest], games) == [second, first]
        if len(seats) == 1:
            name = pair.game.sides[1 - cheat]
            for facts in (alone, first, second):
                assert all(problem["seat"] != name for problem in facts["problems"])
            if before["confirmed"]:
                assert first["result"] == before["result"] or first["result"]["winner"] == name


@pytest.mark.parametrize("seed", range(20))
def test_of_honest_matches_whatever_crosses(seed: int) -> None:
    pair = crossed(seed, "proved" if seed % 5 == 4 else "hash")
    files = [log_of(pair, seat) for seat in (0, 1)]
    for facts in (*agreed(files, only(pair.game)), *agreed(files[:1], only(pair.game))):
        assert (facts["ok"], facts["deviates"], facts["must_show"]) == (True, None, None)


@pytest.mark.parametrize("seed", daily_first(range(10), 3))
def test_of_forged_logs_alone_and_beside_the_honest_one(seed: int) -> None:
    check_forgeries(crossed(100 + seed, "proved" if seed == 3 else "hash"), random.Random(seed), 5)


def test_of_a_match_of_storm_that_is_cut_anywhere() -> None:
    pair = StormPair(Terms(challenge=-12), tag="both")
    pair.play_out(3)
    records = pair.host.records
    for kept in (*range(4, len(records), max(1, len(records) // 12)), *range(len(records) - 7, len(records))):
        assert agreed([log_of(pair, 0, records[:kept])], only(pair.game))[0]["ok"]


@pytest.mark.parametrize("name", daily_first(["handshake", "log", "envelope"], 2))
def test_of_the_logs_among_the_vectors(name: str) -> None:
    vectors = json.loads((ROOT / "tests" / "vectors" / f"{name}.json").read_text(encoding="utf-8"))
    for test in vectors["tests"]:
        start = vectors["starts"][test["start"]] if "start" in test else ""
        agreed([bytes.fromhex(start + test["file"])], only(RockPaperScissors(), Bluff()))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_of_many_forged_logs(seed: int) -> None:
    check_forgeries(crossed(1000 + seed, "proved" if seed % 10 == 9 else "hash"), random.Random(seed), 12)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_of_forged_logs_of_storm(seed: int) -> None:
    chance = random.Random(seed)
    terms = Terms(chance.random() < 0.4, chance.random() < 0.4, chance.choice((0, -4, 3)))
    pair = StormPair(terms, scheme=("hash", "proved")[seed % 2], tag=f"forged {seed}")
    pair.play_out(seed, chance.choice((3, 8, 20, 10_000)))
    check_forgeries(pair, chance, 4)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_of_forged_logs_of_fight(seed: int) -> None:
    pair = FightPair(bots=("greedy", "random"), scheme="proved", tag=f"all {28 + seed}", gather=False)
    pair.play_out(28 + seed, (5, 12, 10_000)[seed])
    check_forgeries(pair, random.Random(seed), 4)
