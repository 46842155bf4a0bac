"""The command ``verify``: both implementations print the same, and two logs of a match name whoever has forged one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from helpers_judging import plain
from helpers_storm import STORM, StormPair
from helpers_wire import flipped, on_a_line

from cli import language
from cli.app.main import main
from cli.text import verdicts
from protocol.core.frames import FrameKind
from protocol.core.session import Session
from protocol.record import logfile
from storm_p2p.storm.state import Terms

EXIT_FINE, EXIT_NO = 0, 1


def verified(
    capsys: pytest.CaptureFixture[str], files: Sequence[Path], *options: str
) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit code of the command, and what it prints."""
    code = main(["verify", "--json", *options, *map(str, files)])
    answers: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return code, answers


def agreed(capsys: pytest.CaptureFixture[str], files: Sequence[Path]) -> tuple[int, list[dict[str, Any]]]:
    """Return what the command says by both implementations; fail unless it is the same."""
    code, answers = verified(capsys, files)
    other, by_hand = verified(capsys, files, "--independent")
    assert (other, [plain(one) for one in by_hand]) == (code, [plain(one) for one in answers])
    # The order of the keys is that of docs/cli.md, also in the objects inside.
    assert json.dumps([plain(one) for one in by_hand]) == json.dumps([plain(one) for one in answers])
    # A person is told something about each problem, by both.
    assert all(one["text"] for answer in (*answers, *by_hand) for one in answer["problems"])
    return code, answers


def forgery(pair: StormPair, seat: int, until: int) -> Session:
    """Return the session of a seat as it was after so many records, with the line of the match."""
    config = pair.configs[seat]
    records = pair.sessions[seat].records[:until]
    return on_a_line(Session(records, STORM, config.identity, config.entropy).restore())


def test_two_logs_name_whoever_has_signed_another_end_in_whatever_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = StormPair(Terms(challenge=-10), tag="forger")
    pair.play_out(1, 8)
    cheat = pair.host.waiting_for
    assert cheat is not None
    before = len(pair.sessions[cheat].records)
    pair.play_out(1)
    forger = forgery(pair, cheat, before)
    # He would rather have given up nothing and moved otherwise; the honest log has what he has signed.
    forger.side_channel.resign()
    honest, forged = tmp_path / "honest.storm", tmp_path / "forged.storm"
    honest.write_bytes(pair.log(1 - cheat))
    forged.write_bytes(logfile.dump(forger.records, cheat, forger.sign_log))
    assert agreed(capsys, [honest])[0] == agreed(capsys, [forged])[0] == EXIT_FINE
    for files in ((honest, forged), (forged, honest)):
        code, answers = agreed(capsys, files)
        assert code == EXIT_NO
        for path, answer in zip(files, answers, strict=True):
            assert (answer["file"], answer["merged"]) == (str(path), [str(one) for one in files])
            assert [(one["code"], one["seat"]) for one in answer["problems"]] == [("backdated", STORM.sides[cheat])]
            assert answer["result"] == {"winner": STORM.sides[1 - cheat], "reason": "forfeit"}
            assert answer["confirmed"]
            assert answer["convicted"] == [STORM.sides[cheat]]
            said = verdicts.words(answer)
            assert f"result: the {STORM.sides[1 - cheat].capitalize()} win: " in said


RESIGNED = "result: the Olympians win: Hanna resigned"


@pytest.mark.parametrize("fault", ["nothing", "repeated", "wrong_kind", "bad_trailer", "bad_signature"])
def test_a_fault_of_the_winners_file_does_not_convict_who_resigned(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = StormPair(tag="resigned")
    pair.play_out(1, 6)
    pair.host.side_channel.resign()
    pair.settle()
    records, sign = list(pair.guest.records), pair.guest.sign_log
    last = records[-1]
    if fault == "repeated":
        records.append(last)
    elif fault == "wrong_kind":
        records[-1] = last._replace(kind=FrameKind.SIDE)
    elif fault == "bad_signature":
        records.append(last._replace(frame=flipped(last.frame, 8 * len(last.frame) - 1)))
    path = tmp_path / "winner.storm"
    path.write_bytes(logfile.dump(records, 1, pair.host.sign_log if fault == "bad_trailer" else sign))
    code, (answer,) = agreed(capsys, [path])
    assert [one["code"] for one in answer["problems"]] == ([] if fault == "nothing" else [fault])
    assert answer["convicted"] == []
    lines = [line.strip() for line in told(capsys, path)]
    assert (code, lines.count(RESIGNED)) == (EXIT_FINE if fault == "nothing" else EXIT_NO, 2)
    assert sum(line.startswith("problem: ") for line in lines) == len(answer["problems"])


def test_what_is_wrong_is_said_in_the_language_of_the_reader_by_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    pair = StormPair(tag="german")
    pair.play_out(1, 6)
    path = tmp_path / "damaged.storm"
    log = bytearray(logfile.dump(pair.guest.records, 1, pair.guest.sign_log))
    log[-100] ^= 1
    path.write_bytes(log)
    try:
        for options in ((), ("--independent",)):
            assert main(["verify", "--lang", "de", *options, str(path)]) == EXIT_NO
            lines = capsys.readouterr().out.splitlines()
            assert "  Problem: die Datei ist nicht so, wie ihr Spieler sie geschrieben hat" in lines
            assert not any("expected" in line or "SPEC" in line or "bad_" in line for line in lines)
    finally:
        language.choose(language.ENGLISH)


def told(capsys: pytest.CaptureFixture[str], path: Path) -> list[str]:
    """Return what a person reads of a file; both what verify says and how a replay ends."""
    main(["verify", str(path)])
    main(["replay", "--text", str(path)])
    return capsys.readouterr().out.splitlines()


@pytest.mark.long
def test_both_print_the_same_of_files_of_every_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = StormPair(Terms(challenge=-12), tag="kinds")
    pair.play_out(2)
    other = StormPair(tag="other", scheme="proved")
    other.play_out(2, 4)
    data = pair.log()
    kinds = {
        "whole": data,
        "other": other.log(1),
        "again": pair.log(1),
        "cut": data[:-1],
        "more": data + b"x",
        "none": b"no log",
        "version": b"storm-p2p log 2\n" + data[16:],
        "later": b"storm-p2p log 99999\n",
        "trailer": flipped(data, 8 * len(data) - 9),
        "frame": flipped(data, 8 * (len(data) // 2)),
        "handshake": flipped(data, 8 * 60),
        "seat": data[:-65] + b"\x05" + data[-64:],
        "empty": b"",
    }
    files = []
    for name, content in kinds.items():
        files.append(tmp_path / f"{name}.storm")
        files[-1].write_bytes(content)
    files.append(tmp_path / "missing.storm")
    _, answers = agreed(capsys, files)
    assert [answer["ok"] for answer in answers] == [True, True, True] + [False] * 11
    together = ("whole", "again", "trailer", "frame", "seat")
    assert answers[0]["merged"] == [str(tmp_path / f"{name}.storm") for name in together]
    for path in files:
        agreed(capsys, [path])


def test_rules_that_are_not_here_are_told_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = StormPair(tag="rules")
    pair.play_out(1, 3)
    path = tmp_path / "rules.storm"
    path.write_bytes(pair.log())
    monkeypatch.setattr("storm_p2p.games.GAMES", {})
    code, (answer,) = agreed(capsys, [path])
    assert (code, [one["code"] for one in answer["problems"]]) == (EXIT_NO, ["rules_version"])
    # What an unknown game calls its seats nobody knows.
    assert [one["seat"] for one in answer["players"]] == ["0", "1"]
