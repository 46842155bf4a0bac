"""The words of a match of Fight for Olympus: its board, its questions, its hints, its help."""

from collections.abc import Mapping
from typing import Final

from cli.text.wording import Lazy, Sentence, lazy

TITLE: Final = lazy("Fight for Olympus")
OUR_TITLE: Final = lazy("Fight for Olympus (reconstructed cards)")
OWN_TITLE: Final = lazy("Fight for Olympus (a player's own cards)")
LEVELS: Final[Mapping[str, Lazy]] = lazy(
    {
        "random": "Plays any card anywhere. Good for a first match.",
        "novice": "Plays like greedy, but often slips.",
        "greedy": "Takes what is best within its own turn.",
        "seer": "Has learned from many matches what a position is worth.",
        "oracle": "Plays like seer, and also weighs what you may answer.",
    }
)
TERMS: Final = lazy("card set {name}")
OWN_TERMS: Final = lazy("a player's own card set ({digest})")
SHUFFLING: Final = lazy(
    "Both programs shuffle the pile and prove it. Nobody knows its order, not even both players together."
)
DEALING: Final = lazy("shuffling and dealing")

COUNTER: Final = lazy("{number} for you")
COUNTER_OF: Final = lazy("counter {number} (7 wins)")
PILE: Final = lazy("pile {number}")
HAND_OF: Final = lazy("{name}: {number} in hand")
MARKERS: Final = lazy("markers:")
NO_MARKERS: Final = lazy("no markers")
STOCKS: Final = lazy({"lead": "points ahead", "units": "units in play"})
"""What each side has so and so much of."""
ON_BOARD: Final = lazy("on the board:")
EMPTY_SPACE: Final = "."
HAND: Final = lazy("Your hand")
HAND_COLUMNS: Final = lazy("(colour, number, name, attack/defence, cost)")
hand_holds = Sentence[int]("Your hand, {number} card:", "Your hand, {number} cards:")
HAND_CARDS: Final = lazy("(bright: you can play it; card NUMBER or a click shows one large)")
NO_COST: Final = lazy("no cost")
COSTS: Final = lazy("Costs")
ATTACKED: Final = lazy("attacked")
ONE_POINT: Final = lazy("ONE POINT FROM WINNING")
UNITS_OF: Final = lazy("{number} OF 6 SPACES HELD")
POINT_AWAY: Final = lazy("Beware: {name} is one point from winning. One unopposed unit on Olympus is enough.")
SPACE_AWAY: Final = lazy(
    "Beware: {name} holds five of six spaces. If they fill space {space} and still hold all six at the start of the "
    "turn after that, they win."
)
SPACES_FULL: Final = lazy("Beware: {name} holds all six spaces. Defeat one of their units in this turn, or they win.")
LEGEND: Final = lazy("Letters: {letters}, * all colours.")
MORE_CARDS: Final = lazy("and {number} more: hand")
NO_HAND: Final = lazy("Your hand is empty.")

QUESTIONS: Final[Mapping[str, Lazy]] = lazy(
    {
        "main": "YOUR TURN: play cards, then end",
        "target": "YOUR ANSWER: which unit?",
        "move": "YOUR ANSWER: which unit moves where?",
        "swap": "YOUR ANSWER: which two change places?",
        "free": "YOUR ANSWER: which card do you play for nothing?",
        "may": "YOUR ANSWER: do you use the ability?",
        "marker": "YOUR ANSWER: which marker?",
    }
)
ABILITY: Final = lazy("{card}: {text}")
BONUS: Final = lazy("Your unit in Delphi is unopposed: you may take one marker.")
FIRST: Final = lazy(
    (
        "play CARD SPACE plays a card, by its number or its name. The program chooses what pays, unless you add pay CARD.",
        "When you are done, type end: your units attack from space 1 to 6, then you draw two cards.",
    )
)
FIRST_TURN: Final = lazy("You begin, so you skip one phase of this turn: end attack, end draw or end play.")
PLAYABLE: Final = lazy("You can play: {cards}.")
NOTHING_PLAYABLE: Final = lazy(
    {
        False: "You cannot play any card now. Type end.",
        True: "You cannot play any card now. Type end attack or end draw.",
    }
)
"""Whether it is the first turn of the game."""
HINTS: Final[Mapping[str, Lazy]] = lazy(
    {
        "turn": "play CARD SPACE   end: attack and draw   card 12   hand   F1 help",
        "waiting": "/text talks   F2 units   F3 rules   F5 log   F9 looks back",
    }
)
TITLES: Final[Mapping[str, Lazy]] = lazy(
    {"units": "BOARD AND HAND   (card NUMBER shows one)", "table": "GOAL AND RULES", "card": "CARD", "notes": "NOTES"}
)
KEYS: Final = lazy({"F2": "units", "F3": "rules", "F8": "notes"})
REPLAY_KEYS: Final = lazy(
    (
        "c: the next unit that is defeated (* on the bar). p: the next point (!). t: the next turn. # is a mark.",
        "v: the next view. 1: what everybody knew. 2: what the left side knew. 3: what the right side knew. 4: both hands.",
        "a: how the chances changed, and which decisions cost the most.",
    )
)
LANDMARKS: Final = lazy("c defeat   t turn")

