"""docs/rules.md is executed: its rules, tables, examples and codes against the engine that it describes."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from helpers import ROOT, at, legal
from helpers_docs import MODULES, PAGES, backed, blocks, codes_of, rows, section

from cli.storm import scenario
from storm_p2p.storm import board
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CARDS
from storm_p2p.storm.version import RULES_VERSION

RULES = PAGES["docs/rules.md"]
IDS = "[A-Z]{3}-[0-9]+|[AB]-[0-9]{2}a?"
FAMILIES = set(
    re.findall(
        "[A-Z]+",
        "A B CMP MAP SET TRN REV MOV HON FLY CBT NRG STD RET CHA AOA AOD LIT BAS END VAR ZEU HER ATH APH DIO APO HRM"
        " ARE POS ART HEP DEM HAD PER CER CRO HEC HYP ERI MOI HAR THA CHN NYX",
    )
)


def numbers(cell: str) -> list[int]:
    return [] if cell == "-" else [int(word) for word in cell.split()]


# -- rules and decisions ----------------------------------------------------------------------------------


def test_every_rule_and_decision_is_stated_once_and_none_is_missing() -> None:
    stated = re.findall(rf"\*\*({IDS})\*\*", "".join(PAGES.values()))
    assert [rule for rule, times in Counter(stated).items() if times > 1] == []
    families: dict[str, list[int]] = {}
    for rule in stated:
        family, number = rule.rstrip("a").split("-")
        families.setdefault(family, []).append(int(number))
    assert set(families) == FAMILIES
    for family, found in families.items():
        assert sorted(set(found)) == list(range(1, max(found) + 1)), family
    assert max(families["A"]) == 54


def test_every_rule_that_is_cited_is_stated() -> None:
    stated = set(re.findall(rf"\*\*({IDS})\*\*", RULES))
    cited = {
        rule
        for name, text in (*MODULES.items(), *PAGES.items())
        # The second game has decisions of its own (tests/spec/test_fight_rules.py).
        if "fight" not in str(name)
        for rule in re.findall(rf"\b(?:{IDS})\b", text)
        if rule.split("-")[0] in FAMILIES
    }
    assert cited - stated == set()


def test_they_are_the_rules_of_the_program() -> None:
    assert f"normative for the rules `{RULES_VERSION}`" in RULES


# -- the data ---------------------------------------------------------------------------------------------


def test_the_map_is_the_one_of_the_code() -> None:
    table = rows(section(RULES, "The map"), "region")
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
    styx = re.search(r"seven borders: ([0-9, -]+)\.", RULES.replace("\n ", ""))
    assert styx is not None
    assert {tuple(map(int, edge.split("-"))) for edge in styx[1].split(", ")} == set(board.STYX)


def test_the_strengths_are_those_of_the_code() -> None:
    table = rows(section(RULES, "Strength"), "Chthonian")
    stated = {name: int(strength) for cells in table for name, strength in (cells[0:2], cells[3:5])}
    assert stated == {card.name: card.strength for card in CARDS}


@pytest.mark.parametrize(("title", "module"), [("Combat", "rounds"), ("Strength", "combat")])
def test_the_steps_that_code_names_by_number_are_those_of_the_list(title: str, module: str) -> None:
    steps = re.findall(r"^(\d+)\. ", section(RULES, title), re.MULTILINE)
    code = MODULES[ROOT / "storm_p2p" / "storm" / "rules" / f"{module}.py"]
    assert set(re.findall(r'(?:# |""")(\d+|[a-z])[.:)] ', code)) == set(steps)


def test_the_cards_say_what_the_code_says() -> None:
    text = section(RULES, "The units")
    assert rows(text, "unit") == [[card.name, card.code, "M" * card.male, card.text] for card in CARDS]


def test_the_phases_are_those_of_the_code() -> None:
    listed = {cells[0].strip("`") for cells in rows(section(RULES, "Phases"), "phase")}
    assert listed == {phase.name.lower() for phase in Phase}


# -- examples and codes -----------------------------------------------------------------------------------


def test_the_example_of_prices_holds() -> None:
    state = at("chthonians", "erinyes hecate 14, hades 10, ares hera 9, zeus 15, athena 8, artemis apollo 19")
    prices = legal(state)
    for goal, both, one in rows(section(RULES, "Honor"), "goal"):
        assert prices[f"move 14 {goal} erinyes hecate"] == (int(both), 0)
        assert prices[f"move 14 {goal} erinyes"] == prices[f"move 14 {goal} hecate"] == (int(one), 0)


QUESTIONS = [json.loads(text) for text in blocks(RULES, "json scenario")]
ANSWERS = [json.loads(text) for text in blocks(RULES, "json answer")]


@pytest.mark.parametrize("number", range(len(QUESTIONS)))
def test_the_scenarios_are_answered_as_they_say(number: int) -> None:
    answer = scenario.run(QUESTIONS[number])
    answer.pop("events", None)
    assert answer == ANSWERS[number]
    assert len(QUESTIONS) == len(ANSWERS)


def test_every_refusal_of_the_rules_is_listed() -> None:
    listed = {code for cells in rows(section(RULES, "Refusals"), "code") for code in backed(cells[0])}
    names = {"IllegalAction", "NotationError", "_refusal", "Foul"}
    assert {*codes_of("storm_p2p", names), *codes_of("cli", {"IllegalAction"})} == listed
