"""What opens over the board: questions, views, results that stay until they are looked at, and a look back.  Pure.

Only a yes answers a question; everything else loses nothing.  A look back shows what the player was told, message for
message (``Model.chronicle``); there is no other view of a match that is not over.  Meanwhile the match goes on: the
header says what is asked, and what happens waits to be looked at.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cli.console import messages, replay, screen_state
from cli.console.guest import guest_of
from cli.console.messages import Effect, Effects, NotUnderstood
from cli.console.render.replay import analysis_lines
from cli.console.render.spans import paragraphs
from cli.console.replay import Analyse, Analysis, Quit, Replay, Step, views_of
from cli.console.screen_state import Model, Page, Question, S, ScreenState
from cli.match.player import Next
from cli.notices import Quiet
from cli.text import clocks, matches, screens
from cli.vocabulary import NO, YES

_WHOLE = frozenset(word for word in YES if len(word) > 1)
"""What has to be typed where the match can be lost: the whole word."""


def ask(screen: S, then: Effect, severity: messages.Severity, lines: Iterable[str]) -> tuple[S, Effects]:
    """Return the model with a question above the board; nothing is done before a yes."""
    question = Question(then, severity, tuple(lines), guest_of(screen).read(screen).found.marks)
    return replace(without_page(screen), question=question, notice=()), (messages.SetLine(""),)


def agrees(question: Question, line: str) -> bool:
    """Return whether a line says yes to a question."""
    return line.strip().lower() in (_WHOLE if question.severity == messages.Severity.LAST else YES)


def is_answer(line: str) -> bool:
    """Return whether a line is a yes or a no, and nothing else."""
    return line.strip().lower() in YES | NO


def deed(question: Question) -> str:
    """Return what a yes does, as its words are found in :mod:`cli.text.screens`: leave, seal or send."""
    if question.then == messages.Control("leave"):
        return "leave"
    return "seal" if isinstance(question.then, messages.Seal) else "send"


def answer(screen: S, line: str) -> tuple[S, Effects]:
    """Return what a line does while a question is open: only a yes does anything."""
    question = screen.question
    assert question is not None
    if screen.page is not None and not line.strip():
        # A page that was opened meanwhile is left first, as it is elsewhere; the question waits below it.
        return without_page(screen), ()
    if guest_of(screen).words.exact.get(line.strip().lower(), line.strip()) in ("help", "?"):
        # Whoever does not know what is asked has not answered it.
        return replace(screen, notice=(str(screens.EXPLAINED),)), ()
    if not agrees(question, line):
        # A short yes is no mistake to start over for: it is only not enough where the match can be lost.
        whole = line.strip().lower() not in YES
        return refuse(screen) if whole else (replace(screen, notice=(str(screens.TYPE_YES),)), ())
    return do(replace(screen, question=None), question.then)


def refuse(screen: S) -> tuple[S, Effects]:
    """Return the model after a no; what was asked before is asked again, with the line that was typed there."""
    question = screen.question
    assert question is not None
    # A question that comes back says enough.
    notice = () if question.before is not None else (str(screens.DEEDS[deed(question)]["refusal"]),)
    return replace(without_page(screen), question=question.before, notice=notice), (messages.SetLine(question.line),)


def about_the_match(question: Question | None) -> Question | None:
    """Return what stays of an open question when nothing is asked of the player: what is about the match itself."""
    if question is None:
        return None
    before = about_the_match(question.before)
    return replace(question, before=before) if isinstance(question.then, messages.Control) else before


def do(screen: S, effect: Effect) -> tuple[S, Effects]:
    """Return the model after something is done that needs no further yes, and what is to be done."""
    if isinstance(effect, messages.Send | messages.Seal):
        first = screen.first and isinstance(effect, messages.Seal)
        screen = replace(guest_of(screen).give(screen, effect), sent=True, notice=(), first=first, page=None)
    return screen, (effect, messages.SetLine(""))


def offer(screen: S, line: str) -> tuple[S, Effects]:
    """Return the model with a line at the prompt that the console has made, to be gone on from."""
    return replace(screen, picked=line), (messages.SetLine(line),)


def without_page(screen: S) -> S:
    """Return the model without a page over the board."""
    return replace(screen, page=None, beneath=None, lines=(), scroll=0)


def is_chatting(screen: ScreenState) -> bool:
    """Return whether the prompt is that of the chat; what lies over it for a moment changes nothing."""
    return screen.page == Page.CHAT or (
        screen.page in (Page.RESULT, Page.OVER, Page.REPLAY) and screen.beneath == Page.CHAT
    )


def view_of(model: screen_state.Model) -> str:
    """Return the name of the player's own view."""
    return model.guest.seat_word(model.side)


