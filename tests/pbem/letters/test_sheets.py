"""Order sheets and ready answers: what they offer is read, legal, and has the odds that the game works out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import games
from engine.asks import Ask
from engine.bots import RandomLegal
from engine.campaign import Campaign
from engine.refusals import Illegal
from engine.table import Table
from pbem.report.order_sheet import BUTTONS, LINES, WIDTH, answers, odds_in_words, order_sheet

ASKS = 60  # of one game, each kind of question once or twice


def asked(book: str) -> Iterator[tuple[Table, Ask]]:
    """What is asked in a game that bots play, few of a kind."""
    game = games.find_game(book)
    campaign = Campaign.new(None, game, seed=11)
    bots = {side: RandomLegal(number) for number, side in enumerate(game.setting.chairs)}
    for side in game.setting.chairs:
        campaign.stand(side, "when asked: ask")
    met: dict[str, int] = {}
    for _ in range(400):
        ask = next((ask for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None), None)
        if ask is None or sum(met.values()) >= ASKS:
            return
        met[ask.name] = met.get(ask.name, 0) + 1
        if met[ask.name] <= 3:
            yield campaign.referee.table.seen_by(ask.side), ask
        campaign.submit(ask.side, bots[ask.side].answer(campaign.referee.table, ask).line())


@pytest.mark.parametrize("book", sorted(games.titles()))
def test_what_a_sheet_and_the_buttons_offer_may_be_sent(book: str) -> None:
    kinds, odds = set(), 0
    for table, ask in asked(book):
        kinds.add((ask.name, ask.top))
        reading = table.reading(ask.side)
        if not ask.top:
            lines, every = answers(table, ask)
            assert 0 < len(lines) <= BUTTONS
            assert every or len(lines) == BUTTONS
            for line in lines:
                ask.check(ask.meant(table.game.book.read(line, reading)))
        sheet = order_sheet(table, ask).splitlines()
        assert 0 < len(sheet) <= LINES, ask.prompt
        assert all(line.startswith("#") for line in sheet)
        for line, below in zip(sheet, [*sheet[1:], ""], strict=True):
            text, _, remark = line[1:].partition("  # ")
            if line.startswith(("# ", "#    ")) or "..." in text or text.endswith((" to", " at", " with")):
                continue
            order = table.game.book.read(text, reading)
            try:
                ask.check(ask.meant(order))
            except Illegal as refused:
                pytest.fail(f"{text}: {refused}")
            if type(order).forecastable:
                said = remark or below.strip("# ")
                assert said.startswith(odds_in_words(table.game.forecast(table, ask.side, order))[:20])
                odds += 1
        assert max(map(len, sheet)) <= WIDTH + 40
    assert len(kinds) > 2
