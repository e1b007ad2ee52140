"""Combat (7.0): one attack from its declaration to the fate of the supports."""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Roll, Step
from engine.facts import Fact, Fought, Marked, Noted, Told
from engine.forecast import Working
from engine.hexes import Hex
from engine.orders.choice import Choice, Given, gather
from engine.refusals import Illegal, passes
from engine.rules.ground import held, number, place, units_at
from engine.rules.marks import wipe
from engine.rules.pools import put
from engine.rules.retreat import Way
from games.korsun_vv.data import Result, Table
from games.korsun_vv.names import BREAKTHROUGH, FIGHTING, ISOLATED, SUPPLY, UNSUPPLIED
from games.korsun_vv.orders import Attack, PreparedAttack, Supports
from games.korsun_vv.rules import markers
from games.korsun_vv.rules.advance import Opening, advance
from games.korsun_vv.rules.defence import Call, Side, commitment, declared, defence, stars_of
from games.korsun_vv.rules.duty import check_spared, could_step, freed, owed_to
from games.korsun_vv.rules.ground import alive, may_attack, together
from games.korsun_vv.rules.losses import Payers, lose
from games.korsun_vv.rules.odds import armour_can_fight, armour_met, combined_arms, odds, quality, shared_armour
from games.korsun_vv.rules.points import acting, check_acting, left, spend
from games.korsun_vv.rules.results import Outcome, Verdict, suffer_result
from games.korsun_vv.rules.sight import seen
from games.korsun_vv.shapes import AttackRow


def row_of(table: Table, kind: type[Attack]) -> AttackRow:
    """Table 7.3."""
    return table.data.tables["attack"]["prepared" if kind is PreparedAttack else "normal"]


# Who may attack whom (7.1)


def check_attack(table: Table, side: str, order: Attack) -> None:
    """Everything that must hold before an attack. Raises Illegal."""
    target, row = table.grid.hex(order.target), row_of(table, type(order))
    if not units_at(table, target, table.enemy(side)):
        near = [number(table, h) for h in targets(table, side)]
        raise Illegal("7.1-a", f"there is nobody to attack in {order.target}", at=order.target,
                      instead="Enemies next to your units", alternatives=near)  # fmt: skip
    for unit in order.units:
        check_acting(table, side, unit, row["points"], row["case"])
        _check_attacker(table, unit, target, isinstance(order, PreparedAttack))
    _check_hexes(table, order)
    tanks = armour_can_fight(table, [place(table, unit) for unit in order.units], target)
    declared(table, side, order.units, order, row["supports"], tanks)


def _bar(table: Table, unit: str, target: Hex) -> tuple[str, str] | None:
    """Why a unit cannot attack a hex at all: the case, and the reason in words."""
    spot = number(table, target)
    if not may_attack(table, unit):
        return "1.1-b", "may never attack"
    if table.position.hex_of(unit) is None or table.grid.direction(place(table, unit), target) is None:
        return "7.1-a", f"is not next to {spot}"
    if not could_step(table, unit, place(table, unit), target):
        return "7.1-d", f"could not go into {spot}, so it may not attack it"
    return None


def _check_attacker(table: Table, unit: str, target: Hex, prepared: bool) -> None:
    bar = _bar(table, unit, target)
    if bar is not None:
        others = [u for u in ready(table, table.unit(unit).side) if _bar(table, u, target) is None]
        raise Illegal(bar[0], f"{unit} {bar[1]}", unit=unit, at=number(table, target),
                      instead="Activated units that can attack it", alternatives=others)  # fmt: skip
    _check_means(table, unit, target, prepared)


def _check_means(table: Table, unit: str, target: Hex, prepared: bool) -> None:
    supply = table.position.mark(unit, SUPPLY)
    if prepared and supply in (ISOLATED, UNSUPPLIED):
        problem = f"{unit} is {supply} and makes no prepared attacks"
        raise Illegal("7.3.2-c", problem, unit=unit, instead="Write `attack`")
    check_spared(table, unit, target, row_of(table, PreparedAttack if prepared else Attack)["points"])


def _check_hexes(table: Table, order: Attack) -> None:
    most = table.data.tables["combat"]["from_a_hex"]["units"]
    for h, there in together(table, order.units).items():
        if len(there) > most:
            raise Illegal("7.1-c", f"{most} units may attack from {number(table, h)}, not {len(there)}",
                          at=number(table, h), instead="Leave out some of", alternatives=there)  # fmt: skip


def able(table: Table, unit: str, target: Hex, kind: type[Attack]) -> bool:
    """Whether a unit of the activation could take part in such an attack."""
    if left(table, unit) < row_of(table, kind)["points"] or _bar(table, unit, target) is not None:
        return False
    return passes(_check_means, table, unit, target, kind is PreparedAttack)


def ready(table: Table, side: str) -> list[str]:
    """The activated units on the map with a point left that may attack."""
    return [u for u in alive(table, acting(table, side)) if left(table, u) and may_attack(table, u)]


