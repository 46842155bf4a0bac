"""What a finished line does: an action, a question before it, something to look at, a word about the match."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from cli import vocabulary
from cli.clean import clean
from cli.console import reviewing, viewing
from cli.console.input import asking, chatting, grammar, pausing, reading
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
from cli.console.render.spans import paragraphs
from cli.console.screen_state import (
    ChooseLanguage,
    Control,
    Effects,
    GoPlain,
    KeepNotes,
    KeepSetup,
    Page,
    Roll,
    ScreenState,
    Seal,
    Send,
)  # fmt: skip
from cli.storm import cards, placing, preview
from cli.storm import model as m
from cli.storm import setups as kept_setups
from cli.storm.preview import Severity
from cli.storm.text import help_text, refusals
from cli.storm.text import setup_screen as setup_words
from cli.storm.typed_actions import NotUnderstood
from cli.text import notes, typed
from cli.text import screens as said
from cli.text.wording import fill
from storm_p2p.storm.board import REGIONS
from storm_p2p.storm.state import Phase

SHORT_ANSWER = 5
"""So many lines are shown below the board; a longer answer is a page of its own."""

_PAGES = {
    "units": Page.UNITS, "table": Page.TABLE, "log": Page.LOG, "chat": Page.CHAT, "notes": Page.NOTES,
}  # fmt: skip


def take(ui: ScreenState, line: str) -> tuple[ScreenState, Effects]:
    """Return the model after a finished line, and what is to be done."""
    if ui.page == Page.CHAT:
        return chatting.take(ui, line)
    if ui.question is not None:
        return asking.answer(ui, line)
    typed = clean(line)
    ui = replace(ui, notice=(), rejected="", priced="")
    if not typed:
        return _empty(ui)
    # A question about the line keeps what the line marks on the board.
    ui, effects = _take(replace(ui, typed=typed), typed)
    return replace(ui, typed=""), effects


def _take(ui: ScreenState, typed: str) -> tuple[ScreenState, Effects]:
    own = _console_word(ui, typed)
    if own is not None:
        return own
    try:
        command = _parse(ui, typed)
    except NotUnderstood as refused:
        return _lead_on(ui, typed) or (reject(ui, str(refused)), ())
    return _obey(ui, command)


def reject(ui: ScreenState, sentence: str) -> ScreenState:
    """Return the model after a line that does nothing, with the sentence that says what was expected."""
    return replace(ui, notice=(sentence,), rejected=ui.typed)


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
        if chosen is not None and preview.costs(state, ui.game.faction, *chosen):
            # Prices stand on the board, so no page may lie over it.
            return asking.offer(without_page(ui), typed.rstrip("?! ") + " ")
        if chosen is not None:
            return replace(ui, notice=reading.read(replace(ui, typed=typed)).lines), ()
    if typed.isascii() and typed.isdigit() and int(typed) in REGIONS:
        return show(ui, viewing.who(ui.game, int(typed))), ()
    return None


def _empty(ui: ScreenState) -> tuple[ScreenState, Effects]:
    """Return what Enter does without a line: it closes a page, or asks about the choice of the combat window.

    That is asked even where it costs nothing, for whoever presses Enter once more after a result means nothing by it.
    """
    if ui.page is not None:
        return without_page(ui), ()
    if ui.choice is not None and not ui.minimised and reading.chooses(ui.game.state, ui.game.faction) and not ui.sent:
        return act(ui, Act(reading.action_of(ui.choice, ui.game.faction), SubmitMode.ASK), least=Severity.ASK)
    return ui, ()


def show(ui: ScreenState, lines: Iterable[str]) -> ScreenState:
    """Return the model with an answer, below the board or on a page of its own."""
    rows = tuple(paragraphs(lines, ui.columns - 2))
    if len(rows) <= SHORT_ANSWER:
        return replace(ui, notice=rows)
    return replace(ui, page=Page.ANSWER, lines=rows, scroll=0)


def open_page(ui: ScreenState, page: Page) -> ScreenState:
    """Return the model with a page, or without it when it was open."""
    if ui.page == page:
        return without_page(ui)
    unread = 0 if page in (Page.CHAT, Page.LOG) else ui.unread
    return replace(ui, page=page, lines=(), scroll=0, unread=unread)


# -- commands -------------------------------------------------------------------------------------------------


def _obey(ui: ScreenState, command: grammar.Command) -> tuple[ScreenState, Effects]:
    match command:
        case Act():
            return act(ui, command)
        case View():
            return _view(ui, command)
        case Talk(text=""):
            return replace(ui, notice=(typed.NOTHING_SAID,)), ()
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
            return replace(ui, game=game, notice=(refusals.CONFIRMS[command.always],)), (KeepNotes(),)
        case Arrange():
            return arrange(ui, command)
        case Keep():
            return _kept(ui, command)
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
    told = preview.lines(found, ui.game.opponent, hints)
    if command.mode == SubmitMode.PRICE:
        return show(ui, told), ()
    severity = max(found.severity, least)
    accepted = command.mode == SubmitMode.ACCEPT
    if preview.sent_at_once(severity, accepted=accepted, confirms=ui.game.confirms):
        return do(ui, Send(command.action))
    return ask(ui, Send(command.action), severity, told)


def _match(ui: ScreenState, what: str) -> tuple[ScreenState, Effects]:
    if what == "plain":
        return ui, (GoPlain(said.AS_ASKED),)
    if what == "full":
        return replace(ui, notice=(said.FULL_ALREADY,)), ()
    if what == "mute":
        game = replace(ui.game, muted=not ui.game.muted)
        return replace(ui, game=game, notice=(said.MUTED_IS[game.muted],)), (KeepNotes(),)
    if what in ("accept", "decline") and not (ui.game.draw_offered or ui.game.break_offered):
        return reject(ui, refusals.NO_OFFER), ()
    asked = pausing.question(what, ui.game)
    if asked is not None:
        return ask(ui, Control(what), Severity.LAST, [asked]) if asked else (ui, (Control(what),))
    asked_first = {
        "resign": (Severity.LAST, said.GIVE_UP), "draw": (Severity.LAST, said.OFFER_DRAW),
        "accept": (Severity.LAST, said.ACCEPT_DRAW), "bye": (Severity.ASK, said.LEAVE_ASK),
    }  # fmt: skip
    if what in asked_first:
        severity, sentence = asked_first[what]
        return ask(ui, Control("leave" if what == "bye" else what), severity, [sentence])
    return ui, (Control(what),)


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


def _view(ui: ScreenState, command: View) -> tuple[ScreenState, Effects]:
    what, args = command.what, command.args
    if what in ("board", "undo"):
        return replace(without_page(ui), minimised=what == "board"), ()
    if what == "help":
        return (show(ui, help_text.help_on(args[0], ui.game.faction)) if args else open_page(ui, Page.HELP)), ()
    if what in _PAGES:
        return open_page(ui, _PAGES[what]), ()
    if what == "replay":
        return _replay(ui, args)
    if what == "eye":
        return eye(ui), ()
    if what == "repeat":
        what = "last"
    try:
        if what == "card" and args:
            unit = viewing.unit_of(args[0])
            return replace(ui, page=Page.CARD, lines=tuple(cards.card(ui.game, unit)), scroll=0), ()
        if what == "costs" and ui.game.deciding and args:
            return _costs(ui, args)
        return show(ui, viewing.show(ui.game, what, args)), ()
    except viewing.NoSuchView as refused:
        return reject(ui, str(refused)), ()


def _costs(ui: ScreenState, args: tuple[str, ...]) -> tuple[ScreenState, Effects]:
    """Return the model with the prices of some units on the board; who asks for them has begun no move yet."""
    state = ui.game.state
    if state is None or state.phase != Phase.TURN:
        return show(ui, viewing.show(ui.game, "costs", args)), ()
    viewing.selected(ui.game, state, args)
    return replace(without_page(ui), priced=f"costs {' '.join(args)}"), ()


def _replay(ui: ScreenState, args: tuple[str, ...]) -> tuple[ScreenState, Effects]:
    """Return the console that looks back, at a step that was named or at the last one."""
    count = len(ui.game.entries)
    try:
        return reviewing.begin(ui, viewing.step_of(args[0], count) if args and count else None)
    except viewing.NoSuchView as refused:
        return replace(ui, notice=(str(refused),)), ()


def eye(ui: ScreenState) -> ScreenState:
    """Return the model with what the opponent knows shown, or no longer."""
    ui = replace(ui, eye=not ui.eye)
    lines = [fill(said.EYE_IS[ui.eye], name=ui.game.opponent)]
    if ui.eye and ui.game.state is not None:
        lines += cards.eye(ui.game)
    return show(replace(ui, found=reading.read(ui)), lines)


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
    return replace(ui, settings=settings, notice=(said.MOUSE_IS[settings.mouse],))


def _note(ui: ScreenState, command: Note) -> ScreenState:
    game = m.noted(ui.game, command.region, command.text)
    ui = replace(ui, game=game, notice=(notes.answer(command.region, m.note_on(game, command.region)),))
    return replace(ui, found=reading.read(ui))


# -- the setup ------------------------------------------------------------------------------------------------


def arrange(ui: ScreenState, command: Arrange, seed: int | None = None) -> tuple[ScreenState, Effects]:
    """Return the setup after a command; chance comes with the seed of a second call."""
    assert ui.placing is not None
    try:
        if command.what == "seal":
            seal = Seal(placing.finish(ui.placing))
            if command.mode == SubmitMode.ACCEPT:
                return do(ui, seal)
            return ask(ui, seal, Severity.ASK, [said.SEAL_ASK])
        if command.what == "random" and seed is None:
            return ui, (Roll(),)
        # Only the own setup depends on it; the seed comes from the system's source of chance.
        dice = random.Random(seed)  # noqa: S311
        changed = placing.change(ui.placing, command.what, command.units, command.region, dice)
    except ValueError as refused:
        return reject(ui, str(refused)), ()
    shown = tuple(cards.card(ui.game, command.units[0])[:1]) if command.units else ()
    return show(_arranged(ui, changed), shown), ()


def _arranged(ui: ScreenState, changed: placing.Placing) -> ScreenState:
    """Return the model with another setup; the unit cards tell of it, too."""
    return replace(ui, placing=changed, game=m.arranged(ui.game, changed.places))


def _kept(ui: ScreenState, command: Keep) -> tuple[ScreenState, Effects]:
    """Return the model after a setup was kept or taken again."""
    assert ui.placing is not None
    placed = ui.placing
    name, known = kept_setups.name_of(command.name), dict(ui.setups)
    if command.what == "save":
        if not name or not placed.places:
            return reject(ui, setup_words.SAVE_EXPECTED), ()
        known.pop(name, None)
        ui = replace(ui, setups=(*known.items(), (name, placed)))
        return replace(ui, notice=(fill(setup_words.SAVED, name=name),)), (KeepSetup(name, placed),)
    if name not in known:
        listed = ", ".join(known) or setup_words.NONE_KEPT
        return reject(ui, fill(setup_words.LOAD_EXPECTED, names=listed)), ()
    return replace(_arranged(ui, known[name]), notice=(fill(setup_words.LOADED, name=name),)), ()
