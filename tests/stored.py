"""The stored campaigns: all of them, and those that are gone through line by line.

These are all where FIELDPOST_THOROUGH is set, as in `.ci/run`; elsewhere the shortest of each scenario with each set of
options. Rules that changed are noticed without them: `test_versions.py` has every log of their rulebook verified then.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

FOLDER = Path(__file__).parent / "campaigns"
LOGS = sorted(FOLDER.glob("*/*.jsonl"))
THOROUGH = bool(os.environ.get("FIELDPOST_THOROUGH"))


def _shortest() -> list[Path]:
    found: dict[tuple[str, ...], Path] = {}
    for path in sorted(LOGS, key=lambda path: (path.stat().st_size, path)):
        with path.open(encoding="utf-8") as log:
            header = json.loads(log.readline())
        found.setdefault((header["game"], header["scenario"], json.dumps(header["options"], sort_keys=True)), path)
    return sorted(found.values())


WALKED = LOGS if THOROUGH else _shortest()
