"""The campaign book: every turn, every loss and every battle of stored campaigns is in it, and no secret of a game."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import games
from engine import facts as f
from engine.campaign import Campaign, replay
from engine.game import Game
from engine.log import Line, LogFile, items_in_force
from engine.log.chain import revealed
from engine.view import view
from pbem.campaign_book import book_page as binding
from pbem.campaign_book.book_page import NothingToTell, book_page
from pbem.campaign_book.chapters import TurnChapter, chapters, decisive
from pbem.campaign_book.people import People, PressPiece
from pbem.replay.copies import Copy, copy_for
from tests.pbem.replay.campaigns import copy_of, secretive

STORED = Path(__file__).parents[2] / "campaigns"
FIGHTS = 12
BOOKS = sorted(path.name for path in STORED.iterdir() if path.is_dir())


@cache
def stored(rulebook: str) -> tuple[list[Line], Game]:
    """The shortest campaign of a rulebook with real fighting, in the fog if there is any."""
    logs = [path for path in (STORED / rulebook).glob("*.jsonl") if path.read_bytes().count(b'"Fought"') >= FIGHTS]
    best = min(logs, key=lambda path: ("fog" not in path.name, path.stat().st_size))
    lines = LogFile(best).read().lines
    return lines, games.find_game(lines[0]["game"], lines[0]["scenario"], lines[0]["options"])


def whole(rulebook: str) -> tuple[Game, Copy, list[TurnChapter]]:
    lines, game = stored(rulebook)
    copy = copy_for(lines, None, None)
    return game, copy, chapters(game, copy.entries(), copy.reader)


@pytest.fixture
def unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are tried elsewhere; here they would only take time."""
    plain = {"source": "data:,", "alt": "a picture", "width": 1, "height": 1}
    monkeypatch.setattr(binding, "_plate", lambda picture, alt: plain)
    monkeypatch.setattr(binding, "whole_map", lambda *args: None)
    monkeypatch.setattr(binding, "fighting", lambda *args: None)


def test_every_rulebook_has_a_campaign_to_tell() -> None:
    assert set(BOOKS) == set(games.titles())


@pytest.mark.parametrize("rulebook", BOOKS)
def test_the_chapters_are_the_turns_and_lead_to_the_end(rulebook: str) -> None:
    game, copy, told = whole(rulebook)
    last = replay(copy.lines, game)
    began = min(chapter.turn for chapter in told if chapter.turn)  # a scenario may begin in the midst of a campaign
    assert [chapter.turn for chapter in told] == [0, *range(began, last.turn + 1)]
    assert told[-1].after.hash() == last.hash()
    for earlier, later in pairwise(told):
        assert earlier.after.hash() == later.before.hash()


@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_battle_is_counted_once_and_every_step_that_was_lost(rulebook: str) -> None:
    _, copy, told = whole(rulebook)
    facts = [item.fact for _, item in items_in_force(copy.lines) if item.kind == "fact"]
    fights = [fact for fact in facts if isinstance(fact, f.Fought)]
    clashes = [clash for chapter in told for clash in chapter.clashes]
    assert [clash.battle.fought for clash in clashes] == fights
    assert [clash.number for clash in clashes] == list(range(1, len(fights) + 1))
    lost = sum(fact.steps for fact in facts if isinstance(fact, f.StepLost))
    assert sum(sum(chapter.lost.values()) for chapter in told) >= lost > 0


@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_battle_is_pictured_where_it_left_everybody(rulebook: str) -> None:
    _, _, told = whole(rulebook)
    for clash in (clash for chapter in told for clash in chapter.clashes):
        for unit in clash.battle.fallen:
            assert clash.after.hex_of(unit) is None


def test_the_decisive_battles_are_the_heaviest_and_not_all_of_one_turn() -> None:
    told = max((whole(rulebook)[2] for rulebook in BOOKS), key=len)
    chosen = decisive(told, 5, 2)
    assert len(chosen) == 5
    for chapter in told:
        ranked = [clash.number for clash in sorted(chapter.clashes, key=lambda c: (-c.weight, c.number))]
        taken = sum(number in chosen for number in ranked)
        assert taken <= 2
        assert set(ranked[:taken]) <= chosen


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.usefixtures("unpainted")
def test_the_page_tells_turns_losses_players_and_the_proof(rulebook: str) -> None:
    game, copy, told = whole(rulebook)
    names = dict(zip(game.setting.chairs, ("Anna Vatutina", "Erich Brandt"), strict=False))
    piece = PressPiece(told[1].turn, game.setting.chairs[0], "The road is open <b>now</b>.\nCome and see.")
    page = book_page(game, copy, People(names, (piece,)))
    assert [int(n) for n in re.findall(r"<h2>Turn (\d+)</h2>", page)] == [c.turn for c in told if c.turn]
    assert all(name in page for name in names.values())
    assert "The road is open &lt;b&gt;now&lt;/b&gt;.<br>Come and see." in page
    secret = revealed(copy.lines)
    assert secret is not None
    assert secret.hex() in page.replace(" ", "")
    assert copy.lines[-1]["hash"] in page.replace(" ", "")
    assert copy.lines[0]["commit"] in page.replace(" ", "")
    assert not re.search(r'(?:src|href)="(?!data:)', page)


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.usefixtures("unpainted")
def test_the_book_of_a_running_game_names_nothing_that_its_reader_may_not_know(rulebook: str) -> None:
    lines, game = stored(rulebook)
    secret = revealed(lines)
    until = lines[: len(lines) * 2 // 3]
    for side in game.setting.chairs:
        copy = copy_for(until, side, secret)
        page = book_page(game, copy)
        assert "The campaign so far" in page
        assert secret is not None
        assert secret.hex() not in page.replace(" ", "")
        _no_more_than(game, until, side, chapters(game, copy.entries(), side)[-1])


def _no_more_than(game: Game, lines: list[Line], side: str, last: TurnChapter) -> None:
    seen = view(replay(lines, game), side)
    assert {unit: last.after.where.get(unit) for unit in last.after.on_map()} == {
        unit: seen.where.get(unit) for unit in seen.on_map()
    }


def test_before_the_first_turn_there_is_nothing_to_tell() -> None:
    campaign = Campaign.new(None, games.rulebook("korsun_spi").game(), seed=1)
    copy = copy_for(campaign.lines(), "soviet", campaign.secret)
    with pytest.raises(NothingToTell):
        book_page(campaign.game, copy)


def test_pictures_stand_in_the_page_itself() -> None:
    campaign = secretive()
    page = book_page(campaign.game, copy_of(campaign))
    turns = len(re.findall(r"<h2>Turn \d+</h2>", page))
    assert page.count('src="data:image/png;base64,') >= turns + 1  # the cover has the last one too
    assert page == book_page(campaign.game, copy_of(campaign))
