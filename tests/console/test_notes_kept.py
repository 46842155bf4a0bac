"""Notes on regions, mute and ``confirm always`` are there again when a match goes on, at either console."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import helpers_console
import helpers_tui as tui
import pytest
from helpers_console import Script, seated
from helpers_storm import StormPair

from cli.console import screen_state
from cli.console.messages import Entered, KeepNotes
from cli.console.plain import LinePlayer
from cli.match.player import Placed, Remark, Resumed, Seated
from cli.storage import home
from cli.storm.console import STORM
from cli.storm.model import Model
from cli.storm.players import StormParticipant
from protocol.record.files import LOCK, change_file
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Unit

C = Faction.CHTHONIANS


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return where the notes of a match are kept."""
    return tmp_path / "matches" / "20261121-0a1b2c3d.notes.json"


def begun(book: Path) -> Model:
    """Return the model of the match when it begins or goes on."""
    model: Model = screen_state.recalled(STORM.begin_match(seated(C, tui.EXAMPLE.terms, "bob", notes=str(book))))
    return model


def typed_plain(book: Path, *lines: str) -> str:
    """Return what plain lines show after lines of a player."""
    script = Script([*lines, "bye"])
    player = LinePlayer("alice", STORM, lines=script.screen)
    match = helpers_console.play(player, C, state=tui.EXAMPLE, facts={"notes": str(book)})
    assert match.said == ["leave"], "nothing of it is said to the other side"
    return script.shown


def typed_on_screen(book: Path, *lines: str) -> tui.Played:
    """Return what the whole screen shows after lines of a player."""
    played = tui.play(tui.EXAMPLE, [f"{line}\r" for line in lines], facts={"notes": str(book)})
    assert played.match.said == [], "nothing of it is said to the other side"
    return played


def test_notes_stand_beside_the_journal_of_their_match(book: Path) -> None:
    player = Mock()
    StormParticipant(player).begin(
        StormPair().host, Seated(0, b"", "bob", Mock(), log=str(book.with_name("20261121-0a1b2c3d.match")))
    )
    assert player.tell.call_args.args[0].notes == str(book)


def test_a_note_of_either_console_is_there_at_both_when_the_match_goes_on(book: Path) -> None:
    typed_on_screen(book, "note 8 maybe Zeus", "note 9 Hera?", "note 9")
    assert " 8 maybe Zeus" in typed_plain(book, "note 20 Häßlich", "notes")
    played = typed_on_screen(book, "notes")
    assert played.shows("maybe Zeus")
    assert played.shows("Häßlich")
    assert not played.shows("Hera?")


def test_a_note_is_kept_the_moment_it_is_typed(book: Path) -> None:
    def kept(player: object, terminal: object) -> None:
        assert begun(book).notes == ((8, "maybe Zeus"),)

    tui.play(tui.EXAMPLE, ["note 8 maybe Zeus\r", kept], facts={"notes": str(book)})


def test_a_setup_that_was_begun_is_there_when_the_match_goes_on(book: Path) -> None:
    screen = tui.after(replace(tui.begin(), match=begun(book)), Placed(), Entered("hades 11"))
    screen, effects = tui.stepped(screen, Entered("nyx 10"))
    assert KeepNotes() in effects
    screen_state.keep(screen.match)
    again = tui.after(replace(tui.begin(), match=begun(book)), Placed())
    assert again.placing == screen.placing
    assert len(begun(book).arranged) == 2


def test_a_setup_in_a_file_is_one_of_the_side_or_none(book: Path) -> None:
    book.parent.mkdir()
    one = [[10, int(Unit.HADES)]]
    setups: tuple[object, ...] = (
        one,
        [[20, 0]],
        [[10, 99]],
        [[10]],
        [[10.5, 0]],
        [[10, 0], [10, 1]],
        [["10", 0]],
        {},
        3,
        None,
    )
    for setup in setups:
        book.write_text(json.dumps({"version": 1, "notes": [], "setup": setup}), encoding="utf-8")
        assert begun(book).arranged == (((10, Unit.HADES),) if setup is one else ())


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_nobody_else_can_read_what_is_kept(book: Path) -> None:
    typed_on_screen(book, "note 8 maybe Zeus")
    assert book.stat().st_mode & 0o777 == 0o600
    assert book.parent.stat().st_mode & 0o777 == 0o700


