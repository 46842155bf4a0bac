"""SPEC.md is executed: its tables, examples, codes and vectors against the code that it describes."""

from __future__ import annotations

import hashlib
import hmac
import re
import runpy
from pathlib import Path
from typing import Any, get_args

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from helpers import ROOT
from helpers_docs import PAGES, backed, blocks, chapter, codes_of, rows, section
from helpers_wire import Pair

from cli.meeting import rendezvous
from cli.meeting.rendezvous import CALL_SECONDS
from protocol.archive.parts import Parts
from protocol.archive.row import NAMES
from protocol.core import events
from protocol.core.frames import FILES, RESERVED, TALK, FrameKind
from protocol.core.messages import SideType
from protocol.core.stages import TRANSITIONS, Stage
from protocol.crypto import hashing
from protocol.crypto.proofs import proof_length
from protocol.reach import crossing, knocking, seen, tube
from protocol.reach.datagrams import FIRST
from protocol.reach.formats import probe, stun
from protocol.reach.formats import tube as segments
from protocol.reach.formats.tube import DATA
from protocol.tournament.contents import KINDS, Event, Matter, Topic, fields_of
from protocol.tournament.documents import LABELS
from protocol.tournament.outcomes import Outcome
from protocol.tournament.results import State
from storm_p2p.storm import codec
from storm_p2p.storm.game import Storm, encode_terms
from storm_p2p.storm.state import Next, Phase, Terms
from storm_p2p.storm.units import ROSTER

SPEC = PAGES["SPEC.md"]


# -- codes ------------------------------------------------------------------------------------------------

PROTOCOL_ERRORS = {
    "BadCommitment", "BadKey", "BadSignature", "Damage", "DocumentError", "EngineError", "HandshakeFailed",
    "InviteError", "JournalError", "LocalProtocolError", "LogError", "Misbehaviour", "PairingError", "PartsError",
    "Problem", "ReachError", "Refused", "StatesDiffer", "TransportError", "Unread", "VerificationError", "WireError",
    "WorkerError", "_Failure", "_disagree", "_refuse", "convict", "finding", "refuse", "refused",
}  # fmt: skip


def test_every_code_of_the_protocol_is_listed() -> None:
    listed = backed(chapter(SPEC, "Messages") + chapter(SPEC, "Behaviour") + chapter(SPEC, "Tournaments"))
    listed |= backed(chapter(SPEC, "Archives"))
    assert set(codes_of("protocol", PROTOCOL_ERRORS)) - listed == set()


# -- tables of the wire -----------------------------------------------------------------------------------


def test_the_kinds_of_actions_are_those_of_the_codec() -> None:
    table = rows(section(SPEC, "Actions on the wire"), "kind")
    assert [int(cells[0]) for cells in table] == list(range(len(table)))
    assert tuple(cells[1] for cells in table) == tuple(kind.__name__ for kind, _, _ in codec._KINDS)


def test_the_numbers_of_phases_and_of_what_follows_are_those_of_the_code() -> None:
    text = " ".join(section(SPEC, "The public state in bytes").split())
    assert ", ".join(f"{phase.value} {phase.name.lower()}" for phase in Phase) in text
    assert all(f"{what.value} " in text for what in Next)


def test_the_state_of_a_new_game_has_the_bytes_and_the_hash_that_are_given() -> None:
    data, digest = blocks(SPEC, "text state")[0].split()
    storm = Storm()
    assert storm.dump(storm.begin(encode_terms(Terms()))).decode() == data
    assert hashing.hash_parts("state", data.encode()).hex() == digest


def test_the_kinds_of_frames_and_side_envelopes_are_those_of_the_code() -> None:
    table = rows(section(SPEC, "Frames"), "kind")
    reserved = table.pop()[0]
    kinds = {kind.value: kind.name for kind in FrameKind}
    assert {int(cells[0]): cells[1] for cells in table} == {**kinds, TALK: "TALK", FILES: "FILES"}
    assert [int(number) for number in reserved.split(", ")] == sorted(RESERVED)
    table = rows(section(SPEC, "Side envelopes"), "type")[:-1]
    sides = {int(cells[0]): cells[1].split()[0] for cells in table}
    assert sides == {side.value: side.name for side in SideType}


def test_the_events_of_a_session_are_those_of_the_code() -> None:
    text = " ".join(section(SPEC, "Session and events").split())
    listed = text[text.index("Events: ") : text.index("Each names seats")]
    assert re.findall(r"\b(?!Events\b)[A-Z]\w+", listed) == [event.__name__ for event in get_args(events.Event)]


def test_the_documents_outcomes_states_and_matters_of_a_tournament_are_those_of_the_code() -> None:
    tournaments = chapter(SPEC, "Tournaments")
    documents = rows(tournaments, "kind")
    assert [(cells[0], cells[1].strip("`")) for cells in documents] == [
        (str(number), label) for number, label in enumerate(LABELS.values(), start=1)
    ]
    assert [len(cells[3].split(", ")) for cells in documents[1:]] == [len(fields_of(kind, 2)) for kind in KINDS[1:]]
    fields = [name for cells in rows(tournaments, "field of the event") for name in cells[0].split(", ")]
    assert set(fields) == {name for name, _ in fields_of(Event, 2)}
    assert [cells[0].strip("`") for cells in rows(tournaments, "state")] == list(State)
    assert [int(one) for cells in rows(tournaments, "byte") for one in cells[0].split(", ")] == list(Outcome)
    assert [int(cells[0]) for cells in rows(tournaments, "matter")] == list(Matter)
    assert [int(cells[0]) for cells in rows(tournaments, "topic")] == list(Topic)


