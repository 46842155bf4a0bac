"""A person at the keyboard, with scripts instead of fingers."""

import asyncio
import io
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import helpers
import pytest
from helpers_console import SAVED, Answering, FakeMatch, Script, play

from cli import language
from cli.arranging import Arranging
from cli.feed import RESERVED, Feed
from cli.human import HumanPlayer
from cli.placing import Placing
from cli.players import Ending
from cli.screen import PlainScreen, wrapped
from storm_p2p import engine, notation
from storm_p2p.actions import Move, Reveal
from storm_p2p.board import FACTIONS, Faction
from storm_p2p.events import Event
from storm_p2p.state import Phase, State, Terms
from storm_p2p.units import Unit

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741
EXAMPLE = helpers.at(
    "chthonians", "erinyes hecate 14, hades 10, charon 12, ares hera 9, zeus 15, athena 8, artemis apollo 19",
    known="erinyes", honor=(11, 8), energy=(10, 14),
)  # fmt: skip
CODES = sorted(
    {
        code
        for folder in ("storm_p2p", "protocol")
        for path in (helpers.ROOT / folder).glob("*.py")
        for code in re.findall(r'"([a-z]+(?:[-_][a-z]+)+)"', path.read_text(encoding="utf-8"))
    }
    - {"all-out"}
)


def typed(*lines: str, state: State = EXAMPLE, faction: Faction = C, most: int = 1) -> tuple[FakeMatch, str]:
    """Play with these lines for some actions of both sides, and return the match and what was shown."""
    script = Script(lines)
    player = HumanPlayer("alice", plain=True, screen=script.screen)
    return play(player, faction, state=state, most=most), script.shown


def said(match: FakeMatch) -> list[str]:
    return [notation.format_action(action) for action in match.moves]


# -- a turn -----------------------------------------------------------------------------------------------------


def test_a_free_action_is_sent_at_once() -> None:
    match, shown = typed("charon 11!")
    assert said(match) == ["move 12 11 charon"]
    match, shown = typed("erinyes 9")
    assert said(match) == ["move 14 9 erinyes"]
    assert "Send?" not in shown
    assert "Turn 1. Your move. Honor: you 11, bob 8. Energy: you 10, bob 14." in shown


def test_who_wants_it_is_asked_before_everything() -> None:
    match, shown = typed("confirm always", "erinyes 9", "no", "erinyes 9 !")
    assert said(match) == ["move 14 9 erinyes"]
    assert "Nothing sent." in shown
    match, shown = typed("confirm always", "confirm costs", "erinyes 9")
    assert said(match) == ["move 14 9 erinyes"]
    assert "Nothing sent." not in shown


def test_the_language_changes_in_the_middle_of_a_match() -> None:
    try:
        _, shown = typed("lang de", "t", "lang en", "t", "erinyes 9")
    finally:
        language.choose(language.ENGLISH)
    german = shown.partition("Von hier an liest du Deutsch")[2].partition("From here on you read English")[0]
    assert "Ehre: du 11, bob 8" in german


def test_whoever_looks_elsewhere_is_called_and_not_for_each_turn_against_the_computer() -> None:
    def calls(computer: str) -> list[str]:
        found: list[str] = []
        player = HumanPlayer("alice", plain=True, screen=Script(["erinyes 9"]).screen, call=found.append)
        match = FakeMatch(player, C, random.Random(1), EXAMPLE)
        match.facts = {**match.facts, "computer": computer}
        asyncio.run(match.run(1))
        return found

    against_bob, against_the_computer = calls(""), calls("yes")
    assert against_bob[0] == "It is your turn against bob."
    assert against_bob[1:] == against_the_computer
    assert against_bob[-1].startswith("The match is not finished")


def test_a_loss_is_asked_and_no_is_the_default() -> None:
    for answer in ("no", "", "n", "nein"):
        match, shown = typed("move 14 8 eri hec", answer)
        assert said(match) == []
        assert "Honor 11 to 9." in shown
        assert "bob learns: Hecate." in shown
        assert "Nothing sent." in shown
    for answer in ("yes", "y", "ja"):
        match, _ = typed("move 14 8 eri hec", answer)
        assert said(match) == ["move 14 8 erinyes hecate"]


def test_an_exclamation_mark_accepts_the_first_grade_only() -> None:
    match, shown = typed("move 14 8 eri hec!")
    assert said(match) == ["move 14 8 erinyes hecate"]
    assert "Send?" not in shown
    poor = helpers.at("chthonians", "charon 11, hades 5, zeus 15", honor=(4, 9))
    match, shown = typed("move 11 10 charon!", "no", state=poor)
    assert said(match) == []
    assert "Honor would be 2, and 0 loses the game." in shown


