"""Forecasts against fights: what was foretold of ten combats comes about as often as it was said.

The combats have between them every kind of shift. A few hundred of each are fought in the tests; with FIGHTS in the
environment, as `FIGHTS=10000 pytest tests/games/jaws/test_frequencies.py`, as many as that, to a point and a half.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from random import Random

import pytest

import games
from engine.asks import Ask, Roll
from engine.cases.case_file import read_text
from engine.cases.deal import Dealer, Dealt
from engine.facts import Fact, Fought
from engine.position import apply
from engine.table import Table
from games.jaws.data import GERMAN, SOVIET
from games.jaws.orders.combat import Attack
from games.jaws.rules.combat.attack import resolve
from games.jaws.rules.combat.forecast import forecast

FIGHTS = int(os.environ.get("FIGHTS", "150"))
CLOSE = 0.015 if FIGHTS >= 10_000 else 0.12  # how far the share of a result may be from its chance

SUPPLY = 'count "sp SDM-4GA-1" 3\ncount "sp SDM-11K-1" 3\ncount "sp SDM-47PzK-1" 3\n'
FED = "supplied=SDM-4GA-1"
# The shift that each is about, the side that attacks, its position, its order.
COMBATS = {
    "Soviet divisions": (SOVIET, f"place 62GRD 4441 {FED}; 105/72 4440", "attack 4440 from 4441"),
    "barrage": (SOVIET, f'place 62GRD 4441 {FED}; 105/72 4440\nmark @4440 barrage "4GA 3"', "attack 4440 from 4441"),
    "combined arms of the attack": (SOVIET, "place 155TB 4441; 105/72 4440 lost 2", "attack 4440 from 4441"),
    "combined arms of the defence": (
        SOVIET, f"place 62GRD 4441 {FED}; 105/72 4440; StuG239 4440", "attack 4440 from 4441"
    ),
    "armor superiority": (GERMAN, "place I-36/14Pz 4441; 155TB 4440 lost 1", "attack 4440 from 4441"),
    "hilltop": (SOVIET, f"place 62GRD 3507 {FED}; 105/72 3508", "attack 3508 from 3507"),
    "assault engineers": (
        SOVIET, f"place 62GRD 4441 {FED}; 48EngA 4441 {FED}; 105/72 4440", "attack 4440 from 4441 engineer 48EngA"
    ),
    "minefield": (
        GERMAN,
        "place 586/320 4823 supplied=SDM-47PzK-1; 62GRD 4822 lost 3\nmark @4822 minefield laid\n"
        "mark @4822/4823 mines 4822",
        "attack 4822 from 4823",
    ),
    "out of supply": (SOVIET, "place 62GRD 4441 oos=2; 105/72 4440 oos=2; Fus72 4440", "attack 4440 from 4441"),
    "artillery and air support": (
        GERMAN,
        "place 105/72 4441 supplied=SDM-11K-1; Art72 4442; I-108Art 4442; 62GRD 4440 lost 2\n"
        'count "air german" 2\npool "cas german" 0/0 1/0 1/1 2/1 3/2\n'
        'pool "cas soviet" 0/0 1/1 2/2\nmark @4440 cas 2Uk',
        "attack 4440 from 4441 guns Art72, I-108Art air",
    ),
}  # fmt: skip


@cache
def dealt(name: str) -> tuple[Table, str, Attack]:
    """A combat laid out, with its order."""
    side, laid, line = COMBATS[name]
    target = line.split()[1]
    text = f"case 12.0\nturn 2, {side} combat\n{SUPPLY}{laid}\nmark @{target} declared open\nexpect turn 2\n"
    case = read_text(text, "a.case")
    dealer = Dealer(case, games.rulebook("jaws").game("konev", {}))
    for said in case.prepared:
        dealer.take(said)
    found: Dealt = dealer.dealt()
    table = Table(found.game, found.position)
    for fact in found.game.enter(table, f"{side}.combat", 2):
        assert isinstance(fact, Fact)
        apply(table.position, fact)
    order = table.game.book.read(line, table.reading(side))
    assert isinstance(order, Attack)
    return table, side, order


def fight(table: Table, side: str, order: Attack, dice: Random) -> str:
    """One combat to its result, by the rules themselves; nobody adds what he is not asked to."""
    now = table.suppose([])
    steps, value = resolve(now, side, order), None
    while True:
        step = steps.send(value)
        value = None
        if isinstance(step, Fought):
            return step.result
        if isinstance(step, Fact):
            apply(now.position, step)
        elif isinstance(step, Roll):
            value = dice.randint(1, step.sides)
        else:
            assert isinstance(step, Ask)
            value = step.default()


@pytest.mark.case("jaws", "12.0", "12.12")
@pytest.mark.parametrize("name", COMBATS)
def test_results_come_as_often_as_they_were_foretold(name: str) -> None:
    table, side, order = dealt(name)
    found = forecast(table, side, order)
    words = " ".join(line.what for line in found.working)
    assert all(word in words for word in name.removesuffix("artillery and air support").split()), words
    dice = Random(name)
    came = Counter(fight(table, side, order, dice) for _ in range(FIGHTS))
    chances = dict(found.chances)
    assert set(came) <= set(chances)
    for result, chance in chances.items():
        assert abs(came[result] / FIGHTS - float(chance)) < CLOSE, (result, float(chance), came[result] / FIGHTS)
    assert sum(chances.values()) == 1
