"""What a person in plain lines is shown: boards and news in a window, going on, waiting, the end, and any terminal."""

import asyncio
import io
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import helpers
import pytest
from helpers_console import SAVED, Answering, FakeMatch, Script, play

from cli.console import messages, plain
from cli.console.plain import LinePlayer, PlainScreen
from cli.match.player import Ended, Ending, Happened, Heard, Noticed, Resumed, Seated
from cli.notices import LineBack, LineLost, LineTried
from cli.runtime.console import say
from cli.storm.console import STORM
from cli.storm.notices import Dealt, DealtAgain
from cli.storm.text import prices
from cli.storm.text.typed import refusal
from console.typed import EXAMPLE, assert_plain, typed
from protocol.core.events import DrawOffered
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import Faction
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.events import Event
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741


# -- the process ----------------------------------------------------------------------------------------------------

PROGRAM = """
import asyncio, random, sys
sys.path.insert(0, {tests!r})
import helpers, helpers_console
from cli.console.plain import LinePlayer
from cli.storm.console import STORM
from storm_p2p.storm.board import Faction
state = helpers.at("chthonians", "charon 12, hades 10, zeus 15")
player = LinePlayer("alice", STORM)
match = helpers_console.FakeMatch(player, Faction.CHTHONIANS, random.Random(1), state)
asyncio.run(match.run(1))
print(len(match.moves), match.said, player.interrupted)
"""


def run_program(stdin: int | io.BufferedReader, data: bytes | None = None) -> str:
    program = PROGRAM.format(tests=str(helpers.ROOT / "tests"))
    run = subprocess.run(
        [sys.executable, "-c", program],
        stdin=None if data is not None else stdin,
        input=data,
        cwd=helpers.ROOT,
        capture_output=True,
        timeout=100,
        check=True,
    )
    assert run.stderr == b""
    shown = run.stdout.decode()
    assert_plain(shown)
    return shown


@pytest.mark.long
def test_standard_input_may_be_a_pipe_a_file_or_nothing(tmp_path: Path) -> None:
    assert run_program(0, b"charon 13\ny\n\x1b[2J").endswith("1 [] False\n")
    assert run_program(0, b"liturgy!").endswith("1 [] False\n")
    assert run_program(0, b"").endswith("0 ['leave'] False\n")
    script = tmp_path / "script"
    script.write_bytes("bo\xe4rd\r\ncharon 13!\r\n".encode("latin-1"))
    with script.open("rb") as file:
        assert run_program(file).endswith("1 [] False\n")
    with Path(os.devnull).open("rb") as file:
        assert run_program(file).endswith("0 ['leave'] False\n")


def test_the_plain_screen_writes_what_the_terminal_can_show() -> None:
    raw = io.BytesIO()
    screen = PlainScreen(io.StringIO(""), io.TextIOWrapper(raw, "ascii"))
    screen.write(["Zoë \x1b[2J plays", "again"])
    assert raw.getvalue() == b"Zo? [2J plays\nagain\n"


# -- what is said -----------------------------------------------------------------------------------------------------


def test_no_line_that_the_other_side_fills_begins_like_one_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    forged = f"bob: good luck {'a' * 62} carol resigned. You have won the match."
    monkeypatch.setattr(PlainScreen, "_columns", lambda self: 80)
    shown = io.StringIO()
    PlainScreen(io.StringIO(""), shown).write([forged, "Your turn."])
    assert [line for line in shown.getvalue().splitlines() if not line.startswith(" ")] == [forged[:77], "Your turn."]
    glass = Glass()
    monkeypatch.setattr(glass, "fileno", lambda: 2)
    monkeypatch.setattr(sys, "stderr", glass)
    monkeypatch.setattr(os, "get_terminal_size", lambda descriptor: os.terminal_size((80, 24)))
    say(forged)
    assert [line for line in glass.getvalue().splitlines() if not line.startswith(" ")] == [forged[:77]]


def test_who_is_placed_where_somebody_stands_is_told() -> None:
    script = Script(["hades 11", "nyx 11", "per 1", "nyx 1"])
    play(LinePlayer("alice", STORM, lines=script.screen), C, terms=Terms(), most=0)
    assert "Hades is off the board again; Nyx took that place." in script.shown
    assert "The two have swapped places: Persephone is now in 11." in script.shown


def test_the_unit_cards_know_the_setup_so_far() -> None:
    script = Script(["hades 11", "units"])
    play(LinePlayer("alice", STORM, lines=script.screen), C, terms=Terms(), most=0)
    assert "Hades, strength 5, in 11, secret." in script.shown
    assert "Nyx, strength 4, not placed yet." in script.shown


