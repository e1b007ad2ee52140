"""Alarm units stormed by Soviet units on the move (9.12)."""

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Step
from engine.facts import Halted, Moved, Noted, Placed
from engine.hexes import Hex
from engine.orders.choice import Choice, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, path_numbers, place
from engine.rules.marks import set_game, wipe
from games.jaws.data import GERMAN, SIXTH, SOVIET, Table
from games.jaws.orders.sight import NoStorm, Storm
from games.jaws.rules.allowance import CLOSED, HOW, MOVING, ON_FOOT, SPARED, SPENT, STOOD, How, check_may_move, moving
from games.jaws.rules.barrage.markers import barred
from games.jaws.rules.combat.battle import ALARM, FELL_BACK, Battle, alive
from games.jaws.rules.combat.declaration import is_quiet
from games.jaws.rules.combat.fight import fought, met
from games.jaws.rules.combat.support import in_supply
from games.jaws.rules.extending import settled
from games.jaws.rules.extension import body
from games.jaws.rules.ground import passed
from games.jaws.rules.guarding import check_guard
from games.jaws.rules.interception import intercepted
from games.jaws.rules.march import arrived, opened, rested
from games.jaws.rules.partisans import strikes
from games.jaws.rules.reach import limit
from games.jaws.rules.units import attack_capable, front, knows_all, units_in, upset
from games.jaws.rules.walking import plan
from games.jaws.rules.zones import TOLD


def alone(table: Table, h: Hex) -> str:
    """9.12: the Alarm unit that is alone in a hex; none where a zone (10.1.3) or a storm has told of company."""
    there = units_in(table, h, GERMAN)
    if len(there) != 1 or not is_a(table, there[0], "alarm"):
        return ""
    spot = f"@{number(table, h)}"
    told = not knows_all(table) and (table.position.mark(spot, TOLD[GERMAN]) or table.position.mark(spot, SPARED))
    return "" if told else there[0]


def _how(table: Table, units: Sequence[str], foot: bool) -> How:
    """In which way their move began, or 9.1.1 begins now; 9.7: those in Reserve have a segment of their own."""
    began = {str(mark) for unit in units if (mark := table.position.mark(unit, HOW)) is not None}
    walks = foot or not began.isdisjoint(ON_FOOT)
    if in_reserves(table):
        return "reserve on foot" if walks else "reserve"
    return "foot" if walks else "strategic" if "strategic" in began else "move"


def in_reserves(table: Table) -> bool:
    """9.7: whether it is the Reserve Movement Segment."""
    return table.position.stage.endswith(".reserves")


def price(table: Table, units: tuple[str, ...], h: Hex, foot: bool) -> dict[str, int]:
    """9.12-2: what each unit will have spent: the way into the hex, and a point more. Raises Illegal."""
    spot, how = number(table, h), _how(table, units, foot)
    walk = plan(_without(table, h), SOVIET, units, spot, (spot,), how)
    more = table.data.tables["alarm"]["points"]
    totals = {unit: cost + more * SIXTH for unit, cost in walk.spent.items()}
    if max(totals.values()) > limit(table, units, how):
        raise Illegal("9.12-2", f"{', '.join(units)} cannot pay for the way into {spot} and {more} MP more",
                      unit=units[0], at=spot)  # fmt: skip
    return totals


def check_storm(table: Table, units: tuple[str, ...], at: str, foot: bool = False) -> None:
    """Raises Illegal."""
    h = table.grid.hex(at)
    if not units:
        raise Illegal("9.12", f"say who storms {at}", at=at, instead=f"`storm {at} with UNITS`")
    if not alone(table, h):
        lone = {spot for unit in table.position.on_map(GERMAN) if (spot := _lone(table, unit)) is not None}
        spots = sorted(number(table, spot) for spot in lone)
        raise Illegal("9.12", f"no Alarm unit stands alone in {at}", at=at, instead="They do in", alternatives=spots)
    for unit in units:
        check_may_move(table, SOVIET, unit, _how(table, units, foot))
        if is_quiet(table, unit):
            name = front(table, table.unit(unit))
            raise Illegal("21.3", f"{unit} is of the {name}, which does not attack on this turn", unit=unit, at=at)
        if not strikes(table, unit):
            raise Illegal("18.1.3-1", f"{unit} attacks on its front side alone", unit=unit, at=at)
        if not attack_capable(table, unit):
            raise Illegal("9.12-c3", f"{unit} cannot attack an Alarm unit", unit=unit, at=at)
        if place(table, unit) != place(table, units[0]) or table.grid.distance(place(table, unit), h) != 1:
            raise Illegal("9.12", f"{unit} does not stand next to {at} with the others", unit=unit, at=at)
        if name := barred(table, unit, h):
            raise Illegal("17.1.2-b", f"{at} lies under a barrage: only units of {name} may attack it", unit=unit,
                          at=at)  # fmt: skip
    price(table, units, h, foot)
    check_guard(_without(table, h), SOVIET, units, units)


def _without(table: Table, h: Hex) -> Table:
    """The table without the Alarm unit of a hex."""
    return table.suppose([Placed(unit=alone(table, h), at="lifted")])


def _lone(table: Table, unit: str) -> Hex | None:
    """Where an Alarm unit is alone."""
    h = table.position.hex_of(unit) if is_a(table, unit, "alarm") else None
    return h if h is not None and alone(table, h) == unit else None


