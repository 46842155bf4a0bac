"""The window of a combat: both sides, the maneuvers, and what a choice comes to; and a round that is opened.  Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from cli.clean import pad, shorten, width
from cli.console import screen_state
from cli.console.render import spans
from cli.console.render.spans import EMPTY, Line, Zone, line, with_name, wrapped
from cli.storm import vocabulary
from cli.storm.model import Model, StormEntry
from cli.storm.text import names, narrate, screens, story
from cli.storm.typed import action_of
from cli.text import clocks
from cli.text import screens as common
from cli.text.wording import fill
from storm_p2p.storm import engine
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.rules import combat, honor
from storm_p2p.storm.state import Combat, CombatChoice, State, combat_of
from storm_p2p.storm.units import EVERY_MANEUVER, STRENGTH, Maneuver, units_in

MOST_WIDE = 96
_MOST_NAME = 16
"""Columns for the name of the other side."""
_LEAST_ROWS = 12
"""The frame, both sides, five maneuvers, and three rows about the choice."""
_PRICES = 10
"""Columns for a price in Honor."""


def draw(model: Model, choice: CombatChoice | None, columns: int, rows: int) -> tuple[list[Line], list[Zone]]:
    """Return the window in at most so many rows, and what can be clicked in it.

    ``choice`` is what is chosen so far, or None while it is the other side's turn to choose.
    """
    state = model.state
    assert state is not None
    current = combat_of(state)
    inside = min(columns, MOST_WIDE) - 6
    me = model.side
    base, _ = combat.strengths(state)
    column = max(width(str(common.YOU)), min(_MOST_NAME, width(model.opponent)))
    body: list[Line] = [
        _side(state, me, str(common.YOU), base[me], column, inside, "own"),
        _side(state, OTHER[me], model.opponent.upper(), base[OTHER[me]], column, inside, "enemy"),
    ]
    table = _table(state, me, choice, inside)
    tail = _tail(model, state, me, choice, inside)
    room = rows - 2 - len(body) - len(table) - len(tail)
    body += [line(row, "hint") for row in spans.flowed(_notes(model, state), inside, max(0, room))]
    first = len(body)
    body += table + tail
    zones = []
    if choice is not None:
        for index, maneuver in enumerate(EVERY_MANEUVER):
            if maneuver in combat.maneuvers(state, me):
                line_typed = f"{vocabulary.typed_as(maneuver)} {choice.energy}"
                zones.append(Zone(1 + first + index, 2, inside + 2, f"choose {line_typed}"))

    def head(name: str) -> str:
        return f"{_title(current)}---- {_attack(model, current, name)} "

    return _window(model, with_name(head, model.opponent, inside + 2), body, inside), zones


def draw_beside(model: Model, choice: CombatChoice | None, columns: int) -> tuple[list[Line], list[Zone]]:
    """Return the same window as it stands beside the board: narrow, and as high as what it says."""
    state = model.state
    assert state is not None
    current, me, inside = combat_of(state), model.side, columns - 6
    base, _ = combat.strengths(state)
    body = [line(row, "title") for row in wrapped(_attack(model, current, model.opponent), inside)]
    for faction, name, style in ((me, str(common.YOU), "own"), (OTHER[me], model.opponent.upper(), "enemy")):
        stock = fill(screens.BASE, base=base[faction], stock=state.energy[faction])
        body.append(line(f"{shorten(name, inside - width(stock) - 2)}  {stock}", "title"))
        group = " + ".join(
            f"{names.unit_name(unit)} {STRENGTH[unit]}" for unit in units_in(combat.masks_of(state)[faction])
        )
        body += [line(row, style) for row in wrapped(f"  {group}", inside, "")]
    body += [line(row, "hint") for row in spans.paragraphs(_notes(model, state), inside)]
    zones = []
    for maneuver, name, price, told in story.maneuver_rows(state, me):
        picked = choice is not None and choice.maneuver == maneuver
        head = f"{'>' if picked else ' '} {maneuver + 1 if price else '-'} {name} "
        below = [line(f"    {row}", "" if picked else "dim") for row in wrapped(told, inside - 4, "")]
        if choice is not None and price:
            what = f"choose {vocabulary.typed_as(maneuver)} {choice.energy}"
            zones += [Zone(1 + len(body) + down, 2, inside + 2, what) for down in range(1 + len(below))]
        cost = "cost" if "-" in price else ""
        body += [(("picked" if picked else "", head), (cost, price.rjust(inside - width(head)))), *below]
    # Rows are wrapped here, so a name has more room; a third row would be one too many at 40 rows.
    tail = _tail(model, state, me, choice, 2 * inside)
    body += [line(row) for one in tail for row in wrapped(spans.plain(one), inside)]
    return _window(model, _title(current), body, inside), zones


def rows_wanted(model: Model, columns: int) -> int:
    """Return how many rows the window needs to say everything in a line of its own."""
    assert model.state is not None
    return _LEAST_ROWS + len(spans.paragraphs(_notes(model, model.state), min(columns, MOST_WIDE) - 6))


def how_to_choose(state: State, faction: Faction) -> list[str]:
    """Return how a maneuver is chosen, for somebody who has never fought; only what is possible is an example."""
    hint = screens.FIGHT_HINT if combat.sealed(state) else screens.FIGHT_HINT_OPEN
    return [fill(line, examples=story.example_choices(state, faction)) for line in hint]


def _notes(model: Model, state: State) -> list[str]:
    """Return what powers and open choices do in this combat, a sentence each."""
    _, modifiers = combat.strengths(state)
    notes = [fill(screens.MODIFIERS, list=narrate.modifiers(modifiers))] if modifiers else []
    return notes + story.powers_there(state) + story.choice_seen(state, model.side, model.opponent)


def _attack(model: Model, current: Combat, name: str) -> str:
    """Return who attacks from where, and whose a tie is."""
    template = screens.YOU_ATTACK if current.attacker == model.side else screens.THEY_ATTACK
    origin = fill(screens.FROM, region=current.origin) if current.origin is not None else ""
    return fill(template, name=name, origin=origin)


def _title(current: Combat) -> str:
    return f"-- {fill(screens.TITLE, region=current.region, round=current.round)} "


def _window(model: Model, title: str, body: Sequence[Line], inside: int) -> list[Line]:
    """Return rows in a frame with a title."""
    edge = (("frame", " +" + title + "-" * (inside + 2 - width(title)) + "+"),)
    framed = ((("frame", " | "), *spans.fitted(row, inside), ("frame", " |")) for row in body)
    return [edge, *framed, _bottom(model, inside)]


def _bottom(model: Model, inside: int) -> Line:
    """Return the lower edge; the window lies over the panel, so the clocks stand here."""
    shown = model.clocks
    text = "" if shown is None else with_name(lambda name: f" {clocks.panel(shown, name)} ", model.opponent, inside)
    style = "warn" if shown is not None and shown.short else "title"
    return (("frame", " +--"), (style, text), ("frame", "-" * (inside - width(text)) + "+"))


def _side(state: State, faction: Faction, name: str, base: int, column: int, inside: int, style: str) -> Line:
    units = units_in(combat.masks_of(state)[faction])
    group = " + ".join(f"{names.unit_name(unit)} {STRENGTH[unit]}" for unit in units)
    tail = fill(screens.BASE, base=base, stock=state.energy[faction])
    room = inside - column - 2 - width(tail) - 2
    if width(group) > room:
        group = " + ".join(f"{names.code(unit)} {STRENGTH[unit]}" for unit in units)
    called = pad(shorten(name, column), column)
    return (("title", called), ("", "  "), (style, pad(group, room)), ("", "  "), ("", tail))


def _table(state: State, me: Faction, choice: CombatChoice | None, inside: int) -> list[Line]:
    found: list[Line] = []
    rows = list(story.maneuver_rows(state, me))
    column = max(width(name) for _, name, *_ in rows)
    for maneuver, name, price, effect in rows:
        picked = choice is not None and choice.maneuver == maneuver
        if not price:
            # A dash instead of its number: it cannot be chosen, and why, which needs the room.
            text = f"  - {name}: {effect}"
            if width(text) > inside:
                text = f"  - {name}: {story.why_not(state, me, short=True)}"
            found.append(line(shorten(text, inside), "dim"))
            continue
        head = f"{'>' if picked else ' '} {maneuver + 1} {pad(name, column)} "
        shown = shorten(effect, inside - width(head) - _PRICES)
        cost = "cost" if "-" in price else ""
        found.append((("picked" if picked else "", head), (cost, pad(price, _PRICES)), ("", shown)))
    return found


def _tail(model: Model, state: State, me: Faction, choice: CombatChoice | None, inside: int) -> list[Line]:
    """Return the lines about Energy, power and risk; or that the other side chooses."""
    if choice is None:
        return [line(""), line(fill(screens.THEY_CHOOSE, name=model.opponent), "title")]
    limit = combat.energy_limit(state, me)
    dear = fill(screens.DEAR, amount=honor.FREE_ENERGY + 1) if _costs_honor(state, me, limit) else ""
    energy = fill(screens.COMBAT_ENERGY, limit=limit)
    price = engine.price(state, action_of(choice, me))
    before, stock = state.honor[me], state.energy[me]
    return [
        (("", energy), ("picked", f" {choice.energy} "), ("", f"   {dear}")),
        line(with_name(lambda name: _outlook(name, state, me, choice), model.opponent, inside)),
        line(fill(screens.RISK, honor=_change(before, price.honor), energy=_change(stock, price.energy))),
    ]


def _change(before: int, change: int) -> str:
    return f"{before} > {before + change}" if change else f"{before}"


def _costs_honor(state: State, faction: Faction, limit: int) -> bool:
    """Return whether much Energy costs Honor here."""
    dear, alone = honor.FREE_ENERGY + 1, combat_of(state).alone[faction]
    penalties = honor.combat_penalties(Maneuver.STANDARD, dear, combat.masks_of(state)[faction], alone=alone)
    return limit >= dear and bool(penalties[1])


def _power(state: State, faction: Faction, choice: CombatChoice) -> int:
    """Return the power of a side with a choice."""
    base, _ = combat.strengths(state)
    alone = combat_of(state).alone[faction]
    return combat.power(base[faction], choice, choice.maneuver, combat.masks_of(state)[faction], alone=alone)


def _outlook(opponent: str, state: State, me: Faction, choice: CombatChoice) -> str:
    """Return the power of a choice, and how much Energy the other side needs against it."""
    mine = _power(state, me, choice)
    text = fill(screens.POWER, power=mine)
    if (seen := combat_of(state).choices[OTHER[me]]) is not None:
        return f"{text}   {_against(opponent, state, me, choice.maneuver, mine, seen)}"
    if _slips(state, me, choice.maneuver):
        return f"{text}   {fill(screens.YOU_SLIP, name=opponent)}"
    # Without a way out a Retreat counts as Standard (RET-5).
    leaves = choice.maneuver == Maneuver.RETREAT and bool(combat.ways_out(state, me))
    maneuver = Maneuver.CHASE if leaves else Maneuver.STANDARD
    needed, limit = _needed(state, me, mine, maneuver)
    template = screens.CANNOT if needed is None else screens.NEEDS if needed else screens.WINS
    answer = fill(template, maneuver=names.MANEUVERS[maneuver], name=opponent, energy=needed, limit=limit)
    return f"{text}   {answer}"


def _against(opponent: str, state: State, me: Faction, maneuver: Maneuver, mine: int, seen: CombatChoice) -> str:
    """Return what comes of a choice against one that is open."""
    foe = OTHER[me]
    if _slips(state, foe, seen.maneuver):
        return fill(screens.HE_SLIPS, name=opponent)
    if _slips(state, me, maneuver):
        return fill(screens.YOU_SLIP, name=opponent)
    acts = {me: maneuver, foe: seen.maneuver}
    leaving = {side for side in FACTIONS if acts[side] == Maneuver.RETREAT and combat.ways_out(state, side)}
    if foe in leaving and acts[me] != Maneuver.CHASE:
        return fill(screens.HE_LEAVES, name=opponent)
    if me in leaving and acts[foe] != Maneuver.CHASE:
        return fill(screens.YOU_LEAVE, name=opponent)
    if acts[me] == acts[foe] and acts[me] in (Maneuver.ATTACK, Maneuver.DEFENSE):
        return fill(screens.NOBODY_WINS, name=opponent)
    theirs = _power(state, foe, seen)
    wins = mine > theirs or (mine == theirs and combat_of(state).attacker == me)
    return fill(screens.YOU_WIN if wins else screens.HE_WINS, name=opponent, power=theirs)


def _slips(state: State, faction: Faction, maneuver: Maneuver) -> bool:
    """Return whether a side leaves whatever the other one does."""
    retreats = maneuver == Maneuver.RETREAT and bool(combat.ways_out(state, faction))
    return retreats and combat.slips(state, faction)


def _needed(state: State, me: Faction, mine: int, maneuver: Maneuver) -> tuple[int | None, int]:
    """Return the least Energy with which the other side beats a power, None if it cannot, and the most it may spend."""
    foe = OTHER[me]
    limit = combat.energy_limit(state, foe)
    ties = combat_of(state).attacker == foe
    for energy in range(limit + 1):
        theirs = _power(state, foe, CombatChoice(maneuver, energy))
        if theirs > mine or (ties and theirs == mine):
            return energy, limit
    return None, limit


DOWN, OPENED, GROWN, SHAKEN, STOOD = 5, 4, 13, 3, 4
"""Pictures of a round: choices that lie face down, turn over, powers that grow, the ground that shakes, a last look."""
_CARD_ROWS = 3
"""Of what is written on a choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(screen_state.Motion):
    """A round of a combat whose choices are opened."""

    before: State
    choices: tuple[CombatChoice, CombatChoice]
    fought: ev.RoundFought | None
    """None where somebody has left before power counted."""

    @property
    def shakes(self) -> bool:
        """Whether the ground shakes in this picture."""
        at = self.at - self.pictures + STOOD + SHAKEN
        return 0 <= at < SHAKEN and at % 2 == 0


