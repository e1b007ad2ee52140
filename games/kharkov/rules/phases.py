"""The phases of a turn around the Command Phase (4.I to 4.III, 4.V)."""

from collections.abc import Generator, Iterator
from typing import Any

from engine.asks import Ask, Procedure, Step
from engine.facts import Fact, Marked, Noted, Placed, Told
from engine.hexes import Hex
from engine.orders.choice import whole
from engine.refusals import Illegal
from engine.rules.ground import number, place
from engine.rules.marks import game_mark, set_game, wipe
from engine.rules.pools import dealt, shuffled
from games.kharkov.data import FRONTS, GERMAN, SOVIET, Table
from games.kharkov.orders import Surrender
from games.kharkov.rules import cards, deployment, replacements, victory
from games.kharkov.rules.combat.chits import all_back
from games.kharkov.rules.combat.losses import lose_step
from games.kharkov.rules.fields import field
from games.kharkov.rules.garrisons import place_garrisons, remove_garrisons
from games.kharkov.rules.ground import (
    CALENDAR,
    DISPERSED,
    FORWARD,
    ISOLATED,
    OUT,
    RESERVE,
    descending,
    is_isolated,
    on_map,
    supply_state,
)
from games.kharkov.rules.soviet.objectives import objective
from games.kharkov.rules.soviet.terms import around
from games.kharkov.rules.supply import can_trace, reserve_supply
from games.kharkov.rules.towns import vacated

GROUND = "ground markers"
SURRENDERING = "surrendering"  # the isolated units that are still to be looked at, while the player is asked


def heavy(table: Table) -> bool:
    return game_mark(table, "ground") == victory.HEAVY


# I and II


def reserve_phase(table: Table) -> Procedure:
    """4.I: this turn's units come to the Reserve boxes; from turn 3 on delayed reserves may deploy without a card."""
    turn = table.position.turn
    for unit in table.position.in_box(CALENDAR):
        if table.unit(unit).setup == f"GT{turn}":
            yield Placed(unit=unit, at=RESERVE[table.unit(unit).side], because="4.I")
    if table.data.on("delayed", turn):
        yield from deployment.delayed(table)


def card_phase(table: Table) -> Procedure:
    """4.II; on a turn of heavy mud only last turn's supplementals come back (18.34-c)."""
    turn, on = table.position.turn, table.data.on
    if heavy(table):
        yield from cards.return_supplementals(table)
        if on("stavka_leaves", turn):
            yield from cards.remove(table, cards.STAVKA, "18.34-c")
        return
    if on("stavka_leaves", turn - 1):  # used or not
        yield from cards.remove(table, cards.STAVKA, "8.2")
    yield from cards.prepare(table)


# III


def supply_phase(table: Table) -> Procedure:
    """4.III, in its order."""
    turn, on = table.position.turn, table.data.on
    if heavy(table):
        yield from _restored(table, _traced(table, (GERMAN, SOVIET)))
        return
    left = game_mark(table, SURRENDERING)
    isolated = left.split(",") if left else (yield from _checked(table))
    yield from _surrenders(table, isolated)
    if on("support_by_points", turn):
        high = victory.points(table) >= table.data.tables["levels"]["support"]
        yield from set_game(table, "support line", "West Line" if high else "East Line", "13.51")
    if on("objectives_leave", turn):
        yield from _no_reserve_supply(table)


def _checked(table: Table) -> Generator[Step, Any, list[str]]:
    """4.III steps 1 to 3: garrisons, and who cannot trace supply; gives those that were isolated before."""
    turn, on = table.position.turn, table.data.on
    if on("garrisons", turn):
        yield from place_garrisons(table)
    sides = (GERMAN, SOVIET) if on("soviet_supply", turn) else (GERMAN,)
    able = _traced(table, sides)
    failing = [unit for side in sides for unit in on_map(table, side) if unit not in able]
    yield from vacated(table, checked=True)
    yield from victory.at_once(table)
    yield from _restored(table, able)
    isolated = [unit for unit in failing if is_isolated(table, unit)]
    for unit in failing:
        if unit not in isolated:
            state = ISOLATED if supply_state(table, unit) else OUT
            yield Marked(subject=unit, mark="supply", value=state, because="13.2")
    return isolated


def _traced(table: Table, sides: tuple[str, ...]) -> list[str]:
    """4.III step 2: who can trace, both sides by one look: the isolated have no zone until their markers are off."""
    return [unit for side in sides for unit in on_map(table, side) if can_trace(table, unit)]


def _restored(table: Table, able: list[str]) -> Iterator[Fact]:
    for unit in able:
        if supply_state(table, unit):
            yield Marked(subject=unit, mark="supply", value=None, because="13.2")


