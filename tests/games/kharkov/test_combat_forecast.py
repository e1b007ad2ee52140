"""Forecasts of German attacks: exact, against brute force on small cups and against the dice of many draws."""

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

import games
from engine.facts import Counted, Fact, Marked, Placed, Pooled
from engine.position import apply
from engine.table import Table
from games.kharkov.orders import Attack
from games.kharkov.rules.combat import chits, hits
from games.kharkov.rules.combat.cup_odds import Hits, draw_odds
from games.kharkov.rules.combat.declaration import combat_of
from games.kharkov.rules.combat.forecast import forecast_attack

BRIGHT: list[Hits] = [(0, 1), (0, 1), (1, 0), (0, 0)]
DARK: list[Hits] = [(0, 2), (1, 1)]
OUT: list[Hits] = [(0, 1), (1, -1), (2, 0)]


def _by_hand(bright: list[Hits], dark: list[Hits], out: list[Hits], number: int) -> dict[Hits, Fraction]:
    """Every order in which chits can come, one by one."""
    found: dict[Hits, Fraction] = {}

    def go(cup: list[tuple[Hits, bool]], aside: list[Hits], left: int, total: Hits, chance: Fraction) -> None:
        if not left:
            found[total] = found.get(total, Fraction(0)) + chance
            return
        for place, ((a, d), is_dark) in enumerate(cup):
            rest = [*cup[:place], *cup[place + 1 :], *(((one, False) for one in aside) if is_dark else ())]
            go(rest, [] if is_dark else aside, left - 1, (total[0] + a, total[1] + d), chance / len(cup))

    go([*((one, False) for one in bright), *((one, True) for one in dark)], out, number, (0, 0), Fraction(1))
    return found


@pytest.mark.case("kharkov", "12.42", "12.4")
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_dark_chit_refills_the_cup_for_the_draws_after_it(number: int) -> None:
    assert draw_odds(BRIGHT, DARK, OUT, number) == _by_hand(BRIGHT, DARK, OUT, number)


@pytest.mark.parametrize("number", [1, 3, 5])
def test_with_nothing_set_aside_every_set_is_alike(number: int) -> None:
    every = Counter(
        (sum(a for a, _ in chosen), sum(d for _, d in chosen)) for chosen in permutations([*BRIGHT, *DARK], number)
    )
    total = sum(every.values())
    assert draw_odds(BRIGHT, DARK, [], number) == {hits: Fraction(n, total) for hits, n in every.items()}


def test_the_chances_of_a_whole_cup_add_up_to_one() -> None:
    bright = [(n % 2, n % 3) for n in range(50)]
    assert sum(draw_odds(bright, DARK, OUT, 10).values()) == 1


def _table(*more: Fact) -> Table:
    rulebook = games.rulebook("kharkov")
    game = rulebook.game(rulebook.scenarios[0].id, {})
    position = game.new_position()
    for fact in game.opening(game):
        if not isinstance(fact, Placed):
            apply(position, fact)
    cup = tuple(game.data.tables["chits"])
    facts: list[Fact] = [
        *(Placed(unit=unit.id, at="unused") for unit in game.setting.roster),
        Placed(unit="DF/DR", at="1711"), Placed(unit="DL/DR", at="1711"), Placed(unit="6/6", at="1712"),
        Marked(subject="DF/DR", mark="active"), Marked(subject="DL/DR", mark="active"),
        Marked(subject="game", mark="activating card", value="P31"),
        Pooled(pool="cup", items=cup[5:]), Pooled(pool="drawn chits", items=cup[:5]),
        Counted(track="cup shuffle", value=1), *more,
    ]  # fmt: skip
    for fact in facts:
        apply(position, fact)
    position.turn = 3
    return Table(game, position)


ORDER = Attack(target="1712", units=("DF/DR", "DL/DR"))


@pytest.mark.case("kharkov", "12.4", "12.41", "12.5")
def test_the_forecast_is_what_many_draws_come_to() -> None:
    table = _table()
    forecast = forecast_attack(table, ORDER)
    assert sum(chance for _, chance in forecast.chances) == 1
    combat, rows, dice = combat_of(table, ORDER), table.data.tables["chits"], random.Random(1)
    seen: Counter[str] = Counter()
    now = chits.circumstances(table, combat, 4)
    times = 4000
    for _ in range(times):
        cup, aside, drawn = list(table.position.pools["cup"]), list(table.position.pools["drawn chits"]), []
        for _ in range(4):
            chit = cup.pop(dice.randrange(len(cup)))
            drawn.append(chit)
            if rows[chit]["dark"]:
                cup, aside = [*cup, *aside], []
        a, d = chits.totals(rows, drawn, now)
        a, d, _ = hits.reduced(table, combat, a, d)
        seen[f"A{a} D{d}"] += 1
    for result, chance in forecast.chances:
        assert abs(seen[result] / times - float(chance)) < 0.03, result


def test_the_forecast_says_how_the_odds_are_found() -> None:
    forecast = forecast_attack(_table(), ORDER)
    said = {line.what: line.amount for line in forecast.working}
    assert forecast.column == "10:4"
    assert said["attack strength"] == "10"
    assert said["defence strength"] == "4"
    assert said["chits required"] == "2"
    assert said["chits at the most"] == "4"
    assert "left out, the card that the Soviets draw" in said
    assert forecast.outlook is not None
    assert 0 < forecast.outlook.cleared_at_least < 1


def test_a_position_dug_is_in_the_forecast_and_engineers_take_it_away() -> None:
    dug = Marked(subject="@1712", mark="improved position")
    hand = Pooled(pool="hand", items=("P32",))
    with_position = forecast_attack(_table(dug, hand), ORDER)
    engineers = forecast_attack(_table(dug, hand), Attack(target="1712", units=ORDER.units, cards=(("P32", ""),)))
    assert any(line.what == "improved position" for line in with_position.working)
    assert not any(line.what == "improved position" for line in engineers.working)
    assert with_position.outlook
    assert engineers.outlook
    assert engineers.outlook.cleared_at_least > with_position.outlook.cleared_at_least


def test_who_cannot_trace_a_way_back_holds_until_he_is_gone() -> None:
    """With NKVD nobody retreats; the forecast knows only what it can see, so here the mark is isolation."""
    table = _table(Marked(subject="6/6", mark="supply", value="isolated"))
    forecast = forecast_attack(table, ORDER)
    assert all(result.startswith("A0") for result, _ in forecast.chances)
    assert forecast.outlook is not None
    assert forecast.outlook.cost == 0
