"""Clocks, breaks and claims in words."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from cli.clean import clean
from cli.text import wording
from cli.text.wording import Sentence, _, count, fill, lazy
from protocol.core.clock import ClockKind, ClockTerms
from protocol.core.game_data import Conditions
from protocol.core.messages import Break

if TYPE_CHECKING:
    from cli.match.player import Clocks
    from protocol.record.judging import Facts

AIDS_AGREED: Final = lazy("Aids: both of you may ask your own computer for hints.")
_ADDRESS: Final = re.compile(r"[0-9A-Za-z.:\[\]%_-]{1,90}:[0-9]{1,5}")
"""An address that says nothing but where it is."""


def span(seconds: int) -> str:
    """Return a length of time as people say it: ``3 days``, ``20 minutes``, ``1 minute 5 seconds``."""
    days, rest = divmod(seconds, 86400)
    hours, rest = divmod(rest, 3600)
    minutes, left = divmod(rest, 60)
    parts = [
        count("{number} day", "{number} days", days) if days else "",
        count("{number} hour", "{number} hours", hours) if hours else "",
        count("{number} minute", "{number} minutes", minutes) if minutes else "",
        count("{number} second", "{number} seconds", left) if left else "",
    ]
    return " ".join([part for part in parts if part][:2]) or _("0 seconds")


def moment(seconds: float) -> str:
    """Return a time since 1970 as a date in UTC; a number of seconds where there is no such date."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):
        return fill("second {seconds}", seconds=int(seconds))


def local(seconds: float) -> str:
    """Return a time since 1970 as a date by this machine's clock: ``2026-12-01 20:00 (UTC+01:00)``."""
    try:
        found = datetime.fromtimestamp(seconds, UTC).astimezone().isoformat(" ", "minutes")
    except (OverflowError, ValueError, OSError):
        return moment(seconds)
    return fill("{date} (UTC{offset})", date=found[:16], offset=found[16:])


wrong = Sentence[str](
    "This machine's clock says {now}, but this program only counts time from 1970 to 2105. Set the clock right and start "
    "again; nothing was changed."
)
"""No match can be begun or gone on with while this machine shows such a time."""


def face(seconds: int) -> str:
    """Return what a clock shows: ``12:41``, ``1:02:41``, ``2d 03:10``."""
    days, rest = divmod(seconds, 86400)
    hours, rest = divmod(rest, 3600)
    minutes, left = divmod(rest, 60)
    if days:
        return f"{days}d {hours:02}:{minutes:02}"
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def terms(clock: ClockTerms | None) -> str:
    """Return what was agreed on about time, in a few words."""
    if clock is None:
        return _("no clock")
    if clock.kind is ClockKind.TURN:
        return fill("{time} per decision", time=span(clock.base))
    if clock.increment:
        template = lazy("{time} each, plus {more} after each decision")
        return fill(template, time=span(clock.base), more=span(clock.increment))
    return fill("{time} each", time=span(clock.base))


def conditions(agreed: Conditions) -> list[str]:
    """Return what was agreed on beside the rules, a sentence a line; nothing where there is nothing."""
    lines = []
    if agreed.clock is not None:
        lines.append(fill("Clock: {terms}. {line}", terms=terms(agreed.clock), line=_line(agreed.clock)))
        template = lazy("After {time} without a connection, the player who is waiting may claim the match.")
        if agreed.clock.kind is ClockKind.TURN:
            template = lazy("After {time} of silence, the player who is waiting may claim the match.")
        lines.append(fill(template, time=span(agreed.clock.absent)))
    if agreed.witness is not None:
        address = agreed.witness.address
        template = lazy("Witness: {address} sees the hash and the time of each message, and nothing that is hidden.")
        if _ADDRESS.fullmatch(address) is None:
            # The other side has chosen it, and whoever reads this has not said yes yet.
            template = lazy("Witness: this address cannot be called, so nobody sees anything.")
        lines.append(fill(template, address=address))
    if agreed.event is not None:
        lines.append(fill("Tournament: the match counts as game {place}, and nowhere else.", place=agreed.event.place))
    if agreed.aids:
        lines.append(str(AIDS_AGREED))
    if agreed.watched is not None:
        lines.append(watched(agreed.watched))
    return lines


def watched(delay: int) -> str:
    """Return that others may watch a match, and how late."""
    if not delay:
        return _("Anyone may watch this match while it goes on, with everything that you write in the chat.")
    return fill(
        "Anyone may watch this match, {time} late, with everything that you write in the chat.", time=span(delay)
    )


def _line(clock: ClockTerms) -> str:
    if not clock.away:
        return _("It also runs while you are disconnected.")
    return fill("It stops while you are disconnected, for up to {time} in all.", time=span(clock.away))


_BOTH: Final = lazy(
    {
        None: "Clocks (both stopped): you {mine}, {opponent} {theirs}.",
        True: "Clocks: you {mine} (runs), {opponent} {theirs}.",
        False: "Clocks: you {mine}, {opponent} {theirs} (runs).",
    }
)
"""By whether it is the player's clock that runs; None when both stand."""
_PANEL: Final = lazy(
    {
        None: "|| you {mine}  {opponent} {theirs}",
        True: "you {mine} <-  {opponent} {theirs}",
        False: "you {mine}  {opponent} {theirs} <-",
    }
)
_PANEL_SHORT: Final = lazy(
    {None: "|| clocks {mine}  {theirs}", True: "clocks {mine} <- {theirs}", False: "clocks {mine}  {theirs} <-"}
)
_PANEL_BARE: Final = {None: "|| {mine}  {theirs}", True: "{mine} <- {theirs}", False: "{mine}  {theirs} <-"}


