"""The program ``storm-p2p``: reads the command line and imports the one command that it names."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_DRAWN = ("storm-p2p", "play", "host", "join", "resume", "replay", "learn")
"""Commands that draw a picture; the first one is the menu."""
_SEATS = ("chthonians", "olympians")


def _parser() -> argparse.ArgumentParser:
    import argparse

    from cli.language import LANGUAGES
    from cli.text.wording import _

    seat = argparse.ArgumentParser(add_help=False)
    seat.add_argument("--player", default="human", metavar="WHO", help=_("human, bot:NAME or exec:COMMAND"))
    seat.add_argument("--name", help=_("the name others see"))
    seat.add_argument("--plain", action="store_true", help=_("plain lines without control characters"))
    seat.add_argument("--json", action="store_true", help=_("print a JSON object per line"))
    terms = argparse.ArgumentParser(add_help=False)
    terms.add_argument("--open-combat", action="store_true", help=_("the Open combat variant"))
    terms.add_argument("--random-setup", action="store_true", help=_("the Random setup variant"))
    terms.add_argument("--challenge", type=int, default=0, metavar="N", help=_("Honor added for the Chthonians"))

    parser = argparse.ArgumentParser(
        prog="storm-p2p", description=_("Storm over Olympus for two players: direct, with no trust needed.")
    )
    # Before Python 3.13 the library does not look up its own sentence for this option.
    shows = _("show program's version number and exit")
    parser.add_argument("--version", action=_version_action(), nargs=0, help=shows)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    play = commands.add_parser("play", parents=[seat, terms], help=_("a match against the computer"))
    play.add_argument("--seat", choices=_SEATS, help=_("your side (default: drawn by lot)"))
    play.add_argument("--bot", default="greedy", metavar="NAME", help=_("the computer player: greedy or random"))

    door = argparse.ArgumentParser(add_help=False)
    door.add_argument("--bind", metavar="ADDR", help=_("the address to listen on (default: all)"))
    door.add_argument("--port", type=_port, default=0, metavar="N", help=_("the port (default: any free one)"))
    door.add_argument("--announce", type=_place, action="append", metavar="ADDR:PORT",
                      help=_("an address to tell the other player instead of this machine's own; repeatable")
    )  # fmt: skip
    door.add_argument("--patience", type=_seconds, metavar="SECONDS",
                      help=_("how long to keep calling after a lost connection (default: forever)"))  # fmt: skip
    door.add_argument("--no-map", dest="map", action="store_false", help=_("do not ask the router for a port"))
    door.add_argument("--no-tor", dest="tor", action="store_false",
                      help=_("do not ask a local tor for an onion address"))  # fmt: skip

    host = commands.add_parser("host", parents=[seat, door, terms], help=_("wait for one opponent"))
    host.add_argument("--lan", action="store_true", help=_("let friends on the same network find you by four words"))
    host.add_argument("--call", metavar="LINE",
                      help=_("call a guest who has answered the invite with join --swap; - reads the line")
    )  # fmt: skip
    host.add_argument("--terms", metavar="FILE", help=_("terms in JSON"))
    host.add_argument("--qr", action=argparse.BooleanOptionalAction, default=None,
                      help=_("show the invite as a QR code (default: if the terminal can)"))  # fmt: skip
    host.add_argument("--clock", metavar="CLOCK", help=_("none, 20m+10s, or 3d per decision"))
    host.add_argument("--witness", metavar="KEY@HOST:PORT", help=_("a witness, as printed by storm-p2p witness"))
    host.add_argument("--scheme", choices=("proved", "hash"), default="proved", help=_("how units are hidden"))
    host.add_argument("--seat", choices=_SEATS, help=_("your side (default: drawn by lot)"))

    join = commands.add_parser("join", parents=[seat, door], help=_("accept an invite"))
    join.add_argument("invite", nargs="?", help=_("the invite (default: asked for, or read from standard input)"))
    join.add_argument("--seat", choices=_SEATS, help=_("your side, if the host lets you choose"))
    join.add_argument("--swap", action="store_true",
                      help=_("you cannot reach the host: print a line for them, and let them call you"))  # fmt: skip
    join.add_argument("--lan", action="store_true", help=_("find a host on this network; INVITE may be their four "
        "words"))
    join.add_argument("--yes", action="store_true", help=_("accept terms without asking"))
    join.add_argument("--scheme", choices=("proved", "hash"), default="proved", help=_("hash: agree to it unasked"))

    resume = commands.add_parser("resume", parents=[seat, door], help=_("resume a match"))
    resume.add_argument("match", nargs="?", metavar="MATCH",
                        help=_("the match, or a fresh line (default: the unfinished one)"))  # fmt: skip
    resume.add_argument("--invite", action="store_true", help=_("print a fresh line for a player who cannot find you"))

    export = commands.add_parser("export", help=_("write the signed log of a match as it stands"))
    export.add_argument("match", nargs="?", metavar="MATCH", help=_("default: the unfinished one"))

    verify = commands.add_parser("verify", help=_("check signed logs"))
    verify.add_argument("files", nargs="*", metavar="FILE",
                        help=_("logs written by a match or by storm-p2p export, or last for the newest"))  # fmt: skip
    verify.add_argument("--json", action="store_true", help=_("print a JSON list"))
    verify.add_argument(
        "--independent", action="store_true", help=_("use the second, plain Python implementation of the cryptography")
    )

    replay = commands.add_parser("replay", help=_("show a match from its log"))
    replay.add_argument("file", nargs="?", metavar="FILE",
                        help=_("the log, or last for the newest (default: list the logs here)"))  # fmt: skip
    replay.add_argument("--view", choices=("public", *_SEATS, "all"), help=_("whose units to show"))
    replay.add_argument("--text", action="store_true", help=_("print the whole match, one line per event"))

    learn = commands.add_parser("learn", help=_("the rules on ten short boards"))
    learn.add_argument("--plain", action="store_true", help=_("plain lines without control characters"))

    doctor = commands.add_parser("doctor", help=_("how others can reach you, and what to do if they cannot"))
    doctor.add_argument("--port", type=_port, default=0, metavar="N",
                        help=_("the port to try (default: any free one)"))  # fmt: skip
    doctor.add_argument("--no-map", dest="map", action="store_false", help=_("do not ask the router for a port"))
    doctor.add_argument("--report", action="store_true", help=_("leave addresses out, for a bug report"))
    doctor.add_argument("--json", action="store_true", help=_("print a JSON object per line"))

    scenario = commands.add_parser("scenario", help=_("run positions and actions through the rules"))
    scenario.add_argument("file", nargs="?", metavar="FILE", help=_("a file, or - for standard input"))

    key = commands.add_parser("key", help=_("the identity key"))
    key.add_argument("what", nargs="?", metavar="WHAT", help=_("show, export FILE, import FILE or passphrase"))
    key.add_argument("file", nargs="?", metavar="FILE", help=_("the file to export to or import from"))

    witness = commands.add_parser("witness", help=_("countersign the time of other players' messages"))
    witness.add_argument("--bind", metavar="ADDR", help=_("the address to listen on (default: all)"))
    witness.add_argument("--port", type=_port, default=47330, metavar="N", help=_("the port (default: 47330)"))
    witness.add_argument("--json", action="store_true", help=_("print a JSON object per line"))

    people = commands.add_parser("people", help=_("the address book: whose key is whose"))
    people.add_argument("what", nargs="?", metavar="WHAT", default="list",
                        help=_("list (the default), trust NAME or forget NAME"))  # fmt: skip
    people.add_argument("name", nargs="?", metavar="NAME", help=_("who"))
    people.add_argument("key", nargs="?", metavar="KEY", help=_("the key to trust (default: the last one refused)"))
    people.add_argument("--json", action="store_true", help=_("print a JSON list"))
    # Each of these stands before or behind the command; a default there would take away what was said here.
    for one in (host, resume):
        one.add_argument("--end-with-input", action="store_true",
                         help=_("stop when standard input ends; for programs that start this one"))  # fmt: skip
    for one in (parser, *commands.choices.values()):
        one.add_argument("--home", metavar="DIR", default=argparse.SUPPRESS,
                         help=_("where keys and matches are kept"))  # fmt: skip
        if one.prog.split()[-1] in _DRAWN:
            one.add_argument("--unicode", action="store_true", default=argparse.SUPPRESS,
                             help=_("draw with more than ASCII"))  # fmt: skip
            one.add_argument("--mono", action="store_true", default=argparse.SUPPRESS, help=_("no colours"))
        one.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS,
                         help=_("the language (default: from the settings, or the system's)"))  # fmt: skip
    return parser


def _version_action() -> type[argparse.Action]:
    import argparse

    class Version(argparse.Action):
        """Prints which program and which rules these are; the library's own action would load them at every start."""

        def __call__(self, parser: argparse.ArgumentParser, *arguments: object) -> None:
            from cli.runtime.console import result
            from storm_p2p import games

            result(f"storm-p2p {_version()}, rules {games.find_newest().version}")
            parser.exit()

    return Version


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("storm-p2p")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def _place(text: str) -> tuple[str, int]:
    import argparse

    from cli.text.wording import fill

    address, _, port = text.rpartition(":")
    if not address:
        raise argparse.ArgumentTypeError(
            fill("expected an address and a port such as 203.0.113.9:4711, got {got!r}", got=text)
        )
    return address.strip("[]"), _port(port)


