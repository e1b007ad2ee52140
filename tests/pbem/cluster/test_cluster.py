"""A few games on the test cluster; `python -m tests.pbem.cluster 200` plays as many as anybody wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.store.database import upgrade
from tests.pbem import houses
from tests.pbem.cluster.playing import play
from tests.stored import THOROUGH


@pytest.mark.skipif(not (THOROUGH and houses.SERVER), reason="takes a while, and a PostgreSQL")
def test_every_game_comes_out_the_same_though_workers_are_killed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    upgrade(url := houses.new_database(home))
    found = play(home, url, games=12, every=10)
    houses.drop({str(home)})
    assert found.faults == []
    assert found.kills >= 3
