"""Abilities that the reconstructed set does not have, or not together: worked out by hand from docs/fight-rules.md."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from helpers_fight import CARDS, abilities, cards_in, own_set, plain_set, random_play, random_set, row, shown, table

from cli.fight.scenario import run
from storm_p2p.fight import codec
from storm_p2p.fight.bots import BOTS
from storm_p2p.fight.card_file import WORDS, load_cards
from storm_p2p.fight.notation import format_decision, parse_decision
from storm_p2p.fight.positions import Table, show_view
from storm_p2p.fight.rules import abilities as carried_out
from storm_p2p.fight.rules.playing import named
from storm_p2p.fight.state import View

OWN = {"side": "own", "kind": "unit"}
ENEMY = {"side": "enemy", "kind": "unit"}
ALL = {"kind": "unit", "all": True}
SELF = {**OWN, "place": "self"}


def act(game: Table, *words: str) -> Table:
    """Carry out some actions."""
    for text in words:
        assert game.state.question is not None
        game.decide(parse_decision(text, game.state, named(game.state, game.state.question.seat, game.names)))
    return game


def asked(game: Table) -> list[str]:
    """Return what may be answered, in words."""
    entries = {entry: card for seat in (0, 1) for card, entry in named(game.state, seat, game.names).items()}
    return [format_decision(one, game.state, entries) for one in game.legal()]


def kind(game: Table) -> str:
    return "over" if game.state.question is None else game.state.question.kind


def do(when: str, word: str, **more: Any) -> dict[str, Any]:
    """Return an ability that must be carried out, unless it says otherwise."""
    return {"when": when, "do": word, **({} if when == "always" else {"may": False}), **more}


# -- defeats ------------------------------------------------------------------------------------------------


def test_both_sides_fall_in_one_test_the_active_one_first() -> None:
    # F-10.2, B-34, B-40
    cards = own_set(Deiphobus=abilities(do("played", "damage", n=1, whom={**ALL, "other": True})))
    game = table(cards, {5: 60, 1: 66}, {2: 78, 1: (67, 0, 87), 3: 62}, [10, 2])
    act(game, "play 10 3 pay 2")
    # A spear adds no defence.
    assert game.state.discards == [2, 66, 60, 67, 87, 78]
    assert shown(game.state.sides[0]) == {3: (10, 0, None)}
    assert shown(game.state.sides[1]) == {3: (62, 1, None)}


def test_gear_falls_behind_its_unit_and_in_front_of_the_next() -> None:
    cards = own_set(Deiphobus=abilities(do("played", "damage", n=9, whom={**ALL, "other": True})))
    game = act(table(cards, {6: (60, 0, 85)}, {1: (66, 0, 88), 2: 67}, [10, 2]), "play 10 3 pay 2")
    assert game.state.discards == [2, 60, 85, 66, 88, 67]


def test_one_who_fell_in_the_same_test_takes_no_revenge_damage() -> None:
    # B-38: both are gone when their revenge comes.
    cards = own_set(
        Deiphobus=abilities(do("played", "damage", n=9, whom={**ALL, "other": True, "max_cost": 1})),
        Oenone=abilities({"when": "always", "do": "survive"}, {"when": "always", "do": "revenge", "n": 9}),
    )
    game = act(table(cards, {1: 3, 2: 2}, {1: 37, 2: 60}, [10, 12]), "play 10 6 pay 12")
    assert game.state.discards == [12, 3, 60]
    assert game.hand(1) == [37]
    assert shown(game.state.sides[0]) == {2: (2, 0, None), 6: (10, 0, None)}


def test_all_revenges_of_one_test_come_before_the_next_test() -> None:
    # Both own units fall only when both enemies' revenges have come, active side first.
    cards = own_set(
        Deiphobus=abilities(do("played", "damage", n=9, whom={**ENEMY, "all": True, "max_cost": 1})),
        Oenone=abilities({"when": "always", "do": "revenge", "n": 2}),
    )
    game = act(table(cards, {2: 62, 1: 60}, {1: 3, 2: 37, 4: 2}, [10, 12]), "play 10 6 pay 12")
    assert game.state.discards == [12, 3, 37, 60]
    assert shown(game.state.sides[0]) == {2: (62, 2, None), 6: (10, 0, None)}


def test_revenges_of_a_unit_and_its_gear_add_up() -> None:
    cards = own_set(Spear=abilities({"when": "always", "do": "revenge", "n": 3}))
    game = act(table(cards, {1: (5, 0)}, {1: (3, 0, 84)}), "end")
    # Theseus has 5; Patroclus 2 and his spear 3, so Theseus falls and takes no bonus.
    assert (game.state.discards, game.state.counter) == ([3, 84, 5], 0)


def test_gear_that_survives_brings_its_unit_home_and_is_discarded() -> None:
    # F-7.6, F-7.4
    cards = own_set(Spear=abilities({"when": "always", "do": "survive"}))
    game = act(table(cards, {1: 62}, {1: (60, 0, 84)}), "end")
    assert game.hand(1) == [60]
    assert game.state.discards == [84]


def test_gear_that_lowers_defence_to_nothing_kills_and_its_played_ability_still_works() -> None:
    # Card in play, defeat test, then the played abilities; B-30: drawing needs no place.
    cards = own_set(
        Cuirass={
            "defence": -9,
            **abilities(do("played", "draw", n=1), do("played", "damage", n=1, whom={**ENEMY, "place": "opposite"})),
        }
    )
    game = act(table(cards, {1: 60}, {1: 62}, [85]), "play 85 1")
    assert game.state.discards == [60, 85]
    assert game.hand(0) == [90]
    assert shown(game.state.sides[1]) == {1: (62, 0, None)}


def test_a_unit_that_leaves_in_its_own_ability_does_what_needs_no_place() -> None:
    # B-30
    cards = own_set(
        Capaneus=abilities(
            do("played", "bounce", whom=SELF),
            do("played", "draw", n=1),
            do("played", "damage", n=1, whom={**ENEMY, "place": "opposite"}),
            do("played", "damage", n=1, whom={**ENEMY, "area": "troy"}),
        )
    )
    game = act(table(cards, {}, {1: 62, 6: 74}, [12, 2]), "play 12 1 pay 2")
    assert game.hand(0) == [12, 90]
    assert shown(game.state.sides[0]) == {}
    assert shown(game.state.sides[1]) == {1: (62, 0, None), 6: (74, 1, None)}
    public = show_view(View(game.state, {}), None)
    # The hand was mixed before it may be used again: that the returned card is in it stays known, and no longer where.
    assert (public["hands"], public["known"]) == ([[None, None], []], [[12], []])


def test_an_attacker_that_leaves_ends_its_attack() -> None:
    cards = own_set(Philoctetes=abilities(do("attack", "bounce", whom=SELF), do("attack", "draw", n=1)))
    game = act(table(cards, {1: 11}, {}), "end")
    assert game.hand(0) == [11, 90, 91]
    assert game.state.counter == 0


# -- attacks ------------------------------------------------------------------------------------------------

LEADER = own_set(Medea=abilities({"when": "attack", "may": True, "do": "move", "whom": OWN}))


def test_one_who_has_attacked_and_is_moved_ahead_attacks_no_second_time() -> None:
    game = act(table(LEADER, {1: 60, 3: 16}, {}), "end", "move own 1 6")
    assert (game.state.counter, game.hand(0)) == (2, [90, 91])


def test_one_who_has_not_attacked_and_is_moved_behind_the_pointer_does_not() -> None:
    game = act(table(LEADER, {6: 60, 3: 16}, {}), "end", "move own 6 1")
    assert (game.state.counter, game.hand(0)) == (1, [90, 91])


def test_one_who_could_not_attack_and_is_moved_ahead_does() -> None:
    game = act(table(LEADER, {1: 60, 3: 16}, {1: 70}), "end", "move own 1 6")
    assert (game.state.counter, game.hand(0)) == (1, [90, 91, 92])


def test_an_attacker_that_moves_takes_the_bonus_of_where_it_stands_then_and_once() -> None:
    # F-9.8
    game = act(table(LEADER, {3: 16}, {}), "end", "move own 3 6")
    assert (game.state.counter, game.hand(0)) == (0, [90, 91, 92])


def test_an_attacker_that_moves_meets_who_stands_there() -> None:
    game = act(table(LEADER, {3: 16}, {6: 47}), "end", "move own 3 6")
    assert (game.state.counter, shown(game.state.sides[1])) == (0, {6: (47, 2, None)})


def test_one_played_ahead_in_the_attack_attacks_and_one_behind_does_not() -> None:
    cards = own_set(Jason=abilities({"when": "attack", "may": True, "do": "free", "type": "soldier"}))
    for space, drawn in ((6, [90, 91, 92]), (1, [90, 91])):
        game = act(table(cards, {3: 15}, {}, [60]), "end", f"free 60 {space}")
        assert (game.state.counter, game.hand(0)) == (1, drawn)


def test_one_who_comes_to_the_attacking_space_in_its_attack_does_not_attack_from_there() -> None:
    # B-42
    cards = own_set(Medea=abilities({"when": "attack", "may": True, "do": "swap", "whom": OWN}))
    game = act(table(cards, {3: 16, 6: 60}, {}), "end", "swap 3 6")
    assert (game.state.counter, game.hand(0)) == (0, [90, 91, 92])


SPEAR = own_set(Spear=abilities(do("attack", "draw", n=1)))


def test_gear_that_comes_in_an_attack_is_used_in_it() -> None:
    # B-42
    plain = {"when": "attack", "may": True, "do": "free", "type": "equipment"}
    cards = own_set(Jason=abilities(plain), Spear=abilities(do("attack", "draw", n=1)))
    game = act(table(cards, {3: 15}, {}, [84]), "end", "free 84 3")
    assert (game.state.counter, game.hand(0)) == (1, [90, 91, 92])


def test_an_attack_ability_of_gear_works_and_is_muted_like_the_units_own() -> None:
    # F-7.6, B-36
    game = act(table(SPEAR, {1: (60, 0, 84)}, {}), "end")
    assert (game.hand(0), game.state.counter) == ([90, 91, 92], 1)
    game = act(table(SPEAR, {1: (60, 0, 84)}, {1: 17}), "end")
    assert (game.hand(0), shown(game.state.sides[1])) == ([90, 91], {1: (17, 3, None)})


def test_the_abilities_of_the_unit_come_before_those_of_its_gear() -> None:
    cards = own_set(
        Spear=abilities({"when": "attack", "may": True, "do": "draw", "n": 1}),
        Midas=abilities({"when": "attack", "may": True, "do": "marker"}),
    )
    game = act(table(cards, {1: (45, 0, 84)}, {}), "end")
    assert kind(game) == "marker"
    act(game, "marker none")
    assert (kind(game), asked(game)) == ("may", ["may yes", "may no"])
    assert act(game, "may no").hand(0) == [90, 91]


def test_mute_is_looked_at_before_each_ability() -> None:
    # B-36
    cards = own_set(
        Ajax=abilities(do("attack", "discard", whom={**ENEMY, "colour": "green"}), do("attack", "draw", n=1)),
        Baucis=abilities({"when": "always", "do": "mute", "whom": {**ENEMY, "place": "opposite"}}),
    )
    game = act(table(cards, {1: 4}, {1: 39}), "end")
    assert (game.hand(0), shown(game.state.sides[1])) == ([90, 91], {})
    game = act(table(cards, {1: 4}, {2: 39}), "end")
    assert (game.hand(0), game.state.discards, game.state.counter) == ([90, 91, 92], [39], 1)


def test_own_units_may_be_muted_too() -> None:
    cards = own_set(Baucis=abilities({"when": "always", "do": "mute", "whom": {**OWN, "place": "adjacent"}}))
    game = act(table(cards, {1: 44, 2: 39}, {}), "end")
    assert (game.hand(0), game.state.counter) == ([90, 91], 2)


def test_gear_lets_its_unit_strike() -> None:
    for may in (True, False):
        cards = own_set(Spear=abilities({"when": "played", "may": may, "do": "strike"}))
        game = act(table(cards, {1: 60}, {}, [84]), "play 84 1")
        if may:
            act(game, "may yes")
        assert (game.state.counter, kind(game)) == (1, "main")
        assert act(game, "end").state.counter == 2


def test_a_bonus_of_three_points_stops_at_seven() -> None:
    # B-39
    cards = own_set(Arion=abilities({"when": "always", "do": "bonus", "area": "olympus", "n": 2}))
    game = act(table(cards, {1: 28}, {}), "end")
    assert game.state.counter == 3
    game = act(table(cards, {1: 28}, {}, counter=5), "end")
    assert (game.state.counter, game.state.result) == (7, (0, "points"))


def test_a_bonus_of_two_markers_asks_twice() -> None:
    cards = own_set(Arion=abilities({"when": "always", "do": "bonus", "area": "delphi", "n": 1}))
    game = act(table(cards, {4: 28}, {}, markers={"red": 0, "blue": 0, "green": 0}), "end", "marker yellow")
    assert (kind(game), game.state.markers) == ("main", [0, 0, 0, 0])
    game = act(table(cards, {4: 28}, {}), "end", "marker none", "marker red")
    assert game.state.markers == [0, None, None, None]


def test_two_who_pierce_take_one_bonus() -> None:
    cards = own_set(Spear=abilities({"when": "always", "do": "pierce"}))
    game = act(table(cards, {1: (5, 0, 84)}, {1: 60}), "end")
    assert game.state.counter == 1


def test_shields_add_up() -> None:
    cards = own_set(Cuirass=abilities({"when": "always", "do": "shield", "n": 2}))
    game = act(table(cards, {1: 5}, {1: (4, 0, 85)}), "end")
    assert shown(game.state.sides[1]) == {1: (4, 2, 85)}


# -- what is asked ------------------------------------------------------------------------------------------


def test_a_marker_that_must_be_taken_is_asked_for_with_two_and_taken_with_one() -> None:
    # B-31
    cards = own_set(Alcmene=abilities(do("played", "marker")), Danae=abilities(do("played", "steal")))
    game = act(table(cards, {}, {}, [30, 34], markers={"red": 0, "blue": 1}), "play 30 1 pay 34")
    assert asked(game) == ["marker green", "marker yellow"]
    game = act(table(cards, {}, {}, [30, 34], markers={"red": 0, "blue": 1, "green": 1}), "play 30 1 pay 34")
    assert (kind(game), game.state.markers) == ("main", [0, 1, 1, 0])
    game = act(table(cards, {}, {}, [49, 45], markers={"red": 0, "blue": 1, "green": 1}), "play 49 1 pay 45")
    assert asked(game) == ["marker blue", "marker green"]
    game = act(table(cards, {}, {}, [49, 45], markers={"red": 0, "blue": 1}), "play 49 1 pay 45")
    assert (kind(game), game.state.markers) == ("main", [0, 0, None, None])


def test_all_with_may_is_one_question_and_only_while_there_is_somebody() -> None:
    # B-40
    cards = own_set(Danae=abilities({"when": "played", "may": True, "do": "bounce", "whom": {**ALL, "other": True}}))
    game = act(table(cards, {}, {}, [49, 45]), "play 49 1 pay 45")
    assert kind(game) == "main"
    game = act(table(cards, {2: (60, 0, 84)}, {1: 33, 4: (62, 1, 86)}, [49, 45]), "play 49 1 pay 45")
    assert asked(game) == ["may yes", "may no"]
    act(game, "may yes")
    # Wards do not keep effects on all away; gear is discarded, active side or not.
    assert (game.hand(0), game.hand(1)) == ([60], [33, 62])
    assert game.state.discards == [45, 84, 86]
    assert show_view(View(game.state, {}), None)["hands"] == [[60], [33, 62]]


def test_two_cards_are_lost_one_after_the_other() -> None:
    # B-39: each takes a number of its own, of the hand as it is then.
    cards = own_set(Sinon=abilities(do("played", "lose_card", n=2)))
    game = table(cards, {}, {}, hands=[[23, 20, 45], [60, 61, 62]])
    game.tosses = [5, 1]
    act(game, "play 23 1 pay 20 45")
    assert (game.hand(1), game.state.discards) == ([60], [20, 45, 62, 61])
    game = act(table(cards, {}, {}, hands=[[23, 20, 45], [60]]), "play 23 1 pay 20 45")
    assert (game.hand(1), game.state.discards) == ([], [20, 45, 60])


def test_a_free_card_is_played_completely_before_the_rest() -> None:
    # B-29
    cards = own_set(
        Jason=abilities(
            {"when": "played", "may": True, "do": "free", "type": "hero"},
            {"when": "played", "may": True, "do": "draw", "n": 1},
        )
    )
    game = act(table(cards, {}, {}, [15, 20, 21, 45, 30]), "play 15 1 pay 20 21 45", "free 30 2")
    assert kind(game) == "marker"
    assert kind(act(game, "marker red")) == "may"
    assert act(game, "may yes").hand(0) == [90]


def test_free_plays_nest() -> None:
    cards = own_set(Jason=abilities({"when": "played", "may": True, "do": "free", "type": "hero"}))
    hand = [15, 20, 21, 45, 57, 84, 60]
    game = act(table(cards, {}, {}, hand), "play 15 1 pay 20 21 45", "free 57 2", "free 84 1")
    assert (kind(game), game.hand(0)) == ("main", [60])
    assert shown(game.state.sides[0]) == {1: (15, 0, 84), 2: (57, 0, None)}


def test_a_target_of_either_side_is_written_from_the_owners_side() -> None:
    cards = own_set(Danae=abilities(do("played", "damage", n=1, whom={"kind": "soldier"})))
    game = act(table(cards, {2: 62}, {3: 74, 5: 2}, [49, 45]), "play 49 1 pay 45")
    assert asked(game) == ["target own 2", "target enemy 3"]


def test_a_ward_does_not_keep_its_owner_away() -> None:
    game = act(table(CARDS, {1: 33, 2: (62, 1, 86)}, {}, [19, 20]), "play 19 6 pay 20")
    assert asked(game) == ["target own 1", "target own 2", "target own 6", "target none"]


def test_units_of_the_other_side_change_places() -> None:
    cards = own_set(Leda=abilities(do("played", "swap", whom=ENEMY)))
    game = act(table(cards, {}, {2: (62, 1, 84), 5: 74}, [54, 45]), "play 54 1 pay 45")
    # A must with a single answer happens by itself.
    assert shown(game.state.sides[1]) == {5: (62, 1, 84), 2: (74, 0, None)}


# -- costs --------------------------------------------------------------------------------------------------


def test_two_that_make_gear_cheaper_add_up_and_save_no_more_than_the_cost() -> None:
    # B-37
    cards = own_set(
        Priam=abilities({"when": "always", "do": "cheaper", "type": "equipment", "n": 1}),
        Winged_helmet={"cost": ["red", "blue", "red"]},
    )
    game = table(cards, {1: 48, 2: 47}, {}, [86, 89, 2])
    assert [one for one in asked(game) if one.startswith("play 86 1")] == ["play 86 1 pay 2 save red blue"]
    assert [one for one in asked(game) if one.startswith("play 89 1")] == ["play 89 1 save blue"]
    game = table(cards, {1: 48, 2: 47}, {}, [86, 20])
    assert asked(game) == ["play 86 1 pay 20 save red red", "play 86 2 pay 20 save red red", "end"]
    game = table(cards, {1: 48, 2: 47}, {}, [86, 2], markers={"blue": 0})
    assert asked(game)[0] == "play 86 1 pay 2 save red blue"


def test_gear_can_make_soldiers_cheaper_for_its_owner_alone() -> None:
    cards = own_set(Spear=abilities({"when": "always", "do": "cheaper", "type": "soldier", "n": 3}))
    game = table(cards, {1: (60, 0, 84)}, {}, [62])
    assert asked(game)[0] == "play 62 2 save red"
    assert asked(table(cards, {}, {1: (60, 0, 84)}, [62])) == ["end"]


# -- any set ------------------------------------------------------------------------------------------------


def play_random_sets(start: int, number: int, used: Counter[str]) -> None:
    for seed in range(start, start + number):
        chance = random.Random(seed)
        cards = load_cards(json.dumps(random_set(chance)).encode(), "random.json")
        for game in random_play(cards, chance, 400):
            there = cards_in(game.state, game.names)
            assert len(there) == len(set(there)) == 76
            dumped = codec.dump(game.state)
            assert codec.dump(codec.load(dumped, cards)) == dumped
            for units in game.state.sides:
                for card in (one for unit in units if unit for one in (unit.card, unit.gear) if one is not None):
                    used.update(one.do for one in cards.cards[card].abilities if one.when.value == "always")


def test_a_turn_that_could_go_on_for_ever_is_legal_and_no_computer_player_thinks_for_ever() -> None:
    # B-41: each of two equal soldiers takes the other back to the hand and plays it for nothing.
    again = abilities(
        {"when": "played", "may": False, "do": "bounce", "whom": {"side": "own", "kind": "soldier", "other": True}},
        {"when": "played", "may": True, "do": "free", "type": "soldier"},
    )
    game = table(own_set(Slingers=again), {1: 60}, {}, [61])
    act(game, "play 61 2", *["free 60 1", "free 61 2"] * 10)
    assert shown(game.state.sides[0]) == {2: (61, 0, None)}
    for name, bot in BOTS.items():
        decision = bot.decide(View(game.state, game.names), 0, random.Random(1))
        assert decision in game.legal(), name


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often each word of the language was carried out."""
    counted: Counter[str] = Counter()
    real = carried_out.do_ability
    begin = carried_out.carry_out

    def counting(state: Any, task: Any, answer: Any) -> None:
        counted[carried_out.ability_of(state, task).do] += 1
        real(state, task, answer)

    def beginning(state: Any, task: Any) -> None:
        word = carried_out.ability_of(state, task).do
        begin(state, task)
        counted[word] += word == "free" and state.question is not None

    monkeypatch.setattr(carried_out, "do_ability", counting)
    monkeypatch.setattr(carried_out, "carry_out", beginning)
    return counted


