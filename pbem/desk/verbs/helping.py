"""Help: the verbs, one of them, an order of the game, or a case of its rules."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import games
from engine.ledger import Ledger, NoSuchCase, load_ledger
from pbem.desk.visit import Visit

# What each word does, and how it is written. The order is the reader's: from joining to leaving.
PAGES: dict[str, tuple[str, str]] = {
    "join": ("join [as NAME] [zone ZONE] [nonce WORDS]", "Takes your seat. The words go into the dice."),
    "nonce": ("nonce WORDS", "Your words for the dice, if you joined with their hash (`join hash HEX`)."),
    "status": ("status", "The position as you see it, and who owes what by when."),
    "orders": ("orders", "Everything you may do now, as a template to edit and mail back."),
    "ask": ("ask [LINE]", "The same; with a line begun, how it can go on."),
    "check": ("check [ORDER]", "Tries out the orders of this mail: nothing is carried out, no die is cast."),
    "forecast": ("forecast ORDER", "The exact chances of an attack; below `check`, after the orders above it."),
    "when": ("when QUESTION [at HEX | for UNIT]: ORDER", "Answers a question beforehand; `ask` and `default` will do."),
    "standing": ("standing [remove LINE | remove all]", "Your standing orders, and taking them out again."),
    "map": ("map [HEX]", "A picture of the map, or of the part around a hex."),
    "press": ("press [to moderator:] TEXT", "Words to your opponent, up to an empty line or `end press`."),
    "key": ("key KEY", "Says for which question your orders are meant; they are not carried out if it has gone by."),
    "undo": ("undo LINE", "Asks your opponent to go back to the end of a line; he writes `accept undo`."),
    "accept": ("accept undo | accept draw", "Agrees to what your opponent asks."),
    "withdraw": ("withdraw", "Takes your lines out of the drawer, and an offer or request of yours back."),
    "absent": ("absent until YYYY-MM-DD | for N days | no", "No deadline of yours falls into that time."),
    "wait": ("wait", "Begins the time for your answer anew; as often as the game allows."),
    "draw": ("draw", "Offers a draw; your opponent writes `accept draw`."),
    "resign": ("resign for good", "Gives up the game."),
    "resend": ("resend [LINE]", "What was written to you about a line, or last, once more."),
    "log": ("log", "The log so far, with what you may not know still sealed."),
    "help": ("help [WORD | RULE CASE]", "This page, one word of it, an order of the game, or a case of its rules."),
}
_CASE = re.compile(r"(?:rule|case)\s+(\S+)|((?:[a-z]+-)?\d+\.\d+\S*)", re.I)


def help_(visit: Visit, rest: str) -> None:
    """`help`, `help VERB`, `help ORDER`, `help rule CASE`."""
    wanted = rest.strip().casefold()
    case = _CASE.fullmatch(wanted)
    if not wanted:
        _all(visit)
    elif case:
        _case(visit, case[1] or case[2])
    elif wanted in PAGES:
        usage, about = PAGES[wanted]
        visit.letter.say(f"Help: {wanted}", f"Write: {usage}", about)
    else:
        _order(visit, wanted)


def _all(visit: Visit) -> None:
    visit.letter.say("What you may write", *(f"{usage} -- {about}" for usage, about in PAGES.values()))
    game = games.find_game(visit.game.rulebook, visit.game.scenario, visit.game.options)
    usages = [order.shape.printed(order.usage) for order in game.book.orders]
    visit.letter.say("Orders of this game", *usages)
    case = next(case.id for case in _ledger(games.rulebook(visit.game.rulebook).folder) if case.kind == "mechanic")
    more = f"`help WORD` tells more about a word, `help rule {case}` about a case of the rules."
    visit.letter.say("How orders are read", READING, SKIPPING if visit.skips else STOPPING, more)


READING = "One order to a line; what stands behind # is not read, and nothing below END OF ORDERS."
STOPPING = (
    "Until a die is cast or the other side is asked, a mail is all or nothing. What is not reached waits in your"
    " drawer."
)
SKIPPING = "A faulty line is skipped, and the others are carried out. What is not reached waits in your drawer."


def _order(visit: Visit, wanted: str) -> None:
    game = games.find_game(visit.game.rulebook, visit.game.scenario, visit.game.options)
    order = game.book.by_verb.get(wanted)
    if order is None:
        visit.letter.say(f"Help: {wanted[:40]}", "There is no such word. `help` alone lists all there are.")
        return
    said = [f"Write: {order.shape.printed(order.usage)}"]
    said += [order.about] if order.about else []
    said += [f"For example: {order.example}"] if order.example else []
    visit.letter.say(f"Help: {wanted}", *said)


def _case(visit: Visit, number: str) -> None:
    book = games.rulebook(visit.game.rulebook)
    try:
        found = _ledger(book.folder).get(number.rstrip("."))
    except NoSuchCase as problem:
        said = str(problem)
        visit.letter.say(f"Help: rule {number[:40]}", f"{said[:1].upper()}{said[1:]}.")
        return
    said_lines = [" ".join(found.requires.split())]
    if found.reading:
        said_lines.append(f"How it is read here: {' '.join(found.reading.split())}")
    visit.letter.say(f"Rule {found.id}: {found.title}", *said_lines)


@cache
def _ledger(folder: Path) -> Ledger:
    return load_ledger(folder / "rules.toml")


VERBS = {"help": help_}
