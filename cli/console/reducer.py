"""The model after something has happened, and what is to be done.  Pure: no clock, no chance, no input or output.

What a key or a click does to what is shown stands here, too; every key has a word at the prompt.
"""

from dataclasses import replace

from cli import notices
from cli.clean import clean
from cli.console import lines, messages, pages, screen_state
from cli.console.guest import guest_of, tell, word_of
from cli.console.messages import ChangeConsole, Clicked, Effects, Event, SetLine, Severity, View
from cli.console.pages import is_chatting, without_page
from cli.console.render.screen import furthest, is_chat_seen
from cli.console.replay import Analysis
from cli.console.screen_state import LEAST_COLUMNS, LEAST_ROWS, M, Model, Page, S
from cli.match.player import Asked, Ended, Ending, Happened, Heard, Noticed, Placed, Resumed, Seated
from cli.text import analyses, matches, screens
from cli.text.wording import fill
from protocol.core.events import BreakProposed, Claimed, DrawOffered, OtherLeft, RematchDeclined, RematchOffered

MOST_LOG = 5000
MOST_QUOTED = 30
"""So many characters of a refused line are quoted."""


def update(screen: S, event: Event) -> tuple[S, Effects]:
    """Return the model after an event, and what is to be done."""
    by_hand = isinstance(event, messages.Entered | messages.Key | messages.Clicked) or (
        isinstance(event, messages.Typed) and event.by_hand
    )
    if by_hand and screen.motion is not None:
        behind, screen = screen.revealing, replace(screen, motion=None)
        if behind and not isinstance(event, messages.Typed):
            # The key has ended what was seen; the page behind it is still to be read.
            return screen, ()
    if screen.unread and by_hand and is_chat_seen(screen):
        # The lines stand in the log below the board, and the player is there.
        screen = replace(screen, unread=0)
    after, effects = _updated(screen, event)
    if after.thinking and (
        after.question is not None or not after.awaited or after.match.state is not screen.match.state
    ):
        # What it was to be about is decided, or was another question.
        after = replace(after, thinking=False)
    if screen.plain:
        # What was said needs no page that stays.
        return replace(without_page(after), results=()), effects
    after = pages.end_again(after)
    if is_chatting(after) == is_chatting(screen):
        return after, effects
    # A line that was begun on the board is never said to the other side, and one that was begun there never a command.
    line = "" if after.question is not None and after.question is not screen.question else after.aside
    return replace(after, aside=after.typed), (*effects, messages.SetLine(line))


def _updated(screen: S, event: Event) -> tuple[S, Effects]:
    match event:
        case messages.Resized():
            return _resized(screen, event)
        case messages.Typed():
            return _typed(screen, event)
        case messages.Entered():
            if screen.page in (Page.RESULT, Page.OVER):
                return _looked(screen, "enter")
            if screen.match.ending is not None:
                if screen.page is Page.CHAT and event.text.strip():
                    return lines.take(screen, event.text)
                # On the screen keys choose; a line leads back to the end.
                return lines.at_the_end(screen, event.text) if screen.plain else (without_page(screen), ())
            return _after(*_quoted(*lines.take(replace(screen, picked=""), event.text)))
        case messages.Key():
            return _after(*press(screen, event.name))
        case messages.Clicked():
            return _after(*click(screen, event))
        case messages.Stepped():
            return (screen if screen.motion is None else replace(screen, motion=screen.motion.next)), ()
        case messages.Slowed():
            return lines.move(replace(screen, motion=None), moving=False, told=str(screens.TOO_SLOW))
        case messages.Rolled():
            return guest_of(screen).roll(screen, event.seed, hint=event.hint)
        case messages.Refused():
            if isinstance(event.effect, messages.AnalyseMatch):
                wanted = screen.plain or screen.replay is not None
                screen = replace(screen, judged=None)
                if not wanted:
                    return screen, ()
            # What could not be said stands at the prompt again.
            unsaid = (
                event.effect.text if isinstance(event.effect, messages.Control) and screen.page == Page.CHAT else ""
            )
            effects = (messages.SetLine(unsaid),) if unsaid else ()
            return replace(screen, notice=(clean(event.sentence),), sent=False), effects
        case messages.Done(effect=messages.Control(word="differ")):
            return _done(screen, event), (messages.KeepNotes(same=False),)
        case messages.Done():
            return _done(screen, event), ()
        case messages.Analysed(found=analysis):
            return pages.take_analysis(screen, analysis), ()
        case messages.Advised(found=found):
            return (lines.take_hint(screen, found) if screen.thinking else screen), ()
        case _:
            return _session(screen, event)


