"""From the whole screen to plain lines and back, at any moment: nothing acts, and nothing that was known is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import helpers_tui as tui
import pytest

from cli.match.player import Heard
from cli.storm import placing
from cli.storm.model import Model, StormScreen
from cli.storm.placing import Placing
from console.room import Room, Step, quiet, says, shows, sit
from storm_p2p.storm import engine
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Phase, Terms
from storm_p2p.storm.units import Unit


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
        room.person.tell(Heard("hello"))

    def heard(room: Room) -> None:
        assert (room.window.bells, calls) == (2, [])

    sit(tui.EXAMPLE, ["plain", "full", "plain", "full", called, hear, heard], calls=calls)
    sit(tui.EXAMPLE, ["plain", hear], calls=calls)
    assert calls[0] == "bob has written to you."


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
    assert "Make it larger, or the font smaller, and type full" in capsys.readouterr().err


def test_chat_notes_log_mute_and_what_is_set_are_at_both_consoles() -> None:
    def hear(text: str) -> Callable[[Room], object]:
        return lambda room: room.person.tell(Heard(text))

    def leave_the_chat(room: Room) -> None:
        room.send("\x1b[17~")

    steps: list[Step] = [
        "note 8 maybe Zeus", "eye", "unicode", "/one", hear("two"), "plain",
        "who 8", says("Your note: maybe Zeus."), "notes", says(" 8 maybe Zeus"), "chat", says("you: one", "bob: two"),
        "note 9 Hera", "/three", hear("four"), "mute", hear("not shown"), "full",
        "chat", shows("you: one", "bob: two", "you: three", "bob: four"), leave_the_chat,
        "notes", shows("maybe Zeus", "Hera"),
    ]  # fmt: skip

    def kept(room: Room) -> None:
        screen = room.screens[0].screen
        assert len(room.screens) == 1
        assert isinstance(screen, StormScreen)
        assert (screen.eye, screen.settings.unicode, screen.match.muted) == (True, False, True)
        told = [line.strip() for line in screen.log]
        assert [line for line in told if line in ("you: one", "bob: two", "you: three", "bob: four")] == [
            "you: one",
            "bob: two",
            "you: three",
            "bob: four",
        ]
        assert "not shown" not in "\n".join(screen.log)

    sit(tui.EXAMPLE, [*steps, kept, quiet])


def test_the_setup_so_far_is_at_both_consoles() -> None:
    start = engine.new_game(Terms())
    steps: list[Step] = [
        "hades 11",
        "plain",
        says("Hades"),
        "cerberus 6",
        "full",
        shows("2 of 9", "11 HADES"),
        "nyx 10",
        "plain",
        says("3 of 9 placed"),
        "random",
        "full",
        shows("9 of 9"),
    ]

    def placed(room: Room) -> None:
        placing = room.screens[0].screen.placing
        assert isinstance(placing, Placing)
        assert dict(placing.places) == placing.by_region
        assert room.match.state.phase == Phase.SETUP

    room = sit(start, [*steps, placed, "seal!"], most=1)
    assert room.match.state.phase != Phase.SETUP
    model = room.screens[0].screen.match
    assert isinstance(model, Model)
    assert len(model.arranged) == 9


def test_setups_are_kept_and_taken_at_both_consoles(tmp_path: Path) -> None:
    steps: list[Step] = [
        "load wall", says("Which saved setup (none yet)?"), "save wall", says("You need units on the board"),
        "hades 11", "save Wall", says("Saved as wall; load wall brings it back"), "clear", "full",
        "load wall", shows("11 HADES"), "nyx 10", "save rush", "plain", "clear", "load rush", says("The setup rush is"),
        says("2 of 9 placed"), "random", "seal!",
    ]  # fmt: skip
    sit(engine.new_game(Terms()), steps, begin_plain=True, most=1, folder=tmp_path)
    kept = placing.load(tmp_path)[Faction.CHTHONIANS]
    assert list(kept) == ["wall", "rush", "last"]
    assert len(kept["last"].places) == 9
    told: list[str] = []
    sit(engine.new_game(Terms()), [lambda room: told.append(room.said)], begin_plain=True, most=1, folder=tmp_path)
    assert "Saved setups: wall rush last" in told[0]


def test_a_setup_that_cannot_be_kept_is_said_and_played(tmp_path: Path) -> None:
    (tmp_path / "setups.json").mkdir()
    steps: list[Step] = ["hades 11", "save wall", says("This could not be saved ("), "random", "seal!"]
    room = sit(engine.new_game(Terms()), steps, begin_plain=True, most=1, folder=tmp_path)
    assert room.match.state.phase != Phase.SETUP


def test_a_setup_that_was_begun_in_lines_is_sealed_as_it_was_on_the_screen() -> None:
    steps = ["random", "hades 11", "full", "plain", "full", "seal!"]
    room = sit(engine.new_game(Terms()), steps, begin_plain=True, most=1)
    group = room.match.state.sides[Faction.CHTHONIANS][11]
    assert [token.unit for token in group] == [Unit.HADES]
