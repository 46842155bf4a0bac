"""Every kind of terminal is told the same by six screens of each game, and each of them looks as it was recorded."""

from __future__ import annotations

import re
from collections import Counter

import pytest
import tiers
from helpers import GOLDEN

from cli import language
from cli.console.render.spans import line_width, plain

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
