"""An arena equals the engine: the same lists at the same prices, and the same game after each action."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers_worlds import find_possible

from benchmarks.table import deal, make_placement, read_secrets, view_as
from storm_p2p.storm import arena, engine, views
from storm_p2p.storm.actions import Aid, Place
from storm_p2p.storm.arena import Arena
from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import FACTIONS, OTHER
from storm_p2p.storm.bots.uniform import draw_setup
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules.action_codes import CHOOSE, KIND, MOVE, WANDER
from storm_p2p.storm.rules.options import honor_of
from storm_p2p.storm.state import AID, OVER, State, Terms
from storm_p2p.storm.state_builder import StateBuilder, look
from storm_p2p.storm.units import CHARMING_SIDE

OF_A_COMBAT = {
    "aid",
    "alone",
    "attacker",
    "choices",
    "doomed",
    "leavers",
    "left",
    "losers",
    "origin",
    "region",
    "round",
}
DECISIONS = 400
VARIANTS = [Terms(a, b, challenge) for a in (False, True) for b in (False, True) for challenge in (0, 4)]


def facts(board: Bitboard) -> dict[str, object]:
    """Return everything that decides about what follows."""
    skipped = {"events", "paths"} | (OF_A_COMBAT - {"region"} if not board.region else set())
    return {name: getattr(board, name) for name in Bitboard.__slots__ if name not in skipped}


def answer_in_vain(state: State) -> State:
    """Answer the question for help that nobody can give: an arena does not ask it (A-34)."""
    while state.phase == AID and len(engine.legal_actions(state, CHARMING_SIDE)) == 1:
        state, _ = engine.play(state, Aid(None))
    return state


def compare_lists(game: Arena, state: State) -> None:
    for seat in FACTIONS:
        codes = game.actions(seat)
        options = engine.price_actions(state, seat)
        assert len(set(codes)) == len(codes) == len(options)
        assert Counter(game.told(state, code) for code in codes) == Counter(action for action, _ in options)
        costs = dict(options)
        for code in codes:
            if code & KIND in (MOVE, WANDER, CHOOSE):
                assert costs[game.told(state, code)].honor == honor_of(code)


def play_both(seed: int, terms: Terms, *, lists: bool) -> int:
    """Play a random game on both and return the number of decisions."""
    rng = random.Random(f"{seed} {terms}")
    state = deal(terms, rng)
    game = arena.of(state)
    for number in range(DECISIONS):
        if state.phase == OVER:
            assert game.outcome == state.outcome
            assert game.deciders() == ()
            return number
        assert facts(game) == facts(StateBuilder(state))
        request = engine.next_request(state)
        assert request is not None
        assert game.deciders() == request.seats
        if lists:
            compare_lists(game, state)
        codes = game.actions()
        code = codes[rng.randrange(len(codes))]
        state = answer_in_vain(engine.play(state, game.told(state, code))[0])
        before, game = facts(game), game.copy() if rng.random() < 0.5 else game
        game.push(code)
        assert facts(game) != before
    return DECISIONS


@pytest.mark.parametrize("terms", VARIANTS, ids=str)
def test_an_arena_lists_what_the_engine_lists_and_goes_where_it_goes(terms: Terms) -> None:
    for seed in range(2):
        play_both(seed, terms, lists=True)


@pytest.mark.long
@pytest.mark.parametrize("terms", VARIANTS, ids=str)
def test_an_arena_equals_the_engine_over_100_000_plays(terms: Terms) -> None:
    decisions, seed = 0, 1000
    while decisions < 100_000 // len(VARIANTS):
        decisions += play_both(seed, terms, lists=seed % 8 == 0)
        seed += 1


def test_a_copy_knows_nothing_of_what_is_done_to_the_other_one() -> None:
    rng = random.Random(5)
    game = arena.of(deal(Terms(), rng))
    for _ in range(60):
        if not game.deciders():
            break
        kept = facts(game.copy())
        other = game.copy()
        other.push(other.actions()[-1])
        assert facts(game) == kept
        game.push(rng.choice(game.actions()))


@pytest.mark.parametrize("seed", range(4))
def test_every_guess_fits_the_record_and_makes_a_game_with_all_cards(seed: int) -> None:
    rng = random.Random(seed)
    state = deal(Terms(), rng)
    for _ in range(25):
        request = engine.next_request(state)
        if request is None:
            break
        seat = request.seats[0]
        view = view_as(state, seat)
        guess = next(views.guesses(view, seat, rng))
        possible = find_possible(view, OTHER[seat])
        assert set(guess) == set(read_secrets(state, OTHER[seat]))
        assert all(possible[serial] >> unit & 1 for serial, unit in guess.items())
        assert len(set(guess.values())) == len(guess)
        game = arena.of(view, guess)
        # What a seat may do does not depend on what it cannot know.
        assert Counter(game.told(view, code) for code in game.actions(seat)) == Counter(
            engine.legal_actions(view, seat)
        )
        found = engine.legal_actions(state, seat)
        state, _ = engine.play(state, found[rng.randrange(len(found))])


def test_every_assignment_is_drawn_as_often_as_any_other() -> None:
    """Three tokens, of which one cannot be what the others can: six assignments would fit without it, four do."""
    rng = random.Random(1)
    state = views.public(deal(Terms(), rng))
    side = list(state.sides[1])
    hidden = [token for group in side for token in group]
    units = [12, 13, 14]
    gone = sum(1 << unit for unit in range(15, 24))
    tokens = [hidden[number]._replace(can=can) for number, can in enumerate((0b011 << 12, 0b111 << 12, 0b111 << 12))]
    view = state._replace(sides=(state.sides[0], ((), tuple(tokens), *[()] * 23)), gone=gone)
    draws = 4000
    drawn = Counter(
        tuple(guess[token.serial] for token in tokens)
        for guess, _ in zip(views.guesses(view, 0, rng), range(draws), strict=False)
    )
    assert all(set(one) == set(units) for one in drawn)
    assert len(drawn) == 4
    assert all(abs(count - draws / 4) < 150 for count in drawn.values())


@pytest.mark.parametrize("terms", VARIANTS, ids=str)
def test_an_arena_begins_where_both_setups_lead(terms: Terms) -> None:
    setups = [draw_setup(faction, terms, random.Random(int(faction))) for faction in FACTIONS]
    state = engine.new_game(terms)
    for faction in FACTIONS:
        state, _ = engine.play(state, make_placement(faction, setups[faction]))
    assert facts(arena.begin(terms, setups)) == facts(StateBuilder(state))
    with pytest.raises(IllegalAction, match="twelve"):
        arena.begin(terms, setups[::-1])


def test_a_game_that_is_not_set_up_is_no_arena() -> None:
    with pytest.raises(ValueError, match="set up"):
        arena.of(engine.new_game(Terms()))


@pytest.mark.parametrize("terms", VARIANTS, ids=str)
def test_a_board_that_led_to_a_state_is_what_the_state_says(terms: Terms) -> None:
    rng = random.Random(f"built {terms}")
    state = deal(terms, rng)
    while (request := engine.next_request(state)) is not None:
        state, _ = engine.apply(state, rng.choice(engine.legal_actions(state, request.seats[0])))
        # Other sides, though equal ones, so that nothing is taken over.
        anew = StateBuilder(state._replace(sides=(state.sides[0], state.sides[1])))
        assert facts(look(state)) == facts(anew)
        assert look(state).build()[0] == state


@pytest.mark.parametrize("terms", VARIANTS, ids=str)
def test_a_state_can_be_asked_again_after_actions_have_left_it_in_this_thread_and_in_another(terms: Terms) -> None:
    rng = random.Random(f"left {terms}")
    state = deal(terms, rng)
    with ThreadPoolExecutor(1) as thread:
        while (request := engine.next_request(state)) is not None:
            board, before = look(state), engine.legal_actions(state, request.seats[0])
            # Another thread leaves the state while this one still asks its board.
            after, _ = thread.submit(engine.apply, state, rng.choice(before)).result(60)
            assert thread.submit(engine.legal_actions, state, request.seats[0]).result(60) == before
            assert facts(board) == facts(StateBuilder(state))
            with pytest.raises(IllegalAction):
                engine.apply(state, Place(FACTIONS[0], ()))
            assert engine.legal_actions(state, request.seats[0]) == before
            engine.apply(state, before[0])
            assert engine.legal_actions(state, request.seats[0]) == before
            state = after


@pytest.mark.parametrize("terms", VARIANTS, ids=str)
def test_a_wanderer_takes_the_way_that_was_listed_though_another_copy_listed_it(terms: Terms) -> None:
    rng = random.Random(f"copies {terms}")
    walked = 0
    for _ in range(4):
        game = arena.of(deal(terms, rng))
        while (twin := game.copy()).deciders():
            codes = twin.actions()
            code = rng.choice([one for one in codes if one & KIND == WANDER] or codes)
            if rng.random() < 0.5:
                game.actions()
            walked += code & KIND == WANDER
            game.push(code)
            twin.push(code)
            assert facts(game) == facts(twin)
    assert walked
