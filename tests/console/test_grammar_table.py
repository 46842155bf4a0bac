"""The whole grammar as a table: every word of each kind of line, short, whole, German, with its suffixes."""

from __future__ import annotations

import io

import helpers
import helpers_tui as tui
import pytest
from helpers_console import play

from cli.console import messages
from cli.console.messages import Act, ChooseLanguage, Control, Match, Note, NotUnderstood, SubmitMode, View
from cli.console.plain import LinePlayer, PlainScreen
from cli.language import choose
from cli.storm import grammar, viewing, vocabulary
from cli.storm.console import STORM
from cli.storm.grammar import Arrange, Keep
from cli.storm.model import Model
from cli.storm.vocabulary import COMMANDS
from cli.vocabulary import DE
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import Faction
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import State
from storm_p2p.storm.units import CARDS, ROSTER, Unit

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741
UNDERWORLD = helpers.at(
    "chthonians",
    "erinyes hecate 14, hades charon 12, cerberus 7, harpies 18, moirae 10, ares hera 9, zeus 15, athena 8",
    eliminated="nyx",
)
OLYMPUS = helpers.at("olympians", "hermes 13, zeus 14, poseidon 2, demeter 22, hades 10, charon 19")
AID = helpers.play(helpers.at("chthonians", "charon 12, hades 10, ares 13, aphrodite 14"), "move 12 13")
LOSE = helpers.play(
    helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15"),
    "move 12 13",
    *helpers.fights("standard 9"),
)
RETREAT = helpers.play(
    helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15"),
    "move 12 13",
    *helpers.fights("standard 0", "retreat 0"),
)
SNEAK = helpers.play(helpers.at("chthonians", "erinyes 14, hades 10, ares hera 9, zeus 15"), "sneak 14 9")

ACTIONS: list[tuple[State, str, str]] = [
    (state, line, meaning)
    for state, meaning, lines in [
        (UNDERWORLD, "move 12 13 charon hades", ("move 12 13", "m 12 13 all", "zug 12 13", "z 12 13 alle", "12>13")),
        (UNDERWORLD, "move 12 13 hades", ("had 13", "hades 13", "m 12 13 had", "12 > 13 hades", "z had 13")),
        (UNDERWORLD, "move 14 9 erinyes hecate", ("14>9 eri hec", "erinnyen hekate 9", "eri+hec 9", "eri,hec 9")),
        (UNDERWORLD, "move 14 13 hecate", ("hec 13", "he 13", "HEK 13", "m 14 13 he")),
        (UNDERWORLD, "move 10 11 moirae", ("moi 11", "mo 11", "moirai 11")),
        (UNDERWORLD, "move 7 8 cerberus", ("zer 8", "ze 8", "zerberus 8", "cer 8")),
        (UNDERWORLD, "reveal charon", ("reveal cha", "r cha", "aufdecken charon", "a cha")),
        (UNDERWORLD, "recall nyx", ("recall nyx", "zurückholen nyx", "zurueckholen nyx", "rufe nyx")),
        (UNDERWORLD, "sneak 14 9", ("sneak 9", "sneak 14 9", "schleichen 9")),
        (UNDERWORLD, "liturgy", ("liturgy", "liturgie", "LITURGY")),
        (OLYMPUS, "bolt 19", ("bolt 19", "blitz 19")),
        (OLYMPUS, "move 14 13 zeus", ("zeus 13", "zeu 13", "ze 13")),
        (OLYMPUS, "move 22 17 demeter claim", ("drain 17", "dem 17 drain", "dem 17 anspruch", "entziehen 17")),
        (OLYMPUS, "move 13 7 6 hermes", ("hermes 6", "hrm 6", "m 13 6 hermes")),
        (tui.COMBAT, "fight chthonians standard 3", ("std 3", "standard 3", "1 3", "fight std 3", "kampf std 3")),
        (tui.COMBAT, "fight chthonians retreat 1", ("ret 1", "retreat 1", "rückzug 1", "2 1")),
        (tui.COMBAT, "fight chthonians chase 0", ("chase 0", "cha 0", "verfolgung 0", "3 0")),
        (tui.COMBAT, "fight chthonians attack 2", ("att 2", "attack 2", "angriff 2", "4 2")),
        (tui.COMBAT, "fight chthonians defense 2", ("def 2", "defence 2", "verteidigung 2", "5 2")),
        (AID, "aid aphrodite", ("yes", "ja", "aid aph", "hilf aph")),
        (AID, "aid none", ("no", "nein", "aid none", "hilf keine")),
        (LOSE, "lose ares", ("lose ares", "ares", "opfern ares", "verlieren are")),
        (RETREAT, "retreat 14", ("to 14", "leave 14", "14", "retreat 14", "nach 14", "fliehen 14")),
        (SNEAK, "lose hera", ("lose hera", "hra", "opfere hera")),
    ]
    for line in lines
]


def parsed(line: str, state: State | None, faction: Faction, *, setting_up: bool = False) -> messages.Command:
    view = None if state is None else helpers.owner_view(state, faction)
    return grammar.parse(line, view, faction, setting_up=setting_up)


