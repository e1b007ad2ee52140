"""Where a sensible Soviet player flies: for attacks that are made with support, by a Front that makes them."""

import pytest

import games
from engine.facts import Counted, Fact, Marked, Noted, Placed, StageBegan
from engine.position import apply
from engine.table import Table
from games.jaws.data import SOVIET, Data
from games.jaws.judgement.fighting import flown
from games.jaws.orders.combat import Cas, NoCas

BESIDE_4440 = (Placed(unit="340RD", at="4441"), Placed(unit="62GRD", at="4541"), Placed(unit="105/72", at="4440"))


def dealt(*happened: Fact) -> Table[Data]:
    """4440 is declared; a division of each Front stands beside it, and the 2nd has more missions."""
    game = games.rulebook("jaws").game("campaign", {})
    position = game.new_position()
    for unit in game.setting.roster:
        apply(position, Placed(unit=unit.id, at="unused"))
    begun = [
        StageBegan(stage="soviet.declaration", turn=3, side=SOVIET),
        Marked(subject="@4440", mark="declared", value="open"),
        Counted(track="sp SDM-40A-1", value=3),
        Counted(track="air 1Uk", value=1),
        Counted(track="air 2Uk", value=3),
    ]
    for fact in (*begun, *BESIDE_4440, *happened):
        apply(position, fact)
    return Table(game, position)


@pytest.mark.case("jaws", "6.2-5")
def test_the_front_flies_that_attacks_with_support() -> None:
    fed = Noted(subject="340RD", mark="supplied", value="SDM-40A-1")
    assert flown(dealt(fed), SOVIET) == Cas(hexes=("4440",), first=("4440",))


@pytest.mark.case("jaws", "6.2-5")
def test_nobody_flies_for_an_attack_without_support() -> None:
    assert flown(dealt(), SOVIET) == NoCas()
