"""A match from outside: its terms, its players, words about the line, a sentence for each notice, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, assert_never

from cli.clean import clean
from cli.text import failures, wording
from cli.text.clocks import AIDS_AGREED, moment, span, watched
from cli.text.wording import Lazy, Sentence, _, count, fill, lazy
from protocol.core.messages import Break, Ground
from protocol.game import Seat

if TYPE_CHECKING:
    from cli import notices
    from cli.console.screen_state import Model, Said
    from cli.match.player import Ending
    from protocol.core import events
    from protocol.record.judging import Facts


YOU: Final = lazy("you")
UNOPENED: Final = lazy("What was hidden was proved, but not opened.")
UNCHECKED: Final = lazy("What was hidden was not checked.")

offer = Sentence[str, str]("{name} offers: {terms}.")
waiting = Sentence[str]("Waiting for {opponent}.")
sealed = Sentence[str]("Sealed. Waiting for {opponent}.")
said = Sentence[str]("you say: {text}")
heard = Sentence[str, str]("{opponent} says: {text}")
wrote = Sentence[str]("{opponent} has written to you.")
draw_sent = Sentence[str]("You offer a draw. {opponent} can accept or decline it; it lapses if the match goes on.")
waits_for_line = Sentence[str, str]("{said} The connection is down: {opponent} gets this when it is back.")
draw_declined = Sentence[str]("Declined. The match goes on; {opponent} is told.")

rematch_declined = Sentence[str]("You declined. {opponent} is told.")


def rematch_wanted(model: Model) -> str:
    """Return what follows a rematch, or a next game, that the player wants."""
    said = lazy("Offered. The next match begins as soon as {opponent} accepts; you can go on talking.")
    if model.rematch_offered:
        said = lazy("Accepted. The next match with {opponent} begins.")
    return fill(said, opponent=model.opponent)


DIFFER: Final = lazy(
    "The words differ, so somebody may be listening in. What you have not shown is still hidden. Make a new invite and "
    "send it over another channel, such as a phone call."
)


def seated(model: Model) -> list[str]:
    """Return the introduction of a match."""
    side = model.guest.side_name(model.side)
    introduction = lazy("You play the {side} against {opponent}: {terms}.")
    lines = [fill(introduction, side=side, opponent=model.opponent, terms=model.guest.terms_of(model.terms))]
    if model.aids and not model.computer:
        lines.append(str(AIDS_AGREED))
    if model.watched is not None:
        lines.append(watched(model.watched))
    if model.words:
        compare = lazy(
            "Compare these words with {opponent}: {words}. If they are the same, type same; if they differ, type differ."
        )
        if model.differs:
            compare = lazy(
                "You have said that {opponent} sees different words from yours, {words}, so somebody may be "
                "listening in. Type bye and make a new invite; if the words are the same after all, type same."
            )
        elif model.compared:
            compare = lazy("You have compared words with {opponent}; those of this match are: {words}.")
        lines.append(fill(compare, opponent=model.opponent, words=model.words))
    return lines


def resumed(model: Model) -> str:
    """Return the introduction of a match that goes on."""
    number, turn = wording.match_number(model.match), model.turn
    if not turn:
        return fill("Match {number} goes on before its first turn.", number=number)
    return fill("Match {number} goes on from turn {turn}.", number=number, turn=turn)


def still(model: Model) -> tuple[str, ...]:
    """Return what the player has asked for earlier in this match and still holds."""
    found = [fill("{name} is still muted; mute ends that.", name=model.opponent)] if model.muted else []
    if model.confirms:
        found.append(_("You are still asked before every action is sent; confirm costs ends that."))
    return tuple(found)


def reason(ended: str, *, guilty: bool) -> str:
    """Return the word for why a match ended: that of the log, but a forfeit is misbehaviour of the ``guilty`` or else a
    resignation.
    """
    if ended == "forfeit":
        ended = "misbehaviour" if guilty else "resignation"
    return clean(ended).replace("-", " ").replace("_", " ")


_BY_RULE: Final[Mapping[str, Lazy]] = lazy(
    {
        "palace": "a leader reached the Palace",
        "leaders": "the leaders are gone",
        "full": "all six spaces were full at the start of the turn",
        "points": "the counter reached 7",
        "pile": "the pile is empty",
    }
)
"""What the words mean by which logs say how a game ended; another game's word stands as it is."""
_WON: Final[Mapping[str, Lazy]] = {
    **_BY_RULE,
    "honor": lazy("the other side has no Honor left"),
    "resignation": lazy("{loser} resigned"),
    "misbehaviour": lazy("{loser} broke the rules"),
    "time": lazy("{loser}'s time was up"),
    "absence": lazy("{loser} did not come back"),
}
_LOST: Final[Mapping[str, Lazy]] = {
    **_BY_RULE,
    "honor": lazy("you have no Honor left"),
    "resignation": lazy("you resigned"),
    "misbehaviour": lazy("your program broke the rules"),
    "time": lazy("your time was up"),
    "absence": lazy("you were silent for too long"),
}
_DRAWN: Final[Mapping[str, Lazy]] = {
    **_BY_RULE,
    "honor": lazy("nobody has Honor left"),
    "resignation": lazy("both resigned"),
    "agreement": lazy("by agreement"),
}


