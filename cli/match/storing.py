"""Storing what is new in a running match, before anything of it is sent or told."""

from __future__ import annotations

from protocol.frames import Kind, unpack_frame
from protocol.journal import Entry, Journal
from protocol.messages import AuditVerdict, Envelope, Side
from protocol.session import Session


def store(session: Session, journal: Journal) -> None:
    """Write the new records of a session into its journal.

    Raises:
        JournalError: it can no longer be stored.
    """
    records = session.records_to_store()
    if records:
        journal.append([Entry(_is_ours(record.frame, session.seat), record) for record in records])


def _is_ours(frame: bytes, seat: int) -> bool:
    """Return whether a frame of a running match is by ``seat``."""
    kind, values = unpack_frame(frame)
    if kind is Kind.ENVELOPE:
        return Envelope.unpack(values[0]).seat == seat
    if kind is Kind.SIDE:
        return Side.unpack(values[0]).seat == seat
    if kind is Kind.VERDICT:
        return AuditVerdict.unpack(values[0]).seat == seat
    return bool(values) and values[0] == seat
