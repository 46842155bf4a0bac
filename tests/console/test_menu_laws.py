"""What holds on every page of the menu, in windows of every size, whatever was pressed before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from cli import language
from cli.app.arguments import make_parser
from cli.console import menu
from cli.console.menu import (
    LISTS,
    LONGEST,
    TERMS,
    TOP,
    Keep,
    Menu,
    Offered,
    Output,
    Quit,
    Row,
    Run,
    Stop,
    Try,
    move_on,
    press,
)
from cli.console.render.menu import _GLYPHS, item_at, render
from cli.console.screen_state import THEMES
from cli.console.shell.menu import clicked
from cli.storage.home import LONGEST_NAME, Preferences
from cli.text import menus
from cli.text.menus import ITEMS, Page
from console.menu import ALICE, FULL, GAMES, LEVELS, SAID, SHOWN, picture

SIZES = ((80, 24), (80, 25), (97, 31), (120, 40))
MOVES = ("up", "down", "pageup", "pagedown", "wheelup", "wheeldown", "home", "end")
KEYS = (
    *MOVES,
    "left",
    "right",
    "enter",
    "enter",
    "escape",
    "backspace",
    "c-u",
    "c-w",
    "f1",
    " ",
    *"q123456789xy\u00e9\u0301",
)
MANY = tuple(Row((f"/{number}.storm",), f"row {number} of {'many ' * (number % 30)}") for number in range(45))
LONG = replace(FULL, logs=MANY, people=(*MANY, *(FULL.people or ())))
NEVER = ("witness", "doctor", "key", "export", "import")
CHOSEN = ("game", "level", "side", "setup", "combat", "challenge", "clock", "aids", "near")


@cache
def walked() -> tuple[Menu, ...]:
    """Return menus that somebody has come to who presses anything, on every page and in windows of every size."""
    found: list[Menu] = []
    rng = random.Random(3)
    for start in (*SHOWN.values(), *(replace(LONG, page=page) for page in (*ITEMS, *LISTS))):
        columns, rows = rng.choice(SIZES)
        shown = replace(start, columns=columns, rows=rows)
        for _ in range(12):
            found.append(shown)
            shown, wish = press(shown, rng.choice(KEYS))
            if isinstance(wish, Run | Try):
                assert wish.words or isinstance(wish, Try)
    assert {shown.page for shown in found} == set(Page)
    return tuple(dict.fromkeys(found))


def picking() -> Iterator[Menu]:
    """Return those where something is picked."""
    return (shown for shown in walked() if menu.size(shown))


def some(shown: Menu) -> list[int]:
    """Return the items that a number picks, one more, and the last one."""
    last = menu.size(shown) - 1
    return sorted({*range(min(last, 9) + 1), last})


def label(shown: Menu, number: int) -> str:
    """Return how the row of an item begins, behind its number."""
    if shown.page in LISTS:
        return menu.listed(shown)[number].text[:12].strip()
    return str(menu.items(shown)[number].label)


@pytest.mark.usefixtures("spoken")
def test_what_is_clicked_is_what_is_drawn_there_and_nothing_else_can_be_clicked() -> None:
    for shown in picking():
        rows = picture(shown).splitlines()
        seen = []
        for row, text in enumerate(rows):
            number = item_at(shown, row)
            key = clicked(shown, row, 0)
            if row == len(rows) - 1:
                assert key == "escape"
            elif number is None:
                assert key == ""
                assert row < TOP or not text.strip() or row >= shown.rows - 3 or shown.problem
            else:
                assert key == f"item {number}"
                assert label(shown, number) in text or shown.problem
                assert (">" in text[:3]) == (number == shown.at) or shown.problem
                seen.append(number)
        # All that there is room for, from one row on, and the one under the cursor among them.
        assert seen == list(range(seen[0], seen[-1] + 1))
        assert shown.at in seen
        assert seen[-1] == menu.size(shown) - 1 or len(seen) == shown.rows - TOP - 2
        if shown.page in LISTS and len(seen) < menu.size(shown):
            assert menus.part(seen[0] + 1, seen[-1] + 1, menu.size(shown)) in "\n".join(rows[:TOP])


def test_a_number_a_click_and_enter_under_the_cursor_take_the_same() -> None:
    for shown in {(shown.page, shown.sure): shown for shown in picking()}.values():
        for number in some(shown):
            taken = press(shown, f"item {number}")
            assert press(replace(shown, at=number, sure=shown.sure and shown.at == number), "enter") == taken
            if number < 9 and shown.page is not Page.HISTORY:
                assert press(shown, str(number + 1)) == taken
        past = menu.size(shown)
        assert press(shown, f"item {past}") == (replace(shown, problem=""), None)
        if past < 9 and shown.page is not Page.HISTORY:
            assert press(shown, str(past + 1)) == press(shown, "0") == (replace(shown, problem=""), None)


def test_the_arrows_go_round_and_everything_else_stops_at_the_ends() -> None:
    for shown in picking():
        last = menu.size(shown) - 1
        at = {key: press(shown, key)[0].at for key in MOVES}
        assert (at["up"], at["down"]) == ((shown.at - 1) % (last + 1), (shown.at + 1) % (last + 1))
        assert (at["wheelup"], at["wheeldown"]) == (max(0, shown.at - 1), min(last, shown.at + 1))
        assert (at["pageup"], at["pagedown"]) == (max(0, shown.at - 10), min(last, shown.at + 10))
        assert (at["home"], at["end"]) == (0, last)
        assert all(press(shown, key)[1] is None for key in MOVES)


def test_every_choice_of_terms_goes_round_and_each_is_named_and_kept() -> None:
    for page in TERMS:
        for game in GAMES:
            start = replace(
                FULL, page=page, chosen=replace(ALICE, game=game.called), games=(*GAMES, Offered("x", "X", LEVELS))
            )
            for at, item in enumerate(menu.items(start)):
                if item.word not in CHOSEN:
                    assert all(
                        press(replace(start, at=at), key) == (replace(start, at=at), None) for key in ("left", "right")
                    )
                    continue
                shown, seen = replace(start, at=at), list[str]()
                while not seen or (shown.chosen, shown.at) != (start.chosen, at):
                    shown, wish = press(shown, "right")
                    assert wish == Keep(shown.chosen)
                    assert press(press(shown, "left")[0], "right")[0] == shown or item.word == "game"
                    seen.append(next(row for row in picture(shown).splitlines() if ">" in row[:3]))
                    if item.word == "level" and len(seen) == len(LEVELS[: len(start.game.levels)]):
                        break
                assert len(set(seen)) == len(seen), item
                assert len(seen) == {"challenge": 19, "clock": 5, "side": 3, "game": 3}.get(item.word, len(seen))
                assert len(seen) > 1 or start.game.levels == LEVELS[:1]


def test_escape_leads_to_the_first_page_and_wishes_nothing_but_to_stop() -> None:
    for start in walked():
        shown, before = start, None
        for _ in range(5):
            if shown.page is Page.NAME and not shown.chosen.name:
                break
            before = shown
            shown, wish = press(shown, "escape")
            assert (wish == Stop()) == (
                before.output is not None and before.page is Page.OUTPUT and before.output.running
            )
            assert wish in (None, Stop())
        else:
            assert (shown.page, shown.output, press(shown, "q")[1]) == (
                Page.MAIN,
                None if before else shown.output,
                Quit(),
            )


def test_every_page_leads_back_to_the_item_that_has_opened_it() -> None:
    for shown in {shown.page: shown for shown in picking() if shown.page not in LISTS}.values():
        for number, item in enumerate(menu.items(shown)):
            opened, _ = press(shown, f"item {number}")
            if item.opens in (None, Page.MATCHES, Page.EXPORT) or opened.page is shown.page:
                continue
            back = press(opened, "escape")[0]
            assert back.page is shown.page
            assert menu.items(back)[back.at].opens is opened.page


def test_every_wish_to_run_something_is_a_command_of_the_program() -> None:
    parser = make_parser()
    ran = set()
    for shown in {(shown.page, shown.chosen.game): shown for shown in picking()}.values():
        for number in some(shown):
            _, wish = press(shown, f"item {number}")
            if isinstance(wish, Run | Try) and wish.words and wish.words[:2] not in ran:
                ran.add(wish.words[:2])
                assert parser.parse_args(wish.words).command == wish.words[0]
    assert len(ran) > 25


def test_an_output_is_scrolled_to_all_of_its_lines_and_no_further() -> None:
    for columns, rows in SIZES:
        output = Output("verify last", SAID)
        shown = replace(SHOWN["output"], columns=columns, rows=rows, output=output)
        room, lines = rows - TOP - 2, len(SAID)
        last = max(0, lines - room)
        steps = {"up": -1, "down": 1, "wheelup": -1, "wheeldown": 1, "pageup": -room, "pagedown": room, " ": room}
        for start in range(last + 1):
            here = replace(shown, output=replace(output, scroll=start))
            seen = picture(here).splitlines()[TOP : TOP + room]
            assert [row.strip() for row in seen if row.strip()] == list(SAID[start : start + room])
            assert (menus.part(start + 1, start + room, lines) in picture(here)) == (lines > room)
            for key, step in {**steps, "home": -LONGEST, "end": LONGEST}.items():
                moved = press(here, key)[0].output
                assert moved is not None
                assert moved.scroll == min(last, max(0, start + step)), key
        assert press(shown, "x") == (shown, None)


@pytest.mark.parametrize("page", [Page.NAME, Page.ASK, Page.HISTORY])
def test_a_line_takes_what_can_be_seen_up_to_its_bound_and_loses_it_from_its_end(page: Page) -> None:
    longest = menu.LONGEST_LINE if page is Page.ASK else LONGEST_NAME
    command = next(item for item in ITEMS[Page.TOOLS] if item.word == "command")
    shown = replace(FULL, page=page, asking=Row((), "", asks=command.asks), rows=40)
    assert press(shown, "backspace")[0].typed == press(shown, "c-w")[0].typed == press(shown, "\u200b")[0].typed == ""
    text = "ab  cd efg" + "x" * longest
    for typed, char in enumerate(text):
        assert shown.typed == text[:typed][:longest]
        # What was typed last is seen, and the whole line if it has room.
        assert not shown.typed or shown.typed.split()[-1][-9:] in picture(shown)
        assert press(shown, "c-u")[0].typed == ""
        assert press(shown, "backspace")[0].typed == shown.typed[:-1]
        kept = press(shown, "c-w")[0].typed
        assert shown.typed.startswith(kept)
        assert kept == "" or kept.endswith(" ")
        assert " " not in shown.typed[len(kept) :].strip()
        shown = press(shown, char)[0]
    assert len(shown.typed) == longest


def test_every_switch_of_the_settings_goes_round_through_choices_that_differ() -> None:
    start = replace(FULL, page=Page.SETTINGS, chosen=Preferences("alice", signs="", notice="off", command="ring"))
    for at, item in enumerate(menu.items(start)):
        if item.word == "name":
            continue
        shown, seen = start, []
        for _ in range(9):
            shown, wish = press(shown, f"item {at}")
            assert wish == Keep(shown.chosen)
            language.choose(shown.chosen.language or "en")
            seen.append((picture(shown).splitlines()[TOP + at], shown.chosen))
        found = len(set(seen))
        language.choose("en")
        assert 1 < found < 9
        assert seen[found:] == seen[: 9 - found]
        assert len({text for text, _ in seen}) == found, item


TITLED = replace(FULL, page=Page.MAIN, theme="dark")


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("theme", THEMES[:-1])
def test_the_title_in_half_blocks_has_room_in_each_language_and_says_what_the_head_does(
    size: tuple[int, int], theme: str, spoken: str
) -> None:
    del spoken
    name = str(menus.TITLE).upper()
    assert set(name) <= _GLYPHS.keys()
    shown = replace(TITLED, theme=theme, columns=size[0], rows=size[1])
    rows = render(shown)
    assert {sum(len(text) for _, text in row) for row in rows} == {size[0]}
    assert sum(len(_GLYPHS[char].split()[0]) + 1 for char in name) - 1 <= size[0]
    # Below it stands what stands there without it.
    bare = picture(replace(shown, theme="lines")).splitlines()
    assert picture(shown).splitlines()[shown.top : -3] == bare[TOP : -3 - shown.top + TOP]
    assert [item_at(shown, row) for row in range(size[1])][shown.top] == 0
    assert item_at(shown, shown.top - 1) is None
    assert picture(replace(shown, page=Page.SETTINGS)) == picture(replace(shown, page=Page.SETTINGS, theme="lines"))


def test_the_water_below_the_title_shimmers_for_three_seconds_and_rests_as_it_lies_without_motion() -> None:
    still = render(menu.begin(replace(ALICE, motion=False), "bob", "greedy", "dark"))
    shown = menu.begin(ALICE, "bob", "greedy", "dark")
    pictures = [render(shown)]
    while (further := move_on(shown)) is not None:
        shown = further
        pictures.append(render(shown))
    assert len(pictures) == 3 * 12 + 1
    assert pictures[-1] == still
    assert still not in pictures[:-1]
    assert len({one[3] for one in pictures}) > 10
    assert {one[:3] + one[4:] for one in pictures} == {still[:3] + still[4:]}
    newcomer = menu.begin(Preferences(), "Zoe", "greedy", "dark")
    assert move_on(newcomer) is None
    assert move_on(press(newcomer, "enter")[0]) is not None
    # Another opening begins anew; nothing moves on other pages, or without half blocks.
    assert move_on(menu.again(shown, ALICE, "dark")) is not None
    assert move_on(replace(menu.begin(ALICE, "bob", "", "dark"), page=Page.TOOLS)) is None
    assert move_on(menu.begin(ALICE, "bob")) is None


def test_any_key_ends_the_shimmer_and_a_slow_line_ends_motion_for_good() -> None:
    shown = menu.begin(ALICE, "bob", "greedy", "dark")
    for key in ("down", "x", "escape", "enter"):
        assert move_on(press(shown, key)[0]) is None
    slow, wish = press(shown, "slow")
    assert wish == Keep(replace(ALICE, motion=False))
    assert move_on(menu.again(slow, slow.chosen, "dark")) is None
    assert "too slow" in picture(slow)
    assert "too slow" not in picture(press(slow, "down")[0])
