"""The test cluster at its full size: `python -m tests.pbem.cluster GAMES [WORKERS [MAILS]]`."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.store.database import upgrade
from tests.pbem import houses
from tests.pbem.cluster.playing import play

if not houses.SERVER:
    sys.exit("FIELDPOST_TEST_POSTGRES names no server")
games, workers, every = (*map(int, sys.argv[1:]), *(200, 2, 40)[len(sys.argv) - 1 :])
with TemporaryDirectory() as folder:
    home = Path(folder) / "home"
    upgrade(url := houses.new_database(home))
    found = play(home, url, games, workers, every)
    houses.drop({str(home)})
for fault in found.faults:
    sys.stdout.write(f"{fault}\n")
sys.stdout.write(
    f"{found.games} games, {found.mails} mails, {found.letters} letters, {workers} workers"
    f"{' in networks of their own' if found.own_networks else ''}, {found.kills} killed, {found.seconds:.0f} seconds: "
    f"{found.doubled} letters sent again, {len(found.faults)} faults.\n"
)
sys.exit(bool(found.faults))
