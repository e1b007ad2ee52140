"""A short game by way of Debian's Dovecot and Postfix, from invitation to final report, whatever comes in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlmodel import select

import games
from engine.bots import Sensible
from engine.campaign import verify
from engine.dice import commitment, secret_from_seed
from pbem.desk.lifecycle import invite
from pbem.house.alone import sole_writer
from pbem.store import GameRow, MailIn, MailOut
from pbem.wording.naming import in_groups
from pbem.workshop.demonstrating.pen import write_orders
from tests.servers.correspondence import Correspondence, Person, opened_box, served, words

GAME = "mill"
SECRET = secret_from_seed(7)
TURN = ("end", "end", "end")  # a whole player-turn in which nothing is done
AHEAD = ("end initial", "end combat", "end mechanised")  # the same, ordered before the other side has answered
DEEP = 15  # parts within parts, more than the gate opens


@pytest.fixture
def cast(servers) -> Iterator[SimpleNamespace]:
    """Two players, and somebody who plays no part."""
    with ExitStack() as stack:

        def person(name: str, mailbox: str, **more) -> Person:
            return Person(opened_box(servers, stack, servers.address(mailbox, "home.example"), name), **more)

        yield SimpleNamespace(
            anna=person("Anna", "anna", side="soviet"),
            boris=person("Boris", "boris", side="german", bot=Sensible(0)),
            stranger=person("Conrad", "konev"),
        )


def test_a_game_is_played_by_debians_own_servers_from_invitation_to_final_report(servers, make_house, cast, tmp_path):
    house = make_house(poll_seconds=1)
    with served(house, servers) as daemon:
        post = Correspondence(GAME, house, daemon, [cast.anna, cast.boris, cast.stranger])
        invited_and_joined(post, cast)
        happened = played_to_its_end(post, cast)
        post.until("both final letters", lambda: all(final_letter(one) for one in (cast.anna, cast.boris)))
        post.until("every letter of the outbox", lambda: every_letter_came_once(post))
    assert happened == set(INCIDENTS)
    for player in (cast.anna, cast.boris):
        the_final_letter_proves_the_game(player, tmp_path)
    every_mail_had_its_one_answer(post)
    the_house_is_in_order(post)


def invited_and_joined(post: Correspondence, cast: SimpleNamespace) -> None:
    players = (cast.anna, cast.boris)
    with sole_writer(post.house):
        chairs = {player.side: player.box.address for player in players}
        invite(post.house, GAME, "korsun_spi", "proving", chairs, settings={"errors": "skip"}, secret=SECRET)
    post.until("both invitations", lambda: all(player.letters for player in players))
    for player in players:
        assert in_groups(commitment(SECRET)) in words(player.letters[0])
        post.post(player, player.reply(f"join as {player.box.name} nonce herons over the mill"))


def played_to_its_end(post: Correspondence, cast: SimpleNamespace) -> set[str]:
    """One mail after the other until the game is over; gives the incidents there were."""
    happened: set[str] = set()
    while not post.campaign.over:
        player, ask = post.asked()
        stage = "/".join(ask.key.split("/")[:2])
        if stage in INCIDENTS and stage not in happened:
            happened.add(stage)
            INCIDENTS[stage](post, cast, ask.key)
            continue
        head = post.campaign.head
        post.post(player, player.reply(f"key {ask.key}", *write_orders(post.campaign, player.side, player.bot)))
        assert post.campaign.head != head
    return happened


# What comes in between.


def sent_twice(post: Correspondence, cast: SimpleNamespace, key: str) -> None:
    """A second copy is passed over in silence; a second press of the button is answered; the turn is played once."""
    mail, again = (cast.anna.reply(f"key {key}", *TURN) for _ in range(2))
    post.post(cast.anna, mail)
    head = post.campaign.head
    post.write(cast.anna, mail, cast.anna)
    assert "were not carried out again" in post.post(cast.anna, again)
    assert post.campaign.head == head


def malformed(post: Correspondence, cast: SimpleNamespace, key: str) -> None:
    """What cannot be read or understood is answered, what nobody wrote is set aside, and nothing is carried out."""
    head = post.campaign.head
    assert "Your mail could not be read" in post.post(cast.anna, nested(cast.anna.reply(*TURN)))
    assert "mvoe RD151 forwards!!" in post.post(cast.anna, cast.anna.reply("mvoe RD151 forwards!!"))
    nobody = cast.anna.reply(*TURN)
    nobody.replace_header("From", f"{cast.anna.box.address}, {cast.boris.box.address}")
    id_ = post.write(cast.anna, nobody, None)
    post.until("a mail set aside", lambda: ("shunted", "unreadable") in fates(post, id_))
    assert post.campaign.head == head


def forged(post: Correspondence, cast: SimpleNamespace, key: str) -> None:
    """Who is imitated is told, who imitates learns nothing, and nobody moves another's pieces."""
    head, chair = post.campaign.head, str(cast.boris.reply()["To"])
    imitated = cast.stranger.box.compose(post.house.settings.address, f"[{GAME}]", list(TURN))
    imitated.replace_header("From", f"Boris <{cast.boris.box.address}>")
    assert "not to a chair at a game" in post.post(cast.stranger, imitated, cast.boris)
    before = len(cast.stranger.letters)  # nothing of a stranger's stands in his answer, not even which mail it answers
    post.write(cast.stranger, cast.stranger.box.compose(chair, f"[{GAME}]", list(TURN)), None)
    post.until("an answer to the stranger", lambda: len(cast.stranger.letters) > before)
    stolen = words(cast.stranger.letters[-1])
    assert "only from the people who play here" in stolen
    assert GAME not in stolen
    opponent = cast.anna.box.compose(chair, f"[{GAME}]", list(TURN))
    assert "opens no chair of yours" in post.post(cast.anna, opponent)
    assert post.campaign.head == head


