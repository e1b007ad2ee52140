"""The tables of an order board: every line they vouch for is one that the referee takes."""

from __future__ import annotations

import pytest

import games
from engine.campaign import Campaign
from engine.refusals import passes
from pbem.order_board.board_page import questions_of
from pbem.order_board.order_tables import OrderTables, line_of
from pbem.wording.rulings import chance_words
from tests.pbem.order_board.moments import At, lines_of, moments

MOST = 700  # lines of a board that are tried, taken evenly
BOOKS = sorted(games.titles())


def refused(at: At, lines: list[str]) -> list[str]:
    """The lines that are not read, not legal, or not written as they are read."""
    reading, step = at.table.reading(at.ask.side), max(1, len(lines) // MOST)
    orders = [(line, at.game.book.read(line, reading)) for line in lines[::step]]
    return [line for line, order in orders if order.line() != line or not passes(at.ask.check, at.ask.meant(order))]


@pytest.mark.parametrize("book", BOOKS)
def test_every_line_of_a_board_is_read_and_legal_and_comes_back_letter_for_letter(book: str) -> None:
    found = moments(book)
    assert found
    for at in found.values():
        lines = list(lines_of(OrderTables(at.table, at.ask)))
        assert lines
        assert len(lines) == len(set(lines))
        assert refused(at, lines) == []


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_line_comes_to_is_what_the_game_forecasts(book: str) -> None:
    at = moments(book)["combat"]
    data = OrderTables(at.table, at.ask).data()
    tried = 0
    for verb, given, name, values, table, _, _ in data["gather"]:
        for chosen, result in table.items() if isinstance(table, dict) else ():
            if result is None:
                continue
            tried += 1
            line = line_of(data["verbs"][verb], {**given, name: [values[int(n)] for n in chosen.split(".")]})
            told = at.game.forecast(at.table, at.ask.side, at.game.book.read(line, at.table.reading(at.ask.side)))
            column, _, _, chances = data["results"][result]
            assert column == told.column
            assert [(n, words) for n, words, _ in chances] == [(n, chance_words(c)) for n, c in told.chances]
    assert tried


@pytest.mark.parametrize("book", BOOKS)
def test_nothing_is_told_of_what_nobody_offered(book: str) -> None:
    for at in moments(book).values():
        data = OrderTables(at.table, at.ask).data()
        verbs = {choice.kind.verb for choice in at.ask.choices()}
        used = {data["verbs"][row[0]][0] for name in ("begun", "gather", "whole") for row in data[name]}
        assert used <= verbs


@pytest.mark.parametrize("book", BOOKS)
def test_every_standing_order_that_is_a_button_is_taken(book: str) -> None:
    at = next(iter(moments(book).values()))
    for side in at.game.setting.chairs:
        campaign = Campaign.new(None, at.game, seed=1)
        seen = campaign.referee.table.seen_by(side)
        for name, _, answers, now in questions_of(campaign.drawer.prospects(seen, side)):
            assert now
            for answer in answers:
                campaign.stand(side, f"when {name}: {answer}")
