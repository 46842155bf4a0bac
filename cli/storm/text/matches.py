"""A match from outside: its terms, its players, words about the line, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.clean import clean
from cli.match.participant import Ending
from cli.storm.model import Model, in_palace, is_dealing
from cli.storm.notices import StormNotice
from cli.storm.text import notices
from cli.text import names
from cli.text.wording import Lazy, _, fill, lazy
from storm_p2p.storm.board import FACTIONS, REGIONS, Faction
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import Unit

UNOPENED: Final = lazy("The hidden units were proved, but not opened.")
UNCHECKED: Final = lazy("The hidden placements were not checked.")


def terms(terms: Terms, *, short: bool = False) -> str:
    """Return the terms of a match in words; ``short`` leaves out whose Honor a challenge changes."""
    parts = [_("open combat")] if terms.open_combat else []
    if terms.random_setup:
        parts.append(_("random setup"))
    if terms.challenge:
        challenge = lazy("challenge {honor:+d}" if short else "challenge {honor:+d} Honor for the Chthonians")
        parts.append(fill(challenge, honor=terms.challenge))
    return ", ".join(parts) or _("standard rules")


def offer(name: str, offered: Terms) -> str:
    """Return what the host offers."""
    return fill("{name} offers: {terms}.", name=clean(name), terms=terms(offered))


def seated(model: Model) -> list[str]:
    """Return the introduction of a match."""
    side = names.side_name(model.faction)
    introduction = lazy("You play the {side} against {opponent}: {terms}.")
    lines = [fill(introduction, side=side, opponent=model.opponent, terms=terms(model.terms))]
    if model.words:
        compare = lazy("Compare these words with {opponent}: {words}. If they differ, somebody is listening in: stop.")
        lines.append(fill(compare, opponent=model.opponent, words=model.words))
    return lines


def resumed(model: Model) -> str:
    """Return the introduction of a match that goes on."""
    if model.state is None or model.state.phase == Phase.SETUP:
        return fill("Match {number} goes on in the setup.", number=names.match_number(model.match))
    number, turn = names.match_number(model.match), model.state.number
    return fill("Match {number} goes on in turn {turn}.", number=number, turn=turn)


def still(model: Model) -> tuple[str, ...]:
    """Return what the player has asked for earlier in this match and still holds."""
    found = [fill("{name} is still muted; mute ends that.", name=model.opponent)] if model.muted else []
    if model.confirms:
        found.append(_("You are still asked before every action is sent; confirm costs ends that."))
    return tuple(found)


def waiting(model: Model) -> str:
    """Return that it is the other's turn to do something."""
    return fill("Waiting for {opponent}.", opponent=model.opponent)


def sealed(model: Model) -> str:
    """Return what follows a sealed choice or setup."""
    return fill("Sealed. Waiting for {opponent}.", opponent=model.opponent)


def said(text: str) -> str:
    """Return the echo of an own line of chat."""
    return fill("you say: {text}", text=text)


def heard(model: Model, text: str) -> str:
    """Return a line of chat of the other side."""
    return fill("{opponent} says: {text}", opponent=model.opponent, text=text)


def draw_sent(model: Model) -> str:
    """Return what follows an offer of a draw."""
    sentence = lazy("Offer sent. {opponent} can accept or decline it; it lapses if the match goes on.")
    return fill(sentence, opponent=model.opponent)


def draw_declined(model: Model) -> str:
    """Return what follows when the player declines a draw."""
    return fill("Declined. The match goes on; {opponent} is told.", opponent=model.opponent)


# -- how it ended ---------------------------------------------------------------------------------------------


def reason(ended: str, *, guilty: bool) -> str:
    """Return the word for why a match ended, from that of the log; a forfeit of one not guilty is a resignation."""
    if ended == "forfeit":
        ended = "misbehaviour" if guilty else "resignation"
    return clean(ended).replace("-", " ").replace("_", " ")


