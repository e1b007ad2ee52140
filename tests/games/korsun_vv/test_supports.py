"""Support markers over all types, dice, weathers and headquarters."""

from __future__ import annotations

from functools import cache

import pytest

from engine.cases.case_file import Said
from engine.cases.deal import bare_position
from engine.cases.figures import with_figures
from engine.dice import ForcedDice
from engine.drawer import Drawer
from engine.facts import Marked, Placed, Pooled, StageBegan
from engine.game import Game
from engine.position import Position, apply
from engine.referee import Referee
from engine.refusals import Illegal
from engine.table import Table
from games.korsun_vv.game import RULEBOOK
from games.korsun_vv.orders import Allot
from games.korsun_vv.rules.allotment import check_allotment
from games.korsun_vv.rules.odds import armour_can_fight

SNOW, MUD = 2, 5  # turns
# Columns in the owner's favour, and the highest die that leaves the marker with its HQ (1.6.1, 1.6.2).
MARKERS = {
    "nebelwerfer": ("german", 2, 3),
    "artillery": ("german", 1, 4),
    "stug": ("german", 1, 5),
    "tiger": ("german", 1, 4),
    "katyusha": ("russian", 2, 3),
    "brigade": ("russian", 1, 4),
    "antitank": ("russian", 0, 4),
}
CASES = {
    "nebelwerfer": "1.6.1-a",
    "artillery": "1.6.1-b",
    "stug": "1.6.1-c",
    "tiger": "1.6.1-f",
    "katyusha": "1.6.2-a",
    "brigade": "1.6.2-c",
    "antitank": "1.6.2-e",
}
EACH = [pytest.param(name, marks=pytest.mark.case("korsun_vv", CASES[name])) for name in MARKERS]
HQS = {"german": "47PzK", "russian": "4GA"}
FORCES = {"german": ["585/320", "586/320", "587/320"], "russian": ["375RD", "252RD"]}  # one defends, all attack
SPOTS = {"german": ("3217", "3219"), "russian": ("3216", "3214")}  # the fighter and its HQ


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_vv", *numbers)


@cache
def game() -> Game:
    """A game in which no combat hurts anybody, so that only the supports matter."""
    return with_figures(RULEBOOK.game("battle"), [Said(1, "figure", "combat_results.die -/-")])


def laid_out(side: str, turn: int, *markers: str) -> Position:
    """Units face to face, the side's own about to attack; every marker lies with its owner's HQ."""
    position = bare_position(game())
    apply(position, StageBegan(stage=f"{side}.activation", turn=turn, side=side))
    for owner, (near, back) in SPOTS.items():
        for unit in FORCES[owner] if owner == side else FORCES[owner][:1]:
            apply(position, Placed(unit=unit, at=near))
            apply(position, Marked(subject=unit, mark="ap", value=2))
        apply(position, Placed(unit=HQS[owner], at=back))
        own = tuple(marker for marker in markers if MARKERS[marker][0] == owner)
        apply(position, Pooled(pool=f"{HQS[owner]} available", items=own))
    return position


def fight(side: str, turn: int, marker: str, *, by: str, fate: int = 1) -> Referee:
    """One attack by a side, with a marker of one of the two, or none."""
    drawer = Drawer()
    dice = [6, fate] if marker else [6]
    enemy = "german" if side == "russian" else "russian"
    used = f" support {marker}" if marker else ""
    if by == enemy:
        drawer.stand(enemy, f"when defence: defend{used}")
    referee = Referee(game(), laid_out(side, turn, *([marker] if marker else [])), ForcedDice(dice), drawer=drawer)
    referee.start()
    reply = referee.submit(side, f"attack {SPOTS[enemy][0]} with {', '.join(FORCES[side])}{used if by == side else ''}")
    referee.items += reply.items
    return referee


def column(referee: Referee) -> int:
    fought = [item.body for item in referee.items if item.kind == "fact" and item.body["fact"] == "Fought"]
    return int(game().data.columns.index(fought[-1]["column"]))


@pytest.mark.parametrize("marker", EACH)
def test_a_marker_moves_the_column_in_its_owners_favour_in_attack_and_defence(marker: str) -> None:
    owner, shift, _ = MARKERS[marker]
    enemy = "german" if owner == "russian" else "russian"
    for attacker, sign in ((owner, 1), (enemy, -1)):
        plain = column(fight(attacker, SNOW, "", by=owner))
        assert column(fight(attacker, SNOW, marker, by=owner)) == plain + sign * shift


@pytest.mark.parametrize("marker", EACH)
@pytest.mark.parametrize("turn", [SNOW, MUD])
@case("1.6-d", "1.6-e")
def test_a_marker_goes_where_its_die_says(marker: str, turn: int) -> None:
    owner, _, highest = MARKERS[marker]
    hq = HQS[owner]
    for die in range(1, 7):
        pools = fight(owner, turn, marker, by=owner, fate=die).position.pools
        total = die + (turn == MUD)
        if marker == "katyusha" and die == 6:
            wanted = "russian out"
        else:
            wanted = f"{hq} used" if total <= highest else f"{owner} turn {turn + 2}"
        assert [name for name, items in pools.items() if marker in items] == [wanted], die


@case("1.6-b")
@pytest.mark.parametrize("hq", [unit.id for unit in game().setting.roster if "hq" in unit.classes])
def test_an_hq_takes_as_many_markers_as_its_rating_and_not_one_more(hq: str) -> None:
    unit = game().setting.roster.get(hq)
    marker = "stug" if unit.side == "german" else "brigade"
    rating = unit.value("support")
    for held in range(rating + 1):
        position = bare_position(game())
        apply(position, StageBegan(stage="support", turn=3, side="russian"))
        apply(position, Placed(unit=hq, at="3217"))
        apply(position, Pooled(pool=f"{hq} used", items=(marker,) * held))
        apply(position, Pooled(pool=f"{unit.side} pool", items=(marker,) * 12))
        table, room = Table(game(), position), rating - held
        if room:
            check_allotment(table, unit.side, Allot(allotments=((hq, marker, ""),) * room))
        with pytest.raises(Illegal, match="at most"):
            check_allotment(table, unit.side, Allot(allotments=((hq, marker, ""),) * (room + 1)))


@case("1.6.1-g", "1.6.2-d")
def test_armour_fights_only_between_hexes_that_it_can_stand_in() -> None:
    for turn, weather in ((SNOW, "snow"), (MUD, "mud")):
        position = bare_position(game())
        apply(position, StageBegan(stage="german.activation", turn=turn, side="german"))
        table, chart = Table(game(), position), game().data.tables["terrain"]["hex"]
        seen = set()
        for here, kind in game().board.kinds.items():
            for there in game().board.grid.neighbours(here):
                if not armour_can_fight(table, [here], there):
                    continue
                for h, name in ((here, kind), (there, game().board.kinds[there])):
                    assert weather in chart[name]["mobile"] or game().data.road_hexes >> h & 1
                seen.add(kind)
        assert {"clear", "difficult", "forest"} <= seen  # the last two along roads, if not otherwise
