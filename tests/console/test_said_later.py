"""What is said while a picture is drawn waits for its end."""

from __future__ import annotations

import pytest

from cli.runtime import terminal
from cli.runtime.console import catch_up, say


def test_a_sentence_waits_for_the_end_of_the_picture_and_keeps_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.begin_picture()
    try:
        say("first")
        say("second")
        catch_up()
        assert capsys.readouterr().err == ""
    finally:
        terminal.end_picture()
    say("third")
    assert capsys.readouterr().err.split() == ["first", "second", "third"]
    catch_up()
    assert capsys.readouterr().err == ""
