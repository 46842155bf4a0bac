"""What is asked is seen and heard: no older answer hides a question, and no page takes a letter away from a line."""

from __future__ import annotations

import helpers
import helpers_tui as tui
import pytest

from cli.console.messages import Entered, Event, Settled, Typed
from cli.console.render.screen import render
from cli.console.render.spans import plain
from cli.console.screen_state import Page
from cli.match.player import Asked, Happened, Noticed
from cli.storm.model import StormScreen
from protocol.core.events import DrawOffered
from storm_p2p.storm.board import Faction

STATE, ACTIONS, SIDE = tui.QUESTIONS["retreat"]


def waiting(*events: Event) -> StormScreen:
    """Return the console that waits before it is asked where to retreat."""
    view = helpers.owner_view(STATE, SIDE)
    return tui.after(tui.begin(faction=SIDE), Happened((), view), Settled(), *events)


def asked(screen: StormScreen) -> StormScreen:
    """Return the console when it is asked then."""
    view = helpers.owner_view(helpers.play(STATE, *ACTIONS), SIDE)
    return tui.after(screen, Happened((), view), Asked(view))


def below(screen: StormScreen) -> str:
    """Return the picture in one line."""
    return " ".join(plain(row) for row in render(screen).above)


def test_a_question_replaces_the_answer_to_a_line_that_came_too_early() -> None:
    screen = waiting(Entered("retreat 7"))
    assert "not your turn" in below(screen)
    screen = asked(screen)
    assert "not your turn" not in below(screen)
    assert "Your units leave 13. Where to?" in below(screen)
    # The line can be brought back.
    assert screen.rejected == "retreat 7"


@pytest.mark.parametrize("late", [False, True])
def test_a_word_about_the_match_stands_below_the_question_and_not_over_it(late: bool) -> None:
    word = Noticed(DrawOffered(1, 1))
    screen = tui.after(asked(waiting()), word) if late else asked(waiting(word))
    shown = below(screen)
    assert shown.index("Your units leave 13. Where to?") < shown.index("a draw: type accept")


def test_what_one_asks_during_a_question_is_shown_alone() -> None:
    screen = tui.after(asked(waiting(Noticed(DrawOffered(1, 1)))), Typed("who 10"), Entered("who 10"))
    assert "a draw: type accept" not in below(screen)
    assert "Hades" in below(screen)


def test_letters_that_are_typed_at_a_result_are_there_when_it_is_closed() -> None:
    def result(player: object, terminal: tui.Terminal) -> None:
        after, events = helpers.happened(tui.COMBAT, *helpers.fights("standard 4", "standard 0"))
        player.tell(Happened(tuple(events), helpers.owner_view(after, Faction.CHTHONIANS)))  # type: ignore[attr-defined]
        assert player.screen.page is Page.RESULT  # type: ignore[attr-defined]

    played = tui.play(tui.COMBAT, [result, "resign now"])
    assert played.screen.page is Page.RESULT
    assert played.screen.typed == "resign now"
    played = tui.play(tui.COMBAT, [result, "resign", "\r"])
    assert (played.screen.page, played.screen.typed) == (None, "resign")
    assert not played.match.said
    played = tui.play(tui.COMBAT, [result, " "])
    assert (played.screen.page, played.screen.typed) == (None, "")