def overtaken(post: Correspondence, cast: SimpleNamespace, key: str) -> None:
    """A mail that comes after one that was written later is for a time that has gone by."""
    first, second = cast.anna.reply(f"key {key}", "end"), cast.anna.reply(f"key {key}", *TURN)
    post.post(cast.anna, second)
    head = post.campaign.head
    assert "that question is not open" in post.post(cast.anna, first)
    assert post.campaign.head == head


def too_early(post: Correspondence, cast: SimpleNamespace, key: str) -> None:
    """Orders that come before the opponent's wait in the drawer, and are carried out behind them."""
    head = post.campaign.head
    assert "KEPT FOR LATER: 3 LINES" in post.post(cast.boris, cast.boris.reply(*AHEAD))
    assert post.campaign.head == head
    turn = post.campaign.position.turn
    post.post(cast.anna, cast.anna.reply(f"key {key}", *TURN))
    assert post.campaign.position.turn == turn + 1


INCIDENTS: dict[str, Callable[[Correspondence, SimpleNamespace, str], None]] = {
    "1/soviet.initial": sent_twice,
    "2/soviet.initial": malformed,
    "2/german.initial": forged,
    "3/soviet.initial": overtaken,
    "4/soviet.initial": too_early,
}


def nested(mail: EmailMessage) -> MIMEMultipart:
    """The same mail with its text inside parts within parts."""
    inside: MIMEText | MIMEMultipart = MIMEText(mail.get_content())
    for _ in range(DEEP):
        outside = MIMEMultipart(_subparts=[inside])
        inside = outside
    for name in ("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"):
        outside[name] = str(mail[name])
    return outside


# What must be so afterwards.


def final_letter(player: Person) -> EmailMessage | None:
    return next((letter for letter in player.letters if f"{GAME}.jsonl.gz" in enclosed(letter)), None)


def enclosed(letter: EmailMessage) -> dict[str, bytes]:
    files = {part.get_filename(): part.get_payload(decode=True) for part in letter.walk() if not part.is_multipart()}
    return {name: data for name, data in files.items() if name}


def the_final_letter_proves_the_game(player: Person, folder: Path) -> None:
    letter = final_letter(player)
    assert letter is not None
    assert "The game is over" in words(letter)
    assert in_groups(SECRET.hex()) in words(letter)
    files = enclosed(letter)
    assert b"<html" in files[f"{GAME}.html"]
    log = folder / f"{player.side}.jsonl.gz"
    log.write_bytes(files[f"{GAME}.jsonl.gz"])
    verdict = verify(log, games.find_game)
    assert verdict.faults == []
    assert verdict.rolls > 0


def every_letter_came_once(post: Correspondence) -> bool:
    """Whether the mailboxes hold the outbox, letter for letter."""
    with post.house.database.begin() as session:
        out = session.exec(select(MailOut)).all()
    assert "failed" not in {row.state for row in out}
    got = Counter((one.box.address, str(letter["Message-ID"])) for one in post.people for letter in one.letters)
    return {row.state for row in out} == {"sent"} and got == Counter((row.to, row.message_id) for row in out)


def every_mail_had_its_one_answer(post: Correspondence) -> None:
    for id_, reader in post.sent:
        readers = [person for person in post.people for _ in person.answers(id_)]
        assert [one.box.name for one in readers] == ([reader.box.name] if reader else []), id_


def the_house_is_in_order(post: Correspondence) -> None:
    with post.house.database.begin() as session:
        rows = session.exec(select(MailIn)).all()
        assert session.get_one(GameRow, GAME).state == "finished"
    assert Counter(row.message_id for row in rows) == Counter(id_ for id_, _ in post.sent)
    assert Counter(row.state for row in rows if row.state != "done") == {"silent": 1, "shunted": 1}
    causes = [line["cause"] for line in post.campaign.lines() if line.get("cause")]
    assert len(causes) == len(set(causes))
    assert set(causes) == {row.id for row in rows if row.line is not None}
    assert verify(post.house.log_path(GAME), games.find_game).faults == []


def fates(post: Correspondence, message_id: str) -> set[tuple[str, str]]:
    """What has become of a mail, each time it came: its state and the rule that decided."""
    with post.house.database.begin() as session:
        rows = session.exec(select(MailIn).where(MailIn.message_id == message_id)).all()
    return {(row.state, row.why) for row in rows}
