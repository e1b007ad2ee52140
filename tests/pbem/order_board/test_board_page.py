"""The order board before a browser has it: how large, for whom, what is in it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import games
from engine.campaign import Campaign
from pbem import TEMPLATES
from pbem.cli import app
from pbem.order_board.board_page import SCRIPTS, board_data, board_page
from tests.pbem.order_board.moments import ADDRESS, At, hidden, moments

BOOKS = sorted(games.titles())
MOST_BYTES = 300_000


def block(page: str, name: str, *, packed: bool = True) -> str:
    found = re.search(rf'id="{name}"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found
    return zlib.decompress(base64.b64decode(found[1]), wbits=-zlib.MAX_WBITS).decode() if packed else found[1]


def unpacked(page: str) -> str:
    """All that is in a page, packed or not."""
    return page + "".join(block(page, name) for name in ("ground-text", "symbols-text", "data"))


@pytest.mark.parametrize("book", BOOKS)
def test_a_board_fits_a_letter_and_every_line_of_it_a_mail(book: str) -> None:
    for at in moments(book).values():
        page = board_page(at.occasion())
        assert page.isascii()
        assert len(page) < MOST_BYTES
        assert max(map(len, page.split("\n"))) < 998
        assert max(map(len, board_page(at.occasion(), packed=False).split("\n"))) < 998


def test_the_boards_of_the_first_rulebooks_weigh_what_was_designed() -> None:
    for book in ("korsun_spi", "korsun_vv", "manstein"):
        assert all(len(board_page(at.occasion())) < 150_000 for at in moments(book).values())


@pytest.mark.parametrize("book", BOOKS)
def test_plain_and_packed_say_the_same(book: str) -> None:
    at = next(iter(moments(book).values()))
    packed, plain = board_page(at.occasion()), board_page(at.occasion(), packed=False)
    assert json.loads(block(packed, "data")) == json.loads(block(plain, "data", packed=False))


def test_a_board_is_the_same_every_time() -> None:
    at = moments("korsun_spi")["movement"]
    assert board_page(at.occasion()) == board_page(at.occasion())


def test_no_script_names_a_verb_a_side_or_a_game() -> None:
    scripts = "\n".join((TEMPLATES / name).read_text(encoding="utf-8") for name in SCRIPTS)
    scripts = re.sub(r'(element|svg)\("\w+"', "", scripts)  # HTML has words of its own
    quoted = set(re.findall(r'"([^"\n]*)"', scripts))
    for book in BOOKS:
        game = games.find_game(book)
        assert not quoted & {order.verb for order in game.book.of(game.sides[0])}
        assert not quoted & set(game.sides)
        assert book not in scripts


def test_nothing_is_fetched_sent_or_kept() -> None:
    page = unpacked(board_page(moments("korsun_spi")["movement"].occasion()))
    assert not re.search(r'(?:src|href)="(?!#|data:|mailto:")', page)
    words = r"fetch\(|XMLHttpRequest|localStorage|sessionStorage|indexedDB|new Blob|\beval\(|<form|WebSocket|sendBeacon"
    assert not re.search(words, page)


FOGGED = [("korsun_vv", ("fog", True)), ("manstein",)]


@pytest.mark.parametrize("world", FOGGED, ids=str)
def test_no_unit_mark_or_pool_that_is_hidden_from_its_reader_is_in_a_board(world: tuple[Any, ...]) -> None:
    tried = 0
    for at in moments(*world).values():
        data = json.loads(block(board_page(at.occasion()), "data"))
        unseen = hidden(at)
        assert not unseen & set(data["units"])
        assert not unseen & set(data["position"]["where"])
        seen = at.table.position
        for subject, marks in data["position"]["marks"].items():
            assert marks.items() <= seen.marks[subject].items()
            assert not set(marks) & seen.noted
        assert "pools" not in data["position"]
        tried += len(unseen)
    assert tried


def test_a_board_is_made_from_the_view_alone() -> None:
    """What the truth holds besides changes no byte."""
    for at in moments("korsun_vv", ("fog", True)).values():
        truth = at.referee.position
        page = board_page(at.occasion())
        before = dict(truth.marks)
        truth.marks["somebody unseen"] = {"a secret": 1}
        try:
            assert board_page(at.occasion()) == page
        finally:
            truth.marks.clear()
            truth.marks.update(before)


def test_a_board_by_link_holds_no_address_of_a_chair() -> None:
    at: At = moments("korsun_spi")["movement"]
    page = unpacked(board_page(at.occasion(reply="post@club.example", linked=True)))
    assert ADDRESS not in page
    assert 'content="no-store"' in page
    assert "noindex" in page
    assert "no-referrer" in page


def test_the_answer_given_now_stands_beside_each_question() -> None:
    at = moments("korsun_spi")["movement"]
    told = board_data(at.occasion())["questions"]
    assert [row[0] for row in told] == [q.name for q in at.game.questions.values() if not q.of or at.ask.side in q.of]
    assert all(row[2] and row[3] for row in told)


def test_the_board_of_a_log_is_written_at_the_machine(tmp_path: Path) -> None:
    log, out = tmp_path / "first.jsonl", tmp_path / "orders.html"
    two = (game for game in map(games.find_game, BOOKS) if len(game.setting.chairs) > 1)
    game = next(game for game in two if len(Campaign.new(None, game, seed=3).asks) == 1)
    campaign = Campaign.new(log, game, seed=3)
    typed = CliRunner().invoke(app, ["board", "--log", str(log), "-o", str(out)])
    assert typed.exit_code == 0, typed.output
    assert json.loads(block(out.read_text(encoding="ascii"), "data"))["key"] == campaign.asks[0].key
    other = next(side for side in game.setting.chairs if side != campaign.asks[0].side)
    refused = CliRunner().invoke(app, ["board", "--log", str(log), "-o", str(out), "--side", other])
    assert refused.exit_code == 2
    assert f"no orders are asked of {other} now" in refused.output
