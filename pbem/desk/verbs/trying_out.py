"""What may I do now: a template of orders to edit, trying out, and odds worked out."""

from engine.asks import Ask
from engine.orders.fields import hexes_at
from engine.refusals import Refusal
from engine.table import Table
from engine.view import view
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
        raise NotDone(
            f"There is no hex or place {rest.strip()!r} on this map; write `orders` for all.", heading="Orders"
        )
    spot = table.grid.hex(places[0])
    lines, reached = stack_lines(table, asked, spot)
    if not lines:
        raise NotDone(f"Nothing is open to {places[0]} just now; write `orders` for all that is.", heading="Orders")
    visit.letter.say(f"What is open in {places[0]}", *lines, exact=True)
    if reached:
        put_reach(visit.letter, visit.room, visit.side, spot, reached)


def ask(visit: Visit, rest: str) -> None:
    """`ask`: what is asked; `ask LINE`: how a line begun can go on."""
    asked = ask_of(visit.campaign, visit.side)
    if not rest or asked is None:
        orders(visit, rest)
        return
    lines = going_on(asked, rest)
    if not lines:
        raise NotDone(
            f"Nothing goes on from `{rest}`. Write `orders` for what is open.", heading="How that line can go on"
        )
    visit.letter.say("How that line can go on", *lines, exact=True)


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
