"""Soviet attacks (12.0-S): reserves, cards, the player's answer, chits, hits, advance."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Marked, Noted, Placed
from engine.hexes import Hex
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.chooser import choose
from engine.rules.ground import crosses, number, path_numbers, place, units_at
from engine.rules.marks import game_mark
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules import cards
from games.kharkov.rules.combat import chits, hits, retreat
from games.kharkov.rules.combat.advance import soviet_advance
from games.kharkov.rules.combat.german_attack import _fought
from games.kharkov.rules.combat.losses import german_losses, gone, soviet_losses
from games.kharkov.rules.combat.situation import (
    DEFENDED,
    RETREATED,
    Combat,
    defenders,
    drawn,
    flank,
    in_support,
    overwhelming,
    ratio,
)
from games.kharkov.rules.combat.soviet_cards import attack_card, attack_tactics, auxiliary
from games.kharkov.rules.combat.tactics import applied, check_cards, german_tactics, join_battle, reinforcers
from games.kharkov.rules.fields import field, supposed
from games.kharkov.rules.ground import (
    ATTACKED,
    DISPERSED,
    IP,
    ascending,
    bears,
    fits,
    front,
    in_reserve,
    is_active,
    is_ready,
    on_map,
    soviets,
    steps,
)
from games.kharkov.rules.soviet.objectives import objective
from games.kharkov.rules.soviet.terms import around, proximate, surrounded
from games.kharkov.rules.supply import limit, reserve_supply, supported
from games.kharkov.rules.towns import entered, off


def fight(table: Table, target: Hex, attackers: Sequence[str]) -> Procedure:
    """12.0-S, steps 1 to 9."""
    card = game_mark(table, "activating card")
    combat = Combat(SOVIET, target, list(attackers), cards.soviet(table, card)["value"] if card else 0)
    spot = number(table, target)
    for unit in combat.attackers:
        yield Noted(subject=unit, mark=ATTACKED, because="12.1")
    yield from _reserves(table, combat)
    if not overwhelming(table, combat) and in_support(table, combat):
        yield from attack_tactics(table, combat)
        yield from attack_card(table, combat)
        if not overwhelming(table, combat):
            yield from auxiliary(table, combat)
    yield from _abandoned(table, combat)
    yield from _answered(table, combat, spot)
    for unit in defenders(table, combat):
        yield Noted(subject=unit, mark=DEFENDED, because="12.1")
    number_ = drawn(table, combat)
    yield from chits.draw_chits(table, number_)
    a, d = hits.raw(table, combat, table.position.pools[chits.HERE], number_)
    a, d, absorbed = hits.reduced(table, combat, a, d)
    yield _fought(table, combat, number_, a, d)
    if absorbed:
        yield off(table, target, IP, "14.24")
    units = defenders(table, combat)
    left, path = yield from _germans_hit(table, combat, d, spot)
    if not any(table.position.hex_of(unit) is not None for unit in units):
        a = max(0, a - left)  # 12.55
    vacated_vp = bool(table.data.vp_hexes >> target & 1) and not units_at(table, target, GERMAN)
    yield from _soviets_hit(table, combat, a, vacated_vp=vacated_vp)
    if not units_at(table, target, GERMAN):
        yield from soviet_advance(table, combat, path, far=len(path) == 2 or not path)
    yield from chits.set_aside(table)


def _abandoned(table: Table, combat: Combat) -> Iterator[Fact]:
    """14.24: an improved position goes when all units of its hex attack."""
    for h in sorted({place(table, unit) for unit in combat.attackers}):
        if bears(table, h, IP) and set(table.position.at(h)) <= set(combat.attackers):
            yield off(table, h, IP, "14.24")


# Reserves (12.2).


def _reserves(table: Table, combat: Combat) -> Procedure:
    """12.2: active reserves one by one, while the attack is not overwhelming."""
    placed: list[str] = []
    for unit in ascending(table, [u for u in in_reserve(table, SOVIET) if is_active(table, u)]):
        if overwhelming(table, combat):
            return
        hexes = reserve_hexes(table, combat, unit, placed)
        if not hexes:
            continue
        chosen = _reserve_choice(table, combat, unit, hexes)
        yield chosen.told(unit, "joins the attack from", "12.2")
        yield Placed(unit=unit, at=number(table, chosen.best), because="12.2")
        yield from entered(table, unit, [chosen.best])
        yield Noted(subject=unit, mark=ATTACKED, because="12.1")
        yield Noted(subject=unit, mark="placed", because="12.2")
        placed.append(unit)
        combat.attackers.append(unit)


def reserve_hexes(table: Table, combat: Combat, unit: str, placed: Sequence[str] = ()) -> list[Hex]:
    """12.2: where a reserve may join an attack."""
    data, now, of = table.data, field(table), front(table, unit)
    hexes = around(data, combat.target) & reserve_supply(table) & limit(table, of) & ~now.german & ~now.german_towns
    if objective(table, of) is None:
        hexes &= supported(table)
    near = 0
    for other in on_map(table, SOVIET):
        if front(table, other) == of and other not in placed:
            near |= proximate(table, other) | 1 << place(table, other)
    return [h for h in hexset.members(hexes & near) if fits(table, SOVIET, h, [unit])]


def _reserve_choice(table: Table, combat: Combat, unit: str, hexes: Sequence[Hex]):  # type: ignore[no-untyped-def]
    data = table.data
    helped = supported(table)
    lacking = not in_support(table, combat)
    ordered = sorted(hexes, key=lambda h: number(table, h), reverse=True)
    return choose(
        ordered,
        [
            ("a", lambda h: lacking and helped >> h & 1),
            ("b", lambda h: surrounded(data, supposed(table, unit, h), combat.target, GERMAN)),
            ("c", lambda h: not crosses(table, data.river("dnieper"), h, combat.target)),
            ("d", lambda h: flank(table, combat, (h,)) and not flank(table, combat)),
            ("e", lambda h: not soviets(table, h)),
            ("f", lambda h: int(number(table, h))),
        ],
        name=lambda h: number(table, h),
    )


# The player's answer (12.3).


def _answered(table: Table, combat: Combat, spot: str) -> Procedure:
    """12.3, step 3: cards as tactics; Reinforce Battle may bring a unit or stack into the hex."""
    own = defenders(table, combat)
    if not cards.in_hand(table) or not any(is_ready(table, unit) for unit in own):
        return
    order = yield _defence_ask(table, combat, spot)
    if not isinstance(order, o.Defend) or not order.cards:
        return
    yield from cards.discard(table, [card for card, _ in order.cards], "12.3")
    for tactic in german_tactics(table, order.cards):
        if tactic == "reinforce battle":
            combat.defence_tactics.append(tactic)
            for unit in order.helpers:
                yield from join_battle(table, combat, unit, combat.target)
        else:
            yield from applied(table, combat, GERMAN, tactic)


def check_defence(table: Table, combat: Combat, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, o.Defend):
        return
    if not order.cards:
        raise Illegal("12.3", "say which cards you play, or pass", alternatives=cards.in_hand(table))
    check_cards(table, combat, order.cards)
    tactics = german_tactics(table, order.cards)
    can = reinforcers(table, combat, GERMAN) if "reinforce battle" in tactics else {}
    for unit in order.helpers:
        if unit not in can:
            raise Illegal("TAC.reinforce", f"{unit} cannot come to {number(table, combat.target)}", alternatives=[*can])
    if len({place(table, unit) for unit in order.helpers}) > 1:
        raise Illegal("TAC.reinforce", "one unit or stack comes by Reinforce Battle")
    if "reinforce battle" in tactics and not order.helpers:
        raise Illegal("TAC.reinforce", "say who comes: `reinforced by UNITS`", alternatives=[*can])
    if not fits(table, GERMAN, combat.target, order.helpers):
        raise Illegal("10.4", f"{', '.join(order.helpers)} have no room in {number(table, combat.target)}")


def _defence_ask(table: Table, combat: Combat, spot: str) -> Ask:
    check = partial(check_defence, table, combat)
    odds = int(ratio(table, combat))

    def offers() -> list[Choice]:
        found = []
        for card in cards.in_hand(table):
            for order in _ways(table, combat, card):
                if passes(check, order):
                    found.append(whole(order))
        return [*found, Choice(o.Pass)]

    return Ask(
        GERMAN, "attacked", spot, f"{spot} is attacked at {odds}:1 with {drawn(table, combat)} chits: cards, or pass",
        (o.Defend, o.Pass), default=o.Pass, offers=offers, check=check, case="12.3", reaction=True, passable=True,
        amounts=(("ratio", odds), ("chits", drawn(table, combat)), ("cards", len(cards.in_hand(table)))),
        units=tuple(defenders(table, combat)),
    )  # fmt: skip


def _ways(table: Table, combat: Combat, card: str) -> Iterator[o.Defend]:
    """A card as it may be played: wild ones as each tactic, reinforcements one by one."""
    own = cards.german(table, card)["tactics"]
    for named in o.TACTICS if own == ["wild"] else ("",):
        tactics = german_tactics(table, [(card, named)])
        if "reinforce battle" in tactics:
            for unit in reinforcers(table, combat, GERMAN):
                yield o.Defend(cards=((card, named),), helpers=(unit,))
        else:
            yield o.Defend(cards=((card, named),))


# Hits on the Germans (12.52).


def _germans_hit(table: Table, combat: Combat, d: int, spot: str):  # type: ignore[no-untyped-def]
    """The player stands, or falls back one or two hexes; the rest are steps. Gives hits left over, and the path."""
    units = defenders(table, combat)
    if not d:
        return 0, [combat.target]
    limit_ = min(d, retreat.most_hexes(table, units, ()))
    ways = german_ways(table, units, combat.target, limit_)
    path: list[Hex] = []
    if ways:
        order = yield _hits_ask(table, combat, units, d, ways, spot)
        if isinstance(order, o.Retreat):
            path = _path(table, ways, order)
    left = d - len(path)
    possible = retreat.most_hexes(table, units, ()) if ways else 0
    over = max(0, d - min(d, possible) - steps(table, units))
    for h in path:
        alive = [unit for unit in units if table.position.hex_of(unit) is not None]
        if alive:
            yield from retreat.fall_back(table, alive, [h], "12.7")
    alive = [unit for unit in units if table.position.hex_of(unit) is not None]
    if len(path) == 2:
        for unit in alive:
            yield Marked(subject=unit, mark=DISPERSED, because="12.75")
    yield from german_losses(table, alive, left, spot, "12.52", first=True)
    for unit in [u for u in units_at(table, combat.target, GERMAN) if table.position.mark(u, RETREATED)]:
        if not defenders(table, combat):
            yield from gone(table, unit, "12.74")
    return over, path


def german_ways(table: Table, units: Sequence[str], here: Hex, most: int) -> list[tuple[Hex, ...]]:
    """12.7: the ways in which a stack may fall back, by the best priorities of each hex."""
    found: list[tuple[Hex, ...]] = []
    for refuge in retreat.refuges(table, units, here) if most else ():
        found.append((refuge.hex,))
    if most == 2:
        for refuge in retreat.refuges(table, units, here, passing=True):
            onward = retreat.refuges(table, units, refuge.hex, here)
            found += [(refuge.hex, second.hex) for second in onward]
    return found


def _path(table: Table, ways: list[tuple[Hex, ...]], order: o.Retreat) -> list[Hex]:
    """The way that the named hexes mean: with none named the longest, with one named a way that ends or begins so."""
    named = tuple(table.grid.hex(spot) for spot in order.to)
    if not named:
        return list(sorted(ways, key=len)[-1])
    fitting = [way for way in ways if way == named] or [way for way in ways if way[-1:] == named or way[:1] == named]
    return list(fitting[0])


def _hits_ask(
    table: Table, combat: Combat, units: Sequence[str], d: int, ways: list[tuple[Hex, ...]], spot: str
) -> Ask:
    def check(order: Order) -> None:
        if isinstance(order, o.Retreat) and order.to:
            named = tuple(table.grid.hex(at) for at in order.to)
            if not any(way == named or way[-1:] == named or way[:1] == named for way in ways):
                allowed = [", ".join(path_numbers(table, way)) for way in ways]
                raise Illegal("12.7-a", f"they may not retreat to {', '.join(order.to)}", alternatives=allowed)

    own = steps(table, units)
    strong = bool(table.data.towns >> combat.target & 1) or bears(table, combat.target, IP)
    stands = strong and 2 * d <= own
    best = max((way for way in ways if len(way) <= d), key=lambda way: (len(way), number(table, way[-1])))
    default: Order = o.Stand() if stands else o.Retreat(to=path_numbers(table, best))

    def offers() -> list[Choice]:
        return [Choice(o.Stand), *(whole(o.Retreat(to=path_numbers(table, way))) for way in ways)]

    return Ask(
        GERMAN, "hits", spot, f"{d} hits at {spot}, {own} steps there: stand, or retreat", (o.Stand, o.Retreat),
        default=lambda: default, offers=offers, check=check, case="12.52", reaction=True,
        amounts=(("hits", d), ("steps", own)), units=tuple(units),
    )  # fmt: skip


# Hits on the Soviets (12.54).


def _soviets_hit(table: Table, combat: Combat, a: int, *, vacated_vp: bool) -> Iterator[Fact]:
    """12.54: the first hit a step, the rest by the table."""
    units = [unit for unit in combat.attackers if table.position.hex_of(unit) is not None]
    if not a or not units:
        return
    yield from soviet_losses(table, units, 1, "12.54")
    alive = [unit for unit in units if table.position.hex_of(unit) is not None]
    if a == 1 or not alive:
        return
    lost, dispersed, all_gone = attacker_result(table, steps(table, alive), a - 1, vacated_vp=vacated_vp)
    if all_gone:
        for unit in alive:
            yield from gone(table, unit, "12.54")
        return
    yield from soviet_losses(table, alive, lost, "12.54")
    for unit in alive if dispersed else ():
        if table.position.hex_of(unit) is not None:
            yield Marked(subject=unit, mark=DISPERSED, because="12.54")


def attacker_result(table: Table, left: int, more: int, *, vacated_vp: bool) -> tuple[int, bool, bool]:
    """Steps lost, whether all are dispersed, whether all are eliminated."""
    rows = table.data.tables["attacker_hits"]["rows"]
    row = max((row for row in rows if row["steps"] <= left), key=lambda row: row["steps"])
    text = row["results"][min(more, len(row["results"])) - 1]
    usual, _, bracketed = text.partition(" (")
    chosen = bracketed.rstrip(")") if bracketed and cards.few_cards(table) and not vacated_vp else usual
    if chosen == "E":
        return 0, False, True
    digits = chosen.rstrip("D")
    return int(digits or 0), chosen.endswith("D"), False
