"""Two worlds that differ only in what a side may not know give it the same letters, to the byte and to the minute."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from tests.pbem.leaks.conftest import HANDS, SOVIET
from tests.pbem.leaks.worlds import World, parting, play_on, twin

case = pytest.mark.case
# All of them have the same Fronts in the places of the cup that the first draws hit.
SELECTIONS = (SOVIET, "select Vrnz, Vrnz, Step, SW, SW, Sth", "select Vrnz, Vrnz, Step, SW, Sth, Sth")


def same_until_shown(worlds: list[World], observer: str, least: int) -> None:
    """All that the observer was given is the same until the cup itself shows what differs."""
    for one, other in combinations(worlds, 2):
        until = parting(one, other)
        assert len(one.given(observer, until)) >= least
        assert one.given(observer, until) == other.given(observer, until)


@case("manstein", "6.1(4)")
def test_the_soviets_cannot_tell_one_hand_one_cup_or_one_sealed_answer_from_another(at_a_draw: list[World]) -> None:
    for world, answer in zip(at_a_draw, ("interrupt\nenter 8A", "pass", "withdraw"), strict=True):
        play_on(world, "soviet", 9, answer=answer)
    same_until_shown(at_a_draw, "soviet", 20)


@case("manstein", "6.1(4)")
def test_the_axis_cannot_tell_one_selection_from_another(selecting: World, tmp_path: Path) -> None:
    worlds = []
    for number, chits in enumerate(SELECTIONS):
        worlds.append(twin(selecting, tmp_path / f"world {number}"))
        worlds[-1].mail("soviet", chits)
        worlds[-1].mail("axis", HANDS[1])
        play_on(worlds[-1], "axis", 5)
    same_until_shown(worlds, "axis", 12)


@case("manstein", "6.1(4)")
def test_a_side_is_told_its_own_secrets(at_a_draw: list[World]) -> None:
    for one, other in combinations(at_a_draw, 2):
        one.mail("axis", "status")
        other.mail("axis", "status")
        assert one.given("axis") != other.given("axis")
