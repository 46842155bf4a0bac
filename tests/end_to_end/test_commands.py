"""The program as people and scripts run it: real matches, real sockets, and every bad input's sentence.

The other side is a process of its own; so is ours where a signal, a pipe or the start of the program is tested.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT

from cli.app import main as program

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
TIMEOUT = 60
LOG = max(ROOT.glob("tests/logs/*/proved-plain-rules.storm"))
"""A whole match that was kept."""


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "cli.app.main", *words]


def run(*words: str, text: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command within this process, which starts no second Python for it."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))
        try:
            ended = program.main(words)
        except SystemExit as end:
            ended = end.code if isinstance(end.code, int) else 1
    done = subprocess.CompletedProcess(words, ended, out.getvalue(), err.getvalue())
    assert ended == code, done
    return done


def run_program(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a program of its own."""
    done = subprocess.run(command(*words), input="", capture_output=True, text=True, timeout=TIMEOUT, check=True)
    assert "Traceback" not in done.stderr
    return done


@contextmanager
def hosting(home: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a host and yield its process and its invite."""
    always = ["host", "--home", str(home), "--bind", "127.0.0.1", "--port", "0", "--json", "--patience", "0"]
    with subprocess.Popen(
        command(*always, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, str(json.loads(process.stdout.readline())["invite"])
        finally:
            process.kill()


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return what is left of a process's output; ``communicate`` would lose what ``readline`` has read ahead."""
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = process.stdout.read(), process.stderr.read()
    process.wait(timeout=TIMEOUT)
    return out, err


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def verified(path: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = json.loads(run("verify", "--json", path).stdout)
    return found[0]


def test_a_match_between_two_computer_players_is_shown_verified_and_audited(tmp_path: Path) -> None:
    done = run_program("play", "--player", "bot:greedy", "--plain", "--home", str(tmp_path))
    assert "The computer player is starting." in done.stderr
    assert "Calling" not in done.stderr
    assert not CONTROL.search(done.stdout)
    assert "Every hidden unit was opened and checked." in done.stdout
    log = done.stdout.rsplit("Saved in ", 1)[1].strip()
    answer = verified(log)
    assert answer["ok"] is True
    assert answer["audited"] is True
    assert answer["scheme"] == "proved"
    assert answer["problems"] == []
    assert {player["seat"] for player in answer["players"]} == {"chthonians", "olympians"}
    assert answer["result"]["winner"] in ("chthonians", "olympians", "draw")


def test_host_and_join_report_a_whole_match_in_lines_of_json(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--player", "bot:random", "--random-setup", "--open-combat") as (host, invite):
        joined = run(
            "join", "--player", "bot:greedy", "--json", "--home", str(tmp_path / "b"), text=f'> "{invite}"\n'
        )
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


def test_a_guest_chooses_his_side_after_a_challenge(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--player", "bot:random", "--challenge", "-3") as (host, invite):
        joined = run(
            "join", invite, "--player", "bot:random", "--seat", "olympians", "--json", "--home", str(tmp_path / "b")
        )
        finish(host)
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


def test_what_was_proved_is_said_in_a_line(tmp_path: Path) -> None:
    done = run("play", "--player", "bot:random", "--bot", "random", "--seat", "chthonians", "--home", str(tmp_path))
    assert "checked: 9 placements are 9 different units, Zeus among them (proved)" in done.stderr
    log = done.stdout.rsplit("Saved in ", 1)[1].strip()
    lines = run("replay", log, "--text").stdout.splitlines()
    assert "   1  checked: 9 placements are 9 different units, Hades among them (proved)" in lines
    assert "   2  checked: 9 placements are 9 different units, Zeus among them (proved)" in lines


def test_leaving_the_scheme_proved_takes_the_agreement_of_both_to_a_warning(tmp_path: Path) -> None:
    host_words = ("--player", "bot:random", "--scheme", "hash")
    with hosting(tmp_path / "a", *host_words) as (host, invite):
        refused = run("join", invite, "--player", "bot:random", "--yes", "--home", str(tmp_path / "b"), code=3)
        _, err = finish(host)
    assert "found out only when everything is opened at the end" in err
    assert "found out only when everything is opened at the end" in refused.stderr
    assert "storm-p2p join --scheme hash agrees to it" in refused.stderr
    with hosting(tmp_path / "c", *host_words) as (host, invite):
        joined = run(
            "join", invite, "--player", "bot:random", "--scheme", "hash", "--json", "--home", str(tmp_path / "d")
        )
        finish(host)
    log = events(joined.stdout)[-1]["log"]
    assert verified(log)["scheme"] == "hash"
    assert "checked: " not in run("replay", log, "--text").stdout


def test_a_match_that_is_left_is_saved_resumed_and_finished(tmp_path: Path) -> None:
    home = str(tmp_path)
    left = run("play", "--plain", "--random-setup", "--home", home, text="bye\n", code=4)
    assert not CONTROL.search(left.stdout)
    assert str(tmp_path / "matches") in left.stdout
    log = run("export", "--home", home).stdout.strip()
    unfinished = verified(log)
    assert unfinished["ok"] is True
    assert unfinished["audited"] is False
    assert unfinished["result"]["winner"] is None
    done = run("resume", "--player", "bot:greedy", "--home", home)
    assert "Every hidden unit was opened and checked." in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_killed_opponent_leaves_a_saved_match_and_a_sentence(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--player", "bot:greedy") as (host, invite):
        with subprocess.Popen(
            command("join", invite, "--plain", "--yes", "--patience", "0", "--home", str(tmp_path / "b")),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as guest:  # fmt: skip
            assert guest.stdin is not None
            assert host.stdout is not None
            guest.stdin.write("random\nseal!\n")
            guest.stdin.flush()
            # The first line of a match has 20 seconds to come; it is there when both have heard of each other.
            setups = 0
            while setups < 2:
                setups += json.loads(host.stdout.readline())["event"] == "message"
            host.send_signal(signal.SIGKILL)
            out, err = finish(guest)
        assert guest.returncode == 4, (out, err)
        assert "saved" in out + err
        assert "Traceback" not in err


@pytest.mark.parametrize("words", [("host",), ("resume", "last")])
def test_what_a_person_types_is_not_taken_for_its_end_alone(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*words, "--end-with-input", "--plain", "--home", str(tmp_path), code=2)
    assert "same input" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_host_that_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    with subprocess.Popen(
        command("host", "--home", str(tmp_path), "--bind", "127.0.0.1", "--player", "bot:random", "--json",
                "--end-with-input"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["event"] == "invite"
        process.stdin.close()
        out, err = finish(process)
        # Before a match there is nothing to save, and the polite kill does what it does to any program.
        assert process.returncode in (4, signal.SIGTERM, -signal.SIGTERM), (out, err)
        assert "Traceback" not in err


def test_ctrl_c_while_waiting_says_so_and_ends_with_130(tmp_path: Path) -> None:
    with hosting(tmp_path, "--player", "bot:greedy") as (host, _):
        host.send_signal(signal.SIGINT)
        _, err = finish(host)
        assert host.returncode == 130
        assert "Interrupted" in err


SILENT = """
import sys
for line in sys.stdin:
    if '"hello"' in line:
        print('{"t": "ready", "name": "silent"}', flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("player", "name", "code"),
    [
        pytest.param(player, name, 130 if name == "SIGINT" else 4, marks=[] if daily else pytest.mark.long)
        for daily, player, name in (
            (True, "human", "SIGINT"), (True, "bot", "SIGTERM"), (True, "exec", "SIGHUP"),
            (False, "human", "SIGTERM"), (False, "human", "SIGHUP"), (False, "bot", "SIGINT"),
            (False, "bot", "SIGHUP"), (False, "exec", "SIGINT"), (False, "exec", "SIGTERM"),
        )
    ],
)  # fmt: skip
def test_a_signal_in_the_middle_leaves_a_saved_match(tmp_path: Path, player: str, name: str, code: int) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text(SILENT)
    # A host who never answers keeps the match in its middle.
    never = f"exec:{shlex.join((sys.executable, str(silent)))}"
    who = {"human": ["--plain"], "bot": ["--player", "bot:greedy", "--json"], "exec": ["--player", never, "--json"]}
    with hosting(tmp_path / "a", "--player", never) as (_, invite):
        with subprocess.Popen(
            command("join", invite, *who[player], "--yes", "--home", str(tmp_path / "b")),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as guest:  # fmt: skip
            assert guest.stdout is not None
            guest.stdout.readline()
            guest.send_signal(getattr(signal, name))
            guest.wait(timeout=TIMEOUT)
            assert guest.stderr is not None
            err = guest.stderr.read()
        assert guest.returncode == code, err
        assert "Traceback" not in err
    assert [path for path in (tmp_path / "b" / "matches").iterdir() if path.stat().st_size]


def test_a_port_in_use_has_its_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run(
            "host", "--bind", "127.0.0.1", "--port", port, "--player", "bot:random", "--home", str(tmp_path), code=2
        )
    assert "in use" in done.stderr


@pytest.mark.parametrize("text", ["hello", "SOO1-ABCDEFGH", "SOO9-AAAA", ""])
def test_a_wrong_invite_has_its_sentence(tmp_path: Path, text: str) -> None:
    done = run("join", "--player", "bot:random", "--home", str(tmp_path), text=text + "\n", code=2)
    assert "invite" in done.stderr.lower()


def test_an_invite_whose_host_is_gone_ends_without_a_connection(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--player", "bot:random") as (host, invite):
        host.kill()
        host.wait()
        done = run("join", invite, "--player", "bot:random", "--home", str(tmp_path / "b"), code=3)
    assert "could not be reached" in done.stderr


def test_a_second_guest_with_the_same_invite_is_turned_away_in_words(tmp_path: Path) -> None:
    with (
        hosting(tmp_path / "a", "--player", "bot:greedy") as (_, invite),
        subprocess.Popen(
            command("join", invite, "--plain", "--yes", "--patience", "0", "--home", str(tmp_path / "b")),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        ) as guest,
    ):  # fmt: skip
        assert guest.stdout is not None
        guest.stdout.readline()
        done = run("join", invite, "--player", "bot:random", "--home", str(tmp_path / "c"), code=3)
        guest.kill()
    said = [line for line in done.stderr.splitlines() if not line.startswith(("127.0.0.1", "Calling"))]
    assert "already used" in said[0]
    assert "storm-p2p resume" in said[0]


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\u202eb", "x\u200by", "", "n" * 200])
def test_a_name_with_control_characters_has_its_sentence(tmp_path: Path, name: str) -> None:
    done = run("host", "--player", "bot:random", "--name", name, "--home", str(tmp_path), "--bind", "127.0.0.1", code=2)
    assert "name" in done.stderr
    assert not CONTROL.search(done.stderr)


@pytest.mark.parametrize("who", ["nobody", "bot:", "bot:hal", "exec:", "exec:'open"])
def test_an_unknown_player_has_its_sentence(tmp_path: Path, who: str) -> None:
    done = run("play", "--player", who, "--home", str(tmp_path), code=2)
    assert "expected" in done.stderr.lower()


def test_a_file_that_is_no_log_has_its_sentence(tmp_path: Path) -> None:
    for number, data in enumerate((b"", b"hello", b"\x00" * 100, b"storm-p2p log 1\n" + b"\xff" * 500)):
        path = tmp_path / f"{number}.storm"
        path.write_bytes(data)
        assert "NOT verified" in run("verify", str(path), code=2).stdout
        assert run("replay", str(path), "--text", code=2).stderr.strip()
    missing = run("verify", str(tmp_path / "none.storm"), code=2)
    assert "NOT verified" in missing.stdout


def test_a_changed_log_does_not_verify_and_the_reason_is_named(tmp_path: Path) -> None:
    data = bytearray(LOG.read_bytes())
    data[len(data) // 2] ^= 4
    log = tmp_path / LOG.name
    log.write_bytes(bytes(data))
    answer = json.loads(run("verify", "--json", str(log), code=1).stdout)[0]
    assert answer["ok"] is False
    assert answer["problems"][0]["text"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--challenge", "-16"], "terms"),
        (["--terms", "nowhere.json"], "terms cannot be read from nowhere.json"),
        (["--challenge", "1000"], "terms"),
    ],
    ids=["honor", "file", "big"],
)
def test_terms_that_cannot_be_played_have_their_sentence(tmp_path: Path, words: list[str], said: str) -> None:
    done = run("host", *words, "--player", "bot:random", "--home", str(tmp_path), code=2)
    assert said in done.stderr


@pytest.mark.parametrize("what", ["play", "host"])
@pytest.mark.parametrize(
    ("words", "least"),
    [(["--challenge=-20"], "-15"), (["--challenge=101"], "-15"), (["--challenge=-10", "--open-combat"], "-9")],
    ids=["little", "much", "open combat"],
)
def test_a_challenge_out_of_range_is_refused_with_its_range(
    tmp_path: Path, what: str, words: list[str], least: str
) -> None:
    done = run(what, *words, "--player", "bot:random", "--home", str(tmp_path), code=2)
    assert f"can be {least} to 100; got {words[0].partition('=')[2]}." in done.stderr
    assert done.stderr.count("\n") == 1


def test_terms_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "terms.json"
    path.write_text('{"open_combat": true, "random_setup": true}', encoding="utf-8")
    with hosting(tmp_path / "a", "--player", "bot:random", "--terms", str(path)) as (host, invite):
        run("join", invite, "--player", "bot:random", "--home", str(tmp_path / "b"))
        out, _ = finish(host)
    assert events(out)[-1]["audited"] is True


def test_a_home_that_cannot_be_used_has_its_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("here", encoding="utf-8")
    done = run("host", "--player", "bot:random", "--home", str(blocked / "home"), "--bind", "127.0.0.1", code=2)
    assert "cannot be used" in done.stderr


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


def test_a_key_is_exported_without_a_terminal_and_without_a_warning(tmp_path: Path) -> None:
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


def test_a_passphrase_comes_from_the_input_and_its_absence_changes_nothing(tmp_path: Path) -> None:
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


@pytest.mark.skipif(os.name != "posix", reason="such names exist on POSIX only")
@pytest.mark.parametrize("content", [None, b"no such thing", b"7", b'{"\x1b": 1}'])
@pytest.mark.parametrize(
    "words",
    [("scenario",), ("verify",), ("verify", "--json"), ("replay", "--text"), ("key", "import"), ("key", "export"),
     ("host", "--terms")],
)  # fmt: skip
def test_no_control_character_of_a_files_name_is_printed(
    words: tuple[str, ...], content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "\x1b[2J\x07\u202ex\x9b31m"
    if content is not None:
        file.write_bytes(content)
    program.main([*words, str(file), "--home", str(tmp_path / "home")])
    said = capsys.readouterr()
    assert said.out + said.err
    for line in (said.out + said.err).split("\n"):
        assert line.isprintable(), (words, line)


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


def test_wrong_words_end_with_2() -> None:
    assert run("nonsense", code=2).stderr
    assert run("host", "--port", "99999", code=2).stderr
    assert run("verify", code=2).stderr


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
