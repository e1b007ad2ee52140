"""A player's own addresses: where he writes from, the token he writes to, and all his chairs."""

from sqlmodel import select

from pbem.desk.addresses import (
    CannotHave,
    ask_for,
    carry_out,
    forget_request,
    letter_of_request,
    pending,
    renew_token,
    reply_addresses,
    say_chairs,
    told_addresses,
    told_moderator,
    welcome,
)
from pbem.desk.composing import letter_about
from pbem.desk.visit import NotDone, Visit
from pbem.store import SecondAddress, mail_address
from pbem.store.whose import chairs_of

USAGE = (
    "`address NEW@ADDRESS` moves your chair there, `address also SECOND@ADDRESS` lets a second one write for it,"
    " `address without SECOND@ADDRESS` takes that back, `address keep` calls off what is not confirmed yet."
)


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
        visit.letter.say("Your address", *told_addresses(visit.room, visit.seat, visit.player), USAGE)
    elif verb == "confirm" and len(words) == 2:
        _confirm(visit, said)
    elif verb in ("keep", "no"):
        forget_request(visit.session, visit.seat)
        visit.letter.say("Your address", *told_addresses(visit.room, visit.seat, visit.player))
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
    if visit.mail.sender != mail_address(visit.player.address):  # asked from the second: the first must agree
        letter = letter_about(visit.room, "notice", visit.player.address)
        letter.reply_to = visit.house.seat_address(visit.seat.token)
        letter.say("Your address", *_how(request.address, request.word))
        visit.others.append(letter)
        visit.letter.say("Your address", f"{visit.player.address} and {request.address} are asked to confirm it.")
        return
    visit.letter.say("Your address", *_how(request.address, request.word))


def _how(wanted: str, word: str) -> tuple[str, ...]:
    return (
        f"A letter has gone to {wanted}, which must be answered from there.",
        "So that nobody but you can ask for this, confirm it from here as well: reply to this letter with the line",
        f"    address confirm {word}",
        "Nothing changes until both have come. `address keep` calls it off.",
    )


def _confirm(visit: Visit, word: str) -> None:
    request = pending(visit.session, visit.seat)
    if request is None or request.word not in (word.casefold(), ""):
        raise NotDone("There is nothing to confirm with that word. Nothing was changed.", USAGE, heading="Your address")
    request.word = ""
    if not request.confirmed:
        visit.letter.say("Your address", f"You have confirmed it. {request.address} must do so, too.")
        return
    new = request.address
    carry_out(visit.room, visit.seat, visit.player, request)  # its letter would be this answer's twin
    visit.others.append(told_moderator(visit.room, visit.seat, request))
    to_new = letter_about(visit.room, "notice", new)
    welcome(visit.room, to_new, visit.seat)
    visit.others.append(to_new)
    if request.second:
        visit.letter.say("Your address", f"{new} may write for {visit.side} as well. Letters go to you as before.")
        return
    visit.letter.reply_to = ""
    visit.letter.say(
        "Your chair has moved",
        f"{visit.side} is played from {new} from now on, and this address opens the chair no more.",
    )


def _take_back(visit: Visit, second: str) -> None:
    kept = select(SecondAddress).where(SecondAddress.seat_id == visit.seat.id, SecondAddress.address == second)
    for row in visit.session.exec(kept).all():
        visit.session.delete(row)
    visit.session.flush()
    visit.letter.say("Your address", *told_addresses(visit.room, visit.seat, visit.player))
