"""UPnP in bytes: searches, pages, XML and descriptions, as routers and as strangers send them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.reach import ReachError
from protocol.reach.formats import igd, ssdp, webpage, xmltree
from protocol.reach.formats.ssdp import Location

HERE = Location("192.168.1.1", 5_000, "/rootDesc.xml")
IP2, IP1 = (f"urn:schemas-upnp-org:service:WANIPConnection:{number}" for number in (2, 1))


def answer_from(location: str, status: str = "HTTP/1.1 200 OK") -> bytes:
    return f"{status}\r\nCACHE-CONTROL: max-age=120\r\nLOCATION: {location}\r\nST: x\r\n\r\n".encode("latin-1")


def description(*services: tuple[str, str], base: str = "") -> bytes:
    listed = "".join(
        f"<service><serviceType>{kind}</serviceType><controlURL>{url}</controlURL></service>" for kind, url in services
    )
    return (
        '<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0">'
        f"{f'<URLBase>{base}</URLBase>' if base else ''}<device><deviceList><device><serviceList>{listed}"
        "</serviceList></device></deviceList></device></root>"
    ).encode()


def code(error: pytest.ExceptionInfo[ReachError]) -> str:
    return error.value.code


# -- the search -------------------------------------------------------------------------------------------


def test_a_search_is_one_of_the_architecture() -> None:
    first, *rest = ssdp.request(ssdp.TARGETS[0]).split(b"\r\n")
    assert first == b"M-SEARCH * HTTP/1.1"
    assert set(rest) == {
        b"HOST: 239.255.255.250:1900",
        b'MAN: "ssdp:discover"',
        b"MX: 1",
        b"ST: urn:schemas-upnp-org:device:InternetGatewayDevice:1",
        b"",
    }


def test_an_answer_says_where_its_sender_describes_himself() -> None:
    assert ssdp.read(answer_from("http://192.168.1.1:5000/rootDesc.xml"), "192.168.1.1") == HERE


@pytest.mark.parametrize(
    "location",
    [
        "http://192.168.1.66:5000/rootDesc.xml",  # another machine
        "http://router.example/rootDesc.xml",  # a name, which would have to be looked up
        "https://192.168.1.1/rootDesc.xml",
        "ftp://192.168.1.1/rootDesc.xml",
        "http://user@192.168.1.1/rootDesc.xml",
        "http://192.168.1.1:0/",
        "http://192.168.1.1:99999/",
        "http://192.168.1.1:5000/a b",
        "http://[::1]/",
        "http://3232235777/",
        "",
        "http://192.168.1.1/" + "a" * 600,
    ],
)
def test_an_answer_that_points_elsewhere_or_nowhere_is_not_used(location: str) -> None:
    assert ssdp.read(answer_from(location), "192.168.1.1") is None


def test_an_answer_of_the_internet_is_not_used() -> None:
    assert ssdp.read(answer_from("http://5.6.7.8:5000/"), "5.6.7.8") is None


@pytest.mark.parametrize("status", ["NOTIFY * HTTP/1.1", "HTTP/1.1 404 Not Found", "HTTP/2 200 OK", ""])
def test_an_answer_that_is_none_is_not_used(status: str) -> None:
    assert ssdp.read(answer_from("http://192.168.1.1:5000/", status), "192.168.1.1") is None


def test_an_answer_with_two_places_is_not_used() -> None:
    twice = answer_from("http://192.168.1.1:5000/").replace(b"ST: x", b"Location: http://192.168.1.1:5001/")
    assert ssdp.read(twice, "192.168.1.1") is None


@given(st.binary(max_size=300) | st.binary(max_size=80).map(lambda tail: answer_from("http://192.168.1.1/") + tail))
def test_no_bytes_make_the_search_fail(data: bytes) -> None:
    location = ssdp.read(data, "192.168.1.1")
    assert location is None or location.host == "192.168.1.1"


# -- pages ------------------------------------------------------------------------------------------------


def test_a_page_is_asked_for_in_one_request_without_anything_about_this_machine() -> None:
    assert webpage.request(HERE) == (
        b"GET /rootDesc.xml HTTP/1.1\r\nHost: 192.168.1.1:5000\r\nConnection: close\r\n"
        b"User-Agent: storm-p2p UPnP/1.1\r\n\r\n"
    )
    assert webpage.request(HERE, b"<x/>", "s#A").endswith(b'SOAPAction: "s#A"\r\n\r\n<x/>')


COUNTED = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n"
ENDED = b"HTTP/1.0 200 OK\r\n\r\nhello"


@pytest.mark.parametrize("data", [COUNTED, COUNTED.replace(b": 5", b":  5 \t"), CHUNKED, ENDED])
def test_a_page_is_whole_however_its_end_is_told(data: bytes) -> None:
    assert webpage.read(data, ended=True) == webpage.Response(200, b"hello")
    cuts = [webpage.read(data[:at], ended=False) for at in range(len(data) - 5)]
    assert set(cuts) == {None}


def test_very_many_very_small_chunks_are_read_in_one_go() -> None:
    # Cutting each off the front made this take longer than a router has for its answer.
    head, tail = CHUNKED.split(b"\r\n\r\n", 1)[0] + b"\r\n\r\n", b"0\r\n\r\n"
    many = 20_000
    assert webpage.read(head + b"1\r\nx\r\n" * many + tail, ended=False) == webpage.Response(200, b"x" * many)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello",
        COUNTED[:-1],
    ],
)
def test_what_is_no_page_is_named(data: bytes) -> None:
    with pytest.raises(ReachError) as error:
        webpage.read(data, ended=True)
    assert code(error) == "malformed"


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n" + bytes(200_000),
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 9_000 + b"\r\n\r\n",
        b"a" * 9_000,
    ],
)
def test_a_giant_page_is_refused_before_it_is_whole(data: bytes) -> None:
    with pytest.raises(ReachError) as error:
        webpage.read(data, ended=False)
    assert code(error) == "oversized"


@given(st.binary(max_size=120).map(lambda tail: b"HTTP/1.1 200 OK\r\n" + tail) | st.binary(max_size=60), st.booleans())
def test_no_bytes_make_the_reader_of_pages_fail(data: bytes, ended: bool) -> None:
    try:
        webpage.read(data, ended=ended)
    except ReachError as error:
        assert error.code in ("malformed", "oversized")  # noqa: PT017


# -- XML --------------------------------------------------------------------------------------------------

BOMB = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'
FILE = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
OUTSIDE = b'<?xml version="1.0"?><!DOCTYPE a SYSTEM "http://192.168.1.66/a.dtd"><a/>'


@pytest.mark.parametrize(
    "data",
    [BOMB, FILE, OUTSIDE, b"", b"<a>", b"<a></b>", b"<a>&b;</a>", b"\xff", b'<?xml version="1.0" encoding="x"?><a/>'],
)
def test_xml_with_declarations_or_faults_is_refused(data: bytes) -> None:
    with pytest.raises(ReachError) as error:
        xmltree.parse(data)
    assert code(error) == "malformed"


@pytest.mark.parametrize("data", [b"<a>" * 40 + b"</a>" * 40, b"<a>" + b"<b/>" * 5_000 + b"</a>", b" " * 70_000])
def test_giant_xml_is_refused(data: bytes) -> None:
    with pytest.raises(ReachError) as error:
        xmltree.parse(data)
    assert code(error) == "oversized"


def test_a_tree_has_names_without_their_namespaces_and_whole_texts() -> None:
    root = xmltree.parse(b'<r xmlns="n"><a> x<!-- no --><b/>y </a><a>z</a></r>')
    assert (root.tag, xmltree.text_of(root, "a"), xmltree.text_of(root, "none")) == ("r", "xy", "")
    assert ["".join(one.itertext()) for one in root.iter("a")] == [" xy ", "z"]


@given(st.binary(max_size=100) | st.text(alphabet="<>/&;!ab[]\"'= ", max_size=60).map(str.encode))
def test_no_bytes_make_the_reader_of_xml_fail(data: bytes) -> None:
    try:
        xmltree.parse(data)
    except ReachError as error:
        assert error.code in ("malformed", "oversized")  # noqa: PT017


# -- descriptions and answers -----------------------------------------------------------------------------


def test_the_newest_connection_of_a_router_comes_first() -> None:
    found = igd.find_services(description((IP1, "/one"), ("urn:x:service:Other:1", "/no"), (IP2, "two")), HERE)
    assert [(one.kind, one.control) for one in found] == [
        (IP2, Location("192.168.1.1", 5_000, "/two")),
        (IP1, Location("192.168.1.1", 5_000, "/one")),
    ]
    assert [one.any_port for one in found] == [True, False]


@pytest.mark.parametrize(
    "control", ["http://192.168.1.66/ctl", "http://example.org/ctl", "//192.168.1.66/ctl", "http://["]
)
def test_a_control_address_on_another_machine_is_refused(control: str) -> None:
    with pytest.raises(ReachError) as error:
        igd.find_services(description((IP1, control)), HERE)
    assert code(error) == "elsewhere"


def test_a_base_on_another_machine_is_refused() -> None:
    with pytest.raises(ReachError) as error:
        igd.find_services(description((IP1, "/ctl"), base="http://192.168.1.66/"), HERE)
    assert code(error) == "elsewhere"


def test_another_port_of_the_same_machine_is_fine() -> None:
    (service,) = igd.find_services(description((IP1, "http://192.168.1.1:49152/ctl")), HERE)
    assert service.control.port == 49_152


def test_a_description_without_a_connection_says_so() -> None:
    with pytest.raises(ReachError) as error:
        igd.find_services(description(), HERE)
    assert code(error) == "no-service"


def test_an_action_is_a_soap_call_with_escaped_arguments() -> None:
    body, action = igd.write_call(igd.Service(IP1, HERE), "Do", NewText="a<b&c", NewNumber=5)
    assert action == f"{IP1}#Do"
    root = xmltree.parse(body)
    (call,) = root.iter("Do")
    assert (xmltree.text_of(call, "NewText"), xmltree.text_of(call, "NewNumber")) == ("a<b&c", "5")


def test_an_answer_holds_its_results_and_a_fault_its_number() -> None:
    good = b"<e><b><GetXResponse><New>5</New></GetXResponse></b></e>"
    assert xmltree.text_of(igd.read_answer(good, 200, "GetX"), "New") == "5"
    with pytest.raises(igd.RouterFault) as fault:
        igd.read_answer(b"<e><errorCode>718</errorCode></e>", 500, "GetX")
    assert (fault.value.number, fault.value.code) == (718, "refused")


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"<a/>", 200),
        (b"<GetXResponse/>", 404),
        (b"<errorCode>7180</errorCode>", 500),
        (b"<errorCode>\xd9\xa7</errorCode>", 500),
    ],
)
def test_what_is_no_answer_is_named(data: bytes, status: int) -> None:
    with pytest.raises(ReachError) as error:
        igd.read_answer(data, status, "GetX")
    assert code(error) == "malformed"


@given(st.text(alphabet="/:.@[]?#%ab1http", max_size=40))
def test_no_control_address_leads_to_another_machine(control: str) -> None:
    try:
        found = igd.find_services(description((IP1, control)), HERE)
    except ReachError as error:
        assert error.code in ("elsewhere", "no-service", "malformed")  # noqa: PT017
    else:
        assert {one.control.host for one in found} == {HERE.host}
