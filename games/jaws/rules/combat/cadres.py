"""Where the cadre of an extended division stands when both its halves have fought (4.7): its owner says."""

from collections.abc import Sequence

from engine.asks import Ask
from engine.orders.choice import whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, place
from games.jaws.data import Table
from games.jaws.orders.forming import Recombine
from games.jaws.rules.combat.battle import ATTACKED, HIT
from games.jaws.rules.extension import FROZEN, body, markers, twin

CADRE = 1  # step


def stands_where(table: Table, fought: Sequence[str], unit: str, steps: int) -> bool:
    """Whether a loss brings an extended division to its cadre when both halves have fought in this phase, or must."""
    other = twin(table, unit)
    if not other or table.position.steps_left(body(table, unit)) - steps != CADRE:
        return False
    return other in fought or any(table.position.mark(other, mark) is not None for mark in (HIT, ATTACKED, FROZEN))


def cadre_ask(table: Table, unit: str, *, active: bool) -> Ask:
    division, side = body(table, unit), table.unit(unit).side
    spots = [number(table, place(table, half)) for half in (division, markers(table)[division])]
    answers = [Recombine(unit=division, at=spot) for spot in spots]

    def check(order: Order) -> None:
        if order not in answers:
            raise Illegal("4.7", f"say where the cadre of {division} stands", unit=division, instead="It may in",
                          alternatives=[answer.line() for answer in answers])  # fmt: skip

    return Ask(
        side=side,
        name="cadre",
        subject=" ".join(spots),
        prompt=f"{division} is down to its cadre: does it stand in {' or '.join(spots)}",
        verbs=(Recombine,),
        check=check,
        offers=lambda: [whole(answer) for answer in answers],
        default=lambda: answers[0],
        case="4.7",
        passable=active,
        units=(division,),
    )