def test_what_loses_the_game_needs_the_word_yes() -> None:
    poor = helpers.at("chthonians", "charon 11, hades 5, zeus 15", honor=(2, 9))
    for answer in ("y", "no", "ja!"):
        match, shown = typed("move 11 10 charon!", answer, state=poor)
        assert said(match) == []
        assert 'Type the word "yes"' in shown
    match, shown = typed("move 11 10 charon", "yes", state=poor)
    assert said(match) == ["move 11 10 charon"]
    assert "You lost in turn 1: no Honor is left." in shown


def test_a_question_mark_shows_the_price_only() -> None:
    match, shown = typed("move 14 8 eri hec?", "yes")
    assert said(match) == []
    assert "Honor 11 to 9." in shown
    assert "Send?" not in shown


def test_another_command_instead_of_yes_sends_nothing() -> None:
    match, shown = typed("liturgy", "who 14", "yes")
    assert said(match) == []
    assert "Nothing sent." in shown
    assert "yours: Erinyes known to bob" in shown


def test_a_wrong_action_changes_nothing_and_costs_nothing() -> None:
    match, shown = typed("hades 24", "move 14 9 zeus", "frobnicate", "liturgy!")
    assert said(match) == ["liturgy"]
    assert shown.count("Not possible") == 2
    assert match.state.honor == (9, 8)


def test_revealing_comes_before_the_action() -> None:
    match, _ = typed("reveal charon", "yes", "charon 13", "yes", most=2)
    assert said(match) == ["reveal charon", "move 12 13 charon"]
    assert match.moves[0] == Reveal(12, 0, Unit.CHARON)
    assert match.state.energy == (10, 14)


# -- other phases -----------------------------------------------------------------------------------------------


def test_a_combat_is_fought_to_its_end() -> None:
    state = helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15")
    match, shown = typed("move 12 13 all!", "std 9", "no", "std 9!", most=4, state=state)
    assert said(match) == ["move 12 13 charon cronus", "fight chthonians standard 9"]
    assert "not allowed" not in shown
    assert "all-out attack, honor -2" in shown
    assert "After sealing there is no way back." in shown


def test_help_next_door_is_asked_whether_or_not_there_is_any_so_that_no_delay_tells() -> None:
    with_her = helpers.at("chthonians", "cerberus 12, hades 10, ares 13, aphrodite 14, zeus 15")
    without = helpers.at("chthonians", "cerberus 12, hades 10, ares 13, athena 14, zeus 15")
    match, shown = typed("aid none", state=helpers.play(with_her, "move 12 13"), faction=O)
    assert said(match) == ["aid none"]
    assert "Shall Aphrodite help from next door?" in shown
    match, shown = typed("no", state=helpers.play(without, "move 12 13"), faction=O, most=2)
    assert said(match)[0] == "aid none"
    assert "Nobody there can, so the answer is no." in shown


def test_the_answers_to_a_thunderbolt_are_listed() -> None:
    state = helpers.play(helpers.at("olympians", "zeus 14, hecate cerberus 13, hades 10"), "bolt 13")
    match, shown = typed("lose hec claim!", state=state)
    assert said(match) == ["lose hecate claim"]
    assert "A thunderbolt hits 13; which unit is eliminated?" in shown
    assert "lose hecate (free)" in shown
    assert "lose hecate claim (energy +6)" in shown


# -- talk, the match, leaving -------------------------------------------------------------------------------------


def test_chat_draw_and_resignation() -> None:
    match, _ = typed("say Good luck!", "/and fun", "draw", "yes", "resign", "y", "resign", "yes")
    assert match.said == ["say Good luck!", "say and fun", "draw", "resign"]


def test_a_draw_on_offer_is_accepted_or_declined() -> None:
    script = Script(["accept", "yes", "decline"])
    player = HumanPlayer("alice", plain=True, screen=script.screen)

    async def run() -> FakeMatch:
        match = FakeMatch(player, C, random.Random(1), EXAMPLE)
        running = asyncio.create_task(match.run(1))
        await asyncio.sleep(0)
        player.told("draw-offered", "")
        await running
        return match

    match = asyncio.run(run())
    assert match.said == ["accept"]
    assert "bob offers a draw." in script.shown
    assert "Type accept or decline." in script.shown


