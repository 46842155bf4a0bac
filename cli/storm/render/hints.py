"""Which hint stands below the prompt where Storm has one of its own."""

from cli.console.input.commands import SubmitMode
from cli.storm import vocabulary
from cli.storm.placing import Placing
from cli.storm.screen import StormScreen
from storm_p2p.storm.state import Phase


def kind(ui: StormScreen) -> str:
    """Return the name of the hint while an answer is awaited and nothing is typed, or while the setup is made."""
    if ui.placing is not None:
        return _setup(ui.placing, ui.typed.strip())
    phase = None if ui.game.state is None else ui.game.state.phase
    if phase == Phase.FIGHT:
        return "hidden" if ui.minimised else "fight"
    return "turn" if phase == Phase.TURN else "answer"


def _setup(placed: Placing, line: str) -> str:
    """Return which hint stands below the setup."""
    first, *rest = line.rstrip("!? ").lower().split() or [""]
    if placed.free or rest or vocabulary.find_verb(first) != "seal":
        return "setup"
    return "sealed" if line.endswith(SubmitMode.ACCEPT.value) else "sealing"
