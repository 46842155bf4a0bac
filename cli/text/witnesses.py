"""The witness in words."""

from collections.abc import Mapping
from typing import Any, Final

from cli.clean import clean
from cli.text import names
from cli.text.clocks import moment
from cli.text.wording import _, count, fill, lazy

WAITING: Final = lazy("Players put this into their terms: storm-p2p host --witness {terms}")
LEAVE: Final = lazy("The witness learns hashes, times and the keys of a match, and nothing else. Leave with Ctrl-C.")


def waiting(terms: str) -> list[str]:
    """Return what a witness says who has begun to listen."""
    return [fill(WAITING, terms=terms), str(LEAVE)]


def course(answer: Mapping[str, Any]) -> list[str]:
    """Return what a witness saw; ``answer`` is its entry in ``verify --json``."""
    found = answer.get("witness")
    if found is None:
        return []
    seen = found["seen"]
    lines = [
        count(
            "  witness {address}: has seen {seen} of {number} message",
            "  witness {address}: has seen {seen} of {number} messages", answer["messages"],
            address=clean(found["address"]), seen=found["envelopes"],
        )
    ]  # fmt: skip
    if found["witnessed"]:
        lines.append(_("  the witness has countersigned the last message of the game"))
    if seen:
        last = max(seen, key=lambda one: (one["at"], one["number"]))
        template = lazy("  the last thing that the witness saw, at {at}: a statement by the {seat} after message {seq}")
        if last["kind"] == "envelope":
            template = lazy("  the last thing that the witness saw, at {at}: message {seq}")
        values = {"seq": last["seq"], "seat": names.seat(last["seat"]), "at": moment(last["at"])}
        lines.append(fill(template, **values))
    for one in seen:
        if one["kind"] == "claim":
            template = lazy("  the witness saw the claim of the {seat} after message {seq} at {at}")
            lines.append(fill(template, seat=names.seat(one["seat"]), seq=one["seq"], at=moment(one["at"])))
    if found["contradictions"]:
        lines.append(
            count(
                "  the witness contradicts itself once: do not trust it",
                "  the witness contradicts itself {number} times: do not trust it",
                found["contradictions"],
            )
        )
    return lines
