"""Dry runs and pauses (11.3): whoever tries something out, or waits, learns nothing of what stands in a stack."""

from __future__ import annotations

from typing import Any

import pytest

from engine.facts import Fact, LostSight, Marked
from engine.referee import Referee
from games.jaws.data import SOVIET
from games.jaws.rules.top import TOP
from tests.games.jaws.test_fog import at_table, case, placed

BESIDE = "move 155TB to 4439\nmove 62GRD to 4543"  # past 4340 in the open; and what comes after it


def under(top: str, unit: str, spot: str) -> list[Fact]:
    """A stack in which the Soviets see its top alone."""
    laid = Marked(subject=f"@{spot}", mark=TOP, value=top)
    return [*placed(**{f"at{spot}": f"{top} {unit}"}), laid, LostSight(unit=unit, by=SOVIET, only=(SOVIET,))]


def told(found: Referee, text: str) -> list[Any]:
    """What a dry run tells: each line, and why it ended."""
    reply = found.rehearse(SOVIET, text)
    return [[(line.text, line.state, str(line.refusal)) for line in reply.lines], reply.stopped]


@case("9.11", "11.3-5")
def test_a_dry_run_past_armor_goes_on_as_past_infantry() -> None:
    tanks, foot = (
        at_table("soviet.movement", *placed(at4440="155TB", at4544="62GRD"), *under("105/72", unit, "4340"))
        for unit in ("I-5SSPz/5SS", "Fus72")
    )
    assert told(tanks, BESIDE) == told(foot, BESIDE)
    assert [state for _, state, _ in told(tanks, BESIDE)[0]] == ["done", "done"]


@pytest.mark.parametrize(
    ("question", "hidden", "order"),
    [
        pytest.param("intercept", ("I-5SSPz/5SS", "Fus72"), "move 155TB to 4439", marks=case("9.11")),
        pytest.param("guns", ("Art72", "Fus72"), "attack 4236 from 4237", marks=case("12.1.3-A4")),
        pytest.param("hold", ("Art72", "Fus72"), "attack 4236 from 4237", marks=case("12.14.1")),
    ],
)
def test_a_side_that_wants_to_be_asked_is_asked_whatever_it_holds(
    question: str, hidden: tuple[str, str], order: str
) -> None:
    stage, spot = ("soviet.movement", "4340") if order.startswith("move") else ("soviet.combat", "4236")
    asked = []
    for unit in hidden:
        spots = [*placed(at4440="155TB", at4237="62GRD"), *under("StuG239", unit, spot)]
        found = at_table(stage, *spots, Marked(subject=f"@{spot}", mark="declared", value="open"), dice=(6,) * 9)
        found.drawer.stand("german", f"when {question}: ask")
        found.submit(SOVIET, order)
        asked.append([(ask.name, ask.key) for ask in found.asks])
    assert asked[0] == asked[1]
    assert asked[0][0][0] == question
