"""``storm-p2p archive``: check many logs on several cores or machines, count what they show, check what others made."""

import json
import math
import os
import random
import re
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from cli import __version__
from cli.app import games
from cli.runtime import console
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage.home import Home, add_checked, load_checked
from cli.text import archives, commands
from protocol.archive.cluster import ClusterEngine
from protocol.archive.engines import Engine, PoolEngine, SerialEngine, Work, WorkerError, verify_chunk
from protocol.archive.parts import Parts, PartsError, Reader, hash_manifest
from protocol.archive.row import FIRST_STATES, NAMES
from protocol.archive.run import Lie, Run, Summary, judge_again
from protocol.archive.sources import read_sources
from protocol.archive.stats import Placing, Score, Stats, survey_rows
from storm_p2p import games as rules

WORK: Final[Work] = partial(verify_chunk, games=rules.find)
"""What workers do: other processes find it by these names."""

SAMPLE: Final = 1.0
"""How many percent of the workers' answers are checked again, unless a person says something else."""

LEAST: Final = 5
"""How many matches go at least through each state of the tree."""

_DEPTH: Final = 100
"""How deep the terms of an archive may nest; Python does not read any depth."""

_PAUSES: Final = {True: 0.2, False: 10.0}
"""After how many seconds the next progress is told at a terminal, and elsewhere."""


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    command = {"verify": _verify, "check": _check, "stats": _stats}.get(options.what)
    if command is None:
        raise UsageError(*commands.commands("archive", options.what))
    try:
        return command(home, options)
    except PartsError as error:
        raise UsageError(*archives.unusable(error)) from error
    except WorkerError as error:
        raise UsageError(archives.no_engine(error)) from error


def _verify(home: Home, options: Namespace) -> Exit:
    if not options.sources or options.out is None:
        raise UsageError(*commands.commands("archive", None))
    if options.scheduler is not None and options.workers is not None:
        raise UsageError(str(archives.WORKERS_OR_SCHEDULER))
    console.check_library()
    parts = Parts(options.out, _verifier())
    try:
        engine = _engine(options)
        try:
            return _run(home, options, parts, engine)
        finally:
            engine.close()
    except KeyboardInterrupt:
        say(str(archives.STOPPED))
        return Exit.INTERRUPTED
    finally:
        parts.close()


def _engine(options: Namespace) -> Engine:
    if options.scheduler is not None:
        return ClusterEngine(options.scheduler, options.certificate, WORK)
    return PoolEngine(options.workers, WORK) if (options.workers or 1) > 1 else SerialEngine(WORK)


def _verifier() -> str:
    """Return which program with which rules verifies here."""
    versions = (make().version for makers in rules.GAMES.values() for make in makers)
    return " ".join(["storm-p2p", __version__, *versions])


def _run(home: Home, options: Namespace, parts: Parts, engine: Engine) -> Exit:
    tell, end = _progress()
    sample = (SAMPLE if options.sample is None else options.sample) / 100
    run = Run(parts, engine, WORK, sample=sample, chance=random.SystemRandom(), tell=tell)
    try:
        found = run.take(lambda: read_sources(options.sources, options.out))
    except Lie as lie:
        end()
        say(archives.lie(lie))
        return Exit.NO
    end()
    add_checked(home, _verifier(), hash_manifest(found.manifest))
    if options.json:
        result(json.dumps(_facts(found)))
    else:
        result(*archives.summary(found))
    if any(one.code != "foreign" for one in found.unread):
        return Exit.USAGE
    return Exit.NO if found.bad else Exit.FINE


def _facts(found: Summary) -> dict[str, object]:
    return {
        "verified": found.verified,
        "earlier": found.earlier,
        "twice": found.twice,
        "bad": found.bad,
        "problems": [{"file": name, "codes": list(codes)} for name, codes in found.named],
        "skipped": found.skipped,
        "skips": [{"file": name, "code": code} for name, code in found.skips],
        "left_out": found.left_out,
        "unread": [{"file": one.name, "code": one.code} for one in found.unread],
        "disputed": [match.hex() for match in found.disputed],
        "faults": _faults(found.faults),
        "manifest": found.manifest,
    }


def _faults(faults: Iterable[PartsError]) -> list[dict[str, str]]:
    return [{"file": one.name, "code": one.code} for one in faults]


def _progress() -> tuple[Callable[[Summary], None], Callable[[], None]]:
    """Return what tells how far a run is, now and then, and what ends that."""
    terminal = sys.stderr is not None and sys.stderr.isatty()
    last = time.monotonic()
    shown = 0

    def tell(summary: Summary) -> None:
        nonlocal last, shown
        if time.monotonic() - last >= _PAUSES[terminal]:
            last = time.monotonic()
            text = archives.progress(summary.verified, summary.earlier, summary.bad)
            if terminal:
                print(f"\r{text.ljust(shown)}", end="", file=sys.stderr, flush=True)
                shown = len(text)
            else:
                say(text)

    def end() -> None:
        if shown:
            print(f"\r{' ' * shown}\r", end="", file=sys.stderr, flush=True)

    return tell, end


