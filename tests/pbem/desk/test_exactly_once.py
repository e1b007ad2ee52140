"""Whenever the service is stopped: no order is lost, none is done twice, and every letter is queued exactly once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from engine.campaign import verify
from engine.log import items
from games import find_game
from pbem.desk import lifecycle
from pbem.house import crash_points as steps
from pbem.store import Due
from tests.pbem.desk.office import JOIN, Office
from tests.pbem.houses import copied, log_of

GAME: list[tuple[str, str]] = [
    ("soviet", JOIN[0]),
    ("german", JOIN[1]),
    ("soviet", "when loss: retreat\nmove RD141 to 1107\nend\nattack 0604 with RD277\nend\npress a fine day"),
    ("german", "fly away\nend"),
    ("german", "absent for 3 days\nmove 97 to 0504\nend"),
    ("clock", "200"),
    ("german", "resign for good"),
]
BOT_GAME: list[tuple[str, str]] = [
    ("soviet", JOIN[0]),
    ("soviet", "end\nend\nend"),
    ("soviet", "resign for good"),
]


class Killed(BaseException):
    """The process is gone: nothing that runs afterwards may catch this."""


def step(office: Office, side: str, text: str) -> None:
    if side == "clock":
        office.wait(float(text))
    else:
        office.mail(side, text)


def heard(office: Office, side: str, text: str, stop_at: int | None = None) -> list[str]:
    """The durable steps that a mail or some hours make; stopped at one of them, the office is opened again."""
    reached: list[str] = []

    def listener(name: str) -> None:
        reached.append(name)
        if len(reached) - 1 == stop_at:
            raise Killed

    hear_no_more = steps.listen(listener)
    try:
        step(office, side, text)
    except Killed:
        office.house.close()
        office.open()
        office.service.recover()
        office.service.tick()
    finally:
        hear_no_more()
    return reached


def account(office: Office) -> dict[str, Any]:
    """All that must be the same whether there was a stop or not."""
    log = log_of(office.house, office.name)
    lines = office.house.campaign(office.game()).lines() if log.exists() else []
    with office.house.database.begin() as session:
        dues = [(row.side, row.key, row.due) for row in session.exec(select(Due)).all()]
    return {
        "happened": [[(item.kind, item.body) for item in items(line)] for line in lines],
        "letters": Counter(row.key for row in office.letters()),
        "states": Counter(row.state for row in office.letters()),
        "mails": Counter(row.state for row in office.mails()),
        "told": [(side, office.seat(side).reported) for side in ("soviet", "german")],
        "owed": sorted(dues, key=str),
        "game": office.game().state,
    }


def again(office: Office, folder: Path, before: Path) -> Office:
    """Another office that stands as this one stood when its folder was copied."""
    twin = Office(copied(before, folder))
    twin.now, twin.count = office.now, office.count
    return twin


@pytest.mark.parametrize(
    ("game", "german"), [(GAME, "bert@ford.example"), (BOT_GAME, "bot:random")], ids=["two people", "a bot"]
)
def test_a_stop_at_any_durable_step_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: list[tuple[str, str]], german: str
) -> None:
    monkeypatch.setattr(lifecycle, "final_files", lambda room: [])  # replay and book take longer than all the rest
    office = Office(tmp_path / "whole")
    office.invite({"deadline": "48h"}, chairs={"german": german})
    seen = set()
    for number, (side, text) in enumerate(game):
        office.house.close()
        before = tmp_path / f"before{number}"
        copied(office.home, before)
        office.open()
        twins = Office(before)
        twins.now, twins.count = office.now, office.count
        reached = heard(office, side, text)
        wanted = account(office)
        for stop, name in enumerate(reached):
            twin = again(twins, tmp_path / f"{number}-{stop}", before)
            heard(twin, side, text, stop)
            assert account(twin) == wanted, f"stopped {name} in {text!r}"
            if wanted["happened"]:
                assert verify(log_of(twin.house, "ford"), find_game).ok
            twin.house.close()
            seen.add(name)
        twins.house.close()
    assert account(office)["game"] == "finished"
    assert account(office)["states"].keys() == {"queued"}
    in_files = set() if office.house.cabinet.shared else {steps.AFTER_LINE}
    assert seen == {*steps.STEPS} - {steps.OUTAGE_NOTED, steps.AFTER_LINE} | in_files
