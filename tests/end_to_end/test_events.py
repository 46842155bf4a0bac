"""A tournament by its commands: what each says, whom it stops, and what somebody types wrong."""

from __future__ import annotations

import io
import json
import sys
import time
from argparse import Namespace
from contextlib import redirect_stderr
from html.parser import HTMLParser
from pathlib import Path

import pytest
from helpers_commands import run
from helpers_events import Club, place

from cli.app.launch import pairing
from cli.storage.home import Home
from protocol.core.agreement import Role
from protocol.core.frames import Entry
from protocol.record.journal import Journal
from protocol.tournament.contents import Ready
from protocol.tournament.findings import Place
from protocol.tournament.results import State

DAY = 86_400


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Return people who have not yet announced anything."""
    return Club(tmp_path)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list whose only number is by how many seconds all clocks are ahead."""
    ahead, real = [0], time.time
    monkeypatch.setattr(time, "time", lambda: real() + ahead[0])
    return ahead


def without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program that pairs not be installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "gacrux"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gacrux", None)


# -- from the announcement to the start -----------------------------------------------------------------------


def test_entries_are_closed_by_the_organiser_and_not_before_they_are_announced_to_be(club: Club) -> None:
    club.announce()
    assert "Only the organiser" in club.event("ann", "close", code=2)
    assert "--early" in club.event("olga", "close", code=2)
    assert club.look().close is None
    assert "2 players" in club.event("olga", "close", "--early")
    assert "already been done" in club.event("olga", "close", "--early", code=1)


def test_status_opens_the_own_coin_once_and_starts_when_all_are_open(club: Club) -> None:
    club.announce()
    club.event("olga", "close", "--early")
    assert "Your coin for the draw is open" in club.event("ann", "status")
    assert "Your coin for the draw is open" not in club.event("ann", "status")
    assert "coins of: bob" in club.event("olga", "status")
    assert "the coins of bob" in club.event("olga", "round", code=2)
    club.event("bob", "status")
    said = club.event("olga", "status")
    assert "started with 2 players" in said
    assert "Round 1 is published" in said
    assert "host --event" in club.event("ann", "status")


def test_who_opens_no_coin_is_left_out_when_the_time_is_over(club: Club, later: list[int]) -> None:
    club.announce(players=("ann", "bob", "cid"))
    club.event("olga", "close", "--early")
    club.event("ann", "status")
    club.event("bob", "status")
    later[0] = 10 * DAY
    assert "started with 2 players" in club.event("olga", "status")
    assert "not among the players" in club.event("cid", "status")


def test_an_entry_after_the_deadline_is_written_and_after_the_close_refused(club: Club, later: list[int]) -> None:
    club.announce()
    later[0] = 8 * DAY
    assert "may leave it out" in club.event("cid", "enter", "--name", "cid")
    club.event("olga", "close")
    before = sorted(club.folder.iterdir())
    assert "takes no late ones" in club.event("dot", "enter", "--name", "dot", code=2)
    assert sorted(club.folder.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [("--tie-breaks", "DE,LUCK"), ("--points", "0,1,1,1"), ("--each", "soon"), ("--entries", "yesterday"),
     ("--arbiter", "me"), ("--clock", "fast"), ("--rounds", "0"), ("--name", "a\x1b[2J")],
    ids=str,
)  # fmt: skip
def test_an_event_that_cannot_be_has_its_sentence_and_makes_no_folder(club: Club, words: tuple[str, ...]) -> None:
    said = club.event("olga", "new", "--name", "Cup", *words, code=2)
    assert "xpected" in said
    assert not club.folder.exists()


def test_nobody_enters_twice_or_under_the_name_of_another(club: Club) -> None:
    club.announce()
    assert "already entered as ann" in club.event("ann", "enter", "--name", "other")
    assert "Somebody else has entered as ANN" in club.event("eve", "enter", "--name", "ANN", code=2)
    assert "visible characters" in club.event("eve", "enter", "--name", "a\x1b[2J", code=2)
    assert "rating" in club.event("eve", "enter", "--name", "eve", "--rating", "9000", code=2)
    assert len(club.look().entries) == 2


