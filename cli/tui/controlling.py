"""What the words about the match itself do: talk, draws, breaks, claims, resigning."""

from __future__ import annotations

from collections.abc import Callable

from cli.dialogue import pausing
from cli.players.player import Controls
from cli.text import matches
from cli.view import model as m
from cli.view.model import Model


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
        told = step.do()
        return m.answered_break(game) if step.answers else game, "" if told else step.said
    uses: dict[str, Callable[[], None]] = {
        "say": lambda: controls.say(text), "resign": controls.resign, "draw": controls.offer_draw,
        "accept": controls.accept_draw, "decline": controls.decline_draw,
    }  # fmt: skip
    uses[word]()
    if word == "draw":
        return game, matches.draw_sent(game)
    if word == "decline":
        return m.answered_draw(game), matches.draw_declined(game)
    return (m.answered_draw(game) if word == "accept" else game), ""
