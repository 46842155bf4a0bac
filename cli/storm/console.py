"""Storm over Olympus at the console: the :class:`cli.console.guest.GameConsole` of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cli.console.guest import GameConsole
from cli.console.messages import Effect, Effects, Own, Send, Severity
from cli.console.pages import UNDISTURBED
from cli.console.replay import Moment, Step, follow
from cli.console.screen_state import Suggestion
from cli.storm import acting, grammar, guide, placing, preview, typed, viewing
from cli.storm.grammar import Arrange
from cli.storm.model import Model, StormEntry, StormScreen, asked_sides
from cli.storm.notices import DealingBegun, Proved, proved
from cli.storm.placing import Placing
from cli.storm.render import board
from cli.storm.render import combat as combat_window
from cli.storm.render import screen as picture
from cli.storm.text import help_text, names, narrate, prices, screens, story
from cli.storm.vocabulary import VOCABULARY
from cli.text import analyses
from cli.text import screens as common
from cli.text.wording import Lazy, lazy
from protocol.core.transcript import Played, Transcript
from protocol.game import Hidden, Json, Known, Located, Mixed, Seat, Slot, Value
from storm_p2p.storm import engine, notation
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action, Fight
from storm_p2p.storm.board import ALTITUDE, BASE, COLUMN, FACTIONS, OLYMPUS, REALM, REGIONS, STYX, UNDERWORLD, Faction
from storm_p2p.storm.codec import StormState
from storm_p2p.storm.game import owner_view
from storm_p2p.storm.rules import combat, setup
from storm_p2p.storm.state import CombatChoice, Phase, State, Terms
from storm_p2p.storm.units import CARDS, UNITS

if TYPE_CHECKING:
    from cli.storm.advice import StormAdviser

_BLOWS: Final = (ev.Eliminated, ev.Retreated, ev.Struck, ev.Sneaked, ev.Returned, ev.GameOver)
"""Events that are worth a look before the game goes on, when the other side has caused them."""
_SIGNS: Final = {ev.CombatBegan: "*", ev.Revealed: "!", ev.TurnBegan: "t"}


def _adviser() -> StormAdviser:
    # A match without hints and analysis does not load it.
    from cli.storm.advice import StormAdviser

    return StormAdviser()


class StormConsole(GameConsole[Faction, Terms, State, ev.Event, Action, Placing, Model, StormScreen]):
    """Storm over Olympus at the console."""

    model_type = Model
    screen_type = StormScreen
    title = lazy("Storm over Olympus")
    words = VOCABULARY
    sides = FACTIONS
    keys = screens.KEYS
    hints = screens.HINTS
    titles = screens.TITLES
    places = REGIONS
    replay_help = (*analyses.STEPPING, *screens.REPLAY_KEYS, *analyses.MARKING, "", *screens.REPLAY_READING)
    stocks: Mapping[str, Lazy] = lazy({"honor": "Honor", "energy": "Energy"})
    landmark_keys = screens.LANDMARKS
    landmarks: Mapping[str, str] = {"c": "*", "r": "!", "t": "t"}

    side_name = staticmethod(names.side_name)
    terms_of = staticmethod(story.terms)
    false_batch = staticmethod(story.false_batch)
    say = staticmethod(story.notice)
    tell = staticmethod(story.story)
    parse = staticmethod(grammar.parse)
    read = staticmethod(typed.read)
    goes_on = staticmethod(typed.goes_on)
    lead_on = staticmethod(acting.lead_on)
    enter = staticmethod(typed.enter)
    click = staticmethod(acting.click)
    steers = staticmethod(typed.is_combat_open)
    reads_like_a_move = staticmethod(typed.is_for_the_board)
    look = staticmethod(acting.look)
    draw = staticmethod(picture.draw)
    text_rows = staticmethod(picture.text_rows)
    hides_log = staticmethod(picture.is_shown)
    page = staticmethod(picture.draw_units)
    draw_motion = staticmethod(picture.draw_motion)
    news_place = staticmethod(picture.news_place)
    last_board = staticmethod(picture.last_board)
    asked = staticmethod(guide.asked)
    said_above = staticmethod(guide.said_above)
    coming = staticmethod(picture.coming)
    question = staticmethod(guide.ask)
    hint = staticmethod(guide.hint)
    guide = staticmethod(guide.guide)
    draw_replay = staticmethod(picture.draw_replay)
    save_setup = staticmethod(placing.save)
    forget_setup = staticmethod(placing.forget)
    recall_setup = staticmethod(placing.recall)

    adviser = staticmethod(_adviser)

    def reason(self, fact: Any, names: Sequence[str] = ()) -> str:
        """Return the sentence for what speaks for an action."""
        from cli.storm.text import advice

        return advice.reason(fact)

    def name_action(self, action: str) -> str:
        """Return an action as the reader would type it: a choice in a combat without its side."""
        first, *rest = action.split(" ")
        return " ".join(map(VOCABULARY.say_argument, rest[1:])) if first == "fight" else VOCABULARY.say(action)

    def page_script(self) -> str:
        """Return what draws the board on a web page."""
        return resources.files("cli.storm").joinpath("board.js").read_text("utf-8")

    def page_names(self, terms: Terms) -> Json:
        """Return what that needs beside the public state: the map, and names and words in the chosen language.

        What belongs to units and regions is listed by their numbers.
        """
        realms = ["underworld" if one in UNDERWORLD else "olympus" if one in OLYMPUS else "" for one in REGIONS]
        return {
            "altitude": list(ALTITUDE),
            "column": list(COLUMN),
            "realms": ["", *realms],
            "bases": list(BASE),
            "styx": [list(border) for border in sorted(STYX)],
            "units": [names.unit_name(card.unit) for card in CARDS],
            "codes": [names.code(card.unit) for card in CARDS],
            "words": {
                "phases": [str(phase) for phase in screens.PAGE_PHASES],
                **{key: str(said) for key, said in screens.PAGE_WORDS.items()},
            },
        }

    def seat_word(self, side: Faction) -> str:
        """Return what a log calls a side."""
        return side.name.lower()

    def turn(self, state: State) -> int:
        """Return the number of the turn; 0 in the setup."""
        return 0 if state.phase == Phase.SETUP else state.number

    def sign(self, event: object) -> str:
        """Return the sign of an event that one can jump to, or nothing."""
        return next((sign for kind, sign in _SIGNS.items() if isinstance(event, kind)), "")

    def dealt(self, steps: Sequence[Step]) -> str:
        """Return in how many tries both sides were dealt, if each of them is proved."""
        proofs = (one for step in steps for one in step.events if isinstance(one, Proved))
        tries = sum(isinstance(one.answer, Located) for one in proofs)
        return screens.dealt(tries) if tries else ""

    def begins(self, terms: Terms) -> DealingBegun | None:
        """Return that the units are dealt, where they are."""
        return DealingBegun() if terms.random_setup else None

    def happened(self, events: Sequence[ev.Event], view: State) -> list[str]:
        """Return what events say to whoever watches the match."""
        return list(map(narrate.line, events))

    def place(self, screen: StormScreen) -> StormScreen:
        """Return the console when the setup is asked; what was placed at another console stays."""
        return replace(screen, placing=Placing(screen.match.side, screen.match.arranged))

    def roll(self, screen: StormScreen, seed: int, *, hint: bool) -> tuple[StormScreen, Effects]:
        """Return the console with units placed at random, or with a setup that the computer proposes."""
        if screen.placing is None:
            return screen, ()
        return (acting.propose(screen, seed), ()) if hint else acting.arrange(screen, Arrange("random"), seed)

    def ask(self, screen: StormScreen) -> StormScreen:
        """Return the console when a decision is asked."""
        state = screen.match.state
        choice = None
        if state is not None and typed.chooses(state, screen.match.side):
            choice = CombatChoice(combat.maneuvers(state, screen.match.side)[0], 0)
        return replace(screen, choice=choice, minimised=False, priced="")

    def give(self, screen: StormScreen, effect: Effect) -> StormScreen:
        """Return the console when an answer goes to the other side; a choice in a combat can be looked at meanwhile."""
        state, given = screen.match.state, ""
        if state is not None and isinstance(effect, Send) and isinstance(effect.action, Fight):
            given = prices.action(effect.action)
        return replace(screen, given=given)

    def clear(self, screen: StormScreen) -> StormScreen:
        """Return the console without the prices on its board."""
        return replace(screen, priced="")

    def settle(self, screen: StormScreen) -> StormScreen:
        """Return the console when nothing is asked any longer."""
        return replace(screen, choice=None)

    def follow(self, screen: StormScreen, entry: StormEntry, *, caused: bool) -> tuple[StormScreen, bool]:
        """Return the console after a message, and whether what it has done stays until it was looked at."""
        trails = screen.trails if entry.before is None else board.trails(screen.trails, entry.before, entry.events)
        screen = replace(screen, given="", trails=trails)
        # What comes while a round is revealed lies below its page.
        if screen.settings.motion and not screen.plain and not screen.revealing:
            reveal = None if screen.page in UNDISTURBED else combat_window.reveal(entry)
            seen = reveal or board.motion(entry, screen.match.side)
            screen = screen if seen is None else replace(screen, motion=seen)
        fought = any(isinstance(one, ev.RoundFought) for one in entry.events)
        # A retreat that works ends a round without any power counted; what both sides chose is its result.
        opened = entry.after.phase != Phase.FIGHT and any(isinstance(one, ev.Chose) for one in entry.events)
        hit = not caused and any(isinstance(one, _BLOWS) for one in entry.events)
        return screen, fought or opened or hit

    def forced(self, model: Model) -> Action | None:
        """Return the one action that the rules leave.

        SPEC.md, "What the wire and the clock tell": help from next door is never answered by itself, for the time that
        a person takes would then tell the opponent whether there is somebody to help.
        """
        if model.state is None or model.state.phase not in guide.AUTOMATIC:
            return None
        actions = engine.legal_actions(model.state, model.side)
        return actions[0] if len(actions) == 1 else None

    def is_waiting(self, model: Model) -> bool:
        """Return whether it is the other person's turn to decide something."""
        asked = () if model.state is None or model.state.phase in guide.AUTOMATIC else asked_sides(model.state)
        return bool(asked) and model.side not in asked

    def is_within_turn(self, model: Model) -> bool:
        """Return whether the question that is asked comes in the middle of a turn."""
        return model.deciding and model.state is not None and model.state.phase not in (Phase.TURN, Phase.FIGHT)

    def preview(self, screen: StormScreen, action: Action) -> tuple[Severity, Sequence[str]]:
        """Return how loudly is asked about an action, and what is said of it before it is sent."""
        state, side = screen.match.state, screen.match.side
        assert state is not None
        found = preview.preview(state, action, side, screen.match.opponent)
        hints = preview.cheaper(state, action, side)
        return found.severity, [preview.sentence(found, hints)] if screen.plain else preview.lines(found, hints)

    def suggest(self, screen: StormScreen, line: str) -> list[Suggestion]:
        """Return what can come next in a line."""
        model = screen.match
        if screen.placing is not None and not screen.sent:
            return typed.suggest_setup(line, screen.placing, [name for name, _ in screen.setups])
        if not model.deciding or model.state is None or screen.sent:
            return typed.suggest(line, ())
        # Where picked units go has its price from the board; what else can come next stands behind it.
        partial = line[len(line.rstrip("0123456789")) :]
        found = typed.places(partial, typed.targets(line, model.state, model.side))
        named = {one.word for one in found}
        others = typed.suggest(line, engine.options(model.state, model.side))
        return [*found, *(one for one in others if one.word not in named)]

    def obey(self, screen: StormScreen, command: Own) -> tuple[StormScreen, Effects]:
        """Return the setup after a command."""
        wanted = command.command
        return acting.arrange(screen, wanted) if isinstance(wanted, Arrange) else acting.keep(screen, wanted)

    def lit(self, screen: StormScreen) -> Collection[str]:
        """Return the key of the eye while it is on."""
        return ("F4",) if screen.eye else ()

    def press(self, screen: StormScreen, key: str) -> tuple[StormScreen, Effects]:
        """Return what a key does in the combat window."""
        if key == "hide":
            return replace(screen, minimised=not screen.minimised), ()
        return (typed.steer(screen, key), ()) if key in ("up", "down", "left", "right") else (screen, ())

    def table(self, model: Model) -> list[str]:
        """Return the goals and the table of Honor."""
        return [*viewing.goals(), "", *viewing.honor_table(model.terms)]

    def help(self, screen: StormScreen) -> list[str]:
        """Return the page of help."""
        page = common.help_page(acting.help_now(screen), viewing.goals(), map(str, screens.HELP_READING))
        return [*page, "", str(common.HELP_KEYS), *map(str, screens.HELP_KEY_LINES)]

    def moments(self, transcript: Transcript, seats: Sequence[Seat]) -> Iterator[Moment]:
        """Yield what each step of a match did, with what the given seats knew."""
        scheme = transcript.agreement.scheme
        for played, before, state, happened, _, (known,) in follow(transcript, [seats]):
            if played.answer is None:
                continue
            assert played.before.request is not None
            found = proved(scheme, played.before.request, played.answer)
            told = [narrate.line(_named_movers(event, before, known)) for event in happened]
            if found is not None:
                told.append(story.proof(found))
            secret = _secret(before, state, played, known)
            hidden = (secret,) if secret else ()
            events = happened if found is None else (*happened, found)
            yield Moment(played.seq, (*told, *hidden), events, owner_view(state, known), len(told))

    def answers(self, screen: StormScreen) -> list[str]:
        """Return the answers to the question within a turn, each as it is typed."""
        state = screen.match.state
        actions = () if state is None else engine.legal_actions(state, screen.match.side)
        return [VOCABULARY.say(notation.format_action(action)) for action in actions]

    def sealed(self, screen: StormScreen) -> bool:
        """Return whether the answer that was given is secret until the other side has answered."""
        state = screen.match.state
        return screen.placing is not None or bool(screen.given and state is not None and combat.sealed(state))

    def opened(self, model: Model) -> list[str]:
        """Return the board at the end as sentences."""
        opened = None if model.ending is None else model.ending.opened
        if not isinstance(opened, State) or opened.phase == Phase.SETUP:
            return []
        shown = guide.all_known(opened)
        return [str(help_text.LAST_BOARD_SPOKEN), *(story.standing(model, faction, shown) for faction in FACTIONS)]

    def load_setups(self, folder: Path, side: Faction) -> Mapping[str, Placing]:
        """Return the setups of a side that are kept."""
        return placing.load(folder)[side]


