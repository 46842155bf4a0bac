"""What Tab offers at the prompt: what can come next where the line is a command, and nothing elsewhere."""

from __future__ import annotations

from cli.console.input import completion, reading, setup_completion
from cli.console.input.completion import Suggestion
from cli.console.screen_state import Page, ScreenState
from storm_p2p.storm import engine


def suggest(ui: ScreenState, line: str) -> list[Suggestion]:
    """Return what can come next.

    Args:
        ui: the model of now.
        line: what stands before the cursor.
    """
    game = ui.game
    if ui.page == Page.CHAT or ui.question is not None:
        return []
    if ui.placing is not None and not ui.sent:
        return setup_completion.suggest(line, ui.placing, [name for name, _ in ui.setups])
    if not game.deciding or game.state is None or ui.sent:
        return completion.suggest(line, ())
    # Where picked units go has its price from the board; what else can come next stands behind it.
    partial = line[len(line.rstrip("0123456789")) :]
    found = completion.places(partial, reading.targets(line, game.state, game.faction))
    named = {one.word for one in found}
    others = completion.suggest(line, engine.options(game.state, game.faction))
    return [*found, *(one for one in others if one.word not in named)]
