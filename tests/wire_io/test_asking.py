"""Questions and answers with a witness over real sockets: honest, strange and silent ends."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
from helpers_wire import Pair, identity
from toys import RockPaperScissors

from cli.match import witnessing
from cli.match.witnessing import Witnessing
from cli.notices import Notice, WitnessSilent
from protocol.core.game_data import Conditions, WitnessTerms
from protocol.core.witness import MESSAGE_LIMIT, Witness
from protocol.transport import Transport, TransportError
from protocol.transport import asking as asking_module
from protocol.transport.asking import Desk, call_desk, open_desk

KEY = identity("witness")


def echo(question: bytes) -> bytes | None:
    return None if question == b"go away" else question[::-1]


async def ask(link: Transport, question: bytes) -> bytes:
    await link.send(question)
    answer = await link.receive()
    if answer is None:
        raise TransportError("closed", "expected an answer, got the end of the connection")
    return answer


def at_desk(work: Callable[[Desk], Awaitable[Any]], answer: asking_module.Responder = echo) -> Any:
    """Open a desk, do something there, and close it."""

    async def whole() -> Any:
        desk = await open_desk(answer, MESSAGE_LIMIT, "127.0.0.1", 0)
        try:
            async with asyncio.timeout(60):
                return await work(desk)
        finally:
            await desk.close()

    return asyncio.run(whole())


def test_each_question_gets_its_answer() -> None:
    async def work(desk: Desk) -> list[bytes]:
        askers = [await call_desk(*desk.address, MESSAGE_LIMIT) for _ in range(3)]
        answers = [await ask(asker, text) for asker in askers for text in (b"abc", b"xyz")]
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
            await ask(strange, question)
        assert caught.value.code == "closed"
        answer = await ask(good, b"ab")
        await good.close()
        return answer

    assert at_desk(work) == b"ba"


def test_a_crowd_of_one_network_has_few_places_and_keeps_nobody_out() -> None:
    async def work(desk: Desk) -> None:
        crowd = [await call_desk(*desk.address, MESSAGE_LIMIT) for _ in range(64)]
        assert len(desk._places) <= asking_module.SOURCE_MOST
        for _ in range(3):
            crowd.append(await call_desk(*desk.address, MESSAGE_LIMIT))
            assert await ask(crowd[-1], b"ab") == b"ba"
            crowd += [await call_desk(*desk.address, MESSAGE_LIMIT) for _ in range(asking_module.SOURCE_MOST - 1)]
        for one in crowd:
            await one.close()

    at_desk(work)


def test_those_who_do_not_even_open_are_counted() -> None:
    async def work(desk: Desk) -> None:
        crowd = [await asyncio.open_connection(*desk.address) for _ in range(64)]
        player = await call_desk(*desk.address, MESSAGE_LIMIT)
        assert await ask(player, b"ab") == b"ba"
        assert len(desk._places) <= asking_module.SOURCE_MOST
        await player.close()
        for reader, writer in crowd[: -asking_module.SOURCE_MOST]:
            with suppress(OSError):
                assert await reader.read() == b""
            writer.close()
        for _, writer in crowd:
            writer.close()

    at_desk(work)


def test_when_all_places_are_taken_one_drawn_at_random_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    networks = iter(range(100))
    monkeypatch.setattr(asking_module, "MOST", 3)
    monkeypatch.setattr(asking_module, "network_of", lambda address: str(next(networks)))
    monkeypatch.setattr(secrets, "choice", lambda places: places[1])

    async def work(desk: Desk) -> None:
        askers = [await call_desk(*desk.address, MESSAGE_LIMIT) for _ in range(3)]
        assert await ask(askers[0], b"ab") == b"ba"
        askers.append(await call_desk(*desk.address, MESSAGE_LIMIT))
        with pytest.raises(TransportError):
            await ask(askers[1], b"ab")
        for asker in (askers[0], askers[2], askers[3]):
            assert await ask(asker, b"ab") == b"ba"
        for asker in askers:
            await asker.close()

    at_desk(work)


def test_whoever_asks_nothing_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking_module, "IDLE", 0.01)

    async def work(desk: Desk) -> None:
        asker = await call_desk(*desk.address, MESSAGE_LIMIT)
        assert await asker.receive() is None
        assert desk._places == {}

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


def serve(witness: Witness) -> asking_module.Responder:
    return lambda frame: witness.answer(frame, 5000)


def test_a_match_shows_its_witness_everything_by_itself() -> None:
    async def work(desk: Desk) -> None:
        pair = watched(desk.address[1])
        woken: list[int] = []
        watching = Witnessing(pair.host, lambda notice: None, lambda: woken.append(1))
        running = asyncio.create_task(watching.run())
        pair.act(0, 1)
        pair.act(1, 2)
        watching.news()
        await watching.finish()
        assert len(pair.host.transcript.statements) == pair.host.transcript.length == len(woken)
        pair.play_out()
        await watching.finish()
        assert pair.host.side_channel.next_for_witness() is None
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    at_desk(work, serve(Witness(KEY)))


def test_a_witness_who_has_hung_up_in_between_is_called_again_without_a_word() -> None:
    async def work(desk: Desk) -> None:
        pair = watched(desk.address[1])
        told: list[Notice] = []
        watching = Witnessing(pair.host, told.append, lambda: None)
        running = asyncio.create_task(watching.run())
        pair.act(0, 1)
        watching.news()
        await watching.finish()
        for visitor in tuple(desk._places):
            desk._turn_out(visitor)
        pair.act(1, 2)
        watching.news()
        await watching.finish()
        assert len(pair.host.transcript.statements) == pair.host.transcript.length
        assert told == []
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    at_desk(work, serve(Witness(KEY)))


@pytest.mark.long
def test_a_witness_who_is_not_there_is_said_once_and_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnessing, "PAUSES", (0.01,))

    async def work(desk: Desk) -> None:
        port = desk.address[1]
        await desk.close()
        pair = watched(port)
        told: list[Notice] = []
        watching = Witnessing(pair.host, told.append, lambda: None)
        running = asyncio.create_task(watching.run())
        pair.act(0, 1)
        watching.news()
        await watching.finish()
        while not told:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        assert told == [WitnessSilent()]
        # The match does not wait for him at its end.
        await watching.finish()
        later = await open_desk(serve(Witness(KEY)), MESSAGE_LIMIT, "127.0.0.1", port)
        while not pair.host.transcript.statements:
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
    answer: asking_module.Responder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witnessing, "PAUSES", (0.01,))

    async def work(desk: Desk) -> None:
        pair = watched(desk.address[1])
        told: list[Notice] = []
        watching = Witnessing(pair.host, told.append, lambda: None)
        running = asyncio.create_task(watching.run())
        pair.act(0, 1)
        watching.news()
        while not told:
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert pair.host.transcript.statements == []
        pair.play_out()
        assert pair.host.audited

    at_desk(work, answer)


def test_an_address_that_is_none_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnessing, "PAUSES", (0.01,))

    async def work() -> None:
        pair = Pair(RockPaperScissors(), 2, conditions=Conditions(witness=WitnessTerms(KEY.public, "nowhere")))
        told: list[Notice] = []
        watching = Witnessing(pair.host, told.append, lambda: None)
        running = asyncio.create_task(watching.run())
        pair.act(0, 1)
        async with asyncio.timeout(60):
            while not told:
                await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(work())
