"""Pace by mail: in every rulebook a fight is answered at once or waits, and both are told; nobody is told too much."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import games
from engine.asks import Ask
from engine.bots import RandomLegal
from engine.campaign import Campaign
from engine.drawer import BRISK, CAREFUL
from engine.orders.order import Order
from pbem.clock.dues import set_dues
from pbem.house.room import Room
from pbem.wording import rulings
from pbem.wording.naming import prompt_sentence
from tests.pbem.desk.office import JOIN, SECRET, Office, text_of
from tests.pbem.houses import log_of

Course = list[tuple[str, Order]]
# Who plays alone is asked in the answer to his own mail: tests/games has that.
FACED = [book for book in games.titles() if len(games.find_game(book).setting.chairs) > 1]
FIGHTS = [(book, side) for book in FACED for side in games.find_game(book).sides]
MOST = 500  # orders to a fight; another bot is tried beyond it
HEADING = rulings.HEADING.upper()


def asked(campaign: Campaign) -> Ask:
    return next(ask for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None)


def his_own(campaign: Campaign, ask: Ask, side: str) -> bool:
    """Whether a side is asked about its own units while the other plays."""
    alone = len(campaign.asks) == 1 and not ask.top and not ask.reaction
    return alone and ask.side == side and campaign.position.side not in ("", side)


@cache
def fight(book: str, defender: str) -> Course:
    """The orders that lead to a question to a defender; the last of them raises it."""
    return next(course for seed in range(1, 20) if (course := _fight(book, defender, seed)))


def _fight(book: str, defender: str, seed: int) -> Course:
    course = Course()
    for campaign in played(book, seed, course):
        if his_own(campaign, asked(campaign), defender):
            return course
        if len(course) == MOST:
            break
    return []


@cache
def passing(book: str) -> Course:
    """The orders of a turn; the last of them passes it to the other side."""
    course, moving = Course(), ""
    for campaign in played(book, 1, course):
        if moving and campaign.position.side not in ("", moving):
            return course
        moving = campaign.position.side
    raise AssertionError("nobody else is ever at turn")


def played(book: str, seed: int, course: Course) -> Iterator[Campaign]:
    """A game before each of its orders, those so far in `course`."""
    game, bot = games.find_game(book), RandomLegal(seed)
    nonces = dict(zip(game.sides, (text.partition("nonce ")[2] for text in JOIN), strict=True))
    campaign = Campaign.new(None, game, secret=SECRET, nonces=nonces, pace=CAREFUL)
    while not campaign.over:
        yield campaign
        ask = asked(campaign)
        course.append((ask.side, bot.answer(campaign.referee.table, ask)))
        campaign.submit(ask.side, [course[-1][1]])


class Fight(Office):
    """An office whose game stands before the order that begins a fight, or passes the turn."""

    def __init__(self, home: Path, book: str, defender: str = "") -> None:
        super().__init__(home, "ford", book)
        self.defender, self.course = defender, fight(book, defender) if defender else passing(book)
        self.begin({"pace": CAREFUL, "deadline": "24h"}, scenario="")
        with self.house.transaction() as session:
            room = Room.of(self.house, session, self.name)
            for side, order in self.course[:-1]:
                room.campaign.submit(side, [order], at=room.at)
            for seat in room.seats():
                seat.reported = room.campaign.count - 1
                session.add(seat)
            set_dues(room)

    @property
    def campaign(self) -> Campaign:
        return self.house.campaign(self.game())

    def fought(self) -> dict[str, str]:
        """The mail that begins the fight; what each side is written because of it."""
        side, order = self.course[-1]
        letters = self.mail(side, order.line())
        return {whom: "\n".join(text_of(row) for row in letters if row.to == self.people[whom]) for whom in self.people}


@pytest.fixture(params=FIGHTS, ids=lambda fight: f"{fight[0]}-{fight[1]}")
def office(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Fight]:
    found = Fight(tmp_path, *request.param)
    yield found
    found.house.close()


def test_a_careful_game_waits_for_its_owner_and_a_brisk_one_answers_at_once(office: Fight) -> None:
    attacker, before = office.course[-1][0], office.campaign.count
    told = {row.to: text_of(row) for row in office.mail("moderator", "moderator terms --pace brisk")}
    assert office.campaign.last["terms"] == {"pace": BRISK}
    for side, address in office.people.items():
        assert f"Line {before}: the terms were changed: pace brisk." in told[address]
        assert "The pace is brisk" in told[address], side
    letters = office.fought()
    assert not his_own(office.campaign, asked(office.campaign), office.defender)
    answers = letters[office.defender].partition("ANSWERED FOR YOU")[2].partition("IN SHORT")[0]
    assert "(by default)" in answers
    assert "ANSWERED FOR YOU" not in letters[attacker]
    assert "IN SHORT" in letters[attacker]


def test_a_careful_game_goes_on_when_its_owner_has_answered(office: Fight) -> None:
    letters = office.fought()
    ask = asked(office.campaign)
    assert his_own(office.campaign, ask, office.defender)
    assert prompt_sentence(ask)[:40] in " ".join(letters[office.defender].split())
    assert ask.key in letters[office.defender]
    assert "\nBY " in letters[office.defender]
    before = office.campaign.count
    answer = office.mail(office.defender, ask.default().line())
    assert office.campaign.count > before
    assert asked(office.campaign).key != ask.key
    assert {row.to for row in answer} == set(office.people.values())


def test_a_careful_game_does_not_wait_for_who_left_word(office: Fight) -> None:
    name = _question(office)
    office.mail(office.defender, f"when {name}: default")
    letters = office.fought()
    assert asked(office.campaign).name != name or asked(office.campaign).side != office.defender
    assert "(standing order)" in letters[office.defender].partition("ANSWERED FOR YOU")[2]


def test_a_brisk_game_waits_for_who_said_ask(office: Fight) -> None:
    name = _question(office)
    office.mail("moderator", "moderator terms --pace brisk")
    office.mail(office.defender, f"when {name}: ask")
    office.fought()
    assert (asked(office.campaign).side, asked(office.campaign).name) == (office.defender, name)


def _question(office: Fight) -> str:
    """What the fight will ask the defender first about his own units."""
    campaign = Campaign.open(log_of(office.house, office.name), games.find_game)
    return asked(_gone_on(campaign, office)).name


def _gone_on(campaign: Campaign, office: Fight) -> Campaign:
    referee = campaign.referee.twin()
    side, order = office.course[-1]
    referee.submit(side, [order])
    campaign.referee = referee
    return campaign


@pytest.mark.parametrize("book", list(games.titles()))
def test_a_question_says_of_itself_what_its_ask_does(book: str) -> None:
    """Otherwise a letter would tell that the game waits where it does not, or list what somebody is never asked."""
    course, met = Course(), set()
    for campaign in played(book, 2, course):
        if not course:
            for side in campaign.game.sides:
                campaign.stand(side, "when asked: ask")
        for ask in campaign.asks:
            question = campaign.game.questions.get(ask.name)
            if question is not None and campaign.position.side != ask.side:
                assert ask.reaction is question.reaction, ask.name
                assert not question.of or ask.side in question.of, ask.name
                met.add(ask.name)
        if len(course) == 2 * MOST:
            break
    assert met


@pytest.mark.parametrize("book", FACED)
def test_the_letter_that_passes_the_turn_lists_every_question_whatever_is_hidden(tmp_path: Path, book: str) -> None:
    """The same list in every position, as long as he said nothing: it cannot tell what is possible just now."""
    office = Fight(tmp_path, book)
    passed = office.campaign.position.side  # where both answer at once, the last who writes may be the other
    letters = office.fought()
    assert HEADING in letters[passed]
    assert HEADING not in letters[office.campaign.position.side]
    for question in office.campaign.game.questions.values():
        listed = f"\n  {question.name}: " in letters[passed].partition(HEADING)[2]
        assert listed is (not question.own and (not question.of or passed in question.of))
    for side in office.people:
        standing = text_of(office.mail(side, "standing")[0]).partition(HEADING)[2]
        for question in office.campaign.game.questions.values():
            assert (f"\n  {question.name} -- " in standing) is (not question.of or side in question.of)
    office.house.close()
