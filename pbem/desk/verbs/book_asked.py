"""The campaign book by mail, and whether a player's press may stand in it."""

from pbem.desk.book_of import all_agree, any_press, book_of
from pbem.desk.visit import Visit

YES, NO = ("press yes", "press on"), ("press no", "press off")


def book(visit: Visit, rest: str) -> None:
    """`book`, `book press yes`, `book press no`."""
    said = " ".join(rest.split()).casefold()
    if said in (*YES, *NO):
        visit.seat.press_printed = said in YES
        _tell_the_others(visit)
    elif said:
        visit.letter.say("Book", "Write `book` for the campaign book, `book press yes` or `book press no`.")
        return
    visit.letter.say("Book", _about_press(visit))
    if visit.game.state == "finished" and not visit.campaign.revealed:
        visit.letter.say("Book", "It comes with the last letter, when the other game of the duel is over, too.")
    elif visit.game.state == "finished":
        made = book_of(visit.room)
        if made is None:
            visit.letter.say("Book", "There is none: the game was over before its first turn.")
            return
        visit.letter.enclosures.append(made)
        visit.letter.say("Book", f"Enclosed: {made.name}. Open it in a browser, or print it.")
    elif not said:
        visit.letter.say("Book", "It is made when the game is over, and comes with the last letter.")


def _about_press(visit: Visit) -> str:
    """Whose word is still wanted before anybody's press is printed."""
    if all_agree(visit.room):
        return "Press is printed in it: everybody agrees."
    if not visit.seat.press_printed:
        return "Your press is not printed in it. `book press yes` allows it; it is printed once everybody does."
    wanted = [seat.side for seat, _ in visit.opponents() if not seat.press_printed]
    return f"Your press may be printed. It will be once {' and '.join(wanted)} agrees, too."


def _tell_the_others(visit: Visit) -> None:
    """Who has not said so hears that he is asked; all hear when it is agreed, and how to have the book again."""
    for seat, player in visit.opponents():
        if all_agree(visit.room):
            again = " Write `book` to have it with your press." if visit.game.state == "finished" else ""
            visit.write_to(seat, player, "Book", f"All agree to have their press printed in the campaign book.{again}")
        elif visit.seat.press_printed and not seat.press_printed and any_press(visit.room):
            asks = f"{visit.player.name or visit.side} would have your press printed in the campaign book."
            visit.write_to(seat, player, "Book", asks, "Write `book press yes` if you agree.")
