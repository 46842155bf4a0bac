"""From the whole screen to plain lines and back, at any moment: nothing acts, and nothing that was known is lost."""

from __future__ import annotations

import asyncio
import io
import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import helpers
import helpers_tui as tui
import pytest
from helpers_console import FakeMatch
from prompt_toolkit.input import create_pipe_input

from cli.console.person import Change, Person
from cli.console.plain.player import LinePlayer
from cli.console.plain.screen import PlainScreen
from cli.console.screen_state import Page
from cli.console.shell.alerts import Alert
from cli.console.shell.player import ScreenPlayer
from cli.match.participant import Ending
from cli.runtime import terminal
from cli.storm import setups as kept_setups
from cli.storm.console import STORM
from cli.storm.screen import StormScreen
from cli.text import screens
from storm_p2p.storm import engine
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import Unit

SMALL = "The window is too small. Make it larger."
RETREAT = helpers.play(
    helpers.at("chthonians", "charon 12, hades 10, ares 13, zeus 15"), "move 12 13",
    *helpers.fights("retreat 0", "standard 6"),
)  # fmt: skip


@dataclass
class Paper:
    """Plain lines whose lines come from the test."""

    patient = False
    written: list[str] = field(default_factory=list)
    typed: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    resting: bool = False

    def write(self, lines: Sequence[str]) -> None:
        """Keep what is shown."""
        self.written += lines

    async def read(self) -> str:
        """Return the next line."""
        return await self.typed.get()

    def rest(self) -> None:
        """Note that nobody reads any longer."""
        self.resting = True

    async def close(self) -> None:
        """Stop."""
        self.resting = True


@dataclass
class Room:
    """A person with both consoles, and what each shows."""

    match: FakeMatch
    person: Person
    window: tui.Terminal
    screens: list[ScreenPlayer]
    papers: list[Paper]
    send: Callable[[str], None]

    @property
    def shown(self) -> str:
        """What the whole screen shows."""
        return "\n".join(self.window.shown)

    @property
    def said(self) -> str:
        """What the last plain lines have shown."""
        return "\n".join(self.papers[-1].written)

    @property
    def plain(self) -> bool:
        """Whether plain lines are in front."""
        return isinstance(self.person._front, LinePlayer)

    def moves(self) -> list[str]:
        """Return what was decided."""
        return tui.actions(self.match)


Step = str | Callable[[Room], object]


def sit(
    state: State,
    steps: Iterable[Step],
    *,
    faction: Faction = Faction.CHTHONIANS,
    begin_plain: bool = False,
    why_not: Callable[[], str | None] = lambda: None,
    most: int = 10_000,
    waiting: bool = False,
    folder: Path | None = None,
    calls: list[str] | None = None,
) -> Room:
    """Let a person play; each step is typed at whichever console is in front, or looks at the room.

    Args:
        state: the position, with open cards.
        steps: lines to type, and looks.
        faction: whose seat.
        begin_plain: begin with plain lines.
        why_not: why there is no full screen.
        most: actions of both sides.
        folder: where setups are kept.
        calls: takes what plain lines call the person with.
        waiting: nobody is asked anything, for the other side thinks.
    """
    window = tui.Terminal()
    papers: list[Paper] = []
    call = None if calls is None else calls.append
    made: list[ScreenPlayer] = []

    def lines(change: Change) -> LinePlayer:
        papers.append(Paper())
        return LinePlayer("alice", STORM, screen=papers[-1], full=change, folder=folder, call=call)

    async def run() -> Room:
        with create_pipe_input() as pipe:

            def screen(change: Change) -> ScreenPlayer:
                options = {"input": pipe, "output": window.output, "max_render_postpone_time": None}
                made.append(ScreenPlayer("alice", STORM, plain=change, folder=folder, notice=Alert("bell"), **options))  # type: ignore[arg-type]
                return made[-1]

            person = Person("alice", screen, lines, begin_plain=begin_plain, why_not_full=why_not)
            match = FakeMatch(person, faction, random.Random(1), state)
            running: asyncio.Task[object] = asyncio.create_task(watched(match) if waiting else match.run(most))
            room = Room(match, person, window, made, papers, pipe.send_text)
            await tui.calm()
            for step in steps:
                if not isinstance(step, str):
                    step(room)
                elif room.plain:
                    papers[-1].typed.put_nowait(step)
                else:
                    pipe.send_text(f"{step}\r")
                await tui.calm(80)
            # The screens keep what they showed while the match goes on.
            if not running.done():
                match.ended.set()
                person.dismiss()
            await running
            return room

    return asyncio.run(run())


