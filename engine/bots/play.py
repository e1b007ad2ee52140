"""A whole campaign between bots, each mail a line of its log like any other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.asks import Ask
from engine.campaign import Campaign
from engine.game import Game
from engine.orders.order import Order
from engine.refusals import Refusal
from engine.table import Table

LIMIT = 40_000  # answers in a campaign


class Bot(Protocol):
    """Whoever answers what its side is asked."""

    def answer(self, table: Table, ask: Ask) -> Order: ...


class Stuck(Exception):
    """A bot's answer came back, or nobody is asked although the game goes on."""

    def __init__(self, key: str, line: str, refusal: Refusal | None, stopped: str) -> None:
        super().__init__(f"at {key}: {line!r} came back: {refusal.sentence() if refusal else stopped}")
        self.key, self.line, self.refusal, self.stopped = key, line, refusal, stopped


class Endless(Exception):
    """The campaign did not end within so many answers."""

    def __init__(self, answers: int, key: str) -> None:
        super().__init__(f"no end after {answers} answers, at {key}")
        self.answers, self.key = answers, key


@dataclass
class Result:
    """How a campaign went."""

    campaign: Campaign
    answers: int

    @property
    def ended(self) -> str:
        return self.campaign.position.ended

    @property
    def winner(self) -> str:
        return self.campaign.position.winner


ASK_ME = "when asked: ask"  # the standing order of whoever wants to answer everything himself
Watch = Callable[[Table, Ask], Ask]


def unwatched(table: Table, ask: Ask) -> Ask:
    """Nobody looks over the bots' shoulders."""
    return ask


def play(
    game: Game | None = None,
    bots: Mapping[str, Bot] | None = None,
    *,
    seed: int | None = None,
    campaign: Campaign | None = None,
    limit: int = LIMIT,
    turns: int | None = None,
    watch: Watch = unwatched,
) -> Result:
    """Plays a campaign (a new one in memory unless one is given) to its end, or until a turn is over.

    `watch` sees every ask before the bot does, and hands it on. Raises Stuck, Endless.
    """
    if campaign is None:
        assert game is not None
        campaign = Campaign.new(None, game, seed=seed)
    match = _Match(campaign, bots or {}, limit, watch)
    for side in match.bots:
        campaign.stand(side, ASK_ME)  # so that reactions are the bot's to give
    while not campaign.over and (turns is None or campaign.position.turn <= turns):
        match.mail()
    return Result(campaign, match.answers)


class _Match:
    """The bots at the table, and how much they have said."""

    def __init__(self, campaign: Campaign, bots: Mapping[str, Bot], limit: int, watch: Watch) -> None:
        self.campaign, self.bots, self.limit, self.watch = campaign, bots, limit, watch
        self.answers = 0
        self.last = ""

    def mail(self) -> None:
        """One side writes as long as it is asked within a stage."""
        waiting = [ask for ask in self.campaign.asks if self.campaign.drawer.sealed(ask.key) is None]
        if not waiting or waiting[0].side not in self.bots:
            key = waiting[0].key if waiting else self.campaign.position.stage
            raise Stuck(key, "", None, "there is no bot to answer" if waiting else "nobody is asked")
        asked = waiting[0]
        before = self.campaign.count, self.campaign.asks
        reply = self.campaign.converse(asked.side, self.answer)
        came_back = next((line for line in reply.lines if line.state in ("refused", "returned")), None)
        if came_back is not None:
            raise Stuck(self.last, came_back.text, came_back.refusal, reply.stopped)
        sealed = self.campaign.drawer.sealed(asked.key) is not None
        if not sealed and before == (self.campaign.count, self.campaign.asks):
            raise Stuck(asked.key, reply.lines[-1].text if reply.lines else "", None, "nothing came of it")

    def answer(self, ask: Ask) -> Order:
        """The next order of the mail."""
        if self.answers >= self.limit:
            raise Endless(self.answers, ask.key)
        self.answers += 1
        self.last = ask.key
        table = self.campaign.referee.table
        return self.bots[ask.side].answer(table, self.watch(table, ask))
