"""How the computer thinks while the screen stays alive: a thread works, and what it finds is handed on."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def watch(steps: Iterator[T], told: Callable[[T], None]) -> None:
    """Hand on what comes one after the other while a thread works it out; when this is cancelled, the thread stops."""
    stopped = threading.Event()
    loop = asyncio.get_running_loop()

    def work() -> None:
        for step in steps:
            if stopped.is_set():
                return
            loop.call_soon_threadsafe(tell, step)

    def tell(step: T) -> None:
        if not stopped.is_set():
            told(step)

    try:
        await asyncio.to_thread(work)
        # What was told last is on its way.
        await asyncio.sleep(0)
    finally:
        stopped.set()


async def think(better: Iterator[T], seconds: float) -> T:
    """Return the last of ever better answers that is there in time; a thread looks for them.

    Each answer is taken to need twice as long as the one before, and none is begun that would not be ready in time.
    When this is cancelled, the thread stops after the answer that it is at.
    """
    stopped = threading.Event()

    def look() -> T:
        begun = last = time.monotonic()
        found = next(better)
        while not stopped.is_set():
            now = time.monotonic()
            if now + 2 * (now - last) > begun + seconds:
                break
            last = now
            with suppress(StopIteration):
                found = next(better)
                continue
            break
        return found

    try:
        return await asyncio.to_thread(look)
    finally:
        stopped.set()
