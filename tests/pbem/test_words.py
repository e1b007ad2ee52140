"""Every fact has its sentence, and a run of small ones is told in one."""

from __future__ import annotations

from dataclasses import replace

import pytest

import games
from engine import facts as f
from pbem.wording import words
from tests.engine.toy import toy


def test_every_fact_of_the_vocabulary_has_a_sentence() -> None:
    assert set(f.type_of.values()) == set(words._SENTENCES) | set(words._RUNS)


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (f.Moved(unit="RD6", path=("2608", "2609"), how="retreat"), "RD6 retreated 2608-2609."),
        (f.StepLost(unit="RD6", because="9.66"), "RD6 lost a step. [9.66]"),
        (f.StepLost(unit="GTC5", steps=2), "GTC5 lost 2 steps."),
        (f.Marked(subject="@2708", mark="mud", value=None), "Hex 2708 no longer mud."),
        (f.StageBegan(stage="soviet.combat", turn=2, side="soviet"), "Turn 2: soviet combat."),
        (f.GameEnded(result="draw", points=(("soviet", 3),)), "The game ended: draw (soviet 3)."),
        (f.Told(text="Snow falls"), "Snow falls."),
        (f.Marked(subject="@2420/2520", mark="blown"), "Hexside 2420/2520 blown."),
        (f.Wiped(marks=("moved", "dug_in"), side="red"), "Off all of red: moved, dug in."),
        (f.Sighted(unit="88", by="red", at="2608", lost=None), "Red sighted 88 at 2608, strength not known."),
        (f.Doubted(unit="88", by="red"), "Red no longer knows the strength of 88."),
        (
            f.Chose(who="soviet", what="chose RD6", by="near", trace=(("strong", ("RD6", "RD7")), ("near", ("RD6",)))),
            "Soviet chose RD6: near (strong: RD6, RD7; near: RD6).",
        ),
    ],
)
def test_a_fact_reads_as_a_sentence(fact: f.Fact, sentence: str) -> None:
    assert list(map(str, words.said(toy(), [fact]))) == [sentence]


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (f.Sighted(unit="88", by="red", at="2608", lost=2), "You see 88 at 2608, 2 steps lost."),
        (f.LostSight(unit="88", by="red"), "You lost sight of 88."),
        (f.Doubted(unit="88", by="red"), "You no longer know the strength of 88."),
    ],
)
def test_a_side_reads_of_what_it_sees_as_its_own(fact: f.Fact, sentence: str) -> None:
    assert list(map(str, words.said(toy(), [fact], "red"))) == [sentence]
    assert list(map(str, words.said(toy(), [fact], "blue"))) != [sentence]


def test_units_placed_together_are_told_by_hex() -> None:
    placed = [f.Placed(unit=unit, at=at) for unit, at in (("RD6", "2608"), ("88", "2509"), ("GTC5", "2608"))]
    assert list(map(str, words.said(toy(), placed))) == ["Placed: 2608 RD6, GTC5; 2509 88."]


def test_an_attack_tells_its_odds_its_working_and_its_result() -> None:
    fought = f.Fought(
        kind="combat",
        attackers=("GTC5", "RD6"),
        defenders=("88",),
        targets=("2608",),
        column="3-1",
        decided=(("die", "4"),),
        result="-/2",
        working=(("12 to 4", "9.4"), ("town: one column left", "")),
    )
    assert list(map(str, words.said(toy(), [fought]))) == [
        "Combat by GTC5, RD6 on 88 in 2608: 3-1 (12 to 4 [9.4]; town: one column left), die 4: -/2."
    ]


def test_units_that_went_the_same_way_are_told_together() -> None:
    moved = [f.Moved(unit=unit, path=path, how="retreat") for unit, path in (("A", ("1", "2")), ("B", ("1", "2")))]
    assert list(map(str, words.said(toy(), moved))) == ["A, B retreated 1-2."]


@pytest.mark.parametrize(
    ("decided", "said"),
    [
        ((("die", "4"),), "die 4"),
        ((("die", "2"), ("die", "5")), "dice 2 and 5"),
        ((("chit", "R7"), ("die", "3"), ("chit", "B1")), "chits R7 and B1, die 3"),
        ((), ""),
    ],
)
def test_a_fight_is_decided_by_whatever_was_rolled_or_drawn(decided: tuple[tuple[str, str], ...], said: str) -> None:
    fought = f.Fought(
        kind="combat", attackers=(), defenders=(), targets=(), column="", decided=decided, result=""
    )  # fmt: skip
    assert words.decided(fought) == said


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("5 Gds Tank: 12", ("5 Gds Tank", "12")),
        ("strength: of RD6: 7 (halved: river)", ("strength: of RD6", "7 (halved: river)")),
        ("nothing to add", ("nothing to add", "")),
    ],
)
def test_a_line_of_working_is_parted_by_its_last_colon_outside_brackets(line: str, parts: tuple[str, str]) -> None:
    assert words.parted(line) == parts


def test_pools_and_tracks_that_a_game_keeps_quiet_are_in_no_letter() -> None:
    game = replace(toy(), quiet=frozenset({"weather"}))
    assert game.keeps_quiet(f.Pooled(pool="weather", items=("mud",)))
    assert game.keeps_quiet(f.Counted(track="weather", value=2))
    assert not game.keeps_quiet(f.Counted(track="score", value=2))


def sentences(*facts: f.Fact) -> list[str]:
    return [one.text for one in words.said(games.rulebook("jaws").game(), facts)]


def test_tracks_are_told_as_their_game_says_them() -> None:
    held = [f.Counted(track=f"sp {sdm}", value=value) for sdm, value in (("SDM-7K-2", 1), ("SDM-5SS", 4))]
    assert sentences(held[0]) == ["Supply points: SDM-7K-2 has 1."]
    assert sentences(*held) == ["Supply points: SDM-7K-2 has 1, SDM-5SS has 4."]
    assert sentences(f.Counted(track="korsun", value=12), held[1]) == [
        "SPs in Korsun: 12. Supply points: SDM-5SS has 4."
    ]
    assert sentences(f.Counted(track="of_no_game", value=2)) == ["Of no game: 2."]


def test_marks_are_told_as_their_game_says_them() -> None:
    assert sentences(f.Marked(subject="105/72", mark="oos", value=2)) == ["105/72 out of supply, level 2."]
    assert sentences(f.Marked(subject="105/72", mark="oos")) == ["105/72 out of supply."]
    assert sentences(f.Marked(subject="105/72", mark="oos", value=None)) == ["105/72 no longer out of supply."]
    assert sentences(f.Marked(subject="Art72", mark="fired", value=None)) == ["Art72 with ammunition again."]
    assert sentences(f.Marked(subject="game", mark="breakout", value=9)) == ["The Breakout was declared on turn 9."]
    assert sentences(f.Marked(subject="game", mark="wanda", value="over")) == ["Operation Wanda is over."]
