"""No picture cuts one of our words, however long names are: titles leave out parts, rows break at words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli import clean
from cli.console import learn
from cli.console.messages import Entered, Key, Rolled, Typed
from cli.console.render import menu, spans
from cli.console.render.replay import render as render_replay
from cli.console.render.screen import render
from cli.console.replay import Replay, Step
from cli.match.player import Asked, Clocks, Ended, Ending, Happened, Placed
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.storm.render import combat
from cli.storm.render import screen as drawing
from cli.text import screens
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.state import State, Terms

pytestmark = pytest.mark.usefixtures("spoken")
LONGEST = "Bartholomaeus-Maximilian"
"""24 characters in one word, the most that are shown of a name."""
NAMES = (LONGEST, "computer greedy of Olympus", "B" * 24, "\u6f22" * 24)
SIZES = ((80, 24), (97, 31), (120, 40))


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return what was shortened, and to what, while a test runs."""
    found: list[tuple[str, str]] = []

    def watched(text: str, columns: int) -> str:
        kept = clean.shorten(text, columns)
        if kept != text.rstrip() and kept != text:
            found.append((text, kept))
        return kept

    for module in (spans, combat, drawing, learn, menu):
        if hasattr(module, "shorten"):
            monkeypatch.setattr(module, "shorten", watched)
        assert not hasattr(module, "fit") or module is spans
    for cache in (spans.fitted, drawing._panel_rows):
        getattr(cache, "cache_clear", lambda: None)()
    return found


def of_ours(cut: list[tuple[str, str]], name: str) -> list[tuple[str, str]]:
    """Return what was shortened since the last look though it is no name."""
    shown = clean.clean(name, 24).upper()
    found = [(text, kept) for text, kept in cut if text.upper() != shown]
    cut.clear()
    return found


def long_named(screen: StormScreen, name: str) -> StormScreen:
    return replace(screen, match=replace(screen.match, opponent=clean.clean(name, 24), clocks=Clocks(3599, 3599, True)))


def pictures(size: tuple[int, int], name: str) -> Iterator[StormScreen]:
    """Yield the console in every state that has a picture of its own."""
    for faction in FACTIONS:
        for terms in (Terms(), Terms(open_combat=True, challenge=3)):
            start = long_named(tui.begin(size, faction, terms), name)
            yield start
            placed = tui.after(start, Placed())
            yield from (placed, tui.after(placed, Rolled(3)), tui.after(placed, Rolled(3), Entered("seal")))
            yield tui.after(placed, Typed("per" if faction == Faction.CHTHONIANS else "zeus"))
    for state in (tui.EXAMPLE, tui.COMBAT):
        for faction in FACTIONS:
            view = helpers.owner_view(state, faction)
            screen = tui.after(long_named(tui.begin(size, faction), name), Happened((), view))
            yield from (screen, replace(screen, unread=12, match=replace(screen.match, line_down=True)))
            request = engine.next_request(state)
            if request is not None and faction in request.seats:
                screen = tui.after(screen, Asked(view))
                yield from (screen, replace(screen, unread=12), replace(screen, minimised=True))
                yield from (tui.after(screen, Typed(line)) for line in ("14 8", "14", "att 3", "ret 0", "def 9"))
                yield tui.after(screen, Entered("14 8 eri hec"))
            yield from (tui.after(screen, Entered(page)) for page in ("help", "units", "table", "log", "chat", "notes"))
            yield tui.after(screen, Ended(Ending("chthonians", "palace", True, "/home/alice/bob.storm")))
            yield tui.after(screen, Key("f4"))


@pytest.mark.parametrize("name", helpers.daily_first(NAMES, 2))
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_only_names_are_shortened(size: tuple[int, int], name: str, cut: list[tuple[str, str]]) -> None:
    for screen in pictures(size, name):
        render(screen)
        assert of_ours(cut, name) == []


@pytest.mark.parametrize("size", helpers.daily_first(SIZES), ids=str)
def test_along_a_game_only_names_are_shortened(size: tuple[int, int], cut: list[tuple[str, str]]) -> None:
    for seed in range(4):
        for screen in tui.walk_models(seed, 25):
            render(long_named(replace(screen, columns=size[0], rows=size[1]), LONGEST))
            assert of_ours(cut, LONGEST) == []


@pytest.mark.parametrize("size", helpers.daily_first(SIZES), ids=str)
def test_no_sentence_about_an_action_is_left_out(size: tuple[int, int]) -> None:
    rng = random.Random(7)
    for seed in range(8):
        for screen in tui.walk_models(seed, 12):
            state, shown = screen.match.state, long_named(replace(screen, columns=size[0], rows=size[1]), LONGEST)
            if state is None or not screen.match.deciding:
                continue
            actions = engine.legal_actions(state, screen.match.side)
            for action in rng.sample(list(actions), min(4, len(actions))):
                words = notation.format_action(action)
                for one in (tui.after(shown, Typed(words)), tui.after(shown, Entered(words))):
                    sentences = one.question.lines if one.question is not None else one.found.lines
                    picture = " ".join(tui.text(one).split())
                    assert [text for text in sentences if " ".join(text.split()) not in picture] == []


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_window_of_a_combat_says_what_every_power_does(size: tuple[int, int]) -> None:
    units = "hypnos hecate nyx charon 12, hades 10, hermes apollo poseidon demeter 13, zeus 15"
    for open_combat in (False, True):
        state = helpers.at("chthonians", units, terms={"open_combat": open_combat})
        state = helpers.play(state, "move 12 13 hypnos hecate nyx charon")
        request = engine.next_request(state)
        assert request is not None
        screen = long_named(tui.asked(state, size, request.seats[0]), LONGEST)
        notes = combat._notes(screen.match, state)
        assert len(notes) >= 3
        seen = " ".join(tui.text(screen).replace("\u2502", " ").split())
        assert [note for note in notes if note not in seen] == []


