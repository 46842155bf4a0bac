"""One of two programs gets other rules in the middle of a match: both say so, nobody is accused, nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers_processes import Process, hosting, invite_of, joining
from helpers_storm import STORM, StormPair, check
from helpers_wire import entropy

from protocol.core.events import Damaged, Disagreement, PeerMisbehaved
from protocol.core.frames import Entry
from protocol.core.resume_handshake import StoredSeat
from protocol.core.session import Session
from protocol.errors import Damage, VerificationError
from storm_p2p.storm.game import Storm

LATER = "99-" + "a" * 64


class LaterRules(Storm):
    """The rules after these."""

    version = LATER  # type: ignore[misc]


UPGRADED = f"""
import sys
from storm_p2p import games
from storm_p2p.storm.game import Storm
Storm.version = {LATER!r}
from cli.app.main import main
sys.exit(main(sys.argv[1:]))
"""
"""The program after an upgrade of its rules."""


def stored(pair: StormPair, seat: int) -> StoredSeat:
    """Return a seat of a match as a program with other rules takes it up."""
    config = pair.configs[seat]
    session = pair.sessions[seat]
    entries = [Entry(record.frame in session._own, record) for record in session.records]
    return StoredSeat(entries, config.identity, config.entropy, LATER)


@pytest.mark.parametrize("seat", [0, 1], ids=["the host", "the guest"])
def test_a_program_with_other_rules_shows_who_it_is_and_the_other_learns_which_rules_it_has(seat: int) -> None:
    pair = StormPair(tag="upgraded")
    pair.play_out(1, limit=9)
    upgraded = stored(pair, seat).resume_handshake(entropy("upgraded"))
    other = pair.sessions[1 - seat]
    other.part()
    meeting = other.resume_handshake(entropy("other"))
    # The two counts fit: had the rules been the same, the match would go on here.
    heard: Damage | None = None
    for _ in range(3):
        for frame in upgraded.data_to_send():
            try:
                meeting.receive_data(frame)
            except Damage as error:
                heard = error
        for frame in [*meeting.data_to_send(), *([] if meeting.theirs is None else meeting.answer())]:
            upgraded.receive_data(frame)
        if upgraded.theirs is not None:
            for frame in upgraded.answer():
                with pytest.raises(Damage) as caught:
                    meeting.receive_data(frame)
                heard = caught.value
            break
    assert heard is not None
    assert (heard.code, heard.expected, heard.got) == ("other_rules", STORM.version, LATER)
    assert other.stopped is None
    # With the rules of the match both go on.
    pair.replace(seat, pair.restored(seat))
    pair.reconnect()
    pair.settle()
    assert not any(pair.saw(one, kind) for one in (0, 1) for kind in (Damaged, Disagreement, PeerMisbehaved))
    pair.play_out(2)
    assert all(session.audited for session in pair.sessions)


def test_a_session_is_not_restored_by_other_rules_than_it_was_begun_by() -> None:
    pair = StormPair(tag="upgraded")
    config = pair.configs[0]
    with pytest.raises(VerificationError) as caught:
        Session(pair.host.records, LaterRules(), config.identity, config.entropy).restore()
    assert (caught.value.code, caught.value.expected.split()[1]) == ("rules", STORM.version)


@pytest.mark.long
def test_both_programs_say_so_and_the_match_is_finished_with_the_old_one(tmp_path: Path) -> None:
    with hosting(tmp_path / "host", "--patience", "60") as host:
        with joining(tmp_path / "guest", invite_of(host)) as guest:
            guest.until("message", 6)
            guest.kill()
        with Process(tmp_path / "guest", "resume", "--player", "bot:random", program=("-c", UPGRADED)) as upgraded:
            line = host.until("other-rules")
            assert line is not None
            assert line["rules"] == LATER
            assert upgraded.wait() == 1
        said = upgraded.errors.read_text()
        assert re.search(r"This match was begun under rules \d+; this program has rules 99\. Nothing was changed", said)
        with Process(tmp_path / "guest", "resume", "--player", "bot:random") as guest:
            assert [guest.wait(), host.wait()] == [0, 0], guest.errors.read_text() + host.errors.read_text()
    for process in (host, guest):
        assert process.said[-1]["audited"] is True
        assert check(Path(process.said[-1]["log"]))["ok"]
