"""Exports and the archive."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from engine.log.reader import check_reader
from pbem.moderator import CannotModerate, arranging, keeping, ruling
from pbem.moderator.act import WrongState
from tests.pbem.houses import log_of
from tests.pbem.moderator.moderated import GAME, Moderated
from tests.pbem.security.office import ANNA, BRUNO


def exported(office: Moderated, reader: str = "") -> dict[str, bytes]:
    with office.acting() as act:
        _, data = keeping.packed(act, GAME, reader)
    with zipfile.ZipFile(io.BytesIO(data)) as pack:
        return {name.partition("/")[2]: pack.read(name) for name in pack.namelist()}


def test_an_export_holds_the_log_the_replay_and_the_list_of_mail(office: Moderated) -> None:
    files = exported(office)
    assert set(files) == {"log.jsonl", "replay.html", "mail.txt"}
    assert ANNA in files["mail.txt"].decode()
    assert len(files["log.jsonl"].splitlines()) == office.campaign().count


def test_a_running_games_secret_is_in_no_export(office: Moderated) -> None:
    secret = office.campaign().secret.hex()
    for reader in ("", "german", "onlooker"):
        assert all(secret.encode() not in data for data in exported(office, reader).values())


def test_an_export_for_a_side_is_a_copy_it_can_check_and_holds_nothing_else(office: Moderated) -> None:
    unit = next(iter(office.campaign().position.on_map("german")))
    office.do(ruling.correct, GAME, f"german only: mark {unit} blessed")
    for reader, sees in (("german", True), ("soviet", False), ("onlooker", False)):
        log = exported(office, reader)["log.jsonl"]
        assert (b"blessed" in log) is sees
        assert check_reader([json.loads(line) for line in log.splitlines()]) == []


def test_a_game_that_has_not_begun_has_no_log_to_export(office: Moderated) -> None:
    office.game("weir", ANNA, BRUNO, begun=False)
    with office.acting() as act, pytest.raises(WrongState, match="no log"):
        keeping.packed(act, "weir")


def test_only_a_game_that_is_over_goes_into_the_archive_and_only_once(office: Moderated) -> None:
    with pytest.raises(WrongState, match="before it is closed"):
        office.do(keeping.archive, GAME)
    office.do(arranging.close, GAME)
    office.do(keeping.archive, GAME)
    assert (office.home / "archive" / "mill.zip").exists()
    assert log_of(office.house, GAME).exists()
    with pytest.raises(CannotModerate, match="archived already"):
        office.do(keeping.archive, GAME)
