"""``storm-p2p doctor``: what works for being reached, what does not and why, and what to do next.

Every step says what it does before it begins, and none can take longer than its time.
"""

import asyncio
import secrets
from argparse import Namespace
from collections.abc import Awaitable
from typing import TypeVar

from cli.app.launch.proposal import servers_of
from cli.meeting import reachability
from cli.meeting.rendezvous import SERVERS, open_beside
from cli.runtime.console import Exit, line, result, say
from cli.storage.home import Home
from cli.text import failures, joining
from cli.text.wording import _, fill
from protocol.reach import ReachError, lan, mapping, onion, routers, socks, surroundings
from protocol.reach.formats.addresses import classify
from protocol.reach.formats.candidates import Candidate, Facts, Missing, Way, rank_candidates
from protocol.reach.formats.outcome import Attempt
from protocol.reach.formats.outside import UNSEEN, Nature, Seen
from protocol.reach.mapping import Uplink
from protocol.reach.routers import Router
from protocol.transport import TransportError
from protocol.transport.certificate import Certificate
from protocol.transport.listening import Listener, serve
from storm_p2p import games

T = TypeVar("T")

LONGEST = 15.0
"""Seconds that one step may take."""

_OUTSIDE = {Way.MAPPED, Way.PINHOLE, Way.IPV4, Way.IPV6, Way.OVERLAY, Way.ONION}


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    try:
        return asyncio.run(_Doctor(home, options).run())
    except KeyboardInterrupt:
        say(_("Interrupted. Everything opened for the test is closed again."))
        return Exit.INTERRUPTED


