"""Keys: a sheet may be older than the last move of its phase, an answer is meant for its question and no other."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.pbem.desk.office import Office, html_of, message_of, text_of

OLDER = "every line was judged anew"


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin()
    return office


def told(office: Office, text: str) -> str:
    answer = next(row for row in office.mail("soviet", text) if row.key.startswith("answer/"))
    return " ".join(text_of(answer).split())


def buttons(office: Office, text: str) -> dict[str, str]:
    """What each button of the answer would send."""
    answer = next(row for row in office.mail("soviet", text) if row.key.startswith("answer/"))
    links = [(node.text(), node.attributes["href"] or "") for node in LexborHTMLParser(html_of(answer)).css("a")]
    return {label: parse_qs(urlsplit(link).query)["body"][0] for label, link in links}


def test_a_sheet_from_before_the_last_move_is_taken_and_the_answer_says_so(office: Office) -> None:
    office.mail("soviet", "move RD141 to 1107")
    answer = told(office, "key 1/soviet.initial/0\nmove RD151 to 0807")
    assert OLDER in answer
    assert "1 of 1 done" in answer
    assert OLDER not in told(office, "key 1/soviet.initial/2\nmove RB8 to 0908")


def test_a_late_tap_answers_nothing_else(office: Office) -> None:
    ready = buttons(office, "end\nattack 0604 with RD277")
    assert set(ready) == {"retreat", "lose RD277"}
    assert "1 of 1 done" in told(office, ready["retreat"].replace("\r\n", "\n"))
    late = told(office, ready["lose RD277"].replace("\r\n", "\n"))
    assert "NOTHING WAS CARRIED OUT" in late
    assert "that question is not open" in late
    assert office.house.campaign(office.game()).drawer.waiting.get("soviet", []) == []


def test_the_full_size_map_goes_to_who_asks_for_it(office: Office) -> None:
    (answer,) = office.mail("soviet", "map full")
    assert [part.get_filename() for part in message_of(answer).iter_attachments()] == ["map-full.png"]
