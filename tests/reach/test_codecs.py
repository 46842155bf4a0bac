"""PCP and NAT-PMP in bytes: the layouts of RFC 6887 and RFC 6886, and answers that are none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.reach import ReachError
from protocol.reach.formats import natpmp, pcp

NONCE = bytes.fromhex("0102030405060708090a0b0c")
WANTED = pcp.Wanted("192.168.1.20", NONCE, 47_331, 47_332, 1_200)

# Field by field as in figures 2, 3, 9 and 10 of RFC 6887.
PCP_REQUEST = bytes.fromhex(
    "02 01 0000 000004b0 00000000000000000000ffffc0a80114"
    "0102030405060708090a0b0c 06 000000 b8e3 b8e4 00000000000000000000ffff00000000"
)
PCP_ANSWER = bytes.fromhex(
    "02 81 00 00 000004b0 00000e10 000000000000000000000000"
    "0102030405060708090a0b0c 06 000000 b8e3 c001 00000000000000000000ffff05060708"
)


def code(call: object, *arguments: object) -> str:
    with pytest.raises(ReachError) as caught:
        call(*arguments)  # type: ignore[operator]
    return caught.value.code


def changed(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


# -- PCP --------------------------------------------------------------------------------------------------


def test_a_pcp_request_has_the_sixty_bytes_of_the_standard() -> None:
    assert pcp.request(WANTED) == PCP_REQUEST


def test_a_pcp_request_for_ipv6_suggests_an_address_of_its_family_and_leaves_the_interface_out() -> None:
    data = pcp.request(replace(WANTED, client="2a00:77:1::2%eth0"))
    assert data[8:24] == bytes.fromhex("2a000077000100000000000000000002")
    assert data[44:60] == bytes(16)


def test_a_pcp_answer_tells_address_port_lease_and_epoch() -> None:
    assert pcp.read(PCP_ANSWER, WANTED) == pcp.PcpGrant("5.6.7.8", 0xC001, 1_200, 3_600)


def test_a_pcp_answer_may_hold_an_ipv6_address() -> None:
    data = changed(PCP_ANSWER, 44, bytes.fromhex("2a000077000100000000000000000002"))
    granted = pcp.read(data, WANTED)
    assert granted is not None
    assert granted.address == "2a00:77:1::2"


@pytest.mark.parametrize(
    ("at", "new"),
    [
        (1, b"\x01"),  # a request that comes back
        (1, b"\x82"),  # an answer to PEER
        (24, bytes(12)),  # somebody else's nonce
        (36, b"\x11"),  # UDP
        (40, b"\x00\x50"),  # another port of this machine
    ],
)
def test_a_pcp_packet_that_does_not_belong_to_the_request_is_no_answer(at: int, new: bytes) -> None:
    assert pcp.read(changed(PCP_ANSWER, at, new), WANTED) is None


@pytest.mark.parametrize("data", [b"", b"\x02\x81", PCP_ANSWER[:59], PCP_ANSWER[:56], PCP_ANSWER + bytes(1_100)])
def test_a_pcp_packet_of_another_length_is_no_answer(data: bytes) -> None:
    assert pcp.read(data, WANTED) is None


def test_options_after_a_pcp_answer_are_passed_over() -> None:
    assert pcp.read(PCP_ANSWER + bytes(4), WANTED) is not None


@pytest.mark.parametrize("result", range(1, 20))
def test_a_pcp_refusal_is_told_with_its_number(result: int) -> None:
    refusal = changed(PCP_ANSWER, 3, bytes((result,)))
    assert code(pcp.read, refusal, WANTED) == ("version" if result == 1 else "refused")


def test_a_router_with_nat_pmp_alone_is_recognised_by_its_version() -> None:
    assert code(pcp.read, bytes.fromhex("0081000100000e10"), WANTED) == "version"


@pytest.mark.parametrize("at", [4, 42])
def test_a_pcp_mapping_without_lease_or_port_is_none(at: int) -> None:
    assert code(pcp.read, changed(PCP_ANSWER, at, bytes(4 if at == 4 else 2)), WANTED) == "refused"


def test_a_removal_is_answered_with_a_lifetime_of_zero() -> None:
    assert pcp.read(changed(PCP_ANSWER, 4, bytes(4)), replace(WANTED, lifetime=0)) is not None


@pytest.mark.parametrize(
    ("before", "now", "elapsed", "lost"),
    [
        (1_000, 1_600, 600.0, False),
        (1_000, 1_570, 600.0, False),  # a clock that is slow by a twentieth
        (1_000, 999, 0.5, False),  # one second back is a matter of rounding
        (1_000, 998, 600.0, True),
        (1_000, 30, 600.0, True),
        (1_000, 1_100, 600.0, True),
        (1_000, 9_000, 600.0, True),
    ],
)
def test_a_pcp_epoch_shows_a_router_that_was_started_again(before: int, now: int, elapsed: float, lost: bool) -> None:
    assert pcp.has_restarted(before, now, elapsed) is lost


@given(st.binary(max_size=1_200) | st.binary(max_size=80).map(lambda tail: PCP_ANSWER[:1] + b"\x81" + tail))
def test_whatever_comes_pcp_accepts_it_or_passes_it_over_or_names_it(data: bytes) -> None:
    try:
        granted = pcp.read(data, WANTED)
    except ReachError as error:
        assert error.code in ("version", "refused")  # noqa: PT017
    else:
        assert granted is None or data[24:36] == NONCE


@given(st.integers(0, 59), st.integers(1, 255))
def test_a_byte_that_is_turned_never_gives_another_port_of_this_machine(at: int, by: int) -> None:
    data = changed(PCP_ANSWER, at, bytes((PCP_ANSWER[at] ^ by,)))
    try:
        granted = pcp.read(data, WANTED)
    except ReachError:
        return
    # Version, opcode, nonce, protocol and internal port must be what was asked for.
    assert granted is None or at not in {0, 1, 3, *range(24, 37), 40, 41}


# -- NAT-PMP ----------------------------------------------------------------------------------------------


def test_nat_pmp_asks_in_the_bytes_of_the_standard() -> None:
    assert bytes.fromhex("0000") == natpmp.ADDRESS_REQUEST
    assert natpmp.map_request(47_331, 47_332, 1_200) == bytes.fromhex("00 02 0000 b8e3 b8e4 000004b0")
    assert natpmp.map_request(47_331, 47_332, 0) == bytes.fromhex("00 02 0000 b8e3 0000 00000000")


def test_nat_pmp_tells_the_address_outside() -> None:
    data = bytes.fromhex("00 80 0000 00000e10 05060708")
    assert natpmp.read_address(data) == natpmp.Outside("5.6.7.8", 3_600)


def test_nat_pmp_tells_the_mapping() -> None:
    data = bytes.fromhex("00 82 0000 00000e10 b8e3 c001 000004b0")
    assert natpmp.read_map(data, 47_331, 1_200) == natpmp.NatPmpGrant(0xC001, 1_200)


@pytest.mark.parametrize("data", ["", "0080", "0080000000000e1005060708ff", "0280000000000e1005060708", "0000"])
def test_what_is_no_answer_about_the_address_is_passed_over(data: str) -> None:
    assert natpmp.read_address(bytes.fromhex(data)) is None


@pytest.mark.parametrize("data", ["0082000000000e10b8e4c001000004b0", "0081000000000e10b8e3c001000004b0", "0082"])
def test_what_is_no_answer_about_this_port_is_passed_over(data: str) -> None:
    assert natpmp.read_map(bytes.fromhex(data), 47_331, 1_200) is None


@pytest.mark.parametrize(("data", "expected"), [("0080000100000001", "version"), ("0080000300000001", "refused")])
def test_a_nat_pmp_refusal_is_named_although_it_is_short(data: str, expected: str) -> None:
    assert code(natpmp.read_address, bytes.fromhex(data)) == expected


@pytest.mark.parametrize("data", ["0082000000000e10b8e30000000004b0", "0082000000000e10b8e3c00100000000"])
def test_a_nat_pmp_mapping_without_lease_or_port_is_none(data: str) -> None:
    assert code(natpmp.read_map, bytes.fromhex(data), 47_331, 1_200) == "refused"


@given(st.binary(max_size=24))
def test_whatever_comes_nat_pmp_accepts_it_or_passes_it_over_or_names_it(data: bytes) -> None:
    for read in (natpmp.read_address, lambda one: natpmp.read_map(one, 47_331, 1_200)):
        try:
            read(data)
        except ReachError as error:
            assert error.code in ("version", "refused")  # noqa: PT017


@pytest.mark.parametrize(("now", "lost"), [(1_600, False), (1_525, False), (1_520, True), (3, True), (9_999, False)])
def test_a_nat_pmp_epoch_shows_a_router_that_was_started_again(now: int, lost: bool) -> None:
    assert natpmp.has_restarted(1_000, now, 600.0) is lost
