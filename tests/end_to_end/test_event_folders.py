"""What a tournament's folder says whatever lies in it: foreign files, holes, tables, pages."""

from __future__ import annotations

import io
import json
import random
import re
import shutil
import time
import zipfile
from argparse import Namespace
from collections.abc import Sequence
from contextlib import redirect_stderr
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from helpers_commands import run
from helpers_events import DAY, Club, place
from helpers_storm import StormPair
from helpers_wire import Pair

from cli.app.launch import pairing
from cli.storage.home import Home
from cli.text.clocks import moment
from cli.text.wording import fingerprint
from protocol.core.agreement import Role
from protocol.core.frames import Entry, Record
from protocol.core.words import WORDS
from protocol.crypto.keys import PrivateKey
from protocol.record import logfile
from protocol.record.journal import Journal
from protocol.tournament import contents
from protocol.tournament.contents import Ready


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
    assert "cannot be used" in club.event("ann", "status", code=2)
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
    # Olga's program would put it back, and so would that of anybody else who has seen it.
    said = club.event("ann", "status")
    assert "Document 2 by" in said
    assert "is missing" in said


def test_a_missing_round_is_one_line_however_many_logs_wait_for_it(club: Club) -> None:
    club.start("--games", "1", players=("ann", "bob", "cid", "dot"))
    club.event("ann", "ready")
    club.play_all()
    club.event("olga", "status")
    (first, second) = sorted(club.folder.glob("round-*.event"))
    first.unlink()
    said = club.standings(who="newcomer")
    assert "Document 3 by olga is missing" in said or "Document 3 by the key" in said
    logs = sorted(path.name for path in club.folder.glob("game-*.storm"))
    (ready,) = (path.name for path in club.folder.glob("ready-*.event"))
    assert len(logs) == 4
    counted = [line for line in said.splitlines() if "counted" in line and "Not counted" not in line]
    assert counted == [
        f"  {logs[0]}, {logs[1]}, {logs[2]}, {logs[3]} and {ready} are not counted: round 1 is not published here, or "
        "does not count.",
        f"  {second.name} is not counted: the document before it is missing, or there are two versions of it.",
    ]


def test_lists_are_sorted_and_say_how_many_more_there_are(club: Club) -> None:
    club.start("--games", "1")
    for number in range(30):
        (club.folder / f"notes{number:02}.txt").write_text("hello")
        (club.folder / f"junk{number:02}.event").write_bytes(b"junk %d" % number)
    (club.folder / "also.event").write_bytes(b"junk 29")
    said = club.standings()
    assert "logs: notes00.txt, notes01.txt, " in said
    assert "notes19.txt and 10 more." in said
    assert "  also.event, junk00.event, junk01.event, " in said
    assert "junk18.event and 11 more are not counted: " in said
    for number in range(30):
        club.publish(
            club.key(f"eve{number}"), contents.Entry(club.look().id, f"eve{number:02}", bytes(32)), f"late-{number}"
        )
    said = club.standings()
    assert said.count("The organiser left out an entry by") == 20
    assert "  and 10 more\n" in said
    assert len(club.table()["remarks"]) == 30


def test_export_brings_the_logs_of_the_own_machine(club: Club) -> None:
    club.start("--games", "1")
    (one,) = club.games()
    pair = club.begin(one)
    pair.guest.side_channel.resign()
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
    assert task["command"] == f"storm-p2p host --event {club.folder}"
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
    assert sorted(page.links) == ["cup/game-1.1.1-0.storm", "cup/game-1.1.1-1.storm"]
    assert "b" not in page.tags
    assert "&lt;b&gt;&amp;bob" in text
    assert f'lang="{spoken}"' in text
    assert report.read_text(encoding="utf-8").startswith("012 Cup\n")
    club.standings("--html", str(out), "--trf", str(report))
    kept, loop = club.folder / "game-1.1.1-0.storm", club.root / "loop.html"
    before = kept.read_bytes()
    loop.symlink_to(loop)
    for option in ("--html", "--trf"):
        # An earlier table is replaced, and nothing else: a log may be the only one.
        for file in (kept, out.parent, loop):
            club.standings(option, str(file), code=2)
            club.event("ann", "bundle", str(file), code=2)
    assert kept.read_bytes() == before
    head, *rows = club.standings("--csv").splitlines()
    assert head.startswith("rank,number,name,key,points,DE,SB,WIN")
    assert len(rows) == 2


