"""A person at a seat, at either console, around the reducer.

What the match says becomes an event, :func:`cli.console.reducer.update` carries the state on, and what is to be done is
done here.  How a state is shown and where keys or lines come from is left to :mod:`cli.console.shell.app` and
:mod:`cli.console.plain`.
"""

import asyncio
import math
import random
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from cli import language
from cli.console import lines, messages, screen_state
from cli.console.guest import AnyConsole
from cli.console.messages import Effect, Event
from cli.console.reducer import update
from cli.console.replay import SEED, SIMULATIONS, Analysis
from cli.console.screen_state import ScreenState
from cli.console.seats import AskedElsewhere
from cli.match.player import Asked, Controls, MatchEvent, Next, Player, Question, Seated
from cli.storage import home, people, unlock
from cli.storage.home import Home
from cli.text import analyses, clocks, commands, matches, screens
from protocol.errors import LocalProtocolError
from protocol.record import logfile
from protocol.record.feed import FeedError, Feeds
from protocol.record.logfile import LogError
from storm_p2p import games

T = TypeVar("T")


async def watch(steps: Iterator[T], told: Callable[[T], None]) -> None:
    """Hand on what comes one after the other while a thread works it out; when this is cancelled, the thread stops."""
    stopped = threading.Event()
    loop = asyncio.get_running_loop()

    def work() -> None:
        for step in steps:
            if stopped.is_set():
                return
            loop.call_soon_threadsafe(tell, step)

    def tell(step: T) -> None:
        if not stopped.is_set():
            told(step)

    try:
        await asyncio.to_thread(work)
        # What was told last is on its way.
        await asyncio.sleep(0)
    finally:
        stopped.set()


async def think(better: Iterator[T], seconds: float) -> T:
    """Return the last of ever better answers that is there in time; a thread looks for them.

    Each answer is taken to need twice as long as the one before, and none is begun that would not be ready in time.
    When this is cancelled, the thread stops after the answer that it is at.
    """
    found: list[T] = []

    def in_time() -> Iterator[T]:
        begun = last = time.monotonic()
        for answer in better:
            yield answer
            now = time.monotonic()
            if now + 2 * (now - last) > begun + seconds:
                break
            last = now

    await watch(in_time(), found.append)
    return found[-1]


def analyse_log(guest: AnyConsole, log: Path) -> Iterator[Analysis]:
    """Yield the analysis of a match that has just ended, for both seats, from the log that was written.

    Raises:
        OSError, LogError, FeedError: it cannot be read.
    """
    read = Feeds(games.find)
    read.take(0, logfile.read(log))
    if read.transcript is None:
        raise LogError("cut", "expected the log of a match")
    assert guest.adviser is not None, "an analysis comes from somebody"
    yield from guest.adviser().analyse(read.transcript, (0, 1), SIMULATIONS, SEED)


SEED_BITS = 64
AGAIN_SECONDS = 2.0
"""So soon after the first Ctrl-C a second one leaves."""


