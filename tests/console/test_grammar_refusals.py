"""Lines that are refused, each with one sentence that says what was expected."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import helpers
import pytest

import storm_p2p
from cli.console import pages
from cli.console.messages import Act, ChooseLanguage, Confirm, Match, NotUnderstood, NotYet, View
from cli.storm import grammar, viewing, vocabulary
from cli.storm.console import STORM
from cli.storm.model import Model
from cli.storm.text import typed
from cli.vocabulary import YES
from console.grammar import STATE, refusal
from storm_p2p.storm import engine
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CARDS, ROSTER

CODES = sorted(
    {
        code
        for path in Path(storm_p2p.__file__).parent.glob("*.py")
        for code in re.findall(r'"([a-z]+(?:-[a-z]+)+)"', path.read_text(encoding="utf-8"))
    }
)


def _shown(model: Model, view: View) -> Sequence[str]:
    found = pages.show_view(model, view.what, view.args)
    return viewing.show(model, view.what, view.args) if found is None else found


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("mvoe 12 13", 'Did you mean "move"?'),
        ("liturg", 'Did you mean "liturgy"?'),
        ("lit", "is not a command"),
        ("resig", 'Did you mean "resign"?'),
        ("move 12 13 hadse", "Did you mean Hades?"),
        ("move 12", "Type a move like this"),
        ("move hades", "Type a move like this"),
        ("hades 99", "is not a region"),
        ("h 13", "Hades, Hecate, Hypnos or Harpies"),
        ("zeus 14", "no units in 15"),
        ("move 13 14 ?", "no units in 13"),
        ("had hec 13", "stand together"),
        ("hades 20", "20 is not next to 12"),
        ("nyx 13", "Nyx: not on the board, as far as you know"),
        ("pass", "only the Olympians may pass"),
        ("bolt 13", "only Zeus"),
        ("recall nyx", "Not possible"),
        ("std 3", "asked something else now. It is your move"),
        ("stay", "asked something else now"),
        ("reveal", "as in: reveal hades"),
        ("yes", "No question is open now"),
        ("bolt", "For example: bolt"),
        ("resign now", "Type the word resign alone"),
    ],
)
def test_a_wrong_line_is_one_sentence(line: str, sentence: str) -> None:
    said = refusal(line)
    assert sentence.lower() in said.lower()
    assert not any(code in said for code in CODES)
    assert said.isprintable()


def test_an_answer_before_its_question_can_wait() -> None:
    for line in ("move 12 13", "hades 13", "liturgy", "std 3", "yes", "seal", "14"):
        with pytest.raises(NotYet):
            grammar.parse(line, None, Faction.CHTHONIANS)
    with pytest.raises(NotYet):
        grammar.parse("move 12 13", STATE, Faction.OLYMPIANS)


def test_nobody_chooses_for_the_other_side() -> None:
    state = helpers.play(helpers.at("chthonians", "charon 12, hades 10, ares 13, zeus 15"), "move 12 13")
    assert "Choose for your own side" in refusal("fight olympians standard 0", state)


def test_garbage_is_refused_in_words() -> None:
    signs = ("?", "!", "claim", "xyz", "ä", ">")
    alphabet = [*vocabulary.EXACT, *(card.name for card in CARDS), *map(str, range(27)), *signs]
    rng = random.Random(5)
    positions = [state for seed in range(20) for state, _ in helpers.walk(random.Random(seed), STATE, 6)]
    for _ in range(2500):
        state = rng.choice(positions)
        line = " ".join(rng.choices(alphabet, k=rng.randint(1, 5)))
        faction = rng.choice(FACTIONS)
        if state.phase == Phase.OPENING:
            continue
        said = ""
        try:
            command = grammar.parse(line, helpers.owner_view(state, faction), faction)
            if isinstance(command, Act):
                engine.play(state, command.action)
        except NotUnderstood as refused:
            said = str(refused)
        assert not any(code in said for code in CODES), line
        assert "  " not in said, line


IN_PHASES = {
    "turn": STATE,
    "fight": helpers.play(helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13"), "move 12 13"),
    "lose": helpers.play(
        helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15"),
        "move 12 13",
        *helpers.fights("standard 0", "standard 6"),
    ),
    "bolt": helpers.play(helpers.at("olympians", "zeus 14, hecate cerberus 13, hades 10"), "bolt 13"),
    "retreat": helpers.play(
        helpers.at("chthonians", "charon 12, hades 10, ares 13, zeus 15"),
        "move 12 13",
        *helpers.fights("retreat 0", "standard 6"),
    ),
}


STRANGE = (
    "\u00b2", "scan \u00b2", "log \u0663", "who \u00b9\u00b2", "hades \u00bd", "\x1b[2J",
    "\x1b]0;x\x07", "a\u202eb", "\x00", "x" * 100_000,
    "move " * 5000, "13 " * 500, "> > >", "!!!", "???", "/", "say", "-1", "1e9",
    "move 12 13 \r\nresign", "\t", "\u3000hades",
)  # fmt: skip


@pytest.mark.parametrize("phase", [*IN_PHASES, "waiting", "setup"])
def test_every_word_in_every_phase_has_one_clear_answer(phase: str) -> None:
    state = IN_PHASES.get(phase)
    request = None if state is None else engine.next_request(state)
    faction = Faction.CHTHONIANS if request is None else request.seats[0]
    view = None if state is None else helpers.owner_view(state, faction)
    model = Model(STORM, faction, STATE.terms, "bob", state=view, deciding=view is not None)
    verbs = (*vocabulary.EXACT, *grammar.MANEUVERS, *YES, *grammar.ALL)
    lines = [f"{verb}{rest}" for verb in verbs for rest in ("", " 13", " hades", " 13 hades", " xyz", " -1 \u00b2")]
    for line in (*lines, *STRANGE):
        try:
            command = grammar.parse(line, view, faction, setting_up=phase == "setup")
            if isinstance(command, View) and command.what not in ("help", "repeat"):
                assert all(row.isprintable() for row in _shown(model, command))
            continue
        except NotUnderstood as refused:
            said = str(refused)
        assert said.isprintable(), line
        assert said.endswith((".", "?")), line
        assert len(said) < 220, line
        assert not any(code in said for code in CODES), line
        assert "words after" not in said, line
        assert "expected an answer to" not in said, line


def test_examples_are_of_the_own_side() -> None:
    olympian = refusal("move", helpers.at("olympians", "zeus 14, hades 10"), Faction.OLYMPIANS)
    assert "zeus" in olympian
    with pytest.raises(NotUnderstood, match="zeus"):
        grammar.parse("frobnicate", None, Faction.OLYMPIANS, setting_up=True)


def test_every_code_has_words_and_none_is_shown() -> None:
    for code in CODES:
        said = typed.refusal(IllegalAction(code, "expected this, got that"))
        assert code not in said
        assert said.endswith(".")


def test_units_have_their_names_in_every_language() -> None:
    for card in CARDS:
        for word in (*vocabulary.words_for(card.name), card.name.upper()):
            assert grammar.find_unit(word) == card.unit
    for unit in ROSTER[0]:
        assert grammar.find_unit(CARDS[unit].name[:4], Faction.CHTHONIANS) == unit


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("lang de", ChooseLanguage("de")),
        ("sprache englisch", ChooseLanguage("en")),
        ("confirm always", Confirm(True)),
        ("bestätigen immer", Confirm(True)),
        ("confirm costs", Confirm(False)),
    ],
)
def test_how_the_console_is_wanted_can_be_said_at_any_time(line: str, meant: ChooseLanguage | Confirm) -> None:
    for setting_up in (True, False):
        assert grammar.parse(line, None, Faction.CHTHONIANS, setting_up=setting_up) == meant
    assert grammar.parse(line, helpers.at("chthonians", "hades 10, zeus 15"), Faction.CHTHONIANS) == meant


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("lang", "lang en or lang de"),
        ("lang fr", "lang en or lang de"),
        ("confirm", "confirm always"),
        ("takeback", "cannot be taken back"),
        ("done", "several steps as a whole"),
        ("bid 3", "--challenge N"),
    ],
)
def test_words_of_other_programs_are_answered_with_what_is_done_here(line: str, sentence: str) -> None:
    state = helpers.at("chthonians", "hades 10, zeus 15")
    for setting_up in (True, False):
        with pytest.raises(NotUnderstood, match=sentence):
            grammar.parse(line, None if setting_up else state, Faction.CHTHONIANS, setting_up=setting_up)


@pytest.mark.parametrize("word", ["analyse", "analyze", "analysis", "eval", "engine", "stockfish"])
def test_words_of_other_programs_for_an_analysis_are_understood(word: str) -> None:
    state = helpers.at("chthonians", "hades 10, zeus 15")
    assert grammar.parse(word, state, Faction.CHTHONIANS, setting_up=False) == Match("analyse")


@pytest.mark.parametrize("line", ["fly 7", "fly harpies 7", "fliegen"])
def test_to_fly_is_a_move_and_whoever_says_so_is_told_how(line: str) -> None:
    assert refusal(line).startswith("To fly is to move")
