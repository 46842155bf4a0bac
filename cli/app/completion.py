"""``storm-p2p completion``: what a shell reads to complete commands and options, and what it is told when it asks."""

from argparse import Namespace
from typing import Final

from cli.app.arguments import make_parser
from cli.runtime.console import Exit, UsageError, result
from cli.text import commands

SHELLS: Final = ("bash", "zsh", "fish")


def main(options: Namespace) -> Exit:
    """Run the command."""
    if options.shell not in SHELLS:
        raise UsageError(*commands.commands("completion", options.shell))
    try:
        from argcomplete.shell_integration import shellcode
    except ImportError:
        raise UsageError(commands.no_argcomplete(commands.to_install("completion"))) from None
    result(shellcode(["storm-p2p"], shell=options.shell))
    return Exit.FINE


def answer() -> Exit:
    """Answer the shell, which has put the typed line into the environment; there is nobody to talk to."""
    try:
        from argcomplete import autocomplete
    except ImportError:
        return Exit.USAGE
    autocomplete(make_parser())
    return Exit.FINE
