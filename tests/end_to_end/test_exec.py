"""Programs of somebody's own at a seat, ``exec:COMMAND``: good ones, and everything that can be wrong with them."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from cli.match.participant import Clocks, Controls, Ending
from cli.match.player import Player
from cli.notices import LineLost
from cli.runtime import errors
from cli.storm.players.program import ProgramPlayer, show
from cli.storm.players.robot import RobotPlayer
from protocol.core.events import DrawOffered
from protocol.core.messages import Break
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import FACTIONS, REALM, Faction
from storm_p2p.storm.bots import BOTS, table
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import State, Terms

T = TypeVar("T")

LOOP = """
import json, sys
def say(**answer):
    print(json.dumps(answer), flush=True)
turns = 0
for line in sys.stdin:
    asked = json.loads(line)
    with open(LOG, "a") as log:
        log.write(line)
    if asked["t"] == "hello":
        say(t="ready", name="tester 1")
    elif asked["t"] == "setup":
        say(t="setup", place=dict(zip(asked["units"][:9], asked["regions"])))
    elif asked["t"] == "act":
        turns += 1
        ACT
"""
GOOD = 'say(t="act", action=asked["legal"][0]["action"])'


class Quiet(Controls):
    """Controls that note what was pressed."""

    def __init__(self) -> None:
        self.declined = 0

    def say(self, text: str) -> None: ...

    def resign(self) -> None: ...

    def offer_draw(self) -> None: ...

    def accept_draw(self) -> None: ...

    def decline_draw(self) -> None:
        self.declined += 1

    def propose(self, what: Break) -> bool:
        return False

    def agree(self) -> None: ...

    def reject(self) -> None:
        self.declined += 1

    def go_on(self) -> None: ...

    def claim(self) -> None: ...

    def concede(self) -> None: ...

    def deny(self) -> None: ...

    def clocks(self) -> Clocks | None: ...

    def leave(self) -> None: ...


class Bench:
    """A program written for one test, with what it was asked and what was said about it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reports: list[str] = []
        self.log = folder / "asked.jsonl"
        self.errors = folder / "stderr.txt"

    def write(self, act: str, *, loop: str = LOOP) -> str:
        source = loop.replace("LOG", repr(str(self.log))).replace("ACT", act.replace("\n", "\n        "))
        path = self.folder / "my bot.py"
        path.write_text(source, encoding="utf-8")
        return shlex.join([sys.executable, "-S", "-E", str(path)])

    def player(
        self, command: str, ms: int = 5000, start_ms: int = 30000, faction: Faction = Faction.CHTHONIANS
    ) -> ProgramPlayer:
        player = ProgramPlayer(
            command, errors=self.errors, ms=ms, start_ms=start_ms, report=self.reports.append, name="mine"
        )
        player.seated(faction, Terms(), "somebody", {}, Quiet())
        return player

    def asked(self, kind: str) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]
        return [line for line in lines if line["t"] == kind]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def run(player: Player, work: Callable[[], Awaitable[T]]) -> T:
    async def whole() -> T:
        try:
            return await work()
        finally:
            await player.close()

    return asyncio.run(whole())


def opening(seed: int = 1) -> State:
    return table.view_as(table.deal(Terms(), Random(seed)), Faction.CHTHONIANS)


def assert_legal(state: State, *actions: object) -> None:
    for action in actions:
        assert action in engine.legal_actions(state, Faction.CHTHONIANS)


def test_it_is_asked_and_its_answer_is_played(bench: Bench) -> None:
    player = bench.player(bench.write(GOOD))
    state = opening()

    async def work() -> tuple[Any, Any]:
        units = await player.place()
        action = await player.decide(state)
        player.over(Ending("chthonians", "palace", True, None))
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
    assert question["ms"] == 5000
    assert question["state"] == json.loads(json.dumps(show(state, Faction.CHTHONIANS)))
    assert [entry["action"] for entry in question["legal"]] == [
        notation.format_action(found) for found in engine.legal_actions(state, Faction.CHTHONIANS)
    ]


def test_it_is_told_where_unknown_enemies_stand_but_not_who_they_are(bench: Bench) -> None:
    state = opening()
    shown = show(state, Faction.CHTHONIANS)
    assert sorted(shown["units"].values()) == list(REALM[0])
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
    assert "gave no legal answer, so the built-in player moves: expected" in bench.reports[0]
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
    ["{}", "{'zeus': 4}", "dict.fromkeys(asked['units'][:9], 5)", "7", "{'hades': '1'}", "{'nobody': 1}",
     "dict(zip(asked['units'][1:10], asked['regions']))"],
)  # fmt: skip
def test_a_wrong_setup_is_replaced(bench: Bench, place: str) -> None:
    loop = LOOP.replace('dict(zip(asked["units"][:9], asked["regions"]))', place)
    player = bench.player(bench.write(GOOD, loop=loop))
    units = run(player, player.place)
    assert setup.check_units(Faction.CHTHONIANS, units, random=False) is None
    assert len(bench.asked("setup")) == 2
    assert len(bench.reports) == 1


def test_a_late_answer_is_asked_for_once_more_and_then_replaced(bench: Bench) -> None:
    player = bench.player(bench.write("pass"), ms=300)
    state = opening()
    action = run(player, lambda: player.decide(state))
    assert_legal(state, action)
    assert len(bench.asked("act")) == 2
    assert bench.reports == [
        "The program mine gave no legal answer, so the built-in player moves: expected an answer within 300 ms,"
        " got none."
    ]


