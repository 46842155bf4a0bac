"""An own set of cards, as the game takes it from a file or from the log of a stranger."""

from __future__ import annotations

import json
import random
from importlib import resources

import pytest

from storm_p2p.fight.card_file import FILE_LIMIT, load_cards, load_reconstructed
from storm_p2p.fight.codec import encode_terms
from storm_p2p.fight.game import Fight

FILE = (resources.files("storm_p2p.fight") / "cards.json").read_bytes()
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
