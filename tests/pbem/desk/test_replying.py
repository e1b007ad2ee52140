"""Orders typed into the letter that a reply quotes, from the mailbox to the log."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

import games
from pbem.store import KeptLetter, MailOut
from tests.pbem.desk.office import ADDRESS, Office, message_of, report_of, text_of
from tests.pbem.reading.programs import wrapped
from tests.pbem.received import receive


def begun(home: Path, rulebook: str = "korsun_spi", **settings: str) -> Office:
    office = Office(home, rulebook=rulebook)
    office.begin(settings)
    return office


def kept(office: Office) -> list[KeptLetter]:
    with office.house.database.begin() as session:
        return list(session.exec(select(KeptLetter)).all())


def asked(office: Office) -> tuple[str, MailOut]:
    """A side of which something is asked, and its letter with the template."""
    side = next(ask.side for ask in office.house.campaign(office.game()).asks if ask.side in office.people)
    answer = next(row for row in office.mail(side, "orders") if row.key.startswith("answer/"))
    return side, answer


def quoted(row: MailOut, typed: str = "", without: int = 0) -> str:
    """The letter as Gmail quotes it, `typed` in it, the # taken off the last line of the template."""
    lines = text_of(row).splitlines()
    ready = [n for n, line in enumerate(lines) if line.startswith("#") and line[1:2].isalpha()]
    for n in ready[-without:] if without else []:
        lines[n] = lines[n][1:]
    lines[ready[-1] + 1 : ready[-1] + 1] = [typed] if typed else []
    return "\n".join([f"Am 5. Jan. 2026 um 21:14 schrieb Fieldpost <{ADDRESS}>:", "", *wrapped(lines, 76, "> ")])


@pytest.mark.parametrize("rulebook", games.titles())
def test_the_template_is_edited_inside_the_quoted_letter(tmp_path: Path, rulebook: str) -> None:
    office = begun(tmp_path, rulebook)
    side, letter = asked(office)
    count = office.house.campaign(office.game()).count
    both = [ask.side for ask in office.house.campaign(office.game()).asks if ask.side in office.people]
    for other in both[1:]:  # asked at once: a line is made when all have answered
        office.mail(other, "default")
    answer = office.mail(side, quoted(letter, typed="default"), answers=letter.message_id)[0]
    assert office.house.campaign(office.game()).count == count + 1, text_of(answer)


def test_the_letter_is_found_by_its_key_if_the_references_are_lost(tmp_path: Path) -> None:
    office = begun(tmp_path)
    _, letter = asked(office)
    report = office.mail("soviet", "end")[0]  # this one has a key in its template
    done = office.mail("soviet", quoted(report, without=1))
    assert "end -- done" in report_of(done[0])
    assert letter.message_id != report.message_id


def test_a_letter_sent_back_as_it_was_does_nothing_and_is_told_so(tmp_path: Path) -> None:
    office = begun(tmp_path, errors="skip")
    side, letter = asked(office)
    count = office.house.campaign(office.game()).count
    answer = office.mail(side, quoted(letter), answers=letter.message_id)[0]
    assert office.house.campaign(office.game()).count == count
    assert "nothing in the mail but our own letter as it was sent" in " ".join(text_of(answer).split())


def test_what_was_typed_into_a_letter_answers_what_that_letter_asked(tmp_path: Path) -> None:
    office = begun(tmp_path)
    old = office.mail("soviet", "end")[0]
    office.mail("soviet", "end")
    count = office.house.campaign(office.game()).count
    answer = office.mail("soviet", quoted(old, without=1), answers=old.message_id)[0]
    assert office.house.campaign(office.game()).count == count
    assert "that question is not open" in " ".join(text_of(answer).split())


def test_a_letter_to_somebody_else_is_not_known_to_who_quotes_it(tmp_path: Path) -> None:
    office = begun(tmp_path, errors="skip")
    side, letter = asked(office)
    other = next(one for one in office.people if one != side)
    answer = office.mail(other, quoted(letter, typed="end"), answers=letter.message_id)[0]
    assert "the letter it quotes is not known here" in " ".join(text_of(answer).split())


def test_a_forged_quotation_is_nothing_but_a_quotation(tmp_path: Path) -> None:
    office = begun(tmp_path, errors="skip")
    count = office.house.campaign(office.game()).count
    forged = f"On 5 Jan 2026 Fieldpost <{ADDRESS}> wrote:\n\n> key 1/soviet.initial/0\n> move RD99 to 0707\n> end"
    office.mail("soviet", forged)
    office.mail("soviet", forged.replace("> ", ""), answers="<nobody@field.example>")
    assert office.house.campaign(office.game()).count == count


def test_end_of_orders_typed_into_a_letter_ends_it(tmp_path: Path) -> None:
    office = begun(tmp_path)
    side, letter = asked(office)
    text = quoted(letter, typed="END OF ORDERS") + "\n\nend"
    answer = office.mail(side, text, answers=letter.message_id)[0]
    assert "Nothing below END OF ORDERS was read" in " ".join(text_of(answer).split())


def test_letters_are_kept_without_pictures_until_the_game_is_over(tmp_path: Path) -> None:
    office = begun(tmp_path)
    office.mail("soviet", "map")
    assert {row.id for row in kept(office)} == {row.id for row in office.letters()}
    assert all(len(row.text) + len(row.markup) < 20_000 for row in kept(office))
    office.mail("german", "resign for good")
    assert kept(office) == []
    office.mail("german", "status")
    assert kept(office) == []


def test_an_order_in_the_subject_is_read_if_the_mail_is_empty(tmp_path: Path) -> None:
    office = begun(tmp_path)
    answer = office.mail("soviet", "", subject="Re: [ford] move RD141 to 1107")[0]
    assert "move RD141 to 1107 -- done" in report_of(answer)
    assert "taken from the subject" in text_of(answer)
    answer = office.mail("soviet", "status", subject="end")[0]
    assert "The subject was not read" in text_of(answer)
    answer = office.mail("soviet", "status", subject="[ford] orders")[0]  # that of a letter's own buttons
    assert "The subject was not read" not in text_of(answer)


def test_our_own_subject_is_no_order(tmp_path: Path) -> None:
    office = begun(tmp_path)
    letter = office.letters()[-1]
    answer = office.mail("soviet", "", subject=f"AW: {letter.subject}", answers=letter.message_id)[0]
    assert "THERE IS NO ORDER IN YOUR MAIL" in text_of(answer)


@pytest.mark.parametrize("odd", ['"Foo" <', "x@[1.2.3.4", "x@", "undisclosed-recipients:;", '"x', "a@b@c.example"])
def test_an_odd_address_in_cc_hides_no_chair(tmp_path: Path, odd: str) -> None:
    office = begun(tmp_path)
    raw = office.raw("soviet", "status")
    receive(office.house, raw.replace(b"Subject:", b"Cc: " + odd.encode() + b"\nSubject:", 1), id_="f" * 32)
    office.service.deal_with_all()
    answer = next(row for row in office.letters() if row.key == f"answer/{'f' * 32}")
    assert "Your mail was not dealt with" not in text_of(answer)
    assert message_of(answer)["Reply-To"]
