"""``storm-p2p analyse``: how the chances went in a match, and which decisions lost most of them."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from cli.app.replay import OpenedLog, open_log, players_of, view_named
from cli.clean import clean
from cli.console.render.replay import analysis_lines
from cli.console.replay import ALL, SEED, SIMULATIONS, Analysis, Judged, Point, views_of
from cli.runtime import terminal
from cli.runtime.console import Exit, UsageError, result, say, told
from cli.storage.home import Home, load_preferences
from cli.text import analyses, verdicts

TOLD = 4
"""In so many parts the progress is told to a person who reads lines."""


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    found = open_log(home, options.file, "analyse")
    adviser = found.game.console.adviser
    if adviser is None:
        raise UsageError(str(analyses.NO_ANALYSIS))
    view = view_named(found, options.view or found.own or ALL)
    seats = views_of(found.game.console)[view]
    if not any(seat in found.transcript.seeds for seat in seats):
        raise UsageError(str(analyses.NOT_OPENED))
    simulations = SIMULATIONS if options.simulations is None else options.simulations
    seed = SEED if options.seed is None else options.seed
    notices = [*found.notices, *found.never_opened(seats)]
    if not (options.text or options.json) and terminal.why_plain() is None:
        from cli.app import replay

        chosen = load_preferences(home.folder, options.signs)
        return replay.show(found, view, " ".join(notices), chosen, simulations=simulations, seed=seed, charted=True)
    say(*notices)
    steps = adviser().analyse(found.transcript, seats, simulations, seed)
    analysis = last(steps, quiet=not terminal.is_terminal(sys.stderr))
    if options.json:
        answer = facts(found, analysis)
        result(json.dumps({**answer, "simulations": simulations, "seed": seed}))
        return Exit.FINE
    players = players_of(found.transcript)
    result(verdicts.match(found.transcript.agreement.match_id.hex(), players))
    called = {seat: name for name, seat in players}
    guilty = found.convicted is not None
    terms = found.game.read_terms(found.transcript.agreement.terms)
    for line in analysis_lines(found.game.console, terms, analysis, analysis.seats, called, guilty=guilty):
        told(line)
    return Exit.FINE


def last(steps: Iterator[Analysis], *, quiet: bool) -> Analysis:
    """Return the complete analysis, and tell a person how far it is."""
    shown = 0
    for analysis in steps:
        part = TOLD * analysis.done // max(1, analysis.total)
        if part > shown and not quiet:
            say(analyses.progress_told(analysis.done, analysis.total))
        shown = part
    return analysis


def facts(found: OpenedLog, analysis: Analysis) -> dict[str, object]:
    """Return the analysis as programs read it (docs/cli.md, "Analysis")."""
    called, names = found.called, [clean(name) for name, _ in players_of(found.transcript)]

    def by_side(values: tuple[object, ...]) -> dict[str, object]:
        return dict(zip(called, values, strict=True))

    def point(one: Point) -> dict[str, object]:
        stocks = zip(found.game.console.stocks, map(by_side, one.stocks), strict=True)
        return {"seq": one.seq, "turn": one.turn, "chance": by_side(tuple(map(_rounded, one.chances))), **dict(stocks)}

    def decision(one: Judged) -> dict[str, object]:
        better = {
            "action": one.better.action,
            "chance": _rounded(one.better.chance),
            "reasons": [_reason(fact, found.game.console.reason(fact, names)) for fact in one.better.reasons],
        }
        return {
            "seq": one.seq,
            "turn": one.turn,
            "seat": called[one.seat],
            "action": one.played,
            "chance": _rounded(one.chance),
            "loss": _rounded(one.loss),
            "better": better,
        }

    return {
        "file": str(found.file),
        "match": found.transcript.agreement.match_id.hex(),
        "judged": [called[seat] for seat in analysis.seats],
        "curve": [point(one) for one in analysis.points],
        "decisions": [decision(one) for one in analysis.worst(analysis.seats)],
        "end": None if analysis.end is None else analysis.end._asdict(),
    }


def _rounded(chance: float | None) -> float | None:
    return None if chance is None else round(chance, 4)


def _reason(fact: Any, sentence: str) -> Mapping[str, object]:
    fields = {key: _plain(value) for key, value in fact._asdict().items()}
    return {"reason": type(fact).__name__.lower(), **fields, "text": sentence}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value.name.lower() if isinstance(value, Enum) else _rounded(value) if isinstance(value, float) else value
