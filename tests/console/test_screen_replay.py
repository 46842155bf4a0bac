"""The replay on the whole screen: steps, views, marks, and what it never shows."""

from __future__ import annotations

import asyncio
import io
import json
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import helpers_tui as tui
import pictures
import pytest
from helpers_storm import StormPair
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from cli import language
from cli.app import games, replay
from cli.app.replay import app, is_own, lines
from cli.console.render.replay import render, step_at
from cli.console.render.spans import line_width, plain
from cli.console.replay import (
    Analysis,
    Asking,
    KeepMarks,
    Play,
    Point,
    Quit,
    Replay,
    advance,
    dump_marks,
    load_marks,
    opening,
    press,
)
from cli.storage.home import Home
from cli.storm.notices import Proved
from cli.storm.text import names
from cli.text import matches
from cli.text.analyses import percent
from protocol.core.results import Result
from protocol.core.transcript import Transcript
from protocol.game import Located
from storm_p2p.storm import events as ev
from storm_p2p.storm.game import Storm
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import Unit

pytestmark = pytest.mark.usefixtures("recorded_strengths")


@lru_cache(maxsize=1)
def transcript() -> Transcript:
    """Return a whole match between two computer players, with everything opened."""
    pair = StormPair(tag="replay")
    pair.play_out(5)
    found = Transcript(pair.host.agreement, pair.storm)
    for record in pair.host.records[4:]:
        found.accept(record.frame)
    return found


CALLED = {"chthonians": "Hanna", "olympians": "Gustav"}


def shown(view: str = "public") -> Replay:
    return replay.begin(games.find(), transcript(), view)


def keys(model: Replay, *pressed: str) -> Replay:
    for key in pressed:
        model, _ = press(model, key)
    return model


def picture(model: Replay) -> str:
    return "\n".join(plain(row).rstrip() for row in render(model)) + "\n"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.usefixtures("spoken")
def test_the_replay_looks_like_this(size: tuple[int, int]) -> None:
    model = keys(replace(shown(), columns=size[0], rows=size[1]), "c", "4", "b")
    if size == (80, 24):
        tui.assert_picture("replay", size[0], picture(model))
    assert [line_width(plain(row)) for row in render(model)] == [size[0]] * size[1]


def test_every_step_of_every_view_fills_the_window() -> None:
    for view in ("public", "chthonians", "olympians", "all"):
        model = shown(view)
        for at in range(model.last + 1):
            rows = render(replace(model, at=at))
            assert [line_width(plain(row)) for row in rows] == [80] * 24


def test_all_views_have_the_same_steps_and_all_events() -> None:
    model = shown()
    assert len({len(steps) for steps in model.steps.values()}) == 1
    told = [line for step in model.steps["all"] for line in step.lines]
    every = [line.strip().split("  ", 1)[-1].strip("()") for line in lines(games.find(), transcript(), (0, 1))]
    assert len(told) == len(every)


def test_the_public_view_names_nobody_before_he_was_shown() -> None:
    first = shown().steps["public"][0].state
    assert isinstance(first, State)
    assert all(token.unit is None for side in first.sides for group in side for token in group)
    opened = shown().steps["all"][0].state
    assert isinstance(opened, State)
    assert any(token.unit is not None for group in opened.sides[0] for token in group)


def test_keys_step_jump_and_search() -> None:
    model = shown()
    assert keys(model, "right", "right", "left").at == 1
    assert keys(model, "end").at == model.last
    assert keys(model, "end", "right").at == model.last
    assert keys(model, "pagedown", "pageup").at == 0
    assert keys(model, "g", "9", "enter").at == 8
    assert keys(model, "g", "9", "9", "9", "9", "enter").at == model.last
    combat = keys(model, "c")
    assert any(isinstance(event, ev.CombatBegan) for event in combat.step.events)  # type: ignore[union-attr]
    assert any(isinstance(event, ev.TurnBegan) for event in keys(model, "t").step.events)  # type: ignore[union-attr]
    assert keys(model, "end", "c").notice
    assert [keys(model, *"v" * count).view for count in range(5)] == [
        "public",
        "chthonians",
        "olympians",
        "all",
        "public",
    ]
    assert press(model, "q")[1] == Quit()


