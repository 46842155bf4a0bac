"""The console: commands, the prompt and every sentence a person reads."""

__version__ = "1.0.0"
"""The version of the program; the packages are built with it."""


def describe_version() -> str:
    """Return the versions of the program, of the protocol and of the rules by which a match of each game begins."""
    from protocol import VERSIONS
    from storm_p2p import games

    rules = "".join(f"\nrules of {name}: {newest}" for name, newest in games.NEWEST.items())
    return f"storm-p2p {__version__}, protocol {VERSIONS[-1]}{rules}"
