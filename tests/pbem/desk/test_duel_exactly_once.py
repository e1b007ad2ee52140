"""A duel whose service is stopped: every turn is compared once, and both games end as if nothing had been."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from engine.log import items
from pbem.desk import duel_course
from pbem.house import crash_points as steps
from pbem.store import Due
from tests.engine.outpost import RULEBOOK
from tests.pbem.desk.duellists import ANNA, BERT, GAMES, WORDS, Duellists
from tests.pbem.houses import copied, log_of
from tests.pbem.shelf import only

PLAYED = [(ANNA, WORDS[ANNA]), (BERT, WORDS[BERT]), (ANNA, "end\npress well?"), (BERT, "end")]
# How each end comes about, and from which of these on it is stopped everywhere: what is before is no news.
ENDS = {
    "played": ([(BERT, "end"), (BERT, "end"), *[(ANNA, "end")] * 4, *[(BERT, "end")] * 2], 1),
    "resigned": ([(BERT, "resign for good"), *[(ANNA, "end")] * 4], len(PLAYED)),
    "late": ([(ANNA, "end"), ("clock", "400"), *[(ANNA, "end")] * 3], len(PLAYED) + 1),
}


class Killed(BaseException):
    """The process is gone: nothing that runs afterwards may catch this."""


def step(office: Duellists, who: str, text: str) -> None:
    if who == "clock":
        office.wait(float(text))
    else:
        office.write(who, text)


def heard(office: Duellists, who: str, text: str, stop_at: int | None = None) -> list[str]:
    """The durable steps on the way; stopped at one of them, the office is opened again."""
    reached: list[str] = []

    def listener(name: str) -> None:
        reached.append(name)
        if len(reached) - 1 == stop_at:
            raise Killed

    hear_no_more = steps.listen(listener)
    try:
        step(office, who, text)
    except Killed:
        start_again(office)
    finally:
        hear_no_more()
    return reached


def start_again(office: Duellists) -> None:
    office.house.close()
    office.open()
    office.service.recover()
    office.service.tick()


def account(office: Duellists) -> dict[str, Any]:
    """All that must be the same whether there was a stop or not."""
    found: dict[str, Any] = {}
    for who, name in GAMES.items():
        begun = log_of(office.house, name).exists()
        lines = office.campaign(who).lines() if begun else []
        found[name] = [[line.get("act"), [(item.kind, item.body) for item in items(line)]] for line in lines]
        found[f"{name} is"] = office.row(who).state
    with office.house.database.begin() as session:
        found["owed"] = sorted(((due.game_id, due.key, due.due) for due in session.exec(select(Due)).all()), key=str)
    stands = office.duel()
    found["duel"] = stands.compared, stands.ended, stands.winner, stands.closed, stands.since
    found["letters"] = Counter(row.key for row in office.letters())
    found["states"] = Counter(row.state for row in office.letters())
    found["mails"] = Counter(row.state for row in office.mails())
    return found


@pytest.mark.parametrize("end", ENDS)
def test_a_stop_at_any_durable_step_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    only(monkeypatch, RULEBOOK)
    monkeypatch.setattr(duel_course, "final_files", lambda room: [])  # replay and book take longer than all the rest
    office = Duellists(tmp_path / "whole")
    office.set_up()
    seen = set()
    rest, since = ENDS[end]
    script = [*PLAYED, *rest]
    for number, (who, text) in enumerate(script):
        if number < since or office.row(BERT if who == "clock" else who).state == "finished":
            step(office, who, text)
            continue
        office.house.close()
        before = tmp_path / f"before{number}"
        copied(office.home, before)
        office.open()
        now, count = office.now, office.count
        reached = heard(office, who, text)
        wanted = account(office)
        for stop, name in enumerate(reached):
            folder = tmp_path / f"{number}-{stop}"
            copied(before, folder)
            twin = Duellists(folder)
            twin.now, twin.count = now, count
            heard(twin, who, text, stop)
            assert account(twin) == wanted, f"stopped {name} in {text!r}"
            twin.house.close()
            seen.add(name)
    in_files = set() if office.house.cabinet.shared else {steps.AFTER_LINE}
    assert seen == {*steps.STEPS} - {steps.OUTAGE_NOTED, steps.AFTER_LINE} | in_files
    assert office.duel().closed
    assert account(office)["states"].keys() == {"queued"}
    compared = [row.key for row in office.letters() if row.key.startswith("duel/1/turn/")]
    assert len(compared) == len(set(compared)) >= 2
    office.house.close()
