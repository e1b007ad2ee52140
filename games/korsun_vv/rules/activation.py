"""An activation (3.4): any action by any activated unit, in any order, until the player ends it."""

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

from engine.asks import Ask, Step
from engine.facts import Fact, Marked, Noted, StepGained
from engine.orders.choice import Choice, gather, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number, place
from engine.rules.marks import game_mark, marked, wipe
from engine.rules.pools import in_pool, put, take
from games.korsun_vv import names
from games.korsun_vv.data import Table
from games.korsun_vv.orders import Alarm, Attack, DigIn, End, Enter, Move, PreparedAttack, Recover, Refit, Top
from games.korsun_vv.rules import alarm, combat, movement, reinforcements
from games.korsun_vv.rules.duty import check_duties, debtors, owed_to
from games.korsun_vv.rules.ground import formation, in_range, is_armour, is_hq, set_mark, stands
from games.korsun_vv.rules.losses import thin_out
from games.korsun_vv.rules.markers import STUG, available, holds_katyusha
from games.korsun_vv.rules.points import acting, check_acting, left, spend, spent
from games.korsun_vv.rules.sight import check_top, set_top


def activation(table: Table, side: str) -> Generator[Step, Any, None]:
    """3.4.2: one action after another; the enemy may put in an Alarm battalion between two of them."""
    while True:
        order = yield _ask(table, side)
        if isinstance(order, End):
            break
        yield from _carry_out(table, side, order)
        if side == names.RUSSIAN and isinstance(order, Move | Enter | Attack):
            yield from alarm.window(table)
    yield from close(table)


def _carry_out(table: Table, side: str, order: Order) -> Generator[Step, Any, None]:
    match order:
        case Move():
            yield from movement.move(table, order)
        case Enter():
            yield from reinforcements.enter(table, order)
        case Attack():
            yield from combat.resolve(table, side, order)
        case DigIn():
            yield from dig_in(table, order)
        case Recover():
            yield from recover(table, order)
        case Refit():
            yield from refit(table, order)
        case Alarm():
            yield from alarm.place_alarm(table, order)
        case Top():
            yield from set_top(table, order)


def close(table: Table) -> Generator[Step, Any, None]:
    """3.4.1-a: what is left is lost; 2.1-e: stacking is looked at."""
    bank = game_mark(table, names.BANK)
    yield from wipe(table, names.ACTION_MARKS, "3.4.1-a")
    if bank:
        yield from reinforcements.close_bank(table)
    for unit in marked(table, names.ACTIVATED):
        if unit in table.roster and not stands(table, unit):  # it stayed off the map after all
            yield Marked(subject=unit, mark=names.ACTIVATED, value=None, because="3.1-b")
            yield from set_mark(table, unit, names.FATIGUED, None, "3.5-a")
    yield from thin_out(table)


# Improved positions (12.1), recovery (3.5.2), refitting (1.6.1-e)


def check_dig_in(table: Table, side: str, unit: str) -> None:
    """Raises Illegal."""
    row = table.data.tables["actions"]["enter_position"]
    check_acting(table, side, unit, row["points"], "12.1-a")
    if not stands(table, unit):
        raise Illegal("12.1-a", f"{unit} is not on the map", unit=unit, instead=f"Write `enter {unit} at HEX` first")
    if table.position.mark(unit, names.DUG_IN) is not None:
        raise Illegal("12.1-a", f"{unit} is in an improved position already", unit=unit, instead="Leave it out")
    if owing := owed_to(table, unit):
        spot, lines = number(table, place(table, unit)), [f"attack {number(table, h)} with {unit}" for h in owing]
        raise Illegal("12.1-a", f"{unit} must attack from {spot} and cannot dig in there", unit=unit, at=spot,
                      instead="For instance", alternatives=lines)  # fmt: skip


def dig_in(table: Table, order: DigIn) -> Iterator[Fact]:
    """12.1-a, -b: every unit for itself."""
    for unit in order.units:
        yield from spend(table, unit, table.data.tables["actions"]["enter_position"]["points"], "3.4.1-f")
        yield Marked(subject=unit, mark=names.DUG_IN, value=1, because="12.1-a")


def check_recover(table: Table, side: str, unit: str) -> None:
    """3.4.1-d: the first action of the first activation, paid from the points without fatigue. Raises Illegal."""
    cost = table.data.tables["actions"]["recover"]["points"]
    check_acting(table, side, unit, 0, "3.4.1-d")
    if table.position.mark(unit, names.FATIGUED) is None:
        tired = [u for u in acting(table, side) if table.position.mark(u, names.FATIGUED) is not None]
        raise Illegal("3.5.2-a", f"{unit} is not fatigued", unit=unit, instead="Fatigued units",
                      alternatives=tired)  # fmt: skip
    if table.position.mark(unit, names.ACTIVATED) != 1 or spent(table, unit):
        problem = f"{unit} could recover only as the first action of its first activation this turn"
        raise Illegal("3.4.1-d", problem, unit=unit, instead="Recover with it first thing next turn")
    if is_hq(table, unit) and holds_katyusha(table, unit):
        problem = f"{unit} has a Katyusha and cannot spend the {cost} action points to recover"
        raise Illegal("1.6.2-b", problem, unit=unit, instead=f"It has {left(table, unit)} to spend otherwise")
    if int(table.position.mark(unit, names.ALLOTMENT) or 0) < cost:
        raise Illegal("3.5.2-a", f"{unit} has too few action points to recover, {cost} are needed", unit=unit,
                      instead=f"It has {left(table, unit)} to spend otherwise")  # fmt: skip


