"""Decisions as words: the same in scenarios, in replays and at the prompt.

The words are those of docs/fight-rules.md, "Positions, notation and scenarios".
"""

from collections.abc import Mapping, Sequence
from typing import Final

from protocol.game import Decision
from storm_p2p.fight.board import Colour
from storm_p2p.fight.errors import IllegalDecision, PositionError
from storm_p2p.fight.rules.abilities import OWN
from storm_p2p.fight.rules.playing import END, PHASES, PLAY
from storm_p2p.fight.state import Entry, State

NO_ENTRY: Final = 1 << 30
"""In a decision: a card that is not in the hand."""
_SIDES: Final = ("own", "enemy")
_NONE: Final = "none"
_DECLINED: Final = ("target", "move", "swap", "free", "marker")
"""What may be answered with none."""


def parse_decision(text: str, state: State, hand: Mapping[int, Entry]) -> Decision:
    """Return the decision that words mean.

    Args:
        text: the words.
        state: the game; it asks for a decision.
        hand: the cards of the hand from which a card may come, each with its entry.

    Raises:
        PositionError: they are no words of this notation.
        IllegalDecision: they answer another question than the one that is asked.
    """
    words = text.lower().split()
    asked = state.question.kind if state.question is not None else ""
    if not words or words[0] not in _READERS:
        raise PositionError("no-action", "expected an action, got {text}", text=ascii(text)[:60])
    declined = words[1:] == [_NONE] and words[0] in _DECLINED
    decision = None if declined else _READERS[words[0]](words[1:], hand)
    answers = "main" if words[0] in ("play", "end") else words[0]
    if answers != asked:
        raise IllegalDecision(
            "not-asked", "expected an answer to {asked}, got {got}", asked=asked or "nothing", got=words[0]
        )
    return decision


def format_decision(decision: Decision, state: State, hand: Mapping[Entry, int]) -> str:
    """Return the words of a decision.

    Args:
        decision: one that may be made now.
        state: the game; it asks for it.
        hand: the card of each entry that is known; of another one a question mark stands.
    """
    assert state.question is not None
    kind = state.question.kind
    match decision:
        case (1, None):
            return "end"
        case (1, int() as phase) if kind == "main":
            return f"end {PHASES[phase]}"
        case (0, int() as entry, int() as space, tuple() as payers, int() as mask, tuple() as saved):
            several = {
                "pay": [_card(payer, hand) for payer in payers],
                "marker": [colour.name.lower() for colour in Colour if mask >> colour & 1],
                "save": [Colour(colour).name.lower() for colour in saved if isinstance(colour, int)],
            }
            told = " ".join(f"{word} {' '.join(found)}" for word, found in several.items() if found)
            return f"play {_card(entry, hand)} {space} {told}".rstrip()
        case None:
            return f"{kind} {_NONE}"
        case (int() as entry, int() as space) if kind == "free":
            return f"free {_card(entry, hand)} {space}"
        case (int() as side, *spaces) if kind in ("target", "move"):
            return f"{kind} {_SIDES[side]} {' '.join(map(str, spaces))}"
        case (int() as first, int() as second):
            return f"swap {first} {second}"
        case int() if kind == "marker":
            return f"marker {Colour(decision).name.lower()}"
        case _:
            return f"may {'yes' if decision else 'no'}"


def _card(entry: object, hand: Mapping[Entry, int]) -> str:
    assert isinstance(entry, int)
    return str(-1 - entry if entry < 0 else hand.get(entry, "?"))


def _play(words: Sequence[str], hand: Mapping[int, Entry]) -> Decision:
    _expect(len(words) > 1, "a card and a space")
    card, space = _number(words[0]), _number(words[1])
    several: dict[str, list[str]] = {}
    found: list[str] = []
    for word in words[2:]:
        if word in ("pay", "marker", "save"):
            if word in several:
                raise PositionError("no-action", "expected {word} once", word=word)
            found = several[word] = []
        elif several:
            found.append(word)
        else:
            raise PositionError("no-action", "expected pay, marker or save, got {word}", word=ascii(word)[:40])
    _expect(all(several.values()), "something behind each of pay, marker and save")
    markers = [_colour(word) for word in several.get("marker", ())]
    _expect(len(set(markers)) == len(markers), "each marker once")
    payers = tuple(hand.get(_number(word), NO_ENTRY) for word in several.get("pay", ()))
    saved = tuple(sorted(_colour(word) for word in several.get("save", ())))
    return (PLAY, hand.get(card, NO_ENTRY), space, payers, sum(1 << colour for colour in markers), saved)


def _end(words: Sequence[str], hand: Mapping[int, Entry]) -> Decision:
    _expect(not words or (len(words) == 1 and words[0] in PHASES), "one phase that is left out, or none")
    return (END, PHASES.index(words[0]) if words else None)


def _place(words: Sequence[str], hand: Mapping[int, Entry]) -> Decision:
    _expect(len(words) in (2, 3) and words[0] in _SIDES, "own or enemy and the space, or none")
    return (OWN if words[0] == "own" else 1 - OWN, *map(_number, words[1:]))


def _swap(words: Sequence[str], hand: Mapping[int, Entry]) -> Decision:
    _expect(len(words) == 2, "two spaces, or none")
    return tuple(sorted(map(_number, words)))


def _free(words: Sequence[str], hand: Mapping[int, Entry]) -> Decision:
    _expect(len(words) == 2, "a card and a space, or none")
    return (hand.get(_number(words[0]), NO_ENTRY), _number(words[1]))


def _may(words: Sequence[str], hand: Mapping[int, Entry]) -> Decision:
    _expect(list(words) in (["yes"], ["no"]), "yes or no")
    return int(words[0] == "yes")


def _marker(words: Sequence[str], hand: Mapping[int, Entry]) -> Decision:
    _expect(len(words) == 1, "one colour, or none")
    return _colour(words[0])


def _expect(met: bool, what: str) -> None:
    if not met:
        raise PositionError("no-action", f"expected {what}")


_READERS: Final = {
    "play": _play,
    "end": _end,
    "target": _place,
    "move": _place,
    "swap": _swap,
    "free": _free,
    "may": _may,
    "marker": _marker,
}


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 3):
        raise PositionError("no-action", "expected a number, got {word}", word=ascii(word)[:40])
    return int(word)


def _colour(word: str) -> int:
    for colour in Colour:
        if colour.name.lower() == word:
            return int(colour)
    raise PositionError("no-action", "expected red, blue, green or yellow, got {word}", word=ascii(word)[:40])
