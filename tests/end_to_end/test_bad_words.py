"""What a person types wrong, or gives as a file that cannot be used, has its sentence."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest
from helpers_commands import CONTROL, LOG, hosting, run

from cli.app import main


@pytest.mark.parametrize("words", [("host",), ("resume", "last")])
def test_what_a_person_types_is_not_taken_for_its_end_alone(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*words, "--end-with-input", "--plain", "--home", str(tmp_path), code=2)
    assert "same input" in done.stderr


def test_a_port_in_use_has_its_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run(
            "host", "--bind", "127.0.0.1", "--port", port, "--player", "bot:random", "--home", str(tmp_path), code=2
        )
    assert "in use" in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "There is no invite"),
        ("SOO2-ABCDEFGH", "The line is damaged"),
        ("SOO1-AAAA", "an older storm-p2p"),
        ("SOO9-AAAA", "a newer storm-p2p"),
        ("", "There is no invite"),
    ],
)
def test_a_wrong_invite_has_its_sentence(tmp_path: Path, text: str, said: str) -> None:
    done = run("join", "--player", "bot:random", "--home", str(tmp_path), text=text + "\n", code=2)
    assert said in done.stderr


def test_an_invite_whose_host_is_gone_ends_without_a_connection(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--player", "bot:random") as (host, invite):
        host.kill()
        host.wait()
        done = run("join", invite, "--player", "bot:random", "--home", str(tmp_path / "b"), code=3)
    assert "could not be reached" in done.stderr


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\u202eb", "x\u200by", "", "n" * 200])
def test_a_name_with_control_characters_has_its_sentence(tmp_path: Path, name: str) -> None:
    done = run("host", "--player", "bot:random", "--name", name, "--home", str(tmp_path), "--bind", "127.0.0.1", code=2)
    assert "name" in done.stderr
    assert not CONTROL.search(done.stderr)


@pytest.mark.parametrize("who", ["nobody", "bot:", "bot:hal", "exec:", "exec:'open"])
def test_an_unknown_player_has_its_sentence(tmp_path: Path, who: str) -> None:
    done = run("play", "--player", who, "--home", str(tmp_path), code=2)
    sentence = "expected a command" if "'" in who else f"There is no player {who!r}: choose human"
    assert sentence in done.stderr


def test_the_name_of_an_unknown_player_is_cut(tmp_path: Path) -> None:
    for words in (["--player", "bot:" + 9000 * "x"], ["--bot", 9000 * "x"]):
        assert len(run("play", *words, "--home", str(tmp_path), code=2).stderr) < 200


def test_a_file_that_is_no_log_has_its_sentence(tmp_path: Path) -> None:
    for number, data in enumerate((b"", b"hello", b"\x00" * 100, b"storm-p2p log 1\n" + b"\xff" * 500)):
        path = tmp_path / f"{number}.storm"
        path.write_bytes(data)
        assert "not checked" in run("verify", str(path), code=2).stdout
        assert run("replay", str(path), "--text", code=2).stderr.strip()
    missing = run("verify", str(tmp_path / "none.storm"), code=2)
    assert "not checked" in missing.stdout


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
        (["--terms", "nowhere.json"], "nowhere.json cannot be used"),
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


def test_a_home_that_cannot_be_used_has_its_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("here", encoding="utf-8")
    done = run("host", "--player", "bot:random", "--home", str(blocked / "home"), "--bind", "127.0.0.1", code=2)
    assert "cannot be used" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="such names exist on POSIX only")
@pytest.mark.parametrize("content", [None, b"no such thing", b"7", b'{"\x1b": 1}'])
@pytest.mark.parametrize(
    "words",
    [
        ("scenario",),
        ("verify",),
        ("verify", "--json"),
        ("replay", "--text"),
        ("key", "import"),
        ("key", "export"),
        ("host", "--terms"),
    ],
)
def test_no_control_character_of_a_files_name_is_printed(
    words: tuple[str, ...], content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "\x1b[2J\x07\u202ex\x9b31m"
    if content is not None:
        file.write_bytes(content)
    main.main([*words, str(file), "--home", str(tmp_path / "home")])
    said = capsys.readouterr()
    assert said.out + said.err
    for line in (said.out + said.err).split("\n"):
        assert line.isprintable(), (words, line)


def test_wrong_words_end_with_2() -> None:
    assert run("nonsense", code=2).stderr
    assert run("host", "--port", "99999", code=2).stderr
    assert run("verify", code=2).stderr


def test_a_folder_whose_name_no_system_takes_has_its_sentence() -> None:
    said = run("key", "show", "--home", 300 * "l", "--lang", "en", code=2).stderr
    assert said.endswith(" cannot be used (its name is too long).\n")


@pytest.mark.parametrize("end", [b"\n", b"\xff\x00\x01x", bytes(12 << 20)], ids=["more", "trailer", "long"])
def test_a_log_with_something_behind_it_is_told_in_words_for_people(tmp_path: Path, end: bytes) -> None:
    file = tmp_path / "a.storm"
    file.write_bytes((LOG.read_bytes()[:-68] if end[0] == 255 else LOG.read_bytes()) + end)
    for words in (["verify"], ["verify", "--independent"], ["replay", "--text"]):
        done = run(*words, str(file), code=2 if "replay" in words else 1)
        assert "xpected" not in done.stdout + done.stderr
        assert ("longer than any log" if len(end) > 9 else "damaged or changed") in done.stdout + done.stderr


def test_a_log_that_goes_wrong_is_replayed_so_far_and_says_so_in_words_for_people(tmp_path: Path) -> None:
    data = LOG.read_bytes()
    begins = "cannot be shown: the beginning of the match is damaged or was made up."
    for at, code, said in ((300, 2, begins), (-900, 0, "goes wrong here: neither player has signed this message.")):
        file = tmp_path / f"{at}.storm"
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at:][1:])
        assert said in run("replay", str(file), "--text", code=code).stderr
