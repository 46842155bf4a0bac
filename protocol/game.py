"""The contract between a game and the session that carries it (SPEC.md, "The contract").

A game asks for one thing at a time (a :data:`Request`) and gets the answer back exactly as the log has it
(an :data:`Answer`).  It runs on public state only, so that both programs, and anybody who reads the log
later, hold the same bytes.  What a seat knows beyond that is handed in as :data:`Known`.

There is no cryptography here and no rule of any game; this is the only module of ``protocol`` that a game
may import.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, TypeVar

Seat: TypeAlias = int
"""A place at the table, counted from 0."""

SEATS: Final = 2
"""How many seats a match has: the messages of this version know no more."""


def other(seat: Seat) -> Seat:
    """Return the other one of the two seats."""
    return 1 - seat


Slot: TypeAlias = int
"""The number of one hidden value; never used twice in a match."""

Value: TypeAlias = int
"""What a slot hides: a number from 0 to :data:`LARGEST_VALUE` that only the game can read."""

LARGEST_VALUE: Final = 65_535
"""The largest value that a message has room for."""

PART_LIMIT: Final = 16
"""The most parts of one :class:`Mix` or :class:`Locate`."""

BATCH_LIMITS: Final[Mapping[str, int]] = {"hash": 64, "proved": 16}
"""The most slots of one :class:`Hide`, :class:`Mix` or :class:`Open`, by the scheme of the match.

In ``proved`` a proof grows with the square of the batch, and one about 17 values has no room in a message.
"""

PILE_SCHEME: Final = "proved"
"""The scheme in which a pile can be made."""

PILE_LIMIT: Final = 96
"""The most cards of one pile: a stir of more has no room in a message."""

Decision: TypeAlias = "int | tuple[Decision, ...] | None"
"""A decision in the game's own words: numbers, nothing, and tuples of them."""

Known: TypeAlias = Mapping[Slot, Value]
"""The values of hidden slots that somebody knows: nobody's for a stranger, all of them for the audit."""

Json: TypeAlias = "int | str | bool | list[Json] | dict[str, Json] | None"
"""What :meth:`Game.view` shows: plain data for people and for computer players."""