def test_a_note_is_kept_listed_and_told_with_its_region() -> None:
    _, shown = typed("notes", "note 9 Hera, I think!", "who 9", "NOTES", "note 9", "who 9", "note 99 x")
    assert shown.count("Your note: Hera, I think!") == 1
    assert "Noted for 9: Hera, I think!" in shown
    assert " 9 Hera, I think!" in shown
    assert "The note on 9 is gone." in shown
    assert "No notes yet." in shown
    assert "Type a number and a note" in shown


def test_what_was_said_is_in_the_log_and_on_a_list_of_its_own() -> None:
    player, screen, _ = talked()
    player._handle(messages.Entered("chat"))
    player._handle(messages.Entered("/hello"))
    player.tell(Heard("hi \x1b[2Jthere"))
    player._handle(messages.Entered("mute"))
    player.tell(Heard("not shown"))
    player._handle(messages.Entered("log"))
    assert screen.written[-1] == ("    you: hello", "    bob: hi there")
    player._handle(messages.Entered("chat"))
    assert screen.written[-1] == ("you: hello", "bob: hi there")
    assert any("Nobody has said anything yet" in line for line in screen.lines)


# -- waiting, going on, the end -----------------------------------------------------------------------------------


def talked(**facts: Any) -> tuple[LinePlayer, Answering, FakeMatch]:
    """Return a seated player on a screen of paper."""
    screen = Answering(lambda: None)
    player = LinePlayer("alice", STORM, lines=screen)
    match = FakeMatch(player, C, random.Random(1), EXAMPLE)
    player.tell(Seated(C, EXAMPLE.terms, "bob", match.controls, match="7c1f0a", log=SAVED, **facts))
    return player, screen, match


def past() -> list[tuple[tuple[Event, ...], State]]:
    """Return what two messages had done, with the view of the Chthonians after each."""
    state, found = EXAMPLE, []
    for words in ("move 12 11 charon", "liturgy"):
        state, events = engine.play(state, notation.parse_action(words, state))
        found.append((events, helpers.owner_view(state, C)))
    return found


def test_a_resumed_match_says_the_last_of_its_log_and_who_is_awaited() -> None:
    player, screen, _ = talked()
    before = [((), helpers.owner_view(EXAMPLE, C)), *past()[:1]]
    player.tell(Resumed(before, before[-1][1]))
    shown = "\n".join(screen.lines)
    assert "Match 7c1f goes on from turn 2." in shown
    assert "Waiting for bob." in shown
    assert "you: Charon moves 12 to 11" in shown
    player._handle(messages.Entered("log 1"))
    assert screen.lines[-1] == "  1 Turn 2: bob to move."
    player._handle(messages.Entered("log 40"))
    assert screen.lines[-2].endswith("you: Charon moves 12 to 11; Honor 11 to 9 for the move")


def test_that_the_other_one_is_awaited_is_said_once() -> None:
    player, screen, _ = talked()
    player.tell(Happened(*past()[0]))
    assert screen.lines[-1] == "Waiting for bob."
    player.tell(Happened(*past()[0]))
    assert screen.lines.count("Waiting for bob.") == 1


def test_there_are_no_words_to_compare_with_the_computer() -> None:
    _, screen, _ = talked(words="")
    assert "Compare" not in "\n".join(screen.lines)
    _, screen, _ = talked(words="OTTER ANVIL PLUM")
    assert "Compare these words with bob: OTTER ANVIL PLUM." in "\n".join(screen.lines)


def test_what_was_done_is_confirmed() -> None:
    player, screen, match = talked()
    for line in ("say well met", "say", "accept", "decline", "draw", "yes"):
        player._handle(messages.Entered(line))
    assert screen.lines[-1].startswith("You offer a draw. bob can accept or decline it")
    assert "you say: well met" in screen.lines
    assert "What do you want to say? For example: say good luck." in screen.lines
    assert screen.lines.count("No draw is on offer. Type draw to offer one yourself.") == 2
    assert match.said == ["say well met", "draw"]
    player.tell(Noticed(DrawOffered(1, 1)))
    player._handle(messages.Entered("decline"))
    assert screen.lines[-1].startswith("Declined.")


def test_a_sealed_choice_is_confirmed_and_said_in_words() -> None:
    state = helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15")
    _, shown = typed("move 12 13 all!", "def 5?", "def 5", "yes", most=3, state=state)
    assert "All-out defense with 5 Energy." in shown
    assert "fight chthonians" not in shown
    assert "Sealed. Waiting for bob." in shown


