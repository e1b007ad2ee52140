"""Questions as a rulebook writes them down: read once, and told by name if one is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.orders.usual import Lose, Retreat
from engine.rulebook import BadTables, read_questions

LOSS = '[loss]\nabout = "a result falls on you"\nverbs = ["lose", "retreat"]\n'


def written(folder: Path, text: str) -> Path:
    (folder / "questions.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_question_names_its_orders_by_their_verbs(tmp_path: Path) -> None:
    folder = written(tmp_path, LOSS + 'also = ["attacked"]\nreaction = true\n')
    (question,) = read_questions(folder, (Lose, Retreat)).values()
    assert (question.name, question.verbs, question.also) == ("loss", (Lose, Retreat), ("attacked",))
    assert question.reaction


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (LOSS.replace("retreat", "run away"), "'run away'"),
        ('[loss]\nabout = "a result"\n', "'verbs'"),
        (LOSS + 'askes = "often"\n', "'askes'"),
    ],
)
def test_a_question_that_cannot_be_read_is_told_by_name(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadTables, match=f"questions.toml: loss: .*{problem}"):
        read_questions(written(tmp_path, text), (Lose, Retreat))