class _Doctor:
    """One examination."""

    def __init__(self, home: Home, options: Namespace) -> None:
        self.options, self.port = options, options.port
        asked = servers_of(home, options)
        self.servers = SERVERS if asked is None else asked

    def found(self, name: str, state: str, text: str, seconds: float | None = None) -> None:
        """Report one step: ``ok``, ``no`` or ``perhaps``."""
        if self.options.json:
            took = None if seconds is None else round(seconds * 1000)
            line({"event": "check", "name": name, "state": state, "text": text, "ms": took})
            return
        took_text = "" if seconds is None else f" ({seconds * 1000:.0f} ms)"
        result(f"  {joining.mark(state)}  {name:15}  {text}{took_text}")

    def shown(self, address: str | None) -> str:
        """Return an address as far as it may be told."""
        if address is None:
            return _("none")
        return fill("a {kind} address", kind=classify(address).value) if self.options.report else address

    async def step(self, doing: str, work: Awaitable[T], otherwise: T) -> T:
        """Say what is done, do it, and go on without it when it takes too long."""
        say(f"{doing} ...")
        try:
            async with asyncio.timeout(LONGEST):
                return await work
        except TimeoutError:
            say(fill("Gave up: that took longer than {seconds:g} seconds.", seconds=LONGEST))
            return otherwise

    async def run(self) -> Exit:
        """Examine everything."""
        self.found(_("rules"), "ok", games.find_newest().version)
        try:
            listener = await serve(None, self.port, Certificate.make(), secrets.token_bytes(16))
        except TransportError as error:
            self.found(_("listening"), "no", failures.sentence(error.code, error.sentence))
            return Exit.USAGE
        try:
            self.port = listener.port
            self.found(_("listening"), "ok", fill("on port {port}", port=self.port))
            return await self.examine(listener)
        finally:
            await listener.close()

    async def examine(self, listener: Listener) -> Exit:
        """Go up the ladder and say what it means."""
        own = await self.step(_("Looking at this machine's own addresses"), surroundings.find_own_addresses(), ())
        for address in own:
            self.found(_("own address"), "ok", f"{self.shown(address)} ({classify(address).value})")
        if not own:
            self.found(_("own address"), "no", _("not connected to a network"))
        uplink = await self.step(_("Looking for the router"), reachability.where(own), Uplink(None, None))
        state = "ok" if uplink.router or uplink.router6 else "no"
        self.found(_("router"), state, f"IPv4: {self.shown(uplink.router)}, IPv6: {self.shown(uplink.router6)}")
        attempts = await self.routers(uplink) if self.options.map else None
        beyond = await self.second_step(uplink, attempts) if attempts is not None else None
        hole = await self.pinhole(uplink) if self.options.map and uplink.client6 else None
        seen = await self.outside(listener) if self.servers else UNSEEN
        tor = await self.tor()
        self.network()
        candidates, missing = rank_candidates(Facts(self.port, own, attempts, hole, tor, beyond))
        self.conclude(candidates, missing, seen)
        met = seen.nature in (Nature.EASY, Nature.HARD) or seen.crossing
        return Exit.FINE if met or {one.way for one in candidates} & _OUTSIDE else Exit.NO_CONNECTION

    async def routers(self, uplink: Uplink) -> tuple[Attempt, ...]:
        """Try every way to have the router open the port, and close it again at once."""
        found: list[Attempt] = []

        async def climb() -> None:
            async for router, attempt in mapping.try_ways(uplink, self.port, every=True):
                found.append(attempt)
                await self.attempt(attempt.name, router, attempt)

        if uplink.is_behind_router:
            await self.step(_("Asking the router for a port with PCP, NAT-PMP and UPnP"), climb(), None)
        return tuple(found)

    async def attempt(self, name: str, router: Router | None, attempt: Attempt) -> None:
        """Close what was opened in one way, and report what came of it."""
        if router is not None and attempt.mapped is not None:
            mapped = attempt.mapped
            outside = fill("{address}, port {port}", address=self.shown(mapped.address), port=mapped.port)
            closed = await routers.close_quietly(router)
            text = fill(
                "opened at {place}, for {lease} s at a time; closed again"
                if closed
                else "opened at {place}, for {lease} s at a time; the router will let it expire",
                place=outside,
                lease=attempt.mapped.lease,
            )
            self.found(name, "ok", text, attempt.seconds)
        elif attempt.problem is not None:
            self.found(name, "no", joining.why(attempt.problem), attempt.seconds)

    async def second_step(self, uplink: Uplink, attempts: tuple[Attempt, ...]) -> str | None:
        """Look at what stands behind the router."""
        if not uplink.is_behind_router:
            return None
        beyond = await self.step(_("Checking what lies beyond the router"), reachability.beyond(uplink), None)
        if beyond is not None:
            # A router that has opened a port has a public address; what is behind it belongs to the provider.
            opened = any(attempt.mapped for attempt in attempts)
            odd = None if opened else joining.ODD.get(classify(beyond))
            self.found(
                _("beyond router"), "perhaps" if odd else "ok", f"{self.shown(beyond)}: {odd or _('nothing odd')}"
            )
        return beyond

    async def pinhole(self, uplink: Uplink) -> Attempt:
        """Ask the IPv6 router to let the port through, and close it again at once."""
        asking = mapping.open_pinhole(uplink, self.port)
        router, attempt = await self.step(_("Asking the router to let IPv6 through"), asking, (None, Attempt("PCP6")))
        await self.attempt(_("IPv6 firewall"), router, attempt)
        return attempt

    async def outside(self, listener: Listener) -> Seen:
        """Ask servers how this machine is seen from outside, where somebody may knock."""
        rendezvous = open_beside(listener, secrets.token_bytes(16), (), is_host=True)
        if rendezvous is None:
            self.found(_("outside, UDP"), "no", joining.port_taken(self.port))
            return UNSEEN
        try:
            looking = rendezvous.look(self.servers)
            seen = await self.step(_("Asking STUN servers how this machine looks from outside"), looking, UNSEEN)
            say(joining.asked([host for host, _port in self.servers]))
            if not rendezvous.is_answered:
                self.found(_("outside, UDP"), "perhaps", str(joining.NOT_SEEN))
                return seen
            state = {Nature.EASY: "ok", Nature.NONE: "no"}.get(seen.nature, "perhaps")
            self.found(_("outside, UDP"), state, joining.outside(seen, rendezvous.answers, hidden=self.options.report))
            self.found(_("outside, TCP"), "ok" if seen.crossing else "perhaps", joining.crossing(seen))
            return seen
        finally:
            await rendezvous.close()

    async def tor(self) -> str | ReachError:
        """Ask the tor of this machine for an onion address."""

        async def ask() -> str | ReachError:
            try:
                opened = await onion.open_onion(self.port)
            except ReachError as error:
                return error
            address = opened.address
            await opened.close()
            return address

        nothing = ReachError("silent", "expected an answer of tor, got none")
        answer = await self.step(_("Asking tor on this machine"), ask(), nothing)
        if isinstance(answer, str):
            self.found(_("Tor, to host"), "ok", _("tor can make an onion address for a match"))
        else:
            self.found(_("Tor, to host"), "no", joining.why(answer))
        if await socks.is_listening():
            self.found(_("Tor, to join"), "ok", _("can call onion addresses"))
        else:
            self.found(_("Tor, to join"), "no", joining.why(ReachError("no-tor", "expected tor, got none")))
        return answer

    def network(self) -> None:
        """Look whether announcements in the local network are possible."""
        try:
            lan.import_library()
        except ReachError as error:
            self.found(_("announcements"), "no", joining.why(error))
        else:
            self.found(_("announcements"), "ok", _("hosts on this network can be found without an invite"))

    def conclude(self, candidates: tuple[Candidate, ...], missing: tuple[Missing, ...], seen: Seen) -> None:
        """Print the ladder, and what to do."""
        advice = joining.advice(candidates, missing, seen)
        if self.options.json:
            for one in candidates:
                line({"event": "candidate", "way": one.way.value, "address": self.shown(one.address), "port": one.port})
            for lacking in missing:
                text = joining.why(lacking.problem)
                line({"event": "missing", "way": lacking.way.value, "code": lacking.problem.code, "text": text})
            for address, port in seen.addresses:
                nature = seen.nature.name.lower()
                line({"event": "seen", "nature": nature, "address": self.shown(address), "port": port})
            for rank, text in enumerate(advice, 1):
                line({"event": "advice", "rank": rank, "text": text})
            return
        result("\n" + _("Who can reach you while you host?"))
        for text in (
            *joining.ladder(candidates, missing, hidden=self.options.report),
            *joining.knocking(seen, hidden=self.options.report),
        ):
            result(text)
        result("\n" + _("What to do, best first"))
        for rank, text in enumerate(advice, 1):
            result(f"  {rank}  {text}")
