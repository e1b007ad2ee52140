"""What one order mail costs, from the mailbox to its letters in the outbox: counted, for times tell of the machine."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from sqlalchemy import event

from engine.asks import Ask
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.table import Table
from pbem.order_board import board_page
from pbem.outbox.sending import send_due
from pbem.replay import page_drawing
from pbem.service.ticking import next_wake
from tests.patience import patience
from tests.pbem.desk.office import Office
from tests.pbem.desk.test_drawn_late import Relayed
from tests.pbem.received import receive

MOST_STATEMENTS, MOST_COMMITS = 26, 4  # the last one is for `game.json`
MORE_IN_ROWS = 4  # the lock and the claim, the mail under that lock, and its bytes
AT_A_WAKE = 3  # what mail waits, whether anything is due, and when anything will be


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin()
    return office


def asked_of_the_database(office: Office, side: str, text: str) -> list[str]:
    """One mail stored and dealt with; gives every statement but its beginnings, and every commit."""
    office.count += 1
    raw, engine, asked = office.raw(side, text), office.house.database.engine, list[str]()
    event.listen(engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    event.listen(engine, "commit", lambda connection: asked.append("COMMIT"))
    receive(office.house, raw)
    office.service.deal_with_all()
    return [said for said in asked if not said.startswith("BEGIN")]


@pytest.mark.parametrize("phases", [0, 2], ids=["his own next phase", "the other side's turn"])
def test_an_order_mail_costs_few_statements_and_fewer_commits(office: Office, phases: int) -> None:
    for _ in range(phases):
        office.mail("soviet", "end")
    lines = office.house.campaign(office.game()).count
    asked = asked_of_the_database(office, "soviet", "end")
    campaign = office.house.campaign(office.game())
    assert campaign.count == lines + 1
    assert [ask.side for ask in campaign.asks] == ["german" if phases else "soviet"]
    assert asked.count("COMMIT") <= MOST_COMMITS
    most = MOST_STATEMENTS + (MORE_IN_ROWS if office.house.cabinet.shared else 0)
    assert len([said for said in asked if said != "COMMIT"]) <= most, "\n".join(asked)


def test_when_the_clock_wakes_and_nothing_is_due_it_asks_little(office: Office) -> None:
    asked = list[str]()
    event.listen(office.house.database.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    office.service.tick()
    assert next_wake(office.house) is None
    assert len([said for said in asked if not said.startswith("BEGIN")]) == AT_A_WAKE, "\n".join(asked)


def test_a_letter_is_read_whole_when_it_is_sent_and_not_again_to_mark_it(office: Office) -> None:
    office.mail("soviet", "end")
    asked, relay = list[str](), Relayed()
    event.listen(office.house.database.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    sent = asyncio.run(send_due(office.house, relay))
    assert sent == len(relay.taken) > 1
    assert len([said for said in asked if said.startswith("SELECT") and "mail_out.raw" in said]) == sent
    assert len([said for said in asked if said.startswith("UPDATE mail_out")]) == sent


def test_a_chair_is_read_at_the_gate_and_with_its_game_and_then_no_more(office: Office) -> None:
    asked = asked_of_the_database(office, "soviet", "end")
    assert len([said for said in asked if said.startswith("SELECT seat")]) == 2
    assert not [said for said in asked if said.startswith("SELECT player")]  # he comes with his chair


@pytest.fixture
def with_boards(tmp_path: Path) -> Office:
    """An office whose letters have their order boards, and that has sent one of each."""
    office = Office(tmp_path)
    office.begin({"board": "packed"}, scenario="korsun")
    waiting = patience("a combat phase", 50)
    while not any(verb.forecastable for ask in office.house.campaign(office.game()).asks for verb in ask.offered):
        next(waiting)
        (ask,) = office.house.campaign(office.game()).asks
        office.mail(ask.side, ask.default().line())
    return office


def test_what_may_be_ordered_is_listed_once_for_the_words_and_once_for_the_board(
    with_boards: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letter, sheet and report are all made from that; the board, drawn when the letter is sent, lists it once more."""
    listed: Counter[str] = Counter()
    keyed = Ask.keyed

    def counting(ask: Ask, key: str) -> Ask:
        def offers() -> Sequence[Choice]:
            listed[key] += 1
            return ask.offers()

        twin = keyed(ask, key)
        twin.offers = offers
        return twin

    monkeypatch.setattr(Ask, "keyed", counting)
    with_boards.mail("soviet", "move GMC3 to 2617")
    assert listed.most_common(1)[0][1] == 2, listed


def test_no_odds_are_worked_out_more_often_than_they_are_told(
    with_boards: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for the sheet, and once for the board."""
    worked_out: Counter[str] = Counter()
    game = with_boards.house.campaign(with_boards.game()).game
    forecast = game.forecast

    def counting(table: Table, side: str, order: Order) -> Any:
        worked_out[order.line()] += 1
        return forecast(table, side, order)

    monkeypatch.setitem(game.__dict__, "forecast", counting)
    with_boards.mail("soviet", "move GMC3 to 2617")
    assert worked_out, "nothing may be forecast here"
    assert worked_out.most_common(1)[0][1] <= 2, worked_out


def test_what_is_the_same_in_every_letter_is_made_once(with_boards: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """No template is compiled again, no counter drawn that lies as it lay, nothing packed that was packed before."""
    compiled: list[str] = []
    compiling = Environment.compile

    def counting(self: Environment, *given: Any, **named: Any) -> Any:
        compiled.append(str(named.get("name") or given[1:2]))
        return compiling(self, *given, **named)

    monkeypatch.setattr(Environment, "compile", counting)
    kept = (page_drawing._face, page_drawing._units, page_drawing._net, page_drawing._ground,
            board_page._packed_ground, board_page._packed_symbols)  # fmt: skip
    before = [made.cache_info() for made in kept]
    with_boards.mail("soviet", "move GMC3 to 2617")
    assert compiled == []
    after = [made.cache_info() for made in kept]
    assert [made.misses for made in after] == [made.misses for made in before]
    assert after[0].hits > before[0].hits
