"""What a result does (12.1.3-D2): armor losses, step losses, disorganization, retreats, advances, in this order."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.asks import Ask, Step
from engine.facts import Fact, Marked
from engine.hexes import Hex
from engine.orders.choice import Given, gather
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import is_a, number, place
from engine.rules.retreat import Way
from games.jaws.data import Table
from games.jaws.orders.combat import Disorganize
from games.jaws.rules.barrage.markers import SHELTERED
from games.jaws.rules.combat.advance import Opening, advance
from games.jaws.rules.combat.battle import (
    ALARM,
    BREAKTHROUGH,
    COMBAT,
    PAID,
    UNPAID,
    Battle,
    alive,
    dots,
    stacks,
)
from games.jaws.rules.combat.breaking import before_retreat
from games.jaws.rules.combat.casualties import Payment, attackers_first, defenders_first, defenders_last, suffer
from games.jaws.rules.combat.halves import drawn_together
from games.jaws.rules.combat.holding import hold, stands
from games.jaws.rules.combat.result import Result, guns_and_tanks, most, striking
from games.jaws.rules.combat.retreat import Flight, retreat
from games.jaws.rules.losses import disorganize
from games.jaws.rules.strength import strength
from games.jaws.rules.units import DISORGANIZED, on_wheels, units_in
from games.jaws.rules.zones import projectors


@dataclass(frozen=True)
class Before:
    """What counts as it was before any result (12.12.1-c1, 12.17.1)."""

    hexes: tuple[Hex, ...]  # the attackers' hexes
    shaken: bool  # every defender was Disorganized
    guests: tuple[str, ...]  # who had retreated into the attacked hexes, or was one too many there (12.3.1-2, -3)
    duel: tuple[tuple[str, ...], tuple[str, ...]]  # who takes an armor hit: of the attackers, of the defenders
    mobile: tuple[str, ...]  # 12.1.4-e: who may get a Breakthrough marker


def _before(table: Table, battle: Battle) -> Before:
    enemy = table.enemy(battle.side)
    there = [unit for h in battle.targets for unit in units_in(table, h, enemy)]
    tanks = striking(table, battle)
    guns = [unit for unit in battle.defenders if guns_and_tanks(table, unit)]
    ours = most(table, tanks, [dots(table, unit)[0] for unit in tanks])
    theirs = most(table, guns, [sum(dots(table, unit)) for unit in guns])
    return Before(
        tuple(stacks(table, battle.units)),
        all(table.position.mark(unit, DISORGANIZED) is not None for unit in battle.defenders),
        tuple(unit for unit in there if unit not in battle.defenders),
        (tuple(ours), tuple(theirs)),
        _mobile(table, battle),
    )


def _mobile(table: Table, battle: Battle) -> tuple[str, ...]:
    """12.1.4-e: armor, and infantry on wheels or reconnaissance that attacked from a hex with armor."""
    found: list[str] = []
    for h, units in stacks(table, battle.units).items():
        tanks = [unit for unit in units_in(table, h, battle.side) if is_a(table, unit, "armor")]
        found += [unit for unit in units if unit in tanks or (tanks and on_wheels(table, unit))]
    return tuple(found)


@dataclass(frozen=True)
class Struck:
    """A combat whose losses are taken, before anybody has retreated (4.7.2-5)."""

    battle: Battle
    came: Result
    before: Before
    gone: bool  # nobody is left of the defenders
    fought: Battle  # with all who took part
    there: tuple[str, ...] = ()  # 12.1.3-B1: all who stood in the hexes, and were shown
    shelled: tuple[str, ...] = ()  # 17.1.3-7: who is Disorganized when it is over


def strike(table: Table, battle: Battle, came: Result) -> Generator[Step, Any, Struck]:
    """12.1.3-D2a, D2b."""
    before = _before(table, battle)
    yield from _armor(table, battle, came, before)
    yield from _losses(table, battle, came, before)
    left = tuple(unit for unit in alive(table, battle.defenders) if place(table, unit) in battle.targets)
    ours = tuple(unit for unit in alive(table, battle.units) if place(table, unit) in before.hexes)
    still = replace(battle, units=ours, defenders=left)  # an extended division's cadre may stand elsewhere (4.7)
    yield from _disorganized(table, still, came, before, gone=not left)
    return Struck(still, came, before, not left, battle)


def settle(table: Table, fights: Sequence[Struck]) -> Generator[Step, Any, None]:
    """12.1.3-D2c to e: all retreats, then all advances, of one combat or of two on an extended division (4.7.2-5)."""
    leaving = frozenset(h for fight in fights for h in _left(table, fight))
    ways = []
    for fight in fights:
        ways.append((yield from _retreats(table, fight, leaving)))
    for fight, taken in zip(fights, ways, strict=True):
        if fight.battle.segment != ALARM:  # 9.12-2: there whoever won goes in
            yield from _advances(table, fight.battle, fight.came, fight.before, taken)


def _armor(table: Table, battle: Battle, came: Result, before: Before) -> Generator[Step, Any, None]:
    """12.12.1: a step of the armor with most dots, the owner's choice among equals."""
    spot, enemy = battle.spots(table)[0], table.enemy(battle.side)
    if came.defender_hit and before.duel[1]:
        units = before.duel[1]
        yield from suffer(table, Payment(enemy, units, 1, units, (), spot, "12.12.1-A", active=False))
    if came.attacker_hit and before.duel[0]:
        units = before.duel[0]
        yield from suffer(table, Payment(battle.side, units, 1, units, (), spot, "12.12.1-D", active=True))


