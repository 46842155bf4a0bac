"""One player alone gains nothing and convicts nobody, whatever they sign, leave out and put in another order.

A search over what the key of one seat can do, against the honest program of the other and in logs; what it finds is
printed as the shortest log.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from types import ModuleType
from typing import Any

import pytest
from helpers import daily_first
from helpers_crossing import Crossing
from helpers_storm import StormPair, some_terms
from helpers_wire import Pair
from toys import Bluff, Race, RockPaperScissors

from protocol.core import agreement, audit, merging, wire
from protocol.core.clock import ClockKind, ClockTerms
from protocol.core.game_data import Conditions
from protocol.core.messages import Break
from protocol.crypto import group
from protocol.errors import LocalProtocolError
from protocol.independent import curve, frames, handshake, messages, piles, signatures
from protocol.independent.together import Bench
from storm_p2p.fight.card_file import load_reconstructed
from storm_p2p.fight.codec import encode_terms
from storm_p2p.fight.game import Fight
from wire.search import Search

VERDICTS = int(os.environ.get("SEARCH_VERDICTS", "12000"))
"""How many verdicts the long run asks for at random, of both implementations together."""


@pytest.fixture(scope="module", autouse=True)
def _nothing_twice() -> Iterator[None]:
    """Let a library check what plain Python would, and remember points and messages: their tests are elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        known = lru_cache(maxsize=None)(_takes)
        for module in _modules_with("verify", signatures.verify):
            patch.setattr(module, "verify", known)
        patch.setattr(curve, "multiply", lru_cache(maxsize=None)(curve.multiply))
        for name in ("open_pairs", "read_points"):
            patch.setattr(piles, name, _remembered(getattr(piles, name)))
        for read in (frames.read_frame, messages.read_body, wire.unpack):
            for module in _modules_with(read.__name__, read):
                patch.setattr(module, read.__name__, lru_cache(maxsize=None)(read))
        for agree in (agreement.read_agreement, handshake.read_agreement):
            for module in _modules_with("read_agreement", agree):
                patch.setattr(module, "read_agreement", _of_a_handshake(agree))
        # A log is judged alone, before and behind the other's; what it is alone is the same each time.
        patch.setattr(merging, "verify", _of_a_file(audit.verify, lambda records, games, trailer: trailer))
        patch.setattr(Bench, "judge_alone", _of_a_file(Bench.judge_alone, lambda bench, log, game: log[1:]))
        yield


def _takes(public: bytes, digest: bytes, signature: bytes) -> bool:
    return len(signature) == 64 and signatures.is_key(public) and group.accepts(public, digest, signature)


def _modules_with(name: str, value: object) -> list[ModuleType]:
    return [module for module in list(sys.modules.values()) if getattr(module, name, None) is value]


def _remembered(function: Callable[..., object]) -> Callable[..., object]:
    found: dict[str, object] = {}

    def remembered(*arguments: object) -> object:
        key = repr(arguments)
        if key not in found:
            found[key] = function(*arguments)
        return found[key]

    return remembered


def _of_a_handshake(agree: Callable[..., object]) -> Callable[[Sequence[Any]], object]:
    known = lru_cache(maxsize=None)(agree)
    return lambda records: known(tuple(records[: handshake.LENGTH]))


def _of_a_file(judge: Callable[..., object], end_of: Callable[..., object]) -> Callable[..., object]:
    """Return a judge of one log that remembers the last few by their ends, in which the hash of all of the file is."""
    known: dict[object, object] = {}

    def remembered(*arguments: Any) -> object:
        end = end_of(*arguments)
        known[end] = known.pop(end) if end in known else judge(*arguments)
        if len(known) > 4:
            del known[next(iter(known))]
        return known[end]

    return remembered


# -- short matches of two honest programs -----------------------------------------------------------------


def begin(moves: int = 0, clock: ClockTerms | None = None) -> Pair:
    """Return a match in which the seats have moved by turns."""
    pair = Pair(Race(), 4, now=1_000_000.0, conditions=Conditions(clock))
    for move in range(moves):
        pair.act(move % 2, 0)
    return pair


def accepted() -> Pair:
    """The shortest match in which an offer may be signed again at another head."""
    pair = begin(1)
    pair.guest.side_channel.offer_draw(now=pair.now)
    pair.settle()
    pair.host.side_channel.accept_draw(now=pair.now)
    pair.settle()
    return pair


def crossed() -> Pair:
    """An acceptance crosses the move that undoes it."""
    pair = begin(1)
    pair.guest.side_channel.offer_draw(now=pair.now)
    pair.settle()
    pair.host.side_channel.accept_draw(now=pair.now)
    pair.guest.side_channel.chat("x", now=pair.now)
    pair.guest.side_channel.chat("x", now=pair.now)
    pair.guest.act(0, now=pair.now)
    pair.settle()
    pair.host.side_channel.offer_draw(now=pair.now)
    pair.settle()
    return pair


def resigned() -> Pair:
    pair = begin(2)
    pair.guest.side_channel.chat("x", now=pair.now)
    pair.settle()
    pair.host.side_channel.resign(now=pair.now)
    pair.settle()
    return pair


