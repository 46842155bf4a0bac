"""How a machine can be reached, in words: every way and every reason has its sentence, and advice comes best first."""

from __future__ import annotations

import re

import pytest
from helpers import ROOT

from cli.notices import PortChanged
from cli.text import joining
from protocol.reach import ReachError
from protocol.reach.formats.candidates import Candidate, Missing, Way
from protocol.reach.formats.outcome import Mapped
from protocol.reach.formats.outside import UNSEEN, Nature, Seen

SPEC = (ROOT / "SPEC.md").read_text(encoding="utf-8")
CODES = re.findall(r"`([a-z0-9-]+)`", SPEC[SPEC.index("Codes: `silent`") :].split("\n\n")[0])
RAW = re.compile(r"(?<!-)\b(?:no-[a-z0-9]+|not-asked)\b")


def lacking(code: str, way: Way = Way.MAPPED) -> Missing:
    return Missing(way, ReachError(code, "expected a, got b"))


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_its_words_and_none_is_shown(code: str) -> None:
    assert len(CODES) > 15
    text = joining.missing(lacking(code))
    assert joining.why(ReachError(code, "")) != ""
    assert not RAW.search(text), text


@pytest.mark.parametrize("way", Way)
def test_every_way_has_its_line(way: Way) -> None:
    line = joining.candidate(Candidate(way, "5.6.7.8", 47_331))
    assert "5.6.7.8, port 47331" in line
    assert line.startswith("  [?] " if way in (Way.IPV4, Way.IPV6) else "  [ok]")


def test_a_report_tells_no_address() -> None:
    for address in ("5.6.7.8", "192.168.1.20", "2a00:77:1::2", "a" * 56 + ".onion"):
        assert address not in joining.candidate(Candidate(Way.LAN, address, 1), hidden=True)


def test_this_machine_alone_is_not_called_a_house() -> None:
    assert "this machine" in joining.candidate(Candidate(Way.LAN, "127.0.0.1", 1))


def test_what_a_router_says_reaches_the_screen_clean() -> None:
    assert "\x1b" not in joining.why(ReachError("refused", "\x1b[2Jboo"))
    assert "\x1b" not in joining.why(ReachError("never-heard-of", "\x1b[2Jboo"))


def test_an_open_door_needs_no_advice() -> None:
    (only,) = joining.advice([Candidate(Way.MAPPED, "5.6.7.8", 1)], [], UNSEEN)
    assert "There is nothing you need to do" in only


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("silent", "UPnP"),
        ("closed", "UPnP"),
        ("refused", "UPnP"),
        ("shared", "provider"),
        ("empty", "provider"),
        ("private", "bridge"),
        ("not-asked", "--no-map"),
    ],
)
def test_the_advice_fits_the_reason_and_begins_with_what_needs_least(code: str, word: str) -> None:
    advice = joining.advice([Candidate(Way.LAN, "192.168.1.20", 1)], [lacking(code)], UNSEEN)
    assert any(word in line for line in advice)
    assert "friend host" in advice[0] or word in advice[0]


def test_whoever_may_be_reachable_is_told_to_try_first() -> None:
    advice = joining.advice([Candidate(Way.IPV6, "2a00:77:1::2", 1)], [lacking("shared")], UNSEEN)
    assert "host anyway" in advice[0]


@pytest.mark.parametrize("code", ["shared", "not-asked", "silent"])
@pytest.mark.parametrize(
    "seen", [Seen(nature=Nature.EASY), Seen(nature=Nature.HARD), Seen(nature=Nature.NONE, crossing=1)]
)
def test_who_can_be_met_is_told_so_first(seen: Seen, code: str) -> None:
    advice = joining.advice([Candidate(Way.LAN, "192.168.1.20", 1)], [lacking(code)], seen)
    at = next(at for at, line in enumerate(advice) if "answer your line" in line)
    assert at == (code == "not-asked" and seen.nature is not Nature.EASY)


def test_where_nothing_comes_back_nobody_is_told_to_knock() -> None:
    house = [Candidate(Way.LAN, "192.168.1.20", 1)]
    assert "answer your line" not in "".join(joining.advice(house, [lacking("silent")], Seen(nature=Nature.NONE)))
    (row,), (doubtful,) = (joining.knocking(Seen(nature=Nature.NONE, crossing=one)) for one in (0, 1))
    assert row.startswith("  [no]")
    assert doubtful.startswith("  [?] ")


def test_a_host_hears_that_no_server_has_answered() -> None:
    house = [Candidate(Way.LAN, "192.168.1.20", 1)]
    assert str(joining.NOT_SEEN) in joining.hosting(house, [], UNSEEN, unanswered=True)
    assert str(joining.NOT_SEEN) not in joining.hosting(house, [], UNSEEN)


def test_news_about_a_mapping_say_what_they_mean() -> None:
    assert "5.6.7.9, port 50000" in joining.news(PortChanged(Mapped("5.6.7.9", 50_000, 1)))
    assert "asked again" in joining.news(PortChanged(ReachError("silent", "")))


def test_a_host_is_told_every_way_and_where_to_look_when_none_leads_outside() -> None:
    house = Candidate(Way.LAN, "192.168.1.20", 1)
    assert joining.hosting([house], [lacking("shared")], UNSEEN)[-1] == str(joining.DOCTOR)
    assert str(joining.DOCTOR) not in joining.hosting([Candidate(Way.MAPPED, "5.6.7.8", 1), house], [], UNSEEN)
    assert str(joining.DOCTOR) not in joining.hosting([Candidate(Way.LAN, "127.0.0.1", 1)], [], UNSEEN)
    assert joining.hosting([], [], UNSEEN) == []
