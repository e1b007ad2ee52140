"""What command and supply do to a unit, whatever its counter says (9.4, 10.3)."""

from collections.abc import Mapping

import pytest

import games
from engine import facts as f
from engine.asks import Roll
from engine.cases.deal import bare_position
from engine.dice import ForcedDice
from engine.drawer import Drawer
from engine.game import Game
from engine.position import Position, apply
from engine.referee import Referee
from engine.table import Table
from games.korsun_vv.rules.odds import odds, quality
from games.korsun_vv.rules.pocket import air_supply

GERMAN, RUSSIAN = "german", "russian"


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_vv", *numbers)


@pytest.fixture(scope="module")
def battle() -> Game:
    return games.rulebook("korsun_vv").game("battle", {})


def laid_out(
    game: Game, stage: str, placed: Mapping[str, str], turn: int = 3, **marks: Mapping[str, int | str]
) -> Position:
    """Units on the map, with marks by their name."""
    position = bare_position(game)
    for unit, at in placed.items():
        apply(position, f.Placed(unit=unit, at=at, lost=0))
    for mark, values in marks.items():
        for unit, value in values.items():
            apply(position, f.Marked(subject=unit, mark=mark, value=value))
    apply(position, f.StageBegan(stage=stage, turn=turn, side=stage.partition(".")[0]))
    return position


@case("9.4", "8.2-b")
@pytest.mark.parametrize("unit", ["172/75", "West/5SS", "KG82", "3/3Pz", "544/389", "Alarm1"])
@pytest.mark.parametrize("die", range(1, 7))
def test_a_check_is_passed_below_the_unit_s_quality_and_not_at_it(battle: Game, unit: str, die: int) -> None:
    placed = {unit: "1010", "47PzK": "2719", "4GA": "3310", "31RD": "3309"}
    position = laid_out(battle, "german.sequence", placed, command={unit: "out"})
    needed = quality(Table(battle, position), unit)
    referee = Referee(battle, position, ForcedDice([die]), drawer=Drawer())
    referee.start()
    reply = referee.submit(GERMAN, f"general {unit}")
    told = [item.body["text"] for item in reply.items if item.kind == "fact" and item.body["fact"] == "Told"]
    assert any("passes" in text for text in told) == (die < needed)
    assert any("fails" in text for text in told) == (die >= needed)


def strengths(game: Game, supply: str) -> tuple[int, int]:
    """Attack and defence of the two units in the same state of supply."""
    marks = {"110GRD": supply, "124/72": supply} if supply else {}
    placed = {"110GRD": "3013", "124/72": "2913"}
    table = Table(game, laid_out(game, "russian.activation", placed, supply=marks))
    found = odds(table, ["110GRD"], game.board.grid.hex("2913"))
    return found.attack, found.defence


@case("10.3-b")
@pytest.mark.parametrize("supply", ["isolated", "air"])
def test_an_isolated_unit_attacks_and_defends_with_all_its_strength(battle: Game, supply: str) -> None:
    assert strengths(battle, supply) == strengths(battle, "")


@case("10.3-e")
def test_an_unsupplied_unit_attacks_and_defends_with_half_its_strength_rounded_up(battle: Game) -> None:
    attack, defence = strengths(battle, "")
    assert strengths(battle, "unsupplied") == ((attack + 1) // 2, (defence + 1) // 2)


@case("13.4-b")
@pytest.mark.parametrize("turn", [4, 5])
@pytest.mark.parametrize("die", range(1, 7))
def test_the_air_supply_roll_is_read_on_the_table_with_mud_against_it(battle: Game, turn: int, die: int) -> None:
    rows = battle.data.tables["air_supply"]
    total = die + (rows["mud"] if battle.data.weather(turn) == "mud" else 0)
    row = next(row for row in rows["rolls"] if total <= row["most"])
    position = laid_out(battle, "supply", {"Stemmermann": "1608"}, turn, supply={"Stemmermann": "air"})
    steps = air_supply(Table(battle, position))
    assert isinstance(next(steps), Roll)
    facts = [steps.send(die), *steps]
    counted = {fact.track: fact.value for fact in facts if isinstance(fact, f.Counted)}
    assert counted == {"air mobile": row["mobile"], "air foot": row["foot"], "air fate": row["fate"]}
