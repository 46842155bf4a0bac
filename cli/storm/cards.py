"""Unit cards, the overview of all units and the Honor table.  All numbers and texts are the engine's."""

from typing import Final

from cli.storm import vocabulary
from cli.storm.model import Model, Whereabouts, whereabouts
from cli.storm.text import names
from cli.text.wording import _, count, fill, opening, signed
from storm_p2p.storm.board import OTHER, PALACE, TARTARUS, Faction
from storm_p2p.storm.rules import honor, powers
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import CARDS, REQUIRED, ROSTER, Maneuver, Unit

_MOST_UNITS: Final = honor.MOST_IN_REGION


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
    kind, region, known = whereabouts(model, unit)
    mine = CARDS[unit].faction == model.side
    if kind == Whereabouts.STANDS:
        if not mine:
            return fill("in {region}", region=region)
        return fill("in {region}, known" if known else "in {region}, secret", region=region)
    return {
        Whereabouts.LEFT_OUT: _("not selected"),
        Whereabouts.LOST: _("eliminated"),
        Whereabouts.GONE: _("eliminated for good"),
        Whereabouts.UNKNOWN: _("not placed yet") if mine else _unseen(unit),
    }[kind]


def _unseen(unit: Unit) -> str:
    """Return what is known of an enemy unit that nobody has seen: a leader must be there (SET-2)."""
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
        kind, region, known = whereabouts(model, unit)
        if kind == Whereabouts.STANDS:
            (shown if known else secret).append(f"{names.unit_name(unit)} {region}")
    return [
        fill("{name} knows: {units}.", name=model.opponent, units=", ".join(shown) or _("none of your units")),
        fill("Secret: {units}.", units=", ".join(secret) or _("none")),
    ]


def honor_table(terms: Terms) -> list[str]:
    """Return what costs or brings Honor, each number asked of the rules."""
    counts = range(1, _MOST_UNITS + 1)
    forward = " ".join(signed(-honor.friendly_penalty(count, 1)).rjust(4) for count in counts)
    backward = " ".join(signed(-honor.friendly_penalty(count, -1)).rjust(4) for count in counts)
    all_out = [
        honor.combat_penalties(maneuver, 0, 0, alone=False)[0] for maneuver in (Maneuver.ATTACK, Maneuver.DEFENSE)
    ]
    much = honor.combat_penalties(Maneuver.STANDARD, honor.FREE_ENERGY + 1, 0, alone=False)[1]
    lines = [
        fill("Move, units:            {counts}", counts=" ".join(f"{count:4}" for count in counts)),
        fill("  forward               {prices}", prices=forward),
        fill("  back, or a flight level {prices}", prices=backward[2:]),
        fill("Attack, units:          {counts}   defenders", counts=" ".join(f"{count:4}" for count in counts)),
    ]
    for attackers in counts:
        row = " ".join(signed(_attack(attackers, defenders, 1)).rjust(4) for defenders in counts)
        one_row = count(
            "  {number} attacker            {prices}", "  {number} attackers           {prices}", attackers, prices=row
        )
        lines.append(one_row)
    even = _attack(1, 1, -1)
    lines += [
        fill("  equal numbers, backward {price}, but not in your own base", price=signed(even)),
        fill(
            "Successful retreat {retreat}   all-out attack {attack}   all-out defense {defense}   more than {free} "
            "Energy {much}",
            retreat=-honor.retreat_penalty(0, 2),
            attack=-all_out[0],
            defense=-all_out[1],
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
