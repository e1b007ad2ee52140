"""Barrage units come and go (17.1.1, 17.1.5): formed of their components, broken up again, and back by turn."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Step
from engine.facts import Fact, Marked, Noted, Placed
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number, numbers, place
from games.jaws.data import SOVIET, Table
from games.jaws.orders.events import Deploy, Form
from games.jaws.orders.turn import End
from games.jaws.rules.allowance import EMPLACED
from games.jaws.rules.ammunition import FIRED
from games.jaws.rules.barrage.components import HOLDING, components, held, is_barrage
from games.jaws.rules.ground import occupied
from games.jaws.rules.losses import disorganize
from games.jaws.rules.parts import Marks, borne, taken_off, worst
from games.jaws.rules.spending import FEEDERS, SUPPLIED, TRACED
from games.jaws.rules.units import OOS, standing
from games.jaws.rules.zones import controlled

TRACK = "barrage turn "  # 17.1.5: the space of the Turn Record Track where a Barrage unit lies
IN_THE_HEX = 3  # 17.1.5
FED = (OOS, SUPPLIED, FEEDERS, TRACED)  # 13.4: what is determined once a turn


def barrages(table: Table) -> list[str]:
    return list(table.data.tables["barrage"]["components"])


# 3.2-E1A: deployment


def returned(table: Table, side: str) -> Iterator[Fact]:
    """17.1.5-c4: those whose turn has come lie in their Holding Box again."""
    for barrage in barrages(table):
        at = table.position.where.get(barrage, "")
        if at.startswith(TRACK) and int(at.removeprefix(TRACK)) <= table.position.turn:
            yield Placed(unit=barrage, at=HOLDING, because="17.1.5-c4")


def spent(table: Table) -> list[str]:
    """17.1.5: the Barrage units on the map that have fired."""
    able = [barrage for barrage in barrages(table) if table.position.hex_of(barrage) is not None]
    return [barrage for barrage in able if table.position.mark(barrage, FIRED) is not None]


def deployment(table: Table, side: str) -> Procedure:
    """17.1.5: every one that has fired is broken up, its components where the owner says."""
    yield from returned(table, side)
    for barrage in spent(table):
        parts, order = held(table, barrage), Deploy(paths=())
        if len(parts) > IN_THE_HEX:
            order = yield _deploy_ask(table, barrage)
        spots, marks = settled(table, barrage, order), borne(table, barrage)
        yield from away(table, barrage, "17.1.5")
        for part, spot in spots.items():
            yield Placed(unit=part, at=number(table, spot), because="17.1.5")
            yield from _fed_as(table, part, marks)
            yield from occupied(table, SOVIET, spot)
            yield Noted(subject=part, mark=EMPLACED, because="17.1.5-c3")


def away(table: Table, barrage: str, case: str) -> Iterator[Fact]:
    """17.1.5: a Barrage unit goes to the Turn Record Track, bearing nothing: its ammunition is its components'."""
    due = table.position.turn + table.data.tables["barrage"]["away"]
    yield from taken_off(table, barrage, f"{TRACK}{due}", case)


def _fed_as(table: Table, unit: str, marks: Marks) -> Iterator[Fact]:
    """13.4: a Barrage unit and its components take over from one another how they were fed this turn."""
    for mark in FED:
        if table.position.mark(unit, mark) != marks.get(mark):
            kind = Marked if mark == OOS else Noted
            yield kind(subject=unit, mark=mark, value=marks.get(mark), because="13.4")


def beside(table: Table, barrage: str) -> HexSet:
    """17.1.5: the hexes next to it where components may stand."""
    near = hexset.across(table.grid, 1 << place(table, barrage), table.data.everywhere)
    return near & table.data.land & ~standing(table, table.enemy(SOVIET))


