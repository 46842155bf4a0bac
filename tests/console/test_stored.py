"""Finding a stored match by what a person types, and joining one: unclear answers, hosts that are not there."""

from __future__ import annotations

import asyncio
import errno
import io
import re
import sys
from pathlib import Path

import pytest
from helpers_home import NUMBER, begin

from cli.app import games, join, menu
from cli.app.main import main
from cli.app.resume import row
from cli.match import stored
from cli.meeting.joining import BadLine
from cli.runtime import terminal
from cli.runtime.console import Exit
from cli.storage.home import Home
from cli.text import joining, screens
from protocol.core.agreement import GUEST_CHOOSES
from protocol.core.handshake import Offered
from protocol.reach import invite
from protocol.record.journal import Journal, StoredState
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.prepare()
    return made


def test_any_unique_beginning_of_the_number_or_of_the_local_name_finds_a_match(home: Home) -> None:
    with begin(home) as book:
        local = book.local_id
    with begin(home, bytes.fromhex("fa00") + bytes(30)):
        pass
    for wanted in ("fa9a", "FA9AAAAC", NUMBER.hex(), local, local.partition("-")[2], f"{local}.match"):
        assert stored.find(home, wanted) == local
    with pytest.raises(stored.NotFound) as caught:
        stored.find(home, "fa")
    assert sorted(match.match_id.hex()[:4] for match in caught.value.found if match.match_id) == ["fa00", "fa9a"]
    with pytest.raises(stored.NotFound, match="without a name lists"):
        stored.find(home, "beef")


def test_of_ones_own_invite_one_side_is_found_and_in_another_window_the_other_one(home: Home) -> None:
    with begin(home) as first, begin(home, opponent="alice") as second:
        both = {first.local_id, second.local_id}
    for wanted in (None, NUMBER.hex()[:4]):
        found = stored.find(home, wanted)
        assert found in both
    with Journal.open(home.matches, found):
        assert {stored.find(home, NUMBER.hex()[:4])} == both - {found}


def test_the_list_shows_number_day_and_opponent(home: Home) -> None:
    for number in (NUMBER, bytes(32)):
        begin(home, number, "b\x1b[2Job").close()
    with pytest.raises(stored.NotFound) as caught:
        stored.find(home, None)
    assert "several" in str(caught.value)
    for match in caught.value.found:
        assert re.fullmatch(r"[0-9a-f]{4}  2026-09-2\d \d\d:\d\d  against bob", row(home, match))


def test_the_menu_names_the_only_unfinished_match(home: Home) -> None:
    begin(home).close()
    (row,) = menu.look(home.folder)["matches"]
    assert row.brief == f"{NUMBER.hex()[:4]} against bob"
    begin(home, bytes(32)).close()
    assert [row.brief for row in menu.look(home.folder)["matches"]] == ["", ""]


def test_a_finished_match_is_not_unfinished(home: Home) -> None:
    with begin(home) as book:
        book.end(StoredState.FINISHED, Path("x.storm"))
    with pytest.raises(stored.NotFound, match="no unfinished match"):
        stored.find(home, None)


