"""``storm-p2p host``: wait for one opponent."""

import asyncio
import os
import secrets
import sys
from argparse import Namespace
from contextlib import suppress
from dataclasses import replace
from functools import partial

from cli.app import games
from cli.app.launch import inviting, running, seats
from cli.app.launch.proposal import check_watched, listening_of, player_of, proposed, rematches_of, supplied
from cli.match.player import notices_to
from cli.meeting import meeting
from cli.meeting.joining import call, dump_swap, read_swap, whole
from cli.meeting.lines import Callers, Lines, begin
from cli.meeting.meeting import Met, NoMatch, Proposal, SeatDraw, Stranger, Wishes
from cli.meeting.reachability import LocalEndpoint, PeerEndpoint, Reachability
from cli.runtime.console import Exit, UsageError, line, read_line, result, say, stop
from cli.runtime.terminal import is_terminal
from cli.storage import unlock
from cli.storage.home import Home
from cli.storage.people import Book
from cli.text import failures, joining
from protocol.reach.invite import Invite, Purpose
from protocol.transport import Transport, TransportError
from protocol.transport.certificate import Certificate
from protocol.transport.listening import Listener
from protocol.transport.websocket import WebSocketTransport

PATIENCE = 10.0
"""How many seconds after an answer the host hears that nothing has come through."""


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    who, listening, rematches = player_of(options), listening_of(home, options), rematches_of(options)
    called, event = games.CALLED[options.game], None
    if options.event is None:
        game, data = supplied(games.find(called), options.cards)
        proposal = proposed(game, options)
    else:
        # Few matches are of a tournament.
        from cli.app.launch import pairing

        event = pairing.to_host(home, options)
        called, game, data, proposal = event.called, event.game, event.data, event.proposal
        who = replace(who, name=who.name or event.name)
    keys = inviting.can_listen(who)
    screen = None
    if not keys and (who.is_person or (who.json and not is_terminal(sys.stdin) and not options.end_with_input)):
        from cli.console.plain import PlainScreen

        screen = PlainScreen()
    asks = who.is_person and not who.json and is_terminal(sys.stdin)
    player = seats.of(game, who, home, keep_name=event is None, ask_name=True, screen=screen)
    check_watched(who, proposal.conditions)
    reply = None if options.call is None else _reply(options.call, proposal)
    reachability = Reachability(listening, home, is_host=True)

    async def meet() -> tuple[Lines, Met]:
        identity = unlock.identity(home)
        book = Book.of(home) if who.is_person else None
        if os.name == "nt" and not listening.bind:
            say(str(joining.WINDOWS))
        secret = secrets.token_bytes(16) if reply is None else reply.secret
        endpoint, listener = await reachability.listen(LocalEndpoint(Certificate.make(), secret))
        try:
            peer = None if event is None else event.opponent
            wishes = Wishes(player.name, identity, home.matches, secret, peer, endpoint.kept(), book, called, data)
            if event is not None:
                wishes = replace(wishes, exchange=event.exchange, find_game=event.find)
            if proposal.scheme == "hash":
                say(str(joining.HASH_WARNING))
            place = None
            if reply is None:
                if not who.json:
                    ways, unanswered = (reachability.candidates, reachability.missing), reachability.unanswered
                    for sentence in joining.hosting(*ways, reachability.seen, unanswered=unanswered):
                        say(sentence)
                endpoint, link, met = await invited(endpoint, listener, wishes)
            else:
                place = PeerEndpoint(reply.pin, reply.candidates, reply.seen)
                wishes = replace(wishes, peer=reply.identity, kept={**endpoint.kept(), **place.kept()})
                link = await call(place, secret)
                met = await meeting.host(link, wishes, proposal, SeatDraw())
            lines = begin(met, endpoint, listener, place, reachability)
            lines.greet(link)
            reachability.on_notice = notices_to(player)
            return lines, met
        except BaseException:
            await listener.close()
            raise

    async def invited(
        endpoint: LocalEndpoint, listener: Listener, wishes: Wishes
    ) -> tuple[LocalEndpoint, Transport, Met]:
        """Show an invite, and a fresh one whenever the person asks for it, until a guest has signed."""

        def written() -> str:
            own, places, seen = wishes.identity.public, reachability.places, reachability.seen
            return dump_swap(places, endpoint, own, proposal.hash, game=called, seen=seen)

        def renew() -> None:
            wanted.text = written()
            if who.json:
                _report(reachability, listener, wanted.text)
            else:
                say(f"{joining.SEEN_ANEW}\n{joining.SEND}")
                result(joining.indented(wanted.text))

        while True:
            text = written()
            if who.json:
                _report(reachability, listener, text)
            else:
                inviting.show(text, wanted=options.qr, keys=keys)
            if options.lan:
                await reachability.announce(text, endpoint.port, endpoint.bind)
            with inviting.waiting(text, screen, keys=keys) as wanted:
                reachability.moved = renew
                reachability.ask_search = partial(inviting.agrees, wanted, str(joining.MAY_SEARCH)) if asks else None
                found = await _first_guest(listener, wishes, proposal, wanted, reachability, keys=keys, json=who.json)
            if found is not None:
                return endpoint, *found
            endpoint = replace(endpoint, secret=secrets.token_bytes(16))
            wishes = replace(wishes, secret=endpoint.secret, kept=endpoint.kept())
            # Nobody draws with both.
            say(str(joining.RENEWED))
            listener.admit(endpoint.secret, alone=True)
            if reachability.rendezvous is not None:
                reachability.rendezvous.admit(endpoint.secret, alone=True)

    return running.Series(meet, player, home, who, options.patience, reachability.close, rematches=rematches).run()