_WON: Final = lazy({
    "palace": "{leader} reached the Palace, which wins at once",
    "leaders": "the Chthonians have lost their leaders",
    "honor": "{loser} has no Honor left",
    "resignation": "{loser} resigned",
    "misbehaviour": "{loser} broke the rules",
    "time": "{loser}'s time was up",
    "absence": "{loser} did not come back",
})  # fmt: skip
_LOST: Final[Mapping[str, Lazy]] = {
    **_WON,
    "honor": lazy("no Honor is left"),
    "resignation": lazy("you resigned"),
    "misbehaviour": lazy("your program broke the rules"),
    "time": lazy("your time was up"),
    "absence": lazy("you were silent for too long"),
}
_DRAWN: Final = lazy({
    "honor": "nobody has Honor left",
    "resignation": "both resigned",
    "agreement": "by agreement",
})  # fmt: skip


def _why(model: Model, ending: Ending, table: Mapping[str, Lazy]) -> str:
    word = reason(ending.reason, guilty=ending.guilty)
    if word == "palace":
        return fill(table[word], leader=leader(model.state))
    return fill(table[word], loser=model.opponent) if word in table else word


def leader(state: State | None) -> str:
    """Return which leader of the Chthonians stands in the Palace, known to all, for a sentence."""
    found = None if state is None else in_palace(state)
    return _("a leader of the Chthonians") if found is None else names.unit_name(found)


_OTHER_AUDIT: Final = lazy(
    "{name}'s program signed that its check had a different result. storm-p2p verify says what the log shows."
)


def over(model: Model, ending: Ending) -> list[str]:
    """Return how a match ended, and where its log is."""
    setup = model.state is None or model.state.phase == Phase.SETUP
    turn = 0 if model.state is None else model.state.number
    if ending.winner is None:
        return [*_unfinished(model, ending, turn, setup=setup), *_problems(ending)]
    if ending.winner == "draw":
        head, table = lazy("A draw in the setup: {why}." if setup else "A draw in turn {turn}: {why}."), _DRAWN
    elif ending.winner == model.faction.name.lower():
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


def result(winner: str | None, ended: str, called: Mapping[str, str], *, guilty: bool) -> str:
    """Return the result of a log for everybody: who has won, and why.

    ``winner`` is a side in lower case, ``draw``, or None when the match is not finished; ``called`` has the players'
    names by their sides; ``guilty`` says that whoever has lost is convicted of having broken the rules.
    """
    if winner is None:
        return _("not finished")
    why = reason(ended, guilty=guilty)
    if winner == "draw":
        return fill("a draw ({reason})", reason=names.log_word(why))
    if why == "resignation":
        loser = next(side.name.lower() for side in FACTIONS if side.name.lower() != winner)
        template = lazy("the {side} win: {name} resigned (resignation)")
        return fill(template, side=names.log_word(clean(winner)), name=clean(called.get(loser, loser)))
    return fill("the {side} win ({reason})", side=names.log_word(clean(winner)), reason=names.log_word(why))


def standing(model: Model, faction: Faction, state: State) -> str:
    """Return where all units of a side stand, for a screen reader."""
    units = [
        f"{region} {names.unit_name(Unit(token.unit))}"
        for region in REGIONS
        for token in state.sides[faction][region]
        if token.unit is not None
    ]
    template = lazy("Your units: {units}." if faction == model.faction else "Units of {opponent}: {units}.")
    return fill(template, opponent=model.opponent, units=", ".join(units) or _("none"))


def left() -> str:
    """Return the sentence for somebody who leaves; where the match is saved is said at the end."""
    return _("You have left.")


def notice(model: Model, notice: StormNotice) -> str:
    """Return what has happened beside the game."""
    return notices.sentence(notice, model.opponent, model.faction, timed=model.clocks is not None)


def dealing(model: Model) -> list[str]:
    """Return how far a random setup is that is under way, or nothing."""
    return [notice(model, model.dealing)] if model.dealing is not None and is_dealing(model) else []
