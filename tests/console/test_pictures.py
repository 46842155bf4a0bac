"""The pictures of the README are those that would be drawn now, and the recorded match plays to its end."""

from __future__ import annotations

import json
import re
from functools import cache
from xml.etree import ElementTree

import pictures
import pyte
import pytest

from cli.console.render import replay
from cli.console.render.spans import plain

NAMES = ("board.svg", "combat.svg", "replay.svg", "match.cast")


@cache
def made() -> dict[str, str]:
    return pictures.pictures()


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_what_would_be_drawn_now(name: str) -> None:
    kept = (pictures.FOLDER / name).read_text(encoding="utf-8")
    assert kept == made()[name], "run python tests/pictures.py and look at the pictures"


def test_nothing_else_lies_among_the_pictures_and_the_readme_shows_all_of_them() -> None:
    assert {path.name for path in pictures.FOLDER.iterdir()} == set(NAMES) == set(made())
    shown = (pictures.ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"docs/pictures/([\w.]+)", shown)) == set(NAMES)


@pytest.mark.parametrize("name", NAMES[:3])
def test_a_picture_has_the_words_of_its_screen(name: str) -> None:
    texts = [one.text or "" for one in ElementTree.fromstring(made()[name]).iter("{http://www.w3.org/2000/svg}text")]
    words = {"board.svg": "ATTACK 2:1", "combat.svg": "all-out attack", "replay.svg": "everything open"}
    assert any(words[name] in text for text in texts)


def test_the_recorded_match_plays_to_its_last_step() -> None:
    head, *events = map(json.loads, made()["match.cast"].splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, 80, 24)
    times = [time for time, kind, _ in events if kind == "o"]
    assert times == sorted(times)
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    for _, _, written in events:
        stream.feed(written)
    shown = pictures.recorded()
    last = replay.render(pictures.at(shown, shown.last))
    assert [row.rstrip() for row in screen.display] == [plain(row).rstrip() for row in last]
    assert len(made()["match.cast"]) < 60_000