def test_a_control_that_refuses_says_why() -> None:
    script = Script(["draw", "yes", "liturgy!"])
    match = FakeMatch(HumanPlayer("a", plain=True, screen=script.screen), C, random.Random(1), EXAMPLE)
    match.refuses = "expected a match that is going on"
    asyncio.run(match.run(1))
    assert "expected a match that is going on" in script.shown
    assert said(match) == ["liturgy"]


def test_the_end_of_input_leaves_and_says_where_the_match_is() -> None:
    match, shown = typed("board")
    assert match.said == ["leave"]
    assert f"It is saved in {SAVED}; storm-p2p resume 7c1f goes on with it." in shown
    assert shown.count(SAVED) == 1
    match, _ = typed("bye", "liturgy!")
    assert match.said == ["leave"]
    assert said(match) == []


def test_hostile_names_chat_and_sentences_are_cleaned() -> None:
    script = Script(["liturgy!"])
    player = HumanPlayer("alice", plain=True, screen=script.screen)
    match = FakeMatch(player, C, random.Random(1), EXAMPLE, opponent="\x1b[2Jb\u202eo\u200bb\n")
    asyncio.run(match.run(1))
    player.heard("\x1b]0;owned\x07hello\rthere\x9b31m")
    player.told("bad-frame", "expected \x1b[31mthis, got\u2066 that\n")
    player.over(Ending("olympians", "mis\x1bbehaviour", False, "/tmp/\x1bx", ("a\x07b",)))
    assert "bob says: hello there" in script.shown
    assert_plain(script.shown)


def test_a_disagreement_of_the_programs_is_said_with_what_is_saved_and_without_a_way_to_go_on() -> None:
    script = Script(["liturgy!"])
    player = HumanPlayer("alice", plain=True, screen=script.screen)
    match = FakeMatch(player, C, random.Random(1), EXAMPLE, opponent="bob")
    asyncio.run(match.run(1))
    before = len(script.shown)
    player.told("states_differ", f"expected the state {'ab' * 32} after envelope 7, got {'cd' * 32}")
    player.over(Ending(None, "unfinished", False, "logs/x.storm", held="logs/x.position.json"))
    shown = " ".join(script.shown[before:].split())
    assert "hold different positions after a message of bob" in shown
    assert "nobody is accused" in shown
    assert "logs/x.storm" in shown
    assert "logs/x.position.json" in shown
    assert "resume" not in shown
    assert "abab" not in shown


def assert_plain(shown: str) -> None:
    """Nothing but visible characters and ends of lines."""
    assert not [char for char in shown if char != "\n" and not char.isprintable()]
    assert not re.search(r"\\x1b|\\u", shown)


# -- the setup ----------------------------------------------------------------------------------------------------


SETUP = ["hades 11", "per 1", "cer 5", "cro 6", "hec 10", "hyp 12", "eri 16", "moi 17", "har 21"]


def test_a_setup_by_hand() -> None:
    lines = ["cro 1", "zeus 3", "seal", *SETUP, "nyx 21", "hades cerberus", "hades per", "seal", "no", "seal", "yes"]
    script = Script(lines)
    match = play(HumanPlayer("alice", plain=True, screen=script.screen), C, terms=Terms(), most=0)
    stand = {Unit(group[0].unit or 0): region for region, group in enumerate(match.state.sides[C]) if region and group}
    assert stand == {
        Unit.HADES: 1, Unit.PERSEPHONE: 5, Unit.CERBERUS: 11, Unit.CRONUS: 6, Unit.HECATE: 10, Unit.HYPNOS: 12,
        Unit.ERINYES: 16, Unit.MOIRAE: 17, Unit.NYX: 21,
    }  # fmt: skip
    assert "Expected Hades among the nine" in script.shown
    assert "Expected one of your Chthonians, got Zeus." in script.shown
    assert "9 of 9 placed." in script.shown


def test_a_random_setup_is_another_one_each_time() -> None:
    found = set()
    for seed in range(3):
        script = Script(["random", "seal!"])
        player = HumanPlayer("alice", plain=True, screen=script.screen, dice=random.Random(seed))
        match = play(player, O, terms=Terms(), most=0)
        found.add(str(match.state.sides[O]))
    assert len(found) == 3


# -- whole matches --------------------------------------------------------------------------------------------------


