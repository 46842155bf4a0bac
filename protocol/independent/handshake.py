"""What two players have agreed on before the first move (SPEC.md, "HELLO and SIGN", "Start" and "Conditions").

Conditions are no rules of the game.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from protocol.game import Decision, Seat
from protocol.independent import forms
from protocol.independent.faults import Unreadable
from protocol.independent.frames import PROTOCOL, FrameKind, read_frame
from protocol.independent.hashes import hash_parts
from protocol.independent.logs import Record
from protocol.independent.packing import Packed, is_canonical, pack, unpack
from protocol.independent.signatures import is_key, verify

_CLOCK, _WITNESS, _EVENT, _AIDS, _WATCHED = 2, 4, 6, 8, 10
_NEEDS: Final = {_EVENT: "event", _WATCHED: "watched"}
"""The capability that both programs must have for a condition."""
_LARGEST_TAG: Final = 65535
_LONGEST_UNKNOWN: Final = 512
_LONGEST_TIME: Final = 10 * 365 * 24 * 3600

STOCK, EACH = 1, 2
"""The kinds of a clock: a stock of time for the match, or so much for each decision."""


class ClockTerms(NamedTuple):
    """How long somebody may think, in seconds."""

    kind: int
    base: int
    increment: int
    tolerance: int
    away: int
    absent: int


class WitnessTerms(NamedTuple):
    """Who countersigns the times of messages."""

    key: bytes
    address: str


class EventTerms(NamedTuple):
    """The one place for which a match counts."""

    id: bytes
    round: int
    table: int
    game: int
    document: bytes


class Conditions(NamedTuple):
    """The conditions of a match."""

    clock: ClockTerms | None = None
    witness: WitnessTerms | None = None
    event: EventTerms | None = None
    aids: bool = False
    watched: int | None = None
    """The least delay of what is published, in seconds."""


def read_conditions(value: Packed, capabilities: AbstractSet[str]) -> Conditions:
    """Return the conditions of an offer, given what both programs can do.

    Raises:
        Unreadable: ``bad_conditions`` or another code of the table of damage; ``conditions`` if one of them must be
            known and is not.
    """
    pairs = [forms.array(one, 2, 2) for one in forms.array(value, 0, 16)]
    found = {forms.integer(tag, 1, _LARGEST_TAG): said for tag, said in pairs}
    if list(found) != sorted(found) or len(found) != len(pairs):
        raise Unreadable("bad_conditions")
    for tag, said in found.items():
        if tag not in (_CLOCK, _WITNESS, _EVENT, _AIDS, _WATCHED):
            forms.binary(said, 0, _LONGEST_UNKNOWN)
            if tag % 2 == 0:
                raise Unreadable("conditions")
    if _AIDS in found:
        forms.binary(found[_AIDS], 0, 0)
    if any(tag in found and word not in capabilities for tag, word in _NEEDS.items()):
        raise Unreadable("conditions")
    return Conditions(
        _clock(found[_CLOCK]) if _CLOCK in found else None,
        _witness(found[_WITNESS]) if _WITNESS in found else None,
        _event(found[_EVENT]) if _EVENT in found else None,
        _AIDS in found,
        forms.integer(found[_WATCHED], 0, 86_400) if _WATCHED in found else None,
    )


def _clock(value: Packed) -> ClockTerms:
    terms = ClockTerms(*(forms.integer(one, 0, _LONGEST_TIME) for one in forms.array(value, 6, 6)))
    if terms.kind not in (STOCK, EACH) or (terms.kind == EACH and terms.increment) or not (terms.base and terms.absent):
        raise Unreadable("bad_clock")
    return terms


def _witness(value: Packed) -> WitnessTerms:
    key, address = forms.array(value, 2, 2)
    return WitnessTerms(forms.digest(key), forms.word(address, 100))


def _event(value: Packed) -> EventTerms:
    found, *numbers, document = forms.array(value, 5, 5)
    turn, table, game = (forms.integer(one, 1, 65535) for one in numbers)
    return EventTerms(forms.digest(found), turn, table, game, forms.digest(document))


LENGTH: Final = 4
"""How many records the handshake has."""
_HOST, _GUEST = 0, 1


class Player(NamedTuple):
    """Who sits at a seat."""

    name: str
    identity: bytes
    key: bytes
    """What signs the match."""
    commitment: bytes
    """What fixes the seed."""


class Agreement(NamedTuple):
    """What both have signed."""

    match_id: bytes
    protocol: int
    game: str
    version: str
    terms: Decision
    scheme: str
    conditions: Conditions
    players: tuple[Player, ...]


class _Hello(NamedTuple):
    """One side's first message."""

    data: bytes
    role: int
    versions: Sequence[int]
    schemes: Sequence[str]
    capabilities: frozenset[str]
    player: Player
    game: str
    version: str
    nonce: bytes
    coin: bytes
    blind: bytes | None
    channel: bytes
    offer: Packed


