"""Who stands where, whose turn it is, what moves cost: the answers to somebody who looks."""

from collections.abc import Sequence
from typing import Final

from cli.storm.text import names
from cli.storm.text.names import Sentence
from cli.text.wording import _, count, fill, lazy, listed, spoken
from storm_p2p.storm.board import Faction, Region
from storm_p2p.storm.units import Unit

EMPTY: Final = lazy("empty.")

_DIRECTIONS: Final = lazy(
    {
        (True, 0): "Up",
        (True, -1): "Up left",
        (True, 1): "Up right",
        (False, 0): "Down",
        (False, -1): "Down left",
        (False, 1): "Down right",
    }
)

steps = Sentence[int](
    "The match has {number} steps so far. replay {number} shows the last one and who stood where after it, replay 1 "
    "shows the first; log {number} shows the last {number} lines of what happened."
)
base = Sentence[int]("At the start of your next turn, enemies in your base cost you {loss} Honor.")
option = Sentence[str, str]("{action} ({price})")
noted = Sentence[str]("Your note: {note}.")
step = Sentence[int, int, int, int, str, int, int, int](
    "Step {at} of {last}, turn {turn}. Honor: you {honor}, {opponent} {their_honor}. Energy: you {energy},"
    " {opponent} {their_energy}."
)
turn = Sentence[int, str, int, str, int, int, int](
    "Turn {number}. {what} Honor: you {honor}, {opponent} {his_honor}. Energy: you {energy}, {opponent} {his_energy}."
)


def realm(faction: Faction | None, *, bank: bool) -> str:
    """Return where a region lies; ``faction`` is None outside both realms."""
    if faction is None:
        return _("outside both realms, on the Styx") if bank else _("outside both realms")
    side = names.side_name(faction)
    return fill("realm of the {side}, on the Styx" if bank else "realm of the {side}", side=side)


def region(number: Region, where: str, who: str) -> str:
    """Return a region with its realm and who stands there."""
    return fill("{region}, {realm}. {who}", region=names.region_name(number), realm=where, who=who)


def neighbour(number: Region, who: str, *, up: bool, side: int, river: bool) -> str:
    """Return a neighbour and who stands there; ``side`` is -1 to the left, 1 to the right."""
    template = lazy("{direction}: {region}, over the Styx, {who}") if river else "{direction}: {region}, {who}"
    return fill(template, direction=_DIRECTIONS[up, side], region=number, who=who)


def occupied(number: Region, who: str) -> str:
    """Return a region and who stands there."""
    return fill("{region}: {who}", region=names.region_name(number), who=who)


def yours(units: Sequence[str]) -> str:
    """Return the own units of a region."""
    return fill("yours: {units}.", units=", ".join(units))


def theirs(opponent: str, known: Sequence[str], hidden: int) -> str:
    """Return the enemy units of a region."""
    words = [*known, *([count("one hidden", "{number} hidden", hidden)] if hidden else [])]
    return fill("{opponent}: {units}.", opponent=opponent, units=listed(words))


def own(unit: Unit | None, opponent: str, *, known: bool) -> str:
    """Return an own unit with what the opponent knows of it."""
    template = lazy("{unit} known to {opponent}" if known else "{unit} secret")
    return fill(template, unit=names.unit_name(unit), opponent=opponent)


def can_be(units: Sequence[Unit]) -> str:
    """Return whom hidden counters can be."""
    return fill("Could be there: {units}.", units=names.any_of(units))


def stands(unit: Unit, number: Region, opponent: str, *, mine: bool, known: bool) -> str:
    """Return where a unit stands."""
    template = lazy("{unit}: in {region}, secret.")
    if known:
        template = lazy("{unit}: in {region}, known to {opponent}.")
    if not mine:
        template = lazy("{unit}: in {region}.")
    return fill(template, unit=names.unit_name(unit), region=number, opponent=opponent)


def not_there(unit: Unit, *, eliminated: bool, unknown: bool) -> str:
    """Return why a unit stands nowhere, as far as the player knows."""
    template = lazy("{unit}: eliminated." if eliminated else "{unit}: not on the board.")
    if unknown:
        template = lazy("{unit}: hidden, or not selected.")
    return fill(template, unit=names.unit_name(unit))


def asked(*, move: bool) -> str:
    """Return that the player has to do something."""
    return _("Your move.") if move else _("You have to answer.")


def opponent(
    name: str, faction: Faction, honor: int, energy: int, units: int, found: Sequence[str], lost: Sequence[str]
) -> str:
    """Return what is known about the other side."""
    return fill(
        "{name}, {side}: honor {honor}, energy {energy}, {units} units, {hidden} hidden. Known: {known}. Lost: {lost}.",
        name=name,
        side=names.side_name(faction),
        honor=honor,
        energy=energy,
        units=units,
        hidden=units - len(found),
        known=", ".join(found) or _("none"),
        lost=", ".join(lost) or _("none"),
    )


def priced(regions: str, honor: int, energy: int) -> str:
    """Return regions with the Honor, and the Energy if any, that it costs to go there."""
    if honor and energy:
        template = lazy("{regions}: {honor} honor and {energy} energy")
    elif energy:
        template = lazy("{regions}: 0 and {energy} energy")
    else:
        template = lazy("{regions}: {honor} honor" if honor else "{regions}: 0")
    return fill(template, regions=regions, honor=spoken(honor), energy=spoken(energy))


def costs_from(origin: Region, units: str, prices: str) -> str:
    """Return the prices of all ways of a group."""
    return fill("From {origin}, {units}: {prices}", origin=origin, units=units, prices=prices)


def movable(units: Sequence[str]) -> str:
    """Return who can move."""
    return fill("move: {units}; costs UNIT shows where to", units=", ".join(units))
