"""Positions and lines for the grammar."""

from __future__ import annotations

import helpers
import pytest

from cli.console.messages import NotUnderstood
from cli.storm import grammar
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import State

STATE = helpers.at(
    "chthonians", "erinyes hecate 14, hades charon 12, cerberus 7, harpies 18, ares hera 9, zeus 15, athena 8"
)


def refusal(line: str, state: State | None = STATE, faction: Faction = Faction.CHTHONIANS) -> str:
    with pytest.raises(NotUnderstood) as caught:
        grammar.parse(line, state, faction)
    return str(caught.value)
