"""What a page tells of a match, from the records of its log: pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cli import __version__, language
from cli.clean import clean
from cli.console.guest import AnyConsole, name_sides
from cli.console.render.replay import tell_decisions
from cli.console.replay import ALL, PUBLIC, Analysis, Replay, views_of
from cli.match.stored import chat_of
from cli.text import analyses, matches, pages, verdicts, wording
from cli.text.wording import fill
from protocol.core import secret_replay
from protocol.core.frames import Record
from protocol.core.transcript import Transcript

if TYPE_CHECKING:
    from protocol.record.judging import Facts


@dataclass(frozen=True, slots=True)
class Story:
    """A match as a page shows it."""

    title: str
    boards: Sequence[str]
    """The dump of the public state after each envelope."""
    told: Mapping[str, Any]
    """What the script reads."""
    said: Sequence[str]
    """The sentences of the last step."""
    about: Sequence[str]
    chat: Sequence[tuple[str, str]]
    """Who said what."""
    chart: Sequence[tuple[float, float]] = ()
    """The chances of the first seat: how far along the steps, and the chance, each from 0 to 1."""
    costly: Sequence[str] = ()
    """The decisions that lost most."""


def tell(
    shown: Replay,
    transcript: Transcript,
    records: Sequence[Record],
    boards: Sequence[str],
    facts: Facts | None,
    analysis: Analysis | None = None,
    *,
    asked: bool = False,
) -> Story:
    """Return the story of a match.

    Args:
        shown: the match step by step, in each view.
        transcript: all messages that hold.
        records: those that are told.
        boards: the dump of the public state after each envelope that is told.
        facts: what the log proves, as ``verify --json`` says it; None while the match goes on.
        analysis: how its decisions are judged, if that was asked for.
    """
    agreement, guest = transcript.agreement, shown.guest
    hidden = secret_replay.replay(transcript.referee, transcript.history, transcript.seeds)[1]
    players = [clean(player.name) for player in agreement.players]
    names = list(shown.names.values())
    called = dict(zip(map(guest.seat_word, guest.sides), names, strict=True))
    seats = name_sides(guest, names)
    results, problems, about = {}, {}, []
    if facts is not None:
        winner, reason = facts["result"]["winner"], facts["result"]["reason"]
        results = {f"{winner} {reason}": matches.result(winner, reason, called, guilty=bool(facts["convicted"]))}
        for one in facts["problems"]:
            text = one["text"] if one["seat"] is None else f"{called[one['seat']]}: {one['text']}"
            problems[f"{one['code']} {one['seat'] or ''}"] = text
        about = [line.strip() for line in verdicts.words(facts).splitlines()[1:]]
    steps = shown.steps[PUBLIC]
    told: dict[str, Any] = {
        "program": __version__,
        "language": language.current(),
        "view": shown.view,
        "analysed": asked,
        "seats": seats,
        "views": {
            view: {"seats": list(of), "called": _view_name(view, of, guest)} for view, of in views_of(guest).items()
        },
        "steps": [{"seq": step.seq, "lines": _lines(shown, at)} for at, step in enumerate(steps)],
        "opened": {str(slot): value for slot, value in sorted(hidden.items()) if slot >= 0},
        "names": guest.page_names(shown.terms),
        "words": {key: str(said) for key, said in pages.WORDS.items()},
        "results": results,
        "problems": problems,
    }
    about += [pages.TERMS(guest.match_of(shown.terms)), pages.RULES(f"{agreement.game} {agreement.game_version}")]
    about += [
        pages.KEY(name, wording.fingerprint(one.identity)) for name, one in zip(players, agreement.players, strict=True)
    ]
    if (event := agreement.conditions.event) is not None:
        about.append(pages.EVENT(event.event.hex()[:8], event.round, event.table, event.game))
    title = verdicts.players([(name, guest.seat_word(side)) for side, name in zip(guest.sides, players, strict=True)])
    said = steps[-1].lines if steps else ()
    chart, costly = ((), ()) if analysis is None else _judged(shown, analysis, seats)
    chat = [(names[seat], clean(text)) for _, seat, text in chat_of(records)]
    return Story(title, boards, told, said, about, chat, chart, costly)


def dump_boards(transcript: Transcript, boards: list[str], length: int) -> None:
    """Add to the public states behind the first envelopes those of the next ones, up to a number."""
    if len(boards) < length:
        # It is the one before the next envelope's first step.
        states = {step.seq - 1: step.before.state for step in reversed(transcript.history)}
        states[transcript.length] = transcript.position.state
        boards += (transcript.game.dump(states[number]).decode() for number in range(len(boards) + 1, length + 1))


def _lines(shown: Replay, at: int) -> dict[str, list[str]]:
    """Return the sentences of a step for the public, and for each view that says something else."""
    public = list(shown.steps[PUBLIC][at].lines)
    others = {view: list(shown.steps[view][at].lines) for view in shown.views if view != PUBLIC}
    return {PUBLIC: public, **{view: lines for view, lines in others.items() if lines != public}}


def _view_name(view: str, of: Sequence[int], guest: AnyConsole) -> str:
    if view in (PUBLIC, ALL):
        return str(pages.PUBLIC if view == PUBLIC else pages.ALL)
    return fill(analyses.VIEW_OF, side=guest.side_name(guest.sides[of[0]]))


def _judged(shown: Replay, analysis: Analysis, seats: Sequence[str]) -> tuple[list[tuple[float, float]], list[str]]:
    """Return the chances of the first seat along the steps, and the costliest decisions."""
    numbers = [step.seq for step in shown.steps[PUBLIC]]
    last = max(1, len(numbers) - 1)
    chart = []
    for point in analysis.points:
        own, other = point.chances
        chance = own if own is not None else None if other is None else 1 - other
        if chance is not None:
            chart.append((sum(number <= point.seq for number in numbers[1:]) / last, chance))
    return chart, [
        "\n".join(told) for told in tell_decisions(shown.guest, shown.terms, analysis.worst(analysis.seats), seats)
    ]
