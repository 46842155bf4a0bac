"""What a board says about a state of a region it says in signs, in each size; colour only says it again."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli.console.messages import Entered, Key, Typed
from cli.console.render.spans import plain
from cli.console.screen_state import THEMES
from cli.match.player import Asked, Happened
from cli.storm.model import Marks, StormScreen
from cli.storm.render import board
from cli.storm.render.board import HUGE, LARGE, SMALL, Size
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import FACTIONS, REGIONS, Faction
from storm_p2p.storm.state import Side, State
from storm_p2p.storm.units import CARDS, NAME, ROSTER, Unit

pytestmark = pytest.mark.usefixtures("recorded_strengths")
SIZED = pytest.mark.parametrize("size", [SMALL, LARGE, HUGE], ids=["small", "large", "huge"])
EMPTY_SIDES = helpers.at("chthonians", "hades 10, zeus 15").sides


def said(sides: tuple[Side, Side], faction: Faction, marks: Marks, size: Size, theme: str = "") -> str:
    """Return a board without any style; what half blocks show counts as nothing."""
    rows = board.draw(sides, faction, marks, size=size, unicode=bool(theme), theme=theme)
    return "\n".join(plain(row).replace("\u2580", " ").replace("\u2584", " ") for row in rows)


def position(rng: random.Random) -> State:
    """Return a position without a crowd, where letters and numbers stand for a part of the units."""
    regions, places = rng.sample(REGIONS, 10), {}
    for faction in FACTIONS:
        names = [NAME[unit] for unit in rng.sample(ROSTER[faction], 9)]
        for number, at in enumerate(regions[5 * faction :][:3]):
            places.update(dict.fromkeys(names[3 * number :][: rng.randrange(1, 4)], at))
    known = rng.sample([*places], len(places) // 2)
    units = ", ".join(f"{name} {at}" for name, at in places.items())
    return helpers.at(rng.choice(["chthonians", "olympians"]), units, known=" ".join(known))


def marks_of(rng: random.Random, sides: tuple[Side, Side], faction: Faction) -> Marks:
    """Return what a match could mark on a board while something is typed, or while nothing is."""
    some = [tuple(sorted(rng.sample(REGIONS, rng.randrange(3)))) for _ in range(3)]
    ways = tuple((turn, tuple(rng.sample(REGIONS, 2))) for turn in (8, 7)[: rng.randrange(3)])
    found = Marks(noted=some[0], suspected=some[1], trails=ways)
    here = [region for region in REGIONS if sides[faction][region]]
    if not here or rng.random() < 0.4:
        return found
    origin = rng.choice(here)
    group = range(len(sides[faction][origin]))
    picked = tuple(sorted(rng.sample(group, rng.randrange(1, len(group) + 1))))
    reached = [region for region in rng.sample(REGIONS, 4) if region != origin and not sides[faction][region]]
    prices = tuple((region, rng.randrange(-3, 3), 0) for region in reached)
    attacks = tuple((at, len(picked), len(sides[1 - faction][at])) for at in reached if sides[1 - faction][at])
    return replace(found, origin=origin, places=picked, prices=prices, attacks=attacks)


def changes(rng: random.Random, marks: Marks, count: int) -> Iterator[Marks]:
    """Yield marks that differ in one fact; ``count`` are the units where something is picked."""
    region = rng.choice([one for one in REGIONS if one != marks.origin])
    yield replace(marks, noted=tuple(sorted({*marks.noted} ^ {region})))
    yield replace(marks, suspected=tuple(sorted({*marks.suspected} ^ {region})))
    yield replace(marks, target=region)
    yield replace(marks, trails=((8, (region, rng.choice([one for one in REGIONS if one != region]))),))
    if marks.origin and count > 1:
        yield replace(marks, places=tuple(sorted({*marks.places} ^ {0})) or tuple(range(count)))
    if marks.prices:
        (at, honor, energy), *rest = marks.prices
        yield replace(marks, prices=((at, honor - 1, energy), *rest))
        yield replace(marks, prices=tuple(rest), attacks=tuple(one for one in marks.attacks if one[0] != at))


@SIZED
@pytest.mark.parametrize("theme", ["", "dark"])
def test_boards_with_other_facts_never_say_the_same_without_their_colours(size: Size, theme: str) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        state, faction = position(rng), rng.choice(FACTIONS)
        sides = helpers.owner_view(state, faction).sides
        marks = marks_of(rng, sides, faction)
        before = said(sides, faction, marks, size, theme)
        for other in changes(rng, marks, len(sides[faction][marks.origin])):
            if other != marks:
                assert said(sides, faction, other, size, theme) != before, (seed, marks, other)


@SIZED
def test_boards_with_other_units_never_say_the_same(size: Size) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        sides = helpers.owner_view(position(rng), faction := rng.choice(FACTIONS)).sides
        for side in FACTIONS:
            for region in REGIONS:
                group = sides[side][region]
                if not group or (side != faction and group[0].unit is None):
                    continue
                one = group[0]._replace(known=not group[0].known)
                other = [list(each) for each in sides]
                other[side][region] = (one, *group[1:])
                changed = (tuple(other[0]), tuple(other[1]))
                assert said(changed, faction, Marks(), size) != said(sides, faction, Marks(), size), (seed, region)


@pytest.mark.parametrize("theme", THEMES[:-1])
@SIZED
def test_each_state_is_seen_in_half_blocks_and_changes_no_shape(size: Size, theme: str) -> None:
    hidden = helpers.owner_view(helpers.at("chthonians", "hades 10, zeus 8"), 0).sides
    known = helpers.owner_view(helpers.at("chthonians", "hades 10, zeus 8", known="zeus"), 0).sides

    def looks(marks: Marks, sides: tuple[Side, Side] = EMPTY_SIDES) -> list[str]:
        drawn = board.draw(sides, Faction.CHTHONIANS, marks, size=size, unicode=True, theme=theme)
        return [style for row in drawn for style, text in row for _ in text]

    plain_board = looks(Marks())
    beside = [at for at, look in enumerate(plain_board) if not look]
    states = (
        Marks(prices=((13, 0, 0),)),
        Marks(prices=((13, 0, 0),), attacks=((13, 2, 1),)),
        Marks(origin=10, places=(0,)),
        Marks(suspected=(13,)),
        Marks(noted=(13,)),
        Marks(trails=((2, (12, 13)),)),
        Marks(trails=((2, (2, 1)), (1, (12, 13)))),
    )
    seen = [looks(marks) for marks in states]
    assert len({tuple(one) for one in (plain_board, *seen)}) == len(seen) + 1
    assert all([at for at, look in enumerate(one) if not look] == beside for one in seen)
    foggy = [one for one, two in zip(looks(Marks(), hidden), looks(Marks(), known), strict=True) if one != two]
    assert len(foggy) >= size.pitch


def moved(*lines: str, note: str = "") -> StormScreen:
    """Return the console after what both sides have done, asked for a move."""
    state = helpers.at("chthonians", "hades 10, charon 11, nyx 16, ares poseidon 14, zeus 15", known="poseidon zeus")
    screen = replace(tui.begin(), first=False)
    screen = tui.after(screen, Happened((), helpers.owner_view(state, Faction.CHTHONIANS)))
    for line in lines:
        state, events = engine.play(state, notation.parse_action(line, state))
        screen = tui.after(screen, Happened(events, helpers.owner_view(state, Faction.CHTHONIANS)))
    return tui.after(screen, Asked(helpers.owner_view(state, Faction.CHTHONIANS)), Key("any"))


def test_the_last_two_turns_leave_a_trail() -> None:
    screen = moved("move 11 12", "move 14 19 poseidon")
    assert [path for _, path in screen.found.marks.trails] == [(14, 19), (11, 12)]
    rows = tui.text(screen)
    for sign, region in ((".", 14), (":", 19), (",", 11), (";", 12)):
        assert (
            board._signs(board._Pen(EMPTY_SIDES, Faction.CHTHONIANS, screen.found.marks, False, SMALL), region) == sign
        )
        assert sign in rows
    later = tui.after(screen, Typed("16"))
    assert later.found.marks.trails == screen.found.marks.trails
    after = moved("move 11 12", "move 14 19 poseidon", "move 16 17")
    assert [path for _, path in after.found.marks.trails] == [(16, 17), (14, 19)]


def test_where_a_hidden_enemy_may_stand_is_marked_while_the_line_asks_and_tells_nothing_secret() -> None:
    screen = moved("move 11 12", "move 14 19 poseidon")
    state = screen.match.state
    assert state is not None
    hidden = tuple(region for region in REGIONS if any(not one.known for one in state.sides[1][region]))
    assert tui.after(screen, Typed("card ares")).found.marks.suspected == hidden
    assert tui.after(screen, Typed("where ares")).found.marks.suspected == hidden
    # Whether Poseidon went or Ares is hidden now.
    assert tui.after(screen, Typed("card poseidon")).found.marks.suspected == hidden
    for line in ("card zeus", "card hades", "card", "14"):
        assert tui.after(screen, Typed(line)).found.marks.suspected == ()


def test_a_crowd_of_four_leaves_out_the_least_important_signs() -> None:
    state = helpers.at("chthonians", "hades cronus nyx charon 13, zeus 15")
    marks = Marks(suspected=(13,), noted=(13,), trails=((2, (12, 13)), (1, (13, 12))), target=13)
    assert '>?":,' not in said(state.sides, Faction.CHTHONIANS, marks, SMALL)
    assert '>?":,' in said(EMPTY_SIDES, Faction.CHTHONIANS, marks, SMALL)


def test_the_note_of_a_region_stands_on_the_board() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Entered("note 13 maybe Zeus"), Key("any"))
    assert tui.text(screen).count('"') == 1


ONLY_IN_LARGE = {"TARTARUS", "PALACE", "H"}
"""Words that the small board has no room for: the names of both bases, and the H of a price."""
SAME = {"!": "ATTACK", "<?>": "-???"}
SAME |= {CARDS[unit].code.upper(): CARDS[unit].code.upper() for unit in Unit}
SAME |= {NAME[unit].capitalize(): CARDS[unit].code.upper() for unit in Unit}
SAME |= {f"<{NAME[unit].capitalize()}>": f"-{CARDS[unit].code}" for unit in Unit}
"""What words of a larger board are called on the smallest."""


def test_every_size_of_the_board_names_the_same_units_prices_and_attacks() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        state, faction = position(rng), rng.choice(FACTIONS)
        sides = helpers.owner_view(state, faction).sides
        marks = replace(marks_of(rng, sides, faction), trails=(), noted=(), suspected=())
        told = []
        for size in (SMALL, LARGE, HUGE):
            # Without strengths, how many fight how many, and signs at the corner.
            text = re.sub(r" \^| \d-\d|\d:\d|(?<=[a-z*>]) \d\b", "", said(sides, faction, marks, size))
            words = re.findall(r"-[a-z?]{3}|<\??[A-Za-z]*>|[A-Za-z]{3,}|!", text)
            prices = [int(one) for one in re.findall(r"[\[(]([+-]?\d| \d)(?= H|H|\]| [+-])", text)]
            told.append((Counter(SAME.get(word, word) for word in words if word not in ONLY_IN_LARGE), Counter(prices)))
        assert told[0] == told[1] == told[2], (seed, told)