def test_answers_that_come_too_late_are_not_taken_for_the_next_question(bench: Bench) -> None:
    act = """
if turns == 2:
    say(t="act", action="dance"); say(t="act", action="liturgy")
elif turns > 2:
    say(t="act", action=asked["legal"][1]["action"])
"""
    player = bench.player(bench.write(act.strip()), ms=400)
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
    player = bench.player(bench.write(act), ms=400)
    state = opening()

    async def work() -> list[Any]:
        return [await player.decide(state), await player.decide(state)]

    first, second = run(player, work)
    assert_legal(state, first)
    assert notation.format_action(second) == "liturgy"


@pytest.mark.parametrize(
    "act", ["sys.exit(3)", "raise RuntimeError('broken')", "import os; os.close(1); sys.stdin.read()"]
)
def test_a_crashed_program_is_replaced_to_the_end(bench: Bench, act: str) -> None:
    player = bench.player(bench.write(act))
    state = opening()

    async def work() -> list[Any]:
        return [await player.decide(state) for _ in range(3)]

    assert_legal(state, *run(player, work))
    assert bench.reports == ["The program mine has ended; the built-in player goes on in its place."]
    if "broken" in act:
        assert "RuntimeError: broken" in bench.errors.read_text(encoding="utf-8")


HOLDS = """
import subprocess
subprocess.Popen([sys.executable, "-S", "-E", "-c", "import sys; sys.stdin.read()"])
if turns > LAST: say(t="act", action=asked["legal"][0]["action"])
sys.exit()
"""


@pytest.mark.parametrize("last", ["0", "9"], ids=["after an answer", "without one"])
def test_a_program_that_has_ended_is_not_waited_for_because_its_child_holds_the_pipe(last: str, bench: Bench) -> None:
    # Each answer may take an hour, so that waiting for one is never the reason.
    player = bench.player(bench.write(HOLDS.strip().replace("LAST", last)), ms=3_600_000)
    state = opening()

    async def work() -> list[Any]:
        async with asyncio.timeout(20):
            return [await player.decide(state) for _ in range(3)]

    first, *others = run(player, work)
    assert_legal(state, first, *others)
    assert (first == engine.legal_actions(state, Faction.CHTHONIANS)[0]) is (last == "0")
    assert bench.reports == ["The program mine has ended; the built-in player goes on in its place."]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_what_it_writes_to_stderr_is_kept_for_its_owner_alone_the_newest_of_it(bench: Bench) -> None:
    bench.errors.write_text("from before\n")
    bench.errors.chmod(0o644)
    act = """
for number in range(30_000):
    print(number, "x" * 90, file=sys.stderr)
say(t="act", action=asked["legal"][0]["action"])
"""
    player = bench.player(bench.write(act.strip()))
    run(player, lambda: player.decide(opening()))
    assert bench.reports == []
    kept = bench.errors.read_text().splitlines()
    assert bench.errors.stat().st_mode & 0o777 == 0o600
    assert errors.LONGEST // 3 < bench.errors.stat().st_size <= errors.LONGEST
    assert kept[-1] == f"29999 {'x' * 90}"
    assert kept == [f"{number} {'x' * 90}" for number in range(30_000)][-len(kept) :]


def test_a_file_that_cannot_be_written_keeps_nobody_from_playing(bench: Bench) -> None:
    bench.errors.mkdir()
    player = bench.player(bench.write(f"print('x' * 300_000, file=sys.stderr)\n{GOOD}"))
    assert_legal(opening(), run(player, lambda: player.decide(opening())))
    assert bench.reports == []


def test_a_program_that_cannot_be_started_is_replaced(bench: Bench) -> None:
    player = bench.player(str(bench.folder / "nothing-here"))
    action = run(player, lambda: player.decide(opening()))
    assert_legal(opening(), action)
    assert len(bench.reports) == 1
    assert "cannot be started" in bench.reports[0]


@pytest.mark.parametrize("loop", ["import time; time.sleep(60)", "print('hello', flush=True); input()", "print({})"])
def test_a_program_that_is_not_ready_is_replaced(bench: Bench, loop: str) -> None:
    player = bench.player(bench.write("", loop=loop), start_ms=300)
    assert_legal(opening(), run(player, lambda: player.decide(opening())))
    assert len(bench.reports) == 1


def test_a_flood_is_held_back_and_the_program_is_stopped(bench: Bench) -> None:
    player = bench.player(bench.write("while True: print('y' * 1000)"))
    assert_legal(opening(), run(player, lambda: player.decide(opening())))
    assert len(bench.reports) == 1


@pytest.mark.parametrize("command", ["", "   ", "'open quote"])
def test_a_command_without_words_is_refused(command: str) -> None:
    with pytest.raises(ValueError, match="expected a command"):
        ProgramPlayer(command)


def test_no_shell_sees_the_command(bench: Bench) -> None:
    player = bench.player(bench.write(GOOD) + f" ; touch {shlex.quote(str(bench.folder / 'touched'))}")
    run(player, lambda: player.decide(opening()))
    assert bench.reports == []
    assert not (bench.folder / "touched").exists()


def test_an_offered_draw_is_declined(bench: Bench) -> None:
    for player in (ProgramPlayer("nobody"), RobotPlayer("robot", BOTS["random"], 1)):
        controls = Quiet()
        pressed: Controls = controls
        player.seated(Faction.OLYMPIANS, Terms(), "somebody", {}, pressed)
        player.on_notice(DrawOffered(0, 1))
        player.on_notice(LineLost(calls=True))
        assert controls.declined == 1


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
    robot.seated(Faction.CHTHONIANS, Terms(), "mine", {}, Quiet())
    players: tuple[Player, Player] = (robot, mine)

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
