"""Consent kept: renewed before it runs out, rotated, shared, and its end told before it comes."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from pbem.house import House
from pbem.house.settings import Mailbox, OAuth, Relay, Settings
from pbem.mail_servers.oauth.consent_keeper import FILE, ConsentKeeper
from pbem.mail_servers.oauth.troubles import ConsentEnded, NoConsent, ProviderOutOfReach
from pbem.moderator import Act
from pbem.moderator.listing import list_games
from pbem.service.house_watch import watch_consent
from pbem.service.serving import Daemon
from pbem.store import MailOut
from tests.pbem.oauth.authorisation import AuthorisationServer

MODERATOR = "konev@fieldpost.example"


@pytest.fixture
def house(tmp_path: Path, clock) -> Iterator[House]:
    settings = Settings(
        home=tmp_path,
        address="orders@fieldpost.example",
        moderator=MODERATOR,
        mailbox=Mailbox(host="localhost", port=1, user="orders@fieldpost.example", login="oauth"),
        relay=Relay(host="localhost", port=1, user="orders@fieldpost.example", login="oauth"),
    )
    house = House(settings, clock)
    yield house
    house.close()


def letters(house: House) -> list[str]:
    with house.database.begin() as session:
        return [row.raw.decode() for row in session.exec(select(MailOut).where(MailOut.to == MODERATOR)).all()]


def renewals(office: AuthorisationServer) -> int:
    return sum(form.get("grant_type") == "refresh_token" for _, form in office.asked)


def test_a_token_is_used_until_shortly_before_its_end_and_then_renewed(office, keeper, clock) -> None:
    first = keeper.access()
    clock.go_by(minutes=54)
    assert (keeper.access(), renewals(office)) == (first, 0)
    clock.go_by(minutes=2)
    second = keeper.access()
    assert (second != first, renewals(office)) == (True, 1)
    assert keeper.access() == second
    assert second in office.access


def test_a_token_of_a_few_minutes_is_not_renewed_every_time(office, consent, clock, tmp_path: Path) -> None:
    office.life = 240
    consent()
    keeper = ConsentKeeper(tmp_path, clock)
    for _ in range(20):
        clock.go_by(minutes=1)
        assert keeper.access() in office.access
    assert renewals(office) == 6


def test_a_refresh_token_that_is_good_once_is_replaced_and_kept(office, keeper, clock) -> None:
    for _ in range(5):
        clock.go_by(hours=1)
        assert keeper.access() in office.access
    assert keeper.kept().refresh_token.get_secret_value() in office.refresh


def test_a_refresh_token_that_stays_is_kept(office, keeper, clock) -> None:
    office.rotates = False
    kept = keeper.kept().refresh_token
    clock.go_by(hours=1)
    assert keeper.access() in office.access
    assert keeper.kept().refresh_token == kept


def test_a_token_that_a_server_rejected_is_renewed_before_its_time(office, keeper) -> None:
    first = keeper.access()
    second = keeper.access(rejected=first)
    assert second != first
    assert keeper.access(rejected=first) == second  # somebody else renewed it already
    assert renewals(office) == 1


def test_two_who_keep_one_consent_do_not_use_one_token_twice(office, keeper, clock, tmp_path: Path) -> None:
    other = ConsentKeeper(tmp_path, clock)
    clock.go_by(hours=2)
    assert keeper.access() == other.access()
    assert renewals(office) == 1


def test_the_file_is_for_its_owner_alone_and_says_no_secret_when_printed(keeper, tmp_path: Path, clock) -> None:
    clock.go_by(hours=1)
    keeper.access()
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    kept = json.loads((tmp_path / FILE).read_text())
    assert kept["refresh_token"] not in repr(keeper.kept())
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".new")] == []


def test_a_provider_out_of_order_is_waited_for_as_long_as_the_token_lasts(office, keeper, clock) -> None:
    first = keeper.access()
    office.broken = 2
    clock.go_by(minutes=57)
    assert keeper.access() == first
    clock.go_by(minutes=4)
    with pytest.raises(ProviderOutOfReach, match=r"gives out no tokens now.*status 503"):
        keeper.access()
    assert keeper.access() in office.access


def test_without_a_consent_it_says_how_to_give_one(tmp_path: Path) -> None:
    keeper = ConsentKeeper(tmp_path)
    with pytest.raises(NoConsent, match="run `pbem init --oauth google`, `microsoft` or the provider's URL"):
        keeper.access()
    (tmp_path / FILE).write_text("{")
    with pytest.raises(NoConsent):
        keeper.access()


def test_a_withdrawn_consent_is_told_in_words_and_nobody_is_asked_again(office, keeper, clock) -> None:
    office.withdraw()
    clock.go_by(hours=1)
    for _ in range(3):
        with pytest.raises(ConsentEnded, match=r"consent was withdrawn or ran out; run `pbem init --oauth http"):
            keeper.access()
    assert renewals(office) == 1


def test_a_new_consent_is_taken_up_by_who_serves_already(office, keeper, consent, clock) -> None:
    office.withdraw()
    clock.go_by(hours=1)
    assert isinstance(keeper.keep_fresh(), ConsentEnded)
    consent()
    assert keeper.keep_fresh() is None
    assert keeper.access() in office.access


# The moderator is told.


def test_the_moderator_is_told_once_when_renewal_is_refused(office, keeper, house, clock) -> None:
    office.withdraw()
    clock.go_by(hours=1)
    daemon = Daemon(house, house.settings.mailbox, house.settings.relay, keeper)
    with asyncio.Runner() as runner:
        for _ in range(3):
            daemon.once(runner)
            clock.go_by(hours=1)
        runner.run(daemon.transport.close())
    daemon.inbox.close()
    (letter,) = letters(house)
    assert "Subject: Please note: Shut out of the mailbox" in letter
    assert f"pbem init --oauth {office.url}" in letter
    assert "consent was withdrawn or ran out" in daemon.inbox.trouble
    with house.transaction() as session:
        (row,) = session.exec(select(MailOut)).all()
        assert (row.state, row.tries) == ("queued", 0)  # it goes out once there is consent again
        act = Act(house, session)
        list_games(act)
    assert act.told[0].startswith("Mail is held up: ")
    assert "consent was withdrawn or ran out" in act.told[0]


def test_a_client_that_is_no_longer_known_is_told_once_too_and_tried_again(office, keeper, house, clock) -> None:
    clock.go_by(hours=1)
    office.secret = "new since today"
    assert [watch_consent(house, keeper) for _ in range(3)] == [1, 0, 0]
    assert "check --client-id and --client-secret" in letters(house)[0].replace("=\r\n", "")
    office.secret = ""
    assert keeper.access() in office.access


@pytest.mark.parametrize("word", ["temporarily_unavailable", "server_error"])
def test_a_provider_in_trouble_withdraws_nothing(office, keeper, house, clock, monkeypatch, word: str) -> None:
    monkeypatch.setattr(office, "token", lambda form: (400, {"error": word}))
    clock.go_by(hours=1)
    assert watch_consent(house, keeper) == 0
    with pytest.raises(ProviderOutOfReach, match=word):
        keeper.access()


def test_the_end_that_the_provider_tells_is_told_before_it_comes(office, consent, house, clock, tmp_path: Path) -> None:
    week = 7 * 24 * 3600
    office.more, office.rotates = {"refresh_token_expires_in": week}, False
    consent()
    keeper = ConsentKeeper(tmp_path, clock)
    for hour in range(6, 6 * 24, 6):
        clock.go_by(hours=6)
        office.more = {"refresh_token_expires_in": week - hour * 3600}
        told = watch_consent(house, keeper)
        assert told == (hour == 126), hour  # a quarter of the week before its end
    (letter,) = letters(house)
    assert "Monday 12 January 2026, 12:00 UTC" in letter


def test_an_end_that_moves_on_with_every_renewal_is_none(office, consent, house, clock, tmp_path: Path) -> None:
    office.more, office.life = {"refresh_expires_in": 1800}, 600
    consent()
    keeper = ConsentKeeper(tmp_path, clock)
    for _ in range(100):
        clock.go_by(minutes=1)
        assert watch_consent(house, keeper) == 0
    assert renewals(office) >= 10


def test_where_the_provider_tells_no_end_the_settings_may(office, keeper, house, clock) -> None:
    house.settings.oauth = OAuth(consent_days=90, warn_days=5)
    told = []
    for days in (60, 24, 1, 1, 3):
        clock.go_by(days=days)
        told.append(watch_consent(house, keeper))
    assert told == [0, 0, 1, 0, 0]  # five days before its end