@pytest.mark.parametrize(("state", "line", "meaning"), ACTIONS, ids=[f"{line} = {told}" for _, line, told in ACTIONS])
def test_each_way_to_type_an_action_with_each_suffix(state: State, line: str, meaning: str) -> None:
    request = engine.next_request(state)
    assert request is not None
    seat = C if C in request.seats else O
    for mark in ("", "?", "!", " ?", " !"):
        command = parsed(line + mark, state, seat)
        assert command == Act(notation.parse_action(meaning, state), SubmitMode(mark.strip()))


LOOKS = {
    "help": ("?", "help", "hilfe", "hel"),
    "help bolt": ("help bolt", "hilfe blitz"),
    "who 14": ("who 14", "wer 14"),
    "costs": ("costs", "kosten", "preise"),
    "costs eri hec": ("costs eri hec", "cost eri+hec"),
    "costs 14": ("costs 14",),
    "eye": ("eye", "auge"),
    "units": ("units", "einheiten", "uni"),
    "table": ("table", "tabelle", "ehre", "tab"),
    "log": ("log", "protokoll"),
    "log 5": ("log 5",),
    "last": ("l", "last", "zuletzt"),
    "clocks": ("c", "clocks", "clock", "uhren"),
    "opponent": ("o", "opponent", "gegner"),
    "where eri": ("p eri", "where eri", "wo eri"),
    "scan c": ("s c",),
    "scan 3": ("s 3", "scan 3", "column 3", "spalte 3"),
    "turn": ("t", "turn", "lage"),
    "repeat": ("r", "repeat", "nochmal"),
    "undo": ("undo", "rückgängig"),
    "board": ("board", "brett", "boa"),
    "options": ("options", "optionen", "legal"),
    "card eri": ("card eri", "karte eri"),
    "chat": ("chat",),
    "notes": ("notes", "notizen"),
    "replay 3": ("replay 3", "rückblick 3", "nachspielen 3", "repl 3"),
}
"""Canonical: what may be typed for it."""
ALONE = {
    "draw": ("draw", "remis"),
    "accept": ("accept", "annehmen"),
    "decline": ("decline", "ablehnen"),
    "resign": ("resign", "aufgeben"),
    "pause": ("pause", "pau"),
    "adjourn": ("adjourn", "vertagen"),
    "continue": ("continue", "weiter"),
    "claim": ("claim", "beanspruchen"),
    "concede": ("concede", "zugeben"),
    "deny": ("deny", "bestreiten"),
    "bye": ("bye", "quit", "exit", "tschüss", "ende"),
    "mute": ("mute", "stumm"),
    "same": ("same", "gleich"),
    "guide": ("guide", "begleitung"),
    "plain": ("plain", "text", "zeilen"),
    "full": ("full", "voll", "vollbild", "ful"),
}


@pytest.mark.parametrize("moment", ["own turn", "other's turn", "combat", "setup"])
def test_looking_talking_and_words_about_the_match_work_at_every_moment(moment: str) -> None:
    state = {"own turn": UNDERWORLD, "other's turn": OLYMPUS, "combat": tui.COMBAT}.get(moment)

    def parse(line: str) -> messages.Command:
        return parsed(line, state, C, setting_up=moment == "setup")

    for canonical, lines in LOOKS.items():
        what, *args = canonical.split()
        for line in lines:
            found = parse(line)
            assert isinstance(found, View), line
            assert found.what == what, line
            given = [vocabulary.find_verb(word) or word for word in found.args] if what == "help" else list(found.args)
            assert given == args, line
    for what, lines in ALONE.items():
        assert {parse(line) for line in lines} == {Match(what)}
        with pytest.raises(NotUnderstood, match="alone"):
            parse(f"{what} now")
    differing = ("differ", "stop", "wrong", "falsch", "verschieden", "differ from hers")
    assert {parse(line) for line in differing} == {Match("differ")}
    assert {parse(line) for line in ("say Hi, Bob!", "sag Hi, Bob!", "/Hi, Bob!", "/ Hi, Bob!")} == {
        Control("say", "Hi, Bob!")
    }
    assert {parse(line) for line in ("note 8 Zeus?", "notiz 8 Zeus?")} == {Note(8, "Zeus?")}
    assert parse("note 8") == Note(8, "")
    assert {parse(line) for line in ("lang de", "sprache deutsch", "lang DE")} == {ChooseLanguage("de")}


