"""The keys that are no text.  Each exists only while it means something; every one has a word at the prompt, too."""

from collections.abc import Callable
from functools import partial

from prompt_toolkit.application.current import get_app
from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from cli.console.guest import guest_of, word_at_end
from cli.console.screen_state import Page, ScreenState

_SHOWING = {
    "enter": "enter", "pageup": "pageup", "pagedown": "pagedown", "up": "wheelup", "down": "wheeldown",
}  # fmt: skip
"""What keys mean while a result or the end is shown; letters go to the line that is typed meanwhile."""
_CHOOSING = ("a", "d", "r", "/")
"""What chooses what comes after a match, or begins a line of chat, unless somebody was typing when it ended."""
_BEGINNINGS = frozenset(
    {Keys.Escape, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.ScrollUp, Keys.ScrollDown, Keys.CPRResponse}
)
"""What is no key by itself: the beginning of Alt and another one, the mouse, an answer of the terminal."""
_FUNCTION_KEYS = ("f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10")
_REPLAY_KEYS = (
    "left", "right", "up", "down", "home", "end", "pageup", "pagedown", "enter", "backspace", "tab", "delete", "c-r",
)  # fmt: skip
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
