"""The addresses of a chair: its token, a new address for its player, a second one; and all chairs of one person."""

from collections.abc import Iterator, Sequence

from sqlmodel import Session, col, select, update

from engine.view import view
from pbem.desk.composing import address as address_to
from pbem.desk.composing import finish, letter_about, letter_to, letter_to_moderator, say_words
from pbem.desk.standing_of import ask_of, due_words
from pbem.desk.visit import NotDone, Visit
from pbem.embedded import Accounts, post_folder
from pbem.gate.loop import is_ours
from pbem.gate.unreadable import ADDRESS
from pbem.house import House, Room
from pbem.letters import Letter
from pbem.store import AddressRequest, FormerToken, GameRow, Player, Seat, SecondAddress, mail_address, new_id
from pbem.store.whose import Chair, chairs_of, may_write, second_addresses
from pbem.wording.naming import side_title
from pbem.wording.situation import headline

WORD = 8  # characters that the old address must repeat: they are in one letter, to one mailbox
USAGE = (
    "`address NEW@ADDRESS` moves your chair there, `address also SECOND@ADDRESS` lets a second one write for it,"
    " `address without SECOND@ADDRESS` takes that back, `address keep` calls off what is not confirmed yet."
)


class CannotHave(Exception):
    """A chair cannot have this address; the sentence says why."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"{address}: {why}")
        self.address, self.why = address, why


def renew_token(session: Session, seat: Seat) -> None:
    """The chair's address is another from now on; whoever sits there is told so if he writes to the old one."""
    if seat.id is not None and seat.player_id is not None:
        session.add(FormerToken(token=seat.token, seat_id=seat.id, player_id=seat.player_id))
    seat.token = new_id()


def ask_for(
    room: Room, seat: Seat, player: Player, address: str, *, second: bool, vouched: bool = False
) -> AddressRequest:
    """A new or second address is asked for; nothing changes before it has confirmed. Raises CannotHave."""
    assert seat.id is not None
    assert player.id is not None
    wanted = mail_address(address)
    _check(room, seat, player, wanted)
    forget_request(room.session, seat)
    request = AddressRequest(
        seat_id=seat.id,
        player_id=player.id,
        address=wanted,
        second=second,
        word="" if vouched else new_id()[:WORD],
        asked=room.now,
    )
    room.session.add(request)
    return request


def _check(room: Room, seat: Seat, player: Player, wanted: str) -> None:
    if not ADDRESS.fullmatch(wanted) or is_ours(wanted, room.house.settings.address):
        raise CannotHave(wanted, "that is no mail address of a person")
    if may_write(room.session, seat, player, wanted):
        raise CannotHave(wanted, "it writes for that chair already")
    for table in room.pair():
        if any(may_write(room.session, one, other, wanted) for one, other in table.people() if one.id != seat.id):
            rivals = "it plays the other game of this duel"
            raise CannotHave(wanted, "somebody else in this game has it" if table is room else rivals)
    settings = room.house.settings
    if settings.own_servers and Accounts(post_folder(settings)).owner(wanted) is None:
        raise CannotHave(wanted, "it has no mailbox on the server here; the moderator can open one and move the chair")


def forget_request(session: Session, seat: Seat) -> None:
    kept = pending(session, seat)
    if kept is not None:
        session.delete(kept)
        session.flush()


def pending(session: Session, seat: Seat) -> AddressRequest | None:
    """What is asked for and not decided; what somebody asked who sits there no more is nothing."""
    found = session.exec(select(AddressRequest).where(AddressRequest.seat_id == seat.id)).first()
    return found if found is not None and found.player_id == seat.player_id else None


def letter_of_request(room: Room, seat: Seat, player: Player, request: AddressRequest) -> Letter:
    """What the owner of the new address is asked; its reply address is the proof that it reached him."""
    letter = letter_about(room, "notice", request.address, "confirm this address")
    letter.reply_to = room.house.seat_address(request.token)
    who = player.name or seat.side
    say_words(room, letter, "new_address", who=who, side=seat.side, second=request.second)
    letter.commands = ("confirm", "no")
    return letter


