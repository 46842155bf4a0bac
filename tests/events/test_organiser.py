"""What an organiser may try with folders that are theirs to fill, and what the first program that saw both says."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers import daily_first
from helpers_tournament import ARBITER, ORGANISER, codes, event_of, key_of

from cli.events import folder
from cli.events.standing import Seen, look, publish
from cli.events.tasks import due_step
from cli.runtime.console import UsageError
from cli.storage.home import Home
from protocol.crypto.keys import PrivateKey
from protocol.tournament import drafts
from protocol.tournament.contents import Chained, Close, Coin, Content, Event, Matter, Round, Ruling, Start, System
from protocol.tournament.documents import Document, chain_of, read, sign
from protocol.tournament.drafts import coin_from
from protocol.tournament.survey import Tournament, survey

EVENT = event_of(System.ROUND_ROBIN, entries_until=10, coins_until=20)


def signed(key: PrivateKey, content: Content) -> Document:
    """Return a document."""
    return read(sign(key, content))


class Bot:
    """A player whose program does what is due, with a home and a folder of their own."""

    def __init__(self, root: Path, name: str, event: bytes) -> None:
        self.name, self.key = name, key_of(name)
        self.home, self.folder = Home(root / name), root / name / "cup"
        self.folder.mkdir(parents=True)
        self.entry = signed(
            self.key, drafts.draft_entry(event, self.key.public, name, coin_from(self.key.seed(), event))
        )
        self.met: dict[tuple[object, int], set[bytes]] = {}
        self.events: set[bytes] = set()

    @property
    def held(self) -> list[Document]:
        """The documents of the folder."""
        return [read(path.read_bytes()) for path in sorted(self.folder.glob("*.event"))]

    def get(self, documents: Iterable[Document], *, anew: bool = False) -> None:
        """Let somebody put documents into the folder, or even in the place of all that are there."""
        for path in self.folder.glob("*.event") if anew else ():
            path.unlink()
        for one in documents:
            (self.folder / f"{one.id.hex()}.event").write_bytes(one.data)

    def step(self, folder: Path | None = None) -> Seen:
        """Look, and do what is due."""
        for one in self.held:
            if isinstance(one.content, Chained):
                self.met.setdefault((chain_of(one), one.content.number), set()).add(one.id)
            elif isinstance(one.content, Event):
                self.events.add(one.id)
        seen = look(self.home, folder or self.folder)
        while (content := due_step(seen.tournament, self.key, 15)) is not None:
            seen = publish(seen, self.key, content)
        return seen


class Cup:
    """An event of eight bots, as its organiser sees it."""

    def __init__(self, root: Path, size: int = 8) -> None:
        self.announced = signed(ORGANISER, EVENT)
        self.bots = [Bot(root, f"bot {number}", self.announced.id) for number in range(1, size + 1)]
        self.chain: list[Document] = []
        self.rulings: list[Document] = []
        self.coins: dict[bytes, Document] = {}

    @property
    def documents(self) -> list[Document]:
        """All that the organiser would show an honest reader."""
        return [self.announced, *(bot.entry for bot in self.bots), *self.chain, *self.rulings, *self.coins.values()]

    def look(self) -> Tournament:
        """Return how the event stands for the organiser."""
        return survey([one.data for one in self.documents])

    def add(self, content: Content) -> Document:
        """Publish the next document of the organiser's."""
        self.chain.append(signed(ORGANISER, content))
        return self.chain[-1]

    def deliver(self, **how: bool) -> list[Seen]:
        """Give everybody everything, and let them do what is due; the coins come back by mail."""
        seen = []
        for bot in self.bots:
            bot.get(self.documents, **how)
            seen.append(bot.step())
            self.gather(bot)
        return seen

    def gather(self, bot: Bot) -> None:
        """Let the organiser have the coins that lie in somebody's folder."""
        self.coins |= {one.id: one for one in bot.held if isinstance(one.content, Coin)}

    def take_to(self, stage: int) -> None:
        """Go so many steps: close, start, rounds."""
        while len(self.chain) < stage:
            self.add(self.due())
            self.deliver()

    def due(self) -> Content:
        """Return the next honest document."""
        now = self.look()
        makers: list[Any] = [drafts.draft_close, drafts.draft_start]
        return makers[len(self.chain)](now) if len(self.chain) < 2 else drafts.draft_round(now, 9000)


