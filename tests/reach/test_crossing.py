"""Calls by TCP from a port of their own."""

from __future__ import annotations

import asyncio
import socket

import pytest

from protocol.reach import crossing


@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_crossing_calls_until_somebody_answers(
    family: socket.AddressFamily, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crossing, "PACE", 0.05)

    async def run() -> None:
        with crossing.reserve(family) as ours, socket.socket(family) as later:
            later.bind((host, 0))
            place, port = later.getsockname(), ours.getsockname()[1]
            calling = asyncio.create_task(crossing.cross([(port, place[:2]), (port, (host, 9))]))
            for _ in range(20):
                await asyncio.sleep(0)
            assert not calling.done()
            later.listen()
            with await calling as connected:
                assert connected.getpeername() == place
                assert connected.getsockname()[1] == ours.getsockname()[1]

    asyncio.run(run())


def test_a_crossing_that_is_given_up_closes_what_it_has() -> None:
    async def run() -> None:
        with crossing.reserve(socket.AF_INET) as ours, socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            calling = asyncio.create_task(crossing.cross([(ours.getsockname()[1], silent.getsockname())]))
            await asyncio.sleep(0)
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling

    asyncio.run(run())


def test_a_port_that_is_held_is_nobody_elses() -> None:
    with crossing.reserve(socket.AF_INET) as held, socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("0.0.0.0", held.getsockname()[1]))
