"""Probes in bytes: written, read, changed, and thrown back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from protocol.reach.formats import probe
from protocol.reach.formats.stun import Place

SECRET = bytes(range(16))
HOST, GUEST = probe.key(SECRET, 0), probe.key(SECRET, 1)
PLACES = st.tuples(st.ip_addresses().map(str), st.integers(1, 65_535))


@given(st.binary(min_size=8, max_size=8), st.none() | PLACES)
def test_a_probe_is_read_as_it_was_written_and_by_the_other_role_alone(nonce: bytes, seen: Place | None) -> None:
    written = probe.Probe(nonce, seen)
    data = probe.write(HOST, written)
    assert probe.read(HOST, data) == written
    assert probe.read(GUEST, data) is None
    assert probe.read(probe.key(bytes(16), 0), data) is None


def test_a_ping_has_twenty_six_bytes_and_a_pong_the_place_more() -> None:
    sizes = [len(probe.write(HOST, probe.Probe(bytes(8), seen))) for seen in (None, ("5.6.7.8", 9), ("2a00::1", 9))]
    assert sizes == [26, 32, 44]


@given(st.data())
def test_a_changed_probe_is_none(data: st.DataObject) -> None:
    written = probe.write(HOST, probe.Probe(bytes(8), data.draw(st.none() | PLACES)))
    at = data.draw(st.integers(0, len(written) - 1))
    other = data.draw(st.integers(1, 255))
    assert probe.read(HOST, written[:at] + bytes((written[at] ^ other,)) + written[at + 1 :]) is None
    assert probe.read(HOST, written[:at]) is None
    assert probe.read(HOST, written + bytes(at + 1)) is None


@given(st.binary(max_size=60))
def test_any_bytes_are_no_probe(data: bytes) -> None:
    assert probe.read(HOST, b"\x8d" + data) is None
