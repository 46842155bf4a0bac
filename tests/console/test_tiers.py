"""Every kind of terminal is told the same by six screens of each game, and each of them looks as it was recorded."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
import tiers
from helpers import GOLDEN

from cli import language
from cli.console.render.spans import line_width, plain
from cli.fight.console import FIGHT
from console import fight_console as fight

pytestmark = pytest.mark.usefixtures("recorded_strengths")
GAMES = pytest.mark.parametrize("game", tiers.SCREENS)
SIZES = pytest.mark.parametrize("size", tiers.SIZES, ids=["80x24", "120x40", "160x50"])


@GAMES
@SIZES
def test_the_screens_of_every_tier_look_as_recorded(game: str, size: tuple[int, int], spoken: str) -> None:
    made = {name: list(tiers.section(game, name, size)) for name in tiers.SCREENS[game]}
    file = GOLDEN / f"tiers_{game}.txt"
    kept = dict(re.findall(r"^(=== .*)\n((?:(?!=== ).*\n)*)", file.read_text(encoding="utf-8"), re.MULTILINE))
    for head, *lines in made.values():
        if tiers.UPDATE:
            kept[head] = "".join(f"{line}\n" for line in lines)
        assert lines == kept[head].splitlines(), "UPDATE_GOLDEN=1 records anew; read the diff and look at the pictures"
    if tiers.UPDATE:
        file.write_text(
            "".join(f"{head}\n{text}" for head, text in sorted(kept.items())), encoding="utf-8", newline="\n"
        )


def test_the_recorded_screens_are_six_of_each_game() -> None:
    for game, screens in tiers.SCREENS.items():
        heads = re.findall("^=== (.*)$", (GOLDEN / f"tiers_{game}.txt").read_text(encoding="utf-8"), re.MULTILINE)
        assert len(screens) == 6
        assert len(heads) == len({*heads}) == 6 * len(tiers.SIZES) * len(language.LANGUAGES)


@GAMES
@SIZES
def test_each_tier_has_the_words_and_figures_of_every_other_one(game: str, size: tuple[int, int], spoken: str) -> None:
    for name in tiers.SCREENS[game]:
        drawn = {tier: list(map(plain, rows)) for tier, rows in tiers.drawn(game, name, size, spoken).items()}
        said = {tier: Counter(re.findall(r"[^\W_]+", " ".join(rows))) for tier, rows in drawn.items()}
        if game == "fight":
            # Cards with large figures say them in letters, too.
            said = {tier: Counter(set(words)) for tier, words in said.items()}
        for tier, rows in drawn.items():
            assert len(rows) == size[1]
            assert max(map(line_width, rows)) == size[0], (name, tier)
            assert {*(said[tier] - said["ascii"]), *(said["ascii"] - said[tier])} == set(), (name, tier)


def changed(rng: random.Random) -> Iterator[dict[str, Any]]:
    """Yield positions of Fight for Olympus that differ in one fact from the usual one."""
    sides = [[dict(unit) if unit else None for unit in side] for side in fight.BOARD["sides"]]
    others = [card for card in range(0, 60, 7) if card not in used()]
    for side in (0, 1):
        for space in range(6):
            unit = sides[side][space]
            new = {"card": rng.choice(others)} if unit is None else None
            for one in (new, {**unit, "damage": 1 - unit.get("damage", 0) % 2} if unit else {"card": others[0]}):
                yield {
                    "sides": [
                        [*row[:space], one, *row[space + 1 :]] if at == side else row for at, row in enumerate(sides)
                    ]
                }
    yield {"sides": [[{"card": 0, "damage": 1}, *sides[0][1:]], sides[1]]}
    for counter in (-6, 0, 6):
        yield {"counter": counter}
    for colour in ("red", "blue", "green", "yellow"):
        held = dict(fight.BOARD["markers"])
        for owner in {None, 0, 1} - {held.get(colour)}:
            yield {"markers": {**held, colour: owner}}
    yield {"pile": fight.BOARD["pile"][1:]}
    ours, theirs = fight.BOARD["hands"]
    yield {"hands": [ours[1:], theirs]}
    yield {"hands": [[others[1], *ours[1:]], theirs]}
    yield {"hands": [ours, theirs[1:]]}


def used() -> set[int]:
    """Return the cards of the usual position."""
    units = [unit for side in fight.BOARD["sides"] for unit in side if unit]
    places = [*fight.BOARD["hands"], fight.BOARD["pile"], fight.BOARD["discard"], [one["card"] for one in units]]
    return {card for cards in places for card in cards} | {one["gear"] for one in units if "gear" in one}


@SIZES
@pytest.mark.parametrize("tier", ["full dark", "ascii"])
def test_boards_of_fight_with_other_facts_never_say_the_same_without_their_colours(
    size: tuple[int, int], tier: str
) -> None:
    def said(position: Mapping[str, Any]) -> str:
        screen, look = fight.asked(fight.seen(position), size), tiers.TIERS[tier]
        screen = replace(screen, settings=replace(screen.settings, theme=look.theme, unicode=look.unicode))
        return "\n".join(map(plain, FIGHT.draw(screen, size[1] - 9)[0]))

    before = said(fight.BOARD)
    for change in changed(random.Random(5)):
        assert said({**fight.BOARD, **change}) != before, change
