"""The drawer: what a side has said beforehand, and which of it answers which question."""

from __future__ import annotations

import json

import pytest

from engine.drawer import Drawer, read_standing
from engine.orders.script import read_script
from engine.referee import Referee
from engine.refusals import Unclear
from tests.engine.ford import seated
from tests.engine.toy import BOOK

ATTACK = "attack 0103 with G1, G2"


def attacked(*standing: str, die: int = 6) -> Referee:
    """P1 and P2 stand at 0103 and are attacked; blue has left standing orders."""
    referee = seated(die, P1="0103", P2="0103", SG="0104")
    for line in standing:
        referee.drawer.stand("blue", line)
    referee.submit("red", ATTACK)
    return referee


def what_blue_did(referee: Referee) -> str:
    """The last thing blue's standing orders said to a loss, or that blue is asked."""
    if any(ask.side == "blue" for ask in referee.asks):
        return "asked"
    lost = {unit for unit in referee.position.lost if unit in ("P1", "P2")}
    gone = {unit for unit in ("P1", "P2") if referee.position.where[unit] != "0103"}
    return f"lost {' '.join(sorted(lost))}" if lost else f"gone {' '.join(sorted(gone))}"


@pytest.mark.parametrize(
    ("standing", "does"),
    [
        ((), "asked"),
        (("when loss: lose P2",), "lost P2"),
        (("when LOSS : lose 2nd panzer",), "lost P2"),
        (("when asked: lose P2",), "lost P2"),
        (("when loss: retreat P1 0104",), "gone P1"),
        (("when loss: default",), "lost P1"),
        (("when loss: ask",), "asked"),
        (("when loss at 0103: lose P2", "when loss: lose P1"), "lost P2"),
        (("when loss at 0606: lose P2", "when loss: lose P1"), "lost P1"),
        (("when loss for P1: lose P2", "when loss: ask"), "lost P2"),
        (("when loss for SG: lose P2", "when loss: ask"), "asked"),
        (("when loss: lose P1", "when loss at 0103: ask"), "asked"),
        (("when loss: lose SG",), "lost P1"),
        (("when loss at 0103: lose SG", "when loss: lose P2"), "lost P2"),
        (("when loss: nonsense", "when loss at 0103: nonsense"), "lost P1"),
        (("when loss: lose P1", "when loss: lose P2"), "lost P2"),
        (("when advance: lose P2",), "asked"),
    ],
)
def test_a_standing_order_answers_its_question(standing: tuple[str, ...], does: str) -> None:
    assert what_blue_did(attacked(*standing)) == does


def test_a_standing_order_answers_a_reaction() -> None:
    referee = attacked("when support: support SG", "when loss: default")
    assert referee.position.mark("SG", "supported") == 1


def test_a_standing_order_never_plays_a_phase() -> None:
    referee = seated()
    referee.drawer.stand("red", "when move: end")
    referee.drawer.stand("blue", "when move: end")
    referee.submit("red", "end")
    assert [(ask.side, ask.name) for ask in referee.asks] == [("blue", "move")]


@pytest.mark.parametrize("line", ["loss: lose P1", "when: lose P1", "when loss lose P1", "when loss:"])
def test_what_is_no_standing_order_is_answered_with_how_to_write_one(line: str) -> None:
    with pytest.raises(Unclear, match="Write: when QUESTION"):
        read_standing(line)


def test_a_standing_order_written_down_and_read_again_is_the_same() -> None:
    for line in ("when loss: ask", "when loss at 0103: lose P1", "when loss for 1st Panzer: default"):
        order = read_standing(line)
        assert read_standing(order.line()) == order


def test_lines_for_a_stage_wait_for_it_and_no_other() -> None:
    drawer = Drawer()
    drawer.keep("red", read_script("bid 2")[0], "2/bid")
    assert drawer.take("red", 1, "bid", "key") == ("", [])
    address, lines = drawer.take("red", 2, "bid", "key")
    assert (address, [line.text for line in lines]) == ("2/bid", ["bid 2"])
    assert drawer.take("red", 2, "bid", "key") == ("", [])


def test_lines_put_back_keep_their_address_and_come_first() -> None:
    drawer = Drawer()
    drawer.keep("red", read_script("dig G2")[0])
    drawer.put_back("red", read_script("end")[0], "red.move")
    assert drawer.take("red", 1, "red.move", "")[1][0].text == "end"


def test_what_waits_may_be_withdrawn() -> None:
    drawer = Drawer()
    drawer.keep("red", read_script("dig G1\nend")[0])
    assert drawer.withdraw("red") == ["dig G1", "end"]
    assert drawer.withdraw("red") == []


def test_a_drawer_is_the_same_after_it_was_put_away() -> None:
    drawer = Drawer()
    text = "if 0103 is empty:\n move G1 0103\n if G1 is dug: end\nelse: dig G1\nend"
    drawer.keep("red", read_script(text)[0], "red.move")
    drawer.stand("blue", "when loss at 0103: lose P1")
    drawer.stand("blue", "when support: ask")
    drawer.seal("1/bid/0/red bid initiative", BOOK.load({"verb": "bid", "points": 2}))
    again = Drawer.from_json(json.loads(json.dumps(drawer.to_json())), BOOK)
    assert again == drawer


def test_a_condition_kept_in_the_drawer_still_knows_both_its_branches() -> None:
    referee = seated(6, P1="0103")
    referee.submit("red", f"{ATTACK}\nstay\nif 0103 is empty: move T-34 0202; else: dig T-34\nend")
    referee.drawer = Drawer.from_json(json.loads(json.dumps(referee.drawer.to_json())), BOOK)
    referee.submit("blue", "retreat P1 0104")
    assert referee.position.where["T-34"] == "0202"
    assert [ask.side for ask in referee.asks] == ["blue"]
