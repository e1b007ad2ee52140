"""Somebody asked to take over a chair: he sees what its side sees, and speaks for nobody until he has joined."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from pbem.desk import seating
from pbem.letters import Enclosure, Letter
from pbem.moderator import Act, arranging, timing
from pbem.moderator.listing import show
from pbem.moderator.timing import terms
from pbem.store import MailOut
from pbem.wording.naming import side_title
from tests.pbem.desk.office import MODERATOR, Office, html_of, message_of, text_of
from tests.pbem.leaks.conftest import HANDS, SOVIET
from tests.pbem.leaks.worlds import World, second_turn, twin
from tests.pbem.received import receive

CLARA, DORA = "clara@weir.example", "dora@weir.example"
BOOKS = [(book, side) for book in games.titles() for side in games.find_game(book).setting.chairs]


def act(office: Office, verb: object, *args: str, **more: object) -> tuple[list[MailOut], list[str]]:
    """An act of the moderator: the letters it made, and what he is told."""
    before = {row.key for row in office.letters()}
    with office.house.transaction() as session:
        done = Act(office.house, session)
        verb(done, office.name, *args, **more)  # type: ignore[operator]
    return [row for row in office.letters() if row.key not in before], done.told


def asked(office: Office, side: str, who: str = CLARA) -> MailOut:
    (letter,), _ = act(office, arranging.substitute, side, who)
    return letter


def answer(office: Office, letter: MailOut, text: str) -> dict[str, str]:
    """He answers the letter; gives everything that was written because of it, by reader."""
    before = {row.key for row in office.letters()}
    office.count += 1
    mail = (
        f"From: {letter.to}\r\nTo: {message_of(letter)['Reply-To']}\r\nSubject: Re\r\n"
        f"Message-ID: <s{office.count}@pen.example>\r\n\r\n{text}\r\n"
    )
    receive(office.house, mail.encode())
    office.service.deal_with_all()
    assert office.mails()[-1].state == "done"
    new = [row for row in office.letters() if row.key not in before]
    assert len({row.to for row in new}) == len(new)
    return {row.to: " ".join(text_of(row).split()) for row in new}


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin({"deadline": "48h"})
    return office


@pytest.mark.parametrize(("book", "side"), BOOKS)
def test_the_first_letter_is_the_invitations_twin_in_every_game(
    book: str, side: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_for: list[str] = []

    def drawn(letter: Letter, _room: object, whose: str) -> None:
        drawn_for.append(whose)
        letter.enclosures.append(Enclosure("map.png", "image/png", b"map"))

    monkeypatch.setattr(seating, "put_map", drawn)  # maps are tried elsewhere
    office = Office(tmp_path, rulebook=book)
    office.begin({"deadline": "48h", "pictures": "none"})
    act(office, terms, pictures="all")
    invited = next(row for row in office.letters() if row.key == f"invitation/ford/{side}/{office.people[side]}")
    letter = asked(office, side)
    text = " ".join(text_of(letter).split())
    assert f"You are asked to take over {side_title(side)}" in text
    assert all(f"({side_title(other)})" in text for other in office.people if other != side)
    for section in ("The game", "The pace", "Time"):
        assert _section(invited, section) == _section(letter, section) != ""
    asks = office.house.campaign(office.game()).asks
    own = {ask.prompt for ask in asks if ask.side == side}  # who is asked the same at the same time is told his own
    for ask in asks:
        assert (ask.prompt[1:] in text) == (ask.prompt in own)
    assert f"HOW IT STANDS, AS {side.upper()} SEES IT" in text
    assert drawn_for == [side]
    assert "map.png" in {part.get_filename() for part in message_of(letter).walk()}


def _section(row: MailOut, heading: str) -> str:
    return text_of(row).partition(f"\n{heading.upper()}\n")[2].partition("\n\n")[0]


@pytest.mark.on_files  # the worlds are
def test_he_is_shown_nothing_that_is_hidden_from_his_side(drawn: list[World], tmp_path: Path) -> None:
    """Worlds that differ in what the Axis hold: whoever is asked to take over the Soviets gets the same letter."""
    letters = []
    for number, world in enumerate(drawn):
        office = twin(world, tmp_path / str(number))
        letter = asked(office, "soviet")
        chair = str(message_of(letter)["Reply-To"].addresses[0].username).partition("+")[2]  # by chance, in each world
        texts = [text.replace(chair, "") for text in (text_of(letter), html_of(letter))]
        letters.append([office.masked(text.encode()) for text in texts])
        assert b"Vrnz" in letters[0][0]  # his own chits are in it
    assert all(letter == letters[0] for letter in letters)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> list[World]:
    first = second_turn(tmp_path_factory.mktemp("selecting") / "house")
    worlds = [twin(first, tmp_path_factory.mktemp("drawn") / "house") for _ in HANDS]
    for world, hand in zip(worlds, HANDS, strict=True):
        world.mail("soviet", SOVIET)
        world.mail("axis", hand)
    return worlds


def test_until_he_joins_he_speaks_for_nobody(office: Office) -> None:
    letter = asked(office, "soviet")
    head = office.house.campaign(office.game()).head
    told = answer(office, letter, "end\nstatus\nresign for good")
    assert set(told) == {CLARA}
    assert "Nothing else is read until you have joined" in told[CLARA]
    assert office.house.campaign(office.game()).head == head
    assert "orders missing" in "\n".join(act(office, show)[1])


def test_who_joins_has_his_whole_time_and_nothing_of_his_predecessors(office: Office) -> None:
    office.mail("soviet", "when attacked: hold")
    office.wait(40)
    letter = asked(office, "soviet")
    told = answer(office, letter, "join as Clara zone Lisbon\nend")
    assert set(told) == {CLARA, MODERATOR, *office.people.values()}
    assert "Wednesday 7 January 2026" not in told[CLARA]
    assert "What else you wrote was not read" in told[CLARA]
    assert "Your orders: missing" in told[CLARA]
    assert "(Europe/Lisbon)" in told[CLARA]
    assert not office.house.campaign(office.game()).drawer.standing.get("soviet")
    assert "You play Soviet no more" in told[office.people["soviet"]]


def test_who_declines_leaves_the_chair_as_it_was_and_the_moderator_is_told(office: Office) -> None:
    letter = asked(office, "soviet")
    told = answer(office, letter, "decline too cold for me")
    assert set(told) == {CLARA, MODERATOR}
    assert "too cold for me" in told[MODERATOR]
    assert "moderator substitute soviet ADDRESS" in told[MODERATOR]
    assert office.mail("soviet", "status")
    assert "You play Soviet from now on" in answer(office, letter, "join")[CLARA]  # he has thought again


def test_only_the_last_who_was_asked_can_join(office: Office) -> None:
    first = asked(office, "soviet")
    second = asked(office, "soviet", DORA)
    assert "Somebody else has been asked since" in answer(office, first, "join")[CLARA]
    assert "asked to take over soviet: dora" in "\n".join(act(office, show)[1])
    assert "You play Soviet from now on" in answer(office, second, "join")[DORA]
    assert "Somebody else has been asked since" in answer(office, first, "join")[CLARA]


def test_an_offer_nobody_answers_is_reminded_reported_and_lapses_and_the_game_goes_on(office: Office) -> None:
    office.mail("soviet", "absent for 14 days")
    letter = asked(office, "soviet")
    steps = [(day, row.to) for day in range(1, 16) for row in office.wait(24) if row.key.startswith("invited")]
    assert steps == [(3, CLARA), (7, MODERATOR), (14, MODERATOR)]
    assert office.game().state == "playing"
    assert "The invitation has lapsed" in answer(office, letter, "join")[CLARA]


def test_a_bot_sits_down_at_once_and_whoever_was_asked_is_not_any_more(office: Office) -> None:
    letter = asked(office, "german")
    letters, _ = act(office, arranging.substitute, "german", "bot:sensible")
    assert {row.to for row in letters} == set(office.people.values())
    assert "Somebody else has been asked since" in answer(office, letter, "join")[CLARA]
    back = asked(office, "german", DORA)
    assert "DORA plays german".casefold() in answer(office, back, "join as Dora")[office.people["soviet"]].casefold()


def test_after_the_end_nobody_can_join(office: Office) -> None:
    letter = asked(office, "german")
    office.mail("soviet", "resign for good")
    assert "The game is finished" in answer(office, letter, "join")[CLARA]


def test_a_paused_game_can_be_taken_over(office: Office) -> None:
    act(office, timing.pause)
    letter = asked(office, "soviet")
    assert "The game is paused" in text_of(letter)
    assert "You play Soviet from now on" in answer(office, letter, "join")[CLARA]
