"""The Combat Resolution Segment (12.1.3): one declared combat after another, in the attacker's order."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.asks import Ask, Procedure, Step
from engine.facts import Fact, Halted, Marked, Noted, Told
from engine.hexes import Hex
from engine.orders.choice import Choice, Given, gather, nothing
from engine.refusals import Illegal, passes
from engine.rules.combat import attack_ask
from engine.rules.ground import number, place
from engine.rules.marks import wipe
from engine.table import kept
from games.jaws.data import Table
from games.jaws.orders.combat import Attack
from games.jaws.orders.turn import End
from games.jaws.rules.barrage.markers import barred
from games.jaws.rules.bridges import TRIED
from games.jaws.rules.combat.air import CAS, check_german
from games.jaws.rules.combat.artillery import able_to_attack, check_offensive
from games.jaws.rules.combat.battle import ATTACKED, COMBAT, DECLARED, DONE, FELL_BACK, HIT, Battle, defended
from games.jaws.rules.combat.declaration import declared, hit_before, origins, ready
from games.jaws.rules.combat.defenders import chosen
from games.jaws.rules.combat.engineers import check_engineer, engineers
from games.jaws.rules.combat.fight import met, struck
from games.jaws.rules.combat.obliged import UNASKED, check_all_fought, unasked
from games.jaws.rules.combat.odds import defenders_of
from games.jaws.rules.combat.results import Struck
from games.jaws.rules.combat.support import pay, payers, supported
from games.jaws.rules.combat.support_steps import supports
from games.jaws.rules.combat.two_combats import Combats, fought_out, frozen
from games.jaws.rules.extension import FROZEN
from games.jaws.rules.partisans import apart, check_alone, lone, strikes
from games.jaws.rules.recovery import SPOKE
from games.jaws.rules.units import OOS, units_in

SEGMENT_MARKS = (CAS, DECLARED, FELL_BACK)  # 12.3.1-2, 12.1.3-D4: what a segment leaves nothing of
PHASE_MARKS = (*SEGMENT_MARKS, ATTACKED, HIT, TRIED, FROZEN, SPOKE)


def combat_segment(table: Table, side: str) -> Procedure:
    """12.1.3, 12.1.3-D4: until every declared combat is fought that can be."""
    while fightable(table.seen_by(side), side):
        order = yield _ask(table, side)
        yield from resolve(table, side, order.alone())
    yield from wipe(table, SEGMENT_MARKS, "12.1.3-D4")


def fightable(table: Table, side: str) -> list[Hex]:
    """The declared hexes that can still be attacked."""
    enemy = table.enemy(side)
    return [h for h in declared(table) if origins(table, side, h) and defended(table, enemy, h)]


# Who takes part (12.3)


def battle_of(table: Table, side: str, order: Attack, segment: str = COMBAT) -> Battle:
    """The combat that an order means, in the Combat or the Reserve Segment. Raises Illegal."""
    targets = tuple(table.grid.hex(spot) for spot in dict.fromkeys(order.targets))
    _check_targets(table, side, targets)
    units = _attackers(table, side, targets, order)
    check_alone(table, units)
    for unit in order.unpaid:
        if unit not in units:
            raise Illegal("12.1.3-A1", f"{unit} is not among the attackers", unit=unit, alternatives=units)
    by = {} if order.unsupported else payers(table, units, order.by, order.unpaid)
    for sdm in order.by:
        if sdm not in by.values():
            able = list(payers(table, units).values())
            raise Illegal("12.4-e", f"{sdm} pays for nobody in this attack", unit=sdm, instead="These can",
                          alternatives=able)  # fmt: skip
    paid = supported(table, units, tuple(by))
    battle = Battle(side, units, targets, defenders_of(table, side, targets), paid, order.without, segment)
    check_offensive(table, battle, order.guns)
    if order.engineer:
        check_engineer(table, battle, order.engineer)
    if order.air:
        check_german(table, battle)
    return replace(battle, engineer=order.engineer)


def _check_targets(table: Table, side: str, targets: Sequence[Hex]) -> None:
    """12.1.1-1, 12.3.2: declared, and somebody there. Raises Illegal."""
    for h in targets:
        spot = number(table, h)
        if h not in declared(table):
            raise Illegal("12.1.1-1", f"{spot} is not declared", at=spot, instead="Declared are",
                          alternatives=[number(table, other) for other in fightable(table, side)])  # fmt: skip
        if not defended(table, table.enemy(side), h):
            raise Illegal("12.3.3", f"nobody is in {spot} who was not attacked in this segment", at=spot)


def _attackers(table: Table, side: str, targets: Sequence[Hex], order: Attack) -> tuple[str, ...]:
    """12.3.1-1: all who can from every hex named, but those out of supply that are held back. Raises Illegal."""
    found: list[str] = []
    for spot in dict.fromkeys(order.origins):
        h = table.grid.hex(spot)
        for target in targets:
            if h not in origins(table, side, target):
                case = _why_not(table, side, h, target) or ("12.3.2" if len(targets) > 1 else "12.3")
                near = [number(table, other) for other in origins(table, side, target)]
                raise Illegal(case, f"nobody in {spot} can attack {number(table, target)}", at=spot,
                              instead="From these you can", alternatives=near)  # fmt: skip
        found += [u for u in ready(table, side, h) if not any(barred(table, u, target) for target in targets)]
    for unit in order.without:
        if unit not in found:
            raise Illegal("12.3.1-1", f"{unit} is not among the attackers", unit=unit, alternatives=found)
        if table.position.mark(unit, OOS) is None:
            raise Illegal("12.3.1-1", f"{unit} is in supply, and must attack with its stack", unit=unit)
    units = tuple(unit for unit in found if unit not in order.without)
    if not units:
        raise Illegal("12.3.1-1", "nobody is left to attack", at=order.targets[0])
    return units


def _why_not(table: Table, side: str, h: Hex, target: Hex) -> str:
    """17.1.2-b: the case, if only the barrage keeps those in a hex from attacking another; 18.1.3: or what they are."""
    near = table.grid.direction(h, target) is not None
    if near and any(not strikes(table, unit) for unit in units_in(table, h, side)):
        return "18.1.3-1"
    if near and lone(table, ready(table, side, h)) and hit_before(table, side, target):
        return "18.1.3-2"
    return "17.1.2-b" if near and any(barred(table, unit, target) for unit in ready(table, side, h)) else ""


@kept
def check_attack(table: Table, side: str, order: Attack) -> None:
    """Raises Illegal."""
    battle_of(table, side, order)


# Resolution


def resolve(table: Table, side: str, order: Attack) -> Generator[Step, Any, None]:
    """12.1.3-A to D; 4.7.2-5: of two combats on an extended division both, before anybody retreats."""
    yield from fought_out(table, side, order, COMBATS)


def _resolve(table: Table, side: str, order: Attack) -> Generator[Step, Any, Struck | None]:
    try:
        battle = battle_of(table, side, order)
    except Illegal as refusal:  # what only the truth forbids
        yield from broken_off(table, battle_of(table.seen_by(side), side, order), refusal)
        return None
    battle = yield from chosen(table, battle)
    yield from frozen(table, battle, fightable(table, side))
    yield from begun(table, battle, order)
    rows, battle = yield from supports(table, battle, order)
    if not battle.units:  # 15.3.2-C2: the engineer attacked alone, and is lost in the minefield
        yield Told(text=f"Nobody is left to attack {' '.join(battle.spots(table))}.", because="15.3.2-C2")
        return None
    return (yield from struck(table, battle, rows))


def broken_off(table: Table, battle: Battle, refusal: Illegal) -> Iterator[Fact]:
    """The attackers find that nobody is there who may be attacked."""
    for spot in battle.spots(table):
        yield Marked(subject=f"@{spot}", mark=DECLARED, value=DONE, because="12.1.3")
    first = battle.units[0]
    yield Halted(unit=first, at=number(table, place(table, first)), why=refusal.problem, because=refusal.case)


def begun(table: Table, battle: Battle, order: Attack) -> Iterator[Fact]:
    """12.1.3-A1: the combat is under way, and SPs are paid."""
    for spot in battle.spots(table):
        yield Marked(subject=f"@{spot}", mark=DECLARED, value=DONE, because="12.1.3")
    if not order.unsupported:
        yield from pay(table, payers(table, battle.units, order.by, order.unpaid))
    yield from met(table, battle)
    for unit in battle.units:
        yield Noted(subject=unit, mark=ATTACKED, because="12.3.3")
    for unit in battle.held_back:  # its stack has attacked, and no unit of it attacks another hex
        yield Noted(subject=unit, mark=ATTACKED, because="12.3.1-1")


# The ask


def _ask(table: Table, side: str) -> Ask:
    return declared_ask(table, side, "declared are", "12.1.3", COMBATS)


def declared_ask(table: Table, side: str, said: str, case: str, combats: Combats) -> Ask:
    """12.1.3-D4: which of the declared hexes is attacked next; there is no end before the last."""
    seen = table.seen_by(side)
    open_ = fightable(seen, side)

    def check(order: Attack | End) -> None:
        if isinstance(order, End):
            check_all_fought(seen, open_)
        else:
            combats.check(seen, side, order.alone())

    spots = ", ".join(number(table, h) for h in open_)
    return attack_ask(
        side, f"{said} {spots}, and each is attacked; {UNASKED}", case, Attack, End, check,
        partial(combats.choices, seen, side), owed=partial(unasked, seen, side, open_, combats.check),
    )  # fmt: skip


def nothing_more(table: Table, side: str, given: Given) -> list[Choice]:
    """12.1.6-3: what supports an attack of reserves."""
    return []


def attack_choices(table: Table, side: str, support: Callable[[Table, str, Given], list[Choice]]) -> list[Choice]:
    """Attacks step by step: the target, then one hex after another, then what supports it."""

    def of(target: Hex) -> Choice:
        near = [number(table, h) for h in origins(table, side, target)]

        def onward(given: Given) -> Choice:
            named = given.get("origins", ())
            left = apart(table, named, [spot for spot in near if spot not in named])
            also = (lambda: support(table, side, given)) if named else nothing
            return Choice(Attack, given, "origins" if left else "", lambda: left, bool(named), onward, also)

        return onward({"targets": (number(table, target),)})

    return [of(target) for target in fightable(table, side)]


def _support_choices(table: Table, side: str, given: Given) -> list[Choice]:
    """Guns one after another, and an engineer, once it is said who attacks."""
    battle = battle_of(table, side, Attack(**given))
    able = able_to_attack(table, battle)
    most = table.data.tables["combat"]["guns"]["offensive"]

    def more(said: Given) -> list[str]:
        named = said.get("guns", ())
        return [gun for gun in able if gun not in named] if len(named) < most else []

    guns = gather(Attack, "guns", more, **given).following() if able else []
    flies = [Choice(Attack, {**given, "air": True})] if passes(check_german, table, battle) else []
    return [*guns, *flies, *(Choice(Attack, {**given, "engineer": unit}) for unit in engineers(table, battle))]


COMBATS = Combats(fightable, _resolve, check_attack, partial(attack_choices, support=_support_choices))