def _why(table: Mapping[str, Lazy], ended: str, loser: str, *, guilty: bool) -> str:
    word = reason(ended, guilty=guilty)
    return fill(table[word], loser=loser) if word in table else wording.log_word(word)


_OTHER_AUDIT: Final = lazy(
    "{name}'s program signed that its check had a different result. storm-p2p verify says what the log shows."
)


_KEYS_STAY: Final = lazy(
    "{name}'s program has not confirmed that it has the whole match, so yours keeps the keys of the match. storm-p2p "
    "resume {number} sends {name} what is missing."
)


def over(model: Model, ending: Ending) -> list[str]:
    """Return how a match ended, and where its log is."""
    if ending.winner is None:
        return [*_unfinished(model, ending, model.turn, setup=not model.turn), *_problems(ending)]
    lines = [_how(model, ending)]
    lines.append(_audit(ending))
    if not ending.confirmed:
        template = lazy(
            "The result is unconfirmed: {name} has not signed it. storm-p2p resume {number} asks for it again."
        )
        lines.append(fill(template, name=model.opponent, number=wording.match_to_resume(model.match)))
    elif ending.keys_stay:
        lines.append(fill(_KEYS_STAY, name=model.opponent, number=wording.match_to_resume(model.match)))
    if not ending.audits_agree:
        lines.append(fill(_OTHER_AUDIT, name=model.opponent))
    lines += _problems(ending)
    if ending.log:
        lines.append(fill("Saved in {log}", log=clean(ending.log)))
        lines.append(_("storm-p2p replay last shows the match again, step by step."))
    return lines


def _how(model: Model, ending: Ending) -> str:
    turn = model.turn
    setup = not turn
    if ending.winner == "draw":
        head, table = lazy("A draw in the setup: {why}." if setup else "A draw in turn {turn}: {why}."), _DRAWN
    elif ending.winner == model.guest.seat_word(model.side):
        head, table = lazy("You won in the setup: {why}." if setup else "You won in turn {turn}: {why}."), _WON
    else:
        head, table = lazy("You lost in the setup: {why}." if setup else "You lost in turn {turn}: {why}."), _LOST
    return fill(head, turn=turn, why=_why(table, ending.reason, model.opponent, guilty=ending.guilty))


def untold_end(model: Model) -> list[str]:
    """Return how a match ended if no move has brought it about: by a resignation, a draw, a claim or a foul."""
    ending = model.ending
    if ending is None or ending.winner is None:
        return []
    word = reason(ending.reason, guilty=ending.guilty)
    return [_how(model, ending)] if Lazy(word) in wording.WORDS else []


def _audit(ending: Ending) -> str:
    if not ending.audited:
        return str(UNOPENED if ending.proved else UNCHECKED)
    if ending.problems:
        return _("Everything was opened and checked.")
    return _("Everything was opened and checked, and no problem was found.")


def _unfinished(model: Model, ending: Ending, turn: int, *, setup: bool) -> list[str]:
    head = lazy("The match is not finished: it is turn {turn}.")
    if ending.adjourned:
        head = lazy("The match is adjourned in the setup." if setup else "The match is adjourned in turn {turn}.")
    elif setup:
        head = lazy("The match is not finished: it is still in setup.")
    lines = [fill(head, turn=turn)]
    if model.differs:
        return [*lines, str(DIFFER)]
    if ending.held:
        stopped = lazy(
            "It has stopped and cannot go on. The signed log with the message in question is saved in {log}, and the "
            "position that this program has is beside it in {held}; send both with a report."
        )
        return [*lines, fill(stopped, log=clean(ending.log or ""), held=clean(ending.held))]
    if ending.log:
        saved = lazy("It is saved in {log}; storm-p2p resume {number} continues it.")
        lines.append(fill(saved, log=clean(ending.log), number=wording.match_to_resume(model.match)))
    return lines


