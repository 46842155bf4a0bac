"""What the views of the console answer: who stands where, what a move would cost, what happened, the clocks; and cards.

Each view returns lines that a screen reader can say.  The numbers and texts of cards are the engine's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Final

from cli.console.messages import NotUnderstood, step_of
from cli.console.screen_state import note_on
from cli.storm import grammar, preview, vocabulary
from cli.storm.model import Model, base_loss, in_play, is_setting_up, lost_units, named, whereabouts
from cli.storm.preview import Odds
from cli.storm.render.board import ordered
from cli.storm.text import names, screens, story, typed
from cli.storm.text.prices import attacks
from cli.text import screens as common
from cli.text.matches import waiting
from cli.text.wording import _, count, fill, listed, opening, signed
from storm_p2p.storm import board, engine, notation
from storm_p2p.storm.actions import Fight, Move
from storm_p2p.storm.board import OTHER, PALACE, REGIONS, TARTARUS, Faction, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.rules import honor, powers
from storm_p2p.storm.state import Phase, State, Terms, Token, mask
from storm_p2p.storm.units import CARDS, NAME, REQUIRED, ROSTER, Maneuver, Unit, units_in


def card(model: Model, unit: Unit) -> list[str]:
    """Return the card of a unit and what is known about its place."""
    row = CARDS[unit]
    # The names in the other languages are understood at the prompt, too.
    others = [name.capitalize() for name in vocabulary.names_of(row.name) if name != vocabulary.say_argument(row.name)]
    also = f" ({', '.join(others)})" if others else ""
    return [
        fill(
            "{unit}{also}, {code}, {side}, strength {strength}, male. {text}"
            if row.male
            else "{unit}{also}, {code}, {side}, strength {strength}. {text}",
            unit=names.unit_name(unit),
            also=also,
            code=names.code(unit),
            side=names.side_name(row.faction),
            strength=row.strength,
            text=_(row.text),
        ),
        opening(f"{status(model, unit)}."),
    ]


def status(model: Model, unit: Unit) -> str:
    """Return what the player knows about the place of a unit, in a few words."""
    state, found, mine = model.state, whereabouts(model, unit), CARDS[unit].faction == model.side
    if found is not None and not mine:
        return fill("in {region}", region=found[0])
    if found is not None:
        return fill("in {region}, known" if found[1] else "in {region}, secret", region=found[0])
    if mine and is_setting_up(model):
        return _("not placed yet")
    if state is not None and state.gone >> unit & 1:
        return _("eliminated for good")
    if state is not None and mask(state.fallen) >> unit & 1:
        return _("eliminated")
    if mine:
        return _("not selected")
    # A leader must be there (SET-2).
    return _("hidden") if 1 << unit & REQUIRED else _("hidden or not selected")


def overview(model: Model) -> list[str]:
    """Return all 24 units, the own ones first, one sentence each."""
    return [
        fill(
            "{unit}, strength {strength}, {status}.",
            unit=names.unit_name(unit),
            strength=CARDS[unit].strength,
            status=status(model, unit),
        )
        for faction in (model.side, OTHER[model.side])
        for unit in ROSTER[faction]
    ]


def eye(model: Model) -> list[str]:
    """Return which of the own units the opponent knows, and which not."""
    shown: list[str] = []
    secret: list[str] = []
    for unit in ROSTER[model.side]:
        found = whereabouts(model, unit)
        if found is not None:
            (shown if found[1] else secret).append(f"{names.unit_name(unit)} {found[0]}")
    return [
        fill("{name} knows: {units}.", name=model.opponent, units=", ".join(shown) or _("none of your units")),
        fill("Secret: {units}.", units=", ".join(secret) or _("none")),
    ]


def honor_table(terms: Terms) -> list[str]:
    """Return what costs or brings Honor, each number asked of the rules."""
    counts = range(1, honor.MOST_IN_REGION + 1)
    forward, backward = (
        " ".join(signed(-honor.friendly_penalty(count, way)).rjust(4) for count in counts) for way in (1, -1)
    )
    much = honor.combat_penalties(Maneuver.STANDARD, honor.FREE_ENERGY + 1, 0, alone=False)[1]
    lines = [
        fill("Move, units:            {counts}", counts=" ".join(f"{count:4}" for count in counts)),
        fill("  forward               {prices}", prices=forward),
        fill("  back, or a level flight {prices}", prices=backward[2:]),
        fill("Attack, units:          {counts}   defenders", counts=" ".join(f"{count:4}" for count in counts)),
    ]
    for attackers in counts:
        row = " ".join(signed(_attack(attackers, defenders, 1)).rjust(4) for defenders in counts)
        one_row = count(
            "  {number} attacker            {prices}", "  {number} attackers           {prices}", attackers, prices=row
        )
        lines.append(one_row)
    lines += [
        fill("  equal numbers, backward {price}, but not in your own base", price=signed(_attack(1, 1, -1))),
        fill(
            "Successful retreat {retreat}   all-out attack {attack}   all-out defense {defense}   more than {free} "
            "Energy {much}",
            retreat=-honor.RETREAT_PENALTY,
            attack=-honor.ALL_OUT_PENALTY,
            defense=-honor.ALL_OUT_PENALTY,
            free=honor.FREE_ENERGY,
            much=-much,
        ),
        fill(
            "Liturgy {full}, with an empty stock {empty}   thunderbolt {bolt}   sneak attack {sneak}",
            full=-powers.liturgy_penalty(1),
            empty=-powers.liturgy_penalty(0),
            bolt=-powers.BOLT_PENALTY,
            sneak=-honor.SNEAK_PENALTY,
        ),
        _("Each enemy in your base at the start of your turn -1.  Honor 0 loses the game at once."),
        fill(
            "Energy: crossing the Styx {styx}, thunderbolt {bolt}, recall {recall}, sneak attack {sneak},"
            " liturgy {liturgy:+d}",
            styx=-honor.STYX_ENERGY,
            bolt=-powers.BOLT_ENERGY,
            recall=-powers.RECALL_ENERGY,
            sneak=-honor.SNEAK_ENERGY,
            liturgy=powers.LITURGY_ENERGY,
        ),
    ]
    if terms.open_combat:
        lines.append(fill("Open combat: attacking equal numbers {bonus:+d}", bonus=_open_bonus()))
    return lines


def _attack(attackers: int, defenders: int, direction: int) -> int:
    penalty, bonus = honor.attack_change(attackers, defenders, direction, own_base=False)
    return bonus - penalty


def _open_bonus() -> int:
    """Return what the variant adds to an attack on an equal number."""
    origin, target = 13, 14
    plain, varied = (
        honor.step(Faction.CHTHONIANS, 1, 0, 0, origin, target, 1, False, variant) for variant in (False, True)
    )
    assert plain is not None
    assert varied is not None
    return varied.honor - plain.honor


def goals() -> list[str]:
    """Return what the sides play for."""
    return [
        fill("The Chthonians win when Hades or Persephone reaches the Palace ({palace}).", palace=PALACE),
        _("The Olympians win when both leaders are gone. A side with no Honor left has lost."),
        fill("Tartarus ({tartarus}) and the Palace are the bases.", tartarus=TARTARUS),
    ]


MOST_CANDIDATES = 4
"""A hidden counter with more candidates than this is not spelled out."""


def state_of(model: Model) -> State:
    """Return the state.

    Raises:
        NotUnderstood: there is none yet.
    """
    if model.state is None or model.state.phase == Phase.SETUP:
        raise NotUnderstood(typed.NO_BOARD)
    return model.state


# -- who stands where -----------------------------------------------------------------------------------------


def who(model: Model, region: Region) -> list[str]:
    """Return who stands in a region and around it, the player's note on it, and where the Styx runs."""
    state = state_of(model)
    parts = [screens.region(names.region_name(region), _realm(region), _occupants(model, state, region, full=True))]
    for there in board.NEIGHBOURS[region]:
        parts.append(
            screens.neighbour(
                there,
                _occupants(model, state, there),
                up=board.ALTITUDE[there] > board.ALTITUDE[region],
                side=board.COLUMN[there] - board.COLUMN[region],
                river=board.CROSSES[region][there],
            )
        )
    note = note_on(model, region)
    if note:
        parts.insert(1, screens.noted(note.rstrip(".")))
    return [" ".join(parts)]