STEPS = dict.fromkeys(("right", "enter", "wheeldown"), 1) | dict.fromkeys(("left", "backspace", "wheelup"), -1)
STEPS |= dict.fromkeys(("pagedown", "down"), 10) | dict.fromkeys(("pageup", "up"), -10)


def test_every_key_that_moves_moves_so_far_from_every_step_and_not_past_the_ends() -> None:
    model = replace(shown(), notice="before")
    steps = model.steps[model.view]
    for at in {*range(0, model.last, 11), 1, 9, model.last - 1, model.last}:
        here = replace(model, at=at)
        for key, by in STEPS.items():
            assert press(here, key) == (replace(here, at=min(model.last, max(0, at + by)), notice=""), None), key
        assert (keys(here, "home").at, keys(here, "end").at) == (0, model.last)
        assert keys(here, "g", *str(at + 2), "escape").at == at
        assert keys(shown(), "g", "x", "1", "backspace", *str(at + 1), "enter").at == at
        for key, sign in here.guest.landmarks.items():
            signs = [{here.guest.sign(event) for event in step.events} for step in steps]
            later = [n for n in range(at + 1, len(steps)) if sign in signs[n]]
            found = keys(here, key)
            assert (found.at, found.notice != "") == (min(later, default=at), not later)
        rest = keys(here, "b", "left", "left", "b", "n")
        assert list(rest.marks) == sorted(set(rest.marks))
        assert rest.at == min((mark for mark, _ in rest.marks if mark > max(0, at - 2)), default=max(0, at - 2))
    for key in ("f5", "x", "5", "delete"):
        assert press(model, key) == (replace(model, notice=""), None)


@pytest.mark.parametrize("live", [False, True])
def test_the_head_leaves_out_whole_parts_where_there_is_no_room_and_no_more_than_it_must(live: bool) -> None:
    model = replace(shown("all"), at=5, marks=((5, ""),), names=dict.fromkeys(shown().guest.sides, "A" * 20))
    model = replace(model, live=live, now="what is asked" if live else "")
    whole = plain(render(replace(model, columns=300))[0]).strip().split(" | ")
    before = 0
    for columns in range(32 if live else 50, 140):
        head = plain(render(replace(model, columns=columns))[0]).strip()
        parts = head.split(" | ")
        assert [part for part in whole if part in parts] == parts
        assert whole[1 if live else 2] in parts
        assert len(parts) >= before
        before = len(parts)
        if len(parts) < len(whole):
            left_out = [part for part in whole if part not in parts]
            assert line_width(head) + 3 + line_width(left_out[0]) > columns - 1
    assert parts == whole


def test_everything_that_a_step_did_is_on_the_screen() -> None:
    for view in ("all", "public"):
        model = shown(view)
        for at, step in enumerate(model.steps[view]):
            seen = " ".join(picture(replace(model, at=at)).split())
            assert [text for text in step.lines if " ".join(text.split()) not in seen] == []


def test_f1_names_the_keys_of_the_replay_and_any_key_leads_back() -> None:
    model = keys(replace(shown(), at=3), "f1")
    text = picture(model)
    for word in (
        "PgUp",
        "c: the next combat",
        "t: the next turn",
        "v: the next view",
        "b: mark",
        "#:",
        "q or esc",
        "> where",
    ):
        assert word in text
    assert keys(model, "q") == replace(shown(), at=3)
    assert "F1" in picture(shown())


def test_the_panel_of_an_open_view_counts_no_unit_as_hidden() -> None:
    for view, hidden in (("all", 0), ("chthonians", 1), ("olympians", 1), ("public", 2)):
        assert len(re.findall(r" \d+ \?\?\?", picture(replace(shown(view), at=5)))) == hidden


