"""The model after something has happened, and what is to be done.  Pure: no clock, no chance, no input or output."""

from __future__ import annotations

from dataclasses import replace

from cli.clean import clean
from cli.console import results, reviewing
from cli.console.input import arranging, asking, controlling, lines, pointing, pressing, reading
from cli.console.input.asking import without_page
from cli.console.input.chatting import is_chatting
from cli.console.input.grammar import Arrange
from cli.console.render.screen import is_chat_seen
from cli.console.render.setup import is_shown
from cli.console.screen_state import (
    LEAST_COLUMNS,
    LEAST_ROWS,
    Asked,
    ChangeConsole,
    ChooseLanguage,
    Clicked,
    Control,
    Done,
    Effects,
    Ended,
    Entered,
    Event,
    Happened,
    Heard,
    KeepSetup,
    Key,
    LineAnalysis,
    Noticed,
    Page,
    Placed,
    Refused,
    Resized,
    Resumed,
    Ring,
    Rolled,
    ScreenState,
    Seated,
    SetLine,
    Settled,
    TakenOver,
    Typed,
)  # fmt: skip
from cli.match.participant import Ending
from cli.notices import Passing, Quiet
from cli.storm import model as m
from cli.storm import placing
from cli.storm.notices import StormNotice
from cli.storm.text import matches, refusals, setup_screen, story
from cli.text import screens as said
from cli.text.wording import fill
from storm_p2p.storm import events as ev
from storm_p2p.storm.state import Phase

MOST_LOG = 5000
MOST_QUOTED = 30
"""So many characters of a refused line are quoted."""
_ROUND_ENDS = (ev.RoundFought,)
_BLOWS = (ev.Eliminated, ev.Retreated, ev.Struck, ev.Sneaked, ev.Returned, ev.GameOver)
"""Events that are worth a look before the game goes on, when the other side has caused them."""


def update(ui: ScreenState, event: Event) -> tuple[ScreenState, Effects]:
    """Return the model after an event, and what is to be done."""
    by_hand = isinstance(event, Entered | Key | Clicked) or (isinstance(event, Typed) and event.by_hand)
    if ui.unread and by_hand and is_chat_seen(ui):
        # The lines stand in the log below the board, and the player is there.
        ui = replace(ui, unread=0)
    after, effects = _updated(ui, event)
    if ui.plain:
        # What was said needs no page that stays.
        return replace(without_page(after), results=()), effects
    after = results.end_again(after)
    if is_chatting(after) == is_chatting(ui):
        return after, effects
    # A line that was begun on the board is never said to the other side, and one that was begun there never a command.
    line = "" if after.question is not None and after.question is not ui.question else after.aside
    return replace(after, aside=after.typed), (*effects, SetLine(line))


def _updated(ui: ScreenState, event: Event) -> tuple[ScreenState, Effects]:
    match event:
        case Resized():
            return _resized(ui, event)
        case Typed():
            return _typed(ui, event)
        case Entered():
            if ui.page in (Page.RESULT, Page.OVER):
                return results.go_on(ui)
            if ui.game.ending is not None:
                # There is nothing to say any more; a line leads back to the end.
                return without_page(ui), ()
            return _after(*_quoted(*lines.take(replace(ui, picked=""), event.text)))
        case Key():
            return _after(*pressing.press(ui, event.name))
        case Clicked():
            if ui.page in (Page.RESULT, Page.OVER):
                return pressing.press(ui, "any")
            ui, effects = pointing.click(ui, event)
            # What was clicked is no line that could be brought back.
            return _after(replace(ui, rejected=""), effects)
        case Rolled():
            if ui.placing is None:
                return ui, ()
            return arranging.arrange(ui, Arrange("random"), event.seed)
        case Refused():
            # What could not be said stands at the prompt again.
            unsaid = event.effect.text if event.effect is not None and ui.page == Page.CHAT else ""
            effects = (SetLine(unsaid),) if unsaid else ()
            return replace(ui, notice=(clean(event.sentence),), sent=False), effects
        case Done():
            return _done(ui, event), ()
        case _:
            return _session(ui, event)


def _done(ui: ScreenState, event: Done) -> ScreenState:
    """Return the model after something that was wanted is done."""
    match event.effect:
        case Control(word="say", text=text):
            return spoke(replace(ui, notice=()), text)
        case Control(word=word):
            game, sentence = controlling.used(word, ui.game, told_anyway=event.told_anyway)
            return replace(logged(ui, game), notice=(sentence,) if sentence else ())
        case KeepSetup(name=name):
            return replace(ui, notice=(fill(setup_screen.SAVED, name=name),))
        case ChooseLanguage():
            return replace(ui, notice=(str(refusals.SPOKEN),))
        case _:
            return ui


