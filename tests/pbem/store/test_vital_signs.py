"""Whether the service is well: one line and a status for a monitor, and a file of figures for Prometheus."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner, Result

from pbem.cli import acting, app
from pbem.house import House, disk_space
from pbem.service.vital_signs import LONGEST
from pbem.store.schema import newest
from tests.pbem.clock.served import Served

ROOT = Path(__file__).parents[3]
SERIES = re.compile(r'fieldpost_[a-z_]+(\{[a-z]+="[a-z]+"\})? -?[0-9.e+]+')


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Its clock is the verb's, too."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    found = Served(tmp_path)
    monkeypatch.setenv("PBEM_DATABASE", found.house.settings.database)
    monkeypatch.setattr(acting, "House", lambda settings: House(settings, clock=lambda: found.now))
    found.begin({"deadline": "48h"})
    yield found
    found.house.close()


def health() -> Result:
    return CliRunner().invoke(app, ["health"])


def says(status: int, words: str) -> None:
    result = health()
    assert (result.exit_code, result.stdout.count("\n")) == (status, 1), result.output
    assert words in result.stdout


def test_a_service_that_runs_is_well(office: Served) -> None:
    says(1, "the service has never run here; `pbem serve` starts it: 0 mails to deal with, 5 letters to send")
    office.round()
    says(0, "well: 0 mails to deal with, 0 letters to send, 0 set aside, 0 not delivered, 1 games under way\n")
    office.pass_time(LONGEST)
    says(0, "well")
    office.pass_time(timedelta(seconds=1))
    says(1, "the service has shown no life since 2026-01-05 12:20 UTC; its journal says why: 0 mails")


def test_mail_that_does_not_come_or_go_is_told(office: Served) -> None:
    office.round()
    office.box.works = False
    office.pass_time(timedelta(minutes=1))
    office.round()
    says(1, "no mail could be fetched since 2026-01-05 12:20 UTC")
    office.box.works, office.lorry.works = True, False
    office.mail("soviet", "status")
    office.round()
    office.pass_time(timedelta(minutes=1))
    office.round()
    says(1, "no mail could be sent since")
    office.lorry.works = True
    office.round()
    office.pass_time(timedelta(minutes=1))
    office.round()
    says(0, "well")


def test_a_disk_that_fills_up_is_told(office: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    office.round()
    monkeypatch.setattr(disk_space, "free_bytes", lambda settings: 1_000_000)
    says(1, "the disk is nearly full (1 MB are left")


@pytest.mark.on_files
def test_where_nothing_can_be_told_it_is_a_sentence_and_another_status(office: Served) -> None:
    office.house.close()
    (office.home / "fieldpost.sqlite").write_bytes(b"no database" * 1000)
    result = health()
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the database is damaged" in result.stderr


def figures(place: Path) -> dict[str, float]:
    lines = [line for line in place.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert all(SERIES.fullmatch(line) for line in lines), lines
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_figures_are_written_for_prometheus(office: Served) -> None:
    place = office.home / "metrics" / "fieldpost.prom"
    office.house.settings.metrics_file = str(place)
    with capture_logs() as said:
        office.round()
        office.pass_time(timedelta(minutes=1))
        office.round()
    assert sum(line["event"] == "the metrics cannot be written" for line in said) == 1, "there is no such folder"
    place.parent.mkdir()
    office.pass_time(timedelta(minutes=1))
    office.round()
    found = figures(place)
    assert found["fieldpost_up"] == 1
    assert found["fieldpost_letters_sent_total"] == 5
    assert found['fieldpost_games{state="playing"}'] == 1
    assert found['fieldpost_mails{state="shunted"}'] == 0
    assert found["fieldpost_last_round_timestamp_seconds"] == office.now.timestamp()
    assert found["fieldpost_schema_version"] == int(newest())
    assert stat.S_IMODE(place.stat().st_mode) == 0o644
    assert [path.name for path in place.parent.iterdir()] == ["fieldpost.prom"]
    types = re.findall(r"^# TYPE (\w+) (?:gauge|counter)$", place.read_text("utf-8"), re.M)
    assert set(types) == {name.partition("{")[0] for name in found}


def test_figures_tell_of_mail_that_does_not_come_and_of_what_is_late(office: Served) -> None:
    place = office.home / "fieldpost.prom"
    office.house.settings.metrics_file = str(place)
    office.round()
    office.box.works = False
    office.pass_time(timedelta(hours=49))
    office.round()
    found = figures(place)
    assert (found["fieldpost_up"], found["fieldpost_overdue"]) == (0, 1)
    assert found['fieldpost_last_success_timestamp_seconds{what="fetched"}'] < office.now.timestamp() - 48 * 3600


def test_they_are_not_counted_more_often_than_anybody_reads_them(office: Served) -> None:
    place = office.home / "fieldpost.prom"
    office.house.settings.metrics_file = str(place)
    office.round()
    place.unlink()
    office.pass_time(timedelta(seconds=14))
    office.round()
    assert not place.exists()
    office.pass_time(timedelta(seconds=1))
    office.round()
    assert place.exists()


def test_the_image_is_asked_how_it_does() -> None:
    assert re.search(r"^HEALTHCHECK .*CMD pbem health", (ROOT / "packaging" / "Dockerfile").read_text("utf-8"), re.M)
