"""A rematch between two programs: over the same line, with the sides swapped, fresh keys and the same terms."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers_memory import pair
from helpers_processes import Process, hosting, invite_of, joining

from cli.app.main import main
from cli.meeting import meeting
from cli.meeting.lines import Lines, meet_again
from cli.meeting.meeting import Met, NoMatch, PendingInvite, Proposal, SeatDraw, Wishes
from cli.storage import unlock
from cli.storage.home import Home
from protocol.core.agreement import host_takes
from protocol.core.game_data import Conditions
from protocol.record import logfile
from protocol.transport import TransportError
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms

SECRET, NEXT = bytes(16), bytes(15) + b"\1"


@pytest.mark.long
def test_computer_players_play_as_many_rematches_as_both_want_with_the_sides_swapped(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--random-setup", "--rematches", "1") as host:
        guest = joining(tmp_path / "b", invite_of(host), "bot:random", "--rematches", "3")
        assert (host.wait(), guest.wait()) == (0, 0)
    for program in (host, guest):
        told = [line["event"] for line in program.said if line["event"] in ("connected", "over", "rematch")]
        assert [event for event in told if event != "rematch"] == ["connected", "over"] * 2
        begun = [line for line in program.said if line.get("state") == "begun"]
        assert len(begun) == 1
        logs = [line["log"] for line in program.said if line["event"] == "over"]
        assert main(["verify", *logs]) == 0
        first, second = (logfile.load(logfile.read(Path(log))) for log in logs)
        # Who had the one side has the other.
        assert [one.trailer and one.trailer.seat for one in (first, second)] in ([0, 1], [1, 0])
        assert len({record.frame for log in (first, second) for record in log.records[:4]}) == 8


def test_a_person_says_himself_whether_he_wants_a_rematch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["host", "--rematches", "1", "--home", str(tmp_path)]) == 2
    assert "at the end of a match" in capsys.readouterr().err


# -- the handshake ------------------------------------------------------------------------------------------------


class Breaks:
    """A line that breaks when so many frames have been sent."""

    def __init__(self, link: Any, frames: int) -> None:
        self._link = link
        self._left = frames
        self.channel, self.way = link.channel, link.way
        self.limit, self.allowance = link.limit, link.allowance

    async def send(self, frame: bytes) -> None:
        self._left -= 1
        if self._left < 0:
            await self._link.close()
            raise TransportError("closed", "expected an open channel, got a closed one")
        await self._link.send(frame)

    async def receive(self) -> bytes | None:
        found: bytes | None = await self._link.receive()
        return found

    async def close(self) -> None:
        await self._link.close()


def homes(tmp_path: Path) -> tuple[Home, Home]:
    return Home(tmp_path / "host"), Home(tmp_path / "guest")


async def first(tmp_path: Path, conditions: Conditions) -> tuple[Met, Met]:
    """Return the match before."""
    near, far = pair()
    one, two = homes(tmp_path)

    async def yes(offer: object) -> tuple[bool, None]:
        return True, None

    proposal = Proposal(encode_terms(Terms(open_combat=True)), "hash", conditions, host_takes(0))
    return tuple(  # type: ignore[return-value]  # of the two
        await asyncio.gather(
            meeting.host(near, Wishes("hanna", unlock.identity(one), one.matches, SECRET), proposal, SeatDraw()),
            meeting.guest(
                far,
                Wishes("gustav", unlock.identity(two), two.matches, SECRET),
                PendingInvite(two.matches, SECRET, 2**32 - 1),
                yes,
            ),
        )
    )


def again(
    tmp_path: Path,
    *,
    breaks: tuple[int, int] = (99, 99),
    cheats: dict[str, Any] | None = None,
    called: dict[int, str] | None = None,
) -> list[Any]:
    """Let the two of a match agree on another; return what each gets, closed again, and the two of before."""

    async def both() -> list[Any]:
        before = await first(tmp_path, Conditions(aids=True))
        near, far = pair()
        links = Breaks(near, breaks[0]), Breaks(far, breaks[1])
        sessions = [met.session for met in before]
        if cheats:
            sessions[0].agreement = replace(sessions[0].agreement, **cheats)
        for liar, name in (called or {}).items():
            session = sessions[liar]
            players = list(session.agreement.players)
            players[session.seat] = replace(players[session.seat], name=name)
            session.agreement = replace(session.agreement, players=tuple(players))
        lines = [Lines(session, SECRET, None, None) for session in sessions]
        found = await asyncio.gather(
            *(
                meet_again(link, NEXT, session, line, home)
                for link, session, line, home in zip(links, sessions, lines, homes(tmp_path), strict=True)
            ),
            return_exceptions=True,
        )
        for met in before:
            met.journal.close()
        for one in found:
            if not isinstance(one, BaseException):
                await one[0].close()
                one[1].journal.close()
        return [*found, *before]

    return asyncio.run(both())


def test_the_next_match_has_the_terms_of_the_last_the_other_seats_and_keys_of_its_own(tmp_path: Path) -> None:
    host, guest, *before = again(tmp_path)
    old, new = before[0].session.agreement, host[1].session.agreement
    assert new == guest[1].session.agreement
    assert (new.terms, new.scheme, new.conditions) == (old.terms, old.scheme, old.conditions)
    assert [player.identity for player in new.players] == [player.identity for player in old.players][::-1]
    assert new.host_seat == 1 - old.host_seat
    assert new.match_id != old.match_id
    assert not {player.match_key for player in new.players} & {player.match_key for player in old.players}


@pytest.mark.parametrize("cheats", [{"terms": encode_terms(Terms())}, {"conditions": Conditions()}])
def test_other_terms_than_those_of_the_last_match_are_refused_unasked(tmp_path: Path, cheats: dict[str, Any]) -> None:
    host, guest, *_ = again(tmp_path, cheats=cheats)
    assert isinstance(guest, NoMatch)
    assert isinstance(host, NoMatch)
    assert guest.event is not None
    assert guest.event.code == "terms_refused"
    # Of what did not begin nothing stays behind.
    assert [len(list(home.matches.glob("*.match"))) for home in homes(tmp_path)] == [1, 1]


@pytest.mark.parametrize("breaks", [(0, 99), (99, 0), (99, 1)])
def test_a_line_that_breaks_before_the_host_has_signed_leaves_nothing_behind(
    tmp_path: Path, breaks: tuple[int, int]
) -> None:
    host, guest, *_ = again(tmp_path, breaks=breaks)
    assert isinstance(host, NoMatch | TransportError)
    assert isinstance(guest, NoMatch | TransportError)
    assert [len(list(home.matches.glob("*.match"))) for home in homes(tmp_path)] == [1, 1]


@pytest.mark.parametrize("liar", [0, 1])
def test_nobody_comes_to_a_rematch_under_another_name(liar: int, tmp_path: Path) -> None:
    found = again(tmp_path, called={liar: "alice"})
    codes = [one.event.code for one in found[:2] if isinstance(one, NoMatch) and one.event is not None]
    assert sorted(codes) == ["changed_name", "peer_changed_name"]
    assert codes[liar] == "peer_changed_name"
    assert [len(list(home.matches.glob("*.match"))) for home in homes(tmp_path)] == [1, 1]


RENAMED = """
import sys
from dataclasses import replace
from cli.app.launch import running
from cli.app.main import main
from cli.meeting import lines