def _realm(region: Region) -> str:
    owner = next((faction for faction in Faction if region in board.REALM[faction]), None)
    return screens.realm(owner, bank=region in board.BANK)


def _occupants(model: Model, state: State, region: Region, *, full: bool = False) -> str:
    ours = ordered(state.sides[model.side][region])
    theirs = ordered(state.sides[OTHER[model.side]][region], known_first=True)
    parts = []
    if ours:
        parts.append(screens.yours(", ".join(_own(model, token, full=full) for token in ours)))
    if theirs:
        known = [names.unit_name(unit) for unit in named(token for token in theirs if token.known)]
        hidden = [token for token in theirs if not token.known]
        parts.append(screens.theirs(model.opponent, known, len(hidden)))
        candidates = units_in(reduce(or_, (token.can for token in hidden), 0))
        if full and 0 < len(candidates) <= MOST_CANDIDATES:
            parts.append(screens.can_be(names.any_of(candidates)))
    return " ".join(parts) or str(screens.EMPTY)


def _own(model: Model, token: Token, *, full: bool) -> str:
    unit = None if token.unit is None else Unit(token.unit)
    return screens.own(unit, model.opponent, known=token.known) if full else names.unit_name(unit)


def scan(model: Model, column: str) -> list[str]:
    """Return a column of the board from its top to its bottom; columns are a to e, or 1 to 5."""
    state = state_of(model)
    number = {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}.get(column, "12345".find(column) if column else -1)
    regions = [region for region in REGIONS if board.COLUMN[region] == number]
    if not regions:
        raise NotUnderstood(typed.column(column))
    return [_tell(model, state, region) for region in reversed(regions)]