def _stats(home: Home, options: Namespace) -> Exit:
    if len(options.sources) != 1:
        raise UsageError(*commands.commands("archive", None))
    checked = load_checked(home, _verifier())
    found = survey_rows(_folder(options), depth=FIRST_STATES // 2, least=LEAST, checked=checked, is_dealt=_is_dealt)
    if found.manifest:
        add_checked(home, _verifier(), found.manifest)
    if options.json:
        result(json.dumps(_stats_facts(found)))
    else:
        result(*archives.stats(found, _title, _terms, _placing))
    return Exit.FINE


def _folder(options: Namespace) -> Path:
    folder: Path = options.sources[0]
    if not os.path.isdir(folder):
        raise UsageError(archives.no_archive(str(folder)))
    return folder


def _check(home: Home, options: Namespace) -> Exit:
    if not options.sources:
        raise UsageError(*commands.commands("archive", None))
    reader = Reader(_folder(options))
    sources: list[Path] = options.sources[1:]
    given = None
    if sources and not os.path.exists(sources[0]):
        given = str(sources.pop(0)).lower()
        if not re.fullmatch("[0-9a-f]{64}", given):
            raise UsageError(archives.no_root(given))
    if (options.sample is None) == bool(sources):
        raise UsageError(*commands.commands("archive", None))
    found = reader.check()
    if not found.faults:
        add_checked(home, _verifier(), found.manifest)
    chosen: set[bytes] = set()
    if sources and not found.faults:
        console.check_library()
        number = math.ceil(options.sample / 100 * len(found.logs))
        chosen = set(random.SystemRandom().sample(found.logs, number))
    # Most rows are not chosen, and the files hold all of them.
    rows = (row for row in reader.rows() if row.log in chosen) if chosen else ()
    judged = list(judge_again(rows, read_sources(sources), WORK))
    lies = [one for one in judged if isinstance(one, Lie)]
    absent = sorted(chosen.difference((one.true if isinstance(one, Lie) else one).log for one in judged))
    holds = not found.faults and not lies and given in (None, found.root)
    if options.json:
        facts = {
            "holds": holds,
            "logs": len(found.logs),
            "root": found.root,
            "given": given,
            "faults": _faults(found.faults),
            "judged": len(judged),
            "absent": [log.hex() for log in absent],
            "differ": [{"file": one.name, "log": one.true.log.hex(), "columns": _differing(one)} for one in lies],
        }
        result(json.dumps(facts))
    else:
        result(*archives.checked(found, given, len(judged), [(one.name, _differing(one)) for one in lies], absent))
    return Exit.NO if not holds else Exit.USAGE if absent else Exit.FINE


def _differing(lie: Lie) -> list[str]:
    return [name for name in NAMES if getattr(lie.said, name, None) != getattr(lie.true, name)]


def _stats_facts(found: Stats) -> dict[str, object]:
    return {
        "logs": {standing.value: number for standing, number in sorted(found.logs.items())},
        "groups": [{**asdict(one), "terms": _load_terms(one.terms)} for one in found.groups],
        "variants": [{"terms": _load_terms(one.what), **_score(one)} for one in found.variants],
        "events": [{"event": one.what, **_score(one)} for one in found.events],
        "players": [{"key": one.what, "name": one.name, **_score(one)} for one in found.players],
        "placings": [
            {**asdict(one), **dict(zip(("what", "where"), _placing(one), strict=True))} for one in found.placings
        ],
        "openings": [{**asdict(one), "path": [state.hex() for state in one.path]} for one in found.openings],
    }


def _score(one: Score) -> dict[str, object]:
    return {name: getattr(one, name) for name in ("game", "matches", "wins", "low", "high")}


def _placing(one: Placing) -> tuple[str, str]:
    try:
        return games.find(one.game).name_placing(one.what, one.where)
    except (KeyError, ValueError):
        return str(one.what), str(one.where)


def _title(game: str) -> str:
    return str(games.find(game).console.title) if game in games.NAMES else game


def _terms(game: str, terms: str) -> str:
    """Return the terms of matches in words."""
    return games.name_terms(game, _tuples(_load_terms(terms))) or terms


def _is_dealt(game: str, terms: str) -> bool:
    """Return whether nobody has chosen the setups of matches; what is not known here counts as chosen."""
    try:
        return games.find(game).deals(_tuples(_load_terms(terms)))
    except (KeyError, ValueError):
        return False


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _load_terms(terms: str) -> object:
    """Return the terms of matches as they stand in JSON, or the text that somebody's archive has instead."""
    depths = accumulate((one in "[{") - (one in "]}") for one in terms)
    try:
        return json.loads(terms) if max(depths, default=0) < _DEPTH else terms
    except ValueError:
        return terms
