"""German at the prompt: what texts name is understood, and no English word is named for which there is a German one."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Final

import catalogue
import helpers
import pytest

from cli import language
from cli.app import games
from cli.console.messages import Act, Match
from cli.storm import grammar, vocabulary
from cli.storm.text import help_text, screens, typed
from cli.storm.vocabulary import ARGUMENTS, COMMANDS, MORE_UNITS
from cli.text import events
from cli.vocabulary import COMMON_ARGUMENTS, DE, EN, Words, fold, words_in
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CARDS, NAME, Maneuver, Unit

_ARGUMENTS = {**COMMON_ARGUMENTS, **ARGUMENTS}

_SHORT_ENGLISH: Final = {"ret", "att", "def"}
_NOT_TYPED_IN_A_MATCH: Final = {
    "cli/app/arguments.py",
    "cli/app/launch/proposal.py",
    "cli/fight/text/screens.py",
    "cli/storm/game.py",
    "cli/storm/text/narrate.py",
}
"""Options of the command line and words in a file of cards are the same in both languages, and what is told of an event
is looked up by a word that nobody reads."""
_GERMAN_TOO: Final = {"lang"}
"""Words that mean something else in German."""
_NAME_OF_A_SETUP: Final = "last"
_COMMAND_LINE: Final = re.compile(
    r"storm-p2p event [a-z]+( \{folder\} (forfeit|double|award|bye))?|"
    r"eval \"|--game fight|storm-p2p( [a-z]+)?( (show|export|import|passphrase|list|trust|forget|last))?|--[a-z-]+"
)


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    """Speak German."""
    language.choose(language.GERMAN)
    yield
    language.choose(language.ENGLISH)


def folded(spoken: str, groups: Mapping[str, Words]) -> set[str]:
    return {fold(word) for name, words in groups.items() for word in words_in(spoken, name, words)}


def test_every_command_has_a_german_word_and_no_word_means_two_commands() -> None:
    assert all(DE in row.words for row in COMMANDS.values())
    for spoken in language.LANGUAGES:
        every = [fold(word) for row in COMMANDS.values() for word in words_in(spoken, row.name, row.words)]
        assert len(every) == len(set(every))
    for verb, row in COMMANDS.items():
        for word in (verb, *" ".join(row.words.values()).split(), vocabulary.say(verb)):
            assert verb in (vocabulary.find_verb(word), vocabulary.console_word(word)), word


def test_no_german_text_names_an_english_word_where_there_is_a_german_one() -> None:
    commands = {row.name: row.words for row in COMMANDS.values()}
    english = folded(EN, commands) | set(_ARGUMENTS)
    foreign = {word for word in english | _SHORT_ENGLISH if len(word) > 1}
    foreign -= _GERMAN_TOO | folded(DE, commands) | folded(DE, _ARGUMENTS)
    assert {"move", "seal", "accept", "ret", "none", "load"} <= foreign
    for message in catalogue.read("de"):
        places = {path for path, _ in message.locations}
        if message.id in ("", _NAME_OF_A_SETUP) or places <= _NOT_TYPED_IN_A_MATCH:
            continue
        for form in catalogue.forms(message):
            plain = re.sub(r"\{[^}]*\}", "", _COMMAND_LINE.sub("", form))
            assert not foreign & set(re.findall(r"[^\W\d_]+", plain)), form


_PLACEHOLDERS: Final = {
    "REGION": "7",
    "EINHEIT": "hades",
    "EINHEITEN": "hades",
    "NAME": "aphrodite",
    "N": "20",
    "WORT": "brett",
    "TEXT": "hallo",
    "VON": "12",
    "NACH": "7",
    "ENERGIE": "0",
    "MANÖVER": "flucht",
    "FRAKTION": "chthonier",
}
"""What a person would type for the words in capitals."""
_CANNOT: Final = re.compile(r"^(Erwartet|Nicht möglich)")


def understood(command: str) -> bool:
    """Return whether the first word of a command is one of the grammar, or a maneuver, a unit, a region."""
    first = fold(command).replace(">", " ").split()[0]
    return (
        vocabulary.find_verb(first) is not None
        or vocabulary.console_word(first) is not None
        or first in grammar.MANEUVERS
        or grammar.is_unit(first)
        or first.isdigit()
    )


def named() -> Iterator[str]:
    """Yield the commands that help and hints name: what begins an explanation, and what stands in an example."""
    choice = f"{vocabulary.typed_as(Maneuver.RETREAT)} 0"
    yield choice
    for faction in Faction:
        for word in (*COMMANDS, "claim"):
            lines = help_text.help_on(word, faction)
            if not _CANNOT.match(lines[0]) and not lines[0].startswith("Das Wort"):
                yield lines[0].split()[0].rstrip(":,")
        for verb in ("sneak", "bolt", "drain", "aid", "lose", "retreat", "fight", "reveal", "recall"):
            usage = typed.usage(verb, faction, choice)
            assert usage is not None
            yield re.split("[Ee]twa: |wie: |Beispiel: ", usage)[-1].rstrip(".")
        yield screens.first(faction).partition("etwa: ")[2].partition(".")[0]
        for phase in Phase:
            for line in help_text.help_for(phase, faction, deciding=True):
                # After a colon commands stand side by side.
                if ": " in line and line.split(":")[0] in ("Oder", "Ansehen", "Reden"):
                    for part in re.sub(r"\([^)]*\)|/TEXT|Die Partie: ", "", line.partition(": ")[2]).split(","):
                        for one in re.split(r"\.| oder ", part):
                            if one.strip():
                                yield one.strip()
    for answer in typed.ANSWERS.values():
        yield from re.findall(r"\b[a-zäöü]+ [A-ZÄÖÜ]{2,}\b", str(answer))


def test_every_command_that_help_and_hints_name_is_understood() -> None:
    every = set(named())
    assert {"aufdecken", "versiegeln", "ende", "optionen", "zurückholen"} <= {one.split()[0] for one in every}
    assert [one for one in sorted(every) if not understood(one)] == []
    for placeholder in re.findall(r"\b[A-ZÄÖÜ]{2,}\b|\bN\b", " ".join(every)):
        assert placeholder in _PLACEHOLDERS, placeholder


@pytest.mark.parametrize("seed", range(4))
def test_every_legal_action_can_be_typed_as_it_is_named(seed: int) -> None:
    seen: set[str] = set()
    rng = random.Random(seed)
    for state, _ in helpers.walk(rng, helpers.random_start(rng), 40):
        for faction in FACTIONS:
            view = helpers.owner_view(state, faction)
            request = engine.next_request(view)
            if request is None or faction not in request.seats or view.phase in (Phase.SETUP, Phase.OPENING):
                continue
            for action in engine.legal_actions(view, faction):
                canonical = notation.format_action(action)
                spoken = vocabulary.say(canonical)
                seen.add(spoken.split()[0])
                understood_as = grammar.parse(spoken, view, faction)
                assert isinstance(understood_as, Act), spoken
                assert notation.format_action(understood_as.action) == canonical, spoken
    assert {"zug", "aufdecken", "liturgie", "kampf"} <= seen


@pytest.mark.parametrize(
    ("typed_as", "unit"),
    [
        ("kerberos", Unit.CERBERUS),
        ("Zerberus", Unit.CERBERUS),
        ("moiren", Unit.MOIRAE),
        ("furien", Unit.ERINYES),
        ("Erinyen", Unit.ERINYES),
        ("harpyien", Unit.HARPIES),
        ("hephäst", Unit.HEPHAESTUS),
        ("Apoll", Unit.APOLLO),
        ("fates", Unit.MOIRAE),
        ("furi", Unit.ERINYES),
    ],
)
def test_natural_spellings_of_units_are_understood(typed_as: str, unit: Unit) -> None:
    assert grammar.find_unit(typed_as) == unit


def test_no_other_spelling_takes_a_name_or_a_beginning_away() -> None:
    names = {word for card in CARDS for word in vocabulary.words_for(card.name)}
    for name, others in MORE_UNITS.items():
        assert name in NAME
        for other in others:
            assert other not in names
            assert fold(other) == other
            assert grammar.find_unit(other) == NAME.index(name)
    assert grammar.find_unit("kr") == Unit.CRONUS
    assert grammar.find_unit("p", Faction.CHTHONIANS) == Unit.PERSEPHONE


@pytest.mark.parametrize("word", ["tschüss", "Tschüß", "tschuess", "TSCHÜSS", "ciao", "servus", "bye", "quit"])
@pytest.mark.parametrize("spoken", language.LANGUAGES)
def test_farewells_are_understood_in_every_spelling_and_language(word: str, spoken: str) -> None:
    language.choose(spoken)
    assert grammar.parse(word, None, Faction.CHTHONIANS) == Match("bye")


@pytest.mark.parametrize("word", ["rückzug", "RUECKZUG", "flucht", "retreat", "ret"])
def test_a_maneuver_is_understood_with_an_umlaut_and_without(word: str) -> None:
    assert grammar.MANEUVERS[fold(word)] == Maneuver.RETREAT


def test_of_two_languages_a_beginning_means_that_of_the_reader() -> None:
    assert vocabulary.find_verb("bre") == "board"
    # "no" begins notes and note in English, and nochmal in German.
    assert vocabulary.find_verb("noc") == "repeat"
    assert vocabulary.find_verb("ver") is None
    language.choose(language.ENGLISH)
    assert vocabulary.find_verb("boa") == "board"


def test_an_unknown_word_is_answered_with_a_german_one() -> None:
    assert vocabulary.VOCABULARY.nearest_word("versigeln") == "versiegeln"
    assert vocabulary.VOCABULARY.nearest_word("bord") == "brett"
    assert vocabulary.VOCABULARY.nearest_word("cronos") == "kronos"
    language.choose(language.ENGLISH)
    assert vocabulary.VOCABULARY.nearest_word("bord") == "board"


_OTHER_WORDS: Final = re.compile(
    r"\b(Gebiete?n?|Felde?r?n?|Rückzug|frische[nmrs]?|Unentschieden|Match|Spielzug|eliminiert?|Ihnen|Ihre[nmrs]?)\b"
)
"""What the glossary of the catalogue has another word for: Region, Flucht, neu, Remis, Partie, Zug, ausscheiden, du."""


def test_german_texts_use_the_words_of_the_glossary() -> None:
    for message in catalogue.read("de"):
        for form in catalogue.forms(message) if message.id else ():
            assert not _OTHER_WORDS.search(form), form


def test_english_texts_call_a_region_a_region() -> None:
    for sentence in catalogue.sentences():
        assert not re.search(r"\b(HEX|hex|hexes|field)\b", f"{sentence.one} {sentence.several}"), sentence


@pytest.mark.usefixtures("spoken")
def test_a_letter_tells_the_sides_of_a_cross_table_apart() -> None:
    """In German "Seite links" and "Seite rechts" were 1 and 2, and "31" said which side met number 3."""
    for name in games.NAMES:
        console = games.find(name).console
        letters = events.side_letters([console.side_name(side) for side in console.sides])
        assert len({*letters}) == len(letters)
        assert all(letter.isalpha() for letter in letters)