def _seconds(text: str) -> float:
    import argparse

    from cli.text.wording import fill

    number = int(text) if text.isascii() and text.isdigit() else -1
    if number < 0:
        raise argparse.ArgumentTypeError(fill("expected a whole number of seconds, got {got!r}", got=text))
    return float(number)


def _port(text: str) -> int:
    import argparse

    from cli.text.wording import fill

    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(fill("expected a port from 0 to 65535, got {got!r}", got=text))
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _started(words)
    except BrokenPipeError:
        # Whoever reads the output has enough; Python must not complain when it closes what is left of it.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _started(words: Sequence[str]) -> int:
    if words[:1] == ["scenario"] and len(words) == 2 and not words[1].startswith("--"):
        # It must start fast; nothing of the command line's machinery is needed for it.
        from cli.app import scenario

        return scenario.answer(words[1])
    from pathlib import Path

    from cli.runtime.console import keep_logs_off_terminals
    from cli.storage.home import Home, default_folder

    keep_logs_off_terminals()
    _speak(words)
    parser = _parser()
    options = parser.parse_args(words)
    if getattr(options, "mono", False):
        # The way in which a terminal says the same; what draws asks for it there.
        import os

        os.environ["NO_COLOR"] = "1"
    if getattr(options, "end_with_input", False):
        from cli.runtime import signals
        from cli.runtime.console import Exit, say
        from cli.text import usage

        if options.player == "human":
            say(str(usage.WHOSE_INPUT))
            return Exit.USAGE
        signals.end_with_input()
    # Asked for here or kept as a choice of the player's; it is drawn either way.
    options.unicode = "unicode" in options
    options.home = Home(Path(options.home) if "home" in options else default_folder())
    return _menu(parser, options) if options.command is None else _run(options)


