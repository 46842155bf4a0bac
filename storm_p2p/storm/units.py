"""The 24 units: one row each, with strength, gender, powers and the sentence on the card (docs/rules.md, "The units").

This is the only module that names a special unit.  A power is a trait of the row; the pipelines in
``movement``, ``honor``, ``combat`` and ``powers`` ask for the trait at the step where the rules put it and
never for the unit.  Sets of units are bit masks, ``1 << unit``, because the pipelines ask for them often.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Annotated, Final

from storm_p2p.storm.board import Faction

CHTHONIANS, OLYMPIANS = Faction.CHTHONIANS, Faction.OLYMPIANS


class Unit(IntEnum):
    """A unit; the number is its value in a hidden slot and must never change."""

    HADES = 0
    PERSEPHONE = 1
    CERBERUS = 2
    CRONUS = 3
    HECATE = 4
    HYPNOS = 5
    ERINYES = 6
    MOIRAE = 7
    HARPIES = 8
    THANATOS = 9
    CHARON = 10
    NYX = 11
    ZEUS = 12
    HERA = 13
    ATHENA = 14
    APHRODITE = 15
    DIONYSUS = 16
    APOLLO = 17
    HERMES = 18
    ARES = 19
    POSEIDON = 20
    ARTEMIS = 21
    HEPHAESTUS = 22
    DEMETER = 23


UNITS: Final = tuple(Unit)
"""The units by number; looking one up is quicker than ``Unit(number)``."""


class Maneuver(IntEnum):
    """What a side does in a combat round (CBT-4)."""

    STANDARD = 0
    RETREAT = 1
    CHASE = 2
    ATTACK = 3
    """All-out Attack."""
    DEFENSE = 4
    """All-out Defense."""


EVERY_MANEUVER: Final = tuple(Maneuver)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One row of the table; the defaults are a unit without powers.

    Each trait has the number of its rule, under which ``version`` hashes it: another number is another version.
    """

    unit: Unit
    name: str
    """English name, in lower case; the canonical word."""
    code: str
    """Three letters, unique; accepted at the prompt and used on the board."""
    faction: Annotated[Faction, "CMP-1"]
    strength: Annotated[int, "CMP-3"]
    """Nominal strength (CMP-3); reconstructed where the texts are silent (A-01)."""
    text: str
    """What the unit can do, as its card says it."""
    male: Annotated[bool, "APH-3"] = False
    required: Annotated[bool, "SET-2"] = False
    """Must be among the nine (SET-2)."""
    leads: Annotated[int, "END-1"] = 0
    """1: the first leader, 2: leads when the first is gone (END-1, END-3, PER-3)."""
    recalls: Annotated[int, "HAD-1"] = 0
    """1 or 2: may bring back the eliminated, 2 only when 1 is gone (HAD-1, PER-3)."""
    bolts: Annotated[int, "ZEU-1"] = 0
    """1 or 2: may throw thunderbolts, 2 only when 1 is gone (ZEU-1, HER-2)."""
    bolt_proof: Annotated[bool, "CER-2"] = False
    """Cannot be chosen as victim of a thunderbolt (CER-2)."""
    bolt_energy: Annotated[int, "ZEU-3"] = 0
    """Energy for its own side when a thunderbolt hits its region (ZEU-3)."""
    flies: Annotated[bool, "FLY-1"] = False
    """docs/rules.md, "Flying"."""
    wanders: Annotated[bool, "HRM-1"] = False
    """Moving alone, any number of steps (HRM-1)."""
    ferries: Annotated[bool, "CHN-1"] = False
    """Crosses the Styx free and takes comrades with it; alone it may retreat across (CHN-1..3)."""
    river_energy: Annotated[int, "POS-1"] = 0
    """Energy for a move from bank to bank, claimed (POS-1)."""
    drains: Annotated[int, "DEM-1"] = 0
    """Energy taken from the enemy on entering an empty Underworld region alone, claimed (DEM-1)."""
    doubles_penalties: Annotated[bool, "APO-2"] = False
    spares_penalties: Annotated[int, "DIO-1"] = 0
    """What each Honor penalty is smaller by when it decides alone (DIO-1)."""
    sneaks: Annotated[bool, "ERI-1"] = False
    blocks_sneak: Annotated[bool, "HEP-2"] = False
    slays: Annotated[Unit | None, "CRO-1"] = None
    """Eliminates this enemy at first contact (CRO-1)."""
    perishes_with: Annotated[Unit | None, "DEM-2"] = None
    """Both are eliminated at first contact, the other one for good (DEM-2)."""
    silences: Annotated[bool, "HYP-1"] = False
    """Every other unit's nominal strength is 0 (HYP-1)."""
    charms: Annotated[bool, "APH-1"] = False
    """Males: comrades +2, also from next door; enemies -3 (APH-1, APH-2)."""
    per_comrade: Annotated[int, "HER-1"] = 0
    """Strength for each comrade in the combat (HER-1)."""
    defending: Annotated[int, "HEP-1"] = 0
    """Strength when its side is the defender (HEP-1)."""
    energy_worth: Annotated[int, "ARE-1"] = 1
    """What each Energy counts when it fights alone (ARE-1)."""
    chase: Annotated[int, "ART-1"] = 0
    """The chase modifier of its side, when not 0 (ART-1)."""
    boundless_energy: Annotated[bool, "MOI-1"] = False
    """Its side's only Energy limit is the stock, without a price in Honor (MOI-1)."""
    thins_enemy: Annotated[int, "NYX-1"] = 0
    """Alone, the enemy's Energy limit is as with so many units fewer (NYX-1)."""
    takes_spent: Annotated[bool, "HEC-1"] = False
    """The Energy the enemy spends in a round is added to its side's stock (HEC-1)."""
    alone_maneuvers: Annotated[tuple[Maneuver, ...] | None, "CER-1"] = None
    """What it may choose when it fights alone (CER-1, ERI-2)."""
    slips_away: Annotated[bool, "PER-1"] = False
    """Fighting alone, a Chase does not stop its Retreat, and it may leave in any direction (PER-1, PER-2)."""
    holds_slippery: Annotated[bool, "HRM-2"] = False
    """In the chasing side, it stops even those (HRM-2)."""
    sees_first: Annotated[bool, "ATH-1"] = False
    """Its side chooses second in the first round (ATH-1)."""
    buries_all: Annotated[bool, "THA-1"] = False
    """Eliminated in combat, it takes everything left in the region with it (THA-1)."""


