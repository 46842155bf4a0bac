"""What plain lines say after an event: what it has changed, a line for each thing, and nothing twice.  Pure."""

from __future__ import annotations

from typing import Final

from cli.console import questions
from cli.console.screen_state import (
    Asked,
    Control,
    Done,
    Ended,
    Entered,
    Event,
    Happened,
    Heard,
    Noticed,
    Placed,
    Refused,
    Resumed,
    Rolled,
    ScreenState,
    Seated,
    TakenOver,
)
from cli.storm import combat_text, placing
from cli.storm import model as m
from cli.storm.notices import SPOKEN, DealtAgain
from cli.storm.preview import Severity
from cli.storm.text import matches, setup_screen, setups, story
from cli.text import confirming
from cli.text.wording import fill
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import Phase

_LATEST: Final = 3
"""How many lines of what has happened are said when a match goes on."""


def said(before: ScreenState, after: ScreenState, event: Event) -> list[str]:
    """Return what is to be said of an event."""
    game = after.game
    match event:
        case Seated():
            return matches.seated(game)
        case Placed():
            return _setup(after)
        case Asked():
            return _question(after)
        case Resumed():
            return [*_going_on(after), *matches.still(game)]
        case TakenOver():
            return [*_going_on(after), *_end(game), *matches.dealing(game)]
        case Happened():
            news = story.story(game, game.entries[-1]) if event.events else []
            return [*news, *([] if _awaits_other(before) else _waiting(after))]
        case Heard():
            return [matches.heard(game, game.chat[-1].text)] if game is not before.game else []
        case Noticed(notice=notice):
            silent = isinstance(notice, DealtAgain) and notice.number not in SPOKEN
            return [matches.notice(game, notice)] if m.is_news(before.game, notice) and not silent else []
        case Ended():
            return _end(game)
        case Done(effect=Control(word="say")):
            return [matches.said(game.chat[-1].text)]
        case Entered() | Rolled() | Refused() | Done():
            return [*after.notice, *_sealed(before, after), *_confirmation(after)]
        case _:
            return []


def _setup(after: ScreenState) -> list[str]:
    """Return how a setup begins."""
    assert after.placing is not None
    names = " ".join(name for name, _ in after.setups)
    known = [fill(setup_screen.KEPT, names=names)] if names else []
    return [placing.told(after.placing), setups.first(after.game.faction), *known]


def _question(after: ScreenState) -> list[str]:
    """Return the question of the present phase."""
    game = after.game
    if game.state is not None and game.state.phase == Phase.FIGHT:
        return combat_text.spoken(game)
    return [*questions.situation(game), *questions.question(game, first=after.first)]


def _confirmation(after: ScreenState) -> list[str]:
    """Return the question before something that cannot be taken back, while it is open."""
    asked = after.question
    if asked is None:
        return []
    return [*asked.lines, str(confirming.TYPE_YES if asked.severity == Severity.LAST else confirming.SEND)]


def _sealed(before: ScreenState, after: ScreenState) -> list[str]:
    """Return what follows a choice that nobody can change any more."""
    game = after.game
    if before.sent or not after.sent:
        return []
    secret = after.placing is not None or (after.given and game.state is not None and combat.sealed(game.state))
    return [matches.sealed(game)] if secret else []


def _going_on(after: ScreenState) -> list[str]:
    """Return where a match stands that goes on, and the last of what has happened."""
    game = after.game
    past = [
        line
        for item in game.chronicle
        for line in (story.story(game, item) if isinstance(item, m.Entry) else story.told(game, item))
    ]
    return [matches.resumed(game), *past[-_LATEST:], *_waiting(after)]


def _awaits_other(ui: ScreenState) -> bool:
    """Return whether the other person is awaited, and the player is not busy with the setup."""
    state = ui.game.state
    return state is not None and ui.placing is None and questions.is_waiting(state, ui.game.faction)


def _waiting(after: ScreenState) -> list[str]:
    return [matches.waiting(after.game)] if _awaits_other(after) else []


def _end(game: m.Model) -> list[str]:
    """Return how it ended: the last board with all units by name when everything was opened."""
    ending = game.ending
    if ending is None:
        return []
    opened = ending.opened is not None and ending.opened.phase != Phase.SETUP
    board = questions.opened_spoken(game, ending.opened) if opened and ending.opened is not None else []
    return [*board, *matches.over(game, ending)]
