"""What is typed behind picked units goes on with them or takes their place, and never sends anything by itself."""

from __future__ import annotations

import random

import helpers
import helpers_tui as tui
import pytest
from helpers import daily_first

from cli.console import messages
from cli.console.messages import Clicked, Entered, Event, NotUnderstood, Send, Typed
from cli.storm import grammar, vocabulary
from cli.storm.model import StormScreen
from storm_p2p.storm import notation
from storm_p2p.storm.actions import Move
from storm_p2p.storm.board import REGIONS, Faction
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CARDS, ROSTER

STATE = helpers.at("olympians", "zeus 9, ares apollo 14, hades 10, nyx 12, hera 5")
"""Nobody stands between 9 and 14: Zeus could go there for nothing."""


def turns(seed: int) -> list[StormScreen]:
    """Return consoles along a random game whose player is to move."""
    found = tui.walk_models(seed, 12)
    return [
        screen
        for screen in found
        if screen.match.deciding and screen.match.state and screen.match.state.phase == Phase.TURN
    ]


def words_of(faction: Faction) -> list[str]:
    cards = [CARDS[unit] for unit in ROSTER[faction]]
    return [word for card in cards for word in (card.name, card.code, vocabulary.names_of(card.name)[-1])]


def test_a_unit_that_is_typed_behind_picked_units_never_sends_and_never_asks() -> None:
    tried = 0
    for seed in range(4):
        rng = random.Random(seed)
        for start in turns(seed):
            faction = start.match.side
            for region in rng.sample(REGIONS, 6):
                name = rng.choice(words_of(faction))
                lines = (str(region), f"costs {region}", name)
                events: list[Event] = [Clicked(f"hex {region}"), *(Entered(line) for line in lines)]
                for event in events:
                    picked = tui.after(start, event)
                    word = rng.choice(words_of(faction))
                    typed = tui.after(picked, Typed(picked.typed + word))
                    done, effects = tui.stepped(typed, Entered(typed.typed))
                    assert not [effect for effect in effects if isinstance(effect, Send)], (event, word)
                    assert done.question is None
                    tried += bool(picked.typed)
    assert tried > 60


def test_a_number_that_comes_first_is_always_where_from() -> None:
    moved = 0
    for seed in range(3):
        rng = random.Random(seed)
        for screen in turns(seed):
            state, faction = screen.match.state, screen.match.side
            assert state is not None
            for region in REGIONS:
                word, to = rng.choice(words_of(faction)), rng.choice(REGIONS)
                for line in (*(f"{begins}{region} {word}" for begins in ("", "move ")), f"{region} {to} {word}"):
                    try:
                        command = grammar.parse(line, state, faction)
                    except NotUnderstood:
                        continue
                    assert isinstance(command, messages.Act)
                    assert isinstance(command.action, Move)
                    assert command.action.path[0] == region, line
                    assert str(to) in line.split(), line
                    moved += 1
    assert moved > 3


@pytest.mark.parametrize("keys", [["14\r"], ["are apo\r"], ["move 14\r"]])
def test_another_unit_takes_the_place_of_those_that_were_only_looked_at(keys: list[str]) -> None:
    played = tui.play(STATE, [*keys, "zeus\r"], faction=Faction.OLYMPIANS)
    assert not played.match.moves
    assert played.screen.typed == "zeus "
    assert played.shows("Zeus in 9: add where to, as in: zeus")
    played = tui.play(STATE, [*keys, "zeus\r", "8\r", "y\r"], faction=Faction.OLYMPIANS)
    assert tui.actions(played.match)[0] == "move 9 8 zeus"


def test_a_unit_of_the_same_group_is_one_of_those_that_go() -> None:
    played = tui.play(STATE, ["14\r", "ares\r", "13\r", "y\r"], faction=Faction.OLYMPIANS)
    assert tui.actions(played.match)[0] == "move 14 13 ares"


@pytest.mark.parametrize("line", ["14 zeus", "move 14 zeus", "14 zeus!", "z 14 zeus"])
def test_whoever_types_a_unit_that_does_not_stand_where_the_line_begins_is_told(line: str) -> None:
    played = tui.play(STATE, [f"{line}\r"], faction=Faction.OLYMPIANS)
    assert not played.match.moves
    assert played.shows("for Zeus it is 9")
    assert played.screen.question is None


@pytest.mark.parametrize("lines", daily_first([
    ("costs apo\r", "costs 9"), ("14\r", "help table"), ("9\r", "who 12"), ("14\r", "/hi"), ("9\r", "units"),
    ("14\r", "costs 9"), ("9\r", "help table"), ("costs apo\r", "who 12"), ("9\r", "/hi"), ("costs apo\r", "units"),
    ("9\r", "costs 9"), ("costs apo\r", "help table"), ("14\r", "who 12"), ("costs apo\r", "/hi"), ("14\r", "units"),
], 5))  # fmt: skip
def test_a_command_takes_the_place_of_a_selection(lines: tuple[str, str]) -> None:
    first, command = lines
    played = tui.play(STATE, [first, command], faction=Faction.OLYMPIANS)
    assert played.screen.typed == command
    played = tui.play(STATE, [first, command, "\r"], faction=Faction.OLYMPIANS)
    assert not played.shows("Nothing was done")


def test_a_choice_that_is_typed_takes_the_place_of_one_that_was_clicked() -> None:
    screen = tui.after(tui.asked(tui.COMBAT), Clicked("choose ret 12"))
    assert tui.after(screen, Typed("ret 12s")).typed == "s"
    assert tui.after(screen, Typed("ret 12 std 4")).typed == "std 4"
    assert tui.after(screen, Typed("ret 12!")).typed == "ret 12!"
    assert tui.after(screen, Typed("ret 1")).typed == "ret 1"


def test_a_line_that_was_typed_by_hand_is_never_taken_away() -> None:
    screen = tui.after(tui.asked(STATE, faction=Faction.OLYMPIANS), Typed("14 "), Typed("14 zeus"))
    assert screen.typed == "14 zeus"
    picked = tui.after(tui.asked(STATE, faction=Faction.OLYMPIANS), Entered("14"))
    for line in ("14 1", "14 13 a", "14 ar", "14 all", "14 ares 1", "14 ?", "14"):
        assert tui.after(picked, Typed(line)).typed == line


def test_the_sentence_names_the_line_that_was_perhaps_meant() -> None:
    view = helpers.owner_view(STATE, Faction.OLYMPIANS)
    with pytest.raises(NotUnderstood) as caught:
        grammar.parse("14 zeus", view, Faction.OLYMPIANS)
    example = str(caught.value).partition("as in: ")[2].rstrip(".")
    command = grammar.parse(example, view, Faction.OLYMPIANS)
    assert isinstance(command, messages.Act)
    assert notation.format_action(command.action) == "move 9 14 zeus"
