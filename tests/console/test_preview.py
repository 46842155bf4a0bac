"""The preview says what the engine then charges, and asks before every loss."""

import random
from collections import Counter

import helpers
import pytest

from cli.console.messages import Severity
from cli.storm import preview
from cli.storm.preview import Preview
from storm_p2p.storm import engine, notation, units
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import (
    Action,
    Aid,
    Block,
    Bolt,
    Fight,
    Immune,
    Liturgy,
    Lose,
    Move,
    Pass,
    Recall,
    Retreat,
    Reveal,
    Sneak,
    Stay,
)
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import Unit, mask_of

pytestmark = pytest.mark.usefixtures("recorded_strengths")

EXAMPLE = next(
    case for case in helpers.load_scenarios(helpers.SCENARIOS / "given_prices.json") if case["id"] == "example-14"
)


def look(state: State, action: str) -> Preview:
    found = notation.parse_action(action, state)
    faction = helpers.actor(state, found)
    return preview.preview(helpers.owner_view(state, faction), found, faction, "Bob")


def change(found: Preview) -> tuple[int, int]:
    return found.honor[1] - found.honor[0], found.energy[1] - found.energy[0]


def cheaper(state: State, action: str) -> str:
    found = notation.parse_action(action, state)
    faction = helpers.actor(state, found)
    return "; ".join(preview.cheaper(helpers.owner_view(state, faction), found, faction))


def spoken(state: State, action: str) -> str:
    return " ".join(look(state, action).told)


# -- prices ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", EXAMPLE["expect"]["legal_has"], ids=lambda entry: entry["action"])
def test_the_prices_of_the_rules_example(entry: dict[str, object]) -> None:
    state = notation.load_position(helpers.question(EXAMPLE))
    found = look(state, str(entry["action"]))
    assert change(found) == (entry["honor"], entry["energy"])
    assert found.honor == (16, 16 + int(str(entry["honor"])))


def charged(state: State, action: Action, faction: Faction) -> tuple[int, int] | None:
    """Return what the engine books for an action; None where the end of the game cuts a path or a claim short."""
    after, events = engine.play(state, action)
    kind = type(action)
    # The choices of a round are booked together, after the second one; so are two retreats.
    while isinstance(action, Fight | Retreat) and _waits_for_the_same(after, kind, OTHER[faction]):
        answers = [one for one in helpers.candidates(after) if isinstance(one, kind)]
        after, more = engine.play(after, answers[0])
        events += more
    changes = [event for event in events if isinstance(event, ev.HonorChanged | ev.EnergyChanged)]
    # The loss for an occupied base belongs to the turn that begins.
    mine = [event for event in changes if event.faction == faction and event.reason != "base"]
    if isinstance(action, Fight):
        mine = [event for event in mine if event.reason in ("combat", "all-out", "energy")]
    elif isinstance(action, Retreat):
        mine = [event for event in mine if event.reason == "retreat"]
    elif isinstance(action, Move) and (len(action.path) > 2 or action.claim is not None) and after.outcome is not None:
        return None
    return (
        sum(event.change for event in mine if isinstance(event, ev.HonorChanged)),
        sum(event.change for event in mine if isinstance(event, ev.EnergyChanged)),
    )


def _waits_for_the_same(state: State, kind: type[Action], faction: Faction) -> bool:
    """Return whether the other side has to give the same kind of answer before either is booked."""
    request = engine.next_request(state)
    if request is None or faction not in request.seats or state.combat is None:
        return False
    return state.phase == (Phase.FIGHT if kind is Fight else Phase.RETREAT)


def kind_of(state: State, action: Action) -> str:
    """Return what an action is called when one asks whether every kind has occurred."""
    if not isinstance(action, Move):
        return type(action).__name__
    if action.claim is not None:
        return "Move with a claim"
    if len(action.path) > 2:
        return "Move of several steps"
    return "Attack" if state.sides[OTHER[state.turn]][action.path[-1]] else "Move"


