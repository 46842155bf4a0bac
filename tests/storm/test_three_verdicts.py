"""What somebody who knows neither player reads in a log of Storm: verified, a named cheat, or a damaged file."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from helpers_storm import SEATS, StormPair, setup
from helpers_wire import Cheat, entropy, flipped

from cli import language
from cli.app.main import main
from cli.language import ENGLISH, GERMAN
from cli.match.player import Ended, Ending, MatchEvent, Seated
from cli.runtime.console import Exit
from cli.storm.players import RobotPlayer, StormParticipant
from cli.text import verdicts
from protocol.archive.parts import Standing, _weigh_alone
from protocol.archive.row import row
from protocol.core.steps import Choice
from protocol.record import logfile
from storm.cheats import covered, give_up, go, group_at_11, seated, shuffled
from storm_p2p import games
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Liturgy, Move
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots import BOTS

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)


@pytest.fixture(params=[ENGLISH, GERMAN])
def speech(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let the program speak a language."""
    monkeypatch.setenv("LANGUAGE", request.param)
    yield request.param
    language.choose(ENGLISH)


def said(data: bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, dict[str, Any]]:
    """Return the exit code for a file, the words without its name, and the JSON; both implementations say the same."""
    path = folder / "match.storm"
    path.write_bytes(data)
    code = main(["verify", str(path)])
    words = capsys.readouterr().out.removeprefix(f"{path}: ")
    assert main(["verify", "--independent", str(path)]) == code
    second = capsys.readouterr().out.removeprefix(f"{path}: ")
    assert second.splitlines()[0] == words.splitlines()[0]
    assert [str(verdicts.BY_SECOND) in said for said in (words, second)] == [False, True]
    assert main(["verify", "--json", str(path)]) == code
    (answer,) = json.loads(capsys.readouterr().out)
    return code, words, answer


def foreign(scheme: str, *cheats: int) -> StormPair:
    """Return a match after its setup in which some seats hide under another seed."""
    pair = StormPair(tag=f"foreign {cheats}", scheme=scheme)
    for seat in cheats:
        Cheat(pair, seat).hide_under(entropy("foreign"))
    pair.place(setup(C), setup(O))
    return pair


