"""Artillery support (12.10): whose guns may fire for a combat, what that costs them, and what their die brings."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Roll, Step
from engine.facts import Fact, Marked
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, place
from games.jaws.data import GERMAN, Table
from games.jaws.orders.combat import Fire, NoFire
from games.jaws.rules.ammunition import BACK, EMPTY, FIRED, is_regiment
from games.jaws.rules.barrage.markers import under_fire
from games.jaws.rules.combat.battle import DECLARED, Battle, stacks
from games.jaws.rules.ground import visibility
from games.jaws.rules.mines import attacked_across
from games.jaws.rules.recovery import SILENT, spoke
from games.jaws.rules.stalin import bodies, under
from games.jaws.rules.units import on_map_of, shared, upset

Row = tuple[str, int, str]  # a shift: what, columns to the right, by which case
# The case that says whom the guns of such a body support; those of other bodies are a division's (12.10.6-1).
WHOSE = {"corps": "12.10.4-1", "army": "12.10.4-2", "front": "12.10.4-3", "korps": "12.10.6-2"}


def offensive(table: Table, gun: str) -> int:
    """12.10.1-a: what it adds to an attack; only from the front side."""
    return 0 if table.position.mark(gun, FIRED) is not None else table.unit(gun).value("obs")


def defensive(table: Table, gun: str) -> int:
    """12.10.5-c: what it adds to a defence; a German regiment's back has a value too."""
    fired = table.position.mark(gun, FIRED)
    return 0 if fired == EMPTY else table.unit(gun).value("back" if fired == BACK else "dbs")


def command(table: Table, gun: str) -> str:
    """12.10.4, 12.10.6: the body that it may support."""
    return next((name for kind, name in bodies(table, gun) if kind != "artillery"), "")


def _serves(table: Table, gun: str, units: Sequence[str]) -> bool:
    body = command(table, gun)
    return any(under(table, unit, body) for unit in units)


def check_gun(table: Table, battle: Battle, gun: str, units: Sequence[str]) -> None:
    """Whether a gun may support these units in a combat at all. Raises Illegal."""
    if not is_a(table, gun, "artillery") or is_a(table, gun, "barrage"):
        raise Illegal("12.10", f"{gun} is no artillery unit", unit=gun)
    if table.position.hex_of(gun) is None:
        raise Illegal("12.10", f"{gun} is not on the map", unit=gun)
    if upset(table, gun):
        raise Illegal("12.17.2-11", f"{gun} is Disorganized or in Regroup", unit=gun)
    if table.position.mark(gun, SILENT) is not None:
        raise Illegal("9.10.3", f"{gun} has moved and may not fire yet", unit=gun)
    here = place(table, gun)
    if shared(table) & (hexset.of(battle.targets) | 1 << here):
        raise Illegal("16.5.4-4", "no artillery fires into a hex that both sides share, or out of one", unit=gun)
    if min(table.grid.distance(here, h) for h in battle.targets) > table.unit(gun).value("range"):
        raise Illegal("12.10.1-b", f"{gun} does not reach {' '.join(battle.spots(table))}", unit=gun)
    if not _serves(table, gun, units):
        body = table.roster.formation(command(table, gun))
        case = WHOSE.get(body.kind if body is not None else "", "12.10.6-1")
        raise Illegal(case, f"{gun} supports only {command(table, gun)}", unit=gun)
    if here not in battle.targets and table.position.mark(f"@{number(table, here)}", DECLARED) is not None:
        raise Illegal("12.10.7-1", f"{gun} is attacked itself", unit=gun)


def check_offensive(table: Table, battle: Battle, guns: Sequence[str]) -> None:
    """12.10, 12.4: three at most, for supported units. Raises Illegal."""
    most = table.data.tables["combat"]["guns"]["offensive"]
    if len(guns) > most:
        raise Illegal("12.10", f"{most} artillery units may support an attack, not {len(guns)}")
    if guns and under_fire(table, battle.targets):
        spots = " ".join(battle.spots(table))
        raise Illegal("17.1.3-5", f"no other artillery fires on {spots}, under a barrage", unit=guns[0])
    for gun in guns:
        if table.unit(gun).side != battle.side:
            raise Illegal("12.10", f"{gun} is not yours", unit=gun)
        if not battle.supported:
            raise Illegal("12.4", "an attack without support has no artillery", unit=gun)
        check_gun(table, battle, gun, sorted(battle.supported))
        if not offensive(table, gun):
            raise Illegal("12.10.3", f"{gun} is out of ammunition", unit=gun)


