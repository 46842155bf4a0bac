"""How each game of an event stands, from what logs prove and arbiters ruled (SPEC.md, section "States of a game")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from protocol.tournament.contents import ABOUT_PLAYERS, GAME_LIMIT, Event, Matter, Pairing, Ruling
from protocol.tournament.documents import Signed
from protocol.tournament.findings import Finding, Place, finding
from protocol.tournament.outcomes import Outcome, is_over
from protocol.tournament.reports import Places, Report, refuse, unproven

if TYPE_CHECKING:
    from protocol.tournament.rounds import Progress


class State(StrEnum):
    """How a game stands."""

    RESULT = "result"
    """A log proves a confirmed result."""
    UNCONFIRMED = "unconfirmed"
    """A log shows a result that one player alone could have made, or in which a cheat could still hide."""
    OPEN = "open"
    """A log shows a match without a result."""
    MISSING = "missing"
    """There is no log."""
    DISPUTE = "dispute"
    """Two logs prove two results, or two rulings say two things."""
    FORFEIT = "forfeit"
    """By ruling, or by both, whom a log convicts; it gives points and no rating."""
    AWARDED = "awarded"
    """By ruling, for a game that was played."""


SETTLED = (State.RESULT, State.FORFEIT, State.AWARDED)
"""The states in which a game has an outcome."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one game stands."""

    state: State
    outcome: Outcome = Outcome.NONE
    reason: str = ""
    """The reason of a result in the game's words, or why there is none."""
    evidence: tuple[bytes, ...] = ()
    """The match ids or the ids of the rulings that it rests on."""
    owes: int | None = None
    """The player who has to write, sign or show something next."""
    convicted: tuple[int, ...] = ()
    """The players who cheated, by what they have signed, whoever lost."""


def seat_keys(pairing: Pairing, game: int, keys: Mapping[int, bytes]) -> tuple[bytes, bytes]:
    """Return the identity keys by seat of a game: the first has seat 0 in the odd ones."""
    first, second = keys[pairing.first], keys[pairing.second]
    return (first, second) if game % 2 else (second, first)


@dataclass(frozen=True, slots=True)
class _Log:
    report: Report
    outcome: Outcome
    flaw: str | None