def test_mute_and_confirm_always_hold_when_the_match_goes_on_and_say_so(book: Path) -> None:
    typed_plain(book, "mute", "confirm always", "same")
    game = begun(book)
    assert (game.muted, game.confirms, game.compared) == (True, True, True)
    screen = tui.after(tui.begin(), Resumed((), tui.EXAMPLE))
    assert len(screen.notice) == 1
    screen = tui.after(
        replace(tui.begin(), match=game), Resumed((), tui.EXAMPLE, (Remark(0, mine=False, text="psst"),))
    )
    assert "bob is still muted; mute ends that." in screen.notice
    assert any("confirm costs" in line for line in screen.notice)
    assert screen.match.chat == (), "what is not shown is not shown later"
    script = Script([])
    player = LinePlayer("alice", STORM, lines=script.screen)
    seated = helpers_console.FakeMatch(player, C, random.Random(1), tui.EXAMPLE)
    player.take_over(game, seated.controls, asked=False)
    player.tell(Resumed((), tui.EXAMPLE))
    assert "bob is still muted; mute ends that." in script.shown
    typed_plain(book, "mute", "confirm costs")
    assert (begun(book).muted, begun(book).confirms) == (False, False)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b"\xff\xfe",
        b"[]",
        b"3",
        b'{"version": 2, "notes": []}',
        b'{"version": 1}',
        b'{"version": 1, "notes": {}}',
    ],
)
def test_a_file_that_cannot_be_read_counts_as_none_and_is_never_lost(book: Path, data: bytes) -> None:
    book.parent.mkdir()
    book.write_bytes(data)
    assert begun(book).notes == ()
    assert typed_on_screen(book, "notes").shows("No notes yet")
    assert book.read_bytes() == data
    typed_on_screen(book, "note 8 maybe Zeus")
    assert begun(book).notes == ((8, "maybe Zeus"),)
    assert book.with_name(book.name + home.UNREAD).read_bytes() == data


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ({"region": 8, "text": "a\x1b[2Jb\u202ec"}, ((8, "abc"),)),
        ({"region": 8, "text": "x" * 999}, ((8, "x" * (screen_state.LONGEST_NOTE - 3) + "..."),)),
        ({"region": 25, "text": "x"}, ()),
        ({"region": True, "text": "x"}, ()),
        ({"region": 8, "text": 5}, ()),
        ({"region": 8}, ()),
        ([8, "x"], ()),
        (None, ()),
    ],
)
def test_what_a_file_says_is_cleaned_and_what_is_no_note_is_left_out(book: Path, note: Any, kept: object) -> None:
    book.parent.mkdir()
    book.write_text(json.dumps({"version": 1, "notes": [note], "muted": 1, "confirms": "yes"}), encoding="utf-8")
    game = begun(book)
    assert game.notes == kept
    assert (game.muted, game.confirms) == (False, False)


def test_notes_that_cannot_be_written_hold_until_the_end_and_say_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = tmp_path / "file" / "x.notes.json"
    played = typed_on_screen(nowhere, "note 8 maybe Zeus")
    assert played.shows("could not be saved")
    assert played.screen.match.notes == ((8, "maybe Zeus"),)
    shown = typed_plain(nowhere, "note 8 maybe Zeus", "notes")
    assert "could not be saved" in shown
    assert " 8 maybe Zeus" in shown


def test_without_a_journal_nothing_is_written(tmp_path: Path) -> None:
    screen, effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered("note 8 maybe Zeus"))
    assert effects == (KeepNotes(),)
    screen_state.keep(screen.match)
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.json"
    change_file(path, lambda data: b"before")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        change_file(path, lambda data: b"after")
    assert path.read_text() == "before"
    assert sorted(tmp_path.iterdir()) == [tmp_path / LOCK, path]
