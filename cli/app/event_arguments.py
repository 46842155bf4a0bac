"""The commands of ``storm-p2p event`` with their options."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cli.text.wording import _, fill

SYSTEMS: Final = ("round-robin", "swiss", "knock-out", "double-elimination")
RULINGS: Final = ("forfeit", "double", "award", "bye", "late", "withdraw")

_SECONDS: Final = {"m": 60, "h": 3600, "d": 86400}
_KEY: Final = re.compile(r"[0-9a-f]{64}")


def add_event(
    event: argparse.ArgumentParser, terms: argparse.ArgumentParser, folder: argparse.ArgumentParser,
    compare: argparse.ArgumentParser, table: argparse.ArgumentParser,
) -> Sequence[argparse.ArgumentParser]:  # fmt: skip
    """Add what stands below ``event``, and return it.

    Args:
        event: the command.
        terms: has the options of a variant.
        folder: has those of every command about a tournament.
        compare: has that of every command that shows words to compare.
        table: has those of standings.
    """
    early = argparse.ArgumentParser(add_help=False)
    early.add_argument("--early", action="store_true", help=_("do it before the announced time"))
    game = argparse.ArgumentParser(add_help=False)
    game.add_argument("--game", metavar="PLACE", help=_("which game, such as 2.1.1 (default: your next one)"))

    what = event.add_subparsers(dest="what", metavar="WHAT", required=True)

    new = what.add_parser("new", parents=[terms], help=_("announce a tournament"))
    new.add_argument("folder", type=Path, metavar="FOLDER", help=_("a folder for the tournament's files"))
    new.add_argument("--name", required=True, help=_("what the tournament is called"))
    new.add_argument("--system", choices=SYSTEMS, default="round-robin", help=_("who plays whom"))
    new.add_argument("--rounds", type=_count, metavar="N", help=_("the number of rounds in a Swiss"))
    entries = _("when entries close: 7d from now, or 2026-12-31T18:00 in UTC (default: 7d)")
    new.add_argument("--entries", type=_when, default="7d", metavar="WHEN", help=entries)
    new.add_argument("--coins", type=_span, default="2d", metavar="TIME", help=_("how long the draw may take"))
    new.add_argument("--each", type=_span, default="7d", metavar="TIME", help=_("how long a round may take"))
    new.add_argument("--games", type=int, choices=(1, 2), default=2, help=_("games per pairing (default: 2)"))
    new.add_argument("--cycles", type=int, choices=(1, 2), default=1, help=_("round robin: how often each pair meets"))
    new.add_argument("--seeding", choices=("draw", "rating"), default="draw", help=_("how players are numbered"))
    points = _("points for a win, a draw, a loss and a bye, such as 1,0.5,0,2")
    new.add_argument("--points", type=_points, metavar="POINTS", help=points)
    ties = _("tie-breaks, the most important first, such as DE,SB,WIN")
    new.add_argument("--tie-breaks", type=_words, metavar="NAMES", help=ties)
    arbiter = _("an arbiter's key; repeatable (default: yours)")
    new.add_argument("--arbiter", type=_key, action="append", metavar="KEY", help=arbiter)
    grace = _("how long a player waits before claiming a forfeit (default: 30m)")
    new.add_argument("--grace", type=_span, default="30m", metavar="TIME", help=grace)
    answer = _("how long the opponent has to answer a claim (default: 1d)")
    new.add_argument("--answer", type=_span, default="1d", metavar="TIME", help=answer)
    new.add_argument("--clock", metavar="CLOCK", help=_("none, 20m+10s, or 3d per decision"))
    new.add_argument("--witness", metavar="KEY@HOST:PORT", help=_("a witness, as printed by storm-p2p witness"))
    new.add_argument("--aids", action="store_true", help=_("let both players ask their computer for hints"))
    new.add_argument("--scheme", choices=("proved", "hash"), default="proved", help=_("how units are hidden"))
    new.add_argument("--terms", metavar="FILE", help=_("terms in JSON"))
    new.set_defaults(seat=None, id=None)

    enter = what.add_parser("enter", parents=[folder], help=_("take part"))
    enter.add_argument("--name", help=_("the name others see"))
    unchecked = _("enter even if this program cannot check the pairings of the Swiss")
    enter.add_argument("--unchecked-pairings", action="store_true", help=unchecked)
    enter.add_argument("--rating", type=int, metavar="N", help=_("your rating, if you have one"))

    to_do = _("what to do now; does by itself whatever needs no decision")
    status = what.add_parser("status", parents=[folder, compare], help=to_do)
    status.add_argument("--json", action="store_true", help=_("print a JSON object"))

    close = what.add_parser("close", parents=[folder, early], help=_("organiser: close entries"))
    without = _("leave out this entry, given by name or key; repeatable")
    close.add_argument("--without", action="append", default=[], metavar="WHO", help=without)
    start = _("organiser: start the tournament, or publish the next round")
    turn = what.add_parser("round", parents=[folder, early], help=start)
    turn.add_argument("--until", type=_when, metavar="WHEN", help=_("the deadline of the round"))

    what.add_parser("ready", parents=[folder, game], help=_("say that you are ready for your game"))
    what.add_parser("claim", parents=[folder, game], help=_("claim a forfeit because your opponent has not come"))
    reply = what.add_parser("answer", parents=[folder, game], help=_("answer your opponent's claim"))
    reply.add_argument("text", metavar="TEXT", help=_("what happened, in up to 500 characters"))

    rule = what.add_parser("rule", parents=[folder], help=_("arbiter: rule on a game or a player"))
    rule.add_argument("matter", choices=RULINGS, metavar="MATTER", help=", ".join(RULINGS))
    where = _("a game such as 2.1.1, a pairing such as 2.1, or a round such as 3")
    rule.add_argument("where", metavar="WHERE", help=where)
    rule.add_argument("who", nargs="?", metavar="WHO", help=_("a player's name or number; award also takes draw"))
    rule.add_argument("--points", type=_half, default=0, metavar="N", help=_("points for the bye"))
    rule.add_argument("--replaces", metavar="ID", help=_("the ruling that this one replaces"))

    what.add_parser("standings", parents=[folder, table], help=_("the table; the same as storm-p2p standings"))
    what.add_parser("export", parents=[folder], help=_("copy the logs of your games into the folder"))
    made: Sequence[argparse.ArgumentParser] = list(what.choices.values())
    return made


def _span(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,5})([mhd])", text)
    if match is None:
        raise argparse.ArgumentTypeError(fill("expected a time such as 30m, 12h or 7d, got {got!r}", got=text))
    return int(match[1]) * _SECONDS[match[2]]


def _when(text: str) -> int:
    """Return a second since 1970, given as a time from now or as a date in UTC."""
    if re.fullmatch(r"[0-9]{1,5}[mhd]", text):
        return int(time.time()) + _span(text)
    try:
        found = datetime.fromisoformat(text)
        return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            fill("expected a time such as 7d, or a date such as 2026-12-31T18:00, got {got!r}", got=text)
        ) from None


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    if not 1 <= number <= 128:
        raise argparse.ArgumentTypeError(fill("expected a number from 1 to 128, got {got!r}", got=text))
    return number


def _half(text: str) -> int:
    """Return points as half points."""
    match = re.fullmatch(r"([0-9]{1,2})(\.[05])?", text)
    if match is None:
        raise argparse.ArgumentTypeError(fill("expected points such as 1 or 0.5, got {got!r}", got=text))
    return 2 * int(match[1]) + (match[2] == ".5")


def _points(text: str) -> tuple[int, ...]:
    found = tuple(_half(one) for one in text.split(","))
    if len(found) != 4:
        raise argparse.ArgumentTypeError(fill("expected four numbers such as 1,0.5,0,2, got {got!r}", got=text))
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.upper().split(",")) if text else ()


def _key(text: str) -> bytes:
    if _KEY.fullmatch(text.lower()) is None:
        raise argparse.ArgumentTypeError(fill("expected a key of 64 hexadecimal digits, got {got!r}", got=text[:80]))
    return bytes.fromhex(text)
