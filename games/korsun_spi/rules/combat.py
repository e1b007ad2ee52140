"""Combat (9.0): one attack from its declaration to the advance."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Step
from engine.facts import Counted, Fact, Noted
from engine.forecast import Forecast
from engine.hexes import Hex
from engine.orders.choice import Choice, Given, nothing
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.combat import attack_ask, attacks
from engine.rules.ground import held, is_a, number, path_numbers, place, units_at
from engine.rules.retreat import Way
from engine.table import kept
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Air, Attack, End, NoAir
from games.korsun_spi.rules import odds as reckoning
from games.korsun_spi.rules.advance import advance, opening
from games.korsun_spi.rules.command import charge, coordinators
from games.korsun_spi.rules.fight import Fight, fought
from games.korsun_spi.rules.ground import disrupted, is_hq, touches
from games.korsun_spi.rules.strength import attack_total
from games.korsun_spi.rules.supply import active, commanders, cut_off
from games.korsun_spi.rules.untried import reveal


def air_points(table: Table, side: str) -> int:
    return table.position.tracks.get(f"air_{side}", 0)


def battle(table: Table, side: str) -> Procedure:
    """4.2-b: one attack after another, in the order the player chooses as he goes."""

    def ask() -> Ask:
        seen = table.seen_by(side)
        prompt = f"attacks of turn {table.position.turn}; `end` closes the phase"
        return attack_ask(
            side, prompt, "4.2-b", Attack, End,
            lambda order: check_attack(seen, side, order.alone()), lambda: attack_choices(seen, side),
        )  # fmt: skip

    yield from attacks(ask, lambda order: resolve(table, side, order.alone()))


# Who may attack whom (9.1, 9.2)


@kept
def check_attack(table: Table, side: str, order: Attack) -> list[str]:
    """Everything that must hold before an attack; gives the HQs that run it. Raises Illegal."""
    targets = target_hexes(table, side, order.targets)
    for unit in order.units:
        check_attacker(table, side, unit)
        for target in targets:
            if not touches(table, place(table, unit), target):
                spot = number(table, target)
                case = "9.23" if len(targets) > 1 else "9.11"
                problem = f"{unit} in {number(table, place(table, unit))} is not next to {spot}"
                raise Illegal(case, problem, unit=unit, at=spot)
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
            raise Illegal("9.11", f"there is nobody to attack in {spot}", at=spot, instead="Enemies next to your units",
                          alternatives=path_numbers(table, _attackable(table, side)))  # fmt: skip
        _check_fresh(table, h, there)
        targets.append(h)
    return targets


def _check_fresh(table: Table, h: Hex, there: Sequence[str]) -> None:
    """9.14: nobody there was attacked in this phase already. Raises Illegal."""
    spot = number(table, h)
    mark = table.position.mark
    for unit in there:
        if mark(unit, "advanced") is not None:
            raise Illegal("9.83", f"{unit} advanced in this phase and may not be attacked", unit=unit, at=spot)
        if mark(unit, "hit") is not None and mark(unit, "fell back") is None:
            raise Illegal("9.14", f"{unit} was attacked in this phase already", unit=unit, at=spot)
    if all(mark(unit, "fell back") is not None for unit in there):
        raise Illegal("9.14", f"everybody in {spot} was attacked in this phase already", at=spot)


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


def _attackable(table: Table, side: str) -> Iterator[Hex]:
    return hexset.members(hexset.spread(table.grid, held(table, side)) & held(table, table.enemy(side)))


def attackers_of(table: Table, side: str, target: Hex) -> list[str]:
    """The units that could join an attack on a hex."""
    return [
        unit
        for h in table.grid.neighbours(target)
        if held(table, side) >> h & 1 and touches(table, h, target)
        for unit in units_at(table, h, side)
        if passes(check_attacker, table, side, unit)
    ]


def attack_choices(table: Table, side: str) -> list[Choice]:
    """Attacks that may be ordered, step by step: the target, one attacker after another, at last an Air Point."""

    def of(target: Hex) -> Choice:
        near = attackers_of(table, side, target)

        def onward(given: Given) -> Choice:
            named = given.get("units", ())
            left = [unit for unit in near if unit not in named]

            def joining() -> Iterator[str]:
                orders = ((unit, Attack(**{**given, "units": (*named, unit)})) for unit in left)
                return (unit for unit, order in orders if passes(check_attack, table, side, order))

            flown = named and air_points(table, side) > 0
            also = (lambda: [Choice(Attack, {**given, "air": True})]) if flown else nothing
            return Choice(Attack, given, "units" if left else "", joining, bool(named), onward, also)

        return onward({"targets": (number(table, target),)})

    enemy = table.enemy(side)
    open_ = [h for h in _attackable(table, side) if passes(_check_fresh, table, h, units_at(table, h, enemy))]
    return [choice for choice in map(of, open_) if any(True for _ in choice.reach())]


# Resolution


@dataclass
class Battle:
    """One attack under way."""

    side: str
    enemy: str
    units: list[str]
    targets: list[Hex]


def resolve(table: Table, side: str, order: Attack) -> Procedure:
    """9.0-a: air, unknown units shown, odds, die, defender, attacker, advance."""
    hqs = check_attack(table, side, order)
    targets = [table.grid.hex(spot) for spot in dict.fromkeys(order.targets)]
    battle = Battle(side, table.enemy(side), list(order.units), targets)
    yield from charge(table, hqs)
    for unit in battle.units:
        yield Noted(subject=unit, mark="attacked", because="9.14")
    air = yield from _air(table, battle, order)
    battle.units = yield from reveal(table, battle.units)
    leaders = [unit for unit in _defenders(table, battle) if is_hq(table, unit)]
    yield from reveal(table, _defenders(table, battle))
    fighters = [unit for unit in battle.units if not is_hq(table, unit)]
    if not fighters or not _defenders(table, battle):
        if fighters and set(leaders) <= set(_defenders(table, battle)):  # 11.23: an HQ sent back is not followed
            yield from _follow(table, side, battle.units, targets, ())  # 13.3: the hex is empty
        return
    odds = reckoning.odds(table, attack_total(table, battle.units), battle.targets, battle.units, air)
    defenders = _defenders(table, battle)
    fallen_back = _defenders(table, battle, fallen_back=True)
    launched = list(dict.fromkeys(place(table, unit) for unit in battle.units))
    fight = Fight("attack", side, battle.units, defenders, targets, fallen_back=fallen_back)
    result, defended, attacked = yield from fought(table, fight, odds)
    if result not in ("-", "eng") and defended.gave_way:
        winners = [unit for unit in battle.units if unit not in attacked.ways]
        yield from _follow(table, side, winners, targets, defended.ways.values())
    elif result == "-" and attacked.gave_way:
        yield from _follow(table, battle.enemy, defenders, launched, attacked.ways.values())


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
    spots = " ".join(path_numbers(table, battle.targets))
    helped = "with an Air Point" if air else "without one"

    def default() -> Order:
        """A point where it takes away a good column, but one is kept for air supply."""
        if any(is_a(seen, unit, "untried") for unit in [*battle.units, *_defenders(seen, battle)]):
            return NoAir()
        found = reckoning.odds(seen, attack_total(seen, battle.units), battle.targets, battle.units, air)
        good = found.column >= seen.data.columns.index("3-1")
        pocket = any(cut_off(seen, unit) for unit in seen.position.on_map(battle.enemy))
        keep = 1 if battle.enemy == "german" and pocket else 0
        return Air() if good and air_points(seen, battle.enemy) > keep else NoAir()

    return Ask(
        side=battle.enemy,
        name="air",
        subject=spots,
        prompt=f"an Air Point for the defence of {spots} ({', '.join(battle.units)} attack {helped})",
        verbs=(Air, NoAir),
        offers=lambda: [Choice(NoAir), Choice(Air)],
        default=default,
        case="14.12",
        reaction=True,
        units=tuple(_defenders(table, battle)),
    )


def _defenders(table: Table, battle: Battle, *, fallen_back: bool = False) -> list[str]:
    """Everybody in the attacked hexes but those that fell back there (9.76), or those alone."""
    there = [unit for target in battle.targets for unit in units_at(table, target, battle.enemy)]
    return [unit for unit in there if (table.position.mark(unit, "fell back") is not None) == fallen_back]


def _follow(table: Table, side: str, units: Sequence[str], hexes: Sequence[Hex], ways: Iterable[Way]) -> Procedure:
    found = opening(table, side, units, hexes, tuple(ways))
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
