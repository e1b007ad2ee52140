"""The Soviet command stage: active HQs (23.11, 23.12) and Supported markers (24.2)."""

from itertools import combinations

from engine.asks import Ask, Procedure
from engine.facts import Marked
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.marks import marked
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Activate, End, Unsupport
from games.korsun_spi.rules.ground import SOVIET
from games.korsun_spi.rules.supply import headquarters


def forced(table: Table) -> list[str]:
    """23.12: HQs that must be active this turn."""
    row = table.data.tables["active_headquarters"]["forced"]
    if table.position.turn != row["turn"]:
        return []
    return [hq for hq in row["units"] if table.position.hex_of(hq) is not None]


def limit(table: Table) -> int:
    return table.data.active_headquarters(table.position.turn)


def active_now(table: Table) -> list[str]:
    return [hq for hq in headquarters(table) if table.position.mark(hq, "active") is not None]


def too_many_supported(table: Table) -> int:
    """24.22: how many markers must still come off."""
    if not table.data.switch["supported_corps"]:
        return 0
    return max(0, len(marked(table, "supported")) - table.data.supported(table.position.turn))


def command(table: Table) -> Procedure:
    """One order at a time until `end`."""
    while True:
        order = yield _ask(table)
        if isinstance(order, End):
            return
        if isinstance(order, Unsupport):
            for unit in order.units:
                yield Marked(subject=unit, mark="supported", value=None, because="24.22")
            continue
        for hq in headquarters(table):
            is_active = table.position.mark(hq, "active") is not None
            if is_active != (hq in order.units):
                yield Marked(subject=hq, mark="active", value=None if is_active else 1, because="23.11")


def _ask(table: Table) -> Ask:
    seen = table.seen_by(SOVIET)
    now = ", ".join(active_now(table)) or "none"
    prompt = f"up to {limit(table)} active HQs (now {now})"
    if too_many_supported(table):
        prompt += f", and which {too_many_supported(table)} Supported markers come off"
    return Ask(
        side=SOVIET,
        name="command",
        subject=SOVIET,
        prompt=f"{prompt}; `end` closes the stage",
        verbs=(Activate, Unsupport, End),
        check=lambda order: _check(seen, order),
        offers=lambda: _choices(seen),
        default=lambda: _default(seen),
        case="23.11",
        top=True,
    )


def _check(table: Table, order: Order) -> None:
    if isinstance(order, Activate):
        _check_activate(table, order)
    elif isinstance(order, Unsupport):
        _check_unsupport(table, order)
    else:
        over = len(active_now(table)) - limit(table)
        if over > 0:
            raise Illegal("23.11", f"only {limit(table)} HQs may be active this turn", instead="Use `activate`")
        missing = [hq for hq in forced(table) if hq not in active_now(table)]
        if missing:
            raise Illegal("23.12", f"{', '.join(missing)} must be active this turn", unit=missing[0])
        if too_many_supported(table):
            problem = f"{too_many_supported(table)} Supported markers must come off"
            raise Illegal("24.22", problem, instead="Use `unsupport`", alternatives=marked(table, "supported"))


def _check_activate(table: Table, order: Activate) -> None:
    for unit in order.units:
        if unit not in headquarters(table):
            raise Illegal("23.1", f"{unit} is no Soviet HQ on the map", unit=unit, instead="HQs",
                          alternatives=headquarters(table))  # fmt: skip
    if len(order.units) > limit(table):
        raise Illegal("23.11", f"{len(order.units)} HQs named, and only {limit(table)} may be active this turn")
    missing = [hq for hq in forced(table) if hq not in order.units]
    if missing:
        raise Illegal("23.12", f"{', '.join(missing)} must be active this turn", unit=missing[0])


def _check_unsupport(table: Table, order: Unsupport) -> None:
    for unit in order.units:
        if table.position.mark(unit, "supported") is None:
            raise Illegal("24.22", f"{unit} is not supported", unit=unit)
    if len(order.units) > too_many_supported(table):
        raise Illegal("24.22", f"only {too_many_supported(table)} markers come off now")


def _default(table: Table) -> Order:
    over = too_many_supported(table)
    if over:
        return Unsupport(units=tuple(marked(table, "supported")[-over:]))
    now = active_now(table)
    wanted = list(dict.fromkeys([*forced(table), *now]))[: limit(table)]
    if set(wanted) != set(now):
        return Activate(units=tuple(wanted))
    return End()


def _choices(table: Table) -> list[Choice]:
    found = [pick(Unsupport, "units", lambda: marked(table, "supported"))] if too_many_supported(table) else []
    must, now = set(forced(table)), set(active_now(table))
    groups = combinations(headquarters(table), min(limit(table), len(headquarters(table))))
    found += [Choice(Activate, {"units": group}) for group in groups if must <= set(group) != now]
    return [*found, Choice(End)] if passes(_check, table, End()) else found
