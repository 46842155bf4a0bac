"""Setups that are kept and taken again."""

from __future__ import annotations

import io
import json
from pathlib import Path

import helpers_tui as tui
import pytest

from cli.app.main import main
from cli.console.messages import Entered, KeepSetup, Key, Rolled
from cli.match.player import Placed
from cli.runtime.console import Exit
from cli.storage.home import UNREAD, Home
from cli.storm.model import StormScreen
from cli.storm.placing import FILE, MOST, Placing, forget, load, of, save
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
    tmp_path.joinpath(FILE).write_text(json.dumps({"olympians": {f"n{n}": {"zeus": 15} for n in range(MOST)}}))
    save(tmp_path, "new", Placing(Faction.OLYMPIANS, ((15, Unit.ZEUS),)))
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


def test_a_passphrase_takes_away_what_was_kept_unasked_before(
    tmp_path: Path, cheap_locks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Home(tmp_path)
    made.prepare()
    book = made.matches / "x.notes.json"
    lines = ["random\r", "save mine\r", "note 8 Zeus?\r", "seal!\r"]
    tui.play(engine.new_game(Terms()), lines, folder=tmp_path, most=0, facts={"notes": str(book)})
    assert json.loads(book.read_bytes())["setup"]
    for typed, kept in (("\n", ["mine", "last"]), ("secret\n", ["mine"])):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main(["key", "passphrase", "--home", str(tmp_path)]) == Exit.FINE
        assert list(load(tmp_path)[Faction.CHTHONIANS]) == kept
    found = json.loads(book.read_bytes())
    assert found["setup"] == []
    assert found["notes"] == [{"region": 8, "text": "Zeus?"}]


def test_setups_with_a_mistake_of_their_writer_are_put_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"chthonians": {"wall": {"hades": 11},}}')
    save(tmp_path, "mine", Placing(Faction.CHTHONIANS, ((11, Unit.HADES),)))
    assert "wall" in (tmp_path / f"{FILE}{UNREAD}").read_text()
    assert list(load(tmp_path)[Faction.CHTHONIANS]) == ["mine"]


def test_setups_that_cannot_be_read_stay_beside_those_that_can(tmp_path: Path) -> None:
    wrong: dict[str, object] = {"wall": {"hedes": 11}, "last": 3}
    written = {"chthonians": wrong, "giants": {"last": {"kronos": 1}}}
    (tmp_path / FILE).write_text(json.dumps(written))
    save(tmp_path, "mine", Placing(Faction.CHTHONIANS, ((11, Unit.HADES),)))
    found = json.loads((tmp_path / FILE).read_bytes())
    assert found == {**written, "chthonians": {**wrong, "mine": {"hades": 11}}}
    assert list(load(tmp_path)[Faction.CHTHONIANS]) == ["mine"]
    assert not (tmp_path / f"{FILE}{UNREAD}").exists()
    forget(tmp_path, "last")
    kept = {"chthonians": {"wall": {"hedes": 11}, "mine": {"hades": 11}}, "giants": {}}
    assert json.loads((tmp_path / FILE).read_bytes()) == kept


def test_under_a_passphrase_no_setup_is_kept_that_was_not_asked_to(tmp_path: Path) -> None:
    keyfile.save(Home(tmp_path).key_file, PrivateKey(bytes(32)), b"open sesame")
    book = tmp_path / "x.notes.json"
    lines = ["random\r", "save mine\r", "clear\r", "random\r", "seal!\r"]
    tui.play(engine.new_game(Terms()), lines, folder=tmp_path, most=0, facts={"notes": str(book)})
    assert list(load(tmp_path)[Faction.CHTHONIANS]) == ["mine"]
    assert json.loads(book.read_bytes())["setup"] == []
