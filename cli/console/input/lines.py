"""What a finished line does: an action, a question before it, something to look at, a word about the match."""

from __future__ import annotations

from dataclasses import replace

from cli import vocabulary
from cli.clean import clean
from cli.console import viewing
from cli.console.input import arranging, asking, chatting, controlling, grammar, looking, reading
from cli.console.input.asking import ask, do, without_page
from cli.console.input.grammar import (
    Act,
    Arrange,
    Confirm,
    Keep,
    Match,
    Note,
    Nothing,
    Speak,
    SubmitMode,
    Talk,
    View,
)
from cli.console.input.looking import reject, show
from cli.console.screen_state import (
    ChangeConsole,
    ChooseLanguage,
    Control,
    Effects,
    KeepNotes,
    Page,
    ScreenState,
    Send,
)  # fmt: skip
from cli.storm import model as m
from cli.storm import preview
from cli.storm.preview import Severity
from cli.storm.text import refusals
from cli.storm.typed_actions import NotUnderstood
from cli.text import notes, typed
from cli.text import screens as said
from storm_p2p.storm.board import REGIONS
from storm_p2p.storm.state import Phase, State


def take(ui: ScreenState, line: str) -> tuple[ScreenState, Effects]:
    """Return the model after a finished line, and what is to be done."""
    if ui.page == Page.CHAT:
        return chatting.take(ui, line)
    if ui.question is not None:
        return _answer(ui, line)
    typed = clean(line)
    ui = replace(ui, notice=(), rejected="", priced="")
    if not typed:
        return _empty(ui)
    # A question about the line keeps what the line marks on the board.
    ui, effects = _take(replace(ui, typed=typed), typed)
    return replace(ui, typed=""), effects


def _answer(ui: ScreenState, line: str) -> tuple[ScreenState, Effects]:
    """Return the model after a line at an open question."""
    answered, effects = asking.answer(ui, line)
    if not ui.plain or answered.question is not None or asking.is_answer(line):
        return answered, effects
    # In plain lines another command is a no, and is obeyed.
    after, more = take(answered, line)
    return replace(after, notice=(*answered.notice, *after.notice)), (*effects, *more)


def _take(ui: ScreenState, typed: str) -> tuple[ScreenState, Effects]:
    own = None if ui.plain else _console_word(ui, typed)
    if own is not None:
        return own
    try:
        command = _parse(ui, typed)
    except NotUnderstood as refused:
        return _lead_on(ui, typed) or (reject(ui, str(refused)), ())
    return _obey(ui, command)


def _parse(ui: ScreenState, typed: str) -> grammar.Command:
    awaited = not ui.sent and (ui.game.deciding or ui.placing is not None)
    state = ui.game.state if awaited and ui.placing is None else None
    return grammar.parse(typed, state, ui.game.faction, setting_up=awaited and ui.placing is not None)


def _lead_on(ui: ScreenState, typed: str) -> tuple[ScreenState, Effects] | None:
    """Return what a line does that only names who could move, as a click on the board would; None for another line.

    Own units stay at the prompt, and where they go is asked next; of any other region one is told who is there.
    """
    state = ui.game.state
    awaited = ui.game.deciding and not ui.sent
    if state is None or ui.placing is not None or (awaited and state.phase != Phase.TURN):
        return None
    if awaited:
        chosen = reading.begun(typed, state, ui.game.faction)
        if ui.plain and typed.rstrip("?! ").isdigit():
            return _region(ui, typed.rstrip("?! "), state)
        if chosen is not None and not ui.plain and preview.costs(state, ui.game.faction, *chosen):
            # Prices stand on the board, so no page may lie over it.
            return asking.offer(without_page(ui), typed.rstrip("?! ") + " ")
        if chosen is not None:
            return replace(ui, notice=reading.read(replace(ui, typed=typed)).lines), ()
    if typed.isascii() and typed.isdigit() and int(typed) in REGIONS:
        return show(ui, viewing.who(ui.game, int(typed))), ()
    return None


def _region(ui: ScreenState, number: str, state: State) -> tuple[ScreenState, Effects] | None:
    """Return who is in a region, and where the own units there could go at which price."""
    if not number.isascii() or int(number) not in REGIONS:
        return None
    prices = viewing.group_costs(ui.game, state, int(number))
    return show(ui, [*viewing.who(ui.game, int(number)), *([prices] if prices else [])]), ()


def _empty(ui: ScreenState) -> tuple[ScreenState, Effects]:
    """Return what Enter does without a line: it closes a page, or asks about the choice of the combat window.

    That is asked even where it costs nothing, for whoever presses Enter once more after a result means nothing by it.
    """
    if ui.page is not None:
        return without_page(ui), ()
    if ui.plain:
        return ui, ()
    if ui.choice is not None and not ui.minimised and reading.chooses(ui.game.state, ui.game.faction) and not ui.sent:
        return act(ui, Act(reading.action_of(ui.choice, ui.game.faction), SubmitMode.ASK), least=Severity.ASK)
    return ui, ()


