"""The board read from a drawing and its description, and what is said when either is wrong."""

from pathlib import Path

import pytest

from engine import hexset
from engine.board import BadMap, Board, load_board, write_map_text
from engine.rulebook import part as part_of

DRAWING = """\
# Meadow
# . clear   w woods   c city
#  01  03  05
#    02  04
01 .   .   .
     w   .
02 .   c   .
     .   .
03 .   .   _
     .   _
#  01  03  05
#    02  04
"""

DESCRIPTION = """\
title = "Meadow"
credits = "Drawn for a test"
places = [
  { hex = "0302", name = "Nový Dvůr", size = "city", also = ["New Court"] },
  { hex = "0501", name = "Mill", size = "town" },
]

[grid]
columns = [1, 5]
rows = [1, 3]

[legend]
"." = "clear"
"w" = "woods"
"c" = "city"

[[sides]]
name = "Brook"
feature = "minor"
sides = "0201/0301 0201/0302 0202/0302 0202/0303 0203/0303"

[[ways]]
name = "East road"
kind = "road"
hexes = "0102 0202 0302 0401 0501"

[areas.rear]
hexes = "0101 0102"

[lines.front]
sides = "0201/0301 0201/0302 0202/0302 0202/0303 0203/0303"
"""


def lay(folder: Path, drawing: str = DRAWING, description: str = DESCRIPTION) -> Board:
    (folder / "map.txt").write_text(drawing, encoding="utf-8")
    (folder / "map.toml").write_text(description, encoding="utf-8")
    return load_board(folder)


def refusal(folder: Path, drawing: str = DRAWING, description: str = DESCRIPTION) -> BadMap:
    with pytest.raises(BadMap) as caught:
        lay(folder, drawing, description)
    return caught.value


def numbers(board: Board, hexes: hexset.HexSet) -> set[str]:
    return {board.grid.number_of(h) for h in hexset.members(hexes)}


@pytest.fixture
def meadow(tmp_path: Path) -> Board:
    return lay(tmp_path)


def test_every_letter_of_the_drawing_is_the_terrain_of_its_hex(meadow: Board) -> None:
    assert meadow.terrain_of(meadow.grid.hex("0201")) == "woods"
    assert numbers(meadow, meadow.terrain["city"]) == {"0302"}
    missing = numbers(meadow, meadow.grid.everything & ~meadow.land)
    assert missing == {"0403", "0503"}


def test_a_map_read_and_written_is_the_same_text(meadow: Board) -> None:
    assert write_map_text(meadow) == DRAWING


def test_a_blank_inside_the_drawing_is_no_hex_either(tmp_path: Path) -> None:
    board = lay(tmp_path, DRAWING.replace("     w   .\n", "         .\n"), DESCRIPTION.split("[[sides]]")[0])
    assert "0201" not in numbers(board, board.land)


@pytest.mark.parametrize(
    ("grid", "drawn"),
    [
        ('rows_grow = "north"', "02   .\n   .   w\n01   c\n   .   .\n"),
        ('push = "-"', "01   c\n   .   .\n02   .\n   .   w\n"),
        ('pushed = "odd"', "01   c\n   .   .\n02   .\n   .   w\n"),
        ('columns_grow = "west"', "01 .   .\n     c\n02 w   .\n     .\n"),
        ('ragged = "even"', "01 .   .\n     c\n02 .   w\n     _\n"),
        ('orientation = "pointed"', "01 . c .\n02  . . w\n"),
        ('orientation = "pointed"\npush = "-"', "01  . c .\n02 . . w\n"),
    ],
)
def test_the_drawing_is_set_out_as_the_grid_lies(tmp_path: Path, grid: str, drawn: str) -> None:
    head = '[legend]\n"." = "clear"\n"w" = "woods"\n"c" = "city"\n[grid]\ncolumns = [1, 3]\nrows = [1, 2]\n'
    board = lay(tmp_path, drawn, head + grid + "\n")
    written = [line for line in write_map_text(board).splitlines() if not line.startswith("#")]
    assert written == drawn.splitlines()
    assert numbers(board, board.terrain["city"]) == {"0201"}
    assert numbers(board, board.terrain["woods"]) == {"0302"}


