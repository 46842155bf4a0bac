"""What a key or a click does to what is shown; every key has a word at the prompt, too.  Pure."""

from dataclasses import replace

from cli.console import lines, pages
from cli.console.guest import guest_of, word_at_end, word_of
from cli.console.messages import ChangeConsole, Clicked, Effects, Key, SetLine, Severity, View
from cli.console.pages import without_page
from cli.console.render.screen import furthest
from cli.console.screen_state import Page, S
from cli.text import screens

_SCROLLS = frozenset({"pageup", "pagedown", "wheelup", "wheeldown"})
LETTERS = {"a": "again", "d": "decline", "r": "rematch"}
"""The words that one letter says at the end of a match."""
PAGE_STEP = 10
"""Lines that PgUp and PgDn move."""


def press(ui: S, name: str) -> tuple[S, Effects]:
    """Return the model after a key, and what is to be done."""
    if ui.page in (Page.RESULT, Page.OVER):
        return _looked(ui, name)
    if ui.page == Page.REPLAY:
        return _looking_back(ui, name)
    if name == "escape" and ui.page == Page.CHAT and ui.rejected:
        return _taken_along(ui), ()
    ui = replace(ui, rejected="")
    if ui.game.ending is not None and word_of(ui.game.guest, name) is not None:
        return _at_the_end(ui, name)
    word = word_of(ui.game.guest, name)
    if word is not None:
        return _called(ui, word)
    match name:
        case "mouse":
            return lines.mouse(ui), ()
        case "escape":
            return _escape(ui)
        case "pageup" | "pagedown" | "wheelup" | "wheeldown":
            return _scrolled(ui, name), ()
        case _:
            return guest_of(ui).press(ui, name)


def _called(ui: S, word: str) -> tuple[S, Effects]:
    """Return what the function key of a command does; it keeps the line that is typed."""
    match word:
        case "plain":
            return ui, (ChangeConsole(str(screens.AS_ASKED)),)
        case "leave":
            return lines.leave(ui)
        case "replay":
            return pages.begin_replay(ui, draft=ui.typed)
        case _:
            return pages.view(ui, View(word))


def _at_the_end(ui: S, name: str) -> tuple[S, Effects]:
    """Return the model after a key when the match is over: what can still be looked at."""
    if name in LETTERS:
        return lines.choose(ui, LETTERS[name])
    if name == "/" and not ui.game.computer:
        # Whoever types /hello here wants to talk; the Enter behind it would leave.
        return pages.view(ui, View("chat"))
    match word_at_end(ui.game.guest, name):
        case None:
            return ui, ()
        case "menu":
            return lines.choose(ui, "menu")
        case "replay":
            return pages.begin_replay(ui)
        case word:
            return _called(ui, word)


def _looked(ui: S, name: str) -> tuple[S, Effects]:
    """Return the model after a key at a result: it goes on; the end is left by Enter, Escape and F10 alone.

    The end comes while something is typed, and the next letter must not close what nobody has read yet.
    """
    if name in _SCROLLS:
        return _scrolled(ui, name), ()
    if ui.page == Page.RESULT or name in ("enter", "escape"):
        return pages.go_on(ui)
    return _at_the_end(ui, name)


def _looking_back(ui: S, name: str) -> tuple[S, Effects]:
    """Return the console after a key while the match is looked back at; another page or question ends it."""
    if name == "mouse":
        return lines.mouse(ui), ()
    draft = ui.draft
    if not (name.startswith("f") and name[1:].isdigit()):
        ui, effects = pages.press_in_replay(ui, name)
    else:
        ui, effects = pages.end_replay(ui)
    if ui.page == Page.REPLAY:
        return ui, effects
    if ui.results:
        return pages.turn_over(ui), effects
    word = word_of(ui.game.guest, name)
    if name in ("escape", "q") or word == "replay" or (word == "chat" and ui.page == Page.CHAT):
        return ui, effects
    after, more = press(replace(ui, typed=draft), name)
    return after, (*effects, *more)


def _escape(ui: S) -> tuple[S, Effects]:
    """Return the model a step back: line, page, question, notice.  It never does anything.

    At the question itself it says no at once, whatever is typed; a page that lies over the question goes first.
    """
    if ui.question is not None and ui.page is None:
        return pages.refuse(ui)
    if ui.question is not None and ui.page != Page.CHAT:
        return without_page(ui), ()
    if ui.typed:
        return ui, (SetLine(""),)
    if ui.thinking:
        return lines.stop_hint(ui), ()
    if ui.page is not None:
        return without_page(ui), ()
    return guest_of(ui).clear(replace(ui, notice=())), ()


def _taken_along(ui: S) -> S:
    """Return the board after the chat page did not say a line; it goes along, unless another one is begun there."""
    return replace(without_page(ui), typed="", aside=ui.aside or ui.rejected, rejected="", notice=())


def _scrolled(ui: S, name: str) -> S:
    step = PAGE_STEP if name.startswith("page") else 3
    up = name.endswith("up")
    if ui.page is None:
        # The log below the board goes back in time.
        most = max(0, len(ui.log) - 1)
        return replace(ui, scroll=min(most, max(0, ui.scroll + (step if up else -step))))
    back = ui.page in (Page.LOG, Page.CHAT)
    change = step if up == back else -step
    # Past the end nothing counts on, and the end comes nearer when the window grows.
    most = furthest(ui)
    return replace(ui, scroll=min(most, max(0, min(most, ui.scroll) + change)))


def click(ui: S, event: Clicked) -> tuple[S, Effects]:
    """Return the model after a click, and what is to be done."""
    kind, _, rest = event.what.partition(" ")
    match kind:
        case "send":
            return _send(ui)
        case "no":
            return pages.refuse(ui)
        case "word":
            return lines.take(ui, rest)
        case "choose":
            return pages.offer(ui, rest)
        case _:
            return guest_of(ui).click(ui, kind, rest, right=event.right)


def _send(ui: S) -> tuple[S, Effects]:
    if ui.question is None:
        return lines.take(ui, ui.typed)
    # What loses the game needs the typed word.
    return (ui, ()) if ui.question.severity == Severity.LAST else pages.answer(ui, "yes")


def key_of(what: str) -> Key | None:
    """Return the key that a zone stands for, or None."""
    kind, _, name = what.partition(" ")
    return Key(name) if kind == "key" else None
