"""Air markers (15.0): drawn at random, held face down, one in a combat."""

from collections.abc import Generator, Iterator
from typing import Any

from engine.asks import Ask, Procedure, Roll, Step
from engine.facts import Counted, Fact, Pooled
from engine.hexes import Hex
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, units_at
from engine.rules.pools import in_pool, take
from games.manstein.data import Table
from games.manstein.orders import Air, NoAir
from games.manstein.rules.crossings import counted_points, under_order
from games.manstein.rules.ground import AXIS, is_mech

HAND = "air in hand"  # a pool that only the Axis player sees; how many are in it is open
HELPS = {"attacker": "stuka", "defender": "ace"}  # 15.2(2): to the right is good for one, a low die for the other


def markers(table: Table) -> dict[str, str]:
    """15.1(3): every marker with its kind."""
    return table.data.tables["air_markers"]["markers"]


def kind_of(table: Table, said: str) -> str:
    """The kind of a marker; a kind is its own."""
    return markers(table).get(said, said)


def in_hand(table: Table) -> tuple[str, ...]:
    return in_pool(table, HAND)


def count(table: Table) -> int:
    """15.1(4): how many markers the Axis holds, which is open."""
    return table.position.tracks.get("air", 0)


def reorganize(table: Table) -> Procedure:
    """15.1: unused markers go back, and new ones are drawn by T2."""
    wanted = int(table.data.by_cp("air_reorganization", "markers", counted_points(table)))
    pool = list(markers(table))
    drawn: list[str] = []
    for _ in range(min(wanted, len(pool))):
        die = yield Roll("air marker", sides=len(pool), stream="air", only=(AXIS,))
        drawn.append(pool.pop(die - 1))
    yield Pooled(pool=HAND, items=tuple(sorted(drawn)), only=(AXIS,), because="15.1(3)")
    if count(table) != len(drawn):
        yield Counted(track="air", value=len(drawn), because="15.1(2)")


def marker_of(table: Table, said: str) -> str:
    """The held marker that a word means: its name, or any of that kind; empty if there is none."""
    held = in_hand(table)
    return said if said in held else next((m for m in held if kind_of(table, m) == said), "")


def check_air(table: Table, side: str, said: str, *, defending: bool, anyway: bool) -> None:
    """15.2: a marker that is held, and of the kind that helps unless the order insists. Raises Illegal."""
    if not said:
        return
    if side != AXIS:
        raise Illegal("15.0", f"only the Axis have air markers, so {said} is not yours", instead="Attack without it")
    marker = marker_of(table, said)
    if not marker:
        held = in_hand(table)
        raise Illegal("15.2(1)", f"you do not hold {said}", instead="You hold", alternatives=held or ("no marker",))
    helps = HELPS["defender" if defending else "attacker"]
    if kind_of(table, marker) != helps and not anyway:
        case = "15.2(2)-a" if defending else "15.2(2)-b"
        helped = "the attacker" if defending else "the defender"
        useful = [m for m in in_hand(table) if kind_of(table, m) == helps]
        raise Illegal(case, f"{marker} helps {helped}, which is not you", instead="Add `anyway` to use it, or take",
                      alternatives=useful or ("no marker",))  # fmt: skip


def use_marker(table: Table, marker: str) -> Iterator[Fact]:
    """15.2(4): a used marker goes back to the pool until the next reorganization."""
    yield from take(table, HAND, (marker,), "15.2(4)", only=(AXIS,))
    yield Counted(track="air", value=count(table) - 1, because="15.2(4)")


def air_in_defence(table: Table, attacker: str, target: Hex, column: int) -> Generator[Step, Any, str]:
    """15.2(1): the Axis may use a marker before the die; asked whenever they hold any at all."""
    if attacker == AXIS or count(table) == 0:
        return ""
    order = yield _ask(table, target, column)
    if not isinstance(order, Air):
        return ""
    marker = marker_of(table, order.marker or HELPS["defender"])
    yield from use_marker(table, marker)
    return marker


def _ask(table: Table, target: Hex, column: int) -> Ask:
    seen = table.seen_by(AXIS)
    spot = number(table, target)
    aces = [m for m in in_hand(seen) if kind_of(seen, m) == HELPS["defender"]]

    def check(order: Order) -> None:
        if isinstance(order, Air):
            check_air(seen, AXIS, order.marker or HELPS["defender"], defending=True, anyway=order.anyway)

    def default() -> Order:
        """An ace where an ordered city or an armoured unit is attacked with good odds."""
        there = units_at(seen, target, AXIS)
        dear = under_order(seen, target) or any(is_mech(seen, unit) for unit in there)
        good = column >= seen.data.columns.index("5-1")
        return Air(marker=aces[0]) if aces and dear and good else NoAir()

    return Ask(
        side=AXIS,
        name="air",
        subject=spot,
        prompt=f"an air marker for the defence of {spot} (attacked at {table.data.columns[column]})",
        verbs=(Air, NoAir),
        check=check,
        offers=lambda: [Choice(NoAir), *(Choice(Air, {"marker": marker}) for marker in aces)],
        default=default,
        case="15.2(1)",
        reaction=True,
        passable=True,
        hidden=True,
        window=True,
        units=tuple(units_at(table, target, AXIS)),
        amounts=(("odds", int(float(table.data.columns[column].split("-")[0].rstrip("+")))),),
    )