def storm(table: Table, units: tuple[str, ...], at: str, foot: bool = False) -> Generator[Step, Any, None]:
    """9.12-2: the price is paid, the Alarm unit is attacked, and whoever drove it out goes in."""
    h, start = table.grid.hex(at), place(table, units[0])
    try:
        totals = price(table, units, h, foot) if alone(table, h) else {}
        why = f"the Alarm unit in {at} is not alone"
    except Illegal as refusal:
        totals, why = {}, refusal.problem
    if not totals:  # what only the truth forbids
        yield Halted(unit=units[0], at=number(table, start), why=why, because="9.12")
        yield Noted(subject=f"@{at}", mark=SPARED, value=1, because="9.12", only=(SOVIET,))
        return
    alarm, how = alone(table, h), _how(table, units, foot)
    for unit in units:
        if table.position.mark(unit, SPENT) is None:
            yield Noted(subject=unit, mark=STOOD, because="9.12-2")
        yield Noted(subject=unit, mark=SPENT, value=totals[unit], because="9.12-2")
        yield Noted(subject=unit, mark=HOW, value=how, because="9.12-2")
    open_ = opened(table, units)
    yield from set_game(table, MOVING, " ".join(open_), "9.12-2", Noted)
    yield from rested(table, open_)
    battle = Battle(SOVIET, units, (h,), (alarm,), frozenset(u for u in units if in_supply(table, u)), segment=ALARM)
    yield from met(table, battle)
    before = {unit: _state(table, unit) for unit in units}
    yield from fought(table, battle)
    yield from wipe(table, (FELL_BACK,), "9.12-2")
    hurt = [unit for unit in alive(table, units) if _state(table, unit) != before[unit]]
    if not alone(table, h):
        yield from _entered(table, [unit for unit in alive(table, units) if place(table, unit) == start], start, h)
    for unit in alive(table, tuple(hurt)):
        yield Noted(subject=unit, mark=SPENT, value=CLOSED, because="9.12-2")
    yield from settled(table, units)


def _state(table: Table, unit: str) -> tuple[object, ...]:
    """9.12-2: what a retreat, a step loss (4.7.2-1: off the one chit) or disorder changes; not disorder for attacking
    in Regroup (12.17.3)."""
    position = table.position
    return position.where[unit], position.lost.get(body(table, unit), 0), upset(table, unit)


def _entered(table: Table, units: Sequence[str], start: Hex, h: Hex) -> Procedure:
    """9.12-2: they must; 9.11: and are fired at as on any other step of the Movement Phase."""
    for unit in units:
        if table.position.mark(unit, STOOD) is not None:
            yield Noted(subject=unit, mark=STOOD, value=None, because="9.12-2")
        yield Moved(unit=unit, path=path_numbers(table, (start, h)), how="storm", because="9.12-2")
    if units:
        yield from passed(table, SOVIET, (start, h))
        yield from arrived(table, SOVIET, h)
        halted = [] if in_reserves(table) else (yield from intercepted(table, SOVIET, units, start, h))
        if halted:
            left = " ".join(unit for unit in alive(table, tuple(units)) if unit not in halted)
            yield from set_game(table, MOVING, left or None, "9.11-p4", Noted)


# The asks


def met_on_the_way(table: Table, units: Sequence[str]) -> Procedure:
    """9.12: whoever has come next to a lone Alarm unit may storm it, again and again (9.12-c2)."""
    while True:
        seen = table.seen_by(SOVIET)
        left = [unit for unit in units if table.position.hex_of(unit) is not None]  # 9.11: fire may have cost the last
        here = tuple(unit for unit in left if unit in moving(table) and attack_capable(table, unit))
        spots = targets(seen, here)
        if not spots:
            return
        order = yield _ask(seen, here, spots)
        if not isinstance(order, Storm):
            return
        yield from storm(table, order.units or here, order.at, order.foot)


def targets(table: Table, units: tuple[str, ...]) -> list[str]:
    """The hexes that units may storm from where they stand."""
    if not units or len({table.position.hex_of(unit) for unit in units}) > 1:
        return []
    near = [h for h in table.grid.neighbours(place(table, units[0])) if alone(table, h)]
    return [number(table, h) for h in near if passes(check_storm, table, units, number(table, h))]


def _check(table: Table, units: tuple[str, ...], order: Order) -> None:
    if isinstance(order, Storm):
        check_storm(table, order.units or units, order.at, order.foot)


def _ask(table: Table, units: tuple[str, ...], spots: Sequence[str]) -> Ask:
    return Ask(
        side=SOVIET,
        name="storm",
        subject=" ".join(spots),
        prompt=f"{', '.join(units)} may storm the Alarm unit in {' or '.join(spots)}",
        verbs=(Storm, NoStorm),
        check=partial(_check, table, units),
        offers=lambda: [Choice(NoStorm), *(whole(Storm(at=spot)) for spot in spots)],
        default=NoStorm,
        case="9.12",
        passable=True,
        units=units,
    )


def storms(table: Table, movable: Sequence[str]) -> list[Choice]:
    """The storms that units may begin from where they stand."""
    near = hexset.spread(
        table.grid, hexset.of(h for u in table.position.on_map(GERMAN) if (h := _lone(table, u)) is not None)
    )
    able = [unit for unit in movable if attack_capable(table, unit) and near >> place(table, unit) & 1]
    found = [(unit, spots) for unit in able if (spots := targets(table, (unit,)))]
    return [pick(Storm, "at", partial(list, spots), units=(unit,)) for unit, spots in found]
