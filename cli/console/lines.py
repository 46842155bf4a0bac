"""What a finished line does: an action, a question before it, something to look at, a word about the match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from cli.clean import clean
from cli.console import messages, pages, screen_state
from cli.console.guest import guest_of
from cli.console.messages import Command, Effects, NotUnderstood, Severity
from cli.console.pages import ask, do, reject, show, without_page
from cli.console.replay import Analysis, Candidate
from cli.console.screen_state import LINES, THEMES, M, Model, Page, S, ScreenState, Suggestion
from cli.match.player import Controls, Next
from cli.runtime.console import now
from cli.text import analyses, clocks, matches, screens
from cli.text.wording import Lazy, fill
from cli.vocabulary import NOT, SWITCHES, fold
from protocol.core.messages import Break

if TYPE_CHECKING:
    from protocol.core.side_channel import SideChannel


def ask_hint(screen: S) -> tuple[S, Effects]:
    """Return the console while the computer thinks, or with the sentence that says why it gives no hint."""
    why = _why_not(screen)
    if why is not None:
        return replace(screen, notice=(str(why),)), ()
    if screen.setting_up:
        # No rating of setups needs time; which one is proposed is left to chance, or the opponent could know it, too.
        return screen, (messages.Roll(hint=True),)
    told = analyses.thinking(screen.settings.hint_seconds, plain=screen.plain)
    return replace(screen, thinking=True, notice=(told,)), (messages.Advise(),)


def _why_not(screen: ScreenState) -> Lazy | None:
    if guest_of(screen).adviser is None:
        return analyses.NO_ADVICE
    if not screen.match.aids:
        return analyses.NOT_AGREED
    return None if screen.awaited else analyses.NOTHING_ASKED


def take_hint(screen: S, found: Sequence[Candidate]) -> S:
    """Return the console with the hint."""
    guest = guest_of(screen)
    return show(replace(screen, thinking=False), analyses.hint(found, guest.name_action, guest.reason))


Sentence = Callable[[Model], str | Lazy]


@dataclass(frozen=True, slots=True)
class MatchWord:
    """What a word about the match does."""

    use: Callable[[SideChannel, float], bool | None]
    """Says it, at a time of our clock; returns True where what follows will be told anyway: nothing is said here."""
    asks: Sentence = lambda model: ""
    """What is asked before, where something could be lost by it; only the whole word ``yes`` does it then."""
    says: Sentence = lambda model: ""
    """What is said after it, and stands in the log."""
    after: Mapping[str, bool] = field(default_factory=dict)
    """What is known after it: fields of the model."""
    ends: bool = False
    """The match ends by it."""


def _proposal(what: Break) -> MatchWord:
    def says(model: Model) -> str:
        return clocks.proposal_sent(model.opponent, what, clock=model.clocks is not None)

    return MatchWord(lambda channel, now: channel.propose_or_agree(what, now=now), says=says)


def _offer_rematch(channel: SideChannel, now: float) -> None:
    # Lessons have a console, too, and nothing that is secret.
    from secrets import token_bytes

    channel.afterwards.offer(token_bytes(32))


_WORDS: Final[Mapping[str, MatchWord]] = {
    "rematch": MatchWord(
        _offer_rematch, says=lambda model: matches.rematch_wanted(model), after={"rematch_wanted": True}
    ),
    "decline rematch": MatchWord(
        lambda channel, now: channel.afterwards.decline(),
        says=lambda model: matches.rematch_declined(model.opponent),
        after={"rematch_offered": False},
    ),
    "resign": MatchWord(lambda channel, now: channel.resign(now=now), asks=lambda model: screens.GIVE_UP, ends=True),
    "draw": MatchWord(
        lambda channel, now: channel.offer_draw(now=now),
        asks=lambda model: screens.OFFER_DRAW,
        says=lambda model: matches.draw_sent(model.opponent),
    ),
    "accept": MatchWord(
        lambda channel, now: channel.accept_draw(now=now),
        asks=lambda model: screens.ACCEPT_DRAW,
        after={"draw_offered": False},
        ends=True,
    ),
    "decline": MatchWord(
        lambda channel, now: channel.decline_draw(now=now),
        says=lambda model: matches.draw_declined(model.opponent),
        after={"draw_offered": False},
    ),
    "pause": _proposal(Break.PAUSE),
    "adjourn": _proposal(Break.ADJOURNMENT),
    "accept break": MatchWord(lambda channel, now: channel.agree(now=now), after={"break_offered": False}),
    "decline break": MatchWord(
        lambda channel, now: channel.reject(now=now), says=lambda model: clocks.DECLINED, after={"break_offered": False}
    ),
    "continue": MatchWord(lambda channel, now: channel.go_on(now=now)),
    "claim": MatchWord(
        lambda channel, now: channel.claim(now=now),
        asks=lambda model: clocks.claim_question(model.opponent),
        says=lambda model: clocks.CLAIM_SENT,
    ),
    "concede": MatchWord(
        lambda channel, now: channel.concede(now=now),
        asks=lambda model: clocks.CONCEDE,
        after={"claimed": False},
        ends=True,
    ),
    "deny": MatchWord(
        lambda channel, now: channel.deny(now=now), says=lambda model: clocks.DENIED, after={"claimed": False}
    ),
    "leave": MatchWord(lambda channel, now: None, says=lambda model: matches.left(), ends=True),
    "differ": MatchWord(
        lambda channel, now: None,
        asks=lambda model: screens.DIFFER_ASK,
        says=lambda model: matches.left(),
        after={"compared": False, "differs": True},
        ends=True,
    ),
}


def why_refused(word: str, model: Model) -> str:
    """Return why a word has nothing to answer now, so that nobody is asked for a yes to nothing; else nothing."""
    if word in ("accept", "decline") and not (model.draw_offered or model.break_offered):
        return clocks.answer_claim(model.opponent) if model.claimed else str(screens.NO_OFFER)
    if word == "draw" and model.draw_offered:
        # An offer does not accept another one (SPEC.md, "Draw"): both would wait for the other's answer.
        return fill(screens.DRAW_WAITS, name=model.opponent)
    if word == "claim" and not model.claimable:
        return clocks.refused("nothing_to_claim", "")
    return clocks.refused("no_offer", "") if word in ("concede", "deny") and not model.claimed else ""


def control_row(word: str, model: Model) -> MatchWord:
    """Return what a word does; ``accept`` and ``decline`` answer what is offered: a draw, a break, or a rematch."""
    if word in ("accept", "decline") and model.ending is not None:
        word = "rematch" if word == "accept" else "decline rematch"
    elif word in ("accept", "decline") and model.break_offered and not model.draw_offered:
        word = f"{word} break"
    return _WORDS[word]


def use_control(effect: messages.Control, model: Model, controls: Controls) -> bool:
    """Use a control; return whether what follows will be told anyway.

    Raises:
        LocalProtocolError: it cannot be used.
    """
    if effect.word == "say":
        controls.side_channel.chat(effect.text)
    elif effect.word in LEAVING:
        controls.leave()
    else:
        return control_row(effect.word, model).use(controls.side_channel, now()) is True
    return False


def control_used(word: str, model: M, *, told_anyway: bool) -> tuple[M, str]:
    """Return what is known after a control was used, and what there is to say about it, or nothing."""
    done = control_row(word, model)
    said = "" if told_anyway else str(done.says(model))
    if said and model.line_down and word not in LEAVING:
        said = matches.waits_for_line(said, model.opponent)
    # That the player has left is no news of the match.
    facts: dict[str, Any] = dict(done.after)
    after = replace(model, **facts) if facts else model
    return (after if word in LEAVING else screen_state.acted(after, said)), said


LEAVING: Final = ("leave", "differ")
"""Words that leave a match that is not over."""
AFTERWARDS = ("again", "rematch", "next", "analyse", "menu", "bye")
"""Words that choose what comes after a match."""


def take(screen: S, line: str) -> tuple[S, Effects]:
    """Return the model after a finished line, and what is to be done."""
    if screen.page == Page.CHAT:
        return _say(screen, line)
    if screen.question is not None:
        return _answer(screen, line)
    typed = clean(line)
    screen = guest_of(screen).clear(replace(screen, notice=(), rejected="", thinking=False))
    if not typed:
        return _empty(screen)
    # A question about the line keeps what the line marks on the board.
    screen, effects = _take(replace(screen, typed=typed), typed)
    return replace(screen, typed=""), effects


def choose(screen: S, word: str) -> tuple[S, Effects]:
    """Return the model after somebody has chosen what comes after the match: again, rematch, menu or bye."""
    if word == "menu":
        return pages.close_result(screen, Next.MENU)
    if word == "bye":
        return pages.close_result(screen, Next.LEAVE)
    if word == "analyse":
        return _analyse(screen)
    if word in ("accept", "decline") and not screen.match.rematch_offered:
        return reject(screen, end_words(screen)), ()
    if word == "next" and not screen.match.next_game:
        return reject(screen, end_words(screen)), ()
    if screen.match.computer:
        return pages.close_result(screen, Next.AGAIN)
    if word == "again":
        return reject(screen, str(screens.NO_COMPUTER)), ()
    if screen.match.other_left:
        return reject(screen, fill(screens.OTHER_GONE, name=screen.match.opponent)), ()
    return replace(screen, notice=()), (messages.Control("rematch" if word == "next" else word),)


def at_the_end(screen: S, line: str) -> tuple[S, Effects]:
    """Return the model after a finished line when the match is over: there is talk, much to look at, and what next."""
    typed = clean(line)
    screen = replace(screen, notice=(), rejected="")
    if not typed:
        return screen, ()
    try:
        command = guest_of(screen).parse(typed, None, screen.match.side, setting_up=False)
    except NotUnderstood as refused:
        return reject(screen, end_words(screen) if isinstance(refused, messages.NotYet) else str(refused)), ()
    match command:
        case messages.Match(what=word) if word in (*AFTERWARDS, "accept", "decline"):
            return choose(screen, word)
        case messages.Match(what=word) if word in ("mute", "plain", "full"):
            return _obey(screen, command)
        case messages.Match() | messages.Act() | messages.Own():
            return reject(screen, end_words(screen)), ()
        case _:
            return _obey(screen, command)


def end_words(screen: S) -> str:
    """Return what can be typed at the end of the match."""
    known = guest_of(screen).words
    another = "next" if screen.match.next_game else "rematch"
    words = ["again" if screen.match.computer else another, "replay", "analyse", "menu"]
    if guest_of(screen).adviser is None:
        words.remove("analyse")
    return fill(screens.END_WORDS, words=", ".join(map(known.say, words)))


def _analyse(screen: S) -> tuple[S, Effects]:
    """Return the model while the computer judges the decisions of the match, which plain lines say when it is done."""
    if guest_of(screen).adviser is None:
        return reject(screen, str(analyses.NO_ANALYSIS)), ()
    is_working = screen.judged is not None and not screen.judged.is_complete
    working = replace(screen, judged=Analysis((), total=1), notice=(str(analyses.WORKING),))
    return working, () if is_working else (messages.AnalyseMatch(),)


def _say(screen: S, line: str) -> tuple[S, Effects]:
    """Return the model after a finished line of the chat page, and what is to be done."""
    typed = clean(line)
    screen = replace(screen, notice=(), rejected="")
    if typed.startswith("/"):
        typed = typed[1:].strip()
    elif guest_of(screen).reads_like_a_move(screen, typed):
        return replace(screen, notice=(str(screens.READS_LIKE_A_MOVE),), rejected=typed), (messages.SetLine(line),)
    return screen, ((messages.Control("say", typed),) if typed else ())


def _answer(screen: S, line: str) -> tuple[S, Effects]:
    """Return the model after a line at an open question."""
    if screen.match.words and guest_of(screen).words.exact.get(line.strip().lower()) == "same":
        # It answers what the words on the screen ask, and nothing else.
        return _match(screen, "same")
    answered, effects = pages.answer(screen, line)
    if not screen.plain or answered.question is not None or pages.is_answer(line):
        return answered, effects
    # In plain lines another command is a no, and is obeyed.
    after, more = take(answered, line)
    return replace(after, notice=(*answered.notice, *after.notice)), (*effects, *more)


def _take(screen: S, typed: str) -> tuple[S, Effects]:
    own = None if screen.plain else _console_word(screen, typed)
    if own is not None:
        return own
    try:
        command = _parse(screen, typed)
    except NotUnderstood as refused:
        if screen.match.words and fold(typed.partition(" ")[0]) in NOT:
            return _match(screen, "differ")
        return guest_of(screen).lead_on(screen, typed) or (reject(screen, str(refused)), ())
    return _obey(screen, command)


def _parse(screen: S, typed: str) -> Command:
    state = screen.match.state if screen.awaited and not screen.setting_up else None
    return guest_of(screen).parse(typed, state, screen.match.side, setting_up=screen.setting_up)


def _empty(screen: S) -> tuple[S, Effects]:
    """Return what Enter does without a line: it closes a page, or what the game has for it."""
    if screen.page is not None:
        return without_page(screen), ()
    if screen.plain:
        return screen, ()
    return guest_of(screen).enter(screen)


def _obey(screen: S, command: Command) -> tuple[S, Effects]:
    match command:
        case messages.Act():
            return act(screen, command)
        case messages.View():
            return pages.view(screen, command)
        case messages.Control(text=""):
            return replace(screen, notice=(str(screens.NOTHING_SAID),)), ()
        case messages.Control() | messages.ChooseLanguage():
            return screen, (command,)
        case messages.Note():
            return _note(screen, command), (messages.KeepNotes(),)
        case messages.Match():
            return _match(screen, command.what)
        case messages.Confirm():
            model = replace(screen.match, confirms=command.always)
            return replace(screen, match=model, notice=(str(screens.CONFIRMS[command.always]),)), (
                messages.KeepNotes(),
            )
        case messages.Own():
            return guest_of(screen).obey(screen, command)
        case messages.Nothing():
            return screen, ()


def act(screen: S, command: messages.Act, least: Severity = Severity.FREE) -> tuple[S, Effects]:
    """Return what an action does: it is sent when it is free, and asked for when it costs something.

    ``least`` is the least severity with which it is asked for.
    """
    severity, told = guest_of(screen).preview(screen, command.action)
    if command.mode == messages.SubmitMode.PRICE:
        return show(screen, told), ()
    severity = max(severity, least)
    accepted = command.mode == messages.SubmitMode.ACCEPT
    if messages.sent_at_once(severity, accepted=accepted, confirms=screen.match.confirms):
        return do(screen, messages.Send(command.action))
    return ask(screen, messages.Send(command.action), severity, told)


def _match(screen: S, what: str) -> tuple[S, Effects]:
    if what in ("plain", "full"):
        if (what == "plain") == screen.plain:
            return replace(screen, notice=(str(screens.PLAIN_ALREADY if screen.plain else screens.FULL_ALREADY),)), ()
        return screen, (messages.ChangeConsole(str(screens.AS_ASKED) if what == "plain" else ""),)
    if what == "hint":
        return ask_hint(screen)
    if what == "mute":
        model = replace(screen.match, muted=not screen.match.muted)
        notice = (str(screens.MUTED if model.muted else screens.NOT_MUTED),)
        return replace(screen, match=model, notice=notice), (messages.KeepNotes(),)
    if what == "guide":
        return _guide(screen)
    if what == "same":
        if not screen.match.words:
            return reject(screen, str(screens.NO_WORDS)), ()
        model = replace(screen.match, compared=True, differs=False)
        return replace(screen, match=model, notice=(str(screens.COMPARED),)), (messages.KeepNotes(same=True),)
    if what == "differ" and not screen.match.words:
        return reject(screen, str(screens.NO_WORDS)), ()
    if what in AFTERWARDS and what != "bye":
        return reject(screen, fill(screens.ONLY_AT_END, word=guest_of(screen).words.say(what))), ()
    if what == "bye":
        # In plain lines it is typed whole, and what is saved is said after it.
        left = messages.Control("leave")
        return (screen, (left,)) if screen.plain else ask(screen, left, Severity.ASK, [str(screens.LEAVE_ASK)])
    refused = why_refused(what, screen.match)
    if refused:
        return reject(screen, refused), ()
    asked = str(control_row(what, screen.match).asks(screen.match))
    return ask(screen, messages.Control(what), Severity.LAST, [asked]) if asked else (screen, (messages.Control(what),))


def _guide(screen: S) -> tuple[S, Effects]:
    """Return the model with the guide called or silent."""
    if not screen.match.computer:
        return reject(screen, str(screens.NO_GUIDE)), ()
    screen = replace(screen, match=replace(screen.match, guided=not screen.match.guided))
    # The screen shows it in a place of its own.
    told = guest_of(screen).guide(screen) if screen.plain and screen.match.guided else ()
    return replace(screen, notice=(str(screens.GUIDED[screen.match.guided]), *told)), (messages.KeepNotes(),)


def leave(screen: S) -> tuple[S, Effects]:
    """Return the question before leaving; after a no, the question and the line before it are there again."""
    before = screen.question
    if before is not None and before.then == messages.Control("leave"):
        return without_page(screen), ()
    line = screen.aside if pages.is_chatting(screen) else screen.typed
    if before is not None:
        # An answer that was begun to another question is not there again: Enter must not find it.
        line = ""
    asked, effects = _match(screen, "bye")
    assert asked.question is not None
    return replace(asked, question=replace(asked.question, before=before, line=line)), effects


def _console_word(screen: S, typed: str) -> tuple[S, Effects] | None:
    """Return what a word does that only the full-screen console knows, or None."""
    first, _, rest = typed.partition(" ")
    match guest_of(screen).words.console_word(first):
        case "motion":
            return _motion(screen, rest.strip())
        case "theme":
            return _theme(screen, rest.strip())
        case "mouse":
            return mouse(screen), ()
        case "unicode":
            return replace(screen, settings=replace(screen.settings, unicode=not screen.settings.unicode)), ()
        case "hide":
            return guest_of(screen).press(without_page(screen), "hide")
        case _:
            return None


def _motion(screen: S, word: str) -> tuple[S, Effects]:
    """Return the model with motion switched on or off, or the other way without a word; other matches keep to it."""
    switch = SWITCHES.get(guest_of(screen).words.find_argument(fold(word))) if word else not screen.settings.motion
    if switch is None:
        return reject(screen, str(screens.MOTION_HOW)), ()
    return move(screen, moving=switch, told=str(screens.MOTION_IS[switch]))


def move(screen: S, *, moving: bool, told: str) -> tuple[S, Effects]:
    """Return the model with motion on or off, which the player is told; other matches keep to it."""
    settings = replace(screen.settings, motion=moving)
    return replace(screen, settings=settings, motion=None, notice=(told,)), (messages.KeepSetting("motion", moving),)


def _theme(screen: S, word: str) -> tuple[S, Effects]:
    """Return the model with another theme, or the next one without a word; other matches keep to it."""
    number = THEMES.index(screen.settings.theme)
    theme = guest_of(screen).words.find_argument(fold(word)) if word else THEMES[(number + 1) % len(THEMES)]
    if theme not in THEMES:
        return reject(screen, str(screens.THEME_HOW)), ()
    if theme != LINES and not screen.settings.colourful:
        return reject(screen, str(screens.THEME_POOR)), ()
    screen = replace(screen, settings=replace(screen.settings, theme=theme), notice=(str(screens.THEME_IS[theme]),))
    return screen, (messages.KeepSetting("theme", theme),)


def mouse(screen: S) -> S:
    """Return the model with the mouse switched."""
    settings = replace(screen.settings, mouse=not screen.settings.mouse)
    return replace(screen, settings=settings, notice=(str(screens.MOUSE_IS[settings.mouse]),))


def _note(screen: S, command: messages.Note) -> S:
    model = screen_state.noted(screen.match, command.place, command.text)
    note = screen_state.note_on(model, command.place)
    told = screens.noted(command.place, note) if note else screens.note_gone(command.place)
    return replace(screen, match=model, notice=(told,))


def suggest(screen: S, line: str) -> list[Suggestion]:
    """Return what can come next behind ``line``, which stands before the cursor."""
    return [] if screen.page == Page.CHAT or screen.question is not None else guest_of(screen).suggest(screen, line)
