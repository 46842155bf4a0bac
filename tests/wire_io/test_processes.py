"""A command that is asked something: what it says, and how it ends if it never would."""

from __future__ import annotations

import errno
import sys
import tempfile
import time

import pytest

from protocol.system.processes import ask


def python(text: str, seconds: float = 30, limit: int = 1000, given: bytes = b"") -> tuple[int, bytes, bytes]:
    with tempfile.TemporaryFile() as file:
        file.write(given)
        file.seek(0)
        return ask((sys.executable, "-S", "-E", "-c", text), file, seconds=seconds, limit=limit)


def test_it_says_what_it_writes_and_only_the_end_of_its_complaints() -> None:
    text = "import sys; sys.stderr.write('x' * 9999 + 'end'); print(input()[::-1]); sys.exit(3)"
    code, out, said = python(text, given=b"abc\n")
    assert (code, out, said[-4:], len(said)) == (3, b"cba\n", b"xend", 4096)


def test_one_that_writes_without_end_is_ended() -> None:
    with pytest.raises(OSError, match="too large") as caught:
        python("while True: print('x' * 9999)")
    assert caught.value.errno == errno.EFBIG


def test_one_that_never_ends_is_ended_with_all_that_it_has_started() -> None:
    begun = time.monotonic()
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(99)'])"
    with pytest.raises(TimeoutError):
        python(child, seconds=0.3)
    assert time.monotonic() - begun < 30


@pytest.mark.long
def test_what_it_leaves_running_is_not_waited_for() -> None:
    begun = time.monotonic()
    words = "[sys.executable, '-S', '-c', 'import time; time.sleep(3)']"
    assert python(f"import subprocess, sys; subprocess.Popen({words}, stdout=-3)")[0] == 0
    assert time.monotonic() - begun < 2.9