def settled(table: Table, barrage: str, order: Deploy) -> Mapping[str, Hex]:
    """Where each component comes: as named, three in the hex, the others beside it. Raises Illegal."""
    here, parts = place(table, barrage), held(table, barrage)
    near = _by_safety(table, barrage)
    said = {unit: table.grid.hex(way[-1]) for unit, way in order.paths if way}
    for unit, spot in said.items():
        if unit not in parts:
            raise Illegal("17.1.5", f"{unit} is no component of {barrage}", unit=unit, alternatives=parts)
        if spot != here and spot not in near:
            raise Illegal("17.1.5", f"{unit} comes back in {number(table, here)} or next to it", unit=unit,
                          at=number(table, spot), alternatives=[number(table, h) for h in (here, *near)])  # fmt: skip
    least = min(IN_THE_HEX, len(parts))
    away = [unit for unit, spot in said.items() if spot != here]
    if len(parts) - len(away) < least:
        raise Illegal("17.1.5", f"{least} components stand in {number(table, here)}", unit=away[-1],
                      instead="Leave out some of", alternatives=away)  # fmt: skip
    kept = [unit for unit, spot in said.items() if spot == here]
    if near and len(kept) > IN_THE_HEX:  # 17.1.5-c3: nor could one of them go before the phase ends
        raise Illegal("17.1.5-c2", f"no more than {IN_THE_HEX} components can stand in {number(table, here)}",
                      unit=kept[-1], instead="Leave out some of", alternatives=kept)  # fmt: skip
    rest = sorted((unit for unit in parts if unit not in said), key=partial(_worth, table))
    while rest and len(parts) - len(away) > least and near:  # the least worthy stand aside
        away.append(rest[0])
        said[rest.pop(0)] = near[0]
    return {unit: said.get(unit, here) for unit in parts}


def _worth(table: Table, gun: str) -> tuple[int, str]:
    return table.unit(gun).value("obs"), gun


def _by_safety(table: Table, barrage: str) -> list[Hex]:
    """The hexes beside it, the emptiest and the farthest from the enemy first."""
    enemy = list(hexset.members(standing(table, table.enemy(SOVIET))))

    def danger(h: Hex) -> tuple[int, int, Hex]:
        return len(table.position.at(h)), -min((table.grid.distance(h, e) for e in enemy), default=0), h

    return sorted(hexset.members(beside(table, barrage)), key=danger)


def _deploy_ask(table: Table, barrage: str) -> Ask:
    seen = table.seen_by(SOVIET)
    parts = held(seen, barrage)
    spots = numbers(seen, beside(seen, barrage))

    def offers() -> list[Choice]:
        aside = sorted(parts, key=partial(_worth, seen))[: max(0, len(parts) - IN_THE_HEX)]
        others = [whole(Deploy(paths=tuple((unit, (spot,)) for unit in aside))) for spot in spots if aside]
        return [whole(_default(seen, barrage)), *others]

    return Ask(
        side=SOVIET,
        name="deploy",
        subject=barrage,
        prompt=f"{barrage} has fired: three of {', '.join(parts)} in its hex, the others beside it",
        verbs=(Deploy,),
        check=lambda order: _check_deploy(seen, barrage, order),
        offers=offers,
        default=lambda: _default(seen, barrage),
        case="17.1.5",
        passable=True,
        units=tuple(parts),
    )


def _check_deploy(table: Table, barrage: str, order: Order) -> None:
    assert isinstance(order, Deploy)
    settled(table, barrage, order)


def _default(table: Table, barrage: str) -> Deploy:
    spots = settled(table, barrage, Deploy(paths=()))
    return Deploy(paths=tuple((unit, (number(table, spot),)) for unit, spot in spots.items()))


# 3.2-E1B: creation


