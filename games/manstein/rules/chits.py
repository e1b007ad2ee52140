"""Command chits (6.0): what may be selected, and the secret selection of both sides at once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, compress, product

from engine import hexset
from engine.asks import Ask, Procedure, Together
from engine.facts import Counted, Fact, Pooled
from engine.orders.choice import Choice
from engine.refusals import Illegal, passes
from engine.rules.ground import held, place
from engine.rules.pools import in_pool
from games.manstein.data import Table
from games.manstein.orders import Select
from games.manstein.rules.activation import counter_of, in_range
from games.manstein.rules.crossings import counted_points
from games.manstein.rules.ground import AXIS, SOVIET

HAND = "hand"  # a pool that only the Axis player sees; how many chits are in it is open
COMMON = "common"


def cup(side: str) -> str:
    """The pool of a side's chits in the cup, which only that side knows."""
    return f"{side} cup"


def in_hand(table: Table) -> tuple[str, ...]:
    return in_pool(table, HAND)


def hand_count(table: Table) -> int:
    """6.1(1-2): how many chits the Axis hold, which is open."""
    return table.position.tracks.get(HAND, 0)


def cup_count(table: Table) -> int:
    return table.position.tracks.get("cup", 0)


# 6.2, 6.3: what there is


def fronts(table: Table) -> list[str]:
    return [name for name, row in table.data.chits[SOVIET].items() if row.get("front")]


def available(table: Table, side: str) -> Counter[str]:
    """6.3: the chits a side may select this turn, and how many of each."""
    data, turn = table.data, table.position.turn
    found: Counter[str] = Counter()
    for name, row in data.chits[side].items():
        count = data.switch["front_chits"] if row.get("front") else row["count"]
        if turn < row.get("first", 1) or (row.get("once") and table.position.tracks.get("airborne", 0)):
            continue
        if name == "Zhukov" and not _zhukov_appears(table):
            continue
        found[name] = count
    return found


def _zhukov_appears(table: Table) -> bool:
    """T5: whether the crossing points in Soviet hands are few enough for the turn."""
    span = table.data.tables["zhukov"]["by_turn"].get(str(table.position.turn))
    return span is not None and span[0] <= counted_points(table) <= span[1]


def wanted(table: Table, side: str) -> int:
    """6.2: how many chits a side selects; the Soviets all they may where fewer exist."""
    if side == AXIS:
        return min(table.data.axis_com(table.position.turn), available(table, AXIS).total())
    have = available(table, SOVIET)
    most = have.total() - (1 if have["Reinf"] and have["Abn"] else 0)
    return min(table.data.tables["selection"]["soviet"]["chits"], most)


def check_selection(table: Table, side: str, order: Select) -> None:
    """6.2, 6.3, 7.2(3)-b. Raises Illegal."""
    have, chosen = available(table, side), Counter(order.chits)
    for chit, count in chosen.items():
        if count > have[chit]:
            raise _unavailable(table, side, chit, have)
    number = wanted(table, side)
    if chosen.total() != number:
        case = "6.2(2)" if side == AXIS else "6.2(1)-a"
        said = f"{number} chits are selected this turn, not {chosen.total()}"
        raise Illegal(case, said, instead="There is", alternatives=list(have.elements()))
    if side == AXIS:
        if beyond := Counter(order.held) - chosen:
            said = f"{', '.join(beyond.elements())} cannot be held without being selected"
            raise Illegal("6.1(1-2)", said, instead="Selected are", alternatives=order.chits)
        return
    if order.held:
        raise Illegal("6.1(1-1)", "all Soviet chits go into the cup", instead="Select them without `hold`")
    _check_soviet(table, chosen)


def _unavailable(table: Table, side: str, chit: str, have: Counter[str]) -> Illegal:
    row = table.data.chits[side].get(chit)
    case = "6.2(2)" if side == AXIS else "6.2(1)-a"
    if row is not None and "first" in row:
        case = row["case"]
    if row is None:
        said = f"{chit} is no chit of yours"
    elif have[chit]:
        said = f"only {have[chit]} of {chit} may be selected this turn"
    elif chit == "Zhukov":
        case, said = "6.3(3)-a", _no_zhukov(table)
    elif table.position.turn < row.get("first", 1):
        said = f"{chit} may be selected from turn {row['first']} on"
    else:
        said = f"{chit} has been used, and it comes once in a game"
    return Illegal(case, said, instead="There is", alternatives=list(have.elements()))


