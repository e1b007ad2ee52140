"""The sixty chits (CHT, 2.22) and what they say of a combat (12.41)."""

from fractions import Fraction

import pytest

import games
from engine.table import Table
from games.kharkov.data import GERMAN, SOVIET, tables
from games.kharkov.rules import cards
from games.kharkov.rules.combat.chits import Circumstances, applies, hits_of, kept_side
from games.kharkov.rules.combat.soviet_attack import attacker_result
from games.kharkov.shapes import ChitSide

CHITS = tables()["chits"]
NAMED = {
    "attacker artillery", "defender artillery", "german airpower", "soviet airpower", "combat engineers", "nkvd",
    "improved position", "one hex", "dispersed or unsupplied", "defender adjacent", "flank", "large",
    "only attacker armor", "only defender armor", "attack not supported", "defender not supported",
    "soviets not supported",
}  # fmt: skip
MEASURED = {"ratio at least", "ratio above", "ratio below", "terrain", "command value"}


def _now(ratio: Fraction, side: str = GERMAN, *holds: str) -> Circumstances:
    return Circumstances(side, ratio, "clear", 3, frozenset(holds))


@pytest.mark.case("kharkov", "CHT")
def test_there_are_sixty_chits_three_of_them_dark() -> None:
    assert len(CHITS) == 60
    assert sum(chit["dark"] for chit in CHITS.values()) == 3


@pytest.mark.case("kharkov", "CHT")
@pytest.mark.parametrize("name", sorted(CHITS))
def test_every_side_of_a_chit_names_a_situation_and_gives_hits(name: str) -> None:
    chit = CHITS[name]
    for side in (chit["front"], chit["back"]):
        assert side["when"] in NAMED | MEASURED
        assert any(side.get(who) for who in ("attacker", "defender", "soviet", "german"))
    assert chit["priority"] in ("", "front", "back")


@pytest.mark.case("kharkov", "CHT", "12.41")
@pytest.mark.parametrize("name", sorted(CHITS))
def test_both_sides_apply_only_where_one_has_priority(name: str) -> None:
    chit = CHITS[name]
    for now in (_now(Fraction(n, 2)) for n in range(1, 20)):
        both = applies(chit["front"], now) and applies(chit["back"], now)
        assert not both or chit["priority"]


@pytest.mark.case("kharkov", "12.41-a")
@pytest.mark.parametrize(
    ("when", "bound", "ratio", "holds"),
    [
        ("ratio at least", 3, Fraction(9, 3), True),
        ("ratio at least", 3, Fraction(26, 9), False),
        ("ratio above", 1, Fraction(5, 4), True),
        ("ratio above", 1, Fraction(4, 4), False),
        ("ratio below", 2, Fraction(5, 3), True),
        ("ratio below", 2, Fraction(6, 3), False),
        ("ratio below", 1.5, Fraction(7, 5), True),
        ("ratio below", 1.5, Fraction(3, 2), False),
        ("ratio at least", 8, Fraction(16, 2), True),
        ("ratio at least", 8, Fraction(0, 1), False),
    ],
)
def test_a_ratio_is_compared_exactly(when: str, bound: float, ratio: Fraction, holds: bool) -> None:
    side: ChitSide = {"when": when, "ratio": bound, "defender": 1}
    assert applies(side, _now(ratio)) is holds


@pytest.mark.case("kharkov", "12.5")
def test_hits_by_nationality_go_to_the_role_it_has() -> None:
    side: ChitSide = {"when": "flank", "soviet": 1}
    assert hits_of(side, SOVIET) == (1, 0)
    assert hits_of(side, GERMAN) == (0, 1)
    assert hits_of(None, GERMAN) == (0, 0)


@pytest.mark.case("kharkov", "12.41")
def test_of_two_sides_that_apply_the_one_with_priority_counts() -> None:
    chit, alone = CHITS["C20"], "defender not supported"
    assert kept_side(chit, _now(Fraction(5, 4))) == chit["front"]
    assert kept_side(chit, _now(Fraction(1), GERMAN, alone)) == chit["back"]
    assert kept_side(chit, _now(Fraction(5, 4), GERMAN, alone)) == chit["back"]  # both apply: the back has priority
    assert kept_side(chit, _now(Fraction(1))) is None
    other = CHITS["C28"]
    assert kept_side(other, _now(Fraction(1), GERMAN, alone)) == other["front"]  # here the front has


@pytest.mark.case("kharkov", "12.54")
@pytest.mark.parametrize(
    ("left", "more", "few", "vacated", "result"),
    [
        (1, 1, False, False, (0, True, False)),
        (1, 3, False, False, (0, False, True)),
        (2, 3, False, False, (1, True, False)),
        (3, 4, False, False, (2, True, False)),
        (4, 1, False, False, (1, False, False)),
        (4, 1, True, False, (0, True, False)),
        (4, 1, True, True, (1, False, False)),
        (5, 6, False, False, (4, True, False)),
        (7, 2, True, False, (0, True, False)),
        (8, 3, True, False, (1, True, False)),
        (9, 3, False, False, (3, False, False)),
        (10, 4, True, False, (2, True, False)),
        (12, 4, False, False, (4, False, False)),
        (14, 9, False, False, (4, True, False)),
    ],
)
def test_hits_on_soviet_attackers(
    left: int, more: int, few: bool, vacated: bool, result: tuple[int, bool, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps left by hits left; in brackets with few cards, unless a VP hex was vacated; beyond the table nothing."""
    monkeypatch.setattr(cards, "few_cards", lambda table: few)
    rulebook = games.rulebook("kharkov")
    game = rulebook.game(rulebook.scenarios[0].id, {})
    table = Table(game, game.new_position())
    assert attacker_result(table, left, more, vacated_vp=vacated) == result
