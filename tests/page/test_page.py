"""A match as a web page (SPEC.md, "Web page"): what is in it, and what ``verify`` says of it."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from helpers import ROOT
from helpers_commands import run, run_program
from helpers_pages import FIGHT, HASH, STORM, cheated, coded, page_of, stored

from cli.app import page as pages
from cli.app import webpage
from cli.app.replay import open_bytes
from cli.app.verify import judge_alone
from cli.app.webpage import problem_of, write
from cli.page import document, runtime
from cli.page.story import Story
from cli.storage.home import Home

HOSTILE = "</script><!-- <script>alert(1)</script> &amp; \u202e\u2028 \" ' -->"


@pytest.mark.parametrize("log", [STORM, FIGHT, HASH])
def test_a_light_page_is_small_and_holds_its_log(log: Path) -> None:
    page = page_of(log)
    assert len(page.encode()) <= 3.5 * log.stat().st_size + 60_000
    assert document.read_log(page) == log.read_bytes()


def test_a_page_asks_nothing_of_a_network_and_runs_one_script_alone() -> None:
    page = page_of(HASH)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in policy
    assert "blob:" not in policy
    # The name of a namespace, and of what stands for every address that Pyodide would ask.
    assert set(re.findall(r"https?://[\w.]+", page)) == {"http://www.w3.org", "https://nowhere.invalid"}
    assert " style=" not in page
    whole = page_of(HASH, parts=True)
    assert "'wasm-unsafe-eval' blob:; worker-src blob:; connect-src blob:" in whole


def test_every_view_says_what_it_knew_and_the_public_one_nothing_hidden() -> None:
    log = STORM
    story = stored(page_of(log), "story")
    assert set(story["views"]) == {"public", "chthonians", "olympians", "all"}
    transcript = open_bytes(Home.named(""), log, log.read_bytes()).transcript
    assert len(transcript.seeds) == 2
    assert len(story["opened"]) > 24
    public = [line for step in story["steps"] for line in step["lines"]["public"]]
    own = [line for step in story["steps"] for line in step["lines"].get("chthonians", [])]
    assert any("Hades" in line and "12" not in line for line in own)
    assert not any(line in public for line in set(own) - set(public))
    # A name takes no article: "view of the Hanna" was no English.
    assert stored(page_of(FIGHT), "story")["views"]["0"]["called"] == "view of the left side"


def test_a_page_of_a_match_whose_seeds_are_not_open_opens_nothing(tmp_path: Path) -> None:
    log = next(one for one in FIGHT.parent.glob("*absence*"))
    transcript = open_bytes(Home.named(""), log, log.read_bytes()).transcript
    story = stored(page_of(log, "all"), "story")
    hidden = {int(slot) for slot in story["opened"]}
    if not transcript.seeds:
        # What everybody saw opened is no secret.
        assert all(step["lines"].get("all", []) == [] for step in story["steps"])
        assert hidden <= set(range(transcript.position.state.fresh))


def test_the_same_bytes_come_of_another_process_in_another_time_zone(tmp_path: Path) -> None:
    written = []
    for zone, seed in (("UTC", "0"), ("Pacific/Kiritimati", "7")):
        out = tmp_path / f"{seed}.html"
        words = ["page", str(HASH), "--light", "--out", str(out), "--lang", "de", "--home", str(tmp_path)]
        environment = {**os.environ, "TZ": zone, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-m", "cli.app.main", *words]
        subprocess.run(command, env=environment, cwd=ROOT, check=True, timeout=60, capture_output=True)
        written.append(out.read_bytes())
    assert written[0] == written[1]
    assert '<html lang="de">' in written[0].decode()


class Texts(HTMLParser):
    """The elements of a page, and the text that a reader sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts = 0
        self.text: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self._inside = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.text.append(data)


