"""The page of all units: where each stands, as far as the player knows."""

from cli.console.render.spans import Line, beside, line, with_name
from cli.console.render.zones import Zone
from cli.storm import cards
from cli.storm.screen import StormScreen
from cli.storm.text import names
from cli.text import screens as words
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.units import CARDS, NAME, ROSTER, Unit


def draw_units(ui: StormScreen) -> tuple[list[Line], list[Zone]]:
    """Return all 24 units in two columns, the own ones left, each of which can be clicked."""
    half = (ui.columns - 2) // 2
    me = ui.game.side
    blocks = [_block(ui, me, str(words.YOU)), _block(ui, OTHER[me], ui.game.opponent)]
    zones = [
        Zone(1 + down, 1 + side * half, side * half + half, f"unit {NAME[unit]}")
        for side, faction in enumerate((me, OTHER[me]))
        for down, unit in enumerate(ROSTER[faction])
    ]
    return beside(blocks[0], blocks[1], half), zones


def _block(ui: StormScreen, faction: Faction, name: str) -> list[Line]:
    side = names.side_name(faction)
    head = line(with_name(lambda called: f"{called} ({side})", name, (ui.columns - 2) // 2 - 1), "title")
    return [head, *(_unit_line(ui, faction, unit) for unit in ROSTER[faction])]


def _unit_line(ui: StormScreen, faction: Faction, unit: Unit) -> Line:
    style = "own" if faction == ui.game.side else "enemy"
    strength = CARDS[unit].strength
    return (
        ("", f"{names.code(unit)} "), (style, f"{names.unit_name(unit):11}"),
        ("", f"{strength}  {cards.status(ui.game, unit)}"),
    )  # fmt: skip
