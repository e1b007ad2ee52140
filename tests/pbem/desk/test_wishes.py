"""What a player wants otherwise: his clock, guessed from his mail and his by his word; no reminders, and a button."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import select

from pbem.clock.time_zones import PEOPLED, find_zone, likely_zones
from pbem.moderator import Act
from pbem.moderator.arranging import announce_spectator
from pbem.service.spectators import report_to_spectators
from pbem.store import MailOut, Player
from tests.pbem.desk.office import ADDRESS, PEOPLE, Office, message_of, text_of
from tests.pbem.received import receive

ANNA = PEOPLE["soviet"]
LOOKER = "carl@hill.example"


class Dated(Office):
    """An office to which mails come with a Date of the writer's own clock."""

    date = ""

    def raw(self, *given: Any, **more: str) -> bytes:
        raw = super().raw(*given, **more)
        return f"Date: {self.date}\n".encode() + raw if self.date else raw

    def at(self, zone: str) -> Dated:
        self.date = format_datetime((self.now + timedelta(minutes=10)).astimezone(ZoneInfo(zone)))
        return self

    def said(self, text: str) -> str:
        (row,) = [row for row in self.mail("soviet", text) if row.key.startswith("answer/")]
        return " ".join(text_of(row).split())

    def zone(self) -> str:
        with self.house.database.begin() as session:
            return session.exec(select(Player.zone).where(Player.address == ANNA)).one()


@pytest.fixture
def office(tmp_path: Path) -> Dated:
    office = Dated(tmp_path)
    office.invite({"deadline": "48h"})
    return office


ASKED = "Your mail's clock is"


def test_a_clock_is_proposed_once_and_taken_by_the_player_s_word(office: Dated) -> None:
    said = office.at("Europe/Kyiv").said("join")
    assert f"{ASKED} 2 hours ahead of UTC; times in your letters are told in UTC. Write `zone Europe/Kyiv`" in said
    assert office.zone() == "UTC"
    assert ASKED not in office.at("Europe/Kyiv").said("status")
    assert "Times in your letters are those of Europe/Kyiv." in office.said("zone kyiv")
    assert office.zone() == "Europe/Kyiv"


@pytest.mark.parametrize("text", ["join zone Berlin", "join zone UTC", "join\nzone UTC"])
def test_who_names_his_clock_is_not_asked(office: Dated, text: str) -> None:
    assert ASKED not in office.at("Asia/Tokyo").said(text)
    assert ASKED not in office.at("Asia/Tokyo").said("status")


@pytest.mark.parametrize(
    "date",
    [
        "",
        "yesterday",
        "Mon, 05 Jan 2026 12:10:00 -0000",  # says that its zone is not known
        "Mon, 05 Jan 2026 12:10:00 +0000",
        "Thu, 05 Jan 2023 14:10:00 +0200",  # a clock that is years behind says nothing
        "Mon, 05 Jan 2026 12:10:00 +0017",
    ],
)
def test_a_mail_without_a_clock_asks_nothing(office: Dated, date: str) -> None:
    office.date = date
    assert ASKED not in office.said("join")
    assert "asked this once" in office.at("Asia/Kolkata").said("status")


def test_half_hours_and_clocks_behind_are_said_in_words(office: Dated) -> None:
    assert "5:30 hours ahead of UTC" in office.at("Asia/Kolkata").said("join")
    office.now += timedelta(1)
    (row,) = [
        row
        for row in office.at("America/St_Johns").mail("german", "join")
        if row.to == PEOPLE["german"] and row.key.startswith("answer")
    ]
    assert "3:30 hours behind UTC" in " ".join(text_of(row).split())


def test_zones_go_by_the_season() -> None:
    winter, summer = datetime(2026, 1, 5, 12, tzinfo=UTC), datetime(2026, 7, 5, 12, tzinfo=UTC)
    assert likely_zones(timedelta(hours=2), summer)[0] == "Europe/Berlin"
    assert likely_zones(timedelta(hours=2), winter)[0] == "Europe/Kyiv"
    assert likely_zones(timedelta(hours=1), winter)[0] == "Europe/Berlin"
    assert likely_zones(timedelta(hours=1), summer)[0] == "Europe/London"
    assert likely_zones(-timedelta(hours=5), winter)[0] == "America/New_York"
    assert "America/New_York" not in likely_zones(-timedelta(hours=5), summer)
    assert likely_zones(timedelta(hours=12, minutes=45), winter + timedelta(days=180))
    assert likely_zones(timedelta(minutes=17), winter) == ()


