"""The referee: who is asked what, whose word counts when, and what can no longer be taken back."""

from __future__ import annotations

import pytest

from engine.referee import Differs, Item, Referee, Reply
from tests.engine.ford import seated

ATTACK = "attack 0103 with G1, G2"  # with P1 put at 0103, beside the Guards


def facts_of(reply: Reply) -> list[str]:
    return [type(fact).__name__ for fact in reply.facts]


def states(reply: Reply) -> list[tuple[str, str]]:
    return [(line.text, line.state) for line in reply.lines]


def asked(referee: Referee) -> list[tuple[str, str]]:
    return [(ask.side, ask.name) for ask in referee.asks]


def facing(*dice: int) -> Referee:
    """The Guards stand before a Panzer, and red moves first."""
    return seated(*dice, P1="0103")


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


def test_with_the_skip_policy_bad_lines_are_left_out_and_the_others_done() -> None:
    referee = seated()
    reply = referee.submit("red", "move G1 0606\nfly G1\nmove G2 0202\nend", skip=True)
    assert {line.text: line.state for line in reply.lines} == {
        "move G1 0606": "refused",
        "fly G1": "refused",
        "move G2 0202": "done",
        "end": "done",
    }
    assert asked(referee) == [("blue", "move")]


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


# Clauses, `then` and `else`, conditions.


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
    assert [(line.text, line.state) for line in reply.drawn["red"]] == [("advance T-34", "refused")]
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


def test_what_is_left_in_the_drawer_and_no_longer_legal_comes_back_alone() -> None:
    referee = facing(6)
    referee.submit("red", f"{ATTACK}\nmove G1 0606\nmove T-34 0202")
    answer = referee.submit("blue", "lose P1")
    assert [line.state for line in answer.drawn["red"]] == ["refused", "done"]
    assert referee.position.where["T-34"] == "0202"


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
    assert asked(referee) == [("red", "bid"), ("blue", "bid")]
    second = referee.submit("blue", "bid 1")
    answers = [item for item in second.items if item.kind == "answer"]
    assert [(item.body["side"], item.only) for item in answers] == [("red", ("red",)), ("blue", ("blue",))]
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


# Dry runs.


def test_a_dry_run_touches_nothing() -> None:
    referee = seated()
    before = (referee.position.hash(), referee.asks, referee.drawer.to_json(), list(referee.since))
    reply = referee.rehearse("red", "move G1 0103\nmove G2 0202\nend")
    assert [line.state for line in reply.lines] == ["done", "done", "done"]
    assert (referee.position.hash(), referee.asks, referee.drawer.to_json(), list(referee.since)) == before


def test_a_dry_run_refuses_what_the_mail_would_be_refused_for() -> None:
    referee = seated()
    dry, wet = (run("red", "move G1 0103\nmove G1 0104") for run in (referee.rehearse, referee.submit))
    assert [str(line.refusal) for line in dry.refused] == [str(line.refusal) for line in wet.refused]


@pytest.mark.parametrize("standing", ["when support: ask", "when support: no support", ""])
def test_a_dry_run_ends_where_the_other_side_is_asked_whatever_it_would_say(standing: str) -> None:
    referee = facing()
    if standing:
        referee.drawer.stand("blue", standing)
    reply = referee.rehearse("red", f"move T-34 0202\n{ATTACK}\nend")
    assert [line.state for line in reply.lines] == ["done", "done", "returned"]
    assert reply.stopped == "a dry run ends where a die would be cast or the other side asked"
    assert referee._run.dice.left == []  # type: ignore[attr-defined]


def test_a_dry_run_ends_at_the_die() -> None:
    referee = facing(6)
    referee.drawer.stand("blue", "when support: ask")
    referee.submit("red", ATTACK)
    reply = referee.rehearse("blue", "no support")
    assert not [item for item in reply.items if item.kind == "roll"]
    assert reply.stopped == "a dry run ends where a die would be cast or the other side asked"
    assert referee._run.dice.left == [6]  # type: ignore[attr-defined]


def test_a_dry_run_inside_a_procedure_knows_what_happened_so_far() -> None:
    referee = facing(6)
    referee.submit("red", ATTACK)
    assert referee.rehearse("blue", "retreat P1 0101").refused
    assert not referee.rehearse("blue", "retreat P1 0104").refused


# What was recorded comes out again, and nothing else does.


def recorded() -> tuple[Referee, list[Item]]:
    referee = facing(6, 1)
    referee.drawer.stand("blue", "when loss: retreat P1 0104")
    items: list[Item] = []
    for text in ("move T-34 0202", f"{ATTACK}; advance G1", "scout\nlook 0303", "dig G2\nface 0103", "end"):
        items += referee.submit("red", text).items
    return referee, items


def test_feeding_what_was_recorded_leads_to_the_same_position() -> None:
    played, items = recorded()
    again = facing()
    again.feed(items, strict=True)
    assert again.position.hash() == played.position.hash()
    assert [ask.key for ask in again.asks] == [ask.key for ask in played.asks]


def changed(item: Item) -> list[Item]:
    """The item with each of its words changed in turn, with a word more, and shown to someone else."""
    bodies = [{**item.body, name: _other(value)} for name, value in item.body.items() if name not in FREE]
    only = ("blue",) if item.only is None else None
    return [*(Item(item.kind, body, item.only) for body in bodies), Item(item.kind, item.body, only)]


FREE = ("k", "source")  # not the rules' business: the chain answers for them


def _other(value: object) -> object:
    match value:
        case bool():
            return not value
        case int():
            return value + 7
        case str():
            return value + "x"
        case list():
            return [*value, "x"]
        case dict():
            return {**value, "hard": "x"}
    return "x"


def test_strict_feeding_finds_any_changed_item() -> None:
    _, items = recorded()
    kinds = set()
    for index, item in enumerate(items):
        for other in [*changed(item), *items[index + 1 : index + 2]]:
            if other == item:
                continue
            with pytest.raises((Differs, ValueError, KeyError)):
                facing().feed([*items[:index], other, *items[index + 1 :]], strict=True)
            kinds.add(item.kind)
    assert kinds == {"answer", "roll", "fact"}


def test_strict_feeding_finds_an_item_left_out_or_put_in_twice() -> None:
    _, items = recorded()
    for index, item in enumerate(items):
        for other in ([], [item, item]):
            with pytest.raises(Differs):
                facing().feed([*items[:index], *other, *items[index + 1 :]], strict=True)
