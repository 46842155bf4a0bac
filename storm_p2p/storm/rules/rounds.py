"""How a combat goes on: from first contact to the last retreat, in the order of A-16.

Each function below names its step of that order (docs/rules.md, "Combat").  A step either goes on to the next one or
leaves the builder in a phase that waits for a decision; openings and the succession may interrupt between steps.
"""

from __future__ import annotations

from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Aid, Fight, Lose, Retreat
from storm_p2p.storm.board import (
    CROSSES,
    FACTIONS,
    NEIGHBOURS,
    OTHER,
    Faction,
    Region,
    retreat_ways,
)  # fmt: skip
from storm_p2p.storm.rules import honor
from storm_p2p.storm.rules.combat import groups_at, helpers, ways_out
from storm_p2p.storm.rules.round_powers import note_limits, note_penalty_powers, note_slip
from storm_p2p.storm.rules.strength import account, power
from storm_p2p.storm.state import (
    AID,
    CONTACT,
    END,
    FIGHT,
    LEAVE,
    LOSE,
    NOTHING,
    RETREAT,
    ROUND,
    STAY,
    SUCCESSION,
    Combat,
    CombatChoice,
    Next,
    Token,
    known_mask,
)
from storm_p2p.storm.state_builder import StateBuilder
from storm_p2p.storm.units import (
    BOUNDLESS,
    BURIERS,
    CARDS,
    CHARMERS,
    CHARMING_SIDE,
    CHASERS,
    EVERY_MANEUVER,
    MALES,
    SLIPPERY,
    SPENT_TAKERS,
    WORTHIER,
    Maneuver,
    units_in,
)  # fmt: skip

S, R, C, A, D = EVERY_MANEUVER


def start(builder: StateBuilder, region: Region, attacker: Faction, origin: Region | None) -> None:
    """Begin a combat: both sides stand in the region (CBT-1)."""
    builder.target = 0
    builder.combat = Combat(region, attacker, origin)
    proceed(builder, CONTACT)


def proceed(builder: StateBuilder, then: Next) -> None:
    """Go on with ``then`` unless the game has ended or a leader has to be opened first."""
    if builder.outcome is not None:
        return
    if builder.heir_wanted:
        builder.phase, builder.then = SUCCESSION, then
        builder.heir_wanted = False
        return
    # at first contact two enemies may vanish before anybody can win.
    if then != CONTACT and builder.palace_reached():
        return
    builder.then = NOTHING
    if then == CONTACT:
        _contact(builder)
    elif then == ROUND:
        _next_round(builder)
    elif then == LEAVE:
        _leave(builder)
    else:
        builder.begin_turn()


def _contact(builder: StateBuilder) -> None:
    combat = builder.combat
    assert combat is not None
    region = combat.region
    # a) CBT-1, REV-2: the combat reveals everybody there.
    for faction in (combat.attacker, OTHER[combat.attacker]):
        if builder.ask([(region, token) for token in builder.sides[faction][region]], CONTACT):
            return
    builder.events.append(ev.CombatBegan(region, combat.attacker))
    present = {token.unit: token for group in groups_at(builder, region) for token in group}
    victims: dict[int, tuple[Region, Token, str]] = {}
    for_good = 0
    for unit, token in present.items():
        assert unit is not None
        card = CARDS[unit]
        # CRO-1, A-42.
        if card.slays in present and card.slays is not None:
            victims[card.slays] = (region, present[card.slays], "slays")
            builder.events.append(ev.Used(card.unit, "slays"))
        # DEM-2, A-26: together with the former.
        if card.perishes_with in present and card.perishes_with is not None:
            victims[card.unit] = (region, token, "perishes_with")
            victims[card.perishes_with] = (region, present[card.perishes_with], "perishes_with")
            for_good |= 1 << card.perishes_with
            builder.events.append(ev.Used(card.unit, "perishes_with"))
    if victims:
        builder.eliminate([victims[unit] for unit in sorted(victims)], for_good)
    proceed(builder, ROUND)


