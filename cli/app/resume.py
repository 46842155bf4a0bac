"""``storm-p2p resume``: go on with a match, or show which ones are unfinished."""

import asyncio
import json
from argparse import Namespace
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from cli.app import games, play
from cli.app.launch import running, seats
from cli.app.launch.proposal import PlayerOptions, listening_of, player_of
from cli.app.play import Opponent
from cli.clean import clean
from cli.match.player import notices_to
from cli.match.publishing import PLACE
from cli.match.stored import HELD_BY_BOTH, NotFound, agreement_of, export, find, has_only_finished, restore
from cli.meeting.joining import dump_swap, read_swap
from cli.meeting.lines import Lines, begin, line_secret
from cli.meeting.meeting import Met
from cli.meeting.reachability import Listening, LocalEndpoint, PeerEndpoint, Reachability, secret_of, seen_of
from cli.runtime.console import Exit, UsageError, line, result, say
from cli.storage import unlock
from cli.storage.home import Home
from cli.text import commands, failures, joining, stored
from cli.text.stored import unread
from protocol.core.game_data import read_data
from protocol.core.resume_handshake import StoredSeat
from protocol.crypto.keys import identity_hash
from protocol.errors import BadKey, ProtocolError
from protocol.game import MissingRules
from protocol.reach import invite
from protocol.reach.formats.outside import UNSEEN
from protocol.reach.invite import HALF, Invite, Purpose
from protocol.record import journal
from protocol.record.journal import SUFFIX, Journal, JournalError, StoredState
from protocol.transport import TransportError
from storm_p2p import games as rules


def row(home: Home, match: journal.StoredMatch, *, brief: bool = False) -> str:
    """Return a match in one line: its number, when it began (not if it is brief), against whom, and how far it is."""
    when = datetime.fromtimestamp(match.started_at, UTC).astimezone()
    began = "" if brief else when.strftime("%Y-%m-%d %H:%M")
    number = "" if match.match_id is None else match.match_id.hex()
    return stored.row(number, began, clean(match.opponent), _turn(home, match))


def _turn(home: Home, match: journal.StoredMatch) -> int | None:
    """Return the turn that a match is in: 0 for the setup, None when a passphrase or other rules would have to tell."""
    try:
        if unlock.locked(home.key_file):
            return None
        with Journal.open(home.matches, match.local_id) as book:
            session = restore(book, home)
            return session.game.turn(session.state)
    except (JournalError, ProtocolError, MissingRules, OSError):
        return None


TELLING_SECONDS = 20.0
"""How long the other is looked for who has to hear that a match cannot go on here."""


def local_name(home: Home, wanted: str | None) -> str | None:
    """Return what a match is called on this machine; None with a sentence said."""
    try:
        return find(home, wanted)
    except NotFound as missing:
        say(str(missing))
        for match in missing.found:
            result(row(home, match))
        for entry in missing.unread:
            if entry.problem is not None:
                say(unread(f"{entry.local_id}{SUFFIX}", entry.problem.code, entry.problem.sentence))
    except JournalError as error:
        say(failures.sentence(error.code, error.sentence))
    return None


def main(home: Home, options: Namespace) -> Exit:
    """``storm-p2p resume``: go on with a match after a crash or a lost line."""
    given: Invite | None = None
    if options.match is not None and invite.PREFIX in options.match.upper():
        given = read_swap(options.match, Purpose.RESUME)
    local = local_name(home, options.match if given is None else given.subject.hex())
    if local is None:
        return Exit.USAGE
    who, listening = player_of(options), listening_of(home, options)
    return go_on(local, home, who, listening, options.patience, given=given, inviting=options.invite)


