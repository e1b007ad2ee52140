"""The German Armor Reaction Segment (12.1.2): after the Soviet declarations armor may move one hex."""

from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Moved, Noted
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import crosses, numbers, path_numbers, place
from engine.rules.marks import wipe
from engine.table import kept
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.combat import NoReaction, React
from games.jaws.rules.barrage.markers import under_fire
from games.jaws.rules.collapse import as_far
from games.jaws.rules.combat.battle import could_step
from games.jaws.rules.combat.declaration import declared
from games.jaws.rules.displacement import displaced
from games.jaws.rules.ground import passed
from games.jaws.rules.mines import crossed
from games.jaws.rules.stacking import breach
from games.jaws.rules.units import of_class, standing, units_in, upset
from games.jaws.rules.zones import controlled, over_rivers

REACTED = "reacted"


def reaction_segment(table: Table) -> Procedure:
    """12.1.2: one unit after another, as long as somebody wants to, whether or not anything is declared; asked even if
    nobody may, for the Soviets cannot see that."""
    while True:
        order = yield _ask(table)
        if not isinstance(order, React):
            break
        path = yield from as_far(table, (order.unit,), (place(table, order.unit), table.grid.hex(order.to)))
        if len(path) < 2:
            continue
        yield Moved(unit=order.unit, path=path_numbers(table, path), how="reaction", because="12.1.2")
        yield Noted(subject=order.unit, mark=REACTED, because="12.1.2")
        yield from passed(table, GERMAN, path)
        yield from crossed(table, (order.unit,), *path)
        yield from displaced(table, SOVIET, path[-1])
    yield from wipe(table, (REACTED,), "12.1.2")


@kept
def reactors(table: Table) -> dict[str, list[str]]:
    """The armor that may move, and where to: no zone and no barrage at its start; terrain and stacking hold."""
    held = controlled(table, SOVIET)
    found = {}
    for unit in of_class(table, GERMAN, "armor"):
        if (h := table.position.hex_of(unit)) is None or held >> h & 1 or upset(table, unit):
            continue
        if under_fire(table, (h,)):
            continue
        if table.position.mark(unit, REACTED) is None and (spots := _open_to(table, unit)):
            found[unit] = spots
    return found


def _open_to(table: Table, unit: str) -> list[str]:
    """10.6.2-1: who would cross a river before the enemy on its other bank begins in his ZOC."""
    start, enemy = place(table, unit), standing(table, SOVIET)
    near = [h for h in table.grid.neighbours(start) if not enemy >> h & 1 and could_step(table, unit, start, h)]
    if over_rivers(table, SOVIET) >> start & 1:
        near = [h for h in near if not crosses(table, table.data.sides("river"), start, h)]
    quiet = [h for h in near if not under_fire(table, (h,))]
    free = [h for h in quiet if breach(table, GERMAN, [*units_in(table, h, GERMAN), unit], h) is None]
    return numbers(table, hexset.of(free))


def _check(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, React):
        return
    able = reactors(table)
    if order.unit not in able:
        case = "12.17.2-10" if order.unit in table.roster and upset(table, order.unit) else "12.1.2"
        raise Illegal(
            case, f"{order.unit} may not react", unit=order.unit, instead="These may", alternatives=list(able)
        )
    if order.to not in able[order.unit]:
        raise Illegal("12.1.2", f"{order.unit} may not react to {order.to}", unit=order.unit, at=order.to,
                      instead="It may go to", alternatives=able[order.unit])  # fmt: skip


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    able = reactors(seen)
    spots = " ".join(numbers(table, hexset.of(declared(table))))
    attacked = f"{spots} will be attacked" if spots else "nothing will be attacked"
    who = f"who of {', '.join(able)} moves a hex" if able else "no armor of yours may move"
    return Ask(
        side=GERMAN,
        name="react",
        subject=spots or GERMAN,
        prompt=f"{attacked}: {who}",
        verbs=(React, NoReaction),
        check=partial(_check, seen),
        offers=lambda: [
            Choice(NoReaction),
            *(pick(React, "to", partial(list, hexes), unit=unit) for unit, hexes in able.items()),
        ],
        default=NoReaction,
        case="12.1.2",
        reaction=True,
        units=tuple(able),
    )
