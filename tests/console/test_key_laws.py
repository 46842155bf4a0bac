"""What holds for every key, button and page of the full screen: each does what the row that names it says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

import helpers
import helpers_tui as tui
import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.output import DummyOutput

from cli.console import reducer
from cli.console.guest import guest_of, word_of
from cli.console.messages import Clicked, Entered, Key, Resized, Rolled, SetLine, Typed
from cli.console.render import screen as drawing
from cli.console.render.screen import render
from cli.console.render.spans import Frame, Zone, line_width, plain
from cli.console.screen_state import Page, ScreenState
from cli.console.shell.app import bindings
from cli.match.player import Ended, Ending, Happened, Heard, Noticed, Placed
from cli.notices import LineLost
from cli.text import screens
from cli.text.wording import fill
from console import fight_console as fight
from protocol.core.events import RematchOffered
from storm_p2p.storm.board import Faction

WORDS: Final = ("help", "units", "table", "log", "chat", "notes", "card nyx", "options", "hint", "who 14", "replay")
SAID: Final = tuple(Heard(f"line {number} of what was said") for number in range(40))


@cache
def states(size: tuple[int, int]) -> tuple[ScreenState, ...]:
    """Return the full screen of both games wherever somebody can come, with every page over what is asked there."""
    over = Ended(Ending("chthonians", "palace", True, "/home/alice/logs/bob.storm"))
    turn, combat, setup = (
        tui.asked(tui.EXAMPLE, size),
        tui.asked(tui.COMBAT, size),
        tui.after(tui.begin(size), Placed()),
    )
    fought, events = helpers.happened(tui.COMBAT, *helpers.fights("standard 4", "standard 0"))
    result = tui.after(combat, Happened(tuple(events), helpers.owner_view(fought, 0)))
    waiting = tui.after(
        tui.begin(size, Faction.OLYMPIANS), Happened((), helpers.owner_view(tui.EXAMPLE, Faction.OLYMPIANS))
    )
    questions = [
        tui.asked(helpers.play(state, *actions), size, faction) for state, actions, faction in tui.QUESTIONS.values()
    ]
    shown = fight.seen(fight.BOARD)
    card = fight.asked(shown, size)
    found: list[ScreenState] = [
        tui.begin(size),
        setup,
        tui.after(setup, Rolled(7)),
        tui.after(setup, Rolled(7), Entered("seal")),
    ]
    found += [turn, combat, tui.after(combat, Key("hide")), tui.after(turn, *SAID), result, waiting, *questions]
    found += [tui.after(turn, Typed(line)) for line in ("14", "move 14 8 eri hec", "14 9?", "14 9 all !", "xyz")]
    found += [tui.after(turn, Entered(line)) for line in ("move 14 8 eri hec", "resign", "bye", "14 9 all !", "xyz")]
    found += [card, fight.asked(fight.seen(fight.QUESTION, "play 10 2 pay 63"), size), tui.after(card, *SAID[:9])]
    found += [tui.after(turn, Noticed(LineLost(calls=True)), *SAID[:2])]
    paged = [
        turn,
        combat,
        setup,
        tui.after(turn, *SAID),
        tui.after(turn, Entered("14 8 eri hec")),
        card,
        waiting,
        result,
    ]
    found += [tui.after(screen, Entered(word)) for screen in paged for word in WORDS]
    ended = [tui.after(result, over), tui.after(turn, over), tui.after(waiting, over), tui.after(turn, *SAID, over)]
    ended += [
        replace(ended[1], match=replace(ended[1].match, computer=True)),
        tui.after(ended[1], Noticed(RematchOffered(0))),
    ]
    ended += [tui.after(screen, key) for screen in ended for key in (Key("enter"), Key("f5"), Key("f9"), Key("f3"))]
    return (*found, *ended)


def drawn(frame: Frame, zone: Zone) -> str:
    """Return the text in a part of a row that can be clicked."""
    rows = [*frame.above, ((("", frame.prompt),)), *frame.below]
    columns = [char for char in plain(rows[zone.row]) for _ in range(max(1, line_width(char)))]
    return "".join(columns[zone.left : zone.right])


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("size", tui.SIZES, ids=str)
def test_what_can_be_clicked_is_drawn_there_and_nothing_lies_over_it(size: tuple[int, int]) -> None:
    buttons = {"send": (screens.SEND_BUTTON, screens.YES_BUTTON), "no": (screens.NO_BUTTON,)}
    for screen in states(size):
        frame = render(screen)
        taken: set[tuple[int, int]] = set()
        for zone in frame.zones:
            assert 0 <= zone.left < zone.right <= size[0]
            assert 0 <= zone.row < size[1]
            kind, _, name = zone.what.partition(" ")
            if zone.row >= size[1] - drawing.ROWS:
                cells = {(zone.row, column) for column in range(zone.left, zone.right)}
                assert not cells & taken
                taken |= cells
            text = drawn(frame, zone) if kind in (*buttons, "key", "choose") else ""
            match kind:
                case "key":
                    word = text.removeprefix(f"{name.upper()} ")
                    assert (word != text) == (word == word.strip() != "")
                case "send" | "no":
                    assert text in map(str, buttons[kind])
                case "choose" if zone.row >= size[1] - drawing.ROWS:
                    assert text == f"[{name}]"
        # Each key of the row is a button, up to where the mouse is named.
        row = plain(frame.below[1]) if screen.replay is None else ""
        named = {text for style, text in (frame.below[1] if screen.replay is None else ()) if style == "key"}
        assert {zone.what for zone in frame.zones if zone.what.startswith("key ")} == {
            f"key {key.lower()}" for key in named
        }
        assert all(f"{key} " in row for key in named)


@pytest.mark.parametrize("size", [tui.SIZES[1]], ids=str)
def test_a_key_does_what_the_word_beside_it_does(size: tuple[int, int]) -> None:
    """Where both are taken: with nothing typed or asked, and no page over the board."""
    compared = 0
    for screen in states(size):
        frame = render(screen)
        for zone in frame.zones:
            if not zone.what.startswith("key "):
                continue
            word = drawn(frame, zone).partition(" ")[2].lower()
            after, effects = tui.stepped(screen, Clicked(zone.what))
            # The word at the prompt for F10 is bye, and rules is a help on them.
            named = word not in ("leave", "rules")
            if named and screen.page is None and screen.question is None and not screen.typed and not screen.rejected:
                typed, said = tui.stepped(screen, Entered(word))
                asked = [one.question and one.question.then for one in (after, typed)]
                assert (after.page, asked[0]) == (typed.page, asked[1]), word
                done = [[one for one in two if not isinstance(one, SetLine)] for two in (effects, said)]
                assert done[0] == done[1]
                compared += 1
            if screen.page is None or screen.page.value != word:
                continue
            # The key of a page that is open closes it.
            assert after.page is not screen.page
    assert compared > 100


def whole(screen: ScreenState) -> list[str]:
    """Return the rows of the page over the board."""
    rows = [plain(row).rstrip() for row in render(screen).above]
    count = rows_of_page(screen)
    return rows[2 : 2 + count]


def rows_of_page(screen: ScreenState) -> int:
    return drawing._layout(screen)[3] - 1


@pytest.mark.parametrize("size", tui.SIZES, ids=str)
def test_a_page_is_scrolled_to_all_of_its_lines_and_no_further(size: tuple[int, int]) -> None:
    scrolled = 0
    for screen in states(size):
        if screen.page in (None, Page.REPLAY):
            continue
        most, room = drawing.furthest(screen), rows_of_page(screen)
        top = tui.after(screen, *[Key("pageup")] * (most // reducer.PAGE_STEP + 2))
        below = screen.page in (Page.LOG, Page.CHAT)
        assert top.scroll == (most if below else 0)
        lines = whole(top)
        assert len(lines) == room
        at, shown = 0, top
        while at < most:
            shown = tui.after(shown, Key("wheeldown"))
            step = min(3, most - at)
            at += step
            seen = whole(shown)
            assert seen[: room - step] == lines[-(room - step) :] if room > step else True
            lines += seen[room - step :]
            part = fill(screens.PART, first=at + 1, last=at + room, count=most + room)
            assert part in plain(render(shown).above[1])
            scrolled += 1
        assert len(lines) == room + most
        assert (fill(screens.PART, first="", last="", count=most + room)[-4:] in plain(render(screen).above[1])) == (
            most > 0
        )
        for place in range(0, most + 1, 4):
            here = replace(screen, scroll=place)
            for key, step in (("pagedown", 10), ("pageup", -10), ("wheeldown", 3), ("wheelup", -3)):
                moved = place + (-step if below else step)
                assert tui.after(here, Key(key)).scroll == min(most, max(0, moved)), (screen.page, key)
    assert scrolled > 5


@pytest.mark.parametrize("size", tui.SIZES[:1], ids=str)
def test_the_log_below_the_board_goes_back_line_by_line_to_the_first_one(size: tuple[int, int]) -> None:
    for screen in states(size):
        if screen.page is None and screen.replay is None:
            last = max(0, len(screen.log) - 1)
            for key, step in (("pageup", 10), ("pagedown", -10), ("wheelup", 3), ("wheeldown", -3)):
                for place in range(last + 1):
                    assert tui.after(replace(screen, scroll=place), Key(key)).scroll == min(last, max(0, place + step))


@pytest.mark.parametrize("size", [(81, 24), (160, 51)], ids=str)
def test_every_picture_of_every_state_fills_the_window(size: tuple[int, int]) -> None:
    for start in states(tui.SIZES[0]):
        screen = tui.after(start, Resized(*size))
        for shown in (screen, replace(screen, settings=replace(screen.settings, unicode=False, mouse=False))):
            frame = render(shown)
            assert len(frame.above) + 1 + len(frame.below) == size[1]
            assert {line_width(plain(row)) for row in (*frame.above, *frame.below)} == {size[0]}
            if not shown.settings.unicode:
                rows = [text for row in frame.above for style, text in row if style in ("rule", "frame")]
                assert all(text.isascii() for text in rows)


# -- keys of a terminal -----------------------------------------------------------------------------------------

SEQUENCES: Final = {
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "f4": "\x1bOS",
    "f5": "\x1b[15~",
    "f6": "\x1b[17~",
    "f7": "\x1b[18~",
    "f8": "\x1b[19~",
    "f9": "\x1b[20~",
    "f10": "\x1b[21~",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "enter": "\r",
    "backspace": "\x7f",
    "tab": "\t",
    "delete": "\x1b[3~",
    "c-r": "\x12",
    "mouse": "\x1bm",
    **{f"alt {digit}": f"\x1b{digit}" for digit in "1234567890"},
    "c-c": "\x03",
    "c-d": "\x04",
    **{char: char for char in "-adrx/ADR7 "},
}
"""What a terminal sends for a key."""


async def pressed(shown: Sequence[ScreenState]) -> list[tuple[ScreenState, str, list[str], str]]:
    """Return every key in every state, with what is told of it and what it types."""
    now, told, buffer = [shown[0]], list[str](), Buffer(multiline=False)
    found = []
    with create_pipe_input() as pipe:
        bound = bindings(lambda: now[0], told.append, lambda: told.append("leave"), lambda: told.append("c-c"))
        layout = Layout(Window(BufferControl(buffer)))
        application: Application[Any] = Application(layout, key_bindings=bound, input=pipe, output=DummyOutput())
        with set_app(application):
            for now[0] in shown:
                for name, sequence in SEQUENCES.items():
                    Vt100Parser(application.key_processor.feed).feed_and_flush(sequence)
                    application.key_processor.process_keys()
                    found.append((now[0], name, told[:], buffer.text))
                    application.key_processor.reset()
                    told.clear()
                    buffer.reset()
    return found


def wanted(screen: ScreenState, name: str) -> tuple[list[str], str]:
    """Return what has to be told of a key, and what it has to type, as the hints and the help say it."""
    key = f"f{name[4:]}".replace("f0", "f10") if name.startswith("alt") else name
    arrow = {"up": "wheelup", "down": "wheeldown"}.get(key, key)
    paging = key in ("pageup", "pagedown")
    typing, line = len(key) == 1, bool(screen.typed.strip())
    if key == "c-c" or (key == "c-d" and screen.page not in (Page.RESULT, Page.OVER, Page.REPLAY)):
        return ([key] if key == "c-c" else [] if line else ["leave"]), ""
    if screen.page is Page.REPLAY:
        return [key], ""
    if screen.page is Page.OVER:
        opens = key.startswith("f") and word_of(screen.match.guest, key, over=True) is not None
        return [
            key.lower() if opens or key in "adrADR/" else arrow if paging or arrow != key or key == "enter" else "any"
        ], ""
    if screen.page is Page.RESULT:
        return (
            ([], key) if typing and key != " " else ([arrow if paging or arrow != key or key == "enter" else "any"], "")
        )
    if paging or key == "mouse" or (key.startswith("f") and not typing):
        return [key], ""
    if key == "-" and screen.page is None and screen.match.deciding and not line:
        return ["hide"], ""
    mends = key == "up" and screen.rejected and screen.page is not Page.CHAT
    if screen.page is not None and arrow != key:
        return ([], "") if mends else ([arrow], "")
    steers = guest_of(screen).steers(screen) and not line and key in ("up", "down", "left", "right") and not mends
    return ([key], "") if steers else ([], key if typing else "")


def test_a_terminal_has_every_key_where_its_hint_is_shown_and_types_everything_else() -> None:
    seen = set()
    for screen, name, told, typed in asyncio.run(pressed(states(tui.SIZES[0])[::3])):
        assert (told, typed) == wanted(screen, name), (name, screen.page, screen.typed)
        seen.add((screen.page, name, *told))
    assert len(seen) > 400


def test_a_letter_after_the_end_chooses_what_the_word_chooses_that_its_hint_names() -> None:
    over = [screen for screen in states(tui.SIZES[0]) if screen.page is Page.OVER and not screen.results]
    chosen = set()
    for screen in over:
        for letter, word in (("a", "again"), ("d", "decline"), ("r", "rematch")):
            after, done = tui.stepped(screen, Key(letter))
            typed, said = tui.stepped(replace(screen, page=None, plain=True), Entered(word))
            assert ([one for one in said if not isinstance(one, SetLine)], typed.next) == (list(done), after.next)
            chosen |= {(word, *done)}
    assert len(chosen) > 5