def recover(table: Table, order: Recover) -> Iterator[Fact]:
    cost = table.data.tables["actions"]["recover"]["points"]
    for unit in order.units:
        have = int(table.position.mark(unit, names.ALLOTMENT) or 0)
        yield Marked(subject=unit, mark=names.FATIGUED, value=None, because="3.5.2-a")
        yield Noted(subject=unit, mark=names.POINTS, value=have - cost, because="3.5.2-a")


def check_refit(table: Table, side: str, unit: str) -> None:
    """Raises Illegal."""
    bar = _refit_bar(table, side, unit)
    if bar is not None:
        raise Illegal(bar[0], bar[1], unit=unit, instead="A StuG could mend",
                      alternatives=refittable(table, side) or ["nobody now"])  # fmt: skip


def refittable(table: Table, side: str) -> list[str]:
    """1.6.1-e: the units that could have a StuG's step now."""
    return [u for u in table.position.lost if u in table.roster and _refit_bar(table, side, u) is None]


def _refit_bar(table: Table, side: str, unit: str) -> tuple[str, str] | None:
    """Why a unit cannot have a StuG's step: the case, and the reason in words."""
    if side != names.GERMAN or table.unit(unit).side != side or not is_armour(table, unit) or not stands(table, unit):
        return "1.6.1-e", f"{unit} is no German armoured unit on the map"
    if not table.position.lost.get(unit, 0):
        return "1.6.1-e", f"{unit} has lost no step"
    if table.position.mark(unit, names.REFITTED) is not None:
        return "1.6.1-e", f"{unit} has been refitted this turn"
    hq = formation(table, unit)
    if not stands(table, hq) or STUG not in in_pool(table, available(hq)):
        return "1.6.1-e", f"{hq} has no StuG available for {unit}"
    if not in_range(table, hq) >> place(table, unit) & 1:
        return "1.5-b", f"{unit} is out of range of {hq}"
    return None


def refit(table: Table, order: Refit) -> Iterator[Fact]:
    hq = formation(table, order.unit)
    yield from take(table, available(hq), [STUG], "1.6.1-e")
    yield from put(table, f"{names.GERMAN} out", [STUG], "1.6.1-e")
    yield StepGained(unit=order.unit, because="1.6.1-e")
    yield Noted(subject=order.unit, mark=names.REFITTED, value=1, because="1.6.1-e")


# The ask


def _check(table: Table, side: str, order: Order) -> None:
    match order:
        case Move():
            movement.check_move(table, side, order)
        case Enter():
            reinforcements.check_enter(table, side, order)
        case Attack():
            combat.check_attack(table, side, order)
        case DigIn():
            for unit in order.units:
                check_dig_in(table, side, unit)
        case Recover():
            for unit in order.units:
                check_recover(table, side, unit)
        case Refit():
            check_refit(table, side, order.unit)
        case Top():
            check_top(table, side, order)
        case End():
            check_duties(table, side)
        case _:
            alarm.check_alarm(table, order)


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    verbs: tuple[type[Order], ...] = (Move, Enter, Attack, PreparedAttack, DigIn, Recover, End)
    if side == names.GERMAN:
        verbs = (*verbs, Refit, Alarm)
    if table.data.switch["fog"]:
        verbs = (*verbs, Top)
    units = acting(table, side)
    return Ask(
        side=side,
        name="action",
        subject=side,
        prompt=_prompt(table, side, units),
        verbs=verbs,
        check=lambda order: _check(seen, side, order),
        offers=lambda: _choices(seen, side),
        default=lambda: _default(seen, side),
        case="3.4-a",
        top=True,
        units=tuple(units),
    )


def _prompt(table: Table, side: str, units: list[str]) -> str:
    have = ", ".join(f"{unit} {left(table, unit)}" for unit in units if left(table, unit))
    owing = ", ".join(debtors(table, side))
    must = f"; must still attack: {owing}" if owing else ""
    return f"actions of the activated units (action points: {have or 'none left'}){must}; `end` closes the activation"


def _default(table: Table, side: str) -> Order:
    """The end, or an attack that is still due."""
    for unit, targets in debtors(table, side).items():
        return Attack(target=number(table, targets[0]), units=(unit,))
    return End()


def _choices(table: Table, side: str) -> list[Choice]:
    units = acting(table, side)
    off = [unit for unit in units if not stands(table, unit) and left(table, unit)]
    coming = [unit for unit in off if reinforcements.open_entries(table, unit)]
    found = movement.move_choices(table, side, units)
    found += [pick(Enter, "at", partial(reinforcements.spots, table, unit), units=(unit,)) for unit in coming]
    found += combat.attack_choices(table, side)
    diggers = [unit for unit in units if passes(check_dig_in, table, side, unit)]
    if diggers:
        found.append(gather(DigIn, "units", lambda given: [u for u in diggers if u not in given.get("units", ())]))
    found += [whole(Recover(units=(unit,))) for unit in units if passes(check_recover, table, side, unit)]
    if side == names.GERMAN:
        found += [whole(Refit(unit=unit)) for unit in refittable(table, side)]
        found += alarm.alarm_choices(table)
    if not debtors(table, side):
        found.append(Choice(End))
    return found
