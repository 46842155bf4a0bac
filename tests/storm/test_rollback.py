"""An old copy of a match is played on otherwise: what was opened before tells nothing of what is hidden now.

The opponent here is a cheat: he has seen the first try, and pretends that he holds less of it than he does.
"""

from __future__ import annotations

from itertools import product

import pytest
from helpers_storm import STORM, StormPair, setup
from helpers_wire import entropy, envelope_of, identity

from protocol.core.session import Session
from protocol.core.steps import Commit, Seal, Step, Unseal
from protocol.crypto.commitments.hash import HashScheme
from protocol.crypto.commitments.interface import Maker, Secret
from protocol.crypto.commitments.proved import ProvedScheme
from storm_p2p.storm import game
from storm_p2p.storm.actions import Fight, Move
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Maneuver

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)

ENERGIES = range(25)


def again(pair: StormPair, seat: int, frames: int) -> Session:
    """Return a session that goes on from an old copy of a seat's journal, in a new run of the program."""
    config = pair.configs[seat]
    records = pair.sessions[seat].records[:frames]
    owner = identity(("host", "guest")[seat])
    return Session(records, STORM, owner, config.entropy, aux_rand=entropy("the second run")).restore()


def step_of(session: Session) -> Step:
    return envelope_of(session.records[-1].frame).steps[0]


def test_a_seal_that_was_opened_does_not_help_to_read_the_one_that_takes_its_place() -> None:
    pair = StormPair(tag="rollback")
    pair.place(setup(C, cronus=12, hades=10), setup(O, artemis=13))
    pair.do(C, Move((12, 13), (0,), 1))
    copied = len(pair.guest.records)
    pair.do(O, Fight(O, Maneuver.STANDARD, 3))
    pair.do(C, Fight(C, Maneuver.STANDARD, 0))
    unsealed = next(
        step
        for record in pair.guest.records[copied:]
        for step in envelope_of(record.frame).steps
        if isinstance(step, Unseal)
    )
    session = again(pair, 1, copied)
    serial = session.transcript.position.serial
    session.act(*game.wire_form(session.state, Fight(O, Maneuver.RETREAT, 1), session.known))
    seal = step_of(session)
    assert isinstance(seal, Seal)
    referee = session.transcript.referee
    tried = {
        referee.seal(1, serial, unsealed.salt, (8, 1, int(maneuver), energy))
        for maneuver, energy in product(Maneuver, ENERGIES)
    }
    assert len(tried) == 125
    assert seal.commitment not in tried
    # The cheat could read it if the nonce were the old one: the test knows how to.
    salt = session._new_builder()._salt(seal.nonce)
    assert seal.commitment == referee.seal(1, serial, salt, (8, 1, int(Maneuver.RETREAT), 1))


@pytest.mark.parametrize("scheme", ["hash", "proved"])
def test_tokens_whose_openings_are_known_do_not_come_again_in_another_setup(scheme: str) -> None:
    pair = StormPair(tag="rollback", scheme=scheme)
    first = tuple(int(one) for one in setup(C))
    pair.act(0, None, first)
    old = step_of(pair.host)
    assert isinstance(old, Commit)
    known = {opened.commitment for opened in opened_by_the_audit(pair, old, first)}
    assert known == set(old.commitments)
    session = again(pair, 0, 4)
    session.act(None, tuple(int(one) for one in setup(C, hades=17, nyx=10)))
    new = step_of(session)
    assert isinstance(new, Commit)
    assert not known & set(new.commitments)


def test_the_same_decision_made_again_does_not_look_the_same() -> None:
    """Or it would tell that it is the same."""
    pair = StormPair(tag="rollback")
    values = tuple(int(one) for one in setup(C))
    pair.act(0, None, values)
    session = again(pair, 0, 4)
    session.act(None, values)
    old, new = step_of(pair.host), step_of(session)
    assert isinstance(old, Commit)
    assert isinstance(new, Commit)
    assert not set(old.commitments) & set(new.commitments)


def test_a_whole_machine_that_is_set_back_commits_to_nothing_else_under_the_same_nonce() -> None:
    """Then even the fresh randomness is that of the first run."""
    pair = StormPair(tag="rollback")
    pair.act(0, None, tuple(int(one) for one in setup(C)))
    config = pair.configs[0]
    session = Session(pair.host.records[:4], STORM, identity("host"), config.entropy).restore()
    session.act(None, tuple(int(one) for one in setup(C, hades=17, nyx=10)))
    old, new = step_of(pair.host), step_of(session)
    assert isinstance(old, Commit)
    assert isinstance(new, Commit)
    assert old.nonce != new.nonce
    assert not set(old.commitments) & set(new.commitments)


def opened_by_the_audit(pair: StormPair, cover: Commit, values: tuple[int, ...]) -> tuple[Secret, ...]:
    """Return the secrets of a setup as whoever holds the seed finds them."""
    session = pair.host
    maker = Maker(session.agreement.match_id, 0, session._secrets.seed, nonce=cover.nonce)
    scheme = HashScheme() if session.agreement.scheme == "hash" else ProvedScheme()
    return scheme.commit(maker, 0, values)
