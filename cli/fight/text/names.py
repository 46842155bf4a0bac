"""What cards, colours, areas and sides are called."""

from typing import Final

from cli.clean import clean
from cli.text.wording import _, fill, lazy, seat
from protocol.game import Seat
from storm_p2p.fight.board import AREA, Area, Colour
from storm_p2p.fight.cards import Card, CardSet, Kind

AREAS: Final = lazy({Area.OLYMPUS: "Olympus", Area.DELPHI: "Delphi", Area.TROY: "Troy"})
COLOURS: Final = lazy({Colour.RED: "red", Colour.BLUE: "blue", Colour.GREEN: "green", Colour.YELLOW: "yellow"})
KINDS: Final = lazy({Kind.HERO: "hero", Kind.SOLDIER: "soldier", Kind.EQUIPMENT: "equipment"})


def side_name(side: Seat) -> str:
    """Return the name of a side for a reader."""
    return seat(str(side))


def name_of(card: Card) -> str:
    """Return the name of a card, in the language of the moment."""
    return _shown(card.name)


def card_name(cards: CardSet, card: int) -> str:
    """Return the name of a card with its number, which tells equal ones apart and is what one types."""
    return f"{name_of(cards.cards[card])} [{card}]"


def listed_cards(cards: CardSet, several: tuple[int, ...]) -> str:
    """Return the names of cards."""
    return ", ".join(card_name(cards, card) for card in several)


def cost(card: Card) -> str:
    """Return the cost of a card in words."""
    if not card.cost:
        return str(_FREE)
    return ", ".join(
        fill(_TIMES, number=sum(one == colour for one in card.cost), colour=COLOURS[colour])
        for colour in Colour if colour in card.cost
    )  # fmt: skip


def letters(card: Card) -> str:
    """Return the cost of a card as the letters of its colours, a dash for none."""
    return "".join(map(letter, card.cost)) or "-"


def letter(colour: Colour) -> str:
    """Return the beginning of a colour's name that no other one has."""
    name, others = str(COLOURS[colour]), [str(COLOURS[one]) for one in Colour if one != colour]
    least = next(end for end in range(1, len(name)) if not any(one.startswith(name[:end]) for one in others))
    return name[:least].title()


def frame(card: Card) -> str:
    """Return the letter of a card's own colour, a star for all colours."""
    return "*" if card.all_colours else letter(card.colour)


def worth(card: Card) -> str:
    """Return attack and defence as they are printed; those of equipment are added."""
    return f"+{card.attack}/+{card.defence}" if card.kind is Kind.EQUIPMENT else f"{card.attack}/{card.defence}"


def place(space: int) -> str:
    """Return a space with its area."""
    return fill(_PLACE, space=space, area=AREAS[AREA[space]])


_FREE: Final = lazy("nothing")
_TIMES: Final = lazy("{number} {colour}")
_PLACE: Final = lazy("space {space} ({area})")


def text_of(card: Card) -> str:
    """Return what a card says, in the language of the moment."""
    return _shown(card.text)


def _shown(text: str) -> str:
    """Return what a set of cards says, which may be a stranger's, as it may stand on a screen."""
    cleaned = clean(text)
    return _(cleaned) if cleaned else ""
