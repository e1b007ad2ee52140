"""Soviet cards in combat (12.3-b, 12.3-c, 12.31, 12.32, 12.37): drawn, applied, and where they go afterwards."""

from collections.abc import Generator, Sequence
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import Noted, Pooled, Told
from engine.rules.marks import game_mark
from engine.rules.pools import dealt, in_pool, put, shuffled, take
from games.kharkov.data import SOVIET, Table
from games.kharkov.rules import cards
from games.kharkov.rules.combat.situation import Combat
from games.kharkov.rules.combat.tactics import (
    applied,
    barrage,
    benefits,
    coordinated,
    is_stavka,
    join_battle,
    printed,
    soviet_reinforcer,
)
from games.kharkov.rules.ground import ATTACKED
from games.kharkov.rules.reach import MUD


def drawn_card(table: Table) -> Generator[Step, Any, tuple[str, bool]]:
    """12.37: the top card, and whether it is from the deck; with that empty, from the discards, for tactics only."""
    if in_pool(table, cards.SOVIET_PILE):
        card: str = yield from dealt(table, cards.SOVIET_PILE, "12.3")
        return card, True
    if not in_pool(table, cards.TACTICS_ONLY) and in_pool(table, cards.SOVIET_USED):
        discards = in_pool(table, cards.SOVIET_USED)
        yield Pooled(pool=cards.SOVIET_USED, items=(), because="12.37")
        yield from shuffled(table, cards.TACTICS_ONLY, discards, "12.37")
    if not in_pool(table, cards.TACTICS_ONLY):
        return "", False
    card = yield from dealt(table, cards.TACTICS_ONLY, "12.37")
    return card, False


def put_away(table: Table, card: str, *, deck: bool) -> Procedure:
    """12.32: re-use cards go back into the pile, which is shuffled; not with few cards in it, nor in light mud."""
    if card == cards.STAVKA and table.position.turn >= 7:
        yield from put(table, cards.REMOVED, [card], "8.2")
        return
    back = deck and cards.soviet(table, card)["reuse"] and not cards.few_cards(table)
    if back and game_mark(table, "ground") != MUD:
        yield from shuffled(table, cards.SOVIET_PILE, [*in_pool(table, cards.SOVIET_PILE), card], "12.32")
    else:
        yield from put(table, cards.SOVIET_USED, [card], "12.32")


def defence_card(table: Table, combat: Combat) -> Procedure:
    """12.3-c: one card for Soviets who are attacked; what of it applies is applied to the defence."""
    card, deck = yield from drawn_card(table)
    if not card:
        return
    used = []
    for tactic in printed(table, card):
        if tactic == "reinforce battle":
            used += [tactic] if (yield from _reinforced(table, combat)) else []
        elif benefits(table, combat, SOVIET, tactic):
            yield from applied(table, combat, SOVIET, tactic)
            used.append(tactic)
    yield _told(table, card, used)
    yield from put_away(table, card, deck=deck)


def _told(table: Table, card: str, used: Sequence[str]) -> Told:
    said = " and ".join(used) or "no tactic that applies"
    return Told(text=f"The Soviets draw {card} {cards.soviet(table, card)['title']}: {said}.", because="12.3")


def _reinforced(table: Table, combat: Combat):  # type: ignore[no-untyped-def]
    found = soviet_reinforcer(table, combat)
    if found is None:
        return False
    combat.tactics(SOVIET).append("reinforce battle")
    yield from join_battle(table, combat, *found)
    if combat.side == SOVIET:
        yield Noted(subject=found[0], mark=ATTACKED, because="12.1")
    return True


def attack_tactics(table: Table, combat: Combat) -> Procedure:
    """12.3-b a, b: the barrage of the first turns, and STAVKA's NKVD; each with its chit."""
    if barrage(table, combat):
        yield from applied(table, combat, SOVIET, "artillery")
        combat.extra += 1
    if is_stavka(table):
        yield from applied(table, combat, SOVIET, "nkvd")
        combat.extra += 1


def attack_card(table: Table, combat: Combat) -> Procedure:
    """12.3-b c: a drawn card; a chit for each of its tactics, also for those that give nothing."""
    card, deck = yield from drawn_card(table)
    if not card:
        return
    used = yield from _apply(table, combat, printed(table, card))
    combat.extra += len(printed(table, card))
    yield _told(table, card, used)
    yield from put_away(table, card, deck=deck)


def auxiliary(table: Table, combat: Combat) -> Procedure:
    """12.31: the auxiliary card, all or nothing, to the first attack to which all its tactics apply."""
    for card in in_pool(table, cards.AUXILIARY):
        tactics = printed(table, card)
        if not tactics or not auxiliary_applies(table, combat, card):
            return
        used = yield from _apply(table, combat, tactics)
        combat.extra += len(tactics)
        yield Told(text=f"The auxiliary card {card} is applied: {' and '.join(used)}.", because="12.31")
        yield from take(table, cards.AUXILIARY, [card], "12.31")
        yield from put_away(table, card, deck=True)


def auxiliary_applies(table: Table, combat: Combat, card: str) -> bool:
    """12.31: every tactic gives a benefit, and none is a battlefield replacement."""
    tactics = printed(table, card)
    if not tactics or "battlefield replacements" in tactics or len(set(tactics)) != len(tactics):
        return False
    return all(benefits(table, combat, SOVIET, tactic) for tactic in tactics)


def _apply(table: Table, combat: Combat, tactics: Sequence[str]):  # type: ignore[no-untyped-def]
    used = []
    for tactic in tactics:
        if not benefits(table, combat, SOVIET, tactic):
            continue
        used.append(tactic)
        if tactic == "reinforce battle":
            yield from _reinforced(table, combat)
            continue
        joining = coordinated(table, combat) if tactic == "assault coordination" else []
        yield from applied(table, combat, SOVIET, tactic)
        for unit in joining:
            combat.attackers.append(unit)
            combat.joined.add(unit)
            yield Noted(subject=unit, mark=ATTACKED, because="12.1")
    return used
