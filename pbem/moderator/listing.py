"""How the games stand: who owes what since when; one game in full; the players' records."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

import typer
from sqlmodel import Session, col, select

from pbem.clock.clock_rules import counted
from pbem.desk.seating import DECLINED, OPEN, invitations
from pbem.desk.standing_of import state_word
from pbem.house import Room
from pbem.mail_servers.oauth.consent_keeper import consent_trouble
from pbem.moderator.act import OVER, STATES, UNDER_WAY, Act, GameId
from pbem.moderator.setting_up import when_told
from pbem.store import Due, GameRow, MailIn, MailOut, Player, Seat, Spectator, utc
from pbem.wording.naming import gathered
from pbem.wording.option_values import shown_options, shown_terms
from pbem.wording.situation import headline


@dataclass(frozen=True)
class Owing:
    """Something a side must do: answer an ask, or join."""

    side: str
    who: str
    what: str
    since: datetime
    due: datetime | None


@dataclass(frozen=True)
class ListedGame:
    """A game as the list shows it."""

    id: str
    rulebook: str
    state: str
    owing: tuple[Owing, ...]


def standings(session: Session, *, everything: bool = False) -> list[ListedGame]:
    """The games that are not over (or all of them), those under way first."""
    games = session.exec(select(GameRow)).all()
    rows = [row for row in games if everything or not (row.state in OVER or row.settings.get("archived"))]
    rows.sort(key=lambda row: (STATES.index(row.state), row.id))
    who = {player.id: player.address for player in session.exec(select(Player)).all()}
    seats = gathered((seat.game_id, seat) for seat in session.exec(select(Seat).order_by(col(Seat.id))))
    dues = {(due.game_id, due.side): due for due in session.exec(select(Due)).all()}
    owed = {row.id: tuple(_owing(row, seats.get(row.id, []), dues, who)) for row in rows}
    return [ListedGame(row.id, row.rulebook, row.state, owed[row.id]) for row in rows]


def _owing(
    row: GameRow, seats: list[Seat], dues: dict[tuple[str, str], Due], who: dict[int | None, str]
) -> Iterator[Owing]:
    for seat in seats:
        name = f"bot:{seat.bot}" if seat.bot else who.get(seat.player_id, "nobody")
        due = dues.get((row.id, seat.side))
        if row.state in ("invited", "joined") and not seat.joined:
            yield Owing(seat.side, name, "to join", utc(row.created), None)
        elif row.state in UNDER_WAY and due is not None:
            yield Owing(seat.side, name, due.prompt, utc(due.asked), utc(due.due) if due.due else None)


def list_games(
    act: Act,
    everything: Annotated[bool, typer.Option("--all", help="Those that are over or archived, too.")] = False,
) -> None:
    """List the games: who owes what, for how long, and how much time is left.

    Example: pbem game list
    """
    if (trouble := consent_trouble(act.house.settings)) is not None:
        act.say(f"Mail is held up: {trouble}.")
    found = standings(act.session, everything=everything)
    if not found:
        act.say("There are no games." if everything else "There are no games under way; `game list --all` shows all.")
    for game in found:
        act.say(f"{game.id}  {game.state}  {game.rulebook}")
        for owing in game.owing:
            act.say(f"    {owing.side} ({owing.who}): {owing.what}, for {ago(act.now - owing.since)}{_by(act, owing)}")


def _by(act: Act, owing: Owing) -> str:
    if owing.due is None:
        return ""
    left = owing.due - act.now
    return f", {ago(left)} left" if left > timedelta(0) else f", {ago(-left)} late"


def ago(time: timedelta) -> str:
    """A length of time in the largest two units that matter."""
    minutes = max(0, round(time.total_seconds() / 60))
    days, hours = minutes // 1440, minutes // 60 % 24
    two = ((days, "d"), (hours, "h")) if days else ((hours, "h"), (minutes % 60, "m"))
    return " ".join(f"{number}{unit}" for number, unit in two if number) or "0m"


def show(act: Act, game: GameId) -> None:
    """Show one game: its terms, its chairs, where it stands, its mail, and the address of your verbs.

    Example: pbem game show ID
    """
    room = act.room(game)
    row = room.game
    act.say(f"{row.id}: {row.title}, {row.state} since {utc(row.created):%Y-%m-%d}")
    options = shown_options(row.options)
    act.say(f"  rules: {row.rulebook}, scenario {row.scenario}" + (f"; {options}" if options else ""))
    terms = {**row.settings, "pace": room.pace}
    act.say(f"  settings: {shown_terms({name: value for name, value in terms.items() if name != 'asked by'})}")
    act.say(f"  moderator: {row.moderator}, at the reply address of his letters")
    for seat in room.seats():
        act.say(f"  {seat.side}: {_chair(room, seat)}")
    if room.duel is not None and room.rival is not None:
        stands = room.duel.ended or f"turns compared: {room.duel.compared or 'none'}"
        act.say(f"  a duel with {room.rival.game.id}; {stands}")
    for asked in invitations(room, OPEN) if room.begun else ():
        player, seat = act.session.get_one(Player, asked.player_id), act.session.get_one(Seat, asked.seat_id)
        act.say(f"  asked to take over {seat.side}: {player.address}, since {utc(asked.asked):%Y-%m-%d}")
    for looker in act.session.exec(select(Spectator).where(Spectator.game_id == row.id)).all():
        act.say(f"  looks on: {looker.address}, {when_told(looker)}")
    if room.begun:
        campaign = room.campaign
        act.say(
            f"  log: {campaign.count} lines, head {campaign.head[:16]}; {headline(campaign.game, campaign.position)}"
        )
        for ask in campaign.asks:
            act.say(f"  asked of {ask.side}: {ask.prompt} ({ask.key})")
    act.say(f"  mail: {_mail(act, row.id)}")


def _chair(room: Room, seat: Seat) -> str:
    if seat.bot:
        return f"the bot {seat.bot}"
    player = room.player(seat)
    if player is None:
        return "nobody"
    said = [f"{player.name} <{player.address}>" if player.name else player.address, player.zone]
    if not seat.joined:
        declined = any(one.seat_id == seat.id and one.player_id == player.id for one in invitations(room, DECLINED))
        said.append("has declined" if declined else "has not joined")
    elif room.begun:
        said.append(f"orders {state_word(room.campaign, seat.side)}")
    if seat.away_until is not None and utc(seat.away_until) > room.now:
        said.append(f"away until {utc(seat.away_until):%Y-%m-%d}")
    if seat.unheard:
        said.append(f"{counted(seat.unheard, 'deadline')} running left to the clock")
    return ", ".join(said)


def _mail(act: Act, game: str) -> str:
    came = act.session.exec(select(MailIn.state).where(MailIn.game_id == game)).all()
    went = act.session.exec(select(MailOut.state).where(MailOut.game_id == game)).all()
    waiting, failed = went.count("queued"), went.count("failed")
    return f"{len(came)} came, {went.count('sent')} sent, {waiting} waiting, {failed} failed"


def players(act: Act) -> None:
    """Show the players' records: how often in time, late, left to the clock, and how long they take.

    Example: pbem game players
    """
    found = act.session.exec(select(Player).order_by(col(Player.address))).all()
    for player in found:
        answers = player.answered + player.late + player.missed
        act.say(f"{player.address}  {player.name or '(no name given)'}  {player.zone}")
        if answers:
            mean = ago(timedelta(seconds=player.seconds / answers))
            reliable = round(100 * player.answered / answers)
            act.say(f"    in time {player.answered}, late {player.late}, left to the clock {player.missed}")
            act.say(f"    {reliable}% in time, {mean} on average")
        else:
            act.say("    nothing asked yet")
    if not found:
        act.say("There are no players.")
