"""Programs of somebody's own at a seat, ``exec:COMMAND``: good ones, and everything that can be wrong with them."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks import table
from cli.match import program
from cli.match.player import Ended, Ending, Noticed, Seated
from cli.notices import LineLost
from cli.storm.players import ProgramPlayer, RobotPlayer, show
from end_to_end.program import GOOD, LOOP, Bench, Quiet, assert_legal, opening, run
from protocol.core.events import DrawOffered
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import FACTIONS, REALM, Faction
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import State, Terms


def test_it_is_asked_and_its_answer_is_played(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "FAREWELL", 60.0)
    player = bench.player(bench.write(GOOD))
    state = opening()

    async def work() -> tuple[Any, Any]:
        units = await player.place()
        action = await player.decide(state)
        player.tell(Ended(Ending("chthonians", "palace", True, None)))
        return units, action

    units, action = run(player, work)
    assert setup.check_units(Faction.CHTHONIANS, units, random=False) is None
    assert action == engine.legal_actions(state, Faction.CHTHONIANS)[0]
    assert bench.reports == []
    assert player.name == "mine"
    assert player.title == "tester 1"
    terms = {"open_combat": False, "random_setup": False, "challenge": 0}
    assert bench.asked("hello") == [{"t": "hello", "v": 1, "seat": "chthonians", "terms": terms}]
    assert bench.asked("setup")[0]["regions"] == list(REALM[0])
    assert bench.asked("over") == [{"t": "over", "result": {"winner": "chthonians", "reason": "palace"}}]
    question = bench.asked("act")[0]
    assert question["ms"] == 60_000
    assert question["state"] == json.loads(json.dumps(show(state, Faction.CHTHONIANS)))
    assert [entry["action"] for entry in question["legal"]] == [
        notation.format_action(found) for found in engine.legal_actions(state, Faction.CHTHONIANS)
    ]


def test_it_is_told_where_unknown_enemies_stand_but_not_who_they_are(bench: Bench) -> None:
    state = opening()
    shown = show(state, Faction.CHTHONIANS)
    units = shown["units"]
    assert isinstance(units, dict)
    assert sorted(units.values()) == list(REALM[0])
    assert shown["hidden"] == {str(region): 1 for region in REALM[1]}
    other = table.view_as(table.deal(Terms(), Random(2)), Faction.OLYMPIANS)
    assert show(other, Faction.OLYMPIANS)["hidden"] == {str(region): 1 for region in REALM[0]}


def test_an_illegal_answer_is_asked_for_once_more_with_the_reason(bench: Bench) -> None:
    act = 'if "error" in asked: say(t="act", action="liturgy")\nelse: say(t="act", action="move 10 15")'
    player = bench.player(bench.write(act))
    action = run(player, lambda: player.decide(opening()))
    assert notation.format_action(action) == "liturgy"
    assert bench.reports == []
    assert "expected a neighbour of 10, got 15" in bench.asked("act")[1]["error"]


WRONG = [
    'say(t="act", action="move 10 15")',
    'say(t="act", action="fight olympians standard 0")',
    'say(t="act", action="dance")',
    'say(t="act", action=7)',
    'say(t="move", action="liturgy")',
    "say()",
    'print("[" * 100000, flush=True)',
    'print("not json", flush=True)',
    'print("x" * 3000000, flush=True)',
    'sys.stdout.buffer.write(bytes(range(128, 256)) + b"\\n"); sys.stdout.flush()',
    "print(flush=True)",
]


@pytest.mark.parametrize("act", WRONG)
def test_after_two_wrong_answers_the_built_in_player_moves(bench: Bench, act: str) -> None:
    # A second question shows that the program is still asked.
    player = bench.player(bench.write(f"if turns < 3:\n    {act}\nelse: say(t='act', action='liturgy')"))
    state = opening()

    async def work() -> tuple[Any, Any]:
        return await player.decide(state), await player.decide(state)

    first, second = run(player, work)
    assert_legal(state, first, second)
    assert bench.reports
    assert "gave no legal answer, so the built-in player moves this time: expected" in bench.reports[0]
    # A flood of garbage may have cost it more than one question.
    if len(bench.reports) == 1:
        assert notation.format_action(second) == "liturgy"


def test_movers_must_be_named(bench: Bench) -> None:
    units = {"hades": 10, "nyx": 11, "hecate": 11, "zeus": 15}
    state = notation.load_position({"turn": "chthonians", "units": units})
    player = bench.player(bench.write('say(t="act", action="move 11 12 ?")'))
    assert_legal(state, run(player, lambda: player.decide(state)))
    assert "expected the units that move, got 'move 11 12 ?'" in bench.reports[0]


@pytest.mark.parametrize(
    "place",
    [
        "{}",
        "{'zeus': 4}",
        "dict.fromkeys(asked['units'][:9], 5)",
        "7",
        "{'hades': '1'}",
        "{'nobody': 1}",
        "dict(zip(asked['units'][1:10], asked['regions']))",
    ],
)
def test_a_wrong_setup_is_replaced(bench: Bench, place: str) -> None:
    loop = LOOP.replace('dict(zip(asked["units"][:9], asked["regions"]))', place)
    player = bench.player(bench.write(GOOD, loop=loop))
    units = run(player, player.place)
    assert setup.check_units(Faction.CHTHONIANS, units, random=False) is None
    assert len(bench.asked("setup")) == 2
    assert len(bench.reports) == 1


def test_a_late_answer_is_asked_for_once_more_and_then_replaced(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "FAREWELL", 60.0)
    player = bench.player(bench.write("pass"), ms=300)
    state = opening()
    action = run(player, lambda: player.decide(state))
    assert_legal(state, action)
    assert len(bench.asked("act")) == 2
    assert bench.reports == [
        "The program mine gave no legal answer, so the built-in player moves this time: expected an answer within "
        "300 ms, got none."
    ]


def test_answers_that_come_too_late_are_not_taken_for_the_next_question(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = {"hello": [60_000], "act": [1, 60_000, 60_000]}
    exchange = program.Program._exchange

    def hurry(self: program.Program, message: dict[str, Any], ms: int) -> Any:
        return exchange(self, message, waits[message["t"]].pop(0))

    monkeypatch.setattr(program.Program, "_exchange", hurry)
    act = """