def _next_round(builder: StateBuilder) -> None:
    """10. CBT-2: the next round if both sides are left, or the end of the combat."""
    combat = builder.combat
    assert combat is not None
    ours, theirs = groups_at(builder, combat.region)
    if not ours or not theirs:
        _finish(builder)
        return
    side = builder.sides[CHARMING_SIDE]
    builder.combat = Combat(
        combat.region,
        combat.attacker,
        combat.origin,
        combat.round + 1,
        # CBT-8, A-21.
        alone=(len(ours) == 1, len(theirs) == 1),
        # a charmer next door that is known already counts by herself.
        aid=bool(known_mask((ours, theirs)[CHARMING_SIDE]) & MALES)
        and any(known_mask(side[region]) & CHARMERS for region in NEIGHBOURS[combat.region]),
    )
    builder.events.append(ev.RoundBegan(combat.region, combat.round + 1))
    # b) APH-2.
    builder.phase = AID if helpers(builder) else FIGHT


def _finish(builder: StateBuilder) -> None:
    assert builder.combat is not None
    builder.events.append(ev.CombatEnded(builder.combat.region))
    builder.combat = None
    proceed(builder, END)


def aid(builder: StateBuilder, action: Aid) -> None:
    """Take the answer to the question for help from next door (APH-2)."""
    assert builder.combat is not None
    if action.helper is not None:
        builder.combat = builder.combat._replace(aid=True)
    builder.phase = FIGHT


def fight(builder: StateBuilder, action: Fight) -> None:
    """3. Take a side's choice, and resolve the round when both have chosen."""
    combat = builder.combat
    assert combat is not None
    choice = CombatChoice(action.maneuver, action.energy)
    first, second = combat.choices
    choices = (choice, second) if action.faction == FACTIONS[0] else (first, choice)
    builder.combat = combat._replace(choices=choices)
    if None not in choices:
        _resolve(builder)


def _resolve(builder: StateBuilder) -> None:
    combat = builder.combat
    assert combat is not None
    region = combat.region
    first, second = combat.choices
    assert first is not None
    assert second is not None
    chosen = (first, second)
    groups = groups_at(builder, region)
    masks = (known_mask(groups[0]), known_mask(groups[1]))
    for faction in FACTIONS:
        builder.events.append(ev.Chose(faction, chosen[faction].maneuver, chosen[faction].energy))
    note_limits(builder, combat, masks, chosen)
    # d) CBT-9: spent whatever happens.
    for faction in FACTIONS:
        builder.charge(faction, -chosen[faction].energy, "combat")
    # d) HEC-1, A-43.
    for faction in FACTIONS:
        spent = chosen[OTHER[faction]].energy
        if masks[faction] & SPENT_TAKERS and spent:
            builder.charge(faction, spent, "takes_spent")
            builder.events.append(ev.Used(units_in(masks[faction] & SPENT_TAKERS)[0], "takes_spent"))
    # e) AOA-1, AOD-1, NRG-2: both sides together.
    changes: list[tuple[Faction, int, str]] = []
    for faction in FACTIONS:
        choice = chosen[faction]
        alone = combat.alone[faction]
        manner, much = honor.combat_penalties(choice.maneuver, choice.energy, masks[faction], alone=alone)
        changes += [(faction, -manner, "all-out"), (faction, -much, "energy")]
        if choice.maneuver in (A, D) or (choice.energy > honor.FREE_ENERGY and not masks[faction] & BOUNDLESS):
            note_penalty_powers(builder, masks[faction], alone=alone)
    if not builder.book(changes):
        return
    # f) RET-5, A-51: without a way out a Retreat is Standard.
    acted = [choice.maneuver for choice in chosen]
    for faction in FACTIONS:
        if acted[faction] == R and not ways_out(builder, faction):
            acted[faction] = S
            builder.events.append(ev.Stayed(faction))
    attacker, defender = combat.attacker, OTHER[combat.attacker]
    # f) RET-7: the defender picks first.
    if acted[0] == R and acted[1] == R:
        builder.combat = combat._replace(leavers=(defender, attacker))
        proceed(builder, LEAVE)
        return
    # f) RET-1, PER-1, HRM-2.
    for faction in FACTIONS:
        if acted[faction] == R and (acted[OTHER[faction]] != C or note_slip(builder, combat, masks, faction)):
            builder.combat = combat._replace(leavers=(faction,))
            proceed(builder, LEAVE)
            return
    _compare(builder, combat, chosen, (acted[0], acted[1]), masks)


