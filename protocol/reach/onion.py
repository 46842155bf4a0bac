"""An onion address from the tor of this machine, for as long as the program runs (Tor control protocol).

Whoever listens at the control port is asked to prove knowledge of the cookie before it is told anything of it
(SAFECOOKIE): a stranger's program at that port could otherwise have any file of 32 bytes read to it.  The key of
the address is thrown away, and tor itself forgets the address when this connection ends, also after a crash.
"""

import asyncio
import base64
import hashlib
import hmac
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from protocol.reach import ReachError

PORTS = (9051, 9151)
"""Where the control port of tor, and of the Tor Browser, is."""

SECONDS = 5.0
"""How long tor may take for all of it."""

_LINE_LIMIT = 2_048
_LINES = 64
_COOKIE = 32
_NONCE = 32
_SERVER = b"Tor safe cookie authentication server-to-controller hash"
_CONTROLLER = b"Tor safe cookie authentication controller-to-server hash"

_METHODS = re.compile(r'AUTH METHODS=([A-Z0-9,]+)(?: COOKIEFILE="((?:[^"\\]|\\.)*)")?')
_CHALLENGE = re.compile(r"AUTHCHALLENGE SERVERHASH=([0-9A-Fa-f]{64}) SERVERNONCE=([0-9A-Fa-f]{64})")
_SERVICE = re.compile(r"ServiceID=([a-z2-7]{56})")


def is_onion(address: str) -> bool:
    """Return whether a name is an onion address of version 3 with the right checksum (Tor rend-spec-v3, section 6)."""
    name = address.removesuffix(".onion")
    if name == address or re.fullmatch("[a-z2-7]{56}", name) is None:
        return False
    raw = base64.b32decode(name.upper())
    key, checksum, version = raw[:32], raw[32:34], raw[34:]
    return version == b"\x03" and hashlib.sha3_256(b".onion checksum" + key + version).digest()[:2] == checksum


def read_methods(lines: list[str]) -> tuple[frozenset[str], str]:
    """Return how tor lets itself be told that somebody may control it, and where its cookie is."""
    for line in lines:
        if (found := _METHODS.match(line)) is not None:
            path = re.sub(r"\\(.)", r"\1", found[2] or "")
            return frozenset(found[1].split(",")), path
    return frozenset(), ""


def prove_cookie(lines: list[str], cookie: bytes, nonce: bytes) -> bytes:
    """Return the answer to tor's challenge, once it has shown that it knows the cookie (control-spec, section 3.24).

    Raises:
        ReachError: ``malformed``, or ``impostor``: it does not know it.
    """
    found = next((match for line in lines if (match := _CHALLENGE.match(line))), None)
    if found is None:
        raise ReachError("malformed", "expected a challenge from tor, got something else")
    theirs, both = bytes.fromhex(found[1]), cookie + nonce + bytes.fromhex(found[2])
    if not hmac.compare_digest(theirs, hmac.digest(_SERVER, both, "sha256")):
        raise ReachError("impostor", "expected a tor that knows its cookie, got one that does not")
    return hmac.digest(_CONTROLLER, both, "sha256")


def read_service(lines: list[str]) -> str:
    """Return the onion address in tor's answer.

    Raises:
        ReachError: ``malformed``.
    """
    for line in lines:
        if (found := _SERVICE.fullmatch(line)) is not None and is_onion(address := f"{found[1]}.onion"):
            return address
    raise ReachError("malformed", "expected an onion address from tor, got none")


class Onion:
    """An onion address that leads to a port of this machine; made by :func:`open_onion`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take over an open control connection."""
        self._reader, self._writer = reader, writer
        self.address = ""
        """``….onion``."""

    async def ask(self, command: str) -> list[str]:
        """Send a command and return the lines of its answer without their numbers.

        Raises:
            ReachError: ``refused`` or ``malformed``.
        """
        self._writer.write(command.encode("ascii") + b"\r\n")
        await self._writer.drain()
        lines: list[str] = []
        while len(lines) < _LINES:
            try:
                raw = await self._reader.readuntil(b"\r\n")
            except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
                raise ReachError("malformed", "expected a line from tor, got none") from error
            line = raw.decode("ascii", "replace").rstrip()
            if re.match(r"[0-9]{3}[ -]", line) is None:
                break
            if not line.startswith("250"):
                raise ReachError("refused", f"expected tor to agree, got {line[:120]!a}")
            lines.append(line[4:])
            if line[3] == " ":
                return lines
        raise ReachError("malformed", "expected an answer of tor's control port, got something else")

    async def close(self) -> None:
        """Give the address up; harmless when done twice."""
        with suppress(ReachError, OSError, TimeoutError):
            async with asyncio.timeout(1.0):
                if self.address:
                    await self.ask(f"DEL_ONION {self.address.removesuffix('.onion')}")
        self.address = ""
        self._writer.close()


async def open_onion(port: int, target: str = "127.0.0.1", *, controls: tuple[int, ...] = PORTS) -> Onion:
    """Return an onion address whose port leads to the same port of this machine.

    Args:
        port: the TCP port, outside and here.
        target: the own address that listens.
        controls: where tor's control port may be.

    Raises:
        ReachError: ``no-tor``, ``locked`` (the cookie may not be read), ``impostor``, ``refused``, ``malformed``
            or ``silent``.
    """
    for control in controls:
        try:
            async with asyncio.timeout(SECONDS):
                try:
                    reader, writer = await asyncio.open_connection("127.0.0.1", control, limit=_LINE_LIMIT)
                except OSError:
                    continue
                onion = Onion(reader, writer)
                try:
                    await _admit(onion)
                    where = f"[{target}]" if ":" in target else target
                    command = f"ADD_ONION NEW:ED25519-V3 Flags=DiscardPK Port={port},{where}:{port}"
                    onion.address = read_service(await onion.ask(command))
                except BaseException:
                    writer.close()
                    raise
        except TimeoutError:
            raise ReachError("silent", f"expected an answer of tor within {SECONDS:g} s, got none") from None
        except OSError as error:
            raise ReachError("malformed", f"expected tor's control port, got another end ({error})") from error
        return onion
    raise ReachError("no-tor", f"expected tor's control port at {' or '.join(map(str, controls))}, got none")


async def _admit(onion: Onion) -> None:
    known, path = read_methods(await onion.ask("PROTOCOLINFO 1"))
    if "NULL" in known:
        await onion.ask("AUTHENTICATE")
        return
    if "SAFECOOKIE" not in known:
        raise ReachError("locked", "expected a tor that is controlled by its cookie, got one with a password")
    cookie = _read_cookie(Path(path))
    nonce = secrets.token_bytes(_NONCE)
    lines = await onion.ask(f"AUTHCHALLENGE SAFECOOKIE {nonce.hex()}")
    await onion.ask(f"AUTHENTICATE {prove_cookie(lines, cookie, nonce).hex()}")


def _read_cookie(path: Path) -> bytes:
    try:
        # Looked at first: opening a pipe that somebody has put there would wait without end.
        if stat.S_ISREG(path.stat().st_mode):
            with path.open("rb") as file:
                cookie = file.read(_COOKIE + 1)
            if len(cookie) == _COOKIE:
                return cookie
    except (OSError, ValueError) as error:
        raise ReachError("locked", f"expected to read tor's cookie, got a refusal ({error})") from error
    raise ReachError("malformed", f"expected a cookie of {_COOKIE} bytes, got another file")
