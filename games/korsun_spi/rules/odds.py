"""From strengths to a column of the Combat Results Table (9.4, 9.5)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.forecast import Forecast, Working, even_chances, outlook
from engine.hexes import Hex
from engine.rules.ground import is_a, number
from engine.rules.odds import ratio_column, shifted
from engine.rules.pools import in_pool
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import is_hq
from games.korsun_spi.rules.strength import Total, defence_total, infantry_defence
from games.korsun_spi.rules.untried import Draw, draws, pool_of, strength, way_back


@dataclass(frozen=True)
class Odds:
    """The column an attack is resolved on, and the arithmetic that led there."""

    column: int
    name: str
    working: tuple[Working, ...]


def odds(
    table: Table, attack: Total, targets: Sequence[Hex], attackers: Sequence[str], air: Sequence[int] = ()
) -> Odds:
    """9.4, then the shifts of 14.14 and 19.56; `air` is +1 for the attacker's Air Point, -1 for the defender's."""
    defence = defence_total(table, targets, attackers)
    columns = table.data.columns
    base = ratio_column(attack.points, defence.points, columns)
    working = [*attack.working, *defence.working]
    working.append(Working(f"{attack.points} to {defence.points}", columns[base], "9.4"))
    shift = sum(air)
    for point in air:
        whose = "attacker's" if point > 0 else "defender's"
        working.append(Working(f"{whose} Air Point", f"{point:+d} column", "14.14"))
    if any(infantry_defence(table, target) for target in targets):
        left = table.data.tables["integrity"]["infantry_shift"]
        shift -= left
        working.append(Working("whole infantry division defends", f"-{left} column", "19.56"))
    column = shifted(base, shift, columns)
    return Odds(column, columns[column], tuple(working))


def halves(result: str) -> tuple[str, str]:
    """What a result of the table says to the attacker and to the defender; `eng` says the same to both (9.69)."""
    attacker, _, defender = result.partition("/")
    return attacker, defender or attacker


def written(odds: Odds) -> tuple[tuple[str, str], ...]:
    """The arithmetic as a fact keeps it."""
    return tuple(line.noted for line in odds.working)


Reckon = Callable[[Table, list[str]], Odds]


def forecast(
    table: Table, title: str, targets: Sequence[Hex], units: Sequence[str], defenders: Sequence[str], reckon: Reckon
) -> Forecast:
    """The chance of every result; where untried units take part, over everything they may prove to be (13.1)."""
    title = f"{title} {', '.join(number(table, h) for h in targets)}"
    chances: dict[str, Fraction] = {}
    columns: dict[str, Fraction] = {}
    working: tuple[Working, ...] = ()
    weighed: list[tuple[str, Fraction]] = []
    means: dict[str, tuple[bool, bool, bool]] = {}
    for draw in draws(table, [*units, *defenders]):
        ours, theirs = _fit_to_fight(draw, units), _fit_to_fight(draw, defenders)
        ours = [] if all(is_hq(draw.table, unit) for unit in ours) else ours
        results: Sequence[tuple[str, Fraction]] = ((NO_FIGHT, Fraction(1)),)
        if ours and theirs:
            found = reckon(draw.table, ours)
            working = found.working
            _add(columns, found.name, draw.chance)
            results = even_chances([table.data.result(found.column, die) for die in range(1, 7)])
        steps = sum(draw.table.position.steps_left(unit) for unit in theirs)
        for result, chance in results:
            _add(chances, result, draw.chance * chance)
            weighed.append((f"{result} with {len(ours)} against {steps}", draw.chance * chance))
            means[weighed[-1][0]] = _means(result, bool(ours), steps)
    unknown = [unit for unit in [*units, *defenders] if is_a(table, unit, "untried")]
    if unknown:
        working = (*_pools(table, unknown), *(Working(f"column {n}", str(c), "9.4") for n, c in columns.items()))
    outcome = outlook(weighed, means.__getitem__)
    return Forecast(title, " or ".join(columns), working, tuple(chances.items()), outcome)


NO_FIGHT = "no fight"  # 13.3: one side proved to have nobody there


def _means(result: str, attacked: bool, steps: int) -> tuple[bool, bool, bool]:
    """Whether it clears so many steps whatever the defender chooses (9.66), may clear them, costs the attacker."""
    if result == NO_FIGHT:
        return attacked, attacked, not attacked
    ours, theirs = halves(result)
    lost = {"-": 0, "eng": 1, "E": steps}.get(theirs)
    number = int(theirs) if lost is None else lost
    return number >= steps, number >= steps or lost is None, ours != "-"


def _fit_to_fight(draw: Draw, units: Sequence[str]) -> list[str]:
    """Who is left of these; 11.23: an HQ that was moved here goes away with its company."""
    left = draw.left(units)
    return left if len(left) == len(units) else [unit for unit in left if not way_back(draw.table, unit)]


def _add(chances: dict[str, Fraction], what: str, chance: Fraction) -> None:
    chances[what] = chances.get(what, Fraction(0)) + chance


def _pools(table: Table, unknown: Sequence[str]) -> list[Working]:
    """What every unknown unit is drawn from."""
    lines = []
    for unit in unknown:
        pool = in_pool(table, pool_of(table, unit))
        lines.append(Working(f"{unit} is one of", ", ".join("{}-{}".format(*strength(table, i)) for i in pool), "13.1"))
    return lines
