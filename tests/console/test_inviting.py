"""The invite on the host's terminal: the line in one piece, the QR code whole or not at all, keys while one waits."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import signal
from collections.abc import Callable

import helpers_tui as tui
import pyte
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.app.launch import inviting
from cli.app.launch.inviting import Waiting, Wanted
from cli.app.launch.proposal import PlayerOptions
from cli.console.plain import PlainScreen
from cli.runtime.console import say, uncovered_by
from cli.text import joining
from protocol.reach import invite
from protocol.reach.invite import Invite

HALF = bytes(16)
TEXT = invite.dump(Invite((("192.0.2.7", 4711), ("2001:db8::1", 4711)), HALF, HALF, HALF, 2**31, HALF))
CODE = inviting.draw_qr(TEXT)


def on_screen(columns: int, rows: int, *, wanted: bool | None = None, keys: bool = False) -> tuple[list[str], str]:
    """Return the screen after everything was said, and all of it in one text."""
    before, after = inviting.around(TEXT, (columns, rows), wanted=wanted, keys=keys)
    whole = "".join(f"{part}\n" for part in (*before, joining.indented(TEXT), *after))
    screen = pyte.Screen(columns, rows)
    pyte.Stream(screen).feed(whole.replace("\n", "\r\n"))
    return [row.rstrip() for row in screen.display], whole


def is_whole(rows: list[str]) -> bool:
    return any(rows[at : at + len(CODE)] == CODE for at in range(len(rows)))


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("keys", [False, True])
@pytest.mark.parametrize("wanted", [None, True])
def test_the_code_is_seen_whole_or_not_at_all_and_the_line_is_never_broken(wanted: bool | None, keys: bool) -> None:
    for columns in (80, 100, 120):
        for rows in (24, 28, 30, 33, 40):
            screen, whole = on_screen(columns, rows, wanted=wanted, keys=keys)
            assert any(inviting.command(TEXT) in line for line in whole.split("\n"))
            drawn = any("\u2588\u2588\u2588" in row for row in screen)
            assert is_whole(screen) == drawn
            # Whoever asks for the code gets it wherever it fits, and nobody else.
            assert drawn == bool(wanted and rows > len(CODE))
            assert wanted or inviting.command(TEXT).replace(" ", "") in "".join(screen).replace(" ", "")


def test_the_code_of_a_line_that_says_how_somebody_is_seen_has_23_rows() -> None:
    # What tests/wire_io/test_invite.py counts.
    assert len(inviting.draw_qr("A" * 195)) == 23
    assert len(inviting.draw_qr("A" * 196)) == 25


def test_a_window_of_24_rows_names_the_keys_of_the_code_and_of_the_answer() -> None:
    screen, _ = on_screen(80, 24, keys=True)
    assert any("q QR code" in row and "a pastes" in row for row in screen)


def test_plain_lines_and_pipes_get_the_line_alone() -> None:
    for window in ((120, 60), None):
        got = inviting.around(TEXT, window, wanted=None, keys=False)
        assert got == ([str(joining.SEND)], [str(joining.WAITING)])
    assert "\n".join(CODE) in inviting.around(TEXT, None, wanted=True, keys=False)[0][0]


def waited(*steps: str | Callable[[list[str]], None], size: tuple[int, int] = (80, 24)) -> tuple[str, list[str]]:
    """Return what was written and said while somebody waited and pressed keys."""
    written, told = io.StringIO(), list[str]()
    screen = pyte.Screen(*size)
    stream = pyte.Stream(screen)

    async def run() -> None:
        with create_pipe_input() as pipe:
            output = Vt100_Output(written, lambda: Size(rows=size[1], columns=size[0]), term="xterm", enable_cpr=False)
            wanted = Wanted(text=TEXT)
            with Waiting(told.append, pipe, output, wanted).listening():
                for step in steps:
                    if isinstance(step, str):
                        pipe.send_text(step)
                        await tui.calm()
                    else:
                        screen.reset()
                        stream.feed(written.getvalue())
                        step([row.rstrip() for row in screen.display])
            if wanted.fresh.is_set():
                told.append("a new invite")
            while not wanted.pasted.empty():
                told.append(wanted.pasted.get_nowait())

    asyncio.run(run())
    return written.getvalue().removeprefix("\x1b[?2004h").removesuffix("\x1b[?2004l"), told


def test_a_key_shows_the_code_alone_and_the_next_one_takes_it_away() -> None:
    seen: list[list[str]] = []
    written, told = waited("q", seen.append, " ", size=(80, max(24, len(CODE))))
    assert is_whole(seen[0])
    assert written.endswith("\x1b[?1049l")
    assert told == []
    assert waited("q", size=(80, len(CODE) - 1)) == (
        "",
        [joining.too_small(len(CODE[0]), len(CODE), 80, len(CODE) - 1)],
    )


def test_a_guest_who_comes_while_the_code_is_shown_finds_the_screen_given_back() -> None:
    assert waited("q", size=(80, 40))[0].endswith("\x1b[?1049l")


def test_what_is_said_while_the_code_is_shown_stands_on_the_screen_that_stays(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before: list[str] = []
    with uncovered_by(lambda: before.append(capsys.readouterr().err)):
        say("You meet bob for the first time.")
    assert (before, capsys.readouterr().err) == ([""], "You meet bob for the first time.\n")
    # The code went with the words, so that the same key shows it again.
    written, _ = waited("q", lambda rows: say("You meet bob for the first time."), "q", size=(80, 40))
    assert written.count("\x1b[?1049h") == written.count("\x1b[?1049l") == 2
    say("Nobody waits any more.")
    assert len(before) == 1


def test_a_key_copies_the_line() -> None:
    written, told = waited("c")
    assert written == f"\x1b]52;c;{base64.b64encode(inviting.command(TEXT).encode()).decode()}\x07"
    assert told == [str(joining.COPIED)]
    assert waited("x\x1b[A") == ("", [])


def test_a_key_asks_for_a_new_invite() -> None:
    assert waited("n") == ("", ["a new invite"])
    # Any key takes the code away, and does nothing else.
    assert waited("q", "n", size=(80, 40))[1] == []


BRACKETS = "\x1b[200~", "\x1b[201~"


def pasted(text: str) -> str:
    return text.join(BRACKETS)


@pytest.mark.parametrize(
    "typed",
    [
        (pasted(f"Here it is: {TEXT}"),),
        ("a", pasted(TEXT)),
        # A terminal that does not say what is pasted, and one that hands it over in pieces.
        (f"storm-p2p host --call {TEXT}",),
        (TEXT[:90], TEXT[90:]),
        (pasted(TEXT[:90] + "\r"), pasted(TEXT[90:])),
        ("a", "x", "\x7f", TEXT, "\r"),
    ],
)
def test_an_answer_is_pasted_or_typed(typed: tuple[str, ...]) -> None:
    _, told = waited(*typed)
    assert invite.parse(told[-1], 0) == invite.parse(TEXT, 0)
    assert told[:-1] == [str(joining.PASTE_ANSWER)] * (typed[0] == "a")


def test_escape_ends_an_answer_and_the_keys_mean_what_they_did() -> None:
    assert waited("a", "cqn", "\x1b", "n")[1] == [str(joining.PASTE_ANSWER), str(joining.NO_ANSWER), "a new invite"]
    assert waited("a", "\r")[1] == [str(joining.PASTE_ANSWER)]


def test_answers_in_lines_are_found_and_all_others_are_left_to_the_match() -> None:
    script = ["11 12", json.dumps({"answer": TEXT}), "seal", TEXT[:90], TEXT[90:], "attack"]

    async def run() -> None:
        screen = PlainScreen(io.StringIO("".join(f"{line}\n" for line in script)), io.StringIO())
        with inviting.waiting(TEXT, screen, keys=False) as wanted:
            found = [await asyncio.wait_for(wanted.pasted.get(), 10) for _ in range(2)]
        assert [invite.parse(text, 0) for text in found] == [invite.parse(TEXT, 0)] * 2
        assert [await screen.read() for _ in range(3)] == ["11 12", "seal", "attack"]
        with pytest.raises(EOFError):
            await screen.read()

    asyncio.run(run())


@pytest.mark.parametrize("behind", [["seal"], [], ["", "seal"], ["yes, here it comes again", "seal"]])
def test_what_stands_behind_an_answer_that_was_cut_is_no_part_of_it(behind: list[str]) -> None:
    async def run() -> None:
        screen = PlainScreen(io.StringIO("".join(f"{line}\n" for line in [TEXT[:90], *behind])), io.StringIO())
        with inviting.waiting(TEXT, screen, keys=False) as wanted:
            assert await asyncio.wait_for(wanted.pasted.get(), 10) == TEXT[:90]
        for line in filter(None, behind):
            assert await screen.read() == line

    asyncio.run(run())


@pytest.mark.parametrize(("key", "agreed"), [("y", True), ("n", False), ("\r", True), ("j", True), ("xn", False)])
def test_a_question_is_answered_by_a_key_or_a_line_that_means_nothing_else_then(key: str, agreed: bool) -> None:
    async def by_key() -> bool:
        told: list[str] = []
        with create_pipe_input() as pipe:
            output = Vt100_Output(io.StringIO(), lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
            wanted = Wanted(text=TEXT)
            with Waiting(told.append, pipe, output, wanted).listening():
                asked = asyncio.create_task(inviting.agrees(wanted, "Try?"))
                await asyncio.sleep(0)
                pipe.send_text(key)
                found = await asked
                assert not wanted.fresh.is_set()
                # Afterwards the key is that of a new invite again.
                pipe.send_text("n")
                await wanted.fresh.wait()
        return found

    async def by_line() -> bool:
        screen = PlainScreen(io.StringIO("\n".join(key.strip("\r")) + "\n"), io.StringIO())
        with inviting.waiting(TEXT, screen, keys=False) as wanted:
            return await inviting.agrees(wanted, "Try?")

    for answer in (by_key, by_line):
        assert asyncio.run(asyncio.wait_for(answer(), 10)) is agreed


def test_ctrl_c_is_still_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[int] = []
    monkeypatch.setattr(signal, "raise_signal", raised.append)
    waited("\x03")
    assert raised == [signal.SIGINT]


def test_keys_are_for_a_person_at_a_terminal() -> None:
    # The tests have no terminal.
    assert not inviting.can_listen(PlayerOptions())
