"""Test vectors of matches with hidden cards, tosses and clocks: whole logs in which one message is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helpers_times import BLITZ, START
from helpers_wire import NONCE, Cheat, Pair, entropy
from toys import Bluff, RockPaperScissors

from protocol.core.frames import Record
from protocol.core.game_data import Conditions
from protocol.core.messages import SideType
from protocol.core.steps import Choice, Commit, Recommit, Reveal, Seal, Step, TossCommit, TossReveal, Unseal
from protocol.crypto import group
from protocol.crypto.commitments.hash import HashScheme
from protocol.crypto.commitments.interface import Context, Maker
from protocol.crypto.commitments.proved import ProvedScheme
from protocol.crypto.hashing import hash_parts
from protocol.game import Mix, Open
from protocol.record import logfile
from vectors.matches import HASH, OFFER, RESIGN, Played, log_case
from vectors.primitives import ORDER_8, Case


def log_of(pair: Pair, *frames: bytes) -> bytes:
    """Return the log of the host with some frames more."""
    records = [*pair.host.records, *(Record(frame[1], frame) for frame in frames)]
    return logfile.dump(records, 0, pair.host.sign_log)


class Deal:
    """A match of bluff with hidden cards, in which both have done what they must up to some place."""

    def __init__(
        self, covered: int, *, cards: int = 3, scheme: str = "hash", toss: bool = True, private: int = 0
    ) -> None:
        self.pair = Pair(Bluff(), (cards, private), tag="cards", scheme=scheme)
        self.seats = [Cheat(self.pair, seat) for seat in (0, 1)]
        self.cards = cards
        for seat in range(covered):
            if seat == 1 and not toss:
                self.seats[0].hold_back()
            self.pair.act(seat, None, tuple(range(cards)))

    @property
    def turn(self) -> Cheat:
        """Who has to write."""
        transcript = self.pair.host.transcript
        turn = transcript.referee.turn(transcript.position)
        assert turn is not None
        return self.seats[turn]

    def maker(self, seat: int, seed: bytes | None = None) -> Maker:
        cheat = self.seats[seat]
        return Maker(self.pair.host.agreement.match_id, seat, seed or cheat.secrets.seed, b"", NONCE)

    def fixed(self, share: bytes) -> bytes:
        """Return what fixes a share of seat 0."""
        position = self.pair.host.transcript.position
        return hash_parts("toss", self.pair.host.agreement.match_id, 0, position.serial, share)

    def go_on_with(self, step: Step) -> None:
        """Let whoever has to write go on with a step, whatever the own program thinks of it."""
        cheat = self.turn
        cheat.go_quiet()
        cheat.send_and_hold(cheat.envelope(step, state=cheat.state_after(step)))

    def case(self, comment: str, reason: str, *steps: Step, seat: int | None = None) -> Case:
        """Return a test in which whoever has to write sends these steps."""
        cheat = self.turn
        convicted = cheat.seat if seat is None else seat
        log = log_of(self.pair, cheat.envelope(*steps))
        return log_case(comment, reason, log, convicted, game="bluff")


def hidden() -> list[Case]:
    """Return matches of bluff with the scheme ``hash``."""
    found: list[Case] = []
    deal = Deal(0)
    tokens = [one.commitment for one in HashScheme().commit(deal.maker(0), 0, range(3))]
    for comment, reason, step in (
        ("one commitment too few", "wrong_count", Commit(tuple(tokens[:2]), b"", NONCE)),
        ("one commitment too many", "wrong_count", Commit((*tokens, HASH), b"", NONCE)),
        ("a commitment twice", "commitment_repeated", Commit((*tokens[:2], tokens[0]), b"", NONCE)),
        ("a proof in the scheme hash", "unwanted_proof", Commit(tuple(tokens), b"\0", NONCE)),
        ("a Shuffle in the place of a Cover", "wrong_step", Recommit((tuple(sorted(tokens)),), b"", NONCE)),
    ):
        found.append(deal.case(f"cards: {comment}", reason, step))
    deal = Deal(1)
    copied = tuple(deal.pair.host.transcript.history[0].step.commitments)  # type: ignore[union-attr]
    found.append(deal.case("cards: the commitments of the other", "commitment_repeated", Commit(copied, b"", NONCE)))
    found += [*tossed(), *mixed(), *opened(), *audited()]
    deal = Deal(2)
    while (asked := next((one for one in deal.pair.sessions if one.asks_us is not None), None)) is not None:
        deal.pair.act(asked.seat, asked.moves()[0])
    found.append(log_case("cards: a whole match", None, log_of(deal.pair), game="bluff"))
    return found


def tossed() -> list[Case]:
    """Return tosses that are wrong."""
    deal = Deal(2, toss=False)
    share = entropy("a share")
    found = [
        deal.case("toss: a share before anything is fixed", "wrong_step", TossReveal(share)),
        deal.case("toss: a choice", "wrong_step", Choice(0)),
    ]
    deal.go_on_with(TossCommit(deal.fixed(share), NONCE))
    return [
        *found,
        deal.case("toss: another share than the fixed one", "wrong_opening", TossReveal(entropy("another"))),
        deal.case("toss: fixed a second time", "wrong_step", TossCommit(HASH, NONCE)),
    ]


def mixed() -> list[Case]:
    """Return groups that are divided wrongly."""
    deal = Deal(2)
    cheat = deal.turn
    builder = cheat.builder()
    builder.add(Choice((1, 1)))
    request = builder.request
    assert isinstance(request, Mix)
    made = [one.commitment for one in HashScheme().commit(deal.maker(cheat.seat), request.give[0][0], range(3))]
    one, two = sorted(made[1:])
    wrong = {
        "a part that is not sorted": ("not_sorted", ((made[0],), (two, one))),
        "parts of other sizes": ("wrong_count", (tuple(sorted(made[:2])), (made[2],))),
        "a part too many": ("wrong_count", ((made[0],), (one, two), ())),
        "all in one part": ("wrong_count", (tuple(sorted(made)),)),
        "a commitment in both parts": ("commitment_repeated", ((one,), (one, two))),
        "a token as it was": ("commitment_repeated", ((made[0],), tuple(sorted((old_token(cheat), one))))),
    }
    return [
        deal.case(f"mix: {comment}", reason, Choice((1, 1)), Recommit(parts, b"", NONCE))
        for comment, (reason, parts) in wrong.items()
    ]


def old_token(cheat: Cheat) -> bytes:
    """Return a token of a seat that lies on the table."""
    position = cheat.transcript.position
    return next(token.commitment for token in position.tokens.values() if token.seat == cheat.seat)


def opened() -> list[Case]:
    """Return cards that are opened wrongly, and a lie that an opening shows."""
    deal = Deal(2)
    cheat = deal.turn
    builder = cheat.builder()
    builder.add(Choice((2, 1)))
    request = builder.request
    assert isinstance(request, Open)
    known, openings = builder.secret_replay.known, builder.secret_replay.openings
    slot = request.slots[0]
    assert known[slot] == 1
    other = next(one for one in known if one != slot)
    wrong: dict[str, tuple[str, tuple[tuple[int, bytes], ...]]] = {
        "another value": ("wrong_opening", ((0, openings[slot]),)),
        "another opening": ("wrong_opening", ((1, HASH),)),
        "another card": ("wrong_opening", ((known[other], openings[other]),)),
        "a card too many": ("wrong_count", ((1, openings[slot]), (known[other], openings[other]))),
        "a declaration that the opening refutes": ("declared_wrong", ((1, openings[slot]),)),
    }
    return [
        deal.case(f"open: {comment}", reason, Choice((2, 1)), Reveal(cards))
        for comment, (reason, cards) in wrong.items()
    ]


def audited() -> list[Case]:
    """Return matches that end well, and of which the open cards show something."""
    found = []
    deal = Deal(0)
    tokens = HashScheme().commit(deal.maker(0, entropy("another seed")), 0, range(3))
    deal.go_on_with(Commit(tuple(one.commitment for one in tokens), b"", NONCE))
    found.append(resigned("audit: a batch of another seed", "batch_not_derived", deal.pair))
    deal = Deal(2, toss=False, private=1)
    share = entropy("a share")
    deal.go_on_with(TossCommit(deal.fixed(share), NONCE))
    deal.pair.settle()
    found.append(resigned("audit: a share that the seed does not give", "share_not_derived", deal.pair))
    pair = Pair(RockPaperScissors(), 1, tag="own salt")
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    sealed = hash_parts("sealed", pair.host.agreement.match_id, 0, 0, HASH, b"\1")
    cheat.send_and_hold(cheat.envelope(Seal(sealed, NONCE)))
    found.append(resigned("audit: a salt that is not shown is not looked at", None, pair))
    pair.act(1, 0)
    last = Unseal(1, HASH)
    cheat.send_and_hold(cheat.envelope(last, state=cheat.state_after(last)))
    match = Played(pair)
    won = (("reason", "rounds"), ("winner", "0"))
    frames = [*match.start(3), *(match.result(seat, result=won) for seat in (0, 1)), *map(match.seed, (0, 1))]
    found.append(match.case("audit: a salt that the seed does not give", "seal_not_derived", 0, frames))
    return found


def resigned(comment: str, reason: str | None, pair: Pair) -> Case:
    """Return a test of a match that seat 1 gives up, and of which both open their seeds."""
    match = Played(pair)
    length = len(match.envelopes)
    resign = match.side(1, RESIGN, seq=length)
    lost: dict[str, Any] = {
        "seen": (resign,),
        "grounds": ((1, match.digest("side", resign)),),
        "result": (("reason", "forfeit"), ("winner", "0")),
    }
    results = [match.result(seat, **lost) for seat in (0, 1)]
    seeds = [match.seed(seat, seen=(resign,)) for seat in (0, 1)]
    frames = [*match.start(length), resign, *results, *seeds]
    return match.case(comment, reason, None if reason is None else 0, frames)


def proved() -> list[Case]:
    """Return matches of bluff with the scheme ``proved``."""
    deal = Deal(0, cards=2, scheme="proved")
    context, maker = deal.seats[0].transcript.referee.context(deal.seats[0].transcript.position, 0), deal.maker(0)
    made, proof = ProvedScheme().hide(maker, context, 0, (1, 0), ())
    tokens = tuple(one.commitment for one in made)
    small = group.add(tokens[0], ORDER_8)
    wrong: Sequence[tuple[str, str, Step]] = (
        ("a bit of the proof is turned", "bad_proof", Commit(tokens, bytes([proof[0] ^ 1]) + proof[1:], NONCE)),
        ("no proof", "bad_proof", Commit(tokens, b"", NONCE)),
        ("the tokens change places", "bad_proof", Commit(tokens[::-1], proof, NONCE)),
        ("a token of mixed order", "bad_point", Commit((small, tokens[1]), proof, NONCE)),
        ("a token that is no point", "bad_point", Commit((tokens[0], bytes([2]) + bytes(31)), proof, NONCE)),
        ("a token twice", "commitment_repeated", Commit(tokens[:1] * 2, proof, NONCE)),
        (
            "a proof for another seat",
            "bad_proof",
            Commit(*elsewhere(maker, Context(context.match_id, 1, context.head, 0))),
        ),
        (
            "a proof for another serial",
            "bad_proof",
            Commit(*elsewhere(maker, Context(context.match_id, 0, context.head, 1))),
        ),
        ("a proof for another head", "bad_proof", Commit(*elsewhere(maker, Context(context.match_id, 0, HASH, 0)))),
    )
    found = [deal.case(f"proved: {comment}", reason, step) for comment, reason, step in wrong]
    deal.pair.act(0, None, (0, 1))
    return [*found, log_case("proved: a proof that holds", None, log_of(deal.pair), game="bluff")]


def elsewhere(maker: Maker, context: Context) -> tuple[tuple[bytes, ...], bytes, bytes]:
    """Return the fields of a Cover whose proof stands somewhere else."""
    made, proof = ProvedScheme().hide(maker, context, 0, (1, 0), ())
    return tuple(one.commitment for one in made), proof, NONCE


def timed() -> list[Case]:
    """Return matches with a clock of 60 seconds and 5 more for each decision."""

    def begun(*seconds: float) -> tuple[Pair, list[Cheat]]:
        pair = Pair(RockPaperScissors(), 1, now=START, tag="clock", conditions=Conditions(BLITZ))
        for seat, spent in enumerate(seconds):
            pair.now += spent
            pair.act(seat, 1)
        return pair, [Cheat(pair, seat) for seat in (0, 1)]

    pair, (first, second) = begun()
    absent = BLITZ.absent
    found = []

    def add(comment: str, reason: str | None, seat: int | None, *frames: bytes, **more: Any) -> None:
        found.append(log_case(f"clock: {comment}", reason, log_of(pair, *frames), seat, **more))

    seal = Seal(HASH, NONCE)
    add("no times", "wrong_clock", 0, first.envelope(seal, stamp=None))
    add("times", None, None, first.envelope(seal, stamp=(59, 0, 0, 0)))
    add(
        "a claim on time that the own reading does not bear out",
        "early_claim",
        1,
        second.side(SideType.CLAIM, (1, 60, 0)),
    )
    add("a claim on time", None, None, second.side(SideType.CLAIM, (1, 61, 0)))
    add(
        "a claim on absence that is a second too early",
        "early_claim",
        1,
        second.side(SideType.CLAIM, (2, 0, absent - 1)),
    )
    add("a claim on absence while the line is there", "early_claim", 1, second.side(SideType.CLAIM, (2, absent, 0)))
    add("a claim on absence", None, None, second.side(SideType.CLAIM, (2, 0, absent)))
    add("a claim in the own turn", "early_claim", 0, first.side(SideType.CLAIM, (1, 1000, 0)))
    pair, (first, second) = begun(61)
    add("a claim that the other's own word proves", None, None, proof := second.side(SideType.CLAIM, (1, 61, 0)))
    add("an offer after a proved claim", "not_now", 1, proof, Played(pair).side(1, OFFER, seq=1, seen=(proof,)))
    pair, (first, second) = begun(60)
    add("the last second may be used", "early_claim", 1, second.side(SideType.CLAIM, (1, 60, 0)))
    return found
