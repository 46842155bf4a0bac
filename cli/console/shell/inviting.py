"""Keys while a host waits: the invite goes to the clipboard, or stands alone on the screen as a QR code.

The line itself is printed before and stays where it is; nothing here has to work for somebody to be invited.
"""

import base64
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prompt_toolkit.input import Input
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output

from cli.console.render import qr
from cli.runtime import terminal
from cli.runtime.console import uncovered_by
from cli.text import joining

_COPY = "c"
_ALONE = "q"
_NEW = "n"


class Waiting:
    """The keys of one invite on one terminal."""

    def __init__(
        self, invite: str, line: str, say: Callable[[str], None], source: Input, output: Output,
        renew: Callable[[], None],
    ) -> None:  # fmt: skip
        """Prepare the keys: the QR code holds ``invite``, ``line`` goes to the clipboard, ``renew`` asks for another.
        """
        self._invite = invite
        self._code = qr.drawn(invite)
        self._line = line
        self._say = say
        self._renew = renew
        self._source = source
        self._output = output
        self._alone = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take keys within the running loop, until the terminal belongs to somebody else."""
        # Who has come is said while the code that he has read is still shown, and nobody would see it afterwards.
        with self._source.raw_mode(), self._source.attach(self._pressed), uncovered_by(self._back):
            try:
                yield
            finally:
                self._back()

    def _pressed(self) -> None:
        for press in self._source.read_keys():
            if press.key == Keys.ControlC:
                # The terminal no longer makes a signal of it by itself.
                signal.raise_signal(signal.SIGINT)
            elif self._alone:
                self._back()
            elif press.key == _COPY:
                self._copy()
            elif press.key == _ALONE:
                self._show()
            elif press.key == _NEW:
                self._renew()

    def _copy(self) -> None:
        """Hand the line to the clipboard by OSC 52, which reaches that of the person's own machine over ssh, too."""
        data = base64.b64encode(self._line.encode()).decode()
        self._output.write_raw(f"\x1b]52;c;{data}\x07")
        self._output.flush()
        self._say(str(joining.COPIED))

    def _show(self) -> None:
        size = self._output.get_size()
        if size.columns < len(self._code[0]) or size.rows < len(self._code):
            self._say(joining.too_small(self._code, size.columns, size.rows))
            return
        self._alone = True
        self._output.enter_alternate_screen()
        self._output.erase_screen()
        self._output.cursor_goto(1, 1)
        # No end of line behind the last one: it would push the first one out of a window that just fits.
        self._output.write_raw("\r\n".join(self._code))
        self._output.flush()

    def _back(self) -> None:
        if self._alone:
            self._alone = False
            self._output.quit_alternate_screen()
            self._output.flush()
            if terminal.is_held():
                # There is no other screen that the line would stand on.
                self._say(f"{joining.SEND}\n{joining.indented(self._invite)}\n{joining.WAITING_KEYS}")
