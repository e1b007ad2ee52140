"""What one order mail asks of the database, from the mailbox to its letters in the outbox."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import event

from tests.pbem.desk.office import Office

MOST_STATEMENTS, MOST_COMMITS = 21, 4


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin()
    return office


def asked_of_the_database(office: Office, side: str, text: str) -> list[str]:
    """One mail stored and dealt with; gives every statement, and every commit."""
    office.count += 1
    raw, engine, asked = office.raw(side, text), office.house.database.engine, list[str]()
    event.listen(engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    event.listen(engine, "commit", lambda connection: asked.append("COMMIT"))
    office.service.receive(raw)
    office.service.deal_with_all()
    return asked


@pytest.mark.parametrize("phases", [0, 2], ids=["his own next phase", "the other side's turn"])
def test_an_order_mail_costs_few_statements_and_fewer_commits(office: Office, phases: int) -> None:
    for _ in range(phases):
        office.mail("soviet", "end")
    campaign = office.house.campaign(office.game())
    lines = campaign.count
    asked = asked_of_the_database(office, "soviet", "end")
    assert campaign.count == lines + 1
    assert [ask.side for ask in campaign.asks] == ["german" if phases else "soviet"]
    assert asked.count("COMMIT") <= MOST_COMMITS
    assert len([said for said in asked if said != "COMMIT"]) <= MOST_STATEMENTS, "\n".join(asked)


def test_a_chair_is_read_at_the_gate_and_with_its_game_and_then_no_more(office: Office) -> None:
    asked = asked_of_the_database(office, "soviet", "end")
    assert len([said for said in asked if said.startswith("SELECT seat")]) == 2
    assert not [said for said in asked if said.startswith("SELECT player")]  # he comes with his chair