async def watched(match: FakeMatch) -> None:
    """Let the other side think until the test is over."""
    match.player.seated(match.faction, match.state.terms, match.opponent, {"match": "7c1f0a"}, match)
    match.player.happened((), helpers.owner_view(match.state, match.faction))
    await match.ended.wait()
    match.player.over(Ending(None, "unfinished", False, None))
    await match.player.close()


def shows(*words: str) -> Callable[[Room], None]:
    """Return a look at the whole screen."""

    def look(room: Room) -> None:
        shown = room.shown
        assert not room.plain
        for word in words:
            assert word in shown, f"{word!r} is not in\n{shown}"

    return look


def says(*words: str) -> Callable[[Room], None]:
    """Return a look at the plain lines."""

    def look(room: Room) -> None:
        assert room.plain
        for word in words:
            assert word in room.said, f"{word!r} is not in\n{room.said}"

    return look


def quiet(room: Room) -> None:
    """Check that nothing was decided and nothing was done."""
    assert room.moves() == []
    assert [word for word in room.match.said if not word.startswith("say")] == []


@pytest.mark.parametrize("words", [("plain", "full"), ("text", "voll"), ("zeilen", "vollbild")])
def test_there_and_back_in_the_own_turn_and_the_question_is_asked_again(words: tuple[str, str]) -> None:
    there, back = words
    steps: list[Step] = [shows("YOUR MOVE"), there, says("Your move."), back, shows("YOUR MOVE"), quiet]
    assert sit(tui.EXAMPLE, [*steps, "charon 11!"]).moves()[:1] == ["move 12 11 charon"]


def test_nobody_is_called_to_what_he_has_just_asked_for() -> None:
    calls: list[str] = []

    def called(room: Room) -> None:
        # Once for the question as it came, and never for its coming again.
        assert (room.window.bells, calls) == (1, [])

    def hear(room: Room) -> None:
        room.person.heard("hello")

    def heard(room: Room) -> None:
        assert (room.window.bells, calls) == (2, [])

    sit(tui.EXAMPLE, ["plain", "full", "plain", "full", called, hear, heard], calls=calls)
    sit(tui.EXAMPLE, ["plain", hear], calls=calls)
    assert calls[0] == "bob: hello"


def test_up_brings_back_what_was_typed_before_the_change() -> None:
    def bring_back(room: Room) -> None:
        room.send("\x1b[A")

    def brought(room: Room) -> None:
        console = room.screens[0]._console
        assert console is not None
        assert console.buffer.text in ("who 14", "plain")

    sit(tui.EXAMPLE, ["who 14", "plain", "full", bring_back, brought])


def test_a_match_that_began_in_plain_lines_comes_to_the_full_screen() -> None:
    room = sit(tui.EXAMPLE, [says("Your move."), "full", shows("YOUR MOVE", "14ERI*HEC"), quiet], begin_plain=True)
    assert len(room.screens) == 1


def test_f7_changes_to_plain_lines_and_the_sentence_names_the_way_back(capsys: pytest.CaptureFixture[str]) -> None:
    sit(tui.EXAMPLE, [lambda room: room.send("\x1b[18~"), says("Your move.")])
    assert "full brings the full screen back" in capsys.readouterr().err


def test_a_small_window_goes_on_in_plain_lines_and_names_the_way_back(capsys: pytest.CaptureFixture[str]) -> None:
    def shrink(room: Room) -> None:
        room.window.resize(70, 20)
        room.screens[0]._console.application._on_resize()  # type: ignore[union-attr]  # what the signal does

    def grow(room: Room) -> None:
        room.window.resize(120, 40)

    steps: list[Step] = [shrink, says("Your move."), grow, says("Your move."), "full", shows("YOUR MOVE", "PALACE")]
    sit(tui.EXAMPLE, [*steps, quiet])
    assert "make the window larger and type full" in capsys.readouterr().err


