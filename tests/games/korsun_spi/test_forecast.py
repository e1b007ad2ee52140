"""A forecast is what the fight then uses: the same column, the same arithmetic, the same chances."""

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import games
import games.korsun_spi
from engine.cases.case_file import read_text
from engine.cases.deal import Dealer, game_of
from engine.dice import ForcedDice
from engine.drawer import CAREFUL, Drawer
from engine.forecast import Forecast
from engine.ledger import load_ledger
from engine.referee import Referee

RULEBOOK = games.rulebook("korsun_spi")
LEDGER = load_ledger(Path(games.korsun_spi.__file__).parent / "rules.toml")
SOVIET = ["TC18", "GTC5", "MC5", "GTB20", "TB25", "GMB1", "CD63", "RD6", "RD31", "GRD14", "GAD1", "GAB3"]
GERMAN = [
    "11/6",
    "4/6",
    "114/6",
    "80/34",
    "107/34",
    "253/34",
    "72",
    "StuG805",
    "Baeke",
    "Wallo",
    "5/SSW",
    "9/SSW",
    "10/SSW",
]
GROUND = [
    "2811",
    "2812",
    "2813",
    "2910",
    "2911",
    "2912",
    "2913",
    "3011",
    "3012",
    "3013",
]  # woods, open country and the Tyasmin


def laid_out(seed: int, stage: str) -> str:
    """A case file's position: both sides thrown into a few hexes, some of them reduced, supported or encumbered."""
    chance = random.Random(seed)
    spots = chance.sample(GROUND, len(GROUND))
    ours = {spot: SOVIET if index % 2 else GERMAN for index, spot in enumerate(spots)}
    lines = ["case 9.0", f"turn 9, {stage}", "place HQ-2Tk 2909 active; HQ-6Tk 3213 active; HQ-27 2709 active"]
    for units, side in ((SOVIET, SOVIET), (GERMAN, GERMAN)):
        free = [spot for spot in spots if ours[spot] is side]
        room = dict.fromkeys(free, 3)
        for unit in chance.sample(units, len(units)):
            size = 3 if unit in ("TC18", "GTC5", "MC5") else 1
            fitting = [spot for spot in free if room[spot] >= size]
            if not fitting:
                continue
            spot = chance.choice(fitting)
            room[spot] -= size
            lost = " lost 1" if unit != "253/34" and chance.random() < 0.2 else ""
            heavy = " heavy=1" if units is GERMAN and chance.random() < 0.2 else ""
            support = " supported" if size == 3 and chance.random() < 0.3 else ""
            lines.append(f"place {unit} {spot}{lost}{heavy}{support}")
    lines += ["count air_soviet 2", "count air_german 0" if "soviet" in stage else "count air_german 2"]
    if "german" in stage:
        lines[-2] = "count air_soviet 0"
    return "\n".join([*lines, "expect turn 9"])


def table_of(text: str, dice: list[int]) -> Referee:
    case = read_text(text, "forecast.case")
    dealer = Dealer(case, game_of(case, RULEBOOK))
    for said in case.prepared:
        dealer.take(said)
    dealt = dealer.dealt()
    referee = Referee(dealt.game, dealt.position, ForcedDice(dice), drawer=Drawer(pace=CAREFUL))
    referee.start()
    return referee


def lines_of(referee: Referee, verb: str, chance: random.Random) -> Iterator[str]:
    """Whole orders of that verb that the side may give: attacks by one, two and all units, with air and without."""
    for choice in referee.asks[0].choices():
        following = [choice] if choice.kind.forecastable and choice.kind.verb == verb else []
        while following:
            choice = chance.choice(following)
            if choice.complete:
                yield choice.line()
            following = choice.following()


def cleared(referee: Referee, target: str, side: str) -> bool:
    return not any(
        referee.table.unit(unit).side != side for unit in referee.position.at(referee.table.grid.hex(target))
    )


