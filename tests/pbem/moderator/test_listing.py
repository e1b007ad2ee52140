"""Who owes what since when, and the players' records."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.cli.watch import picture
from pbem.moderator import arranging, listing
from tests.pbem.moderator.moderated import GAME, Moderated
from tests.pbem.security.office import ANNA, BRUNO


def test_the_list_says_who_owes_what_for_how_long_and_how_much_is_left(office: Moderated) -> None:
    office.clock.now += timedelta(hours=5)
    told = office.do(listing.list_games)
    assert told[0] == "mill  playing  korsun_spi"
    assert f"soviet ({ANNA})" in told[1]
    assert "for 5h" in told[1]
    assert "left" in told[1]


def test_a_late_answer_is_called_late(office: Moderated) -> None:
    office.clock.now += timedelta(days=3)
    assert "late" in office.do(listing.list_games)[1]


def test_whoever_has_not_joined_owes_that(office: Moderated) -> None:
    office.game("weir", ANNA, BRUNO, begun=False)
    told = office.do(listing.list_games)
    assert any(f"german ({BRUNO}): to join" in line for line in told)


def test_games_that_are_over_leave_the_list(office: Moderated) -> None:
    office.do(arranging.close, GAME)
    assert office.do(listing.list_games) == ["There are no games under way; `game list --all` shows all."]
    assert office.do(listing.list_games, everything=True) == ["mill  abandoned  korsun_spi"]


def test_a_game_shown_tells_its_terms_chairs_and_state(office: Moderated) -> None:
    told = "\n".join(office.do(listing.show, GAME))
    assert "scenario proving; disruption stack, no_hq barred, city_is_town no," in told
    assert "deadline 48h" in told
    assert ANNA in told
    assert "orders missing" in told
    assert office.row_of().moderator_token not in told
    assert office.token(GAME, "soviet") not in told


def test_a_players_record_counts_answers_in_time_and_how_long_they_took(office: Moderated) -> None:
    office.clock.now += timedelta(hours=2)
    office.mail(ANNA, office.seat(GAME, "soviet"), "end")
    told = "\n".join(office.do(listing.players))
    assert "in time 1, late 0, left to the clock 0" in told
    assert "100% in time, 2h" in told


@pytest.mark.parametrize(
    ("hours", "said"), [(0, "0m"), (0.5, "30m"), (5, "5h"), (5.25, "5h 15m"), (24, "1d"), (53, "2d 5h")]
)
def test_times_are_said_in_the_two_largest_units(hours: float, said: str) -> None:
    assert listing.ago(timedelta(hours=hours)) == said


def test_the_watchers_table_has_a_row_for_everything_owed(office: Moderated) -> None:
    office.game("weir", ANNA, BRUNO, begun=False)
    table = picture(office.house)
    assert table.row_count == 3
    assert "to send" in str(table.caption)
