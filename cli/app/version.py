"""Which program this is: what ``--version`` prints.  It imports no rules, so that it is there at once."""

from cli import __version__
from protocol import VERSIONS
from storm_p2p import games


def line() -> str:
    """Return the versions of the program, of the protocol and of the rules by which a match begins."""
    return f"storm-p2p {__version__}, protocol {VERSIONS[-1]}, rules {games.NEWEST[games.STORM]}"
