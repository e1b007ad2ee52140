"""What a report says: battles whole, marches joined, what is asked, and orders ready to edit."""

from __future__ import annotations

import pytest

from engine.campaign import Campaign
from games import find_game
from pbem.report.making import NoSuchLine, NothingSince, make_report, moment, span_of, upto
from pbem.report.printing import as_text
from pbem.report.report import BattleCard, Report


def report(campaign: Campaign, side: str, since: int | None = None, deadline: str = "") -> Report:
    lines = campaign.lines()
    return make_report(span_of(lines, since), moment(lines, campaign.game, side), deadline=deadline)


RESERVES = "place 355ID, 213SEC at 1338\nplace 444SEC, 454SEC at 2918"
CHITS = "select Vrnz, Vrnz, Step, SW, Sth, Reinf"
MANSTEIN = "activate Vrnz\nattack 3133 with 22G, 6Tk, 23G, 31Tk"
PLACED = "place Cossacks at 0806\nplace Koller/5SS at 2509"
KORSUN = "allot 4GA katyusha katyusha, 53A antitank\nactivate 4GA\nattack 2912 with 5GAD, 375RD support katyusha"

WENT = [("T-34", "0302", "0202", 1), ("P2", "0305", "0406", 2)]


def battles(found: Report) -> list[BattleCard]:
    return [battle for phase in found.phases for battle in phase.battles]


def test_a_battle_tells_its_odds_its_die_and_all_that_came_of_it(fords: Campaign) -> None:
    (battle,) = battles(report(fords, "blue", 1))
    assert battle.title == "Attack on 0103"
    assert (battle.attackers, battle.defenders) == ("G1", "P1")
    assert battle.column == "1-1"
    assert "die 5 (no. " in battle.decided
    assert battle.case == "3.3"
    assert [note.text for note in battle.after] == ["P1 retreated 0103-0104.", "G1 advanced 0102-0103."]
    assert [what for what, _, _ in battle.working] == ["the die"]


def test_what_the_other_side_had_to_decide_first_stays_with_its_battle(fords: Campaign) -> None:
    lines = fords.lines()[:4]
    (battle,) = battles(make_report(span_of(lines), moment(lines, fords.game, "red")))
    assert battle.title == "Attack on 0103, continued"
    assert [note.text for note in battle.after] == ["P1 retreated 0103-0104."]
    assert battle.working == ()


def test_a_place_with_a_name_is_called_by_it(campaign: Campaign) -> None:
    named = {place.name for place in campaign.game.board.places.values()}
    said = as_text(report(campaign, campaign.game.sides[0], -1))
    assert any(name in said for name in named)


def test_moves_of_a_phase_are_joined_and_told_by_unit(fords: Campaign) -> None:
    marches = [march for phase in report(fords, "red", 1).phases for march in phase.marches]
    assert [(m.units, m.path[0], m.path[-1], len(m.path) - 1) for m in marches] == WENT


def test_who_is_asked_reads_the_question_its_case_the_default_and_the_deadline(fords: Campaign) -> None:
    found = report(fords, fords.asks[0].side, deadline="Sunday, 20:00 UTC")
    mine = next(ask for ask in found.asks if ask.yours)
    assert mine.prompt == fords.asks[0].prompt
    assert mine.default == fords.asks[0].default().line()
    assert "Sunday, 20:00 UTC" in as_text(found)


def test_every_whole_line_of_the_template_is_a_legal_order(campaign: Campaign) -> None:
    """Whoever takes one # off and mails it back is understood; whoever takes none off does nothing."""
    tried = 0
    for last in range(campaign.count):
        lines = campaign.lines()[: last + 1]
        for side in campaign.game.sides:
            now = moment(lines, campaign.game, side)
            ask = next((ask for ask in now.asks if ask.side == side), None)
            if ask is None:
                continue
            draft = make_report(span_of(lines), now).draft
            assert all(line.startswith("#") for line in draft.splitlines())
            for line in draft.splitlines():
                if line[1:2].isalpha() and "..." not in line:
                    ask.check(now.game.book.read(line[1:], now.table.reading(side)))
                    tried += 1
    assert tried > 20


def test_every_line_begun_in_the_template_begins_with_the_units_of_a_hex(campaign: Campaign) -> None:
    lines = campaign.lines()
    side = campaign.asks[0].side
    now = moment(lines, campaign.game, side)
    for line in make_report(span_of(lines), now).draft.splitlines():
        if "# from " in line:
            begun, _, spot = line.partition("# from ")
            units = [w.strip(",") for w in begun[1:].split() if w.strip(",") in now.seen.setting.roster]
            assert units
            assert {now.seen.where[unit] for unit in units} == {spot}


def test_who_is_not_asked_gets_his_units_by_hex(fords: Campaign) -> None:
    lines = fords.lines()[:2]
    draft = make_report(span_of(lines), moment(lines, fords.game, "blue")).draft
    assert "# 0305  P2, SG" in draft
    assert "attack HEX with UNIT" in draft


def test_a_game_without_a_standing_of_its_own_stands_by_turn_and_tracks(fords: Campaign) -> None:
    assert dict(report(fords, "red").standing)["Red bid"] == "1"


def test_the_head_is_that_of_the_line(fords: Campaign) -> None:
    found = report(fords, "red")
    assert found.head == fords.head
    assert fords.head in as_text(found)


def test_a_line_that_is_not_there_is_refused(fords: Campaign) -> None:
    with pytest.raises(NoSuchLine, match="no line 99; the lines are 0 to 5"):
        upto(fords.lines(), 99)
    with pytest.raises(NothingSince, match="nothing came after line 9"):
        report(fords, "red", 9)


def test_hexes_taken_together_are_told_in_one_sentence_with_their_names() -> None:
    lines = Campaign.new(None, find_game("manstein"), secret=bytes(32)).lines()
    (first, *_) = make_report(span_of(lines), moment(lines, find_game("manstein"), "axis")).phases
    assert first.notes[0].text.startswith("Axis took 0218 Odessa, 1338 Stalino, ")
    assert sum("took" in note.text for note in first.notes) == 2


@pytest.mark.parametrize(
    ("game", "orders"),
    [
        ("manstein", [("axis", RESERVES), ("soviet", CHITS), ("axis", "select 1PzA, 4PzA, 6A"), ("soviet", MANSTEIN)]),
        ("korsun_vv", [("german", PLACED), ("german", "no allotment"), ("russian", KORSUN)]),
    ],
)
def test_every_rulebook_writes_its_arithmetic_with_amounts_and_cases(game: str, orders: list[tuple[str, str]]) -> None:
    campaign = Campaign.new(None, find_game(game), secret=bytes(32))
    for side, said in orders:
        assert not campaign.submit(side, said).refused
    (battle,) = battles(report(campaign, orders[-1][0]))
    assert all(amount and case for _, amount, case in battle.working)
