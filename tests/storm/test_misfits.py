"""Programs that do not fit together say so, and there is no match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from helpers_storm import STORM
from helpers_wire import configs, flipped, shake

from protocol.core.handshake import Agreed, Handshake, HandshakeEvent, HandshakeFailed
from storm_p2p.storm.game import Storm


def met(**guest: Any) -> list[HandshakeEvent]:
    host, theirs = configs(STORM, (0, 0, 0), tag="handshake")
    return shake(host, replace(theirs, **guest))[2]


class OtherRules(Storm):
    """The same game with a changed map."""

    version = "1-" + "0" * 64  # type: ignore[misc]


@pytest.mark.parametrize(
    ("guest", "code"),
    [
        ({"versions": (2,)}, "version"),
        ({"schemes": ("proved",)}, "scheme"),
        ({"game": OtherRules()}, "rules"),
        ({"terms": (1, 0, 0)}, "terms"),
        ({"peer_identity": bytes(32)}, "wrong_identity"),
        ({"channel": bytes(32)}, "channel"),
    ],
)
def test_programs_that_do_not_fit_say_so_and_there_is_no_match(guest: dict[str, Any], code: str) -> None:
    events = met(**guest)
    assert code in {event.code.removeprefix("peer_") for event in events if isinstance(event, HandshakeFailed)}
    assert not any(isinstance(event, Agreed) for event in events)


def test_both_programs_print_both_hashes_of_the_rules() -> None:
    (event,) = [one for one in met(game=OtherRules()) if isinstance(one, HandshakeFailed) and one.code == "rules"][:1]
    assert {event.ours, event.theirs} == {STORM.version, OtherRules.version}


def test_nobody_between_the_two_can_change_what_they_speak_or_offer() -> None:
    # Every byte of the four frames is covered by the invite's secret, by a signature or by both.
    host, guest = configs(STORM, (0, 0, 0), tag="between")
    for number in range(4):
        for step in range(0, 4000, 61):
            sides = (Handshake(guest), Handshake(host))
            sent = 0
            for _ in range(3):
                for one, other in (sides, sides[::-1]):
                    for frame in one.data_to_send():
                        data = frame
                        if sent == number and step < 8 * len(frame):
                            data = flipped(frame, step)
                        sent += 1
                        other.receive_data(data)
            if sides[0].agreement is not None and sides[1].agreement is not None:
                assert step >= 8 * len(sides[0].records[number].frame), (number, step)
