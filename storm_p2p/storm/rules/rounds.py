"""How a combat goes on: from first contact to the last retreat, in the order of A-16.

Each function below names its step of that order (docs/rules.md, "Combat").  A step either goes on to the next one or
leaves the board in a phase that waits for a decision; openings and the succession may interrupt between steps.  Those
that begin with ``note`` say as events which powers have acted beside those that count in a round; they change nothing.
"""

from storm_p2p.storm import events as ev
from storm_p2p.storm import units as traits
from storm_p2p.storm.bitboard import Bitboard, Choice
from storm_p2p.storm.board import CROSSES, FACTIONS, OTHER, Faction, Region, retreat_ways
from storm_p2p.storm.rules import honor
from storm_p2p.storm.rules.combat import account, can_help, find_chased, find_ways_out, knows_help, may_slip, power
from storm_p2p.storm.state import AID, CONTACT, END, FIGHT, LEAVE, LOSE, RETREAT, ROUND, STAY, Next
from storm_p2p.storm.units import BURIERS, CARDS, EVERY_MANEUVER, MEETERS, SPENT_TAKERS, UNITS, Maneuver, units_in

S, R, C, A, D = EVERY_MANEUVER


def start(board: Bitboard, region: Region, attacker: Faction, origin: Region) -> None:
    """Begin a combat: both sides stand in the region (CBT-1)."""
    board.target = 0
    board.start_combat(region, attacker, origin)
    proceed(board, CONTACT)


def proceed(board: Bitboard, then: Next) -> None:
    """Go on with ``then`` unless the game has ended or a leader has to be opened first."""
    if board.outcome is not None or (board.heir_wanted and board.open_heir(then)):
        return
    # at first contact two enemies may vanish before anybody can win.
    if then is not CONTACT and board.reach_palace():
        return
    if then is END:
        board.begin_turn()
    elif then is CONTACT:
        _contact(board)
    elif then is ROUND:
        _next_round(board)
    else:
        _leave(board)


def _contact(board: Bitboard) -> None:
    region = board.region
    # 1: CBT-1, REV-2: the combat reveals everybody there.
    if board.open_all(board.attacker, region, CONTACT) or board.open_all(OTHER[board.attacker], region, CONTACT):
        return
    board.note(ev.CombatBegan, region, board.attacker)
    present = board.at[0][region] | board.at[1][region]
    if present & MEETERS:
        _meet(board, present)
    proceed(board, ROUND)


def _meet(board: Bitboard, present: int) -> None:
    """Eliminate those who cannot meet."""
    victims: dict[int, str] = {}
    for_good = 0
    for bit in board.bits(present & MEETERS):
        card = CARDS[bit.bit_length() - 1]
        # CRO-1, A-42.
        if card.slays is not None and present >> card.slays & 1:
            victims[card.slays] = "slays"
            board.note(ev.Used, card.unit, "slays")
        # DEM-2, A-26: together with the former.
        if card.perishes_with is not None and present >> card.perishes_with & 1:
            victims[card.unit] = victims[card.perishes_with] = "perishes_with"
            for_good |= 1 << card.perishes_with
            board.note(ev.Used, card.unit, "perishes_with")
    if victims:
        board.eliminate(board.region, [(1 << unit, victims[unit]) for unit in sorted(victims)], for_good)


def _next_round(board: Bitboard) -> None:
    """10. CBT-2: the next round if both sides are left, or the end of the combat."""
    region = board.region
    ours, theirs = board.size[0][region], board.size[1][region]
    if not ours or not theirs:
        _finish(board)
        return
    # CBT-8, A-21.
    board.start_round(board.round + 1, (ours == 1, theirs == 1), knows_help(board))
    board.note(ev.RoundBegan, region, board.round)
    # 2: APH-2.
    board.phase = AID if can_help(board) else FIGHT


def _finish(board: Bitboard) -> None:
    board.note(ev.CombatEnded, board.region)
    board.start_combat(0, board.turn, 0)
    proceed(board, END)


def aid(board: Bitboard, *, helps: bool) -> None:
    """Take the answer to the question for help from next door (APH-2)."""
    if helps:
        board.aid = True
    board.phase = FIGHT


