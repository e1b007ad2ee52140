"""Choosing an activation (3.2, 3.3): a formation by its HQ, single units, or a pass."""

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Roll, Step
from engine.facts import Fact, Marked, Noted, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, Given, gather
from engine.orders.order import Order
from engine.position import ELIMINATED
from engine.refusals import Illegal, listing
from engine.rules.ground import number, place
from engine.table import kept
from games.korsun_vv.data import Table
from games.korsun_vv.names import ACTIVATED, ALLOTMENT, BANK, DNEPR, FATIGUED, GERMAN, POINTS
from games.korsun_vv.orders import Activate, Alarm, General, Pass
from games.korsun_vv.rules import alarm
from games.korsun_vv.rules.command import in_formation, may_activate, may_be_charged, needs_check, restricted
from games.korsun_vv.rules.duty import may_enter_zone
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import formation, headquarters, in_range, is_hq, members, stands
from games.korsun_vv.rules.odds import quality
from games.korsun_vv.rules.points import allotment, usable
from games.korsun_vv.rules.reinforcements import come_in, due, entry_hexes, open_bank, price

# Who can be activated


@kept
def able(table: Table, side: str) -> list[str]:
    """The units and HQs that a side could activate now, on the map or waiting to enter it."""
    return list(_able(table, side))


def can_act(table: Table, side: str) -> bool:
    """2.2-b, 2.2-c: whether a side has anybody left to activate."""
    return any(True for _ in _able(table, side))


def _able(table: Table, side: str) -> Iterator[str]:
    yield from (unit for unit in table.position.on_map(side) if may_activate(table, unit))
    for unit in due(table, side):
        if may_activate(table, unit) and any(True for _ in entries(table, unit)):
            yield unit


def leaders(table: Table, side: str) -> list[str]:
    """3.2-a: the HQs that can activate their formations, also without action points of their own."""
    fit = [unit for unit in able(table, side) if is_hq(table, unit)]
    spent = [hq for hq in headquarters(table, side) if hq not in fit and may_be_charged(table, hq)]
    return [*fit, *(hq for hq in spent if followers(table, hq))]


def entries(table: Table, unit: str) -> Iterator[Hex]:
    """Where a unit or HQ that is still off the map can come in; 4.2-c: not where it would owe an attack in vain."""
    rest = usable(table, unit) - table.data.tables["actions"]["move"]["points"]
    for h in hexset.members(entry_hexes(table, unit)):
        if price(table, unit, h) is not None and may_enter_zone(table, unit, h, rest):
            yield h


def _best_entry(table: Table, hq: str) -> Hex:
    """The entry hex with the most of the formation in range."""
    units = [place(table, u) for u in members(table, hq) if stands(table, u)]

    def near(h: Hex) -> int:
        reach = in_range(table, hq, 1 << h)
        return sum(1 for spot in units if reach >> spot & 1)

    return max(entries(table, hq), key=lambda h: (near(h), -h))


def _reach(table: Table, hq: str, at: str) -> HexSet:
    """The command range of an HQ, where it stands or would enter."""
    return in_range(table, hq, 0 if stands(table, hq) else 1 << (table.grid.hex(at) if at else _best_entry(table, hq)))


def followers(table: Table, hq: str) -> list[str]:
    """3.2-a, 18.0-d: the units that an HQ's activation takes along if none are spared."""
    own = [u for u in able(table, table.unit(hq).side) if u != hq and formation(table, u) == hq]
    return [u for u in own if in_formation(table, u)]


def tired_by(table: Table, hq: str) -> list[str]:
    """3.5-a: those of them whom it would fatigue, because it is their second; they come along if they are named."""
    return [u for u in followers(table, hq) if table.position.mark(u, ACTIVATED) is not None]


def independents(table: Table, hq: str, at: str = "") -> list[str]:
    """9.2-a: independent units in the HQ's command range now."""
    side = table.unit(hq).side
    if not table.data.tables["doctrine"][side]["independents"]["units"]:
        return []
    reach = _reach(table, hq, at)
    free = [u for u in able(table, side) if not formation(table, u) and stands(table, u)]
    return [u for u in free if reach >> place(table, u) & 1]


# What is legal


def check_choice(table: Table, side: str, order: Order, single: bool = True) -> None:
    """Single units unless this is the second formation of the surprise (18.0-b). Raises Illegal."""
    if isinstance(order, Activate):
        _check_formation(table, side, order)
    elif isinstance(order, General):
        if not single:
            raise Illegal("18.0-b", "surprise is for a second formation, not for single units", instead="Write",
                          alternatives=[*(f"activate {hq}" for hq in leaders(table, side)), "pass"])  # fmt: skip
        _check_general(table, side, order)
    else:
        alarm.check_alarm(table, order)


