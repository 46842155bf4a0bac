"""The row below the prompt: what it promises is what the keys do, in every state of the full-screen console."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import helpers
import helpers_tui as tui
import pytest

from cli.console.messages import Clicked, Close, Control, Done, Entered, Event, Key, Rolled, Seal, Send, Typed
from cli.console.render import screen as drawing
from cli.console.render.screen import render
from cli.console.screen_state import Page
from cli.match.player import Ended, Ending, Happened, Noticed, Placed
from cli.notices import LineLost
from cli.storm.model import StormScreen
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import Faction

ESCAPE: Final = Key("escape")
LOST: Final = helpers.play(
    helpers.at("chthonians", "charon cronus 12, hades 10, hermes poseidon 13, zeus 15"),
    "move 12 13 charon cronus",
    *helpers.fights("standard 0", "standard 6"),
)


def asked_for(name: str) -> StormScreen:
    """Return the console while one of the questions within a turn is asked."""
    state, actions, faction = tui.QUESTIONS[name]
    return tui.asked(helpers.play(state, *actions), faction=faction)


def waiting(*events: Event) -> StormScreen:
    """Return the console of the Olympians while the other side is to move."""
    view = helpers.owner_view(tui.EXAMPLE, Faction.OLYMPIANS)
    return tui.after(tui.begin(faction=Faction.OLYMPIANS), Happened((), view), *events)


def turn(*events: Event) -> StormScreen:
    """Return the console in the own turn."""
    return tui.after(tui.asked(tui.EXAMPLE), *events)


def fight(*events: Event) -> StormScreen:
    """Return the console while a maneuver is chosen."""
    return tui.after(tui.asked(tui.COMBAT), *events)


def fought() -> StormScreen:
    """Return the console with the result of a round."""
    after, events = helpers.happened(tui.COMBAT, *helpers.fights("standard 4", "standard 0"))
    return fight(Happened(tuple(events), helpers.owner_view(after, 0)))


def setting_up(*events: Event) -> StormScreen:
    """Return the console with a whole setup."""
    return tui.after(tui.begin(), Placed(), Rolled(7), *events)


def ended() -> StormScreen:
    """Return the console after the end."""
    return turn(Ended(Ending("chthonians", "palace", True, "/home/alice/logs/bob.storm")))


def effect(screen: StormScreen, event: Event) -> str:
    """Return what an event does, in a word."""
    after, effects = tui.stepped(screen, event)
    for done in effects:
        if isinstance(done, Send | Seal):
            return "sends"
        if isinstance(done, Control):
            return "says" if done.word == "say" else "sends"
        if isinstance(done, Close):
            return "leaves"
    if after.question is not None and screen.question is None:
        return "asks"
    if screen.question is not None and after.question is None:
        return "refuses"
    if screen.page is not None and after.page is None:
        return "picks" if after.found.picked else "back"
    if after.rejected:
        return "keeps" if after.typed else "rejects"
    if after.found.picked:
        return "picks"
    if screen.typed and not after.typed and isinstance(event, Key):
        return "clears"
    return "tells" if after.notice and after.notice != screen.notice else "nothing"


@dataclass(frozen=True)
class Row:
    """What is promised in a state, and what Enter without a line, Escape, ``y`` and a number do there."""

    make: Callable[[], StormScreen]
    hint: str
    enter: str
    escape: str
    yes: str
    number: str
    region: str = "14"


NONE = ("nothing", "nothing")
TABLE: Final = {
    "own turn": Row(turn, "click or type a region with your units", *NONE, "rejects", "picks"),
    "own turn, region of others": Row(turn, "click or type a region with your units", *NONE, "rejects", "tells", "9"),
    "waiting": Row(waiting, "/text talks", *NONE, "rejects", "tells"),
    "sealed": Row(lambda: turn(Entered("move 14 9 all !")), "/text talks", *NONE, "rejects", "tells"),
    "before the start": Row(tui.begin, "/text talks", *NONE, "rejects", "rejects"),
    "line lost, own turn": Row(
        lambda: turn(Noticed(LineLost(calls=True))), "click or type a region", "nothing", "nothing", "rejects", "picks"
    ),
    "line lost, waiting": Row(
        lambda: waiting(Noticed(LineLost(calls=True))), "/text talks", "nothing", "nothing", "rejects", "tells"
    ),
    "setup": Row(setting_up, "seal: done", *NONE, "rejects", "rejects"),
    "combat": Row(fight, "enter asks first   - board", "asks", "nothing", "rejects", "rejects"),
    "combat hidden": Row(lambda: fight(Key("hide")), "- shows the combat again", *NONE, "rejects", "rejects"),
    "casualty": Row(lambda: tui.asked(LOST), "tab shows the answers", *NONE, "rejects", "rejects"),
    "retreat": Row(lambda: asked_for("retreat"), "tab shows the answers", *NONE, "rejects", "asks", "7"),
    "stay": Row(lambda: asked_for("stay"), "tab shows the answers", *NONE, "rejects", "rejects", "1"),
    "aid": Row(lambda: asked_for("aid"), "tab shows the answers", *NONE, "asks", "rejects"),
    "sneak": Row(lambda: asked_for("sneak"), "tab shows the answers", *NONE, "rejects", "rejects"),
    "bolt": Row(lambda: asked_for("bolt"), "tab shows the answers", *NONE, "rejects", "rejects"),
    "drain": Row(
        lambda: tui.asked(helpers.at("olympians", "demeter 13, zeus 15, hades 10"), faction=Faction.OLYMPIANS),
        "click or type a region", *NONE, "rejects", "picks", "13",
    ),
    "powers": Row(lambda: asked_for("powers"), "click or type a region", *NONE, "rejects", "picks", "13"),
    "question": Row(
        lambda: turn(Entered("move 14 8 eri hec")), "y and enter: it is sent   enter or esc: no", "refuses", "refuses",
        "sends", "refuses",
    ),
    "question for the word": Row(
        lambda: turn(Entered("resign")), "the whole word yes and enter", "refuses", "refuses", "tells", "refuses"
    ),
    "question of the setup": Row(
        lambda: setting_up(Entered("seal")), "y and enter: it is sealed   enter or esc: no", "refuses", "refuses",
        "sends", "refuses",
    ),
    "question of leaving": Row(
        lambda: waiting(Key("f10")), "y and enter: you leave   enter or esc: no", "refuses", "refuses", "sends",
        "refuses",
    ),
    "page over a question": Row(
        lambda: turn(Entered("move 14 8 eri hec"), Key("f3")), "enter or esc: back to the question", "back", "back",
        "sends", "refuses",
    ),
    "page": Row(lambda: turn(Key("f1")), "enter or esc: back", "back", "back", "rejects", "picks"),
    "chat": Row(lambda: waiting(Key("f6")), "enter sends the line", "nothing", "back", "says", "says"),
    "chat, own turn": Row(lambda: turn(Key("f6")), "enter sends the line", "nothing", "back", "says", "keeps"),
    "result": Row(fought, "enter, esc or space: go on", "back", "back", "back", "back"),
    "over": Row(ended, "enter or esc: leave", "leaves", "leaves", "leaves", "leaves"),
    "over, rematch offered": Row(
        lambda: tui.after(ended(), Done(Control("rematch"))), "   esc: leave", "nothing", "leaves", "nothing", "nothing"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(TABLE))
def test_in_every_state_the_hint_is_what_the_keys_do(name: str) -> None:
    row = TABLE[name]
    screen = row.make()
    assert row.hint in tui.hint_of(screen)
    found = {
        "enter": effect(screen, Entered("")),
        "escape": effect(screen, ESCAPE),
        "yes": effect(screen, Entered("y")),
        "number": effect(screen, Entered(row.region)),
    }
    assert found == {"enter": row.enter, "escape": row.escape, "yes": row.yes, "number": row.number}


TYPED: Final = {
    "14": ("enter picks these units", "picks"),
    "14 ": ("now a target", "picks"),
    "9": ("enter says who is there", "tells"),
    "move 14 8 eri hec": ("enter asks before it sends   ! at the end", "asks"),
    "move 14 9 all !": ("enter sends it at once", "sends"),
    "move 14 8 eri hec?": ("enter shows the price and sends nothing", "tells"),
    "reveal moi": ("enter asks", "asks"),
    "who 14": ("enter does what is typed", "tells"),
    "hello": ("enter does what is typed", "rejects"),
}


@pytest.mark.parametrize("line", list(TYPED))
def test_below_a_typed_line_stands_what_enter_does_with_it(line: str) -> None:
    hint, done = TYPED[line]
    for screen in (turn(Typed(line)), turn(Key("f1"), Typed(line))):
        assert tui.hint_of(screen).startswith(hint)
        assert effect(screen, Entered(line)) == done
        assert effect(screen, ESCAPE) == "clears"


def lines_for(screen: StormScreen, rng: random.Random) -> list[str]:
    """Return lines to type: actions that are allowed, beginnings of them, and other words."""
    state = screen.match.state
    assert state is not None
    actions = engine.legal_actions(state, screen.match.side) if screen.match.deciding else []
    written = [notation.format_action(action) for action in rng.sample(actions, min(2, len(actions)))]
    return [
        *(f"{line}{mark}" for line in written for mark in ("", "!", " !", "?")),
        *(line.rsplit(" ", 1)[0] for line in written),
        "std 0",
        "std 1",
        "ret 0!",
        "att 2",
        "yes",
        "y",
        "14",
        "7 ",
        "help",
    ]


def test_a_hint_says_that_enter_sends_or_asks_exactly_when_it_does() -> None:
    seen = {"sends": 0, "asks": 0}
    for seed in range(3):
        rng = random.Random(seed)
        for start in tui.walk_models(seed, 8):
            for line in lines_for(start, rng):
                screen = tui.after(start, Typed(line))
                done, hint = effect(screen, Entered(line)), drawing.hint_of(screen)
                assert (done == "sends") == hint.startswith("enter sends"), (line, hint, done)
                assert (done == "asks") == hint.startswith("enter asks"), (line, hint, done)
                if done in seen:
                    seen[done] += 1
                asked = tui.after(start, Entered(line))
                if done == "asks":
                    for word in ("y", "yes", "n", "", "ye"):
                        typed = tui.after(asked, Typed(word))
                        sure = effect(typed, Entered(word)) == "sends"
                        assert sure == drawing.hint_of(typed).startswith("enter sends")
    assert min(seen.values()) > 20, seen


def test_the_hint_knows_whether_one_wants_to_be_asked_always() -> None:
    free = tui.after(tui.asked(LOST), Typed("lose charon"))
    always = tui.after(tui.asked(LOST), Entered("confirm always"), Typed("lose charon"))
    assert tui.hint_of(free).startswith("enter sends it at once")
    assert tui.hint_of(always).startswith("enter asks before it sends   ! at the end")
    assert (effect(free, Entered("lose charon")), effect(always, Entered("lose charon"))) == ("sends", "asks")


def test_enter_without_a_line_and_escape_never_send_anything() -> None:
    for seed in range(4):
        for start in tui.walk_models(seed, 12):
            for screen in (start, tui.after(start, Key("f1")), tui.after(start, Key("hide"))):
                assert effect(screen, Entered("")) in ("nothing", "back", "asks")
                assert effect(screen, ESCAPE) in ("nothing", "back")


def test_the_proposal_of_the_combat_window_is_asked_about_even_where_it_is_free() -> None:
    """Whoever presses Enter twice at a result must not have sealed a choice."""
    played = tui.play(tui.COMBAT, ["\r"])
    assert played.screen.question is not None
    assert not played.match.moves
    assert tui.actions(tui.play(tui.COMBAT, ["\r", "y\r"]).match)[0] == "fight chthonians standard 0"
    typed = tui.play(tui.COMBAT, ["std 0\r"])
    assert typed.screen.question is not None
    assert not typed.match.moves
    assert tui.actions(tui.play(tui.COMBAT, ["std 0!\r"]).match)[0] == "fight chthonians standard 0"


def test_no_button_offers_to_send_what_enter_does_not_send() -> None:
    def buttons(screen: StormScreen) -> list[str]:
        return [zone.what for zone in render(screen).zones if zone.what in ("send", "no")]

    assert buttons(fight(Typed("std 99"))) == []
    assert buttons(turn(Typed("move 14 8 eri hec?"))) == []
    assert buttons(turn(Typed("move 14 8 eri hec"))) == ["send"]
    assert buttons(fight()) == ["send"]
    assert effect(fight(), Clicked("send")) == "asks"


@pytest.mark.parametrize("whole", [True, False])
def test_in_the_setup_the_hint_says_whether_enter_seals_at_once(whole: bool) -> None:
    start = setting_up() if whole else tui.after(tui.begin(), Placed())
    for line in ("seal", "seal!", "versiegeln", "seal !", "seals", "seal had", "had 11", "random"):
        screen = tui.after(start, Typed(line))
        done = effect(screen, Entered(line))
        assert (done == "sends") == tui.hint_of(screen).startswith("enter seals it at once"), line
        assert (done == "asks") == tui.hint_of(screen).startswith("enter asks before it seals"), line


# -- the end --------------------------------------------------------------------------------------------------


def test_the_end_is_left_by_enter_and_escape_alone_and_can_be_scrolled() -> None:
    screen = ended()
    assert screen.page is Page.OVER
    for key in ("any", "f1", "mouse", "up"):
        assert effect(screen, Key(key)) == "nothing"
    assert effect(screen, Clicked("key f6")) == "nothing"
    long = tui.after(tui.begin(), Ended(Ending("chthonians", "palace", True, None, ("problem",) * 40)))
    assert tui.after(long, Key("pagedown")).scroll > 0
    assert tui.after(fought(), Key("pagedown")).page is Page.RESULT


def test_a_letter_that_is_typed_when_the_end_comes_does_not_close_it() -> None:
    def end(player: object, terminal: tui.Terminal) -> None:
        player.tell(Ended(Ending("chthonians", "palace", True, "/home/alice/bob.storm")))  # type: ignore[attr-defined]
        assert player._next is None  # type: ignore[attr-defined]

    def still(player: object, terminal: tui.Terminal) -> None:
        assert player._next is None  # type: ignore[attr-defined]
        assert player.screen.page is Page.OVER  # type: ignore[attr-defined]
        assert player.screen.typed == "mov"  # type: ignore[attr-defined]

    def closed(player: object, terminal: tui.Terminal) -> None:
        assert player._next is not None  # type: ignore[attr-defined]

    tui.play(tui.EXAMPLE, ["mov", end, "e", still, "\x1bOP", still, "\x1b[6~", still, "\r", closed])
    for alt in ("\x1b1", "\x1bm", "\x1bx"):
        tui.play(tui.EXAMPLE, ["mov", end, alt, still, "\r", closed])


def test_the_wheel_scrolls_the_end() -> None:
    def end(player: object, terminal: tui.Terminal) -> None:
        problems = tuple(f"problem {number}" for number in range(40))
        player.tell(Ended(Ending("chthonians", "palace", True, None, problems)))  # type: ignore[attr-defined]

    def at(scroll: int) -> Callable[[object, tui.Terminal], None]:
        def look(player: object, terminal: tui.Terminal) -> None:
            assert player.screen.scroll == scroll  # type: ignore[attr-defined]
            assert player.screen.page is Page.OVER  # type: ignore[attr-defined]

        return look

    tui.play(tui.EXAMPLE, [end, "\x1b[<65;10;10M", at(3), "\x1b[<64;10;10M", at(0)])


def test_a_click_anywhere_goes_on_from_a_result_and_does_nothing_else() -> None:
    def show(player: object, terminal: tui.Terminal) -> None:
        player._screen = fought()  # type: ignore[attr-defined]

    played = tui.play(tui.EXAMPLE, [show, "\x1b[<0;70;10M\x1b[<0;70;10m"])
    assert (played.screen.page, played.screen.typed, played.screen.notice) == (None, "", ())


def test_alt_and_a_letter_goes_on_from_a_result_and_types_nothing() -> None:
    def show(player: object, terminal: tui.Terminal) -> None:
        player._screen = fought()  # type: ignore[attr-defined]

    for alt in ("\x1b1", "\x1bx"):
        played = tui.play(tui.EXAMPLE, [show, alt])
        assert (played.screen.page, played.screen.typed) == (None, "")
