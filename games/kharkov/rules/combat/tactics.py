"""Tactics (12.3, TAC): what may be played, which give a benefit, and what they do before chits are drawn."""

from collections.abc import Iterator, Sequence

from engine import hexset
from engine.facts import Fact, Marked, Moved
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import number, path_numbers, place
from engine.rules.marks import game_mark
from games.kharkov.data import GERMAN, SOVIET, Table, turn_in
from games.kharkov.rules import cards
from games.kharkov.rules.activation import may_dig
from games.kharkov.rules.combat.situation import ARTILLERY, Combat, defenders, hexes
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import (
    ATTACKED,
    IP,
    bears,
    fits,
    is_active,
    is_ready,
    on_map,
    selector,
    strength,
    touches,
)
from games.kharkov.rules.reach import legs, reach, way
from games.kharkov.rules.soviet.terms import around
from games.kharkov.rules.supply import supported
from games.kharkov.rules.towns import entered, off

ATTACK_ONLY, DEFENCE_ONLY = ("assault coordination",), ("screen", "battlefield replacements")
COVER = ("woods", "town", "city")


def barrage(table: Table, combat: Combat) -> bool:
    """12.36: on turns 1 and 2, Soviet attacks on Germans east of the artillery line."""
    on = table.data.on("barrage", table.position.turn) and combat.side == SOVIET
    return on and bool(table.data.inside["East Line"] >> combat.target & 1)


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
    if tactic in (DEFENCE_ONLY if attacking else ATTACK_ONLY):
        return False
    own = combat.tactics(side)
    match tactic:
        case "artillery":
            return not any(t in ARTILLERY for t in own)
        case "fixed artillery":
            return not any(t in ARTILLERY for t in own) and in_range(table, combat)
        case "combat engineers" if attacking:
            return True
        case "combat engineers":
            return may_dig(table, combat.target)
        case "partisans":
            return table.data.terrain(combat.target) in COVER and tactic not in own
        case "assault coordination":
            return bool(coordinated(table, combat)) and tactic not in own
        case "reinforce battle":
            return bool(reinforcers(table, combat, side))
    return tactic not in own


def coordinated(table: Table, combat: Combat) -> list[str]:
    """TAC.assault: units that are not active, next to the target and able to attack."""
    return [
        unit
        for unit in on_map(table, combat.side)
        if unit not in combat.attackers
        and not is_active(table, unit)
        and is_ready(table, unit)
        and not table.position.mark(unit, ATTACKED)
        and touches(table, place(table, unit), combat.target)
    ]


def reinforcers(table: Table, combat: Combat, side: str) -> dict[str, list[Hex]]:
    """TAC.reinforce: ready units outside the combat, each with the hexes in which it would join it."""
    data, now = table.data, field(table)
    goal = around(data, combat.target) if side == combat.side else 1 << combat.target
    found: dict[str, list[Hex]] = {}
    fighting = {*combat.attackers, *defenders(table, combat)}
    for unit in on_map(table, side):
        busy = unit in fighting or table.position.mark(unit, ATTACKED) or (side == SOVIET and is_active(table, unit))
        if busy or not is_ready(table, unit):
            continue
        here = place(table, unit)
        if goal >> here & 1:
            continue
        can = reach(data, now, legs(table, unit), here) & goal
        room = [h for h in hexset.members(can) if fits(table, side, h, [unit])]
        if room:
            found[unit] = room
    return found


def join_battle(table: Table, combat: Combat, unit: str, to: Hex) -> Iterator[Fact]:
    """A unit moves into the combat; that is no activation, and it may not advance."""
    path = way(table.data, field(table), legs(table, unit), place(table, unit), to)
    yield Moved(unit=unit, path=path_numbers(table, path), because="TAC.reinforce")
    yield from entered(table, unit, path[1:])
    if table.unit(unit).side == combat.side:
        combat.attackers.append(unit)
        combat.joined.add(unit)


def applied(table: Table, combat: Combat, side: str, tactic: str) -> Iterator[Fact]:
    """A tactic is in force: what it does before chits are drawn (14.21-c, 14.24)."""
    combat.tactics(side).append(tactic)
    if tactic != "combat engineers":
        return
    if side == combat.side:
        if bears(table, combat.target, IP):
            yield off(table, combat.target, IP, "14.24")
    elif may_dig(table, combat.target):
        yield Marked(subject=f"@{number(table, combat.target)}", mark=IP, because="14.21-c")


# German cards.


def german_tactics(table: Table, played: Sequence[tuple[str, str]]) -> list[str]:
    """The tactics of cards played, wild ones as named (12.33)."""
    found = []
    for card, named in played:
        own = cards.german(table, card)["tactics"]
        found += [named] if own == ["wild"] else own
    return found


def check_cards(table: Table, combat: Combat, played: Sequence[tuple[str, str]], side: str = GERMAN) -> None:
    """12.3: cards in hand, a ready unit involved, and in an attack a benefit of each tactic. Raises Illegal."""
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
    given: list[str] = []
    for tactic in german_tactics(table, played):
        if not benefits(table, combat, side, tactic) or tactic in given:
            raise Illegal("12.3", f"{tactic} would give nothing in this combat")
        given.append(tactic)


# Soviet cards.


def soviet_reinforcer(table: Table, combat: Combat) -> tuple[str, Hex] | None:
    """TAC.reinforce: the highest strength, then the lowest selector; in support and in a hex of its own."""
    found = reinforcers(table, combat, SOVIET)
    if not found:
        return None
    unit = min(found, key=lambda u: (-strength(table, [u]), *selector(table, u)))
    spots = found[unit]
    near = supported(table)
    alone = [h for h in spots if h not in hexes(table, combat)]
    best = min(alone or spots, key=lambda h: (not near >> h & 1, -int(number(table, h))))
    return unit, best


def is_stavka(table: Table) -> bool:
    return game_mark(table, "activating card") == cards.STAVKA
