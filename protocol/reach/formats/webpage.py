"""One request and one answer of HTTP/1.1 in bytes, as much as a UPnP router needs (RFC 9112).

No redirects, no proxies, no encodings, no cookies: whatever a stranger could use to send this program
elsewhere is not read.  Why not a library: none of those that are there already works without a thread or
without following answers elsewhere, and a UPnP router needs only this.
"""

import re
from dataclasses import dataclass

from protocol.reach import ReachError
from protocol.reach.formats.ssdp import Location

HEAD_LIMIT = 8_192
"""The most bytes of status line and headers."""

BODY_LIMIT = 65_536
"""The most bytes of a body."""

LIMIT = 2 * BODY_LIMIT + HEAD_LIMIT
"""The most bytes of an answer, with the marks between its chunks."""

_STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})(?: [^\r\n]*)?")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,6})[ \t]*(?:;[^\r\n]*)?")


@dataclass(frozen=True, slots=True)
class Response:
    """A whole answer."""

    status: int
    body: bytes


def request(to: Location, body: bytes | None = None, action: str = "") -> bytes:
    """Return a GET, or with a body the POST of a UPnP action."""
    lines = [f"{'GET' if body is None else 'POST'} {to.path} HTTP/1.1", f"Host: {to.host}:{to.port}"]
    lines += ["Connection: close", "User-Agent: storm-p2p UPnP/1.1"]
    if body is not None:
        lines += [f"Content-Length: {len(body)}", 'Content-Type: text/xml; charset="utf-8"', f'SOAPAction: "{action}"']
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (body or b"")


def read(data: bytes, *, ended: bool) -> Response | None:
    """Return the answer when it is whole, or None when more has to come.

    Args:
        data: everything that came.
        ended: whether the other has closed the connection.

    Raises:
        ReachError: ``malformed`` or ``oversized``.
    """
    head, mark, body = data.partition(b"\r\n\r\n")
    if len(head) > HEAD_LIMIT:
        raise ReachError("oversized", f"expected at most {HEAD_LIMIT} bytes of headers, got more")
    if not mark:
        _go_on(ended)
        return None
    first, *rest = head.split(b"\r\n")
    status = _STATUS.fullmatch(first)
    if status is None:
        raise ReachError("malformed", f"expected an answer of HTTP/1.1, got {first[:40]!a}")
    headers = _headers(rest)
    if headers.get(b"transfer-encoding", b"").lower() == b"chunked":
        whole = _chunks(body)
    elif b"content-length" in headers:
        whole = _counted(body, headers[b"content-length"])
    else:
        whole = body if ended else None
    if len(body if whole is None else whole) > (LIMIT if whole is None else BODY_LIMIT):
        raise ReachError("oversized", f"expected at most {BODY_LIMIT} bytes, got more")
    if whole is None:
        _go_on(ended)
        return None
    return Response(int(status[1]), whole)


def _go_on(ended: bool) -> None:
    if ended:
        raise ReachError("malformed", "expected a whole answer, got the beginning of one")


def _headers(lines: list[bytes]) -> dict[bytes, bytes]:
    headers: dict[bytes, bytes] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not colon or name.strip() != name or name.lower() in headers.keys() & {b"content-length"}:
            raise ReachError("malformed", f"expected headers, got {line[:40]!a}")
        headers[name.lower()] = value.strip()
    return headers


def _counted(body: bytes, length: bytes) -> bytes | None:
    if not length.isdigit() or len(length) > 9:
        raise ReachError("malformed", f"expected a length, got {length[:20]!a}")
    size = int(length)
    if size > BODY_LIMIT:
        raise ReachError("oversized", f"expected at most {BODY_LIMIT} bytes, got {size}")
    return body[:size] if len(body) >= size else None


def _chunks(body: bytes) -> bytes | None:
    """Return what the chunks hold (RFC 9112, section 7.1), or None when more has to come."""
    # By positions, not by cutting off the front: a stranger may send very many very small chunks.
    parts: list[bytes] = []
    at = total = 0
    while (end := body.find(b"\r\n", at)) >= 0:
        size = _SIZE.fullmatch(body, at, end)
        if size is None:
            raise ReachError("malformed", f"expected the size of a chunk, got {body[at : at + 20]!a}")
        count, at = int(size[1], 16), end + 2
        if count == 0:
            return b"".join(parts)
        total += count
        if total > BODY_LIMIT:
            raise ReachError("oversized", f"expected at most {BODY_LIMIT} bytes, got more")
        if len(body) < at + count + 2:
            return None
        if body[at + count : at + count + 2] != b"\r\n":
            raise ReachError("malformed", "expected the end of a chunk, got other bytes")
        parts.append(body[at : at + count])
        at += count + 2
    return None
