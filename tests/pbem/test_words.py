"""Every fact has its sentence, and a run of small ones is told in one."""

from __future__ import annotations

import pytest

from engine import facts as f
from pbem.wording import words


def test_every_fact_of_the_vocabulary_has_a_sentence() -> None:
    assert set(f.type_of.values()) == set(words._SENTENCES)


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (f.Moved(unit="RD6", path=("2608", "2609"), how="retreat"), "RD6 retreated 2608-2609."),
        (f.StepLost(unit="RD6", because="9.66"), "RD6 lost a step. [9.66]"),
        (f.StepLost(unit="GTC5", steps=2), "GTC5 lost 2 steps."),
        (f.Marked(subject="@2708", mark="mud", value=None), "hex 2708 no longer mud."),
        (f.StageBegan(stage="soviet.combat", turn=2, side="soviet"), "Turn 2: soviet combat."),
        (f.GameEnded(result="draw", points=(("soviet", 3),)), "The game ended: draw (soviet 3)."),
        (f.Told(text="Snow falls"), "Snow falls."),
    ],
)
def test_a_fact_reads_as_a_sentence(fact: f.Fact, sentence: str) -> None:
    assert list(words.fact_sentences([fact])) == [sentence]


def test_units_placed_together_are_told_by_hex() -> None:
    placed = [f.Placed(unit=unit, at=at) for unit, at in (("RD6", "2608"), ("88", "2509"), ("GTC5", "2608"))]
    assert list(words.fact_sentences(placed)) == ["Placed: 2608 RD6, GTC5; 2509 88."]


def test_an_attack_tells_its_odds_its_working_and_its_result() -> None:
    fought = f.Fought(
        kind="combat",
        attackers=("GTC5", "RD6"),
        defenders=("88",),
        targets=("2608",),
        column="3-1",
        decided=(("die", "4"),),
        result="-/2",
        working=(("12 to 4", "9.4"), ("town: one column left", "")),
    )
    assert list(words.fact_sentences([fought])) == [
        "Combat by GTC5, RD6 on 88 in 2608: 3-1 (12 to 4 [9.4]; town: one column left), die 4: -/2."
    ]
