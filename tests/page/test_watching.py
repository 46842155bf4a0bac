"""Watching a match from what its players publish: files, web servers, two feeds; what is false is never shown."""

from __future__ import annotations

import json
import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from helpers_pages import DEALT, FIGHT, HASH
from helpers_storm import StormPair
from helpers_toy_cheats import bluff, to_move
from helpers_wire import Pair, only
from hypothesis import given
from hypothesis import strategies as st
from toys import Bluff

from cli.app import watch
from cli.app.main import main
from cli.app.verify import judge_alone
from cli.app.webpage import Running
from cli.events.carriers import CarrierError, Fetched, Web
from cli.runtime.console import Exit
from cli.storage.home import Home
from cli.text import watching
from protocol.core.frames import FrameKind
from protocol.core.game_data import read_data
from protocol.game import Choose
from protocol.record import logfile
from protocol.record.feed import FeedError, Feeds
from storm_p2p import games as rules

LIMIT = logfile.SIZE_LIMIT


def feed(pair: Pair, seat: int, count: int | None = None) -> bytes:
    return logfile.dump_beginning(pair.sessions[seat].records[:count])


@cache
def finished() -> Pair:
    """Return a match in which messages have crossed, so that its two logs have another order."""
    pair, chance = bluff(), random.Random(3)
    while asked := [one for one in pair.sessions if one.asks_us is not None]:
        for session in pair.sessions:
            session.side_channel.chat("well")
        pair.decide(asked[0], chance)
        pair.settle()
    assert pair.host.records != pair.guest.records
    assert {*pair.host.records} == {*pair.guest.records}
    return pair


def follow(*feeds: bytes, game: Any = None) -> Feeds:
    found = Feeds(only(game or Bluff()))
    for number, data in enumerate(feeds):
        found.take(number, data)
    return found


# -- what feeds prove ---------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 60)), max_size=8))
def test_any_beginnings_of_two_honest_logs_convict_nobody(cuts: list[tuple[int, int]]) -> None:
    pair, found = finished(), Feeds(only(Bluff()))
    longest = [0, 0]
    for seat, count in cuts:
        found.take(seat, feed(pair, seat, count))
        longest[seat] = max(longest[seat], count)
    assert found.convicted == {}
    whole = [len(pair.sessions[seat].records) for seat in (0, 1)]
    if any(count >= size for count, size in zip(longest, whole, strict=True)):
        assert found.transcript is not None
        assert found.transcript.length == pair.host.transcript.length


@pytest.mark.parametrize("swapped", [False, True])
def test_two_feeds_convict_who_shows_two_last_messages_and_each_alone_nobody(swapped: bool) -> None:
    # The same entropy makes the same match, so a player with two programs signs two courses of it.
    pairs = (bluff(), bluff())
    seat = to_move(pairs[0])
    feeds = []
    for pair, said, teller in zip(pairs, pairs[0].sessions[seat].moves(), (1 - seat, seat), strict=False):
        pair.act(seat, said)
        feeds.append(feed(pair, teller))
    assert feeds[0] != feeds[1]
    assert [follow(one).convicted for one in feeds] == [{}, {}]
    assert follow(*feeds[:: -1 if swapped else 1]).convicted == {seat: "two_messages"}


def test_cut_at_every_byte_a_feed_shows_the_records_that_are_whole() -> None:
    pair = finished()
    whole, found = feed(pair, 0), Feeds(only(Bluff()))
    sizes = [len(feed(pair, 0, count)) for count in range(len(pair.host.records) + 1)]
    # Each length of a short match, and the places around each record of the rest.
    near = {size + more for size in sizes for more in (-1, 0, 1)}
    for end in range(16, len(whole) + 1):
        if end > sizes[8] and end not in near:
            continue
        found.take(0, whole[:end])
        count = sum(size <= end for size in sizes) - 1
        assert (0 if found.transcript is None else 4 + len(found.transcript.records)) == (count if count >= 4 else 0)
    # An older copy takes nothing back.
    found.take(0, whole[:100])
    assert found.transcript is not None
    assert found.transcript.length == pair.host.transcript.length