def test_one_player_is_no_tournament(club: Club) -> None:
    club.announce(players=("ann",))
    assert "at least two players" in club.event("olga", "close", "--early", code=2)
    assert club.look().close is None


def test_an_entry_that_the_organiser_does_not_take_is_told_to_all(club: Club) -> None:
    club.announce(players=("ann", "bob", "cid"))
    club.event("olga", "close", "--early", "--without", "cid")
    assert "left out an entry by cid" in club.event("ann", "status")


def test_a_swiss_without_the_program_that_pairs_names_the_extra(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    without_engine(monkeypatch)
    swiss = ("--name", "Cup", "--system", "swiss")
    assert "--rounds" in club.event("olga", "new", *swiss, code=2)
    assert "storm-p2p[tournament]" in club.event("olga", "new", *swiss, "--rounds", "3", code=2)
    assert not club.folder.exists()
    # The other systems need none.
    club.start("--system", "knock-out", "--games", "1")
    club.play_all()
    assert "The tournament is over" in club.event("ann", "status")


def test_a_swiss_takes_late_players_byes_and_withdrawals(club: Club) -> None:
    players = ("ann", "bob", "cid", "dot")
    club.start("--system", "swiss", "--rounds", "3", "--games", "1", players=players)
    assert "only an arbiter" in club.event("eve", "enter", "--name", "eve")
    club.event("olga", "rule", "late", "2", "eve")
    club.event("olga", "rule", "withdraw", "2", "dot")
    club.event("olga", "rule", "bye", "3", "ann", "--points", "0.5")
    club.play_all()
    assert "Round 2 is published" in club.event("olga", "status")
    found = club.look()
    assert [one.name for one in found.players][-1] == "eve"
    paired = {found.players[number - 1].name for pair in found.rounds[1].pairings for number in pair if number}
    assert paired == {"ann", "bob", "cid", "eve"}
    club.play_all()
    club.event("olga", "status")
    assert club.table()["refused"] == []


# -- games ----------------------------------------------------------------------------------------------------


def test_a_player_who_does_not_come_loses_by_ruling_and_may_answer_before(club: Club, later: list[int]) -> None:
    club.start("--games", "1")
    assert "have not yet said that you are ready" in club.event("ann", "claim", code=2)
    assert "ready for game 1.1.1" in club.event("ann", "ready")
    assert "still has until" in club.event("ann", "claim", code=2)
    later[0] = 2000
    club.event("ann", "claim")
    assert "nothing to answer" in club.event("ann", "answer", "I was there", code=2)
    assert "ann claims a forfeit in game 1.1.1" in club.event("bob", "status")
    assert "rule" not in club.event("olga", "status")
    club.event("bob", "answer", "My train was late.")
    said = club.event("olga", "status")
    assert "bob has answered" in said
    (command,) = [line.strip() for line in said.splitlines() if "event rule" in line]
    words = command.split()[3:]
    assert words[0] == str(club.folder)
    club.event("olga", "rule", *words[1:])
    result = club.look().results[Place(1, 1, 1)]
    assert result.state is State.FORFEIT
    (row,) = [one for one in club.table()["standings"] if one["name"] == "ann"]
    assert (row["points"], row["rating"]) == (1, 1500)
    (ruling,) = club.look().in_force
    assert len(getattr(ruling.content, "evidence", ())) == 2


def test_an_unanswered_claim_is_ruled_when_the_time_is_over(club: Club, later: list[int]) -> None:
    club.start("--games", "1")
    club.event("bob", "ready", "--game", "1.1.1")
    later[0] = 2000
    club.event("bob", "claim")
    later[0] += DAY + 1
    assert "event rule" in club.event("olga", "status")


def test_two_results_for_one_game_wait_for_an_arbiter(club: Club) -> None:
    club.start("--games", "1")
    (one,) = club.games()
    for loser in (0, 1):
        pair = club.begin(one, tag=f"match {loser}")
        pair.sessions[loser].side.resign()
        pair.settle()
        club.add(pair, 0, f"match-{loser}")
    assert "two results" in club.event("ann", "status")
    assert "award 1.1.1" in club.event("olga", "status")
    assert "not an arbiter" in club.event("ann", "rule", "award", "1.1.1", "ann", code=2)
    club.event("olga", "rule", "award", "1.1.1", "remis")
    assert [one["points"] for one in club.table()["standings"]] == [0.5, 0.5]
    ruling = club.look().in_force[0].id.hex()[:10]
    club.event("olga", "rule", "award", "1.1.1", "bob", "--replaces", ruling)
    assert [one["name"] for one in club.table()["standings"]] == ["bob", "ann"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("forfeit", "x", "ann"), "ROUND.TABLE"),
        (("forfeit", "7.1", "ann"), "no game 7.1"),
        (("forfeit", "1.1"), "Which player?"),
        (("forfeit", "1.1", "nobody"), "player's name or number"),
        (("bye", "2", "ann"), "would not count"),
        (("withdraw", "zero", "ann"), "number of a round"),
        (("award", "1.1", "ann", "--replaces", "ff"), "no ruling"),
        (("late", "2", "ann"), "player's name or number"),
    ],
)
def test_a_ruling_about_nothing_has_its_sentence(club: Club, words: tuple[str, ...], said: str) -> None:
    club.start("--games", "1")
    before = sorted(club.folder.iterdir())
    assert said in club.event("olga", "rule", *words, code=2)
    assert sorted(club.folder.iterdir()) == before


