"""What stands where, who comes when, and how much the Russian has won (18)."""

import pytest

import games
from engine import facts as f
from engine.cases.deal import bare_position
from engine.game import Game
from engine.position import ELIMINATED, Position, apply
from engine.table import Table
from games.korsun_vv.rules import victory
from games.korsun_vv.rules.ground import weather
from games.korsun_vv.rules.sequence import able

GERMAN, RUSSIAN = "german", "russian"


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_vv", *numbers)


@pytest.fixture(scope="module")
def battle() -> Game:
    return games.rulebook("korsun_vv").game("battle", {})


def opened(game: Game, turn: int = 1) -> Position:
    """The position before anybody has said anything, put on a turn."""
    position = game.new_position()
    for fact in game.opening(game):
        apply(position, fact)
    apply(position, f.StageBegan(stage="german.sequence", turn=turn, side=GERMAN))
    return position


# --- Set-up: the lists of 18.1 and 18.2 ---

LISTS = {
    "18.1-a": "0117 172/75  0216 80/34  0316 107/34  0415 253/34  0413 326/198  0511 305/198  0714 308/198  0915 KG82",
    "18.1-b": "0806 42AK  0502 332/KAB  0304 245/88  0306 248/88  0409 246/88  0308 417/168  0401 213Sec  "
    "free Cossacks",
    "18.1-c": "2115 11AK  2203 West/5SS  2208 676/57  2308 217/57  2507 179/57  2708 124/72  2809 266/72  2811 105/72  "
    "2912 544/389  2913 545/389  2914 546/389  free Koller/5SS",
    "18.1-d": "2719 47PzK  2719 103/14Pz  2719 108/14Pz  2718 KG/14Pz  2917 3/3Pz  2918 15/11Pz  2918 4/11Pz  "
    "2918 110/11Pz  3015 6/3Pz  3015 394/3Pz  3118 KG106  3216 585/320  3317 586/320  3318 587/320  3319 KG282",
    "18.2-a": "0105 27A  0411 180RD  0205 159RF  0310 337RD",
    "18.2-b": "0114 40A  0114 163RD  0114 232RD  0115 42GRD  0116 74RD  0215 133RD  0315 58RD",
    "18.2-c": "0213 136RD  0313 167RD  0314 359RD",
    "18.2-d": "2806 52A  2302 294RD  2304 254RD  2807 373RD",
    "18.2-e": "3310 4GA  3010 7GAD  3010 62GRD  3011 5GAD  3011 375RD  3012 252RD  3112 31RD  3112 69RD",
    "18.2-f": "3414 53A  3012 110GRD  3013 214RD  3013 25GRD  3014 66GRD  3014 1GAD  3115 138RD  3115 14RD  "
    "3315 213RD  3316 233RD  3417 116RD",
    "18.2-g": "3413 5GTA  3413 18TC-1  3413 18TC-2  3413 18TC-3  3313 20TC-1  3313 20TC-2  3313 20TC-3  3314 29TC-1  "
    "3314 29TC-2  3314 29TC-3",
    "18.2-h": "3311 11GCD  3311 12GCD  3312 63CD",
}  # fmt: skip


@pytest.mark.parametrize("number", [pytest.param(n, marks=case(n)) for n in LISTS])
def test_the_game_opens_with_a_formation_where_its_list_puts_it(battle: Game, number: str) -> None:
    position = opened(battle)
    words = LISTS[number].split()
    for place, unit in zip(words[::2], words[1::2], strict=True):
        assert position.where[unit] == place, unit


@case("18.2-g", "18.2.1-a", "18.1-e")
def test_only_seven_tank_and_mechanised_brigades_open_the_game_reduced_and_nobody_is_dug_in(battle: Game) -> None:
    position = opened(battle)
    reduced = {unit for unit, lost in position.lost.items() if lost}
    assert reduced == {"18TC-2", "18TC-3", "20TC-3", "29TC-3", "5GTC-2", "5GTC-3", "5MC-3"}
    assert not position.marks


@case("18.1-a", "18.1-b", "18.1-c", "18.1-d", "18.2-a", "18.2-b", "18.2-c", "18.2-d", "18.2-h")
def test_nobody_is_on_the_map_whom_the_lists_do_not_name(battle: Game) -> None:
    position = opened(battle)
    listed = {unit for text in LISTS.values() for unit in text.split()[1::2]} - {"Cossacks", "Koller/5SS"}
    assert {*position.on_map(GERMAN), *position.on_map(RUSSIAN)} == listed


