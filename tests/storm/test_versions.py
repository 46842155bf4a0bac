"""Matches by other rules: words keep nobody apart, rules do, and whoever lacks the rules of a match is told so."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers_storm import STORM, StormPair
from helpers_wire import Pair, configs, identity, shake

from cli import language
from cli.app.main import main
from cli.app.resume import row
from cli.match import stored
from cli.runtime.console import Exit
from cli.storage.home import Home
from protocol import VERSIONS
from protocol.core.agreement import Role
from protocol.core.frames import Entry
from protocol.core.handshake import Agreed
from protocol.record import keyfile, logfile
from protocol.record.journal import Journal
from storm_p2p import games
from storm_p2p.games import STORM as NAME
from storm_p2p.storm.game import Storm
from storm_p2p.storm.units import ROSTER

SEEN_BY_ANOTHER = """
import sys
from dataclasses import replace
from storm_p2p.storm import board, state, units
from storm_p2p.storm.rules import setup
{change}
from protocol.core.audit import verify
from protocol.record import logfile
from storm_p2p import games
log = logfile.load(open(sys.argv[1], "rb").read())
verdict = verify(log.records, games.find, log.trailer)
print(games.find_newest().version, verdict.ok and verdict.audited, *(problem.code for problem in verdict.problems))
"""
"""A program that differs in something, and what it says of a log."""
CARDS_ARE = "units.CARDS = tuple(replace(card, {fields}) for card in units.CARDS)"
WORDS = (
    CARDS_ARE.format(fields='name="eng%d" % card.unit, code="c%02d" % card.unit, text=""')
    + "\nunits.NAME = tuple(card.name for card in units.CARDS)"
)
RULES = {
    "strength": CARDS_ARE.format(fields="strength=card.strength + (card.unit == 23)")
    + "\nunits.STRENGTH = tuple(card.strength for card in units.CARDS)",
    "neighbour": "board.NEIGHBOURS = (*board.NEIGHBOURS[:24], (*board.NEIGHBOURS[24], 22))",
    "start value": "state.START_HONOR = 17",
}


class OldRules(Storm):
    """The rules before these."""

    version = "1-" + "a" * 64  # type: ignore[misc]


class SameNumber(Storm):
    """Rules that somebody has changed without a new number."""

    version = f"{STORM.version.partition('-')[0]}-{'b' * 64}"  # type: ignore[misc]


class Foreign(Storm):
    """Rules with a version that tells people what to do."""

    version = "1;run-this"  # type: ignore[misc]


class OtherGame(Storm):
    """Another game."""

    name = "chess"  # type: ignore[misc]


def pair_of(game: Storm) -> Pair:
    """Return a match by some rules in which both have set up."""
    pair = Pair(game, (0, 0, 0))
    for seat in (0, 1):
        pair.act(seat, None, tuple(map(int, ROSTER[seat])))
    return pair


def log_of(game: Storm, folder: Path) -> str:
    """Return the file with the log of a match by some rules."""
    host = pair_of(game).host
    path = folder / "match.storm"
    path.write_bytes(logfile.dump(host.records, host.seat, host.sign_log))
    return str(path)


def seen_by_another(change: str, log: Path) -> list[str]:
    """Return version and verdict of a program that was changed before it was started."""
    command = [sys.executable, "-c", SEEN_BY_ANOTHER.format(change=change), str(log)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    return done.stdout.split()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a whole match by the present rules."""
    pair = StormPair(tag="versions")
    pair.play_out(3)
    path = tmp_path_factory.mktemp("versions") / "match.storm"
    path.write_bytes(pair.log())
    return path


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Speak English before and after; the folder is an empty one."""
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("STORM_P2P_HOME", str(tmp_path / "home"))
    yield
    language.choose(language.ENGLISH)


# -- what keeps two programs apart ------------------------------------------------------------------------


def test_a_program_with_other_names_and_texts_verifies_the_log_and_meets_the_same_peers(log: Path) -> None:
    version, fine = seen_by_another(WORDS, log)
    assert (version, fine) == (STORM.version, "True")
    renamed = type("Renamed", (Storm,), {"version": version})()
    (host, _), (_, guest) = configs(STORM, (0, 0, 0)), configs(renamed, (0, 0, 0))
    assert all(isinstance(event, Agreed) for event in shake(host, guest)[2])


@pytest.mark.parametrize("what", RULES)
def test_a_program_with_other_rules_does_not_judge_the_log(what: str, log: Path) -> None:
    version, fine, *codes = seen_by_another(RULES[what], log)
    assert version != STORM.version
    assert (fine, codes) == ("False", ["rules_version"])


# -- rules that are not here ------------------------------------------------------------------------------


def test_verify_names_the_rules_of_a_log_that_are_not_here_and_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = log_of(OldRules(), tmp_path)
    assert main(["verify", path]) == Exit.NO
    first, match, problem = capsys.readouterr().out.splitlines()
    assert first == f"{path}: not checked"
    assert match.endswith(": Hanna (Chthonians) against Gustav (Olympians)")
    sentence = (
        "The match was played under rules 1; this program has rules 2. The program that was used then, or one that"
        " still has rules 1, can check and show it."
    )
    assert problem == f"  problem: {sentence}"
    assert main(["verify", "--json", path]) == Exit.NO
    (answer,) = json.loads(capsys.readouterr().out)
    assert (answer["rules"], answer["protocol"]) == (OldRules.version, max(VERSIONS))
    assert [one["seat"] for one in answer["players"]] == ["chthonians", "olympians"]
    assert [(one["code"], one["text"]) for one in answer["problems"]] == [("rules_version", sentence)]
    assert main(["replay", "--text", path]) == Exit.USAGE
    assert capsys.readouterr().err == f"{sentence}\n"
    assert main(["--lang", "de", "verify", path]) == Exit.NO
    assert "wurde nach den Regeln 1 gespielt; dieses Programm hat die Regeln 2" in capsys.readouterr().out


def test_a_log_that_was_changed_is_not_merely_unchecked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host = pair_of(OldRules()).host
    path = tmp_path / "match.storm"
    path.write_bytes(logfile.dump(host.records, 1 - host.seat, host.sign_log))
    assert main(["verify", str(path)]) == Exit.NO
    said = capsys.readouterr().out
    assert said.startswith(f"{path}: damaged: this file proves nothing")
    assert "played under rules 1" in said


def test_rules_with_one_number_are_told_apart_by_their_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", log_of(SameNumber(), tmp_path)]) == Exit.NO
    ours = STORM.version[: STORM.version.index("-") + 9]
    assert f"under rules 2-bbbbbbbb; this program has rules {ours}." in capsys.readouterr().out


@pytest.mark.parametrize("game", [Foreign(), OtherGame()], ids=["rules", "game"])
def test_what_a_stranger_calls_his_game_or_rules_is_not_repeated(
    game: Storm, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", log_of(game, tmp_path)]) == Exit.NO
    said = capsys.readouterr().out
    assert "belongs to another game, or to rules that storm-p2p never had" in said
    assert "run-this" not in said
    assert "chess" not in said


def test_with_the_old_rules_beside_the_new_both_logs_are_checked_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(games.GAMES, NAME, (Storm, OldRules))
    for game in (OldRules(), STORM):
        path = log_of(game, tmp_path)
        assert main(["verify", "--json", path]) == Exit.FINE
        assert json.loads(capsys.readouterr().out)[0]["rules"] == game.version
        assert main(["replay", "--text", path]) == Exit.FINE
        assert "result: not finished" in capsys.readouterr().out


def test_a_stored_match_by_rules_that_are_not_here_is_kept_and_goes_on_with_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    home.prepare()
    keyfile.save(home.key_file, identity("host"))
    pair = pair_of(OldRules())
    config = pair.configs[0]
    with Journal.create(
        home.matches,
        started_at=1_790_000_000,
        role=Role.HOST,
        name="Hanna",
        entropy=config.entropy,
        identity=config.identity,
    ) as book:
        book.meet(pair.host.agreement.match_id, "Gustav")
        book.append([Entry(False, record) for record in pair.host.records])
        local = book.local_id
    before = (home.matches / f"{local}.match").read_bytes()
    for command in ("resume", "export"):
        assert main([command, "--home", str(tmp_path)]) == Exit.NO
        said = capsys.readouterr().err
        assert "This match was begun under rules 1; this program has rules 2. Nothing was changed; the program" in said
    assert (home.matches / f"{local}.match").read_bytes() == before
    (listed,) = stored.unfinished(home)
    assert row(home, listed).endswith("against Gustav")
    monkeypatch.setitem(games.GAMES, NAME, (Storm, OldRules))
    assert row(home, listed).endswith("against Gustav, turn 1")
    assert main(["export", "--home", str(tmp_path)]) == Exit.FINE