def whole_match(seed: int, faction: Faction, *, plain: bool) -> tuple[FakeMatch, Answering]:
    """Play a match to its end; the lines are legal actions at random, with looks and mistakes between them."""
    rng = random.Random(seed)
    views = ("board", "units", "table", "who 14", "log 3", "eye", "t", "o", "l", "s 3", "help", "options", "costs 10")
    wrong = ("move 1 24", "xyzzy", "std 99", "lose zeus", "reveal", "hades 30", "retreat 15", "bolt 1", "no")
    pending: list[str] = []
    match: FakeMatch

    def answer() -> str | None:
        if not player._awaited():
            return None
        if pending:
            return pending.pop(0)
        if player._arranging is not None:
            pending[:] = ["seal!"]
            return "random"
        state = helpers.owner_view(match.state, faction)
        actions = engine.legal_actions(state, faction)
        action = helpers.prefer(rng, state, actions)
        mistakes = rng.sample(wrong, 1) if state.phase != Phase.AID else []
        pending[:] = [rng.choice(views), notation.format_action(action)]
        return mistakes[0] if mistakes else pending.pop(0)

    class Confirming(Answering):
        def write(self, shown: Sequence[str]) -> None:
            super().write(shown)
            if shown and ("Send?" in shown[-1] or '"yes"' in shown[-1]):
                pending.insert(0, "yes")

        def prompt(self, words: str) -> None:
            if words.startswith("Send?") and not plain:
                pending.insert(0, "yes")

    screen = Confirming(answer)
    player = HumanPlayer("alice", plain=plain, screen=screen, dice=rng)
    terms = rng.choice([terms for terms in helpers.TERMS if not terms.random_setup])

    async def run() -> None:
        nonlocal match
        match = FakeMatch(player, faction, random.Random(seed), engine.new_game(terms))
        await match.run(4000)

    asyncio.run(run())
    return match, screen


@pytest.mark.parametrize("seed", range(8))
def test_a_whole_match_is_typed(seed: int) -> None:
    match, screen = whole_match(seed, FACTIONS[seed % 2], plain=seed % 4 < 2)
    assert match.state.outcome is not None
    assert len(match.moves) > 5
    assert any(isinstance(action, Move) for action in match.moves)
    shown = "\n".join(screen.lines)
    assert re.search(r"(You won|You lost|A draw) in turn \d+", shown)
    assert_plain(shown)
    # No code of the engine or the protocol is shown, only sentences.
    assert not [code for code in CODES if re.search(rf"(?<![\w-]){code}(?![\w-])", shown)]


# -- the process ----------------------------------------------------------------------------------------------------

PROGRAM = """
import asyncio, random, sys
sys.path.insert(0, {tests!r})
import helpers, helpers_console
from cli.arranging import Arranging
from cli.feed import RESERVED, Feed
from cli.human import HumanPlayer
from storm_p2p.board import Faction
state = helpers.at("chthonians", "charon 12, hades 10, zeus 15")
player = HumanPlayer("alice", plain=True)
match = helpers_console.FakeMatch(player, Faction.CHTHONIANS, random.Random(1), state)
asyncio.run(match.run(1))
print(len(match.moves), match.said, player.interrupted)
"""


