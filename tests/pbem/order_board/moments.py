"""Moments of every rulebook at which somebody has orders to give: a movement, a combat, and something odd."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import games
from engine.asks import Ask
from engine.bots import Sensible, play
from engine.campaign import Campaign
from engine.campaign.folding import replay
from engine.dice import Dice, secret_from_seed
from engine.drawer import Drawer
from engine.game import Game
from engine.orders.choice import Choice
from engine.referee import Referee
from engine.table import Table
from engine.view import view
from pbem.order_board.board_page import Occasion, questions_of
from pbem.order_board.order_tables import PLACES, OrderTables, line_of, members

KINDS = ("movement", "combat", "odd")
SEED = 5
ADDRESS = "post+7f3a@club.example"


@dataclass(frozen=True)
class At:
    """A game at a top ask."""

    game: Game
    referee: Referee
    ask: Ask

    @property
    def table(self) -> Table:
        return self.referee.table.seen_by(self.ask.side)

    def occasion(self, **more: object) -> Occasion:
        told = questions_of(Drawer().prospects(self.table, self.ask.side))
        given = {"due": "Friday 20 November 2026, 20:00 (Europe/Kyiv)", "reply": ADDRESS, "subject": "[game-1] orders"}
        return Occasion(self.table, self.ask, **{**given, "questions": told, **more})  # type: ignore[arg-type]


@cache
def moments(rulebook: str, *options: tuple[str, object]) -> dict[str, At]:
    """By kind; a game that has none of a kind lacks it."""
    found: dict[str, tuple[int, At]] = {}
    for at in _top_asks(games.find_game(rulebook, "", dict(options))):
        kind, weight = _sort(at)
        if weight > found.get(kind, (0, at))[0]:
            found[kind] = weight, at
    return {kind: at for kind, (_, at) in found.items()}


def _top_asks(game: Game) -> Iterator[At]:
    """Where each mail of the first turn was written."""
    bots = {side: Sensible(SEED + number) for number, side in enumerate(game.setting.chairs)}
    campaign = Campaign.new(None, game, seed=SEED)
    lines = play(game, bots, campaign=campaign, turns=1).campaign.lines()
    for cut in range(1, len(lines)):
        referee = Referee(game, replay(lines[:cut], game), Dice(secret_from_seed(SEED), game.rulebook, {}))
        referee.start()
        yield from (At(game, referee, ask) for ask in referee.asks[:1] if ask.top)


def _sort(at: At) -> tuple[str, int]:
    choices = at.ask.choices()
    fights = [choice for choice in choices if choice.kind.forecastable and choice.onward is not None]
    leads = [choice for choice in choices if _leads(at, choice)]
    if fights:
        return "combat", len(fights)
    return ("movement", len(leads)) if len(leads) > 1 else ("odd", len(choices))


def _leads(at: At, choice: Choice) -> bool:
    """Whether somebody on the map may be ordered somewhere."""
    if not choice.field or choice.kind.shape.fields[choice.field].kind not in PLACES:
        return False
    units = choice.given.get("units", ())
    return bool(units) and all(at.table.position.hex_of(unit) is not None for unit in units)


def hidden(at: At) -> set[str]:
    """Units of the others of which the side does not know where they are."""
    seen = view(at.referee.position, at.ask.side)
    return {unit.id for unit in at.game.setting.roster
            if unit.side != at.ask.side and seen.hex_of(unit.id) is None}  # fmt: skip


def lines_of(tables: OrderTables) -> Iterator[str]:
    """Every line that the tables vouch for, as the page writes it."""
    data = tables.data()
    verbs, sets, numbers = data["verbs"], data["sets"], tables.places
    for verb, given, _ in data["whole"]:
        yield line_of(verbs[verb], given)
    for verb, given, name, places in data["begun"]:
        for place in members(sets[places], numbers) if isinstance(places, int) else places:
            yield line_of(verbs[verb], {**given, name: place})
    for verb, given, name, values, table, known, _ in data["gather"]:
        for chosen in _sets(table, len(values), known):
            yield line_of(verbs[verb], {**given, name: [values[n] for n in chosen]} if chosen else given)


def _sets(table: int | Mapping[str, Any], count: int, known: int) -> Iterator[Sequence[int]]:
    """The sets of a table; where all are legal, none if that is one, each alone, and as many as are vouched for."""
    if isinstance(table, int):
        yield from [[]] * table
        yield from ([n] for n in range(count))
        together = count if known < 0 else known
        yield from [list(range(together))] * (together > 1)
    else:
        yield from ([int(n) for n in chosen.split(".")] if chosen else [] for chosen in table)
