"""What may be said of an attack, step by step: whom, with whom, by which cards and tactics, who joins, and where."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from engine.asks import Ask
from engine.orders.choice import Choice, Given, gather, whole
from engine.refusals import passes
from engine.rules.ground import number
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.rules import cards
from games.kharkov.rules.combat.declaration import (
    attackable,
    beside,
    check_attack,
    combat_of,
    has_bonus,
    help_of,
    spots_of,
)
from games.kharkov.rules.combat.tactics import coordinated, plays, reinforcers, tactics_of, useful


def attack_ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    return Ask(
        GERMAN, "attacks", "attacks", "attacks of the active units", (o.Attack, o.End), default=o.End,
        offers=partial(_offers, seen), check=partial(check_attack, seen), case="12.1", top=True,
        onward=(o.Dig, *o.COMMANDS), course="impulse",
    )  # fmt: skip


def _offers(table: Table) -> list[Choice]:
    found = []
    for h in attackable(table):
        can, target = beside(table, h), number(table, h)

        def left(said: Given, can: list[str] = can) -> list[str]:
            return [unit for unit in can if unit not in said.get("units", ())]

        ok = partial(check_attack, table)
        found.append(gather(o.Attack, "units", left, ok, partial(_means, table), target=target))
        found += [whole(order) for order in _with_one_card(table, target, can)]
    return [*found, Choice(o.End)]


def _with_one_card(table: Table, target: str, units: Sequence[str]) -> Iterator[o.Attack]:
    """At hand for whoever looks no farther: the attack by all with each card that helps, or with the bonus."""
    bare = o.Attack(target=target, units=tuple(units))
    combat, ok = combat_of(table, bare), partial(check_attack, table)
    if not passes(ok, bare):
        return
    added: list[dict[str, Any]] = [{"bonus": tactic} for tactic in o.TACTICS] if has_bonus(table) else []
    added += [{"cards": (play,)} for card in cards.in_hand(table) for play in plays(table, card)]
    joins = [(), *((unit,) for unit in [*coordinated(table, combat)[:1], *reinforcers(table, combat, GERMAN)][:2])]
    for play in added:
        for helpers in joins:
            order = bare.model_copy(update={**play, "helpers": helpers})
            if passes(ok, order):
                yield order
                break


# One thing after another.


def _means(table: Table, said: Given) -> list[Choice]:
    """The attackers are named: cards, or the bonus."""
    ok = partial(check_attack, table)
    if not passes(ok, o.Attack(**said)):
        return []
    some = gather(o.Attack, "cards", partial(_playable, table), ok, partial(_after_cards, table), **said)
    return [*some.following(), *_bonuses(table, said)]


def _after_cards(table: Table, said: Given) -> list[Choice]:
    return [*_bonuses(table, said), *_helpers(table, said)]


def _bonuses(table: Table, said: Given) -> Iterator[Choice]:
    """12.34: each tactic that gives something beside the cards."""
    for tactic in o.TACTICS if has_bonus(table) else ():
        given = {**said, "bonus": tactic}
        if all(_gives(table, given)):
            whole_ = passes(partial(check_attack, table), o.Attack(**given))
            yield Choice(o.Attack, given, complete=whole_, also=partial(_helpers, table, given))


def _gives(table: Table, said: Given) -> list[list[str]]:
    """12.3: what each card, and the bonus, would give."""
    offered = [tactics_of(table, card, named) for card, named in said.get("cards", ())]
    offered += [[said["bonus"]]] if said.get("bonus") else []
    return useful(table, combat_of(table, o.Attack(target=said["target"], units=said["units"])), GERMAN, offered)


def _playable(table: Table, said: Given) -> Iterator[tuple[str, str]]:
    before = said.get("cards", ())
    for card in cards.in_hand(table):
        if card not in dict(before):
            for play in plays(table, card):
                if all(_gives(table, {**said, "cards": (*before, play)})):
                    yield play


def _helpers(table: Table, said: Given) -> list[Choice]:
    ok = partial(check_attack, table)
    return gather(o.Attack, "helpers", partial(_joining, table), ok, partial(_places, table), **said).following()


def _joining(table: Table, said: Given) -> Iterator[str]:
    """Who may still join by the tactics that are played."""
    tactics = [tactic for given in _gives(table, said) for tactic in given]
    before = tuple(said.get("helpers", ()))
    combat = combat_of(table, o.Attack(target=said["target"], units=said["units"]))
    can = coordinated(table, combat) if "assault coordination" in tactics else []
    can = [*can, *(reinforcers(table, combat, GERMAN) if "reinforce battle" in tactics else ())]
    for unit in can:
        order = o.Attack(**{**said, "helpers": (*before, unit)})
        if unit not in before and passes(partial(help_of, table, combat), order):
            yield unit


def _places(table: Table, said: Given) -> list[Choice]:
    """Where those who come from afar may join."""
    order = o.Attack(**said)
    spots = spots_of(table, combat_of(table, order), order)
    found = (order.model_copy(update={"into": number(table, h)}) for h in spots)
    return [whole(each) for each in found if passes(partial(check_attack, table), each)]