def convicts(seen: Seen, *numbers: int) -> bool:
    """Say whether a program names the organiser for documents with numbers, and has both in the folder."""
    found = seen.tournament
    named = {one.fact("number") for one in found.holes if one.code == "equivocation"}
    proofs = {data for one in found.convictions for data in (one.first, one.second)}
    return (
        named == set(numbers)
        and {one.author for one in found.convictions} == {ORGANISER.public}
        and proofs <= {path.read_bytes() for path in seen.path.glob("*.event")}
    )


def with_puppet(cup: Cup, close: Document) -> tuple[Document, Close]:
    """Return another player of the organiser's, and the same list of entries with them."""
    puppet, content = key_of("puppet"), close.content
    assert isinstance(content, Close)
    entry = signed(puppet, drafts.draft_entry(cup.announced.id, puppet.public, "Puppet", bytes(32)))
    return entry, replace(content, entries=tuple(sorted((*content.entries, entry.id))))


# -- each by itself -------------------------------------------------------------------------------------------


def test_who_closes_again_after_seeing_the_coins_is_named_and_nobody_opens_a_second_coin(tmp_path: Path) -> None:
    cup = Cup(tmp_path)
    cup.take_to(1)
    first = cup.chain.pop()
    assert len(cup.coins) == 8
    puppet, content = with_puppet(cup, first)
    cup.coins.clear()
    cup.add(content)
    for bot in cup.bots:
        bot.get([*cup.documents, puppet], anew=True)
        assert convicts(bot.step(), 1)
        assert [one.content.close for one in bot.held if isinstance(one.content, Coin)] == [first.id]
    # Whoever gets the folder of one of them needs no memory.
    stranger = Bot(tmp_path, "stranger", cup.announced.id)
    stranger.get(cup.bots[0].held)
    assert convicts(stranger.step(), 1)


def test_a_round_published_anew_convicts_the_organiser_where_the_first_was_seen(tmp_path: Path) -> None:
    cup = Cup(tmp_path)
    cup.take_to(3)
    made = cup.chain.pop().content
    assert isinstance(made, Round)
    cup.add(replace(made, until=9001))
    assert all(convicts(seen, 3) for seen in cup.deliver(anew=True))


def test_what_was_seen_and_is_taken_away_is_put_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cup = Cup(tmp_path)
    cup.take_to(3)
    last = cup.chain.pop()
    bot = cup.bots[0]
    bot.get(cup.documents, anew=True)
    seen = bot.step()
    assert len(seen.tournament.rounds) == 1
    assert not seen.tournament.convictions
    assert last.data in {one.data for one in bot.held}
    assert "had seen them before and has put them back: round-" in capsys.readouterr().err


def test_what_was_seen_counts_where_the_folder_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(tmp_path, 2)
    cup.take_to(3)
    bot = cup.bots[0]
    bot.get(cup.documents[:3], anew=True)

    def fail(*_: object) -> None:
        raise OSError("read only")

    monkeypatch.setattr(folder, "publish", fail)
    seen = bot.step()
    assert [one.id for one in seen.tournament.chain.documents] == [one.id for one in cup.chain]


def test_a_coin_is_opened_once_even_if_the_first_list_was_forgotten(tmp_path: Path) -> None:
    cup = Cup(tmp_path, 2)
    cup.take_to(1)
    puppet, content = with_puppet(cup, cup.chain.pop())
    cup.coins.clear()
    cup.add(content)
    bot = cup.bots[0]
    for path in (bot.home.folder / "events").rglob("chain-*"):
        path.unlink()
    bot.get([*cup.documents, puppet], anew=True)
    with pytest.raises(UsageError, match="opened only once"):
        bot.step()


