"""The model after something has happened, and what is to be done.  Pure: no clock, no chance, no input or output."""

from dataclasses import replace
from typing import Any

from cli.clean import clean
from cli.console import keys, lines, messages, pages, screen_state
from cli.console.guest import guest_of, tell
from cli.console.messages import Effects, Event
from cli.console.pages import is_chatting, without_page
from cli.console.render.screen import is_chat_seen
from cli.console.screen_state import LEAST_COLUMNS, LEAST_ROWS, Page, S
from cli.match.player import Asked, Ended, Ending, Happened, Heard, Noticed, Placed, Resumed, Seated
from cli.notices import Passing, Quiet, TimeShort
from cli.text import matches, screens
from cli.text.wording import fill

MOST_LOG = 5000
MOST_QUOTED = 30
"""So many characters of a refused line are quoted."""


def update(ui: S, event: Event) -> tuple[S, Effects]:
    """Return the model after an event, and what is to be done."""
    by_hand = isinstance(event, messages.Entered | messages.Key | messages.Clicked) or (
        isinstance(event, messages.Typed) and event.by_hand
    )
    if ui.unread and by_hand and is_chat_seen(ui):
        # The lines stand in the log below the board, and the player is there.
        ui = replace(ui, unread=0)
    after, effects = _updated(ui, event)
    if after.thinking and (after.question is not None or not after.awaited or after.game.state is not ui.game.state):
        # What it was to be about is decided, or was another question.
        after = replace(after, thinking=False)
    if ui.plain:
        # What was said needs no page that stays.
        return replace(without_page(after), results=()), effects
    after = pages.end_again(after)
    if is_chatting(after) == is_chatting(ui):
        return after, effects
    # A line that was begun on the board is never said to the other side, and one that was begun there never a command.
    line = "" if after.question is not None and after.question is not ui.question else after.aside
    return replace(after, aside=after.typed), (*effects, messages.SetLine(line))


def _updated(ui: S, event: Event) -> tuple[S, Effects]:
    match event:
        case messages.Resized():
            return _resized(ui, event)
        case messages.Typed():
            return _typed(ui, event)
        case messages.Entered():
            if ui.page in (Page.RESULT, Page.OVER):
                return pages.go_on(ui)
            if ui.game.ending is not None:
                if ui.page is Page.CHAT and event.text.strip():
                    return lines.take(ui, event.text)
                # On the screen keys choose; a line leads back to the end.
                return lines.at_the_end(ui, event.text) if ui.plain else (without_page(ui), ())
            return _after(*_quoted(*lines.take(replace(ui, picked=""), event.text)))
        case messages.Key():
            return _after(*keys.press(ui, event.name))
        case messages.Clicked():
            if ui.page in (Page.RESULT, Page.OVER):
                return keys.press(ui, "any")
            ui, effects = keys.click(ui, event)
            # What was clicked is no line that could be brought back.
            return _after(replace(ui, rejected=""), effects)
        case messages.Stepped():
            return (ui if ui.motion is None else guest_of(ui).move_on(ui)), ()
        case messages.Rolled():
            return guest_of(ui).roll(ui, event.seed, hint=event.hint)
        case messages.Refused():
            # What could not be said stands at the prompt again.
            unsaid = event.effect.text if isinstance(event.effect, messages.Control) and ui.page == Page.CHAT else ""
            effects = (messages.SetLine(unsaid),) if unsaid else ()
            judging = ui.judging and not isinstance(event.effect, messages.AnalyseMatch)
            return replace(ui, notice=(clean(event.sentence),), sent=False, judging=judging), effects
        case messages.Done():
            return _done(ui, event), ()
        case messages.Analysed(found=analysis):
            return pages.take_analysis(ui, analysis), ()
        case messages.Advised(found=found):
            return (lines.take_hint(ui, found) if ui.thinking else ui), ()
        case _:
            return _session(ui, event)


def _done(ui: S, event: messages.Done) -> S:
    """Return the model after something that was wanted is done."""
    match event.effect:
        case messages.Control(word="say", text=text):
            return spoke(replace(ui, notice=()), text)
        case messages.Control(word=word):
            game, sentence = lines.control_used(word, ui.game, told_anyway=event.told_anyway)
            return replace(logged(ui, game), notice=(sentence,) if sentence else ())
        case messages.KeepSetup(name=name):
            return replace(ui, notice=(fill(screens.SAVED, name=name),))
        case messages.ChooseLanguage():
            return replace(ui, notice=(str(screens.SPOKEN),))
        case _:
            return ui


