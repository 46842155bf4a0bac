"""The last line of a replay: how the match ended, as far as its log proves it."""

from collections.abc import Mapping

from cli.text import verdicts
from protocol.core.confirmation import missing_signatures
from protocol.core.transcript import Transcript
from protocol.game import Seat


def last_line(transcript: Transcript, called: Mapping[str, str], convicted: Seat | None) -> str:
    """Return how a match ended, by all of the log that holds.

    ``called`` names the players by their sides, in lower case; ``convicted`` is whom the first record that does not
    hold convicts, if it does.
    """
    outcome = transcript.outcome() if convicted is None else transcript.forfeit_result(convicted)
    said = None if outcome is None else dict(outcome)
    guilty = convicted is not None
    confirmed = guilty or (said is not None and not missing_signatures(transcript, said))
    return verdicts.result(said, called, guilty=guilty, confirmed=confirmed)
