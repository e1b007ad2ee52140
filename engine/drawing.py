"""A map as a drawing in letters: one letter a hex, set out on the page as the hexes lie on the map."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.hexes import Grid, Hex

NO_HEX = "_"
PITCH = 2  # letters from one column to the next


class BadMap(ValueError):
    """A map file that cannot be used; says where the mistake is and what to do about it."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        self.file, self.line, self.problem = file, line, problem
        where = f"{file}, line {line}" if line else file
        super().__init__(f"{where}: {problem}")


@dataclass(frozen=True)
class Strip:
    """One text line of a drawing: the printed row it shows, and the hexes with their places in the text."""

    row: int
    label: str
    hexes: tuple[tuple[int, str], ...]

    @property
    def width(self) -> int:
        """How many letters the line has, label left out."""
        return 1 + max((at for at, _ in self.hexes), default=-1)


def numbered(grid: Grid, column: int, row: int) -> str:
    """The number printed in the hex of this column and row."""
    first, second = (column, row) if grid.number == "CCRR" else (row, column)
    return f"{first:0{grid.digits}d}{second:0{grid.digits}d}"


def strips(grid: Grid) -> Iterator[Strip]:
    """The text lines of the drawing, from the top of the map to its bottom."""
    rows = range(grid.rows[0], grid.rows[1] + 1)
    columns = range(grid.columns[0], grid.columns[1] + 1)
    across = list(columns if grid.columns_grow == "east" else reversed(columns))
    for row in rows if grid.rows_grow == "south" else reversed(rows):
        label = f"{row:0{grid.digits}d}"
        if grid.orientation == "pointed":
            indent = int(_pushed(grid, row) == ((grid.push == "+") == (grid.columns_grow == "east")))
            yield _strip(grid, row, label, [(PITCH * i + indent, c) for i, c in enumerate(across)])
            continue
        places = [(PITCH * i, c) for i, c in enumerate(across)]
        pushed_lie_lower = (grid.push == "+") == (grid.rows_grow == "south")
        for lower in (False, True):
            line = [(at, c) for at, c in places if _pushed(grid, c) == (lower == pushed_lie_lower)]
            yield _strip(grid, row, " " * grid.digits if lower else label, line)


def read_drawing(text: str, grid: Grid, legend: Mapping[str, str], file: str) -> dict[Hex, str]:
    """The terrain of every hex in the drawing; raises BadMap."""
    lines = [(n, line.rstrip()) for n, line in enumerate(text.splitlines(), 1)]
    drawn = [(n, line) for n, line in lines if line and not line.startswith("#")]
    expected = list(strips(grid))
    if len(drawn) != len(expected):
        last = drawn[-1][0] if drawn else 0
        raise BadMap(file, last, f"the drawing has {len(drawn)} lines, the grid asks for {len(expected)}")
    terrain: dict[Hex, str] = {}
    for (line_number, line), strip in zip(drawn, expected, strict=True):
        for number, letter in _letters(line, strip, grid, file, line_number):
            if letter not in legend:
                known = " ".join(legend)
                raise BadMap(file, line_number, f"hex {number}: '{letter}' is not in the legend; use one of {known}")
            terrain[grid.hex(number)] = legend[letter]
    return terrain


def write_drawing(terrain: Mapping[Hex, str], grid: Grid, legend: Mapping[str, str], title: str) -> str:
    """The drawing of this terrain, with column numbers at the top and bottom."""
    letter_of = {kind: letter for letter, kind in legend.items()}
    ruler = list(_ruler(grid))
    out = [f"# {title}", "# " + "   ".join(f"{a} {b}" for a, b in legend.items()), *ruler]
    for strip in strips(grid):
        cells = [" "] * strip.width
        for at, number in strip.hexes:
            kind = terrain.get(grid.hex(number)) if grid.has(number) else None
            cells[at] = NO_HEX if kind is None else letter_of[kind]
        out.append(f"{strip.label} {''.join(cells)}")
    return "\n".join([*out, *ruler]) + "\n"


def _strip(grid: Grid, row: int, label: str, places: list[tuple[int, int]]) -> Strip:
    return Strip(row, label, tuple((at, numbered(grid, column, row)) for at, column in places))


def _pushed(grid: Grid, line: int) -> bool:
    return (line % 2 == 1) == (grid.pushed == "odd")


def _letters(line: str, strip: Strip, grid: Grid, file: str, line_number: int) -> Iterator[tuple[str, str]]:
    start = grid.digits + 1
    if line[: grid.digits].strip() != strip.label.strip() or line[grid.digits : start].strip():
        raise BadMap(file, line_number, f"row {strip.row}: the line should begin with '{strip.label} '")
    body = line[start:]
    places = {at for at, _ in strip.hexes}
    stray = next((at for at, letter in enumerate(body) if letter != " " and at not in places), None)
    if stray is not None:
        place = start + stray + 1
        raise BadMap(
            file,
            line_number,
            f"row {strip.row}: '{body[stray]}' at place {place} stands under no column number; move it",
        )
    if len(body) != strip.width:
        count = sum(at < len(body) for at in places)
        wanted = f"{count} hexes, {len(places)} expected; write {NO_HEX} where the map has no hex"
        raise BadMap(file, line_number, f"row {strip.row}: {wanted}")
    for at, number in strip.hexes:
        if body[at] in (" ", NO_HEX):
            continue
        if not grid.has(number):
            raise BadMap(file, line_number, f"hex {number} is not on the grid; write {NO_HEX} instead of '{body[at]}'")
        yield number, body[at]


def _ruler(grid: Grid) -> Iterator[str]:
    """Column numbers as comment lines, each number above the letters of its column."""
    columns = list(range(grid.columns[0], grid.columns[1] + 1))
    if grid.columns_grow == "west":
        columns.reverse()
    for turn in (0, 1):
        cells = [" "] * (PITCH * len(columns) + grid.digits)
        for i, column in enumerate(columns):
            if i % 2 == turn:
                cells[PITCH * i : PITCH * i + grid.digits] = f"{column:0{grid.digits}d}"
        yield f"#{' ' * grid.digits}{''.join(cells)}".rstrip()