def test_sets_of_unusual_cards_are_played_to_the_end(used: Counter[str]) -> None:
    play_random_sets(0, 12, used)
    assert {word for word in WORDS if not used[word]} == set()


@pytest.mark.long
def test_many_sets_of_unusual_cards_are_played_to_the_end(used: Counter[str]) -> None:
    play_random_sets(100, 300, used)
    assert min(used[word] for word in WORDS) > 30


def test_a_scenario_names_its_own_cards_and_what_is_none_is_refused() -> None:
    case = {"id": "own", "position": {"hands": [[0], []], "pile": [1]}, "actions": ["play 0 1"]}
    assert run(case)["code"] == "wrong_payment"
    plain = plain_set()
    row(plain, "Menelaus")["cost"] = []
    assert run({**case, "cards": plain})["ok"]
    deep: list[Any] = []
    # The text of a scenario may be as deep as a parser goes, and what is called goes a little deeper.
    for _ in range(5000):
        deep = [deep]
    none: list[Any] = [None, 5, [], {}, {**plain, "cards": plain["cards"][1:]}, {**plain, "more": 1}, float("nan")]
    for bad in none:
        answer = run({**case, "cards": bad})
        assert (answer["index"], answer["code"]) == (-1, "bad-cards")
    assert run({**case, "cards": deep})["code"] == "wrong-type"