def both_resigned() -> Pair:
    pair = begin(1)
    pair.host.side_channel.resign(now=pair.now)
    pair.guest.side_channel.resign(now=pair.now)
    pair.settle()
    return pair


def conceded() -> Pair:
    pair = begin(1, ClockTerms(ClockKind.BASE, 5, 0, 1, 0, 3))
    pair.now += 30
    pair.host.side_channel.claim(now=pair.now)
    pair.settle()
    pair.guest.side_channel.concede(now=pair.now)
    pair.settle()
    return pair


def denied() -> Pair:
    pair = begin(1, ClockTerms(ClockKind.BASE, 5, 0, 1, 0, 3))
    pair.now += 30
    pair.host.side_channel.claim(now=pair.now)
    pair.settle()
    pair.guest.side_channel.deny(now=pair.now)
    pair.settle()
    pair.host.side_channel.resign(now=pair.now)
    pair.settle()
    return pair


def adjourned() -> Pair:
    pair = begin(1, ClockTerms(ClockKind.TURN, 5, 0, 1, 0, 3))
    pair.host.side_channel.propose(Break.ADJOURNMENT, now=pair.now)
    pair.settle()
    pair.guest.side_channel.agree(now=pair.now)
    pair.settle()
    pair.guest.act(2, now=pair.now)
    pair.settle()
    return pair


def won() -> Pair:
    pair = begin(2)
    pair.act(0, 2)
    return pair


SHORT = {one.__name__: one for one in (accepted, crossed, resigned, both_resigned, conceded, denied, adjourned, won)}


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_sample_of_what_can_be_done_to_short_matches(name: str, seat: int) -> None:
    chance = random.Random(f"{name} {seat}")
    search = Search(SHORT[name](), seat)
    search.roam(chance, 8)
    search.live(chance, 2).roam(chance, 2)


ONE_SEAT = [(number % 2, name) for number, name in enumerate(SHORT)]
"""Each match with one of its seats; the other one is among the samples."""


@pytest.mark.long
@pytest.mark.parametrize(("seat", "name"), [one for one in ONE_SEAT if one[1] not in ("crossed", "accepted")])
def test_all_that_one_message_can_do_to_a_short_match(seat: int, name: str) -> None:
    """Every message in every log; `crossed` alone takes too long, and `accepted` is among those of two messages."""
    assert Search(SHORT[name](), seat).exhaust(1) > 200


@pytest.mark.long
@pytest.mark.parametrize(("seat", "name"), ONE_SEAT)
def test_all_that_one_message_can_do_to_the_other_program(seat: int, name: str) -> None:
    assert Search(SHORT[name](), seat).exhaust_live() > 100


@pytest.mark.long
def test_all_that_two_messages_can_do_to_the_shortest_match() -> None:
    """From the seat that can sign less; the other one takes three times as long."""
    assert Search(accepted(), 0).exhaust(2) > 2000


# -- any match ----------------------------------------------------------------------------------------------


def lively(game: str, seed: int) -> Pair:
    """Return a match of two honest programs in which anything may have happened."""
    chance = random.Random(seed)
    match game:
        case "Storm":
            pair: Pair = StormPair(some_terms(chance), scheme=("hash", "proved")[seed % 2], tag=f"nobody {seed}")
            pair.play_out(seed, chance.choice((3, 8, 20)))
        case "Fight":
            terms = encode_terms(load_reconstructed())
            pair = Pair(Fight(), terms, tag=f"nobody {seed}", gather=True, scheme="proved")
            pair.play_out(seed, chance.choice((1, 5, 20)))
        case _:
            toys = ((Race(), chance.choice((2, 4, 6))), (RockPaperScissors(), 2), (Bluff(), (2, 0)))
            crossing = Crossing(seed, *chance.choice((toys[0], *toys)))
            crossing.play(chance.randrange(5, 70))
            if chance.random() < 0.8:
                crossing.settle()
            pair = crossing.pair
    if chance.random() < 0.8:
        end(pair, chance)
    return pair


def end(pair: Pair, chance: random.Random) -> None:
    """Let a match end as most of those do that somebody wants to undo."""
    one, two = chance.sample(pair.sessions, 2)
    with suppress(LocalProtocolError):
        if chance.random() < 0.7:
            one.side_channel.offer_draw(now=pair.now)
            pair.settle()
            two.side_channel.accept_draw(now=pair.now)
        else:
            one.side_channel.resign(now=pair.now)
    pair.settle()


@pytest.mark.parametrize("game", daily_first(["toys", "Storm", "Fight"]))
def test_any_number_of_messages_in_any_match(game: str, request: pytest.FixtureRequest) -> None:
    long = request.config.getoption("-m") != "not long"
    wanted = VERDICTS * {"toys": 79, "Storm": 20, "Fight": 1}[game] // 100 if long else 600
    seed = asked = 0
    while asked < wanted:
        chance = random.Random(seed)
        pair = lively(game, seed)
        for seat in (0, 1):
            search = Search(pair, seat)
            for one in (search, search.live(chance, 1), search.live(chance, 3)):
                one.roam(chance, 8 if one is search else 3)
                asked += one.verdicts
        seed += 1
