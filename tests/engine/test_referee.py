"""The referee: who is asked what, whose word counts when, and what can no longer be taken back."""

from __future__ import annotations

import pytest

from engine.referee import Reply
from tests.engine.ford import ATTACK, asked, facing, seated


def facts_of(reply: Reply) -> list[str]:
    return [type(fact).__name__ for fact in reply.facts]


def states(reply: Reply) -> list[tuple[str, str]]:
    return [(line.text, line.state) for line in reply.lines]


# A mail is all or nothing until something cannot be taken back.


def test_orders_are_carried_out_in_the_order_written() -> None:
    referee = seated()
    reply = referee.submit("red", "move G1 0103\nmove G2 0202\nend")
    assert [line.state for line in reply.lines] == ["done", "done", "done"]
    assert facts_of(reply)[:4] == ["Moved", "Marked", "Moved", "Marked"]
    assert asked(referee) == [("blue", "move")]


def test_one_illegal_line_takes_the_whole_mail_back_before_the_point_of_no_return() -> None:
    referee = seated()
    before, keys = referee.position.hash(), [ask.key for ask in referee.asks]
    reply = referee.submit("red", "move G1 0103\nmove G1 0104\nmove G2 0202")
    assert states(reply) == [
        ("move G1 0103", "returned"),
        ("move G1 0104", "refused"),
        ("move G2 0202", "returned"),
    ]
    assert reply.items == []
    assert referee.position.hash() == before
    assert [ask.key for ask in referee.asks] == keys


def test_taking_a_mail_back_inside_a_procedure_leaves_the_ask_that_was_open() -> None:
    referee = seated()
    referee.submit("red", "dig G1")
    assert asked(referee) == [("red", "face")]
    before = referee.position.hash()
    reply = referee.submit("red", "face 0103\nmove G1 0606")
    assert reply.stopped == "refused"
    assert asked(referee) == [("red", "face")]
    assert referee.position.hash() == before
    assert referee.submit("red", "face 0103\nend").stopped == ""


def test_what_a_die_has_decided_stands_and_the_rest_comes_back() -> None:
    referee = facing(4)
    reply = referee.submit("red", f"move T-34 0303\n{ATTACK}\nmove G1 0606\nend")
    assert [line.state for line in reply.lines] == ["done", "done", "refused", "returned"]
    assert "Fought" in facts_of(reply)
    assert referee.position.where["T-34"] == "0303"
    assert asked(referee) == [("red", "move")]


def test_a_hidden_fact_is_a_point_of_no_return() -> None:
    referee = seated()
    reply = referee.submit("red", "scout\nlook 0303\nmove G1 0606")
    assert [line.state for line in reply.lines] == ["done", "done", "refused"]
    assert referee.position.views["red"].mark("@0303", "scouted") == 1
    assert referee.position.views["blue"].mark("@0303", "scouted") is None


def test_with_the_skip_policy_bad_lines_are_left_out_and_the_others_done_but_nothing_is_closed() -> None:
    referee = seated()
    reply = referee.submit("red", "move G1 0606\nfly G1\nmove G2 0202\nend", skip=True)
    assert {line.text: line.state for line in reply.lines} == {
        "move G1 0606": "refused",
        "fly G1": "refused",
        "move G2 0202": "done",
        "end": "refused",
    }
    assert asked(referee) == [("red", "move")]


def test_every_bad_line_of_a_mail_is_answered_at_once() -> None:
    referee = seated()
    reply = referee.submit("red", "moov G1 0103\nmove Q9 0103\nmove G1 0103\nmove G1 9999\nelse: end")
    assert [line.number for line in reply.refused] == [1, 2, 4, 5]
    assert reply.items == []
    assert all(line.refusal.sentence().endswith((".", "?", "HEX...")) for line in reply.refused if line.refusal)


def test_nothing_is_asked_of_a_side_out_of_its_turn() -> None:
    referee = seated()
    reply = referee.submit("blue", "move P1 0104")
    assert reply.stopped == "nothing is asked of blue now; red must answer first"
    assert states(reply) == [("move P1 0104", "returned")]


def test_a_line_that_fits_nothing_comes_back_to_its_writer() -> None:
    referee = seated()
    reply = referee.submit("red", "lose G1")
    assert states(reply) == [("lose G1", "refused")]
    assert "does not answer what is asked now" in str(reply.refused[0].refusal)
    assert "(case 2.0)" in str(reply.refused[0].refusal)


def test_whole_turns_come_to_the_end_of_the_game() -> None:
    referee = seated(1, 1)
    for side, text in (("red", "end"), ("blue", "end"), ("red", "bid 0"), ("blue", "bid 1")):
        referee.submit(side, text)
    assert asked(referee) == [("blue", "move")]  # who bids more moves first
    referee.submit("blue", "end")
    reply = referee.submit("red", "end\nmove G1 0103")
    assert referee.over
    assert referee.position.ended == "the ford is left to nobody"
    assert states(reply)[-1] == ("move G1 0103", "returned")
    assert referee.submit("red", "end").stopped == "the game is over"


# Asks in the middle of things.