def occupied(model: Model) -> list[str]:
    """Return every region where somebody stands, one sentence each."""
    state = state_of(model)
    return [_tell(model, state, region) for region in REGIONS if any(side[region] for side in state.sides)]


def _tell(model: Model, state: State, region: Region) -> str:
    return screens.occupied(names.region_name(region), _occupants(model, state, region))


def where(model: Model, unit: Unit) -> list[str]:
    """Return where a unit is, as far as the player knows."""
    return [f"{names.unit_name(unit)}: {status(model, unit)}."]


# -- numbers --------------------------------------------------------------------------------------------------


def turn(model: Model, *, told: bool = False) -> list[str]:
    """Return turn, Honor and Energy in one line; without the turn if it was ``told`` just now."""
    state = state_of(model)
    me, foe = model.side, OTHER[model.side]
    what = screens.asked(move=state.phase == Phase.TURN) if model.deciding else waiting(model.opponent)
    honor, energy = state.honor, state.energy
    line = screens.resources(honor[me], model.opponent, honor[foe], energy[me], energy[foe])
    line = line if told else screens.turn(state.number, what, line)
    loss = base_loss(state, me)
    return [f"{line} {screens.base(loss)}" if loss else line]


def opponent(model: Model) -> list[str]:
    """Return what is known about the other side."""
    state = state_of(model)
    foe = OTHER[model.side]
    tokens = in_play(state, foe)
    found = [names.unit_name(unit) for unit in named(token for token in tokens if token.known)]
    lost = [names.unit_name(unit) for unit in lost_units(state, foe)]
    counts = (state.honor[foe], state.energy[foe], len(tokens), len(tokens) - len(found))
    known, gone = (", ".join(units) or _("none") for units in (found, lost))
    return [screens.opponent(model.opponent, foe, *counts, known, gone)]


def past(model: Model, word: str) -> list[str]:
    """Return what one message did and who stood where after it, as the player knew it then; without a number how.

    Raises:
        NotUnderstood: there is no such step.
    """
    entries = model.entries
    if not entries:
        return [str(common.NOTHING_YET)]
    if not word:
        return [screens.steps(len(entries))]
    at = step_of(word, len(entries))
    entry, me, foe = entries[at], model.side, OTHER[model.side]
    state = entry.after
    then = replace(model, state=state, deciding=False)
    numbers = (state.honor[me], model.opponent, state.honor[foe], state.energy[me], state.energy[foe])
    head = screens.step(at + 1, len(entries), state.number, *numbers)
    board = [] if state.phase == Phase.SETUP else occupied(then)
    return [head, *story.story(model, entry), *board]


# -- prices ---------------------------------------------------------------------------------------------------


def costs(model: Model, args: Sequence[str]) -> list[str]:
    """Return what it costs some units to go wherever they may; in a combat the maneuvers.

    Raises:
        NotUnderstood: the units are none, or do not stand together.
    """
    state = state_of(model)
    if not model.deciding or state.phase == Phase.FIGHT:
        if model.deciding:
            return story.combat_spoken(model)
        raise NotUnderstood(typed.NO_COSTS)
    if state.phase != Phase.TURN:
        return options(model)
    if not args:
        lines = [line for line in (group_costs(model, state, origin) for origin in REGIONS) if line]
        if not lines:
            raise NotUnderstood(typed.CANNOT_MOVE)
        return lines
    origin, places = selected(state, model.side, args)
    found = preview.ways(state, model.side, origin, places)
    if not found:
        raise NotUnderstood(typed.CANNOT_MOVE)
    return [priced(found)]