def test_a_combat_beside_the_board_says_usual_names_whole() -> None:
    screen = tui.asked(tui.COMBAT, (120, 40))
    model = replace(screen.match, opponent="Persephone")
    rows, _ = combat.draw_beside(model, screen.choice, 36)
    said = " ".join("".join(spans.plain(row).strip(" |") + " " for row in rows).split())
    assert "Persephone" in said


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_log_begins_with_the_beginning_of_an_entry(size: tuple[int, int]) -> None:
    title = screens.LOG
    entries = tuple(f"{number:3} " + "a word or more " * (1 + number % 17) for number in range(60))
    seen = 0
    for state in (tui.EXAMPLE, tui.COMBAT):
        for last in range(20, 60):
            screen = replace(tui.asked(state, size), log=entries[:last], first=False)
            rows = [row for row in tui.text(screen).splitlines() if row]
            at = next((number for number, row in enumerate(rows) if row.startswith(f"\u2500\u2500 {title} ")), None)
            if at is None:
                # What to do in the first turn may leave no row for the log.
                continue
            seen += 1
            assert re.match(r" {0,2}\d+ |\u2500\u2500", rows[at + 1])
            assert any(f"{last - 1:3} " == row[:4] for row in rows[at + 1 :])
    assert seen >= 40


def replayed(view: str, names: tuple[str, str], size: tuple[int, int], state: State) -> Replay:
    step = Step(1, ("something",), (), state)
    views = dict.fromkeys(("public", "chthonians", "olympians", "all"), (step,) * 120)
    called: dict[object, str] = dict(zip(STORM.sides, names, strict=True))
    return Replay(STORM, called, state.terms, views, view, 99, *size, marks=((99, ""),))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_replay_shortens_names_alone(size: tuple[int, int], cut: list[tuple[str, str]]) -> None:
    for seed in range(6):
        state = helpers.random_position(random.Random(seed))._replace(number=120)
        for view in ("public", "chthonians", "olympians", "all"):
            shown = replayed(view, (LONGEST, LONGEST), size, state)
            for model in (shown, replace(shown, helping=True)):
                rows = [spans.plain(row) for row in render_replay(model)]
                assert [spans.line_width(row) for row in rows] == [size[0]] * size[1]
                assert of_ours(cut, LONGEST) == []
            head = spans.plain(render_replay(shown)[0])
            assert "100" in head
            assert "120" in head


def test_a_title_leaves_out_what_is_known_first() -> None:
    parts = [(0, "Storm over Olympus"), (1, "match 7c1f"), (2, "turn 12"), (3, "YOUR MOVE (Chthonians)")]
    assert spans.joined(parts, 80) == "Storm over Olympus | match 7c1f | turn 12 | YOUR MOVE (Chthonians)"
    assert spans.joined(parts, 45) == "match 7c1f | turn 12 | YOUR MOVE (Chthonians)"
    assert spans.joined(parts, 30) == "YOUR MOVE (Chthonians)"
    assert spans.joined(parts, 12) == "YOUR MOVE (Chthonians)"


def test_a_text_is_shortened_at_a_word() -> None:
    assert clean.shorten("computer greedy", 15) == "computer greedy"
    assert clean.shorten("computer greedy", 14) == "computer.."
    assert clean.shorten("Bartholomaeus", 8) == "Bartho.."
    assert clean.shorten("one   ", 4) == "one"
    assert spans.with_name(lambda name: f"{name} attacks", "Bartholomaeus", 14) == "Bart.. attacks"


def test_a_path_and_a_command_stay_in_one_piece_where_a_row_is_broken() -> None:
    rows = spans.wrapped("Saved in /home/ann/2026-11-24-joe-e6ff.storm; storm-p2p replay last", 40)
    assert rows == ("Saved in", "  /home/ann/2026-11-24-joe-e6ff.storm;", "  storm-p2p replay last")


def test_the_window_of_a_combat_says_who_attacks_from_where_and_who_wins_a_tie(spoken: str) -> None:
    view = helpers.owner_view(tui.COMBAT, Faction.OLYMPIANS)
    screen = tui.after(long_named(tui.begin(faction=Faction.OLYMPIANS), LONGEST), Happened((), view), Asked(view))
    tie = {"en": ".. attacks from 12: a tie is theirs ", "de": ".. greift von 12 an, siegt bei Gleichstand "}
    assert tie[spoken] in tui.text(screen)
