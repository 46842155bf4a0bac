"""``storm-p2p host``: wait for one opponent."""

from __future__ import annotations

import json
import os
import re
import secrets
import sys
import time
from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from cli.app.launch import challenge, clockwords, inviting, running, seats
from cli.meeting import meeting, swap
from cli.meeting.doorway import Doorway
from cli.meeting.joining import call
from cli.meeting.lines import Lines, begin, tell_where
from cli.meeting.lot import Lot
from cli.meeting.meeting import Met, NoMatch, Wishes
from cli.meeting.swap import BadLine
from cli.meeting.whereabouts import Door, TheirDoor
from cli.runtime.console import Exit, line, say
from cli.storage import unlock
from cli.storage.home import Home
from cli.storage.people import Book
from cli.text import commands as told
from cli.text import failures, joining, reach, swapping, usage
from cli.text.wording import _, fill
from protocol.core.agreement import GUEST_CHOOSES, LOT, host_takes
from protocol.core.conditions import Conditions, WitnessTerms
from protocol.crypto.keys import check_public, identity_hash
from protocol.errors import BadKey
from protocol.game import Decision
from protocol.reach import invite
from protocol.reach.invite import Invite, Purpose
from protocol.transport import Transport, TransportError
from protocol.transport.certificate import PIN_LENGTH, Certificate
from protocol.transport.listening import Listener
from storm_p2p.storm.board import FACTIONS
from storm_p2p.storm.game import decode_terms, encode_terms
from storm_p2p.storm.state import Terms

VALID_SECONDS = 7 * 24 * 3600
"""How long an invite is good, if the host waits so long."""


def terms_of(options: Namespace) -> Decision:
    """Return the terms that the options or the file of ``--terms`` give.

    Raises:
        BadChallenge: the challenge is out of its range.
        ValueError: they are none of this game, with the sentence.
        OSError: the file cannot be read.
    """
    given = {"open_combat": options.open_combat, "random_setup": options.random_setup, "challenge": options.challenge}
    loaded = _loaded(options)
    given.update({word: value for word, value in loaded.items() if word in given})
    flags = (given["open_combat"], given["random_setup"])
    if any(not isinstance(flag, bool) for flag in flags) or type(given["challenge"]) is not int:
        raise ValueError(
            _("expected true or false for open_combat and random_setup, and a whole number for challenge")
        )
    challenge.check(given["challenge"], open_combat=given["open_combat"])
    terms = encode_terms(Terms(*flags, given["challenge"]))
    decode_terms(terms)
    return terms


def _loaded(options: Namespace) -> dict[str, Any]:
    if options.terms is None:
        return {}
    try:
        loaded = json.loads(Path(options.terms).read_bytes())
    except (ValueError, RecursionError):
        raise ValueError(fill("expected JSON in {file}", file=options.terms)) from None
    if not isinstance(loaded, dict) or set(loaded) - set(_TERMS):
        raise ValueError(
            fill("expected an object with {names} in {file}", names=", ".join(_TERMS), file=options.terms)
        )
    return loaded


_TERMS = ("open_combat", "random_setup", "challenge", "clock", "witness")


def conditions_of(options: Namespace) -> Conditions:
    """Return the clock and the witness that the options or the file of ``--terms`` give.

    Raises:
        ValueError: they give none that can be played, with the sentence.
        OSError: the file cannot be read.
    """
    loaded = _loaded(options)
    words = loaded.get("clock", "none") if options.clock is None else options.clock
    if not isinstance(words, str):
        raise ValueError(clockwords.expected())
    witness = loaded.get("witness") if options.witness is None else options.witness
    return Conditions(clockwords.parse(words), None if witness is None else _witness(witness))


def _witness(words: object) -> WitnessTerms:
    """Return the witness that ``KEY@HOST:PORT`` names.

    Raises:
        ValueError: it names none.
    """
    form = r"([0-9a-fA-F]{64})@([0-9A-Za-z.:\[\]%_-]{1,90}):([0-9]{1,5})"
    found = re.fullmatch(form, words) if isinstance(words, str) else None
    if found is None or not 1 <= int(found[3]) <= 65535:
        raise ValueError(_("expected a witness as KEY@HOST:PORT, with the key in 64 hexadecimal digits"))
    key = bytes.fromhex(found[1])
    try:
        check_public(key)
    except BadKey:
        raise ValueError(_("expected the key of a witness, got one that proves nothing")) from None
    return WitnessTerms(key, f"{found[2]}:{int(found[3])}")


def seating_of(options: Namespace) -> tuple[int, ...]:
    """Return how seats are given: by lot, by ``--seat``, or as the guest likes after a challenge (VAR-1)."""
    if options.seat is not None:
        return host_takes([faction.name.lower() for faction in FACTIONS].index(options.seat))
    return GUEST_CHOOSES if options.challenge else LOT


