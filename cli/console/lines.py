"""What a finished line does: an action, a question before it, something to look at, a word about the match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cli.clean import clean
from cli.console import messages, pages, screen_state
from cli.console.analysis import Candidate
from cli.console.guest import guest_of
from cli.console.messages import (
    Act,
    Advise,
    Command,
    Control,
    Effects,
    NotUnderstood,
    NotYet,
    Roll,
    Severity,
    SubmitMode,
    sent_at_once,
)
from cli.console.pages import ask, do, reject, show, without_page
from cli.console.screen_state import M, Model, Page, S, ScreenState, Suggestion
from cli.match.player import Controls, Next
from cli.runtime.console import now
from cli.text import advice, analyses, clocks, matches, screens, typed
from cli.text.wording import Lazy, fill
from cli.vocabulary import SWITCHES, fold
from protocol.core.messages import Break

if TYPE_CHECKING:
    from protocol.core.side_channel import SideChannel


def ask_hint(ui: S) -> tuple[S, Effects]:
    """Return the console while the computer thinks, or with the sentence that says why it gives no hint."""
    why = _why_not(ui)
    if why is not None:
        return replace(ui, notice=(str(why),)), ()
    if ui.setting_up:
        # No rating of setups needs time; which one is proposed is left to chance, or the opponent could know it, too.
        return ui, (Roll(hint=True),)
    told = advice.thinking(ui.settings.hint_seconds, plain=ui.plain)
    return replace(ui, thinking=True, notice=(told,)), (Advise(),)


def _why_not(ui: ScreenState) -> Lazy | None:
    if guest_of(ui).adviser is None:
        return advice.NO_ADVICE
    if not ui.game.aids:
        return advice.NOT_AGREED
    return None if ui.awaited else advice.NOTHING_ASKED


def take_hint(ui: S, found: Sequence[Candidate]) -> S:
    """Return the console with the hint."""
    guest = guest_of(ui)
    assert guest.adviser is not None, "a hint comes from somebody"
    return show(replace(ui, thinking=False), advice.hint(found, guest.name_action, guest.adviser.reason))


def stop_hint(ui: S) -> S:
    """Return the console when the player waits no longer."""
    return replace(ui, thinking=False, notice=(str(advice.STOPPED),))


Sentence = Callable[[Model], str | Lazy]


def _nothing(game: Model) -> str:
    del game
    return ""


@dataclass(frozen=True, slots=True)
class MatchWord:
    """What a word about the match does."""

    use: Callable[[SideChannel, float], bool | None]
    """Says it, at a time of our clock; returns True where what follows will be told anyway: nothing is said here."""
    asks: Sentence = _nothing
    """What is asked before, where something could be lost by it; only the whole word ``yes`` does it then."""
    says: Sentence = _nothing
    """What is said after it, and stands in the log."""
    after: Callable[[Any], Any] = lambda game: game
    """What is known after it."""
    ends: bool = False
    """The match ends by it."""


def _proposal(what: Break) -> MatchWord:
    def says(game: Model) -> str:
        return clocks.proposal_sent(game.opponent, what, clock=game.clocks is not None)

    return MatchWord(lambda channel, now: channel.propose_or_agree(what, now=now), says=says)


def _offer_rematch(channel: SideChannel, now: float) -> None:
    # Lessons have a console, too, and nothing that is secret.
    from secrets import token_bytes

    channel.afterwards.offer(token_bytes(32))


_WORDS: Final[Mapping[str, MatchWord]] = {
    "rematch": MatchWord(
        _offer_rematch, says=lambda game: matches.rematch_wanted(game), after=screen_state.wanted_rematch
    ),
    "decline rematch": MatchWord(
        lambda channel, now: channel.afterwards.decline(),
        says=lambda game: matches.rematch_declined(game.opponent),
        after=screen_state.answered_rematch,
    ),
    "resign": MatchWord(lambda channel, now: channel.resign(now=now), asks=lambda game: screens.GIVE_UP, ends=True),
    "draw": MatchWord(
        lambda channel, now: channel.offer_draw(now=now),
        asks=lambda game: screens.OFFER_DRAW,
        says=lambda game: matches.draw_sent(game.opponent),
    ),
    "accept": MatchWord(
        lambda channel, now: channel.accept_draw(now=now),
        asks=lambda game: screens.ACCEPT_DRAW,
        after=screen_state.answered_draw,
        ends=True,
    ),
    "decline": MatchWord(
        lambda channel, now: channel.decline_draw(now=now),
        says=lambda game: matches.draw_declined(game.opponent),
        after=screen_state.answered_draw,
    ),
    "pause": _proposal(Break.PAUSE),
    "adjourn": _proposal(Break.ADJOURNMENT),
    "accept break": MatchWord(lambda channel, now: channel.agree(now=now), after=screen_state.answered_break),
    "decline break": MatchWord(
        lambda channel, now: channel.reject(now=now),
        says=lambda game: clocks.DECLINED,
        after=screen_state.answered_break,
    ),
    "continue": MatchWord(lambda channel, now: channel.go_on(now=now)),
    "claim": MatchWord(
        lambda channel, now: channel.claim(now=now),
        asks=lambda game: clocks.claim_question(game.opponent),
        says=lambda game: clocks.CLAIM_SENT,
    ),
    "concede": MatchWord(
        lambda channel, now: channel.concede(now=now),
        asks=lambda game: clocks.CONCEDE,
        after=screen_state.answered_claim,
        ends=True,
    ),
    "deny": MatchWord(
        lambda channel, now: channel.deny(now=now), says=lambda game: clocks.DENIED, after=screen_state.answered_claim
    ),
    "leave": MatchWord(lambda channel, now: None, says=lambda game: matches.left(), ends=True),
}


def why_refused(word: str, game: Model) -> str:
    """Return why a word has nothing to answer now, so that nobody is asked for a yes to nothing; else nothing."""
    if word in ("accept", "decline") and not (game.draw_offered or game.break_offered):
        return clocks.answer_claim(game.opponent) if game.claimed else str(screens.NO_OFFER)
    if word == "claim" and not game.claimable:
        return clocks.refused("nothing_to_claim", "")
    return clocks.refused("no_offer", "") if word in ("concede", "deny") and not game.claimed else ""


def control_row(word: str, game: Model) -> MatchWord:
    """Return what a word does; ``accept`` and ``decline`` answer what is offered: a draw, a break, or a rematch."""
    if word in ("accept", "decline") and game.ending is not None:
        word = "rematch" if word == "accept" else "decline rematch"
    elif word in ("accept", "decline") and game.break_offered and not game.draw_offered:
        word = f"{word} break"
    return _WORDS[word]


def use_control(effect: Control, game: Model, controls: Controls) -> bool:
    """Use a control; return whether what follows will be told anyway.

    Raises:
        LocalProtocolError: it cannot be used.
    """
    if effect.word == "say":
        controls.channel.chat(effect.text)
    elif effect.word == "leave":
        controls.leave()
    else:
        return control_row(effect.word, game).use(controls.channel, now()) is True
    return False


def control_used(word: str, game: M, *, told_anyway: bool) -> tuple[M, str]:
    """Return what is known after a control was used, and what there is to say about it, or nothing."""
    done = control_row(word, game)
    said = "" if told_anyway else str(done.says(game))
    # That the player has left is no news of the match.
    return (game if word == "leave" else screen_state.acted(done.after(game), said)), said


AFTERWARDS = ("again", "rematch", "analyse", "menu", "bye")
"""Words that choose what comes after a match."""


def take(ui: S, line: str) -> tuple[S, Effects]:
    """Return the model after a finished line, and what is to be done."""
    if ui.page == Page.CHAT:
        return _say(ui, line)
    if ui.question is not None:
        return _answer(ui, line)
    typed = clean(line)
    ui = guest_of(ui).clear(replace(ui, notice=(), rejected="", thinking=False))
    if not typed:
        return _empty(ui)
    # A question about the line keeps what the line marks on the board.
    ui, effects = _take(replace(ui, typed=typed), typed)
    return replace(ui, typed=""), effects


def choose(ui: S, word: str) -> tuple[S, Effects]:
    """Return the model after somebody has chosen what comes after the match: again, rematch, menu or bye."""
    if word == "menu":
        return pages.close_result(ui, Next.MENU)
    if word == "bye":
        return pages.close_result(ui, Next.LEAVE)
    if word == "analyse":
        return _analyse(ui)
    if word in ("accept", "decline") and not ui.game.rematch_offered:
        return reject(ui, end_words(ui)), ()
    if ui.game.computer:
        return pages.close_result(ui, Next.AGAIN)
    if word == "again":
        return reject(ui, str(screens.NO_COMPUTER)), ()
    if ui.game.other_left:
        return reject(ui, fill(screens.OTHER_GONE, name=ui.game.opponent)), ()
    return replace(ui, notice=()), (messages.Control(word),)


def at_the_end(ui: S, line: str) -> tuple[S, Effects]:
    """Return the model after a finished line when the match is over: there is talk, much to look at, and what next."""
    typed = clean(line)
    ui = replace(ui, notice=(), rejected="")
    if not typed:
        return ui, ()
    try:
        command = guest_of(ui).parse(typed, None, ui.game.side, setting_up=False)
    except NotUnderstood as refused:
        return reject(ui, end_words(ui) if isinstance(refused, NotYet) else str(refused)), ()
    match command:
        case messages.Match(what=word) if word in AFTERWARDS:
            return choose(ui, word)
        case messages.Match(what=("accept" | "decline") as word):
            return choose(ui, word)
        case messages.Act() | messages.Own():
            return reject(ui, end_words(ui)), ()
        case messages.Match(what=word) if word not in ("mute", "plain", "full"):
            return reject(ui, end_words(ui)), ()
        case _:
            return _obey(ui, command)


def end_words(ui: S) -> str:
    """Return what can be typed at the end of the match."""
    known = guest_of(ui).words
    words = ["again" if ui.game.computer else "rematch", "replay", "analyse", "menu"]
    if guest_of(ui).analyst is None:
        words.remove("analyse")
    return fill(screens.END_WORDS, words=", ".join(map(known.say, words)))


def _analyse(ui: S) -> tuple[S, Effects]:
    """Return the model while the computer judges the decisions of the match, which plain lines say when it is done."""
    if guest_of(ui).analyst is None:
        return reject(ui, str(analyses.NO_ANALYSIS)), ()
    return replace(ui, judging=True, notice=(str(analyses.WORKING),)), () if ui.judging else (messages.AnalyseMatch(),)


def _say(ui: S, line: str) -> tuple[S, Effects]:
    """Return the model after a finished line of the chat page, and what is to be done."""
    typed = clean(line)
    ui = replace(ui, notice=(), rejected="")
    if typed.startswith("/"):
        typed = typed[1:].strip()
    elif guest_of(ui).reads_like_a_move(ui, typed):
        return replace(ui, notice=(str(screens.READS_LIKE_A_MOVE),), rejected=typed), (messages.SetLine(line),)
    return ui, ((messages.Control("say", typed),) if typed else ())


def _answer(ui: S, line: str) -> tuple[S, Effects]:
    """Return the model after a line at an open question."""
    answered, effects = pages.answer(ui, line)
    if not ui.plain or answered.question is not None or pages.is_answer(line):
        return answered, effects
    # In plain lines another command is a no, and is obeyed.
    after, more = take(answered, line)
    return replace(after, notice=(*answered.notice, *after.notice)), (*effects, *more)


def _take(ui: S, typed: str) -> tuple[S, Effects]:
    own = None if ui.plain else _console_word(ui, typed)
    if own is not None:
        return own
    try:
        command = _parse(ui, typed)
    except NotUnderstood as refused:
        return guest_of(ui).lead_on(ui, typed) or (reject(ui, str(refused)), ())
    return _obey(ui, command)


def _parse(ui: S, typed: str) -> Command:
    state = ui.game.state if ui.awaited and not ui.setting_up else None
    return guest_of(ui).parse(typed, state, ui.game.side, setting_up=ui.setting_up)


def _empty(ui: S) -> tuple[S, Effects]:
    """Return what Enter does without a line: it closes a page, or what the game has for it."""
    if ui.page is not None:
        return without_page(ui), ()
    if ui.plain:
        return ui, ()
    return guest_of(ui).enter(ui)


def _obey(ui: S, command: Command) -> tuple[S, Effects]:
    match command:
        case Act():
            return act(ui, command)
        case messages.View():
            return pages.view(ui, command)
        case messages.Talk(text=""):
            return replace(ui, notice=(str(typed.NOTHING_SAID),)), ()
        case messages.Talk():
            return ui, (messages.Control("say", command.text),)
        case messages.Note():
            return _note(ui, command), (messages.KeepNotes(),)
        case messages.Match():
            return _match(ui, command.what)
        case messages.Speak():
            return ui, (messages.ChooseLanguage(command.language),)
        case messages.Confirm():
            game = replace(ui.game, confirms=command.always)
            return replace(ui, game=game, notice=(str(screens.CONFIRMS[command.always]),)), (messages.KeepNotes(),)
        case messages.Own():
            return guest_of(ui).obey(ui, command)
        case messages.Nothing():
            return ui, ()


def act(ui: S, command: Act, least: Severity = Severity.FREE) -> tuple[S, Effects]:
    """Return what an action does: it is sent when it is free, and asked for when it costs something.

    ``least`` is the least severity with which it is asked for.
    """
    found, told = guest_of(ui).preview(ui, command.action)
    if command.mode == SubmitMode.PRICE:
        return show(ui, told), ()
    severity = max(found.severity, least)
    accepted = command.mode == SubmitMode.ACCEPT
    if sent_at_once(severity, accepted=accepted, confirms=ui.game.confirms):
        return do(ui, messages.Send(command.action))
    return ask(ui, messages.Send(command.action), severity, told)


def _match(ui: S, what: str) -> tuple[S, Effects]:
    if what in ("plain", "full"):
        if (what == "plain") == ui.plain:
            return replace(ui, notice=(str(screens.PLAIN_ALREADY if ui.plain else screens.FULL_ALREADY),)), ()
        return ui, (messages.ChangeConsole(str(screens.AS_ASKED) if what == "plain" else ""),)
    if what == "hint":
        return ask_hint(ui)
    if what == "mute":
        game = replace(ui.game, muted=not ui.game.muted)
        notice = (str(screens.MUTED if game.muted else screens.NOT_MUTED),)
        return replace(ui, game=game, notice=notice), (messages.KeepNotes(),)
    if what == "guide":
        return _guide(ui)
    if what == "same":
        if not ui.game.words:
            return reject(ui, str(screens.NO_WORDS)), ()
        game = replace(ui.game, compared=True)
        return replace(ui, game=game, notice=(str(screens.COMPARED),)), (messages.KeepNotes(),)
    if what in AFTERWARDS and what != "bye":
        return reject(ui, fill(screens.ONLY_AT_END, word=guest_of(ui).words.say(what))), ()
    if what == "bye":
        # In plain lines it is typed whole, and what is saved is said after it.
        left = messages.Control("leave")
        return (ui, (left,)) if ui.plain else ask(ui, left, Severity.ASK, [str(screens.LEAVE_ASK)])
    refused = why_refused(what, ui.game)
    if refused:
        return reject(ui, refused), ()
    asked = str(control_row(what, ui.game).asks(ui.game))
    return ask(ui, messages.Control(what), Severity.LAST, [asked]) if asked else (ui, (messages.Control(what),))


def _guide(ui: S) -> tuple[S, Effects]:
    """Return the model with the guide called or silent."""
    if not ui.game.computer:
        return reject(ui, str(screens.NO_GUIDE)), ()
    ui = replace(ui, game=replace(ui.game, guided=not ui.game.guided))
    # The screen shows it in a place of its own.
    told = guest_of(ui).guide(ui) if ui.plain and ui.game.guided else ()
    return replace(ui, notice=(str(screens.GUIDED[ui.game.guided]), *told)), (messages.KeepNotes(),)


def leave(ui: S) -> tuple[S, Effects]:
    """Return the question before leaving; after a no, the question and the line before it are there again."""
    before = ui.question
    if before is not None and before.then == messages.Control("leave"):
        return without_page(ui), ()
    line = ui.aside if pages.is_chatting(ui) else ui.typed
    if before is not None:
        # An answer that was begun to another question is not there again: Enter must not find it.
        line = ""
    asked, effects = _match(ui, "bye")
    assert asked.question is not None
    return replace(asked, question=replace(asked.question, before=before, line=line)), effects


def _console_word(ui: S, typed: str) -> tuple[S, Effects] | None:
    """Return what a word does that only the full-screen console knows, or None."""
    first, _, rest = typed.partition(" ")
    match guest_of(ui).words.console_word(first):
        case "motion":
            return _motion(ui, rest.strip())
        case "mouse":
            return mouse(ui), ()
        case "unicode":
            return replace(ui, settings=replace(ui.settings, unicode=not ui.settings.unicode)), ()
        case "hide":
            return guest_of(ui).press(without_page(ui), "hide")
        case _:
            return None


def _motion(ui: S, word: str) -> tuple[S, Effects]:
    """Return the model with motion switched on or off, or the other way without a word; other matches keep to it."""
    switch = SWITCHES.get(guest_of(ui).words.find_argument(fold(word))) if word else not ui.settings.motion
    if switch is None:
        return reject(ui, str(screens.MOTION_HOW)), ()
    ui = replace(
        ui, settings=replace(ui.settings, motion=switch), motion=None, notice=(str(screens.MOTION_IS[switch]),)
    )
    return ui, (messages.KeepMotion(switch),)


def mouse(ui: S) -> S:
    """Return the model with the mouse switched."""
    settings = replace(ui.settings, mouse=not ui.settings.mouse)
    return replace(ui, settings=settings, notice=(str(screens.MOUSE_IS[settings.mouse]),))


def _note(ui: S, command: messages.Note) -> S:
    game = screen_state.noted(ui.game, command.place, command.text)
    note = screen_state.note_on(game, command.place)
    told = screens.noted(command.place, note) if note else screens.note_gone(command.place)
    return replace(ui, game=game, notice=(told,))


def suggest(ui: S, line: str) -> list[Suggestion]:
    """Return what can come next behind ``line``, which stands before the cursor."""
    return [] if ui.page == Page.CHAT or ui.question is not None else guest_of(ui).suggest(ui, line)
