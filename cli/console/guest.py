"""What the console asks of a game: the one seam between the two.

Everything outside the folders of a game carries any game; what it shows, what its words mean and what it costs to act
comes through a :class:`GameConsole`.  Its type variables are values that only the game looks into: a side, its terms,
the owner's view, an action, an event, a setup.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar

from cli.clean import clean
from cli.console.messages import Act, Command, Effect, Effects, NotUnderstood, NotYet, Own, Severity, View
from cli.console.render.spans import Line, Zone
from cli.console.replay import Action, Adviser, Moment, Replay, Seen, Step
from cli.console.screen_state import Entry, Happening, Item, M, Model, Page, S, Said, Suggestion
from cli.match.player import Seated
from cli.text import matches, screens
from cli.text.wording import Lazy
from cli.vocabulary import Vocabulary
from protocol.core.messages import FalseBatch
from protocol.core.transcript import Transcript
from protocol.game import Json, Seat

LONGEST_NAME = 24
"""Longest name of an opponent that is shown."""

Side = TypeVar("Side")
Terms = TypeVar("Terms")
Setup = TypeVar("Setup")


class GameConsole(ABC, Generic[Side, Terms, Seen, Happening, Action, Setup, M, S]):
    """One game at the console; what not every game has is empty unless a game says otherwise.

    ``Seen`` is the owner's view, ``Happening`` an event of the game, ``M`` what is known of a match of it and ``S``
    what is shown of that.
    """

    title: Lazy
    """What the game is called."""
    words: Vocabulary
    """All that may be typed."""
    sides: Sequence[Side]
    """Of the seats, in their order."""
    drawn_pages: Collection[Page] = (Page.UNITS,)
    """Pages that the game draws itself, with :meth:`page`."""
    places: Collection[int] = ()
    """Numbers of the places that a note can be about."""
    keys: Mapping[str, Lazy] = {}
    """Function keys, each with the command that does the same, beside those of every game."""
    adviser: Callable[[], Adviser[Seen, Action, Any]] | None = None
    """Loads who gives hints and judges the decisions of a match."""
    stocks: Mapping[str, Lazy] = {}
    """What each side has so and so much of, by the word of logs."""
    landmarks: Mapping[str, str] = {}
    """What one can jump to when looking back: the sign of a kind of event by its key."""
    landmark_keys: str | Lazy = ""
    """What the keys of the landmarks find, for the hint."""
    model_type: type[M]
    """What is known of a match."""
    screen_type: type[S]
    """What is shown of it."""
    hints: Mapping[str, Lazy] = {}
    """What stands below the prompt, by its name; beside those of every game."""
    titles: Mapping[str, Lazy] = {}
    """Of pages, by the words that open them; beside those of every game."""
    replay_help: Sequence[str | Lazy] = ()
    """The page of help while a match is looked back at."""

    # -- what is told -----------------------------------------------------------------------------------------

    @abstractmethod
    def side_name(self, side: Side) -> str:
        """Return the name of a side for a reader."""

    @abstractmethod
    def seat_word(self, side: Side) -> str:
        """Return what a log calls a side."""

    @abstractmethod
    def terms_of(self, terms: Terms) -> str:
        """Return the terms of a match in words."""

    def match_of(self, terms: Terms) -> str:
        """Return the game and the terms of a match in words."""
        return f"{self.title}, {self.terms_of(terms)}"

    def sign(self, event: object) -> str:
        """Return the sign of a kind of event that one can jump to, or nothing; ``*`` and ``!`` stand on the bar."""
        return ""

    def dealt(self, steps: Sequence[Step]) -> str:
        """Return how everything was dealt before the first turn, where these steps are better told in one."""
        return ""

    @abstractmethod
    def turn(self, state: Seen) -> int:
        """Return the number of the turn; 0 before the first, in the setup."""

    def moments(self, transcript: Transcript, seats: Sequence[Seat]) -> Iterator[Moment]:
        """Yield what each step of a match did, with what the given seats knew."""
        return iter(())

    def title_of(self, terms: Terms) -> str:
        """Return what a match of these terms is called in its title."""
        return str(self.title)

    def begins(self, terms: Terms) -> object:
        """Return the notice of what goes on at first without asking anybody; None where something is asked."""
        return None

    def false_batch(self, batch: FalseBatch) -> str:
        """Return what a side has done that hid something else than it had to; nothing where the game has no words."""
        return ""

    def say(self, model: M, notice: Any) -> str:
        """Return what has happened beside the game; a game says its own notices, too."""
        seat = self.sides.index(model.side)
        return matches.sentence(notice, model.opponent, seat, timed=model.clocks is not None)

    @abstractmethod
    def tell(self, model: M, entry: Entry[Seen, Happening]) -> list[str]:
        """Return what one message has done, a line for each thing."""

    def happened(self, events: Sequence[Happening], view: Seen) -> list[str]:
        """Return what events say to whoever watches the match."""
        return []

    def table(self, model: M) -> list[str]:
        """Return what there is to win, and at which price."""
        return []

    def opened(self, model: M) -> list[str]:
        """Return the board at the end, where everything was opened, as sentences."""
        return []

    # -- what happens ---------------------------------------------------------------------------------------

    def begin_match(self, seated: Seated) -> M:
        """Return the model of a match that has just begun."""
        return self.model_type(
            self,
            seated.side,
            seated.terms,
            clean(seated.opponent, LONGEST_NAME) or "opponent",
            clean(seated.match),
            clean(seated.words),
            seated.notes,
            person=(seated.opponent, seated.key),
            computer=bool(seated.computer),
            aids=seated.aids or bool(seated.computer),
            watched=seated.watched,
            progress=self.begins(seated.terms),
        )

    def place(self, screen: S) -> S:
        """Return the console when the setup is asked, in a game that has one."""
        return screen

    def roll(self, screen: S, seed: int, *, hint: bool) -> tuple[S, Effects]:
        """Return the console after chance was drawn for a setup, or for a hint at one."""
        return screen, ()

    def ask(self, screen: S) -> S:
        """Return the console when a decision is asked; the state is in it already."""
        return screen

    def give(self, screen: S, effect: Effect) -> S:
        """Return the console when an answer goes to the other side."""
        return screen

    def clear(self, screen: S) -> S:
        """Return the console without what the answer to a line has left on the board."""
        return screen

    def settle(self, screen: S) -> S:
        """Return the console when nothing is asked any longer."""
        return screen

    def follow(self, screen: S, entry: Entry[Seen, Happening], *, caused: bool) -> tuple[S, bool]:
        """Return the console after a message of its log, and whether what it did stays until it was looked at."""
        return screen, not caused

    def forced(self, model: M) -> Action | None:
        """Return the one action that the program may send by itself, because nothing is told by it; or None."""
        return None

    @abstractmethod
    def is_waiting(self, model: M) -> bool:
        """Return whether it is the other person's turn to decide something, so that one has to wait for them."""

    def is_within_turn(self, model: M) -> bool:
        """Return whether the question that is asked comes in the middle of a turn."""
        return False

    # -- what is typed, pressed and clicked -----------------------------------------------------------------

    def reason(self, fact: Any, names: Sequence[str] = ()) -> str:
        """Return the sentence for what speaks for an action.

        ``names`` are those of the sides, by seat; without them the sentence is for the player who decides.
        """
        return ""

    def name_action(self, action: str) -> str:
        """Return an action in canonical words as the reader would type it."""
        return self.words.say(action)

    def tell_action(self, action: str, terms: Terms) -> str:
        """Return an action in canonical words for a reader who looks back at the match."""
        return self.name_action(action)

    @abstractmethod
    def parse(self, line: str, state: Seen | None, side: Side, *, setting_up: bool) -> Command:
        """Return what a line means; ``state`` is the owner's view, or None while no answer is awaited.

        Raises:
            NotUnderstood: with one sentence.
        """

    @abstractmethod
    def preview(self, screen: S, action: Action) -> tuple[Severity, Sequence[str]]:
        """Return how loudly is asked about an action, and what is said of it before it is sent."""

    @abstractmethod
    def read(self, screen: S) -> S:
        """Return the console with the meaning of the line that is typed."""

    @abstractmethod
    def suggest(self, screen: S, line: str) -> list[Suggestion]:
        """Return what can come next in a line; ``line`` is what stands before the cursor."""

    def goes_on(self, screen: S, more: str) -> bool:
        """Return whether what is typed behind what the console has put at the prompt belongs to it."""
        return True

    def lead_on(self, screen: S, line: str) -> tuple[S, Effects] | None:
        """Return what a line does that is no command yet, such as a name alone; None for another line."""
        return None

    def enter(self, screen: S) -> tuple[S, Effects]:
        """Return what Enter does where nothing is typed and no page is open."""
        return screen, ()

    def obey(self, screen: S, command: Own) -> tuple[S, Effects]:
        """Return what a command does that only the game knows."""
        return screen, ()

    def lit(self, screen: S) -> Collection[str]:
        """Return the function keys whose effect can be seen now and goes on until they are pressed again."""
        return ()

    def press(self, screen: S, key: str) -> tuple[S, Effects]:
        """Return what a key does that has no meaning in every game."""
        return screen, ()

    def click(self, screen: S, kind: str, what: str, *, right: bool) -> tuple[S, Effects]:
        """Return what a click does on something that the game has drawn."""
        return screen, ()

    def steers(self, screen: S) -> bool:
        """Return whether the arrow keys are for the game now."""
        return False

    def reads_like_a_move(self, screen: S, line: str) -> bool:
        """Return whether a line of chat reads like a move, which the other side must not hear by accident."""
        state = screen.match.state if screen.awaited and not screen.setting_up else None
        try:
            return isinstance(guest_of(screen).parse(line, state, screen.match.side, setting_up=screen.setting_up), Act)
        except NotUnderstood as refused:
            return isinstance(refused, NotYet)

    # -- what is shown --------------------------------------------------------------------------------------

    @abstractmethod
    def look(self, screen: S, view: View) -> tuple[S, Effects] | Sequence[str]:
        """Return what a view shows: its lines, or the console that shows it in a way of its own.

        Raises:
            NotUnderstood: it cannot be shown; the sentence says what was expected.
        """

    @abstractmethod
    def draw(self, screen: S, rows: int) -> tuple[list[Line], list[Zone]]:
        """Return what lies below the head, in at most so many rows, and what can be clicked there.

        The log gets the rows that are left.
        """

    @abstractmethod
    def text_rows(self, screen: S, rows: int) -> tuple[int, int]:
        """Return the fewest and the most rows for the text below the board, of so many between head and prompt."""

    def hides_log(self, screen: S) -> bool:
        """Return whether no line of the log stands on the screen, so that what is said has to be shown elsewhere."""
        return False

    def page(self, screen: S) -> tuple[list[Line], list[Zone]]:
        """Return the whole of the open page, one of ``drawn_pages``, and what can be clicked on it."""
        return [], []

    def draw_motion(self, screen: S, rows: int) -> list[Line]:
        """Return what is seen to move over a page, in at most so many rows."""
        return []

    def news_place(self, screen: S) -> tuple[int, int]:
        """Return from which column and row on news is told, beside or below the board; (0, 0): all over it."""
        return 0, 0

    @abstractmethod
    def help(self, screen: S) -> list[str]:
        """Return the page of help."""

    def last_board(self, screen: S, rows: int) -> list[Line]:
        """Return the board at the end, where everything was opened; ``rows`` are there for it."""
        return []

    @abstractmethod
    def asked(self, screen: S) -> str:
        """Return what is asked of the player, for the head line."""

    def said_above(self, screen: S) -> str:
        """Return the line of the log that says no more than the head does now; nothing where there is none."""
        return ""

    @abstractmethod
    def coming(self, screen: S) -> Sequence[str]:
        """Return what the player can do now, for somebody who has never played; nothing where nothing can be done."""

    def guide(self, screen: S) -> Sequence[str]:
        """Return what matters now, for somebody who plays for the first time; only what the seat may know."""
        return ()

    def hint(self, screen: S) -> str:
        """Return the name of the hint below the prompt, where the game has one of its own."""
        return "answer"

    def answers(self, screen: S) -> list[str]:
        """Return the answers to the question within a turn, each as it is typed."""
        return []

    # -- what is said in plain lines ------------------------------------------------------------------------

    @abstractmethod
    def question(self, screen: S) -> list[str]:
        """Return where the match stands and what is asked, with its answers."""

    def sealed(self, screen: S) -> bool:
        """Return whether the answer that was given is secret until the other side has answered."""
        return screen.placing is not None

    # -- looking back ---------------------------------------------------------------------------------------

    def draw_replay(self, shown: Replay, state: Seen | None, terms: Terms) -> Sequence[Line]:
        """Return the board of a step that is looked back at; ``state`` is there unless there is no step."""
        return ()

    def page_script(self) -> str:
        """Return the script that draws the board on a web page (SPEC.md, "Web page"): ``drawBoard`` and ``headOf``."""
        return 'const drawBoard = () => svg("svg"), headOf = () => [];\n'

    def page_names(self, terms: Terms) -> Json:
        """Return the names and words that this script needs, in the chosen language."""
        return {}

    # -- what is kept ---------------------------------------------------------------------------------------

    def load_setups(self, folder: Path, side: Side) -> Mapping[str, Setup]:
        """Return the setups of a side that are kept, by their names."""
        return {}

    def recall_setup(self, side: Side, found: object) -> object:
        """Return what ``arranged`` was when it was kept beside the match; anybody may have changed the file."""
        return ()

    def save_setup(self, folder: Path, name: str, placing: Setup) -> None:
        """Keep a setup.

        Raises:
            OSError: it cannot be written.
        """

    def forget_setup(self, folder: Path, name: str) -> None:
        """Keep the setups of a name no longer, of any side.

        Raises:
            OSError: the file cannot be written.
        """


