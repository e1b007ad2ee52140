"""Where a rule gives the chairs to other sides, whoever sits there goes along: mail, reports, reminders, drawers."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import select

import games
from engine.campaign import verify
from engine.dice import secret_from_seed
from pbem.desk.lifecycle import invite
from pbem.house import crash_points as steps
from pbem.store import Due, GameRow, Player, Seat
from tests.pbem.houses import log_of
from tests.pbem.security.office import ANNA, BRUNO, MODERATOR, Office, text_of

GAME = "dnepr"


class Died(BaseException):
    """The process is gone."""


def office(home: Path, axis: str = BRUNO) -> Office:
    """A game whose sides go by a sealed bid; Anna was invited as the Soviets."""
    found = Office(home)
    settings = {"deadline": "48h", "reminders": ["24h"], "pictures": "none"}
    secret, chairs = secret_from_seed(3), {"soviet": ANNA, "axis": axis}
    invite(found.house, GAME, "manstein", "race", chairs, options={"bid": True}, settings=settings, secret=secret)
    for address, side in ((ANNA, "soviet"), (BRUNO, "axis")):
        if address in chairs.values():
            found.mail(address, found.seat(GAME, side), "join nonce herons")
    return found


def holders(found: Office) -> dict[str, str]:
    """Who sits for which side."""
    with found.house.database.begin() as session:
        rows = session.exec(select(Seat).where(Seat.game_id == GAME)).all()
        people = {seat.side: session.get(Player, seat.player_id) for seat in rows if seat.player_id is not None}
    return {side: player.address for side, player in people.items() if player is not None}


def letters(found: list[EmailMessage]) -> dict[str, str]:
    return {str(letter["To"]): text_of(letter) for letter in found}


def bids(found: Office, anna: str, bruno: str) -> dict[str, str]:
    """Both bid, Bruno last: what each of them is told then."""
    found.mail(ANNA, found.seat(GAME, "soviet"), anna)
    return letters(found.mail(BRUNO, found.seat(GAME, "axis"), bruno))


@pytest.mark.case("manstein", "18.1(2)")
def test_the_higher_bid_moves_both_players_to_the_other_side(tmp_path: Path) -> None:
    found = office(tmp_path)
    before = {ANNA: found.seat(GAME, "soviet"), BRUNO: found.seat(GAME, "axis")}
    told = bids(found, "bid 50", "bid 60")
    assert holders(found) == {"axis": ANNA, "soviet": BRUNO}
    assert {ANNA: found.seat(GAME, "axis"), BRUNO: found.seat(GAME, "soviet")} == before
    assert "YOU PLAY AXIS FROM NOW ON" in told[ANNA]
    assert "YOU PLAY SOVIET FROM NOW ON" in told[BRUNO]
    assert "Whoever was Axis plays Soviet from now on." in told[ANNA]
    assert "Place the reserves" in told[ANNA]
    assert "Place the reserves" not in told[BRUNO]


@pytest.mark.case("manstein", "18.1(2)")
def test_where_the_soviets_bid_more_everybody_stays(tmp_path: Path) -> None:
    found = office(tmp_path)
    told = bids(found, "bid 60", "bid 50")
    assert holders(found) == {"soviet": ANNA, "axis": BRUNO}
    assert not any("from now on" in letter for letter in told.values())
    assert "Place the reserves" in told[BRUNO]


def test_each_writes_for_his_new_side_from_the_address_he_had(tmp_path: Path) -> None:
    found = office(tmp_path)
    anna, bruno = found.seat(GAME, "soviet"), found.seat(GAME, "axis")
    bids(found, "bid 50", "bid 60")
    assert "WAITING IN YOUR DRAWER" in letters(found.mail(BRUNO, bruno, "place 355ID at 1338"))[BRUNO]
    assert "1 of 1 done" in letters(found.mail(ANNA, anna, "place 355ID at 1338"))[ANNA]
    lines = log_of(found.house, GAME).read_text(encoding="utf-8").splitlines()
    assert '"by":"axis"' in lines[-1]


def test_what_was_left_for_the_old_side_goes_back_to_its_writer_alone(tmp_path: Path) -> None:
    found = office(tmp_path)
    found.mail(ANNA, found.seat(GAME, "soviet"), "when loss: lose 22G")
    told = bids(found, "bid 50", "when air: no air\nbid 60\nplace 213SEC at 2918")
    assert "when loss: lose 22G" in told[ANNA]
    assert "22G" not in told[BRUNO]
    assert "no air" not in told[ANNA]
    assert "1 of 2 done, 1 not carried out" in told[BRUNO]
    with found.house.database.begin() as session:
        campaign = found.house.campaign(session.get_one(GameRow, GAME))
    assert campaign.drawer.waiting == {}
    assert [*filter(None, campaign.drawer.standing.values())] == []
    assert campaign.position.where["213SEC"] == "reserve"
    none = letters(found.mail(ANNA, found.seat(GAME, "axis"), "standing"))
    assert "None." in none[ANNA]


def test_a_letter_of_old_is_sent_again_to_him_it_was_written_to(tmp_path: Path) -> None:
    found = office(tmp_path)
    bids(found, "bid 50", "bid 60")
    again = letters(found.mail(ANNA, found.seat(GAME, "axis"), "resend 0"))[ANNA]
    assert "You are Soviet, against" in again
    assert "YOUR MOVE: SET-UP" not in again


def test_the_reminder_goes_to_whoever_owes_now(tmp_path: Path) -> None:
    found = office(tmp_path)
    bids(found, "bid 50", "bid 60")
    before = {row.id for row in found.out()}
    found.clock.now += timedelta(hours=30)
    found.service.tick()
    assert [row.to for row in found.out() if row.id not in before] == [ANNA]
    with found.house.database.begin() as session:
        assert [due.side for due in session.exec(select(Due)).all()] == ["axis"]


def test_a_restart_leaves_everybody_where_the_game_has_put_him(tmp_path: Path) -> None:
    found = office(tmp_path)
    bids(found, "bid 50", "bid 60")
    found.house.close()
    again = Office(tmp_path)
    again.clock.now = found.clock.now
    again.service.recover()
    assert holders(again) == {"axis": ANNA, "soviet": BRUNO}
    assert "done" in letters(again.mail(ANNA, again.seat(GAME, "axis"), "place 355ID at 1338"))[ANNA]


def test_a_rewind_before_the_bids_gives_the_chairs_back(tmp_path: Path) -> None:
    found = office(tmp_path)
    bids(found, "bid 50", "bid 60")
    found.mail(ANNA, found.seat(GAME, "axis"), "when retreat: default")
    moderator = found.house.seat_address(moderator_token(found))
    told = letters(found.mail(MODERATOR, moderator, "rewind 0"))
    assert holders(found) == {"soviet": ANNA, "axis": BRUNO}
    assert "YOU PLAY SOVIET FROM NOW ON" in told[ANNA]
    assert "when retreat: default" in told[ANNA]
    assert "YOU PLAY AXIS FROM NOW ON" in told[BRUNO]
    assert "when retreat" not in told[BRUNO]
    assert "1 of 1 taken down" in letters(found.mail(ANNA, found.seat(GAME, "soviet"), "bid 40"))[ANNA]


def moderator_token(found: Office) -> str:
    with found.house.database.begin() as session:
        token: str = session.get_one(GameRow, GAME).moderator_token
    return token


@pytest.mark.parametrize("step", [steps.BEFORE_COMMIT, steps.AFTER_COMMIT])
def test_a_stop_around_the_line_that_moves_them_leaves_nobody_between_two_chairs(step: str, tmp_path: Path) -> None:
    found = office(tmp_path)
    found.mail(ANNA, found.seat(GAME, "soviet"), "bid 50")

    def die(reached: str) -> None:
        if reached == step:
            raise Died

    stop = steps.listen(die)
    with pytest.raises(Died):
        found.mail(BRUNO, found.seat(GAME, "axis"), "bid 60")
    stop()
    found.house.close()
    again = Office(tmp_path)
    again.clock.now = found.clock.now
    again.service.recover()
    moved = step == steps.AFTER_COMMIT
    assert holders(again) == ({"axis": ANNA, "soviet": BRUNO} if moved else {"soviet": ANNA, "axis": BRUNO})
    again.service.deal_with_all()
    assert holders(again) == {"axis": ANNA, "soviet": BRUNO}
    answers = [row.to for row in again.out() if row.key.startswith(("answer/", f"report/{GAME}/1/"))]
    assert answers.count(BRUNO) == 2  # to his joining, and to his bid
    assert verify(log_of(again.house, GAME), games.find_game).faults == []


def test_a_bot_goes_with_its_chair_and_still_wants_to_be_asked(tmp_path: Path) -> None:
    found = office(tmp_path, axis="bot:random")
    told = letters(found.mail(ANNA, found.seat(GAME, "soviet"), "bid 0"))
    assert holders(found) == {"axis": ANNA}
    assert "YOU PLAY AXIS FROM NOW ON" in told[ANNA]
    with found.house.database.begin() as session:
        campaign = found.house.campaign(session.get_one(GameRow, GAME))
    assert campaign.drawer.timed == {"axis"}
    assert [order.line() for order in campaign.drawer.standing["soviet"]] == ["when asked: ask"]
