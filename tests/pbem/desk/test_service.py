"""The service: one answer to every mail, poison set aside, and no game may take a word of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from engine.campaign import verify
from pbem.desk.composing import AFTERWARDS, FOOT
from pbem.desk.verbs import VERBS
from pbem.desk.vocabulary import split_lines
from pbem.service import service
from tests.pbem.desk.office import Office, text_of
from tests.pbem.houses import damage, log_of
from tests.pbem.received import receive


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin()
    return office


@pytest.mark.parametrize("name", sorted(games.rulebooks()))
def test_no_game_takes_a_word_of_the_service_for_its_own(name: str) -> None:
    book = games.rulebook(name).game().book
    assert {verb.split()[0] for verb in book.by_verb} & VERBS.keys() == set()


def test_the_foot_of_a_letter_names_words_of_the_service() -> None:
    assert {usage.split()[0] for usage in (*FOOT, *AFTERWARDS)} <= VERBS.keys()


def test_press_ends_at_an_empty_line_or_when_it_says_so() -> None:
    commands, orders = split_lines(["press to moderator: one", "two", "end press", "end", "press three", "", "status"])
    assert [(command.verb, command.rest) for command in commands] == [
        ("press", "to moderator: one\ntwo"),
        ("press", "three"),
        ("status", ""),
    ]
    assert orders.strip() == "end"


def test_what_is_tried_on_the_line_of_check_keeps_its_place_among_the_orders() -> None:
    commands, orders = split_lines(["move A to 0101", "", "check move B to 0102", "forecast attack 0103 with B", "end"])
    assert orders.splitlines() == ["move A to 0101", "move B to 0102", "end"]
    assert [(command.verb, command.above) for command in commands] == [("check", 1), ("forecast", 2)]


@pytest.mark.parametrize("text", ["end", "status", "nonsense", "", "# only this", "help", "press hello", "undo 0"])
def test_every_mail_has_exactly_one_answer(office: Office, text: str) -> None:
    letters = office.mail("soviet", text)
    assert [row.key for row in letters if row.to == "anna@mill.example"] == [f"answer/{office.count:032x}"]
    assert {row.state for row in letters} == {"queued"}


def test_a_mail_that_breaks_us_is_set_aside_after_three_tries_and_the_moderator_told_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("our own mistake")

    monkeypatch.setattr(service, "attend", broken)
    letters = office.mail("soviet", "end")
    assert [(row.state, row.tries) for row in office.mails()[-1:]] == [("shunted", 3)]
    set_aside, _ = sorted(letters, key=lambda row: row.key)
    assert [row.key.partition("/")[0] for row in letters if row is not set_aside] == ["sorry"]
    assert "broken in test_service.py, line" in " ".join(text_of(set_aside).split())
    assert "RuntimeError('our own mistake')" in text_of(set_aside)
    monkeypatch.undo()
    assert office.mail("soviet", "end") != []


def test_the_same_mail_twice_is_done_once(office: Office) -> None:
    raw = office.raw("soviet", "move RD141 to 1107")
    for number in (91, 92):
        receive(office.house, raw, id_=f"{number:032x}")
    office.service.deal_with_all()
    assert office.house.campaign(office.game()).count == 2
    assert sorted(row.state for row in office.mails()[-2:]) == ["done", "silent"]


def test_a_bot_answers_until_a_person_is_asked(tmp_path: Path) -> None:
    office = Office(tmp_path / "bots")
    office.begin(chairs={"german": "bot:random"})
    office.mail("soviet", "when loss: default\nend\nend\nend")
    campaign = office.house.campaign(office.game())
    assert campaign.position.turn == 2
    assert {ask.side for ask in campaign.asks} == {"soviet"}


def test_two_bots_play_by_themselves_until_the_game_is_over(tmp_path: Path) -> None:
    office = Office(tmp_path / "bots")
    office.invite(chairs={"german": "bot:random", "soviet": "bot:random"})
    office.service.recover()
    assert office.game().state == "finished"
    assert verify(log_of(office.house, "ford"), games.find_game).ok


def test_a_game_in_trouble_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office(tmp_path / "two")
    office.begin({"deadline": "48h"})
    office.name = "mill"
    office.begin({"deadline": "48h"})
    damage(office.house, "ford")
    letters = office.wait(60)
    assert [row.to for row in letters if row.key.startswith("trouble/ford/")] == ["vera@field.example"]
    assert office.house.campaign(office.game()).count == 2
    assert not [row for row in office.wait(1) if row.key.startswith("trouble/")]


def test_a_bot_that_breaks_down_holds_up_no_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, seed: int) -> None:
            self.seed = seed

        def answer(self, *_: object) -> str:
            raise RuntimeError("out of ideas")

    office = Office(tmp_path / "bots")
    office.begin(chairs={"german": "bot:random"})
    monkeypatch.setitem(service.BOTS, "random", Broken)
    letters = office.mail("soviet", "end\nend\nend")
    assert sorted(row.key.partition("/")[0] for row in letters) == ["answer", "trouble"]
    monkeypatch.undo()
    office.service.recover()
    campaign = office.house.campaign(office.game())
    assert campaign.count > 2
    assert {ask.side for ask in campaign.asks} == {"soviet"}


def test_what_a_bot_brings_out_of_a_drawer_is_told_once_when_the_person_is_asked(tmp_path: Path) -> None:
    office = Office(tmp_path, rulebook="korsun_vv")
    office.begin(scenario="battle", chairs={"german": "bot:sensible"})
    office.mail("russian", "no allotment")
    letters = office.mail("russian", "activate 4GA\nattack 2912 with 5GAD, 375RD\nend")
    told = [text_of(row) for row in letters]
    assert sum("attack 2912 with 5GAD, 375RD -- done" in text for text in told) == 1
    assert len(told) == 2