def carry_out(room: Room, seat: Seat, before: Player, request: AddressRequest, to_new: Letter) -> tuple[Letter, Letter]:
    """Both have confirmed: the chair has its address. Gives the letters about it to the old one and the moderator."""
    was, new = before.address, request.address
    room.session.delete(request)
    if request.second:
        room.session.add(SecondAddress(seat_id=request.seat_id, player_id=request.player_id, address=new))
        room.session.flush()
        said = f"{new} may write for {seat.side} as well. Letters go to you as before."
        to_old = letter_to(room, "notice", seat, before, "A second address", said)
    else:
        _move(room, seat, before, new)
        to_old = letter_about(room, "notice", was)
        moved = f"{seat.side} is played from {new} from now on, and this address opens the chair no more."
        to_old.say("Your chair has moved", moved, f"If that was not you, write to {room.game.moderator} at once.")
    player = room.player(seat)
    assert player is not None
    address_to(room, to_new, seat)
    to_new.say("Your address", f"You write for {seat.side} from this address. Reply to this letter from now on.")
    finish(room, to_new, seat, player)
    what = "is written for from a second address" if request.second else "is played from a new address"
    told = f"{seat.side} {what}, as has been confirmed: {new}."
    return to_old, letter_to_moderator(room, "A chair has a new address", told)


def _move(room: Room, seat: Seat, before: Player, address: str) -> None:
    """Another player's row, or the same one under its new address; standing orders and deadlines are the chair's."""
    session = room.session
    after = session.exec(select(Player).where(Player.address == address)).first()
    if after is None and len(chairs_of(session, before.address)) == 1:
        before.address, after = address, before
    elif after is None:
        after = Player(address=address, name=before.name, zone=before.zone)
        session.add(after)
    session.flush()
    for table in (SecondAddress, FormerToken):
        kept = col(table.seat_id) == seat.id, col(table.player_id) == seat.player_id
        session.exec(update(table).where(*kept).values(player_id=after.id))
    seat.player_id = after.id
    for spare in session.exec(
        select(SecondAddress).where(SecondAddress.seat_id == seat.id, SecondAddress.address == address)
    ).all():
        session.delete(spare)
    renew_token(session, seat)
    session.flush()


def told_addresses(visit: Visit) -> list[str]:
    """Which addresses write for a chair, and what is asked for."""
    own = visit.player.address
    told = [f"Letters go to {own}."]
    told += [f"{address} may write for {visit.side}, too." for address in second_addresses(visit.session, visit.seat)]
    request = pending(visit.session, visit.seat)
    if request is not None:
        what = "as a second address" if request.second else "in its place"
        waits = [request.address] * (not request.confirmed) + [own] * bool(request.word)
        told.append(f"{request.address} is asked for {what}; {' and '.join(waits)} must confirm it.")
    return told


def say_chairs(house: House, session: Session, letter: Letter, chairs: Sequence[Chair]) -> None:
    """Every chair with its situation, into a letter to whom they belong."""
    told = [line for chair in chairs for line in _stands(house, session, *chair)]
    letter.say("Your games", *(told or ["You have no chair in a game that is not over."]))
    if len(chairs) > 1:
        letter.say("Where to write", "Each game has a letter of its own: reply to the one you mean.")
    elif chairs:
        letter.say("Where to write", "Reply to this letter, or to any other of the game.")


def _stands(house: House, session: Session, seat: Seat, game: GameRow, player: Player) -> Iterator[str]:
    room = Room(house, session, game)
    yield f"{game.id}: {game.title}. You play {side_title(seat.side)}."
    if not room.begun:
        yield "    It has not begun. " + ("You have joined." if seat.joined else "Write `join` to take your chair.")
        return
    campaign = room.campaign
    stands = headline(campaign.game, view(campaign.position, seat.side))
    yield f"    {stands[:1].upper()}{stands[1:]}.{' The game is paused.' if game.state == 'paused' else ''}"
    ask, due = ask_of(campaign, seat.side), due_words(room, seat.side, player)
    asked = f"You are asked{f', by {due}' if due else ''}: {ask.prompt}." if ask is not None else ""
    yield f"    {asked or 'Nothing is asked of you now.'}"


