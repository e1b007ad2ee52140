"""Envelopes: the subject tells the kind, the sender is the game, and an inbox shows nothing of the body."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.letters.subjects import MOST, OPENINGS, Kind, sender_name, sentence, subject_line
from tests.pbem.desk.office import PEOPLE, Office, html_of, message_of
from tests.pbem.letters.conftest import Sample

PHONE = 35  # letters of a subject that a telephone shows


def test_no_two_kinds_share_their_first_twelve_letters() -> None:
    begun = [sentence(kind, "", writer="Anna" if kind == "press" else "")[:12] for kind in OPENINGS]
    assert len(set(begun)) == len(OPENINGS)


def test_the_kind_stands_within_what_a_telephone_shows() -> None:
    assert all(len(opening) < PHONE - 5 for opening in OPENINGS.values())


@pytest.mark.parametrize("kind", list(OPENINGS))
def test_the_game_stands_last_and_nothing_makes_a_subject_endless(kind: Kind) -> None:
    found = subject_line(kind, "word " * 200, "korsun-12", by="Fri 20 Nov 20:00", writer="Anna " * 30)
    assert found.startswith(OPENINGS[kind])
    assert found.endswith(", by Fri 20 Nov 20:00 [korsun-12]")
    assert len(found) < MOST + 80


def test_the_sender_is_the_game() -> None:
    assert sender_name("korsun-12") == "Korsun 12 (Fieldpost)"
    assert sender_name("") == "Fieldpost"


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin({"deadline": "48h", "reminders": ["24h"]})
    return office


def subjects(office: Office, side: str, text: str) -> dict[str, str]:
    rows = office.mail(side, text) if side != "clock" else office.wait(float(text))
    return {row.to: str(message_of(row)["Subject"]) for row in rows}


def test_every_letter_of_a_game_says_in_its_subject_what_it_is(office: Office) -> None:
    anna, bert = PEOPLE["soviet"], PEOPLE["german"]
    assert [str(message_of(row)["Subject"]) for row in office.letters() if row.key.startswith("invitation/")] == [
        "Invitation: Proving ground, you as German [ford]",
        "Invitation: Proving ground, you as Soviet [ford]",
    ]
    assert subjects(office, "soviet", "check move RD141 to 1107") == {anna: "Checked: 1 line legal [ford]"}
    assert subjects(office, "soviet", "mvoe RD141 to 1107\nend") == {anna: "Not carried out: 2 of 2 lines [ford]"}
    assert subjects(office, "soviet", "status\nmap") == {anna: "As you asked: status, map [ford]"}
    assert subjects(office, "soviet", "press good morning")[bert] == "From Anna: good morning [ford]"
    assert subjects(office, "german", "end") == {bert: "Kept for later: 1 line [ford]"}
    office.mail("german", "withdraw")
    told = subjects(office, "soviet", "end")
    assert told[anna].startswith("Your move: turn 1, combat, by ")
    assert told[bert] == "For your information: turn 1, Soviet combat [ford]"
    asked = subjects(office, "soviet", "attack 0604 with RD277")
    assert asked[anna].startswith("A question: 0704, lose a step or retreat everybody a hex, by ")
    assert asked[bert] == "For your information: turn 1, Soviet combat, 1 fight [ford]"
    office.mail("soviet", "retreat\nend")
    done = subjects(office, "soviet", "end")
    assert done[anna] == "Done: 1 order, turn 1; Bert is to move [ford]"
    assert done[bert].startswith("Your move: turn 1, initial movement, by ")
    assert subjects(office, "clock", "30")[bert].startswith("Reminder: your move, 18 hours left, by tomorrow ")
    late = subjects(office, "clock", "30")
    assert late[bert] == "The deadline passed: end was ordered for you [ford]"
    assert subjects(office, "soviet", "resign for good")[anna].startswith("Over: Soviet resigned")


def test_what_an_inbox_shows_beside_the_subject_is_short_and_nothing_runs_into_it(sample: list[Sample]) -> None:
    for one in sample:
        assert 0 < len(one.letter.preheader) <= 90, one
        assert one.html.index(one.letter.preheader.split(",")[0][:20]) < one.html.index("<h1")
        assert one.html.count("\u034f") + one.html.count("&#847;") >= 20, one


def test_a_mail_that_was_turned_away_says_so(office: Office) -> None:
    rows = office.mail("soviet", "end", sender="ghost@fog.example")
    assert all(not str(message_of(row)["Subject"]).startswith("Re:") for row in rows)


def test_one_table_makes_all_subjects(office: Office) -> None:
    for row in office.letters():
        assert str(message_of(row)["Subject"]).startswith(tuple(OPENINGS.values())), row.key
        assert "<h1" in html_of(row)
