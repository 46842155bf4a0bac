"""What the combat window and the panel promise is what the engine then does."""

from __future__ import annotations

import helpers
import helpers_tui as tui
import pytest

from cli.console.messages import Entered, Settled, Typed
from cli.console.render import spans
from cli.match.player import Asked, Happened
from cli.storm.model import StormScreen
from cli.storm.render.combat import _needed
from storm_p2p.storm import engine
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Fight
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import CombatChoice, Phase, State
from storm_p2p.storm.units import Maneuver


def fought(state: State, me: Faction, mine: CombatChoice, theirs: CombatChoice) -> ev.RoundFought | None:
    """Return the round with both choices, if power counted in it."""
    choices = {me: mine, OTHER[me]: theirs}
    events: list[ev.Event] = []
    while state.phase == Phase.FIGHT and not any(isinstance(event, ev.RoundFought) for event in events):
        request = engine.next_request(state)
        assert request is not None
        side = request.seats[0]
        if choices.get(side) is None:
            break
        state, more = engine.play(state, Fight(side, *choices.pop(side)))
        events += more
    rounds = [event for event in events if isinstance(event, ev.RoundFought)]
    return rounds[0] if rounds else None


COMBATS = [
    tui.COMBAT,
    helpers.play(helpers.at("chthonians", "erinyes 12, hades 10, hera ares 13, zeus 15"), "move 12 13"),
    helpers.play(helpers.at("chthonians", "nyx hypnos 12, hades 10, hephaestus 13, zeus 15"), "move 12 13 nyx hypnos"),
    helpers.play(helpers.at("olympians", "zeus 15, artemis hera 14, hades 10, moirae 13"), "move 14 13 artemis hera"),
    helpers.play(helpers.at("olympians", "zeus 15, ares 14, hades 10, cronus charon 13"), "move 14 13 ares"),
]


@pytest.mark.parametrize("state", COMBATS)
@pytest.mark.parametrize("faction", FACTIONS)
@pytest.mark.parametrize("theirs", [Maneuver.STANDARD, Maneuver.CHASE])
def test_the_energy_that_beats_a_choice_does_and_less_does_not(
    state: State, faction: Faction, theirs: Maneuver
) -> None:
    current = state.combat
    assert current is not None
    masks = combat.masks_of(state)
    mine = CombatChoice(Maneuver.RETREAT if theirs == Maneuver.CHASE else Maneuver.STANDARD, 2)
    if any(
        choice.maneuver not in combat.maneuvers(state, side)
        for side, choice in ((faction, mine), (OTHER[faction], CombatChoice(theirs, 0)))
    ) or not combat.ways_out(state, faction):
        return
    base, _ = combat.strengths(state)
    power = combat.power(base[faction], mine, mine.maneuver, masks[faction], alone=current.alone[faction])
    needed, limit = _needed(state, faction, power, theirs)
    for energy in range(limit + 1):
        found = fought(state, faction, mine, CombatChoice(theirs, energy))
        assert found is not None
        wins = found.winner == OTHER[faction]
        assert wins == (needed is not None and energy >= needed), (energy, needed)


