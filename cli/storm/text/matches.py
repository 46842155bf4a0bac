"""A match from outside: its terms, its players, words about the line, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.clean import clean
from cli.match.participant import Ending
from cli.storm.model import Model, in_palace
from cli.storm.text import refusals
from cli.text import clocks, names, versions
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
    """Return the word for why a match ended; a forfeit without misbehaviour is a resignation.

    Args:
        ended: the word in the log.
        guilty: whoever has lost is convicted of having broken the rules.
    """
    if ended == "forfeit":
        ended = "misbehaviour" if guilty else "resignation"
    return clean(ended).replace("-", " ").replace("_", " ")


_WON: Final[Mapping[str, Lazy]] = lazy({
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
_DRAWN: Final[Mapping[str, Lazy]] = lazy({
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

    Args:
        winner: the name of a side in lower case, ``draw``, or None when it is not finished.
        ended: the word for the reason in the log.
        called: the players' names by their sides, in lower case.
        guilty: whoever has lost is convicted of having broken the rules.
    """
    if winner is None:
        return _("not finished")
    why = reason(ended, guilty=guilty)
    if winner == "draw":
        return fill("a draw ({reason})", reason=names.ended(why))
    if why == "resignation":
        loser = next(side.name.lower() for side in FACTIONS if side.name.lower() != winner)
        template = lazy("the {side} win: {name} resigned (resignation)")
        return fill(template, side=names.seat(clean(winner)), name=clean(called.get(loser, loser)))
    return fill("the {side} win ({reason})", side=names.seat(clean(winner)), reason=names.ended(why))


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


# -- the line -------------------------------------------------------------------------------------------------

_TOLD: Final[Mapping[str, Lazy]] = lazy({
    "draw-offered": "{name} offers a draw. Type accept or decline.",
    "draw-accepted": "{name} accepts the draw.",
    "draw-declined": "{name} declines the draw. The match goes on.",
    "draw-lapsed": "The offer of a draw has lapsed, because the match went on.",
    "opponent-resigned": "{name} resigns.",
    "line-lost": "Lost connection to {name}.",
    "line-back": "Connected to {name} again; the match goes on.",
    "bad_proof": "{name}'s program placed or divided its units with an invalid proof: it is cheating or broken. The "
    "match is yours, and the log proves it to anyone.",
    "bad_point": "{name}'s program hid its units in a form about which nothing can be proved: it is cheating or "
    "broken. The match is yours, and the log proves it to anyone.",
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


_WHOLE: Final = frozenset({"checked", "router", "witness", "dealing", "dealing-long", "dealt"})
"""What comes as a whole sentence already."""


def told(model: Model, code: str, sentence: str) -> str:
    """Return a word about the line or the match as a sentence."""
    if code in _WHOLE or code in clocks.SAID:
        return sentence
    if code in _TOLD:
        return fill(_TOLD[code], name=model.opponent)
    if code == "other_rules":
        return versions.of_other(model.opponent, sentence)
    if code == "line-tried":
        return fill("Connection to {name}: {state}. bye leaves; the match is "
            "saved.", name=model.opponent, state=sentence)
    if code.startswith("line-"):
        return fill("Lost the connection to {name}; calling again.", name=model.opponent)
    if sentence:
        return refusals.of_code(code, sentence)
    return fill("Something about the match with {name} has changed.", name=model.opponent)