def test_hexside_features_and_ways_are_seen_from_both_hexes(meadow: Board) -> None:
    a, b = meadow.grid.hex("0202"), meadow.grid.hex("0302")
    assert meadow.feature(a, b) == meadow.feature(b, a) == {"minor"}
    assert meadow.way(a, b) == meadow.way(b, a) == {"road"}
    assert meadow.feature(a, meadow.grid.hex("0102")) == frozenset()
    assert meadow.feature(a, meadow.grid.hex("0501")) == frozenset()


def test_a_place_is_found_by_any_spelling_the_map_knows(meadow: Board) -> None:
    for written in ("Nový Dvůr", "novy dvur", "NEW-COURT"):
        assert [place.name for place in meadow.find(written)] == ["Nový Dvůr"]
    assert meadow.find("Nowhere") == []
    assert numbers(meadow, meadow.towns["town"]) == {"0501"}


def test_edges_are_the_rim_of_the_sheet_and_not_of_a_missing_corner(meadow: Board) -> None:
    assert numbers(meadow, meadow.edges["north"]) == {"0101", "0201", "0301", "0401", "0501"}
    assert numbers(meadow, meadow.edges["south"]) == {"0103", "0203", "0303"}
    assert numbers(meadow, meadow.edges["west"]) == {"0101", "0102", "0103"}
    assert numbers(meadow, meadow.edges["east"]) == {"0501", "0502"}


def test_a_map_may_name_further_edge_hexes(tmp_path: Path) -> None:
    board = lay(tmp_path, description=DESCRIPTION + '\n[edges.south]\nhexes = "0402 0502"\n')
    assert numbers(board, board.edges["south"]) == {"0103", "0203", "0303", "0402", "0502"}


def test_inside_a_line_is_all_that_its_inner_hexes_reach_without_crossing_it(meadow: Board) -> None:
    assert numbers(meadow, meadow.inside("front")) == {"0101", "0102", "0103", "0201", "0202", "0203"}
    assert numbers(meadow, meadow.lines["front"].inner) == {"0201", "0202", "0203"}
    assert numbers(meadow, meadow.lines["front"].outer) == {"0301", "0302", "0303"}


def test_a_part_of_the_map_has_its_columns_and_nothing_beyond_them(meadow: Board) -> None:
    part = meadow.columns(2, 3)
    assert numbers(part, part.land) == {"0201", "0202", "0203", "0301", "0302", "0303"}
    assert part.grid is meadow.grid  # a hex keeps its number
    assert [place.name for place in part.places.values()] == ["Nový Dvůr"]
    assert [place.name for place in part.find("New Court")] == ["Nový Dvůr"]
    assert part.find("Mill") == []
    assert numbers(part, part.areas["rear"]) == set()
    assert numbers(part, part.edges["north"]) == {"0201", "0301"}
    assert part.terrain_of(part.grid.hex("0201")) == "woods"
    assert set(part.kinds) == set(hexset.members(part.land))
    (road,) = part.routes
    assert [part.grid.number_of(h) for h in road.hexes] == ["0202", "0302"]
    assert part.way(part.grid.hex("0302"), part.grid.hex("0202")) == {"road"}
    (brook,) = part.courses
    assert len(brook.sides) == 5


def test_a_way_that_leaves_the_part_and_comes_back_is_drawn_in_two(tmp_path: Path) -> None:
    there_and_back = DESCRIPTION.replace("0102 0202 0302 0401 0501", "0101 0201 0302 0202 0102")
    part = lay(tmp_path, description=there_and_back).columns(1, 2)
    runs = [[part.grid.number_of(h) for h in route.hexes] for route in part.routes]
    assert runs == [["0101", "0201"], ["0202", "0102"]]