def test_chat_notes_log_mute_and_what_is_set_are_at_both_consoles() -> None:
    def hear(text: str) -> Callable[[Room], object]:
        return lambda room: room.person.heard(text)

    def leave_the_chat(room: Room) -> None:
        room.send("\x1b[17~")

    steps: list[Step] = [
        "note 8 maybe Zeus", "eye", "unicode", "/one", hear("two"), "plain",
        "who 8", says("Your note: maybe Zeus."), "notes", says(" 8  maybe Zeus"), "chat", says("you: one", "bob: two"),
        "note 9 Hera", "/three", hear("four"), "mute", hear("not shown"), "full",
        "chat", shows("you: one", "bob: two", "you: three", "bob: four"), leave_the_chat,
        "notes", shows("maybe Zeus", "Hera"),
    ]  # fmt: skip

    def kept(room: Room) -> None:
        ui = room.screens[0].ui
        assert len(room.screens) == 1
        assert isinstance(ui, StormScreen)
        assert (ui.eye, ui.settings.unicode, ui.game.muted) == (True, True, True)
        told = [line.strip() for line in ui.log]
        assert [line for line in told if line in ("you: one", "bob: two", "you: three", "bob: four")] == [
            "you: one", "bob: two", "you: three", "bob: four",
        ]  # fmt: skip
        assert "not shown" not in "\n".join(ui.log)

    sit(tui.EXAMPLE, [*steps, kept, quiet])


def test_the_setup_so_far_is_at_both_consoles() -> None:
    start = engine.new_game(Terms())
    steps: list[Step] = [
        "hades 11", "plain", says("Hades"), "cerberus 6", "full", shows("2 of 9", "11 HADES"), "nyx 10", "plain",
        says("3 of 9 placed"), "random", "full", shows("9 of 9"),
    ]  # fmt: skip

    def placed(room: Room) -> None:
        assert room.screens[0].ui.placing is not None
        assert dict(room.screens[0].ui.placing.places) == room.screens[0].ui.placing.by_region
        assert room.match.state.phase == Phase.SETUP

    room = sit(start, [*steps, placed, "seal!"], most=1)
    assert room.match.state.phase != Phase.SETUP
    assert len(room.screens[0].ui.game.arranged) == 9


def test_setups_are_kept_and_taken_at_both_consoles(tmp_path: Path) -> None:
    steps: list[Step] = [
        "load wall", says("the name of a saved setup (none yet)"), "save wall", says("You need units on the board"),
        "hades 11", "save Wall", says("Saved as wall; load wall brings it back"), "clear", "full",
        "load wall", shows("11 HADES"), "nyx 10", "save rush", "plain", "clear", "load rush", says("This is rush."),
        says("2 of 9 placed"), "random", "seal!",
    ]  # fmt: skip
    sit(engine.new_game(Terms()), steps, begin_plain=True, most=1, folder=tmp_path)
    kept = kept_setups.load(tmp_path)[Faction.CHTHONIANS]
    assert list(kept) == ["wall", "rush", "last"]
    assert len(kept["last"].places) == 9
    told: list[str] = []
    sit(engine.new_game(Terms()), [lambda room: told.append(room.said)], begin_plain=True, most=1, folder=tmp_path)
    assert "Saved setups: wall rush last" in told[0]


def test_a_setup_that_cannot_be_kept_is_said_and_played(tmp_path: Path) -> None:
    (tmp_path / "setups.json").mkdir()
    steps: list[Step] = ["hades 11", "save wall", says("The setup cannot be saved:"), "random", "seal!"]
    room = sit(engine.new_game(Terms()), steps, begin_plain=True, most=1, folder=tmp_path)
    assert room.match.state.phase != Phase.SETUP


def test_a_setup_that_was_begun_in_lines_is_sealed_as_it_was_on_the_screen() -> None:
    steps = ["random", "hades 11", "full", "plain", "full", "seal!"]
    room = sit(engine.new_game(Terms()), steps, begin_plain=True, most=1)
    group = room.match.state.sides[Faction.CHTHONIANS][11]
    assert [token.unit for token in group] == [Unit.HADES]


