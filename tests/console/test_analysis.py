"""The analysis of a match: its curves, the decisions that lost most, and that it knows no more than each seat did."""

from __future__ import annotations

import io
import json
import re
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import helpers
import helpers_tui as tui
import pytest
from helpers import daily_first
from helpers_fight import FightPair
from helpers_storm import StormPair
from helpers_wire import Pair
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from benchmarks import table
from cli.app import games, replay
from cli.app.main import main
from cli.app.replay import open_log
from cli.console.guest import AnyConsole
from cli.console.messages import Analysed, AnalyseMatch, Key
from cli.console.player import analyse_log
from cli.console.render.replay import render
from cli.console.render.spans import line_width, plain
from cli.console.replay import (
    SIMULATIONS,
    Analyse,
    Analysis,
    Candidate,
    Decided,
    End,
    Followed,
    Judged,
    Point,
    Quit,
    Replay,
    StopAnalysis,
    analyse,
    analysed,
    chances,
    follow,
    press,
    worst,
)
from cli.console.screen_state import Page
from cli.fight.console import FIGHT
from cli.match.player import Ended, Ending, Happened
from cli.storage.home import Home
from cli.storm import advice
from cli.storm.console import STORM
from cli.text import analyses
from protocol.core.game_data import read_data
from protocol.core.results import Result
from protocol.core.session import Session
from protocol.core.transcript import Transcript
from protocol.game import Chosen, Decision, Known, Unsealed
from storm_p2p import games as rules
from storm_p2p.fight.state import View
from storm_p2p.storm import codec, engine, views
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Fight, Move
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit

LOG = Path(__file__).parent.parent / "logs" / "protocol3-rules2"
FIGHT_LOGS = LOG.with_name("protocol3-fight1")


class Played(NamedTuple):
    """A whole match with everything opened."""

    guest: AnyConsole
    transcript: Transcript
    known: Mapping[tuple[int, bytes], Known]
    """What each seat's program knew when it decided, by the public state."""


@lru_cache(maxsize=8)
def played(seed: int, *, random_setup: bool = False, fight: bool = False) -> Played:
    """Return a match between two players who decide by chance; in Fight one of them is the computer."""
    tag = f"analysis {seed}"
    terms = Terms(random_setup=random_setup)
    pair: Pair = FightPair(bots=("random", "greedy"), tag=tag, scheme="proved") if fight else StormPair(terms, tag=tag)
    known: dict[tuple[int, bytes], Known] = {}
    decide = pair._decide

    def note(session: Session, chance: Random) -> None:
        known[session.seat, pair.game.dump(session.state)] = dict(session.known)
        decide(session, chance)

    pair._decide = note  # type: ignore[method-assign]
    pair.play_out(seed)
    found = Transcript(pair.host.agreement, pair.game)
    for record in pair.host.records[read_data(pair.host.records)[1] :]:
        found.accept(record.frame)
    return Played(FIGHT if fight else STORM, found, known)


def transcript(seed: int = 5, *, random_setup: bool = False) -> Transcript:
    """Return a match of Storm."""
    return played(seed, random_setup=random_setup).transcript


def opened(log: Path) -> Transcript:
    """Return the match of a log."""
    return open_log(Home(Path("nowhere")), str(log), "analyse").transcript


def followed(match: Played) -> Iterator[tuple[Followed, list[Decided]]]:
    """Yield each step of a match, and what both have decided with it."""
    assert match.guest.adviser is not None
    yield from match.guest.adviser().decided(follow(match.transcript, [(0,), (1,)]), (0, 1))


def last(found: Transcript, *seats: int, simulations: int = 1, seed: int = 1) -> Analysis:
    adviser = (FIGHT if found.game.name == rules.FIGHT else STORM).adviser()
    *_, complete = adviser.analyse(found, seats or (0, 1), simulations, seed)
    return complete


# -- what is judged -----------------------------------------------------------------------------------------


