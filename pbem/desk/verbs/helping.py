"""Help: the verbs, one of them, an order of the game, or a case of its rules."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import games
from engine.ledger import Ledger, NoSuchCase, load_ledger
from pbem.desk.composing import say_words
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
        say_words(visit.room, visit.letter, "duel", "Help: duel")
    elif wanted in pages:
        usage, about = pages[wanted]
        visit.letter.say(f"Help: {wanted}", f"Write: {usage}", about)
    else:
        _order(visit, wanted)


def _all(visit: Visit, pages: Pages) -> None:
    case = next(case.id for case in _ledger(games.rulebook(visit.game.rulebook).folder) if case.kind == "mechanic")
    orders = visit.room.rules.book.of(visit.side)
    say_words(visit.room, visit.letter, "help", pages=pages.values(), orders=orders, case=case, skips=visit.skips)


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