def _compare(
    builder: StateBuilder,
    combat: Combat,
    chosen: tuple[CombatChoice, CombatChoice],
    acted: tuple[Maneuver, Maneuver],
    masks: tuple[int, int],
) -> None:
    """7. Compare effective power (CBT-6) and find who is eliminated (CBT-7)."""
    base, lines = account(masks[0], masks[1], combat.attacker, combat.aid)
    strength = tuple(
        power(base[faction], chosen[faction], acted[faction], masks[faction], alone=combat.alone[faction])
        for faction in FACTIONS
    )
    for faction in FACTIONS:
        if combat.alone[faction] and masks[faction] & WORTHIER and chosen[faction].energy:
            builder.events.append(ev.Used(units_in(masks[faction])[0], "energy_worth"))
        if acted[faction] == C and masks[faction] & CHASERS:
            builder.events.append(ev.Used(units_in(masks[faction] & CHASERS)[0], "chase"))
    attacker, defender = combat.attacker, OTHER[combat.attacker]
    # CBT-6: ties go to the original attacker.
    winner = defender if strength[defender] > strength[attacker] else attacker
    loser = OTHER[winner]
    # AOA-4, A-22: nobody wins when both play the same all-out maneuver.
    even = acted[0] == acted[1] and acted[0] in (A, D)
    builder.events.append(
        ev.RoundFought(base, (strength[0], strength[1]), None if even else winner, acted, lines)
    )
    groups = groups_at(builder, combat.region)
    # AOA-3: All-out Attack dies, won or lost; AOA-7: but not against All-out Defense.
    doomed = tuple(
        token.serial
        for faction in FACTIONS
        if _attacked(combat, faction)
        for token in groups[faction]
    )
    losers: tuple[Faction, ...] = ()
    leavers: tuple[Faction, ...] = ()
    if not even:
        # CHA-4: the winner of a chased retreat chooses first.
        if acted[winner] == R:
            builder.combat = combat._replace(doomed=doomed)
            builder.phase = STAY
            return
        # CBT-7; AOD-3: a winning All-out Defense kills nobody, and who dies of their own attack dies anyway.
        if acted[winner] != D and acted[loser] != A:
            losers = (loser,)
        # AOA-7: an All-out Attack that loses against All-out Defense is covered by AOD-3; one that wins there
        # kills one.  CHA-5: the rest of a chased group leaves.
        if acted[loser] == R:
            leavers = (loser,)
    builder.combat = combat._replace(losers=losers, doomed=doomed, leavers=leavers)
    _casualty(builder)


def _casualty(builder: StateBuilder) -> None:
    """8. Ask for the casualty; one who has a single unit there has no choice."""
    combat = builder.combat
    assert combat is not None
    if combat.losers:
        group = builder.sides[combat.losers[0]][combat.region]
        if len(group) > 1:
            builder.phase = LOSE
            return
        lose(builder, Lose(group[0].serial))
        return
    _batch(builder)


def lose(builder: StateBuilder, action: Lose) -> None:
    """8. Take the casualty that its owner names (CBT-7, A-49)."""
    combat = builder.combat
    assert combat is not None
    builder.combat = combat._replace(losers=(), doomed=(*combat.doomed, action.token))
    _batch(builder)