def targets(table: Table, side: str) -> list[Hex]:
    """The enemy hexes next to units that may attack."""
    spots = hexset.of(place(table, unit) for unit in ready(table, side))
    return list(hexset.members(hexset.spread(table.grid, spots) & held(table, table.enemy(side))))


def attack_choices(table: Table, side: str) -> list[Choice]:
    """Attacks that may be ordered, step by step: the target, one attacker after another, support."""
    found = []
    for target in targets(table, side):
        for kind in (Attack, PreparedAttack):
            units = [unit for unit in ready(table, side) if able(table, unit, target, kind)]
            if units:
                found.append(_attackers(table, side, kind, target, units))
    return found


def _attackers(table: Table, side: str, kind: type[Attack], target: Hex, units: list[str]) -> Choice:
    """One attacker after another, as many as may attack from a hex; then support."""
    most, spot = table.data.tables["combat"]["from_a_hex"]["units"], number(table, target)

    def longer(given: Given) -> list[str]:
        named = given.get("units", ())
        crowded = [h for h, there in together(table, named).items() if len(there) >= most]
        return [unit for unit in units if unit not in named and place(table, unit) not in crowded]

    def supports(given: Given) -> list[Choice]:
        more = partial(_supporting, table, side, kind, target)
        return gather(kind, "support", more, **given).following()

    return gather(kind, "units", longer, also=supports, target=spot)


def _supporting(table: Table, side: str, kind: type[Attack], target: Hex, given: Given) -> Iterator[tuple[str, str]]:
    """The markers that may still be added, each HQ's of a kind once."""
    units, before = given["units"], given.get("support", ())
    if len(before) < row_of(table, kind)["supports"]:
        tanks = armour_can_fight(table, [place(table, unit) for unit in units], target)
        yield from Counter(markers.usable(table, side, units, tanks)) - Counter(before)


# Resolution (7.6)


@dataclass(frozen=True)
class Battle:
    """A combat once both sides have said everything."""

    side: str
    target: Hex
    kind: type[Attack]
    attack: Side
    defence: Side


def resolve(table: Table, side: str, order: Attack) -> Generator[Step, Any, None]:
    """7.6: declaration, supports, armour, die, results, advance, fates."""
    target, row = table.grid.hex(order.target), row_of(table, type(order))
    enemy, units = table.enemy(side), list(order.units)
    spots = [target, *together(table, units)]
    yield from _declare(table, units, target, row)
    defenders = tuple(units_at(table, target, enemy))
    covered = not all(seen(table, unit, side) for unit in defenders)
    yield from _look(table, spots)
    tanks = armour_can_fight(table, [place(table, unit) for unit in units], target)
    column = odds(table, units, target).column
    found = ", ".join(defenders) if covered else ""
    own = yield from commitment(
        table, Call(side, order.target, order.units, row["supports"], column, tanks, found), order
    )
    yield from markers.commit(table, own.supports, target)
    column += markers.shift(table, own.supports)
    theirs = yield from defence(table, Call(enemy, order.target, defenders, row["supports"], column, tanks))
    yield from markers.commit(table, theirs.supports, target)
    battle = Battle(side, target, type(order), own, theirs)
    spent = yield from _fight(table, battle)
    for said in (own, theirs):
        unspent = Counter(said.supports) - Counter(spent)
        yield from markers.fates(table, tuple(unspent.elements()))
    yield from wipe(table, (FIGHTING,), "11.1")


def _declare(table: Table, units: Sequence[str], target: Hex, row: AttackRow) -> Iterator[Fact]:
    """7.6-a: everybody pays, and whoever owed an attack on this hex has made it."""
    owing = [unit for unit in units if target in owed_to(table, unit)]
    for unit in units:
        yield from spend(table, unit, row["points"], row["case"])
    for unit in owing:
        yield from freed(table, unit)


def _look(table: Table, spots: Sequence[Hex]) -> Iterator[Fact]:
    """11.1: under fog of war both stacks are open while they fight."""
    if table.data.switch["fog"]:
        for h in spots:
            yield Noted(subject=f"@{number(table, h)}", mark=FIGHTING, because="11.1")


def _fight(table: Table, battle: Battle) -> Generator[Step, Any, Supports]:
    """From armour superiority to the advance; gives the StuGs that paid for a step."""
    own, theirs = battle.attack, battle.defence
    found = odds(table, own.units, battle.target)
    drm = combined_arms(table, own.units)
    difference = quality(table, own.quality) - quality(table, theirs.quality)
    share = shared_armour(table, own.units, theirs.units)
    shift = yield from _superiority(table, own, theirs, battle.target)
    if not alive(table, own.units):
        return ()
    if not alive(table, theirs.units):
        yield from _follow(table, battle, 1, ())
        return ()
    column = found.column + markers.shift(table, own.supports) - markers.shift(table, theirs.supports) + shift
    die = yield Roll(f"attack on {number(table, battle.target)}")
    result = table.data.result(column, die + difference + drm)
    yield Fought(
        kind=battle.kind.verb, attackers=own.units, defenders=theirs.units,
        targets=(number(table, battle.target),), column=table.data.columns[table.data.held(column)],
        decided=(("die", str(die)),), result=result.text, because="7.6-g",
        working=tuple(w.noted for w in (*found.working, *_working(table, own, theirs, difference, drm, shift))),
    )  # fmt: skip
    return (yield from _apply(table, battle, result, share))