def test_a_result_that_is_not_proved_names_whose_signature_is_missing(club: Club) -> None:
    club.start("--games", "1")
    (one,) = club.games()
    pair = club.begin(one)
    pair.host.side.offer_draw()
    pair.settle()
    pair.guest.side.accept_draw()
    club.add(pair, 1, "draw")
    host, guest = (club.names()[one.identity] for one in pair.host.agreement.players)
    assert "still needs your signature" in club.event(host, "status")
    assert f"{host} has not signed" in club.event(guest, "status")
    assert f"{host} has to sign it" in club.standings()
    pair.settle()
    club.add(pair, 0, "theirs")
    assert [row["points"] for row in club.table()["standings"]] == [0.5, 0.5]


def test_a_ruling_about_somebody_who_does_not_play_the_game_is_not_written(club: Club) -> None:
    players = ("ann", "bob", "cid", "dot")
    club.start("--games", "1", players=players)
    found = club.look()
    other = found.rounds[0].pairings[1].first
    before = sorted(club.folder.iterdir())
    assert "would not count" in club.event("olga", "rule", "forfeit", "1.1", str(other), code=2)
    assert sorted(club.folder.iterdir()) == before
    # And the number is still free.
    club.event("olga", "rule", "forfeit", "1.2", str(other))
    assert club.table()["refused"] == []


def test_a_round_robin_goes_on_when_the_time_of_a_round_is_over(club: Club, later: list[int]) -> None:
    club.start("--games", "1", players=("ann", "bob", "cid"))
    assert "Round 2" not in club.event("olga", "status")
    later[0] = 20 * DAY
    said = club.event("olga", "status")
    assert "Round 2 is published" in said
    assert "event rule" in said
    # A deadline that is over would leave nobody time to play.
    assert all(one.until > time.time() for one in club.look().rounds[1:])


# -- the folder -----------------------------------------------------------------------------------------------