def _losses(table: Table, battle: Battle, came: Result, before: Before) -> Generator[Step, Any, None]:
    """12.12.3, 12.12.4"""
    spot, enemy = battle.spots(table)[0], table.enemy(battle.side)
    theirs = (*alive(table, battle.defenders), *alive(table, before.guests))
    last = defenders_last(table, theirs, before.guests)
    first = defenders_first(table, theirs, last)
    yield from suffer(table, Payment(enemy, theirs, came.defender.steps, first, last, spot, "12.12.4", active=False))
    ours = (*alive(table, battle.units), *alive(table, battle.held_back))
    first = attackers_first(table, alive(table, battle.units), battle.engineer, battle.defenders)
    case = "12.12.3-a" if battle.engineer in first else "12.12.3-b"
    yield from suffer(table, Payment(battle.side, ours, came.attacker.steps, first, (), spot, case, active=True))


# 12.17.1


def _disorganized(
    table: Table, battle: Battle, came: Result, before: Before, *, gone: bool
) -> Generator[Step, Any, None]:
    if came.defender.disorganized:
        for unit in alive(table, battle.defenders):
            if not came.shelled or table.position.mark(unit, SHELTERED) is None:  # 17.1.3-9
                yield from disorganize(table, unit, "12.17.1")
    if not came.attacker.disorganized:
        return
    mine = (*battle.units, *battle.held_back)
    able = list(stacks(table, mine))
    count = _stacks_hit(table, battle, came, before, gone=gone)
    chosen = able[:count]
    if 0 < count < len(able):
        order = yield _stack_ask(table, battle, able, count)
        chosen = [table.grid.hex(spot) for spot in order.hexes]
    yield from _shake(table, chosen, stacks(table, mine))


def _shake(table: Table, hexes: Sequence[Hex], units: dict[Hex, list[str]]) -> Iterator[Fact]:
    for h in hexes:
        for unit in units[h]:
            yield from disorganize(table, unit, "12.17.1")


def _stacks_hit(table: Table, battle: Battle, came: Result, before: Before, *, gone: bool) -> int:
    """12.17.1: none against those Disorganized before; two where defenders with a ZOC stay; else one."""
    if before.shaken:
        return 0
    strong = projectors(table, table.enemy(battle.side))[0]
    stay = [h for h in battle.targets if not came.defender.retreat or _holds(table, battle, came, h)]
    return 2 if not gone and any(strong >> h & 1 for h in stay) else 1


def _stack_ask(table: Table, battle: Battle, able: list[Hex], count: int) -> Ask:
    seen = table.seen_by(battle.side)
    spots = [number(table, h) for h in able]
    weak = sorted(able, key=lambda h: (sum(strength(seen, u) for u in units_in(seen, h, battle.side)), h))
    default = Disorganize(hexes=tuple(sorted(number(table, h) for h in weak[:count])))

    def check(order: Order) -> None:
        assert isinstance(order, Disorganize)
        if len(set(order.hexes)) != count or not set(order.hexes) <= set(spots):
            hexes = "1 hex" if count == 1 else f"{count} hexes"
            raise Illegal("12.17.1", f"name {hexes} of your attackers", instead="These are", alternatives=spots)

    def more(given: Given) -> list[str]:
        return [spot for spot in spots if spot not in given.get("hexes", ())]

    return Ask(
        side=battle.side,
        name="disorganized",
        subject=battle.spots(table)[0],
        prompt=f"the attackers in {count} of {', '.join(spots)} are Disorganized: where",
        verbs=(Disorganize,),
        check=check,
        offers=lambda: [gather(Disorganize, "hexes", more, check)],
        default=lambda: default,
        case="12.17.1",
        passable=True,
    )


# 12.13, 12.15


