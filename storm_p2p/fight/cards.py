"""Cards as data: what is printed on them, in a closed language of effects (docs/fight-rules.md, "Effects").

How a file of cards is read stands in ``card_file``; what an effect does stands in ``rules``.
"""

from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property

from storm_p2p.fight.board import Area, Colour


class Kind(IntEnum):
    """What a card is; heroes and soldiers are units when they are in play."""

    HERO = 0
    SOLDIER = 1
    EQUIPMENT = 2


class When(Enum):
    """When an ability works (F-8.1)."""

    PLAYED = "played"
    ATTACK = "attack"
    ALWAYS = "always"


class Relation(Enum):
    """Where a unit stands, seen from the card that has the ability."""

    SELF = "self"
    OPPOSITE = "opposite"
    ADJACENT = "adjacent"
    AREA = "area"


@dataclass(frozen=True, slots=True)
class Whom:
    """Which units an ability means; what is None or False asks nothing."""

    own: bool | None = None
    """On the side of the card's owner, or on the other side."""
    kind: Kind | None = None
    """None: any unit."""
    colour: Colour | None = None
    area: Area | None = None
    max_cost: int | None = None
    """The most colours that are printed as its cost."""
    other: bool = False
    """Not the card that has the ability."""
    equipped: bool = False
    place: Relation | None = None
    all: bool = False
    """Every match, without a choice (B-40)."""


@dataclass(frozen=True, slots=True)
class Like:
    """A unit of a kind and a colour, in a condition."""

    kind: Kind | None = None
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """When an ability that works always does so; what is None or False asks nothing."""

    area: Area | None = None
    damaged: bool = False
    opposite: Like | None = None
    adjacent: Like | None = None
    having: Like | None = None
    """Some other own unit is so ("with" in the file)."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of a card."""

    when: When
    do: str
    """A word of the language; ``card_file`` lists them all."""
    may: bool = False
    n: int = 0
    whom: Whom = Whom()
    condition: Condition = Condition()
    kind: Kind | None = None
    """Of ``free`` and ``cheaper``: which cards."""
    area: Area | None = None
    """Of ``bonus``: which area."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is printed on a card (F-4.1)."""

    name: str
    kind: Kind
    colour: Colour
    all_colours: bool
    """A multi-coloured hero (F-4.2)."""
    cost: tuple[Colour, ...]
    attack: int
    defence: int
    abilities: tuple[Ability, ...]
    text: str

    def has(self, colour: Colour) -> bool:
        """Return whether the card is of a colour (F-4.2)."""
        return self.all_colours or self.colour == colour


@dataclass(frozen=True)
class CardSet:
    """The cards of a game, by their number."""

    name: str
    cards: tuple[Card, ...]
    digest: bytes
    """The SHA-256 of all cards, by which the terms of a match name the set."""

    @cached_property
    def always(self) -> dict[str, dict[int, tuple[Ability, ...]]]:
        """The abilities that work always, by their word and the number of their card."""
        found: dict[str, dict[int, tuple[Ability, ...]]] = {}
        for number, card in enumerate(self.cards):
            for ability in card.abilities:
                if ability.when is When.ALWAYS:
                    several = found.setdefault(ability.do, {})
                    several[number] = (*several.get(number, ()), ability)
        return found

    @cached_property
    def cheapened(self) -> frozenset[Kind | None]:
        """The kinds of cards that ``cheaper`` of some card is about."""
        several = self.always.get("cheaper", {}).values()
        return frozenset(one.kind for abilities in several for one in abilities)
