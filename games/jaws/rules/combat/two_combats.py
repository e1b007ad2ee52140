"""Two separate attacks on an extended division (4.7.2-5): strengths fixed before both, no retreat between them."""

from collections.abc import Callable, Iterator, Sequence

from engine.asks import Ask
from engine.facts import Fact, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, place
from games.jaws.data import Table
from games.jaws.orders import Attack, NoAttack
from games.jaws.rules.combat.battle import Battle
from games.jaws.rules.extension import FROZEN, twin
from games.jaws.rules.strength import strength


def frozen(table: Table, battle: Battle, open_: Sequence[Hex]) -> Iterator[Fact]:
    """The strength in each hex as it is before the first of two combats; once said it stays."""
    for unit in battle.defenders:
        other = twin(table, unit)
        if other and place(table, other) in open_ and place(table, other) not in battle.targets:
            for half in (unit, other):
                if table.position.mark(half, FROZEN) is None:
                    yield Noted(subject=half, mark=FROZEN, value=strength(table, half), because="4.7.2-5")


def other_half(table: Table, battles: Sequence[Battle], open_: Sequence[Hex]) -> Hex | None:
    """The declared hex with the other half of a division that was attacked; None if there is none."""
    for battle in battles:
        for unit in battle.defenders:
            other = twin(table, unit) if table.position.hex_of(unit) is not None else ""
            if other and place(table, other) in open_:
                return place(table, other)
    return None


def other_ask(
    table: Table,
    side: str,
    target: Hex,
    choices: Callable[[Table, str], list[Choice]],
    check: Callable[[Table, str, Attack], None],
) -> Ask:
    """The second attack, before the retreats of the first; or none."""
    seen, spot = table.seen_by(side), number(table, target)

    def allowed(order: Order) -> None:
        if isinstance(order, Attack):
            if spot not in order.targets:
                raise Illegal("4.7.2-5", f"the other half of the extended division in {spot} is fought first", at=spot,
                              instead="Attack it now, or say `no attack`")  # fmt: skip
            check(seen, side, order.alone())

    def offers() -> list[Choice]:
        return [Choice(NoAttack), *(each for each in choices(seen, side) if each.given["targets"] == (spot,))]

    return Ask(
        side=side,
        name="second attack",
        subject=spot,
        prompt=f"{spot} holds the other half of the division: attack it before anybody retreats, or `no attack`",
        verbs=(Attack, NoAttack),
        check=allowed,
        offers=offers,
        default=NoAttack,
        case="4.7.2-5",
    )
