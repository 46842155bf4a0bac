"""Questions and answers with a witness over real sockets: honest, strange and silent ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from helpers_wire import Pair, identity
from toys import RockPaperScissors

from cli.match import witnessing
from cli.match.witnessing import Witnessing
from protocol.conditions import Conditions, WitnessTerms
from protocol.transport import TransportError
from protocol.transport import asking as asking_module
from protocol.transport.asking import Desk, call_desk, open_desk
from protocol.witness import MESSAGE_LIMIT, Witness

KEY = identity("witness")


def echo(question: bytes) -> bytes | None:
    return None if question == b"go away" else question[::-1]


def at_desk(work: Callable[[Desk], Awaitable[Any]], answer: asking_module.Answer = echo) -> Any:
    """Open a desk, do something there, and close it."""

    async def whole() -> Any:
        desk = await open_desk(answer, MESSAGE_LIMIT, "127.0.0.1", 0)
        try:
            async with asyncio.timeout(20):
                return await work(desk)
        finally:
            await desk.close()

    return asyncio.run(whole())


def test_each_question_gets_its_answer() -> None:
    async def work(desk: Desk) -> list[bytes]:
        askers = [await call_desk(*desk.address, MESSAGE_LIMIT) for _ in range(3)]
        answers = [await asker.ask(text) for asker in askers for text in (b"abc", b"xyz")]
        for asker in askers:
            await asker.close()
        return answers

    assert at_desk(work) == [b"cba", b"zyx"] * 3


@pytest.mark.parametrize("question", [b"go away", bytes(MESSAGE_LIMIT + 1)])
def test_a_strange_question_ends_the_line_and_no_other(question: bytes) -> None:
    async def work(desk: Desk) -> bytes:
        strange = await call_desk(*desk.address, MESSAGE_LIMIT)
        good = await call_desk(*desk.address, MESSAGE_LIMIT)
        with pytest.raises(TransportError) as caught:
            await strange.ask(question)
        assert caught.value.code == "closed"
        answer = await good.ask(b"ab")
        await good.close()
        return answer

    assert at_desk(work) == b"ba"


def test_a_crowd_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking_module, "MOST", 2)

    async def work(desk: Desk) -> None:
        askers = [await call_desk(*desk.address, MESSAGE_LIMIT) for _ in range(2)]
        for asker in askers:
            await asker.ask(b"a")
        third = await call_desk(*desk.address, MESSAGE_LIMIT)
        with pytest.raises(TransportError):
            await third.ask(b"a")
        await askers[0].close()
        assert await askers[1].ask(b"ab") == b"ba"
        await askers[1].close()

    at_desk(work)


@pytest.mark.parametrize("port", [-1, 65_536, 10**20])
def test_a_port_that_is_none_has_a_code(port: int) -> None:
    with pytest.raises(TransportError) as caught:
        asyncio.run(call_desk("127.0.0.1", port, MESSAGE_LIMIT))
    assert caught.value.code == "unreachable"


def test_nobody_there_and_a_port_in_use_have_codes() -> None:
    async def work(desk: Desk) -> int:
        with pytest.raises(TransportError) as caught:
            await open_desk(echo, MESSAGE_LIMIT, *desk.address)
        assert caught.value.code == "port-in-use"
        return desk.address[1]

    port = at_desk(work)
    with pytest.raises(TransportError) as caught:
        asyncio.run(call_desk("127.0.0.1", port, MESSAGE_LIMIT))
    assert caught.value.code == "unreachable"


# --- a match and its witness --------------------------------------------------------------------------------------


def watched(port: int, address: str = "127.0.0.1") -> Pair:
    terms = WitnessTerms(KEY.public, f"{address}:{port}")
    return Pair(RockPaperScissors(), 2, conditions=Conditions(witness=terms))


def serve(witness: Witness) -> asking_module.Answer:
    return lambda frame: witness.answer(frame, 5000)


def test_a_match_shows_its_witness_everything_by_itself() -> None:
    async def work(desk: Desk) -> None:
        pair = watched(desk.address[1])
        woken: list[int] = []
        watching = Witnessing(pair.host, lambda code, sentence: None, lambda: woken.append(1))
        running = asyncio.create_task(watching.run())
        pair.act(0, 1)
        pair.act(1, 2)
        watching.news()
        await watching.finish()
        assert len(pair.host._transcript.statements) == pair.host.seq == len(woken)
        pair.play_out()
        await watching.finish()
        assert pair.host.next_for_witness() is None
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    at_desk(work, serve(Witness(KEY)))


def test_a_witness_who_is_not_there_is_said_once_and_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnessing, "PAUSES", (0.01,))

    async def work(desk: Desk) -> None:
        port = desk.address[1]
        await desk.close()
        pair = watched(port)
        told: list[str] = []
        watching = Witnessing(pair.host, lambda code, sentence: told.append(code), lambda: None)
        running = asyncio.create_task(watching.run())
        pair.act(0, 1)
        watching.news()
        await watching.finish()
        while not told:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        assert told == ["witness"]
        # The match does not wait for him at its end.
        await watching.finish()
        later = await open_desk(serve(Witness(KEY)), MESSAGE_LIMIT, "127.0.0.1", port)
        while not pair.host._transcript.statements:
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await later.close()

    at_desk(work)


@pytest.mark.parametrize(
    "answer",
    [echo, lambda frame: b"x", serve(Witness(identity("another")))],
    ids=["echo", "nonsense", "another witness"],
)
def test_somebody_else_at_the_witnesss_place_is_not_believed(
    answer: asking_module.Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witnessing, "PAUSES", (0.01,))

    async def work(desk: Desk) -> None:
        pair = watched(desk.address[1])
        told: list[str] = []
        watching = Witnessing(pair.host, lambda code, sentence: told.append(code), lambda: None)
        running = asyncio.create_task(watching.run())
        pair.act(0, 1)
        watching.news()
        while not told:
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert pair.host._transcript.statements == []
        pair.play_out()
        assert pair.host.audited

    at_desk(work, answer)


def test_an_address_that_is_none_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnessing, "PAUSES", (0.01,))

    async def work() -> None:
        pair = Pair(RockPaperScissors(), 2, conditions=Conditions(witness=WitnessTerms(KEY.public, "nowhere")))
        told: list[str] = []
        watching = Witnessing(pair.host, lambda code, sentence: told.append(code), lambda: None)
        running = asyncio.create_task(watching.run())
        pair.act(0, 1)
        async with asyncio.timeout(10):
            while not told:
                await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(work())
