"""Cards, the Honor table, the setup and the other things to look at."""

import random
import re
from collections.abc import Iterator, Sequence

import helpers
import pytest

from cli import language
from cli.console import pages
from cli.console.messages import NotUnderstood
from cli.storm import grammar, placing, viewing, vocabulary
from cli.storm.console import STORM
from cli.storm.model import Model
from cli.storm.placing import Placing
from cli.storm.text import help_text, narrate, story
from cli.storm.vocabulary import COMMANDS
from cli.vocabulary import Kind
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import FACTIONS, REALM, Faction
from storm_p2p.storm.rules import combat, setup
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import CARDS, Unit

pytestmark = pytest.mark.usefixtures("recorded_strengths")

STATE = helpers.at(
    "chthonians",
    "erinyes hecate 14, hades 10, ares hera 9, zeus 15, athena 8, artemis apollo 19",
    known="erinyes ares",
    eliminated="hermes charon",
)


def shown(model: Model, what: str, args: Sequence[str]) -> Sequence[str]:
    """Return the lines of a view, of the game or of every game."""
    found = pages.show_view(model, what, args)
    return viewing.show(model, what, args) if found is None else found


def model_of(state: State = STATE, faction: Faction = Faction.CHTHONIANS) -> Model:
    return Model(STORM, faction, state.terms, "bob", state=helpers.owner_view(state, faction), deciding=True)


def show(what: str, *args: str, model: Model | None = None) -> str:
    return "\n".join(shown(model or model_of(), what, args))


# -- cards and tables -------------------------------------------------------------------------------------------


def test_the_honor_table_is_asked_of_the_rules() -> None:
    helpers.assert_golden("console_honor_table.txt", "\n".join(viewing.honor_table(Terms(open_combat=True))) + "\n")


def test_every_card_says_its_names_strength_and_text() -> None:
    for row in CARDS:
        said = " ".join(viewing.card(model_of(), row.unit))
        assert row.text in said
        assert f"strength {row.strength}" in said
        assert all(name.capitalize() in said for name in vocabulary.names_of(row.name))


def test_the_overview_knows_who_stands_where() -> None:
    said = show("units").splitlines()
    assert len(said) == 24
    assert said[0] == "Hades, strength 5, in 10, secret."
    for line in (
        "Erinyes, strength 4, in 14, known.",
        "Charon, strength 2, eliminated.",
        "Zeus, strength 6, hidden.",
        "Hera, strength 3, hidden or not selected.",
        "Ares, strength 3, in 9.",
    ):
        assert line in said


def test_the_eye_shows_what_the_opponent_knows() -> None:
    assert show("eye") == "bob knows: Erinyes 14.\nSecret: Hades 10, Hecate 14."


# -- looking ----------------------------------------------------------------------------------------------------


def test_who_is_told_with_the_neighbours() -> None:
    said = show("who", "14")
    assert said.startswith("14, realm of the Olympians. yours: Erinyes known to bob, Hecate secret.")
    assert "Up left: 9, bob: Ares and one hidden." in said
    assert "over the Styx" in show("who", "12")


def test_costs_are_said_as_a_screen_reader_says_them() -> None:
    assert show("costs", "eri", "hec") == (
        "9: 0. 19, 20: minus 1 honor. 8, 13, 15: minus 2 honor."
        " Attacks: 8 (2 against 1), 9 (2 against 2), 15 (2 against 1), 19 (2 against 2)."
    )
    assert show("costs", "14") == show("costs", "eri", "hec")
    assert show("costs", "eri").startswith("9, 19: plus 2 honor.")


