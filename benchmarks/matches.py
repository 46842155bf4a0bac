"""Matches between computer players over memory, for the other benchmarks."""

from __future__ import annotations

import random

from protocol.core.agreement import Role, host_takes
from protocol.core.handshake import Config, Handshake
from protocol.core.session import Session
from protocol.crypto.keys import PrivateKey
from protocol.game import Hide
from storm_p2p import games
from storm_p2p.storm import game
from storm_p2p.storm.board import FACTIONS
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.rules import dealing
from storm_p2p.storm.state import Terms


def meet(
    terms: Terms, rng: random.Random, scheme: str = "hash", identities: tuple[PrivateKey, PrivateKey] | None = None
) -> tuple[Session, Session]:
    """Return two sessions after their handshake, the same for the same ``rng``; the host has seat 0."""
    storm, secret = games.find_newest(), rng.randbytes(16)

    def new() -> bytes:
        return rng.randbytes(32)

    hosting, joining = identities or (PrivateKey(new()), PrivateKey(new()))
    host = Handshake(
        Config(
            Role.HOST,
            storm,
            hosting,
            "host",
            new(),
            secret,
            terms=encode_terms(terms),
            scheme=scheme,
            seating=host_takes(0),
        )
    )
    guest = Handshake(Config(Role.GUEST, storm, joining, "guest", new(), secret, accept_any=True, blind=new()))
    carry(guest, host)
    guest.accept()
    carry(guest, host)
    return Session.begin(host, aux_rand=new()), Session.begin(guest, aux_rand=new())


def carry(one: Handshake | Session, other: Handshake | Session) -> list[bytes]:
    """Carry frames until nobody has any; return them."""
    frames: list[bytes] = []
    moved = True
    while moved:
        moved = False
        for sender, receiver in ((one, other), (other, one)):
            for frame in sender.data_to_send():
                receiver.receive_data(frame, 0.0)
                frames.append(frame)
                moved = True
    return frames


def decide(session: Session, bot: str, rng: random.Random) -> None:
    """Let a bot answer what its session is asked."""
    request = session.asks_us
    assert request is not None
    found = dealing.answer_automatically(session.state, request, session.known, rng.shuffle)
    faction = FACTIONS[session.seat]
    if found is not None:
        session.act(*found)
    elif isinstance(request, Hide):
        terms = game.decode_terms(session.agreement.terms)
        session.act(None, tuple(int(unit) for unit in BOTS[bot].place(faction, terms, rng)))
    else:
        action = BOTS[bot].decide(game.owner_view(session.state, session.known), faction, rng)
        session.act(*game.wire_form(session.state, action, session.known))


def play(
    bot: str, rng: random.Random, terms: Terms | None = None, scheme: str = "hash"
) -> tuple[tuple[Session, Session], list[bytes]]:
    """Play a whole match and return the sessions and every frame that went over."""
    pair = meet(terms or Terms(), rng, scheme)
    frames = carry(*pair)
    while not pair[0].over:
        asked = pair[0] if pair[0].asks_us is not None else pair[1]
        decide(asked, bot, rng)
        frames += carry(*pair)
    return pair, frames
