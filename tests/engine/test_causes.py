"""Why a unit was eliminated or revealed stands in the event: nobody who tells of it has to guess."""

from __future__ import annotations

import helpers
import pytest

from storm_p2p.storm import events as ev
from storm_p2p.storm.state import State

ALL_OUT = helpers.at("chthonians", "cronus thanatos nyx 12, hades 10, ares hera 13, zeus 15")
MEETING = helpers.at("chthonians", "persephone nyx 12, hades 10, demeter ares 13, zeus 15")


def causes(state: State, *actions: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return why units were eliminated and why they were revealed, by their names."""
    _, events = helpers.happened(state, *actions)
    dead = {event.unit.name.lower(): event.cause for event in events if isinstance(event, ev.Eliminated)}
    shown = {event.unit.name.lower(): event.cause for event in events if isinstance(event, ev.Revealed)}
    return dead, shown


def test_the_casualty_of_a_round_has_lost_it() -> None:
    state = helpers.at("chthonians", "cronus 12, hades 10, ares 13, zeus 15")
    dead, shown = causes(state, "move 12 13", *helpers.fights())
    assert dead == {"ares": "lost"}
    assert shown == {"cronus": "contact", "ares": "contact"}


def test_an_all_out_attack_kills_its_own_and_the_casualty_has_lost() -> None:
    state = helpers.at("chthonians", "cronus nyx 12, hades 10, ares hera 13, zeus 15")
    fought = helpers.fights("attack 0", "standard 0")
    assert causes(state, "move 12 13 cronus nyx", *fought, "lose ares")[0] == {
        "cronus": "all-out",
        "nyx": "all-out",
        "ares": "lost",
    }
    both = helpers.fights("attack 0", "attack 0")
    assert set(causes(state, "move 12 13 cronus nyx", *both)[0].values()) == {"all-out"}


def test_an_all_out_attack_into_an_all_out_defense_that_wins_has_won_the_round() -> None:
    state = helpers.at("chthonians", "cronus nyx 12, hades 10, demeter hera 13, zeus 15")
    fought = helpers.fights("attack 5", "defense 0")
    assert causes(state, "move 12 13 cronus nyx", *fought, "lose hera")[0] == {"hera": "lost"}


def test_thanatos_takes_the_others_along() -> None:
    dead, _ = causes(ALL_OUT, "move 12 13 cronus thanatos nyx", *helpers.fights("attack 0", "standard 0"), "lose ares")
    assert dead == {"cronus": "all-out", "thanatos": "all-out", "nyx": "all-out", "ares": "lost", "hera": "buries_all"}


def test_enemies_who_cannot_meet() -> None:
    assert causes(MEETING, "move 12 13 persephone nyx")[0] == {
        "persephone": "perishes_with",
        "demeter": "perishes_with",
    }
    slain = helpers.at("chthonians", "cronus nyx 12, hades 10, zeus ares 13, hera 15")
    assert causes(slain, "move 12 13 cronus nyx")[0] == {"zeus": "slays"}


@pytest.mark.parametrize(
    ("state", "actions", "unit", "cause"),
    [
        (
            helpers.at("olympians", "zeus 14, hades 10, hecate nyx 13", known="zeus"),
            ("bolt 13", "lose nyx"),
            "nyx",
            "bolts",
        ),
        (
            helpers.at("chthonians", "erinyes 13, hades 10, ares hephaestus 14, zeus 15"),
            ("sneak 13 14", "lose ares"),
            "ares",
            "sneaks",
        ),
    ],
)
def test_powers_that_hit_from_afar(state: State, actions: tuple[str, ...], unit: str, cause: str) -> None:
    dead, shown = causes(state, *actions)
    assert dead == {unit: cause}
    assert shown[unit] == "hit"


def test_the_second_leader_is_revealed_because_she_leads_now() -> None:
    state = helpers.at("chthonians", "hades 12, persephone 10, ares hera poseidon 13, zeus 15")
    dead, shown = causes(state, "move 12 13", *helpers.fights())
    assert dead == {"hades": "lost"}
    assert shown["persephone"] == "succession"
    assert shown["hades"] == "contact"


def test_revealing_by_choice_and_for_a_power() -> None:
    state = helpers.at("chthonians", "harpies 13, hades 10, nyx 12, ares 24, zeus 15")
    assert causes(state, "reveal nyx")[1] == {"nyx": "choice"}
    bolt = helpers.at("olympians", "zeus 14, hades 10, hecate nyx 13")
    assert causes(bolt, "bolt 13")[1] == {"zeus": "power"}
