"""Sending: every queued mail goes out once, or the moderator learns why it did not."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from email import message_from_bytes

import pytest
from aiosmtplib import SMTPSenderRefused
from sqlmodel import select

from pbem.house.settings import Relay
from pbem.mail_servers.server import Patience
from pbem.outbox import transport as transport_room
from pbem.outbox.sending import MOST_TRIES, WAITS, send_due
from pbem.outbox.transport import RelayUnreachable, SmtpTransport, Undelivered, say_sender
from pbem.outbox.verp import bounced_mail, envelope_sender
from pbem.store import MailOut, Player, new_id

SERVICE, MODERATOR, ANNA, BORIS = (
    "orders@fieldpost.example",
    "konev@fieldpost.example",
    "anna@home.example",
    "boris@home.example",
)
START = datetime(1944, 1, 28, 6, tzinfo=UTC)


class Crash(BaseException):
    """The machine stops."""


class Relayed:
    """A relay that does as it is told, and remembers what it was given."""

    def __init__(self, *answers: BaseException | None) -> None:
        self.answers = list(answers)
        self.taken: list[tuple[str, str, bytes]] = []

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        answer = self.answers.pop(0) if self.answers else None
        if answer is not None:
            raise answer
        self.taken.append((sender, to, raw))


@pytest.fixture
def clock(house):
    moment = [START]
    house.clock = lambda: moment[0]
    return moment


def put(house, to: str = ANNA, **more: object) -> str:
    id_ = new_id()
    raw = f"From: {SERVICE}\r\nTo: {to}\r\nSubject: Report\r\nMessage-ID: <{id_}@fieldpost.example>\r\n\r\nHello.\r\n"
    with house.database.begin() as session:
        now = house.clock()
        if session.exec(select(Player).where(Player.address == to)).first() is None:
            session.add(Player(address=to))  # what a stranger does not get is told nobody
        values = {"key": f"report/{id_}", "subject": "Report", "state": "queued", **more}
        session.add(MailOut(id=id_, to=to, raw=raw.encode(), next_try=now, queued=now, **values))
    return id_


def row(house, id_: str) -> MailOut:
    with house.database.begin() as session:
        found = session.get(MailOut, id_)
    assert found is not None
    return found


def send(house, transport, **more: object) -> int:
    return asyncio.run(send_due(house, transport, **more))


def by_smtp(house, relay: Relay, *, patience: Patience | None = None) -> int:
    async def go() -> int:
        transport = SmtpTransport(relay, patience=patience)
        try:
            return await send_due(house, transport)
        finally:
            await transport.close()

    return asyncio.run(go())


def test_a_queued_mail_is_sent_to_its_reader(post, house):
    id_ = put(house)
    assert by_smtp(house, post.servers.relay()) == 1
    (raw,) = post.mails(ANNA).values()
    assert message_from_bytes(raw)["Message-ID"] == f"<{id_}@fieldpost.example>"
    assert row(house, id_).state == "sent"
    assert row(house, id_).sent is not None


def test_a_mail_that_comes_back_says_which_one_it_was(post, house):
    id_ = put(house)
    by_smtp(house, post.servers.relay())
    (raw,) = post.mails(ANNA).values()
    sender = message_from_bytes(raw)["Return-Path"].strip("<>")
    assert sender == envelope_sender(SERVICE, id_) == f"orders+bounces+{id_}@fieldpost.example"
    assert bounced_mail(f"bounces+{id_}") == id_
    assert bounced_mail(new_id()) is None


def test_mail_for_later_is_not_sent(house, clock):
    later = put(house)
    with house.database.begin() as session:
        found = session.get(MailOut, later)
        found.next_try = START + timedelta(minutes=1)
        session.add(found)
    relay = Relayed()
    assert send(house, relay) == 0
    clock[0] += timedelta(minutes=1)
    assert send(house, relay) == 1


def test_mails_go_out_in_the_order_they_were_queued(house, clock):
    ids = []
    for _ in range(3):
        ids.append(put(house))
        clock[0] += timedelta(seconds=1)
    relay = Relayed()
    assert send(house, relay) == 3
    assert [bounced_mail(sender.split("+", 1)[1].split("@")[0]) for sender, _, _ in relay.taken] == ids


def test_many_mails_go_over_one_connection(post, house, monkeypatch):
    calls = []
    connect = transport_room.connect

    async def counted(*args, **more):
        calls.append(args)
        return await connect(*args, **more)

    monkeypatch.setattr(transport_room, "connect", counted)
    for to in (ANNA, "nobody@home.example", BORIS, ANNA):
        put(house, to)
    assert by_smtp(house, post.servers.relay()) == 4  # the three that can be, and a notice
    assert len(calls) == 1


def test_a_connection_that_the_relay_closed_is_opened_again(post, house, settings):
    settings.embedded.smtp_port = post.servers.smtp_port

    async def go() -> list[int]:
        put(house)
        relay = post.servers.relay()
        transport = SmtpTransport(relay)
        first = await send_due(house, transport)
        await asyncio.to_thread(post.restart)
        transport.relay = post.servers.relay()
        put(house)
        second = await send_due(house, transport)
        await transport.close()
        return [first, second]

    assert asyncio.run(go()) == [1, 1]
    assert len(post.mails(ANNA)) == 2


def test_a_mail_refused_for_now_is_tried_again_later_and_later(house, clock):
    id_ = put(house)
    relay = Relayed(*[Undelivered(451, "busy")] * (MOST_TRIES - 1))
    waits = []
    for _ in range(MOST_TRIES - 1):
        assert send(house, relay) == 0
        due = row(house, id_).next_try.replace(tzinfo=UTC)
        waits.append(due - clock[0])
        assert send(house, relay) == 0, "it is not tried before its time"
        clock[0] = due
    assert tuple(waits) == WAITS
    assert waits[0] == timedelta(minutes=1)
    assert waits[-1] == timedelta(days=1)
    assert send(house, relay) == 1
    assert row(house, id_).tries == MOST_TRIES == 10


def test_after_ten_tries_the_moderator_is_told_once(house, clock):
    id_ = put(house)
    told = []
    relay = Relayed(*[Undelivered(0, "hung up")] * 20)
    for _ in range(15):
        send(house, relay, tell=lambda house, session, mail: told.append((mail.id, mail.error)))
        clock[0] += timedelta(days=2)
    assert told == [(id_, "hung up")]
    assert row(house, id_).state == "failed"


def test_a_mail_refused_for_good_is_not_tried_again_and_the_moderator_gets_a_mail(post, house):
    id_ = put(house, "nobody@home.example")
    assert by_smtp(house, post.servers.relay()) == 1  # the notice
    assert row(house, id_).state == "failed"
    assert by_smtp(house, post.servers.relay()) == 0
    (notice,) = post.mails(MODERATOR).values()
    assert b"nobody@home.example" in notice
    assert b"550 5.1.1 nobody here has this address" in notice


def test_a_notice_that_cannot_be_delivered_makes_no_other(house):
    ids = [put(house, MODERATOR), put(house, key="undelivered/1")]
    assert send(house, Relayed(Undelivered(550, "no"), Undelivered(550, "no"))) == 0
    assert [row(house, id_).state for id_ in ids] == ["failed", "failed"]
    with house.database.begin() as session:
        assert len(session.exec(select(MailOut)).all()) == 2


def test_a_relay_that_is_down_costs_no_mail_a_try(house):
    id_ = put(house)
    time = [0.0]
    patience = Patience(clock=lambda: time[0], chance=lambda: 1.0)
    nowhere = Relay(host="127.0.0.1", port=1, security="plain")

    async def go() -> str:
        transport = SmtpTransport(nowhere, patience=patience)
        assert await send_due(house, transport) == 0
        assert await send_due(house, transport) == 0
        assert patience.left == 2, "it was asked once only"
        return transport.trouble

    assert asyncio.run(go()) == "relay: nothing listens at 127.0.0.1, port 1"
    assert (row(house, id_).state, row(house, id_).tries) == ("queued", 0)


def test_a_wrong_password_is_the_relays_trouble_not_the_mails(post, house):
    id_ = put(house)
    relay = post.servers.relay().model_copy(update={"user": ANNA})
    assert by_smtp(house, relay) == 0
    assert (row(house, id_).state, row(house, id_).tries) == ("queued", 0)


def test_a_relay_that_wants_a_login_we_do_not_have_fails_no_mail(post, house):
    id_ = put(house)
    assert by_smtp(house, post.servers.relay().model_copy(update={"user": ""})) == 0
    assert (row(house, id_).state, row(house, id_).tries) == ("queued", 0)


def test_a_crash_while_the_mail_is_said_sends_the_same_bytes_again(house):
    id_ = put(house)
    with pytest.raises(Crash):
        send(house, Relayed(Crash()))
    assert row(house, id_).state == "queued"
    relay = Relayed()
    assert send(house, relay) == 1
    assert f"Message-ID: <{id_}@fieldpost.example>".encode() in relay.taken[0][2]


def test_a_sent_mail_is_never_sent_again(house):
    put(house)
    relay = Relayed()
    assert send(house, relay) == 1
    assert send(house, relay) == 0


def test_an_address_that_smtp_cannot_say_is_a_permanent_failure(post, house):
    id_ = put(house, "жуков@home.example")
    by_smtp(house, post.servers.relay())
    assert row(house, id_).state == "failed"


def test_a_relay_that_allows_only_our_bare_address_gets_it():
    said = []

    class Strict:
        async def mail(self, sender: str) -> None:
            said.append(sender)
            if "+" in sender:
                raise SMTPSenderRefused(553, "not yours", sender)

        async def rset(self) -> None:
            said.append("RSET")

    asyncio.run(say_sender(Strict(), "orders+bounces+1@fieldpost.example"))
    assert said == ["orders+bounces+1@fieldpost.example", "RSET", SERVICE]


def test_mail_does_not_travel_unencrypted_to_another_machine():
    async def go() -> None:
        await SmtpTransport(Relay(host="smtp.provider.example", port=25, security="plain")).send(SERVICE, ANNA, b"")

    with pytest.raises(RelayUnreachable, match=r"smtp\.provider\.example is another machine"):
        asyncio.run(go())
