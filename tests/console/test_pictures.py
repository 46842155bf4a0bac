"""The pictures of the README are those that would be drawn now, and the recorded match plays to its end."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pictures
import pytest

NAMES = ("board.svg", "combat.svg", "cards.svg", "replay.svg", "match.svg")


@cache
def made() -> dict[str, str]:
    return pictures.pictures()


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_what_would_be_drawn_now(name: str) -> None:
    kept = (pictures.FOLDER / name).read_text(encoding="utf-8")
    assert kept == made()[name], "run python tests/pictures.py and look at the pictures"


def test_nothing_else_lies_among_the_pictures_and_the_readme_shows_all_of_them() -> None:
    assert set(NAMES) == set(made())
    # A browser has drawn the web page, and no two versions of one draw alike.
    there = {*NAMES, "page.png"}
    assert {path.name for path in pictures.FOLDER.iterdir()} == there
    shown = (pictures.ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"docs/pictures/([\w.]+)", shown)) == there


@pytest.mark.parametrize("name", NAMES[:4])
def test_a_picture_has_the_words_of_its_screen(name: str) -> None:
    texts = [one.text or "" for one in ElementTree.fromstring(made()[name]).iter("{http://www.w3.org/2000/svg}text")]
    words = {
        "board.svg": "ATTACK 2:1",
        "combat.svg": "all-out attack",
        "cards.svg": "Torch bearers",
        "replay.svg": "everything open",
    }
    assert any(words[name] in text for text in texts)


def test_the_film_shows_every_step_of_the_match_in_its_time_and_is_small() -> None:
    film = made()["match.svg"]
    root = ElementTree.fromstring(film)
    groups = [one for one in root.iter("{http://www.w3.org/2000/svg}g") if one.get("class")]
    shown = pictures.recorded()
    times = {tuple(map(int, (one.get("class") or "")[1:].split("-"))) for one in groups}
    for step in (0, shown.last // 2, shown.last):
        texts = [
            text.text or ""
            for one, (first, end) in ((one, map(int, (one.get("class") or "")[1:].split("-"))) for one in groups)
            if first <= step < end
            for text in one.iter("{http://www.w3.org/2000/svg}text")
        ]
        assert any(f"step {step + 1} of {shown.last + 1}" in text for text in texts)
    for first, end in times:
        assert 0 <= first < end <= shown.last + 1
        assert (f"@keyframes a{first}-{end}" in film) == ((first, end) != (0, shown.last + 1))
    assert "<script" not in film
    assert len(film) < 400_000
