"""Fight for Olympus at the console: its screens, what may be typed, its questions, its boards to learn on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import helpers_tui as tui
import pytest
from helpers_console import seated
from helpers_fight import own_set

from cli import language
from cli.app import games
from cli.clean import width
from cli.console.learn import Learn, forward
from cli.console.messages import (
    Act,
    Advise,
    Advised,
    Clicked,
    Entered,
    Event,
    Key,
    NotUnderstood,
    NotYet,
    TakenOver,
    Typed,
    View,
)
from cli.console.render.replay import analysis_lines, tell_decisions, verdict
from cli.console.render.replay import render as draw_replay
from cli.console.render.screen import render as render_screen
from cli.console.render.spans import plain
from cli.console.replay import (
    ALL,
    PUBLIC,
    Analysis,
    Candidate,
    End,
    Judged,
    Point,
    Replay,
    Step,
    analysed,
    press,
    views_of,
)
from cli.console.screen_state import Page
from cli.fight import lessons, reading, render
from cli.fight.console import FIGHT, Brings
from cli.fight.model import FightScreen
from cli.fight.reading import VOCABULARY
from cli.fight.text import narrate, screens
from cli.language import LANGUAGES
from cli.match.player import Asked, Clocks, Ended, Ending, Happened, Resumed
from cli.text import matches
from cli.text.wording import signed
from cli.vocabulary import words_in
from console import fight_console as fight
from console.test_looks import READABLE_ON_A_TINT, contrast
from storm_p2p.fight import engine, notation
from storm_p2p.fight.board import SPACES, Colour
from storm_p2p.fight.errors import CardFileError
from storm_p2p.fight.events import Event as FightEvent
from storm_p2p.fight.events import What
from storm_p2p.fight.positions import load_position
from storm_p2p.fight.state import Unit
from storm_p2p.fight.state import View as SeenBy

GAME = games.find("fight-for-olympus")
NAMED: dict[object, str] = {0: "hanna", 1: "gustav"}
OPEN = replace(fight.seen(fight.BOARD), names=load_position(fight.CARDS, fight.BOARD).names)
MAIN = fight.seen(fight.BOARD)
CHOOSING = fight.seen(fight.QUESTION, "play 10 2 pay 63")
TWINS = fight.seen(
    {**fight.QUESTION, "sides": [fight.BOARD["sides"][0], [{"card": 2}, {"card": 73}, None, {"card": 72}, None, None]]},
    "play 10 2 pay 63",
)
"""The same where two of the units are called alike."""
MANY = fight.seen(fight.MANY)
FIRST = fight.seen({**fight.BOARD, "number": 1})
TILTED = replace(MAIN, state=MAIN.state.copy())
TILTED.state.pointer = 2
TILTED.state.sides[0][0] = Unit(0, 1, 85, attacked=True)
PAGES = [(number, page) for number, lesson in enumerate(lessons.LESSONS.lessons) for page in range(len(lesson.pages))]


SCREENS: dict[str, tuple[SeenBy, tuple[Event, ...]]] = {
    "fight_many": (MANY, ()),
    "fight_forecast": (MAIN, (Typed("end"),)),
    "fight_help": (MAIN, (Entered("help"),)),
    "fight_card": (MAIN, (Entered("card 5"),)),
    "fight_units": (MAIN, (Entered("units"),)),
}


@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.usefixtures("spoken")
def test_the_screens_look_like_this(name: str) -> None:
    view, events = SCREENS[name]
    tui.assert_picture(name, 80, tui.text(tui.after(fight.asked(view), *events)))


@pytest.mark.usefixtures("spoken")
def test_a_card_in_the_hand_shows_its_whole_cost_even_where_its_disks_have_no_room() -> None:
    dear = [9, 10, 25, 40, 44, 45, 52]
    view = fight.seen({**fight.BOARD, "hands": [dear, [20]]})
    drawn, _zones = render.draw(fight.asked(view, (141, 50)).match, 141, 40)
    costs = [re.sub("[()]", "", cell).split()[-1] for row in drawn for cell in re.findall(r"[(].+?(?=[|])", plain(row))]
    assert {narrate.letters(view.card(card)) for card in dear} <= set(costs)


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("size", [*tui.SIZES, tui.HUGE], ids=str)
def test_no_row_is_wider_than_the_window_and_no_card_of_the_hand_is_lost(size: tuple[int, int]) -> None:
    for view in (MAIN, CHOOSING, FIRST, MANY):
        screen = fight.asked(view, size)
        assert all(width(row) <= size[0] for row in tui.text(screen).splitlines())
        drawn, zones = render.draw(screen.match, size[0], 15)
        # Below the board there are cards alone, and a card for which there is no room is counted.
        shown = len([zone for zone in zones if zone.row > render.ROWS])
        beyond = 0 if shown == len(view.known_hand(0)) else int(plain(drawn[-1]).rpartition(" ")[0].split()[-2])
        assert shown + beyond == len(view.known_hand(0))


def looked_at(view: str, state: SeenBy, size: tuple[int, int] = (80, 24)) -> Replay:
    """Return a replay with one step."""
    steps = (Step(1, ("Something happened.",), (), state),)
    return Replay(FIGHT, NAMED, fight.CARDS, dict.fromkeys(views_of(FIGHT), steps), view, 0, *size)


@pytest.mark.parametrize(
    ("view", "state", "shown", "hidden"),
    [
        (PUBLIC, replace(MAIN, names={}), [], ["Patroclus", "Autolycus"]),
        ("0", MAIN, ["hanna (colour", "Patroclus"], ["Autolycus"]),
        (ALL, OPEN, ["hanna (colour", "gustav (colour", "Patroclus", "Telemachus"], []),
    ],
)
def test_a_replay_names_both_players_and_shows_the_hands_of_its_view(
    view: str, state: SeenBy, shown: list[str], hidden: list[str]
) -> None:
    picture = "\n".join(map(plain, draw_replay(looked_at(view, state))))
    for word in (*shown, "hanna: 8 in hand", "gustav: 3 in hand   markers: (B)   counter +2 (7 wins)"):
        assert word in picture
    for word in (*hidden, "YOU", "Your", "you"):
        assert word not in picture
    assert "a analysis" in picture
    helped = "\n".join(map(plain, draw_replay(press(looked_at(view, state), "f1")[0])))
    assert "b: mark this step" in helped
    assert "both hands" in helped


def test_a_replay_says_that_nobody_leads_and_its_help_names_the_analysis() -> None:
    level = fight.seen({**fight.BOARD, "counter": 0})
    assert "counter 0 (7 wins)" in "\n".join(map(plain, draw_replay(looked_at("0", level))))
    assert any(str(line).startswith("a: ") for line in FIGHT.replay_help)


@pytest.mark.usefixtures("spoken")
def test_an_analysis_says_who_gets_what_and_calls_no_reader_you() -> None:
    lead = Brings((FightEvent(What.SCORED, 1, numbers=(-2,)),), fight.CARDS, 0)
    best = Candidate("end", 0.6, 1.0, (lead,))
    told = tell_decisions(FIGHT, fight.CARDS, [Judged(9, 3, 0, "end", 0.2, best)], ["Ann", "Ben"])
    assert "Ben" in told[0][1]
    assert "Ann" in told[0][0]
    assert not re.search(r"\b(you|opponent|du|Gegner)\b", " ".join(told[0]))
    assert str(screens.OPPONENT) in FIGHT.reason(lead)


@pytest.mark.parametrize(("facts", "given"), [({}, False), ({"aids": "agreed"}, True), ({"computer": "greedy"}, True)])
def test_a_hint_is_given_where_both_agreed_to_it_and_says_what_the_turn_brings(
    facts: dict[str, str], given: bool
) -> None:
    screen = FightScreen(FIGHT.begin_match(seated(0, fight.CARDS, "bob", **facts)))
    screen, effects = tui.stepped(tui.after(screen, Happened((), MAIN), Asked(MAIN)), Entered("hint"))
    assert (Advise() in effects) == given
    assert ("--aids" in " ".join(screen.notice)) != given
    found = next(FIGHT.adviser().advise(MAIN, 0))
    assert len(found) == 3
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
    # What is named can be typed as it stands, and of a card only the best space is.
    assert all(isinstance(FIGHT.parse(one.action, MAIN, 0, setting_up=False), Act) for one in found)
    assert len({tuple(one.action.split()[:2]) for one in found}) == 3
    told = " ".join(tui.after(screen, Advised(tuple(found))).notice)
    assert told.startswith(f"Hint: {found[0].action}. Your chance to win: ") == given
    # Nothing is mixed in, so the others are the next best.
    assert (f"Next best: {found[1].action} (" in told) == given
    # What else has to be played for that is named, too.
    assert ("Then this happens: you: Patroclus played on space 5" in told) == given
    assert ("Alcmene: defeated; you: a point, still 1 behind." in told) == given


def test_a_hint_for_a_question_and_for_the_first_turn_can_be_typed() -> None:
    for view in (CHOOSING, FIRST):
        for one in next(FIGHT.adviser().advise(view, 0)):
            assert isinstance(FIGHT.parse(one.action, view, 0, setting_up=False), Act)


def test_the_title_says_whose_cards_are_played_with() -> None:
    screen = fight.begin(tui.SIZES[1])
    assert tui.text(screen).startswith(" Fight for Olympus (reconstructed cards)")
    own = replace(screen, match=replace(screen.match, terms=replace(fight.CARDS, name="mine", digest=bytes(32))))
    assert tui.text(own).startswith(" Fight for Olympus (a player's own cards)")


def judged(turn: int, seat: int, played: str, better: str, *happens: FightEvent) -> Judged:
    reasons = (Brings(happens, fight.CARDS, seat),) if happens else ()
    return Judged(3 * turn, turn, seat, played, 0.5 - turn / 50, Candidate(better, 0.6, 1.0, reasons))


JUDGED = Analysis(
    (0, 1),
    tuple(
        Point(3 * turn, turn, (0.4 + 0.05 * turn, 0.6 - 0.06 * turn), ((turn, 0), (2, turn))) for turn in range(1, 7)
    ),
    (
        judged(1, 0, "end attack", "play 60 1 pay 63"),
        judged(2, 1, "play 12 3 pay 20 21", "play 22 1 marker blue", FightEvent(What.SCORED, 1, (), (-1,))),
        judged(3, 0, "free 62 3", "free none", FightEvent(What.DEFEATED, 1, (2,))),
        judged(4, 1, "target enemy 2", "target own 1"),
        judged(5, 0, "play 3 2 pay 89", "play 79 1"),
    ),
    done=6,
    total=6,
    end=End(6, "0", "full"),
)


@pytest.mark.parametrize("size", tui.SIZES, ids=str)
@pytest.mark.usefixtures("spoken")
def test_the_analysis_calls_cards_and_players_by_their_names(size: tuple[int, int]) -> None:
    model = analysed(press(looked_at(ALL, OPEN, size), "a")[0], JUDGED)
    rows = [plain(row).rstrip() for row in draw_replay(model)]
    assert len(rows) == size[1]
    tui.assert_picture("fight_analysis", size[0], "\n".join(rows) + "\n")
    # At the end the player reads of their own decisions, in both consoles.
    you = str(matches.YOU)
    over = tui.after(fight.asked(MAIN, size), Ended(Ending("0", "full", True, "/home/alice/x.storm")))
    told = map(plain, verdict(over.match, JUDGED, size[0], unicode=True))
    lines = analysis_lines(FIGHT, fight.CARDS, JUDGED, (0,), {"0": you, "1": "gustav"})
    for shown in (told, lines):
        seen = " ".join(" ".join(shown).split())
        for one in tell_decisions(FIGHT, fight.CARDS, JUDGED.worst((0,)), [you, "gustav"]):
            assert " ".join(" ".join(one).split()) in seen
        assert all(int(number) <= 6 for number in re.findall(r"(?:play|free|pay|spiele|zahle) (\d+)", seen))
        assert f"{you}: " in seen
    ended = "\n".join(analysis_lines(FIGHT, fight.CARDS, JUDGED, (0,), {"0": you, "1": "gustav"}, own="0"))
    assert matches.result("0", "full", {"0": you}, guilty=False) not in ended
    assert matches.result("0", "full", {"0": "hanna"}, guilty=False, own="0") in ended


@pytest.mark.parametrize(
    ("facts", "first"),
    [
        ({"computer": "greedy"}, "a: play again   F9 replay, analysis   enter"),
        ({}, "r: rematch   F9 replay, analysis   enter"),
    ],
)
def test_the_end_names_only_what_there_is(facts: dict[str, str], first: str) -> None:
    screen = FightScreen(FIGHT.begin_match(seated(0, fight.CARDS, "bob", **facts)))
    ended = tui.after(screen, Happened((), MAIN), Ended(Ending("0", "points", True, None)))
    assert first in tui.text(ended)


@pytest.mark.parametrize(
    ("view", "typed", "means"),
    [
        (MAIN, "play 60 2", "play 60 2"),
        (MAIN, "PLAY slingers 2", "play 60 2"),
        (MAIN, "Play Sling 2", "play 60 2"),
        (MAIN, "play torch bearers 2", "play 79 2"),
        (MAIN, "play patroclus 2", "play 3 2 marker red"),
        (MAIN, "play patroclus 2 pay hoplites", "play 3 2 pay 63"),
        (MAIN, "play winged 3 pay 10", "play 86 3 pay 10"),
        (MAIN, "end", "end"),
        (MAIN, "fertig", "end"),
        (MAIN, "spiele slingers 5", "play 60 5"),
        (MAIN, "spiele 3 2 zahle 63", "play 3 2 pay 63"),
        (MAIN, "spiele 3 2 mit 63", "play 3 2 pay 63"),
        (MAIN, "spiele 3 2 marke rot", "play 3 2 marker red"),
        (FIRST, "end attack", "end attack"),
        (FIRST, "fertig ziehen", "end draw"),
        (FIRST, "fertig spielen", "end play"),
        (CHOOSING, "enemy 2", "target enemy 2"),
        (CHOOSING, "target enemy 2", "target enemy 2"),
        (CHOOSING, "ziel gegner 4", "target enemy 4"),
        (CHOOSING, "hector", "target enemy 1"),
        (CHOOSING, "target palace guard", "target enemy 5"),
        (CHOOSING, "ziel shep", "target enemy 4"),
    ],
)
@pytest.mark.usefixtures("spoken")
def test_what_may_be_typed_means_this_in_both_languages(view: SeenBy, typed: str, means: str) -> None:
    command = reading.parse(typed, view, 0)
    assert isinstance(command, Act)
    hand = {entry: card for card, entry in view.known_hand(0).items()}
    assert notation.format_decision(command.action, view.state, hand) == means


def test_a_whole_name_means_its_card_where_another_name_begins_with_it() -> None:
    cards = fight.CARDS
    spear, spearmen = (
        next(one for one, card in enumerate(cards.cards) if card.name == name) for name in ("Spear", "Spearmen")
    )
    assert reading.find_card("spear", cards, (spearmen, spear)) == spear
    with pytest.raises(NotUnderstood, match=r"can mean Spear \(84\) or Spearmen"):
        reading.find_card("spea", cards, (spear, spearmen))


def test_who_reads_german_types_the_german_names_of_cards() -> None:
    language.choose(language.GERMAN)
    try:
        typed = ("spiele Patroklos 2 zahle Hopliten", "spiele flügelhelm 3 mit deiphobos", "spiele Fackeltraeger 2")
        assert [reading.parse(line, MAIN, 0) for line in typed] == [
            reading.parse(line, MAIN, 0) for line in ("play 3 2 pay 63", "play 86 3 pay 10", "play 79 2")
        ]
        for line in ("Palastwache", "ziel palastwache"):
            assert reading.parse(line, CHOOSING, 0) == reading.parse("target enemy 5", CHOOSING, 0)
    finally:
        language.choose(language.ENGLISH)


@pytest.mark.parametrize(
    ("view", "typed", "said"),
    [
        (MAIN, "play", "Type it like this"),
        (MAIN, "play 12", "Type it like this"),
        (MAIN, "play medea 2", "Medea is not in your hand."),
        (MAIN, "play 12 2", "That card is not in your hand."),
        (MAIN, "play nobody 2", "There is no card nobody."),
        (MANY, "play t 2", '"t" can mean Telemachus (20), '),
        (MAIN, "play 45 2", "You cannot pay for Midas: it costs 2 yellow."),
        (MAIN, "play 60 1", "That card does not fit there"),
        (MAIN, "play 60 9", "That is not possible here. The spaces are 1 to 6; help"),
        (MAIN, "play 3 2 pay 60 63", "That is not the exact price."),
        (MAIN, "play 3 2 marker blue", "You do not have that marker."),
        (MAIN, "end attack", "In the first turn type end play"),
        (FIRST, "end", "In the first turn type end play"),
        (MAIN, "target enemy 1", "That is not possible here. The spaces are 1 to 6; help shows what can be typed."),
        (CHOOSING, "end", "You are being asked something else now. Answers: target enemy 1 (Hector), "),
        (CHOOSING, "target enemy 3", "That is not possible here. Answers: target enemy 1"),
        (CHOOSING, "target midas", "Type it like this"),
        (
            TWINS,
            "shepherds",
            "Answers: target enemy 1 (Hector), target enemy 2 (Shepherds), target enemy 4 (Shepherds)",
        ),
        (CHOOSING, "target none", "That is not possible here. Answers: target enemy 1"),
        (MAIN, "flibber", "flibber"),
        (MAIN, "play ² ³", "There is no card"),
        (MAIN, "note 9 x", "Type a number and a note"),
    ],
)
def test_what_cannot_be_done_is_answered_with_a_sentence(view: SeenBy, typed: str, said: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        reading.parse(typed, view, 0)
    assert said in str(refused.value)


def test_while_the_other_one_plays_nothing_is_done_and_everything_can_be_looked_at() -> None:
    with pytest.raises(NotYet):
        reading.parse("end", None, 0)
    assert reading.parse("hand", None, 0) == View("hand", ())


@pytest.mark.usefixtures("spoken")
def test_every_legal_decision_can_be_typed_as_it_is_listed() -> None:
    for view in (MAIN, FIRST, CHOOSING, MANY):
        listed = reading.options(view, 0)
        decisions = [reading.parse(line, view, 0) for line in listed]
        assert [one.action for one in decisions if isinstance(one, Act)] == list(engine.legal(view.state, view.names))


def test_no_word_of_the_game_means_two_things() -> None:
    for tongue in LANGUAGES:
        words = [word for row in VOCABULARY.commands.values() for word in words_in(tongue, row.name, row.words)]
        assert len(words) == len(set(words))


@pytest.mark.usefixtures("spoken")
def test_the_letters_of_the_colours_differ() -> None:
    letters = [narrate.letter(colour) for colour in Colour]
    assert len(set(letters)) == len(letters)


def test_tab_offers_what_is_legal_and_says_which_unit_it_is() -> None:
    screen = fight.asked(CHOOSING)
    offered = FIGHT.suggest(screen, "target enemy ")
    assert [(one.word, one.note) for one in offered][:2] == [("1", "Hector"), ("2", "Alcmene")]
    assert [(one.word, one.note) for one in FIGHT.suggest(fight.asked(MAIN), "play 6")] == [
        ("60", "Slingers"),
        ("63", "Hoplites"),
    ]


TYPED = (
    *tui.LINES, "play 60 2", "play patroclus 2!", "end", "end!", "target enemy 2", "card", "card 5", "card zzz", "hand",
    "discards", "table", "note 3 x", "notes", "free 1 1", "marker red", "may yes", "swap", "play winged", "play ² ³",
)  # fmt: skip


def test_no_line_breaks_the_screen() -> None:
    for view, size in ((MAIN, tui.SIZES[0]), (CHOOSING, tui.SIZES[1])):
        begun = fight.asked(view, size)
        for typed in TYPED:
            screen = tui.after(begun, Typed(typed), Entered(typed))
            assert all(width(row) <= size[0] for row in tui.text(screen).splitlines()), typed


def solved(size: tuple[int, int]) -> Iterator[Learn]:
    """Yield every page of the boards as somebody sees it who has solved those before."""
    shown = Learn(lessons.LESSONS.pages, columns=size[0], rows=size[1])
    for lesson in lessons.LESSONS.lessons:
        for page in lesson.pages:
            yield shown
            goal = VOCABULARY.say(page.goal) if page.goal else ""
            shown = GAME.lessons.enter(shown, goal)[0] if goal else forward(shown)[0]


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("size", tui.SIZES, ids=str)
def test_the_goal_of_each_of_five_boards_solves_it_and_all_its_words_are_seen(size: tuple[int, int]) -> None:
    assert len(lessons.LESSONS.lessons) == 5
    for (number, page), shown in zip(PAGES, solved(size), strict=True):
        assert (shown.lesson, shown.page) == (number, page)
        rows = [plain(row) for row in GAME.lessons.draw(shown)]
        assert [width(row) for row in rows] == [size[0]] * size[1]
        assert not rows[-1].rstrip().endswith("..")
        told = " ".join(" ".join(row.split()) for row in rows)
        for part in (GAME.lessons.text(number, page), GAME.lessons.task(number, page), *shown.answer):
            assert " ".join(part.split()) in told
        assert GAME.lessons.text(number, page) in GAME.lessons.tell(shown)
        if shown.asks:
            goal = lessons.LESSONS.lessons[number].pages[page].goal
            assert not GAME.lessons.enter(shown, VOCABULARY.say(goal))[0].wrong
            for line in ("", "card 5", "help", "nonsense", "play 1 1"):
                assert GAME.lessons.enter(shown, line)[0].wrong


def test_a_lesson_draws_its_board_with_the_signs_and_colours_of_a_match() -> None:
    for unicode, sign in ((True, "\u2590R\u258c"), (False, "(R)")):
        shown = Learn(lessons.LESSONS.pages, unicode=unicode, theme="dark")
        assert any(sign in plain(row) for row in lessons.LESSONS.draw_board(shown)[0])


def test_a_set_of_cards_that_climbs_into_other_lines_or_shows_nothing_is_refused() -> None:
    pile = "A" + "\u0301" * 30
    for name in (pile, "\u2800\u3164"):
        with pytest.raises(CardFileError, match="printable characters"):
            own_set(Hector={"name": name})
    assert "\u0301" * 3 not in FIGHT.terms_of(replace(own_set(), name=pile))


def test_f3_opens_the_page_that_its_word_opens() -> None:
    screen = fight.asked(MAIN)
    pressed = tui.after(screen, Key("f3"))
    assert pressed.page == tui.after(screen, Entered("rules")).page == Page.TABLE
    assert "GOAL AND RULES" in tui.text(pressed)
    assert tui.after(pressed, Key("f3")).page is None


def test_f3_opens_the_rules_when_the_match_is_over_and_is_named_there() -> None:
    screen = FightScreen(FIGHT.begin_match(seated(0, fight.CARDS, "bob")))
    over = tui.after(screen, Happened((), MAIN), Ended(Ending("0", "points", True, None)))
    assert (over.page, "F3 rules" in tui.text(over)) == (Page.OVER, True)
    pressed = tui.after(over, Key("f3"))
    assert (pressed.page, "GOAL AND RULES" in tui.text(pressed)) == (Page.TABLE, True)
    assert tui.after(pressed, Key("f3")).page is Page.OVER


BRUSHES = [render.Brush(), render.Brush(fine=True), *(render.Brush(True, theme) for theme in render.THEMES)]


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("brush", BRUSHES, ids=str)
@pytest.mark.parametrize("view", [MAIN, CHOOSING, FIRST, MANY, TILTED])
def test_every_tier_of_the_board_says_the_same(view: SeenBy, brush: render.Brush) -> None:
    screen = fight.asked(view, (120, 40))
    for rows in (20, 34):
        drawn, zones = render.draw(screen.match, 120, rows, brush=brush)
        assert render.is_large(120, rows) == (rows == 34)
        board = drawn[: render.board_rows(120, rows)]
        shown = " ".join(" ".join(map(plain, board)).translate(str.maketrans("\u2590\u258c", "()")).split())
        for colour in Colour:
            assert f"({narrate.letter(colour)})" in shown or view.state.markers[colour] is None
        for seat in (0, 1):
            for space in SPACES:
                unit = view.state.unit(seat, space)
                if unit is not None:
                    card = narrate.card_name(view.cards, unit.card)
                    assert card[:10] in shown
                    assert rows == 20 or not render.has_attacked(view, seat, space) or str(screens.ATTACKED) in shown
                    assert unit.gear is None or f"+{narrate.card_name(view.cards, unit.gear)}"[:8] in shown
                    assert not unit.damage or f"-{unit.damage}" in shown
                    assert f"card {unit.card}" in {zone.what for zone in zones}
        assert "-7" in shown
        assert f"+7 {signed(render.lead_of(view, 0))}" in shown
        assert brush.fine or all(row.isascii() for row in map(plain, board)) or narrate.letter(Colour.GREEN) == "Gr"
        hand = {zone.what for zone in zones if zone.row > len(board)}
        assert hand <= {f"card {card}" for card in view.known_hand(0)}


def test_a_point_for_each_defence_those_struck_that_damage_has_taken_and_equipment_as_a_tab() -> None:
    large = list(map(plain, render.draw(fight.asked(MAIN, (120, 40)).match, 120, 34)[0]))
    # Menelaus wears a Cuirass: six points, one of them struck.
    assert "| 1/6-1 /##### " in large[14]
    assert large[16].startswith(" +-|+Cuirass|-----+")
    assert list(map(plain, render.draw(fight.asked(MAIN).match, 80, 15)[0]))[4][40:44] == "//##"


def test_a_unit_that_has_attacked_leans() -> None:
    for columns, rows, first in ((80, 15, 6), (120, 34, 10)):
        room = render.cell_width(columns) - 1
        straight, leaning = (
            [plain(row)[1 : 1 + room] for row in render.draw(fight.asked(view).match, columns, rows)[0][first:]]
            for view in (MAIN, TILTED)
        )
        # The upper half is a column further right than the lower one.
        assert leaning[0][1:5] == straight[0][:4]
        assert leaning[0][0] == " "
        assert leaning[2][:4] == straight[2][:4] or rows > 15
        assert [row[0] for row in leaning[5:7]] == [row[0] for row in straight[5:7]] or rows < 34


def test_a_unit_leans_only_while_its_side_attacks() -> None:
    state = TILTED.state.copy()
    state.pointer = 0
    assert not render.has_attacked(replace(TILTED, state=state), 0, 1)
    state.pointer, state.active = 2, 1
    assert not render.has_attacked(replace(TILTED, state=state), 0, 1)
    assert render.has_attacked(TILTED, 0, 1)


def test_the_scale_shows_the_counter_between_the_sides() -> None:
    row = plain(render.draw(fight.asked(MAIN).match, 80, 15)[0][5])
    assert row.startswith(" -- -7 .....=.|....... +7  -2 for you | pile 4 | on the board: (G)(Y) ")


@pytest.mark.parametrize("theme", render.THEMES)
def test_every_ink_can_be_read_on_the_cards(theme: str) -> None:
    look = render.THEMES[theme]
    for colour in Colour:
        paper, edge = look.paper(colour)[-6:], look.edge(colour)[1:]
        assert contrast(look.letter[1:], edge) >= READABLE_ON_A_TINT
        for ink in (edge, *(style.split("#")[1] for style in look.inks.values())):
            assert contrast(ink, paper) >= READABLE_ON_A_TINT, (ink, paper)


@pytest.mark.parametrize(
    ("size", "number", "high"), [((120, 40), 4, 8), ((120, 40), 8, 6), ((160, 50), 10, 8), ((80, 24), 4, 0)]
)
def test_the_hand_is_cards_of_eight_rows_where_there_is_room(size: tuple[int, int], number: int, high: int) -> None:
    screen = fight.asked(
        fight.seen({**fight.BOARD, "hands": [[10, 12, 45, 86, 1, 20, 31, 50, 60, 71][:number], []]}), size
    )
    for typed in ("", "end", "play 10 2"):
        rows = tui.text(tui.after(screen, Typed(typed))).splitlines()
        first = next((at for at, row in enumerate(rows) if "10 Deiphobus" in row), 0)
        last = next(at for at, row in enumerate(rows[first + 1 :], first + 1) if "\u2514" in row) if high else first - 1
        assert last - first + 1 == high
        assert not high or "Played: 1 damage" in " ".join(rows[first + 2 : last])


def test_what_can_be_paid_is_bright_and_the_rest_dim() -> None:
    drawn = render.draw(fight.asked(MAIN, (120, 40)).match, 120, 34)[0]
    styles = {text.strip(): style for row in drawn[18:] for style, text in row}
    assert (styles["10 Deiphobus"], styles["45 Midas"]) == ("free", "dim")


def test_a_card_is_shown_large_by_its_word_and_by_a_click_and_a_right_click_begins_to_play_it() -> None:
    screen = fight.asked(MAIN, (120, 40))
    (zone, *_) = [zone for zone in render_screen(screen).zones if zone.what == "card 10"]
    for shown in (tui.after(screen, Entered("card 10")), tui.after(screen, Clicked(zone.what))):
        assert "Played: 1 damage to an enemy unit." in tui.text(shown)
        assert "Costs" in tui.text(shown)
        assert "\u2588" in tui.text(shown)
        assert tui.after(shown, Key("escape")).page is None
    begun = tui.after(screen, Clicked("card 10", right=True))
    assert begun.typed == "play 10 "
    assert tui.after(begun, Clicked("space 2")).typed == "play 10 2"
    spoken = tui.after(replace(screen, plain=True), Entered("card 10"))
    assert "card 10, red Deiphobus, attack 2, defence 2, costs red." in " ".join(spoken.notice)


def test_both_clocks_stand_beside_the_players_and_the_game_is_named_in_a_narrow_title() -> None:
    screen = fight.asked(MAIN)
    timed = replace(screen, match=replace(screen.match, clocks=Clocks(761, 332, True)))
    rows = tui.text(timed).splitlines()
    assert rows[1].endswith("5:32")
    assert next(row for row in rows if row.startswith(" YOU:")).endswith("12:41 <-")
    assert rows[0].startswith(" Fight for Olympus | ")


NEAR: dict[str, Any] = {**fight.BOARD, "hands": [[10], [20]]}
FIVE = [{"card": card} for card in (2, 30, 61, 72, 82)]


@pytest.mark.parametrize(
    ("change", "said", "short"),
    [
        ({"counter": -6}, "Beware: bob is one point from winning.", "ONE POINT FROM WINNING"),
        (
            {"sides": [[None] * 6, [*FIVE, None]]},
            "Beware: bob holds five of six spaces. If they fill space 6",
            "5 OF 6",
        ),
        (
            {"sides": [[None] * 6, [*FIVE, {"card": 31}]]},
            "Defeat one of their units in this turn",
            "6 OF 6 SPACES HELD",
        ),
        ({}, "", ""),
    ],
)
def test_the_player_is_warned_before_the_enemy_wins(change: dict[str, Any], said: str, short: str) -> None:
    screen = fight.asked(fight.seen({**NEAR, **change}))
    told = " ".join(FIGHT.coming(screen))
    assert said in told
    assert short in tui.text(screen)
    assert said in " ".join(FIGHT.question(replace(screen, plain=True)))
    assert bool(said) == ("Beware" in told)


def test_the_first_turn_has_a_legend_and_asks_what_is_skipped() -> None:
    screen = fight.asked(FIRST, (120, 40))
    assert "Letters: R red, B blue, G green, Y yellow, * all colours." in " ".join(tui.text(screen).split())
    assert "Letters: R red" in " ".join(FIGHT.help(screen))
    for typed, asked in (("attack", "Skip the attack?"), ("draw", "Skip the draw?"), ("play", "Skip playing cards?")):
        assert asked in tui.text(tui.after(screen, Entered(f"end {typed}")))


def test_what_the_other_side_has_skipped_is_seen_before_the_own_turn() -> None:
    left_out = FightEvent(What.LEFT_OUT, 1, (), (1,))
    theirs = fight.seen({**fight.BOARD, "active": 1})
    screen = tui.after(fight.begin(), Happened((), theirs), Happened((left_out,), MAIN), Asked(MAIN))
    assert screen.page is Page.RESULT
    assert "bob: the attack is skipped, because the player who begins skips one phase of the first turn." in " ".join(
        tui.text(screen).split()
    )
    own = tui.after(fight.begin(), Happened((), MAIN), Happened((replace(left_out, seat=0),), MAIN), Asked(MAIN))
    assert own.page is None


def test_a_match_that_goes_on_within_a_turn_says_board_and_hand_once() -> None:
    played = Happened((FightEvent(What.PLAYED, 0, (70,), (3,)),), MAIN)
    screen = tui.after(replace(fight.begin(), plain=True), played, Asked(MAIN))
    hand = render.hand_lines(MAIN, 0)
    goes_on = (TakenOver(screen.match), Resumed(((played.events, MAIN),), MAIN))
    for event in goes_on:
        again = tui.after(screen, event, Asked(MAIN))
        assert set(hand) <= {*FIGHT.question(again)}
        assert not {*hand} & {*FIGHT.question(tui.after(again, played, Asked(MAIN)))}


def test_a_defeat_says_enough_and_a_blow_has_words_for_one_unit_and_for_many() -> None:
    attack = FightEvent(What.ATTACKED, 0, (70, 2), (3,))
    defeat, gone, geared = (
        FightEvent(what, 1, cards)
        for what, cards in ((What.DEFEATED, (2,)), (What.DISCARDED, (2,)), (What.DISCARDED, (2, 85)))
    )
    name, other = (narrate.card_name(fight.CARDS, card) for card in (70, 2))
    told = [f"{name} against {other}: 3 damage.", f"{other}: defeated."]
    assert narrate.lines([attack, defeat, gone], fight.CARDS) == told
    assert narrate.lines([FightEvent(What.HEALED, 0, (70,), (0,))], fight.CARDS) == []
    assert FIGHT.happened([FightEvent(What.HEALED, 0, (70,), (0,))], fight.seen(fight.BOARD)) == []
    assert narrate.lines([gone], fight.CARDS) == [f"Discarded: {other}."]
    assert len(narrate.lines([attack, defeat, geared], fight.CARDS)) == 3


def test_which_cards_can_be_played_is_read_in_the_smallest_window_in_the_first_turn(spoken: str) -> None:
    view = fight.seen({**fight.BOARD, "number": 1, "hands": [[10, 60, 63, 79], [20]]})
    screen = tui.after(fight.begin((80, 24)), Happened((), view), Asked(view))
    last = narrate.card_name(fight.CARDS, render.playable(view, 0)[-1])
    assert f"{last}." in " ".join(tui.text(screen).split())


@pytest.mark.parametrize(("typed", "begins"), [("help end", ["end:"]), ("help marker", ["play CARD", "target own"])])
def test_help_on_a_word_says_what_mentions_it(typed: str, begins: list[str]) -> None:
    command = reading.parse(typed, MAIN, 0)
    assert isinstance(command, View)
    shown = FIGHT.look(fight.asked(MAIN), command)
    assert [str(one).startswith(begin) for one, begin in zip(shown, begins, strict=True)] == [True] * len(begins)


def test_the_rules_say_goal_and_turn() -> None:
    told = " ".join(map(str, FIGHT.table(fight.begin().match)))
    assert "You win at once when" in told
    assert "A turn has three phases" in told
    assert "across area borders" in told


def test_cards_say_more_clearly_what_the_file_of_their_set_says() -> None:
    texts = [narrate.text_of(card) for card in fight.CARDS.cards]
    assert not [text for text in texts if text.startswith("Attack:") or "Abilities of your opponent" in text]
    assert narrate._CLEARER.keys() <= {card.text for card in fight.CARDS.cards}


@pytest.mark.parametrize(("number", "rows"), [(4, ("█ █ ", "▀▀█ ", "  ▀ ")), (-1, ("   ▄█  ", "▀▀  █  ", "   ▀▀▀ "))])
def test_a_large_figure_is_three_rows_of_half_blocks(number: int, rows: tuple[str, ...]) -> None:
    assert render.figure(number) == rows
    assert len({render.figure(one) for one in range(-9, 100)}) == 109