def test_all_columns_are_no_part(tmp_path: Path) -> None:
    lay(tmp_path)
    found = part_of(tmp_path, "map", 4, 5)
    assert found is not None
    assert numbers(found, found.land) == {"0401", "0402", "0501", "0502"}
    assert part_of(tmp_path, "map", 1, 5) is None


def test_exits_hold_each_step_at_its_cost_and_leave_out_the_forbidden_ones(meadow: Board) -> None:
    city = meadow.grid.hex("0302")

    def cost(a: int, b: int) -> int | None:
        if b == city:
            return None
        return 1 if meadow.way(a, b) else 2

    exits = meadow.exits(cost)
    start = 1 << meadow.grid.hex("0102")
    reached = hexset.reach(meadow.grid, start, exits, 2)
    assert numbers(meadow, reached[1]) == {"0202"}
    assert not any(layer >> city & 1 for layer in hexset.reach(meadow.grid, start, exits, 20))
    assert set(exits) == {1, 2}


def drawn(old: str, new: str) -> str:
    assert old in DRAWING
    return DRAWING.replace(old, new, 1)


def described(old: str, new: str) -> str:
    assert old in DESCRIPTION
    return DESCRIPTION.replace(old, new, 1)


@pytest.mark.parametrize(
    ("drawing", "line", "says"),
    [
        (drawn("02 .   c", "02 .   x"), 7, "hex 0302: 'x' is not in the legend; use one of . w c"),
        (drawn("02 .   c   .", "02 .   c"), 7, "row 2: 2 hexes, 3 expected; write _ where"),
        (drawn("02 .   c   .", "02 .   c   .   ."), 7, "row 2: '.' at place 16 stands under no column"),
        (drawn("02 .   c   .", "02 .  c    ."), 7, "row 2: 'c' at place 7 stands under no column"),
        (drawn("02 .   c", "03 .   c"), 7, "row 2: the line should begin with '02 '"),
        (drawn("     .   _\n", ""), 9, "the drawing has 5 lines, the grid asks for 6"),
    ],
)
def test_a_wrong_drawing_is_refused_by_its_line(tmp_path: Path, drawing: str, line: int, says: str) -> None:
    refused = refusal(tmp_path, drawing=drawing)
    assert (refused.file, refused.line) == ("map.txt", line)
    assert says in refused.problem
    assert str(refused).startswith(f"map.txt, line {line}: ")


def test_a_letter_outside_a_ragged_grid_is_refused(tmp_path: Path) -> None:
    refused = refusal(tmp_path, description=described("rows = [1, 3]", 'rows = [1, 3]\nragged = "even"'))
    assert (refused.line, refused.problem) == (10, "hex 0203 is not on the grid; write _ instead of '.'")


@pytest.mark.parametrize(
    ("description", "line", "says"),
    [
        (described('hex = "0501"', 'hex = "0503"'), 5, "no hex 0503 on the map; correct the number or draw"),
        (
            described("0202 0302 0401", "0202 0401"),
            25,
            "the road 'East road': hexes 0202 and 0401 do not touch",
        ),
        (described("0202/0303 0203", "0202/0403 0203"), 20, "no hex 0403 on the map"),
        (described("0202/0303 0203", "0101/0303 0203"), 20, "hexes 0101 and 0303 do not touch"),
        (described("0202/0303 0203", "0202-0303 0203"), 20, "'0202-0303' is no hexside"),
        (described('hex = "0501"', 'hex = "0302"'), 5, "Mill: Nový Dvůr stands in hex 0302 already"),
        (described("rows = [1, 3]", "ranks = 3"), 8, "the table [grid] does not describe a grid"),
        (described('kind = "road"\n', ""), 0, "an entry lacks its 'kind'"),
        (described("[grid]", "[grid"), 0, "Expected ']'"),
    ],
)
def test_a_wrong_description_is_refused(tmp_path: Path, description: str, line: int, says: str) -> None:
    refused = refusal(tmp_path, description=description)
    assert (refused.file, refused.line) == ("map.toml", line)
    assert says in refused.problem