def reply_addresses(
    house: House, session: Session, address: str, chairs: Sequence[Chair]
) -> Iterator[tuple[Letter, Chair]]:
    """A letter for each chair, in its game's own thread."""
    for seat, game, player in chairs:
        room = Room(house, session, game)
        said = f"Reply to this letter to write for {seat.side} in {game.id}."
        letter = letter_to(room, "notice", seat, player, "Where to write", said)
        letter.to = address
        finish(room, letter, seat, player)
        yield letter, (seat, game, player)


# What he writes about them.


def token(visit: Visit, rest: str) -> None:
    """`token new`: the old reply address opens nothing any more, the one of this answer does."""
    if rest.strip().casefold() != "new":
        raise NotDone("Write `token new` for a new reply address; the old one opens nothing any more then.")
    renew_token(visit.session, visit.seat)
    visit.letter.reply_to = visit.house.seat_address(visit.seat.token)
    visit.letter.say(
        "A new reply address",
        "Reply to this letter from now on. The address you wrote to until now opens nothing any more, and nor do those"
        " of our older letters.",
    )


def games(visit: Visit, rest: str) -> None:
    """`games`: all chairs of the writer's; each but this one gets a letter with its reply address."""
    chairs = chairs_of(visit.session, visit.mail.sender)
    say_chairs(visit.house, visit.session, visit.letter, chairs)
    others = [chair for chair in chairs if chair[0].id != visit.seat.id]
    for letter, _ in reply_addresses(visit.house, visit.session, visit.mail.sender, others):
        visit.others.append(letter)


def address(visit: Visit, rest: str) -> None:
    """`address` alone tells; NEW and `also` SECOND ask, `confirm` WORD and `keep` decide, `without` takes back."""
    words = rest.split()
    verb, said = (words[0].casefold(), words[-1]) if words else ("", "")
    if not words:
        visit.letter.say("Your address", *told_addresses(visit), USAGE)
    elif verb == "confirm" and len(words) == 2:
        _confirm(visit, said)
    elif verb in ("keep", "no"):
        forget_request(visit.session, visit.seat)
        visit.letter.say("Your address", *told_addresses(visit))
    elif verb in ("without", "remove") and len(words) == 2:
        _take_back(visit, mail_address(said))
    elif verb in ("also", "to", "new") and len(words) == 2:
        _ask(visit, said, second=verb == "also")
    elif len(words) == 1 and "@" in said:
        _ask(visit, said, second=False)
    else:
        visit.letter.say("Your address", USAGE)


def _ask(visit: Visit, wanted: str, *, second: bool) -> None:
    try:
        request = ask_for(visit.room, visit.seat, visit.player, wanted, second=second)
    except CannotHave as why:
        raise NotDone(f"{why}. Nothing was changed.", heading="Your address") from None
    visit.others.append(letter_of_request(visit.room, visit.seat, visit.player, request))
    letter = visit.letter
    if visit.mail.sender != mail_address(visit.player.address):  # asked from the second: the first must agree
        letter = letter_about(visit.room, "notice", visit.player.address)
        letter.reply_to = visit.house.seat_address(visit.seat.token)
        visit.others.append(letter)
        visit.letter.say("Your address", f"{visit.player.address} and {request.address} are asked to confirm it.")
    say_words(visit.room, letter, "confirm_it_here", request=request)


def _confirm(visit: Visit, word: str) -> None:
    request = pending(visit.session, visit.seat)
    if request is None or request.word not in (word.casefold(), ""):
        raise NotDone("There is nothing to confirm with that word. Nothing was changed.", USAGE, heading="Your address")
    request.word = ""
    if not request.confirmed:
        visit.letter.say("Your address", f"You have confirmed it. {request.address} must do so, too.")
        return
    to_new = letter_about(visit.room, "notice", request.address)
    to_old, to_moderator = carry_out(visit.room, visit.seat, visit.player, request, to_new)
    visit.others += [to_moderator, to_new]
    said = to_old.sections[0]  # the letter itself would be this answer's twin
    visit.letter.say("Your address" if request.second else said.heading, said.lines[0])
    if not request.second:
        visit.letter.reply_to = ""


def _take_back(visit: Visit, second: str) -> None:
    kept = select(SecondAddress).where(SecondAddress.seat_id == visit.seat.id, SecondAddress.address == second)
    for row in visit.session.exec(kept).all():
        visit.session.delete(row)
    visit.session.flush()
    visit.letter.say("Your address", *told_addresses(visit))
