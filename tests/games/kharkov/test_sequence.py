"""The order of a Soviet activation's last steps (4.IV.1-b), which no position alone shows."""

import pytest

import games
from engine.cases.case_file import read_text
from engine.cases.deal import Dealer, game_of
from engine.facts import Fact, StageBegan
from engine.position import apply
from engine.table import Table
from games.kharkov.rules.soviet import rest

# 52 may be placed in Lozovaya, 57G goes back to the reserve, 3 may dig, 18 is dispersed.
POSITION = """case 4.IV.1-b
scenario campaign
turn 8, soviet rest
mark game "support line" "West Line"
count vp 22
took 1910 soviet
box 52/MGP "soviet reserve"
mark 52/MGP active
place 57G/MGP 1710 active; 6/6 1710; 585/320 1709; 3/MGP 1503 active; 18/MGP 1502 active dispersed; 10/MGP 1502
expect turn 8
"""


@pytest.mark.case("kharkov", "4.IV.1-b", "9.0")
def test_reserves_then_removals_then_a_position_then_order() -> None:
    case = read_text(POSITION, "a position")
    game = game_of(case, games.rulebook("kharkov"))
    dealer = Dealer(case, game)
    for said in case.prepared:
        dealer.take(said)
    apply(dealer.position, StageBegan(stage="soviet.rest", turn=8, side="soviet"))
    table = Table(game, dealer.position)
    steps = []
    for fact in rest.rest(table):
        assert isinstance(fact, Fact)
        apply(table.position, fact)
        steps.append((type(fact).__name__, fact.because, getattr(fact, "unit", "") or getattr(fact, "subject", "")))
    wanted = [
        ("Placed", "9.5", "52/MGP"),
        ("Placed", "9.6", "57G/MGP"),
        ("Marked", "9.7", "@1503"),
        ("Marked", "9.0", "18/MGP"),
    ]
    assert [step for step in steps if step in wanted] == wanted, steps
