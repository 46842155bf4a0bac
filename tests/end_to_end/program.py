"""Programs as players in the tests."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from benchmarks import table
from cli.match.player import Controls, Player, Seated
from cli.match.program import Program
from cli.storm.players import ProgramPlayer
from protocol.core.side_channel import SideChannel
from storm_p2p.storm import engine
from storm_p2p.storm.board import Faction
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


class Quiet(SideChannel):
    """One that notes what is said."""

    def __init__(self) -> None:
        self.declined = 0
        self.spoken: list[str] = []
        self.controls = Controls(self, lambda: None, lambda: None)

    def chat(self, text: str, *, now: float = 0.0) -> None:
        self.spoken.append(text)

    def decline_draw(self, *, now: float = 0.0) -> None:
        self.declined += 1

    def reject(self, *, now: float = 0.0) -> None:
        self.declined += 1


class Bench:
    """A program written for one test, with what it was asked and what was said about it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reports: list[str] = []
        self.log = folder / "asked.jsonl"
        self.errors = folder / "stderr.txt"
        self.channel = Quiet()

    def write(self, act: str, *, loop: str = LOOP) -> str:
        source = loop.replace("LOG", repr(str(self.log))).replace("ACT", act.replace("\n", "\n        "))
        path = self.folder / "my bot.py"
        path.write_text(source, encoding="utf-8")
        return shlex.join([sys.executable, "-S", "-E", str(path)])

    def player(
        self, command: str, ms: int = 60_000, start_ms: int = 60_000, faction: Faction = Faction.CHTHONIANS
    ) -> ProgramPlayer:
        program = Program(
            command, errors=self.errors, ms=ms, start_ms=start_ms, report=self.reports.append, name="mine"
        )
        player = ProgramPlayer(program)
        player.tell(Seated(faction, Terms(), "somebody", self.channel.controls))
        return player

    def asked(self, kind: str) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]
        return [line for line in lines if line["t"] == kind]


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