def shown(found: Feeds) -> list[bytes]:
    """Return what holds of feeds, and convicts nobody."""
    assert found.convicted == {}
    return [] if found.transcript is None else [one.frame for one in found.transcript.records]


@pytest.mark.parametrize(
    ("log", "most"),
    [(HASH, 1), *(pytest.param(log, most, marks=pytest.mark.long) for log, most in ((HASH, 32), (FIGHT, 8)))],
    ids=["a byte of each record", "32 bytes of each record", "eight bytes of each record of Fight"],
)
def test_after_a_flipped_bit_nothing_false_is_shown_and_what_was_shown_stays(log: Path, most: int) -> None:
    records = logfile.load(log.read_bytes()).records
    whole, chance = logfile.dump_beginning(records), random.Random(1)
    begins = read_data(records)[1]
    right = [one.frame for one in records[begins:]]
    for number in range(len(records)):
        before = right[: max(0, number - begins)]
        start, end = (len(logfile.dump_beginning(records[:count])) for count in (number, number + 1))
        for at in sorted(chance.sample(range(start, end), min(most, end - start))):
            bad = bytearray(whole)
            bad[at] ^= 1 << chance.randrange(8)
            found = Feeds(rules.find)
            found.take(0, whole[:start])
            assert shown(found) == before
            with suppress(FeedError):
                found.take(0, bytes(bad))
            # Only the two macs of the handshake are nobody's signature; nothing of them is shown.
            assert shown(found) == before or (number < 2 and shown(found) == right)
            # Nor is any of it taken back.
            with pytest.raises(FeedError) as caught:
                found.take(0, bytes(bad[: start - 1]) + b"!" + bytes(bad[start:]))
            assert caught.value.code in ("changed", "not-a-log")
            assert shown(found)[: len(before)] == before


def test_records_that_are_moved_repeated_left_out_or_of_another_match_show_nothing_false() -> None:
    records = logfile.load(HASH.read_bytes()).records
    others = logfile.load(DEALT.read_bytes()).records
    right = {one.frame: one.kind for one in records[4:]}
    moves = [frame for frame, kind in right.items() if kind == FrameKind.ENVELOPE]
    for at in range(1, len(records), 3):
        before, here, after = records[:at], records[at : at + 1], records[at + 1 :]
        for made in (
            (*before, *after[:1], *here, *after[1:]),
            (*before, *here, *here, *after),
            (*before, *here, *after[:3], *here, *after[3:]),
            (*before, *after),
            (*before, others[at], *after),
            (*before, *others[at:]),
        ):
            found = Feeds(rules.find)
            with suppress(FeedError):
                found.take(0, logfile.dump_beginning(made))
            frames = shown(found)
            assert len(frames) >= max(0, at - 4)
            # What both sign at the end they may sign in either order.
            assert len(set(frames)) == len(frames) == len(right.keys() & {*frames})
            moved = [frame for frame in frames if right[frame] == FrameKind.ENVELOPE]
            assert moved == moves[: len(moved)]


@pytest.mark.parametrize("bad_first", [False, True])
def test_what_stands_behind_a_bad_record_of_one_feed_the_other_feed_may_still_show(bad_first: bool) -> None:
    records = list(logfile.load(HASH.read_bytes()).records)
    good, right = logfile.dump_beginning(records), [one.frame for one in records[4:]]
    for at in range(4, len(records), 7):
        bent = records[at]._replace(kind=FrameKind.WATCH)
        bad, found = logfile.dump_beginning([*records[:at], bent, *records[at + 1 :]]), Feeds(rules.find)
        for number, data in enumerate((bad, good) if bad_first else (good, bad)):
            with suppress(FeedError):
                found.take(number, data)
        assert shown(found) == right


