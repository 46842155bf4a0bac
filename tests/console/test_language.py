"""German and English: which is chosen, when a sentence is translated, and that the catalogues are whole."""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import catalogue
import pytest

from cli import language
from cli.app import games
from cli.app.join import _side
from cli.app.main import main
from cli.console.messages import ChooseLanguage, Confirm
from cli.fight import reading
from cli.language import from_environment
from cli.runtime.console import spell
from cli.storm import grammar
from cli.storm.text import names
from cli.text import joining, matches, menus
from cli.text.wording import count, fill
from protocol.core.events import Claimed
from protocol.core.messages import Ground
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Unit


@pytest.fixture
def german() -> Iterator[None]:
    language.choose("de")
    yield
    language.choose("en")


@pytest.mark.parametrize(
    ("environment", "chosen"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_AT"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "de_CH.UTF-8@euro"}, "de"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:de:en"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": ""}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
    ],
)
def test_the_language_comes_from_the_locale(environment: dict[str, str], chosen: str) -> None:
    assert from_environment(environment) == chosen


def test_a_constant_is_translated_when_it_is_read(german: None) -> None:
    quit_item = menus.ITEMS[menus.Page.MAIN][-1]
    sides = next(item.note for item in menus.ITEMS[menus.Page.PLAY] if item.word == "side")
    assert isinstance(sides, Mapping)
    shown = (quit_item.label, *sides.values())
    assert tuple(map(str, shown)) == ("Beenden", "durch Los", "Chthonier", "Olympier")
    assert fill("{word:>8}", word=quit_item.label) == " Beenden"
    language.choose("en")
    assert tuple(map(str, shown)) == ("Quit", "by lot", "Chthonians", "Olympians")


def test_a_sentence_with_another_added_to_it_is_german_throughout(german: None) -> None:
    claim = Claimed(1, 1, Ground.ABSENCE, (60, 0), proved=False)
    assert matches.sentence(claim, "bob", 0, timed=True).endswith("oder spiel weiter.")
    assert joining.hash_refused().endswith("mit storm-p2p join --scheme hash stimmst du zu.")


def test_both_games_understand_german_words_behind_common_ones() -> None:
    for said, command in (
        ("sprache deutsch", ChooseLanguage("de")),
        ("lang english", ChooseLanguage("en")),
        ("confirm immer", Confirm(True)),
    ):
        assert grammar.parse(said, None, Faction.CHTHONIANS) == reading.parse(said, None, 0) == command


def test_units_and_regions_have_german_names(german: None) -> None:
    assert names.crowd([Unit.CERBERUS, Unit.HECATE, None]) == "Zerberus, Hekate und eine verdeckte Einheit"
    assert names.region_name(15) == "15 (Palast)"
    assert names.region_name(10) == "10 (Tartarus)"


def test_the_form_follows_the_number(german: None) -> None:
    assert [menus.matches(number) for number in (1, 2)] == ["1 Partie", "2 Partien"]


def test_what_has_no_translation_stays_english(german: None) -> None:
    assert fill("No {thing} says this.", thing="catalogue") == "No catalogue says this."
    assert count("one word", "{number} words", 2) == "2 words"


def test_a_missing_catalogue_means_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "FOLDER", tmp_path)
    language.choose("de")
    assert language.current() == "en"
    broken = tmp_path / "de" / "LC_MESSAGES" / "storm_p2p.mo"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"nothing")
    language.choose("de")
    assert language.current() == "en"


def test_every_command_takes_the_language(
    german: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    for words in (["--lang", "de", "play", "--help"], ["play", "--lang=de", "--help"]):
        with pytest.raises(SystemExit):
            main(words)
        shown = capsys.readouterr().out
        assert "wie du heißen möchtest" in shown
        assert "Aufruf: storm-p2p play" in shown


def test_a_terminal_without_umlauts_gets_two_letters() -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="ascii")
    spell(stream)
    stream.write("\u00dcber gr\u00fcne Fl\u00fcsse, gro\u00df \u2248")
    stream.flush()
    assert written.getvalue() == b"Ueber gruene Fluesse, gross ?"
    spell(io.StringIO())
    spell(None)


def test_a_guest_names_his_side_in_either_language(german: None) -> None:
    answers = ("chthonier", "oly", "olympians", "chthonians", "")
    assert [_side(games.find(), answer) for answer in answers] == [0, 1, 1, 0, None]


