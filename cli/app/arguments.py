"""The command line: every command with its options, in the chosen language."""

import argparse
import os
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from cli import describe_version
from cli.app import games
from cli.clean import clean
from cli.language import LANGUAGES
from cli.runtime.console import Exit, UsageError, result
from cli.storage.home import LAST, Home, list_logs
from cli.text.wording import DIGITS, Lazy, _, fill, lazy, listed
from storm_p2p.games import find_newest

_BEFORE = ("--help", "--version", "--home", "--lang", "--ascii", "--unicode", "--mono")
"""Options that may stand before the command as well as behind it."""
_DRAWN = ("storm-p2p", "play", "host", "join", "resume", "replay", "watch", "analyse", "learn")
"""Commands that draw a picture; the first one is the menu."""
USUAL_BOT = "greedy"
"""The computer player of who chooses none."""
_SEATS = ("chthonians", "olympians")
_ALL_SEATS = (*_SEATS, "0", "1")
"""Of all games: a log calls the seats of a game without named sides by their numbers."""
_VARIANTS = ("standard", "open-combat", "random-setup", "challenge")
_RESULTS = ("won", "lost", "draw", "unfinished")


BOTS: Final[Mapping[str, Sequence[str]]] = {
    "storm": ("random", "novice", "greedy", "seer", "oracle"),
    "fight": ("random", "novice", "greedy", "seer", "oracle"),
}
"""The computer players of each game, the weakest first; the games name them, too, but take longer to load."""


