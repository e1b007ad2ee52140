"""Charts of the campaign book."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from pbem.campaign_book.book_charts import APART, ChartLine, bar_chart, line_chart


@pytest.mark.parametrize("highest", [0, 1, 6, 7, 45, 61, 300, 1999])
def test_lines_across_are_few_and_round_and_hold_every_value(highest: int) -> None:
    drawn = line_chart([0, 1, 2], [ChartLine("German", "#123456", [0, highest // 2, highest])], "losses")
    numbers = [int(text) for text in re.findall(r'text-anchor="end"[^>]*>(-?\d+)<', drawn)]
    assert 2 <= len(numbers) <= 8
    assert max(numbers) >= highest
    assert all(not number % (numbers[1] - numbers[0]) for number in numbers)


def test_points_below_zero_have_their_place() -> None:
    drawn = line_chart([1, 2], [ChartLine("Russian", "#a00000", [-2, 2])], "points")
    heights = [float(y) for y in re.findall(r'<circle cx="[\d.]+" cy="([\d.]+)"', drawn)]
    assert heights[0] > heights[1]


def test_names_at_the_end_of_lines_do_not_run_into_each_other() -> None:
    drawn = line_chart([1, 2], [ChartLine("A", "#000000", [0, 9]), ChartLine("B", "#ffffff", [0, 9])], "same")
    ends = sorted(float(y) for y in re.findall(r'y="([\d.]+)" text-anchor="start"', drawn))
    assert ends[1] - ends[0] >= APART


def test_bars_say_how_often_each_face_fell_and_what_was_to_be_expected() -> None:
    drawn = bar_chart({"1": 3, "2": 5}, 4.0, "a <die>")
    ElementTree.fromstring(drawn)
    assert "4.0 expected" in drawn
    assert {">3<", ">5<"} <= set(re.findall(r">\d<", drawn))
    assert "a &lt;die&gt;" in drawn
