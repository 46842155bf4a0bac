"""What a host proposes to play, from the options of the command and the files of ``--terms`` and ``--cards``."""

import json
import re
from argparse import ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Final, Literal

from cli.app import games
from cli.app.arguments import read_place
from cli.console.played import PlayedGame
from cli.match.publishing import Publication
from cli.meeting.meeting import Proposal
from cli.meeting.reachability import Listening
from cli.runtime.console import Exit, UsageError, result
from cli.storage.home import FILE, Home, load_preferences
from cli.text import commands
from cli.text.wording import _, fill
from protocol.core.agreement import GUEST_CHOOSES, LOT, host_takes
from protocol.core.clock import LONGEST, ClockKind, ClockTerms
from protocol.core.frames import DATA_PARTS, PART_LENGTH
from protocol.core.game_data import LONGEST_DELAY, Conditions, WitnessTerms
from protocol.crypto.commitments.schemes import SCHEMES
from protocol.crypto.keys import check_public
from protocol.errors import BadKey
from protocol.reach.formats.outside import Seen
from protocol.reach.invite import HostPort
from protocol.record.files import write_file
from protocol.system import files
from storm_p2p.games import FIGHT


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """Who plays here, and how the match is shown."""

    player: str = "human"
    """``human``, ``bot:NAME`` or ``exec:COMMAND``."""
    name: str | None = None
    """How the player wants to be called."""
    plain: bool = False
    """Whether a person wants bare lines."""
    json: bool = False
    """Whether a program reads what is printed."""
    guided: bool = False
    """Whether a person is told what matters, against the computer."""
    signs: str = ""
    """``unicode`` or ``ascii``, whatever the person has chosen; empty for what was chosen."""
    publish: str | Literal[False] | None = None
    """The folder for what others may watch; empty for that of the tournament, None if nothing is published but what was
    published before, and False if not even that."""
    event: str | None = None
    """The folder of the tournament that the match is of."""
    delay: str = "0"
    """How late that is, in the words of ``--watched``, if the players have not agreed on more."""
    page: bool = True
    """Whether there is a page of it, too."""

    @property
    def is_person(self) -> bool:
        """Whether a person plays."""
        return self.player == "human"


def player_of(options: Namespace) -> PlayerOptions:
    """Return who plays here."""
    # Not every command has all of them.
    said = {one.name: getattr(options, one.name) for one in fields(PlayerOptions) if one.name in options}
    return PlayerOptions(**said)


def publication_of(who: PlayerOptions, home: Home) -> Publication | None:
    """Return how others may watch, if the player wants that.

    Raises:
        UsageError: the delay is none, or the folder is not known.
    """
    if who.publish is None:
        return None
    # Few publish.
    from cli.app.verify import judge_alone
    from cli.app.webpage import Running
    from cli.events.folder import LIVE

    if not who.publish and who.event is None:
        raise UsageError(str(commands.PUBLISH_WHERE))
    folder = Path(who.publish or who.event or "", *([] if who.publish else [LIVE]))
    try:
        delay = delay_of(who.delay) or 0
    except ValueError as error:
        raise UsageError(str(error)) from None
    command = load_preferences(home.folder).published
    return Publication(folder, delay, command, Running(partial(judge_alone, Path())).write if who.page else None)


def check_watched(who: PlayerOptions, conditions: Conditions) -> None:
    """Check that a match between persons may be published, if the player wants that.

    Raises:
        UsageError: it may not.
    """
    if who.publish is not None and conditions.watched is None:
        raise UsageError(str(commands.NOT_WATCHED))


def rematches_of(options: Namespace) -> int:
    """Return how many rematches a player wants and takes who is no person.

    Raises:
        UsageError: a person plays, who says so at the end of a match, or the match is of a tournament.
    """
    if options.rematches and options.event:
        raise UsageError(str(commands.NO_REMATCHES))
    if options.rematches and player_of(options).is_person:
        raise UsageError(str(commands.WHOSE_REMATCHES))
    return int(options.rematches)


