"""A finished match stays finished: what it was signed with is gone, and everything that is looked at later still works.

The attack on the journal of 52c267e2: whoever has it after the end signs a second side envelope with a number that was
used, and takes back a confirmed result.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers_home import begun, ended
from helpers_processes import Process, hosting, invite_of, joining
from helpers_storm import SEATS, STORM, StormPair, check, judged

from cli import language
from cli.app.main import main
from cli.match import stored
from cli.meeting.meeting import PendingInvite
from cli.meeting.reachability import secret_of
from cli.runtime.console import Exit
from cli.storage import unlock
from cli.storage.home import Home
from protocol.core.session import Session
from protocol.crypto.hashing import derive
from protocol.crypto.keys import PrivateKey, Secrets
from protocol.record import box, keyfile, logfile
from protocol.record.journal import Journal, JournalError, StoredState, list_matches


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak English before and after: ``--lang de`` changes the language of the process and of those it starts."""
    monkeypatch.setenv("LANGUAGE", "en")
    yield
    language.choose(language.ENGLISH)


def files_with(folder: Path, secret: bytes) -> list[str]:
    """Return the files below a folder in which some bytes stand, as they are or in hexadecimal."""
    forms = (secret, secret.hex().encode())
    return [
        path.name for path in folder.rglob("*") if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]


def secrets_of(home: Home) -> tuple[bytes, list[bytes]]:
    """Return the entropy of the one match of a home, and all bytes from which somebody could sign in it."""
    identity = unlock.identity(home)
    (listed,) = list_matches(home.matches)
    with Journal.open(home.matches, listed.local_id) as book:
        entropy = book.read_entropy(identity)
        boxes = [book._row()[1]]
        kept = PendingInvite(home.matches, secret_of(book), 0)._read()
    if kept is not None:
        assert box.unlock(kept.box, identity) == entropy
        boxes.append(kept.box)
    return entropy, [entropy, derive(entropy, "root-key"), *boxes]


def assert_erased(home: Home, secrets: list[bytes]) -> None:
    assert [files_with(home.folder, secret) for secret in secrets] == [[]] * len(secrets)
    (listed,) = list_matches(home.matches)
    with Journal.open(home.matches, listed.local_id) as book:
        assert book.is_erased
        with pytest.raises(JournalError) as error:
            stored.restore(book, home)
        assert error.value.code == "erased"


# --- two programs ------------------------------------------------------------------------------------------------


def test_after_a_whole_match_no_file_has_what_could_sign_again_and_all_that_looks_back_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hosting(tmp_path / "host") as host, joining(tmp_path / "guest", invite_of(host)) as guest:
        guest.until("message", 3)
        host.kill()
        guest.kill()
    homes = [Home(tmp_path / "host"), Home(tmp_path / "guest")]
    found = [secrets_of(home) for home in homes]
    # The guest has kept his entropy for the invite as well; all are locked while the match runs.
    assert [len(secrets) for _, secrets in found] == [3, 4]
    for home, (entropy, (_, key, *boxes)) in zip(homes, found, strict=True):
        for one in (entropy, key, Secrets.of(entropy).seed):
            assert files_with(home.folder, one) == []
        assert all(files_with(home.folder, one) for one in boxes)
    with (
        Process(tmp_path / "host", "resume", "--player", "bot:random") as host,
        Process(tmp_path / "guest", "resume", "--player", "bot:random") as guest,
    ):
        assert [guest.wait(), host.wait()] == [0, 0], guest.errors.read_text() + host.errors.read_text()
    for home, (_, secrets), program in zip(homes, found, (host, guest), strict=True):
        assert_erased(home, secrets)
        look_back(home, Path(program.said[-1]["log"]), capsys)
        # Looking back has brought nothing back.
        assert_erased(home, secrets)