class Foul(Exception):
    """An opening has shown that an earlier decision of a seat was against the rules.

    Attributes:
        seat: who broke the rule.
        code: a stable word for the rule, listed in the game's rules.
        sentence: what was wrong, in one sentence that reproduces it.
    """

    def __init__(self, seat: Seat, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.seat = seat
        self.code = code
        self.sentence = sentence


class MissingRules(LookupError):
    """A game, or the version of its rules that somebody names, is not here.

    Attributes:
        name: of the game.
        version: of its rules.
        here: the versions of this game that are here, the newest first; none when the game itself is unknown.
    """

    def __init__(self, name: str, version: str, here: tuple[str, ...]) -> None:
        # A log's word for its rules is no word of ours.
        super().__init__(f"expected rules that are here ({', '.join(here) or 'none of this game'}), got others")
        self.name = name
        self.version = version
        self.here = here


@dataclass(frozen=True, slots=True)
class Choose:
    """An open decision of one seat; the answer is :class:`Chosen`."""

    seat: Seat
    kind: str


@dataclass(frozen=True, slots=True)
class Sealed:
    """A decision of several seats; none sees another's before its own is fixed; the answer is :class:`Unsealed`.

    The first seat named seals its decision, the others may then answer openly because the first is bound,
    and the first opens last.
    """

    seats: tuple[Seat, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Hide:
    """A seat puts one value in each slot without telling; the answer is :class:`Hidden`.

    The slots hold a permutation of ``values``: that is public, the order is not.  ``within`` says which values must
    lie in which of the slots.
    """

    seat: Seat
    slots: tuple[Slot, ...]
    kind: str
    values: tuple[Value, ...]
    within: tuple[tuple[Value, tuple[Slot, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Mix:
    """Put the values of old slots under fresh ones; the answer is :class:`Mixed`.

    ``give`` is split into parts.  Everybody sees how large a part is; which of the old values went into
    which part, and in which order, only the owner knows.  Within a part the new slots are sorted by their
    commitments so that the order tells nothing.  ``barred`` says for each part which values must not go there, of
    those that everybody knows to be in the old slots; when it is empty, none is barred.

    Cards of a pile are mixed, too: by several seats, and nobody knows the order if one of them is honest, or by the
    seat that holds them alone.  ``faces`` are values that everybody knows and that go in beside the old ones.  There is
    one part then, and nothing is barred.
    """

    take: tuple[Slot, ...]
    give: tuple[tuple[Slot, ...], ...]
    by: tuple[Seat, ...]
    barred: tuple[tuple[Value, ...], ...] = ()
    faces: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Deal:
    """Give cards of a pile to some seats: all others take their locks off.  The answer is :class:`Dealt`."""

    slots: tuple[Slot, ...]
    to: tuple[Seat, ...]
    """Who sees them then, in ascending order; nobody in it means everybody."""


@dataclass(frozen=True, slots=True)
class Locate:
    """The owner says in which of several parts of its slots a value lies; the answer is :class:`Located`.

    There is nothing to decide: it is what it is, and no more than the part is told.
    """

    seat: Seat
    value: Value
    parts: tuple[tuple[Slot, ...], ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Open:
    """An obligation of the owner, ``seat``, to reveal slots to everybody; the answer is :class:`Opened`.

    The owner of a card that was dealt is the seat that it was dealt to.
    """

    seat: Seat
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Toss:
    """A fair number from 0 to ``sides`` - 1, told to the seats ``to``; the answer is :class:`Tossed`."""

    sides: int
    kind: str
    to: tuple[Seat, ...]


Request: TypeAlias = Choose | Sealed | Hide | Mix | Deal | Locate | Open | Toss


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the seat of a :class:`Choose` decided."""

    seat: Seat
    decision: Decision


@dataclass(frozen=True, slots=True)
class Unsealed:
    """The decisions of a :class:`Sealed`, in the order of its seats, after all are open."""

    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Hidden:
    """The values of a :class:`Hide` are fixed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Mixed:
    """The values of a :class:`Mix` lie under their fresh slots."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards of a :class:`Deal` are with the seats that they went to."""

    values: tuple[Value, ...] = ()
    """In the order of the slots when they were dealt to everybody; otherwise nothing."""


@dataclass(frozen=True, slots=True)
class Located:
    """The number, from 0, of the part of a :class:`Locate` in which the value lies."""

    seat: Seat
    part: int


@dataclass(frozen=True, slots=True)
class Opened:
    """The values of an :class:`Open`, in the order of its slots."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Tossed:
    """The number of a :class:`Toss`; None when it was not told to everybody."""

    number: int | None


Answer: TypeAlias = Chosen | Unsealed | Hidden | Mixed | Dealt | Located | Opened | Tossed

S = TypeVar("S")


class Game(Protocol[S]):
    """A rules module.  Pure: no clock, no randomness, no input or output, no globals.

    Law: :meth:`next_request`, :meth:`step` and :meth:`dump` read nothing but the public state.
    """

    @property
    def name(self) -> str:
        """The game's name, part of the signed handshake."""

    @property
    def version(self) -> str:
        """The number of the rules and a hash of the data that they read, part of the signed handshake."""

    @property
    def seats(self) -> int:
        """How many take part: :data:`SEATS`."""

    @property
    def largest_batch(self) -> int:
        """The most slots of one :class:`Hide`, :class:`Mix` or :class:`Open` that it ever asks for."""

    @property
    def schemes(self) -> Collection[str]:
        """The schemes in which it can be played; a game with a pile needs ``proved``."""
        return tuple(BATCH_LIMITS)

    @property
    def idle(self) -> Collection[str]:
        """The kinds of its requests that programs answer by themselves: they earn no time."""
        return ()

    @property
    def sides(self) -> tuple[str, ...]:
        """What each seat is called where a result names its winner."""

    def supply(self, data: bytes) -> Game[S]:
        """Return the game with data that a match of it is played with, such as an own set of cards.

        The terms have to bind them, for nothing else does: :meth:`begin` of the game that is returned refuses the
        terms of any other data.

        Raises:
            ValueError: the game takes no data, or not these.
        """
        raise ValueError("expected no data with this game")

    def begin(self, terms: Decision) -> S:
        """Return the first state.

        Raises:
            ValueError: the terms are not terms of this game.
        """

    def next_request(self, state: S) -> Request | None:
        """Return the one thing that is needed next, or None when the game is over."""

    def moves(self, state: S, seat: Seat, known: Known) -> Iterable[Decision]:
        """Yield what ``seat`` may decide at the present :class:`Choose` or :class:`Sealed`."""

    def check(self, state: S, seat: Seat, decision: Decision, known: Known) -> str | None:
        """Return why ``seat`` may not answer the present request so, or None when nothing speaks against it.

        It is asked three times: by the own program before sending, by the peer on arrival and by the
        audit.  ``known`` is what the asker knows, so that the same words may pass at first and fail in
        the audit.  For a :class:`Choose` or :class:`Sealed`, ``decision`` is what the seat says.  For a
        :class:`Hide` or :class:`Mix`, ``decision`` is None, and whoever knows them finds the values of the
        fresh slots in ``known`` beside those of the old ones.  For a :class:`Locate`, ``decision`` is the part.
        """

    def step(self, state: S, answer: Answer) -> S:
        """Return the state after the answer to the present request.

        Raises:
            Foul: an opening shows that an earlier decision was against the rules.
        """

    def forfeit(self, state: S, seat: Seat) -> S:
        """Return the state in which ``seat`` has given up or been caught."""

    def result(self, state: S) -> Mapping[str, str] | None:
        """Return ``{"winner": ..., "reason": ...}``, or None while the game goes on."""

    def view(self, state: S, seat: Seat | None, known: Known) -> Json:
        """Return what ``seat`` may see, or the public view when it is None."""

    def setup(self, state: S, known: Known) -> tuple[tuple[Seat, int, int], ...] | None:
        """Return what each seat has placed where, or None while some of it is to be placed.

        For statistics over many matches.  What and where are numbers of the game, from 0 to 255; what ``known`` does
        not tell is left out.
        """
        return ()

    def turn(self, state: S) -> int:
        """Return the number of the turn, which tells people how long a match is; 0 before the first, in the setup."""
        return 0

    def dump(self, state: S) -> bytes:
        """Return the canonical bytes of the public state; they are hashed into every message."""

    def load(self, data: bytes) -> S:
        """Return the state of :meth:`dump`'s bytes.

        Raises:
            ValueError: the bytes are not a dumped state.
        """


Games: TypeAlias = Callable[[str, str], Game[Any]]
"""Returns the game of a name with a version of its rules, or raises :class:`MissingRules`."""


def check_bounds(game: Game[Any], scheme: str) -> None:
    """Refuse a game that no match in a scheme can carry.

    Raises:
        ValueError: with the bound that it breaks.
    """
    if game.seats != SEATS:
        raise ValueError(f"expected a game of {SEATS} seats, got {game.name} of {game.seats}")
    if scheme not in game.schemes:
        raise ValueError(f"expected the scheme {' or '.join(game.schemes)} for {game.name}, got {scheme}")
    most = BATCH_LIMITS.get(scheme)
    if most is not None and game.largest_batch > most:
        asked = f"{game.largest_batch} of {game.name}"
        raise ValueError(f"expected at most {most} hidden values at once in the scheme {scheme}, got {asked}")


def check_request(request: Request | None, scheme: str) -> None:
    """Refuse a request that no match in a scheme can carry.

    Raises:
        ValueError: it is a :class:`Mix` of a pile that has several parts, too few or too many cards, or a
            :class:`Deal` of none; or the scheme has no piles.
    """
    pile = isinstance(request, Mix) and (len(request.by) != 1 or bool(request.faces))
    if (pile or isinstance(request, Deal)) and scheme != PILE_SCHEME:
        raise ValueError(f"expected no pile in the scheme {scheme}, got {type(request).__name__}")
    if isinstance(request, Deal) and not request.slots:
        raise ValueError("expected a Deal of cards, got one of none")
    if isinstance(request, Mix) and pile:
        count = len(request.take) + len(request.faces)
        if len(request.give) != 1 or len(request.give[0]) != count or request.barred:
            raise ValueError("expected a Mix of a pile with one part for all cards, got another one")
        if not 2 <= count <= PILE_LIMIT:
            raise ValueError(f"expected a pile of 2 to {PILE_LIMIT} cards, got one of {count}")
