"""Tactics (12.3, TAC): what may be played, which give a benefit, and what they do before chits are drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine import hexset
from engine.facts import Fact, Marked, Moved, Noted
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.chooser import Chosen, choose
from engine.rules.ground import number, path_numbers, place
from engine.rules.marks import game_mark
from engine.table import kept
from games.kharkov.data import GERMAN, SOVIET, Table, turn_in
from games.kharkov.orders import TACTICS
from games.kharkov.rules import cards
from games.kharkov.rules.activation import in_supply_at_the_end, may_dig
from games.kharkov.rules.combat.situation import ARTILLERY, RETREATED, Combat, defenders
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import (
    ATTACKED,
    IP,
    ascending,
    bears,
    fits,
    is_active,
    is_dispersed,
    is_isolated,
    is_ready,
    on_map,
    selector,
    strength,
    touches,
)
from games.kharkov.rules.reach import legs, reach, way
from games.kharkov.rules.soviet.plans import Mover, allowed, mover_of, tactical, tiebreakers
from games.kharkov.rules.soviet.terms import around
from games.kharkov.rules.towns import entered, off

ATTACK_ONLY, DEFENCE_ONLY = ("assault coordination",), ("screen", "battlefield replacements")
COVER = ("woods", "town", "city")
JOINED_BY = ("assault coordination", "reinforce battle")  # tactics that bring units
Played = Sequence[tuple[str, str]]
Candidate = tuple[tuple[str, ...], Hex]  # who would join, and where


def barrage(table: Table, combat: Combat) -> bool:
    """12.36: on turns 1 and 2, Soviet attacks on Germans east of the artillery line."""
    on = table.data.on("barrage", table.position.turn) and combat.side == SOVIET
    return on and bool(table.data.inside["East Line"] >> combat.target & 1)


def is_stavka(table: Table) -> bool:
    return game_mark(table, "activating card") == cards.STAVKA


def in_range(table: Table, combat: Combat) -> bool:
    """TAC.fixed: east of the artillery line, or within FAR hexes beyond it."""
    far = table.data.calendar(max(1, table.position.turn))["far"]
    return bool(hexset.within(table.grid, table.data.inside["East Line"], far) >> combat.target & 1)


def printed(table: Table, card: str) -> list[str]:
    """The tactics of a Soviet card whose turn box holds now."""
    rows = cards.soviet(table, card)["tactics"]
    return [row["tactic"] for row in rows if turn_in(row.get("turns", ""), table.position.turn)]


def benefits(table: Table, combat: Combat, side: str, tactic: str) -> bool:
    """12.3, 12.31: whether a tactic gives more than its chit to a side in this combat."""
    attacking = side == combat.side
    own = combat.tactics(side)
    if tactic in (DEFENCE_ONLY if attacking else ATTACK_ONLY) or tactic in own:
        return False
    match tactic:
        case "artillery":
            return not _has_artillery(table, combat, side)
        case "fixed artillery":
            return not _has_artillery(table, combat, side) and in_range(table, combat)
        case "nkvd" if attacking:
            return not is_stavka(table)
        case "combat engineers" if not attacking:
            return _can_dig(table, combat)
        case "partisans":
            return table.data.terrain(combat.target) in COVER
        case "assault coordination":
            return bool(coordinated(table, combat))
        case "reinforce battle":
            return bool(reinforcers(table, combat, side))
    return True


def _has_artillery(table: Table, combat: Combat, side: str) -> bool:
    """12.31: by a tactic, or by the barrage that every attack has."""
    return any(t in ARTILLERY for t in combat.tactics(side)) or (side == combat.side and barrage(table, combat))


def _can_dig(table: Table, combat: Combat) -> bool:
    """14.21-c; an attack with engineers takes the position away before it is of use (14.24)."""
    return may_dig(table, combat.target) and "combat engineers" not in combat.attack_tactics


# Units that join (TAC.assault, TAC.reinforce).


def coordinated(table: Table, combat: Combat) -> list[str]:
    """TAC.assault: units that are not active, next to the target and able to attack (12.1)."""
    return [unit for unit in _idle_beside(table, combat.side, combat.target) if unit not in combat.attackers]


@kept
def _idle_beside(table: Table, side: str, target: Hex) -> list[str]:
    near = hexset.union(1 << h for h in table.grid.neighbours(target))
    return [
        unit
        for unit in on_map(table, side)
        if near >> place(table, unit) & 1
        and not is_active(table, unit)
        and (is_ready(table, unit) if side == SOVIET else _fit_to_attack(table, unit))
        and not table.position.mark(unit, ATTACKED)
        and touches(table, place(table, unit), target)
    ]


def _fit_to_attack(table: Table, unit: str) -> bool:
    """12.1: Germans out of supply may attack beside a supplied unit."""
    return not is_dispersed(table, unit) and not is_isolated(table, unit)


def reinforcers(table: Table, combat: Combat, side: str) -> dict[str, list[Hex]]:
    """TAC.reinforce: ready units outside the combat, each with the hexes in which it would join it."""
    fighting = {*combat.attackers, *defenders(table, combat)}
    near = _able_to_come(table, side, combat.target, side == combat.side)
    return {unit: list(hexes) for unit, hexes in near.items() if unit not in fighting}


@kept
def _able_to_come(table: Table, side: str, target: Hex, attacks: bool) -> dict[str, list[Hex]]:
    """Whoever of a side could come to a combat, fight in it already or not."""
    data, now = table.data, field(table)
    goal = around(data, target) if attacks else 1 << target
    found: dict[str, list[Hex]] = {}
    for unit in on_map(table, side):
        busy = table.position.mark(unit, ATTACKED) or (side == SOVIET and is_active(table, unit))
        here = place(table, unit)
        if busy or not is_ready(table, unit) or goal >> here & 1:
            continue
        can = reach(data, now, legs(table, unit), here) & goal
        room = [h for h in hexset.members(can) if fits(table, side, h, [unit])]
        if room and attacks and side == SOVIET:
            room = [h for h in room if allowed(mover_of(table, unit), h)]  # 9.25: within the restrictions of 9.23
        elif room and attacks:
            room = list(hexset.members(in_supply_at_the_end(table, unit, hexset.of(room))))
        if room:
            found[unit] = room
    return found


def soviet_reinforcers(table: Table, combat: Combat) -> Chosen[Candidate] | None:
    """TAC.reinforce: the unit or stack of the highest strength, then of the lowest selector; to a hex by 9.25."""
    found = reinforcers(table, combat, SOVIET)
    stacks: dict[Hex, list[str]] = {}
    for unit in ascending(table, found):
        stacks.setdefault(place(table, unit), []).append(unit)
    candidates: list[Candidate] = []
    for stack in stacks.values():
        for h in sorted({h for unit in stack for h in found[unit]}):
            together: list[str] = []
            for unit in stack:
                if h in found[unit] and fits(table, SOVIET, h, [*together, unit]):
                    together.append(unit)
            candidates.append((tuple(together), h))
    if not candidates:
        return None
    strongest = choose(
        candidates,
        [
            ("strength", lambda one: strength(table, one[0])),
            ("lowest selector", lambda one: -selector(table, one[0][0])[0]),
            ("lower-numbered army", lambda one: -selector(table, one[0][0])[1]),
        ],
    )
    units = strongest.best[0]
    mover = Mover(table, units[0])
    rules = [*tactical(mover, 1 << combat.target), *tiebreakers(mover)] if combat.side == SOVIET else []
    return choose(
        [one for one in strongest.tied if one[0] == units],
        [(name, lambda one, worth=worth: worth((one[1], None))) for name, worth in rules],  # type: ignore[misc]
        name=lambda one: f"{', '.join(one[0])} in {number(table, one[1])}",
    )


def join_battle(table: Table, combat: Combat, unit: str, to: Hex) -> Iterator[Fact]:
    """A unit moves into the combat; that is no activation, and it may not advance."""
    path = way(table.data, field(table), legs(table, unit), place(table, unit), to)
    yield Moved(unit=unit, path=path_numbers(table, path), because="TAC.reinforce")
    yield from entered(table, unit, path[1:])
    if table.position.mark(unit, RETREATED):
        yield Noted(subject=unit, mark=RETREATED, value=None, because="TAC.reinforce")  # it comes to fight (12.74)
    if table.unit(unit).side == combat.side:
        yield from join_attack(combat, unit)


def join_attack(combat: Combat, unit: str) -> Iterator[Fact]:
    """A unit attacks by a tactic: it may not advance (12.8)."""
    combat.attackers.append(unit)
    combat.joined.add(unit)
    yield Noted(subject=unit, mark=ATTACKED, because="12.1")


def applied(table: Table, combat: Combat, side: str, tactic: str) -> Iterator[Fact]:
    """A tactic is in force: what it does before chits are drawn (14.21-c, 14.24)."""
    combat.tactics(side).append(tactic)
    if tactic != "combat engineers":
        return
    if side == combat.side:
        if bears(table, combat.target, IP):
            yield off(table, combat.target, IP, "14.24")
    elif _can_dig(table, combat):
        yield Marked(subject=f"@{number(table, combat.target)}", mark=IP, because="14.21-c")


# German cards.


def plays(table: Table, card: str) -> list[tuple[str, str]]:
    """How a card may be played: a wild one as each tactic (12.33)."""
    wild = cards.german(table, card)["tactics"] == ["wild"]
    return [(card, named) for named in (TACTICS if wild else ("",))]


def tactics_of(table: Table, card: str, named: str) -> list[str]:
    """The tactics of a card, of a wild one what it stands for (12.33)."""
    own = cards.german(table, card)["tactics"]
    return [named] if own == ["wild"] else list(own)


def useful(table: Table, combat: Combat, side: str, offered: Sequence[Sequence[str]]) -> list[list[str]]:
    """12.3: of the tactics of each card those that give a benefit, after those of the cards before it."""
    trial = replace(combat, attack_tactics=[*combat.attack_tactics], defence_tactics=[*combat.defence_tactics])
    found = []
    for tactics in offered:
        kept = []
        for tactic in tactics:
            if benefits(table, trial, side, tactic):
                trial.tactics(side).append(tactic)
                kept.append(tactic)
        found.append(kept)
    return found


def check_cards(table: Table, combat: Combat, played: Played, side: str = GERMAN) -> None:
    """12.3, 12.33: cards in hand, wild ones named, a ready unit involved. Raises Illegal."""
    if not played:
        return
    hand = cards.in_hand(table)
    involved = combat.attackers if side == combat.side else defenders(table, combat)
    if not any(is_ready(table, unit) for unit in involved):
        raise Illegal("12.3", "no unit of yours in this combat is supplied and undispersed, so no card may be played")
    if len({card for card, _ in played}) != len(played):
        raise Illegal("12.3", "a card is played once")
    for card, named in played:
        if card not in hand:
            raise Illegal("12.3", f"{card} is not in your hand", alternatives=hand)
        wild = cards.german(table, card)["tactics"] == ["wild"]
        if wild and not named:
            raise Illegal("12.33", f"say what {card} stands for: `{card} as artillery`")
        if named and not wild:
            raise Illegal("12.33", f"{card} is not a wild card")