def listening_of(home: Home, options: Namespace) -> Listening:
    """Return how the player wants to be reached.

    Raises:
        UsageError: the settings name a server that is none, or nobody can knock at what is announced.
    """
    told = options.announce or ()
    called, knocked = (tuple((host, port) for host, port, udp in told if udp is wanted) for wanted in (False, True))
    try:
        seen = Seen(knocked).addresses
    except ValueError:
        raise UsageError(
            _("--announce with /udp takes public addresses with a port, such as 5.6.7.8:4711/udp")
        ) from None
    guess = load_preferences(home.folder).guess_ports if options.guess_ports is None else options.guess_ports
    servers = servers_of(home, options)
    return Listening(options.bind, options.port, called, options.map, options.tor, servers, options.knock, guess, seen)


def servers_of(home: Home, options: Namespace) -> tuple[HostPort, ...] | None:
    """Return the servers that are asked how this machine is seen; None for those of the program.

    Raises:
        UsageError: the settings name one that is none.
    """
    if options.stun is not None:
        return tuple(options.stun)
    chosen = load_preferences(home.folder).stun
    try:
        return None if chosen is None else tuple(map(read_place, chosen))
    except ArgumentTypeError as error:
        raise UsageError(f"{FILE}, stun: {error}") from None


_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_TIME = re.compile(r"([0-9]{1,6})([smhd])")
_NAMES = ("tolerance", "away", "absent")


def expected() -> str:
    """Return what a person reads who has written something else."""
    return _("expected none, a time budget such as 20m+10s, or a time per decision such as 3d")


def parse(text: str) -> ClockTerms | None:
    """Return what the words mean; None for no clock.

    Raises:
        ValueError: with the sentence.
    """
    first, *more = text.strip().lower().replace(" ", "").split(",")
    if first == "none":
        if more:
            raise ValueError(fill("{expected}; nothing can follow none", expected=expected()))
        return None
    base, plus, increment = first.partition("+")
    days = base.endswith("d") and not plus
    stock = _time(base)
    found = {
        # A line that breaks for a few minutes costs nobody the match; by mail there is no line.
        "tolerance": 3600 if days else 5,
        "away": 0 if days else 300,
        "absent": 4 * stock if days else 600,
    }
    for word in more:
        name, equals, value = word.partition("=")
        if name not in _NAMES or not equals:
            raise ValueError(
                fill("expected one of {names} with = and a time, got {got!r}", names=", ".join(_NAMES), got=word[:40])
            )
        found[name] = 0 if value == "0" and name != "absent" else _time(value)
    if days:
        return ClockTerms(ClockKind.TURN, stock, 0, *(found[name] for name in _NAMES))
    extra = _time(increment) if plus and increment != "0" else 0
    return ClockTerms(ClockKind.BASE, stock, extra, *(found[name] for name in _NAMES))


def _time(text: str) -> int:
    match = _TIME.fullmatch(text)
    seconds = 0 if match is None else int(match[1]) * _SECONDS[match[2]]
    if not 1 <= seconds <= LONGEST:
        raise ValueError(fill("{expected}; got {got!r}", expected=expected(), got=text[:40]) if text else expected())
    return seconds


_CONDITIONS: Final = ("clock", "witness", "aids", "watched")
"""What the file of terms can have beside the variants; it decides on these, the command line on the others."""


def proposed(game: PlayedGame, options: Namespace) -> Proposal:
    """Return what a host proposes.

    Raises:
        UsageError: that cannot be played, or the file cannot be read.
    """
    try:
        known = (*game.variants, *_CONDITIONS)
        check_seat(game, options.seat)
        given = variants_of(game, options) | {word: getattr(options, word) for word in _CONDITIONS}
        loaded = {} if options.terms is None else _loaded(options.terms, known)
        given |= {word: value for word, value in loaded.items() if word in game.variants or not given[word]}
        terms = game.write_terms(given)
        conditions = _conditions(given)
    except OSError as error:
        raise UsageError(commands.unusable(error, options.terms)) from None
    except ValueError as error:
        raise UsageError(commands.bad_terms(str(error))) from None
    # VAR-1: after a challenge the guest chooses.
    seating = GUEST_CHOOSES if given.get("challenge") else LOT
    if options.seat is not None:
        seating = host_takes([game.console.seat_word(side) for side in game.console.sides].index(options.seat))
    return Proposal(terms, options.scheme, conditions, seating)


