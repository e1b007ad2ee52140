"""Formations (1.4): who takes over units whose HQ has gone (13.2)."""

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine.asks import Ask, Step
from engine.facts import Fact, Marked
from engine.orders.choice import pick
from engine.refusals import Illegal
from engine.rules.ground import place
from games.korsun_vv.data import Table
from games.korsun_vv.names import FORMATION, GERMAN, REMOVED
from games.korsun_vv.orders import Attach
from games.korsun_vv.rules.ground import formation, headquarters


def chief(table: Table) -> str:
    """The HQ of the pocket."""
    return table.data.tables["pocket"]["headquarters"]["unit"]


def nearest(table: Table, unit: str) -> list[str]:
    """13.2-d: the HQs outside the pocket nearest to a unit."""
    outside = [hq for hq in headquarters(table, GERMAN) if hq != chief(table)]
    far = {hq: table.grid.distance(place(table, unit), place(table, hq)) for hq in outside}
    least = min(far.values(), default=0)
    return [hq for hq, distance in far.items() if distance == least]


def adopt(table: Table, unit: str) -> Iterator[Fact]:
    """13.3: whoever enters from the Dnepr joins the pocket."""
    if unit in table.data.tables["reinforcements"]["pocket"]["german"]["units"]:
        yield Marked(subject=unit, mark=FORMATION, value=chief(table), because="13.3")


def orphaned(table: Table, unit: str) -> bool:
    """13.2-d: whether its HQ was removed and no other has taken it."""
    return table.position.where.get(formation(table, unit)) == REMOVED


def join_nearest(table: Table, unit: str) -> Generator[Step, Any, None]:
    """13.2-d: the owner says which of several."""
    able = nearest(table, unit)
    if len(able) > 1:
        order = yield _ask(table, unit, able)
        able = [order.hq]
    if able:
        yield Marked(subject=unit, mark=FORMATION, value=able[0], because="13.2-d")


def _ask(table: Table, unit: str, able: Sequence[str]) -> Ask:
    def check(order: Attach) -> None:
        if order.unit != unit or order.hq not in able:
            raise Illegal("13.2-d", f"{unit} goes to one of the nearest HQs", unit=unit, instead="One of",
                          alternatives=list(able))  # fmt: skip

    return Ask(
        side=GERMAN,
        name="attach",
        subject=unit,
        prompt=f"{unit} has lost its HQ and is as near to {' as to '.join(able)}: which takes it",
        verbs=(Attach,),
        check=check,
        offers=lambda: [pick(Attach, "hq", lambda: able, unit=unit)],
        default=lambda: Attach(unit=unit, hq=able[0]),
        case="13.2-d",
        passable=True,
        units=(unit,),
    )
