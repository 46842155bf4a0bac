"""Events in words, one line each, as everybody may read them: in scenarios, replays and matches that are watched."""

from typing import Final

from cli.fight.text.names import AREAS, COLOURS, card_name, listed_cards, place, side_name
from cli.text.wording import count, fill, lazy
from storm_p2p.fight.board import Area, Colour
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.events import Event, What
from storm_p2p.fight.rules.playing import PHASES

_PHASES: Final = lazy({"play": "playing cards", "attack": "the attack", "draw": "the draw"})

_TEXTS: Final = lazy({
    What.TURN: "Turn {number}: {side} plays.",
    What.PLAYED: "{side} plays {card} on {place}.",
    What.RETURNED: "{side} gives the {colour} marker back.",
    What.LEFT_OUT: "{side} leaves out {phase}.",
    What.ATTACKED: "{card} attacks {other}: {number} damage.",
    What.UNOPPOSED: "{card} is unopposed in {area}.",
    What.DAMAGED: "{card} takes {number} damage.",
    What.HEALED: "{card} is healed by {number}.",
    What.MOVED: "{card} moves from space {number} to space {goal}.",
    What.SWAPPED: "{card} and {other} change places.",
    What.DEFEATED: "{card} is defeated.",
    What.DISCARDED: "Discarded: {cards}.",
    What.BOUNCED: "{card} returns to the hand of {side}.",
    What.LOST: "{side} loses {card} from the hand by chance.",
})  # fmt: skip
_PAID: Final = lazy("{side} plays {card} on {place} and pays with {payers}.")
_TOOK: Final = lazy("{side} takes the {colour} marker from the board.")
_STOLE: Final = lazy("{side} takes the {colour} marker from the opponent.")
_LEADS: Final = lazy("A point for {side}, who now leads by {number}.")
_TRAILS: Final = lazy("A point for {side}, who still trails by {number}.")
_LEVEL: Final = lazy("A point for {side}: the counter is back in the middle.")
_OVER: Final = lazy("The game is over.")


def line(event: Event, cards: CardSet) -> str:
    """Return what an event says."""
    side, numbers = side_name(event.seat), (*event.numbers, 0, 0)
    named = [card_name(cards, card) for card in event.cards]
    match event.what:
        case What.OVER:
            return str(_OVER)
        case What.DREW:
            return count("{side} draws a card.", "{side} draws {number} cards.", numbers[0], side=side)
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
                _TEXTS[what], side=side, number=numbers[0], goal=numbers[1], card=(*named, "")[0],
                other=(*named, "", "")[1], cards=", ".join(named),
                place=place(numbers[0]) if what is What.PLAYED else "",
                colour=COLOURS[Colour(numbers[0])] if what is What.RETURNED else "",
                area=AREAS[Area(numbers[0])] if what is What.UNOPPOSED else "",
                phase=_PHASES[PHASES[numbers[0]]] if what is What.LEFT_OUT else "",
            )  # fmt: skip