@pytest.mark.parametrize("scheme", ["hash", "proved"])
@pytest.mark.parametrize("loser", [0, 1])
def test_the_log_of_a_cheat_is_headed_by_what_they_did(
    scheme: str, loser: int, speech: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = foreign(scheme, 0)
    give_up(pair, loser)
    for seat in (0, 1):
        code, words, answer = said(pair.log(seat), tmp_path, capsys)
        assert (code, answer["verdict"], answer["ok"], answer["convicted"]) == (Exit.NO, "convicted", True, [SEATS[0]])
        assert answer["result"] == {"winner": SEATS[1], "reason": "forfeit"}
        name = answer["players"][0]["name"]
        head = {
            ENGLISH: f"verified: {name} (Chthonians) cheated: hid something that does not come from the secret they"
            " had committed to (message 1)",
            GERMAN: f"geprüft: {name} (Chthonier) hat betrogen: etwas verdeckt, das nicht aus dem festgelegten"
            " Geheimnis stammt (Nachricht 1)",
        }[speech]
        assert answer["problems"][0]["batch"] == {"due": [*range(12)], "held": [[]]}
        assert words.splitlines()[0] == head
        found = row(pair.log(seat), games.find)
        assert (found.ok, found.convicted, found.problems) == (True, (0,), ("batch_not_derived",))
        assert (found.winner, found.confirmed) == (SEATS[1], True)
        assert _weigh_alone(*(getattr(found, name) for name in WEIGHED)) is None


WEIGHED = ("ok", "winner", "reason", "confirmed", "audited", "scheme", "convicted")


class Overheard(RobotPlayer):
    """A player who keeps what they are told at the end."""

    problems: tuple[str, ...] = ()

    def tell(self, event: MatchEvent) -> None:
        if isinstance(event, Ended):
            self.problems = event.ending.problems


ZEUSES = [12, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
OWN, THEIRS = [*range(12)], [*range(12, 24)]
NOT_THEIRS = 65535


@pytest.mark.parametrize(("seat", "hidden", "held", "words"), [
    (1, ZEUSES, ZEUSES, ("placed two Zeuses", "zweimal Zeus aufgestellt")),
    (0, [*OWN[:11], 8], [*OWN[:9], 8, 9, 10], ("placed two Harpies", "zweimal Harpyien aufgestellt")),
    (0, [0] * 12, [0] * 12, ("placed 12 Hadeses", "12 Hades aufgestellt")),
    (1, [0, *THEIRS[1:]], [0, *THEIRS[1:]], ("placed the enemy's Hades", "Hades des Gegners aufgestellt")),
    (0, [*OWN[:11], 24], [*OWN[:11], 24],
        ("placed something that is not a unit", "etwas, das keine Einheit ist, aufgestellt")),
    (0, [*OWN[:11], NOT_THEIRS], OWN[:11],
        ("placed a unit that does not come from the secret they had committed to",
         "eine Einheit, die nicht aus dem festgelegten Geheimnis stammt, aufgestellt")),
    (1, [12, 12, 12, *THEIRS[3:10], NOT_THEIRS, NOT_THEIRS], [12, 12, 12, *THEIRS[3:10]],
        ("placed 3 Zeuses and 2 units that do not come from the secret they had committed to",
         "3 Zeus und 2 Einheiten, die nicht aus dem festgelegten Geheimnis stammen, aufgestellt")),
])  # fmt: skip
def test_a_false_setup_is_named_by_its_units(
    seat: int,
    hidden: list[int],
    held: list[int],
    words: tuple[str, str],
    speech: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pair = StormPair(tag="false setup")
    if seat:
        pair.act(0, None, tuple(map(int, setup(C))))
    cheat = Cheat(pair, seat)
    cheat.go_quiet()
    go(cheat, covered(cheat, hidden))
    if not seat:
        pair.act(1, None, tuple(map(int, setup(O))))
    give_up(pair, seat)
    told = tells(pair, tmp_path, capsys, speech, words)
    assert told == {"due": THEIRS if seat else OWN, "held": [sorted(held)]}


@pytest.mark.parametrize(("moved", "stayed", "held", "words"), [
    (2, 2, [[2], [2]], ("kept Cerberus on both sides when dividing a group",
                        "beim Teilen einer Gruppe Zerberus auf beiden Seiten behalten")),
    (10, 3, [[10], [3]], ("swapped Cerberus for Charon when dividing a group",
                          "beim Teilen einer Gruppe Zerberus gegen Charon getauscht")),
    (2, 12, [[2], [12]], ("swapped Cronus for the enemy's Zeus when dividing a group",
                          "beim Teilen einer Gruppe Kronos gegen Zeus des Gegners getauscht")),
    (0, NOT_THEIRS, [[0], []], (
        "put Hades and a unit that does not come from the secret they had committed to into a divided group",
        "Hades und eine Einheit, die nicht aus dem festgelegten Geheimnis stammt, in eine geteilte Gruppe gesteckt")),
    (NOT_THEIRS, NOT_THEIRS, [[], []], (
        "hid something that does not come from the secret they had committed to",
        "etwas verdeckt, das nicht aus dem festgelegten Geheimnis stammt")),
])  # fmt: skip
def test_a_falsely_divided_group_is_named_by_its_units(
    moved: int,
    stayed: int,
    held: list[list[int]],
    words: tuple[str, str],
    speech: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pair = group_at_11("falsely divided")
    cheat = Cheat(pair, 0)
    steps = shuffled(cheat, codec.encode(Move((11, 12), (), 1)), [moved], [stayed])
    cheat.go_quiet()
    go(cheat, *steps)
    give_up(pair, 1)
    assert tells(pair, tmp_path, capsys, speech, words) == {"due": [2, 3], "held": held}


def tells(
    pair: StormPair, folder: Path, capsys: pytest.CaptureFixture[str], speech: str, words: tuple[str, str]
) -> object:
    """Return the false batch that a log convicts by; check that its head and its problem say it in these words."""
    code, told, answer = said(pair.log(0), folder, capsys)
    (problem,) = answer["problems"]
    cheat = next(one["name"] for one in answer["players"] if one["seat"] == problem["seat"])
    head, *lines = told.splitlines()
    verb, message = {ENGLISH: ("cheated", "message"), GERMAN: ("hat betrogen", "Nachricht")}[speech]
    done = words[speech == GERMAN]
    assert (code, answer["verdict"], problem["code"]) == (Exit.NO, "convicted", "batch_not_derived")
    assert f"{cheat} (" in head
    assert head.endswith(f" {verb}: {done} ({message} {problem['seq']})")
    assert lines[-1].endswith(f": {done}")
    # Scripts read English, whoever reads them.
    assert problem["text"] == words[0]
    # Who plays is told what a stranger is.
    language.choose(speech)
    player = Overheard("a", BOTS["random"], 1)
    participant = StormParticipant(player)
    participant.begin(pair.host, Seated(0, b"", "b", Mock(), log=str(folder / "log")))
    participant.tell(Ended(Ending(None, "", True, None, ("other", *(one.text for one in pair.host.problems or ())))))
    assert player.problems == ("other", head.partition(": ")[2])
    return problem["batch"]


def test_two_cheats_leave_no_winner(speech: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = foreign("hash", 0, 1)
    give_up(pair, 0)
    code, words, answer = said(pair.log(0), tmp_path, capsys)
    assert (code, answer["convicted"], answer["result"]["winner"]) == (Exit.NO, [*SEATS], None)
    assert ("nobody wins" if speech == ENGLISH else "niemand gewinnt") in words
    found = row(pair.log(0), games.find)
    assert _weigh_alone(*(getattr(found, name) for name in WEIGHED)) is Standing.OPEN


def test_a_message_that_convicts_heads_the_log_as_well(
    speech: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = seated("message")
    cheat = Cheat(pair, 0)
    other = cheat.envelope(Choice(codec.encode(Move((12, 7), (0,), 1))))
    pair.do(C, Liturgy())
    cheat.send(other)
    code, words, answer = said(pair.log(1), tmp_path, capsys)
    assert (code, answer["verdict"], answer["ok"]) == (Exit.NO, "convicted", True)
    assert words.startswith("verified: " if speech == ENGLISH else "geprüft: ")
    # What is put behind it proves nothing more and takes nothing away.
    records = [*pair.guest.records, pair.guest.records[-2]]
    code, words, answer = said(logfile.dump(records, 1, pair.guest.sign_log), tmp_path, capsys)
    assert (code, answer["verdict"], answer["ok"], answer["convicted"]) == (Exit.NO, "convicted", False, [SEATS[0]])
    assert words.startswith("damaged, but it proves" if speech == ENGLISH else "beschädigt, aber so viel ist bewiesen")


def test_a_file_with_one_flipped_bit_is_damaged_and_accuses_nobody(
    speech: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = seated("flipped")
    pair.do(C, Liturgy())
    whole = pair.log(1)
    code, words, answer = said(whole, tmp_path, capsys)
    assert (code, answer["verdict"], answer["owes"]) == (Exit.FINE, "verified", SEATS[1])
    line = "has to come from the Olympians" if speech == ENGLISH else "ist Sache der Olympier"
    assert line in words
    chance = random.Random(7)
    for bit in chance.sample(range(8 * len(logfile.MAGIC), 8 * len(whole)), 12):
        code, words, answer = said(flipped(whole, bit), tmp_path, capsys)
        assert (code, answer["verdict"], answer["owes"]) == (Exit.NO, "damaged", None)
        assert words.startswith("damaged: " if speech == ENGLISH else "beschädigt: ")
        assert line not in words


def test_a_disagreement_is_neither_a_cheat_nor_damage(
    speech: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = seated("disagreement")
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Choice(codec.encode(Liturgy())), state=bytes(32)))
    code, words, answer = said(pair.log(1), tmp_path, capsys)
    assert (code, answer["verdict"], answer["ok"], answer["owes"]) == (Exit.NO, "verified", True, SEATS[0])
    number = answer["messages"]
    assert words.startswith(
        {
            ENGLISH: f"verified up to message {number}; the next one does not fit, and nobody is accused",
            GERMAN: f"geprüft bis Nachricht {number}; die nächste passt nicht dazu, und niemand wird beschuldigt",
        }[speech]
    )


def test_a_log_of_an_earlier_protocol_is_one_sentence(
    speech: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = int(logfile.MAGIC.split()[-1])
    old = logfile.MAGIC.replace(b"%d\n" % number, b"%d\n" % (number - 1)) + seated("old").log()[len(logfile.MAGIC) :]
    code, words, answer = said(old, tmp_path, capsys)
    assert (code, answer["verdict"]) == (Exit.USAGE, None)
    assert words.startswith("not checked" if speech == ENGLISH else "nicht geprüft")
    assert "1.0.0" in words.splitlines()[1]
    assert len(words.splitlines()) == 2