def test_files_that_do_not_belong_there_are_named_and_the_rest_counts(club: Club) -> None:
    club.start("--games", "1")
    club.play_all()
    whole = club.table()
    (club.folder / "notes.txt").write_text("hello")
    (club.folder / "old").mkdir()
    (club.folder / ".hidden").write_text("hello")
    (club.folder / "huge.event").write_bytes(bytes(70_000))
    (club.folder / "junk.event").write_bytes(b"junk")
    (club.folder / "junk.storm").write_bytes(b"other junk")
    (club.folder / "folder.storm").mkdir()
    said = club.standings()
    assert "neither documents nor logs: notes.txt and old." in said
    assert "too long: folder.storm and huge.event." in said
    assert "junk.event is not counted" in said
    assert "junk.storm is not counted" in said
    assert ".hidden" not in said
    table = club.table()
    assert table["standings"] == whole["standings"]
    assert (table["ignored"], table["unread"]) == (["notes.txt", "old"], ["folder.storm", "huge.event"])


def test_a_second_event_in_the_folder_takes_the_place_of_none(club: Club, tmp_path: Path) -> None:
    club.start("--games", "1")
    other = Club(tmp_path / "other")
    other.root.mkdir()
    other.announce()
    (announced,) = other.folder.glob("event-*.event")
    (club.folder / "event-b.event").write_bytes(announced.read_bytes())
    # Who has used the folder stays with its event; a stranger is asked.
    assert "round 1" in club.event("ann", "status")
    assert "belongs to another tournament" not in club.event("ann", "status")
    done = run("standings", str(club.folder), "--home", str(club.home("stranger")), code=2)
    first, *rows = done.stderr.splitlines()
    assert "several tournaments" in first
    assert len(rows) == 2
    mine = next(row.split()[0] for row in rows if club.event("ann", "status", "--id", row.split()[0]).count("round 1"))
    assert "round 1" in club.standings("--id", mine)
    # The old one goes away: it is not confused with the new one.
    for path in club.folder.iterdir():
        if path.name != "event-b.event":
            path.unlink()
    assert "the tournament you used there" in club.event("bob", "status", code=2)


def test_a_folder_without_a_tournament_has_its_sentence(club: Club) -> None:
    assert "cannot be read" in club.event("ann", "status", code=2)
    club.folder.mkdir()
    assert "There is no tournament" in club.event("ann", "status", code=2)
    club.announce(players=())
    assert "already holds a tournament" in club.event("olga", "new", "--name", "Again", code=2)


def test_a_clock_that_is_ahead_is_named(club: Club) -> None:
    club.start("--games", "1")
    found = club.look()
    club.publish(club.key("ann"), Ready(found.id, *place("1.1.1"), int(time.time()) + DAY))
    assert "ann signed with a time in the future" in club.event("bob", "status")


def test_a_missing_document_of_the_organiser_is_a_hole(club: Club) -> None:
    club.start("--games", "1")
    (start,) = club.folder.glob("start-*.event")
    start.unlink()
    said = club.event("ann", "status")
    assert "Document 2 by" in said
    assert "is missing" in said


def test_export_brings_the_logs_of_the_own_machine(club: Club) -> None:
    club.start("--games", "1")
    (one,) = club.games()
    pair = club.begin(one)
    pair.guest.side.resign()
    pair.settle()
    logs = club.home("ann") / "logs"
    club.add(pair, 0, "kept").rename(logs / "2026-11-22-bob-1234.storm")
    (logs / "broken.storm").write_bytes(b"broken")
    assert "no log yet" in club.standings()
    assert "Logs added to the folder: 1." in club.event("ann", "export")
    assert "Logs added to the folder: 0." in club.event("ann", "export")
    assert "no log yet" not in club.standings()


# -- what programs and web servers read -----------------------------------------------------------------------


def test_status_tells_programs_what_to_type(club: Club) -> None:
    club.start("--games", "1")
    found = json.loads(run("event", "status", str(club.folder), "--json", "--home", str(club.home("ann"))).stdout)
    (task,) = found["tasks"]
    assert (task["task"], task["place"], task["opponent"]) == ("play", [1, 1, 1], "bob")
    assert task["command"].startswith(f"storm-p2p host --event {club.folder}")
    assert found["you"]["name"] == "ann"
    assert [one["code"] for one in found["holes"]] == ["game_missing"]


