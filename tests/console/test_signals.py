"""Signals that are heeded for a while."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from cli.runtime import console


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_heeded_signal_calls_its_heeder_and_a_forgotten_one_does_not() -> None:
    came: list[str] = []

    async def go() -> tuple[str, ...]:
        heeded = console.heed(lambda: came.append("heeded"), console.CTRL_C)
        console.ctrl_c()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        console.forget(*heeded)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return heeded

    assert asyncio.run(go()) == ("SIGINT",)
    assert came == ["heeded"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_the_next_heeder_takes_a_signal_over() -> None:
    came: list[str] = []

    async def go() -> None:
        console.heed(lambda: came.append("first"), *console.POLITE)
        console.heed(lambda: came.append("second"), *console.POLITE)
        signal.raise_signal(signal.SIGTERM)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        console.forget(*console.POLITE)

    asyncio.run(go())
    assert came == ["second"]


class Windows(asyncio.SelectorEventLoop):
    """A loop that cannot heed signals."""

    def add_signal_handler(self, *values: object) -> None:
        raise NotImplementedError

    def remove_signal_handler(self, sig: int) -> bool:
        raise NotImplementedError


def test_where_signals_cannot_be_heeded_nothing_is_heeded_and_nothing_fails() -> None:
    async def go() -> tuple[str, ...]:
        heeded = console.heed(lambda: None, console.CTRL_C, *console.POLITE, "SIGNOTHING")
        console.forget(console.CTRL_C, *console.POLITE, "SIGNOTHING")
        return heeded

    with asyncio.Runner(loop_factory=Windows) as runner:
        assert runner.run(go()) == ()
