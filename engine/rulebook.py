"""A rulebook made from its folder and its rules; boards and counters are read once for all its games."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from engine.board import Board, load_board
from engine.folder import read_title, read_toml, scenario_table, switches
from engine.game import Game, Rulebook
from engine.orders.order import Order
from engine.pieces import Roster, load_roster
from engine.position import Setting
from engine.reference import Chart, read_marks, read_tracks
from engine.standing import Question

T = TypeVar("T")


@cache
def board(folder: Path, name: str) -> Board:
    return load_board(folder, name)


@cache
def part(folder: Path, name: str, first: int, last: int) -> Board | None:
    """The columns of a board that a scenario is played on; nothing if they are all of them."""
    whole = board(folder, name)
    found = whole.columns(first, last)
    return found if found.land != whole.land else None


@cache
def roster(folder: Path, name: str) -> Roster:
    return load_roster(folder / name)


class BadTables(ValueError):
    """A file of figures that does not have the shape its rulebook reads: which file, where in it, what is wrong."""

    def __init__(self, file: str, where: str, problem: str) -> None:
        super().__init__(f"{file}: {where}: {problem}")
        self.file, self.where, self.problem = file, where, problem


_read: dict[tuple[Path, str], Any] = {}


def read_tables(folder: Path, name: str, shape: type[T]) -> T:
    """A file of figures, checked once against the rulebook's own shape (a TypedDict). Raises BadTables."""
    if (folder, name) not in _read:
        try:
            _read[folder, name] = TypeAdapter(shape).validate_python(read_toml(folder, name))
        except ValidationError as error:
            first = error.errors()[0]
            raise BadTables(name, ".".join(map(str, first["loc"])), first["msg"]) from None
    found: T = _read[folder, name]
    return found


def read_questions(folder: Path, orders: Sequence[type[Order]]) -> dict[str, Question]:
    """What may be asked in the other side's play (`questions.toml`), by its name. Raises BadTables."""
    known = {order.verb: order for order in orders}
    found = {}
    for name, row in read_tables(folder, "questions.toml", dict[str, dict[str, Any]]).items():
        given: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in row.items()}
        try:
            given["verbs"] = tuple(known[verb] for verb in row["verbs"])
            found[name] = Question(name, **given)
        except (KeyError, TypeError) as error:
            raise BadTables("questions.toml", name, f"not a question: {error}") from None
    return found


def rulebook(
    folder: Path,
    sides: tuple[str, ...],
    data: Callable[[Board, Any, Any], Any],  # from board, scenario and switches, in shapes of its own
    rules: Callable[..., Game],
    charts: Callable[[Game], Sequence[Chart]],
    played: tuple[str, ...] = (),
) -> Rulebook:
    """What a rulebook offers: the rules are a Game but for what the folder says of the rulebook and the scenario."""
    title = read_title(folder)

    def start(scenario: str, options: Mapping[str, Any]) -> Game:
        row = scenario_table(folder, scenario)
        ground = board(folder, row["map"])
        return rules(
            rulebook=title.id,
            version=title.version,
            title=row["title"],
            scenario=scenario,
            options=dict(options),
            setting=Setting(ground.grid, roster(folder, row["counters"]), sides, played),
            board=ground,
            part=part(folder, row["map"], *row["sheets"]) if "sheets" in row else None,
            data=data(ground, row, switches(folder, row, options)),
            marks=read_marks(read_toml(folder, "marks.toml")),
            tracks=read_tracks(read_toml(folder, "marks.toml")),
        )

    return Rulebook(**vars(title), start=start, charts=charts)