class _Page(HTMLParser):
    """Gathers the tags of a page and what they point to."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "onclick")]


def test_the_page_needs_no_script_and_no_network_and_trusts_no_name(
    club: Club, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A command that is given a language would leave it to those after it.
    monkeypatch.setenv("LANGUAGE", spoken)
    club.announce("--games", "1", players=("ann", "<b>&bob"))
    club.event("olga", "close", "--early")
    for player in ("ann", "<b>&bob", "olga"):
        club.event(player, "status")
    club.play_all()
    out = club.root / "out.html"
    report = club.root / "out.trf"
    club.standings("--html", str(out), "--trf", str(report))
    text = out.read_text(encoding="utf-8")
    page = _Page()
    page.feed(text)
    assert "script" not in page.tags
    assert page.links == []
    assert "b" not in page.tags
    assert "&lt;b&gt;&amp;bob" in text
    assert f'lang="{spoken}"' in text
    assert report.read_text(encoding="utf-8").startswith("012 Cup\n")
    head, *rows = club.standings("--csv").splitlines()
    assert head.startswith("rank,number,name,key,points,DE,SB,WIN")
    assert len(rows) == 2


def test_a_name_is_no_formula_in_a_table(club: Club) -> None:
    club.start(players=("ann", "=1+1"))
    assert ",'=1+1," in club.standings("--csv")


def test_standings_before_the_start_say_so(club: Club) -> None:
    club.announce()
    assert "has not started" in club.standings()
    assert club.table()["standings"] == []


def test_an_old_copy_of_the_folder_does_not_make_the_organiser_a_cheat(club: Club) -> None:
    club.announce()
    club.event("olga", "close", "--early")
    (close,) = club.folder.glob("close-*.event")
    data = close.read_bytes()
    close.unlink()
    before = sorted(club.folder.iterdir())
    assert "the folder is an old copy" in club.event("olga", "close", "--early", code=2)
    assert sorted(club.folder.iterdir()) == before
    close.write_bytes(data)
    for who in ("ann", "bob"):
        club.event(who, "status")
    assert "has started" in club.event("olga", "status")


def test_a_game_that_has_begun_here_is_gone_on_with_and_not_begun_again(club: Club) -> None:
    club.start("--games", "1")
    (one,) = club.games()
    pair = club.begin(one)
    (host,) = [name for key, name in club.names().items() if key == pair.host.agreement.players[0].identity]
    folder = club.home(host) / "matches"
    with Journal.create(folder, started_at=1, role=Role.HOST, name=host, seed=bytes(32), key=bytes(32)) as book:
        book.append([Entry(number % 2 == 1, record) for number, record in enumerate(pair.host.records)])
        book.meet(pair.host.agreement.match_id, "other")
    assert "has begun; finish it" in club.event(host, "status")
    done = run("host", "--event", str(club.folder), "--player", "bot:random", "--home", str(club.home(host)), code=2)
    assert "Game 1.1.1 has already begun" in done.stderr
    assert "storm-p2p host" in club.event(*(set(club.names().values()) - {host}), "status")


def test_whoever_hosts_after_the_deadline_is_told(club: Club, later: list[int]) -> None:
    club.start("--games", "1")
    later[0] = 60 * DAY
    options = Namespace(event=str(club.folder), terms=None, clock=None, witness=None, seat=None, challenge=0,
                        open_combat=False, random_setup=False, scheme="proved")  # fmt: skip
    said = io.StringIO()
    with redirect_stderr(said):
        game = pairing.to_host(Home(club.home("ann")), options)
    assert game.name == "ann"
    assert "The deadline of round 1 was" in said.getvalue()
