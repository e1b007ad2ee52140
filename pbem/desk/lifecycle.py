"""A game's life: invited, joined, playing, and how it ends."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import Session, select

from engine.dice import commitment, new_secret
from engine.game import Game
from games import find_game
from pbem.clock.clock_rules import read_rules
from pbem.clock.dues import set_dues
from pbem.desk.last_letters import final_files, send_last_letters
from pbem.desk.seating import ask_to_sit, seat_bots, time_windows
from pbem.house import House, Room
from pbem.outbox.outgoing import queue
from pbem.store import Duel, GameRow, Player, Seat, mail_address

BOT = "bot:"


class CannotInvite(ValueError):
    """A game that cannot be set up, and why."""

    def __init__(self, game: str, why: str) -> None:
        super().__init__(f"the game {game!r} cannot be set up: {why}")
        self.game, self.why = game, why


def invite(
    house: House,
    id_: str,
    rulebook: str,
    scenario: str,
    chairs: Mapping[str, str],
    *,
    options: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    moderator: str = "",
    secret: bytes | None = None,
) -> GameRow:
    """A new game, its secret promised and its players invited; each chair of it is an address or `bot:NAME`.

    Raises CannotInvite, BadClock, NoSuchGame, NoSuchScenario, NoSuchOption.
    """
    with house.transaction() as session:
        new = NewGame(rulebook, scenario, options or {}, settings or {}, moderator, secret)
        return invite_all(house, session, id_, new, chairs).game


@dataclass(frozen=True)
class NewGame:
    """What is to be played, on which terms, and who moderates; the secret, if it was drawn before."""

    rulebook: str
    scenario: str
    options: Mapping[str, Any]
    settings: Mapping[str, Any]
    moderator: str = ""
    secret: bytes | None = None

    def rules(self) -> Game:
        """Raises BadClock, NoSuchGame, NoSuchScenario, NoSuchOption."""
        game = find_game(self.rulebook, self.scenario, self.options)
        read_rules(self.settings)
        return game


def invite_all(house: House, session: Session, id_: str, new: NewGame, chairs: Mapping[str, str]) -> Room:
    """The same within a transaction."""
    room = _set_up(house, session, id_, new, chairs)
    _ask_all(room)
    if ready(room):
        begin(room)  # bots need no invitation
    return room


def invite_duel(
    house: House, session: Session, ids: tuple[str, str], new: NewGame, players: tuple[str, str]
) -> list[Room]:
    """Two games on one secret, of one chair each, and their players invited. Raises as `invite` does."""
    (side,) = new.rules().setting.chairs
    kept = [found for id_ in ids if (found := house.cabinet.secret(session, id_)) is not None]
    new = replace(new, secret=(kept or [new_secret()])[0])
    duel = Duel()
    session.add(duel)
    session.flush()
    rooms = []
    for id_, address in zip(ids, players, strict=True):
        rooms.append(_set_up(house, session, id_, new, {side: address}))
        rooms[-1].game.duel_id = duel.id
    if rooms[0].game.commit != rooms[1].game.commit:
        raise CannotInvite(ids[1], "another secret was promised for it")
    session.flush()
    for room in rooms:
        _ask_all(room)
    return rooms


def _set_up(house: House, session: Session, id_: str, new: NewGame, chairs: Mapping[str, str]) -> Room:
    """The row of a game and its chairs. Raises CannotInvite."""
    game = new.rules()
    if session.get(GameRow, id_) is not None:
        raise CannotInvite(id_, "there is a game of that name")
    promised = house.cabinet.secret(session, id_)
    if promised is None:  # it lies with the game's papers before anybody hears of the game
        promised = new.secret or new_secret()
        house.cabinet.promise(session, id_, promised)
    row = GameRow(
        id=id_,
        rulebook=game.rulebook,
        scenario=game.scenario,
        options=dict(game.options),
        settings={"pace": house.settings.pace, "board": house.settings.board, **new.settings},
        moderator=mail_address(new.moderator or house.settings.moderator),
        title=game.title,
        commit=commitment(promised),
        created=house.clock(),
    )
    session.add(row)
    session.flush()
    for side in game.setting.chairs:
        session.add(_seat(session, row, side, chairs[side]))
    session.flush()
    return Room(house, session, row)


def _ask_all(room: Room) -> None:
    for seat, player in room.people():
        key = f"invitation/{room.game.id}/{seat.side}/{player.address}"
        queue(room.house, room.session, ask_to_sit(room, seat, player), key)


def _seat(session: Session, game: GameRow, side: str, chair: str) -> Seat:
    if chair.startswith(BOT):
        return Seat(game_id=game.id, side=side, bot=chair.removeprefix(BOT), joined=True, nonce=chair)
    return Seat(game_id=game.id, side=side, player_id=player_of(session, chair).id)


def player_of(session: Session, address: str) -> Player:
    """Whoever has that address; somebody new, if need be."""
    wanted = mail_address(address)
    found = session.exec(select(Player).where(Player.address == wanted)).first()
    if found is None:
        found = Player(address=wanted, name=wanted.partition("@")[0])
        session.add(found)
        session.flush()
    return found


def ready(room: Room) -> bool:
    """Whether everybody has joined, and everybody's words are known; in a duel those of both."""
    return all(seat.joined and seat.nonce for one in room.pair() for seat in one.seats())


def begin(room: Room) -> None:
    """All have joined: the log is begun on the promised secret, and what is owed is known. In a duel both are."""
    nonces = _nonces(room)
    if room.duel is not None:
        room.duel.since = room.now
    for one in room.pair():
        secret = one.house.cabinet.secret(one.session, one.game.id)
        if secret is None or commitment(secret) != one.game.commit:
            raise CannotInvite(one.game.id, "the secret that was promised is gone")
        one.house.begin(one.game, one.session, secret, one.at, nonces)
        sit_to_table(one)


def _nonces(room: Room) -> dict[str, str]:
    """The words of all who play; in a duel both logs have those of both, so that the same dice fall in both."""
    stamp = str(room.game.settings.get("restored", ""))  # what had begun on these words before may have been seen
    chairs = [(number, seat) for number, one in enumerate(room.pair(), 1) for seat in one.seats()]
    return {f"{seat.side} {n}" if room.duel is not None else seat.side: f"{seat.nonce}{stamp}" for n, seat in chairs}


def sit_to_table(room: Room) -> None:
    """There is a log: it is played, and what is owed is known."""
    room.game.state = "playing"
    seat_bots(room)
    time_windows(room)
    set_dues(room)
    room.wake_lookers()


def finish_game(room: Room) -> None:
    """The game is over: its secret is out, and everybody gets the whole log, the replay and the book.

    In a duel that waits until both games are over.
    """
    room.game.state = "finished"
    room.settle_all()
    if room.duel is not None:
        return
    room.campaign.reveal(room.at)
    send_last_letters(room, final_files(room))
