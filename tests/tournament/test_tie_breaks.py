"""The tie-breaks of a round robin: those of the program that pairs, which this one does not need for them."""

from __future__ import annotations

import random
import sys
from dataclasses import replace

import pytest
from helpers import daily_first
from helpers_tournament import Contest, event_of, first_wins

from protocol.tournament.berger import berger_rounds
from protocol.tournament.contents import Points, System
from protocol.tournament.engine import break_ties
from protocol.tournament.lines import Field
from protocol.tournament.outcomes import Meeting, Outcome
from protocol.tournament.pairings import pair_round
from protocol.tournament.standings import rank_round_robin, standings


def round_robin(seed: int) -> Field:
    """Return a round robin after some rounds, with holes, forfeits and somebody who has left."""
    chance = random.Random(seed)
    size, cycles, games = chance.randint(3, 9), chance.choice((1, 1, 2)), chance.choice((1, 2))
    event = event_of(System.ROUND_ROBIN, (), cycles=cycles, games=games, points=Points(bye=2 * games))
    rounds, odd = berger_rounds(size, cycles), chance.random() < 0.5
    gone = {chance.randint(1, size): chance.randint(1, rounds)} if odd and chance.random() < 0.4 else {}
    usual, rare = list(Outcome)[1:4], [Outcome.NONE, *list(Outcome)[4:]]
    field = Field(event, size, (), {}, gone, {}, 0)
    for _ in range(chance.randint(1, rounds)):
        meetings = []
        for pair in pair_round(field):
            chosen = rare if odd and chance.random() < 0.3 else usual
            outcomes = tuple(chance.choice(chosen) for _ in range(games if pair.second else 0))
            meetings.append(Meeting(*pair, outcomes))
        field = replace(field, history=(*field.history, tuple(meetings)))
    return field


@pytest.mark.parametrize("names", [("DE", "SB", "WIN"), ("WON", "DE"), ("SB",), ("WIN", "SB", "DE")], ids=str)
@pytest.mark.parametrize("block", daily_first(range(8)))
def test_ranks_and_values_are_those_of_the_engine(names: tuple[str, ...], block: int) -> None:
    for seed in range(25 * block, 25 * block + 25):
        field = round_robin(seed)
        assert rank_round_robin(field, names) == break_ties(field, names)


def test_a_round_robin_has_standings_where_the_engine_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = Contest(4, tie_breaks=("DE", "SB", "WIN", "WON"))
    contest.start()
    contest.round()
    contest.play(first_wins)
    for name in [name for name in sys.modules if name.split(".")[0] == "gacrux"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gacrux", None)
    assert [one.rank for one in standings(contest.look())] == [1, 1, 3, 3]
