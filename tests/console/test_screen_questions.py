"""Questions at the full-screen console: what their hints promise, and pages that are looked at meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import helpers
import helpers_tui as tui
import pytest

from cli.console.messages import Clicked, Control, Effect, Entered, Event, Key, Rolled, Seal, Send, Settled, Typed
from cli.console.render.screen import render
from cli.match.player import Happened, Noticed, Placed
from cli.notices import Claimable
from cli.storm.model import StormScreen
from cli.text import screens
from protocol.core.messages import Ground

CLAIMABLE: Final = Claimable(Ground.TIME, 1300)
ASKING: Final[dict[str, tuple[Callable[[], StormScreen], str]]] = {
    "move": (lambda: tui.after(tui.asked(tui.EXAMPLE), Entered("move 14 8 eri hec")), "y"),
    "seal": (lambda: tui.after(tui.begin(), Placed(), Rolled(7), Entered("seal")), "y"),
    "leave": (lambda: tui.after(tui.asked(tui.EXAMPLE), Key("f10")), "y"),
    "resign": (lambda: tui.after(tui.asked(tui.EXAMPLE), Entered("resign")), "yes"),
    "draw": (lambda: tui.after(tui.asked(tui.EXAMPLE), Entered("draw")), "yes"),
    "claim": (lambda: tui.after(tui.asked(tui.EXAMPLE), Noticed(CLAIMABLE), Entered("claim")), "yes"),
}


def done(effects: Sequence[Effect]) -> list[Effect]:
    """Return the effects that the other side would notice, or that leave the match."""
    return [effect for effect in effects if isinstance(effect, Send | Seal | Control)]


@pytest.mark.parametrize("name", list(ASKING))
def test_the_hint_of_a_question_says_what_enter_does_with_what_is_typed(name: str) -> None:
    make, yes = ASKING[name]
    screen = make()
    assert screen.question is not None
    assert f"{yes} and enter" in tui.hint_of(screen)
    assert "enter or esc: no" in tui.hint_of(screen)
    agreed = tui.after(screen, Typed(yes))
    assert tui.hint_of(agreed).startswith(("enter sends", "enter seals", "enter leaves"))
    for refused in ("n", "yess", "no"):
        assert "enter or esc: no" in tui.hint_of(tui.after(screen, Typed(refused)))
    for typed in ("", "n", "no", "maybe"):
        answered, effects = tui.stepped(screen, Entered(typed))
        assert answered.question is None
        assert done(effects) == []
    answered, effects = tui.stepped(agreed, Entered(yes))
    assert done(effects) == [screen.question.then]


@pytest.mark.parametrize("back", [Key("escape"), Entered("")], ids=["escape", "enter"])
@pytest.mark.parametrize("key", ["f1", "f2", "f5", "f8"])
@pytest.mark.parametrize("name", list(ASKING))
def test_a_page_that_is_looked_at_during_a_question_leads_back_to_it(name: str, key: str, back: Event) -> None:
    make, yes = ASKING[name]
    screen = make()
    looking = tui.after(screen, Key(key))
    assert looking.page is not None
    assert tui.hint_of(looking).startswith("enter or esc: back to the question")
    for typed, enter in ((yes, "enter s" if name != "leave" else "enter leaves"), ("n", "enter: no")):
        answering = tui.after(looking, Typed(typed))
        assert tui.hint_of(answering).startswith(enter)
        assert tui.hint_of(answering).endswith("esc: back to the question")
        returned = tui.after(answering, Key("escape"))
        assert (returned.page, returned.question, returned.typed) == (None, screen.question, typed)
    returned, effects = tui.stepped(looking, back)
    assert (returned.page, returned.question) == (None, screen.question)
    assert done(effects) == []
    refused, effects = tui.stepped(returned, Key("escape"))
    assert refused.question is None
    assert done(effects) == []
    assert screen.question is not None
    assert screen.question.then in tui.stepped(returned, Entered(yes))[1]


def test_the_prompt_of_a_question_names_what_a_yes_does() -> None:
    prompts = {name: render(make()).prompt for name, (make, _) in ASKING.items()}
    sure = 'type "yes" > '
    assert prompts == {
        "move": "send? [y/N] ",
        "seal": "seal? [y/N] ",
        "leave": "leave? [y/N] ",
        "resign": sure,
        "draw": sure,
        "claim": sure,
    }


def test_a_no_to_leaving_says_that_one_stays() -> None:
    assert tui.after(ASKING["leave"][0](), Key("escape")).notice == ("You stay in the match.",)
    assert "change your setup" in tui.after(ASKING["seal"][0](), Entered("")).notice[0]
    assert tui.after(ASKING["move"][0](), Entered("n")).notice == ("Nothing sent.",)


@pytest.mark.parametrize("typed", ["y", "J"])
def test_a_short_yes_where_the_whole_word_is_needed_is_told_so_and_may_be_typed_again(typed: str) -> None:
    screen = ASKING["resign"][0]()
    told, effects = tui.stepped(screen, Entered(typed))
    assert (told.question, told.notice, done(effects)) == (screen.question, (str(screens.TYPE_YES),), [])
    assert 'Type the word "yes"' in tui.text(told)
    assert Control("resign") in tui.stepped(told, Entered("yes"))[1]


@pytest.mark.parametrize("typed", ["same", "gleich"])
def test_that_the_words_are_the_same_can_be_said_while_something_else_is_asked(typed: str) -> None:
    asked = tui.asked(tui.EXAMPLE)
    words = replace(asked.match, words="quartz blanket trumpet sunflower", compared=False)
    screen = tui.after(replace(asked, match=words), Entered("move 14 8 eri hec"))
    assert screen.question is not None
    after, effects = tui.stepped(screen, Entered(typed))
    assert (after.question, after.match.compared, done(effects)) == (screen.question, True, [])


def test_up_brings_back_lines_and_not_the_answers_to_questions() -> None:
    assert tui.play(tui.EXAMPLE, ["move 14 8 eri hec\r", "n\r", "\x1b[A"]).screen.typed == "move 14 8 eri hec"


@pytest.mark.parametrize("no", [Entered("n"), Entered(""), Key("escape"), Clicked("no")], ids=str)
@pytest.mark.parametrize("name", [name for name in ASKING if name != "leave"])
def test_a_question_comes_back_after_a_no_to_leaving(name: str, no: Event) -> None:
    asked = ASKING[name][0]()
    leaving = tui.after(asked, Key("f10"))
    assert leaving.question is not None
    assert leaving.question.then == Control("leave")
    assert tui.after(leaving, Key("f10")).question == leaving.question
    back = tui.after(leaving, no)
    assert back.question == asked.question
    assert back.typed == ""
    assert tui.stepped(tui.after(back), Entered(ASKING[name][1])) == tui.stepped(asked, Entered(ASKING[name][1]))


def test_an_answer_that_was_begun_is_not_there_when_the_question_comes_back() -> None:
    back = tui.after(ASKING["move"][0](), Typed("y"), Key("f10"), Entered("n"))
    assert (back.question is not None, back.typed) == (True, "")


def test_what_was_asked_before_goes_when_it_is_asked_no_longer() -> None:
    leaving = tui.after(ASKING["move"][0](), Key("f10"), Settled())
    assert leaving.question is not None
    assert tui.after(leaving, Entered("n")).question is None


def test_a_line_that_was_begun_is_there_again_after_a_no_to_leaving() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Typed("14 9"))
    back = tui.after(screen, Key("f10"), Entered("n"))
    assert (back.question, back.typed, back.found) == (None, "14 9", screen.found)
    fought, events = helpers.happened(tui.EXAMPLE, "move 14 13 erinyes")
    screen = tui.after(tui.asked(tui.EXAMPLE), Happened(tuple(events), helpers.owner_view(fought, 0)), Key("any"))
    assert tui.after(screen, Typed("who 14"), Key("f9"), Key("f10"), Entered("n")).typed == "who 14"


def test_a_question_lies_over_no_page() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Key("f1"), Key("f10"))
    assert screen.page is None
    assert screen.question is not None


@pytest.mark.parametrize("line", ["move 14 8 eri hec", "resign", "bye"])
def test_f1_at_a_question_explains_it_first(line: str) -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Entered(line))
    assert screen.question is not None
    shown = [row.strip() for row in tui.text(tui.after(screen, Key("f1"))).splitlines()]
    at = shown.index("Question:")
    assert shown[at + 1] == screen.question.lines[0].strip()
    assert any(row.startswith("Type yes to do what is shown above.") for row in shown)
    assert ('Type the word "yes" to go on; anything else does nothing.' in shown) == (line == "resign")
    assert "Question:" not in tui.text(tui.after(tui.asked(tui.EXAMPLE), Key("f1")))
