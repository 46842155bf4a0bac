"""Changed programs at the table of Storm that break the rules in the open; the scheme is ``hash``.

Each is named at once by the other side; and a third process that has the log file and nothing else says the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers_storm import StormPair, setup, unit
from helpers_wire import NONCE, Cheat, envelope_of

from protocol.core.steps import Choice, Commit, Reveal, Seal, Unseal
from protocol.game import Decision
from storm.cheats import BAD_SETUPS, Court, covered, give_up, go, in_a_process_of_its_own, opening, seated, serial
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Bolt, Fight, Move, Recall, Sneak
from storm_p2p.storm.actions import Liturgy as Pray
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Maneuver

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)

ILLEGAL = {
    "too far": codec.encode(Move((12, 15), (0,), 1)),
    "from where nobody stands": codec.encode(Move((2, 3), (0,), 1)),
    "more than stand there": codec.encode(Move((12, 7), (0, 1), 2)),
    "a region that there is not": codec.encode(Move((12, 99), (0,), 1)),
    "to where one stands": codec.encode(Move((12, 12), (0,), 1)),
    "a recall of nobody": codec.encode(Recall(unit("charon"), 0)),
    "a bolt of the other side": codec.encode(Bolt(13, 12)),
    "a token of the other side": codec.encode(Move((13, 12), (0,), 1)),
    "an answer to no question": codec.encode(Fight(C, Maneuver.STANDARD, 0)),
    "a unit named on the wire": codec.encode(Move((12, 7), (0,), 1, 7)),
    "no action at all": (99,),
    "words": (0, (12, 7), (0, 0), None),
    "a pass": (6,),
}


@pytest.mark.parametrize("decision", ILLEGAL.values(), ids=ILLEGAL)
def test_an_action_against_the_rules_is_named_at_once(decision: Decision, court: Court) -> None:
    pair = seated("illegal")
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Choice(decision)))
    court.named_at_once(pair, 0, "illegal_decision")


def test_moving_when_it_is_not_ones_turn_is_named_at_once(court: Court) -> None:
    pair = seated("turn")
    cheat = Cheat(pair, 1)
    cheat.send(cheat.envelope(Choice(codec.encode(Pray()))))
    court.named_at_once(pair, 1, "not_your_turn")


def test_moving_twice_in_one_message_is_named_at_once(court: Court) -> None:
    pair = seated("twice in one")
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(*[Choice(codec.encode(Pray()))] * 2))
    court.named_at_once(pair, 0, "not_your_turn")


def fight(tag: str) -> StormPair:
    """Return a match in which Cronus has attacked Artemis in 13 and the Olympians have to seal."""
    pair = seated(tag, setup(C, cronus=12, hades=10), setup(O, artemis=13))
    pair.do(C, Move((12, 13), (0,), 1))
    return pair


@pytest.mark.parametrize("energy", [7, 25, 2**31 - 1, 2**40])
def test_more_energy_than_one_may_spend_is_named_at_once(energy: int, court: Court) -> None:
    pair = fight("energy")
    pair.do(O, Fight(O, Maneuver.STANDARD, 0))
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Choice((8, 0, 0, energy))))
    court.named_at_once(pair, 0, "illegal_decision")


def sealed(pair: StormPair, decision: Decision) -> tuple[Cheat, bytes]:
    """Let the Olympians seal any words and the Chthonians answer; return the cheat and his salt."""
    cheat = Cheat(pair, 1)
    cheat.go_quiet()
    position = cheat.transcript.position
    salt = cheat.builder()._salt(NONCE)
    go(cheat, Seal(cheat.transcript.referee.seal(1, position.serial, salt, decision), NONCE))
    pair.do(C, Fight(C, Maneuver.STANDARD, 0))
    return cheat, salt


@pytest.mark.parametrize(
    "decision",
    [(8, 1, 0, 25), (8, 1, 9, 0), (8, 0, 0, 0), None, (6,)],
    ids=["energy", "maneuver", "faction", "nothing", "pass"],
)
def test_sealing_what_is_not_allowed_is_named_when_it_is_opened(decision: Decision, court: Court) -> None:
    pair = fight("sealed")
    cheat, salt = sealed(pair, decision)
    cheat.send(cheat.envelope(Unseal(decision, salt)))
    court.named_at_once(pair, 1, "illegal_decision")


def test_opening_a_seal_with_another_choice_is_named_at_once(court: Court) -> None:
    pair = fight("unsealed")
    cheat, salt = sealed(pair, codec.encode(Fight(O, Maneuver.STANDARD, 0)))
    cheat.send(cheat.envelope(Unseal(codec.encode(Fight(O, Maneuver.DEFENSE, 2)), salt)))
    court.named_at_once(pair, 1, "wrong_opening")


def test_copying_a_commitment_as_ones_seal_is_named_at_once(court: Court) -> None:
    pair = fight("copied")
    cheat = Cheat(pair, 1)
    (cover,) = envelope_of(pair.host.records[4].frame).steps
    assert isinstance(cover, Commit)
    cheat.send(cheat.envelope(Seal(cover.commitments[0], NONCE)))
    court.named_at_once(pair, 1, "commitment_repeated")


def test_choosing_openly_where_one_has_to_seal_is_named_at_once(court: Court) -> None:
    pair = fight("openly")
    cheat = Cheat(pair, 1)
    cheat.send(cheat.envelope(Choice(codec.encode(Fight(O, Maneuver.STANDARD, 0)))))
    court.named_at_once(pair, 1, "wrong_step")


# --- a third process judges --------------------------------------------------------------------------------------


def cheated_in_the_setup() -> tuple[StormPair, str]:
    pair = StormPair(tag="process setup")
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    go(cheat, covered(cheat, BAD_SETUPS["a unit twice"]))
    pair.act(1, None, tuple(int(one) for one in setup(O)))
    give_up(pair, 1)
    return pair, "batch_not_derived"


def cheated_with_a_claim() -> tuple[StormPair, str]:
    pair = seated("process sneak", setup(C, cronus=12, erinyes=5, hades=10))
    pair.do(C, Move((12, 7), (0,), 1))
    pair.do(O, Pray())
    cheat = Cheat(pair, 0)
    shown = Reveal(((int(unit("cronus")), opening(cheat, serial(pair, C, 7))),))
    cheat.send(cheat.envelope(Choice(codec.encode(Sneak((7, 13), 0))), shown))
    return pair, "no-sneak"


def cheated_with_energy() -> tuple[StormPair, str]:
    pair = fight("process energy")
    pair.do(O, Fight(O, Maneuver.STANDARD, 0))
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Choice((8, 0, 0, 25))))
    return pair, "illegal_decision"


@pytest.mark.parametrize("cheated", [cheated_in_the_setup, cheated_with_a_claim, cheated_with_energy])
def test_a_third_process_with_nothing_but_the_file_names_the_cheat(
    cheated: Callable[[], tuple[StormPair, str]], tmp_path: Path
) -> None:
    pair, wanted = cheated()
    code, answer = in_a_process_of_its_own(pair.log(1), tmp_path)
    assert code == 1
    assert answer["verdict"] == "convicted"
    assert answer["ok"]
    assert [(one["code"], one["seat"]) for one in answer["problems"]] == [(wanted, "chthonians")]
    assert answer["problems"][0]["text"].startswith("placed two " if "batch" in answer["problems"][0] else "expected ")