class Ledger:
    """The results of the rounds that are published."""

    def __init__(self, document: Signed[Event], progress: Progress) -> None:
        """Begin without results.

        Args:
            document: that of the event.
            progress: its rounds, and the rulings and outcomes that they name.
        """
        self._id, self._event = document.id, document.content
        self._progress = progress
        self._keys = {one.number: one.key for one in progress.players}
        self._last_game = GAME_LIMIT if self._event.system.eliminates else self._event.games
        self.results: dict[Place, Result] = {}
        self.refused: set[Finding] = set()

    def settle(self, reports: Iterable[Report]) -> None:
        """Take what each log proves; the order does not matter."""
        rounds = [one.pairings for one in self._progress.rounds]
        places: dict[Place, tuple[bytes, bytes]] = {}
        tables = [
            (number, table, pairing)
            for number, pairings in enumerate(rounds, start=1)
            for table, pairing in enumerate(pairings, start=1)
            if pairing.second
        ]
        for number, table, pairing in tables:
            for game in range(1, self._last_game + 1):
                places[Place(number, table, game)] = seat_keys(pairing, game, self._keys)
        logs = self._sort(reports, self._progress.published, places)
        ruled = self._rule(self._progress.in_force(), rounds)
        for number, table, pairing in tables:
            self._settle_pairing(number, table, pairing, logs, ruled)

    def outcomes(self, round: int, table: int) -> tuple[Outcome, ...]:
        """Return the outcomes of the games of a pairing, in their order."""
        found: list[Outcome] = []
        while (result := self.results.get(Place(round, table, len(found) + 1))) is not None:
            found.append(result.outcome)
        return tuple(found)

    def _sort(self, reports: Iterable[Report], published: Sequence[bytes], places: Places) -> dict[Place, list[Report]]:
        logs: dict[Place, list[Report]] = {}
        seen: set[bytes] = set()
        for report in sorted(reports, key=lambda one: one.digest):
            reason = refuse(report, self._id, self._event, published, places)
            if report.digest in seen:
                reason = finding("log_twice", report.digest)
            seen.add(report.digest)
            if reason is not None:
                self.refused.add(reason)
                continue
            assert report.place is not None
            logs.setdefault(Place(report.place.round, report.place.table, report.place.game), []).append(report)
        return logs

    def _rule(
        self, rulings: Iterable[Signed[Ruling]], rounds: Sequence[Sequence[Pairing]]
    ) -> dict[tuple[int, int], list[tuple[int, Result]]]:
        """Return the rulings about games by round and table: game, 0 for all, and what they say."""
        ruled: dict[tuple[int, int], list[tuple[int, Result]]] = {}
        for document in sorted(rulings, key=lambda one: one.id):
            ruling = document.content
            if ruling.matter in ABOUT_PLAYERS:
                continue
            pairings = rounds[ruling.round - 1] if ruling.round <= len(rounds) else ()
            pairing = pairings[ruling.table - 1] if ruling.table <= len(pairings) else Pairing(0, 0)
            allowed = (0, *pairing) if ruling.matter is Matter.AWARD else pairing
            player = ruling.player in allowed or ruling.matter in (Matter.DOUBLE_FORFEIT, Matter.REFUSAL)
            if not pairing.second or not player or ruling.game > self._last_game:
                facts = {"round": ruling.round, "table": ruling.table, "game": ruling.game, "player": ruling.player}
                self.refused.add(finding("ruling_place", document.id, **facts))
                continue
            if ruling.matter is Matter.REFUSAL:
                continue
            is_first = ruling.player == pairing.first
            if ruling.matter is Matter.DOUBLE_FORFEIT:
                outcome = Outcome.DOUBLE_FORFEIT
            elif ruling.matter is Matter.FORFEIT:
                outcome = Outcome.FORFEIT_SECOND if is_first else Outcome.FORFEIT_FIRST
            else:
                outcome = Outcome.DRAW if not ruling.player else Outcome.FIRST if is_first else Outcome.SECOND
            state = State.AWARDED if ruling.matter is Matter.AWARD else State.FORFEIT
            result = Result(state, outcome, "ruling", (document.id,))
            ruled.setdefault((ruling.round, ruling.table), []).append((ruling.game, result))
        return ruled

    def _settle_pairing(
        self,
        round: int,
        table: int,
        pairing: Pairing,
        logs: Mapping[Place, Sequence[Report]],
        ruled: Mapping[tuple[int, int], Sequence[tuple[int, Result]]],
    ) -> None:
        games = self._event.games
        found: list[Outcome] = []
        ended = False
        for game in range(1, self._last_game + 1):
            place = Place(round, table, game)
            about = logs.get(place, ())
            # A level pairing that must have a winner goes on, turn by turn; no other has more games.
            if game > games and game % games == 1 % games:
                ended = ended or Outcome.NONE in found or is_over(found, games, self._event.points)
            if ended:
                told = {"round": round, "table": table, "game": game}
                self.refused |= {finding("other_game", report.digest, **told) for report in about}
                continue
            words = [result for number, result in ruled.get((round, table), ()) if number in (0, game)]
            result = self._settle_game(pairing, place, about)
            if words:
                result = words[0]
                if len({word.outcome for word in words}) > 1:
                    evidence = tuple(sorted({one for word in words for one in word.evidence}))
                    result = Result(State.DISPUTE, Outcome.NONE, "two_rulings", evidence)
            self.results[place] = result
            found.append(result.outcome)

    def _settle_game(self, pairing: Pairing, place: Place, reports: Sequence[Report]) -> Result:
        game = place.game
        seated = pairing if game % 2 else (pairing.second, pairing.first)
        logs = [_Log(one, self._outcome(one, game), unproven(one, self._event)) for one in reports]
        settled, made = self._progress.settled.get(place, (Outcome.NONE, 0))
        late = [log for log in logs if log.flaw is None and log.outcome is not settled]
        agreed = any(log.flaw is None and log.outcome is settled for log in logs)
        # A cheat may show later in a match that counted, and then no log says any more how that match ended.
        cheats = sorted({seated[seat] for log in late for seat in log.report.convicted})
        played = settled is not Outcome.NONE and (settled is Outcome.DOUBLE_FORFEIT or not settled.forfeited)
        if agreed or (played and cheats) or (self._progress.end is not None and settled is Outcome.NONE):
            told = {**place._asdict(), "made": made}
            self.refused |= {finding("settled", log.report.digest, **told) for log in late}
            logs = [log for log in logs if log not in late]
            if played and not agreed:
                state = State.FORFEIT if settled is Outcome.DOUBLE_FORFEIT else State.RESULT
                evidence = tuple(sorted({log.report.match for log in late if log.report.match is not None}))
                return Result(state, settled, "settled", evidence, convicted=tuple(cheats))
        if not logs:
            return Result(State.MISSING)
        proven = [log for log in logs if log.flaw is None]
        held = proven or [log for log in logs if log.flaw != "unfinished"] or logs
        matches = sorted({log.report.match for log in held if log.report.match is not None})
        outcomes = {log.outcome for log in proven}
        if len(outcomes) > 1 or (played and proven and not agreed):
            # Either the log that the organiser saw is not here, or there was none: nobody can tell.
            reason = "two_results" if len(outcomes) > 1 else "basis"
            return Result(State.DISPUTE, Outcome.NONE, reason, tuple(matches))
        # Of two matches that say the same, one counts: that with the lower id, because logs hold no trusted time.
        for log in logs:
            if log.report.match != matches[0]:
                self.refused.add(finding("second_match", log.report.digest, match=log.report.match or b""))
            elif log.flaw not in (None, "unfinished") and not proven:
                self.refused.add(finding(log.flaw or "", log.report.digest))
        best = next(log for log in held if log.report.match == matches[0])
        if proven:
            state = State.FORFEIT if best.outcome is Outcome.DOUBLE_FORFEIT else State.RESULT
            convicted = tuple(sorted(seated[seat] for seat in best.report.convicted))
            return Result(state, best.outcome, best.report.reason, (matches[0],), convicted=convicted)
        owes = None if best.report.owes is None else seated[best.report.owes]
        state = State.OPEN if best.flaw == "unfinished" else State.UNCONFIRMED
        return Result(state, Outcome.NONE, best.flaw or "", (matches[0],), owes)

    def _outcome(self, report: Report, game: int) -> Outcome:
        if len(report.convicted) > 1:
            return Outcome.DOUBLE_FORFEIT
        sides = self._event.sides if game % 2 else self._event.sides[::-1]
        return {sides[0]: Outcome.FIRST, "draw": Outcome.DRAW, sides[1]: Outcome.SECOND}.get(
            report.winner or "", Outcome.NONE
        )