def test_a_match_that_is_open_in_another_window_is_not_missing(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    with begin(home) as book:
        for wanted in (None, book.local_id, book.local_id[:12], book.local_id.partition("-")[2]):
            for command in ("resume", "export"):
                assert main([command, "--home", str(home.folder), *([wanted] if wanted else [])]) == Exit.USAGE
                assert "is open in another window" in capsys.readouterr().err
        with pytest.raises(stored.NotFound, match=r"unless it is .* which is open in another window"):
            stored.find(home, "fa9a")
    assert stored.find(home, "fa9a") == book.local_id


# -- joining ----------------------------------------------------------------------------------------------------


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lines that a person will type; their end is the end of the input."""
    lines: list[str] = []

    def read(_question: str) -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr("builtins.input", read)
    return lines


OFFER = Offered("bob", bytes(32), encode_terms(Terms()), "hash", GUEST_CHOOSES)


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["maybe", "", "y", "c"], (True, 0)),
        (["yes", "x", "", "olymp"], (True, 1)),
        (["JA", "o"], (True, 1)),
        (["perhaps", "n"], (False, None)),
        (["perhaps"], (False, None)),
        (["y"], (False, None)),
    ],
)
def test_an_unclear_answer_is_asked_again(typed: list[str], lines: list[str], answer: tuple[bool, int | None]) -> None:
    typed += lines
    assert asyncio.run(join._ask(games.find(), OFFER)) == answer
    assert not typed


def test_a_damaged_invite_at_the_prompt_is_asked_for_again(
    typed: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    typed += ["hello", "SOO2-ABCDEFGH"]
    with pytest.raises(EOFError):
        join._invite(None)
    assert capsys.readouterr().err.count("\n") == 2
    with pytest.raises(BadLine):
        join._invite("hello")


HALF = bytes(16)
SENT = invite.Invite((("192.0.2.7", 4711), ("2001:db8::1", 4711)), HALF, HALF, HALF, 2**32 - 1, HALF)
LINE = invite.dump(SENT)


@pytest.mark.parametrize(
    "lines",
    [
        [LINE[:70], LINE[70:]],
        [f"> storm-p2p join {LINE[:5]}", f"> {LINE[5:6]}", f">   {LINE[6:80]}=", f"> {LINE[80:]}"],
        ["  storm-p2p join", LINE],
        [LINE[:70], LINE],
        ["hello", LINE[:70], "", LINE[:70] + ".", LINE],
    ],
    ids=["halves", "quoted", "command", "anew", "after faults"],
)
def test_an_invite_that_is_broken_over_lines_is_read_until_it_is_whole(
    typed: list[str], monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(join, "has_waiting_line", lambda: bool(typed))
    typed += [*lines, "roll"]
    assert join._invite(None) == SENT
    assert typed == ["roll"]


def test_a_broken_invite_from_a_pipe_takes_no_line_more_than_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{LINE[:70]}\n{LINE[70:]}\nroll\n"))
    assert join._invite("-") == SENT
    assert sys.stdin.readline() == "roll\n"


@pytest.mark.parametrize("text", [LINE[:70], f"{LINE[:70]}\n\n{LINE[70:]}", f"{LINE[:70]}.\n{LINE[70:]}", "hello\n"])
def test_an_empty_line_a_fault_or_the_end_of_a_pipe_ends_a_broken_invite(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    with pytest.raises(BadLine):
        join._invite("-")


@pytest.mark.parametrize("number", [errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ETIMEDOUT, 12345, None])
def test_an_address_that_does_not_answer_says_why_without_the_systems_words(number: int | None) -> None:
    said = joining.unreached("192.0.2.7", 4711, "unreachable", number)
    assert said.startswith("192.0.2.7 port 4711: ")
    assert "rrno" not in said
    assert said.endswith(".")


def test_without_a_terminal_the_menu_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main([]) == 2
    shown = capsys.readouterr()
    assert str(screens.NO_MENU) in shown.out + shown.err


def test_in_a_small_window_the_menu_says_what_it_needs_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "is_terminal", lambda *streams: True)
    monkeypatch.setattr(terminal, "_size", lambda: (60, 18))
    assert main([]) == 2
    shown = capsys.readouterr()
    assert (shown.out + shown.err).split() == str(screens.NO_MENU).split()


def test_without_a_terminal_there_are_plain_lines_and_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert terminal.why_plain() == str(screens.NO_TERMINAL)


def test_one_match_beside_an_open_one_is_not_called_several(home: Home) -> None:
    begin(home).close()
    with begin(home, bytes(range(16)), "carol") as book, pytest.raises(stored.NotFound) as caught:
        stored.find(home, None)
    assert "several" not in str(caught.value)
    assert f"The match {book.local_id} is open in another window" in str(caught.value)
    assert len(caught.value.found) == 1
