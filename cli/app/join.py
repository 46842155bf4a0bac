"""``storm-p2p join``: accept an invite."""

import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from cli.app import games, resume
from cli.app.launch import running, seats
from cli.app.launch.proposal import check_seat, listening_of, player_of, rematches_of, supplied
from cli.clean import clean
from cli.console.played import PlayedGame
from cli.match import stored
from cli.match.player import notices_to
from cli.meeting import reachability
from cli.meeting.joining import BadLine, game_of, is_line, meet, read_swap, takes_any, whole
from cli.meeting.lines import Lines
from cli.meeting.meeting import Met, NoMatch, PendingInvite
from cli.meeting.reachability import Reachability
from cli.runtime.console import Exit, UsageError, ask, line, read_line, result, run_aside, say
from cli.runtime.terminal import has_waiting_line, is_terminal
from cli.storage.home import Home
from cli.storage.people import Book
from cli.text import clocks, commands, failures, joining, matches
from cli.text.stored import open_elsewhere
from cli.vocabulary import NO, YES
from protocol.core.handshake import Offered
from protocol.crypto.commitments.schemes import SCHEMES
from protocol.game import Seat
from protocol.reach.formats.candidates import Way
from protocol.reach.invite import Invite, Purpose
from protocol.record.journal import list_matches


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    if options.invite is None and is_line(options.publish or ""):
        # The folder of a tournament needs no name, so what follows may be the invite.
        options.invite, options.publish = options.publish, ""
    who, listening, rematches = player_of(options), listening_of(home, options), rematches_of(options)
    found = _nearby(options.invite) if options.lan else _invite(options.invite)
    if found is None:
        return Exit.NO_CONNECTION
    match = _begun(found, home)
    if match is not None:
        say(str(joining.BEGUN))
        return resume.go_on(match, home, who, listening, options.patience)
    asked = who.is_person and not options.yes and is_terminal(sys.stdin)
    called = game_of(found)
    if options.event is None:
        game, data = supplied(games.find(called), options.cards)
    else:
        from cli.app.carrying import keep_up
        from cli.app.launch import pairing

        keep_up(home, Path(options.event), offline=options.offline)
        name, game, data = pairing.to_join(home, options.event, called, options.cards)
        who = replace(who, name=who.name or name)
    refused: list[Offered] = []
    check_seat(game, options.seat)
    player = seats.of(game, who, home, keep_name=options.event is None, ask_name=True)
    reachability = Reachability(listening, home, is_host=False)
    reachability.ask_search = _may_search if asked else None
    reply = partial(_reply, reachability, json=who.json, swap=options.swap)

    async def consent(offer: Offered) -> tuple[bool, Seat | None]:
        if who.publish is not None and offer.conditions.watched is None:
            # Nobody else may watch it, and the player wants to publish it.
            refused.append(offer)
            say(str(commands.NOT_WATCHED))
            return False, None
        if options.event is not None or offer.conditions.event is not None:
            # Few matches are of a tournament.
            from cli.app.launch import pairing

            return await pairing.consent(home, options.event, found.identity, offer)
        say(matches.offer(offer.name, game.console.match_of(game.read_terms(offer.terms))))
        say(*clocks.conditions(offer.conditions))
        if asked:
            return await _ask(game, offer)
        return await takes_any(options.seat, less=options.scheme == "hash", game=called)(offer)

    async def met() -> tuple[Lines, Met]:
        book = Book.of(home) if who.is_person else None
        begun = await meet(
            found,
            home,
            player.name,
            consent,
            book=book,
            reachability=reachability,
            reply=reply,
            swap=options.swap,
            data=data,
        )
        reachability.on_notice = notices_to(player)
        return begun

    series = running.Series(met, player, home, who, options.patience, reachability.close, rematches=rematches)
    try:
        return series.run()
    except NoMatch as error:
        if refused:
            raise UsageError(failures.handshake(error.event)) from error
        raise


def _reply(reachability: Reachability, text: str, *, json: bool, swap: bool) -> None:
    """Print the line with which the host calls back; unless ``swap`` was asked for, they did not answer."""
    if json:
        line({"event": "reply", "invite": text})
        return
    say(str(joining.SEND_BACK if swap else joining.NOT_CALLED))
    result(f"  {text}\n")
    if {one.way for one in reachability.candidates} == {Way.LAN} and not reachability.seen.addresses:
        say(str(joining.ONLY_NEARBY))
    say(str(joining.WAITING_FOR_CALL))