def _surrenders(table: Table, units: list[str]) -> Procedure:
    """13.23: each isolated stack that still cannot trace loses a step; Soviets only next to a German."""
    stacks: dict[Hex, list[str]] = {}
    for unit in units:
        stacks.setdefault(place(table, unit), []).append(unit)
    order = sorted(stacks.items(), key=lambda item: number(table, item[0]))
    for place_, (h, stack) in enumerate(order):
        if table.unit(stack[0]).side == GERMAN:
            if len(stack) > 1:
                left = [unit for _, others in order[place_:] for unit in others]
                yield from set_game(table, SURRENDERING, ",".join(left), "13.23", Noted)
            unit = stack[0] if len(stack) == 1 else (yield _surrender_ask(table, h, stack)).unit
            yield from lose_step(table, unit, "13.23")
        elif around(table.data, h) & field(table).german:
            yield from lose_step(table, descending(table, stack)[0], "13.23")
    yield from set_game(table, SURRENDERING, None, "13.23", Noted)


def _surrender_ask(table: Table, h: Hex, stack: list[str]) -> Ask:
    def check(order: Surrender) -> None:
        if order.unit not in stack:
            raise Illegal("13.23", f"{order.unit} does not surrender in {number(table, h)}", alternatives=stack)

    weakest = min(stack, key=lambda unit: table.position.value(unit, "strength"))
    return Ask(
        GERMAN, "surrender", number(table, h), f"isolated in {number(table, h)}: which unit loses a step", (Surrender,),
        default=lambda: Surrender(unit=weakest), offers=lambda: [whole(Surrender(unit=unit)) for unit in stack],
        check=check, case="13.23", reaction=True, units=tuple(stack), entry=True,
    )  # fmt: skip


def _no_reserve_supply(table: Table) -> Iterator[Fact]:
    """9.12-b: on turn 7 a front's marker goes unless a Soviet unit in reserve supply stands next to it."""
    traced = reserve_supply(table)
    for of in FRONTS:
        h = objective(table, of)
        if h is None:
            continue
        near = (around(table.data, h) | 1 << h) & field(table).soviet & traced
        if not near:
            yield from remove_objective(table, of, "9.12-b")


def remove_objective(table: Table, of: str, case: str) -> Iterator[Fact]:
    """9.12-d, 9.13-b: a front's marker goes, and with it the marker of its army."""
    yield from set_game(table, f"{of} objective", None, case)
    for army in table.data.tables["objectives"]["armies"]:
        if table.data.parents[army] == of:
            yield from set_game(table, f"{army} objective", None, "9.13-b")


def after_supply(table: Table) -> str:
    """The Command Phase begins with a Soviet impulse; heavy mud has none (18.34-c)."""
    return "end" if heavy(table) else "soviet.draw"


# V


def end_phase(table: Table) -> Procedure:
    """4.V; before it, on a turn of heavy mud, both sides' infantry replacements."""
    turn = table.position.turn
    if heavy(table):
        yield from replacements.in_the_mud(table)
    yield from victory.end_of_turn(table)
    yield from all_back(table, "4.V", turn + 1)
    yield from wipe(table, (DISPERSED, FORWARD), "4.V")
    if table.data.on("garrisons", turn):
        yield from remove_garrisons(table)
    if table.data.on("objectives_leave", turn):
        for of in FRONTS:
            yield from remove_objective(table, of, "9.12-c")
    yield from wipe(table, ("single used", "last activated"), "4.V")
    if table.data.scenario["victory"] == "campaign":
        yield from _ground(table)


def _ground(table: Table) -> Procedure:
    """18.33: the ground of the next turn is revealed."""
    turn, rules = table.position.turn, table.data.tables["ground"]
    markers = [f"{kind} {n}" for n, kind in enumerate(rules["markers"], 1)]
    if turn == rules["mixed_again"]:
        markers.remove(next(marker for marker in markers if marker.startswith("frozen")))
    if turn in (rules["mixed"], rules["mixed_again"]):
        yield from shuffled(table, GROUND, markers, "18.33")
    if table.data.on("ground", turn + 1):
        marker = yield from dealt(table, GROUND, "18.33")
        yield from _lies(table, marker.rpartition(" ")[0])
    elif game_mark(table, "ground"):
        yield from _lies(table, "frozen")


def _lies(table: Table, ground: str) -> Iterator[Fact]:
    yield from set_game(table, "ground", ground, "18.34")
    yield Told(text=f"The ground of turn {table.position.turn + 1}: {ground}.", because="18.34")
