"""Who defends (12.3.1-2): three of a hex, and of more their owner says which."""

from collections.abc import Generator
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

from engine.asks import Ask, Step
from engine.hexes import Hex
from engine.orders.choice import whole
from engine.refusals import Illegal
from engine.rules.ground import number
from games.jaws.data import Table
from games.jaws.orders.combat import Defend
from games.jaws.rules.combat.battle import Battle, able_in, defenders_in


def chosen(table: Table, battle: Battle) -> Generator[Step, Any, Battle]:
    """12.3.1-2: the combat with those who defend; that a hex is crowded everybody saw, for only retreats do it."""
    enemy, found = table.enemy(battle.side), list[str]()
    for h in battle.targets:
        able, usual = able_in(table, enemy, h), defenders_in(table, enemy, h)
        if len(usual) < len(able):
            order = yield _ask(table, enemy, h, able)
            usual = [unit for unit in able if unit in order.units]
        found += usual
    return replace(battle, defenders=tuple(found))


def _check(able: list[str], most: int, order: Defend) -> None:
    """Raises Illegal."""
    strange = next((unit for unit in order.units if unit not in able), "")
    if strange:
        raise Illegal(
            "12.3.1-2", f"{strange} cannot defend there", unit=strange, instead="These can", alternatives=able
        )
    if len(set(order.units)) != most:
        raise Illegal("12.3.1-2", f"{most} units defend, not {len(set(order.units))}", alternatives=able)


def _ask(table: Table, side: str, h: Hex, able: list[str]) -> Ask:
    most, seen = table.data.tables["stacking"]["units"], table.seen_by(side)
    return Ask(
        side=side,
        name="defend",
        subject=number(table, h),
        prompt=f"{number(table, h)} is attacked: which {most} of {', '.join(able)} defend it",
        verbs=(Defend,),
        check=partial(_check, able, most),
        offers=lambda: [whole(Defend(units=units)) for units in combinations(able, most)],
        default=lambda: Defend(units=tuple(defenders_in(seen, side, h))),
        case="12.3.1-2",
        units=tuple(able),
    )