def _typed(ui: ScreenState, event: Typed) -> tuple[ScreenState, Effects]:
    """Return the model with another line at the prompt.

    What the player types behind a line that the console has put there, and what does not belong to it, takes its place:
    nobody should have to clear what a look at some units has left.
    """
    if ui.typed == event.text:
        return ui, ()
    more = event.text.removeprefix(ui.picked) if event.by_hand and ui.picked else event.text
    effects: Effects = ()
    text, picked = event.text, ui.picked if event.text.startswith(ui.picked) else ""
    if more != event.text and not reading.goes_on(ui.picked, more, ui):
        text, picked = more.lstrip(), ""
        effects = (SetLine(text),)
    ui = replace(ui, typed=text, picked=picked, priced="" if text else ui.priced)
    # What is typed goes on from the last answer; what the console puts there does not hide it.
    return _read(replace(ui, notice=(), rejected="") if text and event.by_hand else ui), effects


def _after(ui: ScreenState, effects: Effects) -> tuple[ScreenState, Effects]:
    """Return the same with the meaning of the line brought up to date."""
    return _read(ui), effects


def _quoted(ui: ScreenState, effects: Effects) -> tuple[ScreenState, Effects]:
    """Return the same with a refused line quoted above the reason: the prompt is empty again, and Up brings it back."""
    if not ui.rejected or ui.plain or ui.page == Page.CHAT:
        return ui, effects
    line = ui.rejected if len(ui.rejected) <= MOST_QUOTED else ui.rejected[: MOST_QUOTED - 3] + "..."
    return replace(ui, notice=(fill(said.NOT_DONE, line=line), *ui.notice)), effects


def _read(ui: ScreenState) -> ScreenState:
    found = reading.read(ui)
    return replace(ui, found=found, choice=found.choice or ui.choice)


def _resized(ui: ScreenState, event: Resized) -> tuple[ScreenState, Effects]:
    if event.columns < LEAST_COLUMNS or event.rows < LEAST_ROWS:
        return ui, (ChangeConsole(fill(said.TOO_SMALL, columns=event.columns, rows=event.rows)),)
    return replace(ui, columns=event.columns, rows=event.rows), ()


# -- the session ----------------------------------------------------------------------------------------------


def _session(ui: ScreenState, event: Event) -> tuple[ScreenState, Effects]:
    match event:
        case Seated():
            # Words to compare must not scroll away unseen.
            return replace(ui, notice=ui.log if ui.game.words else ()), ()
        case Placed():
            # What was placed at another console stays.
            begun = placing.Placing(ui.game.faction, ui.game.arranged)
            return replace(ui, placing=begun, sent=False), (Ring(str(said.CALL_SETUP)),)
        case Asked():
            return _asked(ui, event)
        case Settled():
            question = asking.about_the_match(ui.question)
            ui = replace(ui, game=m.answered(ui.game), placing=None, choice=None, question=question, sent=False)
            return _read(ui), ()
        case Resumed():
            return _read(_resumed(ui, event)), ()
        case TakenOver():
            return _taken_over(ui, event)
        case Happened():
            return _read(_happened(ui, event)), ()
        case Heard():
            return _heard(ui, event.text)
        case Noticed(notice=notice):
            after = _noticed(ui, notice)
            calls = after is not ui and not isinstance(notice, Quiet | Passing)
            return after, (Ring(" ".join(after.notice)),) if calls else ()
        case Ended():
            return _ended(ui, event.ending)
        case _:
            return ui, ()


def _ended(ui: ScreenState, ending: Ending) -> tuple[ScreenState, Effects]:
    game = m.over(ui.game, ending)
    told = tuple(matches.over(game, ending))
    ui = replace(ui, game=game, question=None, results=(*ui.results, told))
    return (ui if ui.page in results.UNDISTURBED else results.turn_over(ui)), (Ring(told[0]),)


def _asked(ui: ScreenState, event: Asked) -> tuple[ScreenState, Effects]:
    question = asking.about_the_match(ui.question)
    ui = replace(ui, game=m.asked(ui.game, event.state), sent=False, minimised=False, question=question, priced="")
    choice = None
    if reading.chooses(event.state, ui.game.faction):
        choice = reading.first_choice(event.state, ui.game.faction)
    # A line that came too early can be brought back, but what was said of it is true no longer.
    notice = () if ui.rejected else ui.notice
    ui = replace(ui, notice=notice, told=notice)
    call = fill(said.CALL_MOVE, name=ui.game.opponent)
    return _read(replace(ui, choice=choice)), () if ui.game.computer else (Ring(call),)


