"""What may I write: help, a template of orders to edit, trying out, and odds worked out."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import games
from engine.asks import Ask
from engine.ledger import Ledger, NoSuchCase, load_ledger
from engine.orders.fields import hexes_at
from engine.refusals import Refusal
from engine.table import Table
from engine.view import view
from pbem.desk.composing import say_words
from pbem.desk.enclosing import put_reach
from pbem.desk.standing_of import ask_of
from pbem.desk.visit import NotDone, Visit
from pbem.order_board.order_tables import stack_lines
from pbem.report.draft import draft
from pbem.wording.rulings import forecast_lines, forecast_of, going_on, refusal_line


def orders(visit: Visit, rest: str) -> None:
    """`orders`: everything that is open now, to be edited and mailed back; `orders HEX`: of one hex, with a map."""
    campaign = visit.campaign
    ask = ask_of(campaign, visit.side)
    if rest.strip() and ask is not None:
        _of_a_hex(visit, ask, rest)
        return
    visit.letter.template = draft(campaign.game, view(campaign.position, visit.side), visit.side, ask)


def _of_a_hex(visit: Visit, asked: Ask, rest: str) -> None:
    table = visit.table
    places, _ = hexes_at(rest.replace(",", " ").split(), table.reading(visit.side))
    if len(places) != 1:
        raise NotDone(f"There is no hex or place {rest.strip()!r} on this map; write `orders` for all.")
    spot = table.grid.hex(places[0])
    lines, reached = stack_lines(table, asked, spot)
    if not lines:
        raise NotDone(f"Nothing is open to {places[0]} just now; write `orders` for all that is.")
    visit.letter.say(f"What is open in {places[0]}", *lines, exact=True)
    if reached:
        put_reach(visit.letter, visit.room, visit.side, spot, reached)


def ask(visit: Visit, rest: str) -> None:
    """`ask`: what is asked; `ask LINE`: how a line begun can go on."""
    asked = ask_of(visit.campaign, visit.side)
    if not rest or asked is None:
        orders(visit, rest)
        return
    lines, heading = going_on(asked, rest), "How that line can go on"
    if not lines:
        raise NotDone(f"Nothing goes on from `{rest}`. Write `orders` for what is open.", heading=heading)
    visit.letter.say(heading, *lines, exact=True)


def forecast(visit: Visit, rest: str) -> None:
    """`forecast ORDER`: the chances of an attack, worked out from what the writer can see.

    In a mail that is only tried out: from what he would see after the orders above it.
    """
    game = visit.campaign.game
    seen, place = _in_its_place(visit)
    try:
        order = game.book.read(rest, seen.reading(visit.side))
        found = forecast_of(seen, ask_of(visit.campaign, visit.side), visit.side, order)
    except Refusal as refusal:
        raise NotDone(f"{rest or '(nothing)'}{place}", f"    {refusal_line(refusal)}") from None
    visit.letter.say(f"Forecast: {found.title}", f"{order.line()}{place}:", *forecast_lines(found), exact=True)


def _in_its_place(visit: Visit) -> tuple[Table, str]:
    """The table that a command in this place of the mail speaks of, and which it is in words."""
    if not visit.tried[: visit.above]:
        return visit.table, ""
    reply = visit.rehearse(visit.above)
    assert reply.leads_to is not None
    return reply.leads_to, f", after the orders above{' as far as they could be tried out' if reply.stopped else ''}"


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
    said = [order.about, f"For example: {order.example}" if order.example else ""]
    visit.letter.say(f"Help: {wanted}", f"Write: {order.shape.printed(order.usage)}", *filter(None, said))


def _case(visit: Visit, number: str) -> None:
    book = games.rulebook(visit.game.rulebook)
    try:
        found = _ledger(book.folder).get(number.rstrip("."))
    except NoSuchCase as problem:
        said = str(problem)
        raise NotDone(f"{said[:1].upper()}{said[1:]}.", heading=f"Help: rule {number[:40]}") from None
    reading = [f"How it is read here: {' '.join(found.reading.split())}"] if found.reading else []
    visit.letter.say(f"Rule {found.id}: {found.title}", " ".join(found.requires.split()), *reading)


@cache
def _ledger(folder: Path) -> Ledger:
    return load_ledger(folder / "rules.toml")