@pytest.mark.parametrize("mine", ["std 0", "std 3", "ret 0", "chase 3", "att 0", "def 0"])
@pytest.mark.parametrize("theirs", ["standard 2", "retreat 0", "chase 1", "attack 0", "defense 0"])
def test_against_an_open_choice_the_window_says_what_comes_of_it(mine: str, theirs: str) -> None:
    units = "charon nyx 12, hades 10, ares 13, zeus 15"
    state = helpers.at("chthonians", units, terms={"open_combat": True})
    state = helpers.play(state, "move 12 13 charon nyx")
    request = engine.next_request(state)
    assert request is not None
    first = request.seats[0]
    state = helpers.play(state, f"fight {first.name.lower()} {theirs}")
    me = OTHER[first]
    screen = tui.after(tui.asked(state, faction=me), Typed(mine))
    shown = tui.text(screen)
    assert screen.choice is not None
    _, events = engine.play(state, Fight(me, *screen.choice))
    rounds = [event for event in events if isinstance(event, ev.RoundFought)]
    if not rounds:
        assert ("unless you chase" in shown) or ("you get away" in shown)
    elif rounds[0].winner is None:
        assert "nobody wins: bob plays the same" in shown
    else:
        wins = "you win the round" if rounds[0].winner == me else "and wins the round"
        assert f"bob has {rounds[0].power[first]}" in shown
        assert wins in shown


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("attacks", [False, True])
def test_the_window_knows_whom_no_chase_stops(held: bool, attacks: bool) -> None:
    others = "hermes hera" if held else "hera"
    state = helpers.at(
        "chthonians" if attacks else "olympians",
        f"persephone 12, hades 10, {others} 13, zeus 15",
        terms={"open_combat": True},
    )
    state = helpers.play(state, "move 12 13" if attacks else f"move 13 12 {others}")
    request = engine.next_request(state)
    assert request is not None
    first = request.seats[0]
    she, me = Faction.CHTHONIANS, OTHER[first]
    mine, theirs = ("ret 0", "chase 0") if me == she else ("chase 0", "retreat 0")
    # Before anything is open she is told what becomes of her retreat.
    if first == she:
        shown = tui.text(tui.after(tui.asked(state, faction=she), Typed("ret 0")))
        assert ("no chase by bob can stop you: you get away" in shown) == (not held)
        assert ("with chase, bob" in shown) == held
    state = helpers.play(state, f"fight {first.name.lower()} {theirs}")
    screen = tui.after(tui.asked(state, faction=me), Typed(mine))
    assert screen.choice is not None
    _, events = engine.play(state, Fight(me, *screen.choice))
    assert any(isinstance(event, ev.RoundFought) for event in events) == held
    slips = "no chase by bob can stop you: you get away" if me == she else "bob gets away: no chase stops that"
    assert (slips in tui.text(screen)) == (not held)


def test_a_sealed_choice_is_shown_until_the_round_is_opened() -> None:
    screen = tui.asked(tui.COMBAT)
    screen = tui.after(screen, Entered("ret 1!"), Settled())
    assert "Sealed: Retreat with 1 Energy." in tui.text(screen)
    view = screen.match.state
    assert view is not None
    opened = (ev.Chose(Faction.CHTHONIANS, Maneuver.RETREAT, 1), ev.Chose(Faction.OLYMPIANS, Maneuver.STANDARD, 0))
    assert "Sealed:" not in tui.text(tui.after(screen, Happened(opened, view)))


def test_an_open_choice_is_not_called_sealed() -> None:
    units = "charon 12, hades 10, ares 13, zeus 15"
    state = helpers.play(helpers.at("chthonians", units, terms={"open_combat": True}), "move 12 13")
    request = engine.next_request(state)
    assert request is not None
    screen = tui.after(tui.asked(state, faction=request.seats[0]), Entered("std 0!"), Settled())
    shown = tui.text(screen)
    assert "Chosen: " in shown
    assert "Sealed" not in shown


def asked_title(state: State, faction: Faction) -> str:
    return tui.text(tui.asked(state, faction=faction)).splitlines()[0]


def test_the_title_says_what_is_asked() -> None:
    retreat = helpers.play(
        helpers.at("olympians", "moirae 13, hades 10, ares 14, zeus 15", known="zeus"),
        "move 14 13 ares",
        *helpers.fights("retreat 0"),
    )
    assert "YOUR ANSWER: where to? (Chthonians)" in asked_title(retreat, Faction.CHTHONIANS)
    bolt = helpers.play(helpers.at("olympians", "zeus 14, hades 10, hecate nyx 13", known="zeus"), "bolt 13")
    assert "YOUR ANSWER: who is hit? (Chthonians)" in asked_title(bolt, Faction.CHTHONIANS)


def panel_of(state: State, faction: Faction) -> str:
    view = helpers.owner_view(state, faction)
    screen: StormScreen = tui.after(
        tui.begin((120, 40), faction, state.terms), Happened((), view), Asked(view), Typed("")
    )
    return " ".join(" ".join(row[83:] for row in tui.text(screen).splitlines()[1:26]).split())


