"""What a person reads about proofs: what was checked, and what was not so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers_console import seated

from cli.console import reducer
from cli.match.player import Ending
from cli.storm.console import STORM
from cli.storm.notices import Proved, proved
from cli.storm.text import story
from cli.text import matches
from protocol.core.events import PeerMisbehaved
from protocol.game import Answer, Choose, Chosen, Hidden, Hide, Locate, Located, Mix, Mixed, Request
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit

HADES = int(Unit.HADES)
MODEL = STORM.begin_match(seated(Faction.OLYMPIANS, Terms(), "Eris"))


@pytest.mark.parametrize(
    ("request_", "answer", "said"),
    [
        (
            Hide(0, tuple(range(12)), "setup", tuple(range(12)), ((HADES, tuple(range(9))),)),
            Hidden(0),
            "checked: 9 placements are 9 different units, Hades among them (proved)",
        ),
        (
            Hide(1, tuple(range(12, 24)), "deck", tuple(range(12, 24))),
            Hidden(1),
            "checked: 12 hidden units are 12 different units (proved)",
        ),
        (
            Mix((24, 25, 26), ((27,), (28, 29)), (0,)),
            Mixed(),
            "checked: 3 hidden units are the same 3 as before (proved)",
        ),
        (
            Locate(0, HADES, ((0,), (1,)), "landed"),
            Located(0, 1),
            "checked: Hades stands where a random setup may put him (proved)",
        ),
        (
            Locate(0, HADES, ((0,), (1,)), "landed"),
            Located(0, 0),
            "checked: Hades stands elsewhere, so the side is dealt again (proved)",
        ),
        (Choose(0, "turn"), Chosen(0, (5,)), None),
    ],
)
def test_what_a_message_has_proved_is_said_in_a_line(request_: Request, answer: Answer, said: str | None) -> None:
    found = proved("proved", request_, answer)
    assert (None if found is None else story.proof(found)) == said
    assert proved("hash", request_, answer) is None


@pytest.mark.parametrize("code", ["bad_proof", "bad_point", "not_now"])
def test_a_false_proof_is_said_without_its_code(code: str) -> None:
    sentence = "expected a proof of the statement 'hide', got another one"
    said = STORM.say(MODEL, PeerMisbehaved(code, sentence, 0, None, (), {}))
    assert "Eris's program" in said
    assert "it is cheating or broken" in said
    assert "the log proves it to anyone" in said
    assert code not in said
    assert "'hide'" not in said


def test_what_was_checked_is_said_as_it_is_and_changes_nothing_else() -> None:
    found = Proved(Mix((24, 25), ((27, 28),), (0,)), Mixed())
    assert STORM.say(MODEL, found) == "checked: 2 hidden units are the same 2 as before (proved)"
    assert reducer.noticed(MODEL, found) == replace(MODEL, chronicle=(found,))


@pytest.mark.parametrize(
    ("proved_", "said"),
    [(True, "What was hidden was proved, but not opened."), (False, "What was hidden was not checked.")],
)
def test_the_end_of_a_match_without_its_audit_says_what_is_known_of_the_hidden_units(proved_: bool, said: str) -> None:
    assert said in matches.over(MODEL, Ending("olympians", "forfeit", False, None, proved=proved_))


def test_an_audit_of_the_other_that_found_something_else_is_told_at_the_end() -> None:
    said = " ".join(matches.over(MODEL, Ending("olympians", "honor", True, None, audits_agree=False)))
    assert "signed that its check had a different result" in said
    said = " ".join(matches.over(MODEL, Ending("olympians", "honor", True, None)))
    assert "a different result" not in said
    assert "keeps the keys" not in said


def test_a_match_that_the_other_may_not_hold_says_that_its_keys_stay_and_what_gives_the_rest() -> None:
    said = " ".join(matches.over(MODEL, Ending("olympians", "honor", True, None, keys_stay=True)))
    assert "keeps the keys of the match. storm-p2p resume" in said