GOALS: Final = lazy(
    (
        "You win at once when the counter stands on your 7: an unopposed unit on Olympus scores a point when it attacks.",
        "You win at the start of your turn when all six of your spaces hold a unit.",
        "When the pile is empty, the game ends, and the player who leads on the counter wins.",
        "An unopposed unit in Delphi takes a marker, which pays like a card of its colour. In Troy it draws a card.",
        "A card costs what is printed on it: for each colour, discard a card of that colour or give back a marker.",
        "Damage stays. A unit is defeated when its damage reaches its defence; the defender does not hit back.",
    )
)
MORE_RULES: Final = lazy("Type rules for the other rules, or help for what you can type.")
RULES: Final = lazy(
    (
        "A turn has three phases: play as many cards as you can pay for, then all your units attack from space 1 to 6, "
        "then you draw two cards. The player who begins skips one of the three in the first turn.",
        "A unit goes on an empty space of yours, equipment on a unit of yours that has none. Units with 0 attack do not attack.",
        "The spaces beside a unit are to its left and right on its own side, across area borders: 3 and 4, 5 and 6.",
        "Played: once, as it comes into play. When it attacks: each time, before it hits. All else always applies.",
    )
)
HELP: Final = lazy(
    (
        "play CARD SPACE [pay CARD ...] [marker COLOUR ...] [save COLOUR ...]: CARD is a number or a name.",
        "end: attack from space 1 to 6, then draw two cards. In the first turn: end play, end attack or end draw.",
        "target own 3, target enemy 2 or the unit's name, move own 1 4, swap 1 2, free 62 3, marker red, may yes: answers to"
        " questions; none says no.",
        "card 12 or card medea: what is printed on it. To look: hand, units, discards, table. hint: what the computer would"
        " play; against another person only if the host offered hints with --aids.",
        "Talk: say TEXT or /TEXT, chat. The match: draw, accept, decline, resign, bye (leave; the match is saved).",
        "plain switches to plain lines, full to the full screen; note SPACE TEXT keeps a note for yourself, notes lists them.",
        "Spaces 1 to 3 are Olympus, 4 and 5 Delphi, 6 Troy.",
        "The cards are reconstructed: the rules are those of the game, but every card is made up for this program.",
    )
)

SIGNS: Final = lazy(
    (
        "Your hand shows colour (* all), number, name, attack/defence and cost; a unit shows its values and its colour.",
        "2/4-1 means attack 2, defence 4, 1 damage; a crossed-out point is 1 damage, and a card that leans has attacked.",
    )
)
"""What is seen and not heard."""

PAYS: Final = lazy("You play {card} on {place} and discard {payers}.")
PLAYS: Final = lazy("You play {card} on {place}; it costs nothing from your hand.")
GIVES: Final = lazy("You give back: {markers}.")
ENDS: Final = lazy("Your turn ends:")
SKIPS: Final[Mapping[str, Lazy]] = lazy(
    {
        "attack": "Skip the attack? Your units do nothing, and you draw two cards.",
        "draw": "Skip the draw? Your units attack, and you draw no card.",
        "play": "Skip playing cards? Your turn goes on with the attack, and you draw two cards.",
    }
)
HITS: Final = lazy("Space {space}: {card} against {other}: {number} damage, {left} left.")
FELLS: Final = lazy("Space {space}: {card} against {other}: {number} damage, defeated.")
OPEN_SPACE: Final = lazy("Space {space}: no unit stands opposite {card}; the bonus is {bonus}.")
BONUSES: Final = lazy({0: "a point", 1: "a marker", 2: "a card"})
NOBODY_ATTACKS: Final = lazy("No unit of yours attacks.")

