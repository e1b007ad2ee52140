"""After its attacks (9.5 to 9.7): reserves placed, units taken back, one improved position, order restored."""

from collections.abc import Callable, Iterator

from engine import hexset
from engine.asks import Procedure
from engine.facts import Chose, Fact, Marked, Noted, Placed
from engine.hexes import Hex
from engine.rules.chooser import choose
from engine.rules.ground import number, place
from engine.rules.marks import set_game, wipe
from games.kharkov.data import FRONTS, GERMAN, SOVIET, Table
from games.kharkov.rules.activation import CARD, OF_AN_ACTIVATION, may_dig
from games.kharkov.rules.fields import field, supposed
from games.kharkov.rules.ground import (
    ATTACKED,
    DISPERSED,
    GARRISON,
    IP,
    MOVED,
    RESERVE,
    army,
    bears,
    descending,
    front,
    germans,
    in_reserve,
    is_active,
    is_dispersed,
    is_ready,
    is_supplied,
    on_map,
    soviets,
    steps,
    strength,
)
from games.kharkov.rules.phases import remove_objective
from games.kharkov.rules.soviet.attacks import CHECKED, LED
from games.kharkov.rules.soviet.objectives import THIRD
from games.kharkov.rules.soviet.terms import around, distance, german_near, nearly_surrounded, ringed
from games.kharkov.rules.supply import limit, reserve_supply, supplied, supported, within_limit
from games.kharkov.rules.towns import entered, vacated

PLACED = "placed"


def rest(table: Table) -> Procedure:
    """9.0 steps 4 to 7, and what the activation leaves behind."""
    turn, on = table.position.turn, table.data.on
    if on("reserves", turn):
        yield from reserves(table)
    if on("removals", turn):
        yield from removals(table)
    if on("soviet_ip", turn):
        yield from dig(table)
    for unit in _active(table):
        if is_dispersed(table, unit) and not table.position.mark(unit, ATTACKED):
            yield Marked(subject=unit, mark=DISPERSED, value=None, because="9.0")
    for of in FRONTS:
        if table.position.mark("game", f"{of} {THIRD}"):
            yield Noted(subject="game", mark=f"{of} {THIRD}", value=None, because="9.12")
            yield from remove_objective(table, of, "9.12")
    yield from wipe(table, (*OF_AN_ACTIVATION, CHECKED, LED), "9.0")
    yield from set_game(table, CARD, None, "9.0", Noted)


def _active(table: Table) -> list[str]:
    return [unit for unit in on_map(table, SOVIET) if is_active(table, unit)]


# 9.5


def reserves(table: Table) -> Iterator[Fact]:
    """9.5: active reserves one at a time, in descending order."""
    for unit in descending(table, [u for u in in_reserve(table, SOVIET) if is_active(table, u)]):
        hexes = [h for h in hexset.members(_open(table, unit)) if _eligible(table, unit, h)]
        if not hexes:
            continue
        chosen = choose(sorted(hexes, reverse=True), _preferences(table, unit), name=lambda h: number(table, h))
        yield chosen.told(unit, "is placed at", "9.5")
        yield Placed(unit=unit, at=number(table, chosen.best), because="9.5")
        yield Noted(subject=unit, mark=PLACED, because="9.5")
        yield from entered(table, unit, [chosen.best])


def _open(table: Table, unit: str) -> int:
    data, now, of = table.data, field(table), front(table, unit)
    spots = (data.villages | now.soviet_towns) & data.targets[of]
    return spots & ~now.soviet & ~now.german & reserve_supply(table) & limit(table, of)


def _eligible(table: Table, unit: str, h: Hex) -> bool:
    """9.5: not beside a Soviet unit unless a VP hex; in a village not nearly surrounded."""
    data, now = table.data, field(table)
    if not data.vp_hexes >> h & 1 and around(data, h) & now.soviet:
        return False
    if data.villages >> h & 1:
        return not nearly_surrounded(table, unit, h, supposed(table, unit, h))
    return True


def _preferences(table: Table, unit: str) -> list[tuple[str, Callable[[Hex], float]]]:
    """9.5-a, ties by the highest number."""
    data, now = table.data, field(table)
    german, helped = supplied(data, now, GERMAN), supported(table)
    own = [u for u in on_map(table, SOVIET) if is_supplied(table, u) and not table.position.mark(u, PLACED)]
    of_army = [place(table, u) for u in own if army(table, u) == army(table, unit)]
    of_front = [
        place(table, u)
        for u in on_map(table, SOVIET)
        if is_supplied(table, u) and front(table, u) == front(table, unit)
    ]

    def close(spots: list[Hex], h: Hex) -> float:
        return -min((distance(data, h, spot) for spot in spots), default=999)

    return [
        ("a", lambda h: german >> h & 1 or german_near(table, h)),
        ("b", lambda h: bears(table, h, GARRISON)),
        ("c", lambda h: bool(around(data, h) & now.german)),
        ("d", lambda h: helped >> h & 1),
        ("e", lambda h: data.cities >> h & 1),
        ("f", lambda h: data.vp_hexes >> h & 1),
        ("g", lambda h: close(of_army, h)),
        ("h", lambda h: close(of_front, h)),
        ("highest number", lambda h: int(number(table, h))),
    ]