def _done(screen: S, event: messages.Done) -> S:
    """Return the model after something that was wanted is done."""
    match event.effect:
        case messages.Control(word="say", text=text):
            return spoke(replace(screen, notice=()), text, mine=True)
        case messages.Control(word=word):
            model, sentence = lines.control_used(word, screen.match, told_anyway=event.told_anyway)
            return replace(logged(screen, model), notice=(sentence,) if sentence else ())
        case messages.KeepSetup(name=name):
            return replace(screen, notice=(fill(screens.SAVED, name=name),))
        case messages.ChooseLanguage():
            return replace(screen, notice=(str(screens.SPOKEN),))
        case _:
            return screen


def _typed(screen: S, event: messages.Typed) -> tuple[S, Effects]:
    """Return the model with another line at the prompt.

    What the player types behind a line that the console has put there, and what does not belong to it, takes its place:
    nobody should have to clear what a look at the board has left.
    """
    if screen.typed == event.text:
        return screen, ()
    more = event.text.removeprefix(screen.picked) if event.by_hand and screen.picked else event.text
    effects: Effects = ()
    text, picked = event.text, screen.picked if event.text.startswith(screen.picked) else ""
    if more != event.text and not guest_of(screen).goes_on(screen, more):
        text, picked = more.lstrip(), ""
        effects = (messages.SetLine(text),)
    screen = replace(screen, typed=text, picked=picked)
    # What is typed goes on from the last answer; what the console puts there does not hide it.
    return _read(replace(screen, notice=(), rejected="") if text and event.by_hand else screen), effects


def _after(screen: S, effects: Effects) -> tuple[S, Effects]:
    """Return the same with the meaning of the line brought up to date."""
    return _read(screen), effects


def _quoted(screen: S, effects: Effects) -> tuple[S, Effects]:
    """Return the same with a refused line quoted above the reason: the prompt is empty again, and Up brings it back."""
    if not screen.rejected or screen.plain or screen.page == Page.CHAT:
        return screen, effects
    line = screen.rejected if len(screen.rejected) <= MOST_QUOTED else screen.rejected[: MOST_QUOTED - 3] + "..."
    return replace(screen, notice=(fill(screens.NOT_DONE, line=line), *screen.notice)), effects


def _read(screen: S) -> S:
    return guest_of(screen).read(screen)


def _resized(screen: S, event: messages.Resized) -> tuple[S, Effects]:
    if event.columns < LEAST_COLUMNS or event.rows < LEAST_ROWS:
        return screen, (
            messages.ChangeConsole(screens.too_small(event.columns, event.rows, LEAST_COLUMNS, LEAST_ROWS)),
        )
    return replace(screen, columns=event.columns, rows=event.rows), ()


def _session(screen: S, event: Event) -> tuple[S, Effects]:
    match event:
        case Seated():
            # Words to compare must not scroll away unseen.  They come first, because what does not fit is cut.
            unseen = screen.match.words and not screen.match.compared
            return replace(screen, notice=(*screen.log[-1:], *screen.log[:-1]) if unseen else ()), ()
        case Placed():
            # What was placed at another console stays.
            return guest_of(screen).place(replace(screen, sent=False)), (messages.Ring(str(screens.CALL_SETUP)),)
        case Asked():
            return _asked(screen, event)
        case messages.Settled():
            question = pages.about_the_match(screen.question)
            settled = replace(
                screen, match=replace(screen.match, deciding=False), placing=None, question=question, sent=False
            )
            return _read(guest_of(screen).settle(settled)), ()
        case Resumed():
            return _read(_resumed(screen, event)), ()
        case messages.TakenOver():
            return _taken_over(screen, event)
        case Happened():
            return _read(_happened(screen, event)), ()
        case Heard():
            return _heard(screen, event.text)
        case Noticed(notice=notice):
            after = _noticed(screen, notice)
            calls = after is not screen and not isinstance(notice, notices.Quiet | notices.Passing)
            urgent = isinstance(notice, notices.TimeShort)
            return after, (messages.Ring(" ".join(after.notice), urgent),) if calls else ()
        case Ended():
            return _ended(screen, event.ending)
        case _:
            return screen, ()