def test_the_page_has_cross_table_rounds_byes_deadlines_and_what_is_compared_by_phone(club: Club) -> None:
    people = ("ann", "bob", "cid", "dan", "eve")
    club.start("--games", "1", "--system", "swiss", "--rounds", "2", players=people)
    club.play_all()
    club.event("olga", "rule", "bye", "2", "ann", "--points", "0.5")
    club.event("olga", "status")
    (log, *_) = club.folder.glob("*.storm")
    odd = club.folder / 'javascript:"<1>.storm'
    log.rename(odd)
    odd.with_suffix(".html").write_text("a board")
    (index, other) = (club.folder / "index.html", club.root / "elsewhere" / "index.html")
    other.parent.mkdir()
    for out in (index, other):
        club.standings("--html", str(out))
    text, elsewhere = (out.read_text(encoding="utf-8") for out in (index, other))
    found = club.look()
    assert text.index(f"Round 2, to be played by {moment(found.rounds[1].until)}") < text.index("Round 1, to be played")
    # The cross table, and who does not play.
    assert re.search(r"<td class=n>[1-5]</td><td>ann</td><td[^>]*>(bye|[1-5][CO]) [01]</td><td>bye 0.5</td>", text)
    assert "<td></td><td>ann</td><td></td><td>bye 0.5</td>" in text
    name = "javascript%3A%22%3C1%3E"
    assert re.search(f'<a href="{name}.storm">match log( 2)?</a> <a href="{name}.html">board( 2)?</a>', text)
    assert "href" not in elsewhere
    for key in (found.id, found.document.author):
        assert f"{fingerprint(key)}, in words: {' '.join(WORDS[byte] for byte in key[:8])}" in text
    # The same files make the same bytes, and no page is a foreign file.
    club.standings("--html", str(index), who="another")
    assert index.read_text(encoding="utf-8") == text
    said = club.standings()
    assert "Ignored" not in said
    assert all(line in said for line in (f"Round 2, to be played by {moment(found.rounds[1].until)}", "Cross table"))
    assert fingerprint(found.document.author) in said


