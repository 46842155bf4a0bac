"""Which set of cards a game is played with: an own one, from a file or a stranger's log, or one of the program's."""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers import ROOT
from helpers_fight import FILE

from cli.app.launch.pairing import played
from cli.app.replay import open_log
from cli.fight import lessons, scenario
from cli.fight.game import FightGame
from cli.storage.home import Home
from storm_p2p import games
from storm_p2p.fight.card_file import FILE_LIMIT, FIRST, NEWEST, SETS, load_cards, load_reconstructed
from storm_p2p.fight.codec import encode_terms
from storm_p2p.fight.game import Fight

OWN = FILE.replace(b"Patroclus", b"Patrocles")


def test_the_game_with_an_own_set_takes_its_terms_and_no_others() -> None:
    own, terms = load_cards(OWN, "own"), encode_terms(load_cards(OWN, "own"))
    game = Fight().supply(OWN)
    state = game.begin(terms)
    assert state.cards == own
    assert game.load(game.dump(state)) == state
    assert (game.name, game.version) == (Fight().name, Fight().version)
    with pytest.raises(ValueError, match="set of cards"):
        game.begin(encode_terms(load_reconstructed()))
    with pytest.raises(ValueError, match="set of cards"):
        Fight().begin(terms)
    with pytest.raises(ValueError, match="dumped state"):
        Fight().load(game.dump(state))
    assert Fight().supply(FILE).begin(encode_terms(load_reconstructed())).cards == load_reconstructed()


@pytest.mark.parametrize("name", SETS)
def test_whatever_names_a_set_of_the_program_is_played_with_it(name: str) -> None:
    cards = load_reconstructed(name)
    terms, game = encode_terms(cards), Fight()
    state = game.begin(terms)
    assert (state.cards, cards.name) == (cards, name)
    assert game.load(game.dump(state)).cards == cards
    assert FightGame().read_terms(terms) == cards
    seen: Any = SimpleNamespace(
        event=SimpleNamespace(game=games.FIGHT, rules=games.NEWEST[games.FIGHT], terms=terms),
        tournament=SimpleNamespace(data=(OWN,)),
    )
    assert played(seen)[1] == b""
    assert len({load_reconstructed(one).digest for one in SETS}) == len(SETS)


def test_what_begins_now_has_the_newest_set() -> None:
    newest = load_reconstructed(NEWEST)
    assert FightGame().write_terms({}) == encode_terms(newest)
    assert load_cards(FightGame().begin_cards(), "new").digest == newest.digest
    assert lessons.seen(0, 0).cards == newest


@pytest.mark.parametrize(("more", "attack"), [({}, 3), ({"cards": FIRST}, 3), ({"cards": NEWEST}, 2)])
def test_a_scenario_names_its_set_and_means_the_first_one_where_it_names_none(
    more: dict[str, object], attack: int
) -> None:
    diomedes, shepherds = {"card": 1}, {"card": 72}
    sides = [[diomedes, *[None] * 5], [shepherds, *[None] * 5]]
    # Of its ability one damage, too; a must with a single possible answer.
    answer = scenario.run({"position": {"sides": sides, "pile": [90, 91, 92]}, "actions": ["end"], **more})
    fallen = [event for event in answer["events"] if "damage" in event] if isinstance(answer["events"], list) else []
    assert fallen[1:] == [f"Diomedes against Shepherds: {attack} damage."]


@pytest.mark.parametrize("given", ["reconstructed-9", None, [], 1])
def test_a_scenario_with_no_set_of_cards_is_refused(given: object) -> None:
    answer = scenario.run({"cards": given, "deck": list(range(96))})
    assert (answer["ok"], answer["index"], answer["code"]) == (False, -1, "bad-cards")


def test_a_log_of_the_first_set_is_shown_with_it(tmp_path: Path) -> None:
    log = ROOT / "tests/logs/protocol3-fight1/proved-reconstructed-absence.storm"
    found = open_log(Home(tmp_path), str(log), "replay")
    assert (found.notices, found.convicted) == ((), None)
    terms = found.transcript.agreement.terms
    assert terms == encode_terms(load_reconstructed(FIRST)) != encode_terms(load_reconstructed(NEWEST))
    console, cards = found.game.console, found.game.read_terms(terms)
    assert found.transcript.position.state.cards == cards
    assert console.match_of(cards) == "Fight for Olympus, card set reconstructed-1"
    assert console.title_of(cards) == console.title_of(load_reconstructed(NEWEST))


def test_the_line_of_a_fault_is_that_of_the_innermost_object() -> None:
    lines = json.dumps(json.loads(FILE), indent=1).splitlines()
    at = next(number for number, line in enumerate(lines) if '"do"' in line)
    opened = next(number for number in range(at, 0, -1) if lines[number].strip() == "{")
    lines[at] = lines[at].replace('"do": "', '"do": "un')
    with pytest.raises(ValueError, match=f"own, line {opened + 1}: expected one of damage"):
        load_cards("\n".join(lines).encode(), "own")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b"null",
        b'{"cards": [',
        b"[" * 100_000,
        b'{"a":' * 40_000,
        b"9" * 100_000,
        b"[" + b"{}," * 80_000 + b"{}]",
        b'{"cards":[' + b"{}," * 80_000 + b'{}],"game":"fight-for-olympus","set":""}',
        FILE.ljust(FILE_LIMIT + 1),
        b'{"cards": [], "game": "storm", "set": "x"}',
        FILE.replace(b'"cost"', b'"price"', 1),
    ],
)
def test_what_is_no_set_of_cards_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"cards, line [0-9]+: expected"):
        Fight().supply(data)


def test_whatever_a_stranger_puts_into_a_log_is_read_or_refused() -> None:
    chance = random.Random(15)
    words = b'{ } [ ] " , NaN 1e999 -1 null \xf0\x9f\x98\x80 \\ud800'.split()
    refused = 0
    for _ in range(120):
        data = bytearray(FILE)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 40)] = chance.choice([*words, bytes([chance.randrange(256)])])
        try:
            Fight().supply(bytes(data))
        except ValueError:
            refused += 1
    assert refused > 60
