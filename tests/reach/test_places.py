"""Addresses, the system's tables, and the candidates that follow from them."""

from __future__ import annotations

import asyncio
import socket
import struct
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.reach import ReachError, hops, surroundings
from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.candidates import Candidate, Facts, Way, pick_reason, rank_candidates
from protocol.reach.formats.outcome import Attempt, Mapped


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("5.6.7.8", AddressKind.PUBLIC),
        ("::ffff:5.6.7.8", AddressKind.PUBLIC),
        ("2a00:77:1::2", AddressKind.PUBLIC),
        ("100.64.0.0", AddressKind.SHARED),
        ("100.127.255.255", AddressKind.SHARED),
        ("100.63.255.255", AddressKind.PUBLIC),
        ("100.128.0.0", AddressKind.PUBLIC),
        ("10.0.0.1", AddressKind.PRIVATE),
        ("172.31.0.1", AddressKind.PRIVATE),
        ("172.32.0.1", AddressKind.PUBLIC),
        ("192.168.1.1", AddressKind.PRIVATE),
        ("::ffff:192.168.1.1", AddressKind.PRIVATE),
        ("fd00::1", AddressKind.PRIVATE),
        ("169.254.0.1", AddressKind.LINK),
        ("fe80::1%eth0", AddressKind.LINK),
        ("127.0.0.1", AddressKind.LOOPBACK),
        ("::1", AddressKind.LOOPBACK),
        ("0.0.0.0", AddressKind.EMPTY),
        ("::", AddressKind.EMPTY),
        ("::ffff:0.0.0.0", AddressKind.EMPTY),
        ("", AddressKind.EMPTY),
        ("example.org", AddressKind.EMPTY),
        ("5.6.7.8.9", AddressKind.EMPTY),
        ("192.0.0.2", AddressKind.RESERVED),  # DS-Lite: the provider translates
        ("203.0.113.9", AddressKind.RESERVED),
        ("224.0.0.1", AddressKind.RESERVED),
        ("240.0.0.1", AddressKind.RESERVED),
        ("255.255.255.255", AddressKind.RESERVED),
        ("2001:db8::1", AddressKind.RESERVED),
        ("2002:506:708::1", AddressKind.RESERVED),  # 6to4
        ("2001:0:506:708::1", AddressKind.RESERVED),  # Teredo
        ("64:ff9b::506:708", AddressKind.RESERVED),
        ("ff02::1", AddressKind.RESERVED),
    ],
)
def test_every_address_is_good_for_one_thing(address: str, expected: AddressKind) -> None:
    assert classify(address) is expected


@given(st.text(max_size=20) | st.ip_addresses().map(str))
def test_no_text_makes_the_look_at_an_address_fail(text: str) -> None:
    assert classify(text) in AddressKind


# -- the system's tables ----------------------------------------------------------------------------------

LINUX4 = """Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
wlan0	00000000	FE01A8C0	0003	0	0	600	00000000	0	0	0
eth0	00000000	0101A8C0	0003	0	0	100	00000000	0	0	0
tun0	00000000	0101A8C0	0001	0	0	1	00000000	0	0	0
eth0	0001A8C0	00000000	0001	0	0	100	00FFFFFF	0	0	0
broken line
"""
LINUX6 = """\
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe8000000000000000000000000000ff 00000800 00000001 00000000 00000003     wlan0
fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 00000001 00000001 00000000 00200200       lo
"""  # noqa: E501
MACOS = """   route to: default
destination: default
       mask: default
    gateway: 192.168.1.1
  interface: en0
      flags: <UP,GATEWAY,DONE,STATIC,PRCLONING,GLOBAL>
"""
WINDOWS4 = """
Aktive Routen:
     Netzwerkziel    Netzwerkmaske          Gateway    Schnittstelle Metrik
          0.0.0.0          0.0.0.0      192.168.1.1     192.168.1.20     35
          0.0.0.0          0.0.0.0      192.168.2.1     192.168.2.20     25
        127.0.0.0        255.0.0.0   Auf Verbindung         127.0.0.1    331
"""
WINDOWS6 = """
 If Metric Network Destination      Gateway
 12    281 ::/0                     fe80::1
  1    331 ::1/128                  On-link
"""


