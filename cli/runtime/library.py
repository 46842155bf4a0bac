"""Whether this machine can check what it is shown."""

from cli.text import failures
from protocol.crypto.commitments.schemes import SCHEMES, find_scheme
from protocol.errors import LocalProtocolError


def problem() -> str | None:
    """Return why no proof can be checked here, in a sentence, or None."""
    try:
        find_scheme(SCHEMES[0])
    except LocalProtocolError as error:
        return failures.sentence(error.code, str(error))
    return None
