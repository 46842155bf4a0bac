"""What happens beside the game, in words: a sentence for each notice of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from cli import notices as n
from cli.clean import clean
from cli.text import clocks, failures, reach, versions, witnesses
from cli.text.wording import Lazy, _, fill, lazy
from protocol.core import events as ev
from protocol.game import Seat

_THEY_BROKE: Final = lazy(
    "{name}'s program broke the rules: it is cheating or broken. The match is yours, and the log proves it to anyone."
)
_WE_BROKE: Final = lazy("Your program broke the rules. The match is lost, and the log proves it to anyone.")
_BROKE: Final[Mapping[str, Lazy]] = lazy({
    "bad_proof": "{name}'s program placed or divided its units with an invalid proof: it is cheating or broken. The "
    "match is yours, and the log proves it to anyone.",
    "bad_point": "{name}'s program hid its units in a form about which nothing can be proved: it is cheating or "
    "broken. The match is yours, and the log proves it to anyone.",
})  # fmt: skip
_STOPPED: Final = lazy("The match cannot go on. Nobody is accused and nobody has won.")
_DISAGREED: Final[Mapping[str, Lazy]] = lazy({
    "states_differ": "A message from {name} names a different position from the one that this program's rules give. "
    "The match stops, and nobody is accused; storm-p2p verify says whose message it is.",
    "forked": "The two programs hold different records of this match. Nobody is accused and nobody has won.",
    "rolled_back": "Your record of this match is older than {name}'s: it was restored from a copy, or the disk lost "
    "the end of it. If you went on from here, you would sign a second move in place of one that you have already "
    "signed, so the match stops. If there is a newer copy, put it back and resume; nobody is accused and nobody has "
    "won.",
    "peer_rolled_back": "{name}'s record of this match is older than yours: it was restored from a copy, or the disk "
    "lost the end of it. The match stops; it can go on once {name} has put a newer copy back.",
    "unknown_message": "{name}'s program sent a message that yours does not know and must not ignore. The match stops; "
    "nobody is accused and nobody has won. Compare what storm-p2p --version says on both machines.",
    "reserved": "{name}'s program sent a step from a later version that yours does not know. The match stops; nobody "
    "is accused and nobody has won. Compare what storm-p2p --version says on both machines.",
    "peer_forked": "{name}'s program says that the two programs hold different records of this match. Nobody is "
    "accused and nobody has won.",
})  # fmt: skip


def sentence(notice: n.Notice, opponent: str, seat: Seat, *, timed: bool) -> str:
    """Return what a player is told.

    Args:
        notice: what has happened.
        opponent: the other player's name.
        seat: the player's own.
        timed: whether the match has clocks.
    """
    name = clean(opponent)
    match notice:
        case n.LineLost(calls=True):
            return fill("Lost the connection to {name}; calling again.", name=name)
        case n.LineLost():
            return fill("Lost connection to {name}.", name=name)
        case n.LineTried(count, pause):
            template = lazy(
                "Connection to {name}: calling, try {count}, next in {seconds} s. bye leaves; the match is saved."
            )
            return fill(template, name=name, count=count, seconds=round(pause))
        case n.LineBack():
            return fill("Connected to {name} again; the match goes on.", name=name)
        case n.OtherRules(version):
            return versions.of_other(name, version)
        case n.Claimable(ground, seconds):
            return clocks.claimable(name, ground, seconds)
        case n.WitnessSilent():
            return str(witnesses.SILENT)
        case n.Failed(error):
            return failures.sentence(error.code, str(error))
        case n.PortAsked() | n.PortChanged() | n.NetworkChanged():
            return reach.news(notice)
        case ev.DrawOffered():
            return fill("{name} offers a draw. Type accept or decline.", name=name)
        case ev.DrawAccepted():
            return fill("{name} accepts the draw.", name=name)
        case ev.DrawDeclined():
            return fill("{name} declines the draw. The match goes on.", name=name)
        case ev.DrawLapsed():
            return _("The offer of a draw has lapsed, because the match went on.")
        case ev.Resigned():
            return fill("{name} resigns.", name=name)
        case ev.BreakProposed(what=what):
            return clocks.proposed(name, what, clock=timed)
        case ev.BreakAgreed(what=what):
            return clocks.agreed(what, clock=timed)
        case ev.BreakRejected():
            return clocks.rejected(name)
        case ev.BreakLapsed():
            return str(clocks.LAPSED)
        case ev.GoneOn():
            return clocks.went_on(clock=timed) if notice.seat == seat else clocks.gone_on(name, clock=timed)
        case ev.Claimed():
            return clocks.claimed(name, notice.ground, sum(notice.reading), proved=notice.proved)
        case ev.ClaimDenied():
            return clocks.claim_denied(name)
        case ev.ClaimLapsed():
            return clocks.claim_lapsed(name)
        case ev.TimesDiffer(found):
            return clocks.differ("" if found.seat == seat else name, found.claimed, found.read)
        case ev.Damaged():
            return failures.sentence("damaged", notice.sentence)
        case ev.Disagreement(code):
            return fill(_DISAGREED.get(code, _STOPPED), name=name)
        case ev.PeerMisbehaved(code):
            return fill(_WE_BROKE if notice.seat == seat else _BROKE.get(code, _THEY_BROKE), name=name)
        case never:
            assert_never(never)
