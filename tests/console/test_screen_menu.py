"""The menu: what its keys choose, how it looks, and what it keeps."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import helpers_tui as tui
import pytest

from cli import language
from cli.app.launch.seats import is_allowed
from cli.console import menu
from cli.console.menu import TOP, Keep, Output, Quit, Row, Run, Stop, Try, hear
from cli.console.render.menu import item_at, render
from cli.console.render.spans import line_width, plain
from cli.console.shell.menu import clicked
from cli.storage import home
from cli.storage.home import Preferences
from cli.text.menus import ITEMS, Page
from console.menu import ALICE, FULL, GAMES, ONLY, SHOWN, keys, picture


@pytest.mark.parametrize("page", list(SHOWN))
@pytest.mark.usefixtures("spoken")
def test_the_menu_looks_like_this(page: str) -> None:
    tui.assert_picture(f"menu_{page}", 80, picture(SHOWN[page]))
    for columns, rows in ((80, 24), (120, 40)):
        shown = replace(SHOWN[page], columns=columns, rows=rows)
        assert [line_width(plain(row)) for row in render(shown)] == [columns] * rows


def test_the_first_start_asks_nothing_but_a_name() -> None:
    shown, wishes = keys(menu.begin(Preferences(), "Zoe"), *"Ann", "backspace", *"na", "enter")
    assert shown.page is Page.MAIN
    assert wishes == [Keep(Preferences("Anna"))]
    assert menu.begin(Preferences("Anna"), "Zoe").page is Page.MAIN


def test_the_proposed_name_is_taken_by_enter_alone_and_replaced_by_what_is_typed() -> None:
    first = menu.begin(Preferences(), "Zoe")
    assert "Zoe" in picture(first)
    assert keys(first, "enter")[1] == [Keep(Preferences("Zoe"))]
    typing = keys(first, "A")[0]
    assert "Zoe" not in picture(typing)
    # Everything taken back: the proposed one stands there again.
    assert picture(keys(typing, "backspace")[0]) == picture(first)
    later = keys(replace(menu.begin(ALICE, "Zoe"), page=Page.SETTINGS), "1")[0]
    assert later.page is Page.NAME
    assert "alice" in picture(later)
    assert keys(later, "enter")[1] == [Keep(ALICE)]
    assert keys(later, *"Bo", "enter")[1] == [Keep(replace(ALICE, name="Bo"))]


def test_a_line_and_its_last_word_can_be_cleared_in_every_field() -> None:
    naming = keys(menu.begin(Preferences(), "Zoe"), *"Ann Lee")[0]
    asking = keys(replace(FULL, page=Page.TOOLS), "8", *"verify last ")[0]
    filtering = keys(FULL, "7", *"bob won")[0]
    for shown, left in ((naming, "Ann "), (asking, "verify "), (filtering, "bob ")):
        assert keys(shown, "c-w")[0] == keys(shown, *["backspace"] * (len(shown.typed) - len(left)))[0]
        assert keys(shown, "c-w")[0].typed == left
        assert [keys(shown, *pressed)[0].typed for pressed in (("c-w", "c-w"), ("c-u",), ("c-u", "c-w"))] == [""] * 3


def test_whoever_leaves_a_lesson_is_where_it_was_picked() -> None:
    learning = keys(FULL, "6", "1")[0]
    assert menu.again(learning, ALICE) == replace(learning, chosen=ALICE)
    assert learning.page is Page.LEARN


def test_enter_plays_at_once() -> None:
    assert keys(menu.begin(ALICE, "bob"), "enter")[1] == [Run(("play", "--random-setup"))]


@pytest.mark.parametrize(
    ("pressed", "words"),
    [
        (("2", "enter"), ("play",)),
        (("2", "3", "7"), ("play", "--seat", "chthonians")),
        (("2", "3", "3", "7"), ("play", "--seat", "olympians")),
        (("2", "2", "up", "enter", "7"), ("play", "--bot", "random")),
        (("3", "4", "9"), ("host", "--open-combat")),
        (("3", "3", "5", "5", "9"), ("host", "--random-setup", "--challenge=2")),
        (("3", "5", "left", "left", "9"), ("host", "--challenge=-1")),
        (("3", "6", "6", "7", "8", "9"), ("host", "--clock", "20m+10s", "--aids", "--lan")),
        (("2", "1", "4"), ("play", "--game", "fight")),
        (("2", "1", "2", "enter", "4"), ("play", "--game", "fight", "--bot", "random")),
        (("2", "1", "escape", "1"), ("play", "--game", "fight")),
        (("2", "1", "1", "7"), ("play",)),
        (("3", "1", "3", "6"), ("host", "--game", "fight", "--clock", "10m+5s")),
        (("3", "1", "4", "6"), ("host", "--game", "fight", "--aids")),
        (("6", "3", "1"), ("learn", "--game", "fight")),
        (("4", "1"), ("join",)),
        (("4", "2"), ("join", "--lan")),
        (("5", "enter"), ("resume", "x")),
        (("6", "1"), ("learn",)),
        (("6", "2"), ("play", "--guided")),
        (("7", "enter"), ("resume", "x")),
        (("7", "down", "enter"), ("replay", "a.storm")),
        (("7", "end", "enter"), ("history",)),
        (("8", "2", "2"), ("people", "trust", "--", "carol")),
        (("9", "1", "1"), ("event", "status", "/cup")),
        (("9", "1", "2"), ("host", "--event", "/cup")),
        (("9", "1", "3"), ("join", "--event", "/cup")),
        (("9", "1", "4"), ("standings", "/cup")),
        (("9", "1", "5"), ("event", "ready", "/cup")),
        (("9", "1", "6"), ("event", "claim", "/cup")),
        (("9", "1", "7", *"I slept", "enter"), ("event", "answer", "/cup", "I slept")),
        (("9", "1", "8"), ("event", "export", "/cup")),
        (("9", "1", "9"), ("event", "enter", "/cup")),
        (("9", "1", "end", "enter", *"bye 3", "enter"), ("event", "rule", "/cup", "bye", "3")),
        (("9", "2", *"/my cup", "enter"), ("event", "enter", "/my cup")),
        (("tools", "1", "1"), ("replay", "/a.storm")),
        (("tools", "2", "1"), ("analyse", "/a.storm")),
        (("tools", "3", "1"), ("verify", "/a.storm")),
        (("tools", "3", "2", *"x y.storm", "enter"), ("verify", "x y.storm")),
        (("tools", "4", "1"), ("export", "x")),
        (("tools", "5"), ("doctor",)),
        (("tools", "6"), ("witness",)),
        (("tools", "7", "1"), ("key", "show")),
        (("tools", "7", "2", *"me.key", "enter"), ("key", "export", "me.key")),
        (("tools", "7", "3", *"me.key", "enter"), ("key", "import", "me.key")),
        (("tools", "7", "4"), ("key", "passphrase")),
        (("tools", "8", *"verify 'a b' last", "enter"), ("verify", "a b", "last")),
        (("tools", "8", *"storm-p2p people", "enter"), ("people",)),
        (("tools", "8", *r"replay C:\a.storm", "enter"), ("replay", r"C:\a.storm")),
    ],
)
def test_items_become_commands_that_the_program_understands(pressed: tuple[str, ...], words: tuple[str, ...]) -> None:
    from cli.app.arguments import make_parser

    shown = replace(FULL, page=Page.TOOLS) if pressed[0] == "tools" else FULL
    wishes = [one for one in keys(shown, *pressed)[1] if not isinstance(one, Keep)]
    assert wishes == [Run(words)]
    assert make_parser().parse_args(words).command == words[0]


def test_every_command_of_the_program_can_be_reached() -> None:
    from cli.app.arguments import make_parser

    items = [item for page_items in ITEMS.values() for item in page_items]
    reached = {item.runs[0] if item.runs else item.word for item in items} | {"verify", "resume"}
    (commands,) = (one for one in make_parser()._actions if one.dest == "command")
    assert commands.choices is not None
    # These are for shells, programs, many files and what others publish; who wants them types them.
    assert set(commands.choices) - reached == {"completion", "scenario", "archive", "watch"}


@pytest.mark.parametrize("page", list(ITEMS))
def test_every_item_does_something(page: Page) -> None:
    for game in ("", "fight"):
        shown = replace(FULL, page=page, picked="bob", chosen=replace(ALICE, game=game))
        for number, item in enumerate(menu.items(shown)):
            after, wish = menu.take(shown, number)
            assert wish is not None or after != replace(shown, at=number), item.word


def test_what_is_stored_can_be_picked() -> None:
    shown = replace(menu.begin(ALICE, "bob"), matches=(Row(("resume", "a"), "a"), Row(("resume", "b"), "b")))
    assert keys(shown, "5", "down", "enter")[1] == [Run(("resume", "b"))]
    assert keys(shown, "5", "escape")[0] == replace(shown, at=4)
    # Nothing is there: the item does nothing.
    for empty in (menu.begin(ALICE, "bob"), replace(shown, matches=(), people=(), history=())):
        for item in ("5", "8"):
            assert keys(replace(empty, matches=()), item)[0].page is Page.MAIN
    assert keys(replace(shown, history=()), "7")[0].page is Page.MAIN


def test_the_history_is_chosen_from_by_typing() -> None:
    shown = keys(FULL, "7")[0]
    assert "3 matches: 1 won, 1 lost, 0 drawn, 1 unfinished" in picture(shown)
    chosen = keys(shown, *"BOB won")[0]
    assert "1 match: 1 won, 0 lost, 0 drawn" in picture(chosen)
    assert keys(chosen, "enter")[1] == [Run(("replay", "b.storm"))]
    assert keys(chosen, *["backspace"] * 4)[0].typed == "BOB"
    nobody = keys(shown, *"zoe")[0]
    assert keys(nobody, "enter", "down", "pagedown", "end") == (nobody, [])
    # While the logs are checked nobody has to wait.
    assert "The logs are being checked" in picture(keys(replace(FULL, history=None), "7")[0])
    # Back from a replay one is where one was.
    assert menu.again(chosen, ALICE) == chosen
    assert menu.again(keys(FULL, "5")[0], ALICE) == FULL


def test_hundreds_of_rows_are_scrolled_and_all_can_be_picked() -> None:
    rows = tuple(Row(("replay", str(number)), f"row {number}", result="won") for number in range(300))
    shown = keys(replace(FULL, history=rows), "7")[0]
    assert "1 to 13 of 300" in picture(shown)
    assert keys(shown, "end", "enter")[1] == [Run(("replay", "299"))]
    assert keys(shown, "pagedown", "pagedown", "pageup", "enter")[1] == [Run(("replay", "10"))]
    last = keys(shown, "up")[0]
    assert "row 299" in picture(last)
    assert item_at(last, TOP) == 287
    assert keys(last, "down", "enter")[1] == [Run(("replay", "0"))]


def test_somebody_is_forgotten_only_after_a_second_enter() -> None:
    shown = keys(FULL, "8", "1")[0]
    assert keys(shown, "3")[1] == []
    assert "Press Enter again to forget bob" in picture(keys(shown, "3")[0])
    assert keys(shown, "3", "up", "down", "enter")[1] == []
    assert keys(shown, "3", "enter")[1] == [Run(("people", "forget", "--", "bob"))]
    assert keys(shown, "1")[0].page is Page.HISTORY
    assert keys(shown, "1")[0].typed == "bob"


def test_a_match_is_found_by_a_name_that_was_cut_in_its_row() -> None:
    name = "a name of more than eighteen characters"
    row = Row(("replay", "x"), "2026-11-21  a name of mor...  won", more=name, result="won")
    shown = keys(replace(FULL, history=(row,), people=(Row((name,), name),)), "8", "1", "1")[0]
    assert menu.listed(shown) == (row,)


def test_a_match_whose_terms_have_no_room_is_told_whole_below_the_list_and_del_asks_there() -> None:
    rows = tuple(
        Row(("replay", str(number)), f"row {number:3}  {'won ' * 20} fight", number="7c1f") for number in range(40)
    )
    shown = keys(replace(FULL, history=rows), "7", "end")[0]
    picked, told = picture(shown).split("  > row  39")
    assert "row  38" in picked
    assert " ".join(told.splitlines()[1:-1]).split() == ["row", "39", *["won"] * 20, "fight"]
    asked = keys(shown, "delete")[0]
    assert "  > row  39" in picture(asked)
    assert "Press Del again to delete this match" in picture(asked)
    assert "fight" not in picture(asked)


def test_a_line_with_half_a_quotation_is_not_run() -> None:
    shown, wishes = keys(replace(FULL, page=Page.TOOLS), "8", *"replay 'x", "enter")
    assert wishes == []
    assert "quotation mark" in picture(shown)
    assert keys(shown, "backspace", "backspace", "x", "enter")[1] == [Run(("replay", "x"))]
    assert keys(shown, "escape")[0].page is Page.TOOLS
    # Nothing typed is no command.
    assert keys(replace(FULL, page=Page.TOOLS), "8", "enter")[1] == []


def test_what_was_chosen_is_there_the_next_time(tmp_path: Path) -> None:
    _, wishes = keys(FULL, "2", "2", "up", "enter", "3", "4", "5", "6", "escape", "3", "6", "7", "8")
    kept = wishes[-1]
    assert isinstance(kept, Keep)
    assert kept.chosen == Preferences(
        "alice",
        bot="random",
        seat="chthonians",
        random_setup=True,
        open_combat=True,
        challenge=1,
        clock="10m+5s",
        aids=True,
        lan=True,
    )
    home.save_preferences(tmp_path, kept.chosen)
    later = menu.begin(home.load_preferences(tmp_path), "bob", "greedy")
    assert "random, random setup" in picture(later)
    assert keys(later, "enter")[1] == [Run(("play", "--bot", "random", "--random-setup"))]
    words = ("play", "--bot", "random", "--seat", "chthonians", "--random-setup", "--open-combat", "--challenge=1")
    assert keys(later, "2", "enter")[1] == [Run(words)]
    # What a file of another program says is no choice of this one.
    chosen = Preferences("alice", game="chess", bot="deep blue", seat="left", challenge=50, clock="never")
    odd = replace(menu.begin(chosen, "bob", "greedy"), games=GAMES)
    assert keys(odd, "3", "enter")[1] == [Run(("host",))]
    terms, wishes = keys(odd, "2", "enter")
    assert wishes == [Run(("play",))]
    assert "greedy\n" in picture(terms)
    assert "Chthonians  0\n" in picture(terms)


def test_another_game_brings_its_usual_computer_player_and_is_there_the_next_time() -> None:
    shown, wishes = keys(replace(FULL, chosen=replace(ALICE, bot="greedy")), "2", "1")
    assert wishes == [Keep(replace(ALICE, game="fight"))]
    # Its computer players are found only after the first picture.
    later = menu.begin(shown.chosen, "bob", "greedy")
    assert keys(later, "enter")[1] == [Run(("play", "--game", "fight"))]


def test_an_own_set_of_cards_is_looked_at_before_it_is_kept_and_before_each_start() -> None:
    asked, wishes = keys(FULL, "2", "1", "3", *" my.json", "enter")
    assert (asked.page, wishes) == (Page.ASK, [Keep(replace(ALICE, game="fight")), Try("my.json")])
    # The file was fine: the terms name it, and so does the command.
    back, kept = menu.use_cards(asked, "/sets/my.json")
    assert kept == Keep(replace(ALICE, game="fight", cards="/sets/my.json"))
    assert "> 3  Cards                            my.json\n" in picture(back)
    words = ("--game", "fight", "--cards", "/sets/my.json")
    assert keys(back, "4")[1] == [Try("/sets/my.json", ("play", *words))]
    assert keys(back, "escape", "3", "6")[1] == [Try("/sets/my.json", ("host", *words))]
    # The first item plays with them, too, and says so; before the games were looked for as well.
    first = keys(back, "escape")[0]
    assert "Fight for Olympus, my.json\n" in picture(first)
    assert keys(first, "1")[1] == [Try("/sets/my.json", ("play", *words))]
    later = menu.begin(first.chosen, "bob", "greedy")
    assert keys(later, "1")[1] == [Try("/sets/my.json", ("play", *words))]
    # The path can be changed, and an empty one takes the cards of the program again.
    again, wishes = keys(back, "enter", *["backspace"] * 13, "enter")
    assert (again.page, wishes) == (Page.PLAY, [Keep(replace(ALICE, game="fight"))])
    assert "> 3  Cards                            built-in\n" in picture(again)
    # The other game has no cards.
    assert keys(back, "1", "7")[1][-1] == Run(("play",))


def test_the_output_of_a_command_is_scrolled_within_its_bounds() -> None:
    shown = replace(FULL, page=Page.OUTPUT, back=Page.TOOLS, output=Output("verify last"))
    for number in range(30):
        shown = hear(shown, f"line {number}")
    assert "line 0\n" in picture(shown)
    assert "line 16" not in picture(shown)
    down = keys(shown, "end", "pagedown", "down")[0]
    assert "line 29" in picture(down)
    assert "line 13" not in picture(down)
    assert keys(down, "up")[0].output == replace(down.output or Output(""), scroll=13)
    assert "line 0\n" in picture(keys(down, "pageup", "pageup")[0])
    back, wishes = keys(shown, "escape")
    assert (back.page, back.output, wishes) == (Page.TOOLS, None, [Stop()])
    # What it still says is for nobody.
    assert hear(back, "more") == back
    ended = replace(shown, output=replace(shown.output or Output(""), running=False))
    assert keys(ended, "enter")[1] == []
    followed = replace(FULL, page=Page.OUTPUT, output=Output("doctor", follow=True))
    for number in range(30):
        followed = hear(followed, f"line {number}")
    assert "line 29" in picture(followed)


def test_choices_are_kept_and_quit_ends() -> None:
    shown = replace(menu.begin(ALICE, "bob"), page=Page.SETTINGS)
    assert keys(shown, "2", "down", "down", "enter", "escape", "q")[1] == [
        Keep(replace(ALICE, signs="unicode")),
        Keep(replace(ALICE, signs="unicode", mouse=False)),
        Quit(),
    ]


def test_the_thinking_time_for_a_hint_goes_round() -> None:
    shown = replace(menu.begin(ALICE, "bob"), page=Page.SETTINGS)
    wishes = keys(shown, *["6"] * 5)[1]
    assert [one.chosen.hint_seconds for one in wishes if isinstance(one, Keep)] == [5, 10, 30, 1, 2]


def test_preferences_come_back_and_damage_counts_as_none(tmp_path: Path) -> None:
    chosen = Preferences("alice", signs="ascii", mouse=False)
    home.save_preferences(tmp_path / "home", chosen)
    assert home.load_preferences(tmp_path / "home") == chosen
    (tmp_path / "home" / home.FILE).write_text('{"name": 3, "signs": 1, "mouse": false, "other": 1}')
    assert home.load_preferences(tmp_path / "home") == Preferences(mouse=False)
    (tmp_path / "home" / home.FILE).write_text("[" * 100_000)
    assert home.load_preferences(tmp_path / "home") == Preferences()
    assert home.preferences_of({"name": "a\x1b[2Jb\u202e"}).name == "ab"


def test_settings_with_a_mistake_of_their_writer_are_not_replaced(tmp_path: Path) -> None:
    written = '{"name": "zed", "command": "notify-send Storm",}'
    (tmp_path / home.FILE).write_text(written)
    with pytest.raises(OSError, match=r"^settings.json has a mistake in line 1$"):
        home.save_preferences(tmp_path, Preferences("alice"))
    assert (tmp_path / home.FILE).read_text() == written
    (tmp_path / home.FILE).write_bytes(b'{\n"name": "\xff"\n}')
    language.choose("de")
    with pytest.raises(OSError, match=r"^settings.json hat einen Fehler in Zeile 2$"):
        home.save_preferences(tmp_path, Preferences("alice"))
    language.choose("en")
    (tmp_path / home.FILE).write_text("")
    home.save_preferences(tmp_path, Preferences("alice"))
    assert home.load_preferences(tmp_path).name == "alice"


def test_settings_that_this_version_does_not_read_stay_where_they_are(tmp_path: Path) -> None:
    written = {"name": "zed", "mouse": "no", "hint_seconds": 2.5, "stun": "a:1", "of_the_next_version": [1]}
    (tmp_path / home.FILE).write_text(json.dumps(written))
    home.save_preferences(tmp_path, Preferences("alice"))
    kept = json.loads((tmp_path / home.FILE).read_text())
    assert {name: kept[name] for name in written} == written | {"name": "alice"}
    assert home.load_preferences(tmp_path) == Preferences("alice")
    (tmp_path / home.FILE).write_text("[1]")
    with pytest.raises(OSError, match=r"^settings.json has a mistake in line 1$"):
        home.save_preferences(tmp_path, Preferences("alice"))


def test_a_click_takes_the_item_under_it() -> None:
    shown = menu.begin(ALICE, "bob")
    assert item_at(shown, TOP) == 0
    # An empty row is no item, and the next ones lie behind it.
    assert [item_at(shown, TOP + row) for row in (5, 6, 7)] == [5, None, 6]
    assert item_at(shown, TOP + len(menu.items(shown)) + 2) is None
    assert item_at(shown, TOP - 1) is None
    assert clicked(shown, TOP, 5) == "item 0"
    # Where nothing can be picked a click does nothing, and the row of hints leads back from everywhere.
    for page in (Page.NAME, Page.ASK, Page.OUTPUT):
        assert clicked(replace(SHOWN["output"], page=page), TOP, 5) == ""
        assert clicked(replace(SHOWN["output"], page=page), 23, 5) == "escape"


@pytest.mark.parametrize("name", ["", "x" * 300, "e\u0301", "ab "])
def test_a_kept_name_that_the_protocol_refuses_is_not_used(name: str) -> None:
    assert not is_allowed(name)
    assert is_allowed("Bj\u00f6rn O'Hara")


def test_the_only_unfinished_match_is_named_where_there_is_room() -> None:
    def shown(*matches: Row) -> str:
        return "\n".join(plain(row) for row in render(replace(menu.begin(ALICE, "bob"), matches=matches)))

    assert "Continue a match                 7c1f against bob, turn 12" in shown(ONLY)
    assert "1 unfinished" in shown(replace(ONLY, brief="x" * 60))
    assert "2 unfinished" in shown(ONLY, ONLY)


def test_a_command_of_the_players_own_is_offered_where_there_is_one() -> None:
    def kinds(chosen: Preferences) -> list[str]:
        shown = menu.begin(chosen, "bob")
        found = []
        for _ in range(6):
            shown, _ = menu.take(replace(shown, page=Page.SETTINGS), 4)
            found.append(shown.chosen.notice)
        return found

    assert kinds(Preferences(name="bob")) == ["auto", "bell", "osc9", "osc777", "off", "auto"]
    assert kinds(Preferences(name="bob", command="ntfy pub me"))[3:] == ["osc777", "command", "off"]


def test_the_matches_of_a_person_lead_back_to_the_person_and_to_the_list() -> None:
    person = keys(FULL, "8", "down", "enter")[0]
    assert (person.page, person.picked) == (Page.PERSON, "carol")
    their = keys(person, "1", "x", "backspace")[0]
    assert (their.page, their.typed) == (Page.HISTORY, "carol")
    for shown in (their, menu.again(their, ALICE)):
        back = keys(shown, "escape")[0]
        assert (back.page, back.picked) == (Page.PERSON, "carol")
        assert keys(back, "escape")[0].page is Page.PEOPLE
    # All matches are nobody's.
    everybody = keys(back, "escape", "escape", "7")[0]
    assert (everybody.page, everybody.typed) == (Page.HISTORY, "")
    assert keys(everybody, "escape")[0].page is Page.MAIN