def compare(state: State, action: Action) -> bool:
    """Check a preview against what the engine then does; return whether there was a price to compare."""
    faction = helpers.actor(state, action)
    view = helpers.owner_view(state, faction)
    found, price = preview.preview(view, action, faction, "Bob"), engine.price(view, action)
    booked = charged(state, action, faction)
    if booked is not None:
        assert change(found) == booked, notation.format_action(action)
    # Nothing is lost or shown without a question.
    if min(change(found)) < 0 or price.reveals or preview.retreat_loss(view, action, faction):
        assert found.severity >= Severity.ASK
    if found.honor[1] < 1:
        assert found.severity == Severity.LAST
    _, events = engine.play(state, action)
    shown = {event.unit for event in events if isinstance(event, ev.Revealed) and event.faction == faction}
    heir = preview.heir_after(view, action, faction)
    told = set(price.reveals) | ({heir} if heir is not None else set())
    # Aphrodite's answer begins the combat, which shows whoever stands in it; the round can cost the first leader.
    assert shown == told or (isinstance(action, Aid | Fight) and told <= shown), notation.format_action(action)
    return booked is not None


def test_the_preview_equals_what_the_engine_charges() -> None:
    compared = 0
    for seed in range(30):
        rng = random.Random(seed)
        for state, _ in helpers.walk(rng, helpers.random_start(rng), 25):
            if state.phase in (Phase.OPENING, Phase.SUCCESSION):
                continue
            actions = helpers.candidates(state)
            compared += sum(compare(state, action) for action in rng.sample(actions, min(4, len(actions))))
    assert compared > 1000


def test_every_kind_of_action_costs_and_shows_what_its_preview_says() -> None:
    compared: Counter[str] = Counter()
    for path in sorted(helpers.SCENARIOS.glob("*.json")):
        for case in (case for case in helpers.load_scenarios(path) if "game" not in case):
            for state, action in helpers.played(helpers.question(case)):
                compared[kind_of(state, action)] += compare(state, action)
    kinds = {one.__name__ for one in (Sneak, Reveal, Bolt, Recall, Liturgy, Pass, Aid, Fight, Lose)}
    kinds |= {one.__name__ for one in (Immune, Block, Retreat, Stay)}
    kinds |= {"Move", "Attack", "Move with a claim", "Move of several steps"}
    assert {kind for kind, number in compared.items() if number} == kinds


def test_the_hidden_units_of_the_enemy_change_nothing() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        state = helpers.random_position(rng)
        if state.phase == Phase.OVER:
            continue
        other = helpers.exchange(rng, state, OTHER[state.turn])
        for action in rng.sample(engine.legal_actions(state, state.turn), 5):
            views = (helpers.owner_view(state, state.turn), helpers.owner_view(other, state.turn))
            first, second = (preview.preview(view, action, state.turn, "Bob") for view in views)
            assert first == second


# -- grades ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "known", "action", "more", "severity"),
    [
        ("charon 10, hades 5, zeus 15", "", "move 10 11", {}, Severity.FREE),
        ("charon 12, hades 5, zeus 15", "", "move 12 13", {}, Severity.ASK),
        ("charon 11, hades 5, zeus 15", "", "move 11 10", {}, Severity.ASK),
        ("charon 11, hades 5, zeus 15", "", "move 11 10", {"honor": (4, 9)}, Severity.WARN),
        ("charon 11, hades 5, zeus 15", "", "move 11 10", {"honor": (2, 9)}, Severity.LAST),
        ("charon 11, hades 5, zeus 15", "", "reveal charon", {}, Severity.ASK),
        ("charon 11, hades 5, zeus 15", "", "reveal hades", {}, Severity.WARN),
        ("charon 12, hades 5, zeus 15", "", "move 12 13", {"energy": (2, 9)}, Severity.WARN),
        ("charon 14, hades 5, zeus 10, ares 10", "", "move 14 8", {}, Severity.WARN),
        ("charon 11, hades 5, zeus 10, ares 10", "", "move 11 12", {"honor": (2, 9)}, Severity.WARN),
        ("charon 11, hades 5, zeus 15", "", "liturgy", {}, Severity.ASK),
        ("hades 9, zeus 8", "", "move 9 15", {}, Severity.ASK),
        # A leader who attacks the Palace is shown and has not won.
        ("hades 9, zeus 15", "", "move 9 15", {}, Severity.WARN),
        # Enemies stay in the own base, and the move does nothing about it.
        ("charon 11, hades 5, zeus 10", "", "move 11 12", {}, Severity.WARN),
        ("charon 11, hades 5, zeus 10", "", "move 11 10", {}, Severity.ASK),
        ("charon 11, hades 5, zeus 10", "", "reveal charon", {}, Severity.ASK),
        # Ares and Athena, 7 together, need 6 Energy of Charon (2), and 6 are allowed to him.
        ("charon 18, nyx 12, hades 10, ares athena 19", "ares athena", "move 12 13", {"energy": (7, 9)}, Severity.WARN),
        ("charon 18, nyx 12, hades 10, ares athena 19", "ares athena", "move 12 13", {"energy": (8, 9)}, Severity.ASK),
        ("charon 18, nyx 12, hades 10, ares athena 19", "ares athena", "move 12 13", {"energy": (5, 9)}, Severity.ASK),
        ("charon 18, nyx 12, hades 10, ares athena 19", "ares", "move 12 13", {"energy": (7, 9)}, Severity.ASK),
        # Demeter takes Persephone with her.
        ("persephone 13, hades 5, demeter 14, zeus 15", "demeter persephone", "move 13 14", {}, Severity.WARN),
        ("persephone 13, charon 5, demeter 14, zeus 15", "demeter persephone", "move 13 14", {}, Severity.LAST),
        ("persephone 13, charon 5, demeter 14, zeus 15", "persephone", "move 13 14", {}, Severity.ASK),
    ],
)
def test_the_severity_of_a_warning(
    units: str, known: str, action: str, more: dict[str, object], severity: Severity
) -> None:
    assert look(helpers.at("chthonians", units, known=known, **more), action).severity == severity


