"""The terminal for an application of prompt_toolkit, which takes and leaves its other screen unless that is held."""

from typing import TextIO

from prompt_toolkit.application import get_app_session
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.output import Output, create_output

from cli.runtime import terminal


def drop_typed() -> None:
    """Forget what was typed while no picture was there, and what an application has read and not used."""
    if terminal.is_held():
        terminal.drop_typed()
        clear_typeahead(get_app_session().input)


def make_output(stream: TextIO | None = None) -> Output:
    """Return the terminal, by default that of the standard output (:mod:`cli.runtime.terminal`)."""
    output = create_output(stream)
    enter, leave = output.enter_alternate_screen, output.quit_alternate_screen

    def begin() -> None:
        if terminal.begin_picture():
            enter()
        else:
            clear()

    def end() -> None:
        if terminal.end_picture():
            leave()
        else:
            clear()

    def clear() -> None:
        output.erase_screen()
        output.cursor_goto(1, 1)

    # Each system and terminal has a class of its own, which prompt_toolkit chooses.
    vars(output).update(enter_alternate_screen=begin, quit_alternate_screen=end)
    return output
