"""Bad bytes against the whole of a running match: journal, player, log and line, not only the session.

Whatever comes, the match ends or goes on as documented, the record of what convicts is on the disk, and the log that is
written names the cheat to anybody.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgpack
import pytest
from helpers import daily_first
from helpers_memory import pair as line_in_memory
from helpers_storm import STORM, StormPair, check
from helpers_wire import NONCE, Cheat, entropy

from cli.match.match import Match
from cli.match.player import Ending
from cli.meeting.lines import Lines
from cli.storm.players import RobotPlayer, StormParticipant
from protocol.core.agreement import Role
from protocol.core.events import PeerMisbehaved
from protocol.core.frames import Entry, FrameKind
from protocol.core.messages import SideType
from protocol.core.session import Session
from protocol.core.steps import Seal
from protocol.core.wire import FRAME_LIMIT
from protocol.record.journal import Journal
from protocol.transport import Transport
from storm.bad_bytes import MALFORMED, PHASES, moving, rubbish, signed, some_steps
from storm_p2p.storm.bots import BOTS


async def met(cheat: Cheat, link: Transport) -> None:
    """Show on a line who the cheat is, as his program would."""
    resume_handshake = cheat.session.resume_handshake(entropy("the cheat's line"), link.channel)
    while resume_handshake.theirs is None:
        for frame in resume_handshake.data_to_send():
            await link.send(frame)
        heard = await link.receive()
        assert heard is not None
        resume_handshake.receive_data(heard)
    for frame in [*resume_handshake.data_to_send(), *resume_handshake.answer()]:
        await link.send(frame)


def played(pair: StormPair, frames: list[bytes], folder: Path) -> tuple[Match, Ending]:
    """Let the guest's whole program hear frames of the host, and return his match and how it ended."""
    config, records = pair.configs[1], pair.guest.records
    session = Session(records, STORM, config.identity, config.entropy).restore()
    journal = Journal.create(
        folder, started_at=0, role=Role.GUEST, name="a", entropy=config.entropy, identity=config.identity
    )
    journal.append([Entry(False, record) for record in records])
    match = Match(session, journal, StormParticipant(RobotPlayer("a", BOTS["random"], 1)), folder / "logs", patience=0)

    async def whole() -> Ending:
        ours, theirs = line_in_memory()
        ours.limit = theirs.limit = FRAME_LIMIT
        lines = Lines(session, bytes(16), None, None)
        lines.greet(ours)

        async def cheating() -> None:
            await met(Cheat(pair, 0), theirs)
            for frame in frames:
                await theirs.send(frame)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.05):
                    while await theirs.receive() is not None:
                        pass
            await theirs.close()

        task = asyncio.create_task(cheating())
        try:
            async with asyncio.timeout(60):
                return await match.play(lines)
        finally:
            await task
            await lines.close()

    try:
        return match, asyncio.run(whole())
    finally:
        journal.close()


def bad_frames(cheat: Cheat, chance: random.Random) -> Iterator[bytes]:
    """Yield frames that the cheat has signed and that are no messages, and some that nobody has."""
    data = [b"\x90", b"\xc0", b"\x93\x01\x02\x03", chance.randbytes(60), msgpack.packb(list(range(8)))]
    data += [msgpack.packb(value, use_bin_type=True) for value in chance.sample(MALFORMED, 6)]
    for one in data:
        yield cheat.sign_envelope(one)
        yield signed(cheat, FrameKind.SIDE, "side", one)
        yield signed(cheat, FrameKind.VERDICT, "verdict", one)
    yield from chance.sample(list(rubbish()), 6)
    for _ in range(6):
        yield cheat.envelope(*some_steps(chance))
    yield cheat.side(SideType.CHAT, "x", sides=(0, 0))
    yield cheat.side(SideType.ACCEPT, 7)
    yield cheat.side(SideType.CHAT, "x", prev=bytes(32))
    yield cheat.envelope(Seal(bytes(32), NONCE), prev=bytes(32))
    yield cheat.envelope(Seal(bytes(32), NONCE), state=bytes(32))


@pytest.mark.parametrize("phase", daily_first(PHASES))
def test_no_signed_message_crashes_the_program_and_each_that_convicts_is_on_the_disk(
    phase: Callable[[], StormPair], tmp_path: Path
) -> None:
    chance = random.Random(5)
    convicted = 0
    for number, frame in enumerate(bad_frames(Cheat(phase(), 0), chance)):
        folder = tmp_path / str(number)
        match, ending = played(phase(), [frame], folder)
        stopped = match.session.stopped
        if isinstance(stopped, PeerMisbehaved):
            convicted += 1
            assert stopped.seat == 0
            assert ending.winner == "olympians"
            answer = check(Path(ending.log or ""))
            assert [(one["code"], one["seat"]) for one in answer["problems"]] == [(stopped.code, "chthonians")]
            assert answer["confirmed"]
            with Journal.open(folder, match._journal.local_id) as journal:
                last = journal.read_entries()[-1]
            assert (last.ours, last.record.frame) == (False, frame)
    assert convicted > 20


def test_a_malformed_message_stays_a_conviction_after_a_restart(tmp_path: Path) -> None:
    pair = moving()
    frame = Cheat(pair, 0).sign_envelope(b"\x90")
    match, ending = played(pair, [frame], tmp_path)
    with Journal.open(tmp_path, match._journal.local_id) as journal:
        records = [entry.record for entry in journal.read_entries()]
    config = pair.configs[1]
    again = Session(records, STORM, config.identity, config.entropy).restore()
    assert again.stopped == match.session.stopped
    assert again.result == {"winner": "olympians", "reason": "forfeit"}
    assert ending.problems
