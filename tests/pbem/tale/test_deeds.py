"""The story: deeds begin where a side chose, battles have all that came of them as fields, marches are joined."""

from __future__ import annotations

from engine import facts as f
from engine.log import Item
from pbem.report.telling import bookkeeping, phases
from pbem.tale.deeds import Battle, battles, deeds
from pbem.tale.entries import Entry, Tale, facts_of
from pbem.tale.marches import marches
from tests.engine.toy import toy

FIRST = f.Fought(
    kind="attack", attackers=("G1", "G2"), defenders=("P1",), targets=("0103",), column="2-1",
    decided=(("die", "2"), ("die", "5")), result="D",
)  # fmt: skip
SECOND = FIRST.model_copy(update={"targets": ("0203",), "decided": (("chit", "R7"),), "result": "-"})
AFTER = (
    f.StepLost(unit="P1"), f.StepLost(unit="P1"), f.Moved(unit="P1", path=("0103", "0104"), how="retreat"),
    f.Moved(unit="P1", path=("0104", "0105"), how="retreat"), f.Eliminated(unit="SG", at="0103"),
    f.Moved(unit="G1", path=("0102", "0103"), how="advance"), f.Moved(unit="G2", path=("0102", "0103"), how="advance"),
)  # fmt: skip
NOTED = (f.Noted(subject="G1", mark="spent", value=2), f.Wiped(marks=("spent",), side="red"))


def answer(top: int | None = None) -> Item:
    return Item("answer", {"side": "red"} | ({} if top is None else {"top": top}))


def roll(k: int, value: int = 2) -> Item:
    return Item("roll", {"purpose": "attack", "stream": "dice", "sides": 6, "k": k, "value": value})


def entries(*happened: Item | f.Fact) -> list[Entry]:
    items = [Item("fact", one) if isinstance(one, f.Fact) else one for one in happened]
    return [Entry(1, place, item) for place, item in enumerate(items)]


def test_a_deed_begins_where_a_side_chose_a_stage_began_or_the_game_ended() -> None:
    stage = f.StageBegan(stage="red.move", turn=1, side="red")
    happened = entries(AFTER[0], stage, answer(1), AFTER[0], answer(), AFTER[1], answer(2), f.GameEnded(result="over"))
    found = [*deeds(happened)]
    assert [len(deed.entries) for deed in found] == [1, 1, 4, 1, 1]
    assert [deed.opens for deed in found] == [False, True, True, True, True]
    assert [deed.stage for deed in found] == [None, *[stage] * 4]


def test_sides_that_answered_at_once_are_told_at_once() -> None:
    assert len([*deeds(entries(answer(1), answer(2), AFTER[0], answer(3)))]) == 2


def test_a_march_that_nobody_read_the_order_for_leads_to_no_battle() -> None:
    march = f.Moved(unit="G3", path=("0102", "0103"))
    own = f.Moved(unit="G1", path=("0101", "0102"))
    happened = (march, march, f.TookHex(hex="0103", side="red"), own, roll(1), roll(2), FIRST, AFTER[2], march)
    stage = f.StageBegan(stage="red.move", turn=1, side="red")
    found = [*deeds(entries(stage, *happened))]
    assert [len(deed.entries) for deed in found] == [1, 2, 6, 1]
    assert [deed.fought for deed in found] == [False, False, True, False]
    assert [deed.stage for deed in found] == [stage] * 4
    assert [len(deed.entries) for deed in deeds(entries(stage, answer(1), *happened))] == [1, 10]
    assert [len(deed.entries) for deed in deeds(entries(stage, march, own, march))] == [4]


def both() -> list[Battle]:
    deed = entries(answer(1), AFTER[0], roll(1), roll(2), roll(3), FIRST, *AFTER, roll(4), SECOND, AFTER[0])
    return [*battles(deed)]


def test_each_battle_has_its_dice_and_what_led_to_it_and_came_of_it() -> None:
    one, two = both()
    assert [entry.item.body["k"] for entry in one.rolls] == [2, 3]
    assert [entry.item.kind for entry in one.before] == ["answer", "fact", "roll"]
    assert [entry.fact for entry in one.after] == list(AFTER)
    assert [entry.item.body["k"] for entry in two.rolls] == [4]
    assert two.before == ()
    assert len(two.after) == 1


def test_what_came_of_a_battle_stands_in_fields() -> None:
    one, two = both()
    roster = toy().setting.roster
    assert (one.lost, one.hit(["P1", "G1"])) == ({"P1": 2}, 2)
    assert (one.fallen, one.fell(["SG", "G1"])) == (["SG"], 1)
    went = {march.how: (march.units, march.path) for march in marches(facts_of(one.after), roster)}
    assert went == {"retreat": (["P1"], ("0103", "0104", "0105")), "advance": (["G1", "G2"], ("0102", "0103"))}
    assert (two.lost, two.fallen) == ({"P1": 1}, [])
    assert not any(march.how == "retreat" for march in marches(facts_of(two.after), roster))


def test_what_follows_a_mark_on_its_hex_leads_to_a_battle_whose_order_nobody_reads() -> None:
    laid, fired = f.Marked(subject="@0203", mark="declared"), f.Marked(subject="G9", mark="fired")
    elsewhere, known = f.Marked(subject="@0303", mark="held"), f.Doubted(unit="G1", by="blue")
    led_in = (laid, fired, roll(4), f.Counted(track="points", value=2), laid)
    one, two = battles(entries(roll(1), roll(2), FIRST, AFTER[0], known, elsewhere, *led_in, roll(5), SECOND, AFTER[1]))
    assert [entry.fact for entry in one.after] == [AFTER[0], known, elsewhere]
    assert [entry.item.kind for entry in two.before] == ["fact", "fact", "roll", "fact", "fact"]
    assert [entry.item.body["k"] for entry in two.rolls] == [5]


def test_the_rest_of_a_battle_that_began_earlier_stays_with_it() -> None:
    rest, two = battles(entries(answer(), AFTER[0], roll(4), SECOND), FIRST)
    assert (rest.fought, rest.told, len(rest.after)) == (FIRST, (), 2)
    assert two.fought is SECOND
    assert [*battles(entries(answer()), FIRST)] == []


def test_units_of_both_sides_on_one_way_march_apart() -> None:
    moves = [f.Moved(unit=unit, path=("0101", "0201")) for unit in ("G1", "P1", "G2")]
    found = marches([*moves, f.Moved(unit="G1", path=("0201", "0301"))], toy().setting.roster)
    assert [(march.side, march.units, march.path) for march in found] == [
        ("red", ["G1"], ("0101", "0201", "0301")),
        ("blue", ["P1"], ("0101", "0201")),
        ("red", ["G2"], ("0101", "0201")),
    ]


def test_what_the_rules_note_for_themselves_is_told_apart() -> None:
    told = Tale(entries(answer(1), *NOTED, AFTER[0]))
    (phase,) = phases(toy(), told)
    assert [note.text for note in phase.notes] == ["P1 lost a step."]
    assert not phase.groups
    assert [note.text for note in bookkeeping(toy(), told)] == ["G1 spent 2.", "Off all of red: spent."]


def test_a_battle_card_tells_every_die_that_decided() -> None:
    told = Tale(entries(answer(1), roll(7, 2), roll(8, 6), FIRST))
    (phase,) = phases(toy(), told)
    assert phase.battles[0].decided == "dice 2 (no. 7) and 5 (6 thrown, no. 8)"
