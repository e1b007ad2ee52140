"""Where the Soviets advance, retreat and add reserves (12.2, 12.7-c, 12.83): each part alone."""

import pytest

from engine.table import Table
from games.kharkov.rules.combat import advance
from games.kharkov.rules.combat.retreat import soviet_plan
from games.kharkov.rules.combat.situation import Combat
from games.kharkov.rules.combat.soviet_attack import _reserve_choice, reserve_hexes
from tests.games.kharkov.test_soviets import hex_of, table_of


def laid_out(turn: int, towns: str, units: str) -> Table:
    """On a turn, with these towns Soviet and these units placed; what stands after `|` are further statements."""
    placed, *more = units.split(" | ")
    took = [f"took {town} soviet" for town in towns.split()]
    said = ["scenario campaign", f"turn {turn}, soviet attacks", *took, f"place {placed}", *more]
    return table_of("\n".join(said))


@pytest.mark.case("kharkov", "12.83")
@pytest.mark.parametrize(
    ("turn", "towns", "units", "unit", "to", "path", "attacked", "die", "route"),
    [
        (3, "", "A/12/3T 1515 active", "A/12/3T", "1615", [], True, 10, "VP hex"),
        (5, "", "6/6 2008 active", "6/6", "2009", ["2009"], False, 10, "primary arrow"),
        (
            5,
            "0311",
            "6/6 1616 active; DL/DR 1618; 213/LVII 1716; 680/333 1516",
            "6/6",
            "1517",
            ["1517"],
            False,
            10,
            "opens supply",
        ),
        (
            5,
            "",
            '25T/6 1913 active | mark game "SWF objective" "3116 W"',
            "25T/6",
            "2012",
            ["2012"],
            False,
            10,
            "over a river, closer",
        ),
        (3, "", "6/6 2313 active", "6/6", "2413", ["2312"], True, 10, "secondary arrow"),
        (5, "", "161/69 1312 active", "161/69", "1211", ["1211"], False, 10, "path of retreat"),
        (3, "", "161/69 1616 active; 27/19P 1716", "161/69", "1716", ["1716"], True, 7, "surrounds"),
        (
            5,
            "",
            'A/12/3T 2517 active | mark game "VF objective" "1421 W"',
            "A/12/3T",
            "2417",
            ["2518"],
            True,
            7,
            "closer",
        ),
        (7, "", "6/6 1515 active", "6/6", "1415", ["1415"], True, 7, "attacked hex"),
    ],
)
def test_each_route_of_a_soviet_advance(
    turn: int, towns: str, units: str, unit: str, to: str, path: list[str], attacked: bool, die: int, route: str
) -> None:
    table = laid_out(turn, towns, units)
    trail = [hex_of(table, number) for number in path]
    most, place = advance.chance(table, unit, hex_of(table, to), trail, attacked=attacked)
    assert (most, advance.ROUTES[place]) == (die, route)


@pytest.mark.case("kharkov", "12.83-b")
@pytest.mark.parametrize(
    ("turn", "towns", "units", "unit", "to", "may"),
    [
        # out of an edge VP hex
        (7, "1910 2412 0311", "6/6 2701 active", "6/6", "2702", False),
        # Lozovaya would be open to the German
        (5, "1910", "6/6 2313 active; 213/LVII 2312", "6/6", "2213", False),
        # tanks into marsh
        (5, "", "A/12/3T 1310 active", "A/12/3T", "1309", False),
        # nearly surrounded
        (7, "", "25T/6 1709 active; 213/LVII 1610; 73/19P 1607", "25T/6", "1708", False),
        # nearly surrounded, but supply is opened
        (7, "0912 1009", "6/6 1714 active; 681/333 1813; 680/333 1816; 213/LVII 1613", "6/6", "1614", True),
        # 106/6 could trace no more
        (
            5,
            "0912 0608",
            "161/69 2108 active; DL/DR 1906; 213/LVII 2207; 680/333 1907; 681/333 2206; 106/6 2107",
            "161/69",
            "2008",
            False,
        ),
        # nearly surrounded, but a VP hex
        (7, "", "25T/6 1909 active; 585/320 1612; 27/19P 2009", "25T/6", "1910", True),
    ],
)
def test_each_restriction_on_a_soviet_advance(turn: int, towns: str, units: str, unit: str, to: str, may: bool) -> None:
    table = laid_out(turn, towns, units)
    assert advance.allowed(table, unit, hex_of(table, to)) is may