def test_a_feed_in_a_false_order_is_gone_through_a_few_times_and_not_once_for_each_message() -> None:
    pair = finished()
    records = pair.host.records
    found = follow(feed(pair, 1, 5))
    assert found.transcript is not None
    accept, taken = found.transcript.accept, []

    def counted(frame: bytes) -> object:
        taken.append(frame)
        return accept(frame)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(found.transcript, "accept", counted)
        found.take(1, logfile.dump_beginning([*records[:4], *reversed(records[4:])]))
    assert len(records) > 40
    assert len(taken) <= 4 * len(records)
    assert found.convicted == {}


def test_a_feed_of_another_match_adds_nothing() -> None:
    other = Pair(Bluff(), (4, 0), tag="another")
    found = follow(feed(finished(), 0))
    with pytest.raises(FeedError) as caught:
        found.take(1, feed(other, 1))
    assert caught.value.code == "other_match"


# -- what a web server sends --------------------------------------------------------------------------------------


@contextmanager
def serving(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/a.live"
        finally:
            server.shutdown()
            thread.join()


def send(handler: BaseHTTPRequestHandler, status: int, data: bytes = b"", **headers: str) -> None:
    handler.send_response_only(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def fetch(url: str, held: Fetched, seconds: float = 10, limit: int = LIMIT) -> Fetched:
    return Web(url, time.monotonic() + seconds).fetch(held, limit)


def test_a_server_that_knows_ranges_and_tags_sends_only_what_is_new() -> None:
    data, sent = bytearray(b"abc"), list[int]()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        tag, wanted = f'"{len(data)}"', handler.headers.get("Range", "bytes=0-")
        begins = int(wanted[6:-1])
        if handler.headers.get("If-None-Match") == tag:
            sent.append(304)
            return send(handler, 304)
        if begins >= len(data):
            sent.append(416)
            return send(handler, 416)
        sent.append(206 if begins else 200)
        part = bytes(data[begins:])
        return send(handler, sent[-1], part, ETag=tag, Content_Range=f"bytes {begins}-{len(data) - 1}/{len(data)}")

    with serving(answer) as url:
        held = fetch(url, Fetched())
        held = fetch(url, held)
        data += b"def"
        held = fetch(url, held)
        assert fetch(url, Fetched(held.data)).data == held.data == b"abcdef"
    assert sent == [200, 304, 206, 416]


def test_a_server_that_ignores_ranges_sends_all_and_a_second_is_too_coarse_for_its_clock() -> None:
    times = {"Date": "Tue, 24 Nov 2026 20:00:00 GMT", "Last_Modified": "Tue, 24 Nov 2026 20:00:00 GMT"}
    with serving(lambda handler: send(handler, 200, b"abcdef", **times)) as url:
        assert fetch(url, Fetched(b"abc", parts=1)) == Fetched(b"abcdef", parts=1)
        times["Date"] = "Tue, 24 Nov 2026 20:00:05 GMT"
        assert fetch(url, Fetched()).since == times["Last_Modified"]


def dribble(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(1000):
            handler.wfile.write(b"x")
            time.sleep(0.01)
    except OSError:
        pass


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (partial(send, status=500), "status"),
        (partial(send, status=206, data=b"x", Content_Range="bytes 7-8/9"), "status"),
        (partial(send, status=200, data=bytes(65)), "too_much"),
        (partial(send, status=302, Location="http://example.org/"), "redirect"),
        (partial(send, status=302, Location="https://127.0.0.2:1/"), "unreachable"),
        (partial(send, status=302, Location="/a.live"), "redirect"),
        (dribble, "late"),
    ],
)
def test_a_server_that_lies_leads_away_or_dribbles_is_left(answer: Any, code: str) -> None:
    with serving(answer) as url, pytest.raises(CarrierError) as caught:
        fetch(url, Fetched(b"abc", parts=1), seconds=0.3 if code == "late" else 10, limit=64)
    assert caught.value.code == code


# -- the command --------------------------------------------------------------------------------------------------


def said(capsys: pytest.CaptureFixture[str]) -> tuple[list[dict[str, Any]], str]:
    out, err = capsys.readouterr()
    return [json.loads(line) for line in out.splitlines()], err


def test_a_match_is_watched_message_by_message_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, live = HASH.read_bytes(), tmp_path / "7c1f09aa.live"
    records = logfile.load(data).records
    counts = iter([6, 9, len(records)])
    live.write_bytes(logfile.dump_beginning(records[:4]))
    waits = list[float]()

    def wait(seconds: float) -> None:
        waits.append(seconds)
        count = next(counts, None)
        live.write_bytes(data if count is None else logfile.dump_beginning(records[:count]))

    monkeypatch.setattr(watch, "sleep", wait)
    (tmp_path / "7c1f09aa-1.live").write_bytes(b"a conflict copy")
    # What is old and no file keeps nothing from being kept.
    (tmp_path / "h" / "watched" / "old.live").mkdir(parents=True)
    os.utime(tmp_path / "h" / "watched" / "old.live", (1000, 1000))
    words = ["watch", str(tmp_path), "--every", "1", "--home", str(tmp_path / "h")]
    code = main([*words, "--json"])
    lines, _ = said(capsys)
    assert code == Exit.FINE
    assert waits == [watch.LEAST] * 4
    assert [lines[0]["event"], lines[-1]["event"]] == ["watching", "over"]
    assert lines[-1]["confirmed"]
    numbers = [one["seq"] for one in lines if one["event"] == "message"]
    assert numbers == sorted(numbers)
    agreed = [(one["seq"], one["length"]) for one in lines if one["event"] == "agreed"]
    assert agreed == sorted(agreed)
    assert agreed[-1][1] == numbers[-1]
    assert all(seq <= length for seq, length in agreed)
    kept = tmp_path / "h" / "watched" / f"{lines[0]['match'][:8]}.live"
    assert kept.read_bytes() == data
    # What was shown can be shown again, in lines as replay prints them.
    capsys.readouterr()
    assert main(["watch", str(kept), "--text", "--home", str(tmp_path / "h")]) == Exit.FINE
    watched = capsys.readouterr().out
    assert main(["replay", str(HASH), "--text", "--view", "public", "--home", str(tmp_path / "h")]) == Exit.FINE
    replayed = [line for line in capsys.readouterr().out.splitlines() if re.match(r" *\d+  ", line)]
    assert [line for line in watched.splitlines() if re.match(r" *\d+  \S", line)][: len(replayed)] == replayed


def test_the_screen_says_in_a_whole_row_who_signed_what_and_that_the_match_is_over(tmp_path: Path) -> None:
    """Fails where the row of 80 columns cuts the sentence, or where a match that is over reads as one that goes on."""
    assert len(watching.agreed(1234, 1240, "computer greedy")) < 79
    live = tmp_path / "7c1f09aa.live"
    seen = watch._Watched(Home(tmp_path / "h"), [watch._Source(str(live))], json=False)
    data, notices = HASH.read_bytes(), []
    for part in (logfile.dump_beginning(logfile.load(data).records[:6]), data):
        live.write_bytes(part)
        assert seen.look()
        shown = seen.replay(None)
        assert shown is not None
        notices.append(shown.notice)
    assert "signed" in notices[0]
    assert notices[1] == str(watching.OVER)


def test_what_was_taken_back_is_told_and_the_old_file_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = logfile.load(HASH.read_bytes()).records
    live, before = tmp_path / "a.live", logfile.dump_beginning(records[:9])
    live.write_bytes(before)
    changed = bytearray(before)
    changed[-1] ^= 1
    monkeypatch.setattr(watch, "sleep", lambda seconds: live.write_bytes(changed))
    assert main(["watch", str(live), "--json", "--home", str(tmp_path / "h")]) == Exit.NO
    lines, err = said(capsys)
    assert lines[-1] == {"event": "changed", "where": str(live), "code": "changed"}
    assert "no longer begins" in err
    kept = sorted((tmp_path / "h" / "watched").iterdir())
    assert {path.read_bytes() for path in kept} == {before, bytes(changed)}


def test_both_feeds_name_the_player_who_shows_two_last_messages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = (StormPair(tag="two-faced"), StormPair(tag="two-faced"))
    for pair in pairs:
        chance = random.Random(4)
        while not isinstance((asked := next(one for one in pair.sessions if one.asks_us)).request, Choose):
            pair.decide(asked, chance)
            pair.settle()
    seat = asked.seat
    for number, pair in enumerate(pairs):
        pair.act(seat, asked.moves()[-number])
        (tmp_path / f"{number}.live").write_bytes(feed(pair, number))
    words = [str(tmp_path / "0.live"), str(tmp_path / "1.live"), "--text", "--home", str(tmp_path / "h")]
    assert main(["watch", *words]) == Exit.NO
    assert ("Hanna", "Gustav")[seat] in capsys.readouterr().err


def test_folders_with_no_match_and_with_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["watch", str(tmp_path), "--home", str(tmp_path / "h")]
    assert main(words) == Exit.NO_CONNECTION
    for missing in (tmp_path / "nothing.live", tmp_path / "live", "~nobody-of-this-name", "n" * 300):
        # It spoke of a disk that is not connected, where a player had not begun yet. A Path raises for the last two.
        assert main(["watch", str(missing)]) == Exit.NO_CONNECTION
        assert f"No match is published at {missing} yet." in capsys.readouterr().err
    (tmp_path / "7c1f09aa.live").write_bytes(HASH.read_bytes())
    (tmp_path / "7c1f09ab.live").write_bytes(b"none")
    assert main(words) == Exit.USAGE
    out = capsys.readouterr().out
    assert "turn 22," in out
    assert len(out.splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [(("replay", "--text"), Exit.USAGE), (("page",), Exit.USAGE), (("verify",), Exit.NO), (("analyse",), Exit.USAGE)],
)
def test_other_commands_say_that_a_match_which_goes_on_is_watched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: Sequence[str], code: Exit
) -> None:
    live = tmp_path / "7c1f09aa.live"
    live.write_bytes(logfile.dump_beginning(logfile.load(HASH.read_bytes()).records[:9]))
    assert main([*words, str(live), "--home", str(tmp_path / "h")]) == code
    said = capsys.readouterr()
    assert "storm-p2p watch" in said.out + said.err
    assert [*tmp_path.glob("*.html")] == []