def test_the_texts_of_a_stranger_are_text_alone() -> None:
    told = {**stored(page_of(HASH), "story"), "seats": [HOSTILE, HOSTILE]}
    story = Story(HOSTILE, [HOSTILE], told, [HOSTILE], [HOSTILE], [(HOSTILE, HOSTILE)], [(0.0, 0.5)], [HOSTILE])
    page = document.compose(b"log", story, "", HOSTILE)
    read = Texts()
    read.feed(page)
    plain = Texts()
    plain.feed(document.compose(b"log", Story("", [], told, [], [], [("", "")], [(0.0, 0.5)], [""]), "", ""))
    assert read.scripts == plain.scripts
    assert "".join(read.text).count("alert(1)") == 9
    assert stored(page, "boards") == [HOSTILE]


def test_verify_takes_the_log_out_and_notices_every_change_around_it(tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    page.write_text(page_of(HASH, "all"), "utf-8")
    assert "confirmed" in run("verify", str(page)).stdout
    text = page.read_text("utf-8")
    for old, new, code in (
        ("Hanna", "Hansa", "page_altered"),
        ("</main>", "</main><p>", "page_altered"),
        ("const PARTS", "const  PARTS", "page_altered"),
        ('"view":"all"', '"view":"nobody\'s"', "page_altered"),
        ('"language":"en"', '"language":"de"', "page_altered"),
        ('"program":"', '"program":"9', "page_version"),
    ):
        assert old in text
        page.write_text(text.replace(old, new, 1), "utf-8")
        (answer,) = json.loads(run("verify", str(page), "--json", code=1).stdout)
        assert [one["code"] for one in answer["problems"]] == [code], new
        assert (answer["verdict"], answer["confirmed"]) == ("verified", True)


def test_the_page_of_a_damaged_log_is_no_altered_one_for_either_implementation(tmp_path: Path) -> None:
    log, page = tmp_path / "match.storm", tmp_path / "match.html"
    data = bytearray(HASH.read_bytes())
    data[-1] ^= 1
    log.write_bytes(data)
    run("page", str(log), "--light", "--home", str(tmp_path), code=1)
    for words in ([], ["--independent"]):
        (answer,) = json.loads(run("verify", str(page), "--json", *words, code=1).stdout)
        assert [one["code"] for one in answer["problems"]] == ["bad_trailer"]


def test_the_log_of_a_cheat_is_replayed_analysed_and_a_page_without_what_they_hid(tmp_path: Path) -> None:
    """Fails with a traceback where whoever looks on wants each seed to fit."""
    log, page = tmp_path / "match.storm", tmp_path / "match.html"
    log.write_bytes(cheated())
    replayed = run("replay", str(log), "--text", "--view", "all").stdout
    assert "Zeus 4" in replayed
    assert "Hades" not in replayed
    assert replayed.endswith("the Olympians win: Hanna broke the rules\n")
    assert "win" not in run("analyse", str(log), "--text").stdout.splitlines()[0]
    run("page", str(log), "--light", "--home", str(tmp_path), code=1)
    story = stored(page.read_text("utf-8"), "story")
    assert sorted(story["opened"].values()) == [*range(12, 24)]
    (answer,) = json.loads(run("verify", str(page), "--json", code=1).stdout)
    assert [one["code"] for one in answer["problems"]] == ["batch_not_derived"]


def test_a_page_is_compared_in_the_language_in_which_it_was_written(tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    run_program("page", str(HASH), "--light", "--out", str(page), "--lang", "de", "--home", str(tmp_path))
    assert '<html lang="de">' in page.read_text("utf-8")
    run("verify", str(page), "--lang", "en")


@pytest.mark.parametrize(
    "log",
    [next(STORM.parent.glob("proved-open*")), pytest.param(FIGHT, marks=pytest.mark.long)],
    ids=["storm", "fight"],
)
def test_a_page_with_its_analysis_says_the_chances_and_compares(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    run("page", str(log), "--light", "--analyse", "--out", str(page), "--home", str(tmp_path))
    text = page.read_text("utf-8")
    (points,) = re.findall(r'polyline class="curve" points="([^"]+)"', text)
    assert all(0 <= float(one) <= 100 for pair in points.split() for one in pair.split(","))
    # The Chthonians win it, so their chance ends at 1, which is at the top; Hanna loses at Fight.
    assert points.endswith(",30.00" if log == FIGHT else ",0.00")
    assert "<li>1  turn" in text
    assert f"<h2>chance to win: {'Hanna' if log == FIGHT else 'Chthonians'}</h2>" in text
    run("verify", str(page))
    page.write_text(text.replace("<li>1  turn", "<li>1  Turn"), "utf-8")
    run("verify", str(page), code=1)


def test_a_long_match_is_not_analysed_in_its_page_so_that_verifying_it_has_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, out = next(STORM.parent.glob("proved-open*")), tmp_path / "match.html"
    for module in (pages, webpage):
        monkeypatch.setattr(module, "MOST_ANALYSED", 18)
    said = run("page", str(log), "--light", "--analyse", "--out", str(out), "--home", str(tmp_path)).stderr
    assert "more than 18 messages" in said
    assert "polyline" not in out.read_text("utf-8")
    run("verify", str(out))


def test_a_page_without_a_log_is_no_log(tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    for text in ("<html>", re.sub(r'id="log">[^<]*', 'id="log">***', page_of(HASH)), page_of(HASH)[:15_000]):
        page.write_text(text, "utf-8")
        assert "verified" not in run("verify", str(page), code=2).stdout
    page = page.rename(tmp_path / "match.HTM")
    page.write_text(page_of(HASH)[:30_000], "utf-8")
    assert "page_altered" in run("verify", str(page), "--json", code=1).stdout


@pytest.mark.parametrize("command", ["replay", "analyse", "page"])
def test_what_takes_no_page_does_not_say_that_it_is_none(tmp_path: Path, command: str) -> None:
    page = tmp_path / "a.html"
    page.write_text(page_of(HASH), "utf-8")
    said = run(command, str(page), "--home", str(tmp_path), code=2).stderr
    assert said == "This is a web page. Open it in a browser; storm-p2p verify checks the log in it.\n"


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    words = ["page", "--light", "--home", str(tmp_path), "--out", str(out)]
    run(*words, str(HASH), "--view", "0")
    assert '"view":"chthonians"' in out.read_text("utf-8")
    # The page of the same match may have had a runtime.
    assert "already exists" in run(*words, str(HASH), code=2).stderr
    assert '"view":"chthonians"' in out.read_text("utf-8")
    out.unlink()
    assert "no view" in run(*words, str(FIGHT), "--view", "olympians", code=2).stderr


def test_a_folder_is_verified_with_its_pages_and_other_pages_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.storm").write_bytes(HASH.read_bytes())
    (tmp_path / "other.html").write_text("<p>no page of a match")
    page = tmp_path / "deep" / "b.HTML"
    page.parent.mkdir()
    page.write_text(page_of(HASH), "utf-8", newline="")
    answers = json.loads(run("verify", str(tmp_path), "--json", "--jobs", "2").stdout)
    assert [Path(one["file"]).name for one in answers] == ["a.storm", "b.HTML"]
    # A log and its page are judged together, whichever process has them.
    assert [len(one["merged"]) for one in answers] == [2, 2]
    page.write_text(page_of(HASH).replace("Hanna", "Hansa"), "utf-8", newline="")
    assert "page_altered" in run("verify", str(tmp_path), "--json", code=1).stdout
    # Cut, or with a log that begins in another way, which a browser reads all the same.
    for damaged in (page_of(HASH)[:16_000], page_of(HASH).replace('"text/plain" id="log"', "text/plain id=log")):
        page.write_text(damaged, "utf-8", newline="")
        assert "not a match log" in run("verify", str(tmp_path), code=2).stdout
    for encoding in ("utf-16", "utf-16-be"):
        page.write_text(page_of(HASH), encoding, newline="")
        assert "b.HTML: not checked" in run("verify", str(tmp_path), code=2).stdout


def test_a_page_that_is_too_large_or_not_there_says_so(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    with page.open("wb") as file:
        file.truncate(100 << 20)
    assert "too long" in run("verify", str(page), code=2).stdout
    page.unlink()
    page.mkdir()
    assert "no logs" in run("verify", str(page), code=2).stderr


def test_the_whole_check_needs_a_runtime_that_is_the_package(tmp_path: Path) -> None:
    words = ["page", str(HASH), "--home", str(tmp_path), "--out", str(tmp_path / "a.html")]
    assert "pyodide" in run(*words, "--whole", code=2).stderr
    wrong = tmp_path / "pyodide.tgz"
    wrong.write_bytes(b"not the package")
    run("page", "--home", str(tmp_path), "--runtime", str(wrong), code=2)
    assert "--runtime" in run(*words).stderr


def test_a_part_that_is_not_the_programs_own_is_no_part() -> None:
    own = runtime.own_part()
    assert runtime.is_part("app", runtime.packed(own))
    assert not runtime.is_part("app", runtime.packed(own + b" "))
    assert not runtime.is_part("wasm", runtime.packed(own))
    assert not runtime.is_part("app", "no base64")
    assert not runtime.is_part("app", runtime.packed(bytes(40 << 20)))
    # No browser unpacks these.
    assert not runtime.is_part("app", coded(gzip.compress(own) + b"more"))
    assert not runtime.is_part("app", coded(gzip.compress(own)[:-1]))


def test_the_own_part_is_the_same_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    own = runtime.own_part()
    monkeypatch.setattr(zipfile.sys, "platform", "win32")  # type: ignore[attr-defined]
    assert runtime.own_part.__wrapped__() == own


def without_package(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Return a runtime whose parts from the package are empty, and let the program take them for its own."""
    monkeypatch.setattr(runtime, "_FIXED", dict.fromkeys(runtime.PARTS[:-1], sha256(b"").hexdigest()))
    return {**dict.fromkeys(runtime.PARTS, b""), "app": runtime.own_part()}


def test_a_second_part_or_one_at_another_place_alters_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = without_package(monkeypatch)
    written = page_of(HASH, parts=True)
    begins, tail = '<script type="text/plain" id="', "</script>\n"
    page = written.replace(f'app">{runtime.packed(b"")}', f'app">{runtime.packed(parts["app"])}')
    assert document.is_same(page, written)
    # A browser takes the first of two elements with one id.
    evil = f'{begins}app">{runtime.packed(b"evil")}{tail}'
    assert not document.is_same(page.replace(f'{begins}app">', f'{evil}{begins}app">'), written)
    moved = f'{begins}asm">{runtime.packed(b"")}{tail}'
    assert moved in page
    assert not document.is_same(moved + page.replace(moved, ""), written)
    assert not document.is_same(page.replace(moved, ""), written)


def test_a_runtime_beside_a_page_is_compared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = without_package(monkeypatch)
    data = HASH.read_bytes()
    found, facts = open_bytes(Home.named(""), HASH, data), judge_alone(HASH, data)

    def problem(beside: str, script: str | None) -> str | None:
        page = write(found, data, facts, "public", analysed=False, parts=parts, beside=beside)
        file, near = tmp_path / "match.html", tmp_path / document.runtime_name(beside)
        file.write_text(page, "utf-8", newline="")
        near.unlink(missing_ok=True)
        if script is not None:
            near.write_text(script, newline="")
        return problem_of(file, lambda _: facts)

    own, script = runtime.digest(), runtime.script_of(parts)
    assert problem(own, script) is None
    assert problem(own, None) is None
    for other in (
        script + "alert(1)\n",
        script.replace("=", "=0,", 1),
        "[" * 9999,
        runtime.script_of({**parts, "mjs": b"1"}),
    ):
        assert problem(own, other) == "page_altered"
    # Another runtime, with the page that names it.
    evil = {**parts, "app": b"evil"}
    digest = sha256("".join(sha256(evil[name]).hexdigest() for name in runtime.PARTS).encode()).hexdigest()
    assert problem(digest, runtime.script_of(evil)) == "page_altered"


def test_a_page_that_repeats_the_beginning_of_its_story_is_read_at_once() -> None:
    begins = time.monotonic()
    assert document.read_choices('<script type="application/json" id="story">{' * 20_000) == {}
    assert time.monotonic() - begins < 1


def test_replay_takes_the_number_of_a_seat_for_its_view() -> None:
    by_number, by_name = (run("replay", str(HASH), "--text", "--view", view).stdout for view in ("0", "chthonians"))
    assert by_number == by_name
