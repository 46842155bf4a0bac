"""What a player says of STUN servers and of knocking, on the command line and in the settings."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.app.arguments import make_parser, parse
from cli.app.launch.proposal import listening_of, servers_of
from cli.meeting.reachability import Listening
from cli.runtime.console import UsageError
from cli.storage.home import Home, Preferences, load_preferences, save_preferences


def said(folder: Path, *words: str, settings: Any = None) -> tuple[Home, Namespace]:
    """Return a home with these settings, and the parsed options."""
    if settings is not None:
        (folder / "settings.json").write_text(json.dumps(settings))
    return Home(folder), parse(make_parser(words), words)


@pytest.mark.parametrize("command", ["host", "join", "resume"])
@pytest.mark.parametrize(
    ("words", "settings", "meant"),
    [
        ((), None, Listening()),
        (("--no-knock",), None, Listening(knock=False)),
        (("--guess-ports",), {"guess_ports": False}, Listening(guess=True)),
        (("--no-guess-ports",), {"guess_ports": True}, Listening(guess=False)),
        ((), {"guess_ports": True}, Listening(guess=True)),
        ((), {"guess_ports": "yes", "stun": "a.example:1"}, Listening()),
        (("--no-stun",), {"stun": ["a.example:1"]}, Listening(servers=())),
        (
            ("--stun", "b.example:2", "--stun", "[2a02::1]:3"),
            None,
            Listening(servers=(("b.example", 2), ("2a02::1", 3))),
        ),
        (("--no-stun", "--stun", "b.example:2"), {"stun": []}, Listening(servers=(("b.example", 2),))),
        ((), {"stun": ["a.example:1"]}, Listening(servers=(("a.example", 1),))),
        ((), {"stun": []}, Listening(servers=())),
        ((), {"stun": None}, Listening()),
        (("--announce", "5.6.7.8:9/udp"), None, Listening(announce_udp=(("5.6.7.8", 9),))),
        (("--announce", "[2a02::1]:9/udp"), None, Listening(announce_udp=(("2a02::1", 9),))),
    ],
)
def test_what_was_said_counts_before_what_is_kept(
    command: str, words: Sequence[str], settings: Any, meant: Listening, tmp_path: Path
) -> None:
    assert listening_of(*said(tmp_path, command, *words, settings=settings)) == meant


def test_ports_to_call_and_ports_to_knock_at_are_told_beside_each_other(tmp_path: Path) -> None:
    told = ("--announce", "10.0.0.1:1", "--announce", "5.6.7.8:2/udp", "--announce", "home.example:3")
    found = listening_of(*said(tmp_path, "host", *told))
    assert found.announce == (("10.0.0.1", 1), ("home.example", 3))
    assert found.announce_udp == (("5.6.7.8", 2),)


def test_doctor_asks_the_same_servers(tmp_path: Path) -> None:
    assert servers_of(*said(tmp_path, "doctor")) is None
    assert servers_of(*said(tmp_path, "doctor", "--no-stun")) == ()
    assert servers_of(*said(tmp_path, "doctor", settings={"stun": ["a.example:1"]})) == (("a.example", 1),)


@pytest.mark.parametrize(
    "words",
    [
        ("--stun", "a.example"),
        ("--stun", "a.example:0"),
        ("--stun", "a.example:65536"),
        ("--stun", ":3478"),
        ("--announce", "5.6.7.8/udp"),
        ("--announce", "5.6.7.8:0/udp"),
        ("--announce", "5.6.7.8:9/tcp"),
    ],
)
def test_a_place_that_is_none_is_refused_with_what_was_expected(
    words: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        said(tmp_path, "host", *words)
    assert ended.value.code == 2
    assert f"argument {words[0]}: expected a" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["192.168.0.1:9", "home.example:9", "127.0.0.1:9", "[fe80::1]:9"])
def test_nobody_knocks_at_an_address_that_is_not_of_the_internet(place: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"5\.6\.7\.8:4711/udp"):
        listening_of(*said(tmp_path, "host", "--announce", f"{place}/udp"))


@pytest.mark.parametrize("server", ["a.example", 7, None, "x" * 9000])
def test_a_server_in_the_settings_that_is_none_is_named_and_no_other_asked(server: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"settings\.json, stun: expected an address and a port") as caught:
        listening_of(*said(tmp_path, "host", settings={"stun": ["a.example:1", server]}))
    assert len(str(caught.value)) < 600


def test_what_is_kept_stays_when_the_menu_keeps_something_else(tmp_path: Path) -> None:
    for servers in ((), ("a.example:1",), None):
        save_preferences(tmp_path, Preferences(stun=servers, guess_ports=True), Preferences(stun=("b:1",)))
        save_preferences(tmp_path, Preferences(name="Ann"))
        assert load_preferences(tmp_path) == Preferences("Ann", stun=servers, guess_ports=True)
