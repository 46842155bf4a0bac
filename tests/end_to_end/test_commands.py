"""The program as people and scripts run it: real matches, real sockets, logs and keys.

The other side is a process of its own; so is ours where a pipe or the start of the program is tested.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers_commands import CONTROL, LOG, TIMEOUT, command, events, finish, hosting, run, run_program, verified

from cli.text import commands


def test_a_match_between_two_computer_players_is_shown_verified_and_audited(tmp_path: Path) -> None:
    words = ("--player", "bot:greedy", "--plain", "--seat", "chthonians")
    done = run_program("play", *words, "--home", str(tmp_path))
    assert "The computer player is starting." in done.stderr
    assert "checked: 9 placements are 9 different units, Zeus among them (proved)" in done.stderr
    assert "Calling" not in done.stderr
    assert not CONTROL.search(done.stdout)
    assert "Everything was opened and checked, and no problem was found." in done.stdout
    log = done.stdout.rsplit("Saved in ", 1)[1].strip()
    answer = verified(log)
    assert answer["ok"] is True
    assert answer["audited"] is True
    assert answer["scheme"] == "proved"
    assert answer["problems"] == []
    assert {player["seat"] for player in answer["players"]} == {"chthonians", "olympians"}
    assert answer["result"]["winner"] in ("chthonians", "olympians", "draw")


def test_host_and_join_report_a_whole_match_in_lines_of_json(tmp_path: Path) -> None:
    words = ("--player", "bot:random", "--random-setup", "--open-combat", "--aids")
    with hosting(tmp_path / "a", *words) as (host, invite):
        joined = run("join", "--player", "bot:greedy", "--json", "--home", str(tmp_path / "b"), text=f'> "{invite}"\n')
        out, err = finish(host)
    assert host.returncode == 0, err
    ours, theirs = events(out), events(joined.stdout)
    assert [event["event"] for event in ours[:2]] == ["listening", "connected"]
    assert ours[1]["words"] == theirs[0]["words"]
    assert [event for event in ours if event["event"] == "message"] == [
        event for event in theirs if event["event"] == "message"
    ]
    assert ours[-1]["result"] == theirs[-1]["result"]
    assert ours[-1]["audited"] is True
    assert verified(ours[-1]["log"])["match"] == verified(theirs[-1]["log"])["match"]
    assert verified(ours[-1]["log"])["aids"] is True


def test_a_guest_chooses_his_side_after_a_challenge(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--player", "bot:random", "--challenge", "-3") as (host, invite):
        joined = run(
            "join", invite, "--player", "bot:random", "--seat", "olympians", "--json", "--home", str(tmp_path / "b")
        )
        finish(host)
    assert "offers: " in joined.stderr, "whoever is not asked reads the terms all the same"
    assert "-3" in joined.stderr
    log = events(joined.stdout)[-1]["log"]
    players = {player["seat"]: player["name"] for player in verified(log)["players"]}
    assert set(players) == {"chthonians", "olympians"}
    text = run("replay", log, "--text", "--view", "all").stdout
    assert "turn 1: Chthonians" in text


def test_a_replay_shows_hidden_units_to_the_views_that_know_them() -> None:
    log = str(LOG)
    public = run("replay", log, "--text").stdout
    ours = run("replay", log, "--text", "--view", "chthonians").stdout
    everything = run("replay", log, "--text", "--view", "all").stdout
    hades, zeus = re.compile(r"Hades \d"), re.compile(r"Zeus \d")
    assert not hades.search(public.split("turn 1:")[0])
    assert hades.search(ours.split("turn 2:")[0])
    assert not zeus.search(ours.split("turn 1:")[0])
    assert zeus.search(everything.split("turn 2:")[0])


def test_what_was_proved_is_said_in_a_line() -> None:
    lines = run("replay", str(LOG), "--text").stdout.splitlines()
    assert "   1  checked: 9 placements are 9 different units, Hades among them (proved)" in lines
    assert "   2  checked: 9 placements are 9 different units, Zeus among them (proved)" in lines


def test_leaving_the_scheme_proved_takes_the_agreement_of_both_to_a_warning(tmp_path: Path) -> None:
    guest = ("--player", "bot:random", "--home", str(tmp_path / "b"))
    with hosting(tmp_path / "a", "--player", "bot:random", "--scheme", "hash") as (host, invite):
        refused = run("join", invite, "--yes", *guest, code=3)
        # The sides are drawn by now: whoever has refused may change his mind, and nobody else can draw again.
        other = ("--player", "bot:random", "--scheme", "hash", "--home", str(tmp_path / "c"))
        assert "only they can use it now" in run("join", invite, *other, code=3).stderr
        joined = run("join", invite, "--scheme", "hash", "--json", *guest)
        out, err = finish(host)
    warning = "found out only when everything is opened at the end"
    assert warning in err
    assert warning in refused.stderr
    assert "storm-p2p join --scheme hash agrees to it" in refused.stderr
    assert err.count("an invite draws the sides only once") == 2
    turned = [line["code"] for line in events(out) if line["event"] == "turned-away"]
    assert turned == ["peer_terms_refused", "lot"]
    log = events(joined.stdout)[-1]["log"]
    assert verified(log)["scheme"] == "hash"
    assert "checked: " not in run("replay", log, "--text").stdout


def test_a_match_that_is_left_is_saved_resumed_and_finished(tmp_path: Path) -> None:
    home = str(tmp_path / "my matches")
    left = run("play", "--plain", "--bot", "random", "--random-setup", "--home", home, text="bye\n", code=4)
    assert not CONTROL.search(left.stdout)
    assert str(Path(home, "matches")) in left.stdout
    # What is printed can be typed as it is.
    assert re.search(f"storm-p2p resume [0-9a-f]{{4}} --home {re.escape(shlex.quote(home))} continues it", left.stdout)
    log = run("export", "--home", home).stdout.strip()
    unfinished = verified(log)
    assert unfinished["ok"] is True
    assert unfinished["audited"] is False
    assert unfinished["result"]["winner"] is None
    done = run("resume", "--player", "bot:random", "--home", home)
    assert "Everything was opened and checked, and no problem was found." in done.stdout


@pytest.mark.long
def test_a_second_guest_with_the_same_invite_is_turned_away_in_words(tmp_path: Path) -> None:
    with (
        hosting(tmp_path / "a", "--player", "bot:greedy") as (_, invite),
        subprocess.Popen(
            command("join", invite, "--plain", "--yes", "--patience", "0", "--home", str(tmp_path / "b")),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as guest,
    ):
        assert guest.stdout is not None
        guest.stdout.readline()
        done = run("join", invite, "--player", "bot:random", "--home", str(tmp_path / "c"), code=3)
        guest.kill()
    said = [line for line in done.stderr.splitlines() if not line.startswith(("127.0.0.1", "Calling"))]
    assert "already used" in said[0]
    assert "storm-p2p resume" in said[0]


@pytest.mark.long
def test_terms_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "terms.json"
    path.write_text('{"open_combat": true, "random_setup": true}', encoding="utf-8")
    with hosting(tmp_path / "a", "--player", "bot:random", "--terms", str(path)) as (host, invite):
        run("join", invite, "--player", "bot:random", "--home", str(tmp_path / "b"))
        out, _ = finish(host)
    assert events(out)[-1]["audited"] is True


def test_a_key_can_be_shown_and_exported_once(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    shown = run("key", "show", "--home", home).stdout.strip()
    assert re.fullmatch("[0-9a-f]{64}", shown)
    assert run("key", "show", "--home", home).stdout.strip() == shown
    key = tmp_path / "home" / "identity.key"
    if os.name == "posix":
        assert key.stat().st_mode & 0o777 == 0o600
        key.chmod(0o644)
        assert "key" in run("key", "show", "--home", home, code=1).stderr


def test_a_key_is_exported_without_a_terminal_and_without_a_warning(tmp_path: Path, cheap_locks: None) -> None:
    home, file = str(tmp_path / "home"), tmp_path / "copy.key"
    shown = run("key", "show", "--home", home).stdout
    printed = run("key", "export", "--home", home)
    assert printed.stdout.startswith("-----BEGIN PRIVATE KEY-----")
    assert "Warning" not in printed.stderr
    run("key", "export", str(file), "--home", home, text="secret\n")
    assert "STORM-P2P LOCKED KEY" in file.read_text()
    plain = tmp_path / "plain.key"
    plain.write_text(printed.stdout)
    other = str(tmp_path / "other")
    run("key", "import", str(plain), "--home", other)
    assert run("key", "show", "--home", other).stdout == shown


def test_a_passphrase_comes_from_the_input_and_its_absence_changes_nothing(tmp_path: Path, cheap_locks: None) -> None:
    home = str(tmp_path / "home")
    run("key", "show", "--home", home)
    key = tmp_path / "home" / "identity.key"
    before = key.read_bytes()
    assert "no line" in run("key", "passphrase", "--home", home, code=2).stderr
    assert key.read_bytes() == before
    run("key", "passphrase", "--home", home, text="secret\n")
    assert b"STORM-P2P LOCKED KEY" in key.read_bytes()


@pytest.mark.parametrize("words", [["key", "show"], ["people", "--json"]])
def test_the_home_is_said_before_the_command_or_behind_it(tmp_path: Path, words: list[str]) -> None:
    home = tmp_path / "home"
    said = run("--home", str(home), *words).stdout
    assert run(*words, "--home", str(home)).stdout == said
    run("--home", str(home), "scenario", "-", text="[]")
    assert "menu" in run("--home", str(home), code=2).stderr


def test_the_newest_log_is_called_last(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert "none here yet" in run("replay", "last", "--home", home, code=2).stderr
    assert "none here yet" in run("verify", "last", "--home", home, code=2).stderr
    (tmp_path / "logs").mkdir()
    shutil.copy(LOG, tmp_path / "logs")
    assert "result: " in run("replay", "last", "--text", "--home", home).stdout
    (answer,) = json.loads(run("verify", "last", "--json", "--home", home).stdout)
    assert answer["ok"]
    assert answer["file"].endswith(".storm")


def test_a_reader_who_has_enough_is_no_error() -> None:
    case = json.dumps([{"turn": "chthonians", "units": {"hades": 10, "zeus": 15}, "legal": True}] * 200)
    with subprocess.Popen(
        command("scenario", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(case)
        process.stdin.close()
        assert process.stdout.readline() == "[\n"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(TIMEOUT) == 0


@pytest.mark.parametrize("words", [("key", "show"), ("key", "export"), ("people", "list", "--json")])
def test_a_reader_who_is_gone_is_no_file_that_cannot_be_used(tmp_path: Path, words: tuple[str, ...]) -> None:
    with subprocess.Popen(
        command(*words, "--home", str(tmp_path)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert "cannot be used" not in process.stderr.read()
        assert process.wait(TIMEOUT) == 0


def test_a_program_of_ones_own_plays_a_whole_match(tmp_path: Path) -> None:
    program = tmp_path / "player.py"
    program.write_text(
        """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["t"] == "hello":
        print(json.dumps({"t": "ready", "name": "first 1"}), flush=True)
    elif asked["t"] == "setup":
        print(json.dumps({"t": "setup", "place": dict(zip(asked["units"], asked["regions"]))}), flush=True)
    elif asked["t"] == "act":
        print(json.dumps({"t": "act", "action": asked["legal"][0]["action"]}), flush=True)
    else:
        break
