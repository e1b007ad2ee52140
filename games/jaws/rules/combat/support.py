"""Support (12.4): which commands of an attack are supported, and which SDM pays an SP for each."""

from collections.abc import Iterator, Sequence

from engine.facts import Fact
from engine.table import kept_for_good
from games.jaws.data import Table
from games.jaws.rules.depots import ATTACHED, command_of
from games.jaws.rules.spending import SUPPLIED, payer, points, spend
from games.jaws.rules.units import OOS, level, levels

BELOW = ("corps", "panzer")  # under an army or korps, and paid for besides it
PAID_FOR = ("army", "korps", *BELOW)


@kept_for_good
def command(table: Table, unit: str) -> str:
    """12.4-c, 12.4-d: the army or corps, korps or panzer division that is paid for; else the highest."""
    bodies = levels(table, table.unit(unit).formation)
    return next((body.id for body in bodies if body.kind in PAID_FOR), bodies[-1].id if bodies else "")


def in_supply(table: Table, unit: str) -> bool:
    return table.position.mark(unit, OOS) is None


def paid_as(table: Table, unit: str) -> str:
    """The command that a unit counts with; 13.4.3-3: who was transferred, with whom he was transferred to, but a corps
    or panzer division by itself under any; 13.2.2: a Front's own troops with the army that feeds them; 12.4-e: whom the
    SDM of his brigade or group feeds, with that."""
    row, by = table.unit(unit), command_of(table, payer(table, unit))
    own = level(table, row, *BELOW)
    said = own or str(table.position.mark(unit, ATTACHED) or command(table, unit))
    return by if by and (by == row.formation or said == level(table, row, "front")) else said


def commands(table: Table, units: Sequence[str]) -> dict[str, list[str]]:
    """12.4-e: the units of each command that an SDM has put in supply: who is so by other means is never supported."""
    found: dict[str, list[str]] = {}
    for unit in units:
        if payer(table, unit):
            found.setdefault(paid_as(table, unit), []).append(unit)
    return found


def payers(table: Table, units: Sequence[str], named: Sequence[str] = (), unpaid: Sequence[str] = ()) -> dict[str, str]:
    """12.4-e: for each command the SDM that pays: of those that put its units in supply, the one with most SPs; whom
    fewest can pay for comes first; if any are named, none but these; 12.1.3-A1: nobody pays for the commands of units
    that are to go without."""
    without = {paid_as(table, unit) for unit in unpaid}
    feeders = {name: _feeders(table, members, named) for name, members in commands(table, units).items()}
    waiting, found = [name for name in feeders if name not in without], dict[str, str]()
    while waiting:
        able = {name: [sdm for sdm in feeders[name] if points(table, sdm) > 0] for name in waiting}
        name = min(waiting, key=lambda name: len(able[name]))
        waiting.remove(name)
        if able[name]:
            found[name] = max(able[name], key=lambda sdm: points(table, sdm))
        if able[name] and waiting:
            table = table.suppose([*spend(table, found[name], 1, "12.4-c")])  # 14.5.1-b: several may draw on Korsun
    return found


def _feeders(table: Table, units: Sequence[str], named: Sequence[str]) -> list[str]:
    """The SDMs that put units in supply, or those of them that are named."""
    fed = {str(table.position.mark(unit, SUPPLIED) or "") for unit in units}
    return sorted(sdm for sdm in fed & set(named or fed) if sdm in table.roster)


def supported(table: Table, units: Sequence[str], paid: Sequence[str]) -> frozenset[str]:
    """12.4-a, 12.4-b: the units of the commands that are paid for; nobody out of supply (13.5.1-c)."""
    return frozenset(unit for name, members in commands(table, units).items() if name in paid for unit in members)


def pay(table: Table, by: dict[str, str]) -> Iterator[Fact]:
    """12.4: an SP for each command."""
    for sdm in by.values():
        yield from spend(table, sdm, 1, "12.4-c")