def fight(board: Bitboard, faction: Faction, choice: Choice) -> None:
    """3. Take a side's choice, and resolve the round when both have chosen."""
    first, second = board.choices
    if faction == FACTIONS[0]:
        first = choice
    else:
        second = choice
    board.choices = (first, second)
    if first is not None and second is not None:
        _resolve(board, (first, second))


def _resolve(board: Bitboard, chosen: tuple[Choice, ...]) -> None:
    masks: tuple[int, ...] = (board.at[0][board.region], board.at[1][board.region])
    if board.events is not None:
        note_choices(board.events, board, masks, chosen)
    _spend(board, chosen, masks)
    _fine(board, chosen, masks)
    if not board.passes():
        return
    acted = _act(board, chosen)
    leavers = _escape(board, acted, masks)
    if leavers:
        board.leavers = leavers
        proceed(board, LEAVE)
    else:
        _compare(board, chosen, acted, masks)


def _spend(board: Bitboard, chosen: tuple[Choice, ...], masks: tuple[int, ...]) -> None:
    """4. Spend the Energy, whatever happens (CBT-9)."""
    for faction in FACTIONS:
        board.charge(faction, -chosen[faction][1], "combat")
    # HEC-1, A-43.
    for faction in FACTIONS:
        spent = chosen[OTHER[faction]][1]
        if spent and masks[faction] & SPENT_TAKERS:
            board.charge(faction, spent, "takes_spent")
            board.note(ev.Used, units_in(masks[faction] & SPENT_TAKERS)[0], "takes_spent")


def _fine(board: Bitboard, chosen: tuple[Choice, ...], masks: tuple[int, ...]) -> None:
    """5. Take the Honor that the choices cost, of both sides together (AOA-1, AOD-1, NRG-2)."""
    changes: list[tuple[Faction, int, str]] = []
    for faction in FACTIONS:
        (maneuver, energy), mask, alone = chosen[faction], masks[faction], board.alone[faction]
        manner, much = honor.combat_penalties(EVERY_MANEUVER[maneuver], energy, mask, alone=alone)
        if manner or much:
            changes += [(faction, -manner, "all-out"), (faction, -much, "energy")]
        if board.events is not None:
            note_fines(board.events, maneuver, energy, mask, alone=alone)
    for faction, change, reason in changes:
        board.change_honor(faction, change, reason)


def _act(board: Bitboard, chosen: tuple[Choice, ...]) -> tuple[Maneuver, Maneuver]:
    """6. Return what the sides do: without a way out a Retreat is Standard (RET-5, A-51)."""
    acted = [EVERY_MANEUVER[maneuver] for maneuver, _ in chosen]
    for faction in FACTIONS:
        if acted[faction] == R and not find_ways_out(board, faction):
            acted[faction] = S
            board.note(ev.Stayed, faction)
    return acted[0], acted[1]


def _escape(board: Bitboard, acted: tuple[Maneuver, ...], masks: tuple[int, ...]) -> tuple[Faction, ...]:
    """6. Return who retreats before a blow falls; of both the defender picks first (RET-1, RET-7, PER-1, HRM-2)."""
    if acted[0] == R and acted[1] == R:
        return OTHER[board.attacker], board.attacker
    for faction in FACTIONS:
        if acted[faction] != R:
            continue
        if acted[OTHER[faction]] != C:
            return (faction,)
        mask, enemy, alone = masks[faction], masks[OTHER[faction]], board.alone[faction]
        if board.events is not None:
            note_slip(board.events, mask, enemy, alone=alone)
        if may_slip(mask, enemy, alone=alone):
            return (faction,)
    return ()


