"""A person who types in plain lines, with a script instead of fingers."""

import asyncio
import random
import re
from collections.abc import Sequence

import helpers
from helpers_console import Answering, FakeMatch, Script, play

from cli.console.plain import LinePlayer
from cli.storm.console import STORM
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Phase, State

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741
EXAMPLE = helpers.at(
    "chthonians",
    "erinyes hecate 14, hades 10, charon 12, ares hera 9, zeus 15, athena 8, artemis apollo 19",
    known="erinyes",
    honor=(11, 8),
    energy=(10, 14),
)


def typed(*lines: str, state: State = EXAMPLE, faction: Faction = C, most: int = 1) -> tuple[FakeMatch, str]:
    """Play with these lines for some actions of both sides, and return the match and what was shown."""
    script = Script(lines)
    player = LinePlayer("alice", STORM, lines=script.screen)
    return play(player, faction, state=state, most=most), script.shown


def said(match: FakeMatch) -> list[str]:
    return [notation.format_action(action) for action in match.moves]


def assert_plain(shown: str) -> None:
    """Nothing but visible characters and ends of lines."""
    assert not [char for char in shown if char != "\n" and not char.isprintable()]
    assert not re.search(r"\\x1b|\\u", shown)


def whole_match(seed: int, faction: Faction) -> tuple[FakeMatch, Answering]:
    """Play a match to its end; the lines are legal actions at random, with looks and mistakes between them."""
    rng = random.Random(seed)
    views = ("board", "units", "table", "who 14", "log 3", "eye", "t", "o", "l", "s 3", "help", "options", "costs 10")
    wrong = ("move 1 24", "xyzzy", "std 99", "lose zeus", "reveal", "hades 30", "retreat 15", "bolt 1", "nope")
    pending: list[str] = []
    match: FakeMatch

    def answer() -> str | None:
        if not player._awaited():
            return None
        if pending:
            return pending.pop(0)
        if player.screen.placing is not None:
            pending[:] = ["seal!"]
            return "random"
        state = helpers.owner_view(match.state, faction)
        actions = engine.legal_actions(state, faction)
        action = helpers.prefer(rng, state, actions)
        mistakes = rng.sample(wrong, 1) if state.phase != Phase.AID else []
        pending[:] = [rng.choice(views), notation.format_action(action)]
        return mistakes[0] if mistakes else pending.pop(0)

    class Confirming(Answering):
        def write(self, shown: Sequence[str]) -> None:
            super().write(shown)
            if shown and ("Send?" in shown[-1] or '"yes"' in shown[-1]):
                pending.insert(0, "yes")

    screen = Confirming(answer)
    player = LinePlayer("alice", STORM, lines=screen, dice=rng)
    terms = rng.choice([terms for terms in helpers.TERMS if not terms.random_setup])

    async def run() -> None:
        nonlocal match
        match = FakeMatch(player, faction, random.Random(seed), engine.new_game(terms))
        await match.run(4000)

    asyncio.run(run())
    return match, screen
