"""Untrusted text: nothing that moves a cursor, hides or reverses text reaches the screen."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from cli.clean import clean, fit, pad, width


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bob", "bob"),
        ("\x1b[2J\x1b[31mbob\x1b[0m", "bob"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;http://evil\x1b\\b", "ab"),
        ("a\x1b]0;never ended", "a"),
        ("a\x1bP1$q\x1b\\b\x1b(Bc\x1b7d", "abcd"),
        ("a\x9b31mb\x9d0;x\x9cc", "abc"),
        ("a\x00\x07\x08\x7f\x85b", "a b"),
        ("one\ntwo\r\nthree\tfour\u2028five", "one two three four five"),
        ("abc\u202edef\u202c\u2066x\u2069\u200e\u200f\u061c", "abcdefx"),
        ("a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg", "abcdefg"),
        ("a\u115fb\u3164c\u2800d\ufe0f\U000e0041", "abcd"),
        ("a\ud800b\ue000c\U000f0000d", "abcd"),
        ("\u0301\u0301start", "start"),
        ("  wide \u3000 blanks\u00a0here ", "wide blanks here"),
        ("Zoë Ωmega 日本", "Zoë Ωmega 日本"),
    ],
)
def test_only_visible_characters_are_left(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_marks_do_not_pile_up() -> None:
    assert len(clean("z" + "\u0315" * 50)) == 3


def test_long_text_is_cut() -> None:
    assert clean("x" * 1000, 20) == "x" * 17 + "..."


@given(st.text(alphabet=st.characters(), max_size=60))
def test_no_text_gets_a_control_character_through(text: str) -> None:
    shown = clean(text)
    assert not [char for char in shown if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}]
    assert clean(shown) == shown
    assert len(shown) <= 400


@given(st.text(alphabet="\x1b[]0;31mJ\x07\x9b\x9c\\ab", max_size=40))
def test_no_escape_survives_in_pieces(text: str) -> None:
    assert all(char.isprintable() for char in clean(text))


def test_wide_characters_take_two_columns() -> None:
    assert width("日本a") == 5
    assert fit("日本a", 3) == "日"
    assert pad("日", 4) == "日  "


def test_every_character_takes_the_columns_that_the_library_draws() -> None:
    printed = [char for char in map(chr, range(sys.maxunicode + 1)) if char.isprintable()]
    other = [char for char in printed if width(char) != get_cwidth(char)]
    # What is never shown may be measured in any way.
    assert [char for char in other if clean(char) == char] == []


def test_signs_without_a_width_do_not_pile_up() -> None:
    # Of the Devanagari script; it is no combining mark by its category.
    assert clean("\u0915" + 9 * "\u0903") == "\u0915" + 2 * "\u0903"