def _problems(ending: Ending) -> list[str]:
    return [fill("Problem: {problem}", problem=clean(problem)) for problem in ending.problems]


plays = Sentence[str, str, str]("{name} ({side}) plays against {opponent}.")
goes_on = Sentence[int]("The match goes on in turn {turn}.")
GOES_ON_EARLY: Final = lazy("The match goes on before the first turn.")
chat = Sentence[str]("chat: {text}")


def tell_end(ending: Ending, called: Mapping[str, str]) -> list[str]:
    """Return how a match that was watched has ended."""
    if ending.winner is None:
        lines = [_("The match is not finished.")]
    else:
        said = result(ending.winner, ending.reason, called, guilty=ending.guilty)
        lines = [fill("The match is over: {result}.", result=said)]
    lines += [_audit(ending), *_problems(ending)]
    if ending.log is not None:
        lines.append(fill("Saved in {log}", log=clean(ending.log)))
    return lines


def result(winner: str | None, ended: str, called: Mapping[str, str], *, guilty: bool, own: str = "") -> str:
    """Return the result of a log for everybody: who has won, and why.

    ``winner`` is a side in lower case, ``draw``, or None when it is not finished; ``called`` has the players' names by
    their sides, of which the reader has ``own``.
    """
    if winner is None:
        return _("not finished")
    called = wording.tell_apart(called)
    side, loser = next(((side, clean(name)) for side, name in called.items() if side != winner), ("?", "?"))
    table = _DRAWN if winner == "draw" else _LOST if side == own else _WON
    how = _why(table, ended, loser, guilty=guilty)
    if winner == "draw":
        return fill("a draw: {how}", how=how)
    if winner.isdigit():
        # The sides of a game without named ones are called by their numbers.
        if winner == own:
            return fill("you win: {how}", how=how)
        return fill("{name} wins: {how}", name=clean(called.get(winner, winner)), how=how)
    return fill("the {side} win: {how}", side=wording.seat(clean(winner)), how=how)


left = Sentence[()]("You have left.")
"""Where the match is saved is said at the end."""


def remark(model: Model, said: Said) -> str:
    """Return a line of chat with who has said it."""
    return fill("{name}: {text}", name=str(YOU) if said.mine else model.opponent, text=said.text)


_THEY_BROKE: Final = lazy(
    "{name}'s program broke the rules: it is cheating or broken. The match is yours, and the log proves it to anyone."
)
_WE_BROKE: Final = lazy("Your program broke the rules. The match is lost, and the log proves it to anyone.")
_BROKE: Final = lazy(
    {
        "bad_proof": "{name}'s program placed or divided its units with an invalid proof: it is cheating or broken. The "
        "match is yours, and the log proves it to anyone.",
        "bad_point": "{name}'s program hid its units in a form about which nothing can be proved: it is cheating or "
        "broken. The match is yours, and the log proves it to anyone.",
    }
)
_STOPPED: Final = lazy("The match cannot go on. Nobody is accused and nobody has won.")
_DISAGREED: Final = lazy(
    {
        "states_differ": "A message from {name} names a different position from the one that this program's rules give. "
        "The match stops, and nobody is accused; storm-p2p verify says whose message it is.",
        "forked": "The two programs hold different records of this match. Nobody is accused and nobody has won.",
        "unknown_message": "{name}'s program sent a message that yours does not know and must not ignore. The match stops; "
        "nobody is accused and nobody has won. Compare what storm-p2p --version says on both machines.",
    }
)
_DIFFERS: Final = lazy(
    {
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
    }
)

_TIME_UP: Final = lazy(
    "By your clock, {opponent}'s time is up. Type claim to claim the match, pause to propose a break, or wait."
)

_OUT_OF_TIME: Final = lazy(
    "Your time is up: {opponent} can claim the match from now on. Nothing happens by itself, so play on."
)