CARDS: Final[tuple[Card, ...]] = (
    Card(
        unit=Unit.HADES, name="hades", code="had", faction=CHTHONIANS, strength=5, male=True,
        required=True, leads=1, recalls=1,
        text="Leader. Reaching the Palace he wins. Instead of moving, for 10 Energy, he brings one eliminated"
        " Chthonian back to Tartarus, if no enemy and fewer than four comrades stand there.",
    ),
    Card(
        unit=Unit.PERSEPHONE, name="persephone", code="per", faction=CHTHONIANS, strength=3,
        leads=2, recalls=2, slips_away=True,
        text="Leads and recalls when Hades is gone; reaching the Palace she wins even while he lives. Fighting"
        " alone she can always retreat, in any direction, unless Hermes is there. Meeting Demeter, both are"
        " eliminated and she cannot be recalled.",
    ),
    Card(
        unit=Unit.CERBERUS, name="cerberus", code="cer", faction=CHTHONIANS, strength=5,
        bolt_proof=True, alone_maneuvers=(Maneuver.CHASE,),
        text="Fighting alone he must Chase. Thunderbolts do not harm him.",
    ),
    Card(
        unit=Unit.CRONUS, name="cronus", code="cro", faction=CHTHONIANS, strength=6, male=True,
        slays=Unit.ZEUS,
        text="When he and Zeus meet in a region, Zeus is eliminated at once, whoever attacked.",
    ),
    Card(
        unit=Unit.HECATE, name="hecate", code="hec", faction=CHTHONIANS, strength=3,
        takes_spent=True, bolt_energy=6,
        text="All Energy that the Olympians spend in a combat round with her is added to the Chthonian stock."
        " A thunderbolt into her region gives the Chthonians 6 Energy.",
    ),
    Card(
        unit=Unit.HYPNOS, name="hypnos", code="hyp", faction=CHTHONIANS, strength=2, male=True,
        silences=True,
        text="In a combat with him the strength of every other unit, friend and foe, is 0; bonuses stay.",
    ),
    Card(
        unit=Unit.ERINYES, name="erinyes", code="eri", faction=CHTHONIANS, strength=4,
        sneaks=True, alone_maneuvers=(Maneuver.STANDARD, Maneuver.CHASE, Maneuver.ATTACK),
        text="Attacking alone on foot, not over the Styx, they may sneak for 2 Energy and 1 Honor: one enemy of"
        " the opponent's choice is eliminated before combat, unless Hephaestus is there. Fighting alone they"
        " can neither Retreat nor use All-out Defense.",
    ),
    Card(
        unit=Unit.MOIRAE, name="moirae", code="moi", faction=CHTHONIANS, strength=3,
        boundless_energy=True,
        text="In a combat with them the Chthonians may spend any amount of Energy they have, without losing"
        " Honor for more than 4.",
    ),
    Card(
        unit=Unit.HARPIES, name="harpies", code="har", faction=CHTHONIANS, strength=2,
        flies=True,
        text="Once revealed they fly alone to any region, free across the Styx.",
    ),
    Card(
        unit=Unit.THANATOS, name="thanatos", code="tha", faction=CHTHONIANS, strength=3,
        male=True, buries_all=True,
        text="If he is eliminated in combat, every unit left in the region, friend and foe, is eliminated too.",
    ),
    Card(
        unit=Unit.CHARON, name="charon", code="cha", faction=CHTHONIANS, strength=2, male=True,
        ferries=True,
        text="Once revealed he crosses the Styx free. Standing on a bank, in or next to the start or the goal of"
        " a crossing, he takes other Chthonians across free. Fighting alone he may retreat across the Styx.",
    ),
    Card(
        unit=Unit.NYX, name="nyx", code="nyx", faction=CHTHONIANS, strength=4, thins_enemy=1,
        text="Fighting alone, she cuts the Olympians' Energy limit as if they had one unit less.",
    ),
    Card(
        unit=Unit.ZEUS, name="zeus", code="zeu", faction=OLYMPIANS, strength=6, male=True,
        required=True, bolts=1,
        text="Instead of moving, for 6 Energy and 1 Honor, he strikes an adjacent region outside the Underworld:"
        " one enemy unit there, of the opponent's choice, is eliminated.",
    ),
    Card(
        unit=Unit.HERA, name="hera", code="hra", faction=OLYMPIANS, strength=3, per_comrade=3,
        bolts=2,
        text="In combat +3 for each comrade in the region. When Zeus is gone she may throw his thunderbolts.",
    ),
    Card(
        unit=Unit.ATHENA, name="athena", code="ath", faction=OLYMPIANS, strength=4,
        sees_first=True,
        text="In the first round of a combat with her the Olympians see the enemy's maneuver and Energy before"
        " they choose.",
    ),
    Card(
        unit=Unit.APHRODITE, name="aphrodite", code="aph", faction=OLYMPIANS, strength=2,
        charms=True,
        text="In combat each male comrade gains 2 and each male enemy loses 3 strength, never below 0. From a"
        " neighbouring region she gives the 2 as well, and is revealed.",
    ),
    Card(
        unit=Unit.DIONYSUS, name="dionysus", code="dio", faction=OLYMPIANS, strength=4,
        male=True, spares_penalties=1,
        text="Deciding alone, he makes each loss of Honor 1 smaller; outside combat he must be revealed before.",
    ),
    Card(
        unit=Unit.APOLLO, name="apollo", code="apo", faction=OLYMPIANS, strength=3, male=True,
        flies=True, doubles_penalties=True,
        text="Once revealed he flies alone to any region, free across the Styx. In combats, attacks and flights"
        " his side's losses of Honor are doubled.",
    ),
    Card(
        unit=Unit.HERMES, name="hermes", code="hrm", faction=OLYMPIANS, strength=3, male=True,
        wanders=True, holds_slippery=True,
        text="Moving alone he may take any number of steps, each with its price, until he enters an occupied"
        " region. In a Chase he stops even a lone Persephone.",
    ),
    Card(
        unit=Unit.ARES, name="ares", code="are", faction=OLYMPIANS, strength=3, male=True,
        energy_worth=2,
        text="When he fights alone each Energy counts twice.",
    ),
    Card(
        unit=Unit.POSEIDON, name="poseidon", code="pos", faction=OLYMPIANS, strength=5,
        male=True, river_energy=2,
        text="Moving on foot from one region on the Styx to another he gains 2 Energy, and is revealed.",
    ),
    Card(
        unit=Unit.ARTEMIS, name="artemis", code="art", faction=OLYMPIANS, strength=4, chase=2,
        text="With her a Chase adds 2 instead of subtracting 3.",
    ),
    Card(
        unit=Unit.HEPHAESTUS, name="hephaestus", code="hep", faction=OLYMPIANS, strength=3,
        male=True, defending=5, blocks_sneak=True,
        text="+5 when the Olympians defend. In a region hit by a sneak attack he prevents the elimination.",
    ),
    Card(
        unit=Unit.DEMETER, name="demeter", code="dem", faction=OLYMPIANS, strength=2, drains=3,
        perishes_with=Unit.PERSEPHONE,
        text="Ending her own move alone in an empty Underworld region she takes up to 3 Energy from the"
        " Chthonians, and is revealed. Meeting Persephone, both are eliminated and Persephone cannot return.",
    ),
)  # fmt: skip
"""The table, by unit number."""

