"""What happens beside the game, in words: a sentence for each notice of a match."""

from typing import Final, assert_never

from cli import notices as n
from cli.clean import clean
from cli.text import failures, reach
from cli.text.clocks import span
from cli.text.wording import _, fill, lazy
from protocol.core import events as ev
from protocol.core.messages import Break, Ground
from protocol.game import Seat

_THEY_BROKE: Final = lazy(
    "{name}'s program broke the rules: it is cheating or broken. The match is yours, and the log proves it to anyone."
)
_WE_BROKE: Final = lazy("Your program broke the rules. The match is lost, and the log proves it to anyone.")
_BROKE: Final = lazy({
    "bad_proof": "{name}'s program placed or divided its units with an invalid proof: it is cheating or broken. The "
    "match is yours, and the log proves it to anyone.",
    "bad_point": "{name}'s program hid its units in a form about which nothing can be proved: it is cheating or "
    "broken. The match is yours, and the log proves it to anyone.",
})  # fmt: skip
_STOPPED: Final = lazy("The match cannot go on. Nobody is accused and nobody has won.")
_DISAGREED: Final = lazy({
    "states_differ": "A message from {name} names a different position from the one that this program's rules give. "
    "The match stops, and nobody is accused; storm-p2p verify says whose message it is.",
    "forked": "The two programs hold different records of this match. Nobody is accused and nobody has won.",
    "unknown_message": "{name}'s program sent a message that yours does not know and must not ignore. The match stops; "
    "nobody is accused and nobody has won. Compare what storm-p2p --version says on both machines.",
})  # fmt: skip
_DIFFERS: Final = lazy({
    "rolled_back": "{name}'s program says that it has messages of yours that are missing from your record of this "
    "match. If you restored your record from a copy, or your disk lost the end of it, make no move here: it could "
    "contradict one that you have already signed, and that counts as cheating. Leave, put the newer copy back and run "
    "storm-p2p resume. If nothing like that happened, {name}'s program is wrong or is lying. Nobody is accused. The "
    "match waits until the two records agree.",
    "forked": "{name}'s program says that some of your messages in its record of this match differ from those in "
    "yours. If you put an older copy of your record back, make no move here: leave, put the newer copy back and run "
    "storm-p2p resume. If not, {name}'s program is wrong or is lying. Nobody is accused. The match waits until the two "
    "records agree.",
    "peer_rolled_back": "{name}'s program says that its record of this match is older than yours: it was restored from "
    "a copy, or the disk lost the end of it. Your record has not changed. The match waits until {name} has put a "
    "newer copy back.",
    "peer_forked": "{name}'s program says that it sent different messages from those in your record of this match. "
    "Your record has not changed. Nobody is accused. The match waits until the two records agree.",
    "peer_refused": "{name}'s program will not continue this match and gives no reason that this program knows. Nobody "
    "is accused, and the match waits. Ask {name} what their program says.",
})  # fmt: skip

_TIME_UP: Final = lazy(
    "By your clock, {opponent}'s time is up. Type claim to claim the match, pause to propose a break, or wait."
)

_OUT_OF_TIME: Final = lazy(
    "Your time is up: {opponent} can claim the match from now on. Nothing happens by itself, so play on."
)


