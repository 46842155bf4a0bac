"""A set of cards of one's own: two programs play with it, and their logs need nothing else."""

from __future__ import annotations

import json
import os
import re
import subprocess
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from helpers_processes import Forked, Process, hosting, invite_of

from cli.runtime.console import Exit

FIGHT = ("--game", "fight")
BOT = ("--player", "bot:greedy")


def write_cards(file: Path, title: str = "my copy", more: int = 1) -> Path:
    """Write a set in which heroes strike harder than in the reconstructed one, and all cards are called otherwise."""
    whole: dict[str, Any] = json.loads((resources.files("storm_p2p.fight") / "cards.json").read_bytes())
    whole["set"] = title
    for card in whole["cards"]:
        if card["type"] == "hero":
            card["attack"] += more
        card["name"] = f"{card['name']} the Second"
    file.write_text(json.dumps(whole, indent=1))
    return file


def run(home: Path, *words: str, code: int = 0) -> str:
    """Run a command to its end; return what it prints and says."""
    with Forked(*words, "--home", str(home), stderr=subprocess.PIPE) as program:
        out, err = program.communicate()
    assert program.returncode == code, (program.returncode, out, err)
    return out + err


def join(folder: Path, invite: str, *words: str) -> Process:
    return Process(folder, "join", invite, *BOT, "--patience", "0", *words)


@pytest.mark.long
def test_two_play_with_a_set_are_killed_go_on_without_the_file_and_the_log_alone_proves_it(tmp_path: Path) -> None:
    cards = write_cards(tmp_path / "mine.json")
    with (
        hosting(tmp_path / "a", *FIGHT, *BOT, "--cards", str(cards)) as host,
        join(tmp_path / "b", invite_of(host), "--cards", str(cards)) as guest,
    ):
        guest.until("message", 24)
        host.kill()
        guest.kill()
    cards.unlink()
    # What stands on disk is enough to export, and to go on.
    assert "the Second" in run(tmp_path / "c", "replay", "--text", run(tmp_path / "a", "export").strip())
    with Process(tmp_path / "a", "resume", *BOT) as host, Process(tmp_path / "b", "resume", *BOT) as guest:
        ends = [host.until("over"), guest.until("over")]
        assert [host.wait(), guest.wait()] == [0, 0]
    assert all(end is not None and end["audited"] and end["confirmed"] for end in ends)
    logs = [str(end["log"]) for end in ends if end]
    for more in ((), ("--independent",)):
        (answer,) = json.loads(run(tmp_path / "c", "verify", "--json", *more, logs[0]))
        assert answer["ok"]
        assert answer["audited"]
        assert run(tmp_path / "c", "verify", *more, *logs).count("verified") == 2
    assert all("the Second" in run(tmp_path / "c", "replay", "--text", log) for log in logs)
    assert "own card set" in run(tmp_path / "a", "history")
    assert sum("own card set" in run(tmp_path / "a", "history", "--seat", seat) for seat in ("0", "1")) == 1


@pytest.mark.long
def test_the_computer_plays_with_your_set(tmp_path: Path) -> None:
    cards = write_cards(tmp_path / "mine.json")
    told = run(tmp_path / "a", "play", *FIGHT, *BOT, "--plain", "--cards", str(cards))
    assert "the Second" in told
    assert "opened and checked" in told


@pytest.mark.long
def test_a_match_with_your_set_against_the_computer_goes_on_after_a_crash(tmp_path: Path) -> None:
    cards = write_cards(tmp_path / "mine.json")
    with Process(tmp_path / "a", "play", *FIGHT, *BOT, "--cards", str(cards)) as mine:
        mine.until("message", 12)
        mine.kill()
    cards.unlink()
    with Process(tmp_path / "a", "resume", *BOT) as mine:
        over = mine.until("over")
        assert mine.wait() == 0
    assert over is not None
    assert over["audited"]


@pytest.mark.long
def test_a_rematch_is_played_with_the_same_set(tmp_path: Path) -> None:
    cards = str(write_cards(tmp_path / "mine.json"))
    with (
        hosting(tmp_path / "a", *FIGHT, *BOT, "--cards", cards, "--rematches", "1") as host,
        join(tmp_path / "b", invite_of(host), "--cards", cards, "--rematches", "1") as guest,
    ):
        assert [host.wait(), guest.wait()] == [0, 0]
    logs = sorted(map(str, (tmp_path / "a" / "logs").iterdir()))
    assert len(logs) == 2
    assert run(tmp_path / "c", "verify", *logs).count("verified") == 2
    assert all("the Second" in run(tmp_path / "c", "replay", "--text", log) for log in logs)