def check_form(table: Table, order: Form) -> None:
    """17.1.1. Raises Illegal."""
    barrage = order.unit
    if not is_barrage(table, barrage):
        raise Illegal("17.1.1-1", f"{barrage} is no Barrage unit", unit=barrage, alternatives=barrages(table))
    at = table.position.where.get(barrage, "")
    if at.startswith(TRACK):
        raise Illegal("17.1.5-c4", f"{barrage} is back on turn {at.removeprefix(TRACK)}", unit=barrage)
    if at != HOLDING:
        raise Illegal("17.1.1-1", f"{barrage} cannot be formed now", unit=barrage)
    for part in components(table, barrage):
        if table.position.hex_of(part) is None:
            raise Illegal("17.1.1-2", f"{part} is not on the map", unit=part)
        if table.position.mark(part, FIRED) is not None:
            raise Illegal("17.1.1-3", f"{part} has fired and is not resupplied", unit=part)
    if not sites(table, barrage) >> table.grid.hex(order.at) & 1:
        case = "17.1.1-2" if clear(table) >> table.grid.hex(order.at) & 1 else "17.1.1-1"
        problem = "is not next to all components" if case == "17.1.1-2" else "is not clear, or in a German zone"
        raise Illegal(case, f"{order.at} {problem}", unit=barrage, at=order.at, instead="It can be formed at",
                      alternatives=numbers(table, sites(table, barrage)))  # fmt: skip


def clear(table: Table) -> HexSet:
    """17.1.1-1: clear hexes, in no German zone."""
    data, enemy = table.data, table.enemy(SOVIET)
    open_ = table.board.terrain.get("clear", 0) & data.land & ~data.towns & ~data.villages
    return open_ & ~controlled(table, enemy) & ~standing(table, enemy)


def sites(table: Table, barrage: str) -> HexSet:
    """17.1.1-1, -2: where it can be formed."""
    found = clear(table)
    for part in components(table, barrage):
        at = table.position.hex_of(part)
        found &= 0 if at is None else hexset.within(table.grid, 1 << at, 1)
    return found


def forms(table: Table) -> list[Form]:
    """Every Barrage unit that can be formed, and where."""
    orders = [Form(unit=b, at=spot) for b in barrages(table) for spot in numbers(table, sites(table, b))]
    return [order for order in orders if passes(check_form, table, order)]


def creation(table: Table, side: str, onward: tuple[type[Order], ...]) -> Procedure:
    """17.1.1: a Barrage unit takes its components' place, if its owner wants one."""
    while forms(table):
        order = yield _form_ask(table, onward)
        if isinstance(order, End):
            return
        parts = components(table, order.unit)
        for part in parts:
            yield Placed(unit=part, at=HOLDING, because="17.1.1-5")
        yield Placed(unit=order.unit, at=order.at, lost=0, because="17.1.1-4")
        yield from _fed_as(table, order.unit, worst(table, parts))


def _form_ask(table: Table, onward: tuple[type[Order], ...]) -> Ask:
    seen = table.seen_by(SOVIET)

    def check(order: Order) -> None:
        if isinstance(order, Form):
            check_form(seen, order)

    return Ask(
        side=SOVIET,
        name="form",
        subject=SOVIET,
        prompt=f"{', '.join(dict.fromkeys(order.unit for order in forms(seen)))} can be formed; `end` does without",
        verbs=(Form, End),
        check=check,
        offers=lambda: [Choice(End), *map(whole, forms(seen))],
        default=End,
        case="17.1.1-1",
        top=True,
        onward=onward,
        course="events",
    )


# 17.1.2-d


def broken_up(table: Table, units: Sequence[str]) -> Generator[Step, Any, tuple[str, ...]]:
    """17.1.2-d: a Barrage unit that must retreat leaves its components in its hex, Disorganized; gives who is there."""
    found: list[str] = []
    for unit in units:
        if not is_barrage(table, unit):
            found.append(unit)
            continue
        here, parts, marks = number(table, place(table, unit)), held(table, unit), borne(table, unit)
        yield from away(table, unit, "17.1.2-d")
        for part in parts:
            yield Placed(unit=part, at=here, because="17.1.2-d")
            yield from _fed_as(table, part, marks)
            yield from disorganize(table, part, "17.1.2-d")
        found += parts
    return tuple(found)
