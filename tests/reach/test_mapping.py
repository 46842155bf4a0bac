"""The ladder of ways, and a mapping that is kept open: renewals, a sleeping laptop, a router that forgets."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from helpers_reach import Clock, ScriptedRouter

from protocol.reach import ReachError, mapping
from protocol.reach.formats.outcome import Attempt, Mapped
from protocol.reach.formats.ssdp import Location
from protocol.reach.mapping import Keeper, Uplink
from protocol.reach.routers import Router

OPEN = Mapped("5.6.7.8", 47_331, 1_200)
SILENT = ReachError("silent", "expected an answer, got none")


def kept(*script: Mapped | ReachError, clock: Clock | None = None) -> tuple[ScriptedRouter, Clock, list[Any]]:
    """Keep a mapping until the script has ended."""
    clock, router, told = clock or Clock(), ScriptedRouter(list(script)), []  # type: ignore[var-annotated]
    keeper = Keeper(
        router, OPEN, 47_331, told.append, now=lambda: clock.now, wall=lambda: clock.wall, pause=clock.pause
    )
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(keeper.run())
    asyncio.run(keeper.close())
    return router, clock, told


def test_a_mapping_is_renewed_at_half_of_its_lease_and_removed_at_the_end() -> None:
    router, clock, told = kept(OPEN, OPEN)
    assert clock.now == 1_000 + 3 * 600
    assert router.opened == [(47_331, 47_331)] * 3
    assert router.closed == 1
    assert told == []


def test_a_router_that_gives_a_moment_is_not_asked_every_moment() -> None:
    short = Mapped("5.6.7.8", 47_331, 1)
    _, clock, _ = kept(short)
    assert clock.now == 1_000 + 600 + mapping.TICK


def test_a_router_that_gives_for_ever_is_asked_all_the_same() -> None:
    _, clock, _ = kept(Mapped("5.6.7.8", 47_331, 2**32 - 1))
    assert clock.now == 1_000 + 600 + 3_600


def test_a_laptop_that_slept_renews_as_soon_as_it_wakes() -> None:
    clock = Clock(asleep=30_000.0)
    kept(clock=clock)
    assert clock.waits == [mapping.TICK]


def test_the_port_that_the_router_gave_is_asked_for_again() -> None:
    moved = Mapped("5.6.7.8", 50_000, 1_200)
    router, _, told = kept(moved, moved)
    assert router.opened == [(47_331, 47_331), (47_331, 50_000), (47_331, 50_000)]
    assert told == [moved]


@pytest.mark.parametrize("new", [Mapped("5.6.7.9", 47_331, 1_200), Mapped("5.6.7.8", 47_331, 1_200, restarted=True)])
def test_another_address_and_a_router_that_was_started_again_are_told(new: Mapped) -> None:
    assert kept(new)[2] == [new]


def test_a_renewal_that_fails_is_told_once_and_tried_until_it_works() -> None:
    router, clock, told = kept(SILENT, SILENT, OPEN)
    assert told == [SILENT, OPEN]
    assert clock.now == 1_000 + 600 + 30 + 30 + 600
    assert len(router.opened) == 4


def test_removing_never_raises() -> None:
    class Stubborn(ScriptedRouter):
        async def close(self) -> None:
            raise SILENT

    asyncio.run(Keeper(Stubborn([]), OPEN, 1, print).close())


# -- the ladder -------------------------------------------------------------------------------------------


class World:
    """What the routers of a test say, in place of the network."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **says: Mapped | ReachError) -> None:
        self.made: dict[str, ScriptedRouter] = {}
        for name, label in (("Pcp", "PCP"), ("NatPmp", "NAT-PMP")):
            monkeypatch.setattr(mapping, name, self._maker(label, says.get(name, SILENT)))
        monkeypatch.setattr(mapping, "search", self._search)
        monkeypatch.setattr(mapping, "describe", self._describe)
        self.upnp = says.get("Upnp", SILENT)

    def _maker(self, label: str, said: Mapped | ReachError) -> Any:
        class Made:
            name = label

            def __new__(cls, *args: Any, **kwargs: Any) -> Any:
                self.made[label] = ScriptedRouter([said], name=label)
                return self.made[label]

        return Made

    async def _search(self, client: str, router: str | None) -> tuple[Location, ...]:
        return (Location("192.168.1.1", 80, "/"),)

    async def _describe(self, at: Location, client: str, leftovers: object = None) -> tuple[Router, ...]:
        self.made["UPnP"] = ScriptedRouter([self.upnp], name="UPnP")
        return (self.made["UPnP"],)

    def climb(self, *, every: bool = False, router: str | None = "192.168.1.1") -> list[Attempt]:
        async def whole() -> list[Attempt]:
            uplink = Uplink("192.168.1.20", router)
            found = []
            async for way, attempt in mapping.try_ways(uplink, 47_331, every=every, now=lambda: 0.0):
                found.append(attempt)
                assert (way is None) == (attempt.mapped is None)
            return found

        return asyncio.run(whole())


