"""Games are found by name and version of their rules, and those that are missing are named."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from helpers import ROOT

from protocol.game import MissingRules
from storm_p2p import games
from storm_p2p.games import STORM
from storm_p2p.storm.game import Storm
from storm_p2p.storm.state import Terms


class OldRules(Storm):
    """The rules before these."""

    version = "1-" + "a" * 64  # type: ignore[misc]


def test_the_newest_game_is_found_by_its_name_and_version() -> None:
    newest = games.find_newest()
    assert newest.name == STORM
    assert games.find(STORM, newest.version).version == Storm.version
    for name, makers in games.GAMES.items():
        made = [make() for make in makers]
        assert {game.name for game in made} == {name}
        assert len({game.version for game in made}) == len(made)


def test_the_versions_that_are_written_down_are_those_that_the_newest_rules_work_out() -> None:
    made = {name: games.find_newest(name).version for name in games.GAMES}
    assert made == games.NEWEST, "run python tests/fingerprint.py"


def test_each_match_has_a_game_of_its_own() -> None:
    assert games.find_newest() is not games.find_newest()
    assert games.find(STORM, Storm.version) is not games.find(STORM, Storm.version)


def test_two_versions_stand_side_by_side_and_a_new_match_takes_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.GAMES, STORM, (Storm, OldRules))
    assert type(games.find(STORM, Storm.version)) is Storm
    assert type(games.find(STORM, OldRules.version)) is OldRules
    assert type(games.find_newest()) is Storm


def test_the_rules_that_are_missing_are_named_with_those_that_are_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.GAMES, STORM, (Storm, OldRules))
    for name, version, here in (
        (STORM, "3-" + "b" * 64, (Storm.version, OldRules.version)),
        (STORM, Storm.version[:-1], (Storm.version, OldRules.version)),
        ("chess", Storm.version, ()),
    ):
        with pytest.raises(MissingRules) as caught:
            games.find(name, version)
        assert (caught.value.name, caught.value.version, caught.value.here) == (name, version, here)
        # What a log calls its rules stands in no sentence.
        assert "b" * 64 not in str(caught.value)
        assert "chess" not in str(caught.value)


def test_the_rules_are_not_loaded_before_somebody_asks_for_them() -> None:
    code = (
        "import sys; from storm_p2p import games; before = set(sys.modules); games.find_newest();"
        "rules, units = 'storm_p2p.storm.game', 'storm_p2p.storm.units';"
        "print(rules in before, units in before, rules in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout.split() == ["False", "False", "True"]


def test_nothing_but_the_table_of_games_makes_one() -> None:
    made = [
        path.relative_to(ROOT).as_posix()
        for folder in ("storm_p2p", "protocol", "cli", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if "Storm(" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        if getattr(node.func, "id", getattr(node.func, "attr", "")) == "Storm"
    ]
    assert made == ["storm_p2p/games.py"]


def test_what_other_programs_were_promised_is_there_under_its_first_names() -> None:
    from storm_p2p import engine, notation, views

    state = engine.new_game(Terms())
    assert engine.wants(state) == engine.next_request(state)
    position = {"turn": "chthonians", "units": {"hades": 14, "ares": 9}}
    state = notation.load_position(position)
    action = notation.parse_action("move 14 9 hades", state)
    assert action in engine.legal_actions(state, 0)
    assert engine.price(state, action).honor == 0
    assert notation.format_action(action) == "move 14 9 hades"
    assert engine.outcome(engine.apply(views.public(state), views.publish(state, action))[0]) is None
    assert views.with_secrets(views.public(state), {}) == views.public(state)
    assert notation.dump_position(state)["units"] == position["units"]