def test_the_router_is_found_in_the_tables_of_every_system() -> None:
    # The kernel prints in its own order; this table is one of a little-endian machine.
    if sys.byteorder == "little":
        assert surroundings.read_linux_router4(LINUX4) == "192.168.1.1"
    assert surroundings.read_linux_router6(LINUX6) == "fe80::1%eth0"
    assert surroundings.read_bsd_router(MACOS) == "192.168.1.1"
    assert surroundings.read_bsd_router(MACOS.replace("192.168.1.1", "fe80::1%en0")) == "fe80::1%en0"
    assert surroundings.read_windows_router(WINDOWS4, 4) == "192.168.2.1"
    assert surroundings.read_windows_router(WINDOWS6, 6) == "fe80::1%12"


@given(st.text(max_size=200) | st.text(alphabet="0 :/\n\tfe8", max_size=200))
def test_no_text_makes_the_look_at_a_table_fail(text: str) -> None:
    found = [surroundings.read_linux_router4(text), surroundings.read_linux_router6(text)]
    found += [surroundings.read_bsd_router(text)]
    found += [surroundings.read_windows_router(text, 4), surroundings.read_windows_router(text, 6)]
    assert all(one is None or classify(one) in AddressKind for one in found)


def test_own_addresses_are_such_that_the_system_lets_a_socket_have_them() -> None:
    for address in asyncio.run(surroundings.find_own_addresses()):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
        assert classify(address) not in (AddressKind.EMPTY, AddressKind.LINK, AddressKind.LOOPBACK)


# -- candidates -------------------------------------------------------------------------------------------

LAN, SIX, OWN = "192.168.1.20", "2a00:77:1::2", "5.6.7.9"
MAPPED = Attempt("PCP", Mapped("5.6.7.8", 50_000, 1_200))
HOLE = Attempt("PCP6", Mapped(SIX, 47_331, 1_200))


def problem(code: str) -> Attempt:
    return Attempt("PCP", problem=ReachError(code, code))


def test_candidates_come_in_the_order_of_their_promise() -> None:
    own = (LAN, "100.100.1.2", SIX, "fd7a:115c:a1e0::1")
    found, missing = rank_candidates(Facts(47_331, own, (problem("silent"), MAPPED), HOLE, "x.onion"))
    assert [(one.way, one.address) for one in found] == [
        (Way.MAPPED, "5.6.7.8"),
        (Way.PINHOLE, SIX),
        (Way.LAN, LAN),
        (Way.OVERLAY, "100.100.1.2"),
        (Way.OVERLAY, "fd7a:115c:a1e0::1"),
        (Way.ONION, "x.onion"),
    ]
    assert [one.port for one in found] == [50_000, *[47_331] * 5]
    assert missing == ()


def test_an_address_that_is_public_by_itself_needs_no_router() -> None:
    found, missing = rank_candidates(Facts(1, (OWN, SIX), (problem("silent"),)))
    assert [one.way for one in found] == [Way.IPV4, Way.IPV6]
    assert [one.way for one in missing] == [Way.LAN]


def test_a_pinhole_counts_only_for_the_address_that_it_names() -> None:
    other = Attempt("PCP6", Mapped("2a00:77:1::99", 1, 1_200))
    assert rank_candidates(Facts(1, (SIX,), pinhole=other))[0] == (Candidate(Way.IPV6, SIX, 1),)


def test_nothing_at_all_has_a_reason_for_each_way() -> None:
    found, missing = rank_candidates(Facts(1, (), (), problem("no-router"), ReachError("no-tor", "x")))
    assert found == ()
    assert [(one.way, one.problem.code) for one in missing] == [
        (Way.MAPPED, "no-router"),
        (Way.IPV6, "no-ipv6"),
        (Way.LAN, "no-network"),
        (Way.ONION, "no-tor"),
    ]


def test_an_ipv6_address_behind_a_firewall_that_does_not_answer_is_told() -> None:
    _, missing = rank_candidates(Facts(1, (SIX, LAN), (MAPPED,), problem("silent")))
    assert [(one.way, one.problem.code) for one in missing] == [(Way.PINHOLE, "silent")]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (["refused", "refused", "empty"], "empty"),
        (["silent", "shared", "empty"], "shared"),
        (["closed", "closed", "silent"], "silent"),
        (["closed", "closed", "no-service"], "closed"),
        ([], "no-router"),
    ],
)
def test_the_reason_that_explains_best_is_the_one_that_is_told(codes: list[str], expected: str) -> None:
    assert pick_reason(tuple(map(problem, codes))).code == expected