def test_marks_and_comments_are_kept_beside_the_log() -> None:
    model = keys(shown(), "right", "b", "end", "#", *"well \x1bplayed", "enter", "home")
    assert model.marks == ((1, ""), (model.last, "well played"))
    assert keys(model, "n", "n").at == model.last
    assert keys(model, "right", "b").marks == ((model.last, "well played"),)
    assert load_marks(dump_marks(model).encode(), model.last + 1) == model.marks
    assert press(shown(), "b")[1] == KeepMarks()
    assert keys(shown(), "#", "x", "escape").marks == ()
    assert keys(shown(), "#", "x", "escape").asking is Asking.NOTHING


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"[" * 100_000,
        b'{"marks": 3}',
        b'{"marks": [3, {"step": "1"}, {"step": 0}, {"step": true}]}',
        b'{"marks": [{"step": 99999, "text": "x"}]}',
        b"\xff\xfe",
    ],
)
def test_a_damaged_file_of_marks_counts_as_none(data: bytes) -> None:
    assert load_marks(data, 10) == ()


def test_comments_of_others_are_cleaned() -> None:
    data = json.dumps({"marks": [{"step": 1, "text": "a\x1b[2J\u202eb\u200b"}, {"step": 2, "text": 3}]})
    assert load_marks(data.encode(), 10) == ((0, "ab"), (1, ""))