def sentence(notice: n.Notice, opponent: str, seat: Seat, *, timed: bool) -> str:
    """Return what the player of a seat is told; ``timed`` says whether the match has clocks."""
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
            return failures.other_rules(name, version)
        case n.Claimable(ground, seconds):
            silent = lazy(
                "{opponent} has been silent for {time}. Type claim to claim the match, or wait: nothing happens by "
                "itself."
            )
            return fill(_TIME_UP if ground is Ground.TIME else silent, opponent=name, time=span(seconds))
        case n.TimeShort(left=0):
            return fill(_OUT_OF_TIME, opponent=name)
        case n.TimeShort(left):
            return fill("Your time is running out: {time} left.", time=span(left))
        case n.WitnessSilent():
            return _(
                "The witness does not answer. The match goes on anyway; the witness is called again, and nobody loses "
                "anything by it."
            )
        case n.Failed(error):
            return failures.sentence(error.code, str(error))
        case n.PortAsked() | n.PortChanged() | n.NetworkChanged():
            return reach.news(notice)
        case ev.RematchOffered():
            return fill("{name} offers a rematch, with the sides swapped. Type rematch or decline.", name=name)
        case ev.RematchDeclined():
            return fill("{name} does not want a rematch now.", name=name)
        case ev.OtherLeft():
            return fill("{name} has left. The match is saved.", name=name)
        case n.RematchFailed(None):
            return _(
                "The connection broke before the rematch began. No move was made, and the last match is saved. Once "
                "you are connected again, offer a rematch again."
            )
        case n.RematchFailed(why):
            return fill("The rematch did not begin. {reason}", reason=failures.handshake(why))
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
            return _proposed(name, what, timed=timed)
        case ev.BreakAgreed(what=Break.ADJOURNMENT):
            return _("The match is adjourned: you have both signed that it goes on another day.")
        case ev.BreakAgreed() if timed:
            return _("Pause: no clock runs. Type continue to go on, or simply play.")
        case ev.BreakAgreed():
            return _("Pause: you have both agreed. Type continue to go on, or simply play.")
        case ev.BreakRejected():
            return fill("{opponent} declines the break you proposed; the match goes on.", opponent=name)
        case ev.BreakLapsed():
            return _("The proposed break has lapsed, because the match went on.")
        case ev.GoneOn() if notice.seat == seat:
            return _("The break is over; the clocks run again.") if timed else _("The break is over.")
        case ev.GoneOn() if timed:
            return fill("{opponent} goes on; the clocks run again.", opponent=name)
        case ev.GoneOn():
            return fill("{opponent} goes on; the break is over.", opponent=name)
        case ev.Claimed():
            return _claimed(name, notice)
        case ev.ClaimDenied():
            denied = lazy("{opponent} denies the claim; the match goes on. The log shows what both of you have said.")
            return fill(denied, opponent=name)
        case ev.ClaimLapsed():
            return fill("{opponent} has played on, and the claim has lapsed. The log shows it.", opponent=name)
        case ev.TimesDiffer(found):
            ours, theirs = lazy((
                "Your program says you took {said}; the other player's clock says {read}. The log shows both.",
                "{name} says they took {said}; your clock says {read}. The log shows both.",
            ))  # fmt: skip
            values = {"said": span(found.claimed), "read": span(found.read)}
            return fill(ours if found.seat == seat else theirs, name=name, **values)
        case ev.Damaged():
            return failures.sentence("bad-frame", notice.sentence)
        case ev.Disagreement(code):
            return fill(_DISAGREED.get(code, _STOPPED), name=name)
        case ev.RecordsDiffer(code):
            return fill(_DIFFERS[code], name=name)
        case ev.PeerMisbehaved(code):
            return fill(_WE_BROKE if notice.seat == seat else _BROKE.get(code, _THEY_BROKE), name=name)
        case never:
            assert_never(never)


def _proposed(opponent: str, what: Break, *, timed: bool) -> str:
    if what is Break.ADJOURNMENT:
        template = lazy(
            "{opponent} proposes to adjourn: both sign, leave and go on another day. Type accept or decline."
        )
    elif timed:
        template = lazy("{opponent} proposes a pause: no clock runs until one of you goes on. Type accept or decline.")
    else:
        template = lazy("{opponent} proposes a pause until one of you goes on. Type accept or decline.")
    return fill(template, opponent=opponent)


def _claimed(opponent: str, claim: ev.Claimed) -> str:
    if claim.proved:
        return fill("{opponent} claims the match: by your own signed times, your time was up.", opponent=opponent)
    template = lazy("{opponent} claims the match: by their clock you have been silent for {time}.")
    if claim.ground is Ground.TIME:
        template = lazy("{opponent} claims the match: you have taken {time}, and by their clock your time is up.")
    said = fill(template, opponent=opponent, time=span(sum(claim.reading)))
    return said + _(" Type concede to agree, deny to say no, or play on.")
