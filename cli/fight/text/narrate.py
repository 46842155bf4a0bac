"""Events in words, one line each, as everybody may read them: in scenarios, replays and matches that are watched."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from cli.clean import clean
from cli.text.wording import _, count, fill, lazy, listed, seat
from protocol.game import Seat
from storm_p2p.fight.board import AREA, Area, Colour
from storm_p2p.fight.cards import Card, CardSet, Kind
from storm_p2p.fight.events import Event, What
from storm_p2p.fight.rules.playing import PHASES

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
    """Return the name of a card, which is what one types."""
    return name_of(cards.cards[card])


def listed_cards(cards: CardSet, several: tuple[int, ...]) -> str:
    """Return the names of cards."""
    return ", ".join(card_name(cards, card) for card in several)


def in_words(card: Card, number: int) -> str:
    """Return a card as one says it: number, colour, name, values and cost, and what it does."""
    facts = {"colour": colour_of(card), "name": name_of(card), "attack": card.attack, "defence": card.defence}
    told = fill(_IN_WORDS[card.kind is Kind.EQUIPMENT], number=number, **facts, cost=cost(card))
    return f"{told}. {text_of(card)}".rstrip()


def colour_of(card: Card) -> str:
    """Return the colour of a card."""
    return str(_EVERY if card.all_colours else COLOURS[card.colour])


def cost(card: Card) -> str:
    """Return the cost of a card in words."""
    numbers = Counter(sorted(card.cost))
    once = set(numbers.values()) == {1}
    return listed(
        COLOURS[colour] if once else fill(_TIMES, number=number, colour=COLOURS[colour])
        for colour, number in numbers.items()
    ) or str(_FREE)


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


_IN_WORDS: Final = lazy(
    {
        False: "card {number}, {colour} {name}, attack {attack}, defence {defence}, costs {cost}",
        True: "card {number}, {colour} {name}, adds {attack} attack and {defence} defence, costs {cost}",
    }
)
_EVERY: Final = lazy("multi-coloured")
_FREE: Final = lazy("nothing")
_TIMES: Final = lazy("{number} {colour}")
_PLACE: Final = lazy("space {space} ({area})")


def text_of(card: Card) -> str:
    """Return what a card says, in the language of the moment."""
    return str(_CLEARER[card.text]) if card.text in _CLEARER else _shown(card.text)


_CLEARER: Final = lazy(
    {
        "Attack: 1 damage to an enemy unit.": "When it attacks: 1 damage to an enemy unit.",
        "Attack: 1 damage to an enemy unit on Olympus.": "When it attacks: 1 damage to an enemy unit on Olympus.",
        "Attack: you may heal 2 on one of your units.": "When it attacks: you may heal 2 on one of your units.",
        "Attack: you may take a marker from your opponent.": "When it attacks: you may take a marker from your opponent.",
        "Attack: you may take a marker as in Delphi.": "When it attacks: you may take a marker as in Delphi.",
        "Attack: draw a card.": "When it attacks: draw a card.",
        "Played: she may attack at once.": "Played: she may attack at once, with her bonus if unopposed, and attacks again in the "
        "attack of this turn.",
        "Played: discard an enemy unit that costs 2 or less.": "Played: discard an enemy unit that costs 2 or less; it is not "
        "defeated.",
        "Your equipment costs one colour less, of your choice.": "Your equipment costs one colour less.",
        "Abilities of your opponent cannot choose your units.": "Enemy abilities cannot choose your units.",
        "Abilities of your opponent cannot choose Heracles.": "Enemy abilities cannot choose Heracles.",
        "Abilities of your opponent cannot choose this unit.": "Enemy abilities cannot choose this unit.",
    }
)
"""What is shown for what the file says: the hash of the set, which matches name, holds the file's words."""


def _shown(text: str) -> str:
    """Return what a set of cards says, which may be a stranger's, as it may stand on a screen."""
    cleaned = clean(text)
    return _(cleaned) if cleaned else ""


