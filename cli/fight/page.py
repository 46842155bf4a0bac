"""What the board of Fight for Olympus on a web page needs beside the public state: the cards, names and words."""

from __future__ import annotations

from cli.fight.text import narrate, screens
from protocol.game import Json
from storm_p2p.fight.board import AREA, SPACES, Area, Colour
from storm_p2p.fight.cards import Card, CardSet


def page_names(cards: CardSet) -> Json:
    """Return them in the chosen language; the cards are listed by their numbers."""
    return {
        "cards": [_card(card) for card in cards.cards],
        "areas": [[str(narrate.AREAS[area]), next(one for one in SPACES if AREA[one] is area)] for area in Area],
        "colours": [str(narrate.COLOURS[colour]) for colour in Colour],
        "words": {key: str(said) for key, said in screens.PAGE_WORDS.items()},
    }


def _card(card: Card) -> Json:
    return {
        "name": narrate.name_of(card),
        "colour": "all" if card.all_colours else card.colour.name.lower(),
        "colour_name": narrate.colour_of(card),
        "attack": card.attack,
        "defence": card.defence,
    }
