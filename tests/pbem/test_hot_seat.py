"""Two people at one terminal: a sealed answer is told as taken, and nobody is shown the other side's secrets."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import games
from engine.bots import RandomLegal
from engine.campaign import Campaign
from engine.log import items
from engine.log.lines import readable_by
from pbem.cli import app
from pbem.cli.ordering import secretive
from pbem.wording.words import told
from tests.patience import patience

LOG = ("--log", "a.jsonl")
GAMES = {
    "korsun_vv": ("--scenario", "encirclement", "--option", "fog=yes"),
    "manstein": ("--scenario", "race"),
}


def pbem(*args: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, args, input=stdin)


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    monkeypatch.chdir(tmp_path)
    assert pbem("new", request.param, *LOG, "--seed", "5", *GAMES[request.param]).exit_code == 0
    return str(request.param)


def opened() -> Campaign:
    return Campaign.open("a.jsonl", games.find_game)


def order(side: str, text: str) -> str:
    return pbem("order", *LOG, "--side", side, "-", stdin=f"{text}\n").stdout


def up_to_two_asked(campaign: Campaign) -> Campaign:
    waiting = patience("a question to both", 50)
    while len(campaign.asks) < 2:
        next(waiting)
        order(campaign.asks[0].side, "default")
        campaign = opened()
    return campaign


def test_a_sealed_answer_is_told_as_taken_and_who_is_waited_for(name: str) -> None:
    campaign = up_to_two_asked(opened())
    first, second = campaign.asks
    said = order(first.side, "default")
    assert "taken down" in said
    assert "Nothing was carried out" not in said
    assert f"Waiting for {second.side}" in said
    assert f"Asked of {first.side}" not in said
    assert second.prompt not in said


def test_what_a_hidden_question_may_be_answered_with_is_shown_to_its_side_alone(name: str) -> None:
    campaign = up_to_two_asked(opened())
    everybody = pbem("ask", *LOG).stdout
    for ask in campaign.asks:
        assert f"Waiting for {ask.side}" in everybody
        assert ask.default().line() not in everybody
        assert ask.default().line() in pbem("ask", *LOG, "--side", ask.side).stdout


@pytest.mark.parametrize("verb", [("log", "a.jsonl"), ("replay", "a.jsonl"), ("map", *LOG, "-o", "a.png")])
def test_a_game_under_way_with_secrets_is_shown_to_a_side_that_is_named(name: str, verb: tuple[str, ...]) -> None:
    for ask in up_to_two_asked(opened()).asks:
        order(ask.side, "default")
    result = pbem(*verb)
    assert result.exit_code == 2
    assert "say who reads it" in result.stderr
    assert pbem(*verb, "--side", opened().game.sides[0]).exit_code == 0


def test_an_order_shows_its_writer_nothing_that_he_may_not_know(name: str) -> None:
    bot, kept = RandomLegal(seed=5), 0
    for _ in range(40):
        campaign = opened()
        ask = next(ask for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None)
        said = order(ask.side, bot.answer(campaign.referee.table, ask).line()).splitlines()
        after = opened()
        happened = [item for line in after.since(campaign.count - 1) for item in items(line)]
        for item in (item for item in happened if not readable_by(item.audience, ask.side)):
            kept += 1
            assert not {f"  {sentence}" for sentence in told(after.game, [item])} & {*said}
        others = [other.side for other in after.asks if other.side != ask.side and secretive(after, other)]
        assert not any(line.startswith(f"Asked of {other}:") for other in others for line in said)
    assert kept
