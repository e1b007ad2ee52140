"""Goals of the benchmarks: the usual ones, those of a rulebook, and the figure of a side that the rules play."""

from pathlib import Path

import pytest

import games
from engine.bots import play
from engine.campaign import Campaign
from engine.folder import read_title
from engine.rulebook import BadTables
from pbem.workshop.bench import engine_figures
from pbem.workshop.bench.goals import Goals
from pbem.workshop.bench.played import Played, bots_for


def test_a_rulebook_that_says_nothing_has_the_usual_goals() -> None:
    goals = Goals.of({})
    assert goals.scenario == ""
    assert goals.said("verify_facts_per_s") == "at least 10,000"
    assert goals.said("order_ms") == ""
    assert goals.met("verify_facts_per_s", 10_000)
    assert not goals.met("verify_facts_per_s", 9_999)
    assert goals.met("order_ms", 10_000)


def test_what_a_rulebook_states_stands_before_the_usual() -> None:
    goals = Goals.of({"scenario": "long", "at_least": {"verify_facts_per_s": 8000}, "at_most": {"order_ms": 3}})
    assert goals.scenario == "long"
    assert goals.said("verify_facts_per_s") == "at least 8,000"
    assert goals.said("resume_ms") == "at most 50"
    assert goals.met("order_ms", 3)
    assert not goals.met("order_ms", 3.1)


def test_goals_that_are_no_numbers_are_named() -> None:
    with pytest.raises(BadTables, match=r"bench\.at_most\.order_ms"):
        Goals.of({"at_most": {"order_ms": "fast"}})


def test_a_rulebook_states_them_at_the_head_of_its_scenarios(tmp_path: Path) -> None:
    head = 'title = "T"\nabout = "A"\nversion = "t/1"\nscenarios = {}\nswitches = {}\n[bench]\nscenario = "long"\n'
    (tmp_path / "scenarios.toml").write_text(head, encoding="utf-8")
    assert read_title(tmp_path).bench == {"scenario": "long"}


def test_a_side_that_the_rules_play_has_a_figure_of_its_own() -> None:
    game = games.find_game("kharkov", "initial_assault")
    campaign = Campaign.new(None, game, seed=6)
    play(game, bots_for(game, 6), campaign=campaign)
    played = Played(game, 6, campaign.secret, campaign.lines())
    [(name, value, workload)] = engine_figures.played_by_rules(played)
    assert name == "played_p95_ms"
    assert value > 0
    assert "for a side that they play" in workload
