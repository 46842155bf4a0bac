"""What is asked, said and refused when a person changes from one console to the other."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Mapping

import helpers
import helpers_tui as tui
import pytest

from cli.console.plain import PlainScreen
from cli.console.screen_state import Page
from cli.match.player import Ended, Ending, Heard
from cli.runtime import terminal
from cli.text import screens
from console.room import Room, Step, quiet, says, shows, sit
from storm_p2p.storm.state import State

SMALL = "The window is too small. Make it larger."


RETREAT = helpers.play(
    helpers.at("chthonians", "charon 12, hades 10, ares 13, zeus 15"),
    "move 12 13",
    *helpers.fights("retreat 0", "standard 6"),
)


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
        "liturgy",
        shows("send?"),
        lambda room: room.send("\x1b[18~"),
        says("Your move."),
        quiet,
        "yes",
        says("No question is open now"),
        "liturgy",
        says("Send?"),
        "full",
        shows("YOUR MOVE"),
        quiet,
        "y",
        quiet,
    ]
    sit(tui.EXAMPLE, steps)


def test_while_the_other_side_thinks_the_change_shows_who_is_awaited() -> None:
    state = helpers.at("olympians", "hades 12, zeus 15", honor=(11, 8))
    waits: list[Step] = [shows("waiting for bob"), "plain", says("Waiting for bob."), "full", shows("waiting for bob")]
    sit(state, [*waits, quiet], waiting=True)


def test_the_last_of_what_happened_is_said_without_the_indent_of_the_log() -> None:
    sit(tui.EXAMPLE, ["/hello", "plain", says("\nyou: hello\n"), quiet])


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
        room.person.tell(Heard("in between"))

    def back(room: Room) -> None:
        room.person._to_full("")
        room.person.tell(Heard("and again"))

    sit(tui.EXAMPLE, [both, "chat", says("bob: in between"), back, "chat", shows("in between", "and again")])


def test_the_end_is_seen_at_the_console_that_came_just_then() -> None:
    ending = Ending("olympians", "honor", True, "/home/alice/x.storm")

    def at_the_end(room: Room) -> None:
        room.person._to_plain("")
        room.person.tell(Ended(ending))

    room = sit(tui.EXAMPLE, [at_the_end])
    assert "You lost" in room.said


@pytest.mark.parametrize(
    ("environment", "size", "expected"),
    [
        ({"TERM": "dumb"}, (120, 40), str(screens.DUMB)),
        ({}, (79, 24), screens.too_small(79, 24, 80, 24)),
        ({}, (80, 23), screens.too_small(80, 23, 80, 24)),
        ({}, (80, 24), None),
        ({}, (0, 0), None),
    ],
)
def test_why_there_is_no_full_screen(
    environment: Mapping[str, str], size: tuple[int, int], expected: str | None
) -> None:
    assert terminal.reason(environment, *size) == expected


def test_the_sentences_say_what_to_do() -> None:
    for sentence in (screens.NO_FULL, screens.DUMB, screens.NO_TERMINAL):
        assert "storm-p2p resume" in str(sentence)
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