def sentence(notice: notices.Notice, opponent: str, seat: Seat, *, timed: bool) -> str:  # noqa: C901 - a table
    """Return what the player of a seat is told; ``timed`` says whether the match has clocks."""
    # Whoever reads logs is told none of this.
    from cli import notices
    from cli.text import joining
    from protocol.core import events

    name = clean(opponent)
    match notice:
        case notices.LineLost(calls=True):
            return fill("Lost the connection to {name}; calling again.", name=name)
        case notices.LineLost():
            return fill("Lost connection to {name}.", name=name)
        case notices.LineTried(count, pause):
            template = lazy(
                "Connection to {name}: calling, try {count}, next in {seconds} s. bye leaves; the match is saved."
            )
            return fill(template, name=name, count=count, seconds=round(pause))
        case notices.LineBack():
            return fill("Connected to {name} again; the match goes on.", name=name)
        case notices.OtherRules(version):
            return failures.other_rules(name, version)
        case notices.Claimable(ground, seconds):
            silent = lazy(
                "{opponent} has been silent for {time}. Type claim to claim the match, or wait: nothing happens by "
                "itself."
            )
            return fill(_TIME_UP if ground is Ground.TIME else silent, opponent=name, time=span(seconds))
        case notices.TimeShort(left=0):
            return fill(_OUT_OF_TIME, opponent=name)
        case notices.TimeShort(left):
            return fill("Your time is running out: {time} left.", time=span(left))
        case notices.WitnessSilent():
            return _(
                "The witness does not answer. The match goes on anyway; the witness is called again, and nobody loses "
                "anything by it."
            )
        case notices.PublishingFailed(why):
            return fill(
                "Publishing the match has failed ({why}). The match goes on, and publishing is tried again after the "
                "next message.",
                why=why,
            )
        case notices.FeedTaken(path):
            return fill(
                "You are not publishing: {path} already exists, perhaps from the other player, and stays as it is. To "
                "publish the match yourself, leave it and type storm-p2p resume --publish with another folder.",
                path=path,
            )
        case notices.FeedPutAside(path):
            return fill("A different version of this match was published before; it is kept in {path}.", path=path)
        case notices.Failed(error):
            return failures.sentence(error.code, str(error))
        case notices.PortAsked() | notices.PortChanged() | notices.NetworkChanged():
            return joining.news(notice)
        case notices.NextGame(place):
            return fill("Your next game against {name} is {place}. Type next to play it now.", name=name, place=place)
        case events.RematchOffered(is_next=True):
            return fill("{name} wants to play your next game now. Type next or decline.", name=name)
        case events.RematchOffered():
            return fill("{name} offers a rematch, with the sides swapped. Type rematch or decline.", name=name)
        case events.RematchDeclined():
            return fill("{name} does not want another match now.", name=name)
        case events.OtherLeft():
            return fill("{name} has left.", name=name)
        case notices.RematchFailed(None):
            return _(
                "The connection broke before the next match began. No move was made, and the last one is saved. Once "
                "you are connected again, offer it again."
            )
        case notices.RematchFailed(why):
            return fill("The next match did not begin. {reason}", reason=failures.handshake(why))
        case events.DrawOffered():
            return fill("{name} offers a draw. Type accept or decline.", name=name)
        case events.DrawAccepted():
            return fill("{name} accepts the draw.", name=name)
        case events.DrawDeclined():
            return fill("{name} declines the draw. The match goes on.", name=name)
        case events.DrawLapsed(late) if late == seat:
            return _(
                "Your offer of a draw, or your answer, came too late: the match had gone on. Type draw to offer one now."
            )
        case events.DrawLapsed():
            return fill("{name} offered a draw, or answered your offer, too late: the match had gone on.", name=name)
        case events.Resigned():
            return fill("{name} resigns.", name=name)
        case events.BreakProposed(what=what):
            return _proposed(name, what, timed=timed)
        case events.BreakAgreed(what=Break.ADJOURNMENT):
            return _("The match is adjourned: you have both signed that it goes on another day.")
        case events.BreakAgreed() if timed:
            return _("Pause: no clock runs. Type continue to go on, or simply play.")
        case events.BreakAgreed():
            return _("Pause: you have both agreed. Type continue to go on, or simply play.")
        case events.BreakRejected():
            return fill("{opponent} declines the break you proposed; the match goes on.", opponent=name)
        case events.BreakLapsed():
            return _("The proposed break has lapsed, because the match went on.")
        case events.GoneOn() if notice.seat == seat:
            return _("The break is over; the clocks run again.") if timed else _("The break is over.")
        case events.GoneOn() if timed:
            return fill("{opponent} goes on; the clocks run again.", opponent=name)
        case events.GoneOn():
            return fill("{opponent} goes on; the break is over.", opponent=name)
        case events.Claimed():
            return _claimed(name, notice)
        case events.ClaimDenied():
            denied = lazy("{opponent} denies the claim; the match goes on. The log shows what both of you have said.")
            return fill(denied, opponent=name)
        case events.ClaimLapsed():
            return fill("{opponent} has played on, and the claim has lapsed. The log shows it.", opponent=name)
        case events.TimesDiffer(found):
            ours, theirs = lazy(
                (
                    "Your program says you took {said}; the other player's clock says {read}. The log shows both.",
                    "{name} says they took {said}; your clock says {read}. The log shows both.",
                )
            )
            values = {"said": span(found.claimed), "read": span(found.read)}
            return fill(ours if found.seat == seat else theirs, name=name, **values)
        case events.Damaged():
            return failures.sentence("bad-frame", notice.sentence)
        case events.Disagreement(code):
            return fill(_DISAGREED.get(code, _STOPPED), name=name)
        case events.RecordsDiffer(code):
            return fill(_DIFFERS[code], name=name)
        case events.PeerMisbehaved(code):
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


