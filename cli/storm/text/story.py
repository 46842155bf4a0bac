"""What one message has done, for the one who plays: "you" and the other's name instead of the sides."""

from collections.abc import Mapping, Sequence
from typing import Final

from cli.console.model import Entry
from cli.storm.model import Model, named
from cli.storm.text import matches, names, narrate
from cli.text.matches import YOU
from cli.text.wording import _, fill, lazy, signed
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import OTHER, Faction, Region
from storm_p2p.storm.units import FACTION, Maneuver, Unit

_MOVES: Final = {
    "move": lazy(("{who}: {units} moves {path}", "{who}: {units} move {path}")),
    "fly": lazy(("{who}: {units} flies {path}", "{who}: {units} fly {path}")),
    "attack": lazy(("{who}: {units} attacks {path}", "{who}: {units} attack {path}")),
    "retreat": lazy(("{who}: {units} retreats {path}", "{who}: {units} retreat {path}")),
}
"""For one and for several."""

_MODIFIERS: Final = lazy({
    "silences": "{unit} {change} (asleep)",
    "charms": "{unit} {change} (Aphrodite)",
    "per_comrade": "{unit} {change} (comrades)",
    "defending": "{unit} {change} (defends)",
})  # fmt: skip
_EVEN: Final = lazy({
    Maneuver.ATTACK: "nobody wins, because both attacked all-out: everyone there is eliminated",
    Maneuver.DEFENSE: "nobody wins, because both defended all-out: nobody is eliminated",
})  # fmt: skip
_DECIDED: Final = lazy({
    "palace": "{leader} reached the Palace: the {winners} win at once.",
    "leaders": "The Chthonians have lost their leaders: the {winners} win.",
    "honor": "{loser}: no Honor left, so the {winners} win.",
})  # fmt: skip
"""What has decided a game (END-1, END-3, END-4)."""
_ACCOUNT: Final = lazy("Power: you {ours}, {opponent} {theirs} (base strength {base_ours} and {base_theirs}); {end}")
_ACCOUNT_WITH_POWERS: Final = lazy(
    "Power: you {ours}, {opponent} {theirs} (base strength {base_ours} and {base_theirs}: {powers}); {end}"
)


def called(model: Model) -> Mapping[Faction, str]:
    """Return how the sides are called."""
    return {model.side: str(YOU), OTHER[model.side]: model.opponent}


def story(model: Model, entry: Entry) -> list[str]:
    """Return what one message has done, one line for each event; changes of Honor and Energy join a line of their side.

    What a round of combat costs is booked for both sides together: each joins its own choice.
    """
    who = called(model)
    lines: list[str] = []
    spoken: dict[Faction, int] = {}
    for event in entry.events:
        if isinstance(event, ev.HonorChanged | ev.EnergyChanged):
            place = spoken.get(event.faction)
            if place is None:
                spoken[event.faction] = len(lines)
                lines.append(fill("{who}: {change}", who=who[event.faction], change=_change(event)))
            else:
                # A change follows a sentence as a part of it.
                lines[place] = fill("{line}; {change}", line=lines[place].rstrip("."), change=_change(event))
            continue
        actor = getattr(event, "faction", None)
        if actor is not None:
            spoken[actor] = len(lines)
        lines.append(_tell(model, entry, event, who))
    return lines


def turn(number: int, other: str = "") -> str:
    """Return whose turn begins; no name stands for the reader."""
    template = lazy("Turn {number}: {who} to move." if other else "Turn {number}: your move.")
    return fill(template, number=number, who=other)


def _change(event: ev.HonorChanged | ev.EnergyChanged) -> str:
    honor = isinstance(event, ev.HonorChanged)
    template = lazy("Honor {before} to {now} {why}" if honor else "Energy {before} to {now} {why}")
    return fill(template, before=event.now - event.change, now=event.now, why=narrate.reason(event))


