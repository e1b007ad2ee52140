"""Soviet cards in combat (12.3-b, 12.3-c, 12.31, 12.32, 12.37): drawn, applied, and where they go afterwards."""

from collections.abc import Generator, Sequence
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import Pooled, Told
from engine.rules.marks import game_mark
from engine.rules.pools import dealt, given_back, in_pool, put, shuffled, take
from games.kharkov.data import SOVIET, Table
from games.kharkov.rules import cards
from games.kharkov.rules.combat.situation import Combat
from games.kharkov.rules.combat.tactics import (
    applied,
    barrage,
    benefits,
    coordinated,
    is_stavka,
    join_attack,
    join_battle,
    printed,
    soviet_reinforcers,
)
from games.kharkov.rules.reach import MUD

TACTICS = "for tactics"  # commands are dealt by another order, whatever was dealt in combats


def drawn_card(table: Table, combat: Combat) -> Generator[Step, Any, str]:
    """12.37: the top card; with the deck empty, one of the discards, for tactics only. None there: nothing."""
    if in_pool(table, cards.SOVIET_PILE):
        card: str = yield from dealt(table, cards.SOVIET_PILE, "12.3", by=TACTICS)
        combat.from_deck.add(card)
    else:
        if not in_pool(table, cards.TACTICS_ONLY) and in_pool(table, cards.SOVIET_USED):
            discards = in_pool(table, cards.SOVIET_USED)
            yield Pooled(pool=cards.SOVIET_USED, items=(), because="12.37")
            yield from shuffled(table, cards.TACTICS_ONLY, discards, "12.37")
        if not in_pool(table, cards.TACTICS_ONLY):
            return ""
        card = yield from dealt(table, cards.TACTICS_ONLY, "12.37")
    yield from put(table, cards.IN_COMBAT, [card], "12.3")
    return card


def put_away(table: Table, combat: Combat) -> Procedure:
    """12.0 step 9, 12.32: cards are discarded; those for re-use go back into the pile, which is shuffled.

    Not with few cards in it, nor in light mud, nor if they were drawn from the discards (12.37).
    """
    for card in in_pool(table, cards.IN_COMBAT):
        yield from take(table, cards.IN_COMBAT, [card], "12.3")
        reuse = card in combat.from_deck and cards.soviet(table, card)["reuse"] and not cards.few_cards(table)
        if card == cards.STAVKA and table.data.on("stavka_leaves", table.position.turn):
            yield from put(table, cards.REMOVED, [card], "8.2")
        elif reuse and game_mark(table, "ground") != MUD:
            yield from given_back(table, cards.SOVIET_PILE, [card], TACTICS, "12.32")
            if card in combat.was_auxiliary:  # dealt for a command, so that order is known to have begun with it
                yield from shuffled(table, cards.SOVIET_PILE, in_pool(table, cards.SOVIET_PILE), "12.32")
        else:
            yield from put(table, cards.SOVIET_USED, [card], "12.3")


def _told(table: Table, card: str, used: Sequence[str]) -> Told:
    said = " and ".join(used) or "no tactic that applies"
    return Told(text=f"The Soviets draw {card} {cards.soviet(table, card)['title']}: {said}.", because="12.3")


def defence_card(table: Table, combat: Combat) -> Procedure:
    """12.3-c: one card for Soviets who are attacked; what of it applies is applied to the defence."""
    card = yield from drawn_card(table, combat)
    if card:
        used = yield from _apply(table, combat, printed(table, card))
        yield _told(table, card, used)


def attack_tactics(table: Table, combat: Combat) -> Procedure:
    """12.35, 12.36: the barrage of the first turns, and STAVKA's NKVD, for every attack; each with its chit."""
    for tactic, on in (("artillery", barrage(table, combat)), ("nkvd", is_stavka(table))):
        if on and tactic not in combat.attack_tactics:
            yield from applied(table, combat, SOVIET, tactic)
            combat.extra += 1


def attack_card(table: Table, combat: Combat) -> Procedure:
    """12.3-b c: a drawn card; a chit for each of its tactics, also for those that give nothing."""
    card = yield from drawn_card(table, combat)
    if card:
        used = yield from _apply(table, combat, printed(table, card))
        combat.extra += len(printed(table, card))
        yield _told(table, card, used)


def auxiliary(table: Table, combat: Combat) -> Procedure:
    """12.31: the auxiliary card, all or nothing, to the first attack to which all its tactics apply."""
    for card in in_pool(table, cards.AUXILIARY):
        if not auxiliary_applies(table, combat, card):
            return
        tactics = printed(table, card)
        yield from take(table, cards.AUXILIARY, [card], "12.31")
        yield from put(table, cards.IN_COMBAT, [card], "12.31")
        combat.from_deck.add(card)
        combat.was_auxiliary.add(card)
        used = yield from _apply(table, combat, tactics)
        combat.extra += len(tactics)
        yield Told(text=f"The auxiliary card {card} is applied: {' and '.join(used)}.", because="12.31")


def auxiliary_applies(table: Table, combat: Combat, card: str) -> bool:
    """12.31: every tactic gives a benefit, and none is a battlefield replacement."""
    tactics = printed(table, card)
    if not tactics or len(set(tactics)) != len(tactics):
        return False
    return all(benefits(table, combat, SOVIET, tactic) for tactic in tactics)


def _apply(table: Table, combat: Combat, tactics: Sequence[str]) -> Generator[Step, Any, list[str]]:
    """The tactics that give a benefit; who joins by one comes at once, and all who can (TAC.assault)."""
    used = []
    for tactic in tactics:
        if not benefits(table, combat, SOVIET, tactic):
            continue
        used.append(tactic)
        joining = coordinated(table, combat) if tactic == "assault coordination" else []
        found = soviet_reinforcers(table, combat) if tactic == "reinforce battle" else None
        yield from applied(table, combat, SOVIET, tactic)
        for unit in joining:
            yield from join_attack(combat, unit)
        if found is not None:
            yield found.told("Reinforce Battle", "brings", "TAC.reinforce")
            for unit in found.best[0]:
                yield from join_battle(table, combat, unit, found.best[1])
    return used
