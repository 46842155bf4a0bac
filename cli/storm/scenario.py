"""Run positions and actions through the engine (the command ``scenario``; docs/rules.md, "Scenarios").

It imports nothing but the rules, so that it starts fast.
"""

from collections.abc import Mapping

from cli.storm.text import narrate
from storm_p2p.storm import engine, notation
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Aid
from storm_p2p.storm.errors import IllegalAction, NotationError, RulesError
from storm_p2p.storm.notation import legal
from storm_p2p.storm.positions import show, show_round
from storm_p2p.storm.state import Phase, State


def run(case: Mapping[str, object]) -> dict[str, object]:
    """Return the answer to one scenario."""
    index = -1
    happened: list[ev.Event] = []
    try:
        state = notation.load_position(case)
        actions, wanted = _actions(case.get("actions", [])), case.get("legal", False)
        if not isinstance(wanted, bool):
            raise NotationError("wrong-type", "expected true or false for 'legal'")
        for text in actions:
            index += 1
            state = _act(state, text, happened)
    except RulesError as error:
        return {"id": case.get("id"), "ok": False, "index": index, "code": error.code, "error": str(error)}
    # only when she really stands next door is there a question left.
    if state.phase == Phase.AID and len(engine.legal_actions(state, engine.next_request(state).seats[0])) == 1:  # type: ignore[union-attr]
        state, more = engine.play(state, Aid(None))
        happened += more
    answer: dict[str, object] = {
        "id": case.get("id"),
        "ok": True,
        "state": show(state),
        "rounds": [show_round(event) for event in happened if isinstance(event, ev.RoundFought)],
        "events": [narrate.line(event) for event in happened],
    }
    if wanted:
        answer["legal"] = legal(state)
    return answer


def _actions(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise NotationError("wrong-type", "expected a list of texts for 'actions'")
    return value


def _act(state: State, text: str, happened: list[ev.Event]) -> State:
    words = text.lower().split()
    if state.phase == Phase.AID and words[:1] != ["aid"]:
        state, more = engine.play(state, Aid(None))
        happened += more
    # Superfluous: nobody asks for it.
    if state.phase != Phase.AID and words == ["aid", "none"]:
        return state
    if state.phase == Phase.OVER:
        raise IllegalAction("game-over", f"expected no action after the end of the game, got {text[:60]!r}")
    state, more = engine.play(state, notation.parse_action(text, state))
    happened += more
    return state
