"""The map between Sumy and the Donets against what the rulebook says of its hexes (GAZ, VPT, 2.1)."""

from functools import cache

import pytest

import games
from engine import hexset
from games.kharkov.data import GERMAN, SOVIET, Data

GAZETTEER = {
    "0720": "Akhtyrka", "0311": "Belgorod", "1009": "Chuguev", "2518": "Dnepropetrovsk", "2520": "Dniprodzerzhynsk",
    "0215": "Gotnya", "1604": "Izyum", "0912": "Kharkov", "2102": "Kramatorsk", "2404": "Krasnoarmiysk",
    "1615": "Krasnograd", "1103": "Kupiansk", "1910": "Lozovaya", "2412": "Pavlograd", "1421": "Poltava",
    "2120": "Pryadovka", "2615": "Sinelnikowo", "1802": "Slavyansk", "0322": "Sumy", "1116": "Valki",
    "0302": "Valuyki", "0608": "Volchansk", "3116": "Zaporozhe", "1311": "Zmiyev",
}  # fmt: skip
VILLAGES = (
    "0817", "0918", "0921", "1218", "1419", "1521", "1613", "1617", "1619", "1721", "1813", "1815", "1912", "1920",
    "2014", "2109", "2119",
)  # fmt: skip
LINES = {"East Line": (("0107", "0108"), ("1901", "1902")), "West Line": (("0114", "0115"), ("2501", "2502")),
         "Far Line": (("0120", "0121"), ("3107", "3108"))}  # fmt: skip


@cache
def data() -> Data:
    found: Data = games.rulebook("kharkov").game("campaign", {}).data
    return found


@pytest.mark.case("kharkov", "GAZ")
def test_the_towns_of_the_gazetteer_are_all_there_is() -> None:
    grid, places = data().board.grid, data().board.places
    assert {grid.number_of(h): places[h].name for h in hexset.members(data().towns)} == GAZETTEER


@pytest.mark.case("kharkov", "GAZ")
def test_villages_that_the_examples_name_are_villages() -> None:
    assert not data().hexes(*VILLAGES) & ~data().villages


@pytest.mark.case("kharkov", "VPT")
def test_points_that_the_text_gives() -> None:
    points = data().tables["victory_points"]
    assert {spot: points[spot] for spot in ("0302", "1103", "1802", "1910")} == {
        "0302": 1, "1103": 1, "1802": 2, "1910": 1,
    }  # fmt: skip
    assert set(data().points) == set(hexset.members(data().towns | data().edge_vp))
    assert hexset.count(data().edge_vp) == 4


@pytest.mark.parametrize("line", LINES)
def test_lines_meet_the_edge_where_the_text_says(line: str) -> None:
    inside = data().inside[line]
    for within, beyond in LINES[line]:
        assert inside >> data().board.grid.hex(within) & 1
        assert not inside >> data().board.grid.hex(beyond) & 1


def test_every_edge_hex_is_somebodys() -> None:
    assert data().edges[GERMAN] | data().edges[SOVIET] == data().rim | data().edges[SOVIET]
    assert not data().edges[GERMAN] & data().edges[SOVIET]
