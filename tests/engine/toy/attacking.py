"""3.0: attacks, with support, losses, retreats and advances."""

from __future__ import annotations

from engine import facts as f
from engine.asks import Ask, Procedure, Roll
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.table import Table
from tests.engine.toy.ground import around, open_from
from tests.engine.toy.orders import Advance, Attack, Lose, NoSupport, Retreat, Stay, Support


def attack(table: Table, side: str, order: Attack) -> Procedure:
    enemy = table.enemy(side)
    defenders = table.position.at(table.grid.hex(order.target))
    support = yield _support(table, enemy, order, defenders)
    if isinstance(support, Support):
        yield f.Marked(subject=support.unit, mark="supported")
    die = yield Roll(f"attack on {order.target}")
    die = min(6, die + 1) if order.hard else die
    result = "A" if die <= 2 else "-" if die <= 4 else "D"
    yield f.Fought(
        kind="attack", attackers=order.units, defenders=defenders, targets=(order.target,), column="1-1",
        decided=(("die", str(die)),), result=result, working=(("the die", str(die)),), because="3.3",
    )  # fmt: skip
    if result == "A":
        lost = yield _loss(table, side, order.target, order.units, retreats=False)
        yield from _take_loss(table, lost)
    elif result == "D":
        lost = yield _loss(table, enemy, order.target, defenders, retreats=True)
        yield from _take_loss(table, lost)
        if not table.position.at(table.grid.hex(order.target)):
            yield from _advance(table, side, order)


def _support(table: Table, side: str, attack: Attack, defenders: tuple[str, ...]) -> Ask:
    """3.4: a unit beside the hex may help; asked whether there is one or not."""
    near = [u for u in table.position.on_map(side) if attack.target in around(table, table.position.where[u])]

    def check(order: Order) -> None:
        if isinstance(order, Support) and order.unit not in near:
            raise Illegal("3.4", f"{order.unit} cannot support {attack.target}", alternatives=near)

    return Ask(
        side, "support", attack.target, f"who supports {attack.target}", (Support, NoSupport), NoSupport,
        lambda: [Choice(NoSupport), *(whole(Support(unit=unit)) for unit in near)], check,
        case="3.4", reaction=True, units=defenders,
    )  # fmt: skip


def _loss(table: Table, side: str, at: str, units: tuple[str, ...], *, retreats: bool) -> Ask:
    ways = {unit: open_from(table, side, table.position.where[unit]) if retreats else [] for unit in units}

    def check(order: Lose | Retreat) -> None:
        if order.unit not in units:
            raise Illegal("3.5", f"{order.unit} did not fight", unit=order.unit, alternatives=units)
        if isinstance(order, Retreat) and order.to not in ways[order.unit]:
            raise Illegal("3.6", f"{order.unit} cannot retreat to {order.to}", alternatives=ways[order.unit])

    choices = [whole(Lose(unit=u)) for u in units]
    choices += [whole(Retreat(unit=u, to=n)) for u in units for n in ways[u]]
    return Ask(
        side, "loss", at, f"lose a step or retreat at {at}", (Lose, Retreat), lambda: Lose(unit=units[0]),
        lambda: choices, check, case="3.5", units=units,
    )  # fmt: skip


def _take_loss(table: Table, lost: Lose | Retreat) -> Procedure:
    here = table.position.where[lost.unit]
    if isinstance(lost, Retreat):
        yield f.Moved(unit=lost.unit, path=(here, lost.to), how="retreat", because="3.6")
    elif table.position.steps_left(lost.unit) > 1:
        yield f.StepLost(unit=lost.unit, because="3.5")
    else:
        yield f.Eliminated(unit=lost.unit, at=here, because="3.5")


def _advance(table: Table, side: str, attack: Attack) -> Procedure:
    able = [unit for unit in attack.units if table.position.alive(unit)]

    def check(order: Order) -> None:
        if isinstance(order, Advance) and order.unit not in able:
            raise Illegal("3.7", f"{order.unit} did not win here", alternatives=able)

    answer = yield Ask(
        side, "advance", attack.target, f"who advances into {attack.target}", (Advance, Stay), Stay,
        lambda: [Choice(Stay), *(whole(Advance(unit=unit)) for unit in able)], check,
        case="3.7", passable=True, units=tuple(able),
    )  # fmt: skip
    if isinstance(answer, Advance):
        here = table.position.where[answer.unit]
        yield f.Moved(unit=answer.unit, path=(here, attack.target), how="advance", because="3.7")