def make_parser(words: Sequence[str] = ("event",)) -> argparse.ArgumentParser:
    """Return what reads the command line; what stands below ``event`` only where the words ask for it.

    A command that there is not ends the program with a sentence.
    """
    seat = argparse.ArgumentParser(add_help=False)
    seat.add_argument("--player", default="human", metavar="WHO", help=_("human, bot:NAME or exec:COMMAND"))
    seat.add_argument("--name", help=_("the name others see"))
    _flag(seat, "--plain", _("plain lines without control characters"))
    _flag(seat, "--json", _("print a JSON object per line"))
    terms = argparse.ArgumentParser(add_help=False)
    _flag(terms, "--open-combat", _("the Open combat variant"))
    _flag(terms, "--random-setup", _("the Random setup variant"))
    terms.add_argument("--challenge", type=int, default=0, metavar="N", help=_("Honor added for the Chthonians"))
    proposal = argparse.ArgumentParser(add_help=False, parents=[terms])
    proposal.add_argument("--terms", metavar="FILE", help=_("terms in JSON"))
    proposal.add_argument("--clock", metavar="CLOCK", help=_("none, 20m+10s, or 3d per decision"))
    proposal.add_argument("--witness", metavar="KEY@HOST:PORT", help=_("a witness, as printed by storm-p2p witness"))
    _flag(proposal, "--aids", _("let both players ask their computer for hints"))
    late = _("let anyone watch the match, at least this much later (default: 0)")
    proposal.add_argument("--watched", nargs="?", const="0", metavar="DELAY", help=late)
    proposal.add_argument("--scheme", choices=("proved", "hash"), default="proved", help=_("how units are hidden"))

    about = _(
        "Storm over Olympus and Fight for Olympus for two players who connect directly and need not trust each other."
    )
    parser: argparse.ArgumentParser = _Exact(prog="storm-p2p", description=about)
    # Before Python 3.13 the library does not look up its own sentence for this option.
    parser.add_argument("--version", action=_Version, nargs=0, help=_("show program's version number and exit"))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    which = argparse.ArgumentParser(add_help=False)
    which.add_argument("--game", choices=tuple(games.CALLED), default="storm", help=_("which game (default: storm)"))
    own = argparse.ArgumentParser(add_help=False)
    own.add_argument("--cards", metavar="FILE", help=_("your own set of cards for Fight for Olympus"))

    play = commands.add_parser("play", parents=[which, own, seat, terms], help=_("a match against the computer"))
    side = play.add_argument("--seat", choices=_ALL_SEATS, help=_("your side (default: drawn by lot)"))
    _complete(side, _offer_seats)
    asked = [game for game in BOTS if game in words or f"--game={game}" in words] or [*BOTS]
    bots = "; ".join(f"{game}: {listed(BOTS[game], 'or')}" for game in asked)
    bot = play.add_argument("--bot", metavar="NAME", help=fill("the computer player ({names})", names=bots))
    _complete(bot, _offer_bots)
    _flag(play, "--guided", _("a first match with a guide, against a beginner; both sides are dealt their units"))

    asking = argparse.ArgumentParser(add_help=False)
    server = _("a STUN server to ask how this machine is seen from outside; repeatable, replaces the usual ones")
    asking.add_argument("--stun", type=read_place, action="append", metavar="HOST:PORT", help=server)
    asking.add_argument("--no-stun", dest="stun", action="store_const", const=[], help=_("ask no STUN server"))

    found = argparse.ArgumentParser(add_help=False)
    found.add_argument("--bind", metavar="ADDR", help=_("the address to listen on (default: all)"))
    found.add_argument("--port", type=_port, default=0, metavar="N", help=_("the port (default: any free one)"))
    told = _("an address to tell the other player instead of this machine's own, or a UDP port with /udp; repeatable")
    found.add_argument("--announce", type=_announced, action="append", metavar="ADDR:PORT[/udp]", help=told)
    _flag(found, "--no-map", _("do not ask the router for a port"))
    _flag(found, "--no-tor", _("do not ask a local tor for an onion address"))

    door = argparse.ArgumentParser(add_help=False, parents=[asking, found])
    patience = _("how long to keep calling after a lost connection (default: forever)")
    door.add_argument("--patience", type=_seconds, metavar="SECONDS", help=patience)
    _flag(door, "--no-knock", _("do not knock by UDP when no address can be called"))
    guess = _("try many ports of a router that uses a different one for each address (default: ask)")
    door.add_argument("--guess-ports", action=argparse.BooleanOptionalAction, default=None, help=guess)

    host = commands.add_parser("host", parents=[which, own, seat, door, proposal], help=_("wait for one opponent"))
    _flag(host, "--lan", _("let friends on the same network find you by four words"))
    answer = _("call a guest who has answered an earlier invite; - reads the line")
    host.add_argument("--call", metavar="LINE", help=answer)
    code = _("show the invite as a QR code (default: if the terminal can)")
    host.add_argument("--qr", action=argparse.BooleanOptionalAction, default=None, help=code)
    side = host.add_argument("--seat", choices=_ALL_SEATS, help=_("your side (default: drawn by lot)"))
    _complete(side, _offer_seats)

    join = commands.add_parser("join", parents=[own, seat, door], help=_("accept an invite"))
    join.add_argument("invite", nargs="?", help=_("the invite (default: asked for, or read from standard input)"))
    join.add_argument("--seat", choices=_ALL_SEATS, help=_("your side, if the host lets you choose"))
    _flag(join, "--swap", _("print the line for the host at once, without calling them first"))
    _flag(join, "--lan", _("find a host on this network; INVITE may be their four words"))
    _flag(join, "--yes", _("accept terms without asking"))
    join.add_argument("--scheme", choices=("proved", "hash"), default="proved", help=_("hash: agree to it unasked"))

    for one in (host, join):
        tournament = _("play your next game of the tournament in this folder")
        one.add_argument("--event", metavar="FOLDER", help=tournament)
        _flag(one, "--offline", _("do not exchange files with the address that is remembered for the folder"))
        series = _("how many rematches a computer player offers and accepts (default: none)")
        one.add_argument("--rematches", type=_whole, default=0, metavar="N", help=series)

    resume = commands.add_parser("resume", parents=[seat, door], help=_("resume a match"))
    match = _("the match, or a fresh line (default: the unfinished one)")
    _complete(resume.add_argument("match", nargs="?", metavar="MATCH", help=match), _offer_matches)
    _flag(resume, "--invite", _("print a fresh line for a player who cannot find you"))
    for one in (host, resume):
        _flag(one, "--end-with-input", _("stop when standard input ends; for programs that start this one"))

    export = commands.add_parser("export", help=_("write the signed log of a match as it stands"))
    default = _("the match (default: the unfinished one)")
    _complete(export.add_argument("match", nargs="?", metavar="MATCH", help=default), _offer_matches)

    verify = commands.add_parser("verify", help=_("check signed logs"))
    logs = _("logs, folders with logs, numbers of matches, or last for the newest log")
    _complete(verify.add_argument("files", nargs="*", metavar="FILE", help=logs), _offer_logs)
    _flag(verify, "--json", _("print a JSON list"))
    many = _("how many processes to use (default: 1)")
    verify.add_argument("--jobs", type=_whole, default=1, metavar="N", help=many)
    second = _("use the second implementation, in plain Python; it shares only the rules of the game with the first")
    _flag(verify, "--independent", second)

    replay = commands.add_parser("replay", help=_("show a match from its log"))
    log = _("a log, the number of a match, or last for the newest (default: list the logs here)")
    _complete(replay.add_argument("file", nargs="?", metavar="FILE", help=log), _offer_logs)
    replay.add_argument("--view", choices=("public", *_ALL_SEATS, "all"), help=_("whose units to show"))
    _flag(replay, "--text", _("print the whole match, one line per event"))

    watch = commands.add_parser("watch", help=_("watch a match between others while it goes on"))
    watch.add_argument("where", metavar="WHERE", help=_("a published file, a folder, or a web address"))
    watch.add_argument("where2", nargs="?", metavar="WHERE2", help=_("what the other player publishes, to compare"))
    _flag(watch, "--text", _("print one line per event"))
    _flag(watch, "--json", _("print a JSON object per line"))
    watch.add_argument("--every", type=_whole, default=5, metavar="SECONDS", help=_("how often to look (default: 5)"))
    watch.add_argument("--view", choices=("public",), default="public", help=_("whose units to show"))

    page = commands.add_parser("page", help=_("write a match as one web page that checks itself"))
    page.add_argument("file", nargs="?", metavar="FILE", help=log)
    page.add_argument("--out", metavar="OUT.html", help=_("the page (default: beside the log)"))
    size = page.add_mutually_exclusive_group()
    _flag(size, "--light", _("only the quick check"))
    _flag(size, "--whole", _("with the whole check in the page (about 6.5 MB more)"))
    _flag(size, "--beside", _("with the whole check in a file beside the page, for many pages"))
    page.add_argument("--view", choices=("public", *_ALL_SEATS, "all"), help=_("whose units to show"))
    _flag(page, "--analyse", _("with the chances and the costliest decisions"))
    page.add_argument("--runtime", metavar="FILE", help=_("keep the npm package pyodide for the whole check"))

    history = commands.add_parser("history", help=_("the matches played here, and the score against each opponent"))
    what = _("delete NUMBER or abandon NUMBER; leave it out to list all matches")
    history.add_argument("what", nargs="?", metavar="WHAT", help=what)
    history.add_argument("number", nargs="?", metavar="NUMBER", help=_("the number of the match, as the list shows it"))
    _flag(history, "--yes", _("delete or abandon without asking"))
    history.add_argument("--against", metavar="NAME", help=_("only those against this opponent"))
    history.add_argument("--game", choices=tuple(games.CALLED), help=_("only those of this game"))
    history.add_argument("--seat", choices=_ALL_SEATS, help=_("only those in which you had this side"))
    history.add_argument("--variant", choices=_VARIANTS, help=_("only those with this variant, or with none"))
    history.add_argument("--result", choices=_RESULTS, help=_("only those with this result for you"))
    _flag(history, "--unconfirmed", _("only those whose result is unconfirmed"))
    _flag(history, "--json", _("print a JSON object"))

    analyse = commands.add_parser(
        "analyse", help=_("how the chances changed during a match, and which decisions cost the most")
    )
    _complete(analyse.add_argument("file", nargs="?", metavar="FILE", help=log), _offer_logs)
    analyse.add_argument("--view", choices=(*_ALL_SEATS, "all"), help=_("whose decisions to judge"))
    _flag(analyse, "--text", _("print the analysis in lines"))
    _flag(analyse, "--json", _("print a JSON object"))
    tried = _("how many positions the computer tries for each decision (default: 4)")
    analyse.add_argument("--simulations", type=_whole, metavar="N", help=tried)
    luck = _("the seed for the computer's guesses (default: 1)")
    analyse.add_argument("--seed", type=_whole, metavar="N", help=luck)

    for one in (play, host, join, resume):
        where = _("let others watch: write the match as it goes into this folder (in a tournament: live in its folder)")
        one.add_argument("--publish", nargs="?", const="", metavar="DIR", help=where)
        least = _("how late others may watch (default: 0, or what was agreed on)")
        one.add_argument("--delay", default="0", metavar="TIME", help=least)
        _flag(one, "--no-page", _("publish no web page"))
    _flag(resume, "--no-publish", _("stop publishing the match"))

    lessons = _("the rules, in short lessons that you play on the board")
    learn = commands.add_parser("learn", parents=[which], help=lessons)
    _flag(learn, "--plain", _("plain lines without control characters"))

    doctor = commands.add_parser(
        "doctor", parents=[asking], help=_("how others can reach you, and what to do if they cannot")
    )
    doctor.add_argument("--port", type=_port, default=0, metavar="N", help=_("the port to try (default: any free one)"))
    _flag(doctor, "--no-map", _("do not ask the router for a port"))
    _flag(doctor, "--report", _("leave addresses out, for a bug report"))
    _flag(doctor, "--json", _("print a JSON object per line"))

    scenario = commands.add_parser("scenario", help=_("run positions and actions through the rules"))
    scenario.add_argument("file", nargs="?", metavar="FILE", help=_("a file, or - for standard input"))

    key = commands.add_parser("key", help=_("the identity key"))
    key.add_argument("what", nargs="?", metavar="WHAT", help=_("show, export FILE, import FILE or passphrase"))
    key.add_argument("file", nargs="?", metavar="FILE", help=_("the file to export to or import from"))

    witness = commands.add_parser("witness", help=_("countersign the time of other players' messages"))
    witness.add_argument("--bind", metavar="ADDR", help=_("the address to listen on (default: all)"))
    witness.add_argument("--port", type=_port, default=47330, metavar="N", help=_("the port (default: 47330)"))
    _flag(witness, "--json", _("print a JSON object per line"))

    people = commands.add_parser("people", help=_("the address book: whose key is whose"))
    what = _("list (the default), trust NAME or forget NAME")
    people.add_argument("what", nargs="?", metavar="WHAT", default="list", help=what)
    people.add_argument("name", nargs="?", metavar="NAME", help=_("the player's name"))
    people.add_argument("key", nargs="?", metavar="KEY", help=_("the key to trust (default: the last one refused)"))
    _flag(people, "--json", _("print a JSON list"))

    cards = commands.add_parser("cards", help=_("make or check your own set of cards for Fight for Olympus"))
    cards.add_argument("what", choices=("new", "check"), metavar="WHAT", help=_("new or check"))
    cards.add_argument("file", type=Path, metavar="FILE", help=_("the file with the cards"))

    completion = commands.add_parser("completion", help=_("complete commands in your shell"))
    completion.add_argument("shell", nargs="?", metavar="SHELL", help=_("bash, zsh or fish"))

    archive = commands.add_parser("archive", help=_("check many logs and count what they show"))
    what = _("verify SOURCE... --out DIR, check DIR [ROOT], or stats DIR")
    archive.add_argument("what", nargs="?", metavar="WHAT", help=what)
    sources = _("folders, zip files, tar files or logs; for check and stats, the folder given to --out")
    archive.add_argument("sources", nargs="*", metavar="SOURCE", type=Path, help=sources)
    archive.add_argument("--out", type=Path, metavar="DIR", help=_("the folder for the results"))
    archive.add_argument("--workers", type=_whole, metavar="N", help=many)
    archive.add_argument("--scheduler", metavar="ADDRESS", help=_("a Dask scheduler: tls://HOST:PORT"))
    pem = _("a PEM file with your certificate, its key and the authority's certificate")
    archive.add_argument("--certificate", type=Path, metavar="FILE", help=pem)
    sample = _("percentage of the workers' answers to check again (default: 1); for check, of the logs")
    archive.add_argument("--sample", type=_percent, metavar="P", help=sample)
    _flag(archive, "--json", _("print a JSON object"))
    folder = argparse.ArgumentParser(add_help=False)
    folder.add_argument("folder", type=Path, metavar="FOLDER", help=_("the folder with the tournament's files"))
    folder.add_argument("--id", metavar="ID", help=_("which tournament, if the folder holds several"))
    _flag(folder, "--offline", _("do not exchange files with the address that is remembered for the folder"))
    compare = argparse.ArgumentParser(add_help=False)
    agreed = _("a word that you and the others agree on before you compare the words of the tournament")
    compare.add_argument("--compare", metavar="TEXT", default="", help=agreed)
    table = argparse.ArgumentParser(add_help=False, parents=[compare])
    _flag(table, "--json", _("print a JSON object"))
    _flag(table, "--csv", _("print the table as CSV"))
    table.add_argument("--html", type=Path, metavar="OUT", help=_("write a page for a web server"))
    table.add_argument("--trf", type=Path, metavar="OUT", help=_("write a FIDE tournament report file"))
    event = commands.add_parser("event", help=_("tournaments without a server"))
    commands.add_parser("standings", parents=[folder, table], help=_("the table of a tournament from its folder"))
    within: Sequence[argparse.ArgumentParser] = ()
    if "event" in words:
        # Making these takes as long as making all others.

        within = add_event(event, [which, own, proposal], folder, found, compare, table)

    # Each of these stands before or behind the command; a default there would take away what was said here.
    unsaid = argparse.SUPPRESS
    parser.set_defaults(home="", signs="", mono=False)
    for one in (parser, *commands.choices.values(), *within):
        one.add_argument(
            "--home", type=_folder, metavar="DIR", default=unsaid, help=_("where keys and matches are kept")
        )
        if one.prog.removeprefix("storm-p2p ") in _DRAWN:
            signs = one.add_mutually_exclusive_group()
            for name, what in (
                ("ascii", _("draw in plain ASCII, without tints")),
                ("unicode", _("draw with fine lines and tints")),
            ):
                signs.add_argument(
                    f"--{name}", action="store_const", dest="signs", const=name, default=unsaid, help=what
                )
            one.add_argument("--mono", action="store_true", default=unsaid, help=_("no colours"))
        language = _("the language (default: from the settings, or the system's)")
        one.add_argument("--lang", choices=LANGUAGES, default=unsaid, help=language)
    unknown = _unknown_command(words, commands.choices)
    if unknown is not None:
        parser.error(unknown)
    return parser


