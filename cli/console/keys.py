"""The keys that are no text.  Each exists only while it means something; every one has a word at the prompt, too."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from prompt_toolkit.application.current import get_app
from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from cli.console import lines, pages
from cli.console.guest import guest_of, word_at_end, word_of
from cli.console.messages import ChangeConsole, Clicked, Effects, Key, SetLine, Severity, View
from cli.console.pages import without_page
from cli.console.render.screen import furthest
from cli.console.screen_state import Page, S, ScreenState
from cli.text import screens

_SHOWING = {"enter": "enter", "pageup": "pageup", "pagedown": "pagedown", "up": "wheelup", "down": "wheeldown"}
"""What keys mean while a result or the end is shown; letters go to the line that is typed meanwhile."""
_CHOOSING = ("a", "d", "r", "/")
"""What chooses what comes after a match, or begins a line of chat, unless somebody was typing when it ended."""
_BEGINNINGS = frozenset(
    {Keys.Escape, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.ScrollUp, Keys.ScrollDown, Keys.CPRResponse}
)
"""What is no key by itself: the beginning of Alt and another one, the mouse, an answer of the terminal."""
_FUNCTION_KEYS = ("f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10")
_REPLAY_KEYS = (
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "pageup",
    "pagedown",
    "enter",
    "backspace",
    "tab",
    "delete",
    "c-r",
)
"""Keys that a look back has for itself; the prompt gets none of them meanwhile."""


def bindings(ui: Callable[[], ScreenState], press: Callable[[str], None], leave: Callable[[], None]) -> KeyBindings:
    """Return the key bindings; ``press`` is told the name of a key, ``leave`` of Ctrl-C and of the end of input."""
    keys = KeyBindings()

    def bind(word: str, *sequence: str, when: Filter | None = None, eager: bool = False) -> None:
        def handler(event: KeyPressEvent) -> None:
            del event
            press(word)

        keys.add(*sequence, eager=eager, filter=True if when is None else when)(handler)

    showing = Condition(lambda: ui().page in (Page.RESULT, Page.OVER))
    reading = Condition(lambda: ui().page is not None)
    steering = Condition(lambda: guest_of(ui()).steers(ui()) and not ui().typed.strip())
    idle = Condition(lambda: not ui().typed.strip() and ui().page is None and ui().game.deciding)
    for function in _FUNCTION_KEYS:
        bind(function, function)
        digit = function.removeprefix("f")[-1]
        # Terminals keep some F-keys for themselves; Alt and the digit is the same.
        bind(function, "escape", digit)
    bind("mouse", "escape", "m")
    bind("escape", "escape")
    bind("pageup", "pageup")
    bind("pagedown", "pagedown")
    # After a refused line Up is that of the prompt: it brings the line back.
    mending = Condition(lambda: bool(ui().rejected) and ui().page != Page.CHAT)
    bind("wheelup", "up", when=reading & ~mending)
    bind("wheeldown", "down", when=reading)
    bind("up", "up", when=steering & ~mending)
    for arrow in ("down", "left", "right"):
        bind(arrow, arrow, when=steering)
    bind("hide", "-", when=idle)
    back = Condition(lambda: ui().page is Page.REPLAY)
    for named in _REPLAY_KEYS:
        bind(named, named, when=back)

    @keys.add(Keys.Any, filter=back)
    @keys.add(Keys.BracketedPaste, filter=back)
    def _letter(event: KeyPressEvent) -> None:
        for char in event.data:
            press(char)

    # Escape alone is known only when nothing follows it; with another key it is Alt.
    whole = Condition(lambda: get_app().key_processor.key_buffer[0].key not in _BEGINNINGS)
    # Whoever types when a result comes goes on with his line: it stands there when the page is closed.
    goes_on = Condition(lambda: ui().page is Page.RESULT and _is_letter(ui().typed))
    bind("any", Keys.Any, when=showing & whole & ~goes_on, eager=True)
    bind("any", "escape", Keys.Any, when=showing, eager=True)
    bind("escape", "escape", "escape", when=showing, eager=True)
    choosing = Condition(lambda: ui().page is Page.OVER and not ui().typed.strip())
    for letter in _CHOOSING:
        bind(letter, letter, when=choosing, eager=True)
        bind(letter, letter.upper(), when=choosing, eager=True)
    for function in _FUNCTION_KEYS:
        opens = Condition(partial(_opens, ui, function))
        bind(function, function, when=opens, eager=True)
        bind(function, "escape", function[-1], when=opens, eager=True)
    for key, word in _SHOWING.items():
        bind(word, key, when=showing, eager=True)

    @keys.add("c-c", eager=True)
    def _interrupted(event: KeyPressEvent) -> None:
        del event
        leave()

    @keys.add("c-d", filter=Condition(lambda: not ui().typed.strip()))
    def _ended(event: KeyPressEvent) -> None:
        del event
        leave()

    return keys


def _opens(ui: Callable[[], ScreenState], key: str) -> bool:
    """Return whether a function key opens something over the end of the match."""
    return ui().page is Page.OVER and word_at_end(ui().game.guest, key) is not None


def _is_letter(typed: str) -> bool:
    """Return whether the key that is pressed belongs to a line; a blank begins none."""
    key = get_app().key_processor.key_buffer[0].key
    return not isinstance(key, Keys) and (key != " " or bool(typed.strip()))


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