@pytest.mark.case("kharkov", "12.7-c")
@pytest.mark.parametrize(
    ("turn", "towns", "units", "unit", "here", "to"),
    [
        # a: a Soviet VP hex
        (3, "2412", "6/6 2312 active", "6/6", "2312", "2412"),
        # b: not along the arrow
        (3, "", "A/12/3T 1812 active; 681/333 1811", "A/12/3T", "1812", "1713"),
        # c: not beside the arrow's hex
        (3, "", "161/69 1511 active; 585/320 1409", "161/69", "1511", "1610"),
        # d: woods
        (3, "", "6/6 1508 active", "6/6", "1508", "1408"),
        # e: the easternmost
        (3, "", "25T/6 1809 active", "25T/6", "1809", "1808"),
    ],
)
def test_each_preference_of_a_soviet_retreat(turn: int, towns: str, units: str, unit: str, here: str, to: str) -> None:
    table = laid_out(turn, towns, units)
    spot = hex_of(table, here)
    ((_, chosen),) = soviet_plan(table, [([unit], spot)], spot, second=False, through=False)
    assert table.grid.number_of(chosen.best.hex) == to


@pytest.mark.case("kharkov", "12.2")
@pytest.mark.parametrize(
    ("turn", "towns", "units", "reserve", "target", "attacker", "placed", "hexes", "to"),
    [
        # a: in support
        (
            5,
            "0912 0608",
            'A/12/3T 2213 active; 681/333 2015; 585/320 2313; 184/3T 2115 | mark game "VF objective" "1421 W"',
            "180/69",
            "2313",
            "A/12/3T",
            ["A/12/3T"],
            "2212 2213 2314",
            "2212",
        ),
        # b: surrounds
        (5, "", "25T/6 1312 active; 38G/1G 1510", "52/MGP", "1311", "25T/6", ["25T/6"], "1310 1312 1410 1411", "1310"),
        # c: not over the Dniepr
        (
            5,
            "1910 1311 2412 2615",
            '25T/6 2519 active; 27/19P 2518; 38G/1G 2318; 106/6 2617 | mark game "SWF objective" "3116 W"',
            "52/MGP",
            "2518",
            "25T/6",
            [],
            "2417 2418 2517 2617",
            "2617",
        ),
        # d: flanks
        (
            3,
            "",
            "A/12/3T 1712 active; 184/3T 1610",
            "180/69",
            "1711",
            "A/12/3T",
            [],
            "1610 1611 1710 1712 1810 1811",
            "1810",
        ),
        # e: unoccupied
        (3, "", "A/12/3T 1914 active; 27/19P 1912", "180/69", "2013", "A/12/3T", [], "1913 1914", "1913"),
        # only the other front could come to 1604
        (
            7,
            "1604",
            "A/12/3T 1504 active; 213/LVII 1505; 184/3T 1406; 219/69 1402; 106/6 1703",
            "180/69",
            "1505",
            "A/12/3T",
            ["A/12/3T"],
            "1404 1405 1504 1506 1605",
            "1605",
        ),
        # nobody could come to 1604
        (
            7,
            "1604",
            "A/12/3T 1504 active; 213/LVII 1505; 184/3T 1406; 219/69 1402",
            "180/69",
            "1505",
            "A/12/3T",
            ["A/12/3T"],
            "1404 1405 1504 1506 1605",
            "1605",
        ),
        # nobody but a reserve placed before
        (7, "", "A/12/3T 1410 active", "180/69", "1310", "A/12/3T", ["A/12/3T"], "", None),
        # no reserve supply at 2414
        (
            5,
            "1802",
            'A/12/3T 2414 active; 681/333 2514; 219/69 2413 | mark game "VF objective" "1421 W"',
            "180/69",
            "2514",
            "A/12/3T",
            ["A/12/3T"],
            "2413",
            "2413",
        ),
        # not in Dnepropetrovsk
        (
            5,
            "1910 0912 0608 2615",
            'A/12/3T 2517 active; 585/320 2616 | mark game "VF objective" "1421 W"',
            "180/69",
            "2617",
            "A/12/3T",
            [],
            "2517",
            "2517",
        ),
    ],
)
def test_where_a_reserve_may_join_an_attack_and_where_it_does(
    turn: int, towns: str, units: str, reserve: str, target: str, attacker: str, placed: list[str], hexes: str,
    to: str | None,
) -> None:  # fmt: skip
    table = laid_out(turn, towns, f'{units} | box {reserve} "soviet reserve" | mark {reserve} active')
    combat = Combat("soviet", hex_of(table, target), [attacker], 3)
    found = reserve_hexes(table, combat, reserve, placed)
    assert sorted(table.grid.number_of(h) for h in found) == hexes.split()
    if to is not None:
        assert table.grid.number_of(_reserve_choice(table, combat, reserve, found).best) == to
