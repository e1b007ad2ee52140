"""The campaign book by mail: it comes with the last letter, and holds press only if everybody agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.store import MailOut
from tests.pbem.desk.office import Office, message_of, text_of

WORDS = "The road to Shpola is open"


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin()
    office.mail("soviet", f"press {WORDS}")
    office.mail("soviet", "historical\nend")
    office.mail("german", "historical\nend")
    return office


def books(letters: list[MailOut]) -> list[str]:
    """The books that letters enclose."""
    parts = [part for row in letters for part in message_of(row).iter_attachments()]
    return [part.get_content() for part in parts if part.get_filename() == "book.html"]


def test_the_last_letter_encloses_the_book_with_the_names_of_who_played(office: Office) -> None:
    office.mail("german", "resign for good")
    finals = [row for row in office.letters() if row.key.startswith("final/")]
    assert len(books(finals)) == 2
    assert "Anna" in books(finals)[0]
    assert "Bert" in books(finals)[0]
    assert WORDS not in books(finals)[0]


def test_press_is_printed_once_both_agree_and_not_before(office: Office) -> None:
    answer, notice = office.mail("soviet", "book press yes")
    assert "It will be once German agrees" in " ".join(text_of(answer).split())
    assert "`book press yes` if you agree" in " ".join(text_of(notice).split())
    office.mail("german", "resign for good")
    (answer,) = office.mail("soviet", "book")
    assert WORDS not in books([answer])[0]
    answer, notice = office.mail("german", "book press yes")
    assert WORDS in books([answer])[0]
    assert "Write `book` to have it with your press" in " ".join(text_of(notice).split())
    (answer,) = office.mail("soviet", "book")
    assert WORDS in books([answer])[0]


def test_who_takes_his_word_back_is_not_printed(office: Office) -> None:
    for side in ("soviet", "german"):
        office.mail(side, "book press yes")
    office.mail("german", "book press no")
    office.mail("german", "resign for good")
    assert all(WORDS not in book for book in books(list(office.letters())))


def test_while_the_game_runs_the_answer_says_when_the_book_comes(office: Office) -> None:
    (answer,) = office.mail("soviet", "book")
    assert "It is made when the game is over" in text_of(answer)
    (answer,) = office.mail("soviet", "book of hours")
    assert "Write `book` for the campaign book" in text_of(answer)


def test_words_to_the_moderator_are_never_kept_for_the_book(office: Office) -> None:
    office.mail("soviet", "press to moderator: he is slow")
    for side in ("soviet", "german"):
        office.mail(side, "book press yes")
    office.mail("german", "resign for good")
    (answer,) = office.mail("soviet", "book")
    assert WORDS in books([answer])[0]
    assert "he is slow" not in books([answer])[0]


def test_a_game_that_was_over_before_its_first_turn_has_none(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.begin(scenario="korsun")
    office.mail("german", "resign for good")
    (answer,) = office.mail("soviet", "book")
    assert "There is none" in text_of(answer)
