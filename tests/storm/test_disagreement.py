"""What is left for a report when the two programs hold different positions."""

from __future__ import annotations

from pathlib import Path

from helpers_storm import STORM, StormPair
from helpers_wire import Cheat

from cli.match.match import Match
from cli.storm.players import RobotPlayer, StormParticipant
from protocol.core.agreement import Role
from protocol.core.audit import verify
from protocol.core.events import Disagreement
from protocol.core.steps import Choice
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey
from protocol.record import logfile
from protocol.record.journal import Journal
from storm_p2p import games
from storm_p2p.storm.bots import BOTS


def test_the_log_with_the_message_and_the_own_position_are_saved_beside_each_other(tmp_path: Path) -> None:
    pair = StormPair(tag="disagreement")
    pair.play_out(limit=3)
    mover = 0 if pair.host.asks_us is not None else 1
    said = pair.sessions[mover].moves()[0]
    cheat = Cheat(pair, mover)
    cheat.send(cheat.envelope(Choice(said), state=bytes(32)))
    honest = pair.sessions[1 - mover]
    event = honest.stopped
    assert isinstance(event, Disagreement)
    honest.records_to_store()
    with Journal.create(
        tmp_path, started_at=0, role=Role.HOST, name="host", entropy=bytes(32), identity=PrivateKey(bytes(32))
    ) as journal:
        match = Match(honest, journal, StormParticipant(RobotPlayer("host", BOTS["random"], 0)), tmp_path / "logs")
        ending = match._ending()
    assert ending.winner is None
    assert ending.log is not None
    log = logfile.load(Path(ending.log).read_bytes())
    assert [(one.code, one.seat) for one in verify(log.records, games.find).problems] == [("states_differ", None)]
    held = Path(ending.held).read_bytes()
    assert Path(ending.held).parent == Path(ending.log).parent
    assert hash_parts("state", held).hex() in event.sentence
    assert STORM.load(held).game.number > 0