def _ended(screen: S, ending: Ending) -> tuple[S, Effects]:
    model = replace(screen.match, ending=ending, draw_offered=False)
    told = tuple(matches.over(model, ending))
    screen = replace(screen, match=model, question=None, notice=(), results=(*screen.results, told))
    effects: Effects = (messages.Ring(told[0]),)
    if ending.winner and ending.log and guest_of(screen).adviser is not None and not screen.plain:
        screen, effects = replace(screen, judged=Analysis((), total=1)), (*effects, messages.AnalyseMatch())
    return (screen if screen.page in pages.UNDISTURBED else pages.turn_over(screen)), effects


def _asked(screen: S, event: Asked) -> tuple[S, Effects]:
    question = pages.about_the_match(screen.question)
    screen = replace(
        screen, match=replace(screen.match, state=event.state, deciding=True), sent=False, question=question
    )
    # A line that came too early can be brought back, but what was said of it is true no longer.
    notice = () if screen.rejected else screen.notice
    screen = replace(screen, notice=notice, told=notice)
    call = fill(screens.CALL_MOVE, name=screen.match.opponent)
    return _read(guest_of(screen).ask(screen)), () if screen.match.computer else (messages.Ring(call),)


def _resumed(screen: S, event: Resumed) -> S:
    """Return the model of a match that goes on: the log is there, and nothing of it is news."""
    model = screen_state.resumed(screen.match, event.past, event.state, event.said)
    told = [line for item in model.chronicle for line in tell(model, item)]
    notice = (matches.resumed(model), *matches.still(model))
    return replace(screen, match=model, log=(*screen.log, *told)[-MOST_LOG:], first=False, again=True, notice=notice)


def _taken_over(screen: S, event: messages.TakenOver) -> tuple[S, Effects]:
    """Return the console with a match that another one has shown so far; what is set here and not asked stays."""
    model = replace(event.model, deciding=False)
    begun = replace(screen, match=replace(model, chronicle=()), log=tuple(matches.seated(model)))
    shown = logged(begun, model)
    clear = replace(
        shown, page=None, beneath=None, aside="", lines=(), scroll=0, unread=0, notice=(), told=(), rejected="",
        question=None, placing=None, results=(), sent=False, replay=None, motion=None, draft="", typed="",
        picked="", first=screen.first and not model.entries, again=True,
    )  # fmt: skip
    clear = guest_of(screen).settle(clear)
    for entry in model.entries:
        clear, _ = guest_of(screen).follow(clear, entry, caused=False)
    clear = replace(clear, motion=None)
    effects: Effects = (messages.SetLine(""),)
    if model.ending is None:
        return _read(clear), effects
    over, more = _ended(clear, model.ending)
    return over, (*effects, *more)


def logged(screen: S, model: screen_state.Model) -> S:
    """Return the console with another model of the match, whose news is in the log."""
    news = [line for item in model.chronicle[len(screen.match.chronicle) :] for line in tell(model, item)]
    return replace(screen, match=model, log=(*screen.log, *news)[-MOST_LOG:])


def _happened(screen: S, event: Happened) -> S:
    caused = screen.sent
    model = screen_state.happened(screen.match, event.events, event.state)
    screen = replace(logged(screen, model), sent=False if event.events else screen.sent)
    if not event.events:
        return screen
    entry = model.entries[-1]
    told = guest_of(screen).tell(model, entry)
    # What is read of the log stays where it is.
    grown = len(told) if screen.page == Page.LOG and screen.scroll else 0
    screen = replace(screen, again=False, scroll=screen.scroll + grown)
    if screen.replay is not None:
        # There is a step more to look back to; the one that is looked at stays.
        stepped = replace(screen.replay, steps={pages.view_of(model): pages.steps(model)})
        screen = replace(screen, replay=stepped)
    screen, stays = guest_of(screen).follow(screen, entry, caused=caused)
    return pages.add_result(screen, tuple(told)) if stays else screen


def _heard(screen: S, text: str) -> tuple[S, Effects]:
    if screen.match.muted:
        return screen, ()
    # What calls the player may read markup: the words of the other stay here.
    return spoke(screen, text, mine=False), (messages.Ring(matches.wrote(screen.match.opponent)),)


def spoke(screen: S, text: str, *, mine: bool) -> S:
    """Return the model after somebody has said something; who answers has seen what was said."""
    unread = 0 if mine else screen.unread + (screen.page not in (Page.CHAT, Page.LOG))
    screen = replace(logged(screen, screen_state.spoken(screen.match, text, mine=mine)), unread=unread)
    if screen.page is not None or not guest_of(screen).hides_log(screen):
        return screen
    # The setup has no log on its screen.
    return replace(screen, notice=(matches.remark(screen.match, screen.match.chat[-1]),))