def test_every_decision_is_found_as_its_player_made_it() -> None:
    found = transcript(11)
    said: dict[tuple[int, int], list[Decision]] = defaultdict(list)
    for one in found.history:
        if isinstance(one.answer, Chosen):
            said[one.seq, one.seat].append(one.answer.decision)
        elif isinstance(one.answer, Unsealed):
            for decision in one.answer.decisions:
                # Whoever defends seals first, be it this side or that one.
                choice = codec.decode(decision)
                assert isinstance(choice, Fight)
                said[one.seq, choice.faction].append(decision)
    divided, defended = 0, set()
    for step, decided in followed(played(11)):
        for seq, turn, faction, state, action in decided:
            assert seq == step.played.seq
            assert turn == state.number
            engine.check(state, action)
            assert action in engine.legal_actions(state, faction)
            assert codec.encode(views.publish(state, action)) in said[seq, faction]
            if isinstance(action, Move) and 0 < len(action.movers) < len(state.sides[faction][action.path[0]]):
                # Who went is seen where everything is open.
                after = step.after.game.sides[faction][action.path[-1]]
                assert set(action.units) <= {step.know[faction].get(token.serial, token.unit) for token in after} or (
                    step.after.game.combat is not None or step.after.game.outcome is not None
                )
                divided += 1
            if isinstance(action, Fight) and state.combat is not None:
                defended.add(OTHER[state.combat.attacker])
    assert divided
    assert defended == set(Faction)


def test_a_match_is_judged_from_its_beginning_to_its_end() -> None:
    steps = list(STORM.adviser().analyse(transcript(), (0, 1), 1, 1))
    complete = steps[-1]
    assert [one.done for one in steps] == list(range(complete.total + 1))
    assert complete.is_complete
    turns = [point.turn for point in complete.points]
    assert turns == sorted(turns)
    assert turns[0] == 1
    assert complete.points[0].stocks == ((16, 16), (24, 24))
    assert sorted(chance or 0.0 for chance in complete.points[-1].chances) == [0.0, 1.0]
    assert all(one.chance <= one.better.chance for one in complete.decisions)
    for seats in ((0,), (1,), (0, 1)):
        shown = complete.worst(seats)
        assert len(shown) <= 5
        assert [one.loss for one in shown] == sorted((one.loss for one in shown), reverse=True)
        assert {one.seat for one in shown} <= set(seats)
    assert complete.worst((0, 1))


def test_the_same_seed_and_simulations_give_the_same_analysis() -> None:
    assert last(transcript(), simulations=2, seed=7) == last(transcript(), simulations=2, seed=7)


