"""From the bytes of log files to what they prove: the one entrance of the second implementation."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from protocol.game import Game, Games, MissingRules, Seat, Slot, Value
from protocol.independent import outcomes
from protocol.independent.cases import MOST_PROBLEMS, Case, Problem
from protocol.independent.chain import Chain
from protocol.independent.commitments import find_scheme
from protocol.independent.faults import Unreadable
from protocol.independent.handshake import Agreement, EventTerms, read_agreement, read_data
from protocol.independent.logs import Log, parse
from protocol.independent.messages import ADJOURNMENT, TIME, Envelope, Side, SideType, WitnessStatement
from protocol.independent.reading import OTHER, SEATS, Signed
from protocol.independent.side_chains import KNOWN
from protocol.independent.together import Bench, seal_problems


class Seen(NamedTuple):
    """A message that the witness was shown."""

    kind: str
    seq: int
    seat: Seat
    at: int
    number: int


def name_kind(message: Signed) -> str | None:
    """Return what a message is called that a witness is shown; None for what is none of its business."""
    match message.body:
        case Envelope():
            return "envelope"
        case Side(type=side_type) if side_type in KNOWN and side_type != SideType.CHAT:
            return SideType(side_type).name.lower()
    return None


def list_seen(statements: Sequence[WitnessStatement], messages: Mapping[bytes, Signed]) -> list[Seen]:
    """Return which messages, given by their hashes, the witness was shown and when."""
    found = []
    for statement in statements:
        message = messages.get(statement.hash)
        kind = None if message is None else name_kind(message)
        if message is not None and kind is not None and isinstance(message.body, Envelope | Side):
            found.append(Seen(kind, message.after[0], message.seat, statement.at, statement.number))
    return found


def count_contradictions(statements: Sequence[WitnessStatement]) -> int:
    """Return how often statements cannot all be true; whoever has forgotten a match begins to count anew."""
    shown: dict[bytes, WitnessStatement] = {}
    places: dict[tuple[int, bytes], bytes] = {}
    for one in statements:
        shown.setdefault(one.hash, one)
        places.setdefault((one.number, one.last), one.hash)
    doubled = sum(places[one.number, one.last] != one.hash for one in statements)
    return doubled + sum(one.last in shown and shown[one.last].at > one.at for one in statements)


Facts = dict[str, Any]
"""What a file proves, in the form of ``storm-p2p verify --json`` without its sentences."""


def judge(files: Sequence[bytes], games: Games, hidden: dict[Slot, Value] | None = None) -> list[Facts]:
    """Return what each of some log files proves, those of one match together; nothing in them makes it fail.

    What open cards show to be in the slots is put into ``hidden``, for a reader who has the logs of one match.
    """
    answers: dict[int, Facts] = {}
    matches: dict[bytes, list[tuple[int, Log]]] = {}
    agreements: dict[bytes, Agreement] = {}
    for number, data in enumerate(files):
        try:
            log = parse(data)
        except Unreadable as error:
            answers[number] = _no_log(error.code)
            continue
        try:
            agreement = read_agreement(log.records)
        except Unreadable as error:
            answers[number] = _alike([Problem(error.code)], 0)
            continue
        agreements[agreement.match_id] = agreement
        matches.setdefault(agreement.match_id, []).append((number, log))
    for match_id, logs in matches.items():
        found = _judge_match(agreements[match_id], [log for _, log in logs], games, {} if hidden is None else hidden)
        answers.update(zip((number for number, _ in logs), found, strict=True))
    return [answers[number] for number in range(len(files))]


def _no_log(code: str) -> Facts:
    facts = _alike([Problem(code)], None if code in ("not-a-log", "version") else 0)
    return {**facts, "result": {"winner": None, "reason": "unreadable"}}


def _judge_match(agreement: Agreement, logs: Sequence[Log], games: Games, hidden: dict[Slot, Value]) -> list[Facts]:
    """Return what the logs of one match prove."""
    scheme = find_scheme(agreement.scheme)

    def hopeless(log: Log, code: str, game: Game[Any] | None = None) -> Facts:
        return _alike([*seal_problems(agreement, log), Problem(code)], 0, agreement, game)

    try:
        game = games(agreement.game, agreement.version)
    except MissingRules:
        return [hopeless(log, "rules_version") for log in logs]
    answers: dict[int, Facts] = {}
    played: dict[int, Game[Any]] = {}
    for number, log in enumerate(logs):
        try:
            data, _ = read_data(log.records)
            supplied = game.supply(data) if data else game
            if scheme is None:
                answers[number] = hopeless(log, "unknown_scheme", game)
            else:
                supplied.begin(agreement.terms)
                played[number] = supplied
        except ValueError:
            answers[number] = hopeless(log, "bad_terms", game)
    if scheme is None or not played:
        return [answers[number] for number in range(len(logs))]
    bench = Bench(agreement, scheme)
    cases = [bench.judge_alone(logs[number], supplied) for number, supplied in played.items()]
    merged = bench.judge_together([logs[number] for number in played], cases) if len(cases) > 1 else None
    for number, alone in zip(played, cases, strict=True):
        case = alone if merged is None else merged
        hidden |= case.hidden
        answers[number] = _facts(alone, case, bench.find_shown(logs, {one.hash for one in case.chain.statements}))
    return [answers[number] for number in range(len(logs))]


def _alike(
    problems: Sequence[Problem],
    messages: int | None,
    agreement: Agreement | None = None,
    game: Game[Any] | None = None,
    remarks: Sequence[Problem] = (),
) -> Facts:
    """Return the facts that every file has, for one of which nothing more is known."""

    def name(seat: Seat | None) -> str | None:
        return _name(seat, game)

    def named(problem: Problem) -> Facts:
        batch = {} if problem.batch is None else {"batch": problem.batch._asdict()}
        return {"code": problem.code, "seq": problem.seq, "seat": name(problem.seat), **batch}

    event = None if agreement is None else agreement.conditions.event
    return {
        "ok": not problems,
        "match": None if agreement is None else agreement.match_id.hex(),
        "protocol": None if agreement is None else agreement.protocol,
        "rules": None if agreement is None else agreement.version,
        "event": None if event is None else _event(event),
        "aids": agreement is not None and agreement.conditions.aids,
        "watched": None if agreement is None else agreement.conditions.watched,
        "players": [
            {"seat": name(seat), "name": player.name, "key": player.identity.hex()}
            for seat, player in enumerate(() if agreement is None else agreement.players)
        ],
        "result": {"winner": None, "reason": "unfinished"},
        "confirmed": False,
        "convicted": [],
        "signed": [],
        "seeds": [],
        "owes": None,
        "deviates": None,
        "must_show": None,
        "audited": False,
        "scheme": None if agreement is None else agreement.scheme,
        "messages": messages,
        "problems": [named(one) for one in problems[:MOST_PROBLEMS]],
        "remarks": [named(one) for one in remarks],
        "break": None,
        "claims": [],
        "clock": None,
        "witness": None,
    }


def _event(event: EventTerms) -> Facts:
    return {**event._asdict(), "id": event.id.hex(), "document": event.document.hex()}


def _name(seat: Seat | None, game: Game[Any] | None) -> str | None:
    """Return what a seat is called; where the game is unknown, its number."""
    if seat is None:
        return None
    return str(seat) if game is None or seat >= len(game.sides) else game.sides[seat]


def _facts(alone: Case, case: Case, messages: Mapping[bytes, Signed]) -> Facts:
    """Return what a log of a known game proves, alone and in the case that all logs of its match make."""
    chain, game = case.chain, case.chain.game
    # What is wrong with a file alone stays with it, and a damaged one says of nobody that they owe something.
    own = [*alone.problems, *alone.findings]
    problems = own + [one for one in (*case.problems, *case.findings) if one not in own]
    dispute = case.dispute if alone.holds else None

    def names(seats: Sequence[Seat]) -> list[str]:
        return [game.sides[seat] for seat in sorted(seats)]

    result, confirmed = _result(case)
    owes = None
    if alone.holds and not case.convicted:
        owes = outcomes.find_owing(chain) if dispute is None or confirmed else dispute.seat
    agreed = None if result is not None else chain.side_chains.agreed_break
    return {
        **_alike(problems, (chain if alone.holds else alone.chain).length, chain.agreement, game, case.remarks),
        "ok": alone.holds,
        "result": result or {"winner": None, "reason": "unfinished"},
        "confirmed": confirmed,
        "convicted": names(list(case.convicted)),
        "signed": names(list(chain.results)),
        "seeds": names(list(chain.seeds)),
        "owes": _name(owes, game),
        "deviates": _name(dispute.seat, game) if dispute is not None and dispute.code == "states_differ" else None,
        "must_show": None
        if dispute is None or dispute.needs is None
        else {"seat": _name(dispute.seat, game), "hash": dispute.needs.hex()},
        "audited": case.is_audited,
        "break": None if agreed is None else "adjournment" if agreed == ADJOURNMENT else "pause",
        "claims": [
            {
                "seq": claim.side.header.seq,
                "seat": game.sides[claim.message.seat],
                "ground": "time" if claim.ground == TIME else "absence",
                "seconds": claim.seconds,
                "state": claim.fate.value,
            }
            for claim in chain.side_chains.claims
        ],
        "clock": _clock(chain),
        "witness": _witness(chain, messages),
    }


def _result(case: Case) -> tuple[dict[str, str] | None, bool]:
    """Return the result that stands, and whether it is confirmed."""
    chain, outcome = case.chain, outcomes.find_standing(case.chain)
    if len(case.convicted) > 1:
        # Whoever is convicted has lost; if both are, nobody wins.
        return None, False
    for seat in case.convicted:
        if outcome is None or seat in case.convictions or outcome.result["winner"] != chain.game.sides[OTHER[seat]]:
            return chain.forfeit_result(seat), True
        # What the audit alone finds leaves a result as it is by which the seat has lost.
        return outcome.result, True
    if outcome is None:
        return None, False
    return outcome.result, outcomes.is_confirmed(chain, outcome)


def _clock(chain: Chain) -> Facts | None:
    clock = chain.clock
    if clock is None:
        return None
    sides = chain.game.sides
    return {
        "terms": list(clock.terms),
        "seats": [
            {"seat": sides[seat], "left": clock.claimed[seat].left, "left_by_reading": clock.read[seat].left}
            for seat in SEATS
        ],
        "differences": [{**one._asdict(), "seat": sides[one.seat]} for one in clock.differences],
    }


def _witness(chain: Chain, messages: Mapping[bytes, Signed]) -> Facts | None:
    terms = chain.agreement.conditions.witness
    if terms is None:
        return None
    statements = list(chain.statements)
    seen = list_seen(statements, messages)
    return {
        "key": terms.key.hex(),
        "address": terms.address,
        "witnessed": chain.length > 0 and any(one.hash == chain.head for one in statements),
        "envelopes": len({one.seq for one in seen if one.kind == "envelope"}),
        "seen": [{**one._asdict(), "seat": chain.game.sides[one.seat]} for one in seen],
        "contradictions": count_contradictions(statements),
    }
