"""Combat (9.0): one attack from its declaration to the advance."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine import hexset
from engine.asks import Ask, Option, Roll, Step
from engine.facts import Counted, Fact, Fought, Marked
from engine.forecast import Forecast
from engine.hexes import Hex
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import held, is_a, number, place, units_at
from engine.rules.retreat import Way
from engine.table import Table
from games.korsun_spi.orders import Air, Attack, NoAir
from games.korsun_spi.rules import odds as reckoning
from games.korsun_spi.rules.advance import advance, opening
from games.korsun_spi.rules.command import charge, coordinators
from games.korsun_spi.rules.ground import disrupted, is_hq, touches, zoc
from games.korsun_spi.rules.odds import written
from games.korsun_spi.rules.results import (
    Outcome,
    Suffering,
    eliminated,
    leave_with,
    suffer,
)
from games.korsun_spi.rules.retreat import shut_in_split
from games.korsun_spi.rules.strength import attack_total
from games.korsun_spi.rules.supply import active, commanders, isolated
from games.korsun_spi.rules.untried import reveal


def air_points(table: Table, side: str) -> int:
    return table.position.tracks.get(f"air_{side}", 0)


# Who may attack whom (9.1, 9.2)


def check_attack(table: Table, side: str, order: Attack) -> list[str]:
    """Everything that must hold before an attack; gives the HQs that run it. Raises Illegal."""
    targets = target_hexes(table, side, order.targets)
    for unit in order.units:
        check_attacker(table, side, unit)
        for target in targets:
            if not touches(table, place(table, unit), target):
                spot = number(table, target)
                case = "9.23" if len(targets) > 1 else "9.11"
                raise Illegal(
                    case,
                    f"{unit} in {number(table, place(table, unit))} is not next to {spot}",
                    unit=unit,
                    at=spot,
                )
    if all(is_hq(table, unit) for unit in order.units):
        raise Illegal("11.35", "HQs have no attack strength of their own", unit=order.units[0])
    _check_leaders(table, order)
    if order.air and air_points(table, side) < 1:
        raise Illegal("19.8", "you have no Air Points left this turn")
    return coordinators(table, order.units, order.by, lambda unit: commanders(table, unit))


def _check_leaders(table: Table, order: Attack) -> None:
    for unit in order.units:
        if not is_hq(table, unit):
            continue
        with_it = [u for u in order.units if not is_hq(table, u) and place(table, u) == place(table, unit)]
        if not with_it:
            raise Illegal("11.37", f"{unit} leads only attacks of units stacked with it", unit=unit)
        if not active(table, unit):
            raise Illegal("23.13", f"{unit} is inactive and adds no leadership", unit=unit)


def target_hexes(table: Table, side: str, numbers: Sequence[str]) -> list[Hex]:
    """The attacked hexes, each with somebody to attack (9.14, 9.83). Raises Illegal."""
    enemy = table.enemy(side)
    targets = []
    for spot in dict.fromkeys(numbers):
        h = table.grid.hex(spot)
        there = units_at(table, h, enemy)
        if not there:
            near = _attackable(table, side)
            raise Illegal("9.11", f"there is nobody to attack in {spot}", at=spot, instead="Enemies next to your units",
                          alternatives=[number(table, t) for t in near])  # fmt: skip
        refusal = _attacked_already(table, h, there)
        if refusal is not None:
            raise refusal
        targets.append(h)
    return targets


def _attacked_already(table: Table, h: Hex, there: Sequence[str]) -> Illegal | None:
    spot = number(table, h)
    mark = table.position.mark
    for unit in there:
        if mark(unit, "advanced") is not None:
            return Illegal("9.83", f"{unit} advanced in this phase and may not be attacked", unit=unit, at=spot)
        if mark(unit, "hit") is not None and mark(unit, "fell back") is None:
            return Illegal("9.14", f"{unit} was attacked in this phase already", unit=unit, at=spot)
    if all(mark(unit, "fell back") is not None for unit in there):
        return Illegal("9.14", f"everybody in {spot} was attacked in this phase already", at=spot)
    return None


def check_attacker(table: Table, side: str, unit: str) -> None:
    position = table.position
    if table.unit(unit).side != side:
        raise Illegal("9.11", f"{unit} is not yours", unit=unit)
    if position.hex_of(unit) is None:
        raise Illegal("9.11", f"{unit} is not on the map", unit=unit)
    if position.mark(unit, "attacked") is not None:
        raise Illegal("9.14", f"{unit} has attacked in this phase already", unit=unit)
    if position.mark(unit, "advanced") is not None:
        raise Illegal("9.83", f"{unit} has advanced and attacks no more in this phase", unit=unit)
    if disrupted(table, unit):
        raise Illegal("6.32", f"{unit} is disrupted and may not attack", unit=unit)
    if position.mark(unit, "heavy") == "under":
        raise Illegal("25.31", f"{unit} has left its heavy equipment and may not attack", unit=unit)


def _attackable(table: Table, side: str) -> list[Hex]:
    near = hexset.spread(table.grid, held(table, side)) & held(table, table.enemy(side))
    return list(hexset.members(near))


def attackers_of(table: Table, side: str, target: Hex) -> list[str]:
    """The units that could join an attack on a hex."""
    found = []
    for h in table.grid.neighbours(target):
        for unit in units_at(table, h, side):
            try:
                check_attacker(table, side, unit)
            except Illegal:
                continue
            if touches(table, h, target):
                found.append(unit)
    return found


def attack_options(table: Table, side: str, so_far: str) -> list[Option]:
    """Attacks that may be ordered, step by step: the target, one attacker after another, at last an Air Point."""
    if not so_far.startswith("attack"):
        found = []
        for target in _attackable(table, side):
            if _attacked_already(table, target, units_at(table, target, table.enemy(side))) is None:
                line = f"attack {number(table, target)} with"
                if attack_options(table, side, line):
                    found.append(Option(line, complete=False, more=True))
        return found
    spot, _, named = so_far.removeprefix("attack ").partition(" with")
    if named.endswith(" air"):
        return []
    units = [unit.strip() for unit in named.split(",") if unit.strip()]
    found = []
    for unit in attackers_of(table, side, table.grid.hex(spot)):
        if unit not in units:
            order = Attack(targets=(spot,), units=(*units, unit))
            try:
                check_attack(table, side, order)
            except Illegal:
                continue
            found.append(Option(order.line(), complete=True, more=True))
    if units and air_points(table, side) > 0:
        found.append(Option(Attack(targets=(spot,), units=tuple(units), air=True).line()))
    return found


# Resolution


@dataclass
class Battle:
    """One attack under way."""

    side: str
    enemy: str
    units: list[str]
    targets: list[Hex]


def resolve(table: Table, side: str, order: Attack) -> Generator[Step, Any, None]:
    """9.0-a: air, unknown units shown, odds, die, defender, attacker, advance."""
    hqs = check_attack(table, side, order)
    targets = [table.grid.hex(spot) for spot in dict.fromkeys(order.targets)]
    battle = Battle(side, table.enemy(side), list(order.units), targets)
    yield from charge(table, hqs)
    for unit in battle.units:
        yield Marked(subject=unit, mark="attacked", value=1, because="9.14")
    air = yield from _air(table, battle, order)
    battle.units = yield from reveal(table, battle.units)
    leaders = [unit for unit in _defenders(table, battle) if is_hq(table, unit)]
    yield from _reveal_defenders(table, battle)
    fighters = [unit for unit in battle.units if not is_hq(table, unit)]
    if not fighters or not _defenders(table, battle):
        if fighters and set(leaders) <= set(_defenders(table, battle)):  # 11.23: an HQ sent back is not followed
            yield from _no_fight(table, battle)
        return
    fought = yield from _roll(table, battle, air)
    yield from apply_result(table, battle, fought)


def _air(table: Table, battle: Battle, order: Attack) -> Generator[Step, Any, tuple[int, ...]]:
    """14.12: the attacker announces first, then the defender, one point each (14.13); gives the columns (14.14)."""
    air: tuple[int, ...] = ()
    if order.air:
        air = (1,)
        yield from _spend_air(table, battle.side)
    if air_points(table, battle.enemy) > 0:
        answer = yield _air_ask(table, battle, air)
        if isinstance(answer, Air):
            air = (*air, -1)
            yield from _spend_air(table, battle.enemy)
    return air


def _spend_air(table: Table, side: str) -> Iterator[Fact]:
    yield Counted(track=f"air_{side}", value=air_points(table, side) - 1, because="14.11")


def _air_ask(table: Table, battle: Battle, air: tuple[int, ...]) -> Ask:
    seen = table.seen_by(battle.enemy)
    spots = " ".join(number(table, h) for h in battle.targets)
    helped = "with an Air Point" if air else "without one"

    def default() -> Order:
        """A point where it takes away a good column, but one is kept for air supply."""
        if any(is_a(seen, unit, "untried") for unit in [*battle.units, *_defenders(seen, battle)]):
            return NoAir()
        found = reckoning.odds(seen, attack_total(seen, battle.units), battle.targets, battle.units, air)
        good = found.column >= seen.data.columns.index("3-1")
        cut_off = any(isolated(seen, unit) for unit in seen.position.on_map(battle.enemy))
        keep = 1 if battle.enemy == "german" and cut_off else 0
        return Air() if good and air_points(seen, battle.enemy) > keep else NoAir()

    return Ask(
        side=battle.enemy,
        name="air",
        subject=spots,
        prompt=f"an Air Point for the defence of {spots} ({', '.join(battle.units)} attack {helped})",
        verbs=(Air, NoAir),
        options=lambda so_far: [Option("no air"), Option("air")],
        default=default,
        case="14.12",
        reaction=True,
        units=tuple(_defenders(table, battle)),
    )


def _defenders(table: Table, battle: Battle) -> list[str]:
    """Everybody in the attacked hexes but those that fell back there (9.76)."""
    return [
        unit
        for target in battle.targets
        for unit in units_at(table, target, battle.enemy)
        if table.position.mark(unit, "fell back") is None
    ]


def _fallen_back(table: Table, battle: Battle) -> list[str]:
    return [
        unit
        for target in battle.targets
        for unit in units_at(table, target, battle.enemy)
        if table.position.mark(unit, "fell back") is not None
    ]


def _reveal_defenders(table: Table, battle: Battle) -> Generator[Step, Any, None]:
    yield from reveal(table, _defenders(table, battle))


def _no_fight(table: Table, battle: Battle) -> Generator[Step, Any, None]:
    """13.3: nobody is left to fight; an emptied hex is open to the attacker."""
    found = opening(table, battle.side, battle.units, battle.targets, [], reaction=False)
    if found is not None:
        yield from advance(table, found)


@dataclass(frozen=True)
class Decided:
    """What the die said, and what was true just before it fell."""

    attacker: str
    defender: str
    isolated: set[str]
    defenders: list[str]
    fallen_back: list[str]
    zones: int  # enemy-held and enemy-controlled hexes, for 9.77


def _roll(table: Table, battle: Battle, air: tuple[int, ...]) -> Generator[Step, Any, Decided]:
    found = reckoning.odds(table, attack_total(table, battle.units), battle.targets, battle.units, air)
    defenders = _defenders(table, battle)
    cut_off = {unit for unit in [*defenders, *battle.units, *_fallen_back(table, battle)] if isolated(table, unit)}
    zones = zoc(table, battle.enemy) | held(table, battle.enemy)
    spots = tuple(number(table, h) for h in battle.targets)
    die = yield Roll(f"attack on {' '.join(spots)}")
    result = table.data.result(found.column, die)
    yield Fought(
        kind="attack", attackers=tuple(battle.units), defenders=tuple(defenders), targets=spots,
        column=found.name, die=die, result=result, working=written(found), because="9.5",
    )  # fmt: skip
    for unit in defenders:
        yield Marked(subject=unit, mark="hit", value=1, because="9.14")
    attacker, defender = ("eng", "eng") if result == "eng" else result.split("/")
    return Decided(attacker, defender, cut_off, defenders, _fallen_back(table, battle), zones)


def apply_result(table: Table, battle: Battle, decided: Decided) -> Generator[Step, Any, None]:
    """9.68: the defender first, then the attacker, then the advance."""
    if decided.attacker == "eng":
        yield from _engaged(table, battle, decided)
        return
    origins = {unit: place(table, unit) for unit in [*battle.units, *decided.defenders]}
    defended = yield from _take(table, battle.enemy, decided.defenders, decided.defender, "defender", decided)
    if defended.hurt:
        yield from leave_with(table, decided.fallen_back, decided.isolated)
    attacked = yield from _take(table, battle.side, battle.units, decided.attacker, "attacker", decided)
    if decided.defender != "-":
        winners = [unit for unit in battle.units if unit not in attacked.ways]
        yield from _advance(table, battle.side, winners, battle.targets, defended, reaction=False)
    elif attacked.hurt:
        left = list(dict.fromkeys(origins[unit] for unit in battle.units))
        yield from _advance(table, battle.enemy, decided.defenders, left, attacked, reaction=True)


def _take(
    table: Table, side: str, units: Sequence[str], result: str, role: str, decided: Decided
) -> Generator[Step, Any, Outcome]:
    if result == "-":
        return Outcome()
    split = role == "attacker" and decided.defender != "-"
    shut = shut_in_split(table, side, decided.zones) if split else 0
    count = 0 if result == "E" else int(result)
    suffering = Suffering(side, list(units), count, "attack", role, decided.isolated, shut)
    return (yield from (eliminated if result == "E" else suffer)(table, suffering))


def _engaged(table: Table, battle: Battle, decided: Decided) -> Generator[Step, Any, None]:
    """9.69: a step each, nobody goes anywhere."""
    for side, units, role in (
        (battle.enemy, decided.defenders, "defender"),
        (battle.side, battle.units, "attacker"),
    ):
        suffering = Suffering(side, list(units), 1, "attack", role, decided.isolated, may_retreat=False, case="9.69")
        yield from suffer(table, suffering)
    yield from leave_with(table, decided.fallen_back, decided.isolated)


def _advance(
    table: Table, side: str, units: Sequence[str], hexes: Sequence[Hex], enemy: Outcome, *, reaction: bool
) -> Generator[Step, Any, None]:
    if not (enemy.ways or enemy.dead):
        return
    ways: list[Way] = list(enemy.ways.values())
    found = opening(table, side, units, hexes, ways, reaction=reaction)
    if found is not None:
        yield from advance(table, found)


def forecast(table: Table, side: str, order: Attack) -> Forecast:
    """What an attack would come to if the defender spends no air. Raises Illegal."""
    check_attack(table, side, order)
    targets = target_hexes(table, side, order.targets)
    defenders = _defenders(table, Battle(side, table.enemy(side), list(order.units), targets))
    air = (1,) if order.air else ()

    def reckon(then: Table, units: list[str]) -> reckoning.Odds:
        return reckoning.odds(then, attack_total(then, units), targets, units, air)

    return reckoning.forecast(table, "attack on", targets, order.units, defenders, reckon)
