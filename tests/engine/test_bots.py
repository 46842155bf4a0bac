"""The computer players: legal, blind to what they may not see, able to take what is on offer, and soon done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice, permutations, product
from math import prod
from random import Random

import helpers
import pytest
from helpers import daily_first
from helpers_worlds import find_possible, swapped

from benchmarks import fit, table
from cli.storm import preview
from cli.storm.console import STORM
from storm_p2p.storm import arena, engine, notation, views
from storm_p2p.storm.actions import Action, Fight, Move
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.bots import BOTS, Oracle, greedy, position, value
from storm_p2p.storm.bots.combat_choice import Stakes, Table, solve, value_unit
from storm_p2p.storm.bots.guess import guess_likely, load_places, think
from storm_p2p.storm.bots.lookahead import play
from storm_p2p.storm.bots.search import tabulate
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import FIGHT, Phase, State, Terms
from storm_p2p.storm.units import ROSTER, Maneuver, Unit

VARIANTS = (
    Terms(),
    Terms(open_combat=True),
    Terms(random_setup=True),
    Terms(challenge=-6),
    Terms(open_combat=True, random_setup=True, challenge=3),
)
GREEDY, RANDOM = BOTS["greedy"], BOTS["random"]
SEER = Oracle("seer", 1, 1.0, looks_ahead=False)
ORACLE = Oracle("oracle", 7, 1.0)
"""It has looked at all actions and once closely at the best."""
PLAYERS = {**BOTS, "seer": SEER, "oracle": ORACLE}
"""All of them; who searches does it briefly here."""


def decided(state: State, faction: Faction, *, bot: str = "greedy", seed: int = 1) -> str:
    """Return what a bot does in a position, in words."""
    action = BOTS[bot].decide(table.view_as(state, faction), faction, Random(seed))
    return notation.format_action(action)


def at(turn: str, units: dict[str, int], **more: object) -> State:
    """Return a position."""
    return notation.load_position({"turn": turn, "units": units, **more})


# -- laws -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYERS)
def test_every_setup_is_legal(name: str) -> None:
    # Who compares setups takes a tenth of a second for one.
    for terms, faction, seed in product(VARIANTS, FACTIONS, range(1 if name == "oracle" else 20)):
        units = PLAYERS[name].place(faction, terms, Random(seed))
        assert setup.check_units(faction, units, random=terms.random_setup) is None


@pytest.mark.parametrize(
    "case",
    daily_first(
        [
            *((name, VARIANTS[::4]) for name in ("random", "novice", "greedy")),
            *((name, VARIANTS[:: 1 + (name == "oracle")]) for name in PLAYERS),
        ],
        3,
    ),
)
def test_games_end_and_every_action_is_legal(case: tuple[str, tuple[Terms, ...]]) -> None:
    name, variants = case
    # An illegal action would raise.
    for seed, terms in enumerate(variants):
        state, actions = table.play_game((PLAYERS[name], PLAYERS[name]), terms, Random(seed), max_turns=150)
        assert engine.outcome(state) is not None
        replayed = engine.new_game(terms)
        for _, action in actions:
            replayed, _ = engine.play(replayed, action)
        assert replayed == state


@pytest.mark.parametrize("matches", daily_first([2, 6]))
@pytest.mark.parametrize("name", PLAYERS)
def test_what_is_hidden_from_a_bot_changes_nothing(name: str, matches: int) -> None:
    for seed in range(matches):
        rng = Random(seed)
        state = table.deal(VARIANTS[seed % len(VARIANTS)], rng)
        while (request := engine.next_request(state)) is not None:
            seat = request.seats[0]
            if rng.random() < 0.3:
                # The whole state of the other world differs, and so does its first view, but not the bot's.
                other = swapped(state, OTHER[seat], rng)
                draw = rng.random()
                first, second = (
                    PLAYERS[name].decide(table.view_as(world, seat), seat, Random(draw)) for world in (state, other)
                )
                assert first == second
            state, _ = engine.play(state, RANDOM.decide(table.view_as(state, seat), seat, rng))


def test_the_table_shows_each_player_only_its_own_units() -> None:
    state = table.deal(Terms(), Random(5))
    for faction in FACTIONS:
        view = table.view_as(state, faction)
        assert view.sides[faction] == state.sides[faction]
        assert all(token.unit is None for group in view.sides[OTHER[faction]] for token in group)


def test_the_same_source_of_chance_gives_the_same_game() -> None:
    games = [table.play_game((GREEDY, RANDOM), Terms(), Random(9)) for _ in range(2)]
    assert games[0] == games[1]


def test_the_same_number_of_simulations_gives_the_same_decisions() -> None:
    rng = Random(4)
    state = table.deal(Terms(), rng)
    while (request := engine.next_request(state)) is not None and state.number < 6:
        seat = request.seats[0]
        view = table.view_as(state, seat)
        first, second = (list(islice(ORACLE.think(view, seat, Random(7)), 8)) for _ in range(2))
        assert first == second
        assert set(first) <= set(engine.legal_actions(view, seat))
        assert ORACLE.decide(view, seat, Random(7)) == first[6]
        state, _ = engine.play(state, first[-1])


def test_guesses_fit_the_record() -> None:
    rng = Random(3)
    state = table.deal(Terms(), rng)
    while engine.next_request(state) is not None and state.number < 12:
        seat = engine.next_request(state).seats[0]  # type: ignore[union-attr]
        belief = think(table.view_as(state, seat), seat, rng)
        masks = find_possible(state, OTHER[seat])
        for guess in (*belief.guesses, *islice(guess_likely(table.view_as(state, seat), seat, rng), 3)):
            assert all(masks[serial] >> unit & 1 for serial, unit in guess.items())
            assert sorted(guess.values()) == sorted(
                token.unit or 0 for group in state.sides[OTHER[seat]] for token in group if not token.known
            )
        state, _ = engine.play(state, RANDOM.decide(table.view_as(state, seat), seat, rng))


def test_a_guess_is_as_likely_as_its_places_are() -> None:
    """Three tokens in three regions, two of which cannot be Zeus."""
    state = views.public(table.deal(Terms(), Random(1)))
    units = [Unit.ZEUS, Unit.HERA, Unit.ATHENA]
    can = {9: 0b111 << 12, 13: 0b110 << 12, 15: 0b110 << 12}
    tokens = dict(zip(can, [token for group in state.sides[1] for token in group], strict=False))
    side = tuple((tokens[region]._replace(can=can[region]),) if region in can else () for region in range(25))
    view = state._replace(sides=(state.sides[0], side), gone=sum(1 << unit for unit in range(15, 24)))
    draws = 2000
    drawn = Counter(
        tuple(guess[tokens[region].serial] for region in can)
        for guess in islice(guess_likely(view, Faction.CHTHONIANS, Random(2)), draws)
    )
    likely = {
        order: prod(load_places()[unit][region] for unit, region in zip(order, can, strict=True))
        for order in permutations(units)
        if order[0] == Unit.ZEUS
    }
    assert set(drawn) == set(likely)
    assert all(abs(drawn[order] / draws - part / sum(likely.values())) < 0.05 for order, part in likely.items())


def test_places_are_counted_where_a_unit_was_hidden() -> None:
    def stands(unit: Unit, region: int, *, known: bool = False) -> int:
        return value.STANDS + (unit * fit.REGIONS + region) * 2 + known

    position = [stands(Unit.HADES, 10), stands(Unit.NYX, 12), stands(Unit.CHARON, 5, known=True)]
    later = [*position, value.LOST + 2 * Unit.MOIRAE]
    places = fit.weigh_places([fit.Seen([(position, True), (later, True)], 1.0)])
    hades, nyx, charon, moirae = (places[unit] for unit in (Unit.HADES, Unit.NYX, Unit.CHARON, Unit.MOIRAE))
    assert hades[10] > 500 > 10 > hades[12] == hades[0]
    assert nyx[12] > 500
    assert max(charon[5], nyx[10]) < 10
    assert moirae[0] > 100 > moirae[12]


def test_a_combat_that_goes_on_is_judged_after_one_more_round() -> None:
    board = at("chthonians", {"hades": 10, "erinyes": 14, "hecate": 14, "zeus": 15, "ares": 9, "hera": 9})
    game = arena.of(board)
    fights = [after for after in (play(game, code) for code in game.actions()) if after.phase == FIGHT]
    compared = Counter[tuple[bool, bool]]()
    for fight in fights:
        ours, flat = tabulate(fight, Faction.CHTHONIANS, value.load(), (0, 4))
        same, ahead = tabulate(fight, Faction.CHTHONIANS, value.load(), (0, 4), ahead=True)
        replies, _ = tabulate(fight, Faction.OLYMPIANS, value.load(), (0, 4))
        assert same == ours
        for i, j in product(range(len(ours)), range(len(replies))):
            goes_on = play(fight, ours[i], replies[j]).phase == FIGHT
            compared[goes_on, ahead[i][j] != flat[i][j]] += 1
    assert compared[True, True] > 5
    assert compared[False, False] > 5
    assert not compared[False, True]


# -- strength ---------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("faction", FACTIONS)
def test_greedy_beats_random(faction: Faction) -> None:
    games = 10
    bots = (GREEDY, RANDOM) if faction == Faction.CHTHONIANS else (RANDOM, GREEDY)
    outcomes = [engine.outcome(table.play_game(bots, Terms(), Random(seed))[0]) for seed in range(games)]
    assert sum(found is not None and found.winner == faction.name.lower() for found in outcomes) >= games * 4 // 5


def test_a_leader_next_to_the_palace_goes_in() -> None:
    state = at("chthonians", {"hades": 14, "nyx": 5, "zeus": 15, "hera": 15, "ares": 24})
    assert decided(state, Faction.CHTHONIANS) == "move 14 15 hades"
    state = at("chthonians", {"persephone": 20, "hades": 10, "zeus": 4, "ares": 24})
    assert decided(state, Faction.CHTHONIANS).startswith("move 20 15 persephone")


def test_a_hidden_leader_in_the_palace_is_opened() -> None:
    state = at("chthonians", {"hades": 15, "nyx": 5, "zeus": 4})
    assert decided(state, Faction.CHTHONIANS) == "reveal hades"


def test_the_last_leader_is_struck_by_a_thunderbolt() -> None:
    state = at("olympians", {"hades": 14, "nyx": 5, "zeus": 15, "ares": 24}, known=["hades"], eliminated=["persephone"])
    assert decided(state, Faction.OLYMPIANS) == "bolt 14"


def test_a_known_leader_next_to_the_palace_is_fought() -> None:
    state = at("olympians", {"hades": 14, "nyx": 5, "zeus": 15, "athena": 15, "ares": 24}, known=["hades"])
    action = decided(state, Faction.OLYMPIANS)
    assert action == "bolt 14" or action.startswith("move 15 14")


def test_the_last_honor_is_not_thrown_away() -> None:
    state = at("olympians", {"hades": 10, "nyx": 5, "zeus": 15, "ares": 24}, honor={"olympians": 1})
    for seed in range(5):
        action = notation.parse_action(decided(state, Faction.OLYMPIANS, seed=seed), state)
        assert engine.price(state, action).honor >= 0


def test_a_fight_does_not_cost_the_last_honor() -> None:
    state = at("chthonians", {"hades": 10, "nyx": 12, "zeus": 15, "ares": 13}, honor={"chthonians": 2, "olympians": 2})
    state, _ = engine.play(state, notation.parse_action("move 12 13 nyx", state))
    for faction, seed in product(FACTIONS, range(10)):
        action = GREEDY.decide(table.view_as(state, faction), faction, Random(seed))
        assert engine.price(state, action).honor > -2


@pytest.mark.parametrize(
    ("turn", "move", "units"),
    [
        # A leader next to the Palace made the region worth so much that half of it seemed worth his death.
        ("chthonians", "move 13 14 hades", {"hades": 13, "zeus": 14}),
        ("chthonians", "move 13 14 hades nyx", {"hades": 13, "nyx": 13, "zeus": 14}),
        ("olympians", "move 15 14 zeus", {"hades": 14, "nyx": 14, "zeus": 15}),
    ],
)
def test_no_leader_is_given_up_in_an_all_out_attack(turn: str, move: str, units: dict[str, int]) -> None:
    state = at(
        turn,
        {**units, "persephone": 10, "poseidon": 24},
        known=[unit for unit in ("hades", "nyx") if unit in units],
        energy={"chthonians": 24, "olympians": 8},
    )
    state, _ = engine.play(state, notation.parse_action(move, state))
    for seed in range(8):
        action = GREEDY.decide(table.view_as(state, Faction.CHTHONIANS), Faction.CHTHONIANS, Random(seed))
        assert isinstance(action, Fight)
        assert action.maneuver != Maneuver.ATTACK


def test_what_an_empty_region_is_worth_counts_nobody_who_died_there() -> None:
    start = at("chthonians", {"hades": 13, "nyx": 10, "athena": 14, "zeus": 15})
    start, _ = engine.play(start, notation.parse_action("move 13 14 hades", start))
    found = greedy.value_stakes(start, think(table.view_as(start, Faction.CHTHONIANS), Faction.CHTHONIANS, Random(1)))
    # The leader next to the Palace is worth much to the living alone.
    assert found.empty < found.won - 30


def test_an_enemy_without_honor_to_lose_is_beaten_by_what_he_must_pay() -> None:
    # The all-out attack of a chaser costs 2; the answer to an open choice is seen by the one who chooses second.
    state = at("chthonians", {"cronus": 12, "zeus": 15, "athena": 13})
    state, _ = engine.play(state, notation.parse_action("move 12 13 cronus", state))
    state, _ = engine.play(state, Fight(Faction.CHTHONIANS, Maneuver.STANDARD, 0))
    action = GREEDY.decide(table.view_as(state, Faction.OLYMPIANS), Faction.OLYMPIANS, Random(1))
    after, _ = engine.play(state, action)
    assert Unit.ATHENA not in [token.unit for token in after.fallen]


def test_the_blocker_blocks_and_the_helper_helps() -> None:
    state = at("chthonians", {"hades": 10, "erinyes": 14, "zeus": 15, "hephaestus": 9, "ares": 9, "aphrodite": 4})
    state, _ = engine.play(state, notation.parse_action("sneak 14 9", state))
    assert decided(state, Faction.OLYMPIANS) == "block"
    state, _ = engine.play(state, notation.parse_action("block", state))
    assert state.phase == Phase.AID
    assert decided(state, Faction.OLYMPIANS) == "aid aphrodite"


def test_a_unit_that_flies_is_revealed_where_that_wins() -> None:
    # The lone leader of a beaten side stands in the open, out of reach of everybody on foot.
    state = at(
        "olympians",
        {"persephone": 1, "zeus": 20, "apollo": 24},
        known=["persephone"],
        eliminated=["hades"],
        honor={"chthonians": 2},
        energy={"chthonians": 0},
    )
    assert decided(state, Faction.OLYMPIANS) in ("reveal apollo", "move 24 1 apollo")


# -- the short form of the combat rules ---------------------------------------------------------------------

PAIRS = [
    ("nyx", "zeus"),
    ("cronus", "ares"),
    ("persephone", "artemis"),
    ("thanatos", "dionysus"),
    ("hypnos", "apollo"),
    ("persephone", "hermes"),
    ("moirae", "poseidon"),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_the_table_of_values_agrees_with_the_engine_where_a_round_ends_a_combat(ours: str, theirs: str) -> None:
    start = at("chthonians", {"hades": 10, ours: 3, theirs: 8, "hera": 20}, honor={"chthonians": 9, "olympians": 7})
    start, _ = engine.play(start, notation.parse_action(f"move 3 8 {ours}", start))
    assert start.phase == Phase.FIGHT
    shown = Table(start, Stakes(0.0, 0.0, (0.0, 0.0), 0.0, 0.0), (0, 3, 6))
    compared = 0
    for (i, mine), (j, yours) in product(enumerate(shown.rows), enumerate(shown.columns)):
        state = start
        for action in (Fight(FACTIONS[0], *mine), Fight(FACTIONS[1], *yours)):
            state, _ = engine.play(state, action)
        while state.phase == Phase.RETREAT:
            state, _ = engine.play(state, engine.legal_actions(state, engine.next_request(state).seats[0])[0])  # type: ignore[union-attr]
        if state.phase != Phase.TURN:
            continue
        value = position.value_stocks(state.honor, state.energy)
        for token in state.fallen:
            assert token.unit is not None
            value += value_unit(token.unit, 0.0, False) * (1 if token.faction else -1)
        assert shown.values[i][j] == pytest.approx(value), (mine, yours)
        compared += 1
    assert compared > 50


def test_mixed_strategies_of_matching_pennies_are_even() -> None:
    value, rows, columns = solve([[1.0, -1.0], [-1.0, 1.0]], 400)
    assert value == pytest.approx(0.0, abs=0.1)
    assert rows == pytest.approx([0.5, 0.5], abs=0.1)
    assert columns == pytest.approx([0.5, 0.5], abs=0.1)


def test_a_better_row_is_always_played() -> None:
    value, rows, columns = solve([[1.0, 2.0], [3.0, 4.0]], 50)
    assert (value, rows, columns) == (3.0, [0.0, 1.0], [1.0, 0.0])


def test_random_draws_from_all_legal_actions() -> None:
    state = table.view_as(table.deal(Terms(), Random(2)), Faction.CHTHONIANS)
    legal = engine.legal_actions(state, Faction.CHTHONIANS)
    rng = Random(1)
    drawn: set[Action] = {RANDOM.decide(state, Faction.CHTHONIANS, rng) for _ in range(40 * len(legal))}
    assert drawn == set(legal)


@pytest.mark.parametrize("units", [[Unit.HERA], [unit for unit in ROSTER[1] if unit != Unit.HERA], ROSTER[1]], ids=len)
def test_whoever_plays_against_a_cheat_guesses_and_plays_on(units: Sequence[Unit]) -> None:
    """What hashes hide may be anything until the audit, so the record may say that nobody is a certain unit."""
    view = helpers.owner_view(helpers.at("chthonians", "cronus nyx 12, hades 10, hera ares 13, zeus 15"), FACTIONS[0])
    never = sum(1 << unit for unit in units)
    enemies = tuple(tuple(token._replace(can=token.can & ~never) for token in group) for group in view.sides[1])
    state = view._replace(sides=(view.sides[0], enemies))
    left = views.find_unplaced(state, 1)
    assert sum(1 << unit for unit in next(views.guesses(state, 0, Random(1))).values()) == left
    for bot in PLAYERS.values():
        engine.check(state, bot.decide(state, FACTIONS[0], Random(1)))
    assert next(STORM.adviser().advise(state, FACTIONS[0]))
    attack = next(one for one in engine.legal_actions(state, 0) if isinstance(one, Move) and one.path == (12, 13))
    assert preview.odds(state, attack, FACTIONS[0])