def _noticed(screen: S, notice: object) -> S:
    if not is_news(screen.match, notice):
        return screen
    sentence = guest_of(screen).say(screen.match, notice)
    model = noticed(screen.match, notice)
    if model.draw_offered and not screen.match.draw_offered:
        sentence = fill(screens.DRAW_WAITS, name=screen.match.opponent)
    screen = logged(screen, model)
    if isinstance(notice, notices.Quiet):
        return screen
    # A word that comes while a question within a turn is asked must not hide it.
    asked = guest_of(screen).is_within_turn(screen.match)
    return replace(screen, notice=(sentence,), told=(sentence,) if asked else screen.told, sent=False)


def is_news(model: Model, notice: object) -> bool:
    """Return whether the player need know: before a match has begun a second line is looked for while one serves."""
    return model.state is not None or model.line_down or not isinstance(notice, notices.LineTried | notices.LineBack)


def noticed(model: M, notice: object) -> M:
    """Return the model after something has happened beside the game."""
    if not isinstance(notice, notices.Passing):
        model = replace(model, chronicle=(*model.chronicle, notice))
    elif isinstance(notice, notices.Quiet):
        return replace(model, progress=notice)
    if isinstance(notice, notices.LineLost | notices.LineBack):
        return replace(
            model, line_down=isinstance(notice, notices.LineLost), rematch_offered=False, rematch_wanted=False
        )
    if isinstance(notice, notices.NextGame):
        return replace(model, next_game=notice.place)
    if isinstance(notice, RematchOffered):
        return replace(model, rematch_offered=True)
    if isinstance(notice, RematchDeclined):
        return replace(model, rematch_wanted=False, rematch_refused=True)
    if isinstance(notice, OtherLeft | notices.RematchFailed):
        gone = isinstance(notice, OtherLeft)
        return replace(model, other_left=gone, line_down=not gone, rematch_offered=False, rematch_wanted=False)
    if isinstance(notice, notices.DrawNotice):
        return replace(model, draw_offered=isinstance(notice, DrawOffered))
    if isinstance(notice, notices.BreakNotice):
        return replace(model, break_offered=isinstance(notice, BreakProposed))
    if isinstance(notice, notices.Claimable):
        return replace(model, claimable=True)
    return replace(model, claimed=True) if isinstance(notice, Claimed) else model


_SCROLLS = frozenset({"pageup", "pagedown", "wheelup", "wheeldown"})
LETTERS = {"a": "again", "d": "decline", "g": "next", "r": "rematch"}
"""The words that one letter says at the end of a match."""
PAGE_STEP = 10
"""Lines that PgUp and PgDn move."""


def press(screen: S, name: str) -> tuple[S, Effects]:
    """Return the model after a key, and what is to be done."""
    if screen.page in (Page.RESULT, Page.OVER):
        return _looked(screen, name)
    if screen.page == Page.REPLAY:
        return _looking_back(screen, name)
    if name == "escape" and screen.page == Page.CHAT and screen.rejected:
        return _taken_along(screen), ()
    screen = replace(screen, rejected="")
    word = word_of(screen.match.guest, name)
    if word is not None:
        return _called(screen, word) if screen.match.ending is None else _at_the_end(screen, name)
    match name:
        case "mouse":
            return lines.mouse(screen), ()
        case "escape":
            return _escape(screen)
        case "pageup" | "pagedown" | "wheelup" | "wheeldown":
            return _scrolled(screen, name), ()
        case _:
            return guest_of(screen).press(screen, name)


def _called(screen: S, word: str) -> tuple[S, Effects]:
    """Return what the function key of a command does; it keeps the line that is typed."""
    match word:
        case "plain":
            return screen, (ChangeConsole(str(screens.AS_ASKED)),)
        case "bye":
            return lines.leave(screen)
        case "replay":
            return pages.begin_replay(screen, draft=screen.typed)
        case _:
            # The key is labelled with a word that may be typed, and that need not be the canonical one.
            return pages.view(screen, View(guest_of(screen).words.exact.get(word, word)))


