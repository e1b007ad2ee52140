"""Help: the verbs, one of them, an order of the game, or a case of its rules."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import games
from engine.ledger import Ledger, NoSuchCase, load_ledger
from pbem.desk.duels.told import how_it_goes
from pbem.desk.visit import NotDone, Visit

Pages = Mapping[str, tuple[str, str]]  # by verb: how it is written, and what it does
_CASE = re.compile(r"(?:rule|case)\s+(\S+)|((?:[a-z]+-)?\d+\.\d+\S*)", re.I)


def help_(visit: Visit, rest: str, pages: Pages) -> None:
    """`help`, `help VERB`, `help ORDER`, `help rule CASE`."""
    wanted = rest.strip().casefold()
    case = _CASE.fullmatch(wanted)
    if not wanted:
        _all(visit, pages)
    elif case:
        _case(visit, case[1] or case[2])
    elif wanted == "duel" and visit.room.duel is not None:
        visit.letter.say("Help: duel", *how_it_goes(visit.room))
    elif wanted in pages:
        usage, about = pages[wanted]
        visit.letter.say(f"Help: {wanted}", f"Write: {usage}", about)
    else:
        _order(visit, wanted)


def _all(visit: Visit, pages: Pages) -> None:
    if visit.room.duel is not None:
        visit.letter.say("Your duel", *how_it_goes(visit.room))
    visit.letter.say("What you may write", *(f"{usage} -- {about}" for usage, about in pages.values()))
    usages = [order.shape.printed(order.usage) for order in visit.room.rules.book.of(visit.side)]
    visit.letter.say("Orders of this game", *usages, DEFAULT)
    case = next(case.id for case in _ledger(games.rulebook(visit.game.rulebook).folder) if case.kind == "mechanic")
    more = f"`help WORD` tells more about a word, `help rule {case}` about a case of the rules."
    visit.letter.say("How orders are read", READING, SKIPPING if visit.skips else STOPPING, more)


DEFAULT = "default -- whatever is asked: the answer that would be given for you"
READING = "One order to a line; what stands behind # is not read, and nothing below END OF ORDERS."
STOPPING = (
    "Until a die is cast or somebody else is asked, a mail is all or nothing; afterwards it stops at a faulty line,"
    " and the rest comes back. What is not reached waits in your drawer."
)
SKIPPING = (
    "A faulty line is skipped, and the orders behind it are carried out, but none that closes a phase. What is not"
    " reached waits in your drawer."
)


def _order(visit: Visit, wanted: str) -> None:
    order = visit.room.rules.book.by_verb.get(wanted)
    if order is None:
        raise NotDone("There is no such word. `help` alone lists all there are.", heading=f"Help: {wanted[:40]}")
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
        raise NotDone(f"{said[:1].upper()}{said[1:]}.", heading=f"Help: rule {number[:40]}") from None
    said_lines = [" ".join(found.requires.split())]
    if found.reading:
        said_lines.append(f"How it is read here: {' '.join(found.reading.split())}")
    visit.letter.say(f"Rule {found.id}: {found.title}", *said_lines)


@cache
def _ledger(folder: Path) -> Ledger:
    return load_ledger(folder / "rules.toml")
