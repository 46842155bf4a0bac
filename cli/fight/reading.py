"""What may be typed in a match of Fight for Olympus, beside what is typed in every game, and what a line means."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cli.clean import clean
from cli.console import messages
from cli.console.messages import NotUnderstood
from cli.fight.text import narrate, screens
from cli.text.screens import ASKED_ELSE, NOT_YOUR_TURN, which_word
from cli.text.wording import fill
from cli.vocabulary import DE, EN, Command, Kind, Tab, Vocabulary, Words, fold, split
from protocol.game import Decision, Seat, other
from storm_p2p.fight import engine, notation
from storm_p2p.fight.board import SPACES
from storm_p2p.fight.cards import Card, CardSet
from storm_p2p.fight.errors import FightError
from storm_p2p.fight.rules.paying import default_payment
from storm_p2p.fight.state import View

_ROWS: Final = (
    Command("play", Kind.ACTION, {DE: "spiele spielen"}),
    Command("end", Kind.ACTION, {DE: "fertig"}, whole=True),
    Command("target", Kind.ACTION, {DE: "ziel"}),
    Command("move", Kind.ACTION, {DE: "versetze versetzen"}),
    Command("swap", Kind.ACTION, {DE: "tausche tauschen"}),
    Command("free", Kind.ACTION, {DE: "gratis frei"}),
    Command("may", Kind.ACTION, {DE: "nutze nutzen"}),
    Command("marker", Kind.ACTION, {DE: "marke"}),
    Command("units", Kind.VIEW, {DE: "einheiten"}, tab=Tab.MATCH),
    Command("card", Kind.VIEW, {DE: "karte"}, tab=Tab.MATCH),
    Command("hand", Kind.VIEW, {DE: "hand"}, tab=Tab.MATCH),
    Command("discards", Kind.VIEW, {EN: "discard", DE: "ablage"}, tab=Tab.MATCH),
    Command("note", Kind.TALK, {DE: "notiz"}, tab=Tab.MATCH),
    Command("table", Kind.VIEW, {EN: "rules", DE: "regeln tabelle"}, tab=Tab.MATCH),
)

ARGUMENTS: Final[Mapping[str, Words]] = {
    "pay": {DE: "zahle zahlen mit"},
    "marker": {DE: "marke marken"},
    "save": {DE: "spare sparen"},
    "own": {DE: "eigen eigene"},
    "enemy": {DE: "gegner feind"},
    "none": {DE: "keine nichts"},
    "yes": {EN: "y", DE: "ja j"},
    "no": {EN: "n", DE: "nein"},
    "red": {DE: "rot"},
    "blue": {DE: "blau"},
    "green": {DE: "grün"},
    "yellow": {DE: "gelb"},
    "play": {DE: "spielen"},
    "attack": {DE: "angriff"},
    "draw": {DE: "ziehen"},
}
"""The words that stand behind a command."""

VOCABULARY: Final = Vocabulary(_ROWS, ARGUMENTS, {})
"""All that may be typed."""


_CARDS_BEHIND: Final = ("play", "pay", "free")
"""Words behind which a card stands."""
_MARKS: Final = ("pay", "marker", "save")


def parse(line: str, view: View | None, side: Seat) -> messages.Command:
    """Return what a line means; ``view`` is None while no answer is awaited.

    Raises:
        NotUnderstood: with one sentence.
    """
    common = messages.find_common(VOCABULARY, line, SPACES)
    if common is not None:
        return common
    text, mode = messages.split_mode(clean(line))
    tokens = split(text)
    verb = VOCABULARY.find_verb(tokens[0])
    question = None if view is None else view.state.question
    if view is not None and question is not None and asks_within(view, side) and verb in (None, question.kind):
        # What is asked needs not be said again, and a unit needs not be said by its space.
        rest = tokens[verb is not None :]
        answer = [question.kind, *map(VOCABULARY.find_argument, rest)]
        answers = list(map(str.split, options(view, side)))
        named = [one for one in answers if rest and _names_target(one, " ".join(rest), view, side)]
        if VOCABULARY.say(" ".join(answer)).split() in answers:
            verb, *_ = tokens = answer
        elif len(named) > 1:
            raise NotUnderstood(now(view, side))
        elif named:
            verb, *_ = tokens = [question.kind, *named[0][1:]]
    if VOCABULARY.kind_of(verb) is Kind.ACTION:
        if view is None:
            raise messages.NotYet(str(NOT_YOUR_TURN))
        return messages.Act(read_action(" ".join([str(verb), *tokens[1:]]), view, side), mode)
    known = messages.find_view(VOCABULARY, verb, tokens)
    if known is None:
        raise NotUnderstood(
            messages.name_elsewhere(VOCABULARY, tokens[0]) or messages.name_unknown(VOCABULARY, tokens[0])
        )
    return known


def read_action(text: str, view: View, side: Seat) -> Decision:
    """Return the decision that words mean: cards may be named, and a payment may be left out.

    Raises:
        NotUnderstood: with one sentence.
    """
    hand = view.known_hand(side)
    words = [VOCABULARY.find_argument(word) for word in text.split()]
    verb, rest = words[0], _numbered(words[1:], words[0], view.cards, list(hand))
    if verb == "play" and len(rest) >= 2 and not set(rest) & set(_MARKS):
        rest += _payment(view, side, rest[0])
    try:
        decision = notation.parse_decision(" ".join([verb, *rest]), view.state, hand)
        engine.check(view.state, side, decision, view.names)
    except FightError as error:
        raise NotUnderstood(refusal(error, view, side)) from None
    return decision


def refusal(error: FightError, view: View, side: Seat) -> str:
    """Return why something cannot be done, and what to do next."""
    asked = asks_within(view, side)
    code = error.code if error.code in screens.REFUSED else "no-decision"
    template = ASKED_ELSE if asked and error.code == "not-asked" else screens.REFUSED[code]
    return fill(template, answers=now(view, side) if asked else "").rstrip()


def options(view: View, side: Seat) -> list[str]:
    """Return what may be typed now, with one payment for each card and space."""
    question = view.state.question
    if question is None or question.seat != side:
        return []
    hand = {entry: card for card, entry in view.known_hand(side).items()}
    legal = engine.legal(view.state, view.names)
    return [VOCABULARY.say(notation.format_decision(one, view.state, hand)) for one in legal]


def asks_within(view: View, side: Seat) -> bool:
    """Return whether a player is asked something in the middle of a turn."""
    question = view.state.question
    return question is not None and question.kind != "main" and question.seat == side


def now(view: View, side: Seat) -> str:
    """Return the answers to a question within a turn, each with the units or the card that it means."""
    told = []
    for one in options(view, side):
        meant = meaning(one.split(), view, side)
        told.append(f"{one} ({meant})" if meant else one)
    return fill(screens.NOW, answers=", ".join(told))


def meaning(words: Sequence[str], view: View, side: Seat) -> str:
    """Return which units or which card the words of an answer mean, as far as they do."""
    return narrate.listed_cards(view.cards, tuple(_meant(words, view, side)))


def _names_target(words: Sequence[str], name: str, view: View, side: Seat) -> bool:
    """Return whether an answer chooses a unit whose name begins so."""
    return any(_is_called(view.card(card), name) for card in _meant(words, view, side))


def _meant(words: Sequence[str], view: View, side: Seat) -> list[int]:
    verb = VOCABULARY.find_verb(words[0])
    rest = [VOCABULARY.find_argument(fold(word)) for word in words[1:]]
    if verb == "free" and rest[:1] and rest[0].isdigit():
        return [int(rest[0])]
    if verb in ("target", "move") and rest[:1] in (["own"], ["enemy"]):
        seat, spaces = side if rest[0] == "own" else other(side), rest[1:2]
    else:
        seat, spaces = side, rest if verb == "swap" else []
    units = [view.state.unit(seat, int(space)) for space in spaces if space.isdigit()]
    return [unit.card for unit in units if unit is not None]


def find_card(word: str, cards: CardSet, among: Iterable[int]) -> int:
    """Return the card that a number or the beginning of a name means.

    Raises:
        NotUnderstood: none, or several.
    """
    if word.isascii() and word.isdigit() and len(word) < 4 and int(word) < len(cards.cards):
        return int(word)
    wanted = fold(word)
    found = [card for card in among if _is_called(cards.cards[card], wanted)]
    # A whole name means its card, even where another name begins with it.
    found = [card for card in found if wanted in _names(cards.cards[card])] or found
    if not found:
        raise NotUnderstood(fill(screens.NO_CARD, word=clean(word, 30), last=len(cards.cards) - 1))
    if len({cards.cards[card].name for card in found}) > 1:
        raise NotUnderstood(which_word(word, (f"{narrate.card_name(cards, card)} ({card})" for card in found)))
    return found[0]


def _is_called(card: Card, wanted: str) -> bool:
    return any(name.startswith(wanted) for name in _names(card))


def _names(card: Card) -> tuple[str, str]:
    return fold(card.name), fold(narrate.name_of(card))


def _numbered(words: list[str], before: str, cards: CardSet, hand: list[int]) -> list[str]:
    """Return words with the numbers of cards in place of their names."""
    found: list[str] = []
    wants = before in _CARDS_BEHIND
    left, coming = list(hand), list(words)
    while coming:
        word = coming.pop(0)
        # A name may have two words.
        if wants and coming and any(_is_called(card, f"{word} {coming[0]}") for card in cards.cards):
            word += f" {coming.pop(0)}"
        if word in _MARKS or word == "none":
            wants = word == "pay"
            found.append(word)
        elif wants and not (word.isascii() and word.isdigit()):
            if not any(_is_called(cards.cards[card], word) for card in left):
                lacking = narrate.card_name(cards, find_card(word, cards, range(len(cards.cards))))
                raise NotUnderstood(fill(screens.NOT_IN_HAND, card=lacking))
            card = find_card(word, cards, left)
            # Of two equal cards the second one pays for the first.
            left.remove(card)
            found.append(str(card))
        else:
            if wants and word.isascii() and word.isdigit() and int(word[:4]) in left:
                left.remove(int(word[:4]))
            found.append(word)
        wants = wants and (before == "free" or "pay" in found)
    return found


def _payment(view: View, side: Seat, word: str) -> list[str]:
    """Return the words of the payment of a card for which nobody has named one; nothing where it cannot be paid."""
    if not (word.isascii() and word.isdigit()) or int(word[:4]) not in view.known_hand(side):
        return []
    card = int(word[:4])
    payment = default_payment(view.state, side, card, list(view.known_hand(side)))
    if payment is None:
        name, cost = narrate.card_name(view.cards, card), narrate.cost(view.card(card))
        raise NotUnderstood(fill(screens.NOT_PAYABLE, card=name, cost=cost))
    told: list[str] = []
    for mark, several in zip(_MARKS, (payment.payers, payment.markers, payment.saved), strict=True):
        if several:
            told += [mark, *(str(one) if mark == "pay" else _COLOURS[one] for one in several)]
    return told


_COLOURS: Final = ("red", "blue", "green", "yellow")
