"""The setup while it is made: commands change the placing, and the last of them seals it.  Pure."""

import random
from dataclasses import replace

from cli.console.messages import Effects, KeepSetup, Roll, Seal, Severity, SubmitMode
from cli.console.pages import ask, do, reject, show
from cli.storm import cards, placing, setups, vocabulary
from cli.storm.grammar import Arrange, Keep
from cli.storm.model import StormScreen
from cli.storm.text import screens
from cli.text.wording import fill
from storm_p2p.storm.board import REALM


def arrange(ui: StormScreen, command: Arrange, seed: int | None = None) -> tuple[StormScreen, Effects]:
    """Return the setup after a command; chance comes with the seed of a second call."""
    assert ui.placing is not None
    try:
        if command.what == "seal":
            seal = Seal(placing.finish(ui.placing))
            if command.mode == SubmitMode.ACCEPT:
                return do(ui, seal)
            return ask(ui, seal, Severity.ASK, [str(screens.SEAL_ASK)])
        if command.what == "random" and seed is None:
            return ui, (Roll(),)
        # Only the own setup depends on it; the seed comes from the system's source of chance.
        dice = random.Random(seed)  # noqa: S311
        changed = placing.change(ui.placing, command.what, command.units, command.region, dice)
    except ValueError as refused:
        return reject(ui, str(refused)), ()
    if ui.plain:
        shown = [placing.told(changed), *placing.moved_away(ui.placing, changed, command.units)]
    else:
        shown = cards.card(ui.game, command.units[0])[:1] if command.units else []
    return show(_arranged(ui, changed), shown), ()


def propose(ui: StormScreen, seed: int) -> StormScreen:
    """Return the console with a setup that the computer would place, as one that can be loaded; what stands stays."""
    # A match without a hint does not load the computer player.
    from storm_p2p.storm.bots.placing import set_up

    assert ui.placing is not None
    side, name = ui.placing.faction, vocabulary.say("hint")
    units = set_up(side, ui.game.terms, random.Random(seed))  # noqa: S311
    proposed = placing.Placing(side, tuple(zip(REALM[side], units, strict=False)))
    others = [(known, kept) for known, kept in ui.setups if known != name]
    return show(replace(ui, setups=(*others, (name, proposed))), screens.hint(proposed.places, side, name))


def _arranged(ui: StormScreen, changed: placing.Placing) -> StormScreen:
    """Return the model with another setup; the unit cards tell of it, too."""
    return replace(ui, placing=changed, game=replace(ui.game, arranged=changed.places))


def keep(ui: StormScreen, command: Keep) -> tuple[StormScreen, Effects]:
    """Return the model after a setup was kept or taken again."""
    assert ui.placing is not None
    placed = ui.placing
    name, known = setups.name_of(command.name), dict(ui.setups)
    if command.what == "save":
        if not name or not placed.places:
            return reject(ui, str(screens.SAVE_EXPECTED)), ()
        known.pop(name, None)
        return replace(ui, setups=(*known.items(), (name, placed))), (KeepSetup(name, placed),)
    if name not in known and vocabulary.find_verb(name) == "hint":
        # What the computer would place is found by the word of either language.
        name = vocabulary.say("hint")
    if name not in known:
        listed = ", ".join(known) or screens.NONE_KEPT
        return reject(ui, fill(screens.LOAD_EXPECTED, names=listed)), ()
    stand = [placing.told(known[name])] if ui.plain else []
    return show(_arranged(ui, known[name]), [fill(screens.LOADED, name=name), *stand]), ()
