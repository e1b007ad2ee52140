"""Activation (7.3, 8.0): which units act, and in which order they move and fight."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Step
from engine.facts import Fact, Marked, Told
from engine.orders.choice import Choice, Given
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import place, units_at
from engine.rules.marks import set_game, wipe
from engine.rules.supply import within_line
from engine.table import kept
from games.manstein.data import Table
from games.manstein.orders import Activate, Direct, End, Mode, Negotiate
from games.manstein.rules.combat import ATTACKED, FOUGHT
from games.manstein.rules.crossings import counted_points
from games.manstein.rules.ground import AXIS, LED, NOBODY, absent, activated, is_hq
from games.manstein.rules.headquarters import headquarters
from games.manstein.rules.stacking import MOVED

MANSTEIN, INTERRUPT, ZHUKOV = "Manstein", "interrupt", "Zhukov"


@kept
def in_range(table: Table, hq: str) -> list[str]:
    """8.2: the units in an HQ's command range, counted around water and impassable hexsides; 8.1.3: HQs among them."""
    side, reach, data = table.unit(hq).side, table.position.value(hq, "range"), table.data
    near = within_line(table.grid, 1 << place(table, hq), data.passable, reach, data.open_sides)
    found = []
    for h in hexset.members(near & table.position.held(side)):
        found += [u for u in units_at(table, h, side) if u == hq or side == AXIS or not is_hq(table, u)]
    return found


def activate(table: Table, units: Sequence[str], case: str, hq: str = "") -> Iterator[Fact]:
    """8.2-b: the set is fixed now, whatever moves later; 8.1.3: an HQ that another leads only moves and fights."""
    for unit in units:
        led = hq not in ("", unit) and is_hq(table, unit)
        yield Marked(subject=unit, mark="activated", value=LED if led else 1, because=case)


def activate_hq(table: Table, hq: str, case: str) -> Iterator[Fact]:
    yield Told(text=f"{hq} is activated.", because=case)
    yield from activate(table, in_range(table, hq), case, hq)


def stand_down(table: Table) -> Iterator[Fact]:
    """The activation is over: its marks come off."""
    yield from wipe(table, (MOVED, ATTACKED, FOUGHT, "activated", "mode"), "8.1.2-b")


def counter_of(table: Table, hq: str) -> str:
    """18.2: the counter that stands for an HQ now."""
    back = table.data.tables["headquarters"]["conversion"]["backs"].get(hq, "")
    return back if back and table.position.where.get(hq) == "turned" else hq


# 5.4: the mode


def choose_mode(table: Table, side: str) -> Generator[Step, Any, str]:
    """Movement-Combat or Combat-Movement; empty if the activation is given up."""
    order = yield _mode_ask(table, side)
    if isinstance(order, End):
        return ""
    assert isinstance(order, Mode)
    yield from set_game(table, "mode", order.mode, "5.4")
    return order.mode


def _mode_ask(table: Table, side: str) -> Ask:
    units = activated(table, side)
    many = "1 unit is" if len(units) == 1 else f"{len(units)} units are"
    return Ask(
        side=side,
        name="mode",
        subject=side,
        prompt=f"{many} activated: `mode MC` moves first, `mode CM` fights first, `end` does neither",
        verbs=(Mode, End),
        offers=lambda: [Choice(Mode, {"mode": "MC"}), Choice(Mode, {"mode": "CM"}), Choice(End)],
        default=lambda: Mode(mode="MC"),
        case="5.4",
        top=True,
        units=tuple(units),
    )


# 7.2(4), 7.3, 7.4, 16.1: an HQ or units of the player's choice


def command(table: Table, side: str, chit: str) -> Generator[Step, Any, str]:
    """What the chosen order leads to: `mode`, `negotiate`, or nothing."""
    order = yield _command_ask(table, side, chit)
    if isinstance(order, Activate):
        yield from activate_hq(table, order.hq, "8.1.1")
        return "mode"
    if isinstance(order, Direct):
        yield from activate(table, order.units, "7.3(3)")
        return "mode"
    return "negotiate" if isinstance(order, Negotiate) else ""


def most_direct(table: Table) -> int:
    """T4: how many units a special activation may have."""
    return int(table.data.by_cp("special_activation", "units", counted_points(table)))


def _command_ask(table: Table, side: str, chit: str) -> Ask:
    seen = table.seen_by(side)
    verbs: tuple[type[Order], ...] = (Activate, End)
    choices = "an HQ"
    if side == AXIS:
        verbs = (Activate, Direct, Negotiate, End) if chit == MANSTEIN else (Activate, Direct, End)
        choices = f"an HQ, or up to {most_direct(table)} units directly"
        choices += ", or negotiation" if chit == MANSTEIN else "; an interrupt does not negotiate (7.4(3))"
    return Ask(
        side=side,
        name="command",
        subject=chit or side,
        prompt=f"{chit or 'the opening attack'}: {choices}",
        verbs=verbs,
        check=lambda order: _check_command(seen, side, order),
        offers=lambda: _commands(seen, side, chit),
        default=lambda: _default_command(seen, side),
        case={MANSTEIN: "7.3", INTERRUPT: "7.4(2)", ZHUKOV: "7.2(4)"}.get(chit, "16.1"),
        top=True,
    )


def _check_command(table: Table, side: str, order: Order) -> None:
    if isinstance(order, Activate):
        if order.hq not in headquarters(table, side):
            raise Illegal("8.0", f"{order.hq} is no HQ of yours on the map", unit=order.hq, instead="Yours are",
                          alternatives=headquarters(table, side) or (NOBODY,))  # fmt: skip
    elif isinstance(order, Direct):
        for unit in order.units:
            if gone := absent(table, side, unit):
                raise Illegal("7.3(3)", gone, unit=unit, instead="Any unit of yours on the map may be named")
        if len(order.units) > most_direct(table):
            said = f"{most_direct(table)} units may be activated directly, not {len(order.units)}"
            raise Illegal("T4", said, instead=f"Leave out {len(order.units) - most_direct(table)} of them")


def _default_command(table: Table, side: str) -> Order:
    """The HQ with the most units in range."""
    hqs = headquarters(table, side)
    if not hqs:
        return End()
    return Activate(hq=max(hqs, key=lambda hq: len(in_range(table, hq))))


def _commands(table: Table, side: str, chit: str) -> list[Choice]:
    found = [Choice(Activate, {"hq": hq}) for hq in headquarters(table, side)]
    if side == AXIS:
        found.append(_directly(table, side, {}))
        if chit == MANSTEIN:
            found.append(Choice(Negotiate))
    return [*found, Choice(End)]


def _directly(table: Table, side: str, given: Given) -> Choice:
    """One unit after another, as many as T4 allows."""
    named: tuple[str, ...] = given.get("units", ())
    left = [u for u in table.position.on_map(side) if u not in named] if len(named) < most_direct(table) else []
    onward = partial(_directly, table, side)
    return Choice(Direct, given, "units" if left else "", lambda: left, bool(named), onward)
