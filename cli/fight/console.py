"""Fight for Olympus at the console: the :class:`cli.console.guest.GameConsole` of the game."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import resources
from random import Random
from typing import Final

from cli.clean import clean
from cli.console.guest import GameConsole
from cli.console.learn import Learn
from cli.console.messages import Act, Command, Effects, NotUnderstood, SetLine, Severity, SubmitMode, View
from cli.console.render.spans import EMPTY, Line, Zone, line, wrapped
from cli.console.replay import Adviser, Candidate, Decided, Followed, Moment, Replay, follow, views_of
from cli.console.screen_state import LINES, LineAnalysis, Page, Settings, Suggestion, is_preparing, tell_progress
from cli.fight import reading, render
from cli.fight.model import FightEntry, FightScreen, Illegal, Model, Motion, Shuffling
from cli.fight.reading import VOCABULARY
from cli.fight.text import narrate, screens
from cli.notices import Notice
from cli.text import analyses, matches
from cli.text import screens as common
from cli.text.wording import fill, listed, tell_apart
from protocol.core.transcript import Transcript
from protocol.game import Chosen, Decision, Json, Known, Mixed, Opened, Seat, other
from storm_p2p.fight import engine, notation
from storm_p2p.fight.board import AREA, SPACES, Area, Colour
from storm_p2p.fight.bots import rating
from storm_p2p.fight.bots.rating import Rated
from storm_p2p.fight.card_file import SETS, load_reconstructed
from storm_p2p.fight.cards import Card, CardSet
from storm_p2p.fight.events import Event, What
from storm_p2p.fight.rules.playing import PHASES
from storm_p2p.fight.state import State, turn_of
from storm_p2p.fight.state import View as FightView

MOST: Final = 3
"""So many decisions are named, and so much of what one brings."""
_SIGNS: Final = {What.DEFEATED: "*", What.SCORED: "!", What.TURN: "t"}
_NOTABLE: Final = (What.PLAYED, What.SCORED, What.DEFEATED, What.TOOK, What.LOST, What.BOUNCED, What.OVER)


@dataclass(frozen=True)
class Brings:
    """What happens in the own turn after a decision."""

    events: tuple[Event, ...]
    cards: CardSet
    seat: Seat
    """Whose turn it is."""

    def _asdict(self) -> Mapping[str, object]:
        """Return what programs read of it (docs/cli.md, "Analysis")."""
        return {"events": tuple(event.what.value for event in self.events)}


class FightAdviser(Adviser[FightView, Decision, Rated]):
    """The computer that gives hints and judges decisions."""

    def rate(self, view: FightView, seat: Seat, seed: int, simulations: int) -> Sequence[Rated]:
        """Return the ratings of what a seat may decide, the best first."""
        return rating.rate(view.state, view.names, seat, seed, simulations)

    def estimate(self, state: State, known: Known, seat: Seat, seed: int) -> float:
        """Return how likely a seat wins as things stand."""
        return rating.estimate_chance(state, known, seat, Random(seed))  # noqa: S311

    def candidate(self, view: FightView, seat: Seat, rated: Rated) -> Candidate:
        """Return a rated decision with what it brings in this turn, and what else would be played for that."""
        action = self.words(view, rated.decision)
        notable = [event for event in rated.events if event.what in _NOTABLE]
        if notable and notable[0].what is What.PLAYED and action.startswith(("play", "free")):
            # The action itself says it.
            del notable[0]
        reasons = (Brings(tuple(notable[:MOST]), view.cards, seat),) if notable else ()
        return Candidate(action, rated.chance, 1.0, reasons)

    def named(self, rated: Sequence[Rated]) -> Sequence[Rated]:
        """Return the best of some ratings; of a card only the best space."""
        best: dict[Decision, Rated] = {}
        for one in rated:
            decision = one.decision
            best.setdefault(decision[:2] if isinstance(decision, tuple) and len(decision) > 3 else decision, one)
        return list(best.values())[:MOST]

    def decided(self, steps: Iterable[Followed], seats: Sequence[Seat]) -> Iterator[tuple[Followed, list[Decided]]]:
        """Yield each step with what the seats have decided with it, where they had a choice."""
        for step in steps:
            found, seq, seat, answer = [], step.played.seq, step.played.seat, step.played.answer
            if isinstance(answer, Chosen) and seat in seats:
                view = FightView(step.before, step.knew[seats.index(seat)])
                if len(engine.legal(view.state, view.names)) > 1:
                    found = [Decided(seq, view.state.number, seat, view, answer.decision)]
            yield step, found

    def find(self, rated: Sequence[Rated], action: Decision) -> Rated | None:
        """Return the rating of a decision; of a card's payments only one is rated, and not every phase to leave out."""
        return next((one for one in rated if _unpaid(one.decision) == _unpaid(action)), None)

    def words(self, view: FightView, action: Decision) -> str:
        """Return a decision in canonical words."""
        assert view.state.question is not None
        hand = {entry: card for card, entry in view.known_hand(view.state.question.seat).items()}
        return notation.format_decision(action, view.state, hand)

    def stocks(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Return the points by which each leads, and how many units each has."""
        lead = (max(0, state.counter), max(0, -state.counter))
        return lead, tuple(sum(unit is not None for unit in side) for side in state.sides)


def _unpaid(decision: Decision) -> Decision:
    """Return a play of a card without what pays for it; any other decision as it is."""
    return decision[:3] if isinstance(decision, tuple) and len(decision) > 3 else decision


_NO_NEWS: Final = (What.TURN, What.DREW)
"""Events that are not worth a look before the game goes on; of the others each tells what the other side has done."""


class FightConsole(GameConsole[Seat, CardSet, FightView, Event, Decision, None, Model, FightScreen]):
    """Fight for Olympus at the console."""

    model_type = Model
    screen_type = FightScreen
    title = screens.TITLE
    words = VOCABULARY
    sides = (0, 1)
    keys = screens.KEYS
    hints = screens.HINTS
    titles = screens.TITLES
    places = SPACES
    drawn_pages = (Page.UNITS, Page.CARD)
    replay_help = (*analyses.STEPPING, *screens.REPLAY_KEYS, *analyses.MARKING)
    landmark_keys = screens.LANDMARKS
    landmarks: Mapping[str, str] = {"c": "*", "p": "!", "t": "t"}
    side_name = staticmethod(narrate.side_name)
    stocks = screens.STOCKS
    adviser = FightAdviser

    def tell_action(self, action: str, terms: CardSet) -> str:
        """Return a decision with the names of its cards in place of their numbers; only the third word is a space."""
        words = self.name_action(action).split()
        if action.startswith(("play", "free")) and terms.cards:
            cards = (0, 2)
            words = [
                narrate.card_name(terms, int(word)) if word.isdigit() and place not in cards else word
                for place, word in enumerate(words)
            ]
        return " ".join(words)

    def reason(self, fact: Brings, names: Sequence[str] = ()) -> str:
        """Return the sentence for what a decision brings."""
        names = names or [str(screens.YOU if seat == fact.seat else screens.OPPONENT) for seat in (0, 1)]
        told = (narrate.line(event, fact.cards, names).removesuffix(".") for event in fact.events)
        return fill(screens.BRINGS, events="; ".join(told))

    def page_script(self) -> str:
        """Return what draws the board on a web page."""
        return resources.files("cli.fight").joinpath("board.js").read_text("utf-8")

    def page_names(self, terms: CardSet) -> Json:
        """Return what that needs beside the public state: the cards by their numbers, names and words, as chosen."""
        return {
            "cards": [_page_card(card) for card in terms.cards],
            "areas": [[str(narrate.AREAS[area]), next(one for one in SPACES if AREA[one] is area)] for area in Area],
            "colours": [str(narrate.COLOURS[colour]) for colour in Colour],
            "words": {key: str(said) for key, said in screens.PAGE_WORDS.items()},
        }

    def seat_word(self, side: Seat) -> str:
        """Return what a log calls a side."""
        return str(side)

    def terms_of(self, terms: CardSet) -> str:
        """Return the terms of a match in words."""
        if not terms.cards:
            return fill(screens.OWN_TERMS, digest=terms.digest.hex()[:8])
        return fill(screens.TERMS, name=clean(terms.name))

    def title_of(self, terms: CardSet) -> str:
        """Return what the game is called, with what cards."""
        ours = any(terms.digest == load_reconstructed(name).digest for name in SETS)
        return str(screens.OUR_TITLE if ours else screens.OWN_TITLE)

    def turn(self, state: FightView) -> int:
        """Return the number of the turn; 0 while the cards are shuffled and dealt."""
        return turn_of(state.state)

    def begins(self, terms: CardSet) -> Shuffling:
        """Return that the pile is shuffled."""
        return Shuffling()

    def say(self, model: Model, notice: Notice | Shuffling | Illegal) -> str:
        """Return what has happened beside the board."""
        if isinstance(notice, Shuffling):
            return str(screens.SHUFFLING)
        if isinstance(notice, Illegal):
            assert model.state is not None
            return reading.refusal(notice.error, model.state, model.side)
        return matches.sentence(notice, model.opponent, model.side, timed=model.clocks is not None)

    def tell(self, model: Model, entry: FightEntry) -> list[str]:
        """Return what one message has done."""
        players = [str(screens.YOU) if seat == model.side else model.opponent for seat in self.sides]
        return narrate.lines(entry.events, model.terms, players)

    def happened(self, events: Sequence[Event], view: FightView) -> list[str]:
        """Return what events say to whoever watches the match."""
        return narrate.lines(events, view.cards)

    def table(self, model: Model) -> list[str]:
        """Return what there is to win, and at which price."""
        return list(map(str, (*screens.GOALS, "", *screens.RULES)))

    def follow(self, screen: FightScreen, entry: FightEntry, *, caused: bool) -> tuple[FightScreen, bool]:
        """Return the console after a message, and whether what it has done stays until it was looked at."""
        # What the player skips is told with the cards that both programs then deal, and is no news to them.
        own, asked = screen.match.side, entry.after.state.question
        news = any(
            event.what not in _NO_NEWS and (event.what, event.seat) != (What.LEFT_OUT, own) for event in entry.events
        )
        within = (
            entry.before is not None and entry.before.state.active == own and asked is not None and asked.seat == own
        )
        stays = news and not caused and not within
        if screen.settings.motion and not screen.plain:
            moved = render.motion(entry, screen.motion, Page.RESULT if stays and screen.page is None else None)
            screen = replace(screen, motion=moved)
        return screen, stays

    def is_waiting(self, model: Model) -> bool:
        """Return whether it is the other person's turn to decide something."""
        question = None if model.state is None else model.state.state.question
        return question is not None and question.kind in screens.QUESTIONS and question.seat != model.side

    def is_within_turn(self, model: Model) -> bool:
        """Return whether the question that is asked comes in the middle of a turn."""
        return model.deciding and model.state is not None and _kind(model.state) != "main"

    # -- what is typed --------------------------------------------------------------------------------------

    def parse(self, line: str, state: FightView | None, side: Seat, *, setting_up: bool) -> Command:
        """Return what a line means."""
        return reading.parse(line, state, side)

    def preview(self, screen: FightScreen, action: Decision) -> tuple[Severity, Sequence[str]]:
        """Return how loudly is asked about a decision, and what is said of it before it is sent."""
        view, side = screen.match.state, screen.match.side
        assert view is not None
        match action:
            case (0, int() as entry, int() as space, tuple() as payers, int() as mask, _) if _kind(view) == "main":
                names = [name for one in (entry, *payers) if (name := view.name(one)) is not None]
                card, *paid = (narrate.card_name(view.cards, name) for name in names)
                template = screens.PAYS if payers else screens.PLAYS
                lines = [fill(template, card=card, place=narrate.place(space), payers=", ".join(paid))]
                given = [str(narrate.COLOURS[colour]) for colour in Colour if mask >> colour & 1]
                lines += [fill(screens.GIVES, markers=", ".join(given))] if given else []
                text = narrate.text_of(view.card(names[0]))
                severity = Severity.ASK if payers or given else Severity.FREE
                return severity, [*lines, *([text] if text else [])]
            case (1, phase) if _kind(view) == "main":
                left = PHASES[phase] if isinstance(phase, int) else ""
                attacks = [] if left == "attack" else render.forecast(view, side)
                return Severity.ASK, [str(screens.SKIPS[left] if left else screens.ENDS), *attacks]
            case _:
                return Severity.FREE, []

    def read(self, screen: FightScreen) -> FightScreen:
        """Return the console with the meaning of the line that is typed."""
        found = LineAnalysis()
        with suppress(NotUnderstood):
            line = screen.typed if screen.awaited else ""
            command = self.parse(line, screen.match.state, screen.match.side, setting_up=False)
            if isinstance(command, Act) and command.mode is not SubmitMode.PRICE:
                severity, lines = self.preview(screen, command.action)
                found = LineAnalysis(lines=tuple(lines), severity=severity)
        return replace(screen, found=found)

    def suggest(self, screen: FightScreen, line: str) -> list[Suggestion]:
        """Return what can come next in a line."""
        before, _, word = line.rpartition(" ")
        lines = self.answers(screen) if screen.awaited else []
        lines += ["hand", "board", "units", "card", "discards", "table", "hint", "log", "help"] if not before else []
        given = before.split()
        found = {}
        for one in lines:
            words = one.split()
            if words[: len(given)] == given and len(words) > len(given) and words[len(given)].startswith(word):
                found[words[len(given)]] = self._note_on(screen, given, words[len(given)])
        return [Suggestion(one, -len(word), note) for one, note in found.items()]

    def _note_on(self, screen: FightScreen, given: list[str], word: str) -> str:
        view = screen.match.state
        if view is None or not given or not word.isdigit():
            return ""
        if VOCABULARY.find_verb(given[0]) == "play":
            return narrate.name_of(view.card(int(word))) if len(given) == 1 else ""
        return reading.meaning([*given, word], view, screen.match.side)

    def look(self, screen: FightScreen, view: View) -> tuple[FightScreen, Effects] | Sequence[str]:
        """Return what a view shows."""
        seen: FightView | None = screen.match.state
        if view.what == "help":
            about = (one for one in map(str, screens.HELP) if set(view.args) & set(re.findall(r"\w+", one.casefold())))
            return list(about) or self.help(screen)
        if seen is None:
            return [str(screens.SHUFFLING)]
        match view.what:
            case "hand":
                return render.hand_lines(seen, screen.match.side)
            case "card" if view.args:
                return self._card(screen, seen, " ".join(view.args))
            case "card":
                return [str(screens.HELP[3])]
            case "discards":
                thrown = narrate.listed_cards(seen.cards, tuple(seen.state.discards))
                return [fill(screens.DISCARDS, cards=thrown) if thrown else str(screens.NO_DISCARDS)]
            case "options":
                return reading.options(seen, screen.match.side) or [str(common.WAIT_HINT)]
            case "turn" | "opponent":
                return self._turn(screen.match, seen)
            case _:
                return self._all(screen.match, seen)

    def _card(self, screen: FightScreen, view: FightView, word: str) -> tuple[FightScreen, Effects] | Sequence[str]:
        """Return a card in words, or a page with it."""
        card = reading.find_card(word, view.cards, range(len(view.cards.cards)))
        if screen.plain:
            return render.card_lines(view.card(card), card)
        return replace(screen, page=Page.CARD, card=card, scroll=0), ()

    def click(self, screen: FightScreen, kind: str, what: str, *, right: bool) -> tuple[FightScreen, Effects]:
        """Return the console after a click: a card is shown large, or begins to be played; a space goes behind it."""
        view, words = screen.match.state, screen.typed.split()
        if view is None:
            return screen, ()
        if kind == "space":
            return screen, (SetLine(f"{screen.typed.rstrip()} {what}"),) if words else ()
        if right and screen.awaited and int(what) in render.playable(view, screen.match.side):
            return screen, (SetLine(self.words.say(f"play {what}") + " "),)
        return replace(screen, page=Page.CARD, card=int(what), scroll=0), ()

    def _turn(self, model: Model, view: FightView, *, silent: bool = False) -> list[str]:
        """Return how the match stands; ``silent`` about whose turn it is."""
        state, name = view.state, model.opponent
        who, lead = screens.YOU if state.active == model.side else name, render.lead_of(view, model.side)
        template = screens.LEADS if lead > 0 else screens.TRAILS if lead else screens.LEVEL
        led = fill(template, number=abs(lead), name=name)
        held = len(state.hands[other(model.side)])
        told = [fill(screens.STANDING, lead=led, pile=len(state.pile), name=name, hand=held)]
        told[:0] = [] if silent else [fill(screens.TURN_LINE, number=state.number, who=who)]
        for seat, called in ((model.side, str(screens.YOU)), (other(model.side), name)):
            own = [narrate.COLOURS[colour] for colour in Colour if state.markers[colour] == seat]
            told += [fill(screens.HAS_MARKERS, who=called, markers=listed(own))] if own else []
        return told

    def _all(self, model: Model, view: FightView, *, silent: bool = False) -> list[str]:
        return [
            *self._turn(model, view, silent=silent),
            *render.side_lines(model, view),
            *render.hand_lines(view, model.side),
        ]

    # -- what is shown --------------------------------------------------------------------------------------

    def draw(self, screen: FightScreen, rows: int) -> tuple[list[Line], list[Zone]]:
        """Return what lies below the head, and what can be clicked there."""
        brush, whole = brush_of(screen.settings), screen.rows - 4
        shown, zones = render.draw(screen.match, screen.columns, rows, brush=brush, whole=whole)
        if isinstance(screen.motion, Motion):
            moving = render.draw_motion(screen.match, screen.motion, screen.columns, rows, brush, whole)
            shown = moving[: len(shown)]
        return shown, zones

    def draw_motion(self, screen: FightScreen, rows: int) -> list[Line]:
        """Return what is seen to move before the news is told."""
        return self.draw(screen, rows)[0]

    def news_place(self, screen: FightScreen) -> tuple[int, int]:
        """Return from which column and row on news is told: below the board."""
        return 0, render.board_rows(screen.columns, screen.rows)

    def text_rows(self, screen: FightScreen, rows: int) -> tuple[int, int]:
        """Return the fewest and the most rows for the text below the board, which leaves the hand its place."""
        view = screen.match.state
        board = render.board_rows(screen.columns, rows)
        hand = 3 if view is None else render.hand_rows(view, screen.match.side, screen.columns, rows - board)
        return 2, max(4, rows - 1 - board - hand)

    def page(self, screen: FightScreen) -> tuple[list[Line], list[Zone]]:
        """Return the whole page of everything that is played with."""
        view = screen.match.state
        if view is None:
            return [], []
        if screen.page is Page.CARD:
            brush = brush_of(screen.settings)
            return render.large_card(view.card(screen.card), screen.card, screen.columns, brush), []
        rows = (*render.side_lines(screen.match, view, texts=True), "", *render.hand_lines(view, screen.match.side))
        return [line(part) for row in rows for part in wrapped(row, screen.columns - 2, "   ") or [""]], []

    def help(self, screen: FightScreen) -> list[str]:
        """Return the page of help."""
        drawn = [] if screen.plain else [_legend(), *map(str, screens.SIGNS)]
        return common.help_page(self.coming(screen), self.table(screen.match), [*drawn, *map(str, screens.HELP)])

    def asked(self, screen: FightScreen) -> str:
        """Return what is asked of the player, for the head line."""
        view = screen.match.state
        return str(screens.QUESTIONS.get(_kind(view), common.YOUR_ANSWER)) if view is not None else str(screens.DEALING)

    def coming(self, screen: FightScreen) -> Sequence[str]:
        """Return what the player can do now."""
        view, side = screen.match.state, screen.match.side
        if view is None or not screen.awaited:
            # The deal takes a while, in which one can read what the game is about.
            goals = map(str, screens.GOALS[:2]) if is_preparing(screen.match) else ()
            return (*tell_progress(screen.match), *goals)
        if _kind(view) == "main":
            first = list(map(str, screens.FIRST)) if screen.first else []
            first += [str(screens.FIRST_TURN)] if view.state.number == 1 else []
            # What has no room in a small window is cut at the end; F1 has the letters, too.
            legend = [_legend()] if screen.first and not screen.plain else []
            return (*render.dangers(screen.match, view), *first, _playable(view, side), *legend)
        return (_why_asked(view), reading.now(view, side))

    def hint(self, screen: FightScreen) -> str:
        """Return the name of the hint below the prompt."""
        return "turn" if screen.match.state is not None and _kind(screen.match.state) == "main" else "answer"

    def sign(self, event: object) -> str:
        """Return the sign of an event that one can jump to, or nothing."""
        return _SIGNS.get(event.what, "") if isinstance(event, Event) else ""

    def moments(self, transcript: Transcript, seats: Sequence[Seat]) -> Iterator[Moment]:
        """Yield what each step of a match did, with what the given seats knew."""
        names = [clean(player.name) for player in transcript.agreement.players]
        players = [*tell_apart(dict(zip(map(self.seat_word, self.sides), names, strict=True))).values()]
        shown: dict[Seat, frozenset[int]] = dict.fromkeys(seats, frozenset())
        for played, _, state, events, _, (known,) in follow(transcript, [seats]):
            if played.answer is None:
                continue
            view = FightView(state, known)
            told = narrate.lines(events, state.cards, players)
            hidden = []
            if not isinstance(played.answer, Mixed | Opened):
                for seat in seats:
                    held = frozenset(view.known_hand(seat))
                    # What was played or discarded has been told.
                    if told and held - shown[seat]:
                        named = narrate.listed_cards(state.cards, tuple(sorted(held)))
                        hidden.append(f"{fill(screens.HAND_OF, name=players[seat], number=len(held))}: {named}")
                shown = {seat: frozenset(view.known_hand(seat)) for seat in seats}
            yield Moment(played.seq, (*told, *hidden), events, view, len(told))

    def answers(self, screen: FightScreen) -> list[str]:
        """Return the answers to the question within a turn, each as it is typed."""
        return reading.options(screen.match.state, screen.match.side) if screen.match.state is not None else []

    def question(self, screen: FightScreen) -> list[str]:
        """Return where the match stands and what is asked, with its answers."""
        view = screen.match.state
        if view is None:
            return []
        entries = screen.match.entries
        # What was just played has been said, and what has not changed is not said again: board says all of it.
        begins = not entries or any(event.what is What.TURN for event in entries[-1].events)
        if screen.again or (_kind(view) == "main" and begins):
            goals = [*map(str, screens.GOALS[:2]), str(screens.MORE_RULES)] if screen.first else []
            return [*self._all(screen.match, view, silent=bool(entries)), *goals, *self.coming(screen)]
        return list(self.coming(screen))

    def opened(self, model: Model) -> list[str]:
        """Return both hands at the end, where everything was opened."""
        opened = None if model.ending is None else model.ending.opened
        if not isinstance(opened, FightView):
            return []
        found = []
        for seat, name in ((other(model.side), model.opponent), (model.side, str(common.YOU))):
            hand = sorted(card for card in opened.hand(seat) if card is not None)
            told = fill(screens.HAND_OF, name=name, number=len(hand))
            found.append(f"{told}: {narrate.listed_cards(opened.cards, tuple(hand))}" if hand else told)
        return found

    def last_board(self, screen: FightScreen, rows: int) -> list[Line]:
        """Return the board at the end, with both hands."""
        drawn, _ = render.draw(screen.match, screen.columns, rows - 2, brush=brush_of(screen.settings))
        hands = [part for row in self.opened(screen.match) for part in wrapped(row, screen.columns - 4)]
        board = drawn[: render.board_rows(screen.columns, rows - 2)]
        return [EMPTY, *board, *(line(f" {row}") for row in hands)][:rows]

    def draw_replay(self, shown: Replay, state: FightView | None, terms: CardSet) -> Sequence[Line]:
        """Return the board of a step that is looked back at."""
        if state is None:
            return [EMPTY] * render.ROWS
        seen = views_of(self)[shown.view]
        side = seen[0] if seen else 0
        model = Model(self, side, terms, shown.names[other(side)], state=state)
        rows = max(render.ROWS + 3 * len(seen), shown.rows * 2 // 3)
        brush = brush_of(shown)
        return render.draw(model, shown.columns, rows, render.Onlooker(shown.names, seen), brush)[0]


def brush_of(wanted: Settings | Replay | Learn) -> render.Brush:
    """Return how cards are drawn; without the signs of half blocks there are no colours of their own either."""
    return render.Brush(wanted.unicode, wanted.theme if wanted.unicode else LINES)


def _legend() -> str:
    """Return what the letters on cards mean."""
    return fill(screens.LEGEND, letters=", ".join(f"{narrate.letter(one)} {narrate.COLOURS[one]}" for one in Colour))


def _kind(view: FightView) -> str:
    question = view.state.question
    return "" if question is None else question.kind


def _playable(view: FightView, side: Seat) -> str:
    """Return which cards of the hand can be played now."""
    cards = render.playable(view, side)
    if not cards:
        return str(screens.NOTHING_PLAYABLE[view.state.number == 1])
    return fill(screens.PLAYABLE, cards=narrate.listed_cards(view.cards, tuple(cards)))


def _why_asked(view: FightView) -> str:
    """Return which card or space asks."""
    question = view.state.question
    assert question is not None
    if question.task[:1] == ("ability",):
        number = question.task[3]
        assert isinstance(number, int)
        card = view.card(number)
        return fill(screens.ABILITY, card=narrate.card_name(view.cards, number), text=narrate.text_of(card))
    return str(screens.BONUS)


def _page_card(card: Card) -> Json:
    """Return a card as a web page takes it."""
    return {
        "name": narrate.name_of(card),
        "colour": "all" if card.all_colours else card.colour.name.lower(),
        "colour_name": narrate.colour_of(card),
        "attack": card.attack,
        "defence": card.defence,
    }


FIGHT: Final = FightConsole()
