"""Games set up, chairs passed on, games closed."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import select

from engine.campaign import verify
from games import find_game
from pbem.clock.clock_rules import BadClock
from pbem.moderator import CannotModerate, arranging, setting_up
from pbem.moderator.act import BadAddress, WrongState
from pbem.service import Service
from pbem.store import Spectator
from pbem.wording.naming import in_groups
from tests.pbem.desk.office import text_of
from tests.pbem.houses import bytes_of, damage, log_of
from tests.pbem.moderator.moderated import GAME, Moderated, body
from tests.pbem.security.office import ANNA, BRUNO, MODERATOR, read

CLARA = "clara@players.example"


def terms(chairs: dict[str, str] = {"soviet": ANNA, "german": BRUNO}, **more: Any) -> dict[str, Any]:  # noqa: B006
    said = [word for side, who in chairs.items() for word in (f"--{side}", who)]
    return {"game": "korsun_spi", "scenario": "proving", "chairs": said, "pictures": "none", **more}


def test_a_new_game_invites_its_players_and_tells_the_moderator_where_to_write(office: Moderated) -> None:
    letters = office.written(setting_up.new, **terms())
    assert set(letters) == {ANNA, BRUNO, MODERATOR}
    assert "join" in letters[ANNA]
    assert "moderator help" in letters[MODERATOR]
    assert office.row_of("korsun-spi-1").state == "invited"


def test_a_second_game_gets_a_name_of_its_own(office: Moderated) -> None:
    office.do(setting_up.new, **terms())
    told = office.do(setting_up.new, **terms())
    assert told[0].startswith("korsun-spi-2")


def test_a_chair_may_be_a_bots_and_the_game_begins_when_the_person_has_joined(office: Moderated) -> None:
    office.do(setting_up.new, **terms(name="solo", chairs={"soviet": ANNA, "german": "bot:sensible"}))
    office.mail(ANNA, office.seat("solo", "soviet"), "join")
    assert office.row_of("solo").state == "playing"


def test_between_bots_a_game_begins_at_once(office: Moderated) -> None:
    told = office.do(setting_up.new, **terms(name="robots", chairs={"soviet": "bot:random", "german": "bot:random"}))
    assert told[-1] == "Everybody is there: the game begins."
    assert Service(office.house).bots_asked() == ["robots"]


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"chairs": {"soviet": ANNA}}, CannotModerate, "nobody is to play german"),
        ({"chairs": {"soviet": ANNA, "german": BRUNO, "polish": CLARA}}, CannotModerate, "no side 'polish'"),
        ({"chairs": {"soviet": ANNA, "german": "bot:wise"}}, CannotModerate, "there is no bot 'wise'"),
        ({"chairs": {"soviet": ANNA, "german": "bruno"}}, BadAddress, "'bruno' is no mail address"),
        ({"chairs": {"soviet": ANNA, "german": "a@b\nBcc: c@d"}}, BadAddress, "is no mail address"),
        ({"name": "../etc"}, CannotModerate, "cannot be a game's name"),
        ({"deadline": ["soon"]}, BadClock, "cannot be 'soon'"),
        ({"spectator": ["nobody"]}, BadAddress, "'nobody' is no mail address"),
    ],
)
def test_terms_that_make_no_game_are_refused_before_anybody_hears_of_it(
    office: Moderated, wrong: dict[str, Any], error: type[Exception], said: str
) -> None:
    before = len(office.out())
    with pytest.raises(error, match=said):
        office.do(setting_up.new, **terms(**wrong))
    assert len(office.out()) == before


def test_spectators_of_a_new_game_are_written_down(office: Moderated) -> None:
    office.do(setting_up.new, **terms(name="open", spectator=[CLARA], delay=24))
    with office.house.database.begin() as session:
        looker = session.exec(select(Spectator).where(Spectator.game_id == "open")).one()
    assert (looker.address, looker.delay_hours) == (CLARA, 24)


def test_a_substitute_is_asked_first_and_sits_down_when_he_joins(office: Moderated) -> None:
    old = office.seat(GAME, "german")
    before = {row.id for row in office.out()}
    assert set(office.written(arranging.substitute, GAME, "german", CLARA)) == {CLARA}
    asked = next(read(row.raw) for row in office.out() if row.id not in before)
    assert "take over German" in " ".join(body(asked).split())
    office.mail(BRUNO, old, "press I am still here")
    assert office.row().state == "done"
    assert office.seat(GAME, "german") == old
    letters = {
        str(letter["To"]): body(letter) for letter in office.mail(CLARA, str(asked["Reply-To"]), "join as Clara")
    }
    assert set(letters) == {ANNA, BRUNO, CLARA, MODERATOR}
    assert CLARA not in letters[ANNA]
    assert "Clara plays German from now on" in letters[ANNA]
    assert office.seat(GAME, "german") in str(asked["Reply-To"]) != old
    head = office.head(GAME)
    office.mail(BRUNO, old, "end")
    assert office.head(GAME) == head
    assert office.mail(CLARA, office.seat(GAME, "german"), "status")


def test_a_vanished_players_chair_is_filled_by_a_bot_that_plays_on(office: Moderated) -> None:
    office.do(arranging.substitute, GAME, "soviet", "bot:sensible")
    assert Service(office.house).bots_asked() == [GAME]
    count = office.campaign().count
    office.service.play_bots(GAME)
    assert office.campaign().count > count
    assert Service(office.house).bots_asked() == []


def test_somebody_who_never_joined_is_replaced_by_a_new_invitation(office: Moderated) -> None:
    office.game("weir", ANNA, BRUNO, begun=False)
    letters = office.written(arranging.substitute, "weir", "german", CLARA)
    assert "You are invited to play German" in " ".join(letters[CLARA].split())
    assert not office.seat_of("german", "weir").joined


def test_the_same_player_cannot_replace_himself(office: Moderated) -> None:
    with pytest.raises(CannotModerate, match="plays german already"):
        office.do(arranging.substitute, GAME, "german", BRUNO)


def test_a_game_closed_with_a_result_is_finished_and_everybody_gets_its_secret(office: Moderated) -> None:
    before = {row.id for row in office.out()}
    office.do(arranging.close, GAME, "the pocket has surrendered", "soviet")
    assert office.row_of().state == "finished"
    assert office.campaign().position.winner == "soviet"
    letters = [row for row in office.out() if row.id not in before]
    assert sorted(row.to for row in letters) == [ANNA, ANNA, BRUNO, BRUNO]
    assert {row.state for row in letters} == {"queued"}
    secret = in_groups(office.campaign().secret.hex())
    assert sum(secret in " ".join(text_of(row).split()) for row in letters) == 2
    assert verify(log_of(office.house, GAME), find_game).faults == []


def test_a_game_closed_without_a_result_is_abandoned(office: Moderated) -> None:
    office.do(arranging.close, GAME)
    assert office.row_of().state == "abandoned"
    with pytest.raises(WrongState, match="closed already"):
        office.do(arranging.close, GAME)


def test_a_game_whose_log_cannot_be_carried_on_is_laid_aside_and_its_log_stays_as_it_is(office: Moderated) -> None:
    damage(office.house, GAME)
    damaged = bytes_of(office.house, GAME)
    letters = office.written(arranging.close, GAME)
    assert office.row_of().state == "abandoned"
    assert "Its log stays as it is" in " ".join(letters[ANNA].split())
    assert bytes_of(office.house, GAME) == damaged


def test_a_game_that_has_not_begun_is_called_off(office: Moderated) -> None:
    office.game("weir", ANNA, BRUNO, begun=False)
    letters = office.written(arranging.close, "weir")
    assert "called it off" in letters[ANNA]
    assert office.row_of("weir").state == "abandoned"


def test_a_word_of_the_moderators_goes_to_all(office: Moderated) -> None:
    letters = office.written(arranging.press, GAME, "The next turn\nstarts on Monday.")
    assert set(letters) == {ANNA, BRUNO}
    assert "starts on Monday." in letters[BRUNO]
    with pytest.raises(CannotModerate, match="no words"):
        office.do(arranging.press, GAME, "  \n")