def test_three_against_one_stand_by_their_letters_on_the_small_board() -> None:
    state = helpers.play(
        helpers.at("chthonians", "erinyes cronus hades 12, nyx 10, hera 13, zeus 15"), "move 12 13 hades cronus erinyes"
    )
    shown = tui.text(tui.after(tui.asked(state), Entered("hide")))
    assert "+2" not in shown
    assert all(word in shown for word in ("HAD*", "CRO*", "ERI*", "-hra"))


def test_finer_signs_frame_the_combat_and_leave_words_alone() -> None:
    screen = tui.asked(tui.COMBAT)
    fine_rows, plain_rows = (tui.text(one).splitlines() for one in (screen, tui.after(screen, Entered("unicode"))))
    finer = str.maketrans("\u2500\u2502\u250c\u2510\u2514\u2518", "-|++++")
    assert fine_rows != plain_rows
    assert [row.translate(finer) for row in fine_rows] == plain_rows
    assert spans.finer((("rule", "-- well-known -"),)) == (("rule", "\u2500\u2500 well-known \u2500"),)
    shown = "\n".join(fine_rows)
    assert shown.count("\u250c") == shown.count("\u2518") == 1
    assert "all-out attack" in shown
    assert "| match 7c1f |" in fine_rows[0]


def test_a_leader_that_nobody_has_seen_is_hidden_for_sure() -> None:
    shown = tui.text(tui.after(tui.asked(tui.EXAMPLE), Entered("units")))
    assert "Zeus       6  hidden\n" in shown
    assert "Demeter    2  hidden or not selected" in shown


def test_the_result_of_a_round_says_why_each_unit_died() -> None:
    state = helpers.at("chthonians", "cronus thanatos 12, nyx 6, hades 10, ares hera 13, zeus 15")
    state = helpers.play(state, "move 12 13 cronus thanatos", *helpers.fights("attack 0", "standard 0"))
    after, found = helpers.happened(state, "lose ares")
    events = (ev.RoundFought((9, 6), (18, 6), Faction.CHTHONIANS, (Maneuver.ATTACK, Maneuver.STANDARD), ()), *found)
    view = helpers.owner_view(after, Faction.OLYMPIANS)
    shown = " ".join(tui.text(tui.after(tui.asked(state, faction=Faction.OLYMPIANS), Happened(events, view))).split())
    assert "Cronus is eliminated in 13 (own all-out attack)" in shown
    assert "Ares is eliminated in 13 (lost the round)" in shown
    assert "Hera is eliminated in 13 (taken along by Thanatos)" in shown


def test_losses_are_named_where_two_rows_hold_them() -> None:
    state = helpers.at(
        "chthonians",
        "erinyes 12, persephone 10, hera 13, zeus 15",
        eliminated="hades cronus hecate thanatos charon nyx",
    )
    assert "lost: Hades Cronus Hecate Thanatos Charon Nyx" in panel_of(state, Faction.CHTHONIANS)


def test_a_finished_match_has_no_next_turn() -> None:
    state = helpers.at("chthonians", "nyx cronus 15, hades 10, zeus 9")
    view = helpers.owner_view(state, Faction.OLYMPIANS)
    screen = tui.after(tui.begin(faction=Faction.OLYMPIANS), Happened((), view))
    assert "next turn: -2" in tui.text(screen)
    assert "next turn" not in tui.text(tui.after(screen, Happened((), view._replace(phase=Phase.OVER))))


def test_a_leader_that_must_be_there_and_was_not_seen_is_named_among_the_hidden() -> None:
    assert "Zeus is one of them; 4 of Athena Aphrodite" in panel_of(tui.EXAMPLE, Faction.CHTHONIANS)
    known = helpers.at("chthonians", "hades 10, zeus ares 15", known="zeus")
    assert "is one of them" not in panel_of(known, Faction.CHTHONIANS)
    alone = helpers.at("chthonians", "hades 10, zeus 15, ares 14", known="ares")
    assert "it is Zeus" in panel_of(alone, Faction.CHTHONIANS)