def test_a_loss_tells_whom_it_takes_along_and_who_leads_then() -> None:
    start = helpers.at("chthonians", "hades thanatos charon 14, persephone 5, ares zeus hera 9, athena 15")
    state = helpers.play(start, "move 14 9", "fight chthonians standard 0", "fight olympians standard 1")
    assert "Persephone then leads and is revealed." in spoken(state, "lose hades")
    assert "then leads" not in spoken(state, "lose charon")
    assert "Thanatos takes along everyone who is left there: Hades and Charon." in spoken(state, "lose thanatos")
    assert look(state, "lose thanatos").severity == Severity.WARN


def test_who_meets_an_enemy_that_he_does_not_survive_is_told() -> None:
    units = "hades 5, cronus 14, zeus hera 15"
    known = helpers.at("olympians", units, known="cronus")
    assert look(known, "move 15 14 zeus").severity == Severity.WARN
    assert "Cronus is there: Zeus would be eliminated at once" in spoken(known, "move 15 14 zeus")
    assert look(known, "move 15 14 hera").severity == Severity.ASK
    hidden = helpers.at("olympians", units)
    assert look(hidden, "move 15 14 zeus").severity == Severity.ASK
    assert "If Cronus is there, Zeus is eliminated at once" in spoken(hidden, "move 15 14 zeus")


def test_whoever_wins_by_it_is_not_warned() -> None:
    state = helpers.at("olympians", "persephone 13, demeter 14, zeus 15", known="persephone", eliminated="hades")
    assert look(state, "move 14 13 demeter").severity == Severity.ASK


def test_a_loss_is_not_told_twice() -> None:
    found = look(helpers.at("chthonians", "charon 11, hades 5, zeus 15", honor=(2, 9)), "move 11 10")
    assert found.told == ("Honor would be 0: you lose the game at once.",)


def test_what_else_a_unit_could_do_is_told() -> None:
    sneak = helpers.at("chthonians", "erinyes 14, hades 5, ares 9, zeus 15")
    assert "Or: sneak 14 9 (honor -1 energy -2)" in spoken(sneak, "move 14 9 erinyes")
    assert "sneak" not in spoken(sneak, "move 14 8 erinyes")
    hermes = helpers.at("olympians", "hermes 24, zeus 15, hades 5")
    assert "Hermes can go on from 23" in spoken(hermes, "move 24 23 hermes")
    assert "can go on" not in spoken(hermes, "move 24 23 22 hermes")


def test_an_all_out_attack_with_the_last_leader_is_the_loudest_warning() -> None:
    state = helpers.play(helpers.at("chthonians", "hades 14, zeus ares 9"), "move 14 9 hades")
    assert look(state, "fight chthonians attack 0").severity == Severity.LAST
    beside = helpers.play(helpers.at("chthonians", "hades 14, persephone 1, zeus ares 9"), "move 14 9 hades")
    assert look(beside, "fight chthonians attack 0").severity == Severity.ASK