""",
        encoding="utf-8",
    )
    who = f"exec:{sys.executable} {program}"
    done = run("play", "--player", who, "--bot", "random", "--json", "--home", str(tmp_path / "h"))
    assert events(done.stdout)[-1]["audited"] is True


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("pipx_metadata.json", "{}", "pipx inject storm-p2p 'gacrux<2,>="),
        ("pyvenv.cfg", "home = /usr/bin\nuv = 0.9.1\n", "uv pip install --python /opt/python 'gacrux<2,>="),
        ("pyvenv.cfg", "home = /usr/bin\n", "/opt/python -m pip install 'gacrux<2,>="),
        ("", "", "/opt/python -m pip install 'gacrux<2,>="),
    ],
)
def test_a_missing_library_is_installed_by_what_has_installed_the_program(
    file: str, text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "storm-p2p"
    folder.mkdir()
    if file:
        (folder / file).write_text(text)
    monkeypatch.setattr(sys, "prefix", str(folder))
    monkeypatch.setattr(sys, "executable", "/opt/python")
    assert commands.to_install("tournament").startswith(said)
    assert commands.engine_to_install("gacrux 1.11.65").endswith(" gacrux==1.11.65")
    # An organiser has signed that name.
    for other in ("evil 1.0", "gacrux 1; rm", "gacrux"):
        assert commands.engine_to_install(other) == commands.to_install("tournament")


def test_a_program_without_metadata_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", fail)
    assert commands.to_install("tournament").endswith(" -m pip install '.[tournament]'")
