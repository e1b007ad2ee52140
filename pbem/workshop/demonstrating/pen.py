"""A bot with a pen: it writes down beforehand, as a person must, what it means to do in a whole phase."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from engine.asks import Ask
from engine.bots import Bot
from engine.campaign import Campaign
from engine.dice import Dice, secret_from_seed
from engine.drawer import Drawer
from engine.facts import Fought
from engine.orders.order import Order
from engine.orders.usual import ClosingOrder
from engine.referee import Referee

OTHERS = 4  # stages that the other side is imagined to pass: those it seals an answer in, and the few before one's own
MOST_LINES = 200  # in one mail; more would be a rule that never ends


def asked_of(referee: Referee, side: str) -> Ask | None:
    """What the side must answer now."""
    return next((a for a in referee.asks if a.side == side and referee.drawer.sealed(a.key) is None), None)


def write_orders(campaign: Campaign, side: str, bot: Bot) -> list[str]:
    """The lines of the next mail: one answer, or what is meant for all phases up to the first combats.

    Who seals an answer writes on as if the other side did what it does by default, for a few stages of its own, and
    never to a stage of which he has written already. The dice it imagines are its own, so that it foresees nothing; a
    line that the real ones make impossible comes back.
    """
    first = asked_of(campaign.referee, side)
    if first is None:
        return []
    if not first.top:
        return [bot.answer(campaign.referee.table, first).line()]
    imagined = _imagined(campaign)
    said: list[_Said] = []
    stage, fought, doubt = _stage(imagined), False, first.hidden
    turn_of = {stage[1]: stage[0]}
    while len(said) < MOST_LINES and (ask := _next_ask(imagined, side, sealed=first.hidden)) is not None:
        order = bot.answer(imagined.table, ask)
        if _stage(imagined) != stage:
            if fought and not isinstance(order, ClosingOrder):
                break
            stage = _stage(imagined)
            if turn_of.setdefault(stage[1], stage[0]) != stage[0]:
                break
        reply = imagined.submit(side, (closing(order, stage[1]) if fought else order).line())
        if reply.refused:
            break
        said.append(_Said(ask, order, stage, doubt))
        doubt = _others_answer(imagined, side) or doubt or any(item.kind == "roll" for item in reply.items)
        fought = fought or any(item.kind == "fact" and isinstance(item.fact, Fought) for item in reply.items)
    return list(_written(said)) or [first.default().line()]


class _Said(NamedTuple):
    """What it means to answer, when, and whether dice or others come before."""

    ask: Ask
    order: Order
    stage: tuple[int, str]
    doubt: bool


def _written(said: list[_Said]) -> Iterator[str]:
    """As lines. What closes a stage that may have changed by then says which, once, and where nothing else does."""
    for (ask, order, stage, doubt), following in zip_longest(said, said[1:]):
        if doubt and isinstance(order, ClosingOrder):
            if following and following.stage == stage and isinstance(following.order, (*ask.onward, ClosingOrder)):
                continue
            order = closing(order, stage[1])
        yield order.line()


def _next_ask(imagined: Referee, side: str, *, sealed: bool) -> Ask | None:
    """What the side is asked next; who has sealed an answer imagines idle stages of the other's."""
    ask, theirs = asked_of(imagined, side), set[tuple[int, str]]()
    while sealed and ask is None and not imagined.over and imagined.asks:
        theirs.add(_stage(imagined))
        if len(theirs) > OTHERS:
            return None
        other = next(one for one in imagined.asks if one.side != side)
        imagined.submit(other.side, other.default().line())
        ask = asked_of(imagined, side)
    return ask


def closing(order: Order, stage: str) -> Order:
    """An order that closes a stage says which, where dice may have opened another before it."""
    named = stage.rpartition(".")[2]
    return order.model_copy(update={"stage": named}) if isinstance(order, ClosingOrder) and not order.stage else order


def _imagined(campaign: Campaign) -> Referee:
    """The same game at the same top ask, with dice of no account."""
    game, drawer = campaign.game, Drawer.from_json(campaign.drawer.to_json(), campaign.game.book)
    dice = Dice(secret_from_seed(campaign.count), game.rulebook, {})
    imagined = Referee(game, campaign.position.copy(), dice, drawer=drawer)
    imagined.start()
    return imagined


def _stage(referee: Referee) -> tuple[int, str]:
    return referee.position.turn, referee.position.stage


def _others_answer(imagined: Referee, side: str) -> bool:
    """The other side is imagined to do what it does by default; True if it was asked anything."""
    asked = False
    while not imagined.over and imagined.asks and not imagined.asks[0].top and imagined.asks[0].side != side:
        imagined.submit(imagined.asks[0].side, imagined.asks[0].default().line())
        asked = True
    return asked