def test_the_defender_is_asked_and_the_rest_waits_in_the_drawer() -> None:
    referee = facing(6)
    reply = referee.submit("red", f"{ATTACK}\nadvance G1\nmove T-34 0202\nend")
    assert [line.state for line in reply.lines] == ["done", "kept", "kept", "kept"]
    assert asked(referee) == [("blue", "loss")]
    answer = referee.submit("blue", "retreat P1 0104")
    assert referee.position.where == referee.position.where | {"G1": "0103", "T-34": "0202", "P1": "0104"}
    assert asked(referee) == [("blue", "move")]
    assert [line.state for line in answer.drawn["red"]] == ["done", "done", "done"]


@pytest.mark.parametrize("skip", [False, True])
def test_what_is_left_in_the_drawer_and_no_longer_legal_comes_back_as_it_would_in_a_mail(skip: bool) -> None:
    referee = facing(6)
    referee.submit("red", f"{ATTACK}\nmove G1 0606\nmove T-34 0202\nend", skip=skip)
    answer = referee.submit("blue", "lose P1", skip=skip)
    rest = ["done", "refused"] if skip else ["returned", "returned"]
    assert [line.state for line in answer.drawn["red"]] == ["refused", *rest]
    assert referee.position.where["T-34"] == ("0202" if skip else "0302")
    assert asked(referee) == [("red", "move")]


def test_lines_for_later_are_not_used_up_by_a_question_they_do_not_answer() -> None:
    referee = facing(1)
    referee.drawer.stand("blue", "when support: ask")
    referee.submit("red", f"{ATTACK}\nmove T-34 0202")
    referee.submit("blue", "no support")
    assert asked(referee) == [("red", "loss")]
    reply = referee.submit("red", "lose G1")
    assert referee.position.where["T-34"] == "0202"
    assert [line.text for line in reply.drawn["red"]] == ["move T-34 0202"]


def test_who_writes_on_has_passed_a_passable_question_by() -> None:
    referee = facing(6)
    referee.drawer.stand("blue", "when loss: retreat P1 0104")
    referee.submit("red", f"{ATTACK}\nend")
    assert referee.position.where["G1"] == "0102"
    assert asked(referee) == [("blue", "move")]


def test_a_passable_question_waits_if_nothing_was_written_after_it() -> None:
    referee = facing(6)
    referee.drawer.stand("blue", "when loss: retreat P1 0104")
    referee.submit("red", ATTACK)
    assert asked(referee) == [("red", "advance")]


def test_a_line_that_does_not_answer_ones_own_open_question_is_refused() -> None:
    referee = facing(1)
    reply = referee.submit("red", f"{ATTACK}\nmove T-34 0202\nend")
    assert [line.state for line in reply.lines] == ["done", "refused", "returned"]
    assert asked(referee) == [("red", "loss")]


def test_a_reaction_is_answered_at_once_by_its_default() -> None:
    referee = facing(4)
    reply = referee.submit("red", ATTACK)
    answers = [item.body for item in reply.items if item.kind == "answer"]
    assert [(body["side"], body["order"]["verb"], body["source"]) for body in answers] == [
        ("red", "attack", "hand"),
        ("blue", "no support", "default"),
    ]


def test_a_reaction_waits_for_the_side_that_wants_to_be_asked() -> None:
    referee = facing()
    referee.drawer.stand("blue", "when support: ask")
    reply = referee.submit("red", ATTACK)
    assert not [item for item in reply.items if item.kind == "roll"]
    assert asked(referee) == [("blue", "support")]


# Two sides asked at once.


def test_nobodys_bid_is_opened_before_the_last_is_in() -> None:
    referee = seated(1, 1)
    referee.submit("red", "end")
    referee.submit("blue", "end")
    first = referee.submit("red", "bid 2")
    assert first.items == []
    assert [line.state for line in first.lines] == ["sealed"]
    assert asked(referee) == [("red", "bid"), ("blue", "bid")]
    second = referee.submit("blue", "bid 1")
    answers = [item for item in second.items if item.kind == "answer"]
    assert [(item.body["side"], item.audience) for item in answers] == [("red", "red"), ("blue", "blue")]
    assert asked(referee) == [("red", "move")]


def test_a_sealed_bid_may_be_replaced_until_it_is_opened() -> None:
    referee = seated(1, 1)
    referee.submit("red", "end")
    referee.submit("blue", "end")
    referee.submit("red", "bid 2")
    referee.submit("red", "bid 0")
    referee.submit("blue", "bid 1")
    assert asked(referee) == [("blue", "move")]


def test_opened_bids_cannot_be_taken_back_by_a_bad_line_after_them() -> None:
    referee = seated(1, 1)
    referee.submit("red", "end")
    referee.submit("blue", "end")
    referee.submit("red", "bid 0")
    reply = referee.submit("blue", "bid 1\nmove P1 0606")
    assert [line.state for line in reply.lines] == ["done", "refused"]
    assert asked(referee) == [("blue", "move")]


def test_a_bid_written_early_waits_for_its_stage() -> None:
    referee = seated(1, 1)
    referee.submit("red", "end\nbid 3")
    referee.submit("blue", "end\nbid 2")
    assert referee.position.views["red"].tracks["red bid"] == 3
    assert asked(referee) == [("red", "move")]