@pytest.mark.parametrize(
    ("what", "args", "sentence"),
    [
        ("who", (), "Which region, 1 to 24?"),
        ("who", ("25",), "is not a region"),
        ("costs", ("hades", "erinyes"), "that stand together, not Hades"),
        ("costs", ("nyx",), "Name units of yours"),
        ("scan", ("9",), "is not a column"),
        ("scan", (), "Which column"),
        ("where", ("xyz",), "is not a unit"),
        ("card", (), "Name a unit"),
    ],
)
def test_a_view_that_cannot_be_shown_says_what_was_expected(what: str, args: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(NotUnderstood, match=sentence):
        shown(model_of(), what, args)


def test_every_view_works_in_every_position_without_control_characters() -> None:
    views = ("board", "options", "units", "table", "eye", "log", "last", "opponent", "turn", "clocks", "undo")
    for seed in range(12):
        rng = random.Random(seed)
        for state, _ in helpers.walk(rng, helpers.random_start(rng), 12):
            for faction in FACTIONS:
                model = model_of(state, faction)
                for what in views:
                    assert all(line.isprintable() for line in shown(model, what, ()))
                for region in ("7", "10", "15"):
                    shown(model, "who", (region,))


def test_what_is_seen_does_not_depend_on_hidden_enemies() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        state = helpers.random_position(rng)
        other = helpers.exchange(rng, state, Faction.OLYMPIANS)
        for what in ("board", "units", "opponent", "turn"):
            assert show(what, model=model_of(state)) == show(what, model=model_of(other))
        for region in map(str, range(1, 25)):
            assert show("who", region, model=model_of(state)) == show("who", region, model=model_of(other))


# -- combat -----------------------------------------------------------------------------------------------------


def test_the_combat_of_the_rules_example() -> None:
    state = helpers.at("chthonians", "charon cronus 12, hades 10, hermes poseidon 13, zeus 15", honor=(11, 8))
    state = helpers.play(state, "move 12 13 charon cronus")
    helpers.assert_golden("console_combat.txt", "\n".join(story.combat_spoken(model_of(state))) + "\n")


def test_a_maneuver_that_is_not_allowed_says_why() -> None:
    state = helpers.play(helpers.at("chthonians", "cerberus 12, hades 10, ares 13, zeus 15"), "move 12 13")
    rows = list(story.maneuver_rows(helpers.owner_view(state, 0), Faction.CHTHONIANS))
    assert sum(row[-1] == "Cerberus alone: only chase" for row in rows) == 4


def test_powers_that_act_in_the_combat_are_said() -> None:
    state = helpers.play(helpers.at("chthonians", "hecate charon 12, hades 10, ares 13, zeus 15"), "move 12 13 hecate")
    assert story.powers_there(state) == ["Hecate takes the Energy the enemy spends.", "Ares makes Energy count twice."]


@pytest.mark.parametrize(
    ("attackers", "told"),
    [
        ("persephone 12", "Hermes stops even Persephone in a chase."),
        ("charon 12", None),
        ("persephone charon 12", None),
    ],
)
def test_who_is_held_by_whom_is_said_only_where_they_meet(attackers: str, told: str | None) -> None:
    """Of every combat with Hermes it was said that he blocks the escape; he only holds lone Persephone (HRM-2)."""
    state = helpers.play(helpers.at("chthonians", f"{attackers}, hades 10, hermes 13, zeus 15"), "move 12 13")
    assert story.powers_there(state) == [told] * (told is not None)
    alone = helpers.play(helpers.at("chthonians", f"{attackers}, hades 10, ares 13, zeus 15"), "move 12 13")
    assert ("Persephone escapes any chase." in story.powers_there(alone)) == (told is not None)


# -- the setup --------------------------------------------------------------------------------------------------


def test_units_are_put_swapped_and_sealed() -> None:
    draft = placing.put(Placing(Faction.CHTHONIANS), Unit.HADES, 11)
    draft = placing.put(draft, Unit.NYX, 1)
    draft = placing.put(draft, Unit.NYX, 11)
    assert draft.by_region == {11: Unit.NYX, 1: Unit.HADES}
    draft = placing.swap(draft, Unit.NYX, Unit.HADES)
    assert draft.by_region == {1: Unit.NYX, 11: Unit.HADES}
    draft = placing.swap(draft, Unit.NYX, Unit.CHARON)
    assert draft.by_region == {1: Unit.CHARON, 11: Unit.HADES}
    assert placing.mirror(draft).by_region == {21: Unit.CHARON, 11: Unit.HADES}
    assert placing.change(draft, "clear", (), 0, random.Random(1)).places == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda draft: placing.put(draft, Unit.HADES, 15), "15 is not in your realm"),
        (lambda draft: placing.put(draft, Unit.ZEUS, 11), "Zeus is not one of them"),
        (lambda draft: placing.swap(draft, Unit.HADES, Unit.HADES), "two different units to swap"),
        (lambda draft: placing.finish(draft), "Hades has to be among the nine"),
        (lambda draft: placing.finish(placing.put(draft, Unit.HADES, 11)), "free: 1, 5, 6, 10, 12, 16, 17 and 21"),
    ],
)
def test_a_wrong_setup_is_refused_in_words(change, sentence: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=sentence):
        change(Placing(Faction.CHTHONIANS))


def test_random_setups_are_legal() -> None:
    for faction in FACTIONS:
        for seed in range(50):
            draft = placing.fill(Placing(faction), random.Random(seed))
            for arranged in (draft, placing.mirror(draft)):
                units = placing.finish(arranged)
                assert setup.check_units(faction, units, random=False) is None
                assert [region for region, _ in arranged.places] == list(REALM[faction])


def test_every_view_of_the_table_shows_something() -> None:
    rows = [row.name for row in COMMANDS.values() if row.kind is Kind.VIEW]
    # What these say depends on more than what is known of the match.
    of_what = {"who": "14", "scan": "3", "where": "hades", "card": "hades"}
    for what in sorted(set(rows) - {"help", "repeat"}):
        assert show(what, of_what.get(what, "")), what