def _compare(board: Bitboard, chosen: tuple[Choice, ...], acted: tuple[Maneuver, ...], masks: tuple[int, ...]) -> None:
    """7. Compare effective power (CBT-6) and find who is eliminated (CBT-7)."""
    base, lines = account(masks[0], masks[1], board.attacker, board.aid)
    strength: tuple[int, ...] = (
        power(base[0], chosen[0], acted[0], masks[0], alone=board.alone[0]),
        power(base[1], chosen[1], acted[1], masks[1], alone=board.alone[1]),
    )
    attacker, defender = board.attacker, OTHER[board.attacker]
    # CBT-6: ties go to the original attacker.
    winner = defender if strength[defender] > strength[attacker] else attacker
    loser = OTHER[winner]
    # AOA-4, A-22: nobody wins when both play the same all-out maneuver.
    even = acted[0] == acted[1] and acted[0] in (A, D)
    if board.events is not None:
        note_strength(board.events, board, chosen, acted, masks)
        power_of, played = (strength[0], strength[1]), (acted[0], acted[1])
        board.events.append(ev.RoundFought(base, power_of, None if even else winner, played, lines))
    # AOA-3: All-out Attack dies, won or lost; AOA-7: but not against All-out Defense.
    board.doomed = 0
    for faction in FACTIONS:
        if _attacked(board, faction):
            board.doomed |= masks[faction]
    board.losers = board.leavers = ()
    if not even:
        # CHA-4: the winner of a chased retreat chooses first.
        if acted[winner] == R:
            board.phase = STAY
            return
        # CBT-7; AOD-3: a winning All-out Defense kills nobody, and who dies of their own attack dies anyway.
        if acted[winner] != D and acted[loser] != A:
            board.losers = (loser,)
        # AOA-7: an All-out Attack that loses against All-out Defense is covered by AOD-3; one that wins there
        # kills one.  CHA-5: the rest of a chased group leaves.
        if acted[loser] == R:
            board.leavers = (loser,)
    _casualty(board)


def _casualty(board: Bitboard) -> None:
    """8. Ask for the casualty; one who has a single unit there has no choice."""
    if not board.losers:
        _batch(board)
    elif board.size[board.losers[0]][board.region] > 1:
        board.phase = LOSE
    else:
        lose(board, board.at[board.losers[0]][board.region])


def lose(board: Bitboard, victim: int) -> None:
    """8. Take the casualty that its owner names (CBT-7, A-49)."""
    board.losers = ()
    board.doomed |= victim
    _batch(board)


def _batch(board: Bitboard) -> None:
    """8. Eliminate all of the round together, then those the burier takes along (A-50, THA-1)."""
    region, doomed = board.region, board.doomed
    if doomed:
        victims = [
            (board.at[faction][region] & doomed, "all-out" if _attacked(board, faction) else "lost")
            for faction in FACTIONS
        ]
        if doomed & BURIERS:
            if board.events is not None:
                first = next(bit for faction in FACTIONS for bit in board.bits(victims[faction][0] & BURIERS))
                board.events.append(ev.Used(UNITS[first.bit_length() - 1], "buries_all"))
            victims += [(board.at[faction][region] & ~doomed, "buries_all") for faction in FACTIONS]
        board.doomed = 0
        board.eliminate(region, victims)
    proceed(board, LEAVE if board.leavers else ROUND)


def _attacked(board: Bitboard, faction: Faction) -> bool:
    """Return whether a side dies of its own All-out Attack in this round (AOA-3, AOA-7)."""
    own, other = board.choices[faction], board.choices[OTHER[faction]]
    assert own is not None
    assert other is not None
    return own[0] == A and other[0] != D


def _leave(board: Bitboard) -> None:
    """9. Let those who retreat pick a region, one after the other."""
    while board.leavers:
        faction = board.leavers[0]
        gone = not board.size[faction][board.region]
        if not gone and find_ways_out(board, faction):
            board.phase = RETREAT
            return
        board.leavers = board.leavers[1:]
        if not gone:
            # RET-7: the defender has taken the last way out; the attacker stays and pays nothing.
            board.note(ev.Stayed, faction)
            break
    # RET-6, A-18: all who have left pay together.
    for faction, price in board.left:
        board.change_honor(faction, -price, "retreat")
    if board.passes() and not board.reach_palace():
        _finish(board)


def retreat(board: Bitboard, target: Region) -> None:
    """Leave the combat (RET-1, CHA-4, CHA-5)."""
    if board.phase == STAY:
        board.leavers = (find_chased(board),)
    faction, region = board.leavers[0], board.region
    mask, count = board.at[faction][region], board.size[faction][region]
    price = honor.retreat_penalty(mask, count)
    if board.events is not None:
        note_retreat(board.events, board, faction, target)
    board.shift(faction, region, target, mask, count)
    board.note(ev.Retreated, faction, region, target, tuple(units_in(mask)))
    board.leavers = board.leavers[1:]
    board.left = (*board.left, (faction, price))
    _leave(board)


