"""German attacks (12.0-G): one at a time, in the player's order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Marked, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice, Given, gather, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number, place
from engine.rules.marks import game_mark
from engine.rules.pools import in_pool
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.rules import cards
from games.kharkov.rules.activation import active
from games.kharkov.rules.combat import chits, hits
from games.kharkov.rules.combat.advance import breach, german_advance
from games.kharkov.rules.combat.battle_report import fought
from games.kharkov.rules.combat.losses import german_losses
from games.kharkov.rules.combat.situation import (
    DEFENDED,
    Combat,
    defenders,
    drawn,
    flank,
    in_support,
    is_weak,
    required,
)
from games.kharkov.rules.combat.soviet_cards import defence_card, put_away
from games.kharkov.rules.combat.soviet_defence import soviet_defenders_hit
from games.kharkov.rules.combat.tactics import (
    applied,
    check_cards,
    coordinated,
    join_attack,
    join_battle,
    reinforcers,
    tactics_of,
    useful,
)
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import (
    ATTACKED,
    DISPERSED,
    IP,
    bears,
    fits,
    is_dispersed,
    is_isolated,
    is_ready,
    is_supplied,
    soviets,
    steps,
    touches,
)
from games.kharkov.rules.towns import off


def attacks(table: Table) -> Procedure:
    """12.1: attacks until the phase is closed, or nobody can attack."""
    while _attackable(table):
        order = yield _ask(table)
        if isinstance(order, o.End):
            return
        yield from attack(table, order)


def able(table: Table) -> list[str]:
    """12.1: active units that have not attacked, undispersed and not isolated."""
    return [
        unit
        for unit in active(table)
        if not table.position.mark(unit, ATTACKED) and not is_dispersed(table, unit) and not is_isolated(table, unit)
    ]


def beside(table: Table, target: Hex) -> list[str]:
    return [unit for unit in able(table) if touches(table, place(table, unit), target)]


def _attackable(table: Table) -> list[Hex]:
    """Soviet hexes that somebody supplied can attack, and that were not attacked in this activation."""
    found = []
    for h in hexset.members(field(table).soviet):
        fresh = any(not table.position.mark(unit, DEFENDED) for unit in soviets(table, h))
        if fresh and any(is_supplied(table, unit) for unit in beside(table, h)):
            found.append(h)
    return found


def combat_of(table: Table, order: o.Attack) -> Combat:
    card = game_mark(table, "activating card")
    value = cards.german(table, card)["value"] if card else 0
    return Combat(GERMAN, table.grid.hex(order.target), list(order.units), value)


def check_attack(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, o.Attack):
        return
    target = table.grid.hex(order.target)
    if not soviets(table, target):
        raise Illegal("12.1", f"no Soviet unit is in {order.target}", at=order.target, alternatives=_spots(table))
    if target not in _attackable(table):
        raise Illegal("12.1", f"{order.target} cannot be attacked now", at=order.target, alternatives=_spots(table))
    can = beside(table, target)
    for unit in order.units:
        if unit not in can:
            raise Illegal("12.1", f"{unit} cannot attack {order.target}", alternatives=can)
    if not any(is_supplied(table, unit) for unit in order.units):
        raise Illegal("13.21-b", "units out of supply attack only together with a supplied one")
    combat = combat_of(table, order)
    check_cards(table, combat, order.cards)
    _check_bonus(table, order)
    tactics_played(table, combat, order)


def _spots(table: Table) -> list[str]:
    return [number(table, h) for h in _attackable(table)]


def _check_bonus(table: Table, order: o.Attack) -> None:
    """12.34"""
    if not order.bonus:
        return
    if not _bonus(table):
        raise Illegal("12.34", "only units activated by Von Manstein have a tactic without a card")


def _bonus(table: Table) -> bool:
    card = game_mark(table, "activating card")
    return bool(card) and cards.german(table, str(card))["kind"] == "manstein"


@dataclass(frozen=True)
class Help:
    """Who joins an attack by a tactic: beside the target already, or from afar into a hex next to it."""

    near: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    into: Hex = 0


def help_of(table: Table, combat: Combat, order: o.Attack) -> Help:
    """TAC.assault, TAC.reinforce: who is named, and the hex; with none named the one that flanks, then the highest.

    Raises Illegal.
    """
    near = [unit for unit in order.helpers if unit in coordinated(table, combat)]
    far = [unit for unit in order.helpers if unit not in near]
    can = reinforcers(table, combat, GERMAN) if far else {}
    for unit in far:
        if unit not in can:
            raise Illegal("TAC.reinforce", f"{unit} cannot join this attack", alternatives=[*can])
    if len({place(table, unit) for unit in far}) > 1:
        raise Illegal("TAC.reinforce", "one unit or stack joins by Reinforce Battle")
    if not far:
        return Help(tuple(near))
    spots = [h for h in can[far[0]] if all(h in can[unit] for unit in far) and fits(table, GERMAN, h, far)]
    named = table.grid.hex(order.into) if order.into else None
    if not spots or (named is not None and named not in spots):
        where = f"in {order.into}" if order.into else "together"
        allowed = [number(table, h) for h in spots]
        raise Illegal("TAC.reinforce", f"{', '.join(far)} cannot join this attack {where}", alternatives=allowed)
    best = max(spots, key=lambda h: (flank(table, combat, (h,)), number(table, h)))
    return Help(tuple(near), tuple(far), best if named is None else named)


def tactics_played(table: Table, combat: Combat, order: o.Attack) -> list[str]:
    """12.3: what the cards and the bonus give; each of them must give something. Raises Illegal."""
    joining = help_of(table, combat, order)
    offered = [tactics_of(table, card, named) for card, named in order.cards]
    names = [card for card, _ in order.cards]
    if order.bonus:
        offered.append([order.bonus])
        names.append("the bonus")
    found = useful(table, combat, GERMAN, offered)
    wanted = {"assault coordination": joining.near, "reinforce battle": joining.far}
    kept = [[tactic for tactic in tactics if wanted.get(tactic, True)] for tactics in found]
    for name, tactics, given, use in zip(names, offered, found, kept, strict=True):
        if not given:
            raise Illegal("12.3", f"{name} would give nothing in this combat: {', '.join(tactics)}")
        if not use:
            can = [*coordinated(table, combat), *reinforcers(table, combat, GERMAN)]
            raise Illegal("12.3", f"say who joins by {name}: `plus UNITS`", alternatives=can)
    tactics = [tactic for use in kept for tactic in use]
    for tactic, units in wanted.items():
        if units and tactic not in tactics:
            raise Illegal("12.1", f"{', '.join(units)} may join only by {tactic}")
    return tactics


def attack(table: Table, order: o.Attack) -> Procedure:
    """12.0-G, steps 1 to 9."""
    combat = combat_of(table, order)
    spot = order.target
    for unit in combat.attackers:
        yield Noted(subject=unit, mark=ATTACKED, because="12.1")
    yield from _play(table, combat, order)
    yield from abandoned(table, combat)
    ready = any(is_ready(table, unit) for unit in defenders(table, combat))
    if not is_weak(table, combat) and ready and in_support(table, combat):
        yield from defence_card(table, combat)
    units = defenders(table, combat)
    for unit in units:
        yield Noted(subject=unit, mark=DEFENDED, because="12.1")
    yield from _draw(table, combat, spot)
    here = in_pool(table, chits.HERE)
    a, d, absorbed = hits.reduced(table, combat, *hits.raw(table, combat, here, len(here)))
    yield fought(table, combat, here, a, d)
    if absorbed:
        yield off(table, combat.target, IP, "14.24")
    flight = yield from soviet_defenders_hit(table, combat, d)
    yield from _attackers_hit(table, combat, a, spot)
    yield from german_advance(table, combat, breach(table, units, flight))
    yield from put_away(table, combat)
    yield from chits.set_aside(table)


def _play(table: Table, combat: Combat, order: o.Attack) -> Iterator[Fact]:
    """Step 2: cards are played; who is added moves now."""
    tactics, joining = tactics_played(table, combat, order), help_of(table, combat, order)
    if order.cards:
        yield from cards.discard(table, [card for card, _ in order.cards], "12.3")
    for tactic in tactics:
        yield from applied(table, combat, GERMAN, tactic)
        combat.extra += 1
    for unit in joining.near:
        yield from join_attack(combat, unit)
    for unit in joining.far:
        yield from join_battle(table, combat, unit, joining.into)


def abandoned(table: Table, combat: Combat) -> Iterator[Fact]:
    """14.24: an improved position goes when all units of its hex attack."""
    for h in sorted({place(table, unit) for unit in combat.attackers}):
        if bears(table, h, IP) and set(table.position.at(h)) <= set(combat.attackers):
            yield off(table, h, IP, "14.24")


def _draw(table: Table, combat: Combat, spot: str) -> Procedure:
    """12.4, 12.4-b: the required chits, then as many more as the player says before he sees them."""
    least, highest = required(table, combat), drawn(table, combat)
    yield from chits.draw_chits(table, least)
    if highest > least:
        a, d, _ = hits.reduced(table, combat, *hits.raw(table, combat, in_pool(table, chits.HERE), least))
        order = yield _draw_ask(table, combat, spot, highest - least, a, d)
        yield from chits.draw_chits(table, order.chits)


def _draw_ask(table: Table, combat: Combat, spot: str, left: int, a: int, d: int) -> Ask:
    def check(order: o.Draw) -> None:
        if not 0 <= order.chits <= left:
            raise Illegal("12.4-b", f"you may draw up to {left} more chits")

    def fit(order: Order) -> Order:
        return o.Draw(chits=min(order.chits, left)) if isinstance(order, o.Draw) else order

    own = steps(table, defenders(table, combat))
    default = 0 if d >= own + 1 else left
    return Ask(
        GERMAN, "draw", spot, f"{d} hits on the Soviets and {a} on you so far: how many more chits, up to {left}",
        (o.Draw,), default=lambda: o.Draw(chits=default),
        offers=lambda: [pick(o.Draw, "chits", lambda: range(left + 1))], check=check, case="12.4-b",
        amounts=(("hits", d), ("losses", a), ("left", left)), units=tuple(combat.attackers), fit=fit,
    )  # fmt: skip


def _attackers_hit(table: Table, combat: Combat, a: int, spot: str) -> Procedure:
    """12.52: the first hit a step; one dispersal may stand for the next two; the rest steps."""
    if not a:
        return
    lost = yield from german_losses(table, combat.attackers, 1, spot, "12.52", first=True)
    left = a - 1
    alive = [unit for unit in combat.attackers if table.position.hex_of(unit) is not None]
    if not left or not alive:
        return
    order = yield _disperse_ask(table, alive, left, spot)
    if isinstance(order, o.Disperse):
        left -= min(2, left)
        for unit in alive:
            yield Marked(subject=unit, mark=DISPERSED, because="12.52")
    yield from german_losses(table, alive, left, spot, "12.52", first=False, before=lost)


def _disperse_ask(table: Table, units: Sequence[str], left: int, spot: str) -> Ask:
    return Ask(
        GERMAN, "disperse", spot, f"{left} more hits at {spot}: disperse for up to two of them, or lose steps",
        (o.Disperse, o.Stand), default=o.Disperse, offers=lambda: [Choice(o.Disperse), Choice(o.Stand)], case="12.52",
        amounts=(("hits", left),), units=tuple(units),
    )  # fmt: skip


# The ask.


def _offers(table: Table) -> list[Choice]:
    found = []
    for h in _attackable(table):
        can = beside(table, h)

        def left(said: Given, can: list[str] = can) -> list[str]:
            return [unit for unit in can if unit not in said.get("units", ())]

        found.append(gather(o.Attack, "units", left, partial(check_attack, table), target=number(table, h)))
        found += [whole(order) for order in _with_tactics(table, number(table, h), can)]
    return [*found, Choice(o.End)]


def _with_tactics(table: Table, target: str, units: Sequence[str]) -> Iterator[o.Attack]:
    """The attack by all with each card that helps, a wild one as each tactic; with the bonus, and one who joins."""
    bare = o.Attack(target=target, units=tuple(units))
    combat = combat_of(table, bare)
    plays = [{"bonus": tactic} for tactic in o.TACTICS] if _bonus(table) else []
    for card in cards.in_hand(table):
        wild = cards.german(table, card)["tactics"] == ["wild"]
        plays += [{"cards": ((card, named),)} for named in (o.TACTICS if wild else ("",))]
    joins = [(), *((unit,) for unit in [*coordinated(table, combat)[:1], *reinforcers(table, combat, GERMAN)][:2])]
    for play in plays if passes(partial(check_attack, table), bare) else ():
        for helpers in joins:
            order = bare.model_copy(update={**play, "helpers": helpers})
            if passes(partial(check_attack, table), order):
                yield order
                break


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    return Ask(
        GERMAN, "attacks", "attacks", "attacks of the active units", (o.Attack, o.End), default=o.End,
        offers=partial(_offers, seen), check=partial(check_attack, seen), case="12.1", top=True,
    )  # fmt: skip