STRENGTH: Final = tuple(card.strength for card in CARDS)
FACTION: Final = tuple(card.faction for card in CARDS)
NAME: Final = tuple(card.name for card in CARDS)

ROSTER: Final = tuple(tuple(card.unit for card in CARDS if card.faction == faction) for faction in Faction)
"""The twelve units of each faction, in the order of the table."""


def mask_of(units: Iterable[int]) -> int:
    """Return the bit mask of ``units``."""
    mask = 0
    for unit in units:
        mask |= 1 << unit
    return mask


def units_in(mask: int) -> list[Unit]:
    """Return the units of a bit mask in the order of the table."""
    return list(_units_in(mask))


@lru_cache(maxsize=1 << 12)
def _units_in(mask: int) -> tuple[Unit, ...]:
    return tuple(unit for unit in UNITS if mask >> unit & 1)


def _having(test: Callable[[Card], object]) -> int:
    return mask_of(card.unit for card in CARDS if test(card))


ALL_OF: Final = tuple(mask_of(roster) for roster in ROSTER)
"""All twelve of each faction."""

MALES: Final = _having(lambda card: card.male)
REQUIRED: Final = _having(lambda card: card.required)
LEADERS: Final = _having(lambda card: card.leads)
FIRST_LEADER: Final = _having(lambda card: card.leads == 1)
SECOND_LEADER: Final = _having(lambda card: card.leads == 2)
RECALLERS: Final = _having(lambda card: card.recalls)
THROWERS: Final = _having(lambda card: card.bolts)
BOLT_PROOF: Final = _having(lambda card: card.bolt_proof)
BOLT_FED: Final = _having(lambda card: card.bolt_energy)
FLIERS: Final = _having(lambda card: card.flies)
WANDERERS: Final = _having(lambda card: card.wanders)
FERRIES: Final = _having(lambda card: card.ferries)
RIVER_FED: Final = _having(lambda card: card.river_energy)
DRAINERS: Final = _having(lambda card: card.drains)
DOUBLERS: Final = _having(lambda card: card.doubles_penalties)
SPARERS: Final = _having(lambda card: card.spares_penalties)
SNEAKS: Final = _having(lambda card: card.sneaks)
SNEAK_BLOCKERS: Final = _having(lambda card: card.blocks_sneak)
SILENCERS: Final = _having(lambda card: card.silences)
CHARMERS: Final = _having(lambda card: card.charms)
SUPPORTED: Final = _having(lambda card: card.per_comrade)
DEFENDERS: Final = _having(lambda card: card.defending)
WORTHIER: Final = _having(lambda card: card.energy_worth != 1)
CHASERS: Final = _having(lambda card: card.chase)
BOUNDLESS: Final = _having(lambda card: card.boundless_energy)
THINNERS: Final = _having(lambda card: card.thins_enemy)
SPENT_TAKERS: Final = _having(lambda card: card.takes_spent)
RESTRICTED: Final = _having(lambda card: card.alone_maneuvers is not None)
SLIPPERY: Final = _having(lambda card: card.slips_away)
HOLDERS: Final = _having(lambda card: card.holds_slippery)
SEERS: Final = _having(lambda card: card.sees_first)
MEETERS: Final = _having(lambda card: card.slays is not None or card.perishes_with is not None)
BURIERS: Final = _having(lambda card: card.buries_all)


