"""The Honor of a challenge that can be played (docs/rules.md, VAR-1, VAR-4 and A-29)."""

from __future__ import annotations

from cli.runtime.console import UsageError
from cli.text import commands as told
from storm_p2p.storm.rules.setup import challenges


def check(challenge: int, *, open_combat: bool) -> None:
    """Refuse a challenge that no host can offer.

    Raises:
        UsageError: with the sentence, which names the range.
    """
    allowed = challenges(open_combat=open_combat)
    if challenge not in allowed:
        raise UsageError(told.bad_challenge(allowed, challenge))