def _named_movers(event: ev.Event, before: StormState, known: Known) -> ev.Event:
    """Return a move of a whole group with the names that the view knows."""
    if not isinstance(event, ev.Moved) or None not in event.units:
        return event
    group = before.game.sides[event.faction][event.path[0]]
    if len(group) != len(event.units) or any(token.serial not in known for token in group if not token.known):
        return event
    numbers = [token.unit if token.known and token.unit is not None else known[token.serial] for token in group]
    return event._replace(units=tuple(UNITS[number] for number in numbers))


def _secret(before: StormState, after: StormState, played: Played, known: Known) -> str:
    """Return what only the owner knew about a setup or a divided group, or an empty text."""
    if isinstance(played.answer, Mixed) and before.regroup is not None:
        moved, stayed = (_named(slots, known) for slots in (before.regroup.moved, before.regroup.stayed))
        return narrate.divided(moved, stayed) if moved and stayed else ""
    placed = set(setup.missing(before.game)) - set(setup.missing(after.game))
    if not placed or (not isinstance(played.answer, Hidden) and before.deal is None):
        return ""
    faction = placed.pop()
    tokens = [group[0] for group in after.game.sides[faction][1:] if group]
    if any(token.serial not in known for token in tokens):
        return ""
    return ", ".join(
        f"{names.unit_name(UNITS[known[token.serial]])} {region}"
        for region, token in zip(REALM[faction], tokens, strict=True)
    )


def _named(slots: tuple[Slot, ...], known: Mapping[Slot, Value]) -> str:
    if any(slot not in known for slot in slots):
        return ""
    return ", ".join(names.unit_name(UNITS[known[slot]]) for slot in slots)


STORM: Final = StormConsole()
