"""What one order mail costs: its processor time, and how that grows with the log behind it."""

import gc
import shutil
import tempfile
from email.message import EmailMessage
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from time import process_time

from sqlmodel import col, select

from engine.campaign import Campaign
from engine.facts import StageBegan
from engine.game import Game
from engine.log import load_checkpoint
from pbem.desk.lifecycle import invite, sit_to_table
from pbem.house import House
from pbem.house.in_files import LOG
from pbem.house.papers import GameStock
from pbem.house.room import Room
from pbem.house.settings import Settings
from pbem.inbox.storing import store
from pbem.outbox.easel import Easel
from pbem.pictures.pictures import forget
from pbem.service import Service
from pbem.store import GameRow, MailOut
from pbem.workshop.bench.goals import Figures, figure
from pbem.workshop.bench.played import Played, be_quiet, bots_for, ms
from pbem.workshop.demonstrating.pen import asked_of, write_orders

ORDERS, FEW = 20, 3
DRAWER = f"{LOG}.drawer"
SHORT, LONG = 10, 1200  # lines of the log with the mail's own
MAILS = 14  # each to a game of its own; the first two warm the house up, the best of the others counts


def mail_cost(played: Played, mails: int = MAILS) -> Figures:
    """An order mail without pictures and without an order board, which has a figure of its own."""
    campaign, side, lines = written(played.game, played.seed, ORDERS)
    took = _best(campaign, side, lines[:ORDERS], mails, board="none")
    return [figure("mail_ms", ms(took), orders=len(lines[:ORDERS]))]


def answered_mail_cost(played: Played, mails: int = MAILS) -> Figures:
    """The mail that the rules answer with most, where they play a side; without pictures."""
    game, most, at, sent = played.game, 0, 0, list[tuple[str, list[str]]]()
    campaign, bots = Campaign.new(None, game, seed=played.seed), bots_for(game, played.seed)
    while game.setting.played and not campaign.over:
        side = next(side for side in game.setting.chairs if asked_of(campaign.referee, side) is not None)
        sent.append((side, write_orders(campaign, side, bots[side])))
        happened = campaign.submit(side, "\n".join(sent[-1][1])).facts
        theirs = [fact for fact in happened if isinstance(fact, StageBegan) and fact.side in game.setting.played]
        if theirs and len(happened) > most and not campaign.over:
            most, at = len(happened), len(sent) - 1
    if not most:
        return []
    campaign = Campaign.new(None, game, seed=played.seed)
    for side, own in sent[:at]:
        campaign.submit(side, "\n".join(own))
    took = _best(campaign, *sent[at], mails)
    return [figure("mail_answered_ms", ms(took), orders=len(sent[at][1]), facts=most)]


def illustrated_mail_cost(played: Played, mails: int = MAILS) -> Figures:
    """The same with both letters illustrated, up to the first fight; no picture is shared with an earlier game."""
    campaign, side, lines = written(played.game, played.seed, ORDERS)
    peaceful = [*takewhile(lambda line: line.split()[0] not in _fighting(played.game), lines)][:ORDERS]
    took = _best(campaign, side, peaceful or lines[:1], mails, pictures="all")
    return [figure("mail_pictures_ms", ms(took), orders=len(peaceful))]


def _fighting(game: Game) -> set[str]:
    """The words that open orders whose odds can be worked out."""
    return {verb.verb.split()[0] for side in game.sides for verb in game.book.of(side) if verb.forecastable}


def mail_growth(played: Played, mails: int = MAILS, long: int = LONG) -> Figures:
    """The same mail about the same position, after few lines and after many."""
    campaign, side, lines = written(played.game, played.seed, FEW, SHORT)
    lines, back = lines[:FEW], campaign.count - 1

    def again() -> None:
        """Back to the same position; what waited in a drawer was handed back, so that both mails go as far."""
        campaign.submit(side, "\n".join(lines), skip=True)
        campaign.rewind(back)

    again()
    few, early = _best(campaign, side, lines, mails), campaign.count
    while campaign.count < long:
        again()
    many = _best(campaign, side, lines, mails)
    return [figure("mail_growth", round(many / few, 2), late=campaign.count, early=early)]


