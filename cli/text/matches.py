"""A match from outside: its terms, its players, words about the line, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.clean import clean
from cli.model import Model
from cli.players import Ending
from cli.text import names, refusals
from storm_p2p.state import Terms


def terms(terms: Terms) -> str:
    """Return the terms of a match in words."""
    parts = ["open combat"] if terms.open_combat else []
    if terms.random_setup:
        parts.append("random setup")
    if terms.challenge:
        parts.append(f"challenge {terms.challenge:+d} Honor for the Chthonians")
    return ", ".join(parts) or "standard rules"


def seated(model: Model) -> list[str]:
    """Return the introduction of a match."""
    lines = [f"You play the {names.side_name(model.faction)} against {model.opponent}: {terms(model.terms)}."]
    if model.words:
        lines.append(f"Compare these words with {model.opponent}: {model.words}")
    if model.log:
        lines.append(f"The match is saved in {model.log}")
    return lines


_REASONS: Final[Mapping[str, str]] = {
    "palace": "a leader of the Chthonians is in the Palace",
    "leaders": "the Chthonians have lost their leaders",
    "honor": "no Honor is left",
    "resignation": "resignation",
    "forfeit": "resignation",
    "agreement": "by agreement",
}


def over(model: Model, ending: Ending) -> list[str]:
    """Return how a match ended, and where its log is."""
    reason = _REASONS.get(ending.reason, clean(ending.reason).replace("-", " ").replace("_", " "))
    reason = "" if ending.winner is None else reason
    turns = "" if model.state is None else f" in turn {model.state.number}"
    if ending.winner is None:
        head = f"The match is not finished{turns}"
    elif ending.winner == "draw":
        head = f"A draw{turns}"
    elif ending.winner == model.faction.name.lower():
        head = f"You won{turns}"
    else:
        head = f"You lost{turns}"
    lines = [f"{head}{f': {reason}' if reason else ''}."]
    if ending.audited:
        lines.append("Everything was opened and checked, and no problem was found." if not ending.problems else
                     "Everything was opened and checked.")  # fmt: skip
    elif ending.winner is not None:
        lines.append("The hidden placements were not checked.")
    lines += [f"Problem: {clean(problem)}" for problem in ending.problems]
    if ending.log:
        lines.append(f"Saved in {clean(ending.log)}")
    return lines


def left(model: Model) -> str:
    """Return the sentence for somebody who leaves."""
    place = f" in {model.log}" if model.log else ""
    return f"You have left. The match is saved{place}; storm-p2p resume goes on with it."


_TOLD: Final[Mapping[str, str]] = {
    "draw-offered": "{name} offers a draw.",
    "draw-accepted": "{name} accepts the draw.",
    "draw-declined": "{name} declines the draw.",
    "draw-lapsed": "The offer of a draw has lapsed.",
    "opponent-resigned": "{name} resigns.",
    "line-lost": "The line to {name} is lost.",
}
_SAVED: Final = frozenset({"line-lost"})


def told(model: Model, code: str, sentence: str) -> str:
    """Return a word about the line or the match as a sentence."""
    if code in _TOLD:
        said = _TOLD[code].format(name=model.opponent)
    elif sentence:
        said = refusals.refusal(code, sentence)
    else:
        said = f"Something about the match with {model.opponent} has changed."
    if code in _SAVED and model.log:
        said += f" The match is saved in {model.log}; storm-p2p resume goes on with it."
    return said
