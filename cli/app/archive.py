"""``storm-p2p archive``: check many logs on several cores or machines, and count what they show."""

from __future__ import annotations

import json
import random
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

from cli import __version__
from cli.app import games as played
from cli.runtime import library
from cli.runtime.console import Exit, UsageError, result, say
from cli.text import archives as words
from cli.text import commands as told
from protocol.archive.cluster import ClusterEngine
from protocol.archive.engines import Engine, PoolEngine, SerialEngine, Work, WorkerError, verify_chunk
from protocol.archive.parts import Parts, PartsError
from protocol.archive.row import FIRST_STATES
from protocol.archive.run import Lie, Run, Summary
from protocol.archive.sources import read_sources
from protocol.archive.stats import Placing, Stats, survey_rows
from storm_p2p import games

WORK: Final[Work] = partial(verify_chunk, games=games.find)
"""What workers do: other processes find it by these names."""

LEAST: Final = 5
"""How many matches go at least through each state of the tree."""

_PAUSES: Final = {True: 0.2, False: 10.0}
"""After how many seconds the next progress is told at a terminal, and elsewhere."""


def main(options: Namespace) -> Exit:
    """Run the command."""
    if options.what not in ("verify", "stats"):
        raise UsageError(*told.commands("archive", options.what))
    try:
        return _verify(options) if options.what == "verify" else _stats(options)
    except PartsError as error:
        raise UsageError(words.unusable(error)) from error
    except WorkerError as error:
        raise UsageError(words.no_engine(error)) from error


def _verify(options: Namespace) -> Exit:
    if not options.sources or options.out is None:
        raise UsageError(str(words.VERIFY))
    if options.scheduler is not None and options.workers is not None:
        raise UsageError(str(words.WORKERS_OR_SCHEDULER))
    useless = library.problem()
    if useless is not None:
        raise UsageError(useless)
    parts = Parts(options.out, _verifier())
    try:
        engine = _engine(options)
        try:
            return _run(options, parts, engine)
        finally:
            engine.close()
    except KeyboardInterrupt:
        say(str(words.STOPPED))
        return Exit.INTERRUPTED
    finally:
        parts.close()


def _engine(options: Namespace) -> Engine:
    if options.scheduler is not None:
        return ClusterEngine(options.scheduler, options.certificate, WORK)
    return PoolEngine(options.workers, WORK) if (options.workers or 1) > 1 else SerialEngine(WORK)


def _verifier() -> str:
    """Return which program with which rules verifies here."""
    rules = (make().version for makers in games.GAMES.values() for make in makers)
    return " ".join(["storm-p2p", __version__, *rules])


def _run(options: Namespace, parts: Parts, engine: Engine) -> Exit:
    tell, end = _progress()
    run = Run(
        parts, engine, WORK, sample=options.sample / 100, chance=random.SystemRandom(), tell=tell
    )  # fmt: skip
    try:
        found = run.take(lambda: read_sources(options.sources, options.out))
    except Lie as lie:
        end()
        say(words.lie(lie))
        return Exit.NO
    end()
    if options.json:
        result(json.dumps(_facts(found)))
    else:
        for line in words.summary(found):
            result(line)
    if any(one.code != "foreign" for one in found.unread):
        return Exit.USAGE
    return Exit.NO if found.bad else Exit.FINE


def _facts(found: Summary) -> dict[str, Any]:
    return {
        "verified": found.verified,
        "earlier": found.earlier,
        "twice": found.twice,
        "bad": found.bad,
        "problems": [{"file": name, "codes": list(codes)} for name, codes in found.named],
        "left_out": found.left_out,
        "unread": [{"file": one.name, "code": one.code} for one in found.unread],
        "disputed": [match.hex() for match in found.disputed],
        "manifest": found.manifest,
    }


def _progress() -> tuple[Callable[[Summary], None], Callable[[], None]]:
    """Return what tells how far a run is, now and then, and what ends that."""
    terminal = sys.stderr is not None and sys.stderr.isatty()
    last = time.monotonic()
    shown = 0

    def tell(summary: Summary) -> None:
        nonlocal last, shown
        if time.monotonic() - last >= _PAUSES[terminal]:
            last = time.monotonic()
            text = words.progress(summary)
            if terminal:
                print(f"\r{text.ljust(shown)}", end="", file=sys.stderr, flush=True)
                shown = len(text)
            else:
                say(text)

    def end() -> None:
        if shown:
            print(f"\r{' ' * shown}\r", end="", file=sys.stderr, flush=True)

    return tell, end


def _stats(options: Namespace) -> Exit:
    if len(options.sources) != 1:
        raise UsageError(str(words.STATS))
    folder: Path = options.sources[0]
    if not folder.is_dir():
        raise UsageError(words.no_archive(str(folder)))
    _settle(folder)
    found = survey_rows(folder, depth=FIRST_STATES // 2, least=LEAST)
    if options.json:
        result(json.dumps(_stats_facts(found)))
    else:
        for line in words.stats(found, _terms, _placing):
            result(line)
    return Exit.FINE


def _settle(folder: Path) -> None:
    """Say of each row how it counts, if a run was stopped before it could."""
    if not Parts.is_settled(folder):
        parts = Parts(folder, _verifier())
        try:
            parts.settle()
            parts.write_manifest()
        finally:
            parts.close()


def _stats_facts(found: Stats) -> dict[str, Any]:
    return {
        "logs": {standing.value: number for standing, number in sorted(found.logs.items())},
        "groups": [{**asdict(one), "terms": json.loads(one.terms)} for one in found.groups],
        "placings": [{**asdict(one), **dict(zip(("what", "where"), _placing(one), strict=True))}
                     for one in found.placings],
        "openings": [{**asdict(one), "path": [state.hex() for state in one.path]} for one in found.openings],
    }  # fmt: skip


def _placing(one: Placing) -> tuple[str, str]:
    try:
        return played.find(one.game).name_placing(one.what, one.where)
    except (KeyError, ValueError):
        return str(one.what), str(one.where)


def _terms(game: str, terms: str) -> str:
    """Return the terms of matches in words."""

    def tuples(value: Any) -> Any:
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    try:
        there = played.find(game)
        return there.console.terms_of(there.read_terms(tuples(json.loads(terms))))
    except (KeyError, ValueError):
        return terms