def test_the_fields_of_a_row_and_the_keys_of_a_manifest_are_those_of_the_code(tmp_path: Path) -> None:
    fields = [name for cells in rows(section(SPEC, "Rows"), "field") for name in re.findall(r"`(\w+)`", cells[0])]
    assert tuple(fields) == NAMES
    pytest.importorskip("pyarrow", reason="the extra archive is not installed")
    parts = Parts(tmp_path, "tests")
    assert list(parts.write_manifest()) == [cells[0].strip("`") for cells in rows(section(SPEC, "Manifest"), "key")]
    parts.close()


def test_the_stages_are_those_of_the_code() -> None:
    stated: dict[tuple[str, str], str] = {}
    for stage, text in rows(section(SPEC, "Stages"), "stage"):
        for part in text.split(";"):
            inputs, after = part.split(":")
            stated |= {(stage, one.strip()): after.strip() for one in inputs.split(",")}
    assert stated == {(stage.name, what.name): after.name for (stage, what), after in TRANSITIONS.items()}
    assert {stage for stage, _ in stated} == {stage.name for stage in Stage}


# -- vectors, by a few lines that use nothing of the protocol ---------------------------------------------


def framed(label: str, *parts: bytes) -> bytes:
    return b"".join(len(one).to_bytes(8, "big") + one for one in (b"storm-p2p/3", label.encode(), *parts))


def part_of(word: str) -> bytes:
    if word.startswith("#"):
        return int(word[1:]).to_bytes(8, "big")
    return b"" if word == "-" else bytes.fromhex(word)


def computed(kind: str, *words: str) -> bytes:
    """Return the right-hand side of a vector from its left-hand side."""
    match kind:
        case "H":
            parts = [part_of(word) for word in words[1:] if word != "."]
            return hashlib.sha256(framed(words[0], *parts)).digest()
        case "D":
            parts = [part_of(word) for word in words[2:]]
            return hmac.digest(bytes.fromhex(words[0]), framed(words[1], *parts), "sha256")
        case "sign":
            key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(words[0]))
            return key.sign(hashlib.sha256(framed(words[1], bytes.fromhex(words[2]))).digest())
        case _:
            key = Ed25519PrivateKey.from_private_bytes(computed("D", words[0], "root-key"))
            raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
            return key.public_key().public_bytes(*raw)


def test_the_vectors_hold_and_are_those_of_the_file() -> None:
    file = (ROOT / "tests" / "vectors" / "protocol.json").read_text(encoding="utf-8")
    vectors = blocks(SPEC, "text vectors")[0].splitlines()
    assert len(vectors) >= 10
    for line in vectors:
        question, answer = line.split(" = ")
        assert computed(*question.split()).hex() == answer, question[:60]
        assert answer in file, question[:60]


def test_the_annotated_match_is_the_one_that_the_program_plays() -> None:
    annotate = runpy.run_path(str(ROOT / "tests" / "vectors" / "annotate.py"))
    assert blocks(SPEC, "text annotated") == [annotate["annotated"]()]


# -- sizes ------------------------------------------------------------------------------------------------


def sizes(scheme: str = "hash") -> dict[str, int]:
    """Return how long the messages of a small match are."""
    pair = Pair(Storm(), encode_terms(Terms()), scheme=scheme)

    def act(seat: int, said: Any, secret: Any = None) -> list[int]:
        before = len(pair.wire)
        pair.act(seat, said, secret)
        return [len(frame) for _, frame in pair.wire[before:]]

    found = {"setup": act(0, None, tuple(map(int, ROSTER[0])))[0]}
    act(1, None, tuple(map(int, ROSTER[1])))
    found["move of a whole group"] = act(0, (0, (10, 5), (0,), None))[0]
    act(1, (0, (20, 24), (0,), None))
    known = pair.host.state.game.sides[0][5]
    moved, stayed = (known[0].serial,), (known[1].serial,)
    found["part of two"] = act(0, (0, (5, 10), 1, None), (moved, stayed))[0]
    act(1, (0, (19, 20), (0,), None))
    attack = act(0, (0, (12, 13), (0,), None))
    found["attack of one"], found["openings of one"] = attack
    found["seal"] = act(1, (8, 1, 0, 1))[0]
    answer = act(0, (8, 0, 0, 0))
    found["answer to it"], found["opening of it"] = answer[:2]
    return found


