"""The computer's hint: when it is given, what it says, and that it knows no more than the seat."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import threading
from collections.abc import Iterator
from random import Random

import helpers
import helpers_tui as tui
import pytest
from helpers import daily_first
from helpers_console import Script, play, seated
from helpers_worlds import swapped
from toys import Rounds

from benchmarks import table
from cli import language
from cli.console.messages import Advise, Advised, Entered, Key, NotUnderstood, Resized, Roll, Rolled
from cli.console.plain import LinePlayer
from cli.console.player import think
from cli.console.replay import Candidate
from cli.console.screen_state import Page, ScreenState, Settings
from cli.match.player import Asked, Happened, Placed
from cli.storm import advice, placing
from cli.storm.advice import reasons
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.text import analyses as said
from cli.text import matches
from console.toy_console import TOY
from console.typed import EXAMPLE
from storm_p2p.storm import engine, notation
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Fight
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import CARDS, ROSTER, Maneuver, Unit

COMPUTER = {"computer": "greedy"}
FOUND = (
    Candidate("move 14 9 erinyes hecate", 0.634, 1.0, (advice.Attacks(9, 2, 2), advice.Free())),
    Candidate("fight chthonians retreat 1", 0.61, 0.0, ()),
    Candidate("liturgy", 0.001, 0.0, ()),
)


def against_computer(state: State = EXAMPLE, faction: Faction = Faction.CHTHONIANS) -> ScreenState:
    view = helpers.owner_view(state, faction)
    screen = StormScreen(STORM.begin_match(seated(faction, state.terms, "computer", **COMPUTER)))
    return tui.after(screen, Happened((), view), Asked(view))


# -- when it is given ---------------------------------------------------------------------------------------


def test_against_a_person_there_is_a_hint_only_where_both_agreed_to_it() -> None:
    view = helpers.owner_view(EXAMPLE, Faction.CHTHONIANS)
    for facts, given in (({}, False), ({"aids": ""}, False), ({"aids": "agreed"}, True), (COMPUTER, True)):
        screen = StormScreen(STORM.begin_match(seated(Faction.CHTHONIANS, EXAMPLE.terms, "bob", **facts)))
        screen, effects = tui.stepped(tui.after(screen, Happened((), view), Asked(view)), Entered("hint"))
        assert (Advise() in effects, screen.thinking) == (given, given)
        assert ("--aids" in " ".join(screen.notice)) != given
        # Whoever has agreed without reading is told at the beginning.
        assert ("Aids: both of you" in " ".join(matches.seated(screen.match))) == (facts.get("aids") == "agreed")


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("faction", FACTIONS)
def test_in_the_setup_a_hint_proposes_one_that_can_be_loaded_and_leaves_what_stands(faction: Faction) -> None:
    model = STORM.begin_match(seated(faction, Terms(), "computer", **COMPUTER))
    screen = tui.after(StormScreen(model), Resized(80, 24), Placed(), Rolled(3))
    asked, effects = tui.stepped(screen, Entered("hint"))
    assert effects == (Roll(hint=True),)
    stood, proposals = screen.placing, set()
    for seed in range(5):
        told = tui.after(asked, Rolled(seed, hint=True))
        assert told.placing == stood
        assert told.notice
        shown = " ".join(tui.text(told).split())
        # All of it is read in the smallest window.
        assert all(" ".join(line.split()) in shown for line in told.notice)
        loaded = tui.after(told, Entered("load hint"))
        assert loaded.placing == tui.after(told, Entered("laden tipp")).placing
        assert loaded.placing is not None
        assert placing.finish(loaded.placing)
        assert loaded.placing != stood
        proposals.add(loaded.placing)
    # Who knows the program must not know the setup.
    assert len(proposals) == 5


def test_in_the_setup_there_is_a_hint_against_a_person_only_where_both_agreed_to_it() -> None:
    for facts, given in (({}, False), ({"aids": "agreed"}, True)):
        screen = StormScreen(STORM.begin_match(seated(Faction.CHTHONIANS, Terms(), "bob", **facts)))
        after, effects = tui.stepped(tui.after(screen, Placed()), Entered("hint"))
        assert (effects == (Roll(hint=True),)) is given
        assert ("--aids" in " ".join(after.notice)) != given


def test_a_hint_answers_what_is_asked_and_nothing_else() -> None:
    view = helpers.owner_view(EXAMPLE, Faction.CHTHONIANS)
    screen = StormScreen(STORM.begin_match(seated(Faction.CHTHONIANS, EXAMPLE.terms, "computer", **COMPUTER)))
    waiting, effects = tui.stepped(tui.after(screen, Happened((), view)), Entered("tipp"))
    assert (waiting.notice, effects) == ((str(said.NOTHING_ASKED),), ())
    toy = ScreenState(TOY.begin_match(seated(0, 2, "computer", **COMPUTER)))
    start = Rounds((0, 0), 2)
    toy, effects = tui.stepped(tui.after(toy, Happened((), start), Asked(start)), Entered("hint"))
    assert (toy.notice, effects) == ((str(said.NO_ADVICE),), ())


def test_a_hint_is_shown_below_the_board_and_the_match_waits_for_the_player() -> None:
    screen = tui.after(against_computer(), Entered("hint"))
    assert screen.notice == ("The computer is thinking, for at most 2 seconds; Escape stops it.",)
    screen = tui.after(screen, Advised(FOUND))
    assert not screen.thinking
    assert screen.awaited
    assert " ".join(screen.notice) == (
        "Hint: move 14 9 erinyes hecate. Your chance to win: 63 %. It attacks 9 with 2 against 2. It costs nothing. "
        "Next best: retreat 1 (61 %) and liturgy (1 %)."
    )
    assert tui.after(against_computer(), Advised(FOUND)).notice == ()


def test_no_choice_with_a_better_chance_is_called_the_next_best() -> None:
    kinds = (("standard 4", 0.58, 0.6), ("retreat 1", 0.6, 0.4), ("chase 0", 0.59, 0.0), ("defense 0", 0.2, 0.0))
    found = [Candidate(f"fight chthonians {kind}", chance, share, ()) for kind, chance, share in kinds]
    assert STORM.adviser is not None
    assert said.hint(found, STORM.name_action, STORM.reason)[1:] == [
        "A secret choice should vary: the computer would choose this one 60 % of the time.",
        "The rest of the time it would choose retreat 1 (40 %).",
        "Next best: defense 0 (20 %).",
    ]


@pytest.mark.parametrize("stops", [Key("escape"), Entered("turn"), Entered("move 14 9 erinyes hecate")])
def test_escape_a_line_and_an_action_stop_the_thinking(stops: Key | Entered) -> None:
    screen = tui.after(against_computer(), Entered("hint"), stops)
    assert not screen.thinking
    after = tui.after(screen, Advised(FOUND))
    assert not any("Hint:" in line for line in (*after.notice, *after.lines))
    assert (after.page is Page.ANSWER) == (screen.page is Page.ANSWER)


def test_a_hint_that_is_not_there_when_the_question_is_gone_is_never_shown() -> None:
    thinking = tui.after(against_computer(), Entered("hint"))
    later = helpers.owner_view(helpers.at("olympians", "hades 14, nyx 5, zeus 4, ares 24"), Faction.CHTHONIANS)
    for event in (Happened((), later), Asked(later)):
        assert not tui.after(thinking, event).thinking


def test_the_computer_thinks_while_both_consoles_go_on() -> None:
    script = Script(("hint", "table", "move 14 9 erinyes hecate!", "yes"))
    settings = Settings(hint_seconds=0)
    player = LinePlayer("alice", STORM, lines=script.screen, settings=settings)
    match = play(player, Faction.CHTHONIANS, state=EXAMPLE, most=1, facts=COMPUTER)
    assert "The computer is thinking" in script.shown
    assert script.shown.index("Hint: ") < script.shown.index("Liturgy")
    assert len(match.moves) == 1
    played = tui.play(EXAMPLE, ["hint\r", "\x1b[15~"], facts=COMPUTER, settings=settings)
    assert played.screen.page is Page.LOG


# -- thinking -----------------------------------------------------------------------------------------------


def test_the_last_answer_in_time_is_taken_and_the_first_one_in_any_case() -> None:
    assert asyncio.run(think(iter([1, 2, 3]), 3600)) == 3
    assert asyncio.run(think(iter([1, 2, 3]), 0)) == 1


def test_nobody_thinks_on_for_a_player_who_does_not_wait() -> None:
    begun, goes_on, more = threading.Event(), threading.Event(), threading.Event()

    def better() -> Iterator[int]:
        begun.set()
        goes_on.wait(60)
        yield 1
        more.set()
        yield 2

    async def run() -> None:
        found = better()
        task = asyncio.create_task(think(found, 3600))
        await asyncio.to_thread(begun.wait, 30)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        goes_on.set()

    asyncio.run(run())
    assert not more.is_set()


# -- what it says -------------------------------------------------------------------------------------------


def of(state: State, action: str) -> tuple[advice.Reason, ...]:
    found = notation.parse_action(action, state)
    faction = helpers.actor(state, found)
    return reasons(helpers.owner_view(state, faction), found, faction)


def carried(state: State, *actions: str) -> State:
    for action in actions:
        state, _ = engine.play(state, notation.parse_action(action, state))
    return state


@pytest.mark.usefixtures("recorded_strengths")
@pytest.mark.parametrize(
    ("state", "action", "reason"),
    [
        (helpers.at("chthonians", "hades 14, nyx 5, zeus 4, ares 24"), "move 14 15 hades claim", advice.Wins()),
        (helpers.at("chthonians", "hades 12, nyx 5, zeus 4, ares 24"), "move 12 13 hades", advice.Nears(Unit.HADES, 2)),
        (helpers.at("chthonians", "hades 10, nyx 13, zeus 14, ares 24"), "move 13 14 nyx", advice.Attacks(14, 1, 1)),
        (
            helpers.at("chthonians", "hades 10, nyx cronus 13, ares 14, zeus 24", known="ares"),
            "move 13 14 nyx cronus",
            advice.Outweighs(14, 10, 3),
        ),
        (helpers.at("olympians", "zeus 14, hades 10, hecate nyx 13", known="zeus"), "bolt 13", advice.Strikes(13)),
        (
            helpers.at("chthonians", "hades nyx 11, ares 10, zeus 24", known="ares"),
            "move 11 10 hades nyx",
            advice.ClearsBase(1),
        ),
        (helpers.at("chthonians", "hades 10, nyx 14, zeus 24, ares 4"), "move 14 15 nyx", advice.Besieges(1)),
        (helpers.at("chthonians", "hades 10, nyx 5, zeus 24, ares 4", energy=(0, 24)), "liturgy", advice.Gains(0, 6)),
        (
            helpers.at("chthonians", "hades 10, nyx 5, zeus 24, ares 4", eliminated="cerberus", known="hades"),
            "recall cerberus",
            advice.Returns(Unit.CERBERUS),
        ),
        (helpers.at("chthonians", "hades 10, nyx 12, zeus 24, ares 4"), "move 12 13 nyx", advice.Forward()),
        (helpers.at("chthonians", "hades 10, nyx 12, zeus 24, ares 4"), "move 12 13 nyx", advice.Free()),
        (helpers.at("olympians", "zeus 24, ares 8, hades 10, nyx 5"), "move 8 9 ares", advice.Guards((Unit.ARES,), 9)),
    ],
)
def test_a_reason_is_a_fact_of_the_board(state: State, action: str, reason: advice.Reason) -> None:
    assert reason in of(state, action)


@pytest.mark.usefixtures("recorded_strengths")
def test_units_that_leave_a_danger_are_told_by_their_chances() -> None:
    state = helpers.at("chthonians", "hades 10, nyx 13, ares 14, zeus 24", known="ares")
    [found] = [one for one in of(state, "move 13 7 nyx") if isinstance(one, advice.Safer)]
    assert (found.origin, found.target, found.after) == (13, 7, 0.0)
    assert found.before >= 0.5


@pytest.mark.usefixtures("recorded_strengths")
def test_a_choice_that_beats_so_much_energy_wins_with_it_and_not_with_more() -> None:
    state = carried(
        helpers.at("chthonians", "hades 10, cronus nyx 13, ares apollo 14, zeus 24", known="ares apollo"),
        "move 13 14 cronus nyx",
    )
    assert state.phase == Phase.FIGHT
    for action in engine.legal_actions(helpers.owner_view(state, Faction.CHTHONIANS), Faction.CHTHONIANS):
        assert isinstance(action, Fight)
        if action.maneuver in (Maneuver.RETREAT, Maneuver.CHASE):
            continue
        found = [one for one in reasons(state, action, Faction.CHTHONIANS) if isinstance(one, advice.Beats)]
        for energy in range(13):
            answer = notation.parse_action(f"fight olympians standard {energy}", state)
            _, events = engine.play(engine.play(state, action)[0], answer)
            [fought] = [one for one in events if isinstance(one, ev.RoundFought)]
            wins = fought.winner == Faction.CHTHONIANS
            assert wins == (bool(found) and energy <= found[0].energy)


def test_answers_within_a_combat_have_reasons_of_their_own() -> None:
    wanted = {
        advice.Beats,
        advice.Answers,
        advice.Falls,
        advice.Cheapest,
        advice.KeepsLeader,
        advice.Adds,
        advice.Peril,
    }
    told: set[type] = set()
    for seed in itertools.count():
        if told >= wanted:
            break
        rng = Random(seed)
        state = table.deal(Terms(open_combat=seed % 3 == 0), rng)
        while (request := engine.next_request(state)) is not None:
            seat = request.seats[0]
            view = table.view_as(state, seat)
            if state.phase != Phase.TURN:
                actions = engine.legal_actions(view, seat)
                some = rng.sample(actions, min(2, len(actions)))
                told |= {type(one) for action in some for one in reasons(view, action, seat)}
            state, _ = engine.play(state, BOTS["random"].decide(view, seat, rng))


EVERY = (
    advice.Wins(), advice.Nears(Unit.HADES, 0), advice.Nears(Unit.HADES, 1), advice.Nears(Unit.HADES, 2),
    advice.Guards((Unit.ARES, Unit.ZEUS), 14), advice.Attacks(9, 3, 1), advice.Outweighs(9, 8, 5), advice.Strikes(9),
    advice.ClearsBase(2), advice.Besieges(1), advice.Gains(2, 0), advice.Gains(0, 6), advice.Gains(1, 3),
    advice.Safer(3, 4, 0.6, 0.0), advice.Forward(), advice.Returns(Unit.NYX), advice.Eases(Unit.CHARON, 1),
    advice.Eases(Unit.CHARON, 4), advice.Hides((3, 4)), advice.Beats(9, 4, 12), advice.Beats(9, 12, 12),
    advice.Falls(2, 7), advice.Answers(Maneuver.CHASE, 3), advice.Cheapest(Unit.NYX, 1), advice.KeepsLeader(Unit.HADES),
    advice.Adds(2), advice.Peril(9, 0.4), advice.Peril(9, 0.0), advice.Prevents(), advice.Free(),
)  # fmt: skip


def test_a_hint_that_compares_two_regions_names_each_with_its_chance() -> None:
    assert STORM.reason(advice.Safer(6, 12, 0.43, 0.0)) == (
        "The chance of losing to the enemies next door is about 43 % in 6 and 0 % in 12."
    )


@pytest.mark.usefixtures("spoken")
def test_every_reason_has_a_sentence() -> None:
    assert {type(one) for one in EVERY} == set(advice.Reason.__args__)
    for one in EVERY:
        sentence = STORM.reason(one)
        assert sentence.endswith(".")
        assert "{" not in sentence
        # Whoever reads an analysis has not decided anything.
        assert not re.search(r"\b(you|yours?|du|dich|dir|dein\w*)\b", sentence, re.IGNORECASE)
    lines = said.hint(FOUND, STORM.name_action, STORM.reason)
    assert lines[0].startswith("Tipp: zug 14 9" if language.current() == language.GERMAN else "Hint: move 14 9")


@pytest.mark.usefixtures("spoken")
def test_what_a_hint_names_can_be_typed() -> None:
    rng = random.Random(4)
    for state, _ in helpers.walk(rng, helpers.random_start(rng), 60):
        request = engine.next_request(state)
        if request is None or state.phase in (Phase.SETUP, Phase.OPENING, Phase.SUCCESSION):
            continue
        seat = request.seats[0]
        view = helpers.owner_view(state, seat)
        for candidate in next(STORM.adviser().advise(view, seat)):
            try:
                command = STORM.parse(STORM.name_action(candidate.action), view, seat, setting_up=False)
            except NotUnderstood as refused:
                raise AssertionError(candidate) from refused
            assert notation.format_action(command.action) == candidate.action  # type: ignore[union-attr]


# -- what it must not know ----------------------------------------------------------------------------------


@pytest.mark.parametrize("matches", daily_first([4, 40]))
def test_two_worlds_that_a_seat_cannot_tell_apart_give_the_same_hint(matches: int) -> None:
    asked = 0
    for seed in range(matches):
        rng = Random(seed)
        state = table.deal(Terms(random_setup=seed % 2 == 0), rng)
        while (request := engine.next_request(state)) is not None:
            seat = request.seats[0]
            if rng.random() < 0.15:
                other = swapped(state, OTHER[seat], rng)
                hints = []
                for world in (state, other):
                    found = next(STORM.adviser().advise(table.view_as(world, seat), seat))
                    hints.append(said.hint(found, STORM.name_action, STORM.reason))
                assert hints[0] == hints[1]
                assert_names_no_secret(state, seat, " ".join(hints[0]))
                asked += other != state
            state, _ = engine.play(state, BOTS["random"].decide(table.view_as(state, seat), seat, rng))
    assert asked > 2 * matches


def assert_names_no_secret(state: State, seat: Faction, told: str) -> None:
    """No enemy is named that everybody does not know, and that was not named by being eliminated."""
    view = table.view_as(state, seat)
    public = {token.unit for group in view.sides[OTHER[seat]] for token in group if token.unit is not None}
    gone = {token.unit for token in state.fallen} | {unit for unit in Unit if state.gone >> unit & 1}
    for card in CARDS:
        if card.unit not in ROSTER[seat] and card.unit not in public | gone:
            assert card.name not in told.lower().split()
