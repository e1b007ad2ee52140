"""What is tied to an order has not happened yet: it lies in the drawer, and nobody else can read it."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from engine.campaign import Campaign, verify
from engine.campaign.errors import CannotResume
from engine.log.sidecar import beside
from tests.engine.ford import ATTACK, begun
from tests.engine.toy import toy

TIED = "advance G2; then move T-34 0301 0302; else move T-34 0202"


def asked_after_the_attack(path: Path | None, tied: str = TIED) -> Campaign:
    """Red has attacked with something tied to it, and blue must say how he takes his loss."""
    for seed in count(1):
        campaign = begun(seed=seed)
        campaign.submit("red", f"{ATTACK}; {tied}")
        if [(ask.side, ask.name) for ask in campaign.asks] == [("blue", "loss")]:
            break
    if path is None:
        return campaign
    campaign.save(path)
    return Campaign.open(path, toy)


def test_nobody_else_can_read_what_is_tied_to_an_open_order() -> None:
    one, other = asked_after_the_attack(None, "lose G1"), asked_after_the_attack(None)
    assert one.export("blue") == other.export("blue")


@pytest.mark.parametrize("cached", [True, False])
def test_what_is_tied_outlives_a_stop(tmp_path: Path, cached: bool) -> None:
    path = tmp_path / "ford.jsonl"
    asked_after_the_attack(path)
    if not cached:
        beside(path, "checkpoint").unlink()
    campaign = Campaign.open(path, toy)
    campaign.submit("blue", "retreat P1 0104")
    assert campaign.position.where["G2"] == "0103"
    assert campaign.position.where["T-34"] == "0302"
    assert verify(path, toy).ok


def test_a_mail_that_comes_back_does_not_untie_anything() -> None:
    campaign = asked_after_the_attack(None)
    assert campaign.submit("blue", "retreat P1 0606").refused
    campaign.submit("blue", "retreat P1 0104")
    assert campaign.position.where["G2"] == "0103"


def test_what_is_tied_comes_back_from_a_future_that_is_gone() -> None:
    campaign = asked_after_the_attack(None)
    # Back to this very question: only what waited for the future goes.
    taken = campaign.rewind(campaign.count - 1).taken_out
    assert taken["red"] == [
        "advance G2", "if 0103 is cleared:", "move T-34 0301, 0302", "else:", "move T-34 0202", "end if",
    ]  # fmt: skip
    campaign.submit("blue", "retreat P1 0104")
    assert campaign.position.where["G2"] == "0102"


def test_what_is_tied_can_be_withdrawn() -> None:
    campaign = asked_after_the_attack(None)
    assert campaign.withdraw("red")[0] == "advance G2"
    campaign.submit("blue", "retreat P1 0104")
    assert campaign.position.where["G2"] == "0102"


def test_a_rewind_that_cannot_be_done_unties_nothing() -> None:
    campaign = asked_after_the_attack(None)
    with pytest.raises(CannotResume):
        campaign.rewind(campaign.count - 1, point=2)
    campaign.submit("blue", "retreat P1 0104")
    assert campaign.position.where["G2"] == "0103"


def test_what_is_laid_ahead_takes_the_place_of_lines_and_not_of_what_is_tied() -> None:
    campaign = asked_after_the_attack(None)
    campaign.lay_ahead("red", "dig G1")
    campaign.submit("blue", "retreat P1 0104")
    assert campaign.position.where["G2"] == "0103"