def test_every_zone_that_is_offered_is_one() -> None:
    assert [find_zone(name) for name in PEOPLED] == list(PEOPLED)


def test_a_zone_that_is_none_changes_nothing(office: Dated) -> None:
    assert "is not the name of a time zone" in office.said("zone Middle-earth")
    assert office.zone() == "UTC"
    assert "Times in your letters are those of UTC. Write `zone Europe/Berlin`" in office.said("zone")


# Reminders.


@pytest.fixture
def playing(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin({"deadline": "48h", "grace": "6h"})
    return office


def reminders(office: Office, hours: float) -> list[MailOut]:
    return [row for row in office.wait(hours) if row.key.startswith("reminder/")]


def unsubscribe(row: MailOut) -> str:
    """The address in the header, as mail programs read it: unfolded, unencoded."""
    (line,) = [line for line in row.raw.decode().split("\r\n") if line.startswith("List-Unsubscribe: ")]
    address = line.removeprefix("List-Unsubscribe: <mailto:").removesuffix("?subject=unsubscribe>")
    assert address.endswith("@" + ADDRESS.partition("@")[2]), line
    return address


def press(office: Office, address: str, sender: str) -> list[MailOut]:
    """The button of a mail program."""
    before = {row.key for row in office.letters()}
    head = f"From: {sender}\r\nTo: {address}\r\nSubject: unsubscribe\r\nMessage-ID: <press@{sender}>\r\n"
    receive(office.house, f"{head}\r\n\r\n".encode())
    office.service.deal_with_all()
    return [row for row in office.letters() if row.key not in before]


def test_the_button_of_a_reminder_ends_them_for_that_chair_and_a_word_brings_them_back(playing: Office) -> None:
    (reminder,) = reminders(playing, 25)
    (answer,) = press(playing, unsubscribe(reminder), ANNA)
    said = " ".join(text_of(answer).split())
    assert "You get no more reminders for soviet in ford; deadlines stay as they are." in said
    assert answer.to == ANNA
    assert message_of(answer)["Reply-To"].addresses[0].addr_spec == playing.house.seat_address(
        playing.seat("soviet").token
    )
    assert reminders(playing, 20) == []
    playing.mail("soviet", "reminders on")
    assert len(reminders(playing, 4)) == 1


def test_reminders_off_is_a_word_and_the_deadline_still_comes(playing: Office) -> None:
    said = text_of(playing.mail("soviet", "reminders off")[0])
    assert "You are not reminded; deadlines stay as they are." in said
    assert [row.key.partition("/")[0] for row in playing.wait(60)] == ["report", "report"]


@pytest.mark.parametrize("text", ["reminders", "reminders perhaps", "calendar", "calendar perhaps"])
def test_a_half_word_is_answered_with_both(playing: Office, text: str) -> None:
    verb = text.partition(" ")[0]
    assert f"Write `{verb} off`, or `{verb} on`." in text_of(playing.mail("soviet", text)[0])


def test_no_other_letter_to_a_player_has_the_button(playing: Office) -> None:
    playing.mail("soviet", "status")
    playing.mail("soviet", "end")
    assert not any(b"List-Unsubscribe" in row.raw for row in playing.letters())


def test_an_onlooker_leaves_by_the_button_of_any_letter(playing: Office) -> None:
    with playing.house.transaction() as session:
        announce_spectator(Act(playing.house, session), "ford", LOOKER)
    playing.mail("soviet", "end")
    assert report_to_spectators(playing.house) == 1
    welcome, report = (row for row in playing.letters() if row.to == LOOKER)
    assert unsubscribe(welcome) == unsubscribe(report)
    (answer,) = press(playing, unsubscribe(report), "carl@phone.example")
    assert (answer.to, "You look on at ford no more" in text_of(answer)) == (LOOKER, True)
    playing.mail("soviet", "end")
    assert report_to_spectators(playing.house) == 0
