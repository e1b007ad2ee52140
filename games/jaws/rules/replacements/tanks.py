"""German armor replacements (8.5.2): the dice say what kind of tank comes, and the owner who gets it."""

from collections.abc import Generator
from functools import partial
from typing import Any

from engine.asks import Ask, Roll, Step
from engine.facts import Told
from engine.orders.choice import Choice, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, numbers
from games.jaws.data import GERMAN, Table
from games.jaws.orders.events import Again, Refit, Replace, Save
from games.jaws.rules.replacements.eligible import (
    TANKS,
    check_order,
    check_room,
    check_supply,
    given,
    homecoming,
    is_gone,
)
from games.jaws.rules.replacements.filling import check_home, gain
from games.jaws.rules.replacements.points import account_of, points, spent

NAMES = {"stug": "StuG", "pz4": "Pz IV", "pz5": "Pz V", "pz6": "Pz VI"}


def kind_for(table: Table, dice: int) -> str:
    """8.5.2: the German Armor Replacement Table."""
    rows = table.data.tables["replacements"]["armor_types"]
    by_kind = {"stug": rows["stug"], "pz4": rows["pz4"], "pz5": rows["pz5"], "pz6": rows["pz6"]}
    return next(kind for kind, sums in by_kind.items() if dice in sums)


def check_tank(table: Table, unit: str, at: str = "") -> None:
    """8.4, 8.5.2-c3, -c4: whether an armor unit may take a step now. Raises Illegal."""
    check_order(table, unit)
    check_room(table, unit, 1)
    if given(table, unit):
        raise Illegal("8.5.2-c3", f"{unit} has taken its step of this turn", unit=unit)
    if is_gone(table, unit):
        check_home(table, unit, at)
    elif table.position.hex_of(unit) is None:
        raise Illegal("8.5.2-c1", f"{unit} is neither on the map nor eliminated", unit=unit)
    else:
        check_supply(table, unit)


def reduced(table: Table, korps: str, kind: str = "") -> list[str]:
    """8.5.2-c1: the armor units of a korps, of that kind or of any, that may take a step."""
    kinds = (kind,) if kind else TANKS
    own = [unit.id for unit in table.roster.by_side(GERMAN) if account_of(table, unit.id) == korps]
    tanks = [unit for unit in own if any(is_a(table, unit, each) for each in kinds)]
    return [unit for unit in tanks if passes(check_tank, table, unit)]


def check_refit(table: Table, order: Refit) -> None:
    """8.5.2. Raises Illegal."""
    korps = order.korps
    if korps in table.data.tables["replacements"]["no_armor"]:
        raise Illegal("8.1.2", f"{korps} has no armor points")
    if not points(table, korps, "armor"):
        raise Illegal("8.5.2", f"{korps} has no armor point left")
    if not reduced(table, korps):
        raise Illegal("8.5.2-c1", f"{korps} has no armor unit that could take a step: none is rolled for")


def refits(table: Table) -> list[Refit]:
    korps = table.data.tables["replacements"]["accounts"]["german"]
    return [order for each in korps if passes(check_refit, table, order := Refit(korps=each))]


def refit(table: Table, order: Refit) -> Generator[Step, Any, None]:
    """8.5.2: two dice; a kind that nobody needs is rolled again or the point kept, one that somebody needs is taken."""
    while True:
        first: int = yield Roll(f"armor replacement of {order.korps}")
        second: int = yield Roll(f"armor replacement of {order.korps}")
        kind = kind_for(table, first + second)
        able = reduced(table, order.korps, kind)
        yield Told(text=f"{order.korps} rolls {first + second}: {NAMES[kind]}.", because="8.5.2")
        if able:
            break
        answer = yield _again_ask(table, order.korps, kind)
        if isinstance(answer, Save):
            return
    chosen = Replace(unit=able[0])
    if len(able) > 1 or is_gone(table, able[0]):
        chosen = yield _tank_ask(table, order.korps, kind, able)
    yield from spent(table, order.korps, "armor", 1, "8.5.2")
    yield from gain(table, chosen.unit, 1, chosen.at, "8.5.2-c4" if is_gone(table, chosen.unit) else "8.5.2")


def _again_ask(table: Table, korps: str, kind: str) -> Ask:
    """8.5.2-c1"""
    return Ask(
        side=GERMAN,
        name="refit",
        subject=korps,
        prompt=f"{korps} has no {NAMES[kind]} unit that could take a step: `roll again`, or `save` the point",
        verbs=(Again, Save),
        offers=lambda: [Choice(Again), Choice(Save)],
        default=Again,
        case="8.5.2-c1",
        passable=True,
    )


def _tank_ask(table: Table, korps: str, kind: str, able: list[str]) -> Ask:
    """8.5.2-c2: which unit of the kind, and where one that was eliminated comes back (8.5.2-c4)."""
    seen = table.seen_by(GERMAN)

    def check(order: Order) -> None:
        assert isinstance(order, Replace)
        if order.unit not in able or order.steps != 1:
            raise Illegal("8.5.2-c2", f"a step of {NAMES[kind]} has come for {korps}", unit=order.unit,
                          instead="It goes to one of", alternatives=able)  # fmt: skip
        check_tank(seen, order.unit, order.at)

    def offers() -> list[Choice]:
        found = [whole(Replace(unit=unit)) for unit in able]
        gone = [unit for unit in able if is_gone(seen, unit)]
        return found + [pick(Replace, "at", partial(numbers, seen, homecoming(seen, unit)), unit=unit) for unit in gone]

    first = min(able, key=lambda unit: (is_gone(seen, unit), -len(seen.unit(unit).steps), unit))
    return Ask(
        side=GERMAN,
        name="tanks",
        subject=korps,
        prompt=f"a step of {NAMES[kind]} for {', '.join(able)}: whose",
        verbs=(Replace,),
        check=check,
        offers=offers,
        default=lambda: Replace(unit=first),
        case="8.5.2-c2",
        passable=True,
        about=lambda order: is_a(seen, order.unit, "armor"),  # infantry is filled up after it
    )
