"""The library finds its rulebooks by itself."""

import pytest

import games
from tests.engine.skirmish import RULEBOOK


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(games, "_scan", lambda: (RULEBOOK,))


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