def _claimed(opponent: str, claim: events.Claimed) -> str:
    if claim.proved:
        return fill("{opponent} claims the match: by your own signed times, your time was up.", opponent=opponent)
    template = lazy("{opponent} claims the match: by their clock you have been silent for {time}.")
    if claim.ground is Ground.TIME:
        template = lazy("{opponent} claims the match: you have taken {time}, and by their clock your time is up.")
    said = fill(template, opponent=opponent, time=span(sum(claim.reading)))
    return said + _(" Type concede to agree, deny to say no, or play on.")


_GONE: Final = lazy(
    {
        "unstarted": "The program {name} cannot be started ({why}).",
        "unready": "The program {name} did not report ready within {seconds} s.",
        "strange": "The program {name} did not report ready but answered something else ({why}).",
        "ended": "The program {name} has ended.",
    }
)
REPLACED: Final = lazy("My program has ended: the built-in computer player plays on in its place.")
"""What the other player is told; they have agreed to a match with somebody else."""


def gone(name: str, code: str, **values: object) -> str:
    """Return that a program plays no longer, and who does."""
    told = lazy("{what} From here on the built-in player plays in its place, and the other player is told so.")
    return fill(told, what=fill(_GONE[code], name=clean(name), **values))


moved_instead = Sentence[str, str](
    "The program {name} gave no legal answer, so the built-in player moves this time: {problem}."
)
WAITING: Final = lazy("Players put this into their terms: storm-p2p host --witness {terms}")
LEAVE: Final = lazy("The witness learns hashes, times and the keys of a match, and nothing else. Leave with Ctrl-C.")


def witness_waiting(terms: str) -> list[str]:
    """Return what a witness says who has begun to listen."""
    return [fill(WAITING, terms=terms), str(LEAVE)]


def course(answer: Facts) -> list[str]:
    """Return what a witness saw; ``answer`` is its entry in ``verify --json``."""
    found = answer.get("witness")
    if found is None:
        return []
    seen = found["seen"]
    lines = [
        count(
            "  witness {address}: has seen {seen} of {number} message",
            "  witness {address}: has seen {seen} of {number} messages",
            answer["messages"],
            address=clean(found["address"]),
            seen=found["envelopes"],
        )
    ]
    if found["witnessed"]:
        lines.append(_("  the witness has countersigned the last message of the game"))
    if seen:
        last = max(seen, key=lambda one: (one["at"], one["number"]))
        template = lazy("  the last thing that the witness saw, at {at}: a statement by the {seat} after message {seq}")
        if last["kind"] == "envelope":
            template = lazy("  the last thing that the witness saw, at {at}: message {seq}")
        values = {"seq": last["seq"], "seat": wording.seat(last["seat"]), "at": moment(last["at"])}
        lines.append(fill(template, **values))
    for one in seen:
        if one["kind"] == "claim":
            template = lazy("  the witness saw the claim of the {seat} after message {seq} at {at}")
            lines.append(fill(template, seat=wording.seat(one["seat"]), seq=one["seq"], at=moment(one["at"])))
    if found["contradictions"]:
        lines.append(
            count(
                "  the witness contradicts itself once: do not trust it",
                "  the witness contradicts itself {number} times: do not trust it",
                found["contradictions"],
            )
        )
    return lines
