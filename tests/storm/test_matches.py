"""Whole matches of Storm between computer players: they end, verify, and nobody is accused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers import daily_first
from helpers_storm import STORM, StormPair, judged, setup, some_terms
from helpers_wire import envelope_of

from protocol.core.audit import verify
from protocol.core.events import Audited, Damaged, Disagreement, MatchOver, PeerMisbehaved
from protocol.core.frames import FrameKind
from protocol.crypto import hashing
from protocol.errors import LocalProtocolError
from protocol.record import logfile
from storm_p2p import games
from storm_p2p.storm.actions import Liturgy, Move
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms

GREEDY = 25
"""One in so many matches has a greedy player; it takes as long as ten random ones."""


@pytest.mark.parametrize("matches", daily_first([30, 100]))
def test_matches_end_verify_and_accuse_nobody(matches: int) -> None:
    ended: Counter[str] = Counter()
    varied: Counter[str] = Counter()
    for number in range(matches):
        chance = random.Random(number)
        bots = ["random", "random"]
        if number % GREEDY == 0:
            bots[number // GREEDY % 2] = "greedy"
        pair = StormPair(some_terms(chance), bots=bots, tag=f"match {number}", gather=number % 4 == 3)
        pair.play_out(number)
        assert_fine(pair, (0, 1) if number % 4 == 0 else (number % 2,))
        ended[(pair.host.result or {})["reason"]] += 1
        varied.update(name for name in ("open_combat", "random_setup", "challenge") if getattr(pair.terms, name))
    # Every way to win has come, and every variant.
    assert set(ended) == {"honor", "leaders", "palace"}
    assert min(varied[name] for name in ("open_combat", "random_setup", "challenge")) > matches // 10


@pytest.mark.parametrize("matches", daily_first([3, 12]))
def test_proved_matches_end_verify_and_accuse_nobody(matches: int) -> None:
    for number in range(matches):
        chance = random.Random(number)
        pair = StormPair(some_terms(chance), tag=f"proved {number}", gather=number % 4 == 3, scheme="proved")
        pair.play_out(number)
        assert_fine(pair, (number % 2,))


def assert_fine(pair: StormPair, judges: tuple[int, ...] = (0, 1)) -> None:
    """Check that a match was played to its end and audited by both, and by a stranger with the files of ``judges``."""
    for seat, session in enumerate(pair.sessions):
        assert not any(pair.saw(seat, kind) for kind in (PeerMisbehaved, Disagreement, Damaged)), session.stopped
        assert pair.saw(seat, MatchOver)
        assert pair.last(seat, Audited) == Audited(True, (), True)
        assert session.closed
        assert session.audited
        assert session.result == pair.host.result
    for seat in judges:
        session = pair.sessions[seat]
        log = logfile.load(pair.log(seat))
        assert log.records == session.records
        verdict = verify(log.records, games.find, log.trailer)
        assert verdict.problems == ()
        assert (verdict.ok, verdict.audited, verdict.signed) == (True, True, (0, 1))
        assert verdict.result == session.result
        assert verdict.messages == session.transcript.length
    assert_same_states(pair)


def assert_same_states(pair: StormPair) -> None:
    """Check that both programs held the same bytes after every message, those that were signed."""
    ours, theirs = pair.dumps(0), pair.dumps(1)
    assert ours == theirs
    assert list(ours) == list(range(1, pair.host.transcript.length + 1))
    signed = [envelope_of(record.frame) for record in pair.host.records if record.kind == FrameKind.ENVELOPE]
    assert [envelope.state for envelope in signed] == [hashing.hash_parts("state", ours[one.number]) for one in signed]
    start = pair.host.agreement.match_id
    heads = [start, *(hashing.hash_parts("env", one.pack()) for one in signed)]
    assert [one.prev for one in signed] == [hashing.hash_parts("link", head, start, start) for head in heads[:-1]]
    assert STORM.dump(pair.host.state) == STORM.dump(pair.guest.state) == ours[pair.host.transcript.length]


@pytest.mark.parametrize("seed", range(4))
def test_both_together_know_every_unit_at_the_end_and_each_alone_only_his_own_and_the_opened(seed: int) -> None:
    pair = StormPair(tag=f"knowledge {seed}")
    chance = random.Random(seed)
    while (session := pair.asked) is not None:
        pair.decide(session, chance)
        pair.settle()
        for seat, one in enumerate(pair.sessions):
            game = pair.storm.begin((0, 0, 0)).game if one.transcript.length == 0 else one.state.game
            theirs = [token for group in game.sides[1 - seat] for token in group]
            mine = [token for group in game.sides[seat] for token in group]
            assert all(token.serial not in one.known for token in theirs if not token.known)
            if one.state.regroup is None and not game.outcome:
                assert all(token.serial in one.known for token in mine)


def test_the_command_verify_says_the_same(tmp_path: Path) -> None:
    pair = StormPair(tag="file")
    pair.play_out(5)
    answer = judged(pair.log(1), tmp_path)
    assert answer["ok"]
    assert answer["audited"]
    assert answer["problems"] == []
    assert answer["result"] == pair.host.result
    players = [(one["seat"], one["name"]) for one in answer["players"]]
    assert players == [("chthonians", "Hanna"), ("olympians", "Gustav")]


def test_a_partial_move_that_costs_the_last_honor_can_be_played() -> None:
    # The group is divided, but nobody needs fresh tokens any more.
    pair = StormPair(Terms(challenge=-15), tag="last honor")
    pair.place(setup(Faction.CHTHONIANS, cerberus=11, cronus=5, hades=10), setup(Faction.OLYMPIANS))
    pair.do(0, Move((5, 11), (0,), 1))
    pair.do(1, Liturgy())
    assert pair.host.state.game.honor[0] == 1
    pair.do(0, Move((11, 10), (0,), 1))
    assert pair.host.result == pair.guest.result == {"winner": "olympians", "reason": "honor"}
    assert_fine(pair)


# --- honest players on a bad line ----------------------------------------------------------------------------


class BadLine:
    """Two honest players who do what they like at any time, and a line that is slow, breaks and comes back."""

    def __init__(self, pair: StormPair, seed: int) -> None:
        self.pair = pair
        self.chance = random.Random(seed)
        self.ways: tuple[list[bytes], list[bytes]] = ([], [])
        """What is under way from each seat."""
        self.did: Counter[str] = Counter()

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step()
        self.reconnect()
        while self.flow() or self.answer_draws():
            pass

    def step(self) -> None:
        chance, seat = self.chance, self.chance.randrange(2)
        what = chance.random()
        session = self.pair.sessions[seat]
        self.load()
        if session.side_channel.draw_offer is not None and chance.random() < 0.15:
            self.attempt(seat, chance.choice(("accept_draw", "decline_draw")))
        elif what < 0.45:
            self.deliver(seat)
        elif what < 0.85:
            if session.asks_us is not None:
                self.pair.decide(session, chance)
        elif what < 0.9:
            self.attempt(seat, "chat")
        elif what < 0.96:
            self.attempt(seat, "offer_draw")
        elif what < 0.973:
            self.attempt(seat, "resign")
        elif what < 0.985:
            self.reconnect()
        else:
            self.restart(seat)
        self.load()

    def attempt(self, seat: int, what: str) -> None:
        session = self.pair.sessions[seat]
        try:
            if what == "chat":
                session.side_channel.chat(f"line {self.chance.randrange(100)}")
            else:
                getattr(session.side_channel, what)()
            self.did[what] += 1
        except LocalProtocolError:
            pass

    def load(self) -> None:
        for seat, session in enumerate(self.pair.sessions):
            session.records_to_store()
            self.ways[seat].extend(session.data_to_send())
        self.pair.collect()

    def deliver(self, seat: int) -> bool:
        if not self.ways[seat]:
            return False
        self.pair.sessions[1 - seat].receive_data(self.ways[seat].pop(0))
        self.load()
        return True

    def reconnect(self) -> None:
        self.did["reconnect"] += 1
        for way in self.ways:
            way.clear()
        self.pair.reconnect()
        self.load()

    def restart(self, seat: int) -> None:
        self.did["restart"] += 1
        for way in self.ways:
            way.clear()
        self.pair.replace(seat, self.pair.restored(seat))
        self.pair.reconnect()
        self.load()

    def flow(self) -> bool:
        moved = False
        self.load()
        while self.deliver(0) | self.deliver(1):
            moved = True
        return moved

    def answer_draws(self) -> bool:
        """Play the rest out."""
        session = self.pair.asked
        if session is None:
            return False
        self.pair.decide(session, self.chance)
        return True


@pytest.mark.parametrize("seeds", daily_first([(0, 1, 2, 11, 17, 33), range(60)]))
def test_whatever_honest_players_and_a_bad_line_do_nobody_is_accused_and_both_have_one_result(
    seeds: Sequence[int],
) -> None:
    ends: Counter[str] = Counter()
    did: Counter[str] = Counter()
    for seed in seeds:
        scheme = "proved" if seed % 10 == 0 else "hash"
        pair = StormPair(some_terms(random.Random(seed)), tag=f"line {seed}", gather=seed % 3 == 0, scheme=scheme)
        line = BadLine(pair, seed)
        line.run(150)
        did.update(line.did)
        for seat, session in enumerate(pair.sessions):
            assert session.stopped is None, (seed, seat, session.stopped)
            assert session.over, (seed, seat)
            assert session.closed, (seed, seat)
            assert session.audited, (seed, seat, session.problems)
            verdict = pair.verify(seat)
            assert verdict.problems == (), (seed, seat)
            assert verdict.result == session.result == pair.sessions[0].result
        ends[str((pair.sessions[0].result or {}).get("reason"))] += 1
        # The two may have heard the side messages in another order, but of the game they hold the same.
        chains = [[r.frame for r in one.records if r.kind == FrameKind.ENVELOPE] for one in pair.sessions]
        assert chains[0] == chains[1]
    assert {"honor", "forfeit", "agreement"} <= set(ends), ends
    assert {"chat", "offer_draw", "decline_draw", "accept_draw", "resign", "reconnect", "restart"} == set(did), did


@pytest.mark.parametrize("declined", [False, True])
def test_an_acceptance_that_crosses_a_second_offer_ends_the_match_for_both(declined: bool) -> None:
    pair = StormPair(tag="offers")
    pair.host.side_channel.offer_draw()
    pair.settle()
    if declined:
        pair.guest.side_channel.decline_draw()
    pair.host.side_channel.offer_draw()
    if declined:
        pair.transfer(0)
    pair.guest.side_channel.accept_draw()
    pair.settle()
    assert pair.host.result == pair.guest.result == {"winner": "draw", "reason": "agreement"}
    assert pair.host.audited
    assert pair.guest.audited
