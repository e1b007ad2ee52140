"""Only the player who sits there speaks for a chair, and whoever tries learns nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.store import GameRow
from tests.pbem.security.office import ANNA, BRUNO, MALLORY, MODERATOR, Office, text_of

ORDERS = "end\nend\nend\n"


def test_a_forged_sender_without_the_token_moves_nothing(office: Office) -> None:
    head = office.head("mill")
    answers = office.mail(ANNA, office.settings.address, ORDERS)
    assert office.head("mill") == head
    assert [str(mail["To"]) for mail in answers] == [ANNA]  # the one who was imitated, not the forger
    assert "not to a chair at a game" in " ".join(text_of(answers[0]).split())


@pytest.mark.parametrize("policy", ["dkim", "trusted header"])
def test_a_forged_sender_with_a_stolen_token_stops_at_the_signature(tmp_path: Path, policy: str) -> None:
    office = Office(tmp_path)
    office.game("mill", ANNA, BRUNO)
    office.settings.limits.authentication = policy  # type: ignore[assignment]
    office.settings.limits.trusted_host = "mx.fieldpost.example"
    head = office.head("mill")
    forged = {"Authentication_Results": "mx.elsewhere.example; dkim=pass header.d=players.example"}
    answers = office.mail(ANNA, office.seat("mill", "soviet"), ORDERS, **forged)
    assert office.head("mill") == head
    assert office.row().why == "authentication"
    assert [str(mail["To"]) for mail in answers] == [ANNA]


def test_a_token_from_another_game_opens_nothing(office: Office) -> None:
    heads = office.head("mill"), office.head("ford")
    answers = office.mail(BRUNO, office.seat("mill", "soviet"), ORDERS)  # Bruno plays, but not from that chair
    assert (office.head("mill"), office.head("ford")) == heads
    assert [str(mail["To"]) for mail in answers] == [BRUNO]
    assert office.row().why == "token"


def test_a_token_in_a_strangers_hand_is_answered_like_no_token_at_all(office: Office) -> None:
    with_token = office.mail(MALLORY, office.seat("mill", "soviet"), ORDERS)
    without = office.mail(f"2{MALLORY}", office.settings.address, ORDERS)
    wrong = office.mail(f"3{MALLORY}", office.house.seat_address("0" * 32), ORDERS)
    told = [text_of(mail) for mail in (*with_token, *without, *wrong)]
    assert len(told) == 3
    assert len(set(told)) == 1
    assert "mill" not in told[0]


def test_an_order_mail_for_the_opponents_chair_is_refused(office: Office) -> None:
    head = office.head("mill")
    answers = office.mail(BRUNO, office.seat("mill", "soviet"), ORDERS)
    assert office.head("mill") == head
    assert len(answers) == 1
    assert "Nothing in it was carried out" in " ".join(text_of(answers[0]).split())


def test_a_mail_to_both_chairs_at_once_speaks_for_the_senders_own(office: Office) -> None:
    """The opponent's address in Cc gives away no power; it is not even a second visit."""
    head = office.head("mill")
    office.mail(BRUNO, office.seat("mill", "soviet"), ORDERS, Cc=office.seat("mill", "german"))
    assert office.row().side in ("", "german")
    assert office.head("mill") == head  # it is not his turn


def test_the_moderators_office_is_closed_to_players(office: Office) -> None:
    with office.house.database.begin() as session:
        token = session.get_one(GameRow, "mill").moderator_token
    head = office.head("mill")
    answers = office.mail(BRUNO, office.house.seat_address(token), "moderator rewind mill 0")
    assert office.head("mill") == head
    assert office.row().why == "token"
    assert len(answers) == 1


def test_moderating_words_from_a_players_chair_are_orders_that_nobody_understands(office: Office) -> None:
    head = office.head("mill")
    answers = office.mail(ANNA, office.seat("mill", "soviet"), "moderator rewind mill 0\nmoderator close mill")
    assert office.head("mill") == head
    assert [str(mail["To"]) for mail in answers] == [ANNA]


def test_two_senders_in_one_mail_are_nobody(office: Office) -> None:
    raw = (
        f"From: {ANNA}\r\nFrom: {MALLORY}\r\nTo: {office.seat('mill', 'soviet')}\r\n"
        "Message-ID: <two@players.example>\r\nSubject: orders\r\n\r\nend\r\n"
    )
    head = office.head("mill")
    answers = office.raw(raw.encode())
    assert office.head("mill") == head
    assert not [mail for mail in answers if str(mail["To"]) != MODERATOR]


def test_no_letter_ever_holds_what_is_not_its_readers(office: Office) -> None:
    for words in ("status", "orders", "map", "log", "standing", "help", "press hello", "end\nend\nend", "resend"):
        office.mail(ANNA, office.seat("mill", "soviet"), words)
        office.mail(MALLORY, office.seat("mill", "soviet"), words)
    seats = {ANNA: [("mill", "soviet")], BRUNO: [("mill", "german"), ("ford", "soviet")]}
    for row in office.out():
        if row.to == MODERATOR:
            continue
        own = tuple(seats.get(row.to, [("ford", "german")] if row.to.startswith("clara") else []))
        leaked = [secret for secret in office.secrets(but=own) if secret.encode() in row.raw]
        assert not leaked, (row.key, row.to)