def test_the_setup_in_each_way() -> None:
    def parse(line: str) -> object:
        found = parsed(line, None, C, setting_up=True)
        return found.command if isinstance(found, messages.Own) else found

    for line in ("hades 11", "had 11", "11 hades", "place hades 11", "setze had 11"):
        assert parse(line) == Arrange("put", (Unit.HADES,), 11)
    for line in ("he 12", "hekate 12"):
        assert parse(line) == Arrange("put", (Unit.HECATE,), 12)
    for what, words_for in (("save", ("save", "sichern", "speichern")), ("load", ("load", "laden"))):
        assert {parse(f"{word} My wall!") for word in words_for} == {Keep(what, "My wall")}
        assert parse(what) == Keep(what, "")
    for line in ("hades nyx", "had nyx"):
        assert parse(line) == Arrange("swap", (Unit.HADES, Unit.NYX))
    for what, lines in {
        "clear": ("clear", "leeren"),
        "random": ("random", "zufall", "ran"),
        "mirror": ("mirror", "spiegeln", "mir"),
        "seal": ("seal", "versiegeln"),
    }.items():
        assert {parse(line) for line in lines} == {Arrange(what)}
    # A letter that is a command looks, and does not exchange units.
    assert parse("p eri") == View("where", ("eri",))
    assert parse("p 12") == Arrange("put", (Unit.PERSEPHONE,), 12)
    assert parse("seal!") == Arrange("seal", mode=SubmitMode.ACCEPT)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("lit", 'Did you mean "liturgy"?'),
        ("lo", 'can mean "log" or "lose"'),
        ("co", '"column", "concede", "confirm", "continue" or "costs"'),
        ("reveal cha had", "Reveal each unit on a line of its own"),
        ("recall nyx had", "Name one unit"),
        ("bolt 9 14", "For example: bolt"),
        ("takeback", "signed and cannot be taken back"),
        ("done", "several steps as a whole"),
        ("bid 3", "--challenge"),
        ("mouse", "on the full screen. Type full to go there."),
        ("hide", "on the full screen"),
        ("save wall", "belongs to the setup"),
        ("seal", "belongs to the setup"),
        ("lang fr", "lang en or lang de"),
    ],
)
def test_what_the_program_answers_otherwise_has_its_sentence(line: str, sentence: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        parsed(line, UNDERWORLD, C)
    assert sentence in str(caught.value)


@pytest.mark.usefixtures("spoken")
def test_no_beginning_of_a_unit_is_taken_from_it_by_a_command() -> None:
    for faction in Faction:
        state = UNDERWORLD if faction == C else OLYMPUS
        standing = {token.unit for group in state.sides[faction] for token in group}
        for card in CARDS:
            if card.unit not in ROSTER[faction] or card.unit not in standing:
                continue
            for name in vocabulary.words_for(card.name):
                for length in range(1, len(name) + 1):
                    short = name[:length]
                    if not grammar.is_unit(short, faction) or short in {*vocabulary.EXACT, *grammar.MANEUVERS}:
                        continue
                    assert meant(f"{short} 16", state, faction) == "unit", short


def meant(line: str, state: State, faction: Faction) -> str:
    """Return what kind of thing a line is about; a move that the rules refuse is about a unit."""
    try:
        return "unit" if isinstance(parsed(line, state, faction), Act) else "command"
    except NotUnderstood as refused:
        said = str(refused)
        about = ("Not possible", "Nicht möglich", "on the board", "auf dem Brett", "auf das Brett")
        return "unit" if any(sentence in said for sentence in about) else said


def test_every_command_has_an_answer_in_plain_lines() -> None:
    verbs = sorted(
        {word for row in COMMANDS.values() if row.name != "bye" for word in (row.name, *row.words[DE].split())}
    )
    lines = [line for verb in verbs for line in (verb, "nein")] + [f"help {verb}" for verb in verbs]
    for state in (UNDERWORLD, tui.COMBAT, None):
        shown = io.StringIO()
        script = io.StringIO("".join(f"{line}\n" for line in lines))
        player = LinePlayer("alice", STORM, lines=PlainScreen(script, shown))
        match = play(player, C, state=state, most=1)
        assert match.moves == []
        assert set(match.said) <= {"leave", "propose pause", "propose adjournment", "claim", "concede", "deny", "go on"}
        assert "Traceback" not in shown.getvalue()
    choose("en")


@pytest.mark.parametrize("line", ["leave", "to", "retreat", "fliehen", "nach", "rückzug"])
def test_a_word_for_retreating_alone_asks_for_one_of_the_ways_in_both_languages(line: str) -> None:
    ways = combat.ways_out(RETREAT, O)
    with pytest.raises(NotUnderstood, match=str(ways[0])):
        parsed(line, RETREAT, O)


def test_costs_alone_tell_the_prices_of_every_group() -> None:
    model = Model(STORM, C, UNDERWORLD.terms, "bob", state=helpers.owner_view(UNDERWORLD, C), deciding=True)
    told = viewing.show(model, "costs", ())
    assert [line.split(":")[0] for line in told] == [
        "From 7, Cerberus",
        "From 10, Moirae",
        "From 12, Hades and Charon",
        "From 14, Hecate and Erinyes",
        "From 18, Harpies",
    ]
    assert "13: 0" in told[0] or "8: " in told[0]


def test_prices_are_said_in_the_language_of_the_reader() -> None:
    model = Model(STORM, C, UNDERWORLD.terms, "bob", state=helpers.owner_view(UNDERWORLD, C), deciding=True)
    choose("de")
    told = " ".join(viewing.show(model, "costs", ()))
    choose("en")
    assert "minus 2 Ehre" in told
    assert "minus 2 Energie" in told
    assert "honor" not in told
    assert "energy" not in told