CARD_VALUES: Final = lazy("attack {attack}, defence {defence}")
CARD_KIND: Final = lazy("{kind}, {colour}")
NO_CARD: Final = lazy("There is no card {word}. Type a number from 0 to {last}, or a name as it stands on the board.")
NOT_IN_HAND: Final = lazy("{card} is not in your hand. hand shows your cards.")
DISCARDS: Final = lazy("Discarded: {cards}.")
NO_DISCARDS: Final = lazy("Nothing has been discarded yet.")
SIDE_LINE: Final = lazy("{name}: {units}.")
UNIT_AT: Final = lazy("Space {space}, {card}, attack {attack}, defence {defence}")
HURT: Final = lazy("{number} damage")
NO_UNITS: Final = lazy("no units")
WITH_GEAR: Final = lazy("with {card}")
TURN_LINE: Final = lazy("Turn {number}: {who} to play.")
STANDING: Final = lazy("{lead} Cards in the pile: {pile}; {name} holds {hand}.")
LEADS: Final = lazy("You lead by {number} of 7 points.")
TRAILS: Final = lazy("{name} leads by {number} of 7 points.")
LEVEL: Final = lazy("Nobody leads.")
HAS_MARKERS: Final = lazy("Markers: {who} {markers}.")
YOU: Final = lazy("you")
OPPONENT: Final = lazy("opponent")
BRINGS: Final = lazy("Then this happens: {events}.")
NOT_PAYABLE: Final = lazy("You cannot pay for {card}: it costs {cost}.")
NOW: Final = lazy("Answers: {answers}.")

REFUSED: Final = lazy(
    {
        "not-in-hand": "That card is not in your hand. hand shows your cards.",
        "no-marker": "You do not have that marker.",
        "wrong_card": "That card does not fit there: a unit needs an empty space of yours, equipment a unit without any.",
        "wrong_payment": "That is not the exact price. Leave pay and marker out, and the program chooses.",
        "wrong-phase-left-out": "In the first turn type end play, end attack or end draw; later just end. end play works "
        "only if you have played no card.",
        "no-answer": "That is not possible here. {answers}",
        "no-decision": "That is not possible here. The spaces are 1 to 6; help shows what can be typed.",
        "no-action": "Type it like this: play 60 1, end, target enemy 2, marker red. help shows everything.",
    }
)

PAGE_WORDS: Final = lazy(
    {
        "board": "the board",
        "turn": "turn {number}, {side}",
        "ahead": "counter: {number} for {side} (7 wins)",
        "level": "counter: 0 (7 wins)",
        "pile": "pile {number}",
        "discards": "discarded {number}",
        "markers": "markers: {markers}",
        "on_board": "on the board",
        "hand": "hand of {side}: {number}",
        "values": "attack {attack}, defence {defence}",
        "damage": "damage {damage}",
        "with": "with {card}",
        "attacked": "has attacked",
        "printed": "on the cards: printed attack/defence",
    }
)
"""What a web page says of a position."""


CARD_COMMENTS: Final = lazy(
    {
        "set": "the name of your set, at most 64 characters",
        "game": "always fight-for-olympus",
        "notice": "these comments; the program does not read them",
        "cards": "60 heroes (15 of each colour), 12 soldiers (3 of each colour, each twice in the game) and 12 equipment (3 "
        "of each colour)",
        "name": "at most 40 characters; heroes and soldiers each have their own",
        "type": "hero, soldier or equipment",
        "colour": "red, blue, green or yellow",
        "all_colours": "true for a hero that counts as every colour",
        "copies": "2 for a soldier, else 1",
        "cost": "a list of up to eight colours; an empty one costs nothing",
        "attack": "the damage it deals; for equipment, what its unit gains, which may be negative",
        "defence": "the damage that defeats it, at least 1; for equipment, what its unit gains, which may be negative",
        "text": "the text that people read on the card, at most 200 characters; the program goes by the abilities",
        "abilities": "a list of up to four, each made of the entries that follow (docs/fight-rules.md, Effects)",
        "when": "played, attack or always",
        "may": "true if the player may decline; not for always",
        "do": "for played and attack: damage, heal, move, swap, bounce, discard, draw, marker, steal, lose_card, free; for "
        "played also strike; for always: attack, defence, shield, revenge, survive, pierce, bonus, mute, ward, cheaper",
        "n": "how much, or how many",
        "whom": "which units it affects: kind (unit, hero or soldier), and optionally side (own or enemy), colour, area, max_cost, "
        "other, equipped, place (self, opposite, adjacent or area) and all",
        "if": "the condition of attack and defence: area, damaged, opposite, adjacent, with",
        "area": "olympus, delphi or troy",
    }
)
"""By the names of the fields."""
