"""Deadlines for the reader's calendar: one event a game and reader, moved, taken back, or not wanted."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

import games
from pbem.letters.calendar_text import CalendarEvent, calendar_text
from pbem.moderator import Act
from pbem.moderator.arranging import substitute
from pbem.moderator.timing import extend, pause, resume
from pbem.store import MailOut
from tests.pbem.desk.office import NOON, PEOPLE, Office, message_of

ANNA, BERT = PEOPLE["soviet"], PEOPLE["german"]


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin({"deadline": "48h"})
    return office


def event(row: MailOut) -> Any:
    """The event in a letter, read by somebody else's strict reader; None if there is none."""
    parts = [part for part in message_of(row).walk() if part.get_content_type() == "text/calendar"]
    if not parts:
        return None
    (part,) = parts
    assert (part.get_param("method"), part.get_param("charset")) == ("PUBLISH", "utf-8")
    assert part.get_filename() == "deadline.ics"
    calendar = Calendar.from_ical(part.get_payload(decode=True))
    assert (calendar["METHOD"], calendar["VERSION"]) == ("PUBLISH", "2.0")
    (found,) = calendar.walk("VEVENT")
    assert not found.errors
    return found


def told(rows: list[MailOut], to: str = ANNA) -> tuple[datetime, int, str]:
    """When, which edition, and how it stands, in the last letter to somebody."""
    found = event([row for row in rows if row.to == to][-1])
    assert str(found["ORGANIZER"]) == "mailto:post@field.example"
    return found["DTSTART"].dt, int(found["SEQUENCE"]), str(found["STATUS"])


def acted(office: Office, verb: Any, *args: str) -> list[MailOut]:
    before = {row.key for row in office.letters()}
    with office.house.transaction() as session:
        verb(Act(office.house, session), *args)
    return [row for row in office.letters() if row.key not in before]


def test_who_is_asked_has_the_deadline_in_his_letter_and_nobody_else(office: Office) -> None:
    due = NOON + timedelta(hours=48, minutes=20)
    assert told(office.letters()) == (due, 0, "CONFIRMED")
    assert not any(event(row) for row in office.letters() if row.to == BERT)
    found = event([row for row in office.letters() if row.to == ANNA][-1])
    assert str(found["SUMMARY"]) == "Orders due: Proving ground [ford]"
    assert str(found["DESCRIPTION"]) == "Orders for the initial movement of turn 1; `end` closes the phase."


def test_it_keeps_its_name_and_its_edition_until_it_changes(office: Office) -> None:
    first = told(office.letters())
    assert told(office.mail("soviet", "status")) == first
    moved = told(office.mail("soviet", "wait"))
    assert (moved[0] > first[0], moved[1:]) == (True, (1, "CONFIRMED"))
    assert told(acted(office, extend, "ford", "soviet", "24h"))[1:] == (2, "CONFIRMED")
    names = {str(event(row)["UID"]) for row in office.letters() if event(row) is not None}
    assert len(names) == 1
    token = office.seat("soviet").token
    assert token not in names.pop()


def test_it_is_cancelled_once_when_nothing_is_owed_any_more_and_comes_back_with_the_turn(office: Office) -> None:
    closing = [office.mail("soviet", "end") for _ in range(3)]
    assert told(closing[-1])[2] == "CANCELLED"
    assert told(closing[-1], BERT)[1:] == (0, "CONFIRMED")
    (answer,) = office.mail("soviet", "status")
    assert event(answer) is None
    before = told(closing[-1])[1]
    for _ in range(3):
        back = office.mail("german", "end")
    assert told(back)[1:] == (before + 1, "CONFIRMED")


def test_a_pause_takes_it_back_and_the_game_going_on_brings_it_again(office: Office) -> None:
    assert told(acted(office, pause, "ford"))[1:] == (1, "CANCELLED")
    office.now += timedelta(days=3)
    due, number, state = told(acted(office, resume, "ford"))
    assert (due - NOON > timedelta(days=5), number, state) == (True, 2, "CONFIRMED")


def test_who_loses_his_chair_loses_the_entry_and_the_next_has_his_own(office: Office) -> None:
    name = event([row for row in office.letters() if row.to == ANNA][-1])["UID"]
    (asked,) = acted(office, substitute, "ford", "soviet", "carla@hill.example")
    assert (asked.to, event(asked)) == ("carla@hill.example", None)  # she owes nothing until she joins
    letters = office.mail("soviet", "join", sender="carla@hill.example", to=str(message_of(asked)["Reply-To"]))
    assert told(letters, ANNA)[2] == "CANCELLED"
    assert told(letters, "carla@hill.example")[1:] == (0, "CONFIRMED")
    assert event(next(row for row in letters if row.to == "carla@hill.example"))["UID"] != name


def test_the_end_of_the_game_takes_it_back(office: Office) -> None:
    letters = office.mail("soviet", "resign for good")
    assert [event(row)["STATUS"] for row in letters if row.to == ANNA and event(row) is not None] == ["CANCELLED"]


def test_who_wants_none_gets_none_and_can_have_it_again(office: Office) -> None:
    assert told(office.mail("soviet", "calendar off"))[2] == "CANCELLED"
    assert event(office.mail("soviet", "status")[0]) is None
    assert [event(row) for row in office.wait(25)] == [None]
    assert told(office.mail("soviet", "calendar on"))[1:] == (2, "CONFIRMED")


def test_without_deadlines_there_is_nothing_for_a_calendar(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.begin()
    office.mail("soviet", "end")
    assert [event(row) for row in office.letters()] == [None] * len(office.letters())


@pytest.mark.parametrize("rulebook", games.titles())
def test_in_every_rulebook_an_entry_says_when_the_letter_says(tmp_path: Path, rulebook: str) -> None:
    office = Office(tmp_path, rulebook=rulebook)
    office.begin({"deadline": "48h"})
    letters = office.letters()
    for side in office.people:
        letters += office.mail(side, "status")
    asked = [row for row in letters if event(row) is not None]
    assert asked
    for row in letters:
        found = event(row)
        assert (found is not None) == (b"\nBY " in row.raw.replace(b"\r", b"")), row.key
    assert {event(row)["DTSTART"].dt.utcoffset() for row in asked} == {timedelta(0)}


@pytest.mark.parametrize(
    "words",
    [
        "plain",
        "commas, semicolons; and back\\slashes\nand lines",
        "Дніпро " * 40,
        "a" * 300,
        "бой" + "x" * 71,
        "🂡" * 60,
        "tab\there, bell\a gone",
    ],
)
def test_whatever_is_written_in_it_comes_out_again(words: str) -> None:
    raw = calendar_text(
        CalendarEvent("deadline.ford.1.2@field.example", 3, NOON, NOON, f"{words}", words, "post@field.example")
    )
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    for line in raw.split(b"\r\n"):
        line.decode()  # no character is torn
    assert b"\n" not in raw.replace(b"\r\n", b"")
    (found,) = Calendar.from_ical(raw).walk("VEVENT")
    assert str(found["DESCRIPTION"]) == words.replace("\t", "").replace("\a", "")
    assert (found["DTSTAMP"].dt, int(found["SEQUENCE"])) == (NOON, 3)