def parse(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Return what the command line says; options may stand between the files of a command.

    The library gives all files that stand before an option to the command, and takes none that stands behind it.
    """
    options, rest = parser.parse_known_args(words)
    several = next((getattr(options, name) for name in ("sources", "files") if name in options), None)
    if several is None or not rest or any(word.startswith("-") for word in rest):
        return parser.parse_args(words)
    several += map(Path, rest) if "sources" in options else rest
    return options


def _unknown_command(words: Sequence[str], known: Collection[str]) -> str | None:
    """Return what is wrong with the command, if it is none; the library would list all and guess none of them."""
    unvalued = [word for before, word in pairwise(["", *words]) if before not in ("--home", "--lang")]
    command = next((at for at, word in enumerate(unvalued) if word in known), len(unvalued))
    options = (word.partition("=")[0] for word in unvalued[:command] if word.startswith("--"))
    early = next((option for option in options if option not in _BEFORE), None)
    typed = next((word for word in unvalued if not word.startswith("-")), None)
    if typed is None or (typed in known and early is None):
        return None
    # Few mistype it.
    from cli.text import commands

    if early is not None and command < len(unvalued):
        return commands.misplaced(early, unvalued[command])
    return commands.no_command(typed, known)


def _complete(action: argparse.Action, offer: Callable[..., Collection[str]]) -> None:
    """Tell argcomplete what can stand there, for a shell that completes a word."""
    action.completer = offer  # type: ignore[attr-defined]


def _offer_seats(parsed_args: argparse.Namespace, **_others: object) -> Collection[str]:
    """Return the seats of the game that was named."""
    return find_newest(games.CALLED[parsed_args.game]).sides


def _offer_bots(parsed_args: argparse.Namespace, **_others: object) -> Collection[str]:
    """Return the computer players of the game that was named."""
    return BOTS[parsed_args.game]


def _offer_matches(parsed_args: argparse.Namespace, **_others: object) -> Collection[str]:
    """Return the numbers of the unfinished matches, each with the opponent."""
    from cli.match.stored import unfinished
    from protocol.record.journal import JournalError

    with suppress(JournalError):
        known = [one for one in unfinished(Home.named(parsed_args.home)) if one.match_id is not None]
        return {(one.match_id or b"").hex()[:DIGITS]: clean(one.opponent) for one in known}
    return ()


def _offer_logs(prefix: str, parsed_args: argparse.Namespace, **_others: object) -> Collection[str]:
    """Return the numbers of the matches whose logs are here, the word for the newest, and files."""
    from argcomplete.completers import FilesCompleter

    # The name of a log ends with the first digits of its match.
    numbers = {path.stem.rpartition("-")[2] for path in list_logs(Home.named(parsed_args.home))}
    return [*sorted(numbers), *[LAST] * bool(numbers), *FilesCompleter()(prefix)]


def _flag(command: argparse._ActionsContainer, name: str, help: str) -> None:
    """Add an option without a value: it says yes, or no where its name does."""
    if name.startswith("--no-"):
        command.add_argument(name, dest=name.removeprefix("--no-"), action="store_false", help=help)
    else:
        command.add_argument(name, action="store_true", help=help)


class _Exact(argparse.ArgumentParser):
    """Takes no beginning of an option for the option: ``--as olympians`` is no wish for ``--ascii``."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "allow_abbrev": False})


class _Version(argparse.Action):
    """Prints which program, protocol and rules these are."""

    def __call__(self, parser: argparse.ArgumentParser, *arguments: object) -> None:
        result(describe_version())
        parser.exit()


def read_place(text: str) -> tuple[str, int]:
    """Return an address or a name, and its port.

    Raises:
        ArgumentTypeError: with the sentence.
    """
    address, __, port = text.rpartition(":")
    if not address or not _port(port):
        raise argparse.ArgumentTypeError(
            fill("expected an address and a port such as 203.0.113.9:4711, got {got!r}", got=text)
        )
    return address.strip("[]"), int(port)


def _announced(text: str) -> tuple[str, int, bool]:
    """Return a place, and whether it is one of UDP."""
    return *read_place(text.removesuffix("/udp")), text.endswith("/udp")


def _folder(text: str) -> str:
    if os.path.isfile(text):
        raise argparse.ArgumentTypeError(fill("expected a folder, got the file {got!r}", got=text))
    return text


def _text(most: int) -> Callable[[str], str]:
    """Return what takes a text of up to so many characters, which would be cut or refused later."""

    def read(text: str) -> str:
        if not 1 <= len(text) <= most:
            raise argparse.ArgumentTypeError(
                fill("expected 1 to {most} characters, got {got}", most=most, got=len(text))
            )
        return text

    return read


def _seconds(text: str) -> float:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(fill("expected a whole number of seconds, got {got!r}", got=text))
    return float(text)


def _number(least: int, most: int, expected: Lazy) -> Callable[[str], int]:
    """Return what reads a number within bounds, or says what was expected."""

    def read(text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(fill(expected, got=text[:80]))
        return number

    return read


_whole = _number(1, 9999, lazy("expected a whole number from 1 to 9999, got {got!r}"))
_port = _number(0, 65_535, lazy("expected a port from 0 to 65535, got {got!r}"))
_count = _number(1, 128, lazy("expected a number from 1 to 128, got {got!r}"))
_places = _number(2, 512, lazy("expected a number from 2 to 512, got {got!r}"))


def _percent(text: str) -> float:
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(fill("expected a number from 0 to 100, got {got!r}", got=text))
    return number


SYSTEMS: Final = ("round-robin", "swiss", "knock-out", "double-elimination")
RULINGS: Final = ("forfeit", "double", "award", "refuse", "bye", "late", "withdraw")

_SECONDS: Final = {"m": 60, "h": 3600, "d": 86400}
_KEY: Final = re.compile(r"[0-9a-f]{64}")


def add_event(
    event: argparse.ArgumentParser,
    terms: Sequence[argparse.ArgumentParser],
    folder: argparse.ArgumentParser,
    found: argparse.ArgumentParser,
    compare: argparse.ArgumentParser,
    table: argparse.ArgumentParser,
) -> Sequence[argparse.ArgumentParser]:
    """Add what stands below ``event``, and return it.

    Args:
        event: the command.
        terms: have the options of a game and its variants.
        folder: has those of every command about a tournament.
        found: has those of every command that waits for somebody.
        compare: has that of every command that shows words to compare.
        table: has those of standings.
    """
    early = argparse.ArgumentParser(add_help=False)
    _flag(early, "--early", _("do it before the announced time"))
    game = argparse.ArgumentParser(add_help=False)
    game.add_argument("--game", metavar="PLACE", help=_("which game, such as 2.1.1 (default: your next one)"))

    event.set_defaults(help=event.format_help)
    what = event.add_subparsers(dest="what", metavar="WHAT")

    new = what.add_parser("new", parents=terms, help=_("announce a tournament"))
    new.add_argument("folder", type=Path, metavar="FOLDER", help=_("a folder for the tournament's files"))
    new.add_argument("--name", type=_text(80), required=True, help=_("what the tournament is called"))
    new.add_argument("--system", choices=SYSTEMS, default="round-robin", help=_("who plays whom"))
    new.add_argument("--rounds", type=_count, metavar="N", help=_("the number of rounds in a Swiss"))
    entries = _("when entries close: 7d from now, or 2026-12-31T18:00 in UTC (default: 7d)")
    new.add_argument("--entries", type=_when, default="7d", metavar="WHEN", help=entries)
    new.add_argument("--coins", type=_span, default="2d", metavar="TIME", help=_("how long the draw may take"))
    new.add_argument("--each", type=_span, default="7d", metavar="TIME", help=_("how long a round may take"))
    new.add_argument("--games", type=int, choices=(1, 2), default=2, help=_("games per pairing (default: 2)"))
    new.add_argument("--cycles", type=int, choices=(1, 2), default=1, help=_("round robin: how often each pair meets"))
    new.add_argument("--seeding", choices=("draw", "rating"), default="draw", help=_("how players are numbered"))
    points = _("points for a win, a draw, a loss and a bye, such as 1,0.5,0,2")
    new.add_argument("--points", type=_points, metavar="POINTS", help=points)
    ties = _("tie-breaks, the most important first, such as DE,SB,WIN")
    new.add_argument("--tie-breaks", type=_tie_breaks, metavar="NAMES", help=ties)
    most = _("how many may play: if more enter, the draw decides who does, and the others wait")
    new.add_argument("--most", type=_places, metavar="N", help=most)
    _flag(new, "--third-place", _("knock-out: the losers of the semi-finals play for third place"))
    arbiter = _("an arbiter's key; repeatable (default: yours)")
    new.add_argument("--arbiter", type=_key, action="append", metavar="KEY", help=arbiter)
    grace = _("how long a player waits before claiming a forfeit (default: 30m)")
    new.add_argument("--grace", type=_span, default="30m", metavar="TIME", help=grace)
    answer = _("how long the opponent has to answer a claim (default: 1d)")
    new.add_argument("--answer", type=_span, default="1d", metavar="TIME", help=answer)
    new.set_defaults(seat=None, id=None)

    enter = what.add_parser("enter", parents=[folder], help=_("take part"))
    enter.add_argument("--name", help=_("the name others see"))
    _flag(enter, "--unchecked-pairings", _("enter even if this program cannot check the pairings of the Swiss"))
    enter.add_argument("--rating", type=int, metavar="N", help=_("your rating, if you have one"))

    missed = _("Swiss: a round that you cannot play in; repeatable")
    enter.add_argument("--absent", type=_count, action="append", default=[], metavar="N", help=missed)

    absent = what.add_parser("absent", parents=[folder], help=_("Swiss: say that you cannot play in a round"))
    absent.add_argument("round", type=_count, metavar="ROUND", help=_("the number of the round"))
    asked = _("the points to ask for (default: those of a draw)")
    absent.add_argument("--points", type=_half, metavar="N", help=asked)

    to_do = _("what to do now; does by itself whatever needs no decision")
    status = what.add_parser("status", parents=[folder, compare], help=to_do)
    _flag(status, "--json", _("print a JSON object"))

    close = what.add_parser("close", parents=[folder, early], help=_("organiser: close entries"))
    without = _("leave out this entry, given by name or key; repeatable")
    close.add_argument("--without", action="append", default=[], metavar="WHO", help=without)
    start = _("organiser: start the tournament, or publish the next round")
    turn = what.add_parser("round", parents=[folder, early], help=start)
    turn.add_argument("--until", type=_when, metavar="WHEN", help=_("the deadline of the round"))

    what.add_parser("end", parents=[folder, early], help=_("organiser: end the tournament; its results are final"))

    what.add_parser("ready", parents=[folder, game], help=_("say that you are ready for your game"))
    what.add_parser("claim", parents=[folder, game], help=_("claim a forfeit because your opponent has not come"))
    reply = what.add_parser("answer", parents=[folder, game], help=_("answer your opponent's claim"))
    reply.add_argument("text", type=_text(500), metavar="TEXT", help=_("what happened, in up to 500 characters"))

    propose = what.add_parser("propose", parents=[folder, game], help=_("propose a time for your game"))
    date = _("a date and time by your clock, such as '2026-12-01 20:00'")
    propose.add_argument("when", metavar="WHEN", help=date)
    what.add_parser("agree", parents=[folder, game], help=_("agree to the time that your opponent proposes"))

    rule = what.add_parser("rule", parents=[folder], help=_("arbiter: rule on a game or a player"))
    rule.add_argument("matter", choices=RULINGS, metavar="MATTER", help=", ".join(RULINGS))
    where = _("a game such as 2.1.1, a pairing such as 2.1, or a round such as 3")
    rule.add_argument("where", metavar="WHERE", help=where)
    rule.add_argument("who", nargs="?", metavar="WHO", help=_("a player's name or number; award also takes draw"))
    rule.add_argument("--points", type=_half, default=0, metavar="N", help=_("points for the bye"))
    rule.add_argument("--replaces", metavar="N", help=_("the ruling that this one replaces, by number or id"))
    listed = what.add_parser("rulings", parents=[folder], help=_("all rulings, and which of them stand"))
    _flag(listed, "--json", _("print a JSON object"))

    carry = what.add_parser("sync", parents=[folder], help=_("exchange files with the others"))
    remote = _(
        "a git repository, an https address or another folder, which is remembered (default: the remembered one); "
        "or a zip, or the line that event serve shows"
    )
    carry.add_argument("remote", nargs="?", metavar="REMOTE", help=remote)
    waits = what.add_parser("serve", parents=[folder, found], help=_("wait for the others to exchange files with you"))
    _flag(waits, "--fresh", _("show a new line; the one before no longer works"))
    _flag(carry, "--forget", _("forget the address, and exchange no more files with it"))

    watch = what.add_parser(
        "watch", parents=[folder], help=_("exchange files regularly, and call you when you are needed")
    )
    watch.add_argument("--every", type=_whole, default=60, metavar="SECONDS", help=_("how often (default: 60)"))
    _flag(watch, "--json", _("print a JSON object per line"))
    pasted = what.add_parser("take", parents=[folder], help=_("take a document that somebody sent you as a line"))
    line = _("the line (default: the program asks for it, or reads standard input)")
    pasted.add_argument("line", nargs="*", metavar="LINE", help=line)
    packed = what.add_parser(
        "bundle", parents=[folder], help=_("write all files of the tournament into one zip, for mail")
    )
    packed.add_argument("out", type=Path, metavar="OUT", help=_("the zip to write"))

    forbid = what.add_parser("forbid", parents=[folder], help=_("organiser: never pair two players of a Swiss"))
    forbid.add_argument("who", nargs=2, metavar="WHO", help=_("a player's name or key"))
    rating = what.add_parser("rating", parents=[folder], help=_("organiser: set the rating of a player"))
    rating.add_argument("who", nargs=1, metavar="WHO", help=_("a player's name or key"))
    rating.add_argument("rating", type=_rating, metavar="N", help=_("the rating, or none"))
    deputy = what.add_parser("arbiter", parents=[folder], help=_("organiser: name a further arbiter"))
    deputy.add_argument("key", type=_key, metavar="KEY", help=_("the key, as storm-p2p key show prints it"))
    announce = what.add_parser("announce", parents=[folder], help=_("organiser: tell everybody something"))
    announce.add_argument("text", type=_text(500), metavar="TEXT", help=_("what to tell them, in up to 500 characters"))

    what.add_parser("standings", parents=[folder, table], help=_("the table; the same as storm-p2p standings"))
    what.add_parser("export", parents=[folder], help=_("copy the logs of your games into the folder"))
    made: Sequence[argparse.ArgumentParser] = list(what.choices.values())
    return made


def _span(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,5})([mhd])", text)
    if match is None:
        raise argparse.ArgumentTypeError(fill("expected a time such as 30m, 12h or 7d, got {got!r}", got=text))
    return int(match[1]) * _SECONDS[match[2]]


def _when(text: str) -> int:
    """Return a second since 1970, given as a time from now or as a date in UTC."""
    # Few write a date.
    from datetime import UTC, datetime

    if re.fullmatch(r"[0-9]{1,5}[mhd]", text):
        return int(time.time()) + _span(text)
    try:
        found = datetime.fromisoformat(text)
        return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            fill("expected a time such as 7d, or a date such as 2026-12-31T18:00, got {got!r}", got=text)
        ) from None


