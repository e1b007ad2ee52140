"""Reference pages come from the game's own tables, and the ones in docs/ are the ones the tables give."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from engine.bots import RandomLegal, play
from engine.facts import Marked, load
from engine.log import items
from pbem.report.printing import reference_page

DOCS = Path(__file__).parents[3] / "docs" / "reference"
BOOKS = list(games.rulebooks())


@pytest.mark.parametrize("name", BOOKS)
def test_the_page_in_docs_is_up_to_date(name: str) -> None:
    book = games.rulebook(name)
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == reference_page("md", book, book.game())


@pytest.mark.parametrize("name", BOOKS)
def test_every_order_stands_on_the_pages_with_its_example(name: str) -> None:
    book = games.rulebook(name)
    game = book.game()
    for page in (reference_page("md", book, game), " ".join(reference_page("txt", book, game).split())):
        for order in game.book.orders:
            assert order.shape.printed(order.usage) in page
            assert order.example in page


@pytest.mark.parametrize("name", BOOKS)
def test_the_pages_for_mails_fit_78_columns(name: str) -> None:
    book = games.rulebook(name)
    for scenario in book.scenarios:
        text = reference_page("txt", book, book.game(scenario.id))
        assert [line for line in text.splitlines() if len(line) > 78] == []


@pytest.mark.parametrize("name", BOOKS)
def test_every_mark_that_play_leaves_has_a_meaning(name: str) -> None:
    game = games.find_game(name)
    bots = {side: RandomLegal(number + 5) for number, side in enumerate(game.sides)}
    campaign = play(game, bots, seed=11, turns=3).campaign
    facts = [load(item.body) for line in campaign.lines() for item in items(line) if item.kind == "fact"]
    assert {fact.mark for fact in facts if isinstance(fact, Marked)} <= game.marks.keys()