def _typed(ui: S, event: messages.Typed) -> tuple[S, Effects]:
    """Return the model with another line at the prompt.

    What the player types behind a line that the console has put there, and what does not belong to it, takes its place:
    nobody should have to clear what a look at the board has left.
    """
    if ui.typed == event.text:
        return ui, ()
    more = event.text.removeprefix(ui.picked) if event.by_hand and ui.picked else event.text
    effects: Effects = ()
    text, picked = event.text, ui.picked if event.text.startswith(ui.picked) else ""
    if more != event.text and not guest_of(ui).goes_on(ui, more):
        text, picked = more.lstrip(), ""
        effects = (messages.SetLine(text),)
    ui = replace(ui, typed=text, picked=picked)
    # What is typed goes on from the last answer; what the console puts there does not hide it.
    return _read(replace(ui, notice=(), rejected="") if text and event.by_hand else ui), effects


def _after(ui: S, effects: Effects) -> tuple[S, Effects]:
    """Return the same with the meaning of the line brought up to date."""
    return _read(ui), effects


def _quoted(ui: S, effects: Effects) -> tuple[S, Effects]:
    """Return the same with a refused line quoted above the reason: the prompt is empty again, and Up brings it back."""
    if not ui.rejected or ui.plain or ui.page == Page.CHAT:
        return ui, effects
    line = ui.rejected if len(ui.rejected) <= MOST_QUOTED else ui.rejected[: MOST_QUOTED - 3] + "..."
    return replace(ui, notice=(fill(screens.NOT_DONE, line=line), *ui.notice)), effects


def _read(ui: S) -> S:
    return guest_of(ui).read(ui)


def _resized(ui: S, event: messages.Resized) -> tuple[S, Effects]:
    if event.columns < LEAST_COLUMNS or event.rows < LEAST_ROWS:
        return ui, (messages.ChangeConsole(fill(screens.TOO_SMALL, columns=event.columns, rows=event.rows)),)
    return replace(ui, columns=event.columns, rows=event.rows), ()


def _session(ui: S, event: Event) -> tuple[S, Effects]:
    match event:
        case Seated():
            # Words to compare must not scroll away unseen.  They come first, because what does not fit is cut.
            return replace(ui, notice=(*ui.log[-1:], *ui.log[:-1]) if ui.game.words else ()), ()
        case Placed():
            # What was placed at another console stays.
            return guest_of(ui).place(replace(ui, sent=False)), (messages.Ring(str(screens.CALL_SETUP)),)
        case Asked():
            return _asked(ui, event)
        case messages.Settled():
            question = pages.about_the_match(ui.question)
            settled = replace(ui, game=replace(ui.game, deciding=False), placing=None, question=question, sent=False)
            return _read(guest_of(ui).settle(settled)), ()
        case Resumed():
            return _read(_resumed(ui, event)), ()
        case messages.TakenOver():
            return _taken_over(ui, event)
        case Happened():
            return _read(_happened(ui, event)), ()
        case Heard():
            return _heard(ui, event.text)
        case Noticed(notice=notice):
            after = _noticed(ui, notice)
            calls = after is not ui and not isinstance(notice, Quiet | Passing)
            urgent = isinstance(notice, TimeShort)
            return after, (messages.Ring(" ".join(after.notice), urgent),) if calls else ()
        case Ended():
            return _ended(ui, event.ending)
        case _:
            return ui, ()


def _ended(ui: S, ending: Ending) -> tuple[S, Effects]:
    game = replace(ui.game, ending=ending, draw_offered=False)
    told = tuple(matches.over(game, ending))
    ui = replace(ui, game=game, question=None, notice=(), results=(*ui.results, told))
    return (ui if ui.page in pages.UNDISTURBED else pages.turn_over(ui)), (messages.Ring(told[0]),)


def _asked(ui: S, event: Asked) -> tuple[S, Effects]:
    question = pages.about_the_match(ui.question)
    ui = replace(ui, game=replace(ui.game, state=event.state, deciding=True), sent=False, question=question)
    # A line that came too early can be brought back, but what was said of it is true no longer.
    notice = () if ui.rejected else ui.notice
    ui = replace(ui, notice=notice, told=notice)
    call = fill(screens.CALL_MOVE, name=ui.game.opponent)
    return _read(guest_of(ui).ask(ui)), () if ui.game.computer else (messages.Ring(call),)