# -- help -------------------------------------------------------------------------------------------------------


def test_there_is_help_in_every_phase_and_on_every_command() -> None:
    for phase in Phase:
        for faction in FACTIONS:
            assert help_text.help_for(phase, faction, deciding=True)
    for word in ("move", "m", "liturgy", "std", "zug", "claim", "xyz"):
        assert help_text.help_on(word, Faction.OLYMPIANS)
    for verb in (word for row in COMMANDS.values() for word in (row.name, *" ".join(row.words.values()).split())):
        assert not help_text.help_on(verb, Faction.OLYMPIANS)[0].startswith("There is no command"), verb


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("std", "loses one unit"),
        ("ret", "2 Honor"),
        ("chase", "3 less power"),
        ("att", "all of yours"),
        ("attack", "all of yours"),
        ("def", "if you win nobody dies"),
        ("verfolgen", "3 less power"),
    ],
)
def test_help_on_a_maneuver_says_what_it_does(word: str, says: str) -> None:
    (line,) = help_text.help_on(word, Faction.OLYMPIANS)
    assert says in line


def test_help_on_a_combat_says_what_every_maneuver_does() -> None:
    for word in ("combat", "fight"):
        lines = help_text.help_on(word, Faction.CHTHONIANS)
        assert [line.split()[0] for line in lines] == ["fight", "std", "ret", "chase", "att", "def"]
    assert len(help_text.help_on("retreat", Faction.CHTHONIANS)) == 2


def test_only_whose_choice_is_due_and_open_is_told_that_it_is_seen() -> None:
    state = helpers.play(helpers.at("chthonians", "thanatos 14, hades 10, athena 9, zeus 15"), "move 14 9")
    assert story.choice_seen(state, Faction.OLYMPIANS, "bob") == []
    (told,) = story.choice_seen(state, Faction.CHTHONIANS, "bob")
    assert told.startswith("Your choice is open")
    state = helpers.play(state, "fight chthonians chase 1")
    (told,) = story.choice_seen(state, Faction.OLYMPIANS, "bob")
    assert "bob" in told
    assert "1" in told


@pytest.fixture
def tongues() -> Iterator[None]:
    """Speak English after a test that chooses other languages."""
    yield
    language.choose(language.ENGLISH)


RESTRICTED = {
    "cerberus": ("chase 1", "verf 1", "chase 0", "verf 0"),
    "erinyes": ("std 2, chase 1, att 3", "std 2, verf 1, ang 3", "std 0", "std 0"),
}


@pytest.mark.usefixtures("tongues")
@pytest.mark.parametrize("unit", RESTRICTED)
def test_examples_of_a_choice_are_those_that_are_allowed(unit: str) -> None:
    state = helpers.play(
        helpers.at("olympians", f"{unit} 13, hades 10, ares 14, zeus 15", known="zeus"), "move 14 13 ares"
    )
    english, german, one, eine = RESTRICTED[unit]
    for tongue, examples, single in ((language.ENGLISH, english, one), (language.GERMAN, german, eine)):
        language.choose(tongue)
        assert story.example_choices(state, Faction.CHTHONIANS) == examples
        for line in ("fight", "13 14"):
            with pytest.raises(NotUnderstood) as refused:
                grammar.parse(line, state, Faction.CHTHONIANS)
            assert re.search(rf": {single}[.;]", str(refused.value))
        helped = " ".join(help_text.help_for(Phase.FIGHT, Faction.CHTHONIANS, deciding=True, choices=examples))
        assert f": {examples};" in helped


def test_an_example_names_no_more_energy_than_there_is_and_no_retreat_without_a_way() -> None:
    around = "ares hera 14, dionysus 8, apollo 7, athena 19, hermes 12, poseidon 18, zeus 15"
    state = helpers.at("olympians", f"moirae 13, hades 10, {around}", known="zeus", energy=(1, 9))
    state = helpers.play(state, "move 14 13 ares")
    assert not combat.ways_out(state, Faction.CHTHONIANS)
    assert story.example_choices(state, Faction.CHTHONIANS) == "std 1, chase 1, att 1, def 0"


@pytest.mark.usefixtures("tongues")
def test_several_units_are_listed_with_commas_and_one_and() -> None:
    units = (Unit.CRONUS, Unit.HADES, Unit.ERINYES)
    moved = ev.Moved(Faction.CHTHONIANS, (14, 13), units, attack=False, flight=False)
    assert "Cronus, Hades and Erinyes" in narrate.line(moved)
    language.choose(language.GERMAN)
    assert "Kronos, Hades und Erinnyen" in narrate.line(moved)


def test_one_attacker_is_one() -> None:
    rows = viewing.honor_table(Terms())
    assert [row.split()[1] for row in rows if "attacker" in row] == ["attacker", *["attackers"] * 3]
