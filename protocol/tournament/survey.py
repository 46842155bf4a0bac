"""From the documents and logs of a folder to how the event stands, for everybody the same (SPEC.md, "Tournaments").

Nothing is believed: each document is checked against those before it, each round against the pairings that follow from
what it says it was made from, and each result against a log or a ruling.  What does not hold is left out and named,
and the rest counts.

The documents of one author stand in their order ("Chains"): the organiser's close, start and rounds form one chain from
the event on, and so do the rulings of each arbiter.  Whoever signs two documents with one number is convicted, and
nothing of that chain counts from that number on.
"""

import dataclasses
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from protocol.core.words import spoken
from protocol.crypto.hashing import hash_parts
from protocol.tournament.contents import (
    ARBITER_LIMIT,
    AboutGame,
    Absence,
    Answer,
    Chained,
    Claim,
    Close,
    Coin,
    Content,
    Data,
    End,
    Entry,
    Event,
    Notice,
    Proposal,
    Ready,
    Round,
    Ruling,
    Start,
    System,
    Topic,
)
from protocol.tournament.documents import Document, DocumentError, Equivocation, K, Signed, is_of, read
from protocol.tournament.findings import Fact, Finding, Place, finding, sorted_findings
from protocol.tournament.lines import Field
from protocol.tournament.outcomes import Meeting
from protocol.tournament.pairings import Pair, pair_round
from protocol.tournament.reports import Report
from protocol.tournament.results import SETTLED, Ledger, Result
from protocol.tournament.roster import Player, arbiters_of, check_close, check_start, opened, ratings_of, seed_players
from protocol.tournament.rounds import Progress

H = TypeVar("H", bound=Chained)


@dataclass(frozen=True, slots=True)
class Chain(Generic[H]):
    """What is held of a chain without a gap, and what is wrong with the rest."""

    documents: tuple[Signed[H], ...]
    equivocations: tuple[Equivocation, ...] = ()
    holes: tuple[Finding, ...] = ()

    def tip(self, event: bytes) -> tuple[int, bytes]:
        """Return the number of the next document and the id that it names."""
        return len(self.documents) + 1, self.documents[-1].id if self.documents else event


def follow(event: bytes, documents: Iterable[Signed[H]]) -> Chain[H]:
    """Return the chain that documents of one author form which are all chained.

    Args:
        event: the id of the event, which the first one names.
        documents: each once, in any order.
    """
    by_number: dict[int, list[Signed[H]]] = {}
    for document in sorted(documents, key=lambda one: one.id):
        by_number.setdefault(document.content.number, []).append(document)
    forks = tuple(
        Equivocation(same[0].author, number, same[0].data, same[1].data)
        for number, same in sorted(by_number.items())
        if len(same) > 1
    )
    held: list[Signed[H]] = []
    previous = event
    while len(same := by_number.get(len(held) + 1, [])) == 1:
        if same[0].content.previous != previous:
            break
        held.append(same[0])
        previous = same[0].id
    holes = [finding("equivocation", b"", author=fork.author, number=fork.number) for fork in forks]
    number = len(held) + 1
    later = [same[0].author for one, same in by_number.items() if one >= number]
    # A number is missing, or its document rests on one that nobody has shown; a second one is named already.
    if later and len(by_number.get(number, ())) < 2:
        code = "document_unlinked" if number in by_number else "document_missing"
        holes.append(finding(code, b"", author=later[0], number=number))
    return Chain(tuple(held), forks, tuple(holes))