@pytest.mark.parametrize(
    ("winner", "reason", "problems", "guilty", "said"),
    [
        ("chthonians", "forfeit", (), False, "You won in turn 1: bob resigned."),
        ("olympians", "forfeit", (), False, "You lost in turn 1: you resigned."),
        ("chthonians", "forfeit", ("bad",), True, "You won in turn 1: bob broke the rules."),
        # What an audit has found may be the winner's fault, and does not make a resignation undone.
        ("chthonians", "forfeit", ("bad",), False, "You won in turn 1: bob resigned."),
        ("olympians", "forfeit", ("bad",), False, "You lost in turn 1: you resigned."),
        ("draw", "agreement", (), False, "A draw in turn 1: by agreement."),
        ("chthonians", "honor", (), False, "You won in turn 1: the other side has no Honor left."),
        (None, "unfinished", (), False, "The match is not finished: it is turn 1."),
    ],
)
def test_the_end_says_why_and_who(
    winner: str | None, reason: str, problems: tuple[str, ...], guilty: bool, said: str
) -> None:
    player, screen, _ = talked()
    player.tell(Happened((), EXAMPLE))
    player.tell(Ended(Ending(winner, reason, True, SAVED, problems, guilty)))
    assert said in screen.lines


def test_a_match_that_is_left_before_the_first_turn_is_in_setup() -> None:
    player, screen, _ = talked()
    player.tell(Ended(Ending(None, "unfinished", False, SAVED)))
    assert "The match is not finished: it is still in setup." in screen.lines


def test_a_match_that_both_have_adjourned_says_so_at_the_end() -> None:
    player, screen, _ = talked()
    player.tell(Happened((), EXAMPLE))
    player.tell(Ended(Ending(None, "unfinished", False, SAVED, adjourned=True)))
    assert "The match is adjourned in turn 1." in screen.lines


def test_the_end_says_all_units_by_name() -> None:
    player, screen, _ = talked()
    player.tell(Happened((), helpers.owner_view(EXAMPLE, C)))
    assert "Artemis" not in "\n".join(screen.lines)
    player.tell(Ended(Ending("chthonians", "honor", True, SAVED, opened=EXAMPLE)))
    assert "Units of bob: 8 Athena, 9 " in "\n".join(screen.lines)


def test_a_broken_line_is_no_refusal() -> None:
    player, screen, _ = talked()
    for notice in (LineLost(calls=True), LineTried(4, 8.0), LineBack()):
        player.tell(Noticed(notice))
    assert screen.lines[-3:] == [
        "Lost the connection to bob; calling again.",
        "Connection to bob: calling, try 4, next in 8 s. bye leaves; the match is saved.",
        "Connected to bob again; the match goes on.",
    ]


def test_a_long_dealing_is_told_now_and_then_and_not_deal_by_deal() -> None:
    player, screen, _ = talked()
    for number in (2, 3):
        player.tell(Noticed(DealtAgain(C, Unit.HADES, number)))
    player.tell(Noticed(Dealt(C, 4)))
    assert screen.lines[-2:] == [
        "The Chthonians are dealt again: Hades stood too far from the base 3 times.",
        "The Chthonians are dealt; it took 4 deals.",
    ]
    assert not any("2 times" in line for line in screen.lines)


def test_help_on_retreat_says_where_one_may_go_and_what_has_no_way_out_points_to_it() -> None:
    _, shown = typed("help retreat")
    assert "No unit retreats over the Styx, to enemies" in shown
    assert "help retreat" in str(prices.NO_WAY_OUT)
    assert "help retreat" in refusal(IllegalAction("no-way-out", "you can retreat to 9"))


def test_a_lone_region_says_who_is_there_and_where_they_could_go() -> None:
    _, shown = typed("14", "5", "99")
    assert "14, realm of the Olympians. yours: Erinyes known to bob, Hecate secret." in shown
    assert "From 14, Hecate and Erinyes: 9: 0. 19, 20: minus 1 honor." in shown
    assert "5, realm of the Chthonians. empty." in shown
    assert "is not a region; the regions are 1 to 24" in shown
    assert "Type a move" not in shown


def test_keys_that_are_no_text_leave_no_trace_in_a_line_and_f1_alone_asks_for_help() -> None:
    assert plain.typed("\x1bOPturn") == "turn"
    assert plain.typed("  tu\x1b[Crn\t") == "turn"
    assert plain.typed("move\t14 9") == "move 14 9"
    assert [plain.typed(key) for key in ("\x1bOP", "\x1b[11~", "\x1b[[A", "\x1bOQ", "\t", "")] == [
        "help",
        "help",
        "help",
        "",
        "",
        "",
    ]


class Glass(io.StringIO):
    """A terminal that shows what is written."""

    def isatty(self) -> bool:
        """Claim to be a terminal."""
        return True


def test_no_sign_to_type_follows_the_last_line_of_a_match() -> None:
    async def over() -> str:
        glass = Glass()
        reading, writing = os.pipe()
        with os.fdopen(reading) as keyboard:
            keyboard.isatty = lambda: True  # type: ignore[method-assign]
            screen = PlainScreen(keyboard, glass)
            line = asyncio.create_task(screen.read())
            await asyncio.sleep(0)
            screen.write(["Waiting for bob."])
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert glass.getvalue().endswith("> ")
            screen.rest()
            screen.write(["You won."])
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            line.cancel()
            os.close(writing)
        return glass.getvalue()

    assert asyncio.run(over()).endswith("You won.\n")
