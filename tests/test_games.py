"""The library finds its rulebooks by itself."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

import games
from engine.bots import RandomLegal
from engine.campaign import Campaign
from engine.campaign.folding import opened
from engine.table import Table
from pbem.cli import app
from tests.engine.skirmish import RULEBOOK
from tests.pbem.shelf import only


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch):
    only(monkeypatch, RULEBOOK)


def test_every_folder_that_offers_a_rulebook_is_found_under_its_own_name():
    for name, rulebook in games.rulebooks().items():
        assert rulebook.id == name == rulebook.folder.name


@pytest.mark.usefixtures("library")
def test_a_game_is_found_by_its_rulebook_scenario_and_options():
    assert games.find_game("skirmish", "meadow", {"weather": True}).options == {"weather": True}
    assert games.find_game("skirmish").scenario == "meadow"


@pytest.mark.usefixtures("library")
def test_a_misspelt_game_is_answered_with_what_there_is():
    with pytest.raises(games.NoSuchGame, match="did you mean skirmish"):
        games.rulebook("skirmsh")
    with pytest.raises(games.NoSuchGame, match="there is skirmish"):
        games.rulebook("zzz")


def test_a_draft_is_found_by_its_name_and_offered_to_nobody(monkeypatch: pytest.MonkeyPatch):
    draft = replace(RULEBOOK, draft=True)
    monkeypatch.setattr(games, "_shelved", lambda: ({draft.id: draft}, []))
    assert games.titles() == {}
    assert games.title(draft.id) is draft
    said = CliRunner().invoke(app, ["games"]).output
    assert f"Being written, and not offered yet: {draft.id}" in said


@pytest.mark.parametrize("name", games.rulebooks())
def test_every_unit_can_be_named_in_every_list_whatever_it_is_called(name):
    """An HQ called Step is no idle word."""
    game = games.find_game(name)
    position, _ = opened(game)
    here = game.setting.grid.number_of(0)
    for unit in game.setting.roster:
        reading = Table(game, position).reading(unit.side)
        for verb in (f"lose {unit.id}", f"lose {unit.id} 2", f"retreat {unit.id} {here}", f"advance {unit.id} {here}"):
            assert game.book.read(verb, reading).line() == verb
        assert game.book.read(f"lose {unit.id} 2 steps", reading).line() == f"lose {unit.id} 2"


@pytest.mark.parametrize("name", games.rulebooks())
def test_every_question_says_which_orders_answer_it(name):
    """A standing order with any other would be taken, and never used."""
    game = games.find_game(name)
    campaign, bot = Campaign.new(None, game, seed=11), RandomLegal(4, restless=40)
    for side in game.sides:
        campaign.stand(side, "when asked: ask")
    asked = set()
    for _ in range(500):
        if campaign.over:
            break
        ask = next(one for one in campaign.asks if campaign.drawer.sealed(one.key) is None)
        if ask.name in game.questions:
            asked.add(ask.name)
            assert set(ask.verbs) <= set(game.questions[ask.name].verbs), ask.key
        campaign.submit(ask.side, [bot.answer(campaign.referee.table, ask)])
    assert len(asked) > 1


@pytest.mark.parametrize("name", games.rulebooks())
def test_the_answers_that_a_question_proposes_are_taken(name):
    game = games.find_game(name)
    campaign = Campaign.new(None, game, seed=11)
    for question in game.questions.values():
        for answer in question.answers:
            assert campaign.stand(game.sides[0], f"when {question.name}: {answer}").answer == answer