def stay(board: Bitboard) -> None:
    """Stay after a chased retreat was won: the chaser loses a unit and the next round follows (CHA-4)."""
    faction = find_chased(board)
    board.note(ev.Stayed, faction)
    board.losers = (OTHER[faction],)
    _casualty(board)


def note_choices(events: list[ev.Event], board: Bitboard, masks: tuple[int, ...], chosen: tuple[Choice, ...]) -> None:
    """Say what the sides have chosen, and which powers shaped what they could choose."""
    for faction in FACTIONS:
        events.append(ev.Chose(faction, EVERY_MANEUVER[chosen[faction][0]], chosen[faction][1]))
    for faction in FACTIONS:
        mask = masks[faction]
        if board.alone[faction] and mask & (traits.RESTRICTED | traits.THINNERS):
            unit = units_in(mask)[0]
            events.append(ev.Used(unit, "thins_enemy" if mask & traits.THINNERS else "alone_maneuvers"))
        if mask & traits.BOUNDLESS and chosen[faction][1] > honor.FREE_ENERGY:
            events.append(ev.Used(units_in(mask & traits.BOUNDLESS)[0], "boundless_energy"))
        if board.round == 1 and mask & traits.SEERS and (not board.open_combat or board.attacker == faction):
            events.append(ev.Used(units_in(mask & traits.SEERS)[0], "sees_first"))


def note_fines(events: list[ev.Event], maneuver: int, energy: int, mask: int, *, alone: bool) -> None:
    """Say which power changed the penalties for a choice."""
    much = energy > honor.FREE_ENERGY and not mask & traits.BOUNDLESS
    if much or maneuver in (Maneuver.ATTACK, Maneuver.DEFENSE):
        note_penalty_powers(events, mask, alone=alone)


def note_penalty_powers(events: list[ev.Event], mask: int, *, alone: bool) -> None:
    """Say which power changed a penalty of these units (APO-2, DIO-1)."""
    for unit in units_in(mask):
        if CARDS[unit].doubles_penalties:
            events.append(ev.Used(unit, "doubles_penalties"))
        elif alone and CARDS[unit].spares_penalties:
            events.append(ev.Used(unit, "spares_penalties"))


def note_slip(events: list[ev.Event], mask: int, enemy: int, *, alone: bool) -> None:
    """Say that a unit slips away from a Chase (PER-1), or who holds it (HRM-2)."""
    if alone and mask & traits.SLIPPERY:
        if may_slip(mask, enemy, alone=alone):
            events.append(ev.Used(units_in(mask)[0], "slips_away"))
        else:
            events.append(ev.Used(units_in(enemy & traits.HOLDERS)[0], "holds_slippery"))


def note_strength(
    events: list[ev.Event],
    board: Bitboard,
    chosen: tuple[Choice, ...],
    acted: tuple[Maneuver, ...],
    masks: tuple[int, ...],
) -> None:
    """Say whose power counts beside those in the account."""
    for faction in FACTIONS:
        mask = masks[faction]
        if board.alone[faction] and mask & traits.WORTHIER and chosen[faction][1]:
            events.append(ev.Used(units_in(mask)[0], "energy_worth"))
        if acted[faction] == Maneuver.CHASE and mask & traits.CHASERS:
            events.append(ev.Used(units_in(mask & traits.CHASERS)[0], "chase"))


def note_retreat(events: list[ev.Event], board: Bitboard, faction: Faction, target: Region) -> None:
    """Say which powers act in a retreat."""
    region = board.region
    mask = board.at[faction][region]
    note_penalty_powers(events, mask, alone=board.size[faction][region] == 1)
    ways = retreat_ways(region, board.origin or None, attacker=faction == board.attacker)
    if board.alone[faction] and mask & traits.SLIPPERY and target not in ways:
        events.append(ev.Used(units_in(mask)[0], "slips_away"))
    if CROSSES[region][target]:
        events.append(ev.Used(units_in(mask)[0], "ferries"))
