"""Storm over Olympus as a guest of the protocol: it implements :class:`protocol.game.Game`.

What it asks for is told in SPEC.md, "The game as a guest".  The state is that of ``matchstate``.  A
token's serial is the number of its hidden slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from protocol import game as contract
from protocol.game import BATCH_LIMITS, Answer, Decision, Foul, Json, Known, Request, Seat, Slot
from storm_p2p.storm import codec, engine, positions, views
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action, Aid, Fight, Liturgy, Move, Opening, Pass, Place, Retreat, Reveal, Stay
from storm_p2p.storm.bitboard import WINNERS
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.codec import Regroup, StormState
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.rules import dealing, movement, setup
from storm_p2p.storm.state import OPENING, OVER, SETUP, Outcome, Phase, State, Terms, end_state
from storm_p2p.storm.units import CARDS, ROSTER, UNITS, Unit
from storm_p2p.storm.version import rules_version

BOTH: Final[tuple[Seat, ...]] = (0, 1)


_Step: TypeAlias = "tuple[StormState, tuple[ev.Event, ...]]"
"""A state and what has happened on the way to it."""


def decode_terms(terms: Decision) -> Terms:
    """Return the terms of a game from their numbers.

    Raises:
        ValueError: they are none, or leave a side without Honor.
    """
    if not isinstance(terms, tuple) or len(terms) != 3 or any(type(item) is not int for item in terms):
        raise ValueError("expected three numbers as terms of the game")
    opened, dealt, challenge = (item if isinstance(item, int) else 0 for item in terms)
    if opened not in (0, 1) or dealt not in (0, 1) or not -16 < challenge <= setup.MOST_CHALLENGE:
        raise ValueError(f"expected terms 0 or 1, 0 or 1, and a challenge from -15 to 100, got {terms}")
    found = Terms(bool(opened), bool(dealt), challenge)
    setup.new_game(found)
    return found


def encode_terms(terms: Terms) -> Decision:
    """Return the terms of a game as numbers."""
    return (int(terms.open_combat), int(terms.random_setup), terms.challenge)


class Storm:
    """The rules module that a session carries."""

    name: Final = "storm-over-olympus"
    version: Final = rules_version()
    seats: Final = 2
    sides: Final = ("chthonians", "olympians")
    largest_batch: Final = len(ROSTER[0])
    """A faction, hidden at the setup."""
    schemes: Final = tuple(BATCH_LIMITS)
    idle: Final = frozenset({"deck", "deal"})
    """What programs answer (:func:`~storm_p2p.storm.rules.dealing.answer_automatically`): it takes nobody's time."""

    def __init__(self) -> None:
        """Begin with nothing judged."""
        # Judging a decision means to carry it out.  The step that follows at once takes what was found then.
        self._judged: tuple[StormState, Decision, _Step] | None = None

    def supply(self, data: bytes) -> Storm:
        """Refuse data: there are none.

        Raises:
            ValueError: always.
        """
        raise ValueError("expected no data with this game")

    def begin(self, terms: Decision) -> StormState:
        """Return a game that waits for both setups.

        Raises:
            ValueError: the terms are none of this game.
        """
        return StormState(setup.new_game(decode_terms(terms)))

    def next_request(self, state: StormState) -> Request | None:
        """Return what the game needs next."""
        memo = state.memo
        if not memo.asked:
            memo.request, memo.asked = _next_request(state), True
        return memo.request

    def moves(self, state: StormState, seat: Seat, known: Known) -> Iterable[Decision]:
        """Yield what a seat may decide now, in the form of the wire."""
        request = self.next_request(state)
        if isinstance(request, contract.Choose) and request.kind == "deal":
            yield tuple(range(12))
        else:
            view = owner_view(state, known)
            seen: set[Decision] = set()
            for action in engine.legal_actions(view, seat):
                decision = codec.encode(views.publish(view, action))
                if decision not in seen:
                    seen.add(decision)
                    yield decision

    def check(self, state: StormState, seat: Seat, decision: Decision, known: Known) -> str | None:
        """Return why a seat may not answer so, as far as ``known`` shows, or None."""
        if (seat, decision) in state.memo.passed:
            return None
        request = self.next_request(state)
        if isinstance(request, contract.Hide):
            return dealing.check_hidden(request, known)
        if state.regroup is not None:
            return _check_regroup(state.regroup, known)
        if isinstance(request, contract.Locate):
            assert state.deal is not None
            return dealing.check_landed(state.deal, decision, known)
        if state.deal is not None and isinstance(request, contract.Choose):
            return dealing.check_order(decision)
        try:
            action = codec.decode(decision)
            if isinstance(action, Fight) and action.faction != seat:
                return "expected the own faction in a choice, got the other"
            # Only a claim can be wrong for what is hidden; all else is judged on what everybody knows.
            claims = _claims(action)
            view = owner_view(state, known) if claims else state.game
            if view is not state.game:
                engine.check(view, action)
                if isinstance(action, Move) and action.movers and movement.judge(view, action).divides:
                    return _GIVEN_AWAY
                return None
            reason = self._judge(state, request, decision, action)
            if not claims and reason is None:
                state.memo.passed = (*state.memo.passed[-1:], (seat, decision))
            return reason
        except RulesError as error:
            return str(error)

    def _judge(self, state: StormState, request: Request | None, decision: Decision, action: Action) -> str | None:
        """Judge a decision on what everybody knows and remember what comes of it.

        Raises:
            RulesError: the rules refuse it.
        """
        if not isinstance(request, contract.Choose):
            # Of simultaneous decisions each is judged before any is carried out.
            engine.check(state.game, action)
        elif self._find_judged(state, decision) is None:
            found = _apply(state.game, action)
            if isinstance(action, Move) and action.movers and found[0].regroup is not None:
                return _GIVEN_AWAY
            self._judged = state, decision, found
        return None

    def _find_judged(self, state: StormState, decision: Decision) -> _Step | None:
        judged = self._judged
        return judged[2] if judged is not None and judged[0] is state and judged[1] == decision else None

    def step(self, state: StormState, answer: Answer) -> StormState:
        """Return the state after an answer.

        Raises:
            Foul: an opening shows that an earlier decision was against the rules.
        """
        return self.step_with_events(state, answer)[0]

    def step_with_events(self, state: StormState, answer: Answer) -> _Step:
        """Return the state after an answer and what has happened on the board.

        Raises:
            Foul: an opening shows that an earlier decision was against the rules.
        """
        if isinstance(answer, contract.Chosen) and (found := self._find_judged(state, answer.decision)) is not None:
            return found
        request = self.next_request(state)
        match answer:
            case contract.Chosen() if isinstance(request, contract.Choose) and request.kind == "deal":
                assert state.deal is not None
                return StormState(state.game, None, dealing.order_deal(state.deal, answer.decision)), ()
            case contract.Located():
                assert state.deal is not None
                if answer.part:
                    return _apply(state.game, Place(state.deal.faction, dealing.deal_order(state.deal)))
                return StormState(state.game, None, dealing.deal_again(state.game, state.deal)), ()
            case contract.Chosen():
                return _apply(state.game, codec.decode(answer.decision))
            case contract.Unsealed():
                return _apply(state.game, *map(codec.decode, answer.decisions))
            case contract.Hidden():
                assert isinstance(request, contract.Hide)
                if request.kind == "deck":
                    return StormState(state.game, None, dealing.begin_deal(request)), ()
                return _apply(state.game, Place(Faction(request.seat), request.slots))
            case contract.Mixed():
                return StormState(state.game), ()
            case contract.Opened():
                assert isinstance(request, contract.Open)
                return _open(state.game, request.seat, answer.values)
            case _:
                raise TypeError(f"expected an answer that this game asks for, got {type(answer).__name__}")

    def forfeit(self, state: StormState, seat: Seat) -> StormState:
        """Return the state in which a seat has given up or been caught."""
        return StormState(end_state(state.game, Outcome(WINNERS[OTHER[seat]], "forfeit")))

    def result(self, state: StormState) -> Mapping[str, str] | None:
        """Return winner and reason, or None while the game goes on."""
        outcome = state.game.outcome
        return None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason}

    def view(self, state: StormState, seat: Seat | None, known: Known) -> Json:
        """Return the position as plain data, with the units that ``known`` gives."""
        shown: Json = positions.show(owner_view(state, {} if seat is None else known))
        return shown

    def setup(self, state: StormState, known: Known) -> tuple[tuple[Seat, int, int], ...] | None:
        """Return the units with their regions, or None during the setup."""
        if state.game.phase == SETUP:
            return None
        return tuple(
            (faction, known[token.serial], region)
            for faction, side in enumerate(state.game.sides)
            for region, group in enumerate(side)
            for token in group
            # Who was not selected has no region, and a cheat may have hidden what is no unit.
            if region and known.get(token.serial, len(Unit)) < len(Unit)
        )

    def turn(self, state: StormState) -> int:
        """Return the number of the turn; 0 in the setup."""
        return 0 if state.game.phase == SETUP else state.game.number

    def dump(self, state: StormState) -> bytes:
        """Return the canonical bytes of the public state."""
        return codec.dump(state)

    def load(self, data: bytes) -> StormState:
        """Return the state of its canonical bytes.

        Raises:
            ValueError: they are none.
        """
        return codec.load(data)


