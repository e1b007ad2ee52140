"""Figures about the product: which cases are tested, how fast it is."""

import json as notation
from typing import Any

from pbem.cli.terminal import progress, say, table
from pbem.workshop.bench import bench as measure
from pbem.workshop.bench.house_figures import bench_houses
from pbem.workshop.bench.mail_figures import bench_mail
from pbem.workshop.coverage import coverage as count


def coverage(game: str, json: bool = False) -> None:
    """Say which cases of a rulebook have a passing test that names them, and which have not.

    Example: pbem coverage GAME --json
    """
    with progress("running the tests"):
        found = count(game)
    if json:
        say(notation.dumps(found))
    else:
        say(f"{game}: {found['tested']} of {found['total']} cases have a passing test that names them.")
        say(table([(kind, f"{n['tested']} of {n['total']}") for kind, n in found["by_kind"].items()]))
        if found["missing"]:
            say(f"Without one: {', '.join(found['missing'])}.")
        if not found["all_passed"]:
            say("Some of these tests fail; a failing test counts for nothing.")


def bench(
    game: str = "", json: bool = False, seed: int = 1944, mail: bool = False, open_games: int = 1000, database: str = ""
) -> None:
    """Measure replay, verification, listing, resuming and adjudication, each with its workload.

    With --mail: two order mails for each of many open games, through mail servers of our own. With a --database the
    same on files and there, in turns; then stored mails by one worker and by two, and the clock's wake.

    A figure that has a goal is shown with it; a rulebook may state goals of its own.

    Example: pbem bench GAME --json
    """
    with progress("measuring") as bar:
        if mail and database:
            figures = {"mail": bench_houses(database, open_games=open_games, seed=seed, progress=bar)}
        elif mail:
            figures = {"mail": bench_mail(open_games=open_games, seed=seed, progress=bar)}
        else:
            figures = measure(game, seed=seed, progress=bar)
    if json:
        say(notation.dumps(figures))
        return
    for name, numbers in figures.items():
        say(f"{name}:")
        say(table([_row(numbers, figure) for figure in numbers["workloads"]]))


def _row(numbers: dict[str, Any], figure: str) -> tuple[str, str, str, str]:
    """A figure, its goal if it has one, and whether that is missed, and the workload."""
    goal = numbers.get("goals", {}).get(figure, "")
    missed = "MISSED: " if figure in numbers.get("missed", ()) else ""
    return figure, f"{numbers[figure]:,}", missed + goal, numbers["workloads"][figure]
