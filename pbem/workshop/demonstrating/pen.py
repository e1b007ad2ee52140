"""A bot with a pen: it writes down beforehand, as a person must, what it means to do in a whole phase."""

from engine.asks import Ask
from engine.bots import Bot
from engine.campaign import Campaign
from engine.dice import Dice, secret_from_seed
from engine.drawer import Drawer
from engine.referee import Referee

MOST_LINES = 200  # in one mail; more would be a rule that never ends


def asked_of(referee: Referee, side: str) -> Ask | None:
    """What the side must answer now."""
    return next((a for a in referee.asks if a.side == side and referee.drawer.sealed(a.key) is None), None)


def write_orders(campaign: Campaign, side: str, bot: Bot) -> list[str]:
    """The lines of the next mail: one answer, or what is meant for all phases up to the next fall of dice.

    The dice it imagines are its own, so that it foresees nothing; a line that the real ones make impossible comes back.
    """
    first = asked_of(campaign.referee, side)
    if first is None:
        return []
    if not first.top:
        return [bot.answer(campaign.referee.table, first).line()]
    imagined = _imagined(campaign)
    lines: list[str] = []
    stage, cast = _stage(imagined), False
    while len(lines) < MOST_LINES and (ask := asked_of(imagined, side)) is not None:
        if _stage(imagined) != stage:
            if cast:
                break
            stage = _stage(imagined)
        line = bot.answer(imagined.table, ask).line()
        reply = imagined.submit(side, line)
        if reply.refused:
            break
        lines.append(line)
        cast = _others_answer(imagined, side) or cast or any(item.kind == "roll" for item in reply.items)
    return lines or [first.default().line()]


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
