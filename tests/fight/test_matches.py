"""Whole matches of Fight for Olympus over real sessions: judged, restarted, cheated in, silent about what is hidden."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers_fight import abilities, own_set
from helpers_judging import judged, log_of, plain
from helpers_wire import Cheat, Pair, configs, envelope_of, only, shake

from cli.app.main import main
from cli.runtime.console import Exit
from protocol.core.audit import verify
from protocol.core.events import Damaged, Disagreement, PeerMisbehaved
from protocol.core.frames import FrameKind, unpack_frame
from protocol.core.session import Session
from protocol.core.steps import Choice, Key, Step, Stir, Unlock
from protocol.game import Choose, Decision, Open
from protocol.record import logfile
from protocol.record.judging import judge
from storm_p2p.fight.bots import BOTS
from storm_p2p.fight.card_file import FIRST, WORDS, load_reconstructed
from storm_p2p.fight.cards import Kind, When
from storm_p2p.fight.codec import encode_terms
from storm_p2p.fight.events import What
from storm_p2p.fight.game import Fight
from storm_p2p.fight.rules import abilities as carried_out
from storm_p2p.fight.rules.paying import pays
from storm_p2p.fight.state import State, View

# The seeds below were chosen with this set; that a match of it can still be played, nothing else shows.
CARDS = load_reconstructed(FIRST)
TERMS = encode_terms(CARDS)


def match(tag: str, *, gather: bool = True) -> Pair:
    """Begin a match; the programs shuffle and deal by themselves."""
    return Pair(Fight(), TERMS, tag=tag, gather=gather, scheme="proved")


def asked(pair: Pair) -> Session | None:
    return next((session for session in pair.sessions if session.asks_us is not None), None)


def bot_moves(pair: Pair, bot: str, seed: int = 1, *, guest: str = "") -> Iterator[Session]:
    """Let a bot decide for both, or another one for the guest; yield who is asked before each decision."""
    chance = random.Random(seed)
    bots = BOTS[bot], BOTS[guest or bot]
    while (session := asked(pair)) is not None:
        yield session
        session = pair.sessions[session.seat]
        session.act(bots[session.seat].decide(View(session.state, session.known), session.seat, chance))
        pair.settle()


def check_end(pair: Pair, seat: int = 0, *, by_both: bool = True) -> None:
    """Fail unless a match ended audited, and one or both implementations find nothing wrong with it."""
    assert all(session.over and session.audited for session in pair.sessions)
    verdict = pair.verify(seat) if by_both else verify(pair.sessions[seat].records, only(pair.game))
    assert (verdict.ok, verdict.audited, verdict.confirmed, verdict.problems) == (True, True, True, ())
    dealt = [verdict.known[slot] for slot in range(len(CARDS.cards))]
    assert sorted(dealt) == list(range(len(CARDS.cards)))


def test_a_match_between_bots_ends_audited_and_verifies() -> None:
    # One of the shortest.
    pair = match("all 28", gather=False)
    for _ in bot_moves(pair, "greedy", 28, guest="random"):
        for seat in (0, 1):
            mine, state = pair.sessions[seat].known, pair.sessions[seat].state
            assert {slot for slot in state.hands[seat] if slot >= 0} <= mine.keys()
            assert not set(state.hands[1 - seat]) & mine.keys()
            assert not set(state.pile) & mine.keys()
    # The other implementation judges a short match below, and all in the long run.
    check_end(pair, by_both=False)
    assert pair.host.result in [{"winner": one, "reason": why} for one in ("0", "1") for why in ("full", "points")]


def test_a_match_with_a_set_of_ones_own_is_played_and_the_terms_name_it() -> None:
    cards = own_set(Danae=abilities({"when": "played", "may": False, "do": "draw", "n": 64}))
    pair = Pair(Fight(cards), encode_terms(cards), tag="own", gather=True, scheme="proved")
    for number, session in enumerate(bot_moves(pair, "random")):
        assert session.state.cards == cards
        if number == 2:
            break
    pair.host.side_channel.resign()
    pair.settle()
    verdict = judge([log_of(pair)], only(pair.game))[0]
    assert (verdict["problems"], verdict["result"]) == ([], {"winner": "1", "reason": "forfeit"})
    (missing,) = judge([log_of(pair)], only(Fight()))
    assert missing["problems"]


RIVALS = [("random", "random"), ("greedy", "greedy"), ("greedy", "random"), ("random", "greedy")]
SEEDS = (0, 1, 3, 11, 17, 19, 25, 30, 33)
"""Of the matches in which it was tried: they use every word between them."""


def words_used(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the words of the effect language that have acted in a match, and those that were in play."""
    used: set[str] = set()
    real = carried_out.do_ability

    def noting(state: State, task: Any, answer: Any) -> None:
        used.add(carried_out.ability_of(state, task).do)
        real(state, task, answer)

    with monkeypatch.context() as patched:
        patched.setattr(carried_out, "do_ability", noting)
        game = Fight()
        state = game.begin(TERMS)
        for answer in (played.answer for played in pair.host.transcript.history if played.answer is not None):
            assert state.question is not None
            used |= {"free"} & set(state.question.task[:1])
            state = game.step(state, answer)
            for event in state.events:
                if event.what is What.PLAYED:
                    used |= {one.do for one in CARDS.cards[event.cards[0]].abilities if one.when is When.ALWAYS}
    return used