def owner_view(state: StormState, known: Known) -> State:
    """Return the engine's state with the hidden units that ``known`` gives."""
    return views.with_secrets(state.game, known)


# -- what is wanted ---------------------------------------------------------------------------------------

_CHOICES: Final = {(phase, seat): contract.Choose(seat, phase.name.lower()) for phase in Phase for seat in BOTH}


def _next_request(state: StormState) -> Request | None:
    game = state.game
    if game.phase == OVER:
        return None
    if state.regroup is not None:
        group = state.regroup
        # who would have been recognised has stayed.
        barred = tuple(int(unit) for unit in ROSTER[group.faction] if group.barred >> unit & 1)
        return contract.Mix(group.taken, (group.moved, group.stayed), (int(group.faction),), (barred, ()))
    if game.phase == SETUP:
        return dealing.deal_request(state)
    request = engine.next_request(game)
    assert request is not None
    if request.phase == OPENING:
        return contract.Open(int(request.seats[0]), request.tokens)
    if len(request.seats) > 1:
        # CBT-3: the defender seals first, so the attacker may answer openly (SPEC.md, "What Storm asks for").
        return contract.Sealed(tuple(int(seat) for seat in request.seats), "fight")
    return _CHOICES[request.phase, request.seats[0]]


def wire_form(state: StormState, action: Action, known: Known) -> tuple[Decision, tuple[tuple[Slot, ...], ...] | None]:
    """Return how an owner's action is said to the other, and the old slots of both parts if it divides a group."""
    view = owner_view(state, known)
    public = views.publish(view, action)
    parts = None
    if isinstance(action, Move) and isinstance(public, Move) and not public.movers:
        group = view.sides[view.turn][action.path[0]]
        moved = tuple(group[place].serial for place in action.movers)
        parts = (moved, tuple(token.serial for token in group if token.serial not in moved))
    return codec.encode(public), parts


