"""The post office's own figures: every mail is counted, and none is lost on the way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import structlog

import games
from pbem.store.database import upgrade
from pbem.workshop.bench import house_figures
from pbem.workshop.bench.letter_figures import mail_cost, mail_growth
from pbem.workshop.bench.mail_figures import bench_mail
from pbem.workshop.bench.played import Played
from tests.engine.skirmish import RULEBOOK
from tests.pbem import houses
from tests.pbem.shelf import only


def test_every_mail_of_the_bench_is_answered_and_measured() -> None:
    figures = bench_mail(open_games=2)
    structlog.reset_defaults()
    assert figures["workloads"]["mails_per_s"].startswith("4 order mails for 2 open games, 4 of them made a line")
    assert 0 < figures["work_p50_ms"] <= figures["work_p95_ms"]
    assert figures["work_pictures_p50_ms"] > 0
    assert {"memory_start_mb", "memory_middle_mb", "memory_end_mb"} <= figures.keys()
    assert set(figures["workloads"]) == figures.keys() - {"seed", "workloads", "goals", "missed"}


@pytest.mark.skipif(not houses.SERVER, reason="FIELDPOST_TEST_POSTGRES names no server")
def test_both_houses_are_measured_in_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_figures, "TURNS", 1)
    monkeypatch.setattr(house_figures, "MANY", 50)
    upgrade(url := houses.new_database(tmp_path))
    figures = house_figures.bench_houses(url, open_games=2)
    structlog.reset_defaults()
    assert all(figures[name] > 0 for name in figures["workloads"])
    assert figures["goals"].keys() == {"postgres_ratio", "two_workers_ratio", "wake_files_ms", "wake_postgres_ms"}
    with pytest.raises(house_figures.NotEmpty):
        house_figures.bench_houses(url, open_games=2)
    houses.drop({str(tmp_path)})


def test_what_a_mail_costs_is_measured_in_a_small_game_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody ever has twenty orders to write there."""
    only(monkeypatch, RULEBOOK)
    played = Played(RULEBOOK.game(), 1944, bytes(32), [])
    [(name, value, workload)] = mail_cost(played, mails=3)
    structlog.reset_defaults()
    assert name == "mail_ms"
    assert value > 0
    assert "a mail of 5 orders" in workload


def test_one_mail_is_measured_at_both_ends_of_a_log() -> None:
    played = Played(games.find_game("manstein"), 1944, b"", [])
    ((name, took, work),) = mail_cost(played, mails=3)
    assert (name, took > 0) == ("mail_ms", True)
    assert "a mail of 20 orders" in work
    ((name, ratio, work),) = mail_growth(played, mails=4, long=30)
    structlog.reset_defaults()
    assert (name, ratio > 0) == ("mail_growth", True)
    ends = re.fullmatch(r"processor time of a mail at line (\d+) against line (\d+)", work)
    assert ends is not None
    assert int(ends[1]) >= 30 > int(ends[2]) >= 10
