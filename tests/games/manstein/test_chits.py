"""Chits, bids and standing orders: sweeps over turns, what stays secret, and whole turns answered beforehand."""

from __future__ import annotations

import pytest

from engine.campaign import Campaign
from engine.cases.deal import bare_position
from engine.facts import Placed, StageBegan
from engine.log import items
from engine.position import apply
from engine.refusals import Unclear
from engine.table import Table
from games.manstein.game import RULEBOOK
from games.manstein.rules.chits import select, wanted
from tests.games.manstein.second_turn import answer_one, second_turn

case = pytest.mark.case
CROSSINGS = ("2918", "2421", "2222", "1826", "1827", "1631")
GARRISONS = ("88ID", "75ID", "68ID", "57ID", "255ID", "332ID")


def selecting(turn: int) -> Table:
    """A selection phase with every crossing point garrisoned."""
    game = RULEBOOK.game("campaign")
    position = bare_position(game)
    apply(position, StageBegan(stage="select", turn=turn, side="soviet"))
    for spot, unit in zip(CROSSINGS, GARRISONS, strict=True):
        apply(position, Placed(unit=unit, at=spot))
    return Table(game, position)


@case("manstein", "6.2(1)-a")
@case("manstein", "6.2(2)")
def test_each_side_selects_its_number_on_every_turn() -> None:
    track = selecting(1).data.tables["turn_track"]["turns"]
    for row in track:
        assert wanted(selecting(row["turn"]), "axis") == row["axis_com"]
        assert wanted(selecting(row["turn"]), "soviet") == 6


@case("manstein", "6.2(1)-b")
@case("manstein", "6.3(3)-b")
@case("manstein", "7.2(3)-b")
@pytest.mark.parametrize(("turn", "selections"), [(2, 10), (3, 14), (5, 56)])
def test_the_soviets_have_just_so_many_selections(turn: int, selections: int) -> None:
    # Four Fronts and two of the five or six chits left; Zhukov adds himself as the fifth, or in the place of a Front.
    ask = next(select(selecting(turn))).asks[0]  # type: ignore[union-attr]
    assert len({choice.line() for choice in ask.choices()}) == selections


@case("manstein", "6.1(1)")
@case("manstein", "6.1(4)")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_the_soviets_are_told_of_a_draw_does_not_depend_on_what_is_held(seed: int) -> None:
    told = []
    for held in ("6A", "Manstein"):
        campaign = second_turn(f"select 1PzA, 4PzA, 6A, Manstein hold {held}", seed=seed)
        assert campaign.position.mark("game", "drawn") not in ("6A", "Manstein")  # the cups differ only in these
        seen = [item for line in campaign.export("soviet") for item in items(line)]
        told.append([(item.kind, item.body) for item in seen])
    assert told[0] == told[1]


@case("manstein", "6.1(1-2)")
@case("manstein", "7.4(1)")
@case("manstein", "7.4(4)")
def test_a_whole_turn_is_answered_by_standing_orders() -> None:
    campaign = second_turn(
        "select 1PzA, 6A, 8A, Manstein hold 6A, Manstein",
        "when holding: enter 6A if cup is 4 or less, else pass",
        "when drawn: pass",
        "when drawn for Reinf: interrupt if cup is 2 or more, else pass",
        "when cup empty: interrupt if manstein is 1 or more, else pass",
    )
    asked = []
    while campaign.position.turn == 2:
        asked.append(answer_one(campaign))
    mine = [name for side, name in asked if side == "axis"]
    assert mine.count("command") == 1  # Manstein was played once, at Reinf or at the empty cup
    assert mine.count("mode") == 3  # the three HQ chits came, 6A among them
    assert set(mine) == {"command", "mode"}


@case("manstein", "7.4(1)")
def test_a_standing_order_names_a_chit_and_nothing_else() -> None:
    campaign = Campaign.new(None, RULEBOOK.game("race"), seed=1)
    for chit in ("Vrnz", "1ukr", "Reinf", "Supply", "Zhukov", "Manstein"):
        assert campaign.stand("axis", f"when drawn for {chit}: ask").subject == chit
    with pytest.raises(Unclear):
        campaign.stand("axis", "when drawn for Rokossovsky: ask")
    with pytest.raises(Unclear):
        campaign.stand("axis", "when holding for Reinf: pass")


@case("manstein", "7.4(1)")
def test_no_standing_order_makes_a_pause_depend_on_a_held_manstein() -> None:
    campaign = Campaign.new(None, RULEBOOK.game("race"), seed=1)
    with pytest.raises(Unclear, match="cup or hand"):
        campaign.stand("axis", "when drawn: ask if manstein is 1 or more, else pass")


@case("manstein", "18.1(2)")
@pytest.mark.parametrize(
    ("soviet", "axis", "seats"),
    [(61, 60, {}), (60, 61, {"axis": "soviet", "soviet": "axis"}), (0, 200, {"axis": "soviet", "soviet": "axis"})],
)
def test_the_chairs_change_when_the_axis_chair_bids_more(soviet: int, axis: int, seats: dict[str, str]) -> None:
    campaign = Campaign.new(None, RULEBOOK.game("race", {"bid": True}), seed=1)
    campaign.submit("soviet", f"bid {soviet}")
    assert "bid" not in campaign.position.tracks
    campaign.submit("axis", f"bid {axis}")
    assert campaign.position.seats == seats
    assert campaign.position.tracks["bid"] == max(soviet, axis)


@case("manstein", "18.1(1)")
def test_a_bid_is_in_nobodys_log_before_both_are_in() -> None:
    campaign = Campaign.new(None, RULEBOOK.game("race", {"bid": True}), seed=1)
    campaign.submit("soviet", "bid 67")
    seen = [item for line in campaign.export("axis") for item in items(line)]
    assert not [item for item in seen if item.kind == "answer"]
