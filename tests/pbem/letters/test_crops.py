"""Battle pictures: everything of a fight inside, its tag off the figures, a hex large enough for a telephone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import games
from engine import facts as f
from engine.campaign import Span
from engine.game import Game
from engine.log import items
from engine.position import Position, apply
from engine.table import Table
from engine.view import view
from pbem.pictures.events import TAG, StackInView, Tag, placed
from pbem.pictures.look import look_of
from pbem.pictures.pictures import HIGHEST, LETTER, LOWEST, PIXELS, engagement
from pbem.pictures.shapes import Box, Picture, Text, flat
from pbem.report.dispatch import Cluster, dispatch
from pbem.report.making import Moment, make_report
from pbem.tale.entries import facts_of
from tests.pbem.letters.recorded import fights_in, lines_of, named

MOST = 40  # lines with fights that are looked at, of each rulebook
SHOWN = 340  # pixels of a telephone that a picture is shown at


def clusters(book: str) -> Iterator[tuple[Game, Table, Cluster]]:
    """Every cluster of fights in a recorded campaign, as the second side is shown it."""
    name = named(book)[0]
    lines = lines_of(name)
    header = lines[0]
    game = games.find_game(header["game"], header["scenario"], header["options"])
    side, position, seen = game.setting.chairs[-1], Position(game.setting), 0
    for line in lines:
        if line.get("back"):
            return
        for item in items(line):
            if item.kind == "fact":
                apply(position, item.fact)
        if not fights_in(line) or seen == MOST:
            continue
        seen += 1
        now = Moment(game, side, view(position, side), ())
        report = make_report(Span(line["n"] - 1, [line], ()), now)
        for cluster in dispatch(now, report).clusters:
            if cluster.fights:
                yield game, now.table, cluster


def drawn(table: Table, cluster: Cluster) -> Picture:
    facts: list[f.Fact] = [x for card in cluster.cards for x in (card.battle.fought, *facts_of(card.battle.after))]
    return engagement(table, cluster.fights, facts)


@pytest.mark.parametrize("book", sorted(games.titles()))
def test_the_hexes_of_every_fight_and_its_tag_are_inside_the_picture(book: str) -> None:
    found = 0
    for game, table, cluster in clusters(book):
        picture = drawn(table, cluster)
        assert round(picture.width * PIXELS) <= LETTER
        assert LOWEST - 0.01 <= picture.height <= HIGHEST + 0.01
        grid = game.board.grid
        for _, fight in cluster.fights:
            for spot in fight.fact.targets[:1]:
                x, y = grid.centre(grid.hex(spot))
                assert picture.left + 0.4 < x < picture.right - 0.4
                assert picture.top + 0.4 < y < picture.bottom - 0.4
        texts = [shape for shape, _ in flat(picture.shapes) if isinstance(shape, Text) and ":  " in shape.text]
        assert len(texts) == len(cluster.fights)
        boxes = [shape for shape, _ in flat(picture.shapes) if isinstance(shape, Box) and shape.fill == "#fff8d6"]
        for box in boxes:
            assert picture.left <= box.at[0] <= box.at[0] + box.size[0] <= picture.right
            assert picture.top <= box.at[1] <= box.at[1] + box.size[1] <= picture.bottom
        found += 1
    assert found


def test_a_hex_is_large_enough_for_a_telephone() -> None:
    assert PIXELS * SHOWN / LETTER >= 52


@pytest.mark.parametrize("source", [(0.0, -1.0), (0.0, 1.0), (0.87, -0.5), (0.87, 0.5), (-0.87, 0.5)])
@pytest.mark.parametrize("units", [1, 2, 3, 5])
def test_a_tag_covers_no_figure_of_the_counter_in_its_target(source: tuple[float, float], units: int) -> None:
    look = look_of(games.find_game(next(iter(games.titles()))))
    stacks = [StackInView((0.0, 0.0), units), StackInView(source, 1)]
    tag = Tag("3:  10-1  -/E", "#8b2a15", (0.0, 0.0), (source,))
    ((_, (x, y)),) = placed([tag], stacks, look, (-3.0, -3.0, 3.0, 3.0))
    left, top, right, bottom = stacks[0].figures(look)
    apart = x + tag.wide / 2 <= left or x - tag.wide / 2 >= right or y + TAG / 2 <= top or y - TAG / 2 >= bottom
    assert apart


def test_two_tags_of_one_hex_do_not_lie_on_each_other() -> None:
    look = look_of(games.find_game(next(iter(games.titles()))))
    tag = Tag("1:  3-1  -/2", "#8b2a15", (0.0, 0.0), ((0.0, -1.0),))
    spots = [spot for _, spot in placed([tag, replace(tag, words="2:  4-1  -/2")], [StackInView((0.0, 0.0), 1)], look,
                                        (-3.0, -3.0, 3.0, 3.0))]  # fmt: skip
    assert abs(spots[0][1] - spots[1][1]) >= TAG or abs(spots[0][0] - spots[1][0]) >= tag.wide
