"""A player's home with matches in it."""

from __future__ import annotations

from helpers_storm import StormPair

from cli.match.player import Ending
from cli.match.stored import conclude
from cli.storage.home import Home
from protocol.core.agreement import Role
from protocol.core.frames import Entry
from protocol.core.session import Session
from protocol.crypto.keys import PrivateKey
from protocol.record import keyfile
from protocol.record.journal import Journal

NUMBER = bytes.fromhex("fa9aaaac") + bytes(28)


def begin(home: Home, number: bytes = NUMBER, opponent: str = "bob") -> Journal:
    """Return the open journal of a new match."""
    book = Journal.create(
        home.matches,
        started_at=1_790_000_000,
        role=Role.GUEST,
        name="alice",
        entropy=bytes(32),
        identity=PrivateKey(bytes(32)),
    )
    book.meet(number, opponent)
    return book


def begun(home: Home, pair: StormPair, seat: int = 0, passphrase: bytes | None = None) -> Journal:
    """Return the open journal of a seat of a match."""
    config = pair.configs[seat]
    home.prepare()
    keyfile.save(home.key_file, config.identity, passphrase)
    book = Journal.create(
        home.matches, started_at=0, role=Role.HOST, name="Hanna", entropy=config.entropy, identity=config.identity
    )
    book.append([Entry(False, record) for record in pair.sessions[seat].records])
    book.meet(pair.host.agreement.match_id, "Gustav")
    return book


def ended(home: Home, session: Session, book: Journal) -> Ending:
    return conclude(session, book, home.logs, lambda notice: None, adjourned=False)
