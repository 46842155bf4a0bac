"""What plain lines say after an event: what it has changed, a line for each thing, and nothing twice.  Pure."""

from typing import Final

from cli.console import messages, screen_state
from cli.console.guest import guest_of, tell
from cli.console.messages import Event, Severity
from cli.console.screen_state import ScreenState
from cli.notices import Quiet
from cli.text import matches, screens

_LATEST: Final = 3
"""How many lines of what has happened are said when a match goes on."""


def said(before: ScreenState, after: ScreenState, event: Event) -> list[str]:
    """Return what is to be said of an event."""
    game = after.game
    match event:
        case messages.Seated():
            return matches.seated(game)
        case messages.Placed():
            return guest_of(after).question(after)
        case messages.Asked():
            return [*guest_of(after).question(after), *(guest_of(after).guide(after) if game.guided else ())]
        case messages.Resumed():
            return [*_going_on(after), *matches.still(game)]
        case messages.TakenOver():
            return [*_going_on(after), *_end(game), *screen_state.tell_progress(game)]
        case messages.Happened():
            news = game.guest.tell(game, game.entries[-1]) if event.events else []
            return [*news, *([] if _awaits_other(before) else _waiting(after))]
        case messages.Heard():
            return [matches.heard(game.opponent, game.chat[-1].text)] if game is not before.game else []
        case messages.Noticed(notice=notice):
            silent = isinstance(notice, Quiet) and not notice.spoken
            return [game.guest.say(game, notice)] if screen_state.is_news(before.game, notice) and not silent else []
        case messages.Ended():
            return _end(game)
        case messages.Done(effect=messages.Control(word="say")):
            return [matches.said(game.chat[-1].text)]
        case messages.Entered() | messages.Advised() | messages.Analysed() | messages.Rolled() | messages.Refused() | messages.Done():
            return [*after.notice, *_sealed(before, after), *_confirmation(after)]
        case _:
            return []


def _confirmation(after: ScreenState) -> list[str]:
    """Return the question before something that cannot be taken back, while it is open."""
    asked = after.question
    if asked is None:
        return []
    return [*asked.lines, str(screens.TYPE_YES if asked.severity == Severity.LAST else screens.SEND_OR_NOT)]


def _sealed(before: ScreenState, after: ScreenState) -> list[str]:
    """Return what follows a choice that nobody can change any more."""
    game = after.game
    if before.sent or not after.sent:
        return []
    return [matches.sealed(game.opponent)] if guest_of(after).sealed(after) else []


def _going_on(after: ScreenState) -> list[str]:
    """Return where a match stands that goes on, and the last of what has happened."""
    game = after.game
    past = [
        line
        for item in game.chronicle
        for line in (game.guest.tell(game, item) if isinstance(item, screen_state.Entry) else tell(game, item))
    ]
    return [matches.resumed(game), *past[-_LATEST:], *_waiting(after)]


def _awaits_other(ui: ScreenState) -> bool:
    """Return whether the other person is awaited, and the player is not busy with the setup."""
    return ui.placing is None and guest_of(ui).is_waiting(ui.game)


def _waiting(after: ScreenState) -> list[str]:
    return [matches.waiting(after.game.opponent)] if _awaits_other(after) else []


def _end(game: screen_state.Model) -> list[str]:
    """Return how it ended: the last board as sentences when everything was opened."""
    ending = game.ending
    if ending is None:
        return []
    return [*game.guest.opened(game), *matches.over(game, ending)]