@dataclass(frozen=True, slots=True)
class Tournament:
    """How an event stands."""

    document: Signed[Event]
    chain: Chain[Chained]
    """What the organiser has published, in its order."""
    rulings: Mapping[bytes, Chain[Ruling]]
    """What each arbiter has ruled, by key."""
    entries: Mapping[bytes, Signed[Entry]]
    """All entries, by id."""
    coins: Mapping[bytes, Signed[Coin]]
    """All coins, by id."""
    close: Signed[Close] | None
    start: Signed[Start] | None
    end: Signed[End] | None
    """What the organiser has ended the event with."""
    draw: bytes | None
    players: tuple[Player, ...]
    """By number, from 1."""
    rounds: tuple[Round, ...]
    """Those that hold."""
    published: tuple[bytes, ...]
    """The ids of their documents."""
    listed: tuple[bytes, ...]
    """The rulings that the rounds name."""
    in_force: tuple[Signed[Ruling], ...]
    """The rulings that no other one replaces, in the order in which a round names them."""
    results: Mapping[Place, Result]
    """How each game of the published rounds stands."""
    field: Field
    """What the rounds have come to by now, for standings."""
    next: Field
    """The same with the rulings that no round names yet, for the next pairings."""
    pending: tuple[bytes, ...]
    """Those rulings, in their order, but late entries that nobody has shown."""
    ready: tuple[Signed[Ready], ...] = ()
    claims: tuple[Signed[Claim], ...] = ()
    answers: tuple[Signed[Answer], ...] = ()
    proposals: tuple[Signed[Proposal], ...] = ()
    refused: tuple[Finding, ...] = ()
    """Documents and logs that do not count, each with its reason."""
    holes: tuple[Finding, ...] = ()
    """What is not there, not yet decided or not checked."""
    remarks: tuple[Finding, ...] = ()
    """What should be known and changes nothing."""
    convictions: tuple[Equivocation, ...] = ()
    notices: tuple[Signed[Notice], ...] = ()
    """What the organiser has told after the announcement, as far as it counts, in its order."""
    absences: tuple[Signed[Absence], ...] = ()
    """What those who have entered say that they will miss."""
    data: tuple[bytes, ...] = ()
    """What the organiser has brought beside the terms; which of it they name is for the game to say."""
    waiting: tuple[bytes, ...] = ()
    """Who has opened a coin and found no place in the draw, in the order of the draw."""
    pair: Pair = dataclasses.field(default=pair_round, compare=False, repr=False)
    """What has paired its rounds, for the next one."""

    @property
    def id(self) -> bytes:
        """The event id."""
        return self.document.id

    @property
    def event(self) -> Event:
        """Its terms."""
        return self.document.content

    @property
    def arbiters(self) -> tuple[bytes, ...]:
        """Who may rule."""
        return arbiters_of(self.event, self.notices)

    def player(self, key: bytes) -> Player | None:
        """Return who plays under an identity key."""
        return next((one for one in self.players if one.key == key), None)

    def words(self, said: str = "") -> tuple[str, ...]:
        """Return four words for all that organiser and arbiters have signed (SPEC.md, section "Chains").

        Args:
            said: what those who compare the words have agreed on, so that nobody could look for equal ones before.
        """
        chains: tuple[Chain[Any], ...] = (self.chain, *(self.rulings[arbiter] for arbiter in self.arbiters))
        # What was typed may be no text.
        agreed = said.lower().encode(errors="replace")
        return spoken(hash_parts("event-words", agreed, *(chain.tip(self.id)[1] for chain in chains)))


def find_events(documents: Iterable[bytes]) -> dict[bytes, Signed[Event]]:
    """Return the announcements of events among documents, by id.

    Raises:
        LocalProtocolError: the library that checks keys is too old or does not work.
    """
    found: dict[bytes, Signed[Event]] = {}
    for data in documents:
        with suppress(DocumentError):
            document = read(data)
            if is_of(document, Event):
                found[document.id] = document
    return found


_ORGANISED = (Close, Start, Round, End, Notice)
"""What only the organiser may write."""


def may_write(event: Signed[Event], document: Document, arbiters: Collection[bytes]) -> bool:
    """Return whether the author of a document may write it, as far as that depends on the event and who may rule."""
    if isinstance(document.content, (*_ORGANISED, Data)):
        return document.author == event.author
    return not isinstance(document.content, Ruling) or document.author in arbiters


def survey(
    documents: Iterable[bytes], reports: Iterable[Report] = (), event: bytes | None = None, pair: Pair = pair_round
) -> Tournament:
    """Return how an event stands.

    Args:
        documents: the bytes of every file that may be a document, in any order.
        reports: what the logs prove, in any order.
        event: the id of the event; None if there is but one.
        pair: pairs a round.

    Raises:
        DocumentError: ``no_event`` or ``several_events``.
        LocalProtocolError: the library that checks keys is too old or does not work.
    """
    return _Survey(documents, event, pair).take(reports)