running._TRIES = 99
wish = lines.Wishes
lines.Wishes = lambda *others, **named: replace(wish(*others, **named), name="alice")
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.parametrize("liar", ["guest", "host"])
def test_a_program_that_changes_its_name_for_each_rematch_is_refused_by_the_other_until_it_has_enough(
    liar: str, tmp_path: Path
) -> None:
    changed, whole = ("-c", RENAMED), ("-m", "cli.app.main")
    words = ("--player", "bot:random", "--name", "mallory", "--rematches", "1", "--patience", "30")
    left, right = (changed, whole) if liar == "host" else (whole, changed)
    hosts = ("host", "--bind", "127.0.0.1", "--random-setup", *words)
    with (
        Process(tmp_path / "a", *hosts, program=left) as host,
        Process(tmp_path / "b", "join", invite_of(host), *words, program=right) as guest,
    ):
        honest = host if liar == "guest" else guest
        assert honest.wait() == 0
        states = [line for line in honest.said if line["event"] == "rematch" and line["state"] != "offered"]
        assert [line.get("code") for line in states] == ["changed_name"] * 3
        assert len(list((honest.home / "matches").glob("*.match"))) == 1


BREAKS = """
import sys
from cli.app.main import main
from cli.app.launch import running

meet, calls = running.meet_again, []

async def meet_and_break(link, *others):
    calls.append(link)
    if len(calls) == 1 and sys.argv[1] == "before":
        await link.close()
    found = await meet(link, *others)
    if len(calls) == 1 and sys.argv[1] == "after":
        await link.close()
    return found

running.meet_again = meet_and_break
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.long
@pytest.mark.parametrize("breaker", ["host", "guest"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_two_programs_whose_line_breaks_around_the_handshake_of_a_rematch_lose_nothing_and_go_on(
    when: str, breaker: str, tmp_path: Path
) -> None:
    broken, whole = ("-c", BREAKS, when), ("-m", "cli.app.main")
    words = ("--player", "bot:random", "--rematches", "1", "--patience", "30")
    left, right = (broken, whole) if breaker == "host" else (whole, broken)
    hosts = ("host", "--bind", "127.0.0.1", "--random-setup", *words)
    with (
        Process(tmp_path / "a", *hosts, program=left) as host,
        Process(tmp_path / "b", "join", invite_of(host), *words, program=right) as guest,
    ):
        codes = (host.wait(), guest.wait())
    assert codes == (0, 0), host.errors.read_text() + guest.errors.read_text()
    for program in (host, guest):
        states = [line["state"] for line in program.said if line["event"] == "rematch" and line["state"] != "offered"]
        assert states == (["failed", "begun"] if when == "before" else ["begun"])
        logs = [line["log"] for line in program.said if line["event"] == "over"]
        assert len(logs) == 2
        assert main(["verify", *logs]) == 0
        # Of a handshake that failed nothing stays behind.
        assert len(list((program.home / "matches").glob("*.match"))) == 2
