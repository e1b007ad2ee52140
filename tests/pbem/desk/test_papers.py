"""A line and its rows are one: decided by the commit, in the file once, whatever happens in between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlmodel import Session, select

import games
from engine.campaign import verify
from engine.log import LogFile, LogMoved
from engine.log.lines import parse
from engine.log.sidecar import beside
from pbem.house import crash_points as steps
from pbem.house.in_files import redo
from pbem.house.papers import Decided
from pbem.moderator.act import CannotModerate
from pbem.store import LineDue
from tests.pbem.desk.office import JOIN, Office

pytestmark = pytest.mark.on_files


class Killed(BaseException):
    """The process is gone."""


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    office.begin()
    yield office
    office.house.close()


@contextmanager
def killed_at(step: str) -> Iterator[None]:
    def stop(reached: str) -> None:
        if reached == step:
            raise Killed

    silence = steps.listen(stop)
    try:
        with pytest.raises(Killed):
            yield
    finally:
        silence()


def due(office: Office) -> list[LineDue]:
    with office.house.database.reading() as session:
        return list(session.exec(select(LineDue)).all())


def in_the_file(office: Office) -> int:
    return len(LogFile(office.house.log_path(office.name)).read().lines)


def test_a_line_that_was_decided_is_put_into_its_file_by_whoever_opens_the_game(office: Office) -> None:
    with killed_at(steps.AFTER_COMMIT):
        office.mail("soviet", "end")
    assert (in_the_file(office), len(due(office))) == (1, 1)
    assert office.house.campaign(office.game()).count == 2
    assert (in_the_file(office), len(due(office))) == (1, 1)  # to look at it is not to open it
    assert len(office.house.campaign(office.game()).lines()) == 2
    office.mail("soviet", "status")
    assert (in_the_file(office), due(office)) == (2, [])
    assert verify(office.house.log_path(office.name), games.find_game).ok


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99, 1.0])
def test_a_line_that_was_torn_is_written_again_and_whole(office: Office, share: float) -> None:
    with killed_at(steps.AFTER_COMMIT):
        office.mail("soviet", "end")
    path, row = office.house.log_path(office.name), due(office)[0].row
    with path.open("ab") as file:
        file.write(row[: int(len(row) * share)])
    office.service.recover()
    assert path.read_bytes().split(b"\n")[1] == row
    assert (in_the_file(office), due(office)) == (2, [])
    assert verify(path, games.find_game).ok


def test_a_line_that_is_there_is_not_written_twice(office: Office) -> None:
    with killed_at(steps.AFTER_LINE):
        office.mail("soviet", "end")
    before = office.house.log_path(office.name).read_bytes()
    assert len(due(office)) == 1
    office.service.recover()
    assert (office.house.log_path(office.name).read_bytes(), due(office)) == (before, [])


def test_another_line_in_its_place_is_told_and_neither_is_touched(office: Office) -> None:
    office.mail("soviet", "end")
    path = office.house.log_path(office.name)
    before = path.read_bytes()
    other = parse(before.split(b"\n")[1].replace(b'"hash":"', b'"hash":"0'))
    with pytest.raises(LogMoved):
        redo(path, [Decided(1, other, {})])
    assert path.read_bytes() == before


def test_a_drawer_changes_with_its_mail_or_not_at_all(office: Office) -> None:
    drawer = beside(office.house.log_path(office.name), "drawer")
    before = drawer.read_bytes()
    with killed_at(steps.BEFORE_COMMIT):
        office.mail("soviet", "when loss: retreat")
    assert drawer.read_bytes() == before
    with killed_at(steps.AFTER_COMMIT):
        office.service.deal_with_all()
    assert drawer.read_bytes() == before
    assert [order.line() for order in office.house.campaign(office.game()).drawer.standing["soviet"]]
    assert drawer.read_bytes() == before  # whoever only looks writes nothing
    office.service.recover()
    assert drawer.read_bytes() != before


def test_a_full_disk_holds_up_nothing_but_the_file(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: LogFile, line: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(LogFile, "append", full)
        letters = office.mail("soviet", "end")
    assert letters
    assert [(row.state, row.tries) for row in office.mails()[-1:]] == [("done", 1)]
    assert (in_the_file(office), len(due(office))) == (1, 1)
    office.mail("soviet", "end")
    assert (in_the_file(office), due(office)) == (3, [])


def test_a_game_that_begins_has_its_log_once_all_is_decided(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.invite()
    office.mail("soviet", JOIN[0])
    with killed_at(steps.BEFORE_COMMIT):
        office.mail("german", JOIN[1])
    assert not office.house.log_path(office.name).exists()
    with killed_at(steps.AFTER_COMMIT):
        office.service.deal_with_all()
    assert not office.house.log_path(office.name).exists()
    assert office.game().state == "playing"
    office.service.recover()
    assert verify(office.house.log_path(office.name), games.find_game).ok
    office.house.close()


def test_what_is_refused_in_an_attempt_leaves_nothing_behind(office: Office) -> None:
    game = office.game()

    def refused(session: Session) -> None:
        with office.house.attempt(session):
            office.house.campaign(game, session).stand("soviet", "when loss: retreat")
            raise CannotModerate("not so")

    with office.house.transaction() as session:
        with pytest.raises(CannotModerate):
            refused(session)
        assert not office.house.campaign(game, session).drawer.standing.get("soviet")
    assert due(office) == []
    assert not office.house.campaign(office.game()).drawer.standing.get("soviet")
