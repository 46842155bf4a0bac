"""Whether this machine can check what it is shown."""

from cli.text import failures
from protocol.errors import LocalProtocolError


def problem() -> str | None:
    """Return why no proof can be checked here, in a sentence, or None."""
    # Who judges with the second implementation does without it.
    from protocol.crypto import group

    try:
        group.require()
    except LocalProtocolError as error:
        return failures.sentence(error.code, str(error))
    return None
