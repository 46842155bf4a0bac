"""One request and one answer of HTTP/1.1 in bytes, as much as a UPnP router needs (RFC 9112).

No redirects, no proxies, no encodings, no cookies: whatever a stranger could use to send this program
elsewhere is not read.  The standard library reads the bytes that have come; its connections would need a thread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse, IncompleteRead
from io import BytesIO
from typing import TYPE_CHECKING, cast

from protocol.reach import ReachError
from protocol.reach.formats.ssdp import Location

if TYPE_CHECKING:
    from socket import socket

HEAD_LIMIT = 8_192
"""The most bytes of status line and headers."""

BODY_LIMIT = 65_536
"""The most bytes of a body."""

LIMIT = 2 * BODY_LIMIT + HEAD_LIMIT
"""The most bytes of an answer, with the marks between its chunks."""

_FINAL = re.compile(rb"HTTP/1\.[01] [2-9][0-9]{2}[ \r\n]")
"""An answer behind which no other head comes: the library would read one of any length."""


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
    head, mark, _ = data.partition(b"\r\n\r\n")
    if len(head) > HEAD_LIMIT or len(data) > LIMIT:
        raise ReachError("oversized", f"expected at most {HEAD_LIMIT} bytes of headers and {LIMIT} in all, got more")
    cut = ReachError("malformed", "expected a whole answer, got the beginning of one")
    if not mark and ended:
        raise cut
    if not mark:
        return None
    answer, body = HTTPResponse(cast("socket", _Came(data))), None
    try:
        if not _FINAL.match(data):
            raise HTTPException("status")
        answer.begin()
        lengths = answer.headers.get_all("Content-Length", [])
        if answer.headers.defects or len(lengths) > 1 or not all(one.strip().isdecimal() for one in lengths):
            raise HTTPException("headers")
        # The size of a chunk that is cut in the middle would be another size.
        is_told = answer.length is not None or (answer.chunked and data.endswith(b"\r\n"))
        if (is_told or ended) and (answer.length or 0) <= BODY_LIMIT:
            body = answer.read()
    except IncompleteRead:
        pass
    except Exception as error:
        # The library is not made for hostile bytes: it recurses, overflows and compares what cannot be compared.
        raise ReachError("malformed", f"expected an answer of HTTP/1.1, got {data[:40]!a}") from error
    if max(answer.length or 0, len(body or b"")) > BODY_LIMIT:
        raise ReachError("oversized", f"expected at most {BODY_LIMIT} bytes, got more")
    if body is None and ended:
        raise cut
    return None if body is None else Response(answer.status, body)


class _Came:
    """What has come, where the library expects a socket."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, mode: str) -> BytesIO:
        return BytesIO(self._data)
