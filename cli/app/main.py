"""The program ``storm-p2p``: reads the command line and imports the one command that it names."""

from __future__ import annotations

import gc
import os
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from cli.storage.home import Home

_WITHIN = {
    "cards": ("launch.proposal", "run_cards"),
    "completion": ("arguments", "complete"),
    "export": ("resume", "write_log"),
    "people": ("history", "run_people"),
}
"""Commands that are a function beside what they rest on."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    from protocol.system import processes

    if arguments is None:
        processes.start_again_if_unprotected()
        # Next to nothing that is loaded is garbage, and to look for it each time 700 things are made is a sixteenth of
        # a start.
        gc.set_threshold(10_000)
    processes.protect()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _started(words, _go_to_menu)
    except BrokenPipeError:
        # Whoever reads the output has enough; Python must not complain when it closes what is left of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    finally:
        if arguments is None and "duckdb" not in sys.modules:
            # As it ends, Python would look through all that was loaded for garbage: a tenth of a short command. DuckDB
            # would list as leaks what is not collected.
            gc.freeze()


def _go_to_menu(options: argparse.Namespace) -> int:
    """Show the menu after a match, to whoever has asked for it at its end."""
    from cli.app import menu
    from cli.storage.home import Home, player_name

    return menu.main(Home.named(options.home).folder, player_name(), _from_menu, signs=options.signs)


def _from_menu(words: Sequence[str]) -> int:
    """Run a command that was picked in the menu, which comes again after it."""
    try:
        return _started(words, lambda options: 0)
    except KeyboardInterrupt:
        return 130


def _started(words: Sequence[str], to_menu: Callable[[argparse.Namespace], int]) -> int:
    if "_ARGCOMPLETE" in os.environ:
        _speak(words)
        from cli.app.arguments import answer_shell

        return answer_shell()
    if words == ["--version"]:
        from cli import describe_version

        print(describe_version())
        return 0
    if words[:1] == ["scenario"] and len(words) == 2 and (words[1] == "-" or os.path.isfile(words[1])):
        # It must start fast; nothing of the command line's machinery is needed for it.
        from cli.app import scenario

        return scenario.answer(words[1])
    from cli.app.arguments import make_parser, parse
    from cli.clean import clean
    from cli.runtime.console import keep_logs_off_terminals, take_any_bytes
    from cli.storage.home import Home

    keep_logs_off_terminals()
    take_any_bytes()
    _speak(words)
    parser = make_parser(words)
    options = parse(parser, words)
    if options.mono:
        # The way in which a terminal says the same; what draws asks for it there.
        os.environ["NO_COLOR"] = "1"
    if getattr(options, "end_with_input", False):
        from cli.runtime import console
        from cli.runtime.console import Exit, say
        from cli.text import commands

        if options.player == "human":
            say(str(commands.WHOSE_INPUT))
            return Exit.USAGE
        console.end_with_input()
    if options.command is None:
        return _menu(parser, options)
    from cli.runtime.console import ToMenu
    from cli.text import wording

    home = Home.named(options.home)
    if home != Home.named(""):
        import shlex

        wording.home = shlex.quote(clean(str(home.folder)))
    try:
        return _run(home, options)
    except ToMenu:
        return to_menu(options)
    finally:
        wording.home = ""


def _speak(words: Sequence[str]) -> None:
    """Choose the language before anything is said: what is asked for, else that of the settings, else the system's."""
    import gettext

    from cli import language
    from cli.storage.home import Home, load_preferences

    if "--json" in words:
        # Programs read it, and their words do not change.
        language.choose(language.ENGLISH)
        return
    asked = _value(words, "--lang")
    kept = "" if asked else load_preferences(Home.named(_value(words, "--home")).folder).language
    language.choose(asked or kept or language.from_environment(os.environ))
    if language.current() != language.ENGLISH:
        from cli.runtime.console import spell

        # The command line's own words (usage, errors) come from this library by way of the environment.
        os.environ["LANGUAGE"] = language.current()
        gettext.bindtextdomain(language.DOMAIN, language.FOLDER)
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
    """Show the menu, or say what it needs; where nobody sits at a terminal, the help comes first."""
    from cli.runtime import terminal

    if terminal.why_plain() is not None:
        from cli.runtime.console import say
        from cli.text import screens

        if not terminal.is_terminal(sys.stdin, sys.stdout):
            parser.print_help()
        say(str(screens.NO_MENU))
        return 2
    return _go_to_menu(options)


def _run(home: Home, options: argparse.Namespace) -> int:
    """Run the command that is named; most have a module of their own."""
    from importlib import import_module

    from cli.runtime.console import Exit, UsageError, say

    try:
        module, name = _WITHIN.get(options.command, (options.command, "main"))
        code: int = getattr(import_module(f"cli.app.{module}"), name)(home, options)
    except UsageError as error:
        if isinstance(error.__cause__, BrokenPipeError):
            # It is no file that cannot be used: nobody reads the output any more.
            raise error.__cause__ from None
        say(*error.args)
        return Exit.USAGE
    except BrokenPipeError:
        raise
    except Exception as error:
        # What says these sentences takes long to load.
        from cli.app import failing

        answered = failing.answer(error)
        if answered is None:
            raise
        return answered
    return code


if __name__ == "__main__":
    sys.exit(main())
