"""What is written behind an order: clauses that answer for it, `then` and `else`, and conditions between lines."""

from __future__ import annotations

import pytest

from tests.engine.ford import ATTACK, asked, facing, seated


def test_a_clause_answers_what_the_order_asks_its_writer() -> None:
    referee = facing(1)
    reply = referee.submit("red", f"{ATTACK}; lose G2")
    assert referee.position.lost == {"G2": 1}
    assert [item.body["source"] for item in reply.items if item.kind == "answer"] == [
        "hand",
        "default",
        "clause",
    ]


def test_a_clause_outlives_the_other_sides_answer_and_a_resumption() -> None:
    referee = facing(6)
    referee.submit("red", f"{ATTACK}; advance G2")
    assert asked(referee) == [("blue", "loss")]
    for resumed in (referee.twin(), referee):
        resumed.submit("blue", "retreat P1 0104")
        assert resumed.position.where["G2"] == "0103"
        assert asked(resumed) == [("red", "move")]


def test_a_clause_that_is_not_allowed_is_refused_and_the_side_is_asked() -> None:
    referee = facing(1)
    reply = referee.submit("red", f"{ATTACK}; lose T-34")
    assert [str(line.refusal) for line in reply.refused] == ["T-34 did not fight (case 3.5). Legal instead: G1, G2."]
    assert asked(referee) == [("red", "loss")]


def test_who_spoke_to_a_passable_question_wrongly_has_not_passed_it_by() -> None:
    referee = facing(6)
    referee.drawer.stand("blue", "when loss: retreat P1 0104")
    reply = referee.submit("red", f"{ATTACK}; advance T-34\nif P1 is dead: end\nend")
    assert "advance T-34" in [line.text for line in reply.refused]
    assert asked(referee) == [("red", "advance")]


def test_a_clause_refused_after_the_other_sides_answer_is_told_to_its_writer() -> None:
    referee = facing(6)
    referee.submit("red", f"{ATTACK}; advance T-34\nend")
    reply = referee.submit("blue", "retreat P1 0104")
    assert [(line.text, line.state) for line in reply.drawn["red"]] == [
        ("advance T-34", "refused"),
        ("end", "returned"),
    ]
    assert not referee.drawer.waiting["red"]
    assert asked(referee) == [("red", "advance")]


def test_a_clause_is_forgotten_when_its_order_is_over() -> None:
    referee = facing(4, 1)
    referee.submit("red", f"{ATTACK}; lose G2\n{ATTACK}")
    assert asked(referee) == [("red", "loss")]


@pytest.mark.parametrize(("die", "gone_to"), [(6, "0302"), (4, "0202")])
def test_then_follows_success_and_else_failure(die: int, gone_to: str) -> None:
    referee = facing(die)
    if die == 6:
        referee.drawer.stand("blue", "when loss: retreat P1 0104")
    referee.submit("red", f"{ATTACK}; then move T-34 0301 0302; else move T-34 0202")
    assert referee.position.where["T-34"] == gone_to


def test_what_follows_an_attack_waits_for_the_defenders_answer() -> None:
    referee = facing(6)
    reply = referee.submit("red", f"{ATTACK}; then move T-34 0202; else end")
    assert reply.stopped == "the other side must answer first"
    referee.submit("blue", "retreat P1 0104")
    assert referee.position.where["T-34"] == "0202"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("if 0103 is empty: move G1 0103\nelse: move G1 0202", "0103"),
        ("if 0302 is empty: move G1 0103; else: move G1 0202", "0202"),
        ("if G2 is reduced:\n move G1 0103\n move G2 0202\nelse:\n move G1 0202\nend if", "0202"),
        ("if T-34 is in 0302 and G2 is whole: move G1 0202", "0202"),
        ("if G1 is dug: move G1 0202", "0102"),
    ],
)
def test_a_condition_chooses_between_lines(text: str, where: str) -> None:
    referee = seated()
    reply = referee.submit("red", text)
    assert reply.stopped == ""
    assert referee.position.where["G1"] == where


def test_a_condition_is_read_when_its_turn_comes_not_before() -> None:
    referee = seated()
    referee.submit("red", "move G1 0103\nmove G2 0202\nif 0102 is empty: move T-34 0303")
    assert referee.position.where["T-34"] == "0303"


def test_a_condition_that_is_not_understood_is_a_bad_line() -> None:
    reply = seated().submit("red", "if the moon is full: end")
    assert [line.number for line in reply.refused] == [1]