def _check_able(table: Table, side: str, unit: str, case: str, able_now: list[str]) -> None:
    if unit in able_now:
        return
    if table.unit(unit).side != side:
        why = "not yours"
    elif restricted(table, unit):
        case, why = "13.5", "held until the pocket forms"
    elif is_hq(table, unit) and table.position.where.get(unit) == ELIMINATED:
        case, why = "3.2-a", "destroyed, and back next turn at the earliest"
    elif not stands(table, unit):
        case, why = "2.1-d", "not on the map, and cannot enter it now"
    elif table.position.mark(unit, FATIGUED) is not None and table.position.mark(unit, ACTIVATED) is not None:
        case, why = "3.5.2-b", "fatigued and has been activated this turn"
    elif int(table.position.mark(unit, ACTIVATED) or 0) > 1:
        case, why = "3.5-a", "activated twice this turn already"
    else:
        case, why = "1.1-e", "without action points"
    raise Illegal(case, f"{unit} cannot be activated: {why}", unit=unit, instead="These can",
                  alternatives=able_now or ["nobody"])  # fmt: skip


def _check_formation(table: Table, side: str, order: Activate) -> None:
    if not is_hq(table, order.hq):
        raise Illegal("3.2-a", f"{order.hq} is no HQ", unit=order.hq, instead="Your HQs",
                      alternatives=leaders(table, side))  # fmt: skip
    _check_able(table, side, order.hq, "3.2-a", leaders(table, side))
    if not stands(table, order.hq):
        spots = [number(table, h) for h in entries(table, order.hq)]
        if order.at and order.at not in spots:
            raise Illegal("18.1.1-a", f"{order.hq} cannot enter at {order.at}", unit=order.hq, at=order.at,
                          instead="It may enter at", alternatives=spots)  # fmt: skip
    elif order.at:
        raise Illegal("3.2-a", f"{order.hq} is on the map already", unit=order.hq, at=order.at,
                      instead=f"Write `activate {order.hq}`")  # fmt: skip
    taken = followers(table, order.hq)
    for unit in order.spared:
        if unit not in taken:
            raise Illegal("3.2-b", f"{unit} would not be activated with {order.hq} anyway", unit=unit,
                          instead="These would", alternatives=taken or ["nobody"])  # fmt: skip
    for unit in order.again:
        if unit not in tired_by(table, order.hq):
            raise Illegal("3.5-a", f"{unit} is not activated a second time with {order.hq}", unit=unit,
                          instead="These would be", alternatives=tired_by(table, order.hq))  # fmt: skip
    most = table.data.tables["doctrine"][side]["independents"]["units"]
    for unit in order.joined:
        if unit not in independents(table, order.hq, order.at):
            case = "9.2-a" if most else "9.3-a"
            raise Illegal(case, f"{unit} cannot be activated with {order.hq}", unit=unit, instead="These can",
                          alternatives=independents(table, order.hq, order.at) or ["nobody"])  # fmt: skip
    if len(order.joined) > most:
        problem = f"{order.hq} takes {most} independent units along, not {len(order.joined)}"
        raise Illegal("9.2-a", problem, unit=order.joined[most], instead="For instance",
                      alternatives=list(order.joined[:most]))  # fmt: skip


def most_general(table: Table, side: str) -> int:
    """9.2-b, 9.3-b."""
    return table.data.tables["doctrine"][side]["general"]["units"]


def _check_general(table: Table, side: str, order: General) -> None:
    for unit in order.units:
        _check_able(table, side, unit, "3.3-a", able(table, side))
    if len(order.units) > most_general(table, side):
        case = "9.3-b" if side == GERMAN else "9.2-b"
        problem = f"{most_general(table, side)} units may be activated, not {len(order.units)}"
        raise Illegal(case, problem, unit=order.units[most_general(table, side)],
                      instead=f"Write `general {', '.join(order.units[: most_general(table, side)])}`")  # fmt: skip


# Carrying it out


def begin_activation(table: Table, side: str, order: Activate | General) -> Generator[Step, Any, None]:
    """3.2, 3.3: everybody gets his action points; C3I checks for those out of command."""
    if isinstance(order, General):
        yield Told(text=f"{side.capitalize()} general activation of {len(order.units)} units.", because="3.3-a")
        for unit in order.units:
            failed = False
            if needs_check(table, unit):
                failed = yield from _c3i(table, unit)
            yield from _charge(table, unit, "3.3-a", failed)
        return
    first = order.hq == chief(table) and bool(table.position.in_box(DNEPR))
    at = order.at or ("" if stands(table, order.hq) else number(table, _best_entry(table, order.hq)))
    idle = [u for u in tired_by(table, order.hq) if u not in (*order.again, *order.spared)]
    taken = [u for u in followers(table, order.hq) if u not in (*idle, *order.spared)]
    who = ("some of it" if table.data.switch["fog"] else ", ".join(idle)) if idle else ""
    rest = f" without {who}: a second activation would fatigue them, unless `again` names them" if idle else ""
    yield Told(text=f"{order.hq} activates its formation{rest}.", because="3.2-a")
    yield from _charge(table, order.hq, "3.2-a", False)
    if at:
        yield from come_in(table, order.hq, table.grid.hex(at))
    if first:
        yield Noted(subject="game", mark=BANK, value=1, because="13.3")
        taken += table.position.in_box(DNEPR)
        yield from open_bank(table)
    for unit in (*taken, *order.joined):
        yield from _charge(table, unit, "3.2-a", False)