def _no_zhukov(table: Table) -> str:
    """T5 in words: when he comes, and what keeps him away."""
    rows, turn = table.data.tables["zhukov"]["by_turn"], table.position.turn
    if str(turn) not in rows:
        return f"Zhukov may be selected from turn {min(rows)} on"
    most, held_now = rows[str(turn)][1], counted_points(table)
    return f"Zhukov comes on turn {turn} with at most {most} crossing points in Soviet hands, not with {held_now}"


def _check_soviet(table: Table, chosen: Counter[str]) -> None:
    if chosen["Reinf"] and chosen["Abn"]:
        raise Illegal("7.2(3)-b", "Reinf and Abn may not be selected in the same turn", instead="Select one of them")
    missing = [front for front in fronts(table) if not chosen[front]]
    if len(missing) > (1 if chosen["Zhukov"] else 0):
        said = f"a chit of {' and '.join(missing)} is missing: one of each Front must be selected"
        raise Illegal("6.2(1)-b", said, instead="Only Zhukov stands in for a Front, and for one")


# 6.1: the selection


def select(table: Table) -> Procedure:
    """5.1: both at once, in secret; the Soviet chits and the Supply chit all go into the cup."""
    soviet, axis = yield Together((_ask(table, SOVIET), _ask(table, AXIS)))
    yield from fill(table, soviet, axis)


def fill(table: Table, soviet: Select, axis: Select) -> Iterator[Fact]:
    entered = tuple((Counter(axis.chits) - Counter(axis.held)).elements())
    common = tuple(table.data.chits[COMMON])
    yield Pooled(pool=cup(SOVIET), items=tuple(sorted(soviet.chits)), only=(SOVIET,), because="6.1(1-1)")
    yield Pooled(pool=cup(AXIS), items=tuple(sorted(entered)), only=(AXIS,), because="6.1(1-2)")
    yield Pooled(pool=cup(COMMON), items=common, because="6.2(3)")
    total = len(soviet.chits) + len(entered) + len(common)
    yield Counted(track="cup", value=total, because="6.1(1)")
    if axis.held:  # how many are held is open
        yield Pooled(pool=HAND, items=tuple(sorted(axis.held)), only=(AXIS,), because="6.1(1-2)")
        yield Counted(track=HAND, value=len(axis.held), because="6.1(1-2)")


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    number = wanted(seen, side)
    held = "; `hold` names those that stay in hand" if side == AXIS else ""
    return Ask(
        side=side,
        name="selection",
        subject=side,
        prompt=f"select {number} chits for turn {table.position.turn}{held}",
        verbs=(Select,),
        check=partial(check_selection, seen, side),
        offers=partial(_choices, seen, side),
        default=partial(_default, seen, side),
        case="6.1(1)",
        top=True,
        hidden=True,
    )


def _choices(table: Table, side: str) -> list[Choice]:
    if side == SOVIET:
        return [Choice(Select, {"chits": chits}) for chits in _legal_sets(table, SOVIET)]
    found = []
    for chits in _legal_sets(table, AXIS):
        kept = {tuple(compress(chits, keep)) for keep in product((0, 1), repeat=len(chits))}
        found += [Choice(Select, {"chits": chits, "held": some} if some else {"chits": chits}) for some in sorted(kept)]
    return found


def _legal_sets(table: Table, side: str) -> list[tuple[str, ...]]:
    """Every legal selection."""
    found = sorted(set(combinations(available(table, side).elements(), wanted(table, side))))
    return found if side == AXIS else [chits for chits in found if passes(_check_soviet, table, Counter(chits))]


def _default(table: Table, side: str) -> Select:
    """One of each Front, reinforcements, and again the Front with most in contact; for the Axis their HQs first."""
    if side == AXIS:
        return Select(chits=tuple(available(table, AXIS).elements())[: wanted(table, AXIS)])
    weight = {front: contact(table, front) for front in fronts(table)}

    def worth(chits: Sequence[str]) -> tuple[int, int, tuple[str, ...]]:
        chosen = Counter(chits)
        full = all(chosen[front] for front in weight)
        return int(full) + 2 * chosen["Reinf"], sum(weight.get(c, 0) for c in chits), tuple(chits)

    return Select(chits=max(_legal_sets(table, SOVIET), key=worth))


def contact(table: Table, front: str) -> int:
    """How many units of a Front's range stand next to the enemy."""
    hq = counter_of(table, front)
    if table.position.hex_of(hq) is None:
        return 0
    near = hexset.spread(table.grid, held(table, AXIS))
    return sum(1 for unit in in_range(table, hq) if near >> place(table, unit) & 1)