def go_on(
    local: str,
    home: Home,
    who: PlayerOptions,
    listening: Listening,
    patience: float | None,
    *,
    given: Invite | None = None,
    inviting: bool = False,
) -> Exit:
    """Go on with the match that is called ``local`` on this machine.

    A lost line is called again for ``patience`` seconds, without end when left out.  ``given`` is a fresh line of the
    other's; with ``inviting`` one is printed for them.
    """
    opponent = Opponent(home)
    # The onion address of the invite is gone; a fresh one nobody would know.
    reachability = Reachability(replace(listening, tor=False), home)
    if reachability.may_search is None:
        # Whoever has met them by a search before has agreed to it.
        reachability.may_search = who.is_person

    async def finish() -> None:
        await reachability.close()
        await opponent.stop()

    try:
        with Journal.open(home.matches, local) as book:
            if book.is_erased:
                if book.match.log is None:
                    # The program was killed before it had written the log.
                    book.end(StoredState.FINISHED, export(book, home.logs))
                raise UsageError(stored.finished(book.match.log))
            if book.match.state is StoredState.FINISHED:
                if book.read_kept(HELD_BY_BOTH) is not None or book.read_kept("computer") is not None:
                    raise UsageError(stored.finished(book.match.log))
                say(stored.unconfirmed(book.match.opponent))
            if book.match.state is StoredState.SHELVED:
                book.end(StoredState.OPEN)
            agreement = agreement_of(book)
            try:
                rules.find(agreement.game, agreement.game_version)
            except MissingRules as missing:
                say(failures.no_rules(missing, of_match=True))
                asyncio.run(_tell_other(book, home, reachability))
                return Exit.NO
            called = replace(who, name=who.name or book.match.name)
            player = seats.of(games.find(agreement.game), called, home, keep_name=False)

            async def meet() -> tuple[Lines, Met]:
                met = Met(restore(book, home), book)
                if given is not None:
                    _follow(met, given)
                lines = await _lines(met, opponent, reachability, inviting=inviting, json=who.json)
                reachability.on_notice = notices_to(player)
                return lines, met

            if not isinstance(who.publish, str) and (place := book.read_word(PLACE)):
                with book.understood(PLACE):
                    folder, seconds, page = json.loads(place)
                if who.publish is False:
                    # It stays so; whose feed is in that folder is still to be known.
                    book.keep(PLACE, json.dumps([folder, None, page]).encode())
                elif seconds is not None:
                    who = replace(who, publish=folder, delay=f"{seconds}s" if seconds else "0", page=page)
                    say(commands.goes_on_publishing(folder))
            if who.publish is False:
                who = replace(who, publish=None)
            if who.publish is not None and not running.may_watch(agreement, book):
                raise UsageError(str(commands.NOT_WATCHED))
            if who.publish == "" and (game := agreement.conditions.event) is not None:
                # Few matches are of a tournament.
                from cli.events.folder import folder_of

                event = folder_of(home, game.event)
                who = replace(who, event=None if event is None else str(event))
            computer = book.read_word("computer")
            if computer is None:
                return running.Series(meet, player, home, who, patience, finish).run()
            say(str(commands.STARTING_COMPUTER))
            data, _ = read_data([one.record for one in book.read_entries()])
            terms = games.find(agreement.game).read_terms(agreement.terms)
            again = partial(play.meet, opponent, player, home, computer, terms, None, agreement.game, data)
            return running.Series(meet, player, home, who, 0, finish, again=again).run()
    except BadKey:
        raise
    except ProtocolError as error:
        say(stored.cannot_be_read(str(error)))
        return Exit.NO


async def _tell_other(book: Journal, home: Home, reachability: Reachability) -> None:
    """Let the other's program know that the rules of a match are not here, if it can be reached soon."""
    place, endpoint = PeerEndpoint.of(book), LocalEndpoint.of(book)
    if book.read_kept("computer") is not None or (place is None and endpoint is None):
        return
    say(failures.other_is_told(book.match.opponent))
    identity = unlock.identity(home)
    seat = StoredSeat(book.read_entries(), identity, book.read_entropy(identity), rules.find_newest().version)
    listener = None
    with suppress(TransportError):
        if endpoint is not None:
            listener = (await reachability.listen(endpoint))[1]
    lines = Lines(seat, secret_of(book), listener, place)
    try:
        lines.call(lambda count, pause: None)
        async with asyncio.timeout(TELLING_SECONDS):
            while not seat.told:
                # A guest shows their rules on the way; a host does so on a line that they take.
                with suppress(TimeoutError, TransportError):
                    async with asyncio.timeout(0.2):
                        link, resume_handshake = await lines.found.get()
                        for frame in resume_handshake.answer():
                            await link.send(frame)
            await asyncio.sleep(0.2)
    except TimeoutError:
        # The other hears of it when both are there at the same time.
        pass
    finally:
        await lines.close()
        await reachability.close()


