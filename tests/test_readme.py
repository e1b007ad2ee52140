"""The README keeps its word: its example runs as it stands, and the files it points to are there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import games
from engine.campaign import Campaign

ROOT = Path(__file__).parent.parent
HANDBOOK = (ROOT / "docs" / "orders.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def example() -> str:
    found = re.search(r"^```sh\n(.*?)^```$", README, re.M | re.S)
    assert found, "the README has no example"
    return found[1]


def test_the_example_in_the_readme_runs_as_it_stands(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", example()],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verifies" in done.stdout.splitlines()[-1]


def test_the_example_is_ten_lines_from_new_to_verify() -> None:
    lines = example().strip().splitlines()
    assert len(lines) <= 10
    assert lines[0].startswith("pbem new")
    assert lines[-1].startswith("pbem verify")


def test_every_file_the_readme_points_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("block", re.findall(r"^```\n(.*?)^```$", HANDBOOK, re.M | re.S))
def test_every_order_in_the_handbook_is_understood(block: str) -> None:
    campaign = Campaign.new(None, games.find_game("korsun_spi"), seed=1)
    if block.startswith("pbem stand"):
        for line in re.findall(r'"(when .*)"', block):
            campaign.stand("german", line)
    else:
        _, reply = campaign.referee.understand("soviet", block)
        assert [str(line.refusal) for line in reply.refused] == []
