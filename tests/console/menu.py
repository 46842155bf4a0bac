"""The menu in a test: one in which everything was found, its keys and its picture."""

from __future__ import annotations

from dataclasses import replace

from cli.console import menu
from cli.console.menu import Menu, Offered, Output, Row, press
from cli.console.render.menu import render
from cli.console.render.spans import plain
from cli.storage.home import Preferences
from cli.text import menus
from cli.text.menus import Page

ALICE = Preferences("alice")
ONLY = Row(("resume", "x"), "7c1f  2026-11-21 15:06  against bob, turn 12", "7c1f against bob, turn 12")


def keys(shown: Menu, *names: str) -> tuple[Menu, list[object]]:
    """Return the menu after keys and everything that was wished."""
    wishes: list[object] = []
    for name in names:
        shown, wish = press(shown, name)
        if wish is not None:
            wishes.append(wish)
    return shown, wishes


def picture(shown: Menu) -> str:
    return "\n".join(plain(row).rstrip() for row in render(shown)) + "\n"


LEVELS = (Row(("random",), "Plays anything."), Row(("greedy",), "Plays well."))
GAMES = (
    Offered("", "Storm over Olympus", LEVELS),
    Offered("fight", "Fight for Olympus", LEVELS[:1], ("cards", "aids")),
)
HISTORY = (
    Row(("resume", "x"), "2026-11-21  bob       Olympians   unfinished         open combat", result="unfinished"),
    Row(("replay", "a.storm"), "2026-11-20  carol     Chthonians  lost           19  standard rules", result="lost"),
    Row(("replay", "b.storm"), "2026-11-19  bob       Chthonians  won            11  standard rules", result="won"),
    Row(("history",), "1 file is not listed: why?"),
)
PEOPLE = (Row(("bob",), "bob    1 won, 0 lost, 0 drawn"), Row(("carol",), "carol  0 won, 1 lost, 0 drawn"))
EVENTS = (Row(("/cup",), "Cup  /cup"), Row(("event", "enter"), "Take part in a tournament", asks=menus.FOLDER))
FULL = replace(
    menu.begin(ALICE, "bob", "greedy"),
    games=GAMES,
    matches=(ONLY,),
    history=HISTORY,
    people=PEOPLE,
    events=EVENTS,
    columns_said="     begun  opponent  side        result      turns  terms",
    logs=(Row(("/a.storm",), "a"),),
)
"""A menu in which all was found."""
SAID = tuple(f"line {number} of what a command says" for number in range(30))

SHOWN = {
    "name": menu.begin(Preferences(), "bob"),
    "main": replace(menu.begin(ALICE, "bob", "greedy"), matches=(ONLY,), logs=()),
    "terms": keys(FULL, "2")[0],
    "terms_fight": keys(FULL, "2", "1")[0],
    "cards": keys(FULL, "2", "1", "3", *"my")[0],
    "host": keys(FULL, "3")[0],
    "levels": keys(FULL, "2", "2")[0],
    "matches": replace(
        menu.begin(ALICE, "bob"),
        page=Page.MATCHES,
        matches=tuple(Row(("resume", str(number)), f"{number}  against bob, turn {number}") for number in range(3)),
    ),
    "history": keys(FULL, "7", *"bob")[0],
    "settings": keys(replace(FULL, at=10), "enter")[0],
    "tools": keys(replace(FULL, at=9), "enter")[0],
    "event": keys(FULL, "9", "enter")[0],
    "command": keys(replace(FULL, page=Page.TOOLS), "8", *"play --help")[0],
    "output": replace(FULL, page=Page.OUTPUT, output=Output("verify last", SAID, running=False, scroll=2)),
}
