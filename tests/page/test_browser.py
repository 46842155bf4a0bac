"""Web pages of matches in a browser: the quick and the whole check, boards, keys, a phone, a screen reader."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from helpers_browser import FIREFOX, Browser, require_browser, shown_by_firefox
from helpers_commands import run
from helpers_pages import DEALT, FIGHT, HASH, STORM, cheated, page_of, stored

from cli.page import runtime

RESIGNED = FIGHT.with_stem("proved-reconstructed-resigned-witness")
QUICK = "document.documentElement.dataset.quick"
WHOLE = "document.documentElement.dataset.whole"
VERDICT = "document.querySelector('#verdict').innerText"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    require_browser()
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def shown(browser: Browser, folder: Path, page: str, **how: Any) -> None:
    file = folder / "match.html"
    file.write_text(page, "utf-8")
    browser.open(file, **{"until": QUICK, **how})


@pytest.mark.parametrize("log", [HASH, DEALT, FIGHT])
def test_a_light_page_checks_itself_and_asks_nobody(browser: Browser, tmp_path: Path, log: Path) -> None:
    shown(browser, tmp_path, page_of(log, "all"))
    verdict = browser.run(VERDICT)
    assert "both players signed" in verdict
    assert f"{len(stored(page_of(log), 'boards'))} boards hold" in verdict
    assert browser.run("document.querySelector('#verdict').className") == "ok"
    assert [one for one in browser.asked if not one.startswith("file:")] == []
    assert browser.run("document.querySelectorAll('#board svg').length") == 1
    assert browser.run("document.querySelector('#steps').children.length") == len(
        stored(page_of(log), "story")["steps"]
    )


def test_keys_and_addresses_lead_to_steps_and_views_change_what_is_shown(browser: Browser, tmp_path: Path) -> None:
    story = stored(page_of(STORM, "all"), "story")
    numbers = [step["seq"] for step in story["steps"]]
    shown(browser, tmp_path, page_of(STORM, "all"), fragment=f"#{numbers[5]}")

    def at() -> int:
        return int(browser.run("document.querySelector('#steps [aria-current]').value"))

    assert at() == numbers[5]
    for key, place in (("ArrowRight", 6), ("PageDown", 16), ("ArrowLeft", 15), ("PageUp", 5), ("End", -1), ("Home", 0)):
        browser.press(key)
        assert at() == numbers[place], key
    # A message of which nothing is told belongs to the step before it.
    silent = next(number for number in range(numbers[0], numbers[-1]) if number not in numbers)
    browser.run(f"location.hash = '#{silent}'")
    assert at() == max(number for number in numbers if number < silent)
    hollow = "document.querySelectorAll('#board .hollow').length"
    browser.run(f"location.hash = '#{numbers[2]}'")
    assert browser.run(hollow) > 10
    assert "not checked yet" in browser.run("document.querySelector('#unproved').innerText")
    browser.run("const s = document.querySelector('select'); s.value = 'public'; s.onchange()")
    assert browser.run(hollow) == 0
    assert browser.run("document.querySelector('#unproved').hidden")
    assert "Hades" not in browser.run("document.querySelector('#board').textContent")


def test_the_end_that_no_move_has_brought_about_has_no_number(browser: Browser, tmp_path: Path) -> None:
    """It came with that of the last message, which so stood twice."""
    shown(browser, tmp_path, page_of(RESIGNED))
    number = "getComputedStyle(one).listStyleType === 'none' ? 0 : one.value"
    numbers = json.loads(
        browser.run(f"JSON.stringify([...document.querySelectorAll('#steps li')].map((one) => {number}))")
    )
    assert numbers[-1] == 0
    assert numbers[:-1] == sorted({*numbers[:-1]})


def test_whoever_alters_board_or_log_is_shown_red_and_a_sentence_is_not_checked(
    browser: Browser, tmp_path: Path
) -> None:
    page = page_of(HASH, "all")
    # The board behind the third message, with another number of the turn in it.
    boards = stored(page, "boards")
    altered = page.replace(json.dumps(boards[2]), json.dumps(boards[2].replace(",1,", ",2,", 1)), 1)
    assert altered != page
    shown(browser, tmp_path, altered)
    assert "board after message 3" in browser.run(VERDICT)
    assert browser.run("document.querySelector('#verdict').className") == "bad"
    begins = page.index('id="boards">') + len('id="boards">')
    for other in ("[", json.dumps(["nonsense"] * len(boards))):
        # What cannot even be read or drawn keeps no check from being made.
        shown(browser, tmp_path, page[:begins] + other + page[page.index("</script>", begins) :])
        assert "board after message 1" in browser.run(VERDICT)
        assert browser.run("document.querySelector('#board').innerHTML") == ""
    at = page.index('id="log">') + 3000
    other = "A" if page[at] != "A" else "B"
    shown(browser, tmp_path, page[:at] + other + page[at + 1 :])
    assert browser.run("document.querySelector('#verdict').className") == "bad"


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        ("Object.defineProperty(crypto, 'subtle', { value: undefined })", "comes over http"),
        ("crypto.subtle.importKey = async () => { throw new DOMException('', 'NotSupportedError') }", "too old"),
    ],
)
def test_a_browser_that_cannot_check_accuses_nobody(browser: Browser, tmp_path: Path, lacks: str, said: str) -> None:
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=lacks)
    try:
        shown(browser, tmp_path, page_of(HASH))
        assert said in browser.run(VERDICT)
        assert browser.run("document.querySelector('#verdict').className") == ""
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", **script)


def test_what_the_program_knows_of_a_cheat_is_shown_red_though_all_is_signed(browser: Browser, tmp_path: Path) -> None:
    log = tmp_path / "cheat.storm"
    log.write_bytes(cheated())
    shown(browser, tmp_path, page_of(log))
    assert "Hanna: hid something that does not come from the secret" in browser.run(VERDICT)
    assert "bad" in browser.run("document.querySelector('#verdict').className")


@pytest.mark.parametrize("log", [DEALT, FIGHT])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_the_whole_board_and_nothing_beside_it(
    browser: Browser, tmp_path: Path, log: Path, scheme: str
) -> None:
    size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.call("Emulation.setDeviceMetricsOverride", **size)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    try:
        shown(browser, tmp_path, page_of(log, "all"))
        assert browser.run("document.documentElement.scrollWidth") <= 360
        box = "document.querySelector('#board svg').getBoundingClientRect()"
        assert 0 <= browser.run(f"{box}.left") < browser.run(f"{box}.right") <= 360
        assert (
            browser.run("Math.min(...[...document.querySelectorAll('#controls button')].map((b) => b.offsetHeight))")
            >= 44
        )
        # The list scrolls by itself, so the board stays in the window.
        browser.press("End")
        assert browser.run("window.scrollY") == 0
        dark = browser.run("getComputedStyle(document.body).backgroundColor") != "rgb(255, 253, 248)"
        assert dark == (scheme == "dark")
    finally:
        browser.call("Emulation.clearDeviceMetricsOverride")
        browser.call("Emulation.setEmulatedMedia", features=[])


def test_units_stand_in_their_region_and_beside_each_other_however_many_there_are(
    browser: Browser, tmp_path: Path
) -> None:
    page = page_of(STORM, "all")
    boards = stored(page, "boards")
    for count in (1, 2, 4, 6, 8):
        # At most four of a side stand in a region; a board that nobody signed is drawn, too.
        state = json.loads(boards[-1])
        groups = state[0][6]
        tokens = [[number, 1 << number, int(number % 2 == 0)] for number in range(8)]
        groups[:] = [[[13, *chain(*tokens[seat:count:2])]] for seat in (0, 1)]
        crowd = json.dumps(state, separators=(",", ":"))
        shown(browser, tmp_path, page.replace(json.dumps(boards[-1]), json.dumps(crowd), 1))
        assert browser.run("document.querySelector('#verdict').className") == "bad"
        found = browser.run(
            """(() => {
                const board = document.querySelector("#board svg"), back = board.getScreenCTM().inverse();
                const home = [...board.querySelectorAll("polygon")].find((one) => one.nextSibling.textContent === "13");
                return [...board.querySelectorAll("g > g")].map((token) => {
                    const [box, text] = ["rect", "text"].map((one) => token.querySelector(one).getBoundingClientRect());
                    const { left, top, right, bottom } = box;
                    const corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
                    const points = corners.map((one) => new DOMPoint(...one).matrixTransform(back));
                    const inside = points.every((one) => home.isPointInFill(one));
                    return [inside, text.width <= box.width, left, top, right, bottom];
                });
            })()"""
        )
        assert len(found) == count
        assert all(inside and fits for inside, fits, *_ in found)
        for (_, _, left, top, right, bottom), (*_, other_left, other_top, other_right, other_bottom) in combinations(
            found, 2
        ):
            beside = max(left, other_left) >= min(right, other_right) - 0.1
            assert beside or max(top, other_top) >= min(bottom, other_bottom) - 0.1


def test_a_long_name_of_a_card_stays_on_it(browser: Browser, tmp_path: Path) -> None:
    page = page_of(FIGHT, "all")
    story = stored(page, "story")
    for card in story["names"]["cards"]:
        card["name"] = "Tempelwache"
    page = re.sub(
        r'(id="story">).*?(</script>)', lambda it: f"{it[1]}{json.dumps(story)}{it[2]}", page_of(FIGHT, "all")
    )
    shown(browser, tmp_path, page)
    rooms = browser.run(
        """[...document.querySelectorAll("#board g[role=img] text:first-of-type")].map((one) => {
            one.style.fontFamily = "DejaVu Sans, Verdana";
            return one.getBBox().width;
        })"""
    )
    assert rooms
    assert max(rooms) < 93


def test_keys_alone_reach_everything_and_show_where_they_are(browser: Browser, tmp_path: Path) -> None:
    shown(browser, tmp_path, page_of(FIGHT, "all"))
    reached = []
    for _ in range(7):
        browser.press("Tab")
        reached.append(browser.run("document.activeElement.ariaLabel ?? document.activeElement.tagName"))
        assert browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid", reached
        if reached[-1] == "BUTTON":
            # Steps are left by one key, and the focus goes with the step.
            browser.press("ArrowLeft")
            browser.press("Enter")
            assert browser.run("document.activeElement === document.querySelector('[aria-current] button')")
            assert browser.run("document.querySelector('[aria-current]').nextSibling.nextSibling === null")
    assert reached[4:] == ["whose knowledge is shown", "BUTTON", "SUMMARY"]


@pytest.mark.parametrize(
    ("log", "piece"), [(STORM, "14: Hera, Olympians"), (FIGHT, "Gustav 6: Penelope, blue, attack 1")]
)
def test_a_screen_reader_is_told_the_verdict_the_steps_and_the_board(
    browser: Browser, tmp_path: Path, log: Path, piece: str
) -> None:
    page = page_of(log, "all")
    shown(browser, tmp_path, page)
    buttons = browser.named("button")
    assert "one step back" in buttons
    steps = stored(page, "story")["steps"]
    told = [" ".join(step["lines"].get("all", step["lines"]["public"])) for step in steps]
    assert [" ".join(one.split()) for one in buttons if one][4:] == [" ".join(one.split()) or "·" for one in told]
    assert any(one.startswith(piece) for one in browser.named("image"))
    assert any("both players signed" in one for one in browser.named("StaticText"))
    assert browser.named("combobox") == ["whose knowledge is shown"]
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(tmp_path / "match.html", until="true")
        texts = browser.named("StaticText")
        assert any("Here it shows the last position only" in one for one in texts)
        assert not any("Checking" in one for one in texts)
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)


def package() -> bytes:
    """Return the npm package that CI fetches before the long tests."""
    file = os.environ.get("STORM_P2P_PYODIDE", "")
    if not file:
        pytest.skip("STORM_P2P_PYODIDE names no npm package")
    return Path(file).read_bytes()


@pytest.mark.long
@pytest.mark.parametrize(("log", "beside"), [(HASH, True), (STORM, False), (FIGHT, False)])
def test_the_whole_check_says_what_the_second_implementation_says(
    browser: Browser, tmp_path: Path, log: Path, beside: bool
) -> None:
    kept = tmp_path / runtime.FILE
    kept.write_bytes(package())
    run("page", "--runtime", str(kept), "--home", str(tmp_path))
    page = tmp_path / "match.html"
    run("page", str(log), "--beside" if beside else "--whole", "--out", str(page), "--home", str(tmp_path))
    assert page.stat().st_size <= 7_000_000 + 3.5 * log.stat().st_size + 60_000
    browser.open(page, until=WHOLE, patience=100)
    assert browser.run(VERDICT).startswith("Verified by the code in this page")
    assert [one[:30] for one in browser.asked if not one.startswith(("file:", "blob:"))] == []
    facts = json.loads(browser.run("document.querySelector('#facts-of-code').textContent"))
    (expected,) = json.loads(run("verify", str(log), "--independent", "--json").stdout)
    assert {key: expected[key] for key in facts if key not in ("clock", "problems", "remarks")} == {
        key: value for key, value in facts.items() if key not in ("clock", "problems", "remarks")
    }
    assert browser.run("document.querySelector('#unproved').hidden")
    run("verify", str(page), "--home", str(tmp_path))
    near = next(tmp_path.glob("storm-p2p-runtime-*.js"), None)
    assert (near is not None) == beside
    if near is not None:
        # What the maker alone says against a player does not outlast the whole check.
        smear = page.read_text("utf-8").replace('"problems":{}', '"problems":{"x ":"Gustav cheated"}')
        (tmp_path / "smear.html").write_text(smear, "utf-8", newline="")
        browser.open(tmp_path / "smear.html", until=QUICK)
        assert browser.run(VERDICT).endswith("the maker of this page found: Gustav cheated")
        browser.open(tmp_path / "smear.html", until=WHOLE, patience=100)
        assert browser.run(VERDICT).startswith("Verified by the code in this page")
        text = near.read_text()
        at = text.index('"app": "') + 9000
        near.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :])
        browser.open(page, until=QUICK + " && document.querySelector('#runtime').innerText", patience=100)
        assert "not the one that belongs to it" in browser.run("document.querySelector('#runtime').innerText")
        assert "boards hold" in browser.run(VERDICT)


@pytest.mark.long
@pytest.mark.skipif(FIREFOX is None, reason="there is no Firefox here")
def test_firefox_runs_both_checks_too(tmp_path: Path) -> None:
    kept, page, profile = tmp_path / runtime.FILE, tmp_path / "match.html", tmp_path / "profile"
    kept.write_bytes(package())
    profile.mkdir()
    run("page", "--runtime", str(kept), "--home", str(tmp_path))
    run("page", str(DEALT), "--whole", "--out", str(page), "--home", str(tmp_path))
    wanted = f"JSON.stringify([{QUICK}, {VERDICT}, document.querySelectorAll('#board g > g').length])"
    quick, verdict, tokens = json.loads(shown_by_firefox(profile, page, WHOLE, wanted))
    assert quick == "done"
    assert verdict.startswith("Verified by the code in this page: the Chthonians win")
    assert tokens > 10
