"""The Honor of a challenge that can be played (docs/rules.md, VAR-1, VAR-4 and A-29)."""

from __future__ import annotations

from cli.text import commands as told
from storm_p2p.storm.rules.setup import challenges


class BadChallenge(ValueError):
    """A challenge outside its range, with a sentence for the person."""


def check(challenge: int, *, open_combat: bool) -> None:
    """Refuse a challenge that no host can offer.

    Raises:
        BadChallenge: with the sentence, which names the range.
    """
    allowed = challenges(open_combat=open_combat)
    if challenge not in allowed:
        raise BadChallenge(told.bad_challenge(allowed, challenge))