def steps(model: screen_state.Model) -> tuple[Step, ...]:
    """Return what every message so far has done, each with the player's view after it; and an end without a move."""
    made = [
        Step(number, tuple(model.guest.tell(model, entry)), entry.events, entry.after)
        for number, entry in enumerate(model.entries)
    ]
    return (*made, *(replace(made[-1], lines=(one,), events=()) for one in matches.untold_end(model) if made))


def begin_replay(screen: S, at: int | None = None, *, draft: str = "") -> tuple[S, Effects]:
    """Return the console that looks back, at the last step or at another one; the draft is kept for later."""
    model = screen.match
    made = steps(model)
    if not made:
        return replace(screen, notice=(str(screens.NOTHING_YET),)), ()
    view = view_of(model)
    over = model.ending is not None
    looking_back = Replay(
        model.guest, _names(model), model.terms, {view: made}, view, live=True, over=over, analysis=screen.judged
    )
    shown = replay.go(looking_back, len(made) - 1 if at is None else at)
    beneath = Page.CHAT if is_chatting(screen) else None
    looking = replace(without_page(screen), page=Page.REPLAY, beneath=beneath, replay=shown, draft=draft, notice=())
    return looking, (messages.SetLine(""),)


def _names(model: screen_state.Model) -> dict[object, str]:
    return {side: str(screens.YOU) if side == model.side else model.opponent for side in model.guest.sides}


def press_in_replay(screen: S, key: str) -> tuple[S, Effects]:
    """Return the console after a key of the replay."""
    assert screen.replay is not None
    shown, wished = replay.press(screen.replay, key)
    if isinstance(wished, Quit):
        return end_replay(screen)
    return replace(screen, replay=shown), (messages.AnalyseMatch(),) if isinstance(wished, Analyse) else ()


def take_analysis(screen: S, found: Analysis) -> S:
    """Return the console with as much of the analysis as there is now; lines say it when it is complete."""
    if screen.judged is not None and found.is_complete:
        screen = replace(screen, judged=found)
    if screen.replay is not None:
        return replace(screen, replay=replay.analysed(screen.replay, found))
    if not screen.plain:
        return screen
    if not found.is_complete:
        return replace(screen, notice=())
    own = view_of(screen.match)
    guest = screen.match.guest
    called = {guest.seat_word(side): name for side, name in _names(screen.match).items()}
    told = analysis_lines(guest, screen.match.terms, found, views_of(guest)[own], called, own=own)
    return replace(screen, notice=tuple(told))


def end_replay(screen: S) -> tuple[S, Effects]:
    """Return the console at the present moment again, with the line as it was left."""
    return replace(without_page(screen), page=screen.beneath, replay=None, draft=""), (messages.SetLine(screen.draft),)


LOG_LINES = 10
"""How many lines the log shows when no number is given."""


def show_view(model: Model, what: str, args: Sequence[str]) -> list[str] | None:
    """Return what a view shows; None for a view of the game.

    Raises:
        NotUnderstood: it cannot be shown; the sentence says what was expected.
    """
    match what:
        case "log":
            return _log(model, _count(args))
        case "last":
            return last_lines(model)
        case "chat":
            return [matches.remark(model, said) for said in model.chat] or [str(screens.NO_CHAT)]
        case "notes":
            return [f"{place:2}  {note}" for place, note in sorted(model.notes)] or [str(screens.NO_NOTES)]
        case "clocks":
            return show_clocks(model)
        case "undo":
            return [str(screens.TAKEBACK)]
        case "table":
            return model.guest.table(model)
        case _:
            return None


def show_clocks(model: Model) -> list[str]:
    """Return what the clocks show."""
    return [str(clocks.NONE) if model.clocks is None else clocks.both(model.clocks, model.opponent)]


def last_lines(model: Model) -> list[str]:
    """Return what the last message did."""
    entries = model.entries
    return model.guest.tell(model, entries[-1]) if entries else [str(screens.NOTHING_YET)]


def _log(model: Model, count: int) -> list[str]:
    """Return the last lines of what happened and what was said, each message with its turn."""
    # A lesson asks for views, too, and has no log.
    from cli.console.guest import tell

    lines: list[str] = []
    for item in reversed(model.chronicle):
        if len(lines) >= count:
            break
        # What was proved follows each message; whoever hears the log need not hear it again.
        if not (isinstance(item, Quiet) and item.follows):
            lines[:0] = tell(model, item)
    return lines[-count:] or [str(screens.NOTHING_YET)]


def _count(args: Sequence[str]) -> int:
    """Return how many lines of the log are wanted."""
    word = args[0] if args else ""
    if not word:
        return LOG_LINES
    if word.isascii() and word.isdigit() and len(word) < 6 and int(word):
        return int(word)
    raise NotUnderstood(screens.no_number(word))