def _speak(words: Sequence[str]) -> None:
    """Choose the language before anything is said: what is asked for, else that of the settings, else the system's."""
    import gettext
    import os
    from pathlib import Path

    from cli import language
    from cli.storage import preferences
    from cli.storage.home import default_folder

    if "--json" in words:
        # Programs read it, and their words do not change.
        language.choose(language.ENGLISH)
        return
    asked = _value(words, "--lang")
    kept = "" if asked else preferences.load(Path(_value(words, "--home") or default_folder())).language
    language.choose(asked or kept or language.from_environment(os.environ))
    if language.current() != language.ENGLISH:
        from cli.runtime.spelling import spell

        # The command line's own words (usage, errors) come from this library by way of the environment.
        os.environ["LANGUAGE"] = language.current()
        gettext.bindtextdomain(language.DOMAIN, str(language.FOLDER))
        gettext.textdomain(language.DOMAIN)

        spell(sys.stdout)
        spell(sys.stderr)


def _value(words: Sequence[str], option: str) -> str:
    """Return what stands behind an option, before the command line is read as a whole."""
    for word, after in pairwise([*words, ""]):
        if word == option:
            return after
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return ""


def _menu(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Show the menu, or the help where there is no terminal that can show one."""
    from cli.runtime import terminal

    why = terminal.why_plain()
    if why is not None:
        from cli.runtime.console import say
        from cli.text import terminals

        parser.print_help()
        say(str(terminals.NO_MENU))
        return 2
    from cli.app import menu
    from cli.storage.home import player_name

    return menu.main(options.home.folder, player_name(), main, unicode=options.unicode)


def _run(options: argparse.Namespace) -> int:
    """Run the command that is named; it has a module of its own."""
    from importlib import import_module

    from cli.runtime.console import Exit, UsageError, say

    try:
        code: int = import_module(f"cli.app.{options.command}").main(options)
    except UsageError as error:
        for sentence in error.args:
            say(sentence)
        return Exit.USAGE
    return code


if __name__ == "__main__":
    sys.exit(main())