RECALL_ORDER: Final = (_having(lambda card: card.recalls == 1), _having(lambda card: card.recalls == 2))
BOLT_ORDER: Final = (_having(lambda card: card.bolts == 1), _having(lambda card: card.bolts == 2))
"""Who holds a right, and who holds it when all of those are gone (PER-3, HER-2)."""


def side_of(mask: int) -> Faction:
    """Return the faction of units whose power the rules ask one side about.

    Raises:
        ValueError: they are of both factions, or there are none.
    """
    sides = [faction for faction in Faction if mask & ALL_OF[faction]]
    if len(sides) != 1:
        raise ValueError(f"expected units of one faction, got {[NAME[unit] for unit in units_in(mask)]}")
    return sides[0]


CHARMING_SIDE: Final = side_of(CHARMERS)
"""Who is asked for help from next door (APH-2)."""
LEADING_SIDE: Final = side_of(LEADERS)
"""Who wins with a leader in the Palace and loses without one (END-1, END-3)."""

_TRAITS_WITHOUT_EVENT: Final = frozenset({"male", "required", "leads"})


def powers() -> list[tuple[Unit, str]]:
    """Return every (unit, trait) of the table that is a power, so that a test can ask whether all have acted."""
    plain = Card(unit=Unit.HADES, name="", code="", faction=CHTHONIANS, strength=0, text="")
    fixed = {"unit", "name", "code", "faction", "strength", "text"} | _TRAITS_WITHOUT_EVENT
    names = [name for name in Card.__slots__ if name not in fixed]
    return [(card.unit, name) for card in CARDS for name in names if getattr(card, name) != getattr(plain, name)]