def test_an_end_that_no_move_has_brought_ends_the_curve() -> None:
    class Resigned(Transcript):
        def outcome(self) -> Result | None:
            return (("reason", "forfeit"), ("winner", "chthonians"))

    whole = transcript()
    found = Resigned(whole.agreement, whole.game)
    found.__dict__.update(whole.__dict__)
    found.history = whole.history[: len(whole.history) // 2]
    complete = last(found)
    assert complete.points[-1].chances == (1.0, 0.0)
    assert complete.end is not None
    assert complete.end[1:] == ("chthonians", "forfeit")
    called = {"chthonians": "ann", "olympians": "bob"}
    told = analyses.ended(complete, complete.end._replace(turn=7), called)
    chance = complete.points[-2].chances[1]
    assert chance is not None
    assert told.startswith("The match ended in turn 7; the Chthonians win: bob resigned.")
    # Who resigns is judged by the chance that was left.
    assert told.endswith(f" bob gave up a chance of {analyses.percent(chance)}.")
    early = analyses.ended(complete, complete.end._replace(turn=0), called)
    assert early.startswith("The match ended before the first turn")


# -- what it must not know ----------------------------------------------------------------------------------


MATCHES = [(seed, fight) for seed in (5, 6) for fight in (False, True)]


@pytest.mark.parametrize("which", daily_first([(5, False), (0, True), *MATCHES[1:]], 2), ids=str)
def test_a_seat_is_judged_by_what_it_knew_whether_or_not_the_other_was_ever_opened(which: tuple[int, bool]) -> None:
    seed, fight = which
    whole = (
        played(seed, random_setup=seed % 2 == 1 and not fight, fight=fight).transcript
        if seed
        else opened(FIGHT_LOGS / "proved-reconstructed-absence.storm")
    )
    both = last(whole)
    assert {one.seat for one in both.decisions} == {0, 1}
    for seat in (0, 1) if seed > 5 or fight else (1,):
        alone = Transcript(whole.agreement, whole.game)
        alone.__dict__.update(whole.__dict__)
        alone.seeds = {seat: whole.seeds[seat]}
        judged = last(alone)
        assert judged.seats == (seat,)
        assert judged.decisions == tuple(one for one in both.decisions if one.seat == seat)
        assert [point.chances[seat] for point in judged.points] == [point.chances[seat] for point in both.points]
        assert {point.chances[1 - seat] for point in judged.points} == {None}


@pytest.mark.parametrize("which", daily_first(MATCHES, 2), ids=str)
def test_what_is_judged_is_what_the_program_of_its_seat_knew_at_that_moment(which: tuple[int, bool]) -> None:
    seed, fight = which
    match = played(seed, random_setup=seed % 2 == 1 and not fight, fight=fight)
    judged = 0
    for step, decided in followed(match):
        for _, _, seat, view, _ in decided:
            if fight:
                assert view == View(step.before, match.known[seat, match.transcript.game.dump(step.before)])
            else:
                assert view == table.view_as(view, Faction(seat))
                assert not table.read_secrets(view, OTHER[seat])
            judged += 1
        for seat in (0, 1):
            key = seat, match.transcript.game.dump(step.before)
            assert key not in match.known or step.knew[seat] == match.known[key]
    assert judged


# -- the page -----------------------------------------------------------------------------------------------


POINTS = tuple(
    Point(3 * turn, turn, (0.5 + 0.02 * turn, 0.5 - 0.03 * turn), ((16 - turn, 16 - turn // 2), (24 - turn, 20)))
    for turn in range(1, 13)
)
BETTER = Candidate("move 12 13 hades", 0.61, 1.0, (advice.Nears(Unit.HADES, 2), advice.Hides((12, 13)), advice.Free()))
DECISIONS = (
    *(Judged(3 * turn, turn, turn % 2, "move 14 9 erinyes hecate", 0.6 - 0.04 * turn, BETTER) for turn in range(1, 9)),
    Judged(30, 10, 0, "fight chthonians retreat 0", 0.605, BETTER),
)
FOUND = Analysis((0, 1), POINTS, DECISIONS, tuple(range(2, 40)), 9, 9, End(12, "olympians", "forfeit"))


@lru_cache(maxsize=1)
def begun() -> Replay:
    return replay.begin(games.find(), transcript(), "public")


def charted(view: str = "all", found: Analysis = FOUND) -> Replay:
    model, wish = analyse(replace(begun(), view=view))
    assert wish == Analyse()
    assert model.charted
    assert model.analysing
    return analysed(model, found)


def picture(model: Replay) -> str:
    return "\n".join(plain(row).rstrip() for row in render(model)) + "\n"


@pytest.mark.parametrize(("size", "unicode"), [((80, 24), False), ((120, 40), True)], ids=["ascii", "unicode"])
@pytest.mark.usefixtures("spoken")
def test_the_analysis_looks_like_this(size: tuple[int, int], unicode: bool) -> None:
    model = replace(charted(), columns=size[0], rows=size[1], unicode=unicode)
    tui.assert_picture("analysis_unicode" if unicode else "analysis", size[0], picture(model))
    assert [line_width(plain(row)) for row in render(model)] == [size[0]] * size[1]


@pytest.mark.usefixtures("spoken")
def test_every_state_of_the_page_fills_the_window() -> None:
    states = (
        replace(charted(), analysis=None),
        charted(found=replace(FOUND, done=4)),
        charted("chthonians"),
        charted(found=Analysis((), done=9, total=9)),
        charted(found=replace(FOUND, decisions=())),
        charted(found=replace(FOUND, points=POINTS * 40)),
        charted(found=replace(FOUND, points=POINTS[:1])),
        charted(found=replace(FOUND, points=())),
    )
    for model in states:
        assert [line_width(plain(row)) for row in render(model)] == [80] * 24


def test_the_page_shows_those_whose_view_it_is() -> None:
    assert {one.seat for one in worst(charted("chthonians"))} == {0}
    assert {one.seat for one in worst(charted("olympians"))} == {1}
    assert len(worst(charted("public"))) == len(worst(charted("all"))) == 5
    assert "Olympians" not in "".join(row for row in picture(charted("chthonians")).splitlines() if "chance" in row)


def test_keys_open_the_page_lead_to_a_decision_and_close_it() -> None:
    model, wish = press(begun(), "a")
    assert (model.charted, wish) == (True, Analyse())
    model = analysed(model, FOUND)
    assert not model.analysing
    gone, _ = press(model, "1")
    assert not gone.charted
    assert gone.step is not None
    assert gone.step.seq >= worst(model)[0].seq
    assert press(model, "9") == (model, None)
    for key in ("a", "escape", "q"):
        closed, wish = press(model, key)
        assert (closed.charted, wish) == (False, None)
    again, wish = press(press(model, "a")[0], "a")
    assert (again.charted, wish) == (True, None)
    assert press(closed, "q")[1] == Quit()


def test_escape_stops_what_is_not_complete_and_a_begins_again() -> None:
    model = charted(found=replace(FOUND, done=4))
    assert model.analysing
    stopped, wish = press(model, "escape")
    assert (stopped.analysing, stopped.charted, wish) == (False, False, StopAnalysis())
    assert stopped.notice == str(analyses.STOPPED)
    assert press(stopped, "a")[1] == Analyse()
    # Whoever looks at the board meanwhile lets it go on.
    assert press(model, "a")[0].analysing


def test_a_match_that_goes_on_is_not_analysed() -> None:
    model, wish = press(replace(begun(), live=True), "a")
    assert (model.charted, wish, model.notice) == (False, None, str(analyses.NOT_YET))


def test_at_the_end_of_a_match_it_is_analysed_without_leaving_it() -> None:
    screen = tui.after(tui.asked(helpers.at("chthonians", "hades 12, nyx 5, zeus 4, ares 24")), Key("f9"))
    assert screen.replay is None
    moved = Happened((ev.Passed(Faction.OLYMPIANS),), screen.match.state)
    going_on = tui.after(screen, moved, moved, Key("f9"), Key("a"))
    assert going_on.replay is not None
    assert going_on.replay.notice == str(analyses.NOT_YET)
    over = tui.after(screen, moved, moved, Ended(Ending("olympians", "honor", True, "x.storm")), Key("f9"))
    asked, effects = tui.stepped(over, Key("a"))
    assert AnalyseMatch() in effects
    shown = tui.after(asked, Analysed(replace(FOUND, told=(3, 24))))
    assert "the costliest decisions" in tui.text(shown)
    # The fourth message is the first step that is told here, and the match has two of them.
    led = tui.after(shown, Key("1"))
    assert led.replay is not None
    assert (led.replay.charted, led.replay.at) == (False, 1)
    back = tui.after(led, Key("escape"))
    assert (back.page, back.replay) == (Page.OVER, None)
    assert tui.after(back, Analysed(FOUND)) == replace(back, judged=FOUND)


def test_who_has_resigned_sees_it_as_the_last_step_and_what_chance_it_cost() -> None:
    screen = tui.asked(helpers.at("chthonians", "hades 12, nyx 5, zeus 4, ares 24"))
    moved = Happened((ev.Passed(Faction.OLYMPIANS),), screen.match.state)
    over = tui.after(screen, moved, moved, Ended(Ending("olympians", "forfeit", True, "x.storm")))
    points = tuple(Point(seq, 2, (chance, 1 - chance), ((9, 8), (7, 6))) for seq, chance in ((3, 0.56), (24, 0.0)))
    found = Analysis((0, 1), points, told=(3, 24), done=2, total=2, end=End(2, "olympians", "forfeit"))
    over = tui.after(over, Analysed(found))
    shown = tui.text(over)
    assert "You gave up a chance of 56 %." in shown
    assert str(analyses.NOTHING_LOST) not in shown
    back = tui.after(over, Key("f9"))
    assert back.replay is not None
    assert back.replay.step is not None
    assert back.replay.step.lines == ("You lost in turn 1: you resigned.",)
    assert [list(one) for one in chances(back.replay).values()] == [[0.56, 0.56, 0.0]]
    # Who has moved into the end sees no step more.
    won = tui.after(screen, moved, moved, Ended(Ending("olympians", "honor", True, "x.storm")), Key("f9"))
    assert won.replay is not None
    assert won.replay.last == 1


@pytest.mark.parametrize("guest", [STORM, FIGHT], ids=["storm", "fight"])
def test_the_log_that_a_match_has_written_is_analysed_as_any_other(guest: AnyConsole) -> None:
    # That of Fight was played with a set of cards of one's own.
    file = Path(log()) if guest is STORM else FIGHT_LOGS / "proved-own-resigned.storm"
    *_, complete = analyse_log(guest, file)
    assert complete == last(opened(file), simulations=SIMULATIONS)
    assert complete.told == tuple(sorted(set(complete.told)))


def test_the_replay_stays_alive_while_the_computer_judges(tmp_path: Path) -> None:
    moved = threading.Event()

    def slow() -> Iterator[Analysis]:
        yield replace(FOUND, done=4)
        assert moved.wait(60)
        yield FOUND

    with create_pipe_input() as pipe:
        output = Vt100_Output(io.StringIO(), lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
        running = replay.app(begun(), tmp_path / "x.storm", slow, charted=True, input=pipe, output=output)

        def look(_: object) -> None:
            model = running.model
            if model.analysis is None:
                return
            if model.analysing and model.charted:
                pipe.send_text("a\x1b[C")
            elif model.analysing and model.at == 1:
                moved.set()
            elif not model.analysing:
                pipe.send_text("q")

        running.application.after_render += look
        running.run()
    assert running.model.at == 1
    assert running.model.analysis == FOUND


# -- the command --------------------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(["analyse", *arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
    return code, out.getvalue(), err.getvalue()


@lru_cache(maxsize=1)
def log() -> str:
    return str(next(path for path in sorted(LOG.glob("*.storm"))))


def test_the_command_prints_curve_and_decisions(tmp_path: Path) -> None:
    code, out, _ = run(log(), "--text", "--simulations", "1", "--home", str(tmp_path))
    assert code == 0
    curve = r"^turn 1: Chthonians: chance to win \d+ %, Honor \d+, Energy \d+; Olympians: chance to win"
    assert re.search(curve, out, re.MULTILINE)
    assert "the costliest decisions:" in out
    assert 0 < len(re.findall(r"^  [1-5]  turn \d+, ", out, re.MULTILINE)) <= 5
    assert "\n     better: " in out


def test_the_command_prints_an_object_for_programs(tmp_path: Path) -> None:
    words = (log(), "--json", "--simulations", "1", "--home", str(tmp_path))
    code, out, _ = run(*words, "--view", "chthonians", "--seed", "3")
    found = json.loads(out)
    assert code == 0
    assert (found["judged"], found["simulations"], found["seed"]) == (["chthonians"], 1, 3)
    assert set(found) == {"file", "match", "judged", "simulations", "seed", "curve", "decisions", "end"}
    assert set(found["curve"][0]) == {"seq", "turn", "chance", "honor", "energy"}
    assert found["curve"][0]["chance"]["olympians"] is None
    for one in found["decisions"]:
        assert set(one) == {"seq", "turn", "seat", "action", "chance", "loss", "better"}
        assert one["seat"] == "chthonians"
        assert one["loss"] == pytest.approx(one["better"]["chance"] - one["chance"], abs=2e-4)
        assert all(reason["text"] and reason["reason"] for reason in one["better"]["reasons"])
    assert run(*words, "--view", "chthonians", "--seed", "3")[1] == out


def test_without_a_log_or_an_opened_one_the_command_says_so(tmp_path: Path) -> None:
    code, _, err = run("--home", str(tmp_path))
    assert code == 2
    assert "no" in err.lower()
    code, _, err = run("nothing.storm", "--home", str(tmp_path))
    assert code == 2
