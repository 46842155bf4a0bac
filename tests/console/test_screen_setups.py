"""Setups that are kept and taken again."""

from __future__ import annotations

import json
from pathlib import Path

import helpers_tui as tui
import pytest

from cli.console.messages import Entered, KeepSetup, Key, Rolled
from cli.match.player import Placed
from cli.storage.home import Home
from cli.storm.model import StormScreen
from cli.storm.placing import FILE, MOST, Placing, dump, load, of, save
from protocol.crypto.keys import PrivateKey
from protocol.record import keyfile
from storm_p2p.storm import engine
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit


def full() -> StormScreen:
    return tui.after(tui.begin(), Placed(), Rolled(7))


def test_a_setup_is_kept_and_taken_again() -> None:
    screen, effects = tui.stepped(full(), Entered("save My Wall"))
    assert screen.placing is not None
    assert KeepSetup("my-wall", screen.placing) in effects
    again = tui.after(screen, Entered("clear"), Entered("load my-wall"))
    assert again.placing == screen.placing
    assert "Saved setups: my-wall (load NAME)." in tui.text(tui.after(again, Key("escape")))


@pytest.mark.parametrize("line", ["save", "load", "load nothing"])
def test_what_cannot_be_kept_or_taken_says_what_was_expected(line: str) -> None:
    screen, effects = tui.stepped(tui.after(tui.begin(), Placed()), Entered(line))
    assert screen.notice[1].startswith(("Which saved setup", "You need"))
    assert not any(isinstance(effect, KeepSetup) for effect in effects)


def test_kept_setups_come_back_from_the_file(tmp_path: Path) -> None:
    placing = Placing(Faction.CHTHONIANS, ((11, Unit.HADES),))
    save(tmp_path / "home", "wall", placing)
    save(tmp_path / "home", "rush", placing)
    save(tmp_path / "home", "wall", Placing(Faction.CHTHONIANS, ((10, Unit.HADES),)))
    found = load(tmp_path / "home")
    assert list(found[Faction.CHTHONIANS]) == ["rush", "wall"]
    assert found[Faction.CHTHONIANS]["wall"].by_unit == {Unit.HADES: 10}
    assert found[Faction.OLYMPIANS] == {}


def test_the_file_does_not_grow_without_end(tmp_path: Path) -> None:
    placing = Placing(Faction.OLYMPIANS, ((15, Unit.ZEUS),))
    kept = {Faction.CHTHONIANS: {}, Faction.OLYMPIANS: {f"n{n}": placing for n in range(MOST)}}
    tmp_path.joinpath(FILE).write_text(json.dumps(dump(kept)))
    save(tmp_path, "new", placing)
    found = load(tmp_path)[Faction.OLYMPIANS]
    assert len(found) == MOST
    assert "new" in found
    assert "n0" not in found


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        3,
        {"chthonians": []},
        {"chthonians": {"a": {"zeus": 15}}},
        {"chthonians": {"a": {"hades": 15}}},
        {"chthonians": {"a": {"hades": True}}},
        {"chthonians": {"a": {"hades": 10, "nyx": 10}}},
        {"chthonians": {"\x1b[2J": {"hades": 10}}},
        {"chthonians": {"a": {}}},
    ],
)
def test_what_is_no_setup_is_left_out(found: object) -> None:
    assert of(json.loads(json.dumps(found)))[Faction.CHTHONIANS] == {}


def test_the_last_sealed_setup_is_kept(tmp_path: Path) -> None:
    tui.play(engine.new_game(Terms()), ["random\r", "seal!\r"], folder=tmp_path, most=0)
    found = load(tmp_path)[Faction.CHTHONIANS]
    assert len(found["last"].places) == 9


def test_under_a_passphrase_no_setup_is_kept_that_was_not_asked_to(tmp_path: Path) -> None:
    keyfile.save(Home(tmp_path).key_file, PrivateKey(bytes(32)), b"open sesame")
    book = tmp_path / "x.notes.json"
    lines = ["random\r", "save mine\r", "clear\r", "random\r", "seal!\r"]
    tui.play(engine.new_game(Terms()), lines, folder=tmp_path, most=0, facts={"notes": str(book)})
    assert list(load(tmp_path)[Faction.CHTHONIANS]) == ["mine"]
    assert json.loads(book.read_bytes())["setup"] == []
