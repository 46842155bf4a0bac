"""The rounds of an event, one after the other: each must be what follows from what it says it was made from."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from protocol.errors import ProtocolError
from protocol.tournament.contents import (
    ABOUT_PLAYERS,
    GAME_LIMIT,
    PLAYER_LIMIT,
    End,
    Entry,
    Event,
    Matter,
    Notice,
    Pairing,
    Round,
    Ruling,
    System,
)
from protocol.tournament.documents import Signed, is_of
from protocol.tournament.engine import EngineError, engine_version
from protocol.tournament.findings import Fact, Finding, Place, finding
from protocol.tournament.lines import Field
from protocol.tournament.outcomes import Meeting, Outcome, is_over
from protocol.tournament.pairings import Pair, is_legal, pair_round
from protocol.tournament.results import Ledger
from protocol.tournament.roster import Player, arbiters_of, enter, forbidden_by, ratings_of


class Progress:
    """The rounds that hold, and who takes part in them."""

    def __init__(
        self,
        event: Event,
        draw: bytes | None,
        players: Sequence[Player],
        entries: Mapping[bytes, Signed[Entry]],
        rulings: Mapping[bytes, Signed[Ruling]],
        linked: Collection[bytes],
        pair: Pair = pair_round,
        notices: Sequence[Signed[Notice]] = (),
    ) -> None:
        """Begin before the first round.

        Args:
            event: the terms.
            draw: None before the start.
            players: by number.
            entries: all that are held, by id.
            rulings: all by arbiters of the event that are held, by id.
            linked: the ids of those that stand in their chains.
            pair: pairs a round.
            notices: those of the organiser that count.
        """
        self._event, self._entries, self._rulings, self._pair = event, entries, rulings, pair
        self._linked = [rulings[one] for one in linked]
        self._colour = draw[-1] & 1 if draw else 0
        self._arbiters = arbiters_of(event, notices)
        self._ratings, self._forbidden = ratings_of(notices), forbidden_by(notices)
        self._people = list(players)
        self._since: dict[int, int] = {}
        self._gone: dict[int, int] = {}
        self._byes: dict[tuple[int, int], int] = {}
        self.rounds: list[Round] = []
        self.published: list[bytes] = []
        self.end: Signed[End] | None = None
        self.listed: set[bytes] = set()
        self.settled: dict[Place, tuple[Outcome, int]] = {}
        """The outcomes that a basis has named, and the round that did so first; 0 for the end."""
        self.refused: set[Finding] = set()
        self.holes: set[Finding] = set()

    @property
    def players(self) -> tuple[Player, ...]:
        """Who takes part, by number."""
        return tuple(replace(one, gone=self._gone.get(one.number)) for one in self._people)

    def field(self, history: Sequence[Sequence[Meeting]]) -> Field:
        """Return who takes part, with a history of the rounds."""
        numbers = {one.key: one.number for one in self._people}
        apart = (tuple(numbers[key] for key in keys if key in numbers) for keys in self._forbidden)
        forbidden = tuple(sorted(Pairing(*sorted(pair)) for pair in apart if len(pair) == 2))
        since, gone, byes = dict(self._since), dict(self._gone), dict(self._byes)
        rounds = tuple(map(tuple, history))
        return Field(self._event, len(self._people), rounds, since, gone, byes, self._colour, forbidden)

    def in_force(self) -> tuple[Signed[Ruling], ...]:
        """Return the rulings that no other one replaces, by arbiter and number; after the end those that are named."""
        if self.end is None:
            return self._unreplaced(self._linked, self._linked)
        return self._unreplaced([self._rulings[one] for one in self.listed], self._before_end())

    def _before_end(self) -> list[Signed[Ruling]]:
        """Return the rulings that were there at the end: those named, those before them, and those they replace."""
        left, found = list(self.listed), dict[bytes, Signed[Ruling]]()
        while left:
            document = self._rulings.get(left.pop())
            if document is not None and document.id not in found:
                found[document.id] = document
                left += [document.content.previous, document.content.replaces or b""]
        return list(found.values())

    def late(self) -> tuple[Signed[Ruling], ...]:
        """Return the rulings that came after the end."""
        linked = self._unreplaced(self._linked, self._linked)
        return () if self.end is None else tuple(one for one in linked if one.id not in self.listed)

    def _unreplaced(
        self, documents: Sequence[Signed[Ruling]], by: Sequence[Signed[Ruling]]
    ) -> tuple[Signed[Ruling], ...]:
        replaced = {one.content.replaces for one in by}
        return tuple(sorted((one for one in documents if one.id not in replaced), key=self._place))

    def _place(self, document: Signed[Ruling]) -> tuple[int, int]:
        return self._arbiters.index(document.author), document.content.number

    def add(self, document: Signed[Round] | Signed[End]) -> bool:
        """Take a round or the end if it holds; return False if nobody can say so yet, because something is not here."""
        content, wanted = document.content, len(self.rounds) + 1
        number = content.round if isinstance(content, Round) else wanted

        def refuse(code: str, **facts: Fact) -> bool:
            self.refused.add(finding(code, document.id, round=number, **facts))
            return True

        if self.end is not None:
            return refuse("finished")
        if number != wanted:
            return refuse("round_order", wanted=wanted)
        deadlines = self._event.deadlines
        if isinstance(content, Round) and number <= len(deadlines) and content.until < deadlines[number - 1]:
            return refuse("deadline", until=content.until)
        # Whoever signs two rulings with one number must not undo a round that has named one of them.
        rulings = [self._rulings[one] for one in content.rulings if one in self._rulings]
        places = [self._place(one) for one in rulings]
        if (
            places != sorted(set(places))
            or len({*content.rulings}) < len(content.rulings)
            or self.listed & set(content.rulings)
        ):
            return refuse("ruling_order")
        missing = [one for one in content.rulings if one not in self._rulings]
        if missing:
            self.holes.add(finding("ruling_missing", missing[0], round=number))
        if missing or not all(map(self.is_complete, rulings)):
            return False
        history = self._history(content)
        if history is None:
            return refuse("basis")
        if is_of(document, End):
            self.end = document
        elif isinstance(content, Round):
            before = (list(self._people), dict(self._since), dict(self._gone), dict(self._byes))
            unfit = self.apply(rulings, number)
            code = self._check_pairings(content, self.field(history))
            if code is not None:
                self._people, self._since, self._gone, self._byes = before
                return refuse(code)
            self.refused |= unfit
            self.rounds.append(content)
            self.published.append(document.id)
        self.listed |= set(content.rulings)
        for place, outcome in _named(content.basis):
            # A forfeit by a ruling is no log's; if the ruling is replaced, what logs prove is named by a later basis.
            ruled = outcome in (Outcome.FORFEIT_FIRST, Outcome.FORFEIT_SECOND) and self.end is None
            if outcome is not Outcome.NONE and not ruled:
                self.settled.setdefault(place, (outcome, 0 if self.end else number))
        return True

    def is_complete(self, document: Signed[Ruling]) -> bool:
        """Say whether everything is here that a ruling needs, and name the entry that is not."""
        ruling = document.content
        if ruling.entry is None or ruling.entry in self._entries:
            return True
        self.holes.add(finding("entry_missing", document.id, entry=ruling.entry))
        return False

    def _check_pairings(self, content: Round, field: Field) -> str | None:
        """Return the code of what is wrong with the pairings of a round."""
        numbers = [number for pair in content.pairings for number in pair if number]
        if len(set(numbers)) != len(numbers) or max(numbers, default=0) > field.size:
            return "pairings"
        engine, here = self._event.engine, engine_version()
        try:
            if self._pair(field) == content.pairings:
                return None
        except EngineError as error:
            if engine == here:
                return error.code
        except ProtocolError as error:
            return error.code
        if engine is None or engine == here or not is_legal(field, content.pairings):
            return "pairings"
        # Another version of the program may pair otherwise without being wrong.
        self.holes.add(finding("pairings_unchecked", b"", round=content.round, engine=engine, here=here or ""))
        return None

    def _history(self, content: Round | End) -> list[list[Meeting]] | None:
        """Return the rounds with the outcomes that the next one or the end was made from; None if these do not fit."""
        if len(content.basis) != len(self.rounds):
            return None
        history: list[list[Meeting]] = []
        for earlier, tables in zip(self.rounds, content.basis, strict=True):
            if len(tables) != len(earlier.pairings):
                return None
            meetings: list[Meeting] = []
            for pairing, codes in zip(earlier.pairings, tables, strict=True):
                if any(code > max(Outcome) for code in codes):
                    return None
                outcomes = tuple(Outcome(code) for code in codes)
                if not (self._fits(outcomes) if pairing.second else not outcomes):
                    return None
                meetings.append(Meeting(*pairing, outcomes))
            history.append(meetings)
        return history

    def _fits(self, outcomes: Sequence[Outcome]) -> bool:
        """Say whether a pairing has as many games as it may have: a level one that needs a winner is played on."""
        games, points = self._event.games, self._event.points
        if not self._event.system.eliminates or not outcomes or len(outcomes) % games:
            return len(outcomes) == games
        turns = [outcomes[:end] for end in range(games, len(outcomes) + 1, games)]
        *earlier, last = [Outcome.NONE not in one and not is_over(one, games, points) for one in turns]
        return all(earlier) and (not last or len(outcomes) == GAME_LIMIT)

    def apply(self, rulings: Sequence[Signed[Ruling]], round: int) -> set[Finding]:
        """Let rulings about players work from a round on, and return those that cannot."""
        unfit: set[Finding] = set()
        most = self._event.points.win * self._event.games
        for document in rulings:
            ruling = document.content
            since = max(ruling.round, round)
            known = 1 <= ruling.player <= len(self._people)
            swiss = self._event.system is System.SWISS
            if ruling.matter is Matter.WITHDRAWAL and known:
                self._gone[ruling.player] = min(since, self._gone.get(ruling.player, since))
            elif ruling.matter is Matter.BYE and known and swiss and ruling.round >= round and ruling.points <= most:
                self._byes[ruling.round, ruling.player] = ruling.points
            elif ruling.matter is Matter.LATE_ENTRY and swiss and self._enter(ruling.entry or b"", since):
                continue
            elif ruling.matter in ABOUT_PLAYERS:
                matter = ruling.matter.name.lower()
                unfit.add(finding("ruling_unfit", document.id, matter=matter, player=ruling.player, round=ruling.round))
        return unfit

    def _enter(self, wanted: bytes, since: int) -> bool:
        entry = self._entries.get(wanted)
        left = sum(gone <= since for gone in self._gone.values())
        full = len(self._people) >= PLAYER_LIMIT or len(self._people) - left >= (self._event.most or PLAYER_LIMIT)
        if full or entry is None or any(one.key == entry.author for one in self._people):
            return False
        number = len(self._people) + 1
        self._people.append(enter(number, entry, self._ratings, since))
        self._since[number] = since
        return True

    def compare(self, ledger: Ledger) -> set[Finding]:
        """Name each game that a round took otherwise than it stands, and rulings left out."""
        found: set[Finding] = set()
        named: set[Place] = set()
        bases = [(made.round, made.basis) for made in self.rounds]
        if self.end is not None:
            bases.append((0, self.end.content.basis))
        for made, basis in bases:
            for place, code in _named(basis):
                result = ledger.results.get(place)
                ours = Outcome.NONE if result is None else result.outcome
                if not code or ours == code or place in named:
                    continue
                named.add(place)
                taken, stands = code.name.lower(), ours.name.lower()
                facts: dict[str, Fact] = {**place._asdict(), "made": made, "taken": taken, "now": stands}
                found.add(finding("basis_differs", b"", **facts))
        for document in self.in_force():
            ruling = document.content
            about = ruling.matter in ABOUT_PLAYERS and ruling.round <= len(self.rounds)
            if about and document.id not in self.listed:
                matter = ruling.matter.name.lower()
                found.add(finding("ruling_left_out", document.id, matter=matter, round=ruling.round))
        return found


def _named(basis: Sequence[Sequence[bytes]]) -> Iterator[tuple[Place, Outcome]]:
    for number, tables in enumerate(basis, start=1):
        for table, codes in enumerate(tables, start=1):
            for game, code in enumerate(codes, start=1):
                yield Place(number, table, game), Outcome(code)
