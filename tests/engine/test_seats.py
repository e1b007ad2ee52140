"""Seats that take other sides: what was said for a side does not pass to whoever has it next."""

from __future__ import annotations

from engine import facts as f
from engine.campaign import Campaign
from engine.drawer import Drawer
from engine.orders.script import read_script
from engine.referee import reveals
from tests.engine.toy import BOOK, toy

SIDES = ("red", "blue")
SWAP = {"red": "blue", "blue": "red"}
TAKEN = [f.SeatTaken(seat="red", side="blue"), f.SeatTaken(seat="blue", side="red")]


def drawer() -> Drawer:
    found = Drawer()
    found.stand("red", "when loss: lose G1")
    found.keep("blue", read_script("move P1 to 0104")[0])
    return found


def test_a_drawer_is_emptied_of_what_others_wrote_when_the_seats_change() -> None:
    found = drawer()
    assert found.change_hands(SWAP, SIDES) == {"red": ["when loss: lose G1"], "blue": ["move P1 to 0104"]}
    assert (found.waiting, found.standing) == ({}, {"red": [], "blue": []})
    assert found.change_hands(SWAP, SIDES) is None


def test_a_drawer_stays_as_it_is_while_nobody_moves() -> None:
    found = drawer()
    before = found.to_json()
    assert found.change_hands({}, SIDES) is None
    assert found.change_hands({"red": "red"}, SIDES) is None
    assert found.to_json() == {**before, "seats": {"red": "red"}}


def test_a_drawer_on_disk_remembers_whose_it_is() -> None:
    found = drawer()
    found.change_hands(SWAP, SIDES)
    found.stand("red", "when loss: ask")
    again = Drawer.from_json(found.to_json(), BOOK)
    assert again.change_hands(SWAP, SIDES) is None
    assert again.change_hands({}, SIDES) == {"red": ["when loss: ask"], "blue": []}


def test_a_rewind_over_a_change_of_seats_hands_back_what_was_said_since() -> None:
    campaign = Campaign.new(None, toy(), seed=7)
    campaign.stand("red", "when loss: lose G1")
    assert campaign.correct(TAKEN).handed_back == {"red": ["when loss: lose G1"], "blue": []}
    campaign.stand("red", "when loss: ask")
    assert campaign.rewind(0).handed_back == {"red": ["when loss: ask"], "blue": []}
    assert campaign.drawer.seats == campaign.position.seats == {}


def test_nobody_takes_back_a_seat_that_was_given() -> None:
    assert all(reveals(fact) for fact in TAKEN)