def supplied(game: PlayedGame, file: str | None) -> tuple[PlayedGame, bytes]:
    """Return a game with the cards of a file, and the bytes of it; both as they are where no file is named.

    Raises:
        UsageError: the file cannot be read or used, or the game takes none.
    """
    if file is None:
        return game, b""
    try:
        data = files.read_file(Path(file), DATA_PARTS * PART_LENGTH)
        return game.supply(data, file), data
    except OSError as error:
        raise UsageError(commands.unusable(error, file)) from None
    except ValueError as error:
        raise UsageError(commands.bad_cards(str(error))) from None


def variants_of(game: PlayedGame, options: Namespace) -> dict[str, object]:
    """Return what the options say of each variant of a game.

    Raises:
        UsageError: one of another game is wanted, or a scheme in which this one cannot be played.
    """
    others = {word for name in games.NAMES for word in games.find(name).variants} - {*game.variants}
    for word in sorted(others):
        if getattr(options, word, None):
            raise UsageError(commands.no_variant(f"--{word.replace('_', '-')}", str(game.console.title)))
    if getattr(options, "scheme", SCHEMES[0]) not in game.schemes:
        raise UsageError(commands.no_scheme(str(game.console.title), options.scheme, game.schemes[0]))
    return {word: getattr(options, word) for word in game.variants}


def check_seat(game: PlayedGame, seat: str | None) -> None:
    """Refuse a side that a game does not have.

    Raises:
        UsageError: with those that it has.
    """
    words = [game.console.seat_word(side) for side in game.console.sides]
    if seat is not None and seat not in words:
        raise UsageError(commands.no_seat(str(game.console.title), seat, words))


def _loaded(file: str, known: Sequence[str]) -> dict[str, object]:
    try:
        loaded = json.loads(files.read_file(Path(file)))
    except (ValueError, RecursionError):
        raise ValueError(fill("expected JSON in {file}", file=file)) from None
    if not isinstance(loaded, dict) or set(loaded) - set(known):
        raise ValueError(fill("expected an object with {names} in {file}", names=", ".join(known), file=file))
    return loaded


def _conditions(given: Mapping[str, object]) -> Conditions:
    clock = "none" if given["clock"] is None else given["clock"]
    if not isinstance(clock, str):
        raise ValueError(expected())
    if not isinstance(given["aids"], bool):
        raise ValueError(_("expected true or false for aids"))
    witness = None if given["witness"] is None else _witness(given["witness"])
    return Conditions(parse(clock), witness, aids=given["aids"], watched=delay_of(given["watched"]))


def delay_of(words: object) -> int | None:
    """Return the least delay of what is published, in seconds, that a time such as ``5m`` names; None: nobody watches.

    Raises:
        ValueError: it names none.
    """
    if words is None:
        return None
    found = 0 if words == "0" else LONGEST_DELAY + 1
    if isinstance(words, str) and _TIME.fullmatch(words):
        found = _time(words)
    if found > LONGEST_DELAY:
        raise ValueError(_("expected a delay for spectators: 0, or a time of at most a day such as 5m"))
    return found


def _witness(words: object) -> WitnessTerms:
    """Return the witness that ``KEY@HOST:PORT`` names.

    Raises:
        ValueError: it names none.
    """
    form = r"([0-9a-fA-F]{64})@([0-9A-Za-z.:\[\]%_-]{1,90}):([0-9]{1,5})"
    found = re.fullmatch(form, words) if isinstance(words, str) else None
    if found is None or not 1 <= int(found[3]) <= 65535:
        raise ValueError(_("expected a witness as KEY@HOST:PORT, with a key of 64 hexadecimal digits"))
    key = bytes.fromhex(found[1])
    try:
        check_public(key)
    except BadKey:
        raise ValueError(_("expected the key of a witness, got one that proves nothing")) from None
    return WitnessTerms(key, f"{found[2]}:{int(found[3])}")


def run_cards(home: Home, options: Namespace) -> Exit:
    """``storm-p2p cards``: begin a file of cards of one's own from those that come with the game, or check one."""
    game = games.find(FIGHT)
    if options.what == "check":
        supplied(game, str(options.file))
        result(commands.sound_cards(options.file))
        return Exit.FINE
    if options.file.exists():
        raise UsageError(commands.there_already(str(options.file)))
    write_file(options.file, game.begin_cards())
    result(commands.new_cards(options.file))
    return Exit.FINE
