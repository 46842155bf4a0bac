"""Run positions and actions through the rules, for the command ``scenario``.

The form is that of docs/fight-rules.md, "Positions, notation and scenarios".
"""

import json
from collections.abc import Mapping

from cli.fight.text import narrate
from storm_p2p.fight import notation, positions
from storm_p2p.fight.card_file import FIRST, SETS, load_cards, load_reconstructed
from storm_p2p.fight.errors import FightError, IllegalDecision, PositionError
from storm_p2p.fight.positions import Table
from storm_p2p.fight.rules.playing import named

_KEYS = {"id", "cards", "position", "deck", "first", "tosses", "actions", "legal"}


def run(case: Mapping[str, object]) -> dict[str, object]:
    """Return the answer to one scenario."""
    index = -1
    try:
        table = _begin(case)
        for text in _words(case):
            index += 1
            _act(table, text)
    except FightError as error:
        return {"id": case.get("id"), "ok": False, "index": index, "code": error.code, "error": str(error)}
    question, result = table.state.question, table.state.result
    answer: dict[str, object] = {
        "id": case.get("id"),
        "ok": True,
        "position": positions.show(table),
        "phase": "over" if question is None else question.kind,
        "to_act": [] if question is None else [question.seat],
        "result": None if result is None else _result(*result),
        "events": [narrate.line(event, table.state.cards) for event in table.events],
    }
    if case.get("legal", False):
        hand = {entry: card for seat in (0, 1) for card, entry in named(table.state, seat, table.names).items()}
        answer["legal"] = [notation.format_decision(one, table.state, hand) for one in table.legal()]
    return answer


def _result(winner: int | None, reason: str) -> dict[str, object]:
    return {"winner": "draw" if winner is None else winner, "reason": reason}


def _begin(case: Mapping[str, object]) -> Table:
    unknown = sorted(str(key) for key in case.keys() - _KEYS)
    if unknown:
        raise PositionError("unknown-key", "expected the keys of a scenario, got {key}", key=ascii(unknown[0])[:40])
    if not isinstance(case.get("legal", False), bool):
        raise PositionError("wrong-type", "expected true or false for 'legal'")
    tosses = case.get("tosses", [])
    if not isinstance(tosses, list) or any(type(one) is not int or one < 0 for one in tosses):
        raise PositionError("wrong-type", "expected a list of numbers from 0 on for 'tosses'")
    _words(case)
    if ("deck" in case) == ("position" in case):
        raise PositionError("wrong-type", "expected either a position or a deck")
    # What a scenario means stays what it was when it was written.
    given = case.get("cards", FIRST)
    try:
        ours = isinstance(given, str) and given in SETS
        cards = load_reconstructed(str(given)) if ours else load_cards(json.dumps(given).encode(), "cards")
    except RecursionError:
        raise PositionError("wrong-type", "expected a set of cards of ordinary depth") from None
    if "deck" in case:
        return positions.deal(cards, case["deck"], case.get("first", 0), tosses)
    if "first" in case:
        raise PositionError("unknown-key", "expected 'first' beside a deck only")
    return positions.load_position(cards, case["position"], tosses)


def _words(case: Mapping[str, object]) -> list[str]:
    actions = case.get("actions", [])
    if not isinstance(actions, list) or not all(isinstance(text, str) for text in actions):
        raise PositionError("wrong-type", "expected a list of texts for 'actions'")
    return actions


def _act(table: Table, text: str) -> None:
    question = table.state.question
    if question is None:
        sentence = "expected no action after the end of the game, got {got}"
        raise IllegalDecision("game-over", sentence, got=ascii(text)[:60])
    table.decide(notation.parse_decision(text, table.state, named(table.state, question.seat, table.names)))