def test_the_sizes_of_messages_are_those_of_the_table() -> None:
    table = {cells[0]: cells[2] for cells in rows(PAGES["docs/decisions/0015-least-that-must-be-sent.md"], "message")}
    found = sizes()
    for name in ("setup", "move of a whole group", "seal", "answer to it", "opening of it"):
        assert found[name] == int(table[name]), name
    for name, count, row in (
        ("part of two", 2, "move of a part of a group of n, unseen"),
        ("attack of one", 1, "attack of a hidden units"),
        ("openings of one", 1, "openings of d defenders"),
    ):
        fixed, _, each = table[row].split()[:3]
        assert found[name] == int(fixed) + count * int(each), name


def test_the_lengths_of_proofs_and_of_their_messages_are_those_that_are_stated() -> None:
    text = section(SPEC, "Proofs")
    stated = [int(number) for cells in rows(text, "proof") for number in re.findall(r"\b[0-9]{3,}\b", cells[1])]
    clauses = ((*(12,) * 12, 1, 9), (2, 2, 1), (3, 3, 3, 1), (4, 4, 4, 4, 1), (4,), (8,))
    assert stated == [proof_length([(b"",) * count for count in one]) for one in clauses]
    found = sizes("proved")
    messages = {cells[0]: int(cells[1]) for cells in rows(text, "message")}
    assert messages == {"setup": found["setup"], "move of a part of a group of two, unseen": found["part of two"]}


def test_the_numbers_of_meeting_behind_routers_are_those_of_the_code() -> None:
    text = section(SPEC, "Meeting behind routers")
    stated = {cells[0]: [float(one) for one in re.findall(r"[0-9]+(?:\.[0-9]+)?", cells[1])] for cells in rows(text)}
    again = (FIRST, 3 * FIRST)
    ports = (knocking._GUESSES, knocking._PORTS.start, knocking._PORTS[-1], 1 / knocking._GAP)
    waiting = (knocking._WAITING_GUESSES, 1 / knocking._WAITING_GAP)
    again_full = (knocking._AGAIN, 1 / knocking._AGAIN_GAP, knocking._WAITING_AGAIN)
    opening = (knocking.SOCKETS, 1000 * knocking._OPENING, knocking._FULL, *again_full)
    window = (tube._WINDOW / DATA, tube._NARROWEST / DATA, tube._PIECES, tube.BUFFER, tube.BUFFER, tube._PIECES)
    numbers: dict[str, tuple[float, ...]] = {
        "STUN": (*again, seen.ENOUGH, seen.MORE_SECONDS, seen.ALL_SECONDS, knocking._IDLE),
        "rounds": (
            *(knocking._TARGETS, knocking._FAST, knocking._FAST_SECONDS, knocking._SLOW),
            *(knocking._OPEN_SECONDS, knocking._BETTER_SECONDS),
        ),
        "way": (knocking._IDLE, knocking._URGENT, knocking._IDLE, knocking.LOST, knocking._DOUBT),
        "softly": (knocking.HOPS, knocking._SOFT_SECONDS, knocking._TENTH),
        "hard side": opening,
        "easy side": (*ports, *waiting),
        "bounds": (knocking._PINGS, knocking._MANY_PINGS, knocking._PINGS, knocking._BURST),
        "calls": (tube.CALLS, tube._REMEMBERED, tube.PATIENCE, *window),
        "repeats": (tube._FIRST, tube._LEAST, tube._MOST, tube._GRAIN, tube._DOUBLINGS),
        "connections": (crossing.PACE, CALL_SECONDS, CALL_SECONDS, rendezvous._PAUSE),
    }
    assert stated.keys() == numbers.keys()
    assert {name: pytest.approx(list(one)) for name, one in numbers.items()} == stated
    assert f"pieces of {DATA} bytes" in text.replace("\n", " ")
    assert f"room for {tube._PIECES // 4} pieces again" in text.replace("\n", " ")
    assert f"at most {stun.LARGEST} bytes" in text


def test_the_packets_of_meeting_behind_routers_have_the_lengths_that_are_stated() -> None:
    text = blocks(section(SPEC, "Meeting behind routers"), "text")[0]
    lines = {line[:14].strip(): line[15:] for line in text.splitlines()}

    def length(line: str) -> int:
        return sum(
            int(found) if found else 1 for found in re.findall(r"(?:^|, )(?:[a-z]+ (\d+)|[0-9a-f]{2}(?=,))", line)
        )

    assert stun.request(bytes(stun.TRANSACTION)).hex() == "000100002112a442" + "00" * 12
    assert "0001, length 0000, 2112a442, transaction 12" in lines["STUN request"]
    ping = probe.write(bytes(32), probe.Probe(bytes(8), None))
    assert lines["ping"] == "8d, 01, nonce 8, proof 16"
    assert (ping[:2].hex(), len(ping)) == ("8d01", length(lines["ping"]))
    pong = probe.write(bytes(32), probe.Probe(bytes(8), ("1.2.3.4", 5)))
    assert (pong[:2].hex(), len(pong)) == ("8d02", 2 + 8 + 2 + 4 + 16)
    segment = segments.write(bytes(32), segments.Segment(segments.SegmentKind.DATA, 0))
    assert (segment[0], len(segment)) == (0xD0, length(lines["segment"].replace("data 0 to 1100, ", "")))
