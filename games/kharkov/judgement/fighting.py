"""Attacks by the hits to be expected, cards in defence, standing or falling back, advances."""

from collections.abc import Sequence

from engine.asks import Ask
from engine.hexes import Hex
from engine.rules.ground import place
from games.kharkov import orders as o
from games.kharkov.data import Table
from games.kharkov.judgement.blows import gain, means, trapped
from games.kharkov.judgement.outlook import worth, zeal
from games.kharkov.rules import cards
from games.kharkov.rules.combat import chits, hits
from games.kharkov.rules.combat.declaration import combat_of, help_of, tactics_played
from games.kharkov.rules.combat.situation import Combat, defenders, drawn
from games.kharkov.rules.deployment import of_corps
from games.kharkov.rules.ground import germans, soviets, steps, strength
from games.kharkov.rules.impulse import under

PER_CARD = 1.1  # what a card is worth kept
HELPS = {
    "screen": 1.0, "intelligence": 1.0, "combat engineers": 0.9, "reinforce battle": 0.4, "panzer battalion": 0.5,
    "artillery": 0.35, "airpower": 0.25,
}  # fmt: skip


def attack(table: Table, order: o.Attack) -> float:
    """What the chits are likely to give, over what they are likely to cost."""
    combat = combat_of(table, order)
    joining = help_of(table, combat, order)
    combat.attack_tactics += tactics_played(table, combat, order)
    combat.extra = len(combat.attack_tactics)
    combat.attackers += joining.near
    a, d = expected(table, combat)
    there = {place(table, unit) for unit in combat.attackers}
    found = gain(table, combat.target, a, d, no_way_back=trapped(table, combat.target, there))
    return zeal(table) * found - spent(table, [card for card, _ in order.cards]) - 0.1


def expected(table: Table, combat: Combat) -> tuple[float, float]:
    """The mean of hits on attacker and defender with all chits drawn (12.4), all of them being in the cup."""
    number = drawn(table, combat)
    a, d = means(table, chits.circumstances(table, combat, number))
    base_a, base_d = hits.raw(table, combat, (), number)
    less_a, less_d, _ = hits.reduced(table, combat, 10, 10)
    return (
        max(0.0, a * number + base_a + less_a - 10),
        max(0.0, d * number + base_d + less_d - 10),
    )


def draw(table: Table, ask: Ask, order: o.Pull) -> float:
    """As many chits as it takes, but a large attack costs more than it gives unless much is lacking."""
    said = dict(ask.amounts)
    own = steps(table, soviets(table, table.grid.hex(ask.subject)))
    most, number = own + said["left"], own + order.chits
    if said["hits"] >= own + 2:
        return 5.0 - order.chits
    large = table.data.tables["chits_drawn"]["large"]["german"]
    return 5.0 + order.chits - (2.0 if number >= large and most <= large + 1 else 0.0)


def spent(table: Table, played: Sequence[str]) -> float:
    """What cards are worth that would be played: more if reserves wait for them, less if the enemy is through."""
    worth_ = PER_CARD if cards.pile_left(table) else PER_CARD / 2
    return sum(worth_ + 0.8 * waiting(table, card) for card in played)


def waiting(table: Table, card: str) -> int:
    """The reserves that a card could bring on."""
    return max((len(of_corps(table, [corps])) for corps in under(table, card)), default=0)


def stake(table: Table, h: Hex) -> float:
    """What is lost with a hex."""
    return 0.8 * table.data.points.get(h, 0) + 0.1 * steps(table, germans(table, h))


def defend(table: Table, ask: Ask, order: o.Defend) -> float:
    """A card where much is at stake and the odds are such that it helps."""
    h = table.grid.hex(ask.subject)
    ratio = dict(ask.amounts).get("ratio", 0)
    best = 0.0
    for card, named in order.cards:
        own = cards.german(table, card)["tactics"]
        best += sum(HELPS.get(tactic, 0.0) for tactic in ([named] if own == ["wild"] else own))
    best += 0.1 * strength(table, order.helpers)
    if ratio > 6 and steps(table, ask.units) <= 3:
        return -1.0  # lost anyhow
    return stake(table, h) * best - spent(table, [card for card, _ in order.cards])


def stand(table: Table, ask: Ask) -> float:
    """To take the hits as steps: good where the hex is worth more than they are."""
    said = dict(ask.amounts)
    hit, own = said["hits"], said["steps"]
    h = table.grid.hex(ask.subject)
    if hit >= own:
        return 1.0
    return 10.0 + 1.6 * table.data.points.get(h, 0) - 0.5 * hit - (0.5 if hit * 2 > own else 0.0)


def retreat(table: Table, ask: Ask, order: o.Retreat) -> float:
    """To fall back: what is spared, less what the new hex is worse."""
    said = dict(ask.amounts)
    hit, own = said["hits"], said["steps"]
    if not order.paths:
        return 0.0
    longest = max(len(way) for _, way in order.paths)
    lost = hit - longest
    if lost >= own:
        return 1.0
    there = sum(worth(table, unit, table.grid.hex(way[-1])) for unit, way in order.paths) / len(order.paths)
    return 10.0 - 0.5 * lost - (0.4 if longest > 1 else 0.0) + 0.2 * there


def advance(table: Table, order: o.Advance) -> float:
    """As a move: where the units would be of more use."""
    found = 0.0
    for unit, path in order.paths:
        if path:
            found += worth(table, unit, table.grid.hex(path[-1])) - worth(table, unit, place(table, unit))
    return found