def _nullified(came: Result) -> bool:
    """12.14.3: disorder or a breakthrough ends No Retreat."""
    return came.defender.disorganized or came.defender.breakthrough


def _holds(table: Table, battle: Battle, came: Result, h: Hex) -> bool:
    """12.14: whether those in a hex stay by No Retreat in spite of the result."""
    return h in battle.holding and not _nullified(came) and stands(table, battle, h)


def _left(table: Table, fight: Struck) -> list[Hex]:
    """The hexes that defenders who retreat must leave."""
    if not fight.came.defender.retreat:
        return []
    return [h for h in fight.battle.targets if not _holds(table, fight.battle, fight.came, h)]


def _retreats(table: Table, fight: Struck, leaving: frozenset[Hex]) -> Generator[Step, Any, dict[Hex, tuple[Way, ...]]]:
    """12.13: the defenders of every hex; then the attackers, unless there is nobody left to fear (12.15.1-5)."""
    battle, came, before = fight.battle, fight.came, fight.before
    enemy, found = table.enemy(battle.side), dict[Hex, tuple[Way, ...]]()
    by = battle.side if came.defender.breakthrough else enemy
    if came.defender.retreat:
        for h, units in stacks(table, (*battle.defenders, *before.guests)).items():
            if h not in battle.targets:
                continue
            if _holds(table, battle, came, h):
                yield from hold(table, battle, h)
                continue
            others: tuple[Hex, ...] = ()
            defended = any(unit in battle.defenders for unit in units)
            if came.defender.breakthrough:
                others = yield from drawn_together(table, units, leaving)
                units = units_in(table, h, enemy)
            flight = Flight(enemy, tuple(units), came.defender.retreat, (h,), by, by == battle.side, leaving - {h})
            taken = yield from _retreat(table, flight, active=False)
            found[h] = taken if defended else ()  # 12.15.1-4: if all who defended are gone, nobody is followed
            for other in others:
                rest = tuple(units_in(table, other, enemy))
                more = yield from _retreat(table, replace(flight, units=rest, left=leaving), active=False)
                found[h] += tuple((h, *way) for way in more)
    if came.attacker.retreat and not fight.gone:
        beaten = stacks(table, (*battle.units, *battle.held_back))
        for h, units in beaten.items():
            left = frozenset(beaten) - {h}
            flight = Flight(battle.side, tuple(units), came.attacker.retreat, battle.targets, battle.side, True, left)
            found[h] = yield from _retreat(table, flight, active=True)
    return found


def _retreat(table: Table, flight: Flight, *, active: bool) -> Generator[Step, Any, tuple[Way, ...]]:
    """12.13.3-a: German regiments may break down before they go."""
    going = yield from before_retreat(table, alive(table, flight.units), active=active)
    return (yield from retreat(table, replace(flight, units=going)))


def _advances(
    table: Table, battle: Battle, came: Result, before: Before, ways: dict[Hex, tuple[Way, ...]]
) -> Generator[Step, Any, None]:
    """12.15: the attackers into what was left; the defenders, if they stay and the attackers do not (12.15.2-3)."""
    enemy, gone = table.enemy(battle.side), list[str]()
    given_up = [h for h in before.hexes if not units_in(table, h, battle.side)]  # 12.15.2-3: not by an advance
    if not any(h in ways for h in before.hexes if h not in battle.targets):  # 16.5.3-p6: some may be in a shared hex
        for h in battle.targets:
            far = 2 if came.defender.breakthrough or not ways.get(h) else 1
            rest = tuple(unit for unit in battle.units if unit not in gone)
            opening = Opening(battle.side, rest, h, far, ways.get(h, ()), active=True)
            gone += yield from advance(table, opening)
        if came.defender.breakthrough and battle.segment == COMBAT:
            yield from _marked(battle, [unit for unit in gone if unit in before.mobile])
    if any(h in ways for h in battle.targets):
        return
    for h in given_up:
        rest = tuple(unit for unit in alive(table, battle.defenders) if unit not in gone)
        free = [unit for unit in rest if place(table, unit) not in battle.holding]
        near = tuple(unit for unit in free if table.grid.direction(place(table, unit), h) is not None)
        if not units_in(table, h, battle.side):
            gone += yield from advance(table, Opening(enemy, near, h, 1, ways.get(h, ()), active=False))


def _marked(battle: Battle, units: Sequence[str]) -> Iterator[Fact]:
    """12.1.3-D3b: markers that remember whether the attack was supported (12.1.4-B3)."""
    for unit in units:
        value = PAID if unit in battle.supported else UNPAID
        yield Marked(subject=unit, mark=BREAKTHROUGH, value=value, because="12.1.3-D3b")
