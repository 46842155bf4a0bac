"""SPEC.md is executed: its tables, examples, codes and vectors against the code that it describes."""

from __future__ import annotations

import argparse
import ast
import hashlib
import hmac
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from helpers import ROOT, at, legal
from helpers_wire import Pair

from cli import main as program
from cli.process.console import Exit
from cli.view import scenario
from protocol import wire
from protocol.commitments.proofs import proof_length
from protocol.frames import Kind
from protocol.messages import SideType
from protocol.stages import TRANSITIONS, Stage
from storm_p2p import board, codec
from storm_p2p.game import Storm, encode_terms
from storm_p2p.state import Next, Phase, Terms
from storm_p2p.units import CARDS, ROSTER

SPEC = (ROOT / "SPEC.md").read_text(encoding="utf-8")
LINES = SPEC.splitlines()
MODULES = {
    path: path.read_text(encoding="utf-8")
    for folder in ("storm_p2p", "protocol", "cli", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.parent.name != "spec"
}
IDS = "[A-Z]{3}-[0-9]+|[AB]-[0-9]{2}a?"
FAMILIES = set(
    re.findall(
        "[A-Z]+",
        "A B CMP MAP SET TRN REV MOV HON FLY CBT NRG STD RET CHA AOA AOD LIT BAS END VAR ZEU HER ATH APH DIO APO HRM"
        " ARE POS ART HEP DEM HAD PER CER CRO HEC HYP ERI MOI HAR THA CHN NYX",
    )
)


def section(title: str) -> str:
    """Return the text below a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(title)}[^\n]*\n(.*?)(?=^#|\Z)", SPEC, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def rows(text: str, first: str = "") -> list[list[str]]:
    """Return the cells of the tables in a text; with ``first`` only those of the table whose head begins so."""
    found: list[list[str]] = []
    reading = False
    for line in text.splitlines():
        if not line.startswith("|"):
            reading = False
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not reading:
            head, reading = cells[0], True
        elif not set("".join(cells)) <= {"-"} and (not first or head == first):
            found.append(cells)
    return found


def blocks(kind: str) -> list[str]:
    """Return the contents of the code blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", SPEC, re.MULTILINE | re.DOTALL)


def numbers(cell: str) -> list[int]:
    return [] if cell == "-" else [int(word) for word in cell.split()]


def backed(text: str) -> set[str]:
    """Return every word that stands in backquotes, but not in a block of code."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return {word for words in re.findall(r"`([^`]+)`", prose) for word in re.split(r"[,\s]+", words)}


# -- rules and references ---------------------------------------------------------------------------------


def test_every_rule_and_decision_is_stated_once_and_none_is_missing() -> None:
    stated = re.findall(rf"\*\*({IDS})\*\*", SPEC)
    assert [rule for rule, times in Counter(stated).items() if times > 1] == []
    families: dict[str, list[int]] = {}
    for rule in stated:
        family, number = rule.rstrip("a").split("-")
        families.setdefault(family, []).append(int(number))
    assert set(families) == FAMILIES
    for family, found in families.items():
        assert sorted(set(found)) == list(range(1, max(found) + 1)), family
    assert max(families["A"]) == 54


def test_every_rule_that_the_code_cites_is_stated() -> None:
    stated = set(re.findall(rf"\*\*({IDS})\*\*", SPEC))
    cited = {
        rule
        for text in (*MODULES.values(), SPEC)
        for rule in re.findall(rf"\b(?:{IDS})\b", text)
        if rule.split("-")[0] in FAMILIES
    }
    assert cited - stated == set()


def test_every_section_that_the_code_cites_is_there() -> None:
    headings = [re.sub(r"^#+ ", "", line) for line in LINES if line.startswith("#")]
    numbered = {heading.split()[0].rstrip(".") for heading in headings}
    titles = " ".join(headings)
    for path, text in MODULES.items():
        for number in re.findall(r"SPEC(?:\.md)?,? (?:chapter )?([0-9]+(?:\.[0-9]+)?)", text):
            assert number in numbered, f"{path.name}: {number}"
        for title in re.findall(r"SPEC(?:\.md)?,(?: section)? \"([^\"]+)\"", text):
            assert title in titles, f"{path.name}: {title}"
    for number in re.findall(r"\((?:also )?([2-7]\.[0-9]+)", SPEC):
        assert number in numbered, number


def test_it_stands_alone_and_its_lines_are_short() -> None:
    for word in ("/work", "../", "/home/", "/tmp", "http", "rules.md", "interfaces.md", "protocol.md"):
        assert word not in SPEC.replace("docs/rules.md", ""), word
    code = False
    for number, line in enumerate(LINES, 1):
        code ^= line.startswith("```")
        assert len(line) <= 120 or code or line.startswith("|"), number


# -- the data ---------------------------------------------------------------------------------------------


def test_the_map_is_the_one_of_the_code() -> None:
    table = rows(section("2.2 "), "region")
    assert [int(cells[0]) for cells in table] == list(board.REGIONS)
    realms = {"U": board.UNDERWORLD, "O": board.OLYMPUS}
    for cells in table:
        region = int(cells[0])
        up, down, across = (numbers(cell) for cell in cells[4:])
        assert int(cells[1]) == board.ALTITUDE[region]
        assert [name for name, realm in realms.items() if region in realm] == [cells[2]] * (cells[2] != "E")
        assert (cells[3] == "bank") == (region in board.BANK)
        assert sorted(up + down) == list(board.NEIGHBOURS[region])
        assert all(board.ALTITUDE[there] > board.ALTITUDE[region] for there in up)
        assert all(board.ALTITUDE[there] < board.ALTITUDE[region] for there in down)
        assert across == [there for there in board.NEIGHBOURS[region] if board.CROSSES[region][there]]
    styx = re.search(r"seven borders: ([0-9, -]+)\.", SPEC.replace("\n ", ""))
    assert styx is not None
    assert {tuple(map(int, edge.split("-"))) for edge in styx[1].split(", ")} == set(board.STYX)


def test_the_strengths_are_those_of_the_code() -> None:
    table = rows(section("2.10 "), "Chthonian")
    stated = {name: int(strength) for cells in table for name, strength in (cells[0:2], cells[3:5])}
    assert stated == {card.name: card.strength for card in CARDS}


def test_the_cards_say_what_the_code_says() -> None:
    table = rows(section("2.16 "), "unit")
    assert table == [[card.name, card.code, "M" * card.male, card.text] for card in CARDS]
    foreign = " ".join(section("2.16 ").split())
    assert all(card.german.capitalize() in foreign for card in CARDS if card.german != card.name)


def test_the_example_of_prices_holds() -> None:
    state = at("chthonians", "erinyes hecate 14, hades 10, ares hera 9, zeus 15, athena 8, artemis apollo 19")
    prices = legal(state)
    for goal, both, one in rows(section("2.7 "), "goal"):
        assert prices[f"move 14 {goal} erinyes hecate"] == (int(both), 0)
        assert prices[f"move 14 {goal} erinyes"] == prices[f"move 14 {goal} hecate"] == (int(one), 0)


QUESTIONS = [json.loads(text) for text in blocks("json scenario")]
ANSWERS = [json.loads(text) for text in blocks("json answer")]


@pytest.mark.parametrize("number", range(len(QUESTIONS)))
def test_the_scenarios_are_answered_as_they_say(number: int) -> None:
    answer = scenario.run(QUESTIONS[number])
    answer.pop("events", None)
    assert answer == ANSWERS[number]
    assert len(QUESTIONS) == len(ANSWERS)


# -- codes ------------------------------------------------------------------------------------------------


def codes_of(folder: str, names: set[str]) -> Iterator[str]:
    """Yield the codes with which a folder's modules call one of these classes or functions."""
    for path, text in MODULES.items():
        if path.relative_to(ROOT).parts[0] == folder:
            for node in ast.walk(ast.parse(text)):
                name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
                if isinstance(node, ast.Call) and name in names:
                    first = node.args[1 if name == "Foul" else 0 :][:1]
                    yield from (
                        one.value for one in first if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    )


def test_every_refusal_of_the_rules_is_listed() -> None:
    listed = {code for cells in rows(section("2.1 "), "code") for code in backed(cells[0])}
    names = {"IllegalAction", "NotationError", "_refusal", "Foul"}
    assert {*codes_of("storm_p2p", names), *codes_of("cli", {"IllegalAction"})} == listed


PROTOCOL_ERRORS = {
    "BadCommitment", "BadKey", "BadSignature", "Damage", "HandshakeFailed", "InviteError", "JournalError",
    "LocalProtocolError", "LogError", "Misbehaviour", "Problem", "ReachError", "Refused", "StatesDiffer",
    "TransportError", "VerificationError", "WireError", "_Failure", "_disagree", "convict",
}  # fmt: skip


def test_every_code_of_the_protocol_is_listed() -> None:
    chapter = SPEC[SPEC.index("\n## 4.") : SPEC.index("\n## 5.")]
    missing = set(codes_of("protocol", PROTOCOL_ERRORS)) - backed(chapter)
    assert missing == set()


# -- tables of the wire -----------------------------------------------------------------------------------


def test_the_kinds_of_actions_are_those_of_the_codec() -> None:
    table = rows(section("3.2 "), "kind")
    assert [int(cells[0]) for cells in table] == list(range(len(table)))
    assert tuple(cells[1] for cells in table) == tuple(kind.__name__ for kind in codec._KINDS)


def test_the_numbers_of_phases_and_of_what_follows_are_those_of_the_code() -> None:
    text = " ".join(section("3.3 ").split())
    assert ", ".join(f"{phase.value} {phase.name.lower()}" for phase in Phase) in text
    assert all(f"{what.value} " in text for what in Next)
    assert {cells[0].strip("`") for cells in rows(section("2.1 "), "phase")} == {phase.name.lower() for phase in Phase}


def test_the_state_of_a_new_game_has_the_bytes_and_the_hash_that_are_given() -> None:
    data, digest = blocks("text state")[0].split()
    storm = Storm()
    assert storm.dump(storm.begin(encode_terms(Terms()))).decode() == data
    assert wire.hashed("state", data.encode()).hex() == digest


def test_the_kinds_of_frames_and_side_envelopes_are_those_of_the_code() -> None:
    frames = {int(cells[0]): cells[1] for cells in rows(section("4.5 "), "kind")}
    assert frames == {kind.value: kind.name for kind in Kind}
    sides = {int(cells[0]): cells[1].split()[0] for cells in rows(section("4.10 "), "type")}
    assert sides == {side.value: side.name for side in SideType}


def test_the_stages_are_those_of_the_code() -> None:
    stated: dict[tuple[str, str], str] = {}
    for stage, text in rows(section("4.9 "), "stage"):
        for part in text.split(";"):
            inputs, after = part.split(":")
            stated |= {(stage, one.strip()): after.strip() for one in inputs.split(",")}
    assert stated == {(stage.name, what.name): after.name for (stage, what), after in TRANSITIONS.items()}
    assert {stage for stage, _ in stated} == {stage.name for stage in Stage}


# -- vectors, by a few lines that use nothing of the protocol ---------------------------------------------


def framed(label: str, *parts: bytes) -> bytes:
    return b"".join(len(one).to_bytes(8, "big") + one for one in (b"storm-p2p/2", label.encode(), *parts))


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
    vectors = blocks("text vectors")[0].splitlines()
    assert len(vectors) >= 10
    for line in vectors:
        question, answer = line.split(" = ")
        assert computed(*question.split()).hex() == answer, question[:60]
        assert answer in file, question[:60]


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
    table = {cells[0]: cells[2] for cells in rows(section("7.15 "), "message")}
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
    text = section("4.25 ")
    stated = [int(number) for cells in rows(text, "proof") for number in re.findall(r"\b[0-9]{3,}\b", cells[1])]
    clauses = ((*(12,) * 12, 1, 9), (2, 2, 1), (3, 3, 3, 1), (4, 4, 4, 4, 1), (4,), (8,))
    assert stated == [proof_length([(b"",) * count for count in one]) for one in clauses]
    found = sizes("proved")
    messages = {cells[0]: int(cells[1]) for cells in rows(text, "message")}
    assert messages == {"setup": found["setup"], "move of a part of a group of two, unseen": found["part of two"]}


# -- commands ---------------------------------------------------------------------------------------------


def options_of_the_program() -> dict[str, set[str]]:
    """Return the options of each command."""
    parser = program._parser()
    commands = next(one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    return {
        name: {option for one in command._actions for option in one.option_strings if option.startswith("--")}
        - {"--help"}
        for name, command in commands.choices.items()
    }


def test_the_commands_and_their_options_are_those_of_the_program() -> None:
    actual = options_of_the_program()
    commands = {cells[0].strip("`").split()[1] for cells in rows(section("6.2 "), "command")}
    assert commands == set(actual)
    stated: dict[str, set[str]] = {name: set() for name in actual}
    for names, users, _ in rows(section("6.2 "), "option"):
        options = set(re.findall(r"--[a-z-]+", names))
        several = re.fullmatch(r"([a-z]+); `(--[a-z]+)` also ([a-z]+)", users)
        if several is not None:
            stated[several[1]] |= options
            stated[several[3]].add(several[2])
            continue
        for user in users.split(", "):
            stated[user] |= options
    assert stated == actual


def test_the_exit_codes_are_those_of_the_program() -> None:
    assert [int(cells[0]) for cells in rows(section("6.1 "), "code")] == sorted(Exit)


def test_the_libraries_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    wanted = project["project"]["dependencies"] + [one for extra in extras.values() for one in extra]
    wanted += project["build-system"]["requires"]
    for hook in project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"].values():
        wanted += hook["dependencies"]
    named = set(re.findall(r"\*\*([a-z0-9_-]+)\*\*", section("7.1 ")))
    assert {re.split(r"[<>=;]", one)[0] for one in wanted} | {"sqlite3"} == named