# --- Reinforcements: from their turn on, and not a turn earlier ---

ARRIVALS = [
    ("18.1.1-c", GERMAN, 2, "7AK 202/75 222/75"),
    ("18.1.1-d", GERMAN, 3, "3PzK 39/17Pz 40/17Pz 63/17Pz"),
    ("18.1.1-e", GERMAN, 4, "4/13Pz 66/13Pz 93/13Pz 672/376 673/376 767/376 1/26Pz 2/16Pz 64/16Pz 79/16Pz"),
    ("18.1.1-f", GERMAN, 5, "KGHaack Pz1/1SS 1/1SS 2/1SS 131/1Pz Bake"),
    ("18.1.1-g", GERMAN, 6, "Pz1/1Pz"),
    ("18.1.1-g", GERMAN, 7, "1/1Pz"),
    ("18.2.1-a", RUSSIAN, 2, "6TA 5GTC-1 5GTC-2 5GTC-3 5MC-1 5MC-2 5MC-3 38RD 240RD 340RD"),
    ("18.2.1-b", RUSSIAN, 3, "6RD 78RD 4GAD"),
    ("18.2.1-c", RUSSIAN, 4, "94GRD 84RD 6GAD"),
    ("18.2.1-d", RUSSIAN, 6, "3TC 16TC"),
]


@pytest.mark.parametrize(
    ("side", "turn", "units"), [pytest.param(*row, marks=case(number)) for number, *row in ARRIVALS]
)
def test_a_reinforcement_may_be_activated_from_its_turn_on(battle: Game, side: str, turn: int, units: str) -> None:
    early, late = (Table(battle, opened(battle, t)) for t in (turn - 1, turn))
    assert not set(units.split()) & set(able(early, side))
    assert set(units.split()) <= set(able(late, side))


@case("18.1.1-b", "18.2.1-e", "18.1.1-f", "17")
def test_without_a_pocket_and_without_the_option_nine_units_never_come(battle: Game) -> None:
    last = Table(battle, opened(battle, battle.data.turns))
    waiting = {"Ger/5SS", "Wallonie", "112/KAB", "255/KAB", "54RF", "206RD", "24/24Pz", "21/24Pz", "26/24Pz"}
    assert not waiting & {*able(last, GERMAN), *able(last, RUSSIAN)}


# --- Weather (15) ---


@case("15-a")
def test_the_weather_of_a_turn_is_the_one_of_the_turn_track(battle: Game) -> None:
    track = battle.data.tables["turn_track"]["turns"]
    for row in track:
        assert weather(Table(battle, opened(battle, row["turn"]))) == row["weather"]
    assert [row["turn"] for row in track if row["weather"] == "mud"] == [5, 6, 7, 8, 9]


# --- Victory ---

LEVELS = {
    "encirclement": ["German victory", "Russian tactical victory", "Russian operational victory",
                     "Russian strategic victory"],
    "battle": ["German strategic victory", "German operational victory", "German tactical victory", "Draw",
               "Russian tactical victory", "Russian operational victory", "Russian strategic victory"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("scenario", "least"),
    [
        pytest.param("encirclement", 0, marks=case("18.3-c")),
        pytest.param("battle", -2, marks=case("18.4-f")),
    ],
)
def test_every_total_has_the_level_that_is_printed(scenario: str, least: int) -> None:
    game = games.rulebook("korsun_vv").game(scenario, {})
    table = Table(game, bare_position(game))
    totals = range(least, least + len(LEVELS[scenario]))
    assert [victory.level(table, total)["title"] for total in totals] == LEVELS[scenario]


@case("18.4-d", "18.4-e")
@pytest.mark.parametrize(
    "unit", ["West/5SS", "Ger/5SS", "Wallonie", "Koller/5SS", "Cossacks", "112/KAB", "3/3Pz", "42AK"]
)
def test_a_unit_counts_by_its_printed_corps_and_kind_whatever_became_of_it(battle: Game, unit: str) -> None:
    position = bare_position(battle)
    apply(position, f.Placed(unit=unit, at=ELIMINATED))
    apply(position, f.Marked(subject=unit, mark="formation", value="Stemmermann"))
    piece = battle.setting.roster.get(unit)
    table = Table(battle, position)
    infantry = piece.formation in ("11AK", "42AK") and "hq" not in piece.classes
    assert victory.destroyed(table, ["11AK", "42AK"]) == infantry
    worth = 2 if "armour" in piece.classes else 1 if "mechanised" in piece.classes else 0
    assert victory.armour_lost(table, 2) == worth