ConsoleOf: TypeAlias = GameConsole[Any, Any, Any, Any, Any, Any, Any, S]
"""A game of which the console knows the screen alone."""
AnyConsole: TypeAlias = ConsoleOf[Any]
"""Whichever game is played: nothing outside its folder looks into its values, and no type names those of them all."""


def guest_of(screen: S) -> ConsoleOf[S]:
    """Return the game that is shown."""
    return screen.match.guest


def name_sides(guest: AnyConsole, players: Iterable[str]) -> list[str]:
    """Return what the sides are called; where they have no names of their own, those of the players stand for them."""
    sides = zip(guest.sides, players, strict=True)
    return [name if guest.seat_word(side).isdigit() else guest.side_name(side) for side, name in sides]


AT_THE_END: Final = frozenset({"units", "table", "log", "notes", "chat", "replay", "menu"})
"""Commands whose keys do something when the match is over; the others have nothing to do then."""


def keys_of(guest: AnyConsole) -> Mapping[str, Lazy]:
    """Return the commands of the function keys by their names, ``F1`` first."""
    return dict(sorted({**screens.KEYS, **guest.keys}.items(), key=lambda key: int(key[0][1:])))


def keys_at_end(guest: AnyConsole) -> Mapping[str, Lazy]:
    """Return the commands of the function keys when the match is over; that of leaving leads to the menu."""
    named = {name: screens.MENU_KEY if word.english == "bye" else word for name, word in keys_of(guest).items()}
    exact = guest.words.exact
    return {name: word for name, word in named.items() if exact.get(word.english, word.english) in AT_THE_END}


def word_of(guest: AnyConsole, name: str, *, over: bool = False) -> str | None:
    """Return the command of a key, such as ``f1``, also when the match is ``over``; None for a key without one."""
    word = (keys_at_end if over else keys_of)(guest).get(name.upper())
    return None if word is None else word.english


def tell(model: Model, item: Item) -> list[str]:
    """Return the lines of the log for one thing that was told."""
    match item:
        case Entry():
            return [f"{item.turn:3} {line}" for line in model.guest.tell(model, item)]
        case Said():
            return [f"    {matches.remark(model, item)}"]
        case str():
            return [f"    {item}"]
        case _:
            return [f"    {model.guest.say(model, item)}"]