SHORT_ANSWER = 5
"""So many lines are shown below the board; a longer answer is a page of its own."""


def show(screen: S, lines: Iterable[str]) -> S:
    """Return the model with an answer, below the board or on a page of its own; plain lines say all of it."""
    if screen.plain:
        return replace(screen, notice=tuple(lines))
    rows = tuple(paragraphs(lines, screen.columns - 2))
    if len(rows) <= SHORT_ANSWER:
        return replace(screen, notice=rows)
    return replace(screen, page=Page.ANSWER, lines=rows, scroll=0)


def reject(screen: S, sentence: str) -> S:
    """Return the model after a line that does nothing, with the sentence that says what was expected."""
    return replace(screen, notice=(sentence,), rejected=screen.typed)


def open_page(screen: S, page: Page) -> S:
    """Return the model with a page, or without it when it was open."""
    if screen.page == page:
        return without_page(screen)
    unread = 0 if page in (Page.CHAT, Page.LOG) else screen.unread
    return replace(screen, page=page, lines=(), scroll=0, unread=unread)


def view(screen: S, command: messages.View) -> tuple[S, Effects]:
    """Return the model after somebody has looked something up, and what is to be done."""
    try:
        if screen.plain and command.what == "repeat":
            return screen, (messages.Repeat(),)
        own = None if screen.plain else _on_screen(screen, command)
        if own is not None:
            return own
        found: tuple[S, Effects] | Sequence[str] | None = show_view(screen.match, command.what, command.args)
        if found is None:
            found = guest_of(screen).look(screen, command)
    except NotUnderstood as refused:
        return reject(screen, str(refused)), ()
    return found if isinstance(found, tuple) else (show(screen, found), ())


def _on_screen(screen: S, command: messages.View) -> tuple[S, Effects] | None:
    """Return what the full screen shows in a way of its own, or None."""
    what, args = command.what, command.args
    match what:
        case "board" | "undo":
            notice = () if what == "board" else tuple(show_view(screen.match, what, ()) or ())
            return replace(without_page(screen), notice=notice), ()
        case "help" if args:
            return None
        case "log" if args:
            show_view(screen.match, what, args)
            return open_page(screen, Page.LOG), ()
        case "help" | "units" | "table" | "log" | "chat" | "notes":
            return open_page(screen, Page(what)), ()
        case "replay":
            count = len(screen.match.entries)
            return begin_replay(screen, messages.step_of(args[0], count) if args and count else None)
        case "repeat":
            return show(screen, last_lines(screen.match)), ()
        case _:
            return None


UNDISTURBED = (Page.RESULT, Page.REPLAY)
"""Pages that stay when something has happened; what has to be seen follows them."""
_ROOM = 5
"""Rows of the window that a page of results does not have."""


def add_result(screen: S, told: tuple[str, ...]) -> S:
    """Return the model with something to look at: on the page that is shown while it has room, else on the next."""
    both = (*screen.lines, *told)
    left, top = guest_of(screen).news_place(screen)
    fits = len(paragraphs(both, screen.columns - left - 2)) <= screen.rows - top - _ROOM
    if screen.page == Page.RESULT and not screen.results and fits:
        return replace(screen, lines=both)
    screen = replace(screen, results=(*screen.results, told))
    return screen if screen.page in UNDISTURBED else turn_over(screen)


def turn_over(screen: S) -> S:
    """Return the model with the first result that was not looked at."""
    first, rest = screen.results[0], screen.results[1:]
    over = screen.match.ending is not None and not rest
    beneath = Page.CHAT if is_chatting(screen) else None
    page = Page.OVER if over else Page.RESULT
    return replace(screen, page=page, beneath=beneath, lines=first, results=rest, scroll=0)


def end_again(screen: S) -> S:
    """Return the model with the end of the match where a page over it was closed: behind it there is nothing to do."""
    if screen.match.ending is None or screen.page is not None or screen.question is not None or screen.results:
        return screen
    return replace(screen, page=Page.OVER, lines=tuple(matches.over(screen.match, screen.match.ending)), scroll=0)


def close_result(screen: S, choice: Next) -> tuple[S, Effects]:
    """Return the model after the end was looked at, and something was chosen; the first choice counts."""
    return (screen, ()) if screen.next is not None else (replace(screen, next=choice), (messages.Close(choice),))


def go_on(screen: S) -> tuple[S, Effects]:
    """Return the model after a result was looked at."""
    if screen.results:
        return turn_over(screen), ()
    if screen.page == Page.OVER:
        return close_result(screen, Next.LEAVE)
    back = without_page(screen)
    return (open_page(back, screen.beneath) if screen.beneath is not None else back), ()
