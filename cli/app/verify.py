"""``storm-p2p verify``: check signed logs; nothing but the files is needed."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from cli import language
from cli.app import games
from cli.runtime import console
from cli.runtime.console import Exit, UsageError, result
from cli.storage.home import Home, find_log
from cli.text import clocks, commands, failures, verdicts
from protocol.core.clock import ClockTerms
from protocol.core.frames import unpack_frame
from protocol.core.messages import FalseBatch
from protocol.errors import WireError
from protocol.game import Game, Games, MissingRules
from protocol.record import logfile
from protocol.record.logfile import LogError
from protocol.system.files import walk
from storm_p2p import games as rules

if TYPE_CHECKING:
    from protocol.core.transcript import Transcript
    from protocol.record.judging import Facts

Judge: TypeAlias = "Callable[[Sequence[bytes], Games], list[Facts]]"
"""What says what log files prove: one of the two implementations."""

_PAGE_SUFFIXES: Final = (".html", ".htm")
"""Of a page with a log in it, in small or capital letters."""
_GROWING: Final = (".live", *_PAGE_SUFFIXES)
"""Of what is published of a match that goes on."""
_CHUNKS: Final = 4
"""How many chunks each process gets, so that none waits long for the last one."""
_MOST: Final = 61
"""Windows cannot wait for more processes at once."""


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    if not options.files:
        raise UsageError(str(commands.VERIFY))
    if not options.independent:
        console.check_library()
    files = [file for name in options.files for file in _files(home, name)]
    answers = _check(files, options.jobs, independent=options.independent)
    if options.json:
        result(json.dumps(answers, indent=1))
    else:
        for answer in answers:
            console.told(verdicts.words(answer))
        if options.independent:
            console.told(str(verdicts.BY_SECOND))
    if any(answer["messages"] is None for answer in answers):
        return Exit.USAGE
    # A cheat, damage, a disagreement, or rules that are not here.
    if any(answer["problems"] for answer in answers):
        return Exit.NO
    ended = [answer for answer in answers if answer["result"]["winner"] is not None]
    return Exit.FINE if all(answer["confirmed"] for answer in ended) else Exit.UNCONFIRMED


def _files(home: Home, named: str) -> Sequence[Path]:
    """Return the log that is meant, or of a folder all logs and pages in it and below.

    Raises:
        UsageError: there is none.
    """
    folder = Path(named)
    if os.path.isdir(folder):
        # Of a folder that cannot be listed is said what is said of a log that cannot be read.
        found = sorted(path for path, error in walk(folder) if error is not None or _is_checked(path))
        if not found:
            raise UsageError(commands.no_logs_in(folder))
        return found
    file = find_log(home, named)
    if file is None:
        raise UsageError(f"{commands.log_wanted('verify')} {commands.NO_LOGS}")
    return [file]


def _judge_of(independent: bool) -> Judge:
    # Each is imported only where it is asked for: the second needs none of the libraries of the first.
    if independent:
        from protocol.independent.judging import judge as by_hand

        return by_hand
    from protocol.record.judging import judge

    return judge


def _check(paths: Sequence[Path], jobs: int, *, independent: bool) -> list[Facts]:
    """Return the answers for files, worked out by so many processes."""
    chunks = divide(paths, jobs * _CHUNKS) if jobs > 1 else []
    if len(chunks) < 2:
        return check_all(paths, _judge_of(independent))
    # Not loaded for the one log that is checked mostly.
    from protocol.archive.engines import PoolEngine

    answers: dict[int, Facts] = {}
    work = partial(check_chunk, independent=independent, speech=language.current())
    engine = PoolEngine(min(jobs, len(chunks), _MOST), work)
    try:
        for number, chunk in enumerate(chunks):
            engine.submit(number, [os.fsencode(paths[place]) for place in chunk])
        for _ in chunks:
            number, packed = engine.collect()
            chunk = chunks[number]
            if packed is None:
                # A process that died must not take an answer away; here its files end as without it.
                found = check_all([paths[place] for place in chunk], _judge_of(independent))
            else:
                found = list(map(json.loads, packed))
            answers.update(zip(chunk, found, strict=True))
    finally:
        engine.close()
    return [answers[place] for place in range(len(paths))]


def divide(paths: Sequence[Path], count: int) -> list[list[int]]:
    """Return the places of files in about so many chunks; the logs of one match are in one.

    Two logs of one match begin with the same two hellos: its number is made of them, and not of the macs beside them,
    which whoever exports a log could change.
    """
    alike: dict[object, list[int]] = {}
    for place, path in enumerate(paths):
        hellos: object = place
        with suppress(LogError, WireError):
            hellos = tuple(unpack_frame(one.frame)[1][:1] for one in logfile.load(_read(path)).records[:2])
        alike.setdefault(hellos or place, []).append(place)
    chunks: list[list[int]] = [[]]
    for places in alike.values():
        if len(chunks[-1]) * count >= len(paths):
            chunks.append([])
        chunks[-1] += places
    return chunks


def check_chunk(paths: Sequence[bytes], *, independent: bool, speech: str) -> list[bytes]:
    """Return the answers of :func:`check_all` as JSON; it runs in a process of its own, which speaks a language."""
    language.choose(speech)
    answers = check_all([Path(os.fsdecode(path)) for path in paths], _judge_of(independent))
    return [json.dumps(answer).encode() for answer in answers]


def check_all(paths: Sequence[Path], judge: Judge) -> list[Facts]:
    """Return what files prove by an implementation, those of one match together, in the form of ``--json``."""
    data: list[bytes] = []
    unread: dict[Path, LogError] = {}
    for path in paths:
        try:
            data.append(_read(path))
        except LogError as error:
            unread[path] = error
            data.append(b"")
    answers = _judge(paths, data, unread, judge)
    for path, answer in zip(paths, answers, strict=True):
        if _is_page(path) and path not in unread:
            from cli.app import webpage

            # The words of the first implementation stand in a page, whichever checks it.
            code = webpage.problem_of(path, partial(judge_alone, path))
            if code is not None:
                problem = {"code": code, "seq": None, "seat": None, "text": verdicts.what(code, None)}
                answer["problems"] = [*answer["problems"], problem]
    return answers


def _is_checked(path: Path) -> bool:
    """Return whether a file of a folder is a log, or a page with one; other pages lie in folders, too."""
    if not _is_page(path):
        return path.suffix == logfile.SUFFIX
    from cli.app import webpage

    return webpage.is_page(path)


def _is_page(path: Path) -> bool:
    return path.suffix.lower() in _PAGE_SUFFIXES


def _read(path: Path) -> bytes:
    """Return the bytes of a log, or of the one in a page.

    Raises:
        LogError: there is none.
    """
    if not _is_page(path):
        return logfile.read(path)
    # Few logs are pages.
    from cli.app import webpage

    return webpage.read_page(path)[1]


def judge_alone(path: Path, data: bytes, transcript: Transcript | None = None) -> Facts:
    """Return what one log proves by itself; ``transcript`` has verified all of its messages, if there is one."""
    from protocol.record.judging import judge_held

    judge = _judge_of(independent=False) if transcript is None else partial(judge_held, transcript)
    return _judge([path], [data], {}, judge)[0]


def _judge(paths: Sequence[Path], data: Sequence[bytes], unread: Mapping[Path, LogError], judge: Judge) -> list[Facts]:
    missing: dict[str, MissingRules] = {}
    named: dict[str, str] = {}

    def find(name: str, version: str) -> Game[Any]:
        named[version] = name
        try:
            return rules.find(name, version)
        except MissingRules as error:
            missing[version] = error
            raise

    answers = judge(data, find)
    for number, path in enumerate(paths):
        if path in unread:
            answers[number] |= _unread(path, unread[path])
    return [_answer(path, facts, answers, paths, named, missing) for path, facts in zip(paths, answers, strict=True)]


def _verdict(facts: Facts) -> str | None:
    """Return the one of the three verdicts on a file; None where nothing of the match could be looked at."""
    if facts["convicted"]:
        return "convicted"
    if facts["messages"] is None or {problem["code"] for problem in facts["problems"]} == {"rules_version"}:
        return None
    return "verified" if facts["ok"] else "damaged"


def _unread(path: Path, error: LogError) -> Facts:
    """Return what is said of a file that cannot be read, or only in part."""
    problem = {"code": error.code, "seq": None, "seat": None, "text": commands.log_problem(error, str(path))}
    return {"problems": [problem], "messages": 0 if error.code == "too-long" else None}


def _answer(
    path: Path,
    facts: Facts,
    all_facts: Sequence[Facts],
    paths: Sequence[Path],
    named: dict[str, str],
    missing: dict[str, MissingRules],
) -> Facts:
    """Return what a file proves with what people read."""
    match, clock = facts["match"], facts["clock"]
    # Other rules of a game that is here: only the names of its seats are known.
    unknown = missing.get(facts["rules"])
    sides = rules.find_newest(unknown.name).sides if unknown is not None and unknown.here else ()
    seats = {str(seat): word for seat, word in enumerate(sides)}
    # A log without its end; a file with another name is one that was cut.
    goes_on = path.suffix.lower() in _GROWING and {problem["code"] for problem in facts["problems"]} == {"cut"}
    merged = [str(other) for other, one in zip(paths, all_facts, strict=True) if one["match"] == match]

    def worded(problem: Facts) -> Facts:
        text = problem.get("text") or verdicts.what(problem["code"], problem["seat"])
        if "batch" in problem:
            console = games.find(named[facts["rules"]]).console
            text = console.false_batch(FalseBatch(**problem["batch"])) or verdicts.how(problem["code"])
        elif facts["result"]["reason"] == "unreadable" and problem["code"] != "unreadable":
            text = failures.log_sentence("cut-feed" if goes_on else problem["code"], text)
        elif problem["code"] == "rules_version":
            text = failures.no_rules(missing[facts["rules"]])
        return {**problem, "text": text}

    return {
        "file": str(path),
        "merged": [str(path)] if match is None else merged,
        "verdict": None if goes_on else _verdict(facts),
        **facts,
        "players": [{**one, "seat": seats.get(one["seat"], one["seat"])} for one in facts["players"]],
        "problems": [worded(one) for one in facts["problems"]],
        "remarks": [worded(one) for one in facts["remarks"]],
        "clock": None
        if clock is None
        else {
            "text": clocks.terms(ClockTerms.of(tuple(clock["terms"]))),
            **{key: value for key, value in clock.items() if key != "terms"},
        },
    }
