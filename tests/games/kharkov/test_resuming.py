"""Wherever the player is asked, the game can be entered from the position: no Soviet impulse is run again."""

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from engine.asks import Ask
from engine.bots import RandomLegal, play
from engine.campaign import Campaign
from engine.cases import run_case
from engine.orders.order import Order
from engine.referee import Referee, Reply
from engine.table import Table
from games.kharkov.data import GERMAN
from games.kharkov.game import RULEBOOK

CASES = Path(__file__).parents[2] / "cases" / "kharkov"
IN_SOVIET_COMBAT = [
    path for case in ("12.3", "12.5", "12.6", "12.7", "13.23", "18.34") for path in sorted(CASES.glob(f"{case}*.case"))
]


def same_again(referee: Referee) -> Ask:
    """The ask at which the game stands, once it is sure that it is entered there from the position alone."""
    ask = referee.asks[0]
    german = referee.position.stage.startswith("german")  # a German attack is run again from where it was declared
    assert german or (ask.top or (ask.entry and not referee.since)), ask.key
    twin = referee.twin()
    assert (twin.asks[0].key, twin.asks[0].prompt) == (ask.key, ask.prompt)
    assert [choice.line() for choice in twin.asks[0].choices()] == [choice.line() for choice in ask.choices()]
    assert twin.position.hash() == referee.position.hash()
    return ask


@pytest.mark.case("kharkov", "12.0-S")
def test_at_every_ask_of_a_game_nothing_is_run_again() -> None:
    seen: Counter[str] = Counter()
    campaign = Campaign.new(None, RULEBOOK.game("star_and_gallop"), seed=3)

    def watch(table: Table, ask: Ask) -> Ask:
        seen[same_again(campaign.referee).name] += 1
        return ask

    play(campaign=campaign, bots={GERMAN: RandomLegal(3)}, watch=watch)
    assert {"attacked", "hits", "loss", "impulse"} <= set(seen)


@pytest.mark.parametrize("path", IN_SOVIET_COMBAT, ids=lambda path: path.stem)
def test_in_the_middle_of_a_combat_or_surrender_nothing_is_run_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Checked(Referee):
        def submit(self, side: str, said: str | Sequence[Order], *, skip: bool = False) -> Reply:
            if self.asks and not self.over:
                same_again(self)
            return super().submit(side, said, skip=skip)

    monkeypatch.setattr(import_module("engine.cases.run_case"), "Referee", Checked)
    run_case(path, RULEBOOK)
