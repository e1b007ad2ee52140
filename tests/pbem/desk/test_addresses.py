"""A chair's addresses: a new token, another mailbox, a second one, and mail to the service itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import select

import games
from pbem.embedded import Accounts, post_folder
from pbem.house.settings import EMBEDDED_HOST
from pbem.moderator import arranging, readdressing
from pbem.moderator.act import CannotModerate
from pbem.store import GameRow, Player
from pbem.wording.naming import side_title
from tests.pbem.desk import office as desk
from tests.pbem.moderator.moderated import Moderated
from tests.pbem.security.office import ANNA, BRUNO, BUTTON, CLARA, MALLORY, MODERATOR, OWN, html_of, read, text_of

NEW, WORK = "anna@new.example", "anna@work.example"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Moderated]:
    found = Moderated.at(tmp_path)
    accounts = Accounts(post_folder(found.settings))
    for address in (NEW, WORK, CLARA, BRUNO):
        accounts.add(address)
    yield found
    found.house.close()


def one(letters: list[EmailMessage], to: str) -> EmailMessage:
    (found,) = [letter for letter in letters if str(letter["To"]) == to]
    return found


def said(letters: list[EmailMessage], to: str) -> str:
    return " ".join(text_of(one(letters, to)).split())


def reply(letter: EmailMessage) -> str:
    return str(letter["Reply-To"]).rpartition("<")[2].rstrip(">")


def word_in(letter: EmailMessage) -> str:
    found = re.search(r"address confirm (\w+)", text_of(letter))
    assert found is not None
    return found[0]


def soviet(office: Moderated) -> str:
    return office.seat("mill", "soviet")


# A new token.


def test_a_new_token_opens_the_chair_and_the_old_one_says_where_it_is(office: Moderated) -> None:
    old = soviet(office)
    answer = one(office.mail(ANNA, old, "token new"), ANNA)
    assert reply(answer) == soviet(office) != old
    head = office.head("mill")
    refused = one(office.mail(ANNA, old, "end"), ANNA)
    assert "has been replaced by a new one" in " ".join(text_of(refused).split())
    assert reply(refused) == soviet(office)
    assert office.head("mill") == head
    office.mail(ANNA, reply(refused), "end")
    assert office.head("mill") != head


def test_the_old_token_tells_nobody_else_anything(office: Moderated) -> None:
    old = soviet(office)
    office.mail(ANNA, old, "token new")
    told = said(office.mail(BRUNO, old, "status"), BRUNO)
    assert "opens no chair of yours" in told
    assert "replaced" not in told


def test_token_alone_says_how_it_is_written_and_changes_nothing(office: Moderated) -> None:
    before = soviet(office)
    assert "`token new`" in said(office.mail(ANNA, before, "token"), ANNA)
    assert soviet(office) == before


def test_a_new_token_asked_for_with_orders_is_in_the_answer_to_them(office: Moderated) -> None:
    head = office.head("mill")
    answer = one(office.mail(ANNA, soviet(office), "token new\nend"), ANNA)
    assert office.head("mill") != head
    assert reply(answer) == soviet(office)


def test_the_moderator_gives_a_chair_or_himself_a_new_token(office: Moderated) -> None:
    old, own = soviet(office), office.row_of().moderator_token
    letters = office.written(readdressing.token, "mill", "Soviet")
    assert list(letters) == [ANNA]
    assert "Reply to this letter to write for Soviet" in letters[ANNA]
    assert "replaced" in said(office.mail(ANNA, old, "status"), ANNA)
    assert list(office.written(readdressing.token, "mill", "moderator")) == [MODERATOR]
    assert office.row_of().moderator_token != own
    assert "pause" in office.by_mail("moderator help")
    office.do(arranging.substitute, "mill", "german", "bot:sensible")
    with pytest.raises(CannotModerate, match="a bot"):
        office.do(readdressing.token, "mill", "german")


def test_whoever_answers_to_all_is_warned_and_heard(office: Moderated) -> None:
    told = said(office.mail(ANNA, soviet(office), "status", Cc=f"{BRUNO}, {ANNA}, {MODERATOR}"), ANNA)
    assert f"Your mail went to {BRUNO} as well" in told
    assert "`token new`" in told
    assert "HOW IT STANDS" in told
    assert "went to" not in said(office.mail(ANNA, soviet(office), "status", Cc=MODERATOR), ANNA)


# A new address.


def test_a_chair_moves_when_both_addresses_have_confirmed_and_everything_else_stays(office: Moderated) -> None:
    office.mail(ANNA, soviet(office), "join as Anna zone Europe/Kyiv\nwhen loss: default")
    standing, due = office.campaign().drawer.standing["soviet"], office.due_of("soviet").due
    letters = office.mail(ANNA, soviet(office), f"address {NEW}")
    asked, to_new = one(letters, ANNA), one(letters, NEW)
    assert "Anna asks that Soviet" in " ".join(text_of(to_new).split())
    assert "unknown" not in office.row().why
    office.mail(ANNA, reply(asked), word_in(asked))
    assert office.seat_of("soviet").token in soviet(office)
    letters = office.mail(NEW, reply(to_new), "confirm\n\n-- \nAnna")
    welcome = one(letters, NEW)
    assert reply(welcome) == soviet(office)
    assert "You are Soviet, against bruno" in text_of(welcome)
    assert "You may write: " in text_of(welcome)
    assert "is played from anna@new.example from now on" in said(letters, ANNA)
    assert NEW in said(letters, MODERATOR)
    assert office.campaign().drawer.standing["soviet"] == standing
    assert office.due_of("soviet").due == due
    with office.house.database.begin() as session:
        player = session.exec(select(Player).where(Player.address == NEW)).one()
        assert (player.name, player.zone) == ("Anna", "Europe/Kyiv")
        assert session.exec(select(Player).where(Player.address == ANNA)).first() is None
    head = office.head("mill")
    office.mail(NEW, reply(welcome), "end")
    assert office.head("mill") != head


def test_it_moves_whichever_confirms_last(office: Moderated) -> None:
    letters = office.mail(ANNA, soviet(office), f"address {NEW}")
    asked, to_new = one(letters, ANNA), one(letters, NEW)
    told = office.mail(NEW, reply(to_new), "confirm")
    assert "must do so, too" in said(told, NEW)
    assert word_in(one(told, ANNA)) == word_in(asked)
    moved = office.mail(ANNA, reply(asked), word_in(asked))
    assert reply(one(moved, NEW)) == soviet(office)
    assert "opens the chair no more" in said(moved, ANNA)
    assert "Reply-To" not in one(moved, ANNA)
    assert office.mail(NEW, soviet(office), "status")
    assert office.row().state == "done"
    assert office.row().why == ""


def test_neither_a_forger_with_the_token_nor_the_new_address_alone_moves_a_chair(office: Moderated) -> None:
    letters = office.mail(ANNA, soviet(office), f"address {NEW}")  # in Anna's name, by somebody who saw her token
    office.mail(ANNA, soviet(office), "address confirm 00000000")
    office.mail(NEW, reply(one(letters, NEW)), "confirm")
    office.mail(NEW, soviet(office), "end")
    assert office.row().why == "unknown_sender"
    assert said(office.mail(ANNA, soviet(office), "address keep"), ANNA).count("anna@") == 1
    office.mail(ANNA, soviet(office), word_in(one(letters, ANNA)))
    office.mail(ANNA, soviet(office), "status")
    assert office.row().why == ""


def test_the_new_address_may_decline_and_is_asked_again_if_it_says_something_else(office: Moderated) -> None:
    to_new = one(office.mail(ANNA, soviet(office), f"address {NEW}"), NEW)
    unclear = one(office.mail(NEW, reply(to_new), "What is this?"), NEW)
    assert reply(unclear) == reply(to_new)
    letters = office.mail(NEW, reply(unclear), "no")
    assert "stays as it was" in said(letters, NEW)
    assert "does not want it" in said(letters, ANNA)
    office.mail(NEW, reply(to_new), "confirm")
    assert office.row().why == "unknown_sender"


def test_the_moderator_stands_in_for_a_dead_address(office: Moderated) -> None:
    letters = office.written(readdressing.address, "mill", "soviet", NEW)
    assert set(letters) == {ANNA, NEW}
    assert "address keep" in letters[ANNA]
    to_new = next(row for row in office.out() if row.to == NEW)
    assert reply(one(office.mail(NEW, reply(read(to_new.raw)), "confirm"), NEW)) == soviet(office)
    with pytest.raises(CannotModerate, match="somebody else in this game"):
        office.do(readdressing.address, "mill", "soviet", BRUNO)


def test_whoever_plays_elsewhere_keeps_his_other_chairs_where_they_are(office: Moderated) -> None:
    office.game("ford", ANNA, CLARA)
    letters = office.mail(ANNA, soviet(office), f"address {NEW}")
    office.mail(ANNA, soviet(office), word_in(one(letters, ANNA)))
    office.mail(NEW, reply(one(letters, NEW)), "confirm")
    office.mail(ANNA, office.seat("ford", "soviet"), "status")
    assert office.row().why == ""
    office.mail(ANNA, soviet(office), "status")
    assert office.row().why == "token"


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (ANNA, "writes for that chair already"),
        (BRUNO, "somebody else in this game has it"),
        (OWN, "no mail address of a person"),
        ("nobody@nowhere.example", "no mailbox on the server here"),
        ("two@x.example three@x.example", "moves your chair there"),
        ("somewhere", "moves your chair there"),
    ],
)
def test_an_address_that_cannot_be_had_is_told_why(office: Moderated, wanted: str, why: str) -> None:
    letters = office.mail(ANNA, soviet(office), f"address {wanted}")
    assert why in said(letters, ANNA)
    assert len(letters) == 1


def test_a_second_address_writes_for_the_chair_until_it_is_taken_off_or_the_chair_passes_on(office: Moderated) -> None:
    letters = office.mail(ANNA, soviet(office), f"address also {WORK}")
    office.mail(ANNA, soviet(office), word_in(one(letters, ANNA)))
    told = office.mail(WORK, reply(one(letters, WORK)), "confirm")
    assert "may write for Soviet as well" in said(told, ANNA)
    letters = office.mail(WORK, soviet(office), "status")
    assert [str(letter["To"]) for letter in letters] == [WORK]
    assert "HOW IT STANDS" in said(letters, WORK)
    office.mail(ANNA, soviet(office), "status")
    assert office.row().why == ""
    assert WORK in said(office.mail(ANNA, soviet(office), "address"), ANNA)
    office.do(arranging.substitute, "mill", "soviet", CLARA)
    asked = read(next(row.raw for row in office.out() if row.to == CLARA))
    office.mail(WORK, soviet(office), "status")
    assert office.row().why == ""  # the chair has not passed on before she joins
    office.mail(CLARA, reply(asked), "join")
    office.mail(WORK, soviet(office), "status")
    assert office.row().why in ("token", "unknown_sender")


def test_a_second_address_that_is_taken_off_is_a_stranger_again(office: Moderated) -> None:
    letters = office.mail(ANNA, soviet(office), f"address also {WORK}")
    office.mail(WORK, reply(one(letters, WORK)), "confirm")
    office.mail(ANNA, soviet(office), word_in(one(letters, ANNA)))
    office.mail(WORK, soviet(office), "status")
    assert office.row().why == ""
    assert WORK not in said(office.mail(ANNA, soviet(office), f"address without {WORK}"), ANNA)
    office.mail(WORK, soviet(office), "status")
    assert office.row().why == "unknown_sender"


def test_a_request_lapses_after_two_weeks(office: Moderated) -> None:
    to_new = one(office.mail(ANNA, soviet(office), f"address {NEW}"), NEW)
    office.clock.now += timedelta(days=15)
    office.mail(NEW, reply(to_new), "confirm")
    assert office.row().why == "unknown_sender"


# The service itself.


def test_games_sent_to_the_service_lists_every_chair_and_sends_its_reply_address(office: Moderated) -> None:
    office.game("ford", CLARA, ANNA)
    office.game("weir", ANNA, CLARA, begun=False)
    letters = [letter for letter in office.mail(ANNA, OWN, "games") if str(letter["To"]) == ANNA]
    others = {reply(letter) for letter in letters if letter["Reply-To"]}
    (answer,) = [letter for letter in letters if not letter["Reply-To"]]
    told = " ".join(text_of(answer).split())
    assert "not dealt with" not in told
    for expected in ("ford:", "mill:", "weir:", "You play German", "You are asked, by", "Write `join`"):
        assert expected in told
    wanted = {office.seat("mill", "soviet"), office.seat("ford", "german"), office.seat("weir", "soviet")}
    assert others == wanted
    assert len(office.mail(ANNA, OWN, "games again")) == 1  # within the hour the letters are not sent again


def test_who_has_one_chair_gets_its_address_with_the_answer(office: Moderated) -> None:
    (answer,) = office.mail(ANNA, OWN, "end")
    assert reply(answer) == soviet(office)
    assert "Nothing in it was carried out" in " ".join(text_of(answer).split())
    assert "You are asked, by" in text_of(answer)


def stamped(login: str) -> dict[str, str]:
    return {"Authentication_Results": f"{EMBEDDED_HOST}; auth=pass smtp.auth={login}"}


def test_an_order_to_the_service_is_taken_from_who_is_proved_and_has_one_chair_that_is_asked(office: Moderated) -> None:
    head = office.head("mill")
    letters = office.mail(ANNA, OWN, "end", **stamped(ANNA))
    assert office.head("mill") != head
    assert "taken for Soviet of mill" in said(letters, ANNA)
    assert reply(one(letters, ANNA)) == soviet(office)


@pytest.mark.parametrize("headers", [{}, stamped(BRUNO), {"Authentication_Results": "mx.evil.example; dkim=pass"}])
def test_it_is_not_taken_without_proof(office: Moderated, headers: dict[str, str]) -> None:
    head = office.head("mill")
    (answer,) = office.mail(ANNA, OWN, "end", **headers)
    assert office.head("mill") == head
    assert reply(answer) == soviet(office)


def test_nor_when_two_chairs_are_asked(office: Moderated) -> None:
    office.game("ford", ANNA, CLARA)
    heads = office.head("mill"), office.head("ford")
    office.mail(ANNA, OWN, "end", **stamped(ANNA))
    assert (office.head("mill"), office.head("ford")) == heads
    office.mail(ANNA, OWN, "end", subject="Re: [ford] Proving ground", **stamped(ANNA))
    assert office.head("mill") == heads[0]
    assert office.head("ford") != heads[1]


def test_an_invited_player_may_join_there(office: Moderated) -> None:
    office.game("ford", CLARA, BRUNO, begun=False)
    letters = office.mail(CLARA, OWN, "join as Clara", **stamped(CLARA))
    assert "WELCOME: YOU PLAY SOVIET" in said(letters, CLARA)


def test_whoever_is_no_player_is_told_what_he_always_was(office: Moderated) -> None:
    (answer,) = office.mail(MALLORY, OWN, "games")
    assert "mill" not in text_of(answer)
    (answer,) = office.mail(MODERATOR, OWN, "games")
    assert "not to a chair" in " ".join(text_of(answer).split())


@pytest.mark.parametrize("book", games.titles())
def test_games_tells_each_side_of_every_rulebook_what_it_may_know_and_no_token(tmp_path: Path, book: str) -> None:
    office = desk.Office(tmp_path, rulebook=book)
    office.begin()
    with office.house.database.begin() as session:
        tokens = {office.seat(side).token for side in office.people}
        tokens.add(session.get_one(GameRow, office.name).moderator_token)
    for side in office.people:
        (letter,) = [row for row in office.mail(side, "games") if row.key.startswith("answer/")]
        told = " ".join(desk.text_of(letter).split())
        assert f"You play {side_title(side)}." in told
        assert "Turn " in told or "turn " in told
        bodies = desk.text_of(letter) + BUTTON.sub("", desk.html_of(letter))
        assert not [token for token in tokens if token in bodies]
        assert office.seat(side).token in str(desk.message_of(letter)["Reply-To"])
    office.house.close()


def test_an_answer_quotes_no_token_even_if_its_reader_did(office: Moderated) -> None:
    token = office.token("mill", "soviet")
    text = f"{soviet(office)} wrote: end\npress my address is {soviet(office)}"
    for letter in office.mail(ANNA, soviet(office), text, subject=f"Fwd: {soviet(office)}"):
        assert token not in text_of(letter) + BUTTON.sub("", html_of(letter)) + str(letter["Subject"])