def test_the_replay_runs_on_a_terminal_and_writes_beside_the_log(tmp_path: Path) -> None:
    log = tmp_path / "match.storm"
    with create_pipe_input() as pipe:
        pipe.send_text("\x1b[C\x1b[Cb\x1b[<0;5;5M\x1b[<0;5;5mq")
        output = Vt100_Output(io.StringIO(), lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
        running = replay.app(shown(), log, lambda: iter(()), input=pipe, output=output)
        running.run()
    assert running.model.at == 3
    assert load_marks(replay.marks_file(log).read_bytes(), 10) == ((2, ""),)


class Resigned(Transcript):
    """A match in which the Olympian gave up."""

    def outcome(self) -> Result | None:
        """Return the result of a resignation."""
        return (("reason", "forfeit"), ("winner", "chthonians"))


def test_an_end_that_no_move_has_brought_is_a_step_of_its_own() -> None:
    """A resignation was not shown at all: the replay stopped in the middle of a game."""
    gave_up = Resigned(transcript().agreement, Storm())
    assert "Gustav resigned" in str(replay.untold_end(gave_up, CALLED))
    # Two of one name are told apart by their sides.
    namesakes = dict.fromkeys(CALLED, "Anna")
    assert "the Chthonians win: Anna (Olympians) resigned" in str(replay.untold_end(gave_up, namesakes))
    assert matches.result("0", "forfeit", dict.fromkeys("01", "Anna"), guilty=False) == (
        "Anna (left side) wins: Anna (right side) resigned"
    )
    # Whoever breaks the rules after that has lost instead, and each view shows it behind the last move.
    cheated = f"result: the Olympians win: {CALLED['chthonians']} broke the rules"
    assert replay.untold_end(gave_up, CALLED, 0) == cheated
    whole, more = shown(), replay.begin(games.find(), transcript(), "public", 0)
    for view, told in more.steps.items():
        assert told[:-1] == whole.steps[view]
        assert (told[-1].lines, told[-1].state) == ((cheated,), told[-2].state)


def test_an_end_by_a_move_has_no_further_step() -> None:
    assert replay.untold_end(transcript(), CALLED) is None


def test_ones_own_match_is_seen_as_one_has_played_it(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for seat in range(2):
        assert is_own(home.logs / "bob.storm", seat, home, transcript())
        assert not is_own(tmp_path / "bob.storm", seat, home, transcript())
        unopened = Transcript(transcript().agreement, Storm())
        assert not is_own(home.logs / "bob.storm", seat, home, unopened)


def test_a_side_that_is_not_set_up_has_not_lost_its_units() -> None:
    model = shown()
    steps = model.steps["public"]
    first = next(
        at for at, step in enumerate(steps) if isinstance(step.state, State) and step.state.phase == Phase.SETUP
    )
    assert "0 left" not in picture(replace(model, at=first))
    assert "not set up yet" in picture(replace(model, at=first))


def test_a_setup_names_its_units_in_the_language_of_the_reader() -> None:
    found = {}
    for speech in language.LANGUAGES:
        language.choose(speech)
        told = " ".join(line for step in shown("all").steps["all"] for line in step.lines)
        found[speech] = {names.unit_name(unit) for unit in Unit}, set(re.findall(r"\w+", told))
    language.choose(language.ENGLISH)
    (english, said), (german, gesagt) = found["en"], found["de"]
    assert said & (english - german)
    assert not gesagt & (english - german)


def test_space_plays_the_steps_and_stops_and_other_keys_stop_as_well() -> None:
    begun = shown()
    playing, wish = press(begun, " ")
    assert (playing.playing, wish) == (True, Play())
    assert press(playing, " ") == (replace(playing, playing=False), None)
    assert not press(playing, "right")[0].playing
    at = playing
    for number in range(1, begun.last + 1):
        at = advance(at)
        assert at.at == number
    assert not at.playing
    again, wish = press(at, " ")
    assert (again, wish) == (replace(opening(at), playing=True), Play())
    faster, _ = press(playing, "+")
    assert (faster.playing, faster.speed) == (True, 4.0)
    assert "4" in faster.notice
    for key, most in (("+", 8.0), ("-", 0.5)):
        for _ in range(6):
            faster, _ = press(faster, key)
        assert faster.speed == most
    live = replace(begun, live=True)
    assert press(live, " ") == (live, None)
    assert press(live, "+") == (live, None)


def test_a_replay_opens_where_there_is_something_to_look_at() -> None:
    opened = opening(shown())
    assert opened.step is not None
    assert isinstance(opened.step.state, State)
    assert any(map(any, opened.step.state.sides))
    assert games.find().console.turn(opened.step.state) == 1
    before = opened.steps[opened.view][: opened.at]
    assert not [step for step in before if step.state is not None and games.find().console.turn(step.state)]


@pytest.mark.parametrize("columns", [80, 120, 161])
def test_the_bar_shows_every_step_and_a_click_goes_where_it_points(columns: int) -> None:
    model = replace(shown(), columns=columns, marks=((3, "here"),))
    row = model.rows - 4
    reached = set()
    for column in range(columns):
        key = step_at(model, row, column)
        if key == "right":
            assert column in (0, columns - 1)
            continue
        there, _ = press(model, key)
        reached.add(there.at)
        bar = render(replace(there, marks=()))[row]
        styles = [style for style, text in bar for _ in text]
        assert styles[column] == "picked"
    assert reached == set(range(model.last + 1)) or model.last + 1 > columns - 2
    assert {"#", "*"} <= set(plain(render(model)[row]))
    assert step_at(model, row - 1, 10) == "right"


def test_a_replay_that_plays_shows_step_after_step_until_its_end(tmp_path: Path) -> None:
    model = replace(shown(), speed=8.0)
    model = replace(model, at=model.last - 2)

    async def play() -> Replay:
        with create_pipe_input() as pipe:
            running = app(model, tmp_path / "log.storm", None, input=pipe, output=DummyOutput())
            task = asyncio.create_task(running.application.run_async())
            await asyncio.sleep(0)
            pipe.send_text(" ")
            for _ in range(400):
                await asyncio.sleep(0.02)
                if running.model.at == model.last:
                    break
            pipe.send_text("q")
            await task
            return running.model

    assert asyncio.run(asyncio.wait_for(play(), 20)).at == model.last


def looked_at(log: str) -> Replay:
    """Return the replay of a recorded match as it opens."""
    found = pictures.recorded(pictures.LOG.parents[1] / f"{log}.storm")
    return opening(replace(found, columns=100, rows=30))


def bar_and_curve(model: Replay) -> list[str]:
    """Return the rows between what happened and the keys."""
    return [plain(row) for row in render(model)[-5:-3]]


def test_the_bar_says_in_signs_where_combats_reveals_and_marks_are() -> None:
    model = looked_at("protocol3-rules2/hash-dealt-rules-clock")
    bar = bar_and_curve(keys(model, "b"))[1]
    # Several steps may share a column, where a mark comes before a combat, and a combat before a reveal.
    assert {"*", "!", "#"} <= set(bar)
    seen = {column for column in range(1, 99) if bar[column] in "*!#"}
    events = [any(model.guest.sign(event) in ("*", "!") for event in step.events) for step in model.steps[model.view]]
    told = {step_at(model, model.rows - 4, column) for column in seen}
    assert {f"step {at}" for at, told_there in enumerate(events) if told_there} <= told | {f"step {model.at}"}
    found = keys(model, "r")
    assert any(isinstance(event, ev.Revealed) for event in found.step.events)  # type: ignore[union-attr]


def test_a_proved_deal_is_one_step_that_can_be_opened() -> None:
    model = looked_at("protocol3-rules2/proved-dealt-rules-witness")
    assert model.folded > 2
    first = keys(model, "home")
    assert (first.at, keys(first, "right").at, keys(model, "left").at) == (0, model.folded, 0)
    assert re.search(r"dealt: \d tries, all proved", picture(first))
    assert "checked" not in picture(first)
    opened = keys(first, "o", "right")
    assert (opened.at, keys(opened, "o").at) == (1, 0)
    assert "checked: Hades stands elsewhere" in picture(opened)
    # Marks and numbers of steps stay those of all steps.
    assert f"step {model.folded + 1} of {model.last + 1}" in picture(model)
    tries = [one for step in model.steps["all"] for one in step.events if isinstance(one, Proved)]
    located = sum(isinstance(one.answer, Located) for one in tries)
    assert f"dealt: {located} tries" in picture(first)


@pytest.mark.parametrize("log", ["protocol3-rules2/proved-plain-rules", "protocol3-fight1/proved-reconstructed-rules"])
def test_what_is_not_dealt_in_many_steps_stays_as_it_is(log: str) -> None:
    model = looked_at(log)
    assert model.folded == 0
    assert keys(model, "o") == replace(model, notice="")


def test_the_curve_of_the_chances_stands_under_the_bar_with_the_cursor_on_it() -> None:
    model = keys(looked_at("protocol3-rules2/hash-dealt-rules-clock"), "4")
    seqs = [step.seq for step in model.steps[model.view]]
    points = tuple(Point(seq, number, (number / 10, 1 - number / 10), ()) for number, seq in enumerate(seqs[2::3]))
    model = replace(model, analysis=Analysis((0, 1), points, done=1, total=1))
    for at in (2, 5, model.last):
        here = replace(model, at=at)
        curve = render(here)[-4]
        assert len(render(here)) == here.rows
        left, right = (len(plain(curve[:number])) for number in (2, 3))
        assert curve[2][0] == "picked"
        assert {step_at(here, here.rows - down, left) for down in (4, 5)} == {f"step {at}"}
        assert right == left + 1
        assert f"Chthonians {percent(points[max(0, (at - 2) // 3)].chances[0] or 0)}" in picture(here)
    heights = plain(render(model)[-4]).strip()
    assert list(heights) == sorted(heights)
    assert len(set(heights)) > 4
    assert "chance to win: Chthonians" in picture(model)
    assert "chance to win" not in picture(keys(model, "a", "a", "b", "#", "x", "enter"))


def test_fight_has_a_bar_too() -> None:
    model = looked_at("protocol3-fight1/proved-reconstructed-rules")
    assert {"*", "!"} <= set(bar_and_curve(model)[1])
    asked = keys(model, "a")
    assert asked.charted
    assert keys(model, "p").at > model.at
    assert press(model, " ")[1] == Play()
