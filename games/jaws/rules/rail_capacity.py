"""Trains take from supply (18.4, an option)."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Counted, Fact, Marked, Noted, Told
from engine.hexes import Hex
from engine.orders.choice import Given, gather
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.marks import game_mark
from games.jaws.data import GERMAN, Table
from games.jaws.orders.optional import Short
from games.jaws.rules.depots import far_along, line_to, received, relocated, sdms
from games.jaws.rules.spending import sp_track

CAPACITY = "rail capacity"  # a hex's mark: how many SPs less there are beyond it
RAN = "trains"  # a hex's mark in the Movement Phase: trains have passed it
SHORTAGE = "shortage"  # the game's mark: the SDMs that bear it, in the German's order


def ran(table: Table, path: Sequence[Hex]) -> Iterator[Fact]:
    """18.4-p1, -p2: a train has gone along the line: which of the hexes it has left behind."""
    if not table.data.switch["rail_capacity"]:
        return
    behind = [table.grid.number_of(h) for h in path[:-1]]
    for line in table.data.tables["options"]["rail_capacity"]["lines"]:
        gone = [spot for spot in line["hexes"] if spot in behind]
        if gone and gone[0] == line["hexes"][0]:
            yield Noted(subject=f"@{gone[-1]}", mark=RAN, because="18.4")


def counted(table: Table) -> Iterator[Fact]:
    """18.4-p1 to -p3, -p5: at the end of the Movement Phase each line's marker is laid, turned or taken off."""
    if not table.data.switch["rail_capacity"]:
        return
    for line in table.data.tables["options"]["rail_capacity"]["lines"]:
        passed = [n for n, spot in enumerate(line["hexes"]) if table.position.mark(f"@{spot}", RAN) is not None]
        for n, spot in enumerate(line["hexes"]):
            less = n + 1 if n == max(passed, default=-1) else None
            if table.position.mark(f"@{spot}", CAPACITY) != less:
                case = "18.4-p5" if less is None else "18.4-p1" if n else "18.4-p2"
                yield Marked(subject=f"@{spot}", mark=CAPACITY, value=less, because=case)


# The Mutual Supply Stage


def burdens(table: Table) -> list[tuple[int, frozenset[str]]]:
    """18.4-p4: for each marker its SPs, and the terminals beyond it."""
    if not table.data.switch["rail_capacity"]:
        return []
    return [
        (n + 1, frozenset(line["beyond"][n]))
        for line in table.data.tables["options"]["rail_capacity"]["lines"]
        for n, spot in enumerate(line["hexes"])
        if table.position.mark(f"@{spot}", CAPACITY) is not None
    ]


def _draws_on(table: Table, sdm: str, beyond: frozenset[str]) -> int:
    """How many SPs an SDM has by a line to these terminals; 0 if another source is as near."""
    here = table.position.hex_of(sdm)
    line = line_to(table, sdm, here) if here is not None and not relocated(table, sdm) else None
    if here is None or line is None or line[0]:
        return 0
    other = line[1] & ~hexset.of(table.grid.hex(spot) for spot in beyond)
    far = far_along(table, GERMAN, other).get(here) if other else None
    return received(table, sdm, line[2]) if far is None or far > line[2] else 0


def cuts(table: Table) -> dict[str, int]:
    """18.4-p4: how many SPs each SDM goes short of: one each in the German's order, in turn; then the others."""
    named, found = game_mark(table, SHORTAGE).split(), dict[str, int]()
    for less, beyond in burdens(table):
        left = {sdm: _draws_on(table, sdm, beyond) - found.get(sdm, 0) for sdm in sdms(table, GERMAN)}
        for group in ([sdm for sdm in named if sdm in left], [sdm for sdm in left if sdm not in named]):
            while less and any(left[sdm] > 0 for sdm in group):
                for sdm in group:
                    if less and left[sdm] > 0:
                        less, left[sdm], found[sdm] = less - 1, left[sdm] - 1, found.get(sdm, 0) + 1
    return found


def shortage(table: Table) -> Procedure:
    """18.4-p4: before SDMs are laid the German says which go short."""
    if burdens(table) and not game_mark(table, SHORTAGE):
        order = yield _ask(table)
        said = " ".join(order.sdms)
        yield Noted(subject="game", mark=SHORTAGE, value=said, because="18.4-p4", only=(GERMAN,))


def shortened(table: Table) -> Iterator[Fact]:
    """18.4-p4: what SDMs have received is less by what the trains took."""
    for sdm, less in cuts(table).items():
        left = table.position.tracks.get(sp_track(sdm), 0) - less
        yield Counted(track=sp_track(sdm), value=left, because="18.4-p4")
        yield Told(text=f"{sdm} has {less} SPs less, because of the trains.", because="18.4-p4", only=(GERMAN,))
    if game_mark(table, SHORTAGE):
        yield Noted(subject="game", mark=SHORTAGE, value=None, because="18.4-p4", only=(GERMAN,))


def _bearers(table: Table) -> list[str]:
    """The German SDMs on the map, those first that have most to lose as they lie now."""
    all_beyond = frozenset(spot for _, beyond in burdens(table) for spot in beyond)
    on_map = [sdm for sdm in sdms(table, GERMAN) if table.position.hex_of(sdm) is not None]
    return sorted(on_map, key=lambda sdm: (-_draws_on(table, sdm, all_beyond), sdm))


def _check(table: Table, order: Order) -> None:
    """Raises Illegal."""
    assert isinstance(order, Short)
    for sdm in order.sdms:
        if sdm not in sdms(table, GERMAN):
            raise Illegal("18.4-p4", f"{sdm} is no SDM of yours", unit=sdm, instead="These are",
                          alternatives=_bearers(table))  # fmt: skip


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    able, less = _bearers(seen), sum(count for count, _ in burdens(seen))

    def more(given: Given) -> list[str]:
        named = given.get("sdms", ())
        return [sdm for sdm in able if sdm not in named] if len(named) < less else []

    return Ask(
        side=GERMAN,
        name="short",
        subject=GERMAN,
        prompt=f"trains leave {less} SPs less to SDMs fed beyond the Rail Capacity marker: to which",
        verbs=(Short,),
        check=partial(_check, seen),
        offers=lambda: [gather(Short, "sdms", more)] if able else [],
        default=lambda: Short(sdms=tuple(able[:less])),
        case="18.4-p4",
        reaction=True,
        passable=True,
    )