def check_defensive(table: Table, battle: Battle, gun: str) -> None:
    """12.10.7-2: never one that is attacked alone, and for others than itself. Raises Illegal."""
    enemy = table.enemy(battle.side)
    if table.unit(gun).side != enemy:
        raise Illegal("12.10", f"{gun} is not yours", unit=gun)
    check_gun(table, battle, gun, [unit for unit in battle.defenders if unit != gun] or battle.defenders)
    if stacks(table, battle.defenders).get(place(table, gun)) == [gun]:
        raise Illegal("12.10.7-2", f"{gun} is attacked alone and only defends itself", unit=gun)
    if not defensive(table, gun):
        raise Illegal("12.10.5-c", f"{gun} has nothing to fire with", unit=gun)


def able_to_attack(table: Table, battle: Battle) -> list[str]:
    """Who may support an attack."""
    guns = on_map_of(table, battle.side, "artillery")
    return [gun for gun in guns if passes(check_offensive, table, battle, [gun])]


def able_to_defend(table: Table, battle: Battle) -> list[str]:
    """Who may support the defence, the strongest first."""
    guns = on_map_of(table, table.enemy(battle.side), "artillery")
    able = [gun for gun in guns if passes(check_defensive, table, battle, gun)]
    return sorted(able, key=lambda gun: (-defensive(table, gun), gun))


# Firing


def fired(table: Table, gun: str, *, attack: bool) -> Iterator[Fact]:
    """12.10.3, 12.10.5: everybody is out of ammunition; a German regiment's defensive fire first turns it over."""
    regiment = is_regiment(table, gun)
    first = regiment and not attack and table.position.mark(gun, FIRED) is None
    case = "12.10.5-c" if regiment and not attack else "12.10.5-b" if regiment else "12.10.3"
    yield Marked(subject=gun, mark=FIRED, value=BACK if first else EMPTY, because=case)
    yield from spoke(table, gun)


def shifts(
    table: Table, side: str, points: int, purpose: str, *, attack: bool, worse: int = 0
) -> Generator[Step, Any, list[Row]]:
    """12.10.2-4 to -7: a die on the side's own table, made worse by what else lies on the combat."""
    if not points:
        return []
    die: int = yield Roll(f"artillery, {purpose}")
    by = columns(table, side, points, die + worse)
    said = f"{'offensive' if attack else 'defensive'} artillery, {points} points, die {die}"
    return [(said, by if attack else -by, "12.10.2-7")]


def mine_die(table: Table, battle: Battle) -> int:
    """12.10.2-4: what a minefield adds to the die of German guns that support an attack across it."""
    across = attacked_across(table, battle.side, battle.units, battle.targets)
    return table.data.tables["combat"]["minefield"]["die"] if across else 0


def columns(table: Table, side: str, points: int, die: int) -> int:
    """12.10.2-4, -5: by the die, which a storm makes worse."""
    row = table.data.tables["artillery"]["german" if side == GERMAN else "soviet"]
    worse = table.data.tables["combat"]["storm"]["die"] if visibility(table) == "storm" else 0
    column = max(n for n, least in enumerate(row["points"]) if points >= least)
    return row["die"][str(min(die + worse, len(row["die"])))][column]


def overlooking(table: Table, battle: Battle, gun: str) -> list[Row]:
    """12.5.2-e: a supporting gun on a hilltop next to the defending hex."""
    here = place(table, gun)
    near = here not in battle.targets and any(table.grid.distance(here, h) == 1 for h in battle.targets)
    if near and table.data.area("hilltops") >> here & 1:
        return [("artillery on a hilltop", -table.data.tables["combat"]["hilltop"]["shift"], "12.5.2-e")]
    return []


def answer_ask(table: Table, battle: Battle, column: int) -> Ask:
    """12.1.3-A4: which gun supports the defence; asked whether or not one can, for the attacker may not know."""
    enemy = table.enemy(battle.side)
    seen = table.seen_by(enemy)
    level = table.data.tables["combat_results"]["columns"].index("1-1")
    guns, spots = able_to_defend(table, battle), " ".join(battle.spots(table))
    who = f"may {', '.join(guns)} fire" if guns else "none of your guns can fire, which the enemy does not know"

    def default() -> Order:
        return Fire(unit=guns[0]) if guns and column >= level else NoFire()

    return Ask(
        side=enemy,
        name="guns",
        subject=spots,
        prompt=f"{spots} is attacked: {who}",
        verbs=(Fire, NoFire),
        check=partial(_check_answer, seen, battle),
        offers=lambda: [Choice(NoFire), *(whole(Fire(unit=gun)) for gun in guns)],
        default=default,
        case="12.1.3-A4",
        reaction=True,
        units=battle.defenders,
        amounts=(("column", column),),
    )


def _check_answer(table: Table, battle: Battle, order: Order) -> None:
    if isinstance(order, Fire):
        check_defensive(table, battle, order.unit)
