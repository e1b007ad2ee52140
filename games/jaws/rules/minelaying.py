"""Laying and lifting minefields (15.3.1, 15.3.3): Soviet divisions and army engineers, in two turns."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Counted, Fact, Marked, Noted, Told
from engine.hexes import Hex
from engine.orders.choice import Choice, whole
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, path_numbers, place
from engine.rules.marks import marked
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.engineering import Lay, Lift, Mine
from games.jaws.rules.bridges import TRIED
from games.jaws.rules.extension import body, halves
from games.jaws.rules.ground import MINES
from games.jaws.rules.mines import BUILDING, FIELD, LAID, removed
from games.jaws.rules.spending import check_pays, payer, spend, unfit
from games.jaws.rules.units import standing, upset

TRACK = "minefields"  # 15.3: the markers at hand
BUILDER = "builder"  # 15.3.1: a hex's mark: who must stay there


def _spot(table: Table, unit: str) -> str:
    return f"@{number(table, place(table, unit))}"


def check_own(table: Table, side: str, unit: str, case: str) -> None:
    """Raises Illegal."""
    if unit not in table.roster or table.unit(unit).side != side or table.position.hex_of(unit) is None:
        raise Illegal(case, f"{unit} is not yours on the map", unit=unit)


def check_mine(table: Table, order: Mine) -> None:
    """15.3.1-p1, -p2. Raises Illegal."""
    unit, state = order.unit, table.data.scenario["state"]["minefields"]
    check_own(table, SOVIET, unit, "15.3.1")
    if not (is_a(table, unit, "division") or (is_a(table, unit, "engineer") and is_a(table, unit, "army"))):
        raise Illegal("15.3.1", f"{unit} is no division and no army engineer", unit=unit)
    if not table.position.tracks.get(TRACK, 0) or table.position.turn < state.get("from", 0):
        first = f" before turn {state['from']}" if "from" in state and table.position.tracks.get(TRACK, 0) else ""
        raise Illegal("15.3", f"no minefield marker is at hand{first}", unit=unit)
    h = place(table, unit)
    if table.board.kinds.get(h, "clear") != "clear" or table.data.towns >> h & 1:
        raise Illegal("15.3.1", f"{number(table, h)} is no clear terrain and no village", unit=unit,
                      at=number(table, h))  # fmt: skip
    if table.position.mark(_spot(table, unit), FIELD) is not None:
        raise Illegal("15.3", f"there is a minefield in {number(table, h)}", unit=unit, at=number(table, h))
    check_pays(table, unit, table.data.tables["minefields"]["price"], "15.3.1-p2")


def mine(table: Table, order: Mine) -> Iterator[Fact]:
    """15.3.1-p2: an SP, and the marker's construction side."""
    spot = _spot(table, order.unit)
    yield from spend(table, payer(table, order.unit), table.data.tables["minefields"]["price"], "15.3.1-p2")
    yield Counted(track=TRACK, value=table.position.tracks.get(TRACK, 0) - 1, because="15.3")
    yield Marked(subject=spot, mark=FIELD, value=BUILDING, because="15.3.1-p2")
    yield Noted(subject=spot, mark=BUILDER, value=order.unit, because="15.3.1")
    yield Noted(subject=spot, mark=TRIED, because="15.3.1")


def deserted(table: Table) -> Iterator[Fact]:
    """15.3.1: a field whose builder has left is given up; its marker may be used again."""
    for spot in marked(table, FIELD):
        if table.position.mark(spot, FIELD) == BUILDING and not _at_work(table, spot):
            yield from removed(table, table.grid.hex(spot[1:]), "15.3.1")
            yield Noted(subject=spot, mark=BUILDER, value=None, because="15.3.1")
            yield Counted(track=TRACK, value=table.position.tracks.get(TRACK, 0) + 1, because="15.3.1")


def unfinished(table: Table) -> list[str]:
    """15.3.1-p3: the fields that were begun in an earlier phase; 12.17.2-7: those of engineers unfit to work wait."""
    begun = [s for s in marked(table, FIELD) if table.position.mark(s, FIELD) == BUILDING]
    return [s[1:] for s in begun if table.position.mark(s, TRIED) is None and not _waits(table, s)]


def _builder(table: Table, spot: str) -> str:
    return str(table.position.mark(spot, BUILDER) or "")


def _at_work(table: Table, spot: str) -> bool:
    """15.3.1: whether the builder of a field is still in its hex, or half of it (4.7)."""
    builder = _builder(table, spot)
    both = halves(table, (body(table, builder),)) if builder in table.roster else ()
    return any(table.position.where.get(unit) == spot[1:] for unit in both)


def _waits(table: Table, spot: str) -> bool:
    """12.17.2-7: whether engineers unfit to work are at a field."""
    builder = _builder(table, spot)
    return builder in table.roster and unfit(table, builder)


