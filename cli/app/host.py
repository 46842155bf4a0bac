"""``storm-p2p host``: wait for one opponent."""

import os
import secrets
from argparse import Namespace
from dataclasses import replace

from cli.app import games
from cli.app.launch import inviting, running, seats
from cli.app.launch.options import listening_of, player_of, rematches_of
from cli.app.launch.proposal import proposed, supplied
from cli.meeting import meeting, swap
from cli.meeting.doorway import Doorway
from cli.meeting.joining import call
from cli.meeting.lines import Lines, begin
from cli.meeting.lot import Lot
from cli.meeting.meeting import Met, NoMatch, Proposal, Wishes
from cli.meeting.whereabouts import Door, TheirDoor
from cli.runtime.console import Exit, UsageError, line, read_line, say
from cli.storage import unlock
from cli.storage.home import Home
from cli.storage.people import Book
from cli.text import commands as told
from cli.text import failures, joining, reach
from protocol.reach.invite import Invite, Purpose
from protocol.transport import Transport, TransportError
from protocol.transport.certificate import Certificate
from protocol.transport.listening import Listener


def main(options: Namespace) -> Exit:
    """Run the command."""
    home: Home = options.home
    who, listening, rematches = player_of(options), listening_of(options), rematches_of(options)
    called = games.CALLED[options.game]
    game, data = supplied(games.find(called), options.cards)
    event = None
    if options.event is None:
        proposal = proposed(game, options)
    else:
        # Few matches are of a tournament.
        from cli.app.launch import pairing

        event = pairing.to_host(home, options)
        proposal, who = event.proposal, replace(who, name=who.name or event.name)
    player = seats.of(game, who, home, keep_name=event is None, ask_name=True)
    reply = None if options.call is None else _reply(options.call, proposal)
    doorway = Doorway(running.say_reach, listening)

    async def meet() -> tuple[Lines, Met]:
        identity = unlock.identity(home)
        book = Book.of(home) if who.is_person else None
        if os.name == "nt" and not listening.bind:
            say(str(reach.WINDOWS))
        secret = secrets.token_bytes(16) if reply is None else reply.secret
        door, listener = await doorway.listen(Door(Certificate.make(), secret))
        try:
            peer = None if event is None else event.opponent
            wishes = Wishes(player.name, identity, home.matches, secret, peer, door.kept(), book, called, data)
            if proposal.scheme == "hash":
                say(str(joining.HASH_WARNING))
            place = None
            if reply is None:
                text = swap.dump(doorway.places, door, identity.public, proposal.hash, game=called)
                keys = inviting.can_listen(who)
                if who.json:
                    _report(doorway, listener, text)
                else:
                    for sentence in reach.hosting(doorway.candidates, doorway.missing):
                        say(sentence)
                    inviting.show(text, wanted=options.qr, plain=who.plain, keys=keys)
                if options.lan:
                    await doorway.announce(text, door.port, door.bind)
                with inviting.keys(text, listening=keys):
                    link, met = await _first_guest(listener, wishes, proposal)
            else:
                place = TheirDoor(reply.pin, reply.candidates)
                wishes = replace(wishes, peer=reply.identity, kept={**door.kept(), **place.kept()})
                link = await call(place, secret)
                met = await meeting.host(link, wishes, proposal, Lot())
            lines = begin(met, door, listener, place, doorway)
            lines.greet(link)
            doorway.on_notice = player.on_notice
            return lines, met
        except BaseException:
            await listener.close()
            raise

    return running.run(
        meet, player, home, json=who.json, patience=options.patience, also=doorway.close, rematches=rematches
    )


def _reply(given: str, proposal: Proposal) -> Invite:
    """Return the line of a guest who waits to be called.

    Raises:
        UsageError: it is none, or for other terms.
    """
    text = swap.whole(read_line(), read_line) if given == "-" else given
    reply = swap.read(text, Purpose.REPLY)
    if reply.subject != proposal.hash:
        raise UsageError(str(joining.REPLY_OTHER_TERMS))
    return reply


def _report(doorway: Doorway, listener: Listener, text: str) -> None:
    ways = [{"way": one.way.value, "address": one.address, "port": one.port} for one in doorway.candidates]
    line({"event": "invite", "invite": text, "candidates": ways})
    for address, port in listener.addresses:
        line({"event": "listening", "address": address, "port": port})


async def _first_guest(listener: Listener, wishes: Wishes, proposal: Proposal) -> tuple[Transport, Met]:
    """Take the first guest who proves the secret; a stranger gets silence and the next one a turn."""
    lot = Lot()
    while True:
        link = await listener.accept()
        try:
            met = await meeting.host(link, wishes, proposal, lot)
        except NoMatch as error:
            await link.close()
            # Whoever knew the secret was the guest; whoever did not is nobody.
            if error.event is not None and error.event.code not in ("wrong_secret", "bad_frame", "lot"):
                raise
            if error.event is None and error.proved:
                say(str(told.GUEST_LEFT))
            elif error.event is not None and error.event.code == "lot":
                say(str(told.TURNED_AWAY))
            continue
        except TransportError as error:
            await link.close()
            say(failures.sentence(error.code, error.sentence))
            continue
        return link, met
