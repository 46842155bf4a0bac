"""The only module that knows gacrux: Swiss pairings by the FIDE Dutch system, and tie-breaks (C.04.3, C.07).

A pairing goes in as one meeting with the points of its games, and whoever is named first has white.  The library is
imported when it is used, and gets nothing to choose: the first colour and the order of the players are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from protocol.errors import ProtocolError
from protocol.tournament.contents import ROUND_LIMIT, Pairing, System
from protocol.tournament.lines import Field, Line, lines_of

if TYPE_CHECKING:
    from decimal import Decimal

NAME = "gacrux"


class EngineError(ProtocolError):
    """There is no such pairing, or the program that pairs is not here.

    The codes are ``engine_missing``, ``engine_version``, ``no_pairing`` and ``engine_failed``.
    """


def engine_version() -> str | None:
    """Return name and version of the program that pairs, as an event names it; None if it is not here."""
    try:
        from gacrux.version import __version__ as version
    except ImportError:
        return None
    return f"{NAME} {version}"


def _half(points: int) -> Decimal:
    from decimal import Decimal

    return Decimal(points) / 2


def _side(number: int, points: int, other: int, played: bool) -> dict[str, Any]:
    letter = "W" if points > other else "L" if points < other else "D"
    if not played and letter != "W":
        letter = "Z"
    return {"cid": number, "result": letter, "score": _half(points)}


def _games(field: Field, lines: dict[int, list[Line | None]]) -> list[dict[str, Any]]:
    """Return the meetings in the form of the library."""
    games: list[dict[str, Any]] = []
    annulled = field.annulled()
    for number, rounds in lines.items():
        for index, line in enumerate(rounds):
            if line is None or not line.first or annulled & {number, line.opponent}:
                continue
            if line.opponent:
                other = lines[line.opponent][index]
                assert other is not None
                white = _side(number, line.points, other.points, line.played)
                black: dict[str, Any] | None = _side(line.opponent, other.points, line.points, line.played)
            else:
                full = line.points >= field.event.points.win * field.event.games
                letter = "P" if line.bye else "W" if full else "D" if line.points else "Z"
                white = {"cid": number, "result": letter, "score": _half(line.points)}
                black = {"cid": 0, "result": None} if line.bye else None
            games.append(
                {
                    "id": 0,
                    "round": index + 1,
                    "white": white,
                    "black": black,
                    "played": line.played or line.bye,
                    "rated": line.played,
                }
            )
    return games


def _tournament(field: Field, round: int, absent: frozenset[int]) -> dict[str, Any]:
    event = field.event
    win, draw, loss = (_half(each * event.games) for each in event.points[:3])
    bye = _half(event.points.bye)
    scores = {"W": win, "D": draw, "L": loss, "Z": _half(0), "P": bye, "F": win, "H": draw, "A": draw, "U": bye}
    return {
        "teamTournament": False,
        "tournamentType": "RR" if event.system is System.ROUND_ROBIN else "SWISS",
        "numRounds": max(len(event.deadlines) if event.system is System.SWISS else 0, len(field.history)),
        "currentRound": round,
        "maxMeets": 1,
        "topColor": "b" if field.colour else "w",
        "accelerated": {"name": "", "values": []},
        "scoreSystem": {"game": scores},
        "competitors": [
            {
                "cid": number,
                "present": number not in absent,
                "orgrank": number,
                "rank": number,
                "random": number,
                "rating": {"rating": 0},
            }
            for number in range(1, field.size + 1)
        ],
        "prohibited": [{"firstRound": 1, "lastRound": ROUND_LIMIT, "competitors": [*pair]} for pair in field.forbidden],
        "gameList": _games(field, lines_of(field)),
    }


def pair_swiss(field: Field) -> tuple[Pairing, ...]:
    """Return the pairings of the next round of a Swiss, by table; a bye comes last.

    Raises:
        EngineError: the library is missing, finds no pairing or fails.
    """
    absent = field.absent(field.round)
    if len(absent) >= field.size - 1:
        left = sorted(set(range(1, field.size + 1)) - absent)
        return tuple(Pairing(number, 0) for number in left)
    try:
        from gacrux.gacruxexeptions import GacruxNoLegalPairing
        from gacrux.pairingdutch import pairing_dutch
    except ImportError:
        raise EngineError("engine_missing", NAME, "nothing") from None
    try:
        engine = pairing_dutch(_tournament(field, field.round, absent), field.round, {"experimental": [], "verbose": 0})
        brackets = engine.compute_pairing(False)
        pairs = [(one["board"], Pairing(one["w"], max(one["b"], 0))) for level in brackets for one in level["pairs"]]
    except GacruxNoLegalPairing as error:
        raise EngineError("no_pairing", "players who may still meet", str(error)) from None
    except Exception as error:
        # What goes wrong in there is nothing that our caller could tell apart.
        raise EngineError("engine_failed", "pairings", type(error).__name__) from None
    return tuple(pair for _, pair in sorted(pairs))


def break_ties(field: Field, names: Sequence[str]) -> dict[int, tuple[int, tuple[Decimal | int | None, ...]]]:
    """Return for each number its rank by points and tie-breaks, and the values of these.

    Raises:
        EngineError: the library is missing or fails.
    """
    try:
        from gacrux.tiebreak import tiebreak
    except ImportError:
        raise EngineError("engine_missing", NAME, "nothing") from None
    if not field.size:
        return {}
    try:
        rounds = len(field.history)
        board = tiebreak(
            _tournament(field, rounds, frozenset()),
            rounds,
            {
                "pre_determined": field.event.system is System.ROUND_ROBIN,
                "swiss": field.event.system is not System.ROUND_ROBIN,
            },
        )
        for order, name in enumerate(("PTS", *names), start=1):
            board.compute_single_tiebreak(board.parse_tiebreak(order, name))
        return {
            number: (found["rank"], tuple(found["tiebreakScore"][1:])) for number, found in sorted(board.cmps.items())
        }
    except Exception as error:
        raise EngineError("engine_failed", "tie-breaks", type(error).__name__) from None
