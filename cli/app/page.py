"""``storm-p2p page``: a match as one web page that checks itself."""

from argparse import Namespace
from pathlib import Path

from cli.app.replay import open_log, view_named
from cli.app.verify import judge_alone
from cli.app.webpage import LARGEST, MOST_ANALYSED, write
from cli.console.replay import ALL, PUBLIC
from cli.page import document, runtime
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage.home import Home
from cli.text import analyses, pages
from protocol.record import logfile
from protocol.record.files import write_file
from protocol.system import files


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    if options.runtime is not None:
        return _keep_runtime(home, Path(options.runtime))
    found = open_log(home, options.file, "page")
    data = logfile.read(found.file)
    target = Path(options.out) if options.out else found.file.with_suffix(".html")
    if target.exists():
        raise UsageError(pages.exists(str(target)))
    parts = None if options.light else _parts(home)
    if parts is None and (options.whole or options.beside):
        raise UsageError(pages.no_runtime(runtime.VERSION, runtime.FILE))
    beside = runtime.digest() if parts is not None and options.beside else ""
    if options.analyse and not found.transcript.seeds:
        say(str(analyses.NOT_OPENED))
    elif options.analyse and found.transcript.length > MOST_ANALYSED:
        say(pages.not_analysed(MOST_ANALYSED))
    facts = judge_alone(found.file, data)
    view = view_named(found, options.view or (ALL if len(found.transcript.seeds) > 1 else PUBLIC))
    page = write(found, data, facts, view, analysed=options.analyse, parts=parts or {}, beside=beside)
    if parts is not None and beside:
        write_file(target.with_name(document.runtime_name(beside)), runtime.script_of(parts).encode())
    write_file(target, page.encode())
    result(pages.written(str(target), len(page.encode()) // 1000))
    if parts is None and not options.light:
        say(pages.no_runtime(runtime.VERSION, runtime.FILE))
    return Exit.NO if facts["problems"] else Exit.FINE


def _keep_runtime(home: Home, file: Path) -> Exit:
    """Keep the npm package, of which the program downloads nothing by itself."""
    try:
        data = files.read_file(file, LARGEST)
        runtime.read_package(data)
        kept = home.folder / "runtime" / runtime.FILE
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_file(kept, data)
    except runtime.RuntimeProblem as error:
        raise UsageError(pages.wrong_runtime(str(file), runtime.VERSION)) from error
    result(pages.kept_runtime(str(kept)))
    return Exit.FINE


def _parts(home: Home) -> dict[str, bytes] | None:
    """Return the runtime that is kept here, if there is one."""
    try:
        found = runtime.read_package(files.read_file(home.folder / "runtime" / runtime.FILE, LARGEST))
    except (OSError, runtime.RuntimeProblem):
        return None
    return {**found, "app": runtime.own_part()}
