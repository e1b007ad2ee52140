"""Combat (7.0): one attack from its declaration to the fate of the supports."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine import hexset
from engine.asks import Option, Roll, Step
from engine.facts import Fact, Fought, Marked
from engine.forecast import Working
from engine.hexes import Hex
from engine.refusals import Illegal, passes
from engine.rules.ground import held, number, place, units_at
from engine.table import Table
from games.korsun_vv.data import Result
from games.korsun_vv.orders import Attack, PreparedAttack, Supports
from games.korsun_vv.rules import armour, markers
from games.korsun_vv.rules.advance import Opening, advance
from games.korsun_vv.rules.defence import Call, Side, commitment, declared, defence
from games.korsun_vv.rules.duty import check_spared, could_enter, freed, owed_to
from games.korsun_vv.rules.ground import (
    BREAKTHROUGH,
    ISOLATED,
    SUPPLY,
    UNSUPPLIED,
    may_attack,
    together,
)
from games.korsun_vv.rules.losses import Payers, alive
from games.korsun_vv.rules.odds import armour_can_fight, combined_arms, odds, quality, shared_armour
from games.korsun_vv.rules.points import acting, check_acting, left, spend
from games.korsun_vv.rules.results import Outcome, Verdict, suffer_result
from games.korsun_vv.rules.sight import seen

FIGHTING = "fighting"  # on a hex while a combat about it lasts: its stacks can be looked into (11.1)


def row_of(table: Table, kind: type[Attack]) -> Any:
    """Table 7.3."""
    return table.data.tables["attack"]["prepared" if kind is PreparedAttack else "normal"]


# Who may attack whom (7.1)


def check_attack(table: Table, side: str, order: Attack) -> None:
    """Everything that must hold before an attack. Raises Illegal."""
    target, row = table.grid.hex(order.target), row_of(table, type(order))
    if not units_at(table, target, table.enemy(side)):
        near = [number(table, h) for h in targets(table, side)]
        raise Illegal("7.1-a", f"there is nobody to attack in {order.target}", at=order.target,
                      instead="Enemies next to your units", alternatives=near)  # fmt: skip
    for unit in order.units:
        check_acting(table, side, unit, row["points"], row["case"])
        _check_attacker(table, unit, target, isinstance(order, PreparedAttack))
    _check_hexes(table, order)
    tanks = armour_can_fight(table, [place(table, unit) for unit in order.units], target)
    declared(table, side, order.units, order, row["supports"], tanks)


def _bar(table: Table, unit: str, target: Hex) -> tuple[str, str] | None:
    """Why a unit cannot attack a hex at all: the case, and the reason in words."""
    spot = number(table, target)
    if not may_attack(table, unit):
        return "1.1-b", "may never attack"
    if table.position.hex_of(unit) is None or table.grid.direction(place(table, unit), target) is None:
        return "7.1-a", f"is not next to {spot}"
    if not could_enter(table, unit, target):
        return "7.1-d", f"could not go into {spot}, so it may not attack it"
    return None


def _check_attacker(table: Table, unit: str, target: Hex, prepared: bool) -> None:
    bar = _bar(table, unit, target)
    if bar is not None:
        others = [u for u in ready(table, table.unit(unit).side) if _bar(table, u, target) is None]
        raise Illegal(bar[0], f"{unit} {bar[1]}", unit=unit, at=number(table, target),
                      instead="Activated units that can attack it", alternatives=others)  # fmt: skip
    supply = table.position.mark(unit, SUPPLY)
    if prepared and supply in (ISOLATED, UNSUPPLIED):
        problem = f"{unit} is {supply} and makes no prepared attacks"
        raise Illegal("7.3.2-c", problem, unit=unit, instead="Write `attack`")
    check_spared(table, unit, target, row_of(table, PreparedAttack if prepared else Attack)["points"])


def _check_hexes(table: Table, order: Attack) -> None:
    most: int = table.data.tables["combat"]["from_a_hex"]["units"]
    for h, there in together(table, order.units).items():
        if len(there) > most:
            raise Illegal("7.1-c", f"{most} units may attack from {number(table, h)}, not {len(there)}",
                          at=number(table, h), instead="Leave out some of", alternatives=there)  # fmt: skip


def able(table: Table, unit: str, target: Hex, kind: type[Attack]) -> bool:
    """Whether a unit of the activation could take part in such an attack."""
    if left(table, unit) < row_of(table, kind)["points"] or _bar(table, unit, target) is not None:
        return False
    return passes(_check_attacker, table, unit, target, kind is PreparedAttack)


def ready(table: Table, side: str) -> list[str]:
    """The activated units on the map with a point left that may attack."""
    return [u for u in alive(table, acting(table, side)) if left(table, u) and may_attack(table, u)]


def targets(table: Table, side: str) -> list[Hex]:
    """The enemy hexes next to units that may attack."""
    spots = hexset.of(place(table, unit) for unit in ready(table, side))
    return list(hexset.members(hexset.spread(table.grid, spots) & held(table, table.enemy(side))))


def attack_options(table: Table, side: str, so_far: str) -> list[Option]:
    """Attacks that may be ordered, step by step: the target, one attacker after another, support."""
    if not so_far:
        return [
            Option(f"{kind.verb} {number(table, target)} with", complete=False, more=True)
            for target in targets(table, side)
            for kind in (Attack, PreparedAttack)
            if any(able(table, unit, target, kind) for unit in ready(table, side))
        ]
    kind = PreparedAttack if so_far.startswith(PreparedAttack.verb) else Attack
    head, _, support = so_far.removeprefix(f"{kind.verb} ").partition(" support ")
    spot, _, named = head.partition(" with")
    units = tuple(unit.strip() for unit in named.split(",") if unit.strip())
    target = table.grid.hex(spot)
    found: list[Attack] = []
    if not support:
        more = [u for u in ready(table, side) if u not in units and able(table, u, target, kind)]
        found = [kind(target=spot, units=(*units, unit)) for unit in more]
    if units:
        found += _supported(table, side, kind, spot, units, so_far)
    return [Option(o.line(), more=True) for o in found if passes(check_attack, table, side, o)]


def _supported(
    table: Table, side: str, kind: type[Attack], spot: str, units: tuple[str, ...], so_far: str
) -> list[Attack]:
    order = table.game.book.read(so_far, table.reading(side))
    assert isinstance(order, Attack)
    tanks = armour_can_fight(table, [place(table, unit) for unit in units], table.grid.hex(spot))
    pairs = dict.fromkeys(markers.usable(table, side, units, tanks))
    return [kind(target=spot, units=units, support=(*order.support, pair)) for pair in pairs]


# Resolution (7.6)


@dataclass(frozen=True)
class Battle:
    """A combat once both sides have said everything."""

    side: str
    target: Hex
    kind: type[Attack]
    attack: Side
    defence: Side


def resolve(table: Table, side: str, order: Attack) -> Generator[Step, Any, None]:
    """7.6: declaration, supports, armour, die, results, advance, fates."""
    target, row = table.grid.hex(order.target), row_of(table, type(order))
    enemy, units = table.enemy(side), list(order.units)
    spots = [target, *together(table, units)]
    yield from _declare(table, units, target, row)
    defenders = tuple(units_at(table, target, enemy))
    covered = not all(seen(table, unit, side) for unit in defenders)
    yield from _look(table, spots, 1)
    tanks = armour_can_fight(table, [place(table, unit) for unit in units], target)
    column = odds(table, units, target).column
    found = ", ".join(defenders) if covered else ""
    own = yield from commitment(
        table, Call(side, order.target, order.units, row["supports"], column, tanks, found), order
    )
    yield from markers.commit(table, own.supports, target)
    column += markers.shift(table, own.supports)
    theirs = yield from defence(table, Call(enemy, order.target, defenders, row["supports"], column, tanks))
    yield from markers.commit(table, theirs.supports, target)
    battle = Battle(side, target, type(order), own, theirs)
    spent = yield from _fight(table, battle)
    yield from markers.fates(table, _unspent(own.supports, spent))
    yield from markers.fates(table, _unspent(theirs.supports, spent))
    yield from _look(table, spots, None)


def _unspent(supports: Supports, spent: Supports) -> Supports:
    """What is left of the supports; of two StuGs of one HQ only one may have paid for a step."""
    left = list(supports)
    for pair in spent:
        if pair in left:
            left.remove(pair)
    return tuple(left)


def _declare(table: Table, units: Sequence[str], target: Hex, row: Any) -> Iterator[Fact]:
    """7.6-a: everybody pays, and whoever owed an attack on this hex has made it."""
    owing = [unit for unit in units if target in owed_to(table, unit)]
    for unit in units:
        yield from spend(table, unit, row["points"], row["case"])
    for unit in owing:
        yield from freed(table, unit)


def _look(table: Table, spots: Sequence[Hex], value: int | None) -> Iterator[Fact]:
    """11.1: under fog of war both stacks are open while they fight."""
    if table.data.switch["fog"]:
        for h in spots:
            yield Marked(subject=f"@{number(table, h)}", mark=FIGHTING, value=value, because="11.1")


def _fight(table: Table, battle: Battle) -> Generator[Step, Any, Supports]:
    """From armour superiority to the advance; gives the StuGs that paid for a step."""
    own, theirs = battle.attack, battle.defence
    found = odds(table, own.units, battle.target)
    drm = combined_arms(table, own.units)
    difference = quality(table, own.quality) - quality(table, theirs.quality)
    share = shared_armour(table, own.units, theirs.units)
    shift = yield from armour.superiority(table, own, theirs, battle.target)
    if not alive(table, own.units):
        return ()
    if not alive(table, theirs.units):
        yield from _follow(table, battle, 1, ())
        return ()
    column = found.column + markers.shift(table, own.supports) - markers.shift(table, theirs.supports) + shift
    die = yield Roll(f"attack on {number(table, battle.target)}")
    result: Result = table.data.result(column, die + difference + drm)
    held_ = max(0, min(len(table.data.columns) - 1, column))
    yield Fought(
        kind=battle.kind.verb, attackers=own.units, defenders=theirs.units,
        targets=(number(table, battle.target),), column=table.data.columns[held_], die=die, result=result.text,
        because="7.6-g",
        working=tuple(w.noted for w in (*found.working, *_working(table, own, theirs, difference, drm, shift))),
    )  # fmt: skip
    return (yield from _apply(table, battle, result, share))


def _working(table: Table, own: Side, theirs: Side, difference: int, drm: int, shift: int) -> list[Working]:
    supports = [(pair, "for the attack") for pair in own.supports]
    supports += [(pair, "for the defence") for pair in theirs.supports]
    found = [Working(f"{mark} of {hq}", said, table.data.marker(mark)["case"]) for (hq, mark), said in supports]
    found += [Working(f"quality of {own.quality} against {theirs.quality}", f"{difference:+} on the die", "7.4-b")]
    found += [Working("combined arms", f"{drm:+} on the die", "7.4-f")] if drm else []
    return found + ([Working("armour superiority", f"{shift:+} columns", "7.5-a")] if shift else [])


def _stug(table: Table, side: Side) -> Supports:
    return tuple(pair for pair in side.supports if table.data.marker(pair[1]).get("step"))[:1]


def _apply(table: Table, battle: Battle, result: Result, share: bool) -> Generator[Step, Any, Supports]:
    """7.7: the defender's part, the attacker's, a breakthrough, the advance."""
    side, enemy = battle.side, table.enemy(battle.side)
    spot = number(table, battle.target)
    theirs = Payers(enemy, battle.defence.units, battle.defence.quality, share, bool(_stug(table, battle.defence)))
    least = min(int(result.defender_star), result.defender)
    down = yield from suffer_result(
        table, Verdict(theirs, result.defender, least, False, "defender", spot, active=False)
    )
    stands = bool(units_at(table, battle.target, enemy))
    own = Payers(side, battle.attack.units, battle.attack.quality, share, bool(_stug(table, battle.attack)))
    up = yield from suffer_result(table, _attackers_verdict(table, battle, own, result, down, stands))
    spent = (*(_stug(table, battle.attack) if up.stug else ()), *(_stug(table, battle.defence) if down.stug else ()))
    for hq, marker in spent:
        yield from markers.put(table, f"{table.unit(hq).side} out", [marker], "1.6.1-d")
    if not stands and result.breakthrough:
        yield Marked(subject=f"@{spot}", mark=BREAKTHROUGH, value=side, because="7.8-a")
    if not stands and not up.went:
        gone = max(1, result.defender - down.lost - down.stug)
        yield from _follow(table, battle, gone, down.ways)
    return spent


def _attackers_verdict(
    table: Table, battle: Battle, own: Payers, result: Result, down: Outcome, stands: bool
) -> Verdict:
    """7.7-d, 7.7-e: what the defender did binds the attacker; one whom the result spares has not chosen to stand."""
    must: int = row_of(table, battle.kind)["must_lose"]
    least = min(max(int(result.attacker_star or down.lost > 0), must), result.attacker)
    stood = stands and down.lost > 0
    spot = number(table, battle.target)
    return Verdict(own, result.attacker, least, stood, "attacker", spot, active=True)


def _follow(table: Table, battle: Battle, length: int, ways: tuple[Any, ...]) -> Generator[Step, Any, None]:
    must = row_of(table, battle.kind)["must_advance"]
    yield from advance(table, Opening(battle.side, battle.attack.units, battle.target, length, ways, must))
