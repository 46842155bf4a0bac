"""The prompt with editing, seen through a terminal of 80 columns and 24 rows."""

import asyncio
import io
import random
from collections.abc import Callable

import helpers
import pytest
from helpers_console import Answering, FakeMatch
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.plain.human import HumanPlayer
from cli.plain.screen import wrapped
from storm_p2p import notation
from storm_p2p.board import Faction

EXAMPLE = helpers.at(
    "chthonians", "erinyes hecate 14, hades 10, ares hera 9, zeus 15, athena 8, artemis apollo 19", known="erinyes"
)


def typed(keys: str, most: int = 1) -> tuple[FakeMatch, str]:
    """Press keys at a prompt and return the match and everything that was drawn."""
    drawn = io.StringIO()

    async def run(make: Callable[[], HumanPlayer]) -> FakeMatch:
        match = FakeMatch(make(), Faction.CHTHONIANS, random.Random(1), EXAMPLE)
        await match.run(most)
        return match

    with create_pipe_input() as pipe:
        output = Vt100_Output(drawn, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
        with create_app_session(input=pipe, output=output):
            pipe.send_text(keys)
            return asyncio.run(run(lambda: HumanPlayer("alice"))), drawn.getvalue()


def test_an_action_is_typed_and_confirmed() -> None:
    match, _ = typed("move 14 8 eri hec\ry\r")
    assert [notation.format_action(action) for action in match.moves] == ["move 14 8 erinyes hecate"]


def test_keys_edit_the_line() -> None:
    match, _ = typed("liturgX\x7fy!\r")
    assert [notation.format_action(action) for action in match.moves] == ["liturgy"]


@pytest.mark.parametrize(("keys", "interrupted"), [("\x03", True), ("\x04", False)])
def test_control_c_and_the_end_of_input_leave(keys: str, *, interrupted: bool) -> None:
    match, _ = typed(keys)
    assert match.said == ["leave"]
    assert match.player.interrupted is interrupted  # type: ignore[attr-defined]  # the player of these tests is human
    assert not match.moves


def test_the_price_of_the_line_is_shown_while_it_is_typed() -> None:
    _, drawn = typed("move 14 8 eri hec\rn\r\x04")
    assert "honor 16 > 14 (-2)" in drawn

    async def price() -> tuple[str, str]:
        player = HumanPlayer("alice", screen=Answering(lambda: None))
        match = FakeMatch(player, Faction.CHTHONIANS, random.Random(1), EXAMPLE)
        player.seated(Faction.CHTHONIANS, EXAMPLE.terms, "bob", {}, match)
        asked = asyncio.create_task(player.decide(helpers.owner_view(EXAMPLE, 0)))
        await asyncio.sleep(0)
        found = player.price_line("move 14 8 eri hec"), player.price_line("move 14 8 eri x")
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await player.close()
        return found

    line, wrong = asyncio.run(price())
    assert line.splitlines() == [
        "move 14 8 erinyes hecate   attack 1 with 2, backward   honor 16 > 14 (-2)", "  bob learns: Hecate.",
    ]  # fmt: skip
    assert wrong == ""


def test_long_lines_are_wrapped_at_words() -> None:
    lines = wrapped("  " + "word " * 40, 80)
    assert max(map(len, lines)) <= 80
    assert all(line.startswith("    ") for line in lines[1:])
    assert wrapped("short", 80) == ["short"]