if turns == 2:
    say(t="act", action="dance"); say(t="act", action="liturgy")
elif turns > 2:
    say(t="act", action=asked["legal"][1]["action"])
"""
    player = bench.player(bench.write(act.strip()))
    state = opening()

    async def work() -> list[Any]:
        return [await player.decide(state), await player.decide(state)]

    first, second = run(player, work)
    # Of its two questions it had left one unanswered; "liturgy" came for that one.
    assert_legal(state, first)
    assert second == engine.legal_actions(state, Faction.CHTHONIANS)[1]
    assert len(bench.reports) == 1


def test_a_program_that_skips_a_question_is_heard_again(bench: Bench) -> None:
    act = 'if turns > 2: say(t="act", action="liturgy")'
    player = bench.player(bench.write(act), ms=100)
    state = opening()

    async def work() -> Any:
        first = await player.decide(state)
        # On a slow machine the answer may come too late several times.
        while notation.format_action(await player.decide(state)) != "liturgy":
            pass
        return first

    first = run(player, work)
    assert_legal(state, first)
    assert notation.format_action(first) != "liturgy"


def test_no_shell_sees_the_command(bench: Bench) -> None:
    player = bench.player(bench.write(GOOD) + f" ; touch {shlex.quote(str(bench.folder / 'touched'))}")
    run(player, lambda: player.decide(opening()))
    assert bench.reports == []
    assert not (bench.folder / "touched").exists()


def test_an_offered_draw_is_declined(bench: Bench) -> None:
    for player in (ProgramPlayer(program.Program(sys.executable)), RobotPlayer("robot", BOTS["random"], 1)):
        channel = Quiet()
        player.tell(Seated(Faction.OLYMPIANS, Terms(), "somebody", channel.controls))
        player.tell(Noticed(DrawOffered(0, 1)))
        player.tell(Noticed(LineLost(calls=True)))
        assert channel.declined == 1


def test_a_cancelled_question_leaves_the_program_in_step(bench: Bench, tmp_path: Path) -> None:
    go = tmp_path / "go"
    act = (
        f"import pathlib, time\nwhile turns == 1 and not pathlib.Path({str(go)!r}).exists(): time.sleep(0.01)\n"
        'say(t="act", action=asked["legal"][turns]["action"])'
    )
    player = bench.player(bench.write(act))
    state = opening()

    async def work() -> Any:
        await player.place()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await player.decide(state)
        go.touch()
        return await player.decide(state)

    assert run(player, work) == engine.legal_actions(state, Faction.CHTHONIANS)[2]
    assert bench.reports == []


def test_a_whole_game_of_a_program_against_a_robot(bench: Bench) -> None:
    act = 'import random\nsay(t="act", action=random.Random(turns).choice(asked["legal"])["action"])'
    mine = bench.player(bench.write(act), faction=Faction.OLYMPIANS)
    robot = RobotPlayer("robot", BOTS["random"], 3)
    robot.tell(Seated(Faction.CHTHONIANS, Terms(), "mine", Quiet().controls))
    players: tuple[RobotPlayer, RobotPlayer] = (robot, mine)

    async def work() -> State:
        state = engine.new_game(Terms())
        for faction in FACTIONS:
            units = await players[faction].place()
            state, _ = engine.play(state, table.make_placement(faction, units))
        while (request := engine.next_request(state)) is not None:
            answers = [await players[seat].decide(table.view_as(state, seat)) for seat in request.seats]
            for action in answers:
                state, _ = engine.play(state, action)
        return state

    assert engine.outcome(run(mine, work)) is not None
    assert bench.reports == []
