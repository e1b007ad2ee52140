"""Onlookers get what is open to all, and not before its time."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

import games
from pbem.moderator import Act, CannotModerate, arranging, listing, ruling, setting_up
from pbem.moderator.act import WrongState
from pbem.service.spectators import report_to_spectators
from pbem.store import Spectator
from pbem.wording.naming import side_title
from tests.pbem.desk import office as desk
from tests.pbem.moderator.moderated import GAME, Moderated, text_of
from tests.pbem.security.office import ANNA, BRUNO, MALLORY, read

CLARA = "clara@players.example"


def to_clara(office: Moderated) -> list[str]:
    return [text_of(row.raw) for row in office.out() if row.to == CLARA]


def test_an_onlooker_is_told_once_what_he_looks_on_at(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    assert "you get its public reports, as they are made" in " ".join(to_clara(office)[0].split())
    with pytest.raises(CannotModerate, match="looks on at mill already"):
        office.do(arranging.announce_spectator, GAME, CLARA)


def test_reports_come_with_the_delay_and_each_line_once(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA, 24)
    office.do(ruling.act_for, GAME, "soviet", "end")
    assert report_to_spectators(office.house) == 0
    office.clock.now += timedelta(hours=25)
    assert report_to_spectators(office.house) == 1
    assert report_to_spectators(office.house) == 0
    assert len(to_clara(office)) == 2
    assert "LOOKING ON: TURN 1" in to_clara(office)[1]


def test_nothing_hidden_from_a_side_reaches_an_onlooker(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    unit = next(iter(office.campaign().position.on_map("german")))
    office.do(ruling.correct, GAME, f"german only: mark {unit} blessed")
    report_to_spectators(office.house)
    assert len(to_clara(office)) == 2
    assert all("blessed" not in letter for letter in to_clara(office))


def test_an_onlooker_cannot_write_for_anybody(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    head = office.head(GAME)
    office.mail(CLARA, office.seat(GAME, "soviet"), "end")
    assert office.head(GAME) == head


def own_address(office: Moderated) -> str:
    """Where the onlooker's answer goes, by the last letter he got."""
    return str(next(read(row.raw)["Reply-To"] for row in reversed(office.out()) if row.to == CLARA))


@pytest.mark.parametrize(
    ("text", "subject"), [("leave", "Re: a report"), ("Leave.\n\n-- \nClara", "x"), ("", "unsubscribe")]
)
def test_an_onlooker_can_leave_by_mail_and_hears_no_more(office: Moderated, text: str, subject: str) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    office.do(ruling.act_for, GAME, "soviet", "end")
    report_to_spectators(office.house)
    (answer,) = office.mail(CLARA, own_address(office), text, subject)
    assert str(answer["To"]) == CLARA
    assert "YOU LOOK ON NO MORE" in str(answer.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    office.do(ruling.act_for, GAME, "soviet", "end")
    assert report_to_spectators(office.house) == 0
    assert not [line for line in office.do(listing.show, GAME) if "looks on" in line]


def test_what_else_an_onlooker_writes_is_answered_and_does_nothing(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    head = office.head(GAME)
    (answer,) = office.mail(CLARA, own_address(office), "resign for good\nmoderator close")
    said = " ".join(text_of(bytes(answer)).split())
    assert "who looks on cannot write for anybody" in said
    assert "`leave`" in said
    assert office.head(GAME) == head
    assert office.row_of().state == "playing"


def test_nobody_else_can_make_an_onlooker_leave(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    for sender in (MALLORY, BRUNO):
        office.mail(sender, own_address(office), "leave")
    with office.house.database.begin() as session:
        assert session.exec(select(Spectator.address)).all() == [CLARA]


def test_the_moderator_can_show_an_onlooker_out(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    assert office.do(arranging.announce_spectator, GAME, CLARA, leave=True) == [f"{CLARA} looks on at mill no more."]
    with pytest.raises(CannotModerate, match="does not look on"):
        office.do(arranging.announce_spectator, GAME, CLARA, leave=True)
    office.do(arranging.close, GAME)
    with pytest.raises(WrongState, match="nothing to look on at"):
        office.do(arranging.announce_spectator, GAME, CLARA)


def test_onlookers_of_a_new_game_are_welcomed_and_hear_when_it_comes_to_nothing(office: Moderated) -> None:
    chairs = ["--soviet", ANNA, "--german", BRUNO]
    office.do(setting_up.new, "korsun_spi", chairs, "proving", name="weir", spectator=[CLARA], delay=24)
    (welcome,) = to_clara(office)
    said = " ".join(welcome.split())
    assert "It has not begun. " in said
    assert "Once it has begun you get its public reports, 24 hours after they are made" in said
    assert "anna (Soviet) against bruno (German)" in said
    assert "@players" not in said
    office.do(arranging.close, "weir")
    assert report_to_spectators(office.house) == 1
    assert "it was called off" in to_clara(office)[-1]
    assert report_to_spectators(office.house) == 0


@pytest.mark.parametrize("rulebook", games.titles())
@pytest.mark.parametrize("hours", [0, 24])
def test_in_every_game_a_report_says_what_is_so(rulebook: str, hours: int, tmp_path: Path) -> None:
    office = desk.Office(tmp_path, rulebook=rulebook)
    office.begin()
    with office.house.transaction() as session:
        arranging.announce_spectator(Act(office.house, session), office.name, CLARA, hours)
    for _ in range(2):
        for ask in office.house.campaign(office.game()).asks:  # one, or both sides at once
            office.mail(ask.side, ask.default().line(), minutes=60 * 25)
    report_to_spectators(office.house)
    (letter,) = (desk.text_of(row) for row in office.letters() if row.key.startswith("spectator"))
    assert "LOOKING ON: TURN " in letter
    assert "the game is over" not in letter
    asked = office.house.campaign(office.game()).asks
    assert ("has gone on since" in letter) == bool(hours)
    for ask in asked:
        said = "must answer what is hidden from you" if ask.hidden else "is to move: " if ask.top else "is asked: "
        assert (f"({side_title(ask.side)}) {said}" in " ".join(letter.split())) != bool(hours)
    assert "YOUR ORDERS" not in letter.upper()
    assert letter.rstrip().endswith("leave")