@pytest.mark.long
def test_matches_between_bots_verify_nobody_is_accused_and_every_word_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    for seed in SEEDS:
        host, guest = RIVALS[seed // 2 % 4]
        pair = match(f"all {seed}", gather=seed % 3 == 0)
        for _ in bot_moves(pair, host, seed, guest=guest):
            pass
        check_end(pair, by_both=seed == 0)
        accused = (PeerMisbehaved, Disagreement, Damaged)
        assert not any(isinstance(event, accused) for events in pair.events for event in events)
        used |= words_used(pair, monkeypatch)
    assert set(WORDS) - used == set()


def test_verify_calls_the_seats_as_this_game_does_where_its_rules_are_not_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = type("Old", (Fight,), {"version": f"0-{'a' * 64}"})()
    host, _, _ = shake(*configs(old, TERMS, scheme="proved"))
    session = Session.begin(host)
    path = tmp_path / "old.storm"
    path.write_bytes(logfile.dump(session.records, session.seat, session.sign_log))
    assert main(["verify", "--json", str(path)]) == Exit.NO
    (answer,) = json.loads(capsys.readouterr().out)
    assert [one["code"] for one in answer["problems"]] == ["rules_version"]
    assert [one["seat"] for one in answer["players"]] == ["0", "1"]


# -- restarts -----------------------------------------------------------------------------------------------


def restart(pair: Pair) -> None:
    for seat in (0, 1):
        old = pair.sessions[seat]
        session = pair.restored(seat)
        assert (session.records, session.state, session.asks_us) == (old.records, old.state, old.asks_us)
        assert dict(session.known) == dict(old.known)
        pair.replace(seat, session)
    pair.reconnect()
    pair.settle()


def test_a_restart_between_decisions_loses_nothing() -> None:
    pair = match("restart", gather=False)
    for number, _ in enumerate(bot_moves(pair, "greedy")):
        restart(pair)
        if number == 2:
            break
    pair.sessions[1].side_channel.resign()
    pair.settle()
    assert all(session.audited for session in pair.sessions)
    # Both implementations judge a match with more restarts in the long run.
    verdict = verify(pair.sessions[0].records, only(pair.game))
    assert (verdict.problems, verdict.result) == ((), {"winner": "0", "reason": "forfeit"})


@pytest.mark.long
def test_a_restart_between_any_two_decisions_loses_nothing() -> None:
    pair = match("restarts", gather=True)
    for _ in bot_moves(pair, "random"):
        restart(pair)
    check_end(pair)


@pytest.mark.long
def test_a_restart_anywhere_within_the_setup_loses_nothing() -> None:
    setup = sum(record.kind is FrameKind.ENVELOPE for record in match("setup").host.records)
    assert setup >= 4
    for gather, lost in itertools.product((False, True), range(1, setup + 1)):
        pair = match("setup", gather=gather)
        for seat in (0, 1):
            config, records = pair.configs[seat], pair.sessions[seat].records
            kept = records[: max(len(records) - lost, len(records) - setup)]
            session = Session(kept, pair.game, config.identity, config.entropy, gather=gather).restore()
            pair.replace(seat, session)
        pair.reconnect()
        pair.settle()
        assert any(isinstance(one.asks_us, Choose) for one in pair.sessions)
        for number, _ in enumerate(bot_moves(pair, "random")):
            if number == 3:
                break


# -- cheats -------------------------------------------------------------------------------------------------


class Thief(Cheat):
    """A seat that decides and opens what its own program would not."""

    by_both = False
    """Whether the second implementation is asked, too: it takes a second for a deck."""

    def __init__(self, pair: Pair) -> None:
        session = asked(pair)
        assert session is not None
        super().__init__(pair, session.seat)
        self.rules = only(pair.game)
        self.hand = {session.known[slot]: slot for slot in session.state.hands[self.seat]}

    def opened(self, decision: Decision, bend: Callable[[Unlock], Unlock] = lambda step: step) -> tuple[Step, ...]:
        """Return a decision and what opens its cards, whatever they are."""
        builder = self.builder()
        builder.add(Choice(decision))
        request, referee = builder.request, self.transcript.referee
        assert isinstance(request, Open)
        context, dealer = referee.context(builder.position, self.seat), referee.dealer
        shares, proof = dealer.piles.unlock(builder._maker(), context, dealer.cards(builder.position, request.slots))
        return Choice(decision), bend(Unlock(shares, proof))

    def is_convicted_of(self, code: str, *steps: Step) -> None:
        """Send steps: they are refused at once, and the log convicts."""
        victim = 1 - self.seat
        self.go_quiet()
        self.send(self.envelope(*steps))
        found = [event.code for event in self.pair.events[victim] if isinstance(event, PeerMisbehaved)]
        assert found == [code]
        facts = judged(self.pair, victim) if self.by_both else plain(judge([log_of(self.pair, victim)], self.rules)[0])
        assert [(one["code"], one["seat"]) for one in facts["problems"]] == [(code, str(self.seat))]
        assert facts["result"] == {"winner": str(victim), "reason": "forfeit"}


def dealt(wanted: Callable[[dict[int, int]], Decision]) -> tuple[Thief, Decision]:
    """Return a cheat whose first hand allows a certain cheat, and its decision."""
    for number in itertools.count(FOUND.get(wanted, 0)):
        thief = Thief(match(f"cheat {number}", gather=False))
        decision = wanted(thief.hand)
        if decision is not None:
            return thief, decision
    raise AssertionError


def wrong_colour(hand: dict[int, int]) -> Decision:
    for card, payer in itertools.permutations(hand, 2):
        printed = CARDS.cards[card]
        if printed.kind != Kind.EQUIPMENT and len(printed.cost) == 1 and not pays(CARDS, printed.cost, [payer]):
            return (0, hand[card], 1, (hand[payer],), 0, ())
    return None


def unpaid(hand: dict[int, int]) -> Decision:
    return next(((0, slot, 6, (), 0, ()) for card, slot in hand.items() if CARDS.cards[card].cost), None)


def overpaid(hand: dict[int, int]) -> Decision:
    for card, payer in itertools.permutations(hand, 2):
        printed = CARDS.cards[card]
        if printed.kind != Kind.EQUIPMENT and not printed.cost:
            return (0, hand[card], 1, (hand[payer],), 0, ())
    return None


def saved(hand: dict[int, int]) -> Decision:
    for card, slot in hand.items():
        printed = CARDS.cards[card]
        if printed.kind != Kind.EQUIPMENT and len(printed.cost) == 1:
            return (0, slot, 1, (), 0, (int(printed.cost[0]),))
    return None


def gear_alone(hand: dict[int, int]) -> Decision:
    free = (slot for card, slot in hand.items() if CARDS.cards[card].kind == Kind.EQUIPMENT)
    return next(((0, slot, 1, (), 0, ()) for slot in free), None)


FOUND: dict[Any, int] = {overpaid: 3, gear_alone: 1}
"""The first match in which a cheat is possible, where it is not the first of all: each takes a second."""
UNFIT = [
    (wrong_colour, "wrong_payment"),
    (unpaid, "wrong_payment"),
    (overpaid, "wrong_payment"),
    (saved, "wrong_payment"),
    (gear_alone, "wrong_card"),
]


@pytest.mark.parametrize(("wanted", "code"), [UNFIT[0], UNFIT[-1]])
def test_who_opens_cards_that_do_not_fit_is_convicted(wanted: Callable[[dict[int, int]], Decision], code: str) -> None:
    thief, decision = dealt(wanted)
    thief.is_convicted_of(code, *thief.opened(decision))


@pytest.mark.long
@pytest.mark.parametrize(("wanted", "code"), UNFIT)
def test_both_implementations_convict_of_cards_that_do_not_fit(
    wanted: Callable[[dict[int, int]], Decision], code: str
) -> None:
    thief, decision = dealt(wanted)
    thief.by_both = True
    thief.is_convicted_of(code, *thief.opened(decision))


def refusal(thief: Thief, decision: Decision) -> str | None:
    """Return what the other's program says to a decision."""
    victim = thief.pair.sessions[1 - thief.seat]
    return victim.game.check(victim.state, thief.seat, decision, victim.known)


ILLEGAL: list[Decision] = [
    (0, 0, 1, (), 0, ()),
    (1, 3),
    (1, None),
    (2,),
    (),
    None,
    0,
    (0, 0, 1, (), 1, ()),
    (0, 0, 9, (), 0, ()),
]


def test_who_decides_what_is_not_possible_or_plays_cards_of_others_is_convicted() -> None:
    pair = match("illegal", gather=False)
    thief = Thief(pair)
    state = thief.session.state
    others = [(0, slot, 1, (), 0, ()) for slot in (state.pile[0], state.hands[1 - thief.seat][0])]
    for decision in [*ILLEGAL, *others]:
        assert refusal(thief, decision), decision
    thief.is_convicted_of("illegal_decision", Choice(others[0]))


FORGED: dict[str, tuple[Callable[[Unlock], Step], str]] = {
    "shares exchanged": (lambda step: replace(step, shares=step.shares[::-1]), "bad_proof"),
    "a share too few": (lambda step: replace(step, shares=step.shares[:1]), "wrong_count"),
    "a proof of nothing": (lambda step: replace(step, proof=bytes(48)), "bad_proof"),
    "a second key instead": (lambda step: Key(step.shares[0], step.proof), "wrong_step"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", FORGED)
def test_who_opens_with_a_forged_step_is_convicted(name: str) -> None:
    bend, code = FORGED[name]
    thief, decision = dealt(wrong_colour)
    thief.by_both = True
    choice, unlock = thief.opened(decision)
    assert isinstance(unlock, Unlock)
    thief.is_convicted_of(code, choice, bend(unlock))


# -- silence ------------------------------------------------------------------------------------------------


def visible(frame: bytes) -> list[Any]:
    """Return what a frame shows beside commitments, proofs and signatures."""
    envelope = envelope_of(frame)
    return [
        envelope.state,
        *(
            (
                type(step),
                step.decision if isinstance(step, Choice) else None,
                len(step.pairs) if isinstance(step, Stir) else len(step.shares) if isinstance(step, Unlock) else 0,
                len(getattr(step, "proof", b"")),
            )
            for step in envelope.steps
        ),
    ]


def test_two_orders_of_the_deck_look_alike_on_the_wire_until_a_card_is_opened() -> None:
    # The lot is public; both matches have to begin with the same one.
    one_deck = match("silence")
    others = (match(f"silence {number}") for number in itertools.count())
    pairs = [one_deck, next(pair for pair in others if pair.host.state.first == one_deck.host.state.first)]
    wires = []
    for pair in pairs:
        for _ in range(3):
            session = asked(pair)
            assert session is not None
            # Nobody plays; hands are drawn and mixed all the same.
            pair.act(session.seat, session.moves()[-1])
        wires.append([(seat, frame) for seat, frame in pair.wire if unpack_frame(frame)[0] is FrameKind.ENVELOPE])
    one, two = wires
    assert sorted(pairs[0].host.known.items()) != sorted(pairs[1].host.known.items())
    assert len(one) == len(two) > 7
    for (seat, left), (other, right) in zip(one, two, strict=True):
        assert (seat, len(left), visible(left)) == (other, len(right), visible(right))