def test_a_retreat_that_may_come_is_part_of_the_warning() -> None:
    state = helpers.play(helpers.at("chthonians", "charon 14, hades 1, zeus ares 9"), "move 14 9 charon")
    found = look(state, "fight chthonians retreat 0")
    assert (change(found), found.severity) == ((0, 0), Severity.ASK)
    assert "If the retreat succeeds: honor -2 more." in found.told


# -- words ----------------------------------------------------------------------------------------------------


def test_what_both_sides_learn_and_forget_is_said() -> None:
    state = helpers.at("chthonians", "erinyes hecate 14, hades 10, athena 8, zeus 15", known="erinyes")
    attack = preview.lines(look(state, "move 14 8 erinyes hecate"))
    assert attack[0].startswith("move 14 8 erinyes hecate   ATTACK 2 against 1, backward   honor 16 > 14 (-2)")
    assert "  Bob learns: Hecate." in attack
    assert "  You learn: the unit in 8." in attack
    parting = preview.lines(look(state, "move 14 20 hecate"))
    assert "  Bob forgets which is which in 14 and 20." in parting


def test_a_claim_that_is_possible_is_named() -> None:
    river = look(helpers.at("olympians", "poseidon 2, zeus 15, hades 10"), "move 2 7 poseidon")
    assert any(one.startswith("You can claim: ") and "energy +2" in one for one in river.told)
    goal = look(helpers.at("chthonians", "hades 9, zeus 8"), "move 9 15 hades")
    assert "You can claim: move 9 15 hades claim: wins the game, shows Hades." in goal.told


def test_cheaper_ways_are_named() -> None:
    ferry = helpers.at("chthonians", "charon 12, hades 6, zeus 15")
    assert cheaper(ferry, "move 6 7 hades").startswith("reveal charon first: saves 2 energy")
    god = helpers.at("olympians", "dionysus 9, zeus 20, hades 10")
    assert cheaper(god, "move 9 15").startswith("reveal dionysus first: saves 1 honor")
    assert "to 9 (free)" in cheaper(notation.load_position(helpers.question(EXAMPLE)), "move 14 8 erinyes hecate")


def test_who_could_go_alone_for_less_is_named() -> None:
    state = helpers.at("chthonians", "erinyes hecate 14, hades 10, hera 8, zeus 15", known="hera")
    assert "alone Hecate, Erinyes (honor -1)" in cheaper(state, "move 14 8 erinyes hecate")
    assert "alone" not in cheaper(state, "move 14 8 erinyes")


def test_a_cheaper_way_is_really_cheaper() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        state = helpers.random_position(rng)
        if state.phase == Phase.OVER:
            continue
        view = helpers.owner_view(state, state.turn)
        for action in rng.sample(engine.legal_actions(view, state.turn), 5):
            for hint in preview.cheaper(view, action, state.turn):
                assert hint.startswith(("reveal ", "to ", "alone "))


def test_a_thunderbolt_that_may_be_wasted_is_told() -> None:
    state = helpers.at("olympians", "zeus 14, cerberus 13, hades 10")
    found = look(state, "bolt 13")
    assert any("Cerberus could be alone there" in note for note in found.told)
    assert any("Hecate" in note for note in found.told)


def test_all_who_may_have_a_power_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "BOLT_FED", mask_of((Unit.HECATE, Unit.CHARON)))
    found = look(helpers.at("olympians", "zeus 14, cerberus 13, hades 10"), "bolt 13")
    assert "If Hecate or Charon is there, the enemy can gain Energy." in found.told


def test_the_sentence_for_a_screen_reader_says_the_same() -> None:
    state = notation.load_position(helpers.question(EXAMPLE))
    said = preview.sentence(look(state, "move 14 8 erinyes hecate"))
    assert said.startswith("move 14 8 erinyes hecate. ATTACK 2 against 1, backward. Honor 16 to 14. Energy stays 24.")


def test_both_sides_can_be_asked() -> None:
    assert {Faction(faction) for faction in FACTIONS} == set(Faction)