def _tell(model: Model, entry: Entry, event: ev.Event, who: Mapping[Faction, str]) -> str:
    match event:
        case ev.TurnBegan():
            return turn(event.number, "" if event.faction == model.side else who[event.faction])
        case ev.Moved():
            verb = "attack" if event.attack else "fly" if event.flight else "move"
            return _moves(verb, who[event.faction], _movers(model, entry, event), event.path)
        case ev.Retreated():
            return _moves("retreat", who[event.faction], event.units, (event.region, event.target))
        case ev.CombatBegan():
            template = lazy("Combat in {region}. {who} attacks; a tie goes to the attacker.")
            if event.attacker == model.side:
                template = lazy("Combat in {region}. You attack; a tie goes to the attacker.")
            return fill(template, region=event.region, who=who[event.attacker])
        case ev.RoundBegan():
            return fill("Round {round} in {region}.", round=event.round, region=event.region)
        case ev.RoundFought():
            return _round(model, event)
        case ev.Rehidden():
            if event.faction == model.side:
                return fill("you hide from {opponent} who went and who stayed", opponent=model.opponent)
            return fill("{opponent} hides from you who went and who stayed", opponent=model.opponent)
        case ev.CombatEnded():
            return fill("The combat in {region} is over.", region=event.region)
        case ev.Used() | ev.Returned() | ev.Eliminated():
            return fill("{who}: {what}", who=who[FACTION[event.unit]], what=narrate.line(event, who))
        case ev.GameOver():
            return _over(model, entry, event)
        case _:
            return narrate.line(event, who)


def _over(model: Model, entry: Entry, event: ev.GameOver) -> str:
    """Return the last line of a game: what has decided it, and who wins."""
    outcome = event.outcome
    if outcome.winner == "draw" or outcome.reason not in _DECIDED:
        return _("The game is over.")
    winner = next(side for side in Faction if side.name.lower() == outcome.winner)
    who = called(model)
    return fill(
        _DECIDED[outcome.reason], leader=matches.leader(entry.after), loser=who[OTHER[winner]],
        winners=names.side_name(winner),
    )  # fmt: skip


def _moves(verb: str, who: str, units: Sequence[Unit | None], path: Sequence[Region]) -> str:
    template = _MOVES[verb][names.are_many(units)]
    return fill(template, who=who, units=names.crowd(units), path=names.path(path))


def _movers(model: Model, entry: Entry, event: ev.Moved) -> Sequence[Unit | None]:
    """Return the movers, own ones by name even when nobody else knows them."""
    if event.faction != model.side or None not in event.units or entry.before is None:
        return event.units
    stood = named(entry.before.sides[model.side][event.path[0]])
    stayed = named(entry.after.sides[model.side][event.path[0]])
    went = [unit for unit in stood if unit not in stayed]
    return went if len(went) == len(event.units) else event.units


def _round(model: Model, event: ev.RoundFought) -> str:
    me, him = model.side, OTHER[model.side]
    powers = modifiers(event.modifiers)
    return fill(
        _ACCOUNT_WITH_POWERS if powers else _ACCOUNT,
        ours=event.power[me], opponent=model.opponent, theirs=event.power[him],
        base_ours=event.base[me], base_theirs=event.base[him], powers=powers, end=_end(model, event),
    )  # fmt: skip


def _end(model: Model, event: ev.RoundFought) -> str:
    """Return who wins a round, and why nobody loses a unit where that is so."""
    if event.winner is None:
        return str(_EVEN[event.maneuvers[0]])
    mine = event.winner == model.side
    if event.maneuvers[event.winner] == Maneuver.DEFENSE:
        template = lazy("{who} wins the round, but an all-out defense eliminates nobody")
        if mine:
            template = lazy("you win the round, but your all-out defense eliminates nobody")
    else:
        template = lazy("you win the round" if mine else "{who} wins the round")
    return fill(template, who=model.opponent)


def modifiers(found: Sequence[ev.Modifier]) -> str:
    """Return what powers did to strengths, and whose they are, in a few words."""
    return ", ".join(
        fill(_MODIFIERS[line.power], unit=names.unit_name(line.unit), change=signed(line.change))
        for line in found
    )


def power_line(unit: Unit, power: str) -> str:
    """Return what a power does, in one sentence."""
    return fill("{what}.", what=narrate.power(unit, power))
