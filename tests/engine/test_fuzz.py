"""Fuzzing finds what is planted, and nothing in a game that is sound."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine import facts as f
from engine.asks import Ask, Procedure
from engine.fuzz import fuzz, play_one
from engine.game import Game
from engine.orders.choice import Choice, pick
from engine.table import Table
from tests.engine.skirmish import End, Lose, Stay, skirmish


def test_a_sound_game_has_no_faults():
    report = fuzz(skirmish, 12, seed=1)
    assert report.faults == []
    assert report.to_json()["games"] == 12
    assert report.results == {"draw": 12}
    assert report.winners == {"nobody": 12}
    assert json.loads(json.dumps(report.to_json()))["game"] == "skirmish"


def test_sensible_bots_can_be_sent_too():
    assert fuzz(skirmish, 3, bots="sensible").faults == []


def test_the_score_after_each_turn_is_told_as_a_mean():
    def scored() -> Game:
        return replace(skirmish(), score=lambda table: {"red": table.position.turn})

    report = fuzz(scored, 3, seed=1)
    last = max(report.means())
    assert report.means() == {turn: {"red": float(turn), "games": 3} for turn in range(1, last + 1)}  # before the next
    assert fuzz(skirmish, 1).to_json()["scores"] == {}


def test_two_workers_find_what_one_finds():
    seen: list[int] = []
    report = fuzz(skirmish, 4, seed=1, workers=2, progress=lambda done, of: seen.append(done))
    assert seen == [1, 2, 3, 4]
    assert report.answers == fuzz(skirmish, 4, seed=1).answers


def kinds_of(game: Game) -> set[str]:
    return {fault.kind for fault in play_one(game, 1).faults}


def ask(default: type[End] | type[Lose] = End, choices: tuple[Choice, ...] = (Choice(End),)) -> Ask:
    def made() -> End | Lose:
        return Lose(unit="R1") if default is Lose else End()

    return Ask("red", "x", "", "?", (End,), made, lambda: choices, top=True)


def game_that(play: object) -> Game:
    return replace(skirmish(), play=play)  # type: ignore[arg-type]


def test_a_crash_is_told_with_where_it_happened():
    def play(table: Table) -> Procedure:
        yield f.StageBegan(stage="s", turn=1, side="red")
        yield ask()
        raise ZeroDivisionError("by nought")

    [fault] = play_one(game_that(play), 7).faults
    assert (fault.kind, fault.seed, fault.line) == ("crash", 7, "end")
    assert "ZeroDivisionError" in fault.what
    assert "test_fuzz.py" in fault.where[-1]


def test_a_default_that_is_refused_is_a_dead_end():
    def play(table: Table) -> Procedure:
        yield ask(default=Lose)
        yield f.GameEnded(result="draw")

    assert "dead end" in kinds_of(game_that(play))


def test_an_option_that_is_refused_is_a_dead_end():
    def play(table: Table) -> Procedure:
        yield ask(choices=(Choice(Stay),))
        yield f.GameEnded(result="draw")

    assert "dead end" in kinds_of(game_that(play))


def test_an_ask_without_options_is_a_dead_end():
    def play(table: Table) -> Procedure:
        yield ask(choices=())
        yield f.GameEnded(result="draw")

    assert "dead end" in kinds_of(game_that(play))


def test_an_option_that_leads_nowhere_is_a_dead_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("engine.fuzz.PROBE", 1)

    def play(table: Table) -> Procedure:
        yield ask(choices=(Choice(End), pick(Lose, "unit", tuple)))
        yield f.GameEnded(result="draw")

    assert "dead end" in kinds_of(game_that(play))


def test_play_that_stops_without_a_result_is_a_dead_end():
    def play(table: Table) -> Procedure:
        yield ask()

    assert "dead end" in kinds_of(game_that(play))


def test_a_position_that_is_not_whole_is_found():
    assert "position" in kinds_of(replace(skirmish(), faults=lambda table: ["R1 is in two places"]))


def test_rules_that_remember_what_the_position_does_not_are_found_by_the_log():
    rolls: list[int] = []

    def play(table: Table) -> Procedure:
        yield ask()
        rolls.append(1)
        yield f.Told(text=f"for the {len(rolls)}. time")
        yield f.GameEnded(result="draw")

    assert "log" in kinds_of(game_that(play))
