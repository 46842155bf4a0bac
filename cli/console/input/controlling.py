"""What the words about the match itself do: talk, draws, breaks, claims, resigning."""

from __future__ import annotations

from collections.abc import Callable

from cli.console.input import pausing
from cli.match.participant import Controls
from cli.storm import model as m
from cli.storm.model import Model
from cli.storm.text import matches


def use(word: str, text: str, game: Model, controls: Controls) -> tuple[Model, str]:
    """Use a control; return the game after it and what there is to say about it, or nothing.

    Args:
        word: ``say``, ``resign``, ``draw``, ``accept``, ``decline``, or a word about breaks and claims.
        text: what is said.
        game: as it is shown.
        controls: of the match.

    Raises:
        ValueError: it cannot be used, with a sentence.
    """
    step = pausing.step(word, game, controls)
    if step is not None:
        said = "" if step.do() else step.said
        return m.acted(m.answered_break(game) if step.answers else game, said), said
    uses: dict[str, Callable[[], None]] = {
        "say": lambda: controls.say(text), "resign": controls.resign, "draw": controls.offer_draw,
        "accept": controls.accept_draw, "decline": controls.decline_draw,
    }  # fmt: skip
    uses[word]()
    said = {"draw": matches.draw_sent, "decline": matches.draw_declined}.get(word, lambda _: "")(game)
    return m.acted(m.answered_draw(game) if word in ("accept", "decline") else game, said), said
