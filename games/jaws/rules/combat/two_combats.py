"""Two separate attacks on an extended division (4.7.2-5): strengths fixed before both, no retreat between them."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.asks import Ask, Step
from engine.facts import Fact, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice
from engine.refusals import Illegal
from engine.rules.ground import number, place
from engine.rules.marks import wipe
from games.jaws.data import Table
from games.jaws.orders.combat import Attack
from games.jaws.orders.turn import End
from games.jaws.rules.combat.battle import Battle
from games.jaws.rules.combat.fight import ended
from games.jaws.rules.combat.obliged import attack_on
from games.jaws.rules.combat.results import Struck
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


@dataclass(frozen=True)
class Combats:
    """The combats of a segment: which are open, how one is fought up to the retreats, and what may be said."""

    open_: Callable[[Table, str], list[Hex]]
    once: Callable[[Table, str, Attack], Generator[Step, Any, Struck | None]]  # None: broken off
    check: Callable[[Table, str, Attack], object]
    choices: Callable[[Table, str], list[Choice]]


def fought_out(table: Table, side: str, order: Attack, combats: Combats) -> Generator[Step, Any, None]:
    """A combat, with the one on the other half of a division before anybody retreats."""
    first = yield from combats.once(table, side, order)
    fights = [first] if first is not None else []
    while (other := other_half(table, [fight.battle for fight in fights], combats.open_(table, side))) is not None:
        answer = yield _ask(table, side, other, combats)
        second = yield from combats.once(table, side, answer.alone())
        fights += [second] if second is not None else []
    yield from ended(table, fights)
    yield from wipe(table, (FROZEN,), "4.7.2-5")


def _ask(table: Table, side: str, target: Hex, combats: Combats) -> Ask:
    """12.1.3-D4: the second attack, before the retreats of the first."""
    seen, spot = table.seen_by(side), number(table, target)

    def allowed(order: Attack | End) -> None:
        if isinstance(order, End) or spot not in order.targets:
            raise Illegal("4.7.2-5", f"the other half of the extended division in {spot} is fought first", at=spot,
                          instead="Attack it now")  # fmt: skip
        combats.check(seen, side, order.alone())

    def offers() -> list[Choice]:
        return [each for each in combats.choices(seen, side) if each.given["targets"] == (spot,)]

    def owed() -> Attack:
        return attack_on(seen, side, target, [h for h in combats.open_(seen, side) if h != target], combats.check)

    return Ask(
        side=side,
        name="second attack",
        subject=spot,
        prompt=f"{spot} holds the other half of the division: attack it before anybody retreats",
        verbs=(Attack, End),
        check=allowed,
        offers=offers,
        default=owed,
        case="4.7.2-5",
        barred=(End,),
    )