def test_export_without_a_number_says_what_it_does_where_all_matches_are_finished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, pair = Home(tmp_path), StormPair()
    pair.sessions[0].side_channel.resign(now=pair.now)
    pair.settle()
    book = begun(home, pair)
    ended(home, pair.sessions[0], book)
    book.close()
    assert main(["export", "--home", str(tmp_path), "--lang", "en"]) == Exit.USAGE
    assert "to write it again: storm-p2p export NUMBER" in capsys.readouterr().err


def look_back(home: Home, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Run every command that reads a match that is over."""
    (listed,) = list_matches(home.matches)
    assert listed.match is not None
    assert listed.match.match_id is not None
    number, at = listed.match.match_id.hex()[:4], ("--home", str(home.folder))
    assert main(["history", *at]) == Exit.FINE
    shown = capsys.readouterr()
    assert number in shown.out
    assert "unfinished" not in shown.out
    for command in (["verify", str(log)], ["verify", str(log), "--independent"], ["replay", number, "--text", *at]):
        assert main(command) == Exit.FINE
        assert capsys.readouterr().out
    before = log.read_bytes()
    log.unlink()
    assert main(["export", number, *at]) == Exit.FINE
    again = Path(capsys.readouterr().out.strip())
    assert again.read_bytes() == before
    assert check(again)["ok"]
    for speech, sentence in (("en", "there is nothing to resume"), ("de", "es gibt nichts fortzusetzen")):
        assert main(["resume", number, "--lang", speech, *at]) == Exit.USAGE
        assert sentence in capsys.readouterr().err
    assert main(["resume", *at, "--lang", "en"]) == Exit.USAGE
    assert "no unfinished match" in capsys.readouterr().err


KILLED_BEFORE_THE_LOG = """
import os, signal, sys
from cli.app.main import main
from cli.match import stored

stored.export = lambda *given: os.kill(os.getpid(), signal.SIGKILL)
sys.exit(main(sys.argv[1:]))
"""


def test_a_program_that_is_killed_between_erasing_and_its_log_writes_the_log_at_the_next_resume(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("host", "--bind", "127.0.0.1", "--random-setup", "--player", "bot:random")
    with (
        Process(tmp_path / "host", *words, program=("-c", KILLED_BEFORE_THE_LOG)) as host,
        joining(tmp_path / "guest", invite_of(host)) as guest,
    ):
        assert (host.wait(), guest.wait()) == (-9, 0)
    home = Home(tmp_path / "host")
    (listed,) = list_matches(home.matches)
    assert listed.match is not None
    assert (listed.match.state, listed.match.log) == (StoredState.OPEN, None)
    assert_erased(home, [])
    assert main(["resume", "--home", str(home.folder), "--lang", "en"]) == Exit.USAGE
    said = capsys.readouterr().err
    assert "there is nothing to resume" in said
    (log,) = home.logs.iterdir()
    assert str(log) in said
    answer = check(log)
    assert (answer["ok"], answer["audited"], answer["confirmed"]) == (True, True, True)
    assert stored.unfinished(home) == []


# --- one program -------------------------------------------------------------------------------------------------


def test_the_keys_stay_while_the_other_has_not_said_that_it_holds_everything(tmp_path: Path) -> None:
    pair, home = StormPair(tag="finished"), Home(tmp_path)
    pair.play_out()
    assert pair.host.finished
    with begun(home, pair) as book:
        # The other's DONE is no record: this program was killed before it came.
        session = stored.restore(book, home)
        ending = ended(home, session, book)
        assert ending.keys_stay
        assert (book.match.state, book.is_erased) == (StoredState.FINISHED, False)
        # So the match can be taken up to give the other what it lacks, and it can be done from any copy until then.
        again = stored.restore(book, home)
        assert again.result == session.result
        assert again.sign_log(bytes(32)) == pair.host.sign_log(bytes(32))
        entropy = pair.configs[0].entropy
        secrets = [entropy, derive(entropy, "root-key"), book._row()[1]]
        ending = ended(home, pair.host, book)
        assert not ending.keys_stay
    assert_erased(home, secrets)


def test_only_before_the_end_can_a_journal_take_back_a_confirmed_result(tmp_path: Path) -> None:
    pair, home = StormPair(tag="kingmaking"), Home(tmp_path)
    pair.play_out(limit=4)
    before = [len(session.records) for session in pair.sessions]
    for session in pair.sessions:
        session.side_channel.chat("a")
    pair.settle()
    pair.play_out()
    honest = pair.judged(tmp_path)
    assert (honest["ok"], honest["confirmed"]) == (True, True)
    winner = SEATS.index(honest["result"]["winner"])
    session, identity = pair.sessions[winner], pair.configs[winner].identity
    with begun(home, pair, winner) as book:

        def sign_again() -> dict[str, Any]:
            """Go on from the records before the chat, say something else under its number, and export both."""
            old = Session(session.records[: before[winner]], STORM, identity, book.read_entropy(identity)).restore()
            old.side_channel.chat("b")
            return judged(logfile.dump([*session.records, old.records[-1]], winner, old.sign_log), tmp_path, both=False)

        assert sign_again()["result"]["winner"] == SEATS[1 - winner]
        ended(home, session, book)
        with pytest.raises(JournalError):
            sign_again()


def test_a_locked_identity_locks_the_match_whatever_its_passphrase_is_later(tmp_path: Path, cheap_locks: None) -> None:
    pair, home = StormPair(tag="locked"), Home(tmp_path)
    pair.play_out(limit=3)
    config = pair.configs[0]
    with begun(home, pair, passphrase=b"first") as book:
        seed, key = Secrets.of(config.entropy).seed, derive(config.entropy, "root-key")
        # What opens the box stands nowhere either.
        for secret in (config.entropy, seed, key, config.identity.seed()):
            assert files_with(tmp_path, secret) == []
        keyfile.save(home.key_file, keyfile.load(home.key_file, b"first"), b"second")
        assert book.read_entropy(keyfile.load(home.key_file, b"second")) == config.entropy


def test_a_match_of_another_identity_says_which_one_it_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair, home = StormPair(tag="other"), Home(tmp_path)
    book = begun(home, pair)
    keyfile.save(tmp_path / "new.key", PrivateKey(bytes(32)))
    book.close()
    at = ("--home", str(tmp_path), "--lang", "en")
    # While it is unfinished nobody puts another identity in place by accident.
    assert main(["key", "import", str(tmp_path / "new.key"), *at]) == Exit.NO
    capsys.readouterr()
    keyfile.save(home.key_file, PrivateKey(bytes(32)))
    for command in ("resume", "export"):
        assert main([command, *at]) == Exit.NO
        assert "begun under another identity" in capsys.readouterr().err
    assert main(["resume", "--home", str(tmp_path), "--lang", "de"]) == Exit.NO
    assert "mit einer anderen Identität" in capsys.readouterr().err


def test_an_invite_whose_match_is_finished_begins_no_second_one(tmp_path: Path) -> None:
    owner, invite = PrivateKey(bytes(32)), (bytes(16), 2**31)
    call = PendingInvite(tmp_path, *invite)
    entropy = call.begin("Gustav", owner)[0]
    assert files_with(tmp_path, entropy) == []
    call.signs("Gustav", bytes(32), bytes(32), None)
    call.begun(bytes(range(32)))
    (file,) = tmp_path.glob("*.call")
    before = file.stat()
    call.erase()
    assert (file.stat().st_mtime, file.stat().st_size, file.stat().st_mode) == (
        before.st_mtime,
        before.st_size,
        before.st_mode,
    )
    assert PendingInvite(tmp_path, *invite).match() == bytes(range(32))
    with pytest.raises(JournalError) as error:
        call.begin("Gustav", owner)
    assert error.value.code == "erased"
    PendingInvite(tmp_path / "nowhere", *invite).erase()