def group_costs(model: Model, state: State, origin: Region) -> str:
    """Return what it costs the own group of a region to go wherever it may as a whole, or nothing where it may not."""
    group = state.sides[model.side][origin]
    found = preview.ways(state, model.side, origin, tuple(range(len(group)))) if group else []
    if not found:
        return ""
    units = listed(map(names.unit_name, named(group)))
    return screens.costs_from(origin, units, priced(found))


def selected(state: State, faction: Faction, args: Sequence[str]) -> tuple[Region, tuple[int, ...]]:
    """Return where the named units stand and their places in the group there.

    Raises:
        NotUnderstood: the words name no units of the side, or some that do not stand together.
    """
    origin, side = 0, state.sides[faction]
    if args[0].isdigit():
        origin, args = grammar.find_region(args[0]), args[1:]
        if not side[origin]:
            raise NotUnderstood(typed.nobody_there(origin))
        if not args:
            return origin, tuple(range(len(side[origin])))
    units = {grammar.find_unit(word, faction) for word in args}
    standing = [(at, place) for at in REGIONS for place, token in enumerate(side[at]) if token.unit in units]
    if len(standing) < len(units) or {at for at, _ in standing} != {origin or standing[0][0]}:
        raise NotUnderstood(typed.not_together(sorted(units)))
    return standing[0][0], tuple(place for _, place in standing)


def priced(found: Sequence[tuple[Region, Price, Odds | None]]) -> str:
    """Return the prices of ways, and which of them would be attacks."""
    prices = grouped((region, price.honor, price.energy) for region, price, _ in found)
    fights = [(region, attack) for region, _, attack in found if attack is not None]
    return f"{prices} {attacks(fights)}" if fights else prices


def grouped(prices: Iterable[tuple[Region, int, int]]) -> str:
    """Return prices with the cheapest first, regions of one price together."""
    by_price: dict[tuple[int, int], list[Region]] = {}
    for region, *cost in sorted(prices):
        by_price.setdefault((cost[0], cost[1]), []).append(region)
    parts = [
        screens.priced(", ".join(map(str, regions)), honor, energy)
        for (honor, energy), regions in sorted(by_price.items(), reverse=True)
    ]
    return ". ".join(parts) + "."


def options(model: Model, *, bare: bool = False) -> list[str]:
    """Return every legal action but single moves and amounts of Energy, with its price; ``bare`` where it is free."""
    state = state_of(model)
    if not model.deciding:
        raise NotUnderstood(typed.NO_OPTIONS)
    lines = []
    for action, price in engine.options(state, model.side):
        if isinstance(action, Fight) or (isinstance(action, Move) and action.claim is None):
            continue
        words, free = vocabulary.say(notation.format_action(action)), not (price.honor or price.energy)
        lines.append(words if bare and free else screens.option(words, names.cost(price)))
    movable = sorted(
        f"{vocabulary.say_argument(NAME[unit])} {region}"
        for region in REGIONS
        for unit in named(state.sides[model.side][region])
    )
    if movable and state.phase == Phase.TURN:
        lines.append(screens.movable(", ".join(movable)))
    return lines


# -- all of them ----------------------------------------------------------------------------------------------


_VIEWS: Final[Mapping[str, Callable[[Model, Sequence[str]], list[str]]]] = {
    "board": lambda model, args: occupied(model),
    "who": lambda model, args: who(model, grammar.find_region(args[0])),
    "costs": lambda model, args: costs(model, [word for word in args if word]),
    "options": lambda model, args: options(model),
    "scan": lambda model, args: scan(model, args[0]),
    "where": lambda model, args: where(model, grammar.find_unit(args[0])),
    "card": lambda model, args: card(model, grammar.find_unit(args[0])),
    "units": lambda model, args: overview(model),
    "eye": lambda model, args: eye(model),
    "replay": lambda model, args: past(model, args[0]),
    "opponent": lambda model, args: opponent(model),
    "turn": lambda model, args: turn(model),
}
"""What each view of Storm shows; of the words behind it there is one at least, which may be empty."""


def show(model: Model, what: str, args: Sequence[str]) -> list[str]:
    """Return what a view shows; ``what`` is its canonical word.

    Raises:
        NotUnderstood: it cannot be shown; the sentence says what was expected.
    """
    return _VIEWS[what](model, args or ("",))
