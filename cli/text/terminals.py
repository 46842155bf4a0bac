"""Why a person is shown plain lines."""

from typing import Final

from cli.text.sentences import Sentence
from cli.text.wording import lazy

NO_TERMINAL: Final = lazy("Plain mode: input or output is not a terminal.")
DUMB: Final = lazy("Plain mode: this terminal says that it can only show lines (TERM=dumb).")

NO_MENU: Final = lazy("The menu needs a terminal of 80x24 or more; storm-p2p play --plain plays in plain lines.")


NO_FULL: Final = lazy(
    "The full screen cannot be shown here: this match was begun with --json. storm-p2p resume can show it."
)
NO_FULL_TERMINAL: Final = lazy(
    "The full screen needs a terminal, and input or output is not one. Leave with bye, and go on in a terminal: "
    "storm-p2p resume."
)
NO_FULL_DUMB: Final = lazy(
    "The full screen needs a terminal that can move its cursor, and this one says that it cannot (TERM=dumb)."
    " Leave with bye, and go on in another one: storm-p2p resume."
)

too_small = Sentence[int, int, int, int](
    "This window is {columns}x{rows}, and the full screen needs {wanted_columns}x{wanted_rows}. Make it larger, or the "
    "font smaller, and type full again."
)
small = Sentence[int, int, int, int](
    "Plain mode: this window is {columns}x{rows} and the board needs {wanted_columns}x{wanted_rows}; make it larger "
    "and type full to see the board."
)
