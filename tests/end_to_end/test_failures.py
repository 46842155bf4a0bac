"""Every way in which a match does not come about has its sentence, and no code of a program reaches the screen."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import nacl
import pytest
from nacl import bindings

from cli import main as program
from cli.process.console import Exit
from cli.text import failures
from protocol.commitments import group
from protocol.handshake import HandshakeFailed

CODES = (
    "wrong_secret", "rules", "game", "version", "scheme", "wrong_identity", "bad_name", "bad_key", "bad_signature",
    "terms_refused", "bad_terms", "channel", "mirror", "terms", "out_of_order", "wrong_role", "no_terms", "bad_frame",
    "wrong_coin", "bad_seat", "changed_key",
)  # fmt: skip
RAW = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\b(?:bad|wrong)-[a-z]+\b")


@pytest.mark.parametrize("code", CODES)
def test_a_failed_handshake_has_a_sentence_without_its_code(code: str) -> None:
    for said in (code, f"peer_{code}"):
        words = failures.handshake(HandshakeFailed(said, "one value", f"{code}: another"))
        assert words.endswith(".")
        assert not RAW.search(words.replace(f"{code}: another", "")), words


def test_a_failed_handshake_names_both_values_where_they_matter() -> None:
    words = failures.handshake(HandshakeFailed("rules", "1-aaaa", "1-bbbb"))
    assert "1-aaaa" in words
    assert "1-bbbb" in words
    told = failures.handshake(HandshakeFailed("peer_rules", "agreement", "rules: 1-aaaa"))
    assert "1-aaaa" in told


def test_values_of_the_other_side_reach_the_screen_clean() -> None:
    words = failures.handshake(HandshakeFailed("bad_name", "a name", "\x1b[2Jboo\u202e"))
    assert "\x1b" not in words
    assert "\u202e" not in words


def test_a_lost_line_and_an_unknown_code_have_sentences() -> None:
    assert failures.handshake(None).endswith(".")
    assert failures.sentence("never-heard-of", "expected a, got b") == "Expected a, got b."
    assert failures.sentence("never-heard-of", "") == "Something went wrong."


def test_two_programs_with_different_rules_print_both_hashes_and_play_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [
            sys.executable, "-m", "cli.main", "host", "--home", str(tmp_path / "a"), "--bind", "127.0.0.1", "--json",
            "--player", "bot:random",
        ],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as host:  # fmt: skip
        assert host.stdout is not None
        assert host.stderr is not None
        invite = json.loads(host.stdout.readline())["invite"]
        code = (
            "import sys; from storm_p2p.game import Storm; Storm.version = '1-' + 'f' * 64;"
            "from cli.main import main; sys.exit(main(sys.argv[1:]))"
        )
        guest = subprocess.run(
            [sys.executable, "-c", code, "join", invite, "--player", "bot:random", "--home", str(tmp_path / "b")],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        said = host.stderr.read()
        host.wait(timeout=60)
    assert (guest.returncode, host.returncode) == (3, 3)
    for text in (guest.stderr, said):
        assert "different rules" in text
        assert "1-ffff" in text
    assert not list((tmp_path / "a" / "matches").glob("*.match"))
    assert not list((tmp_path / "b" / "matches").glob("*.match"))


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
            assert program.main([*words, *home]) == Exit.USAGE
            said = capsys.readouterr().err
            assert "pip install" in said
            assert ("older than 1.6.2" in said) is right
    finally:
        group.require.cache_clear()