def _reply(given: str, proposal: Proposal) -> Invite:
    """Return the line of a guest who waits to be called.

    Raises:
        UsageError: it is none, or for other terms.
    """
    text = whole(read_line(), read_line) if given == "-" else given
    reply = read_swap(text, Purpose.REPLY)
    if reply.subject != proposal.hash:
        raise UsageError(str(joining.REPLY_OTHER_TERMS))
    return reply


def _report(reachability: Reachability, listener: Listener, text: str) -> None:
    ways = [{"way": one.way.value, "address": one.address, "port": one.port} for one in reachability.candidates]
    line({"event": "invite", "invite": text, "candidates": ways})
    seen = reachability.seen
    for address, port in seen.addresses:
        line({"event": "seen", "nature": seen.nature.name.lower(), "address": address, "port": port})
    for address, port in listener.addresses:
        line({"event": "listening", "address": address, "port": port})


async def _first_guest(
    listener: Listener,
    wishes: Wishes,
    proposal: Proposal,
    wanted: inviting.Wanted,
    reachability: Reachability,
    *,
    keys: bool,
    json: bool,
) -> tuple[Transport, Met] | None:
    """Take the first guest who signs; whoever does not, or hears nothing as a stranger, leaves the next one a turn.

    None says that the person wants a fresh invite, which ``keys`` can ask for.
    """
    lot, turned_away = SeatDraw(), 0
    callers = Callers(listener, reachability.rendezvous)
    answering = asyncio.create_task(_call_back(wanted.pasted, callers, wishes.secret, proposal, reachability))
    try:
        while (link := await _next_caller(callers, wanted.fresh)) is not None:
            # A guest may think about the terms for minutes; the person need not wait for that.
            renewing = asyncio.create_task(_hang_up(link, wanted.fresh))
            try:
                met = await meeting.host(link, wishes, proposal, lot)
                if callers.since is not None and link.way[0] != "call":
                    say(joining.connected_by(*link.way, asyncio.get_running_loop().time() - callers.since))
                return link, met
            except NoMatch as error:
                await link.close()
                if wanted.fresh.is_set():
                    if error.proved:
                        say(str(joining.SENT_AWAY))
                    break
                unproved = error.event is None or error.event.code in ("wrong_secret", "bad_frame")
                if unproved and not error.proved:
                    continue
                turned_away += 1
                if _is_told(turned_away):
                    say(error.warning if isinstance(error, Stranger) else joining.turned_away(error.event))
                    say(joining.still_waiting(turned_away, bound=lot.guest is not None, keys=keys))
                    if json:
                        line({"event": "turned-away", "code": "lost" if error.event is None else error.event.code})
            except TransportError as error:
                await link.close()
                turned_away += 1
                if _is_told(turned_away):
                    say(failures.sentence(error.code, error.sentence))
            finally:
                await stop(renewing)
        return None
    finally:
        await stop(answering)
        await callers.close()


async def _call_back(
    pasted: asyncio.Queue[str], callers: Callers, secret: bytes, proposal: Proposal, reachability: Reachability
) -> None:
    """Call whoever has answered the invite; an answer that is none for it is said to be so, and nothing is lost."""
    while True:
        text = await pasted.get()
        try:
            reply = read_swap(text, Purpose.REPLY)
            if (reply.secret, reply.subject) != (secret, proposal.hash):
                raise UsageError(str(joining.OTHER_INVITE))
            place = PeerEndpoint(reply.pin, reply.candidates, reply.seen)
            await reachability.prepare(place)
        except UsageError as error:
            say("\n".join((*error.args, str(joining.PASTE_AGAIN))))
            continue
        except TransportError as error:
            say(failures.sentence(error.code, error.sentence))
            continue
        say(str(joining.KNOCKING if reachability.rendezvous is not None else joining.CALLING_BACK))
        reachability.knock(place)
        callers.call(place, secret)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                text = await pasted.get()
                pasted.put_nowait(text)
                continue
        say(joining.still_knocking())


def _is_told(number: int) -> bool:
    """Say whether a person hears of a caller who was turned away, counted from 1.

    Whoever has the invite can call a hundred times a second: then of fewer and fewer.
    """
    return number < joining.MANY_CALLS or number & (number - 1) == 0


async def _hang_up(link: Transport, fresh: asyncio.Event) -> None:
    """Close a line as soon as a fresh invite is wanted; whoever has signed by then has begun the match."""
    await fresh.wait()
    await link.close()


async def _next_caller(callers: Callers, fresh: asyncio.Event) -> WebSocketTransport | None:
    calling, asked = asyncio.create_task(callers.next()), asyncio.create_task(fresh.wait())
    try:
        await asyncio.wait((calling, asked), return_when=asyncio.FIRST_COMPLETED)
        return await calling if calling.done() else None
    finally:
        await stop(calling, asked)
