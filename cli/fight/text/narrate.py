"""Events in words, one line each, as everybody may read them: in scenarios, replays and matches that are watched."""

from collections.abc import Sequence
from typing import Final

from cli.fight.text.names import AREAS, COLOURS, card_name, listed_cards, place, side_name
from cli.text.wording import count, fill, lazy
from storm_p2p.fight.board import Area, Colour
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.events import Event, What
from storm_p2p.fight.rules.playing import PHASES

PHASE_NAMES: Final = lazy({"play": "playing cards", "attack": "the attack", "draw": "the draw"})
_TEXTS: Final = lazy({
    What.TURN: "Turn {number}: {side}.",
    What.PLAYED: "{side}: {card} comes into play on {place}.",
    What.RETURNED: "{side}: the {colour} marker goes back to the board.",
    What.LEFT_OUT: "{side}: {phase} is left out.",
    What.ATTACKED: "{card} attacks {other}: {number} damage.",
    What.UNOPPOSED: "{card} is unopposed in {area}.",
    What.DAMAGED: "{card} takes {number} damage.",
    What.HEALED: "{card} is healed by {number}.",
    What.MOVED: "{card} moves from space {number} to space {goal}.",
    What.SWAPPED: "{card} and {other} change places.",
    What.DEFEATED: "{card} is defeated.",
    What.DISCARDED: "Discarded: {cards}.",
    What.BOUNCED: "{card} returns to the hand ({side}).",
    What.LOST: "{side}: {card} is lost from the hand by chance.",
    What.OVER: "The game is over.",
})  # fmt: skip
_PAID: Final = lazy("{side}: {card} comes into play on {place}, paid for with {payers}.")
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
                _TEXTS[what], side=side, number=numbers[0], goal=numbers[1], card=(*named, "")[0],
                other=(*named, "", "")[1], cards=", ".join(named),
                place=place(numbers[0]) if what is What.PLAYED else "",
                colour=COLOURS[Colour(numbers[0])] if what is What.RETURNED else "",
                area=AREAS[Area(numbers[0])] if what is What.UNOPPOSED else "",
                phase=PHASE_NAMES[PHASES[numbers[0]]] if what is What.LEFT_OUT else "",
            )  # fmt: skip