def reveal(entry: StormEntry) -> Reveal | None:
    """Return how the choices of a round are opened; None for a message that opens none."""
    before = entry.before
    if before is None or before.combat is None:
        return None
    opened = {one.faction: CombatChoice(one.maneuver, one.energy) for one in entry.events if isinstance(one, ev.Chose)}
    first, second = (opened.get(side) or before.combat.choices[side] for side in FACTIONS)
    if not opened or first is None or second is None:
        return None
    fought = next((one for one in entry.events if isinstance(one, ev.RoundFought)), None)
    pictures = DOWN + OPENED + (GROWN if fought else 0) + SHAKEN + STOOD
    page = screen_state.Page.RESULT
    return Reveal(pictures=pictures, page=page, before=before, choices=(first, second), fought=fought)


def draw_reveal(model: Model, seen: Reveal, columns: int, *, unicode: bool) -> list[Line]:
    """Return a picture of a round: both choices, and below them the power of each side as far as it has grown."""
    me, inside, ends = model.side, min(columns, MOST_WIDE) - 6, seen.at >= seen.pictures - STOOD - SHAKEN
    sides = ((me, str(common.YOU), "own"), (OTHER[me], model.opponent.upper(), "enemy"))
    body = _choices(seen, sides, inside, unicode=unicode)
    # How much there is to say would tell something of choices that lie face down.
    if (fought := seen.fought) is not None and seen.at >= DOWN + OPENED:
        body.append(EMPTY)
        parts, sign = story.power_account(seen.before, seen.choices, fought), spans.signs(unicode=unicode)
        count = ceil(max(map(len, parts)) * min(1, (seen.at - DOWN - OPENED + 1) / GROWN))
        most = max(1, *(sum(max(0, amount) for _, amount in found) for found in parts))
        for side, name, style in sides:
            power = sum(amount for _, amount in parts[side][:count])
            full, head = max(0, power) * inside // most, fill(screens.POWER, power=power)
            look, loud = ("dim", "dim") if ends and side in _fallen(fought) else (style, "title")
            body.append(((look, f"{shorten(name, inside - width(head) - 2)}  "), (loud, head)))
            body.append(((look, sign.full * full), ("dim", sign.empty * (inside - full))))
            whole, grown = (_flowed([text for text, _ in parts[side][:end]], inside) for end in (None, count))
            body += [*(line(row, look) for row in grown), *[EMPTY] * (len(whole) - len(grown) + 1)]
    rows = _window(model, _title(combat_of(seen.before)), body, inside)
    return [spans.finer(row) for row in rows] if unicode else rows