def test_a_router_that_was_not_asked_is_said_to_be_so() -> None:
    assert pick_reason(None).code == "not-asked"


@pytest.mark.parametrize("codes", [["refused", "empty"], ["silent"] * 3, ["closed", "closed", "silent"], ["closed"]])
def test_a_router_that_tells_no_address_before_a_shared_network_is_explained_by_it(codes: list[str]) -> None:
    attempts = tuple(map(problem, codes))
    assert pick_reason(attempts, "100.72.0.1").code == "shared"
    assert pick_reason(attempts, "5.6.7.1").code == pick_reason(attempts).code != "shared"


@pytest.mark.parametrize("code", ["silent", "closed", "refused", "empty"])
def test_a_second_router_in_the_house_explains_a_silent_one_and_the_providers_network_does_not(code: str) -> None:
    assert pick_reason((problem(code),), "192.168.1.1").code == "private"
    for beyond in ("10.3.0.1", "172.16.13.9"):
        assert pick_reason((problem(code),), beyond).code == code


def test_a_router_that_names_its_own_address_is_not_explained_by_what_is_behind_it() -> None:
    assert pick_reason((problem("refused"), problem("private")), "100.72.0.1").code == "private"


# -- what stands behind the router ------------------------------------------------------------------------

TOLD = struct.pack("=IBBBxII", 113, 2, 11, 0, 0, 0) + struct.pack("=HH4s", socket.AF_INET, 0, bytes((100, 72, 0, 1)))


def test_the_one_who_ended_a_packet_is_read_from_what_the_system_tells() -> None:
    assert hops.read_offender(TOLD) == "100.72.0.1"


@pytest.mark.parametrize("data", [b"", TOLD[:-5], TOLD[:4] + b"\x01" + TOLD[5:], TOLD[:5] + b"\x03" + TOLD[6:]])
def test_other_errors_tell_nobody(data: bytes) -> None:
    assert hops.read_offender(data) is None


def test_where_the_system_does_not_tell_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hops, "_PLATFORM", "darwin")
    assert asyncio.run(hops.trace_hop("192.168.1.20")) is None


def test_a_port_is_free_when_nobody_listens_on_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as waiting:
        assert not surroundings.is_free(waiting.getsockname()[1])
    # The system gives any port for this one, and has none with such a number.
    assert surroundings.is_free(0)
    assert not surroundings.is_free(70_000)


# -- the tools of other systems ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "version", "printed", "tool", "expected"),
    [
        ("darwin", 4, MACOS, "/sbin/route -n get -inet default", "192.168.1.1"),
        ("darwin", 6, "", "/sbin/route -n get -inet6 default", None),
        ("win32", 4, WINDOWS4, "ROUTE.EXE print -4", "192.168.2.1"),
        ("win32", 6, WINDOWS6, "ROUTE.EXE print -6", "fe80::1%12"),
    ],
)
def test_the_router_is_asked_for_with_the_tool_of_the_system(
    monkeypatch: pytest.MonkeyPatch, platform: str, version: int, printed: str, tool: str, expected: str | None
) -> None:
    asked: list[str] = []

    async def said(*command: str) -> str:
        asked.append(" ".join(command))
        return printed

    monkeypatch.setattr(surroundings, "_PLATFORM", platform)
    monkeypatch.setattr(surroundings, "_run_tool", said)
    assert asyncio.run(surroundings.find_router(version)) == expected
    assert asked[0].endswith(tool)


def test_a_tool_that_is_not_there_or_does_not_end_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surroundings, "_TOOL_SECONDS", 0.1)
    assert asyncio.run(surroundings._run_tool("/nowhere/route")) == ""
    assert asyncio.run(surroundings._run_tool(sys.executable, "-c", "import time; time.sleep(60)")) == ""
    monkeypatch.setattr(surroundings, "_TOOL_SECONDS", 60.0)
    assert asyncio.run(surroundings._run_tool(sys.executable, "-c", "print('x')")).strip() == "x"