# -- commands -------------------------------------------------------------------------------------------------


def _obey(ui: ScreenState, command: grammar.Command) -> tuple[ScreenState, Effects]:
    match command:
        case Act():
            return act(ui, command)
        case View():
            return looking.view(ui, command)
        case Talk(text=""):
            return replace(ui, notice=(str(typed.NOTHING_SAID),)), ()
        case Talk():
            return ui, (Control("say", command.text),)
        case Note():
            return _note(ui, command), (KeepNotes(),)
        case Match():
            return _match(ui, command.what)
        case Speak():
            return ui, (ChooseLanguage(command.language),)
        case Confirm():
            game = replace(ui.game, confirms=command.always)
            return replace(ui, game=game, notice=(str(refusals.CONFIRMS[command.always]),)), (KeepNotes(),)
        case Arrange():
            return arranging.arrange(ui, command)
        case Keep():
            return arranging.keep(ui, command)
        case Nothing():
            return ui, ()


def act(ui: ScreenState, command: Act, least: Severity = Severity.FREE) -> tuple[ScreenState, Effects]:
    """Return what an action does: it is sent when it is free, and asked for when it costs something.

    Args:
        ui: the model.
        command: the action, and how it was typed.
        least: how loudly is asked at least.
    """
    state = ui.game.state
    assert state is not None
    found = preview.preview(state, command.action, ui.game.faction)
    hints = preview.cheaper(state, command.action, ui.game.faction)
    if ui.plain:
        told = [preview.sentence(found, ui.game.opponent, hints)]
    else:
        told = preview.lines(found, ui.game.opponent, hints)
    if command.mode == SubmitMode.PRICE:
        return show(ui, told), ()
    severity = max(found.severity, least)
    accepted = command.mode == SubmitMode.ACCEPT
    if preview.sent_at_once(severity, accepted=accepted, confirms=ui.game.confirms):
        return do(ui, Send(command.action))
    return ask(ui, Send(command.action), severity, told)


def _match(ui: ScreenState, what: str) -> tuple[ScreenState, Effects]:
    if what in ("plain", "full"):
        if (what == "plain") == ui.plain:
            return replace(ui, notice=(str(refusals.PLAIN_ALREADY if ui.plain else said.FULL_ALREADY),)), ()
        return ui, (ChangeConsole(str(said.AS_ASKED) if what == "plain" else ""),)
    if what == "mute":
        game = replace(ui.game, muted=not ui.game.muted)
        notice = (str(refusals.MUTED if game.muted else refusals.NOT_MUTED),)
        return replace(ui, game=game, notice=notice), (KeepNotes(),)
    if what == "bye":
        # In plain lines it is typed whole, and what is saved is said after it.
        left = Control("leave")
        return (ui, (left,)) if ui.plain else ask(ui, left, Severity.ASK, [str(said.LEAVE_ASK)])
    if what in ("accept", "decline") and not (ui.game.draw_offered or ui.game.break_offered):
        return reject(ui, str(refusals.NO_OFFER)), ()
    asked = str(controlling.row(what, ui.game).asks(ui.game))
    return ask(ui, Control(what), Severity.LAST, [asked]) if asked else (ui, (Control(what),))


def leave(ui: ScreenState) -> tuple[ScreenState, Effects]:
    """Return the question before leaving; after a no, the question and the line before it are there again."""
    before = ui.question
    if before is not None and before.then == Control("leave"):
        return without_page(ui), ()
    line = ui.aside if chatting.is_chatting(ui) else ui.typed
    if before is not None:
        # An answer that was begun to another question is not there again: Enter must not find it.
        line = ""
    asked, effects = _match(ui, "bye")
    assert asked.question is not None
    return replace(asked, question=replace(asked.question, before=before, line=line)), effects


# -- words of the console -------------------------------------------------------------------------------------


def _console_word(ui: ScreenState, typed: str) -> tuple[ScreenState, Effects] | None:
    """Return what a word does that only the full-screen console knows, or None."""
    first = typed.partition(" ")[0]
    match vocabulary.console_word(first):
        case "mouse":
            return mouse(ui), ()
        case "unicode":
            return replace(ui, settings=replace(ui.settings, unicode=not ui.settings.unicode)), ()
        case "hide":
            return replace(without_page(ui), minimised=not ui.minimised), ()
        case _:
            return None


def mouse(ui: ScreenState) -> ScreenState:
    """Return the model with the mouse switched."""
    settings = replace(ui.settings, mouse=not ui.settings.mouse)
    return replace(ui, settings=settings, notice=(str(said.MOUSE_IS[settings.mouse]),))


def _note(ui: ScreenState, command: Note) -> ScreenState:
    game = m.noted(ui.game, command.region, command.text)
    ui = replace(ui, game=game, notice=(notes.answer(command.region, m.note_on(game, command.region)),))
    return replace(ui, found=reading.read(ui))