def _choices(seen: Reveal, sides: Sequence[tuple[Faction, str, str]], inside: int, *, unicode: bool) -> list[Line]:
    """Return the choices of both sides beside one another, as far as they have turned over."""
    sign, room = spans.signs(unicode=unicode), (inside - 2) // 2 - 4

    def card(name: str, texts: Sequence[str], style: str) -> list[Line]:
        corners, title = list(sign.corners), shorten(name, room)
        above = f"{corners[0]}{sign.level}{title}{sign.level * (room + 1 - width(title))}{corners[1]}"
        within = [f"{sign.upright} {pad(shorten(text, room), room)} {sign.upright}" for text in texts]
        return [line(row, style) for row in (above, *within, f"{corners[2]}{sign.level * (room + 2)}{corners[3]}")]

    def told(choice: CombatChoice) -> list[str]:
        words = wrapped(str(names.MANEUVERS[choice.maneuver]), room, "")
        return [*[*words, ""][: _CARD_ROWS - 1], fill(screens.SPENT, energy=choice.energy)]

    down = [card(name, [sign.empty * room] * _CARD_ROWS, "dim") for _, name, _ in sides]
    opened = [card(name, told(seen.choices[side]), style) for side, name, style in sides]
    share = min(1, max(0, (seen.at - DOWN + 1) / (OPENED + 1)))
    ours, theirs = (spans.turned(before, after, share) for before, after in zip(down, opened, strict=True))
    return spans.beside(ours, theirs, room + 6)


def _flowed(texts: Sequence[str], columns: int) -> list[str]:
    """Return texts in rows, none of them divided."""
    rows = [""]
    for text in texts:
        joined = f"{rows[-1]}  {text}".strip()
        rows[-1:] = [joined] if width(joined) <= columns else [rows[-1], shorten(text, columns)]
    return rows


def _fallen(fought: ev.RoundFought) -> Sequence[Faction]:
    """Return which sides have lost a round: both where two all-out attacks have met."""
    if fought.winner is not None:
        return (OTHER[fought.winner],)
    return FACTIONS if fought.maneuvers[0] == Maneuver.ATTACK else ()