def main(options: Namespace) -> Exit:
    """Run the command."""
    home = Home(Path(options.home))
    try:
        terms, conditions = terms_of(options), conditions_of(options)
    except challenge.BadChallenge as error:
        say(str(error))
        return Exit.USAGE
    except OSError as error:
        say(told.no_terms(str(error.filename or options.terms), usage.reason(error)))
        return Exit.USAGE
    except ValueError as error:
        say(told.bad_terms(str(error)))
        return Exit.USAGE
    try:
        player = seats.of(options, home, ask_name=True)
    except seats.UnknownPlayer as error:
        say(str(error))
        return Exit.USAGE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED

    reply: Invite | None = None
    if options.call is not None:
        try:
            given = swap.whole(sys.stdin.readline(), sys.stdin.readline) if options.call == "-" else options.call
            reply = swap.read(given, Purpose.REPLY)
        except BadLine as error:
            say(str(error))
            return Exit.USAGE
        if reply.subject != meeting.terms_hash(terms, options.scheme, conditions):
            say(swapping.OTHER_TERMS)
            return Exit.USAGE
    doorway = Doorway(say, map_port=options.map, use_tor=options.tor)

    async def meet() -> tuple[Lines, Met]:
        identity = unlock.identity(home)
        secret = secrets.token_bytes(16) if reply is None else reply.secret
        if os.name == "nt" and not options.bind:
            say(reach.WINDOWS)
        door = Door(Certificate.make(), secret, options.bind, options.port)
        listener = await door.open()
        try:
            kept = replace(door, port=listener.port).kept()
            book = Book.of(home) if options.player == "human" else None
            wishes = Wishes(player.name, identity, home.matches, secret, kept=kept, book=book, conditions=conditions)
            # Whoever says himself where he can be called has opened the way himself.
            if not options.announce:
                await doorway.open(listener.port, options.bind)
            if options.scheme == "hash":
                say(joining.HASH_WARNING)
            place = None
            if reply is None:
                subject = meeting.terms_hash(terms, options.scheme, conditions)
                text = _invite(options, doorway, listener, secret, identity.public, subject)
                _announce(options, doorway, listener, text)
                if options.lan:
                    await doorway.announce(text, listener.port, options.bind)
                with inviting.keys(text, listening=inviting.can_listen(options)):
                    link, met = await _first_guest(listener, wishes, terms, options.scheme, seating_of(options))
            else:
                place = TheirDoor(reply.pin, reply.candidates)
                wishes = replace(wishes, peer=reply.identity, kept={**kept, **place.kept()})
                link = await call(place, secret)
                met = await meeting.host(link, wishes, terms, options.scheme, seating_of(options), Lot())
            lines = begin(met, replace(door, port=listener.port), listener, place, options.announce or doorway.places)
            lines.greet(link)
            doorway.tell = partial(player.told, "router")
            doorway.moved = partial(tell_where, met, door)
            return lines, met
        except BaseException:
            await listener.close()
            raise

    return running.run(meet, player, home, json=options.json, patience=options.patience, also=doorway.close)


def _invite(
    options: Namespace, doorway: Doorway, listener: Listener, secret: bytes, key: bytes, subject: bytes
) -> str:
    try:
        made = invite.Invite(
            tuple(options.announce or doorway.places), secret, identity_hash(key),
            subject, int(time.time()) + VALID_SECONDS,
            listener.certificate.fingerprint[:PIN_LENGTH],
        )  # fmt: skip
        return invite.dump(made)
    except ValueError as error:
        raise TransportError("no-address", str(error)) from error


def _announce(options: Namespace, doorway: Doorway, listener: Listener, text: str) -> None:
    if options.json:
        ways = [{"way": one.way.value, "address": one.address, "port": one.port} for one in doorway.candidates]
        line({"event": "invite", "invite": text, "candidates": ways})
        for address, port in listener.addresses:
            line({"event": "listening", "address": address, "port": port})
        return
    for text_line in reach.hosting(doorway.candidates, doorway.missing):
        say(text_line)
    inviting.show(text, wanted=options.qr, plain=options.plain, keys=inviting.can_listen(options))


async def _first_guest(
    listener: Listener, wishes: Wishes, terms: Decision, scheme: str, seating: tuple[int, ...]
) -> tuple[Transport, Met]:
    """Take the first guest who proves the secret; a stranger gets silence and the next one a turn."""
    lot = Lot()
    while True:
        link = await listener.accept()
        try:
            met = await meeting.host(link, wishes, terms, scheme, seating, lot)
        except NoMatch as error:
            await link.close()
            # Whoever knew the secret was the guest; whoever did not is nobody.
            if error.event is not None and error.event.code not in ("wrong_secret", "bad_frame", "lot"):
                raise
            if error.event is None and error.proved:
                say(told.GUEST_LEFT)
            elif error.event is not None and error.event.code == "lot":
                say(told.TURNED_AWAY)
            continue
        except TransportError as error:
            await link.close()
            say(failures.sentence(error.code, error.sentence))
            continue
        return link, met
