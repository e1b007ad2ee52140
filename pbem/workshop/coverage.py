"""How much of a rulebook the tests try: its case ledger against the `case` marks of tests that pass."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import games
from engine.ledger import COUNTED, Ledger, load_ledger


class NoTests(Exception):
    """The tests are not here: they come with the source, not with the installed package."""

    def __init__(self, root: Path) -> None:
        super().__init__(f"there is no folder tests in {root}: coverage needs a copy of the source")
        self.root = root


class BrokenTests(Exception):
    """The tests could not be run at all."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"the tests could not be run (status {status}): {said}")
        self.status, self.said = status, said


def coverage(game: str, root: Path | None = None) -> dict[str, Any]:
    """Runs the tests that name cases of a game, and says which they try.

    Raises NoSuchGame, NoTests, BrokenTests.
    """
    folder = games.title(game).folder
    root = folder.parents[1] if root is None else root
    if not (root / "tests").is_dir():
        raise NoTests(root)
    tried, failing = _run(root, game)
    found = compare(game, load_ledger(folder / "rules.toml"), tried.get(game, {}))
    return {**found, "all_passed": not failing}


def compare(game: str, ledger: Ledger, tried: Collection[str]) -> dict[str, Any]:
    """The counted cases of a ledger, those tried and those missing, altogether and by kind."""
    kinds = {kind: ledger.by_kind(kind) for kind in sorted(COUNTED)}
    by_kind = {k: {"total": len(found), "tested": sum(c.id in tried for c in found)} for k, found in kinds.items()}
    missing = [case.id for case in ledger.counted if case.id not in tried]
    total = len(ledger.counted)
    return {"game": game, "total": total, "tested": total - len(missing), "missing": missing, "by_kind": by_kind}


def _run(root: Path, game: str) -> tuple[Mapping[str, Mapping[str, list[str]]], bool]:
    """Game, case and the tests that try it; and whether any test failed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.json"
        command = [sys.executable, "-m", "pytest", "-m", "case", "-n", "auto", "-p", "no:cacheprovider"]
        command += ["--cases-of", game, "--coverage-json", str(file), "tests"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        # 1: some tests failed; 5: no test carries a mark. Anything else is no run at all.
        if done.returncode not in (0, 1, 5) or not file.exists():
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
            raise BrokenTests(done.returncode, said[0] if said else "it said nothing")
        tried: Mapping[str, Mapping[str, list[str]]] = json.loads(file.read_text(encoding="utf-8"))
        return tried, done.returncode == 1