def _resumed(ui: ScreenState, event: Resumed) -> ScreenState:
    """Return the model of a match that goes on: the log is there, and nothing of it is news."""
    game = m.resumed(ui.game, event.past, event.state, event.said)
    told = [line for item in game.chronicle for line in story.told(game, item)]
    notice = (matches.resumed(game), *matches.still(game))
    return replace(ui, game=game, log=(*ui.log, *told)[-MOST_LOG:], first=False, notice=notice)


def _taken_over(ui: ScreenState, event: TakenOver) -> tuple[ScreenState, Effects]:
    """Return the console with a match that another one has shown so far; what is set here and not asked stays."""
    game = m.answered(event.game)
    begun = replace(ui, game=replace(game, chronicle=()), log=tuple(matches.seated(game)))
    shown = logged(begun, game)
    clear = replace(
        shown, page=None, beneath=None, aside="", lines=(), scroll=0, unread=0, notice=(), told=(), rejected="",
        question=None, placing=None, choice=None, results=(), sent=False, minimised=False, replay=None, draft="",
        given="", found=LineAnalysis(), typed="", picked="", priced="",
        first=ui.first and not game.entries, last=_went(game),
    )  # fmt: skip
    effects: Effects = (SetLine(""),)
    if game.ending is None:
        return _read(clear), effects
    over, more = _ended(clear, game.ending)
    return over, (*effects, *more)


def _went(game: m.Model) -> int:
    """Return where the other side went if that was the last move of all, or 0."""
    for entry in reversed(game.entries):
        for event in entry.events:
            if isinstance(event, ev.Moved):
                return 0 if event.faction == game.faction else event.path[-1]
    return 0


def logged(ui: ScreenState, game: m.Model) -> ScreenState:
    """Return the console with another model of the match, whose news is in the log."""
    news = [line for item in game.chronicle[len(ui.game.chronicle) :] for line in story.told(game, item)]
    return replace(ui, game=game, log=(*ui.log, *news)[-MOST_LOG:])


def _happened(ui: ScreenState, event: Happened) -> ScreenState:
    caused = ui.sent
    game = m.happened(ui.game, event.events, event.state)
    ui = replace(logged(ui, game), sent=False if event.events else ui.sent)
    if not event.events:
        return ui
    told = story.story(game, game.entries[-1])
    ui = reviewing.follow(replace(ui, scroll=_held(ui, told), given=""))
    for event_seen in event.events:
        if isinstance(event_seen, ev.Moved) and event_seen.faction != game.faction:
            ui = replace(ui, last=event_seen.path[-1])
    fought = any(isinstance(one, _ROUND_ENDS) for one in event.events)
    # A retreat that works ends a round without any power counted; what both sides chose is its result.
    opened = event.state.phase != Phase.FIGHT and any(isinstance(one, ev.Chose) for one in event.events)
    hit = not caused and any(isinstance(one, _BLOWS) for one in event.events)
    return results.add(ui, tuple(told)) if fought or opened or hit else ui


def _held(ui: ScreenState, told: list[str]) -> int:
    """Return how far the log is scrolled when it has grown: what is read stays where it is."""
    return ui.scroll + len(told) if ui.page == Page.LOG and ui.scroll else ui.scroll


def _heard(ui: ScreenState, text: str) -> tuple[ScreenState, Effects]:
    if ui.game.muted:
        return ui, ()
    ui = logged(ui, m.spoken(ui.game, text, mine=False))
    if ui.page not in (Page.CHAT, Page.LOG):
        ui = replace(ui, unread=ui.unread + 1)
    if ui.page is None and is_shown(ui):
        # The setup has no log on its screen.
        ui = replace(ui, notice=(story.remark(ui.game, ui.game.chat[-1]),))
    return ui, (Ring(story.remark(ui.game, ui.game.chat[-1])),)


def spoke(ui: ScreenState, text: str) -> ScreenState:
    """Return the model after the player has said something."""
    # Who answers has seen what was said.
    ui = replace(logged(ui, m.spoken(ui.game, text, mine=True)), unread=0)
    return replace(ui, notice=(story.remark(ui.game, ui.game.chat[-1]),)) if ui.page is None and is_shown(ui) else ui


def _noticed(ui: ScreenState, notice: StormNotice) -> ScreenState:
    if not m.is_news(ui.game, notice):
        return ui
    sentence = matches.notice(ui.game, notice)
    game = m.noticed(ui.game, notice)
    if game.draw_offered and not ui.game.draw_offered:
        sentence = fill(said.DRAW_WAITS, name=ui.game.opponent)
    ui = logged(ui, game)
    if isinstance(notice, Quiet):
        return ui
    # A word that comes while a question within a turn is asked must not hide it.
    asked = ui.game.deciding and ui.game.state is not None and ui.game.state.phase not in (Phase.TURN, Phase.FIGHT)
    return replace(ui, notice=(sentence,), told=(sentence,) if asked else ui.told, sent=False)
