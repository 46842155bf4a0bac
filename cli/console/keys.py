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
LETTERS = {"a": "again", "d": "decline", "g": "next", "r": "rematch"}
"""The words that one letter says at the end of a match."""
PAGE_STEP = 10
"""Lines that PgUp and PgDn move."""


def press(screen: S, name: str) -> tuple[S, Effects]:
    """Return the model after a key, and what is to be done."""
    if screen.page in (Page.RESULT, Page.OVER):
        return _looked(screen, name)
    if screen.page == Page.REPLAY:
        return _looking_back(screen, name)
    if name == "escape" and screen.page == Page.CHAT and screen.rejected:
        return _taken_along(screen), ()
    screen = replace(screen, rejected="")
    if screen.match.ending is not None and word_of(screen.match.guest, name) is not None:
        return _at_the_end(screen, name)
    word = word_of(screen.match.guest, name)
    if word is not None:
        return _called(screen, word)
    match name:
        case "mouse":
            return lines.mouse(screen), ()
        case "escape":
            return _escape(screen)
        case "pageup" | "pagedown" | "wheelup" | "wheeldown":
            return _scrolled(screen, name), ()
        case _:
            return guest_of(screen).press(screen, name)


def _called(screen: S, word: str) -> tuple[S, Effects]:
    """Return what the function key of a command does; it keeps the line that is typed."""
    match word:
        case "plain":
            return screen, (ChangeConsole(str(screens.AS_ASKED)),)
        case "bye":
            return lines.leave(screen)
        case "replay":
            return pages.begin_replay(screen, draft=screen.typed)
        case _:
            # The key is labelled with a word that may be typed, and that need not be the canonical one.
            return pages.view(screen, View(guest_of(screen).words.exact.get(word, word)))


def _at_the_end(screen: S, name: str) -> tuple[S, Effects]:
    """Return the model after a key when the match is over: what can still be looked at."""
    if name in LETTERS:
        return lines.choose(screen, LETTERS[name])
    if name == "/" and not screen.match.computer:
        # Whoever types /hello here wants to talk; the Enter behind it would leave.
        return pages.view(screen, View("chat"))
    match word_at_end(screen.match.guest, name):
        case None:
            return screen, ()
        case "menu":
            return lines.choose(screen, "menu")
        case "replay":
            return pages.begin_replay(screen)
        case word:
            return _called(screen, word)


def _looked(screen: S, name: str) -> tuple[S, Effects]:
    """Return the model after a key at a result: it goes on; the end is left by Enter, Escape and F10 alone.

    The end comes while something is typed, and the next letter must not close what nobody has read yet.
    """
    if name in _SCROLLS:
        return _scrolled(screen, name), ()
    if screen.page == Page.RESULT or name in ("enter", "escape"):
        return pages.go_on(screen)
    return _at_the_end(screen, name)


def _looking_back(screen: S, name: str) -> tuple[S, Effects]:
    """Return the console after a key while the match is looked back at; another page or question ends it."""
    if name == "mouse":
        return lines.mouse(screen), ()
    draft = screen.draft
    if not (name.startswith("f") and name[1:].isdigit()):
        screen, effects = pages.press_in_replay(screen, name)
    else:
        screen, effects = pages.end_replay(screen)
    if screen.page == Page.REPLAY:
        return screen, effects
    if screen.results:
        return pages.turn_over(screen), effects
    word = word_of(screen.match.guest, name)
    if name in ("escape", "q") or word == "replay" or (word == "chat" and screen.page == Page.CHAT):
        return screen, effects
    after, more = press(replace(screen, typed=draft), name)
    return after, (*effects, *more)


def _escape(screen: S) -> tuple[S, Effects]:
    """Return the model a step back: line, page, question, notice.  It never does anything.

    At the question itself it says no at once, whatever is typed; a page that lies over the question goes first.
    """
    if screen.question is not None and screen.page is None:
        return pages.refuse(screen)
    if screen.question is not None and screen.page != Page.CHAT:
        return without_page(screen), ()
    if screen.typed:
        return screen, (SetLine(""),)
    if screen.thinking:
        return lines.stop_hint(screen), ()
    if screen.page is not None:
        return without_page(screen), ()
    return guest_of(screen).clear(replace(screen, notice=())), ()


def _taken_along(screen: S) -> S:
    """Return the board after the chat page did not say a line; it goes along, unless another one is begun there."""
    return replace(without_page(screen), typed="", aside=screen.aside or screen.rejected, rejected="", notice=())


def _scrolled(screen: S, name: str) -> S:
    step = PAGE_STEP if name.startswith("page") else 3
    up = name.endswith("up")
    if screen.page is None:
        # The log below the board goes back in time.
        most = max(0, len(screen.log) - 1)
        return replace(screen, scroll=min(most, max(0, screen.scroll + (step if up else -step))))
    back = screen.page in (Page.LOG, Page.CHAT)
    change = step if up == back else -step
    # Past the end nothing counts on, and the end comes nearer when the window grows.
    most = furthest(screen)
    return replace(screen, scroll=min(most, max(0, min(most, screen.scroll) + change)))


def click(screen: S, event: Clicked) -> tuple[S, Effects]:
    """Return the model after a click, and what is to be done."""
    kind, _, rest = event.what.partition(" ")
    match kind:
        case "send":
            return _send(screen)
        case "no":
            return pages.refuse(screen)
        case "word":
            return lines.take(screen, rest)
        case "choose":
            return pages.offer(screen, rest)
        case _:
            return guest_of(screen).click(screen, kind, rest, right=event.right)


def _send(screen: S) -> tuple[S, Effects]:
    if screen.question is None:
        return lines.take(screen, screen.typed)
    # What loses the game needs the typed word.
    return (screen, ()) if screen.question.severity == Severity.LAST else pages.answer(screen, "yes")


def key_of(what: str) -> Key | None:
    """Return the key that a zone stands for, or None."""
    kind, _, name = what.partition(" ")
    return Key(name) if kind == "key" else None