class _Survey:
    """Takes one folder."""

    def __init__(self, documents: Iterable[bytes], event: bytes | None, pair: Pair) -> None:
        self.pair = pair
        self.refused: set[Finding] = set()
        self.holes: set[Finding] = set()
        self.remarks: set[Finding] = set()
        held: dict[bytes, Document] = {}
        for data in documents:
            digest = hashlib.sha256(data).digest()
            try:
                document = read(data)
            except DocumentError as error:
                self.refused.add(finding(error.code, digest, expected=error.expected, got=error.got))
                continue
            # Of two files with one body, which differ in nothing that is signed, either will do.
            if document.id not in held or data < held[document.id].data:
                held[document.id] = document
        chosen = [one for one in held.values() if is_of(one, Event) and event in (None, one.id)]
        if len(chosen) != 1:
            code = "several_events" if chosen else "no_event"
            raise DocumentError(code, "one event", str(len(chosen)))
        self.document, self.event = chosen[0], chosen[0].content
        self.held: dict[type, list[Document]] = {}
        for _, document in sorted(held.items()):
            other = document.content
            if isinstance(other, Event):
                same = (document.author, other.name) == (self.document.author, self.event.name)
                if same and document.id != self.document.id:
                    self.remarks.add(finding("event_twice", b"", author=document.author, event=document.id))
                continue
            if other.event != self.document.id:
                self._refuse("other_event", document)
            else:
                self.held.setdefault(type(other), []).append(document)

    def _refuse(self, code: str, document: Document) -> None:
        self.refused.add(finding(code, document.id, author=document.author, kind=document.kind))

    def _of(self, *kinds: type[K]) -> list[Signed[K]]:
        return [one for kind in kinds for one in self.held.get(kind, ()) if is_of(one, kind)]

    def take(self, reports: Iterable[Report]) -> Tournament:
        """Return how the event stands with what logs prove."""
        event = self.document.id
        own = [one for one in self._of(*_ORGANISED) if one.author == self.document.author]
        chain = follow(event, own)
        notices = self._notices(chain)
        arbiters = arbiters_of(self.event, notices)
        for kind, documents in self.held.items():
            self.held[kind] = [one for one in documents if may_write(self.document, one, arbiters)]
            for document in documents:
                if not may_write(self.document, document, arbiters):
                    self._refuse("other_author", document)
        rulings = {
            arbiter: follow(event, [one for one in self._of(Ruling) if one.author == arbiter]) for arbiter in arbiters
        }
        chains: tuple[Chain[Any], ...] = (chain, *rulings.values())
        self.holes.update(hole for one in chains for hole in one.holes)
        linked = {document.id for one in chains for document in one.documents}
        for document in self._of(*_ORGANISED, Ruling):
            if document.id not in linked:
                self._refuse("unlinked", document)
        self.entries = entries = {document.id: document for document in self._of(Entry)}
        self.coins = coins = {document.id: document for document in self._of(Coin)}
        close, start = self._open(chain)
        draw: bytes | None = None
        players: tuple[Player, ...] = ()
        queue: tuple[bytes, ...] = ()
        if start is not None:
            ratings = ratings_of(notices)
            draw, players, queue = seed_players(event, self.event, start.content, entries, coins, ratings)
        ruled = {document.id: document for document in self._of(Ruling)}
        progress = Progress(self.event, draw, players, entries, ruled, ruled.keys() & linked, self.pair, notices)
        if start is not None:
            behind = chain.documents[chain.documents.index(start) + 1 :]
            for document in behind:
                if is_of(document, Round) or is_of(document, End):
                    if not progress.add(document):
                        break
                elif not is_of(document, Notice):
                    self._refuse("too_late", document)
        in_force = progress.in_force()
        waiting = [document for document in in_force if document.id not in progress.listed]
        pending = [document for document in waiting if progress.is_complete(document)]
        self.refused |= progress.refused
        self.holes |= progress.holes
        ledger = Ledger(self.document, progress)
        ledger.settle(reports)
        for document in progress.late():
            self._refuse("too_late", document)
        self.refused |= ledger.refused
        self._note(progress, ledger, close, start)
        ready, claims, answers, proposals = self._sort_said(progress)
        authors = {one.author for one in entries.values()}
        absences = tuple(one for one in self._of(Absence) if one.author in authors)
        for document in self._of(Absence):
            if document not in absences:
                self._refuse("other_author", document)
        data = tuple(one.content.data for one in self._of(Data))
        history = _history(progress.rounds, ledger)
        players, field = progress.players, progress.field(history)
        self.refused |= progress.apply(pending, field.round)
        return Tournament(
            self.document, chain, rulings, entries, coins, close, start, progress.end, draw, players,
            tuple(progress.rounds), tuple(progress.published), tuple(sorted(progress.listed)), in_force,
            dict(sorted(ledger.results.items())),
            field, progress.field(history), tuple(document.id for document in pending),
            ready, claims, answers, proposals,
            sorted_findings(self.refused), sorted_findings(self.holes), sorted_findings(self.remarks),
            tuple(fork for one in chains for fork in one.equivocations), notices, absences, data, queue, self.pair,
        )  # fmt: skip

    def _notices(self, chain: Chain[Chained]) -> tuple[Signed[Notice], ...]:
        """Return the notices that count.

        Who meets whom, and with which rating, is said before the entries are closed: later the organiser may know
        coins, and so what a notice would change.
        """
        closed, arbiters = False, set(self.event.arbiters)
        found: list[Signed[Notice]] = []
        for document in chain.documents:
            closed = closed or is_of(document, Close)
            if not is_of(document, Notice):
                continue
            notice = document.content
            unfit = {
                Topic.FORBIDDEN: self.event.system is not System.SWISS,
                Topic.ARBITER: len(arbiters | set(notice.keys)) > ARBITER_LIMIT,
            }
            if notice.topic in (Topic.FORBIDDEN, Topic.RATING) and closed:
                self._refuse("too_late", document)
            elif unfit.get(notice.topic):
                self._refuse("notice_unfit", document)
            else:
                found.append(document)
                arbiters |= set(notice.keys) if notice.topic is Topic.ARBITER else set()
                if notice.keys:
                    facts: dict[str, Fact] = {"key": notice.keys[0], "other": notice.keys[-1]}
                    facts["rating"] = notice.rating[0] if notice.rating else 0
                    self.remarks.add(finding(f"notice_{notice.topic.name.lower()}", document.id, **facts))
        return tuple(found)

    def _open(self, chain: Chain[Chained]) -> tuple[Signed[Close] | None, Signed[Start] | None]:
        """Return the lists of entries and of coins that hold."""
        close: Signed[Close] | None = None
        for document in chain.documents:
            wrong: Finding | None
            if is_of(document, Notice):
                continue
            if is_of(document, Close) and close is None:
                wrong = check_close(document, self.entries)
                close = document if wrong is None else None
            elif is_of(document, Start) and close is not None:
                wrong = check_start(document, close, self.entries, self.coins)
                if wrong is None:
                    return close, document
            else:
                self._refuse("too_early" if close is None else "too_late", document)
                continue
            if wrong is not None and wrong.code.endswith("missing"):
                # It may hold for whoever has what is missing, so another one must not take its place for us.
                self.holes.add(wrong)
                break
            if wrong is not None:
                self.refused.add(wrong)
        return close, None

    def _note(
        self, progress: Progress, ledger: Ledger, close: Signed[Close] | None, start: Signed[Start] | None
    ) -> None:
        """Name what is missing or left out."""
        for place, result in ledger.results.items():
            if result.state not in SETTLED:
                pairing = progress.rounds[place.round - 1].pairings[place.table - 1]
                facts: dict[str, Fact] = {**place._asdict(), **pairing._asdict(), "owes": result.owes or 0}
                self.holes.add(finding(f"game_{result.state}", b"", reason=result.reason, **facts))
            for player in result.convicted:
                code = "cheated_late" if result.reason == "settled" else "cheated"
                self.remarks.add(finding(code, result.evidence[0], **place._asdict(), player=player))
        self.holes |= progress.compare(ledger)
        names: dict[str, bytes] = {}
        authors: dict[bytes, bytes] = {}
        entries, coins = self.entries, self.coins
        for entry in entries.values():
            name = entry.content.name.casefold()
            if names.setdefault(name, entry.author) != entry.author:
                self.remarks.add(finding("name_twice", b"", name=entry.content.name))
            if authors.setdefault(entry.author, entry.id) != entry.id:
                self.remarks.add(finding("entered_twice", b"", key=entry.author))
        late = {one.entry for one in progress.players}
        if close is not None:
            for left in entries.keys() - set(close.content.entries) - late:
                self.remarks.add(finding("entry_left_out", left, key=entries[left].author))
            wrong = {coin.id: opened(close, coin, entries) for coin in coins.values()}
            self.refused.update(one for one in wrong.values() if one is not None)
            if start is not None:
                for left in {coin for coin, one in wrong.items() if one is None} - set(start.content.coins):
                    self.remarks.add(finding("coin_left_out", left, key=coins[left].author))

    def _sort_said(self, progress: Progress) -> tuple[tuple[Any, ...], ...]:
        """Return who was ready, who claims a forfeit, who has answered, and who proposes times, all of the pairing."""
        players = progress.players
        found: dict[type[Content], list[Document]] = {Ready: [], Claim: [], Answer: [], Proposal: []}
        claims: dict[bytes, Signed[Claim]] = {}
        for document in self._of(*found):
            content = document.content
            claim = claims.get(content.claim) if isinstance(content, Answer) else None
            about = content if claim is None else claim.content
            if not isinstance(about, AboutGame):
                self._refuse("unlinked", document)
                continue
            if about.round > len(progress.rounds):
                self.refused.add(finding("other_round", document.id, round=about.round))
                continue
            pairings = progress.rounds[about.round - 1].pairings
            numbers = pairings[about.table - 1] if about.table <= len(pairings) else ()
            seated = {players[number - 1].key for number in numbers if number}
            if document.author not in seated or (claim is not None and claim.author == document.author):
                self._refuse("other_author", document)
                continue
            found[type(content)].append(document)
            if is_of(document, Claim):
                claims[document.id] = document
        return tuple(map(tuple, found.values()))


def _history(rounds: Sequence[Round], ledger: Ledger) -> tuple[tuple[Meeting, ...], ...]:
    return tuple(
        tuple(
            Meeting(pairing.first, pairing.second, ledger.outcomes(number, table))
            for table, pairing in enumerate(one.pairings, start=1)
        )
        for number, one in enumerate(rounds, start=1)
    )
