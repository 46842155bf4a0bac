"""A whole match of Fight for Olympus at both consoles, over two programs' sessions: plain lines and the full screen."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import helpers_tui as tui
import pytest
from helpers_console import Answering
from helpers_memory import pair as line_in_memory
from helpers_wire import Pair
from prompt_toolkit.input import create_pipe_input

from cli.console.plain import LinePlayer
from cli.console.shell.app import ScreenPlayer
from cli.fight import reading
from cli.fight.console import FIGHT
from cli.fight.players import FightParticipant
from cli.match.match import Match
from cli.match.player import Ended, Ending, Player
from cli.meeting.lines import Lines
from protocol.core.agreement import Role
from protocol.core.frames import Entry
from protocol.core.session import Session
from protocol.core.wire import FRAME_LIMIT
from protocol.record.journal import Journal
from protocol.record.judging import judge
from storm_p2p.fight.card_file import load_reconstructed
from storm_p2p.fight.codec import encode_terms
from storm_p2p.fight.game import Fight

GAME = Fight()


def program(pair: Pair, seat: int, player: Player, folder: Path) -> Match:
    """Return one program's side of a match that has just begun."""
    config, records = pair.configs[seat], pair.sessions[seat].records
    session = Session(records, GAME, config.identity, config.entropy).restore()
    role = Role.GUEST if seat else Role.HOST
    journal = Journal.create(
        folder, started_at=0, role=role, name="a", entropy=config.entropy, identity=config.identity
    )
    journal.append([Entry(False, record) for record in records])
    return Match(session, journal, FightParticipant(player), folder / "logs", patience=0)


def answer(screen: object, rng: random.Random) -> str | None:
    """Return what somebody types who plays what can be played and says yes to what is asked."""
    state = getattr(getattr(screen, "match", None), "state", None)
    if state is None or not getattr(screen, "awaited", False):
        return None
    options = reading.options(state, screen.match.side)  # type: ignore[attr-defined]
    plays = [one for one in options if one.startswith("play")]
    others = [one for one in options if not one.startswith("play") and not one.endswith((" none", " no"))]
    return f"{rng.choice(plays if plays and rng.random() < 0.7 else others or options)}!"


@pytest.mark.long
def test_a_whole_match_is_played_at_both_consoles(tmp_path: Path) -> None:
    rng = random.Random(5)
    screen = Answering(lambda: answer(lines._screen, rng))
    lines = LinePlayer("alice", FIGHT, lines=screen)
    terminal = tui.Terminal((120, 40))
    drawn: list[str] = []

    async def run() -> list[Ending]:
        with create_pipe_input() as pipe:
            shown = ScreenPlayer("bob", FIGHT, input=pipe, output=terminal.output, max_render_postpone_time=None)
            pair = Pair(GAME, encode_terms(load_reconstructed()), tag="fight console", scheme="proved")
            matches = [program(pair, 0, lines, tmp_path / "0"), program(pair, 1, shown, tmp_path / "1")]
            ways = line_in_memory()
            both = []
            for match, way in zip(matches, ways, strict=True):
                way.limit = FRAME_LIMIT
                both.append(Lines(match.session, bytes(16), None, None))
                both[-1].greet(way)
            playing = asyncio.gather(*(match.play(line) for match, line in zip(matches, both, strict=True)))
            last: object = None
            while not playing.done():
                await tui.calm(5)
                screen = shown._screen
                if screen is not None and screen.match.ending is None:
                    asked = screen.page is not None, screen.match.state
                    typed = "" if screen.page is not None else answer(screen, rng)
                    if typed is not None and asked != last:
                        last = asked
                        drawn.extend(terminal.shown)
                        pipe.send_text(f"{typed}\r")
                await asyncio.sleep(0.001)
            endings = await playing
            for one, ending in zip(matches, endings, strict=True):
                one._participant.tell(Ended(ending))
            pipe.send_text("\r")
            await tui.calm()
            drawn.extend(terminal.shown)
            shown.dismiss()
            await shown.close()
            await lines.close()
            return endings

    endings = asyncio.run(asyncio.wait_for(run(), 60))
    assert len({(ending.winner, ending.reason) for ending in endings}) == 1
    assert all(ending.confirmed and ending.audited and not ending.problems for ending in endings)
    told, picture = "\n".join(screen.lines), "\n".join(drawn)
    for words in ("YOUR TURN: play cards, then end", "1 Olympus", "Your hand (", "in hand"):
        assert words in picture
    for words in ("you: 6 cards are drawn.", "played on space", "You can play: ", "turn"):
        assert words in told
    # Who held which cards is shown at the end, and anybody can check the log.
    assert "Gustav: " in told
    assert endings[0].log is not None
    [found] = judge([Path(endings[0].log).read_bytes()], lambda name, version: GAME)
    assert found["ok"]
    assert found["confirmed"]
