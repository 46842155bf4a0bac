"""Signed documents: from a content to bytes and back (SPEC.md, section "Documents of a tournament").

::

    document = pack([body, signature])
    body     = pack([kind, version, author's identity key, fields…])
    id       = H(label of the kind, body); the signature is Ed25519 over it

The id is that of the body, so that a second signature makes no second document.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Generic, TypeAlias, TypeGuard, TypeVar

from protocol.core import wire
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey, verify_digest
from protocol.errors import ProtocolError, VerificationError, WireError
from protocol.tournament.contents import (
    KINDS,
    Content,
    Event,
    Ruling,
    content_of,
    fields_of,
    value_of,
    version_of,
    versions_of,
)

VERSION = 2
"""The newest version of the documents.

A content is written in the oldest version that can say it.  So programs that know no newer one read it, or say that
they are too old; none of them takes it for something else.
"""

DOCUMENT_LIMIT = 65_536
"""The longest document, in bytes."""

LABELS: dict[type, str] = {kind: "event" if kind is Event else f"event-{kind.__name__.lower()}" for kind in KINDS}
"""What the hash of each kind is labelled with."""


class DocumentError(ProtocolError):
    """Bytes that are no document of a tournament, or a document that cannot be made; nothing else is raised here.

    The codes are those of :class:`protocol.errors.WireError` and of keys and signatures, and those that SPEC.md lists.
    """


C = TypeVar("C", bound=Content, covariant=True)


@dataclass(frozen=True, slots=True)
class Signed(Generic[C]):
    """A document whose form and signature are right; whether its author may write it is still to be seen."""

    id: bytes
    author: bytes
    content: C
    data: bytes
    """The bytes of the file."""

    @property
    def kind(self) -> str:
        """The label of its kind without the prefix: ``event``, ``entry``, ``close`` and so on."""
        return LABELS[type(self.content)].removeprefix("event-")


Document: TypeAlias = Signed[Content]
"""One of any content."""

K = TypeVar("K", bound=Content)


def is_of(document: Document, kind: type[K]) -> TypeGuard[Signed[K]]:
    """Return whether a document has a content of a kind."""
    return isinstance(document.content, kind)


@dataclass(frozen=True, slots=True)
class Equivocation:
    """Two documents of one author with one number: they convict their author."""

    author: bytes
    number: int
    first: bytes
    second: bytes


_OUTER = wire.fields("document", ("body", wire.octets(1, DOCUMENT_LIMIT)), ("signature", wire.octets(64)))


def _named(error: WireError | VerificationError) -> DocumentError:
    """Return our error for another one, with the path of the field in what came."""
    path = error.path if isinstance(error, WireError) else ""
    return DocumentError(error.code, error.expected, f"{path}: {error.got}" if path else error.got)


@cache
def _schema_of(number: int, version: int) -> wire.Check:
    """Return the schema of the body of a document."""
    kind = KINDS[number - 1]
    head = ("kind", wire.integer(number, number)), ("version", wire.integer(version, version)), ("author", wire.HASH)
    return wire.fields(LABELS[kind], *head, *fields_of(kind, version))


def _body_schema(value: object) -> None:
    if type(value) is not tuple or len(value) < 2 or type(value[0]) is not int or type(value[1]) is not int:
        raise WireError("unknown_document", "an array that begins with a kind and a version", wire.describe(value))
    if not 1 <= value[1] <= VERSION:
        raise WireError("version", f"at most {VERSION}", str(value[1]))
    if not 1 <= value[0] <= len(KINDS):
        raise WireError("unknown_document", f"a kind from 1 to {len(KINDS)}", str(value[0]))
    if value[1] not in versions_of(KINDS[value[0] - 1]):
        raise WireError("version", "another one for this kind", str(value[1]))
    _schema_of(value[0], value[1])(value)


def sign(key: PrivateKey, content: Content) -> bytes:
    """Return the bytes of a document.

    Raises:
        DocumentError: the content is out of its bounds.
    """
    kind = type(content)
    try:
        value = value_of(content)
        version = version_of(content)
        number = KINDS.index(kind) + 1
        body = wire.pack((number, version, key.public, *value), _schema_of(number, version))
        content_of(kind, value)
    except WireError as error:
        raise _named(error) from None
    data = wire.encode((body, key.sign_digest(hash_parts(LABELS[kind], body))))
    if len(data) > DOCUMENT_LIMIT:
        raise DocumentError("too_long", f"at most {DOCUMENT_LIMIT} bytes", f"{len(data)} bytes")
    return data


def read(data: bytes) -> Document:
    """Return the document that bytes are, with its signature checked.

    Raises:
        DocumentError: they are none.
        LocalProtocolError: the library that checks keys is too old or does not work.
    """
    return KEPT[len(data) > SHORT](data)


def _read(data: bytes) -> Document:
    try:
        outer: Any = wire.unpack(data, _OUTER, DOCUMENT_LIMIT)
        value: Any = wire.unpack(outer[0], _body_schema, DOCUMENT_LIMIT)
        kind = KINDS[value[0] - 1]
        content = content_of(kind, value[3:])
        if version_of(content) != value[1]:
            raise WireError("version", str(version_of(content)), str(value[1]))
        digest = hash_parts(LABELS[kind], outer[0])
        verify_digest(value[2], digest, outer[1])
    except (WireError, VerificationError) as error:
        raise _named(error) from None
    return Signed(digest, value[2], content, data)


SHORT = 4096
"""A document that is longer has many players, or data."""

# One look into a folder reads each document several times; those of an event with 512 players are about 1,100.  Of long
# ones an event has few, and strangers may send thousands.
KEPT = lru_cache(maxsize=2048)(_read), lru_cache(maxsize=256)(_read)
"""What was read last, of short documents and of long ones."""


def issue(key: PrivateKey, content: K) -> Signed[K]:
    """Return the document that its author makes of a content.

    Raises:
        DocumentError: the content is out of its bounds.
    """
    document = read(sign(key, content))
    assert is_of(document, type(content))
    return document


def chain_of(document: Document) -> tuple[bytes, bytes, bool]:
    """Return which chain a document stands in: event, author, and whether it is one of rulings."""
    assert not isinstance(document.content, Event)
    return document.content.event, document.author, isinstance(document.content, Ruling)
