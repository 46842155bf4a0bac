"""The last line of a replay: how the match ended, as far as its log proves it."""

from collections.abc import Mapping

from cli.text import verdicts
from protocol.core.confirmation import missing_signatures, result_of
from protocol.core.secret_replay import replay
from protocol.core.transcript import Transcript
from protocol.game import Seat


def last_line(transcript: Transcript, called: Mapping[str, str], convicted: Seat | None) -> str:
    """Return how a match ended, by all of the log that holds.

    ``called`` names the players by their sides, in lower case; ``convicted`` is whom the first record that does not
    hold convicts, if it does.
    """
    found = replay(transcript.referee, transcript.history, transcript.seeds)[0]
    culprits = {seat for seat in (convicted, *(one.seat for one in found)) if seat is not None}
    said = result_of(transcript, culprits, by_message=convicted is not None)
    guilty = bool(culprits)
    confirmed = guilty or (said is not None and not missing_signatures(transcript, said))
    return verdicts.result(said, called, guilty=guilty, confirmed=confirmed)