def both(shown: Clocks, opponent: str) -> str:
    """Return what both clocks show."""
    return fill(_BOTH[shown.running], mine=face(shown.mine), theirs=face(shown.theirs), opponent=opponent)


def panel(shown: Clocks, opponent: str) -> str:
    """Return both clocks in a few columns."""
    return fill(_PANEL[shown.running], mine=face(shown.mine), theirs=face(shown.theirs), opponent=opponent)


def panel_short(shown: Clocks) -> tuple[str, str]:
    """Return both clocks without names, the own one first, for a few columns less; then without any word."""
    short, bare, faces = _PANEL_SHORT[shown.running], _PANEL_BARE[shown.running], (face(shown.mine), face(shown.theirs))
    return fill(short, mine=faces[0], theirs=faces[1]), bare.format(mine=faces[0], theirs=faces[1])


NONE: Final = lazy("This match has no clock.")
_BREAKS: Final = lazy({Break.PAUSE: "pause", Break.ADJOURNMENT: "adjournment"})


def proposal_sent(opponent: str, what: Break, *, clock: bool = True) -> str:
    """Return what follows an own proposal: that it waits for an answer, and how it comes to nothing."""
    template = lazy("Sent. {opponent} can accept or decline the {what}; it lapses with the next move.")
    if clock:
        template = lazy(
            "Sent. {opponent} can accept or decline the {what}; until then the clocks run as before, and it lapses with"
            " the next move."
        )
    return fill(template, opponent=clean(opponent), what=_BREAKS[what])


CLOCK_CHANGED: Final = lazy(
    "Since you left, this machine's clock has been set back, or ahead by more than ten years. The time in between does not "
    "count against you, and the match goes on. Set the clock right before you play on, or your times will differ from the "
    "other player's."
)
DECLINED: Final = lazy("Declined; the match goes on.")
CONCEDE: Final = lazy("You sign that the claim is right, and the match ends.")
DENIED: Final = lazy("Denied; the match goes on, and the log shows both statements.")
CLAIM_SENT: Final = lazy("Claimed. It is in the signed log, whatever the answer is.")
claim_question = Sentence[str](
    "You claim the match. {opponent} can agree, deny it or play on; you can only wait until they do."
)
answer_claim = Sentence[str]("{opponent} claims the match. Type concede to agree, deny to say no, or play on.")
_REFUSED: Final = lazy(
    {
        "nothing_to_claim": "There is nothing to claim: the other player's time is not up, and they have not been silent "
        "for as long as the terms require.",
        "no_break": "There is no break to end.",
        "break_stands": "This break is agreed already; nothing was sent. Type continue to go on, or simply play.",
        "no_offer": "There is nothing to answer now.",
        "nobody_there": "The other player has left, or their program ended with the match, so nobody hears you.",
        "place_played": "This was a tournament game, and those are played only once: there is no rematch.",
        "offer_stands": "You have already offered a rematch.",
    }
)


def refused(code: str, sentence: str) -> str:
    """Return why a word about the match does nothing, by the session's code."""
    return str(_REFUSED.get(code, sentence))


# -- in a log -------------------------------------------------------------------------------------------------

_FATES: Final = lazy(
    {
        "open": "not answered",
        "proved": "proved by the other side's signed times",
        "conceded": "conceded",
        "denied": "denied",
        "lapsed": "lapsed, the match went on",
    }
)


def course(answer: Facts) -> list[str]:
    """Return what a log says of time, breaks and claims; ``answer`` is its entry in ``verify --json``."""
    lines = []
    clock = answer.get("clock")
    if clock is not None:
        lines.append(fill("  clock: {terms}", terms=clean(clock["text"])))
        for one in clock["seats"]:
            template = lazy("  time left for the {seat}: {left} by their own account, {read} by the other side's clock")
            left, read = face(one["left"]), face(one["left_by_reading"])
            lines.append(fill(template, seat=wording.seat(one["seat"]), left=left, read=read))
        for one in clock["differences"]:
            template = lazy(
                "  message {seq} by the {seat}: took {claimed} by their own account, {read} by the other side's clock"
            )
            times = {"claimed": span(one["claimed"]), "read": span(one["read"])}
            lines.append(fill(template, seq=one["seq"], seat=wording.seat(one["seat"]), **times))
    for one in answer.get("claims", ()):
        template = lazy("  after message {seq} the {seat} claimed the match on grounds of {ground} ({time}): {fate}")
        values = {"seq": one["seq"], "seat": wording.seat(one["seat"]), "time": span(one["seconds"])}
        lines.append(fill(template, ground=wording.log_word(one["ground"]), fate=_FATES[one["state"]], **values))
    if answer.get("break") is not None:
        lines.append(fill("  clocks stopped, signed by both: {what}", what=wording.log_word(answer["break"])))
    return lines