def _ring(table: Table, h: Hex) -> list[Hex | None]:
    return [table.grid.neighbour(h, d) for d in range(6)]


def check_lay(table: Table, order: Lay) -> None:
    """15.3.1-p3: three hexsides in a row. Raises Illegal."""
    able = unfinished(table)
    if _waits(table, f"@{order.at}"):
        raise Illegal("12.17.2-7", f"{_builder(table, f'@{order.at}')} is Disorganized or in Regroup", at=order.at)
    if order.at not in able:
        raise Illegal("15.3.1-p3", f"no minefield of an earlier turn is under construction in {order.at}", at=order.at,
                      instead="There are in", alternatives=able)  # fmt: skip
    ring, chosen = _ring(table, table.grid.hex(order.at)), {table.grid.hex(spot) for spot in order.hexes}
    count = table.data.tables["minefields"]["hexsides"]
    rows = [{ring[(d + n) % 6] for n in range(count)} for d in range(6)]
    if chosen not in rows:
        said = [" ".join(path_numbers(table, (h for h in row if h is not None))) for row in rows]
        raise Illegal("15.3.1-p3", f"a minefield faces {count} neighbouring hexes side by side", at=order.at,
                      instead="As", alternatives=said)  # fmt: skip


def lay(table: Table, order: Lay) -> Iterator[Fact]:
    """15.3.1-p3: completed, and its hexsides fixed."""
    here, spot = table.grid.hex(order.at), f"@{order.at}"
    yield Marked(subject=spot, mark=FIELD, value=LAID, because="15.3.1-p3")
    yield Noted(subject=spot, mark=BUILDER, value=None, because="15.3.1-p3")
    for other in order.hexes:
        side = f"@{table.grid.hexside(here, table.grid.hex(other))}"
        before = str(table.position.mark(side, MINES) or "")
        yield Marked(subject=side, mark=MINES, value=f"{before}+{order.at}".strip("+"), because="15.3.1-p3")


def facing_enemy(table: Table, at: str) -> Lay:
    """Toward the nearest Germans."""
    here, count = table.grid.hex(at), table.data.tables["minefields"]["hexsides"]
    ring = _ring(table, here)
    enemies = list(hexset.members(standing(table, GERMAN)))

    def away(d: int) -> tuple[int, int]:
        row = [ring[(d + n) % 6] for n in range(count)]
        far = [min((table.grid.distance(h, e) for e in enemies), default=0) for h in row if h is not None]
        return (sum(far) if len(far) == count else 10_000), d

    best = min(range(6), key=away)
    row = [h for n in range(count) if (h := ring[(best + n) % 6]) is not None]
    return Lay(at=at, hexes=path_numbers(table, row))


def finish(table: Table) -> Iterator[Fact]:
    """15.3.1-p3: fields that nobody turned are completed toward the enemy."""
    for at in unfinished(table):
        order = facing_enemy(table, at)
        yield from lay(table, order)
        yield Told(text=f"The minefield in {at} faces {', '.join(order.hexes)}.", because="15.3.1-p3")


def check_lift(table: Table, order: Lift) -> None:
    """15.3.3-1. Raises Illegal."""
    unit = order.unit
    check_own(table, SOVIET, unit, "15.3.3-1")
    if not is_a(table, unit, "engineer"):
        raise Illegal("15.3.3-1", f"{unit} is no engineer", unit=unit)
    if upset(table, unit):
        raise Illegal("12.17.2-7", f"{unit} is Disorganized or in Regroup", unit=unit)
    if table.position.mark(_spot(table, unit), FIELD) is None:
        raise Illegal("15.3.3-1", f"there is no minefield in {_spot(table, unit)[1:]}", unit=unit)


def lift(table: Table, order: Lift) -> Iterator[Fact]:
    """15.3.3-1: the marker may be used again."""
    yield from removed(table, place(table, order.unit), "15.3.3-1")
    yield Counted(track=TRACK, value=table.position.tracks.get(TRACK, 0) + 1, because="15.3.3-1")


def choices(table: Table) -> list[Choice]:
    """All that may be done to minefields."""
    units = list(table.position.on_map(SOVIET))
    engineers = [unit for unit in units if is_a(table, unit, "engineer")]
    begin = [Mine(unit=unit) for unit in units if unit in engineers or is_a(table, unit, "division")]
    found = [whole(order) for order in begin if passes(check_mine, table, order)]
    found += [whole(Lift(unit=u)) for u in engineers if passes(check_lift, table, Lift(unit=u))]
    for at in unfinished(table):
        ring = _ring(table, table.grid.hex(at))
        for d in range(6):
            row = [h for n in range(3) if (h := ring[(d + n) % 6]) is not None]
            if len(row) == table.data.tables["minefields"]["hexsides"]:
                found.append(whole(Lay(at=at, hexes=path_numbers(table, row))))
    return found