def _superiority(table: Table, own: Side, theirs: Side, target: Hex) -> Generator[Step, Any, int]:
    """7.5-a, 7.5-b: the attacker's die, columns to the right; a loss falls on the named unit at once."""
    if not armour_met(table, own.units, theirs.units):
        return 0
    spot = number(table, target)
    die = yield Roll(f"armour superiority at {spot}")
    shift, loser = table.data.armour(stars_of(table, own) - stars_of(table, theirs), die)
    named = {"A": own.armour, "D": theirs.armour}.get(loser, "")
    told = f", and {named} loses a step" if named else ""
    met = f"{own.armour} {stars_of(table, own)} against {theirs.armour} {stars_of(table, theirs)}"
    yield Told(text=f"Armour superiority at {spot}: {met}, die {die}, {shift:+} columns{told}.", because="7.5-a")
    if named:
        yield from lose(table, named, 1, "7.5-b")
    return shift


def _working(table: Table, own: Side, theirs: Side, difference: int, drm: int, shift: int) -> list[Working]:
    supports = [(pair, "for the attack") for pair in own.supports]
    supports += [(pair, "for the defence") for pair in theirs.supports]
    found = [Working(f"{mark} of {hq}", said, table.data.marker(mark)["case"]) for (hq, mark), said in supports]
    found += on_the_die(own, theirs, difference, drm)
    return found + ([Working("armour superiority", f"{shift:+} columns", "7.5-a")] if shift else [])


def on_the_die(own: Side, theirs: Side, difference: int, arms: int) -> list[Working]:
    """7.4-b, 7.4-f: what is added to the die."""
    found = [Working(f"quality of {own.quality} against {theirs.quality}", f"{difference:+} on the die", "7.4-b")]
    return found + ([Working("combined arms", f"{arms:+} on the die", "7.4-f")] if arms else [])


def _stug(table: Table, side: Side) -> Supports:
    return tuple(pair for pair in side.supports if table.data.marker(pair[1]).get("step"))[:1]


def _apply(table: Table, battle: Battle, result: Result, share: bool) -> Generator[Step, Any, Supports]:
    """7.7: the defender's part, the attacker's, a breakthrough, the advance."""
    side, enemy = battle.side, table.enemy(battle.side)
    spot = number(table, battle.target)
    theirs = Payers(enemy, battle.defence.units, battle.defence.quality, share, bool(_stug(table, battle.defence)))
    least = min(int(result.defender_star), result.defender)
    down = yield from suffer_result(
        table, Verdict(theirs, result.defender, least, False, "defender", spot, active=False)
    )
    stands = bool(units_at(table, battle.target, enemy))
    own = Payers(side, battle.attack.units, battle.attack.quality, share, bool(_stug(table, battle.attack)))
    up = yield from suffer_result(table, _attackers_verdict(table, battle, own, result, down, stands))
    spent = (*(_stug(table, battle.attack) if up.stug else ()), *(_stug(table, battle.defence) if down.stug else ()))
    for hq, marker in spent:
        yield from put(table, f"{table.unit(hq).side} out", [marker], "1.6.1-d")
    if not stands and result.breakthrough:
        yield Marked(subject=f"@{spot}", mark=BREAKTHROUGH, value=side, because="7.8-a")
    if not stands and not up.went:
        gone = max(1, result.defender - down.lost - down.stug)
        yield from _follow(table, battle, gone, down.ways)
    return spent


def _attackers_verdict(
    table: Table, battle: Battle, own: Payers, result: Result, down: Outcome, stands: bool
) -> Verdict:
    """7.7-d, 7.7-e: what the defender did binds the attacker; one whom the result spares has not chosen to stand."""
    must = row_of(table, battle.kind)["must_lose"]
    least = min(max(int(result.attacker_star or down.lost > 0), must), result.attacker)
    stood = stands and down.lost > 0
    spot = number(table, battle.target)
    return Verdict(own, result.attacker, least, stood, "attacker", spot, active=True)


def _follow(table: Table, battle: Battle, length: int, ways: tuple[Way, ...]) -> Generator[Step, Any, None]:
    must = row_of(table, battle.kind)["must_advance"]
    yield from advance(table, Opening(battle.side, battle.attack.units, battle.target, length, ways, must))