# 9.6


def removals(table: Table) -> Iterator[Fact]:
    """9.6: units that are more use in reserve, in descending order, each looked at after the one before."""
    for unit in descending(table, _active(table)):
        why = _should_go(table, unit) if table.position.hex_of(unit) is not None and _may_go(table, unit) else ""
        if why:
            lost, here = table.position.lost.get(unit, 0), number(table, place(table, unit))
            yield Chose(who=unit, what=f"goes to the reserve from {here}", by=why, because="9.6-b")
            yield Placed(unit=unit, at=RESERVE[SOVIET], lost=lost, because="9.6")
            for mark in (DISPERSED, "supply"):
                if table.position.mark(unit, mark):
                    yield Marked(subject=unit, mark=mark, value=None, because="9.6")
            yield from vacated(table)


def _may_go(table: Table, unit: str) -> bool:
    """9.6: all prerequisites."""
    data, h, now = table.data, place(table, unit), field(table)
    if any(table.position.mark(unit, mark) for mark in (MOVED, ATTACKED, PLACED)):
        return False
    if number(table, h) == data.tables["start"]["kharkov"] or not around(data, h) & now.german:
        return False
    if not supplied(data, now, SOVIET) >> h & 1:
        return False
    then = supposed(table, unit, None)
    if within_limit(table, unit, h) and ringed(data, now) & ~ringed(data, then):
        return False
    if then == now:
        return True
    if then.soviet & supplied(data, now, SOVIET) & ~supplied(data, then, SOVIET):
        return False
    others = {place(table, u): u for u in on_map(table, SOVIET) if u != unit}
    return not any(
        nearly_surrounded(table, other, there, then) and not nearly_surrounded(table, other)
        for there, other in others.items()
    )


def _should_go(table: Table, unit: str) -> str:
    """9.6-b: the situation that takes a unit back, if there is one."""
    data, h, rules = table.data, place(table, unit), table.data.tables["soviet"]
    of = front(table, unit)
    other = "SWF" if of == "VF" else "VF"
    alien = data.villages & data.targets[other] & ~data.targets[of]
    if (around(data, h) | 1 << h) & alien:
        return "by a village of the other front"
    stacked = [u for u in soviets(table, h) if u != unit]
    if data.vp_hexes >> h & 1:
        return f"{steps(table, stacked)} other steps hold it" if steps(table, stacked) >= rules["leaves_vp"] else ""
    if stacked:
        return f"stacked with {', '.join(stacked)}"
    touched = (around(data, h) & field(table).soviet).bit_count()
    inside = within_limit(table, unit, h)
    enough = touched >= rules["touching_inside" if inside else "touching_outside"]
    return f"touches Soviets in {touched} {'hexes' if touched > 1 else 'hex beyond the limit'}" if enough else ""


# 9.7


def dig(table: Table) -> Iterator[Fact]:
    """9.7: one hex at the most."""
    hexes = sorted({place(table, unit) for unit in _active(table) if _idle(table, unit)})
    hexes = [h for h in hexes if supported(table) >> h & 1 and may_dig(table, h) and _any_ready(table, h)]
    if not hexes:
        return
    data, now = table.data, field(table)

    def supplied_german(h: Hex) -> bool:
        near = hexset.members(around(data, h) & now.german)
        return any(is_supplied(table, unit) for there in near for unit in germans(table, there))

    chosen = choose(
        hexes,
        [
            ("a", supplied_german),
            ("b", lambda h: german_near(table, h, ready=True)),
            ("c", lambda h: -strength(table, soviets(table, h))),
            ("d", lambda h: -int(number(table, h))),
        ],
        name=lambda h: number(table, h),
    )
    yield chosen.told("The Soviets", "dig in at", "9.7")
    yield Marked(subject=f"@{number(table, chosen.best)}", mark=IP, because="9.7")


def _idle(table: Table, unit: str) -> bool:
    return not any(table.position.mark(unit, mark) for mark in (MOVED, ATTACKED, PLACED))


def _any_ready(table: Table, h: Hex) -> bool:
    return any(is_ready(table, unit) for unit in soviets(table, h))
