"""The computer's hint: asked for, awaited, shown or stopped.  Pure."""

from collections.abc import Sequence
from dataclasses import replace

from cli.console.analysis import Candidate
from cli.console.guest import guest_of
from cli.console.messages import Advise, Effects, Roll
from cli.console.pages import show
from cli.console.screen_state import S, ScreenState
from cli.text import advice
from cli.text.wording import Lazy


def ask(ui: S) -> tuple[S, Effects]:
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


def answer(ui: S, found: Sequence[Candidate]) -> S:
    """Return the console with the hint."""
    guest = guest_of(ui)
    assert guest.adviser is not None, "a hint comes from somebody"
    return show(replace(ui, thinking=False), advice.hint(found, guest.name_action, guest.adviser.reason))


def stop(ui: S) -> S:
    """Return the console when the player waits no longer."""
    return replace(ui, thinking=False, notice=(str(advice.STOPPED),))
