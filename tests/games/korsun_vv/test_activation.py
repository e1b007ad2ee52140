"""Activations by mail: whole, in parts, under conditions; and what fatigue and flight do to a unit's strength."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.bots.random_legal import RandomLegal
from engine.campaign import Campaign
from engine.facts import Fact, Marked, Placed
from engine.folder import read_toml
from engine.position import Position
from engine.table import Table
from games.korsun_vv.data import FOLDER
from games.korsun_vv.game import RULEBOOK
from games.korsun_vv.rules.ground import zoc
from games.korsun_vv.rules.odds import odds
from tests.patience import patience

RUSSIAN, GERMAN = "russian", "german"


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_vv", *numbers)


def first_sequence(seed: int) -> Campaign:
    """The battle, led by defaults to the Russian's first choice."""
    campaign = Campaign.new(None, RULEBOOK.game("battle"), seed=seed)
    waiting = patience("the first choice of the Russians")
    while campaign.position.stage != "russian.sequence":
        next(waiting)
        ask = next(a for a in campaign.asks if campaign.drawer.sealed(a.key) is None)
        campaign.submit(ask.side, ask.default().line())
    return campaign


def activation_of(hq: str, seed: int) -> list[str]:
    """The lines of some activation, every question in it answered by a line of its own."""
    campaign, bot = first_sequence(seed), RandomLegal(seed, restless=9)
    lines = [f"activate {hq}"]
    campaign.submit(RUSSIAN, lines[0])
    waiting = patience("the end of the activation")
    while campaign.position.stage == "russian.activation":
        next(waiting)
        ask = campaign.asks[0]
        lines.append(bot.answer(campaign.referee.table, ask).line())
        campaign.submit(RUSSIAN, lines[-1])
    return lines


def played(seed: int, *mails: Sequence[str]) -> Position:
    campaign = first_sequence(seed)
    for mail in mails:
        reply = campaign.submit(RUSSIAN, "\n".join(mail))
        assert not reply.refused
        assert all(line.state == "done" for line in reply.lines)
    return campaign.position


@case("3.4-a", "3.4.2-a")
@pytest.mark.parametrize(("hq", "seed"), [("4GA", 3), ("53A", 7), ("5GTA", 8), ("40A", 2)])
def test_an_activation_cut_into_two_mails_anywhere_comes_out_the_same(hq: str, seed: int) -> None:
    lines = activation_of(hq, seed)
    assert len(lines) > 4
    whole = played(seed, lines)
    assert whole.stage != "russian.activation"
    for cut in range(1, len(lines)):
        assert played(seed, lines[:cut], lines[cut:]).hash() == whole.hash(), f"cut before {lines[cut]!r}"


@case("3.4-a")
def test_half_an_activation_is_taken_up_from_the_file_where_it_stopped(tmp_path: Path) -> None:
    lines = activation_of("40A", 2)
    whole = played(2, lines)
    for cut in range(1, len(lines)):
        campaign = first_sequence(2)
        campaign.submit(RUSSIAN, "\n".join(lines[:cut]))
        campaign.save(tmp_path / f"{cut}.jsonl")
        again = Campaign.open(tmp_path / f"{cut}.jsonl", lambda _, scenario, options: RULEBOOK.game(scenario, options))
        again.submit(RUSSIAN, "\n".join(lines[cut:]))
        assert again.position.hash() == whole.hash(), f"cut before {lines[cut]!r}"


@case("2.1-b")
def test_an_allotment_shows_only_when_both_are_in() -> None:
    campaign = Campaign.new(None, RULEBOOK.game("battle"), seed=1)
    waiting = patience("the support segment")
    while campaign.position.stage != "support":
        next(waiting)
        campaign.submit(GERMAN, campaign.asks[0].default().line())
    shown = campaign.export(RUSSIAN)
    campaign.submit(GERMAN, "allot 47PzK stug")
    assert [a.side for a in campaign.asks if campaign.drawer.sealed(a.key) is None] == [RUSSIAN]
    assert campaign.export(RUSSIAN) == shown
    campaign.submit(RUSSIAN, "no allotment")
    assert campaign.position.pools["47PzK available"] == ("stug",)


# What a unit is worth


def laid_out(*facts: Fact) -> Table:
    """A battle with nobody on the map but those who are put there."""
    game = RULEBOOK.game("battle")
    return Table(game, game.new_position()).suppose(facts)


@case("3.5.1", "3.6")
@pytest.mark.parametrize("mark", ["fatigued", "disorganized"])
def test_fatigue_and_flight_halve_a_unit_in_attack_and_in_defence(mark: str) -> None:
    for mine, theirs in (("7GAD", "585/320"), ("213RD", "105/72"), ("29TC-1", "Koller/5SS"), ("16TC", "Bake")):
        fresh = laid_out(Placed(unit=mine, at="3417"), Placed(unit=theirs, at="3418"))
        tired = fresh.suppose([Marked(subject=unit, mark=mark, value=1) for unit in (mine, theirs)])
        target = fresh.grid.hex("3418")
        before, after = odds(fresh, [mine], target), odds(tired, [mine], target)
        assert after.attack == (before.attack + 1) // 2
        assert after.defence == (before.defence + 1) // 2


@case("3.6")
def test_tired_and_disorganized_is_a_quarter() -> None:
    table = laid_out(
        Placed(unit="16TC", at="3417"),
        Placed(unit="585/320", at="3418"),
        Marked(subject="16TC", mark="fatigued", value=1),
        Marked(subject="16TC", mark="disorganized", value=1),
    )
    full = table.unit("16TC").value("strength")
    assert odds(table, ["16TC"], table.grid.hex("3418")).attack == (full * 2 + 4) // 8


# Zones of control


@case("4.1-a", "4.1-b")
def test_a_zone_is_the_hex_and_its_neighbours_but_for_those_over_a_river_on_the_whole_map() -> None:
    empty = laid_out()
    rivers = {
        frozenset(pair.split("/")) for row in read_toml(FOLDER, "map.toml")["sides"] for pair in row["sides"].split()
    }
    grid, land = empty.grid, empty.data.land
    for h in (h for h in empty.board.kinds if land >> h & 1):
        spot = grid.number_of(h)
        table = empty.suppose([Placed(unit="585/320", at=spot)])
        dry = {n for n in grid.neighbours(h) if land >> n & 1 and frozenset((spot, grid.number_of(n))) not in rivers}
        assert {n for n in empty.board.kinds if zoc(table, GERMAN) >> n & 1} == {h, *dry}, spot
