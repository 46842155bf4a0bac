"""The words of a table of standings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cli.text.wording import count, fill, lazy

if TYPE_CHECKING:
    from protocol.tournament.ratings import SideFigures

COLUMNS: Final = lazy({
    "rank": "rank",
    "name": "name",
    "points": "points",
    "rating": "rating",
    "gone": "left",
})  # fmt: skip
"""Tie-breaks have the names that FIDE gives them."""
TITLE_GAMES: Final = lazy("Games")
TITLE_STANDINGS: Final = lazy("Standings")
GAME_COLUMNS: Final = lazy(("game", "result"))
ALL_THERE: Final = lazy("Every game of the published rounds has its result.")
NOT_STARTED: Final = lazy("The tournament has not started, so there are no standings yet.")
RECOMPUTED: Final = lazy("Anybody who has the folder can compute this page: storm-p2p standings FOLDER")
STATES: Final = lazy({
    "result": "played",
    "unconfirmed": "not proved",
    "open": "not finished",
    "missing": "no log yet",
    "dispute": "two results",
    "forfeit": "forfeit",
    "awarded": "by ruling",
})  # fmt: skip
DOUBLE_FORFEIT: Final = lazy("double forfeit")


def left(round: int) -> str:
    """Return from which round a player takes part no more."""
    return fill("before round {round}", round=round)


def sides(figures: SideFigures, first: str) -> str:
    """Return how the first side has done."""
    if figures.share is None or figures.interval is None:
        return fill("No confirmed game shows yet how the {side} do.", side=first)
    low, high = figures.interval
    template = count(
        "The {side} scored {share} % of one game (95 % interval: {low} to {high} %).",
        "The {side} scored {share} % of {number} games (95 % interval: {low} to {high} %).",
        figures.games, side=first, share=round(100 * figures.share), low=round(100 * low), high=round(100 * high),
    )  # fmt: skip
    if figures.advantage is None:
        return template
    return template + " " + fill("That is worth {points} rating points.", points=f"{figures.advantage:+.0f}")