def test_two_events_of_one_name_are_named_by_whoever_has_seen_both(tmp_path: Path) -> None:
    cup = Cup(tmp_path, 2)
    bot = cup.bots[0]
    bot.get(cup.documents)
    assert bot.step().tournament.remarks == ()
    other = signed(ORGANISER, replace(EVENT, deadlines=(7, 8)))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "x.event").write_bytes(other.data)
    (remark,) = look(bot.home, elsewhere).tournament.remarks
    assert (remark.code, remark.fact("event")) == ("event_twice", cup.announced.id)
    # In one folder as well, and for a stranger's memory of nothing.
    assert codes(look(Home(tmp_path / "new"), elsewhere).tournament.remarks) == []
    bot.get([other])
    assert codes(bot.step().tournament.remarks) == ["event_twice"]


def test_the_words_differ_with_each_document_and_with_what_was_agreed_on(tmp_path: Path) -> None:
    cup = Cup(tmp_path, 2)
    words = {cup.look().words()}
    for stage in (1, 2, 3):
        cup.take_to(stage)
        words.add(cup.look().words())
    cup.chain.append(signed(ARBITER, drafts.draft_ruling(cup.look(), ARBITER.public, Matter.WITHDRAWAL, 2, player=1)))
    found = cup.look()
    words |= {found.words(), found.words("plum")}
    assert len(words) == 6
    assert {len(one) for one in words} == {4}
    assert found.words("Plum") == found.words("plum")
    assert len(found.words("\udce4")) == 4
    assert {bot.step().tournament.words() for bot in cup.bots} <= words


# -- at random ------------------------------------------------------------------------------------------------


def misdeed(chance: random.Random, cup: Cup) -> list[Document]:
    """Return another document for a number that is taken, and what goes with it."""
    one = chance.choice([*cup.chain, *cup.rulings])
    content = one.content
    if isinstance(content, Ruling):
        return [signed(ORGANISER, replace(content, player=2))]
    if isinstance(content, Close):
        if chance.random() < 0.5:
            puppet, again = with_puppet(cup, one)
            return [signed(ORGANISER, again), puppet]
        return [signed(ORGANISER, replace(content, entries=content.entries[1:]))]
    if isinstance(content, Start):
        return [signed(ORGANISER, replace(content, coins=content.coins[:-1]))]
    assert isinstance(content, Round)
    if chance.random() < 0.5:
        return [signed(ORGANISER, replace(content, until=content.until + 1))]
    return [signed(ORGANISER, replace(content, pairings=content.pairings[::-1]))]


@pytest.mark.parametrize("seed", daily_first(range(30)))
def test_whatever_an_organiser_shows_to_whom_the_first_program_that_has_seen_both_says_so(
    seed: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    cup = Cup(tmp_path)
    cup.take_to(chance.randint(1, 4))
    if chance.random() < 0.3:
        withdrawal = drafts.draft_ruling(cup.look(), ORGANISER.public, Matter.WITHDRAWAL, 4, player=1)
        cup.rulings.append(signed(ORGANISER, withdrawal))
    bad = [signed(ORGANISER, replace(EVENT, grace=7))] if chance.random() < 0.1 else misdeed(chance, cup)
    twin = bad[0].content
    lies = [
        one
        for one in cup.documents
        if not (
            isinstance(one.content, Chained)
            and isinstance(twin, Chained)
            and chain_of(one) == chain_of(bad[0])
            and one.content.number >= twin.number
        )
    ]
    coins = [one for one in lies if isinstance(one.content, Coin)]
    named = 0
    for _ in range(30):
        bot = chance.choice(cup.bots)
        how = chance.randrange(4)
        if how == 0:
            bot.get([*lies, *bad], anew=True)
        elif how == 1:
            bot.get([*(one for one in lies if one not in coins), *bad], anew=True)
        elif how == 2:
            bot.get(cup.documents, anew=chance.random() < 0.5)
        else:
            bot.get(chance.choice(cup.bots).held)
        seen = bot.step()
        forks = [number for (_, number), ids in bot.met.items() if len(ids) > 1]
        assert convicts(seen, *forks) if forks else not seen.tournament.convictions
        assert ("event_twice" in codes(seen.tournament.remarks)) == (len(bot.events) > 1)
        named += bool(forks) or len(bot.events) > 1
        opened = {
            one.id
            for each in cup.bots
            for one in each.held
            if isinstance(one.content, Coin) and one.author == bot.key.public
        }
        assert len(opened) <= 1
    assert named