def test_games_that_are_played_are_listed_and_a_feed_of_anything_else_is_passed_over(club: Club) -> None:
    """Fails where a feed counts, where one is believed that is from no game to be played, or where one is a crash."""
    club.announce("--games", "1", "--watched", players=("ann", "<b>&bob", "cid", "dan"))
    club.event("olga", "close", "--early")
    for player in ("ann", "<b>&bob", "cid", "dan", "olga"):
        club.event(player, "status")
    live, out, before = club.folder / "live", club.root / "out.html", club.standings("--json")
    live.mkdir()
    one, other = club.games()

    def publish(pair: Pair, name: str = "", records: Sequence[Record] | None = None, flipped: int = 0) -> Path:
        data = bytearray(logfile.dump_beginning(pair.host.records if records is None else records))
        data[-flipped - 1] ^= flipped > 0
        file = live / f"{name or pair.host.agreement.match_id.hex()[:8]}.live"
        file.write_bytes(data)
        return file

    def listed() -> list[dict[str, object]]:
        status = json.loads(club.event("cid", "status", "--json"))
        assert status["ignored"] == status["unread"] == status["refused"] == []
        found: list[dict[str, object]] = status["playing"]
        return found

    # Not from a game of the tournament, between others, on other terms, under a false name, changed, or no feed.
    publish(StormPair(tag="of no tournament", capabilities=("watched",)))
    publish(club.begin(one, people=(club.key("eve"), club.key("mallory"))))
    publish(club.begin(one, conditions=replace(one.conditions, watched=5)))
    # That of the latest name, so that others come before it.
    pair = max((club.begin(one, tag=tag) for tag in "abc"), key=lambda each: each.host.agreement.match_id)
    chance = random.Random(1)
    while pair.host.game.turn(pair.host.state) < 2:
        pair.decide(next(each for each in pair.sessions if each.asks_us is not None), chance)
        pair.settle()
    publish(pair, "0123abcd")
    publish(pair, "<b>")
    publish(pair, "0123abce", pair.host.records[:3])
    publish(pair, flipped=70)
    (live / "00000000.live").mkdir()
    (live / "00000001.live").symlink_to(live / "00000001.live")
    with (live / "00000002.live").open("wb") as huge:
        huge.truncate(100 << 20)
    (live / "00000003.live").write_bytes(b"<script>")
    (live / "00000004.live").write_bytes(logfile.MAGIC + bytes((7, 255, 255)))
    assert listed() == []
    club.standings("--html", str(out))
    assert "Being played" not in out.read_text()
    # The one that is what it should be, though strangers have put as many before it; its page is there, too.
    number, before_it = 0, 0
    while before_it < 5:
        strange = publish(club.begin(one, tag=f"{number}", people=(club.key("eve"), club.key("mallory"))))
        before_it += strange.stem < pair.host.agreement.match_id.hex()
        number += 1
    file = publish(pair)
    file.with_suffix(".html").write_text("a page")
    seated, page = list(club.seated(one)), str(file.with_suffix(".html"))
    row = {"place": [*one.place], "players": seated, "turn": 2, "file": str(file), "page": page}
    assert listed() == [row]
    said = club.event("cid", "status")
    assert f"Game 1.1.1 between {seated[0]} and {seated[1]}, turn 2: storm-p2p watch {file}" in said
    club.standings("--html", str(out))
    text = out.read_text()
    assert text.index("Being played") < text.index("Standings")
    assert text.count(f'<a href="cup/live/{file.stem}.html">board</a>') == 2
    assert "<b>" not in text
    # It is not carried with the documents.
    club.event("cid", "bundle", str(club.root / "cup.zip"))
    assert "live" not in " ".join(zipfile.ZipFile(club.root / "cup.zip").namelist())
    # A feed counts for nothing, and what is over is not being played: by the feed or by a log.
    assert club.standings("--json") == before
    pair.guest.side_channel.resign()
    pair.settle()
    publish(pair)
    publish(club.begin(other))
    assert [row["place"] for row in listed()] == [[*other.place]]
    club.play(other)
    assert listed() == []
    shutil.rmtree(live)
    live.write_text("no folder")
    assert listed() == []


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
    said = club.event("olga", "close", "--early", code=1)
    assert "had seen them before" in said
    assert "already been done" in said
    (close,) = club.folder.glob("close-*.event")
    assert close.read_bytes() == data
    for who in ("ann", "bob"):
        club.event(who, "status")
    assert "has started" in club.event("olga", "status")


def test_a_game_that_has_begun_here_is_gone_on_with_and_not_begun_again(club: Club) -> None:
    club.start("--games", "1")
    (one,) = club.games()
    pair = club.begin(one)
    (host,) = [name for key, name in club.names().items() if key == pair.host.agreement.players[0].identity]
    folder = club.home(host) / "matches"
    own = PrivateKey(bytes(32))
    with Journal.create(folder, started_at=1, role=Role.HOST, name=host, entropy=bytes(32), identity=own) as book:
        book.append([Entry(number % 2 == 1, record) for number, record in enumerate(pair.host.records)])
        book.meet(pair.host.agreement.match_id, "other")
    assert "has begun. Finish it by" in club.event(host, "status")
    done = run("host", "--event", str(club.folder), "--player", "bot:random", "--home", str(club.home(host)), code=2)
    assert "Game 1.1.1 has already begun" in done.stderr
    assert "storm-p2p host" in club.event(*(set(club.names().values()) - {host}), "status")


def test_whoever_hosts_after_the_deadline_is_told(club: Club, later: list[int]) -> None:
    club.start("--games", "1", "--aids")
    later[0] = 60 * DAY
    options = Namespace(
        event=str(club.folder),
        game="storm",
        cards=None,
        offline=False,
        terms=None,
        clock=None,
        witness=None,
        seat=None,
        challenge=0,
        open_combat=False,
        random_setup=False,
        watched=None,
        aids=False,
        scheme="proved",
    )
    said = io.StringIO()
    with redirect_stderr(said):
        game = pairing.to_host(Home(club.home("ann")), options)
    assert game.name == "ann"
    # Whether there are hints is for the tournament to say.
    assert game.proposal.conditions.aids
    assert "The deadline of round 1 was" in said.getvalue()