def _begun(found: Invite, home: Home) -> str | None:
    """Return the number of the match that has begun here with an invite, and whose program is started again.

    Raises:
        NotFound: it may be the one that is open in another window: nobody may play it twice.
        JournalError: that cannot be read.
    """
    match = PendingInvite(home.matches, found.secret, found.expires).match()
    if match is None:
        return None
    try:
        return stored.find(home, match.hex())
    except stored.NotFound as missing:
        if elsewhere := stored.open_elsewhere(list_matches(home.matches)):
            raise stored.NotFound(f"{joining.BEGUN} {open_elsewhere(elsewhere)}") from None
        for one in missing.unread:
            if one.problem is not None and one.problem.code in ("damaged", "failed"):
                # Whoever has forgotten what they signed would sign something else in its place.
                raise stored.NotFound(failures.sentence(one.problem.code, one.problem.sentence)) from None
        # It has ended before the journal knew of it: the host begins the same match again.
        return None


def _nearby(given: str | None) -> Invite | None:
    """Return the invite of a host in this network, who has said their words; None with a sentence said.

    Raises:
        EOFError: the person has closed the input.
    """
    if given in (None, "-") and not is_terminal(sys.stdin):
        # Words that do not come from a person are not asked for again.
        given = read_line().strip() or "-"
    text = reachability.find_nearby(given or "", ask)
    return None if text is None else _invite(text)


def _invite(given: str | None) -> Invite:
    """Return the invite from the argument, standard input or the prompt, which asks until one is good.

    Raises:
        BadLine: it is none.
        EOFError: the person has closed the input.
    """
    asked = given in (None, "-") and is_terminal(sys.stdin)
    while True:
        if asked:
            text = whole(ask(str(joining.PASTE)), _rest)
        elif given in (None, "-"):
            text = whole(read_line(), read_line)
        else:
            text = str(given)
        try:
            return read_swap(text, Purpose.MATCH)
        except BadLine as error:
            if not asked:
                raise
            say(str(error))


def _rest() -> str:
    """Return the next line of an invite that goes on; what was pasted in one piece is not asked for."""
    # The end of a paste without its Enter stands in the window already, and the question below it.
    return ask("" if has_waiting_line() else f"\n{joining.REST}")


async def _input(question: str) -> str | None:
    """Return the person's answer in lower case; None at the end of the input.

    The connection lives on while the person thinks, and Ctrl-C does not have to wait.
    """

    def read() -> str | None:
        with suppress(EOFError, OSError, ValueError):
            return clean(ask(question)).strip().lower()
        return None

    return await run_aside(read)


async def _ask(game: PlayedGame, offer: Offered) -> tuple[bool, Seat | None]:
    """Ask the person at the keyboard, until the answer is clear; the end of the input is a no."""
    if offer.scheme != SCHEMES[0]:
        say(str(joining.HASH_WARNING))
    if not await _clear(str(joining.ACCEPT), str(joining.YES_OR_NO), _yes_or_no):
        return False, None
    if not offer.choose_seat:
        return True, None
    seat = await _clear(str(joining.SEAT), str(joining.ONE_SIDE), partial(_side, game))
    return seat is not None, seat


Answer = TypeVar("Answer")


async def _clear(question: str, again: str, understand: Callable[[str], Answer | None]) -> Answer | None:
    """Return what the person answers as soon as it is understood; None at the end of the input."""
    while True:
        answer = await _input(question)
        if answer is None:
            return None
        found = understand(answer)
        if found is not None:
            return found
        say(again)


async def _may_search() -> bool:
    """Ask whether many ports may be tried; Enter alone agrees, and the end of the input does not."""
    answer = await _input(str(joining.MAY_SEARCH))
    return answer is not None and (not answer or answer in YES)


def _yes_or_no(answer: str) -> bool | None:
    if answer in YES:
        return True
    return False if answer and answer in NO else None


def _side(game: PlayedGame, answer: str) -> Seat | None:
    # In the language of the notation, and in that of the question.
    console = game.console
    called = [(console.seat_word(side), console.side_name(side).lower()) for side in console.sides]
    found = [seat for seat, known in enumerate(called) if answer and any(name.startswith(answer) for name in known)]
    return found[0] if len(found) == 1 else None