async def _lines(met: Met, opponent: Opponent, reachability: Reachability, *, inviting: bool, json: bool) -> Lines:
    """Listen where we listened before, and call where the other was."""
    book = met.journal
    place, endpoint = PeerEndpoint.of(book), LocalEndpoint.of(book)
    computer, match_id = book.read_word("computer"), book.match.match_id
    if computer is not None and place is not None and match_id is not None:
        order = ["resume", match_id.hex(), "--bind", "127.0.0.1", "--patience", "0"]
        found = await opponent.start("listening", order, computer)
        place = PeerEndpoint(place.pin, (("127.0.0.1", int(found["port"])),))
        return Lines(met.session, secret_of(book), None, place)
    if endpoint is None:
        return Lines(met.session, secret_of(book), None, place)
    if not json:
        say(stored.waiting(book.match.opponent))
    # Whoever was called in the first place is called again; a port for IPv6 is told in any case.
    reachability.asks = inviting or (place is not None and replace(place.seen, crossing6=0) != UNSEEN)
    reachability.is_host = met.session.seat == met.session.agreement.host_seat
    # A line names every way, so whoever wants one waits for them.
    listening = reachability.listen(endpoint) if inviting else reachability.listen_again(endpoint, seen_of(book))
    endpoint, listener = await listening
    if json:
        for address, port in listener.addresses:
            line({"event": "listening", "address": address, "port": port})
    if inviting:
        _invite(met, endpoint, reachability, json=json)
    return begin(met, endpoint, listener, place, reachability)


def _follow(met: Met, given: Invite) -> None:
    """Keep where a fresh line says that the other is.

    Raises:
        TransportError: it is somebody else's line.
    """
    peer = met.session.agreement.players[met.session.peer]
    if given.identity != identity_hash(peer.identity):
        raise TransportError("not-him", "expected a line of the other player, got somebody else's")
    for word, value in PeerEndpoint(given.pin, given.candidates, given.seen).kept().items():
        met.journal.keep(word, value)


def _invite(met: Met, endpoint: LocalEndpoint, reachability: Reachability, *, json: bool) -> None:
    """Print a line with which the other finds us, bound to the match and to our keys."""
    agreement, secret = met.session.agreement, line_secret(met.session, endpoint.secret)
    own = agreement.players[met.session.seat].identity
    places, seen, match = reachability.places, reachability.seen, agreement.match_id[:HALF]
    text = dump_swap(places, endpoint, own, match, Purpose.RESUME, secret=secret, game=agreement.game, seen=seen)
    if json:
        line({"event": "invite", "invite": text})
        return
    say(str(joining.FRESH))
    result(f"  storm-p2p resume {text}\n")


def write_log(home: Home, options: Namespace) -> Exit:
    """``storm-p2p export``: write the portable log of a match as it stands now."""
    if options.match is None and has_only_finished(home):
        raise UsageError(str(stored.ALL_FINISHED))
    local = local_name(home, options.match)
    if local is None:
        return Exit.USAGE
    try:
        with Journal.open(home.matches, local) as book:
            # SPEC, "Resume": the log of a match whose keys are erased was signed before.
            result(str(export(book, home.logs, None if book.is_erased else restore(book, home))))
    except MissingRules as missing:
        say(failures.no_rules(missing, of_match=True))
        return Exit.NO
    except BadKey:
        raise
    except ProtocolError as error:
        say(stored.cannot_be_read(str(error)))
        return Exit.NO
    return Exit.FINE
