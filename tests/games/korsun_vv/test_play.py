"""Whole campaigns: bots finish them, the pocket closes, and a whole activation goes by one mail."""

from __future__ import annotations

import pytest

from engine import hexset
from engine.bots import RandomLegal, Sensible, play
from engine.campaign import Campaign, verify_lines
from engine.campaign.folding import opened
from engine.facts import Placed
from games.korsun_vv.game import RULEBOOK
from games.korsun_vv.judgement.worth import waist
from games.korsun_vv.names import GERMAN, RUSSIAN
from games.korsun_vv.rules.ground import fighters
from games.korsun_vv.rules.pocket import formed

SET_UP = "place Koller/5SS at 2710\nplace Cossacks at 0805"


def begun(scenario: str = "battle", **options: object) -> Campaign:
    """A game at the first activation of turn 1."""
    campaign = Campaign.new(None, RULEBOOK.game(scenario, options), seed=5)
    campaign.submit(GERMAN, SET_UP)
    campaign.submit(RUSSIAN, "allot 4GA katyusha katyusha, 53A katyusha")
    campaign.submit(GERMAN, "allot 47PzK artillery stug, 11AK artillery")
    return campaign


@pytest.mark.parametrize("fog", [False, True])
def test_random_players_finish_the_short_scenario_and_its_log_is_true(fog: bool) -> None:
    game = RULEBOOK.game("encirclement", {"fog": fog})
    campaign = play(game, {RUSSIAN: RandomLegal(1), GERMAN: RandomLegal(2)}, seed=3).campaign
    assert campaign.position.ended
    assert game.faults(campaign.referee.table) == []
    assert verify_lines(campaign.lines(), None, lambda *named: game).ok


def test_sensible_players_activate_formations_and_take_ground() -> None:
    game = RULEBOOK.game("encirclement")
    campaign = play(game, {RUSSIAN: Sensible(1), GERMAN: Sensible(2)}, seed=3, turns=1).campaign
    assert game.faults(campaign.referee.table) == []
    start = opened(game)[0].where
    moved = [u for u in campaign.position.on_map(RUSSIAN) if campaign.position.where[u] != start[u]]
    assert len(moved) > 20


def test_a_closed_ring_makes_a_pocket_that_lives_to_the_end() -> None:
    campaign = begun()
    table = campaign.referee.table
    spots = [h for h in hexset.members(waist(table)) if not table.position.at(h)]
    units = fighters(table, table.position.on_map(RUSSIAN))
    ring = [Placed(unit=unit, at=table.grid.number_of(h)) for unit, h in zip(units, spots, strict=False)]
    campaign.correct([*ring, Placed(unit="217/57", at="1607")], by="moderator")
    campaign.submit(RUSSIAN, "pass")
    campaign.submit(GERMAN, "pass")
    assert formed(campaign.referee.table)
    play(campaign=campaign, bots={RUSSIAN: RandomLegal(7), GERMAN: RandomLegal(8)})
    assert campaign.position.ended
    assert campaign.game.faults(campaign.referee.table) == []
    assert verify_lines(campaign.lines(), None, lambda *named: campaign.game).ok


def test_a_whole_activation_goes_by_one_mail_with_conditions_where_dice_fall() -> None:
    campaign = begun()
    reply = campaign.submit(
        RUSSIAN,
        """
        activate 4GA with 11GCD, 12GCD
        prepared attack 2912 with 5GAD, 375RD, 252RD support katyusha, katyusha; hold; advance 5GAD
        if 2912 is taken or 2912 has breakthrough:
          move 31RD to 2912
        else:
          move 31RD to 3111
        end if
        if 31RD has 1 or more ap: dig in 31RD
        end
        """,
    )
    assert not reply.refused
    assert campaign.position.mark("31RD", "dug in") == 1
    assert campaign.position.where["31RD"] in ("2912", "3111")
    assert campaign.asks[0].name == "activation"  # 18.0-b: a second formation in a row