def test_verify_says_first_that_a_published_match_has_no_end_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, page = logfile.dump_beginning(logfile.load(HASH.read_bytes()).records[:9]), tmp_path / "7c1f09aa.html"
    followed = Feeds(rules.find)
    followed.take(0, data)
    assert followed.transcript is not None
    page.write_text(Running(judge_alone).write(followed.transcript, data))
    for name, words in (("7c1f09aa.live", []), ("7c1f09aa.live", ["--independent"]), ("x.storm", []), (page.name, [])):
        file = tmp_path / name
        if file != page:
            file.write_bytes(data)
        assert main(["verify", str(file), *words]) == Exit.NO
        first, _, hint = capsys.readouterr().out.partition("\n")
        published = name != "x.storm"
        assert ("not checked: a published match" in first) == ("not a log yet" in hint) == published
        assert ("damaged" in first) == (not published)
        main(["verify", str(file), "--json", *words])
        (answer,) = json.loads(capsys.readouterr().out)
        assert answer["verdict"] == (None if published else "damaged")
        assert [problem["code"] for problem in answer["problems"]] == ["cut"]


def test_what_is_no_feed_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.live").write_bytes(b"<html>")
    assert main(["watch", str(tmp_path / "x.live"), "--text", "--home", str(tmp_path / "h")]) == Exit.NO
    assert "no published match" in capsys.readouterr().err
