"""What a legend says of the signs on the board is what the board shows, in every size and language."""

from __future__ import annotations

import re

import helpers_tui as tui
import pytest

from cli.console.guest import AnyConsole, keys_of
from cli.fight.console import FIGHT
from cli.storm.console import STORM
from cli.storm.guide import all_known
from cli.storm.model import Marks
from cli.storm.render import board
from cli.storm.render.board import HUGE, LARGE, SMALL, Size
from cli.storm.text import help_text, screens
from cli.vocabulary import fold
from storm_p2p.storm.board import FACTIONS, Faction

MEANT = {
    "ZEU": "[A-Z]{3}",
    "Zeus": "[A-Z][a-z]+",
    "-zeu": "-[a-z]{3}",
    "<Zeus>": "<[A-Z][a-z]+>",
    "-???": r"-\?{3}",
    "<?>": r"<\?>",
}
"""What the examples of the legends stand for."""
EXAMPLES = {"own": ("ZEU", "Zeus"), "enemy": ("-zeu", "<Zeus>"), "hidden": ("-???", "<?>")}


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("faction", FACTIONS)
@pytest.mark.parametrize("size", [SMALL, LARGE, HUGE], ids=["small", "large", "huge"])
def test_every_unit_on_the_board_looks_as_the_legends_say(size: Size, faction: Faction) -> None:
    playing = [
        " ".join(map(str, screens.HELP_READING)),
        " ".join(map(str, screens.REPLAY_READING)),
        *help_text.help_on("board", faction),
    ]
    end = str(help_text.LAST_BOARD_SMALL if size is SMALL else help_text.LAST_BOARD)
    pictures = [(legend, state.sides) for state in (tui.EXAMPLE, tui.COMBAT) for legend in playing]
    pictures += [(end, all_known(state).sides) for state in (tui.EXAMPLE, tui.COMBAT)]
    for legend, sides in pictures:
        given = [word.rstrip(".,:;") for word in re.split(r"[ (]", legend)]
        shapes = {style: "|".join(MEANT[one] for one in ones if one in given) for style, ones in EXAMPLES.items()}
        drawn = board.draw(sides, faction, Marks(), size=size, unicode=False)
        for style, text in (span for line in drawn for span in line):
            # Without how many more there are, how strong they are, and who is known to the enemy.
            name = re.sub(r"[+ ][\d^-]+|[ *]", "", text)
            if name and style in ("own", "seen", "enemy", "hidden"):
                assert re.fullmatch(f"({shapes['own' if style == 'seen' else style]})+", name), (legend, text)
                assert ("*" in text) == (style == "seen")


@pytest.mark.parametrize("game", [STORM, FIGHT], ids=["storm", "fight"])
@pytest.mark.usefixtures("spoken")
def test_every_word_on_a_function_key_may_be_typed(game: AnyConsole) -> None:
    meant = {name: game.words.exact.get(fold(str(word))) for name, word in keys_of(game).items()}
    assert meant == {name: game.words.exact[word.english] for name, word in keys_of(game).items()}
