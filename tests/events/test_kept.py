"""Pairings are worked out once; what is kept of them changes no table, and is not believed where it does not fit."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from helpers import daily_first
from helpers_tournament import ORGANISER, Contest, play_on, swiss_field

from cli.events import judging, standing
from cli.events.standing import look, pair_once, pairing_key
from cli.storage.home import Home
from protocol.tournament import documents
from protocol.tournament.contents import Pairing, Round, System
from protocol.tournament.engine import EngineError
from protocol.tournament.export import standing_rows
from protocol.tournament.lines import Field
from protocol.tournament.pairings import PairingError, pair_round
from protocol.tournament.survey import survey


def refuse(*_: object) -> tuple[Pairing, ...]:
    """Stand for a program that must not be asked."""
    raise AssertionError("paired again")


@cache
def fields(seed: int) -> tuple[Field, ...]:
    """Return a Swiss before each of its rounds."""
    chance, field = swiss_field(seed, most=20)
    found = [field]
    while len(found) < len(field.event.deadlines):
        try:
            found.append(play_on(chance, found[-1], pair_round(found[-1])))
        except EngineError:
            return tuple(found[:-1])
    return tuple(found)


@pytest.mark.parametrize("seed", daily_first(range(12), 4))
def test_what_is_kept_says_what_would_be_paired(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, pair = [*fields(seed)], pair_once(tmp_path / "paired")
    # Two events with equal players keep theirs apart.
    found += [replace(one, colour=1 - one.colour) for one in found]
    wanted = []
    for field in found:
        try:
            wanted.append((field, pair_round(field)))
        except EngineError:
            continue
    assert [pair(field) for field, _ in wanted] == [pairings for _, pairings in wanted]
    monkeypatch.setattr(standing, "pair_round", refuse)
    assert [pair(field) for field, _ in wanted] == [pairings for _, pairings in wanted]


@pytest.mark.parametrize("system", System)
@pytest.mark.parametrize("seed", range(2))
def test_a_table_is_the_same_with_and_without_what_is_kept(system: System, seed: int, tmp_path: Path) -> None:
    contest = Contest(7 + seed, system)
    contest.start()
    contest.play_rounds(seed)
    plain, pair = survey(contest.documents, contest.reports), pair_once(tmp_path)
    assert plain.rounds
    for _ in range(2):
        found = survey(contest.documents, contest.reports, None, pair)
        assert found == plain
        assert standing_rows(found) == standing_rows(plain)
        assert found.pair is pair
    # Who takes a result away asks about another round.
    assert survey(contest.documents, contest.reports[1:], None, pair) == survey(contest.documents, contest.reports[1:])


def test_a_lie_of_the_organiser_is_named_with_what_is_kept(tmp_path: Path) -> None:
    contest, pair = Contest(6, System.SWISS), pair_once(tmp_path)
    contest.start()
    draft = contest.round().content
    assert isinstance(draft, Round)
    (first, second), (third, fourth), rest = draft.pairings
    contest.documents.pop()
    lie = (Pairing(first, third), Pairing(second, fourth), rest)
    contest.publish(ORGANISER, replace(draft, pairings=lie))
    for _ in range(2):
        assert [one.code for one in survey(contest.documents, (), None, pair).refused] == ["pairings"]


def damaged(data: bytes, seed: int) -> bytes:
    """Return bytes with one of them changed, or cut."""
    chance = random.Random(seed)
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :] if seed % 4 else data[:at]


@pytest.mark.parametrize("seed", daily_first(range(40), 12))
def test_what_is_damaged_is_paired_again(seed: int, tmp_path: Path) -> None:
    field, pair = fields(3)[1], pair_once(tmp_path)
    wanted = pair(field)
    (file,) = tmp_path.iterdir()
    file.write_bytes(damaged(file.read_bytes(), seed))
    assert pair(field) == wanted
    assert judging.recall_value(tmp_path, pairing_key(field)) == tuple(map(tuple, wanted))


@pytest.mark.parametrize(
    "value", [None, 3, (), ((1, 2),), ((1, 1),), (("a", b"b"),), (1, 2), ((1, 2, 3),), "junk"], ids=repr
)
def test_what_no_program_would_pair_is_not_believed(value: object, tmp_path: Path) -> None:
    field = fields(3)[1]
    judging.keep_value(tmp_path, pairing_key(field), value)  # type: ignore[arg-type]
    assert pair_once(tmp_path)(field) == pair_round(field)


def test_what_was_kept_of_another_round_or_by_another_version_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = fields(3)[:2]
    pair = pair_once(tmp_path)
    pair(one)
    (file,) = tmp_path.iterdir()
    judging._file(tmp_path, pairing_key(other)).write_bytes(file.read_bytes())
    assert pair(other) == pair_round(other)
    monkeypatch.setattr(standing, "pair_round", refuse)
    pair(one)
    for module, name, value in ((judging, "__version__", "0.0.0"), (standing, "engine_version", lambda: "other 1")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, value)
            with pytest.raises(AssertionError, match="paired again"):
                pair(one)


def forget() -> None:
    for kept in documents.KEPT:
        kept.cache_clear()


def test_a_look_into_a_folder_checks_each_signature_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contest, checked = Contest(4), []
    contest.start()
    (tmp_path / "cup").mkdir()
    for number, data in enumerate(contest.documents):
        (tmp_path / "cup" / f"{number}.event").write_bytes(data)
    monkeypatch.setattr(documents, "verify_digest", lambda *given: checked.append(given))
    forget()
    look(Home(tmp_path / "home"), tmp_path / "cup").names()
    forget()
    assert len(checked) == len(contest.documents)


def test_why_there_is_no_round_is_not_kept(tmp_path: Path) -> None:
    contest = Contest(4, System.SWISS, deadlines=(1000,))
    contest.start()
    contest.play_rounds()
    with pytest.raises(PairingError):
        pair_once(tmp_path / "paired")(contest.look().next)
    assert not (tmp_path / "paired").exists()


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert pair_once(tmp_path / "file")(fields(3)[0]) == pair_round(fields(3)[0])


def test_who_looks_again_pairs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = Contest(6, System.SWISS)
    contest.start()
    contest.round()
    for number, data in enumerate(contest.documents):
        (tmp_path / f"{number}.event").write_bytes(data)
    before = look(Home(tmp_path / "home"), tmp_path)
    monkeypatch.setattr(standing, "pair_round", refuse)
    again = look(Home(tmp_path / "home"), tmp_path)
    assert len(again.tournament.rounds) == 1
    assert again.tournament == before.tournament