PHASE_NAMES: Final = lazy({"play": "playing cards", "attack": "the attack", "draw": "the draw"})
_TEXTS: Final = lazy(
    {
        What.TURN: "Turn {number}: {side}.",
        What.PLAYED: "{side}: {card} played on {place}.",
        What.RETURNED: "{side}: the {colour} marker goes back to the board.",
        What.LEFT_OUT: "{side}: {phase} is skipped, because the player who begins skips one phase of the first turn.",
        What.ATTACKED: "{card} against {other}: {number} damage.",
        What.UNOPPOSED: "No unit stands opposite {card} ({area}).",
        What.DAMAGED: "{card}: {number} damage.",
        What.HEALED: "{card}: {number} damage healed.",
        What.MOVED: "{card}: from space {number} to space {goal}.",
        What.SWAPPED: "{card} and {other} change places.",
        What.DEFEATED: "{card}: defeated.",
        What.DISCARDED: "Discarded: {cards}.",
        What.BOUNCED: "{card}: back to the hand ({side}).",
        What.LOST: "{side}: {card} lost from the hand at random.",
        What.OVER: "The game is over.",
    }
)
_PAID: Final = lazy("{side}: {card} played on {place}, paid for with {payers}.")
_TOOK: Final = lazy("{side}: the {colour} marker is taken from the board.")
_STOLE: Final = lazy("{side}: the {colour} marker is taken from the opponent.")
_LEADS: Final = lazy("{side}: a point, and a lead of {number}.")
_TRAILS: Final = lazy("{side}: a point, still {number} behind.")
_LEVEL: Final = lazy("{side}: a point, and the counter is back in the middle.")


def line(event: Event, cards: CardSet, players: Sequence[str] = ()) -> str:
    """Return what an event says; ``players`` are what the two seats are called, by their sides where it is empty."""
    side, numbers = players[event.seat] if players else side_name(event.seat), (*event.numbers, 0, 0)
    named = [card_name(cards, card) for card in event.cards]
    match event.what:
        case What.DREW:
            return count("{side}: a card is drawn.", "{side}: {number} cards are drawn.", numbers[0], side=side)
        case What.TOOK:
            return fill(_STOLE if numbers[1] else _TOOK, side=side, colour=COLOURS[Colour(numbers[0])])
        case What.SCORED:
            lead = numbers[0] if event.seat == 0 else -numbers[0]
            return fill(_LEADS if lead > 0 else _TRAILS if lead < 0 else _LEVEL, side=side, number=abs(lead))
        case What.PLAYED if len(named) > 1:
            payers = listed_cards(cards, event.cards[1:])
            return fill(_PAID, side=side, card=named[0], place=place(numbers[0]), payers=payers)
        case what:
            return fill(
                _TEXTS[what],
                side=side,
                number=numbers[0],
                goal=numbers[1],
                card=(*named, "")[0],
                other=(*named, "", "")[1],
                cards=", ".join(named),
                place=place(numbers[0]) if what is What.PLAYED else "",
                colour=COLOURS[Colour(numbers[0])] if what is What.RETURNED else "",
                area=AREAS[Area(numbers[0])] if what is What.UNOPPOSED else "",
                phase=PHASE_NAMES[PHASES[numbers[0]]] if what is What.LEFT_OUT else "",
            )


def lines(events: Sequence[Event], cards: CardSet, players: Sequence[str] = ()) -> list[str]:
    """Return what events say; that a unit is on the discard pile, its defeat has said, and what heals nothing is left out."""
    pairs = zip((None, *events), events, strict=False)
    return [
        line(event, cards, players)
        for before, event in pairs
        if (before is None or (before.what, event.what, before.cards) != (What.DEFEATED, What.DISCARDED, event.cards))
        and (event.what, event.numbers) != (What.HEALED, (0,))
    ]
