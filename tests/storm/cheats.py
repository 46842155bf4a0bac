"""What the tests of cheating programs at the table of Storm have in common: the judges and the cheat's workshop."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from helpers_storm import SEATS, StormPair, judged, setup, unit
from helpers_wire import NONCE, Cheat

from cli.text import verdicts
from protocol.core.events import Audited, PeerMisbehaved
from protocol.core.step_builder import StepBuilder
from protocol.core.steps import Choice, Commit, Recommit, Step
from protocol.crypto.commitments.hash import HashScheme
from protocol.crypto.commitments.interface import Maker
from protocol.game import Decision, Hide, Mix
from storm_p2p.storm.actions import Liturgy as Pray
from storm_p2p.storm.actions import Move
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Unit

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)


class Court:
    """A stranger with a file, who asks both implementations about the first files and only the first after them."""

    def __init__(self, folder: Path, both: int | None = None) -> None:
        self.folder = folder
        self.both = both
        """How many files more he asks both about; ``None`` for all."""

    def judged(self, data: bytes) -> dict[str, Any]:
        """Return what a stranger says to a file."""
        if self.both is not None:
            self.both -= 1
        return judged(data, self.folder, both=self.both is None or self.both >= 0)

    def named_at_once(self, pair: StormPair, cheat: int, code: str) -> None:
        """Check that the honest side stopped, named the cheat and took the match, and that his file convinces."""
        honest = pair.sessions[1 - cheat]
        event = pair.last(1 - cheat, PeerMisbehaved)
        assert (event.code, event.seat) == (code, cheat)
        assert event.sentence.startswith("expected ")
        assert honest.over
        assert honest.result == {"winner": SEATS[1 - cheat], "reason": "forfeit"}
        answer = self.judged(pair.log(1 - cheat))
        assert answer["ok"]
        assert [(one["code"], one["seat"]) for one in answer["problems"]] == [(code, SEATS[cheat])]
        assert answer["result"] == honest.result
        assert answer["convicted"] == [SEATS[cheat]]
        assert "broke the rules" in verdicts.words(answer)
        assert pair.restored(1 - cheat).stopped == event

    def named_by_the_audit(self, pair: StormPair, cheat: int, *codes: str) -> None:
        """Check that the audits of both, and a stranger with either file, name the seat."""
        for seat in (0, 1):
            event = pair.last(seat, Audited)
            assert not event.ok
            assert event.agreed
            assert {(one.code, one.seat) for one in event.problems} == {(code, cheat) for code in codes}
            assert not pair.sessions[seat].audited
            answer = self.judged(pair.log(seat))
            assert answer["ok"]
            assert answer["audited"]
            named = {(one["code"], one["seat"]) for one in answer["problems"]}
            assert named == {(code, SEATS[cheat]) for code in codes}
            assert answer["convicted"] == [SEATS[cheat]]
            assert answer["result"] == pair.sessions[seat].result
            assert answer["result"]["winner"] == SEATS[1 - cheat]
            assert answer["confirmed"]
            assert all(one["seq"] is not None for one in answer["problems"])

    def blames_nobody(self, data: bytes) -> dict[str, Any]:
        """Check that a stranger says nothing against either player, and return what he says."""
        answer = self.judged(data)
        assert all(one["seat"] is None for one in answer["problems"]), answer["problems"]
        return answer


def in_a_process_of_its_own(data: bytes, folder: Path) -> tuple[int, dict[str, Any]]:
    """Return what ``storm-p2p verify --json`` says in a process that has nothing but the file."""
    path = folder / "evidence.storm"
    path.write_bytes(data)
    command = [sys.executable, "-m", "cli.app.main", "verify", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    (answer,) = json.loads(done.stdout)
    return done.returncode, answer


def seated(
    tag: str, chthonians: Sequence[Unit] | None = None, olympians: Sequence[Unit] | None = None, scheme: str = "hash"
) -> StormPair:
    """Return a match in which both have set up and the Chthonians are to move."""
    pair = StormPair(tag=tag, scheme=scheme)
    pair.place(chthonians or setup(C), olympians or setup(O))
    return pair


def go(cheat: Cheat, *steps: Step) -> None:
    """Send steps that nothing shows to be wrong, and go on."""
    cheat.send_and_hold(cheat.envelope(*steps, state=cheat.state_after(*steps)))


def serial(pair: StormPair, faction: Faction, region: int, name: str | None = None) -> int:
    """Return the token of a unit in a region, or the only one there."""
    group = pair.view(faction).sides[faction][region]
    found = [token.serial for token in group if name is None or token.unit == unit(name)]
    assert len(found) == 1
    return found[0]


def place_of(pair: StormPair, faction: Faction, region: int, name: str) -> int:
    group = pair.view(faction).sides[faction][region]
    return next(place for place, token in enumerate(group) if token.unit == unit(name))


def give_up(pair: StormPair, seat: int) -> None:
    pair.sessions[seat].side_channel.resign()
    pair.settle()


def finished(tag: str = "finished") -> StormPair:
    """Return a match with two turns and a line of chat that the host has given up."""
    pair = seated(tag)
    pair.do(C, Pray())
    pair.guest.side_channel.chat("good luck")
    pair.settle()
    pair.do(O, Pray())
    give_up(pair, 0)
    assert pair.host.closed
    return pair


def full(*first: str) -> list[int]:
    """Return twelve values that begin with these units."""
    values = [int(unit(name)) for name in first]
    return values + [int(one) for one in Unit if int(one) < 12 and int(one) not in values][: 12 - len(values)]


BAD_SETUPS = {
    "a unit twice": [*full("hades", "cronus")[:11], int(unit("cronus"))],
    "a unit of the enemy": [*full("hades")[:11], int(unit("zeus"))],
    "a thirteenth unit": [*full("hades")[:11], 24],
    "twelve leaders": [int(unit("hades"))] * 12,
    "a number from nowhere": [*full("hades")[:11], 65535],
}


def group_at_11(tag: str, scheme: str = "hash") -> StormPair:
    """Return a match in which Cerberus and Cronus stand in 11 and the Chthonians are to move."""
    pair = seated(tag, setup(C, cerberus=11, cronus=5, hades=10, charon=6), scheme=scheme)
    pair.do(C, Move((5, 11), (0,), 1))
    pair.do(O, Pray())
    return pair


def covered(cheat: Cheat, values: Sequence[int]) -> Commit:
    """Return commitments to any values at all, made with the salts that the seed gives."""
    request = cheat.session.request
    assert isinstance(request, Hide)
    maker = Maker(cheat.transcript.agreement.match_id, cheat.seat, cheat.secrets.seed, nonce=NONCE)
    made = HashScheme().commit(maker, request.slots[0], values)
    return Commit(tuple(secret.commitment for secret in made), b"", NONCE)


def shuffled(cheat: Cheat, decision: Decision, moved: Sequence[int], stayed: Sequence[int]) -> tuple[Choice, Recommit]:
    """Return a partial move with any values in both parts."""
    builder: StepBuilder = cheat.builder()
    builder.add(Choice(decision))
    request = builder.request
    assert isinstance(request, Mix)
    maker = Maker(cheat.transcript.agreement.match_id, cheat.seat, cheat.secrets.seed, nonce=NONCE)
    made = HashScheme().commit(maker, request.give[0][0], [*moved, *stayed])
    commitments = [secret.commitment for secret in made]
    parts = (tuple(sorted(commitments[: len(moved)])), tuple(sorted(commitments[len(moved) :])))
    return Choice(decision), Recommit(parts, b"", NONCE)


def opening(cheat: Cheat, slot: int) -> bytes:
    return cheat.session._secret_replay.openings[slot]
