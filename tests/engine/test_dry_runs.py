"""A dry run: what a mail would do, up to the first thing that could not be taken back."""

from __future__ import annotations

import pytest

from tests.engine.ford import ATTACK, facing, seated


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
