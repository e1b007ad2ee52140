"""Letters: twins that say the same, headers that keep a game together, nothing a writer can slip in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

import games
from pbem.desk.lifecycle import invite
from pbem.letters import Letter, enclose, one_line
from tests.pbem.desk.office import NOON, PEOPLE, Office, html_of, message_of, text_of


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin({"deadline": "48h"})
    return office


def test_a_game_is_one_thread(office: Office) -> None:
    letters = [*office.letters(), *office.mail("soviet", "end"), *office.mail("german", "status")]
    for row in letters:
        message = message_of(row)
        assert "<game-ford@field.example>" in message["References"]
        assert message["Subject"].endswith(" [ford]")
        assert message["From"].startswith('"Ford (Fieldpost)" <')
        assert message["Auto-Submitted"] in ("auto-replied", "auto-generated")


def test_an_answer_names_the_mail_it_answers(office: Office) -> None:
    answer = next(row for row in office.mail("soviet", "status") if row.key.startswith("answer/"))
    assert message_of(answer)["In-Reply-To"] == f"<{office.count}@pen.example>"


def test_press_and_names_are_words_and_nothing_else(office: Office) -> None:
    office.mail("soviet", "join as <b>Anna</b> {{ 7*7 }}")
    [notice] = [
        row for row in office.mail("soviet", "press <script>alert(1)</script> {{ 7*7 }}") if "notice" in row.key
    ]
    tree = LexborHTMLParser(html_of(notice))
    assert tree.css("script") == []
    assert tree.css("b") == []
    assert "{{ 7*7 }}" in tree.text()
    assert "<script>" in text_of(notice)


def test_a_line_end_in_a_name_makes_no_header() -> None:
    letter = Letter("notice", "anna@mill.example", "Hello\r\nBcc: ghost@fog.example", game="ford")
    mail = enclose(letter, id_="1", address="post@field.example", at=NOON)
    assert mail["Bcc"] is None
    assert one_line("a\r\nb\x00c") == "a b c"


def test_the_same_letter_makes_the_same_bytes(office: Office) -> None:
    letter = Letter("notice", "anna@mill.example", "Hello", game="ford")
    letter.say("Words", "some")
    made = {enclose(letter, id_="1", address="post@field.example", at=NOON).as_bytes() for _ in range(3)}
    assert len(made) == 1


def test_both_twins_say_the_same(office: Office) -> None:
    [answer, *_] = office.mail("soviet", "fly away\nhelp undo")
    words = set(re.findall(r"\w+", text_of(answer).casefold()))
    body = LexborHTMLParser(html_of(answer)).body
    assert body is not None
    assert words <= set(re.findall(r"\w+", body.text(separator=" ").casefold()))


def test_no_line_of_the_text_twin_is_wider_than_a_mail_reader_shows(office: Office) -> None:
    for row in [*office.letters(), *office.mail("soviet", "end\nattack 0604 with RD277")]:
        exact = [line for line in text_of(row).splitlines() if len(line) > 78]
        assert exact == []


def test_pictures_stand_in_the_html_twin_and_the_report_is_attached(tmp_path: Path) -> None:
    office = Office(tmp_path / "drawn")
    office.begin({"pictures": "all"})
    moved = office.mail("soviet", "move RD141 to 1107")
    answer = next(row for row in moved if row.key.startswith("answer/"))
    message = message_of(answer)
    shown = {node.attributes["src"] for node in LexborHTMLParser(html_of(answer)).css("img")}
    inside = {f"cid:{part['Content-ID'].strip('<>')}" for part in message.walk() if part["Content-ID"]}
    assert shown
    assert shown == inside
    names = [part.get_filename() for part in message.iter_attachments()]
    assert names == ["report.txt"]
    assert all(node.attributes.get("alt") for node in LexborHTMLParser(html_of(answer)).css("img"))


def test_who_left_orders_in_his_drawer_is_told_what_became_of_each(office: Office) -> None:
    office.mail("german", "move 44 to 0607\nend")
    told = {message_of(row)["To"]: text_of(row) for row in office.mail("soviet", "end\nend\nend")}
    theirs = told[PEOPLE["german"]].split("IN SHORT")[0]
    assert "FROM YOUR DRAWER\n  move 44 to 0607 -- refused\n      not allowed: " in theirs
    assert "\n  end -- not carried out" in theirs
    assert "44 to 0607" not in told[PEOPLE["soviet"]]


def test_the_invitation_tells_an_option_that_was_chosen_in_full_and_how_faults_are_taken(tmp_path: Path) -> None:
    office = Office(tmp_path)
    people = {**PEOPLE, "german": "bot:sensible"}
    chosen = {"errors": "skip", "deadline": {"default": "48h", "reply": "1h"}}
    invite(office.house, "mill", "korsun_spi", "proving", people, options={"no_hq": "half move"}, settings=chosen)
    said = " ".join(text_of(office.letters()[0]).split())
    assert "against the sensible bot (German)." in said
    assert "Option no hq half move: Soviet units that reach no HQ at all" in said
    assert "A faulty line in a mail is skipped" in said
    assert "For a question that comes up in between: 1 hour." in said


def test_who_joins_with_a_few_words_more_is_not_told_to_join(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.invite()
    (answer,) = office.mail("soviet", "Good evening, glad to be here\n\njoin as Anna")
    assert "WELCOME: YOU PLAY SOVIET" in text_of(answer)
    assert "Write `join`" not in text_of(answer)
    assert "Not read as orders: `Good evening, glad to be here`" in text_of(answer)


def test_who_joins_last_may_leave_standing_orders_in_the_same_mail(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.invite()
    office.mail("soviet", "join")
    answer, *_ = office.mail("german", "when advance: no advance\njoin as Bert")
    assert "YOUR STANDING ORDERS\n  when advance: no advance" in text_of(answer)


def test_an_enclosed_page_says_how_it_is_written(office: Office) -> None:
    office.mail("soviet", "resign for good")
    last = message_of(next(row for row in office.letters() if row.key == "final/ford/soviet"))
    page = next(part for part in last.iter_attachments() if part.get_content_type() == "text/html")
    assert page.get_content_charset() == "utf-8"


@pytest.mark.parametrize("rulebook", games.rulebooks())
def test_the_case_that_help_names_is_one_of_the_game(tmp_path: Path, rulebook: str) -> None:
    office = Office(tmp_path, rulebook=rulebook)
    office.invite(scenario=games.rulebook(rulebook).scenarios[0].id)
    side = next(iter(office.people))
    named = re.search(r"`(help rule\s+\S+)`", text_of(office.mail(side, "help")[0]))
    assert named is not None
    assert "There is no" not in text_of(office.mail(side, " ".join(named[1].split()))[0])