def _claims(action: Action) -> bool:
    """Return whether an action claims what an opening has to prove (docs/rules.md, "Hidden powers are claimed")."""
    if isinstance(action, Move):
        return action.claim is not None or len(action.path) > 2
    if isinstance(action, Aid):
        return action.helper is not None
    return type(action) not in _WITHOUT_CLAIMS


_WITHOUT_CLAIMS: Final = frozenset({Fight, Retreat, Stay, Liturgy, Pass, Reveal})


_GIVEN_AWAY: Final = "expected the number of the movers, got their tokens"
"""A part of a group that goes unseen is a number on the wire, and nothing else is."""


# -- the engine's answers ---------------------------------------------------------------------------------


def _apply(game: State, *actions: Action) -> _Step:
    after, happened = engine.apply(game, *actions)
    return StormState(after, _find_regroup(game, after, happened)), happened


def _open(game: State, seat: Seat, values: tuple[int, ...]) -> _Step:
    try:
        if any(not 0 <= value < len(UNITS) for value in values):
            raise Foul(seat, "wrong-opening", f"expected units, got {values}")
        after, happened = engine.apply(game, Opening(tuple([UNITS[value] for value in values])))
    except RulesError as error:
        raise Foul(seat, error.code, str(error)) from None
    return StormState(after, _find_regroup(game, after, happened)), happened


def _find_regroup(before: State, after: State, happened: tuple[ev.Event, ...]) -> Regroup | None:
    # Whoever divides a group gives out fresh slots.
    for event in happened if after.fresh != before.fresh else ():
        if isinstance(event, ev.Rehidden):
            origin, target = next(move.path for move in happened if isinstance(move, ev.Moved))
            side = after.sides[event.faction]
            # Those who moved can be all that those who stayed can be, but for whom everybody would have recognised.
            barred = side[origin][-1].can & ~side[target][-1].can
            return Regroup(*event, barred)
    return None


def _check_regroup(group: Regroup, known: Known) -> str | None:
    """A-09, A-35a: who would have been recognised cannot have gone unseen."""
    for slot in group.moved:
        if slot in known and group.barred >> known[slot] & 1:
            return f"expected {CARDS[known[slot]].name} to be seen moving, got a move that hides him"
    return None