def _batch(builder: StateBuilder) -> None:
    """8. Eliminate all of the round together, then those the burier takes along (A-50, THA-1)."""
    combat = builder.combat
    assert combat is not None
    victims = [
        (combat.region, token, "all-out" if _attacked(combat, FACTIONS[token.faction]) else "lost")
        for group in groups_at(builder, combat.region)
        for token in group
        if token.serial in combat.doomed
    ]
    buriers = [token for _, token, _ in victims if token.can & BURIERS]
    if buriers:
        builder.events.append(ev.Used(units_in(buriers[0].can)[0], "buries_all"))
        victims += [
            (combat.region, token, "buries_all")
            for group in groups_at(builder, combat.region)
            for token in group
            if token.serial not in combat.doomed
        ]
    builder.combat = combat._replace(doomed=())
    if victims:
        builder.eliminate(victims)
    proceed(builder, LEAVE if combat.leavers else ROUND)


def _attacked(combat: Combat, faction: Faction) -> bool:
    """Return whether a side dies of its own All-out Attack in this round (AOA-3, AOA-7)."""
    own, other = combat.choices[faction], combat.choices[OTHER[faction]]
    assert own is not None
    assert other is not None
    return own.maneuver == A and other.maneuver != D


def _leave(builder: StateBuilder) -> None:
    """9. Let those who retreat pick a region, one after the other."""
    combat = builder.combat
    assert combat is not None
    if combat.leavers:
        faction = combat.leavers[0]
        if not builder.sides[faction][combat.region]:
            builder.combat = combat._replace(leavers=combat.leavers[1:])
            _leave(builder)
            return
        if ways_out(builder, faction):
            builder.phase = RETREAT
            return
        # RET-7: the defender has taken the last way out; the attacker stays and pays nothing.
        builder.combat = combat = combat._replace(leavers=combat.leavers[1:])
        builder.events.append(ev.Stayed(faction))
    # RET-6, A-18: all who have left pay together.
    if builder.book([(faction, -price, "retreat") for faction, price in combat.left]) and not builder.palace_reached():
        _finish(builder)


def retreat(builder: StateBuilder, action: Retreat) -> None:
    """Leave the combat (RET-1, CHA-4, CHA-5)."""
    combat = builder.combat
    assert combat is not None
    if builder.phase == STAY:
        first = combat.choices[0]
        assert first is not None
        combat = combat._replace(leavers=(FACTIONS[0] if first.maneuver == R else FACTIONS[1],))
    faction = combat.leavers[0]
    group = builder.sides[faction][combat.region]
    units = tuple(units_in(known_mask(group)))
    mask = known_mask(group)
    price = honor.retreat_penalty(mask, len(group))
    note_penalty_powers(builder, mask, alone=len(group) == 1)
    if combat.alone[faction] and mask & SLIPPERY and action.target not in retreat_ways(
        combat.region, combat.origin, attacker=faction == combat.attacker
    ):
        builder.events.append(ev.Used(units[0], "slips_away"))
    if CROSSES[combat.region][action.target]:
        builder.events.append(ev.Used(units[0], "ferries"))
    builder.shift(faction, combat.region, action.target, group)
    builder.events.append(ev.Retreated(faction, combat.region, action.target, units))
    builder.combat = combat._replace(leavers=combat.leavers[1:], left=(*combat.left, (faction, price)))
    _leave(builder)


def stay(builder: StateBuilder) -> None:
    """Stay after a chased retreat was won: the chaser loses a unit and the next round follows (CHA-4)."""
    combat = builder.combat
    assert combat is not None
    first = combat.choices[0]
    assert first is not None
    faction = FACTIONS[0] if first.maneuver == R else FACTIONS[1]
    builder.events.append(ev.Stayed(faction))
    builder.combat = combat._replace(losers=(OTHER[faction],))
    _casualty(builder)