def ways_it_ends(text: str, line: str, die: int, target: str) -> list[bool]:
    """Whether the hex is clear of the enemy after a die, for everything that its owner may choose."""

    def fought() -> Referee:
        referee = table_of(text, [die])
        referee.submit(referee.asks[0].side, line)
        return referee

    side = table_of(text, []).asks[0].side
    asked = [ask for ask in fought().asks if ask.side != side and ask.name == "loss"]
    ends = []
    for choice in [choice for ask in asked for choice in ask.choices()]:
        referee = fought()
        assert not referee.submit(asked[0].side, choice.line()).refused
        ends.append(cleared(referee, target, side))
    return ends or [cleared(fought(), target, side)]


@pytest.mark.case("korsun_spi", "9.66", "9.69")
@pytest.mark.parametrize("stage", ["soviet combat", "german combat", "german initial"])
@pytest.mark.parametrize("seed", range(3))
def test_an_outlook_says_how_the_hex_ends_whatever_the_defender_chooses(seed: int, stage: str):
    chance = random.Random(seed)
    text = laid_out(seed, stage)
    lines = list(lines_of(table_of(text, []), "attack" if "combat" in stage else "overrun", chance))
    for line in chance.sample(lines, min(5, len(lines))):
        forecast = forecast_of(table_of(text, []), line)
        ends = [ways_it_ends(text, line, die, line.split()[1]) for die in range(1, 7)]
        assert forecast.outlook is not None
        assert forecast.outlook.cleared_at_least == Fraction(sum(map(all, ends)), 6), line
        assert forecast.outlook.cleared_at_most == Fraction(sum(map(any, ends)), 6), line
        harmless = sum(c for result, c in forecast.chances if result.startswith("-/"))
        assert forecast.outlook.cost == 1 - harmless


def forecast_of(referee: Referee, line: str) -> Forecast:
    side = referee.asks[0].side
    table = referee.table.seen_by(side)
    return referee.game.forecast(table, side, referee.game.book.read(line, referee.table.reading(side)))


@pytest.mark.case("korsun_spi", "9.0-a", "9.5", "6.0")
@pytest.mark.parametrize("stage", ["soviet combat", "german combat", "soviet initial", "german initial"])
@pytest.mark.parametrize("seed", range(6))
def test_a_fight_is_fought_as_it_was_forecast(seed: int, stage: str):
    chance = random.Random(seed)
    text = laid_out(seed, stage)
    verb = "attack" if "combat" in stage else "overrun"
    lines = list(lines_of(table_of(text, []), verb, chance))
    for line in chance.sample(lines, min(6, len(lines))):
        results: Counter[str] = Counter()
        for die in range(1, 7):
            referee = table_of(text, [die])
            forecast = forecast_of(referee, line)
            side = referee.asks[0].side
            reply = referee.submit(side, line)
            assert not reply.refused, (line, reply.refused[0].refusal)
            fought = next(item.body for item in reply.items if item.body.get("fact") == "Fought")
            assert fought["column"] == forecast.column
            assert [tuple(step) for step in fought["working"]] == [
                (f"{step.what}: {step.amount}", step.case) for step in forecast.working
            ]
            results[fought["result"]] += 1
        assert dict(forecast.chances) == {result: Fraction(count, 6) for result, count in results.items()}


def test_every_line_of_the_arithmetic_names_a_case_of_the_ledger():
    seen = set()
    for seed in range(8):
        for stage, verb in (("soviet combat", "attack"), ("german combat", "attack"), ("german initial", "overrun")):
            referee = table_of(laid_out(seed, stage), [])
            for line in list(lines_of(referee, verb, random.Random(seed)))[:10]:
                forecast = forecast_of(referee, line)
                assert sum(chance for _, chance in forecast.chances) == 1
                seen |= {step.case for step in forecast.working}
    for number in seen:
        LEDGER.get(number)
    assert {"3.23", "9.4", "10.12", "10.4", "14.14", "25.31", "24.21", "6.0"} <= seen