def run_program(stdin: int | io.BufferedReader, data: bytes | None = None) -> str:
    program = PROGRAM.format(tests=str(helpers.ROOT / "tests"))
    run = subprocess.run(
        [sys.executable, "-c", program], stdin=None if data is not None else stdin, input=data, cwd=helpers.ROOT,
        capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    assert run.stderr == b""
    shown = run.stdout.decode()
    assert_plain(shown)
    return shown


@pytest.mark.slow
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


# -- what stands on the screen ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [2, 3, 6, 7])
def test_every_board_and_every_combat_fits_a_window_of_24_rows_with_the_prompt_and_its_preview(seed: int) -> None:
    _, screen = whole_match(seed, FACTIONS[seed % 2], plain=False)
    windows = [list(block) for block in screen.written if block[0].startswith(("Storm over", "-- COMBAT"))]
    assert windows
    for window in windows:
        rows = [row for line in window for row in wrapped(line, 80)]
        assert len(rows) <= 24 - RESERVED, window
        assert max(map(len, rows)) <= 80
    assert any(line.startswith("-- log ---") for window in windows for line in window)


def test_news_that_does_not_fit_under_a_board_stands_before_it() -> None:
    class Paper(Answering):
        """A screen that only keeps what is written."""

    paper = Paper(lambda: None)
    feed = Feed(paper, plain=False)
    news = [f"line {number}" for number in range(12)]
    feed.news(news)
    assert paper.lines == []
    feed.board(["board"] * 14, ["question"])
    assert [line for line in paper.lines if line.startswith("line")] == news
    assert paper.lines[-1] == "question"
    under = paper.lines[paper.lines.index("board") :]
    assert len(under) == 24 - RESERVED
    feed.board(["board"], ["question"])
    assert paper.lines[-4:] == [*news[-3:], "question"]


def test_a_whole_setup_stands_on_one_window() -> None:
    async def introduction() -> list[str]:
        return Arranging(Placing(C), Terms(), random.Random(1), plain=False).introduction()

    shown = [row for line in asyncio.run(introduction()) for row in wrapped(line, 80)]
    # The line that says who plays whom, and the prompt, too.
    assert len(shown) <= 24 - 2


def test_who_is_placed_where_somebody_stands_is_told() -> None:
    script = Script(["hades 11", "nyx 11", "per 1", "nyx 1"])
    play(HumanPlayer("alice", plain=True, screen=script.screen), C, terms=Terms(), most=0)
    assert "Not placed any more: Hades, whose place went to Nyx." in script.shown
    assert "The two have changed places: Persephone now in 11." in script.shown


def test_the_unit_cards_know_the_setup_so_far() -> None:
    script = Script(["hades 11", "units"])
    play(HumanPlayer("alice", plain=True, screen=script.screen), C, terms=Terms(), most=0)
    assert "Hades, strength 5, in 11, secret." in script.shown
    assert "Nyx, strength 4, not placed yet." in script.shown


def test_a_note_is_kept_listed_and_told_with_its_region() -> None:
    _, shown = typed("notes", "note 9 Hera, I think!", "who 9", "NOTES", "note 9", "who 9", "note 99 x")
    assert shown.count("Your note: Hera, I think!") == 1
    assert "Noted for 9: Hera, I think!" in shown
    assert " 9  Hera, I think!" in shown
    assert "The note on 9 is gone." in shown
    assert "No notes yet." in shown
    assert "Expected a region and a text" in shown


def test_what_was_said_is_in_the_log_and_on_a_list_of_its_own() -> None:
    player, screen, _ = talked(True)
    player._take("chat")
    player._take("/hello")
    player.heard("hi \x1b[2Jthere")
    player._take("mute")
    player.heard("not shown")
    player._take("log")
    assert screen.written[-1] == ("    you: hello", "    bob: hi there")
    player._take("chat")
    assert screen.written[-1] == ("you: hello", "bob: hi there")
    assert any("Nobody has said anything yet" in line for line in screen.lines)


# -- waiting, going on, the end -----------------------------------------------------------------------------------


def talked(plain: bool, **facts: str) -> tuple[HumanPlayer, Answering, FakeMatch]:
    """Return a seated player on a screen of paper."""
    screen = Answering(lambda: None)
    player = HumanPlayer("alice", plain=plain, screen=screen)
    match = FakeMatch(player, C, random.Random(1), EXAMPLE)
    player.seated(C, EXAMPLE.terms, "bob", {"match": "7c1f0a", "log": SAVED, **facts}, match)
    return player, screen, match


def past() -> list[tuple[tuple[Event, ...], State]]:
    """Return what two messages had done, with the view of the Chthonians after each."""
    state, found = EXAMPLE, []
    for words in ("move 12 11 charon", "liturgy"):
        state, events = engine.play(state, notation.parse_action(words, state))
        found.append((events, helpers.owner_view(state, C)))
    return found


@pytest.mark.parametrize("plain", [True, False])
def test_a_resumed_match_shows_the_board_its_log_and_who_is_awaited(*, plain: bool) -> None:
    player, screen, _ = talked(plain)
    before = [((), helpers.owner_view(EXAMPLE, C)), *past()[:1]]
    player.resumed(before, before[-1][1])
    shown = "\n".join(screen.lines)
    assert "Match 7c1f goes on in turn 2." in shown
    assert "Waiting for bob." in shown
    assert "you: Charon moves 12 > 11" in shown
    assert ("/ 1        \\" in shown) is not plain
    player._take("log 1")
    assert screen.lines[-1] == "  1 Turn 2: bob to move."
    player._take("log 40")
    assert screen.lines[-2].endswith("you: Charon moves 12 > 11; Honor 11 to 9 for the move")


def test_a_person_is_waited_for_with_the_board_and_the_computer_without() -> None:
    for facts, boards in (({}, 1), ({"computer": "greedy"}, 0)):
        player, screen, _ = talked(False, **facts)
        player.happened(*past()[0])
        assert screen.lines[-1] == "Waiting for bob."
        assert sum("waiting for bob | log saved" in line for line in screen.lines) == boards
        player.happened(*past()[0])
        assert screen.lines.count("Waiting for bob.") == 1


def test_there_are_no_words_to_compare_with_the_computer() -> None:
    _, screen, _ = talked(True, words="")
    assert "Compare" not in "\n".join(screen.lines)
    _, screen, _ = talked(True, words="OTTER ANVIL PLUM")
    assert "Compare these words with bob: OTTER ANVIL PLUM." in "\n".join(screen.lines)


def test_what_was_done_is_confirmed() -> None:
    player, screen, match = talked(True)
    for line in ("say well met", "say", "accept", "decline", "draw", "yes"):
        player._take(line)
    assert screen.lines[-1].startswith("Offer sent. bob can accept or decline it")
    assert "you say: well met" in screen.lines
    assert "Expected words to send, as in: say good luck." in screen.lines
    assert screen.lines.count("No draw is on offer. Type draw to offer one yourself.") == 2
    assert match.said == ["say well met", "draw"]
    player.told("draw-offered", "")
    player._take("decline")
    assert screen.lines[-1].startswith("Declined.")


def test_a_sealed_choice_is_confirmed_and_said_in_words() -> None:
    state = helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15")
    _, shown = typed("move 12 13 all!", "def 5?", "def 5", "yes", most=3, state=state)
    assert "All-out defense with 5 Energy." in shown
    assert "fight chthonians" not in shown
    assert "Sealed. Waiting for bob." in shown


@pytest.mark.parametrize(
    ("winner", "reason", "problems", "said"),
    [
        ("chthonians", "forfeit", (), "You won in turn 1: bob resigned."),
        ("olympians", "forfeit", (), "You lost in turn 1: you resigned."),
        ("chthonians", "forfeit", ("bad",), "You won in turn 1: bob broke the rules."),
        ("draw", "agreement", (), "A draw in turn 1: by agreement."),
        ("chthonians", "honor", (), "You won in turn 1: bob has no Honor left."),
        (None, "unfinished", (), "The match is not finished: it is turn 1."),
    ],
)
def test_the_end_says_why_and_who(winner: str | None, reason: str, problems: tuple[str, ...], said: str) -> None:
    player, screen, _ = talked(True)
    player.happened((), EXAMPLE)
    player.over(Ending(winner, reason, True, SAVED, problems))
    assert said in screen.lines


def test_a_match_that_is_left_before_the_first_turn_is_in_setup() -> None:
    player, screen, _ = talked(True)
    player.over(Ending(None, "unfinished", False, SAVED))
    assert "The match is not finished: it is still in setup." in screen.lines


@pytest.mark.parametrize("plain", [True, False])
def test_the_last_board_shows_all_units_by_name(*, plain: bool) -> None:
    player, screen, _ = talked(plain)
    player.happened((), helpers.owner_view(EXAMPLE, C))
    assert "Artemis" not in "\n".join(screen.lines)
    player.over(Ending("chthonians", "honor", True, SAVED, opened=EXAMPLE))
    shown = "\n".join(screen.lines)
    assert ("Units of bob: 8 Athena, 9 " in shown) is plain
    assert ("-art" in shown) is not plain


def test_a_broken_line_is_no_refusal() -> None:
    player, screen, _ = talked(True)
    for code, sentence in (
        ("line-calling", "expected the other program, got the end of the line"),
        ("line-tried", "calling, try 4, next in 8 s"),
        ("line-back", "the line is back"),
    ):  # fmt: skip
        player.told(code, sentence)
    assert screen.lines[-3:] == [
        "The line to bob broke; it is called again.",
        "The line to bob: calling, try 4, next in 8 s. bye leaves; the match is saved.",
        "The line to bob is back; the match goes on.",
    ]


def test_a_long_dealing_is_told_now_and_then_and_not_deal_by_deal() -> None:
    player, screen, _ = talked(True)
    player.told("dealing", "The Chthonians are dealt again: Hades stood too far from the base 2 times.")
    player.told("dealing-long", "The Chthonians are dealt again: Hades stood too far from the base 3 times.")
    player.told("dealt", "The Chthonians are dealt; it took 4 deals.")
    assert screen.lines[-2:] == [
        "The Chthonians are dealt again: Hades stood too far from the base 3 times.",
        "The Chthonians are dealt; it took 4 deals.",
    ]
    assert not any("2 times" in line for line in screen.lines)