def test_the_first_way_that_works_ends_the_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.name for one in World(monkeypatch, Pcp=OPEN).climb()] == ["PCP"]
    assert [one.name for one in World(monkeypatch, NatPmp=OPEN).climb()] == ["PCP", "NAT-PMP"]
    last = World(monkeypatch, Upnp=OPEN).climb()
    assert [(one.name, one.mapped) for one in last] == [("PCP", None), ("NAT-PMP", None), ("UPnP", OPEN)]


def test_a_doctor_tries_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    found = World(monkeypatch, Pcp=OPEN, NatPmp=OPEN, Upnp=OPEN).climb(every=True)
    assert [one.name for one in found] == ["PCP", "NAT-PMP", "UPnP"]


def test_where_nobody_listens_for_pcp_nat_pmp_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(monkeypatch, Pcp=ReachError("closed", "x"), Upnp=OPEN)
    assert [one.problem.code if one.problem else "" for one in world.climb()] == ["closed", "closed", ""]
    assert "NAT-PMP" not in world.made


def test_without_a_known_router_only_the_search_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.name for one in World(monkeypatch).climb(router=None)] == ["UPnP"]


def test_ctrl_c_while_the_router_is_asked_removes_what_it_may_have_opened() -> None:
    router = ScriptedRouter([])
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(mapping.try_router(router, 47_331, lambda: 0.0))
    assert router.closed == 1


def test_a_pinhole_is_asked_for_only_where_there_is_a_public_address_and_a_router() -> None:
    for uplink in (Uplink("192.168.1.20", None), Uplink("192.168.1.20", None, "fd00::2", "fe80::1%eth0")):
        router, attempt = asyncio.run(mapping.open_pinhole(uplink, 47_331))
        assert router is None
        assert attempt.problem is not None
        assert attempt.problem.code == "no-router"


def test_a_pinhole_is_kept_by_its_router_and_a_refused_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    uplink = Uplink("192.168.1.20", None, "2a00:77:1::2", "fe80::1%eth0")
    for said in (OPEN, SILENT):
        world = World(monkeypatch, Pcp=said)
        router, attempt = asyncio.run(mapping.open_pinhole(uplink, 47_331))
        assert attempt.name == "PCP6"
        assert (router is world.made["PCP"]) == (said is OPEN)


def test_a_machine_without_ipv4_asks_no_router_for_a_port() -> None:
    async def whole() -> list[Attempt]:
        return [attempt async for _, attempt in mapping.try_ways(Uplink(None, None), 47_331)]

    assert asyncio.run(whole()) == []


def test_of_several_upnp_routers_the_first_that_opens_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(monkeypatch, Upnp=OPEN)
    places = iter([ReachError("elsewhere", "x"), ReachError("malformed", "x"), None])

    async def search(client: str, router: str | None) -> tuple[Location, ...]:
        return tuple(Location(f"192.168.1.{number}", 80, "/") for number in (66, 67, 1))

    async def describe(at: Location, client: str, leftovers: object) -> tuple[Router, ...]:
        problem = next(places)
        if problem is not None:
            raise problem
        return await world._describe(at, client)

    monkeypatch.setattr(mapping, "search", search)
    monkeypatch.setattr(mapping, "describe", describe)
    assert world.climb()[-1].mapped == OPEN