def _half(text: str) -> int:
    """Return points as half points."""
    match = re.fullmatch(r"([0-9]{1,2})(\.[05])?", text)
    if match is None:
        raise argparse.ArgumentTypeError(fill("expected points such as 1 or 0.5, got {got!r}", got=text))
    return 2 * int(match[1]) + (match[2] == ".5")


def _points(text: str) -> tuple[int, ...]:
    found = tuple(_half(one) for one in text.split(","))
    if len(found) != 4:
        raise argparse.ArgumentTypeError(fill("expected four numbers such as 1,0.5,0,2, got {got!r}", got=text))
    return found


def _tie_breaks(text: str) -> tuple[str, ...]:
    from protocol.tournament.contents import TIE_BREAKS

    found = tuple(text.upper().split(",")) if text else ()
    if not set(found) <= set(TIE_BREAKS) or len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(
            fill(
                "expected some of the tie-breaks {names}, each at most once, got {got!r}",
                names=",".join(TIE_BREAKS),
                got=text,
            )
        )
    return found


def _rating(text: str) -> int | None:
    if text in ("none", "keine"):
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise argparse.ArgumentTypeError(fill("expected a rating such as 1650, or none, got {got!r}", got=text[:80]))
    return int(text)


def _key(text: str) -> bytes:
    if _KEY.fullmatch(text.lower()) is None:
        raise argparse.ArgumentTypeError(fill("expected a key of 64 hexadecimal digits, got {got!r}", got=text[:80]))
    return bytes.fromhex(text)


SHELLS: Final = ("bash", "zsh", "fish")


def complete(home: Home, options: argparse.Namespace) -> Exit:
    """Run the command ``completion``: print what a shell reads to complete commands and options."""
    from cli.text import commands

    if options.shell not in SHELLS:
        raise UsageError(*commands.commands("completion", options.shell))
    try:
        from argcomplete.shell_integration import shellcode
    except ImportError:
        raise UsageError(commands.no_argcomplete(commands.to_install("completion"))) from None
    result(shellcode(["storm-p2p"], shell=options.shell))
    return Exit.FINE


def answer_shell() -> Exit:
    """Answer the shell, which has put the typed line into the environment; there is nobody to talk to."""
    try:
        from argcomplete import autocomplete
    except ImportError:
        return Exit.USAGE
    autocomplete(make_parser())
    return Exit.FINE
