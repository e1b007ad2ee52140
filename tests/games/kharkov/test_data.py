"""Decks, chits, calendar and units as the rulebook counts them."""

from collections import Counter

import pytest

import games
from games.kharkov.data import tables as read
from games.kharkov.data import turn_in

TABLES = read()


@pytest.mark.case("kharkov", "DECK.G")
def test_the_german_deck() -> None:
    cards = TABLES["german_cards"]
    assert sorted(cards) == [f"P{n}" for n in range(23, 46)]
    assert Counter(row["primary"] for row in cards.values() if row["turn"] == 1) == {True: 5, False: 5}
    assert [row["primary"] for row in cards.values() if row["turn"] == 2] == [False] * 4
    assert cards["P26"]["replace"] == 2
    assert cards["P41"]["formation"] == "LVII"


@pytest.mark.case("kharkov", "DECK.S")
def test_the_soviet_deck() -> None:
    cards = TABLES["soviet_cards"]
    assert sorted(cards) == [f"E{n:02}" for n in range(1, 23)]
    assert Counter(row["turn"] == 1 for row in cards.values()) == {True: 19, False: 3}
    assert {row["turn"] for row in cards.values()} == {1, 2, 3}


@pytest.mark.case("kharkov", "CAL")
def test_the_calendar_has_fourteen_turns_and_levels_from_the_fourth() -> None:
    rows = TABLES["calendar"]
    assert [row["turn"] for row in rows] == list(range(1, 15))
    assert [row["turn"] for row in rows if row.get("loss") or row.get("win")] == list(range(4, 15))
    assert (rows[0]["supplementals"], rows[0]["hand"], rows[1]["supplementals"], rows[1]["hand"]) == (2, 4, 4, 4)


def test_there_are_sixty_chits_and_five_markers_of_the_ground() -> None:
    assert len(TABLES["chits"]) == 60
    assert len(TABLES["ground"]["markers"]) == 5


@pytest.mark.case("kharkov", "OOB", "2.21-h")
def test_no_two_steps_of_an_army_share_a_selector() -> None:
    roster = games.rulebook("kharkov").game("campaign", {}).setting.roster
    borne = Counter((unit.formation, step["selector"]) for unit in roster for step in unit.steps)
    assert [selector for selector, number in borne.items() if number > 1] == []


@pytest.mark.parametrize(
    ("box", "turn", "holds"),
    [("", 1, True), ("3+", 2, False), ("3+", 3, True), ("1-2", 2, True), ("1-2", 3, False), ("7", 7, True),
     ("1-2, 5+", 4, False), ("1-2, 5+", 6, True)],
)  # fmt: skip
def test_a_turn_box_holds_on_its_turns(box: str, turn: int, holds: bool) -> None:
    assert turn_in(box, turn) is holds