def read_agreement(records: Sequence[Record]) -> Agreement:
    """Return what the first records of a log agree on.

    Raises:
        Unreadable: ``bad_handshake``: they are no handshake that holds.
    """
    try:
        kinds = [FrameKind.HELLO, FrameKind.HELLO, FrameKind.SIGN, FrameKind.SIGN]
        _demand([record.kind for record in records[:LENGTH]] == kinds)
        return _read_agreement([record.frame for record in records[:LENGTH]])
    except Unreadable:
        raise Unreadable("bad_handshake") from None


def read_data(records: Sequence[Record]) -> tuple[bytes, int]:
    """Return the data of the game that follow the handshake, and at which record the messages begin."""
    data = b""
    for number, record in enumerate(records[LENGTH:]):
        try:
            kind, fields = read_frame(record.frame)
        except Unreadable:
            return data, LENGTH + number
        if record.kind != FrameKind.DATA or kind != FrameKind.DATA or fields[0] != number:
            return data, LENGTH + number
        data += fields[1]
    return data, len(records)


def _read_agreement(frames: Sequence[bytes]) -> Agreement:
    read = [read_frame(frame) for frame in frames]
    _demand([kind for kind, _ in read] == [FrameKind.HELLO, FrameKind.HELLO, FrameKind.SIGN, FrameKind.SIGN])
    guest, host = (_read_hello(fields[0]) for _, fields in read[:2])
    coin, blind, pick, *signed_by_guest = read[2][1]
    *nothing, by_identity, by_key = read[3][1]
    _check_both(guest, host)
    _demand(guest.offer is None and guest.blind is not None and host.blind is None and nothing == [None] * 3)
    _demand(coin is not None and hash_parts("coin", coin) == guest.coin)
    _demand(blind is not None and hash_parts("blind", blind) == guest.blind)
    terms, scheme, seating, conditions = forms.array(host.offer, 4, 4)
    scheme = forms.word(scheme, 16)
    _demand(scheme in guest.schemes and scheme in host.schemes)
    found = read_conditions(conditions, guest.capabilities & host.capabilities)
    _demand(found.witness is None or is_key(found.witness.key))
    match_id = hash_parts("match", guest.data, host.data, pack([coin, blind, pick]))
    _check_signed(guest.player, "sign-guest", match_id, *signed_by_guest)
    _check_signed(host.player, "sign-host", match_id, by_identity, by_key)
    seat = _seat_of_host(forms.array(seating, 1, 2), pick, coin, host.coin)
    players = (host.player, guest.player) if seat == 0 else (guest.player, host.player)
    return Agreement(match_id, PROTOCOL, host.game, host.version, forms.said(terms), scheme, found, players)


def _demand(holds: bool) -> None:
    if not holds:
        raise Unreadable("bad_handshake")


def _read_hello(data: bytes) -> _Hello:
    value = unpack(data)
    role, versions, schemes, capabilities, identity, key, name, *rest = forms.array(value, 15, 15)
    game, version, nonce, coin, blind, commitment, channel, offer = rest
    player = Player(forms.text(name, 32), forms.digest(identity), forms.digest(key), forms.digest(commitment))
    hello = _Hello(
        data,
        forms.integer(role, _HOST, _GUEST),
        [forms.integer(one, 1, 65535) for one in forms.array(versions, 1, 16)],
        [forms.word(one, 16) for one in forms.array(schemes, 1, 16)],
        frozenset(forms.word(one, 32) for one in forms.array(capabilities, 0, 32)),
        player,
        forms.word(game, 64),
        forms.word(version, 100),
        forms.digest(nonce),
        forms.digest(coin),
        forms.optional(forms.digest, blind),
        forms.binary(channel, 0, 64),
        offer,
    )
    _demand(is_canonical(data, value))
    return hello


def _check_both(guest: _Hello, host: _Hello) -> None:
    _demand(guest.role == _GUEST and host.role == _HOST)
    _demand(all(is_key(key) for one in (guest, host) for key in (one.player.identity, one.player.key)))
    _demand(max(set(guest.versions) & set(host.versions), default=None) == PROTOCOL)
    _demand((guest.game, guest.version, guest.channel) == (host.game, host.version, host.channel))
    _demand(guest.player.key != host.player.key and guest.nonce != host.nonce)


def _check_signed(player: Player, label: str, match_id: bytes, by_identity: bytes, by_key: bytes) -> None:
    digest = hash_parts(label, match_id)
    _demand(verify(player.identity, digest, by_identity) and verify(player.key, digest, by_key))


def _seat_of_host(seating: list[Any], pick: Seat | None, guests: bytes, hosts: bytes) -> Seat:
    match [forms.integer(one) for one in seating]:
        case [0] if pick is None:
            return hash_parts("lot", guests, hosts)[0] & 1
        case [1, (0 | 1) as seat] if pick is None:
            return seat
        case [2] if pick in (0, 1):
            return 1 - pick
    raise Unreadable("bad_seating")
