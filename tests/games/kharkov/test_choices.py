"""Whatever a card may be played for is offered, and nothing else: offers against every order that could be written."""

from itertools import combinations

import pytest

import games
from engine.cases.case_file import read_text
from engine.cases.deal import Dealer, game_of
from engine.facts import StageBegan
from engine.hexset import members
from engine.orders.order import Order
from engine.position import apply
from engine.refusals import passes
from engine.table import Table
from games.kharkov import orders as o
from games.kharkov.rules import impulse
from games.kharkov.rules.ground import in_reserve, on_map

HAND = "P23 P24 P27 P29 P31 P37 P39 P42 P44 P45"
POSITION = f"""case 5.2
scenario campaign
opening
turn 7, german impulse
pool hand {HAND}
mark game "last activated" Raus,III
mark 213/LVII supply isolated
place 679/333 2404
box 15/11P "german reserve"; Pz/GD "german reserve"; 39/17P "german reserve"
expect turn 7
"""


@pytest.fixture(scope="module")
def table() -> Table:
    case = read_text(POSITION, "a position")
    game = game_of(case, games.rulebook("kharkov"))
    dealer = Dealer(case, game)
    for said in case.prepared:
        dealer.take(said)
    apply(dealer.position, StageBegan(stage="german.impulse", turn=7, side="german"))
    return Table(game, dealer.position)


def offered(table: Table, card: str, kind: type[Order]) -> set[Order]:
    """The whole orders of a kind for a card, each reached step by step."""
    found, begun = set(), [c for c in impulse.commands(table, card) if c.kind is kind]
    while begun:
        choice = begun.pop()
        if choice.complete:
            found.add(choice.order())
        else:
            begun += choice.following()
    return found


def legal(table: Table, orders: list[Order]) -> set[Order]:
    return {order for order in orders if passes(impulse.check, table, order)}


@pytest.mark.case("kharkov", "5.2", "6.2", "6.3", "6.3-b")
@pytest.mark.parametrize("card", HAND.split())
def test_every_hex_of_a_kampfgruppe_is_offered(table: Table, card: str) -> None:
    hexes = [table.grid.number_of(h) for h in members(table.board.land)]
    wanted = legal(table, [o.Kampfgruppe(at=spot, card=card) for spot in hexes])
    assert offered(table, card, o.Kampfgruppe) == wanted
    assert bool(wanted) == (card not in ("P23", "P24", "P31", "P39", "P42"))


@pytest.mark.case("kharkov", "5.2", "6.1")
@pytest.mark.parametrize("card", HAND.split())
def test_every_corps_and_every_unit_is_offered(table: Table, card: str) -> None:
    corps = legal(table, [o.Activate(corps=corps, card=card) for corps in table.data.german_corps])
    units = legal(table, [o.Single(unit=unit, card=card) for unit in on_map(table, "german")])
    assert offered(table, card, o.Activate) == corps
    assert offered(table, card, o.Single) == units
    assert units


@pytest.mark.case("kharkov", "5.3")
@pytest.mark.parametrize("card", HAND.split())
def test_every_corps_and_pair_with_reserves_is_offered(table: Table, card: str) -> None:
    waiting = sorted({table.unit(unit).formation for unit in in_reserve(table, "german")})
    named = [corps for corps in table.data.german_corps if corps in waiting]
    pairs = [o.Deploy(corps=some, card=card) for count in (1, 2) for some in combinations(named, count)]
    wanted = legal(table, pairs)
    assert offered(table, card, o.Deploy) == wanted
    assert {len(order.corps) for order in wanted} == ({1, 2} if card == "P44" else {1} if wanted else set())
