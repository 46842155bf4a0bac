"""A computer player at a seat takes the time it was given, whatever it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random

import pytest
from helpers_console import seated

from benchmarks import table
from cli.console import seats
from cli.fight.game import FightGame
from cli.storm.game import StormGame
from cli.storm.players import RobotPlayer
from storm_p2p.bots import Thinker
from storm_p2p.fight import bots as fight
from storm_p2p.storm.actions import Action, Liturgy, Pass
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots import BOTS, LEVELS
from storm_p2p.storm.bots.greedy import Greedy
from storm_p2p.storm.state import State, Terms


class Clock:
    """A time that goes on only when somebody thinks or waits."""

    def __init__(self) -> None:
        self.now = 100.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


class Slow(Greedy):
    """A bot whose every simulation takes a while; it passes at first and then prays."""

    def __init__(self, clock: Clock, step: float) -> None:
        self.clock, self.step, self.steps = clock, step, 0
        self.seconds = 1.0

    def think(self, state: State, faction: Faction, rng: Random) -> Iterator[Action]:
        while True:
            self.clock.now += self.step
            self.steps += 1
            yield Pass() if self.steps == 1 else Liturgy()


@pytest.mark.parametrize(("step", "steps"), [(0.001, 400), (0.09, 5), (0.45, 1)])
def test_the_answer_comes_when_the_time_has_passed_however_long_a_simulation_takes(
    step: float, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(seats, "now", lambda: clock.now)
    monkeypatch.setattr(asyncio, "sleep", clock.sleep)
    bot = Slow(clock, step)
    player = RobotPlayer("slow", bot, 1, seconds=0.5)
    player.tell(seated(Faction.CHTHONIANS, Terms()))
    state = table.view_as(table.deal(Terms(), Random(1)), Faction.CHTHONIANS)
    action = asyncio.run(player.decide(state))
    assert clock.now == pytest.approx(100.5)
    assert bot.steps == pytest.approx(steps, abs=1)
    assert isinstance(action, Pass if bot.steps == 1 else Liturgy)


@pytest.mark.parametrize("word", [*LEVELS, "oracle:2", "oracle:0.3"])
def test_the_computer_players_and_their_times_are_known(word: str) -> None:
    found = StormGame().make_bot(word, None)
    assert found is not None
    assert found.name == word.partition(":")[0]


@pytest.mark.parametrize("word", ["", "hal", "greedy:1", "oracle:", "oracle:0", "oracle:-1", "oracle:nan", "oracle:61"])
def test_other_words_are_no_computer_players(word: str) -> None:
    assert StormGame().make_bot(word, None) is None


def test_only_those_that_search_can_think() -> None:
    assert [name for name in LEVELS if isinstance(BOTS[name], Thinker)] == ["seer", "oracle"]
    assert [name for name, bot in fight.BOTS.items() if isinstance(bot, Thinker)] == ["oracle"]


@pytest.mark.parametrize(("word", "known"), [("seer", True), ("oracle:0.3", True), ("seer:1", False), ("hal", False)])
def test_the_players_of_fight_are_known_by_the_same_words(word: str, known: bool) -> None:
    assert (FightGame().make_bot(word, None) is not None) == known
