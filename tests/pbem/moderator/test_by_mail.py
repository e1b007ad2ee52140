"""The moderator's verbs by mail: the same words, one answer, and nobody else may say them."""

from __future__ import annotations

import pytest

from pbem.house.crash_points import BEFORE_COMMIT
from pbem.moderator.setting_up import new
from pbem.store import GameRow
from tests.pbem.moderator.moderated import GAME, Moderated
from tests.pbem.moderator.test_stopped import stopping_at
from tests.pbem.security.office import ANNA, BRUNO, MODERATOR


def test_the_game_is_the_one_whose_address_was_written_to(office: Moderated) -> None:
    assert "mill is paused." in office.by_mail("moderator pause")
    assert office.row_of().state == "paused"


def test_the_command_may_stand_in_the_subject_and_its_text_below(office: Moderated) -> None:
    office.by_mail("The next turn starts on Monday.", subject="Re: [mill] moderator press")
    assert any(b"starts on Monday" in row.raw for row in office.out() if row.to == ANNA)


def test_a_greeting_over_the_command_costs_nothing(office: Moderated) -> None:
    assert "mill is paused." in office.by_mail("Good evening,\n\nmoderator pause\n\nThanks,\nVera")


def test_orders_for_a_player_stand_below_the_verb_and_the_answer_waits_for_the_line(office: Moderated) -> None:
    answer = office.by_mail("moderator act soviet\n\nend")
    assert "end -- done" in answer
    assert "Line 1 is written" in answer
    row = office.row()
    assert (row.state, row.line) == ("done", 1)


def test_a_correction_by_mail_is_told_and_answered(office: Moderated) -> None:
    unit = next(iter(office.campaign().position.on_map("soviet")))
    answer = office.by_mail(f'moderator correct --because "a slip"\nmark {unit} blessed')
    assert unit in answer
    assert office.campaign().position.marks[unit]["blessed"] == 1


def test_dashes_and_quotes_that_a_mail_program_made_typographic_are_understood(office: Moderated) -> None:
    office.by_mail("moderator pause \u2014because \u201ca player is ill\u201d")
    assert any(b"a player is ill" in row.raw for row in office.out() if row.to == ANNA)


def test_a_new_game_by_mail_is_set_up_once_even_if_the_mail_is_dealt_with_again(office: Moderated) -> None:
    text = f"moderator new korsun_spi --soviet {ANNA} --german {BRUNO} --scenario proving"
    with stopping_at(BEFORE_COMMIT):
        office.by_mail(text)
    with office.house.database.begin() as session:
        assert session.get(GameRow, "korsun-spi-1") is None
    office.service.deal_with_all()
    assert any(b"korsun-spi-1" in row.raw for row in office.out() if row.key == f"answer/{office.last}")
    with office.house.database.begin() as session:
        assert session.get(GameRow, "korsun-spi-2") is None


def test_the_export_is_enclosed_and_no_file_of_ours_can_be_named(office: Moderated) -> None:
    assert "mill.zip is enclosed" in office.by_mail("moderator export")
    answer = office.by_mail("moderator export --to /tmp/somewhere.zip")
    assert "a mail cannot name a file" in answer.casefold()
    answer = office.by_mail("moderator press /etc/passwd\nhello")
    assert "a mail cannot name a file" in answer.casefold()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("moderator dance", "there is no verb 'dance'"),
        ("moderator extend soviet", "Nothing was done"),
        ("moderator extend soviet soon", "cannot be 'soon'"),
        ("moderator rewind never", "Nothing was done"),
        ('moderator pause --because "no end', "A quotation mark is missing"),
        ("moderator pause\nmoderator resume", "one command"),
        ("moderator mailbox anna@players.example", "on the command line only"),
    ],
)
def test_what_cannot_be_done_is_answered_in_words_and_nothing_is_changed(
    office: Moderated, text: str, said: str
) -> None:
    head = office.head(GAME)
    answer = " ".join(office.by_mail(text).split())
    assert said.casefold() in answer.casefold()
    assert office.row().state == "done"
    assert (office.head(GAME), office.row_of().state) == (head, "playing")


def test_help_lists_every_verb_and_explains_one(office: Moderated) -> None:
    answer = office.by_mail("moderator help")
    assert "moderator rewind" in answer
    assert "moderator substitute" in answer
    assert "Example: moderator extend" in office.by_mail("help extend")


def test_a_player_who_learns_the_moderators_address_may_not_use_it(office: Moderated) -> None:
    office.by_mail("moderator pause", sender=BRUNO)
    assert office.row_of().state == "playing"


def test_the_moderator_of_one_game_may_not_touch_another_or_the_whole_service(office: Moderated) -> None:
    office.game("weir", ANNA, BRUNO)
    with office.house.database.begin() as session:
        row = session.get_one(GameRow, GAME)
        row.moderator = "deputy@fieldpost.example"
        session.add(row)
    deputy = "deputy@fieldpost.example"
    assert "not yours to moderate" in office.by_mail("moderator pause weir", sender=deputy)
    assert "whole service" in office.by_mail("moderator list", sender=deputy)
    assert "mill is paused." in office.by_mail("moderator pause", sender=deputy)
    assert "weir is paused." in office.by_mail("moderator pause weir", sender=MODERATOR)


def test_help_tells_every_verb_in_a_whole_sentence_and_in_lines_that_a_mail_reader_shows(office: Moderated) -> None:
    answer = office.by_mail("moderator help")
    assert "moderator correct: " in answer
    assert "..." not in answer
    assert max(map(len, answer.splitlines())) <= 80


def test_passwords_of_mailboxes_are_given_out_at_the_machine_only(office: Moderated) -> None:
    chairs = ["--soviet", "egor@mill.example", "--german", "bot:sensible"]
    letters = office.written(new, "korsun_spi", chairs, scenario="proving")
    assert "password" not in letters[MODERATOR]
    answer = office.by_mail("moderator new korsun_spi --soviet fedor@mill.example --german bot:sensible")
    assert "`pbem game mailbox fedor@mill.example` gives a password" in " ".join(answer.split())