@pytest.mark.long
@pytest.mark.parametrize("mine", ["none", "others"])
def test_whoever_joins_with_other_cards_hears_what_to_do(mine: str, tmp_path: Path) -> None:
    cards = write_cards(tmp_path / "mine.json")
    words = () if mine == "none" else ("--cards", str(write_cards(tmp_path / "others.json", more=2)))
    with (
        hosting(tmp_path / "a", *FIGHT, *BOT, "--cards", str(cards)) as host,
        join(tmp_path / "b", invite_of(host), *words) as guest,
    ):
        assert guest.wait() == 3
        # The host waits for the same guest with the right file.
        assert host.until("turned-away") is not None
        assert "join --cards FILE" in guest.errors.read_text()
        assert "join --cards FILE" in host.errors.read_text()
    assert not list((tmp_path / "b" / "matches").glob("*.match"))


@pytest.mark.long
def test_the_cards_of_the_program_may_be_given_as_a_file_too(tmp_path: Path) -> None:
    cards = tmp_path / "copy.json"
    cards.write_bytes((resources.files("storm_p2p.fight") / "cards.json").read_bytes())
    with (
        hosting(tmp_path / "a", *FIGHT, *BOT, "--cards", str(cards)) as host,
        join(tmp_path / "b", invite_of(host)) as guest,
    ):
        assert [host.wait(), guest.wait()] == [0, 0]


@pytest.mark.parametrize("command", [("play",), ("host",), ("join", "INVITE")])
def test_a_file_that_is_no_set_is_refused_with_its_line(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from cli.app.main import main
    from cli.meeting import joining
    from cli.meeting.reachability import LocalEndpoint
    from protocol.transport.certificate import Certificate
    from storm_p2p import games

    def refusal(file: Path, game: str = "fight") -> str:
        called = games.FIGHT if game == "fight" else games.STORM
        endpoint = LocalEndpoint(Certificate.make(), bytes(16), port=4711)
        line = joining.dump_swap([("127.0.0.1", 4711)], endpoint, bytes(32), bytes(16), game=called)
        named = (line if word == "INVITE" else word for word in command)
        chosen = () if "INVITE" in command else ("--game", game)
        assert main([*named, *chosen, *BOT, "--home", str(tmp_path / "a"), "--cards", str(file)]) == 2
        return capsys.readouterr().err

    good = write_cards(tmp_path / "good.json")
    lines = good.read_text().splitlines()
    bad = tmp_path / "bad.json"
    number = next(number for number, line in enumerate(lines) if '"cost"' in line)
    bad.write_text("\n".join([*lines[:number], lines[number].replace('"cost"', '"price"'), *lines[number + 1 :]]))
    said = refusal(bad)
    assert f"{bad}, line" in said
    assert "expected the field 'cost'" in said
    assert "cannot be used" in refusal(tmp_path / "none.json")
    (tmp_path / "large.json").write_bytes(b" " * 300_000)
    assert "expected at most 262144 bytes" in refusal(tmp_path / "large.json")
    (tmp_path / "large.json").write_bytes(b" " * 600_000)
    assert "it is too long" in refusal(tmp_path / "large.json")
    assert f"{tmp_path} cannot be used (it is a folder)" in refusal(tmp_path)
    if hasattr(os, "mkfifo"):
        # Nobody writes into it, so that reading would never end.
        os.mkfifo(tmp_path / "pipe")
        assert "it is a pipe or a device, not a file" in refusal(tmp_path / "pipe")
    assert "--cards is not for Storm over Olympus" in refusal(good, "storm")
    assert not (tmp_path / "a" / "matches").exists()


def test_a_new_set_has_a_comment_on_every_field_is_sound_and_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    run(tmp_path, "cards", "new", str(file))
    made = json.loads(file.read_bytes())

    def fields(value: object) -> set[str]:
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return {*(value if isinstance(value, dict) else ())}.union(*map(fields, parts))

    parts_of_a_selection = {"kind", "side", "place", "other", "equipped", "max_cost", "all"} | {"damaged", "opposite"}
    assert fields(made["cards"]) | {*made} <= made["notice"].keys() | parts_of_a_selection | {"adjacent", "with"}
    assert "can be played" in run(tmp_path, "cards", "check", str(file))
    before = file.read_bytes()
    assert "already exists" in run(tmp_path, "cards", "new", str(file), code=Exit.USAGE)
    assert file.read_bytes() == before
    file.write_bytes(before.replace(b'"colour": "red"', b'"colour": "pink"', 1))
    said = run(tmp_path, "cards", "check", str(file), code=Exit.USAGE)
    assert re.search(r"mine\.json.*\b\d+\b.*'colour'.*'pink'", " ".join(said.split()))
