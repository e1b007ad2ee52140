"""12.1.3-D4: every declared combat is fought: what may not be left out, and which comes unasked."""

from collections.abc import Callable, Sequence

from engine.hexes import Hex
from engine.refusals import Illegal, passes
from engine.rules.ground import number
from games.jaws.data import Table
from games.jaws.orders.combat import Attack
from games.jaws.rules.combat.declaration import origins
from games.jaws.rules.partisans import apart

UNASKED = "unasked, the one that fewest hexes can attack is next"


def check_all_fought(table: Table, open_: Sequence[Hex]) -> None:
    """Raises Illegal while somebody can attack a declared hex."""
    if open_:
        spots = ", ".join(number(table, h) for h in open_)
        raise Illegal("12.1.3-D4", f"every declared hex is attacked, and these are left: {spots}",
                      instead=f"Write `attack HEX from HEX` for each, or `default`: {UNASKED}")  # fmt: skip


def unasked(table: Table, side: str, open_: Sequence[Hex], check: Callable[[Table, str, Attack], object]) -> Attack:
    """The declared hex that fewest can attack, so that none is left over, by all whom no other one needs, for odds
    only get better by them."""
    target, *others = sorted(open_, key=lambda h: (len(origins(table, side, h)), h))
    return attack_on(table, side, target, others, check)


def attack_on(
    table: Table, side: str, target: Hex, others: Sequence[Hex], check: Callable[[Table, str, Attack], object]
) -> Attack:
    """An attack on a hex by all who can, but for those whom another declared hex needs."""
    free = [*origins(table, side, target)]
    for other in others:
        theirs = origins(table, side, other)
        if len(free) > 1 and theirs and all(h in free for h in theirs):
            free.remove(theirs[-1])
    named: list[str] = []
    near = [number(table, h) for h in free]
    while left := [spot for spot in apart(table, named, near) if spot not in named]:
        named.append(left[0])
    whole = Attack(targets=(number(table, target),), origins=tuple(named))
    return whole if passes(check, table, side, whole) else Attack(targets=whole.targets, origins=whole.origins[:1])
