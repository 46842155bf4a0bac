"""What is said of archives of logs: a run over them, and what they show together."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from cli.clean import clean
from cli.text import wording
from cli.text.commands import there_already, to_install
from cli.text.matches import reason
from cli.text.wording import Lazy, Sentence, _, count, fill, lazy
from protocol.archive.engines import WorkerError
from protocol.archive.parts import Checked, PartsError, Standing
from protocol.archive.run import Lie, Summary
from protocol.archive.stats import Group, Placing, Score, Stats

WORKERS_OR_SCHEDULER: Final = lazy(
    "Use either --workers (processes on this machine) or --scheduler (a cluster), not both."
)
STOPPED: Final = lazy("Stopped. Everything done so far is kept; run the same command again to continue.")

no_archive = Sentence[str](
    "{folder} is not the folder of an archive. storm-p2p archive verify SOURCE... --out DIR makes one."
)

no_root = Sentence[str]("{root} is not a root (64 hexadecimal digits), and there is no file or folder of that name.")

_UNUSABLE: Final[dict[str, Lazy]] = {
    "missing": lazy("This needs the library {name}, which is not installed. Install it with: {command}"),
    "in-use": lazy("Another run is using {name}. Wait for it to finish, or choose another folder."),
    "unwritable": lazy("storm-p2p cannot write to {name}. Choose another folder for --out, or free some space."),
    "empty": lazy("There are no results in {name} yet. Run storm-p2p archive verify SOURCE... --out {name} first."),
}
_FAULTS: Final[dict[str, Lazy]] = {
    "altered": lazy("{name} is damaged, or was changed after the archive was made."),
    "gone": lazy("{name} is missing, but the manifest names it."),
    "extra": lazy("{name} is not in the manifest: a run was stopped or is still going, or someone added the file."),
    "manifest": lazy("{name} does not match the rows of the archive; one or the other is damaged or was changed."),
    "unfinished": lazy("{name} is missing: a run was stopped before its end, or someone removed the file."),
}
_REPAIR: Final = lazy(
    "Nothing was counted. To repair the archive, or to finish an interrupted run: storm-p2p archive verify SOURCE... "
    "--out DIR"
)
_NO_ENGINE: Final[dict[str, Lazy]] = {
    "missing": _UNUSABLE["missing"],
    "insecure": lazy(
        "storm-p2p did not connect to {name}. Anyone who can reach a Dask program can run programs on it, so "
        "storm-p2p connects only to tls://HOST:PORT with --certificate, or to tcp://127.0.0.1:PORT on this machine."
    ),
    "certificate": lazy(
        "The certificate in {name} is unusable. storm-p2p needs a PEM file with your certificate, its key and the "
        "authority's certificate."
    ),
    "unreachable": lazy(
        "No scheduler answers at {name}. Check that dask scheduler is running there, and that both sides have "
        "certificates from the same authority."
    ),
    "no-workers": lazy("The scheduler at {name} has no workers. Start some with dask worker, then run this again."),
    "lost": lazy(
        "The connection to {name} was lost. Everything done so far is kept; run the same command again to continue."
    ),
    "worker-failed": lazy(
        "A worker failed ({name}). Check that the same version of storm-p2p is installed on every worker. Everything "
        "done so far is kept."
    ),
}
_UNREAD: Final[dict[str, Lazy]] = {
    "missing": lazy("{name}: there is no such file or folder"),
    "unreadable": lazy("{name}: cannot be read"),
    "too-long": lazy("{name}: too long for a log"),
    "encrypted": lazy("{name}: encrypted; unpack it first"),
    "compressed": lazy("{name}: a compressed log; unpack it first"),
    "bomb": lazy("{name}: unpacks to far more than its size allows; the rest of it was not read"),
    "cut": lazy("{name}: damaged or cut off; everything before that point was counted"),
}
_SKIPPED: Final[dict[str, Lazy]] = {
    "version": lazy("{name}: a log from before version 1.0.0, or from a newer program"),
    "rules_version": lazy("{name}: another game, or rules that this program does not have"),
}
_LISTED: Final = 10
"""How many files of a kind are named; --json names them all."""


def unusable(error: PartsError) -> tuple[str, ...]:
    """Return why the folder of an archive cannot be used, and what to do."""
    if error.code in _FAULTS:
        return fill(_FAULTS[error.code], name=clean(error.name)), str(_REPAIR)
    if error.code == "foreign":
        return (there_already(error.name),)
    return (fill(_UNUSABLE[error.code], name=clean(error.name), command=to_install("archive")),)


def _faults(faults: Sequence[PartsError]) -> Iterator[str]:
    yield from _some([fill(_FAULTS[one.code], name=clean(one.name)) for one in faults], len(faults))


def no_engine(error: WorkerError) -> str:
    """Return why nobody can check."""
    return fill(_NO_ENGINE[error.code], name=clean(error.detail, 200), command=to_install("cluster"))


def lie(found: Lie) -> str:
    """Return that a worker has said what is not so."""
    said = found.said
    told = _("nothing readable") if said is None else _facts(said.problems)
    sentence = lazy(
        "A worker gave a wrong answer about {name}: it said {told}, but this machine finds {true}. Nothing that the "
        "workers said in this run was kept ({dropped} logs). Check that every worker has the same version of "
        "storm-p2p and that you trust the people who run them, or check on this machine without --scheduler."
    )
    true = _facts(found.true.problems)
    if said is not None and told == true:
        told = _("something else about the match")
    return fill(sentence, name=clean(found.name), told=told, true=true, dropped=found.dropped)


def _facts(problems: tuple[str, ...]) -> str:
    return clean(", ".join(problems)) or _("nothing wrong")


progress = Sentence[int, int, int]("{verified} checked, {earlier} checked earlier, {bad} with problems")


def summary(found: Summary) -> Iterator[str]:
    """Yield what a run has come to."""
    yield count("{number} log checked.", "{number} logs checked.", found.verified)
    if found.earlier:
        yield count("{number} log was checked earlier.", "{number} logs were checked earlier.", found.earlier)
    if found.twice:
        yield count(
            "{number} file holds the same log as another one; the log counts once.",
            "{number} files hold the same log as another one; each log counts once.",
            found.twice,
        )
    if found.bad:
        yield count(
            "{number} log is damaged, names a cheat, or stops at a disagreement:",
            "{number} logs are damaged, name a cheat, or stop at a disagreement:",
            found.bad,
        )
        yield from _some([f"{clean(name)}: {clean(', '.join(codes))}" for name, codes in found.named], found.bad)
    if found.skipped:
        yield count(
            "{number} log was skipped, because this program cannot check it:",
            "{number} logs were skipped, because this program cannot check them:",
            found.skipped,
        )
        yield from _some([fill(_SKIPPED[code], name=clean(name)) for name, code in found.skips], found.skipped)
    known = [fill(_UNREAD[one.code], name=clean(one.name)) for one in found.unread if one.code in _UNREAD]
    if known:
        yield count(
            "{number} file could not be read to its end:", "{number} files could not be read to their end:", len(known)
        )
        yield from _some(known, len(known))
    foreign = [clean(one.name) for one in found.unread if one.code == "foreign"]
    if found.left_out > len(known):
        yield count(
            "{number} file is not a log and was left out:",
            "{number} files are not logs and were left out:",
            found.left_out - len(known),
        )
        yield from _some(foreign, found.left_out - len(known))
    if found.disputed:
        yield count(
            "The logs of {number} match prove different results; storm-p2p verify judges them together:",
            "The logs of {number} matches prove different results; storm-p2p verify judges them together:",
            len(found.disputed),
        )
        yield from _some([match.hex()[:16] for match in found.disputed], len(found.disputed))
    if found.faults:
        yield count(
            "{number} file of the archive was damaged, changed or missing. The results that depend on it were "
            "discarded, and their logs were checked again where the sources have them:",
            "{number} files of the archive were damaged, changed or missing. The results that depend on them were "
            "discarded, and their logs were checked again where the sources have them:",
            len(found.faults),
        )
        yield from _faults(found.faults)
    yield _holds(found.manifest["logs"], found.manifest["root"])


_holds = Sentence[int, str](
    "The archive holds {number} log. Its root is {root}.", "The archive holds {number} logs. Its root is {root}."
)


def checked(
    found: Checked,
    given: str | None,
    judged: int,
    differing: Sequence[tuple[str, Sequence[str]]],
    absent: Sequence[bytes],
) -> Iterator[str]:
    """Yield what an archive that somebody made is worth.

    Args:
        found: what its files are.
        given: the root that it should have, if that is known.
        judged: how many of its logs were judged again.
        differing: which of them the archive does not say the truth about, and in which columns.
        absent: the hashes of the logs that were to be judged again, and were not found.
    """
    if found.faults:
        yield count(
            "{number} problem with the files of this archive:",
            "{number} problems with the files of this archive:",
            len(found.faults),
        )
        yield from _faults(found.faults)
        return
    yield _("The files of the archive match its manifest, and its rows match its root.")
    yield _holds(len(found.logs), found.root)
    if given is None:
        yield _(
            "Someone who changes the whole archive can give it a new root. Compare this root with one from a "
            "person you trust."
        )
    elif given == found.root:
        yield _("That is the root you gave.")
    else:
        yield fill("That is NOT the root you gave, {root}: this archive has other logs or other results.", root=given)
    if judged:
        yield count("{number} log was checked again.", "{number} logs were checked again.", judged)
    if differing:
        yield count(
            "{number} row does NOT say what its log proves. These columns differ:",
            "{number} rows do NOT say what their logs prove. These columns differ:",
            len(differing),
        )
        yield from _some([f"{clean(name)}: {', '.join(columns)}" for name, columns in differing], len(differing))
    if absent:
        yield count(
            "{number} log to check again was not found in the sources. Its SHA-256:",
            "{number} logs to check again were not found in the sources. Their SHA-256:",
            len(absent),
        )
        yield from _some([log.hex() for log in absent], len(absent))


def _some(lines: list[str], number: int) -> Iterator[str]:
    yield from (f"  {line}" for line in wording.capped(lines, _LISTED, number))


# -- statistics -----------------------------------------------------------------------------------------------


def stats(
    found: Stats,
    title: Callable[[str], str],
    terms: Callable[[str, str], str],
    placing: Callable[[Placing], tuple[str, str]],
) -> Iterator[str]:
    """Yield what an archive shows.

    Args:
        found: the numbers.
        title: says what a game is called.
        terms: says the terms of a game in words.
        placing: says what was placed where in words.
    """
    counted = found.logs.get(Standing.COUNTS, 0)
    yield count("{number} match counts.", "{number} matches count.", counted)
    yield from _left_out(found)
    if not counted:
        return
    yield from _section(_("Results"), _results(found, terms))
    said = [clean(terms(one.game, one.what)) for one in found.variants]
    title_of = _("Variants: each side's wins, with a 95 % interval for the first")
    yield from _section(title_of, _scores(found.variants, said))
    title_of = _("Tournaments: each side's wins, with a 95 % interval for the first")
    yield from _section(title_of, _scores(found.events, [one.what[:8] for one in found.events]))
    several = len({one.game for one in found.players}) > 1
    said = [
        f"{clean(one.name)} ({one.what[:8]})" + (f", {clean(title(one.game))}" if several else "")
        for one in found.players
    ]
    players = _scores(found.players, said, of_players=True)
    yield from _section(_("Players: wins, with a 95 % interval, and losses"), players)
    yield from _section(_("Setups that win most, with 95 % intervals"), _setups(found, placing))
    title_of = _("First messages, by the hash of the position they lead to, with the matches and each side's wins")
    yield from _section(title_of, _openings(found))


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    """Yield lines below their title; nothing where there are none."""
    told = list(lines)
    yield from ["", title, *told] if told else ()


_STANDINGS: Final = lazy(
    {
        Standing.BAD: "logs that do not verify, or that this program cannot check: {number}",
        Standing.OPEN: "logs of unfinished matches: {number}",
        Standing.UNPROVEN: "logs with an unconfirmed or unaudited result: {number}",
        Standing.AGAIN: "second logs of a match: {number}",
        Standing.DISPUTED: "logs that contradict each other: {number}",
    }
)


def _left_out(found: Stats) -> Iterator[str]:
    for standing, template in _STANDINGS.items():
        if standing in found.logs:
            yield "  " + fill(template, number=found.logs[standing])


def _results(found: Stats, terms: Callable[[str, str], str]) -> Iterator[str]:
    kinds: dict[tuple[str, str, str], list[Group]] = {}
    for group in found.groups:
        kinds.setdefault((group.game, group.scheme, group.terms), []).append(group)
    for (game, scheme, said), groups in kinds.items():
        total = sum(group.matches for group in groups)
        mean = sum(group.mean * group.matches for group in groups) / total
        yield "  " + count(
            "{terms}, {scheme}: {number} match",
            "{terms}, {scheme}: {number} matches",
            total,
            terms=clean(terms(game, said)),
            scheme=clean(scheme),
        )
        for group in sorted(groups, key=lambda one: -one.matches):
            won = wording.log_word("draw") if group.winner == "draw" else wording.seat(clean(group.winner))
            why = wording.log_word(reason(group.reason, guilty=False))
            yield f"    {group.matches:>7}  {_percent(group.matches, total)}  {won} ({why})"
        yield "    " + fill(
            "length in messages: {shortest} to {longest}, {mean} on average",
            mean=round(mean),
            shortest=min(group.shortest for group in groups),
            longest=max(group.longest for group in groups),
        )


def _scores(scores: Sequence[Score], said: Sequence[str], *, of_players: bool = False) -> Iterator[str]:
    lines = []
    for what, one in zip(said, scores, strict=True):
        first, second = (_("won"), _("lost")) if of_players else (wording.seat(clean(side)) for side in one.sides)
        lines.append(
            count(
                "{what}: {number} match, {first} {part} ({low} to {high}), {second} {other}",
                "{what}: {number} matches, {first} {part} ({low} to {high}), {second} {other}",
                one.matches,
                what=what,
                first=first,
                second=second,
                part=_percent(one.wins[0], one.matches).strip(),
                low=_percent(one.low, 1).strip(),
                high=_percent(one.high, 1).strip(),
                other=_percent(one.wins[1], one.matches).strip(),
            )
        )
    yield from _some(lines, len(lines))


def _setups(found: Stats, placing: Callable[[Placing], tuple[str, str]]) -> Iterator[str]:
    sides: dict[tuple[str, bool, str], list[Placing]] = {}
    for one in found.placings:
        sides.setdefault((one.game, one.dealt, one.side), []).append(one)
    for (_game, dealt, side), placings in sides.items():
        seat = wording.seat(clean(side))
        yield "  " + (fill("{side}, dealt", side=seat) if dealt else seat)
        for one in sorted(placings, key=lambda one: (-one.low, one.what, one.where))[:_LISTED]:
            what, where = placing(one)
            yield "    " + count(
                "{what} in {where}: {part} of {number} match, {low} to {high}",
                "{what} in {where}: {part} of {number} matches, {low} to {high}",
                one.matches,
                what=clean(what),
                where=clean(where),
                part=_percent(one.wins, one.matches).strip(),
                low=_percent(one.low, 1).strip(),
                high=_percent(one.high, 1).strip(),
            )


def _openings(found: Stats) -> Iterator[str]:
    for one in found.openings:
        wins = "  ".join(_percent(number, one.matches) for number in one.wins)
        yield f"  {'  ' * (len(one.path) - 1)}{one.path[-1].hex()[:8]}  {one.matches}  {wins}"


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:3.0f} %"