def test_what_programs_read_is_english(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    language.choose("de")
    main(["verify", "--json", "--lang", "de", str(tmp_path / "none.storm")])
    assert language.current() == "en"
    capsys.readouterr()


def test_the_help_of_the_command_line_is_german_throughout(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The program sets it for its own process; what a later test starts must not inherit it.
    monkeypatch.setenv("LANGUAGE", "en")
    with pytest.raises(SystemExit):
        main(["--lang", "de", "--help"])
    language.choose("en")
    shown = capsys.readouterr().out
    assert "die Version anzeigen und beenden" in shown
    assert "and exit" not in shown


def test_a_choice_that_is_kept_decides_before_the_locale(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    (tmp_path / "settings.json").write_text('{"language": "de"}')
    assert main(["people", "--home", str(tmp_path)]) == 0
    assert language.current() == "de"
    assert main(["people", "--home", str(tmp_path), "--lang", "en"]) == 0
    assert language.current() == "en"
    capsys.readouterr()


def test_texts_are_read_when_they_are_shown() -> None:
    assert [f"{one.file}:{one.line} {one.one}" for one in catalogue.read_at_import()] == []


def test_every_sentence_is_marked() -> None:
    assert [f"{one.file}:{one.line} {one.one}" for one in catalogue.unmarked()] == []


# -- the catalogues -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", catalogue.languages())
def test_a_compiled_catalogue_says_what_its_source_says(name: str) -> None:
    with catalogue.mo(name).open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in catalogue.read(name):
        if isinstance(message.id, str):
            assert not message.id or compiled.gettext(message.id) == (message.string or message.id)
        else:
            one, several = message.id
            said = catalogue.forms(message)
            forms = said if all(said) else tuple(message.id)
            assert tuple(compiled.ngettext(one, several, number) for number in (1, 2)) == forms


@pytest.mark.parametrize("name", catalogue.languages())
def test_every_sentence_has_a_translation_with_the_same_gaps(name: str) -> None:
    translated = {message.id: message for message in catalogue.read(name) if message.id}
    missing = [sentence.key for sentence in catalogue.sentences() if sentence.key not in translated]
    assert missing == [], "python tests/catalogue.py update"
    for message in translated.values():
        assert not message.fuzzy
        said = catalogue.forms(message)
        originals = (message.id,) if isinstance(message.id, str) else tuple(message.id)
        assert all(said), message.id
        for form, original in zip(said, originals, strict=True):
            assert catalogue.gaps(form) <= catalogue.gaps(originals[-1])
            assert catalogue.gaps(original) - {"number"} <= catalogue.gaps(form), message.id
            # Blanks at an end belong to the place where it is shown.
            assert (form[0].isspace(), form[-1].isspace()) == (original[0].isspace(), original[-1].isspace())


@pytest.mark.parametrize("name", catalogue.languages())
def test_no_translation_is_a_sentence_that_means_something_else(name: str) -> None:
    """A constant is looked up when it is read, and once more when its gaps are filled."""
    known = {message.id: message.string for message in catalogue.read(name) if isinstance(message.id, str)}
    twice = {said for said in known.values() if isinstance(said, str) and known.get(said, said) != said}
    assert twice == set()


VERBS = (
    "ist|sind|waren?|ha[bs]en?|hat|kann|können|darf|dürfen|muss|müssen|wird|werden|wirst|würdes?t?|steht|gilt|gelten|"
    "gewinn(en|t)|siegt|verlierst|gehs?t|kommst|bleibt|scheide[nt]|betrügt|läuft|geschieht|kostet|sagt|macht|gibt|lässt|"
    "hört|weiß|brauchst|hält|erfährt|treffen|trifft|brach|endet|gehört|verhindert|fehl(en|t)|begann|kennst|zähl(en|t)|"
    "spielt|wartet|wurden?|fällt|schickt|nutzt|zahlst|entkommst"
)
ORDERS = "tippe|nenne|schick|geh|greif|wähle|gib|stelle|starte|sperre|mach|lass|beende|füge|warte"
NO_SENTENCE = f"({VERBS}|storm|aufgeben|uhren|[gr]|w[aeio][ers]?|wie|welch.*)"
"""A clause that begins like this lacks its subject, is typed, or asks."""


def translations() -> Iterator[str]:
    for message in catalogue.read("de"):
        if message.id and "argparse" not in {place for place, _ in message.locations}:
            yield from (message.string or "",) if isinstance(message.string, str) else message.string or ()


def test_a_german_sentence_behind_a_colon_begins_with_a_capital() -> None:
    for text in translations():
        for clause in re.findall(r": ([a-zäöüß][^.:!?,;(\n]*)", text):
            first = re.match(r"\w+", clause)
            fragment = first is None or re.fullmatch(NO_SENTENCE, first[0])
            assert fragment or not re.search(rf"^({ORDERS})\b|\b({VERBS})\b", clause), text


def test_no_translation_says_a_clause_twice() -> None:
    """Two versions of a sentence once stood one after the other."""
    for text in translations():
        assert not re.search(r"(.{50}).*\1", text, re.DOTALL), text


def test_german_has_one_kind_of_quotation_marks_and_one_word_for_a_thing() -> None:
    for text in translations():
        assert "$(" in text or not re.search('"[\\w{]|[”«»]', text), text
        assert text.count("„") == text.count("“"), text
        assert not re.search("Hinweis|[Uu]nterschr(ieb|ift|eib)|Tartaros|ausricht|ZIP", text), text
