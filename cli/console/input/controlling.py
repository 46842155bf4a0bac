"""The words about the match itself: what each asks first, which control it uses, and what is said after it.

Pure but for :func:`use`, which is handed the controls.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cli.console import screen_state
from cli.console.messages import Control
from cli.console.screen_state import M, Model
from cli.match.player import Controls
from cli.text import clocks, matches, screens
from cli.text.wording import Lazy
from protocol.core.messages import Break

Sentence = Callable[[Model], str | Lazy]


def _nothing(game: Model) -> str:
    del game
    return ""


@dataclass(frozen=True, slots=True)
class MatchWord:
    """What a word about the match does."""

    use: Callable[[Controls], bool | None]
    """Uses the control; returns True where what follows will be told anyway, so that nothing is said here."""
    asks: Sentence = _nothing
    """What is asked before, where something could be lost by it; only the whole word ``yes`` does it then."""
    says: Sentence = _nothing
    """What is said after it, and stands in the log."""
    after: Callable[[Any], Any] = lambda game: game
    """What is known after it."""
    ends: bool = False
    """The match ends by it."""


def _proposal(what: Break) -> MatchWord:
    def says(game: Model) -> str:
        return clocks.proposal_sent(game.opponent, what, clock=game.clocks is not None)

    return MatchWord(lambda controls: controls.propose(what), says=says)


_WORDS: Final[Mapping[str, MatchWord]] = {
    "rematch": MatchWord(
        lambda controls: controls.offer_rematch(), says=lambda game: matches.rematch_wanted(game),
        after=screen_state.wanted_rematch,
    ),
    "decline rematch": MatchWord(
        lambda controls: controls.decline_rematch(), says=lambda game: matches.rematch_declined(game.opponent),
        after=screen_state.answered_rematch,
    ),
    "resign": MatchWord(lambda controls: controls.resign(), asks=lambda game: screens.GIVE_UP, ends=True),
    "draw": MatchWord(
        lambda controls: controls.offer_draw(), asks=lambda game: screens.OFFER_DRAW,
        says=lambda game: matches.draw_sent(game.opponent),
    ),
    "accept": MatchWord(
        lambda controls: controls.accept_draw(), asks=lambda game: screens.ACCEPT_DRAW, after=screen_state.answered_draw, ends=True
    ),
    "decline": MatchWord(
        lambda controls: controls.decline_draw(), says=lambda game: matches.draw_declined(game.opponent),
        after=screen_state.answered_draw,
    ),
    "pause": _proposal(Break.PAUSE),
    "adjourn": _proposal(Break.ADJOURNMENT),
    "accept break": MatchWord(lambda controls: controls.agree(), after=screen_state.answered_break),
    "decline break": MatchWord(
        lambda controls: controls.reject(), says=lambda game: clocks.DECLINED, after=screen_state.answered_break
    ),
    "continue": MatchWord(lambda controls: controls.go_on()),
    "claim": MatchWord(
        lambda controls: controls.claim(), asks=lambda game: clocks.claim_question(game.opponent),
        says=lambda game: clocks.CLAIM_SENT,
    ),
    "concede": MatchWord(
        lambda controls: controls.concede(), asks=lambda game: clocks.CONCEDE, after=screen_state.answered_claim, ends=True
    ),
    "deny": MatchWord(lambda controls: controls.deny(), says=lambda game: clocks.DENIED, after=screen_state.answered_claim),
    "leave": MatchWord(lambda controls: controls.leave(), says=lambda game: matches.left(), ends=True),
}  # fmt: skip


def refuse(word: str, game: Model) -> str:
    """Return why a word has nothing to answer now, so that nobody is asked for a yes to nothing; else nothing."""
    if word in ("accept", "decline") and not (game.draw_offered or game.break_offered):
        return clocks.answer_claim(game.opponent) if game.claimed else str(screens.NO_OFFER)
    if word == "claim" and not game.claimable:
        return clocks.refused("nothing_to_claim", "")
    return clocks.refused("no_offer", "") if word in ("concede", "deny") and not game.claimed else ""


def row(word: str, game: Model) -> MatchWord:
    """Return what a word does; ``accept`` and ``decline`` answer what is offered: a draw, a break, or a rematch."""
    if word in ("accept", "decline") and game.ending is not None:
        word = "rematch" if word == "accept" else "decline rematch"
    elif word in ("accept", "decline") and game.break_offered and not game.draw_offered:
        word = f"{word} break"
    return _WORDS[word]


def use(effect: Control, game: Model, controls: Controls) -> bool:
    """Use a control; return whether what follows will be told anyway.

    Raises:
        LocalProtocolError: it cannot be used.
    """
    if effect.word == "say":
        controls.say(effect.text)
        return False
    return row(effect.word, game).use(controls) is True


def used(word: str, game: M, *, told_anyway: bool) -> tuple[M, str]:
    """Return what is known after a control was used, and what there is to say about it, or nothing."""
    done = row(word, game)
    said = "" if told_anyway else str(done.says(game))
    # That the player has left is no news of the match.
    return (game if word == "leave" else screen_state.acted(done.after(game), said)), said
