"""The Combat Declaration Segment (12.1.1): every hex that will be attacked is named before any is."""

from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Marked
from engine.hexes import Hex
from engine.orders.choice import Choice, Given, gather
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, numbers
from engine.rules.marks import marked
from engine.table import kept
from games.jaws.data import Table
from games.jaws.orders.combat import Declare
from games.jaws.orders.turn import End
from games.jaws.rules.allowance import RESERVE
from games.jaws.rules.barrage.markers import barred
from games.jaws.rules.combat.battle import ATTACKED, DECLARED, HIT, OPEN, RESERVES, defended
from games.jaws.rules.partisans import lone, strikes
from games.jaws.rules.units import attack_capable, front, shared, standing, units_in


def ready(table: Table, side: str, h: Hex) -> list[str]:
    """12.2, 12.3.3: the units in a hex that may attack and have not; 9.6, 12.1.6: reserves in their segments alone."""
    held = table.position.stage.endswith(RESERVES)
    units = [unit for unit in units_in(table, h, side) if (table.position.mark(unit, RESERVE) is not None) == held]
    fresh = [u for u in units if attack_capable(table, u) and table.position.mark(u, ATTACKED) is None]
    return [unit for unit in fresh if not is_quiet(table, unit) and strikes(table, unit)]


def is_quiet(table: Table, unit: str) -> bool:
    """21.3: whether its Front does not attack yet on this turn of the scenario."""
    state = table.data.scenario["state"]["quiet"]
    return table.position.turn in state["turns"] and front(table, table.unit(unit)) in state["fronts"]


def able(table: Table, side: str, h: Hex, target: Hex) -> list[str]:
    """17.1.2-b: those of them that may attack a hex, for one under a barrage is left to its army."""
    fit = [unit for unit in ready(table, side, h) if not barred(table, unit, target)]
    return [] if lone(table, fit) and hit_before(table, side, target) else fit


def hit_before(table: Table, side: str, target: Hex) -> bool:
    """18.1.3-2: whether somebody in a hex was attacked in this phase."""
    return any(table.position.mark(unit, HIT) is not None for unit in units_in(table, target, table.enemy(side)))


@kept
def origins(table: Table, side: str, target: Hex) -> list[Hex]:
    """12.3, 12.5.2-k: the hexes from which a hex can be attacked; never over a lake; 16.5.4-4: who shares a hex with
    the enemy attacks him there, and nobody else."""
    grid, shut, both = table.grid, table.data.shut, shared(table)
    held = standing(table, side) & ~both
    near = [h for h in grid.neighbours(target) if held >> h & 1 and able(table, side, h, target)]
    found = [h for h in near if not shut[grid.direction(h, target) or 0] >> h & 1]
    return [*found, target] if both >> target & 1 and able(table, side, target, target) else found


def attackable(table: Table, side: str) -> list[Hex]:
    """12.3: the enemy hexes that somebody may attack."""
    near = (hexset.spread(table.grid, standing(table, side)) & standing(table, table.enemy(side))) | shared(table)
    return [h for h in hexset.members(near) if origins(table, side, h) and defended(table, table.enemy(side), h)]


def declaration_segment(table: Table, side: str) -> Procedure:
    """12.1.1-1: the hexes are marked; no word at all is no attack."""
    if not attackable(table.seen_by(side), side):
        return
    order = yield _ask(table, side)
    if isinstance(order, Declare):
        for spot in dict.fromkeys(order.hexes):
            yield Marked(subject=f"@{spot}", mark=DECLARED, value=OPEN, because="12.1.1-1")


def declared(table: Table) -> list[Hex]:
    """The hexes whose combat is still to come."""
    spots = [s for s in marked(table, DECLARED) if table.position.mark(s, DECLARED) == OPEN]
    return [table.grid.hex(spot[1:]) for spot in spots]


def _check(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, Declare):
        return
    able = attackable(table, side)
    for spot in order.hexes:
        if table.grid.hex(spot) not in able:
            near = [u for h in table.grid.neighbours(table.grid.hex(spot)) for u in units_in(table, h, side)]
            if any(is_quiet(table, unit) for unit in near):
                raise Illegal("21.3", f"{front(table, table.unit(near[0]))} does not attack yet on this turn", at=spot)
            raise Illegal("12.1.1-1", f"nobody of yours can attack {spot}", at=spot, instead="You can",
                          alternatives=numbers(table, hexset.of(able)))  # fmt: skip


def _joined(first: Order, second: Order) -> Order | None:
    """Two lines that declare are one answer."""
    if isinstance(first, Declare) and isinstance(second, Declare):
        return Declare(hexes=tuple(dict.fromkeys((*first.hexes, *second.hexes))))
    return None


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)

    def candidates(given: Given) -> list[str]:
        named = given.get("hexes", ())
        return [spot for spot in (number(seen, h) for h in attackable(seen, side)) if spot not in named]

    return Ask(
        side=side,
        name="declaration",
        subject=side,
        prompt="which hexes you will attack; `end` attacks nobody",
        verbs=(Declare, End),
        check=partial(_check, seen, side),
        offers=lambda: [Choice(End), gather(Declare, "hexes", candidates)],
        default=End,
        case="12.1.1-1",
        top=True,
        join=_joined,
    )