MEASURES = (mail_cost, answered_mail_cost, illustrated_mail_cost, mail_growth)


def written(game: Game, seed: int, orders: int = 0, lines: int = 0) -> tuple[Campaign, str, list[str]]:
    """A game at a place where somebody has so many orders to write and so many lines are there, and his orders."""
    campaign, bots = Campaign.new(None, game, seed=seed), bots_for(game, seed)
    while True:
        side = next((side for side in game.setting.chairs if asked_of(campaign.referee, side) is not None), "")
        if not side:  # it is over: in a small game nobody ever has so many to write
            return written(game, seed, orders // 2, lines // 2)
        own = write_orders(campaign, side, bots[side])
        alone = len(campaign.asks) == 1  # a sealed answer makes no line
        if alone and campaign.position.turn >= 1 and len(own) >= orders and campaign.count >= lines:
            return campaign, side, own
        campaign.submit(side, "\n".join(own))


def _best(campaign: Campaign, side: str, lines: list[str], mails: int, **terms: str) -> float:
    """The least that one of some equal mails takes, each to a game of its own."""
    be_quiet()
    times = []
    with tempfile.TemporaryDirectory() as folder:
        house, saved = House(Settings(home=Path(folder) / "home", database="")), kept(campaign, Path(folder) / "saved")
        for number in range(mails):
            name = f"game-{number}"
            chairs = {side: f"{side}@players.example" for side in campaign.game.setting.chairs}
            set_up(house, campaign, saved, name, chairs, **terms)
            service = Service(house)
            mail = mail_to(house, name, side, lines)
            store(house, [("", 0, mail)])
            forget()
            gc.collect()
            began = process_time()
            service.deal_with(sha256(mail).hexdigest()[:32])
            _draw(house, name)
            times.append(process_time() - began)
        house.close()
    return min(times[2:])


def _draw(house: House, game: str) -> None:
    """What letters refer to is drawn when they are sent, and is part of what a mail costs."""
    with house.database.reading() as session:
        written = select(MailOut).where(MailOut.game_id == game, col(MailOut.key).not_like("invitation/%"))
        for row in session.exec(written).all():
            Easel(house, session).finished(row)


def kept(campaign: Campaign, saved: Path) -> Path:
    """The folder of a game that is laid into a house, written once."""
    if not saved.exists():
        saved.mkdir()
        campaign.save(saved / LOG)
    return saved


def set_up(house: House, campaign: Campaign, saved: Path, name: str, chairs: dict[str, str], **own: str) -> None:
    """The saved game as one of the house, everybody told of all so far."""
    game, terms = campaign.game, {"errors": "skip", "pictures": "none", "board": "packed", "deadline": "48h", **own}
    book, scenario, options, secret = game.rulebook, game.scenario, game.options, campaign.secret
    invite(house, name, book, scenario, chairs, options=options, settings=terms, secret=secret)
    if not house.cabinet.shared:
        shutil.copytree(saved, house.folder(name), dirs_exist_ok=True)
    with house.transaction() as session:
        if house.cabinet.shared:
            stock = GameStock((saved / LOG).read_bytes().splitlines(), papers={DRAWER: (saved / DRAWER).read_bytes()})
            house.cabinet.put_stock(session, name, stock)
            last = campaign.last
            state = load_checkpoint(saved / LOG, last)
            assert state is not None
            house.cabinet.keep_state(session, name, f"{LOG}.checkpoint", last, state)
        room = Room(house, session, session.get_one(GameRow, name))
        for seat in room.seats():
            seat.joined, seat.nonce, seat.reported = True, seat.side, campaign.count - 1
            session.add(seat)
        session.flush()
        sit_to_table(room)


def mail_to(house: House, name: str, side: str, lines: list[str]) -> bytes:
    """Orders for a game, from whoever plays that side."""
    with house.database.reading() as session:
        people = Room(house, session, session.get_one(GameRow, name)).people()
        seat, player = next((seat, player) for seat, player in people if seat.side == side)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = player.address, house.seat_address(seat.token), f"[{name}] orders"
    mail["Message-ID"] = f"<{name}.{len(lines)}.{lines[0].split()[-1]}@players.example>"
    mail.set_content("\n".join(lines) + "\n")
    return mail.as_bytes()
