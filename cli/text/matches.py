"""A match from outside: its terms, its players, words about the line, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from cli.clean import clean
from cli.text import advice, names
from cli.text.sentences import Sentence
from cli.text.wording import Lazy, _, fill, lazy

if TYPE_CHECKING:
    from cli.console.model import Model, Said
    from cli.match.participant import Ending

YOU: Final = lazy("you")
UNOPENED: Final = lazy("What was hidden was proved, but not opened.")
UNCHECKED: Final = lazy("What was hidden was not checked.")

offer = Sentence[str, str]("{name} offers: {terms}.")
waiting = Sentence[str]("Waiting for {opponent}.")
sealed = Sentence[str]("Sealed. Waiting for {opponent}.")
said = Sentence[str]("you say: {text}")
heard = Sentence[str, str]("{opponent} says: {text}")
wrote = Sentence[str]("{opponent} has written to you.")
draw_sent = Sentence[str]("Offer sent. {opponent} can accept or decline it; it lapses if the match goes on.")
draw_declined = Sentence[str]("Declined. The match goes on; {opponent} is told.")

rematch_declined = Sentence[str]("You declined. {opponent} is told.")


def rematch_wanted(model: Model) -> str:
    """Return what follows a rematch that the player wants."""
    taken = lazy("Accepted. The rematch with {opponent} begins.")
    offered = lazy("Offered. The rematch begins as soon as {opponent} accepts; you can go on talking.")
    return fill(taken if model.rematch_offered else offered, opponent=model.opponent)


def seated(model: Model) -> list[str]:
    """Return the introduction of a match."""
    side = model.guest.side_name(model.side)
    introduction = lazy("You play the {side} against {opponent}: {terms}.")
    lines = [fill(introduction, side=side, opponent=model.opponent, terms=model.guest.terms_of(model.terms))]
    if model.aids and not model.computer:
        lines.append(str(advice.AGREED))
    if model.words:
        compare = lazy(
            "Compare these words with {opponent}: {words}. If they are the same, type same; if they differ, somebody "
            "is listening in: stop."
        )
        lines.append(fill(compare, opponent=model.opponent, words=model.words))
    return lines


def resumed(model: Model) -> str:
    """Return the introduction of a match that goes on."""
    number, turn = names.match_number(model.match), model.turn
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


_WON: Final[Mapping[str, Lazy]] = lazy({
    "resignation": "{loser} resigned",
    "misbehaviour": "{loser} broke the rules",
    "time": "{loser}'s time was up",
    "absence": "{loser} did not come back",
})  # fmt: skip
_LOST: Final[Mapping[str, Lazy]] = {
    **_WON,
    "resignation": lazy("you resigned"),
    "misbehaviour": lazy("your program broke the rules"),
    "time": lazy("your time was up"),
    "absence": lazy("you were silent for too long"),
}
_DRAWN: Final[Mapping[str, Lazy]] = lazy({
    "resignation": "both resigned",
    "agreement": "by agreement",
})  # fmt: skip


def _why(model: Model, ending: Ending, table: Mapping[str, Lazy]) -> str:
    word = reason(ending.reason, guilty=ending.guilty)
    return fill(table[word], loser=model.opponent) if word in table else model.guest.why(model, word)


_OTHER_AUDIT: Final = lazy(
    "{name}'s program signed that its check had a different result. storm-p2p verify says what the log shows."
)


_KEYS_STAY: Final = lazy(
    "{name}'s program has not confirmed that it has the whole match, so yours keeps the keys of the match. storm-p2p "
    "resume {number} sends {name} what is missing."
)


def over(model: Model, ending: Ending) -> list[str]:
    """Return how a match ended, and where its log is."""
    turn = model.turn
    setup = not turn
    if ending.winner is None:
        return [*_unfinished(model, ending, turn, setup=setup), *_problems(ending)]
    if ending.winner == "draw":
        head, table = lazy("A draw in the setup: {why}." if setup else "A draw in turn {turn}: {why}."), _DRAWN
    elif ending.winner == model.guest.seat_word(model.side):
        head, table = lazy("You won in the setup: {why}." if setup else "You won in turn {turn}: {why}."), _WON
    else:
        head, table = lazy("You lost in the setup: {why}." if setup else "You lost in turn {turn}: {why}."), _LOST
    lines = [fill(head, turn=turn, why=_why(model, ending, table))]
    if not ending.audited:
        lines.append(str(UNOPENED if ending.proved else UNCHECKED))
    elif ending.problems:
        lines.append(_("Everything was opened and checked."))
    else:
        lines.append(_("Everything was opened and checked, and no problem was found."))
    if not ending.confirmed:
        template = lazy(
            "The result is unconfirmed: {name} has not signed it. storm-p2p resume {number} asks for it again."
        )
        lines.append(fill(template, name=model.opponent, number=names.match_number(model.match)))
    elif ending.keys_stay:
        lines.append(fill(_KEYS_STAY, name=model.opponent, number=names.match_number(model.match)))
    if not ending.audits_agree:
        lines.append(fill(_OTHER_AUDIT, name=model.opponent))
    lines += _problems(ending)
    if ending.log:
        lines.append(fill("Saved in {log}", log=clean(ending.log)))
        lines.append(_("storm-p2p replay last shows it again, step by step."))
    return lines


def _unfinished(model: Model, ending: Ending, turn: int, *, setup: bool) -> list[str]:
    head = lazy("The match is not finished: it is turn {turn}.")
    if setup:
        head = lazy("The match is not finished: it is still in setup.")
    lines = [fill(head, turn=turn)]
    if ending.held:
        stopped = lazy(
            "It has stopped and cannot go on. The signed log with the message in question is saved in {log}, the"
            " position that this program holds beside it in {held}; send both with a report."
        )
        return [*lines, fill(stopped, log=clean(ending.log or ""), held=clean(ending.held))]
    if ending.log:
        saved = lazy("It is saved in {log}; storm-p2p resume {number} continues it.")
        lines.append(fill(saved, log=clean(ending.log), number=names.match_number(model.match)))
    return lines


def _problems(ending: Ending) -> list[str]:
    return [fill("Problem: {problem}", problem=clean(problem)) for problem in ending.problems]


def result(winner: str | None, ended: str, called: Mapping[str, str], *, guilty: bool, own: str = "") -> str:
    """Return the result of a log for everybody: who has won, and why.

    ``winner`` is a side in lower case, ``draw``, or None when it is not finished; ``called`` has the players' names by
    their sides, of which the reader has ``own``.
    """
    if winner is None:
        return _("not finished")
    why = reason(ended, guilty=guilty)
    if winner == "draw":
        return fill("a draw ({reason})", reason=names.log_word(why))
    if why == "resignation":
        side, loser = next(((side, clean(name)) for side, name in called.items() if side != winner), ("?", "?"))
        how = fill((_LOST if side == own else _WON)["resignation"], loser=loser)
        if winner.isdigit():
            return fill("{name} wins: {how}", name=clean(called.get(winner, winner)), how=how)
        return fill("the {side} win: {how}", side=names.seat(clean(winner)), how=how)
    if winner.isdigit():
        # The sides of a game without named ones are called by their numbers.
        return fill("{name} wins ({reason})", name=clean(called.get(winner, winner)), reason=names.log_word(why))
    return fill("the {side} win ({reason})", side=names.seat(clean(winner)), reason=names.log_word(why))


def left() -> str:
    """Return the sentence for somebody who leaves; where the match is saved is said at the end."""
    return _("You have left.")


def remark(model: Model, said: Said) -> str:
    """Return a line of chat with who has said it."""
    return fill("{name}: {text}", name=str(YOU) if said.mine else model.opponent, text=said.text)