def _at_the_end(screen: S, name: str) -> tuple[S, Effects]:
    """Return the model after a key when the match is over: what can still be looked at."""
    if name in LETTERS:
        return lines.choose(screen, LETTERS[name])
    if name == "/" and not screen.match.computer:
        # Whoever types /hello here wants to talk; the Enter behind it would leave.
        return pages.view(screen, View("chat"))
    match word_of(screen.match.guest, name, over=True):
        case None:
            return screen, ()
        case "menu":
            return lines.choose(screen, "menu")
        case "replay":
            return pages.begin_replay(screen)
        case word:
            return _called(screen, word)


def _looked(screen: S, name: str) -> tuple[S, Effects]:
    """Return the model after a key at a result: it goes on; the end is left by Enter, Escape and F10 alone.

    The end comes while something is typed, and the next letter must not close what nobody has read yet.
    """
    if name in _SCROLLS:
        return _scrolled(screen, name), ()
    if name == "enter" and screen.page == Page.OVER and screen.match.rematch_wanted:
        # Whoever types r as a word takes the offer back by nothing but Escape.
        return screen, ()
    if screen.page == Page.RESULT or name in ("enter", "escape"):
        return pages.go_on(screen)
    return _at_the_end(screen, name)


def _looking_back(screen: S, name: str) -> tuple[S, Effects]:
    """Return the console after a key while the match is looked back at; another page or question ends it."""
    if name == "mouse":
        return lines.mouse(screen), ()
    draft = screen.draft
    if not (name.startswith("f") and name[1:].isdigit()):
        screen, effects = pages.press_in_replay(screen, name)
    else:
        screen, effects = pages.end_replay(screen)
    if screen.page == Page.REPLAY:
        return screen, effects
    if screen.results:
        return pages.turn_over(screen), effects
    word = word_of(screen.match.guest, name)
    if name in ("escape", "q") or word == "replay" or (word == "chat" and screen.page == Page.CHAT):
        return screen, effects
    after, more = press(replace(screen, typed=draft), name)
    return after, (*effects, *more)


def _escape(screen: S) -> tuple[S, Effects]:
    """Return the model a step back: line, page, question, notice.  It never does anything.

    At the question itself it says no at once, whatever is typed; a page that lies over the question goes first.
    """
    if screen.question is not None and screen.page is None:
        return pages.refuse(screen)
    if screen.question is not None and screen.page != Page.CHAT:
        return without_page(screen), ()
    if screen.typed:
        return screen, (SetLine(""),)
    if screen.thinking:
        return replace(screen, thinking=False, notice=(str(analyses.HINT_STOPPED),)), ()
    if screen.page is not None:
        return without_page(screen), ()
    return guest_of(screen).clear(replace(screen, notice=())), ()


def _taken_along(screen: S) -> S:
    """Return the board after the chat page did not say a line; it goes along, unless another one is begun there."""
    return replace(without_page(screen), typed="", aside=screen.aside or screen.rejected, rejected="", notice=())


def _scrolled(screen: S, name: str) -> S:
    step = PAGE_STEP if name.startswith("page") else 3
    up = name.endswith("up")
    if screen.page is None:
        # The log below the board goes back in time.
        most = max(0, len(screen.log) - 1)
        return replace(screen, scroll=min(most, max(0, screen.scroll + (step if up else -step))))
    back = screen.page in (Page.LOG, Page.CHAT)
    change = step if up == back else -step
    # Past the end nothing counts on, and the end comes nearer when the window grows.
    most = furthest(screen)
    return replace(screen, scroll=min(most, max(0, min(most, screen.scroll) + change)))


def click(screen: S, event: Clicked) -> tuple[S, Effects]:
    """Return the model after a click, and what is to be done."""
    kind, _, rest = event.what.partition(" ")
    if kind == "key" or screen.page in (Page.RESULT, Page.OVER):
        return press(screen, rest if kind == "key" else "any")
    match kind:
        case "send":
            screen, effects = _send(screen)
        case "no":
            screen, effects = pages.refuse(screen)
        case "word":
            screen, effects = lines.take(screen, rest)
        case "choose":
            screen, effects = pages.offer(screen, rest)
        case _:
            screen, effects = guest_of(screen).click(screen, kind, rest, right=event.right)
    # What was clicked is no line that could be brought back.
    return replace(screen, rejected=""), effects


def _send(screen: S) -> tuple[S, Effects]:
    if screen.question is None:
        return lines.take(screen, screen.typed)
    # What loses the game needs the typed word.
    return (screen, ()) if screen.question.severity == Severity.LAST else pages.answer(screen, "yes")