def _c3i(table: Table, unit: str) -> Generator[Step, Any, bool]:
    """9.4: less than the unit's quality."""
    only = (table.unit(unit).side,) if table.data.switch["fog"] else None
    die = yield Roll(f"C3I check of {unit}", only=only)
    failed = bool(die >= quality(table, unit))
    told = "fails its C3I check" if failed else "passes its C3I check"
    yield Told(text=f"{unit} {told} with {die}.", because="9.4", only=only)
    return failed


def _charge(table: Table, unit: str, case: str, failed: bool) -> Iterator[Fact]:
    """1.1-e, 3.5-a: its points; a second activation brings fatigue first."""
    points = allotment(table, unit, c3i_failed=failed)
    times = int(table.position.mark(unit, ACTIVATED) or 0)
    tired = table.position.mark(unit, FATIGUED) is not None
    if times and not tired:
        yield Marked(subject=unit, mark=FATIGUED, value=1, because="3.5-a")
    yield Marked(subject=unit, mark=ACTIVATED, value=times + 1, because=case)
    if times or tired or is_hq(table, unit):  # whoever may recover, or be held back by a Katyusha
        yield Noted(subject=unit, mark=ALLOTMENT, value=points, because="1.1-e")
    if times or tired:
        points = max(0, points - table.data.tables["action_points"]["less"]["fatigued"]["points"])
    yield Noted(subject=unit, mark=POINTS, value=points, because="1.1-e")


# The ask


def choice_ask(table: Table, side: str, *, single: bool = True) -> Ask:
    seen = table.seen_by(side)
    units = f"up to {most_general(table, side)} units (`general UNITS`), " if single else ""
    verbs: tuple[type[Order], ...] = (Activate, General, Pass)
    if side == GERMAN and alarm.waiting(table):
        verbs = (*verbs, Alarm)
    return Ask(
        side=side,
        name="activation",
        subject=side,
        prompt=f"activate a formation (`activate HQ`), {units}or `pass`{_by_name(seen, side)}",
        verbs=verbs,
        check=lambda order: check_choice(seen, side, order, single),
        offers=lambda: _choices(seen, side, single),
        default=Pass,
        case="2.1-d",
        top=True,
    )


def _by_name(table: Table, side: str) -> str:
    """3.5-a: whom a formation takes along only if he is named, since it would fatigue him."""
    tired = {hq: tired_by(table, hq) for hq in leaders(table, side)}
    lines = [f"`activate {hq} again {', '.join(units)}`" for hq, units in tired.items() if units]
    return f"; a second activation would fatigue whom you name so: {listing(lines)}" if lines else ""


def _choices(table: Table, side: str, single: bool) -> list[Choice]:
    found = [_formation(table, {"hq": hq}) for hq in leaders(table, side)]
    if single and able(table, side):
        found.append(gather(General, "units", partial(_more, table, side)))
    if side == GERMAN:
        found += alarm.alarm_choices(table)
    return [*found, Choice(Pass)]


def _more(table: Table, side: str, given: Given) -> list[str]:
    """Who may be named after these."""
    named = given.get("units", ())
    return [u for u in able(table, side) if u not in named] if len(named) < most_general(table, side) else []


def _formation(table: Table, given: Given) -> Choice:
    """An HQ's formation, one unit after another spared or taken along."""
    hq, again = given["hq"], partial(_formation, table)

    def spared() -> list[str]:
        return [u for u in followers(table, hq) if u not in (*given.get("spared", ()), *tired_by(table, hq))]

    def joined() -> Choice:
        most = table.data.tables["doctrine"][table.unit(hq).side]["independents"]["units"]
        named = given.get("joined", ())
        able_ = [u for u in independents(table, hq) if u not in named] if len(named) < most else []
        return Choice(Activate, given, "joined", lambda: able_, onward=again)

    def tired() -> Choice:
        able_ = [u for u in tired_by(table, hq) if u not in given.get("again", ())]
        return Choice(Activate, given, "again", lambda: able_, onward=again, also=lambda: joined().following())

    if "joined" in given:
        return joined()
    if "again" in given:
        return tired()
    return Choice(Activate, given, "spared", spared, onward=again, also=lambda: tired().following())