class ConsolePlayer(Player, ABC):
    """A person at one seat; what differs between the consoles is done by those who inherit from it."""

    plain = False
    """Whether this console is the one in lines."""

    def __init__(
        self,
        name: str,
        guest: AnyConsole,
        *,
        settings: screen_state.Settings | None = None,
        folder: Path | None = None,
        dice: random.Random | None = None,
    ) -> None:
        """Make a player; setups are kept in ``folder``, ``dice`` are for random ones, by default the system's."""
        self.name = name
        """The name shown to the opponent."""
        self._guest = guest
        self._settings = settings or screen_state.Settings()
        self._folder = folder
        self._dice = dice or secrets.SystemRandom()
        self._screen: ScreenState | None = None
        self._controls: Controls | None = None
        self._answer: asyncio.Future[object] | None = None
        self._asked_before = self._hushed = False
        self._left = False
        self._thinking: asyncio.Task[None] | None = None
        self._judging: asyncio.Task[None] | None = None
        self._failure: Exception | None = None
        self._looking: asyncio.Future[Next] | None = None
        """What is awaited while the person looks at the end."""
        self._next: Next | None = None
        """What the person has chosen there."""
        self.interrupted = False
        """Whether Ctrl-C has left the match."""
        self._asked_to_leave = -math.inf
        """When Ctrl-C has asked last whether to leave."""

    # -- what the consoles do each in their way -------------------------------------------------------------

    @abstractmethod
    def _begin(self) -> None:
        """Take the terminal."""

    @abstractmethod
    def _show(self, before: ScreenState, event: Event) -> None:
        """Show what an event has changed."""

    @abstractmethod
    def _call(self, ring: messages.Ring) -> None:
        """Call a person who looks elsewhere."""

    @abstractmethod
    def _ask_to_leave(self) -> bool:
        """Clear a begun line; else ask whether to leave, and return whether that is asked now."""

    @abstractmethod
    def _do_here(self, effect: Effect) -> None:
        """Do what only one of the consoles can do."""

    @abstractmethod
    async def release(self) -> None:
        """Give the terminal back; the match may go on at the other console."""

    # -- the interface of a player --------------------------------------------------------------------------

    @property
    def screen(self) -> ScreenState:
        """The state of now."""
        assert self._screen is not None, "a player is seated before anything is shown"
        return self._screen

    def tell(self, event: MatchEvent) -> None:
        """Show what has happened; whoever is seated takes the terminal."""
        if isinstance(event, Seated):
            self._left = self.interrupted = False
            self._next = None
            model = screen_state.recalled(self._guest.begin_match(event))
            if model.words and not (model.compared or model.differs) and self._folder is not None:
                # A book that cannot be read is one that says nothing, so they are compared again.
                with suppress(OSError, people.BadBook):
                    book = people.load(Home(self._folder).people_file)
                    model = replace(model, compared=book.is_compared(*model.person))
            if self._settings.guided and model.computer:
                model = replace(model, guided=True)
            self._screen = self._fresh(model)
            self._controls = event.controls
            self._begin()
        self._handle(event)

    def take_over(self, model: screen_state.Model, controls: Controls, *, asked: bool) -> None:
        """Go on with a match that another console has shown so far; in place of ``Seated``.

        Where ``asked``, a question is open and comes again; whoever has just typed need not be called to it.
        """
        # Setups may have been kept there meanwhile.
        screen = self._fresh(model)
        self._screen = screen if self._screen is None else replace(self._screen, setups=screen.setups)
        self._controls = controls
        self._begin()
        self._hushed = True
        self._handle(messages.TakenOver(model))
        self._hushed = False
        self._asked_before = asked

    def _fresh(self, model: screen_state.Model) -> ScreenState:
        log = tuple(matches.seated(model))
        # What was changed in the match before this one stays.
        settings = self._settings if self._screen is None else self._screen.settings
        screen: ScreenState = self._guest.screen_type(model, settings=settings, plain=self.plain, log=log)
        if self._folder is None:
            return screen
        return replace(screen, setups=tuple(self._guest.load_setups(self._folder, model.side).items()))

    async def ask(self, question: Question) -> object:
        """Ask for a setup or an action; what has one possible answer and tells nothing is answered at once."""
        forced = None
        if isinstance(question, Asked):
            forced = self._guest.forced(replace(self.screen.match, state=question.state))
        return await self._ask(question) if forced is None else forced

    async def _ask(self, question: Question) -> object:
        """Return what the player answers."""
        if self._failure is not None:
            raise self._failure
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._answer = answer
        self._hushed, self._asked_before = self._asked_before, False
        self._handle(question)
        self._hushed = False
        try:
            return await answer
        finally:
            # The next question may have been asked before this one has noticed that it is off.
            if self._answer is answer:
                self._answer = None
                self._handle(messages.Settled())

    async def linger(self) -> Next:
        """Let the person look at the end; return what comes next."""
        if self._failure is not None:
            raise self._failure
        ending = None if self._screen is None else self.screen.match.ending
        if ending is None or ending.winner is None or self._left or not self._stays:
            return Next.LEAVE
        if self._next is None:
            self._looking = asyncio.get_running_loop().create_future()
            try:
                self._next = await self._looking
            finally:
                self._looking = None
        return self._next

    @property
    def _stays(self) -> bool:
        """Whether there is a person to look at the end."""
        return True

    def dismiss(self) -> None:
        """Look at the end no longer than this."""
        self._go_on(Next.LEAVE)

    def _go_on(self, choice: Next) -> None:
        if self._next is None:
            self._next = choice
            if self._looking is not None and not self._looking.done():
                self._looking.set_result(choice)

    def step_aside(self) -> screen_state.Model:
        """Return what is known of the match; whoever waits for an answer here gets :class:`AskedElsewhere`."""
        self._raise(AskedElsewhere())
        return self.screen.match

    # -- events and effects ---------------------------------------------------------------------------------

    def _handle(self, event: Event) -> None:
        if self._screen is None:
            return
        self._look_at_clocks()
        before = self._screen
        self._screen, effects = update(before, event)
        self._show(before, event)
        if self._thinking is not None and not self._screen.thinking:
            self._thinking.cancel()
            self._thinking = None
        charted = self._screen.replay is not None and self._screen.replay.analysing
        ended = self._screen.judged is not None and not self._screen.judged.is_complete
        if self._judging is not None and not (charted or ended):
            self._judging.cancel()
            self._judging = None
        for effect in effects:
            self._do(effect)

    def _look_at_clocks(self) -> None:
        if self._controls is None:
            return
        model = screen_state.clocked(self.screen.match, self._controls.clocks())
        if model is not self.screen.match:
            self._screen = replace(self.screen, match=model)

    def _fail(self, error: Exception) -> None:
        """Let whoever waits for an answer know of an error in this program."""
        self._failure = error
        self._raise(error)

    def _raise(self, error: Exception) -> None:
        """Raise an error where an answer is awaited, or how long the end is looked at."""
        for awaited in (self._answer, self._looking):
            if awaited is not None and not awaited.done():
                awaited.set_exception(error)

    def _do(self, effect: Effect) -> None:
        match effect:
            case messages.Send(action=action):
                self._give(action)
            case messages.Seal(setup=setup):
                if self.screen.placing is not None and not self._locks:
                    # What cannot be kept is no reason not to play.
                    self._keep_setup(str(screens.LAST_SETUP), self.screen.placing)
                self._give(setup)
            case messages.KeepSetup(name=name, placing=placing):
                if self._keep_setup(name, placing):
                    self._handle(messages.Done(effect))
            case messages.KeepSetting():
                self._keep_setting(effect)
            case messages.KeepNotes(same=same):
                self._keep_notes(same)
            case messages.Control():
                self._control(effect)
            case messages.Ring():
                if not self._hushed:
                    self._call(effect)
            case messages.Roll(hint=hint):
                self._handle(messages.Rolled(self._dice.getrandbits(SEED_BITS), hint))
            case messages.AnalyseMatch():
                if self._judging is None or self._judging.done():
                    self._judging = asyncio.get_running_loop().create_task(self._analyse())
            case messages.Advise():
                self._thinking = asyncio.get_running_loop().create_task(self._think())
            case messages.Close(next=choice):
                self._go_on(choice)
            case messages.ChooseLanguage(language=chosen):
                language.choose(chosen)
                self._handle(messages.Done(effect))
            case _:
                self._do_here(effect)

    async def _analyse(self) -> None:
        """Let the computer judge the decisions of the match that is over."""
        ending = self.screen.match.ending
        assert ending is not None
        try:
            steps = analyse_log(self._guest, Path(ending.log or ""))
            await watch(steps, lambda found: self._handle(messages.Analysed(found)))
        except (OSError, LogError, FeedError):
            self._handle(messages.Refused(str(analyses.NO_LOG), messages.AnalyseMatch()))
        except Exception as error:
            self._fail(error)

    async def _think(self) -> None:
        """Let the computer think about what is asked."""
        model, seconds, adviser = self.screen.match, self.screen.settings.hint_seconds, self._guest.adviser
        assert adviser is not None
        try:
            found = await think(adviser().advise(model.state, self._guest.sides.index(model.side)), seconds)
        except Exception as error:
            self._fail(error)
        else:
            self._thinking = None
            self._handle(messages.Advised(tuple(found)))

    def _give(self, answer: object) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    @property
    def _locks(self) -> bool:
        """Whether a passphrase locks who stands where, so that nothing tells it that was not asked to."""
        with suppress(OSError):
            return self._folder is not None and unlock.locked(Home(self._folder).key_file)
        return False

    def _keep_setup(self, name: str, placing: object) -> bool:
        """Keep a setup; return whether that could be done, and say why not."""
        if self._folder is None:
            return True
        try:
            self._guest.save_setup(self._folder, name, placing)
        except OSError as error:
            self._handle(messages.Refused(commands.unkept(error)))
            return False
        return True

    def _keep_setting(self, effect: messages.KeepSetting) -> None:
        if self._folder is None:
            return
        try:
            # It may have been the same in the file, and changed there since.
            chosen: dict[str, Any] = {effect.name: effect.value}
            unset: dict[str, Any] = dict.fromkeys(chosen)
            kept = replace(home.load_preferences(self._folder), **unset)
            home.save_preferences(self._folder, replace(kept, **chosen), kept)
        except OSError as error:
            self._handle(messages.Refused(commands.unkept(error)))

    def _keep_notes(self, same: bool | None) -> None:
        model = self.screen.match
        try:
            screen_state.keep(replace(model, arranged=()) if self._locks else model)
            if same is not None and self._folder is not None:
                people.change(Home(self._folder).people_file, lambda book: book.compare(*model.person, same=same))
        except (people.BadBook, OSError) as error:
            self._handle(messages.Refused(commands.unkept(error)))

    def _control(self, effect: messages.Control) -> bool:
        """Use a control; return whether that could be done, and say why not."""
        if self._controls is None or self._left:
            return False
        try:
            told_anyway = lines.use_control(effect, self.screen.match, self._controls)
        except LocalProtocolError as refused:
            self._handle(messages.Refused(clocks.refused(refused.code, str(refused)), effect))
            return False
        self._left = effect.word in lines.LEAVING
        self._handle(messages.Done(effect, told_anyway))
        return True

    def _leave(self) -> None:
        """Leave the match, which is saved, or its end."""
        if self._screen is not None and self.screen.match.ending is not None:
            self.dismiss()
        else:
            self._control(messages.Control("leave"))

    def _ctrl_c(self) -> None:
        """Ask whether to leave; leave if the key comes again soon after that, and where nobody can be asked."""
        asked, self._asked_to_leave = self._asked_to_leave, -math.inf
        if time.monotonic() - asked < AGAIN_SECONDS or not self._stays or self.screen.match.ending is not None:
            self._interrupt()
        elif self._ask_to_leave():
            self._asked_to_leave = time.monotonic()

    def _interrupt(self) -> None:
        """Leave for Ctrl-C; after the end nothing is interrupted by it."""
        self.interrupted = self.screen.match.ending is None
        self._leave()
