"""Sentences whose facts are units, sides and maneuvers."""

from collections.abc import Sequence
from typing import TypeVarTuple

from cli.storm.text import names
from cli.text import wording
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Maneuver, Unit

Facts = TypeVarTuple("Facts")


class Sentence(wording.Sentence[*Facts]):
    """A template that is called with a fact for each of its gaps.

    >>> Sentence[Unit, int]("{unit} is in {region}.")(Unit.ZEUS, 15)
    'Zeus is in 15.'
    """

    def _say(self, fact: object) -> object:
        match fact:
            case Unit() | Faction() | Maneuver():
                return names.fact(fact)
            case Sequence() if not isinstance(fact, str) and all(one is None or isinstance(one, Unit) for one in fact):
                return names.crowd(fact)
            case _:
                return super()._say(fact)