def _resumed(ui: S, event: Resumed) -> S:
    """Return the model of a match that goes on: the log is there, and nothing of it is news."""
    game = screen_state.resumed(ui.game, event.past, event.state, event.said)
    told = [line for item in game.chronicle for line in tell(game, item)]
    notice = (matches.resumed(game), *matches.still(game))
    return replace(ui, game=game, log=(*ui.log, *told)[-MOST_LOG:], first=False, notice=notice)


def _taken_over(ui: S, event: messages.TakenOver) -> tuple[S, Effects]:
    """Return the console with a match that another one has shown so far; what is set here and not asked stays."""
    game = replace(event.game, deciding=False)
    begun = replace(ui, game=replace(game, chronicle=()), log=tuple(matches.seated(game)))
    shown = logged(begun, game)
    clear = replace(
        shown, page=None, beneath=None, aside="", lines=(), scroll=0, unread=0, notice=(), told=(), rejected="",
        question=None, placing=None, results=(), sent=False, replay=None, motion=None, draft="", typed="",
        picked="", first=ui.first and not game.entries,
    )  # fmt: skip
    clear = guest_of(ui).settle(clear)
    for entry in game.entries:
        clear, _ = guest_of(ui).follow(clear, entry, caused=False)
    clear = replace(clear, motion=None)
    effects: Effects = (messages.SetLine(""),)
    if game.ending is None:
        return _read(clear), effects
    over, more = _ended(clear, game.ending)
    return over, (*effects, *more)


def logged(ui: S, game: screen_state.Model) -> S:
    """Return the console with another model of the match, whose news is in the log."""
    news = [line for item in game.chronicle[len(ui.game.chronicle) :] for line in tell(game, item)]
    return replace(ui, game=game, log=(*ui.log, *news)[-MOST_LOG:])


def _happened(ui: S, event: Happened) -> S:
    caused = ui.sent
    game = screen_state.happened(ui.game, event.events, event.state)
    ui = replace(logged(ui, game), sent=False if event.events else ui.sent)
    if not event.events:
        return ui
    entry = game.entries[-1]
    told = guest_of(ui).tell(game, entry)
    # What is read of the log stays where it is.
    grown = len(told) if ui.page == Page.LOG and ui.scroll else 0
    ui = pages.follow_replay(replace(ui, scroll=ui.scroll + grown))
    ui, stays = guest_of(ui).follow(ui, entry, caused=caused)
    return pages.add_result(ui, tuple(told)) if stays else ui


def _heard(ui: S, text: str) -> tuple[S, Effects]:
    if ui.game.muted:
        return ui, ()
    ui = logged(ui, screen_state.spoken(ui.game, text, mine=False))
    if ui.page not in (Page.CHAT, Page.LOG):
        ui = replace(ui, unread=ui.unread + 1)
    if ui.page is None and guest_of(ui).hides_log(ui):
        # The setup has no log on its screen.
        ui = replace(ui, notice=(matches.remark(ui.game, ui.game.chat[-1]),))
    # What calls the player may read markup: the words of the other stay here.
    return ui, (messages.Ring(matches.wrote(ui.game.opponent)),)


def spoke(ui: S, text: str) -> S:
    """Return the model after the player has said something."""
    # Who answers has seen what was said.
    ui = replace(logged(ui, screen_state.spoken(ui.game, text, mine=True)), unread=0)
    if ui.page is not None or not guest_of(ui).hides_log(ui):
        return ui
    return replace(ui, notice=(matches.remark(ui.game, ui.game.chat[-1]),))


def _noticed(ui: S, notice: Any) -> S:
    if not screen_state.is_news(ui.game, notice):
        return ui
    sentence = guest_of(ui).say(ui.game, notice)
    game = screen_state.noticed(ui.game, notice)
    if game.draw_offered and not ui.game.draw_offered:
        sentence = fill(screens.DRAW_WAITS, name=ui.game.opponent)
    ui = logged(ui, game)
    if isinstance(notice, Quiet):
        return ui
    # A word that comes while a question within a turn is asked must not hide it.
    asked = guest_of(ui).is_within_turn(ui.game)
    return replace(ui, notice=(sentence,), told=(sentence,) if asked else ui.told, sent=False)
