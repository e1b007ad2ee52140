"""The head of every report, and what is found wrong with a position that somebody has corrected by hand."""

from __future__ import annotations

import pytest

from engine.cases.deal import bare_position
from engine.facts import Counted, Fact, Marked, Placed, Pooled, StageBegan, TookHex
from engine.position import ELIMINATED, apply
from engine.table import Table
from games.manstein.game import RULEBOOK
from games.manstein.rules.audit import faults
from games.manstein.standing import standing

case = pytest.mark.case
CITIES = ("0218", "1338", "1631", "2305", "2634", "2918")


def table_of(*facts: Fact, turn: int = 3) -> Table:
    game = RULEBOOK.game("campaign")
    position = bare_position(game)
    for fact in (StageBegan(stage="draw", turn=turn, side="soviet"), *facts):
        apply(position, fact)
    return Table(game, position)


@case("manstein", "17.1(2)")
def test_the_head_of_a_report_breaks_the_points_down() -> None:
    table = table_of(
        TookHex(hex="2634", side="soviet"),
        TookHex(hex="1826", side="soviet"),
        Counted(track="vp_destroyed", value=5),
        Counted(track="cup", value=4),
        Counted(track="hand", value=1),
        Counted(track="air", value=2),
    )
    assert standing(table) == [
        ("Turn", "3 of 8"),
        ("Date", "October 1943"),
        ("Soviet victory points", "13 of 65 (cities 8, units destroyed 5)"),
        ("Sudden death", "52 points more at the end of a turn, or a city under an Absolute Order"),
        ("Absolute Orders", "Odessa 0218, Stalino 1338, Dnepropetrovsk 1631, Tarnopol 2305, Kharkov 2634, Kiev 2918"),
        ("Crossing points in Soviet hands", "1"),
        ("Chits", "4 in the cup, 1 in the Axis hand"),
        ("Air markers held", "2"),
    ]


@case("manstein", "17.1(2)")
def test_the_head_of_a_report_is_silent_about_what_there_is_not() -> None:
    lifted = [Marked(subject=f"@{city}", mark="absolute order", value=None) for city in CITIES]
    found = dict(standing(table_of(*lifted)))
    assert found["Soviet victory points"] == "0 of 65"
    assert found["Sudden death"] == "65 points more at the end of a turn"
    assert found["Absolute Orders"] == "none in force"
    assert "Air markers held" not in found


WRONG: dict[str, tuple[Fact, ...]] = {
    "SW is an HQ and eliminated": (Placed(unit="SW", at=ELIMINATED),),
    "too many units in 1234": tuple(Placed(unit=unit, at="1234") for unit in ("57ID", "88ID", "75ID")),
    "57ID is marked 'moved' outside an activation": (
        Placed(unit="57ID", at="1234"),
        Marked(subject="57ID", mark="moved", value=1),
    ),
    "axis stand in 1826 and do not control it": (
        TookHex(hex="1826", side="soviet"),
        Placed(unit="57ID", at="1826"),
    ),
    "an Axis unit stands on the bridgehead in 1234": (
        Placed(unit="57ID", at="1234"),
        Marked(subject="@1234", mark="airhead", value=1),
    ),
    "1 chits are in the cup, not 0": (Pooled(pool="axis cup", items=("6A",), only=("axis",)),),
    "0 chits are held, not 1": (Counted(track="hand", value=1),),
    "markers hartmann, hartmann are held": (
        Pooled(pool="air in hand", items=("hartmann", "hartmann"), only=("axis",)),
        Counted(track="air", value=2),
    ),
    "destroyed units have scored 0 and should have scored 1": (Placed(unit="57ID", at=ELIMINATED),),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_position_that_cannot_be_is_found_out(fault: str) -> None:
    assert faults(table_of(*WRONG[fault])) == [fault]