@pytest.mark.parametrize(
    ("state", "asked", "answer", "move"),
    [
        (tui.COMBAT, "COMBAT", "std 1!", "fight chthonians standard 1"),
        (RETREAT, "YOUR ANSWER", "retreat 7!", "retreat 7"),
    ],
)
def test_what_is_asked_in_a_combat_is_asked_again(state: State, asked: str, answer: str, move: str) -> None:
    steps: list[Step] = ["plain", "full", shows(asked), quiet, "plain", answer]
    assert sit(state, steps).moves()[:1] == [move]


def test_an_open_question_is_dropped_and_nothing_acts() -> None:
    steps: list[Step] = [
        "liturgy", shows("send?"), lambda room: room.send("\x1b[18~"), says("Your move."), quiet, "yes",
        says("No question is open now"), "liturgy", says("Send?"), "full", shows("YOUR MOVE"), quiet, "y", quiet,
    ]  # fmt: skip
    sit(tui.EXAMPLE, steps)


def test_while_the_other_side_thinks_the_change_shows_who_is_awaited() -> None:
    state = helpers.at("olympians", "hades 12, zeus 15", honor=(11, 8))
    waits: list[Step] = [shows("waiting for bob"), "plain", says("Waiting for bob."), "full", shows("waiting for bob")]
    sit(state, [*waits, quiet], waiting=True)


def test_the_full_screen_is_refused_with_a_reason_and_lines_go_on() -> None:
    steps: list[Step] = ["full", says(SMALL), "turn", says("Your move."), quiet]
    room = sit(tui.EXAMPLE, steps, begin_plain=True, why_not=lambda: SMALL)
    assert room.screens == []


def test_each_console_knows_the_word_for_itself() -> None:
    plain = says("You are in plain lines already")
    sit(tui.EXAMPLE, ["full", shows("This is the full screen"), "plain", "plain", plain])


def test_what_comes_while_the_terminal_changes_hands_is_not_lost() -> None:
    def both(room: Room) -> None:
        room.person._to_plain("")
        room.person.heard("in between")

    def back(room: Room) -> None:
        room.person._to_full("")
        room.person.heard("and again")

    sit(tui.EXAMPLE, [both, "chat", says("bob: in between"), back, "chat", shows("in between", "and again")])


def test_the_end_is_seen_at_the_console_that_came_just_then() -> None:
    ending = Ending("olympians", "honor", True, "/home/alice/x.storm")

    def at_the_end(room: Room) -> None:
        room.person._to_plain("")
        room.person.over(ending)

    room = sit(tui.EXAMPLE, [at_the_end])
    assert "You lost" in room.said


@pytest.mark.parametrize(
    ("environment", "size", "expected"),
    [
        ({"TERM": "dumb"}, (120, 40), str(screens.NO_FULL_DUMB)),
        ({}, (79, 24), screens.too_small(79, 24, 80, 24)),
        ({}, (80, 23), screens.too_small(80, 23, 80, 24)),
        ({}, (80, 24), None),
        ({}, (0, 0), None),
    ],
)
def test_why_there_is_no_full_screen(
    environment: Mapping[str, str], size: tuple[int, int], expected: str | None
) -> None:
    assert terminal.no_full(environment, *size) == expected


def test_the_sentences_say_what_to_do() -> None:
    for sentence in (screens.NO_FULL, screens.NO_FULL_DUMB, screens.NO_FULL_TERMINAL):
        assert "storm-p2p resume" in str(sentence)
    assert "full" in str(screens.TOO_SMALL)
    assert Page.OVER in Page


def test_without_waiting_readers_a_thread_reads_only_what_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: after ``full`` the next line belongs to the full screen."""
    reading, writing = os.pipe()

    async def run() -> list[str]:
        def refuse(*args: object) -> None:
            raise NotImplementedError(args)

        monkeypatch.setattr(asyncio.get_running_loop(), "add_reader", refuse)
        screen = PlainScreen(os.fdopen(reading, closefd=False), io.StringIO())
        os.write(writing, b"on")
        first = asyncio.create_task(screen.read())
        await asyncio.sleep(0)
        os.write(writing, b"e\n")
        found = [await first]
        os.write(writing, b"two\n")
        await tui.calm()
        found.append(os.read(reading, 99).decode())
        os.write(writing, b"three\n")
        found.append(await screen.read())
        os.close(writing)
        with pytest.raises(EOFError):
            await screen.read()
        return found

    assert asyncio.run(run()) == ["one", "two\n", "three"]
    os.close(reading)
