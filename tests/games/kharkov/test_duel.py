"""A duel in the Third Battle of Kharkov: whatever two players do, the same cards, chits and dice come up for both."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import games
from engine import facts as f
from engine.bots import RandomLegal
from engine.campaign import Campaign, verify
from engine.dice import secret_from_seed
from engine.log import items
from engine.position import Position, apply
from engine.table import Table
from pbem.cli import app
from tests.pbem.desk.duellists import ANNA, BERT, GAMES, Duellists, plain

WORDS = {"german 1": "three herons", "german 2": "two storks"}
BY_TURN = re.compile(r".+ \d+")


def played(bot: int, last: int) -> Campaign:
    """A game of the longer scenario, played by anybody up to a turn."""
    game = games.find_game("kharkov", "star_and_gallop", {})
    campaign = Campaign.new(None, game, secret=secret_from_seed(1943), nonces=WORDS)
    player = RandomLegal(bot)
    while not campaign.over and campaign.position.turn <= last:
        campaign.converse("german", lambda ask: player.answer(campaign.referee.table, ask))
    return campaign


@pytest.fixture(scope="module")
def two() -> tuple[Campaign, Campaign]:
    """Two who play quite differently."""
    return played(3, 3), played(8, 3)


def rolls(campaign: Campaign) -> Iterator[dict[str, object]]:
    for line in campaign.lines():
        yield from (item.body for item in items(line) if item.kind == "roll")


def dealt(campaign: Campaign) -> dict[tuple[str, int], list[str]]:
    """What was dealt from each pile as it lay after a shuffle, in its order."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for body in rolls(campaign):
        if "of" in body:
            found[str(body["stream"]), int(body["shuffle"])].append(body["of"][body["value"] - 1])  # type: ignore[index,operator,call-overload]
    return found


def test_every_die_and_shuffle_is_one_of_its_turn(two: tuple[Campaign, Campaign]) -> None:
    streams = {str(body["stream"]) for campaign in two for body in rolls(campaign) if "of" not in body}
    assert {stream for stream in streams if not BY_TURN.fullmatch(stream)} <= {"setup"}
    assert any(stream.startswith("advance ") for stream in streams)


def test_the_same_die_falls_the_same_in_both_games(two: tuple[Campaign, Campaign]) -> None:
    cast = [{(b["stream"], b["k"]): b["value"] for b in rolls(campaign) if "of" not in b} for campaign in two]
    common = cast[0].keys() & cast[1].keys()
    assert len(common) > 20
    assert all(cast[0][one] == cast[1][one] for one in common)


def test_both_meet_their_cards_and_chits_in_the_same_order_whatever_each_has_drawn(
    two: tuple[Campaign, Campaign],
) -> None:
    one, other = map(dealt, two)
    assert any(len(one[pile]) != len(other[pile]) for pile in one.keys() & other.keys())
    turns = set()
    for pile in one.keys() & other.keys():
        both = set(one[pile]) & set(other[pile])
        assert [card for card in one[pile] if card in both] == [card for card in other[pile] if card in both], pile
        if pile[0] == "pile soviet pile" and len(both) > 2:
            turns.add(pile[1])
    assert {1, 2001} <= turns  # the Soviet command cards of turns 1 and 2, at least


@pytest.mark.case("kharkov", "12.32")
def test_a_card_used_again_leaves_the_order_of_the_commands_as_it_was(two: tuple[Campaign, Campaign]) -> None:
    for campaign in two:
        streams = [str(body["stream"]) for body in rolls(campaign) if "of" not in body]
        assert streams.count("pile soviet pile 2") == 1  # by Card Preparation alone
    assert any("for tactics" in str(body["stream"]) for campaign in two for body in rolls(campaign) if "of" not in body)


@pytest.mark.case("kharkov", "17.2")
@pytest.mark.parametrize(
    ("result", "winner", "level"),
    [
        ("German strategic victory", "german", 3),
        ("German tactical victory", "german", 1),
        ("draw", "", 0),
        ("German tactical defeat", "soviet", -1),
        ("German operational defeat", "soviet", -2),
        ("German strategic defeat", "soviet", -3),
    ],
)
def test_an_end_has_its_level(result: str, winner: str, level: int) -> None:
    game = games.find_game("kharkov", "campaign", {})
    position = Position(game.setting)
    apply(position, f.GameEnded(result=result, winner=winner))
    assert game.level(Table(game, position)) == level


def test_two_who_order_the_same_by_mail_have_the_same_log_and_are_compared(tmp_path: Path) -> None:
    office = Duellists(tmp_path, "kharkov", "german")
    office.begin_duel(scenario="initial_assault")
    for _ in range(30):  # a turn has fewer mails than that
        if office.campaign(ANNA).position.turn < 2:
            for who in GAMES:
                office.write(who, "\n".join(["default"] * 12))
    assert office.campaign(ANNA).position.turn == 2
    one, other = (office.campaign(who).lines() for who in GAMES)
    assert len(one) > 2
    assert plain(one) == plain(other)
    assert office.duel().compared == 1
    for who in GAMES:
        (told,) = office.told(who, of="duel/1/turn/1/")
        assert "THE DUEL AFTER TURN 1" in told
        assert re.search(r"Soviet points +(\d+) +\1\b", told)
        assert re.search(r"German steps lost +(\d+) +\1\b", told)
    assert office.row(BERT).state == office.row(ANNA).state
    for name in GAMES.values():
        assert verify(office.house.log_path(name), games.find_game).ok
    office.house.close()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (f"kharkov {ANNA} {BERT} --soviet carl@hill.example", "--soviet is not for a duel (the rules play soviet)"),
        (f"kharkov --german {ANNA} {BERT}", "write `game duel kharkov ADDRESS ADDRESS`"),
        (f"kharkov {ANNA} {ANNA}", "anna@mill.example cannot play against himself"),
        (f"kharkov {ANNA} {BERT} --scenario stalingrad", "stalingrad"),
        (f"kharkov {ANNA} {BERT} --option adjustment=mud", "adjustment"),
        (
            f"kharkov {ANNA} {BERT} --option adjustment=choose",
            "write `--option adjustment=VALUE` with one of: die, raus",
        ),
        (f"korsun_spi {ANNA} {BERT}", "write `game new korsun_spi --soviet ADDRESS --german ADDRESS`"),
    ],
)
def test_the_terminal_says_what_to_write_and_nothing_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, says: str
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["game", "duel", *words.split()])
    assert done.exit_code != 0
    assert says in " ".join(done.output.split())
    assert not list((tmp_path / "home" / "games").iterdir())


def test_the_terminal_explains_a_duel() -> None:
    told = " ".join(CliRunner().invoke(app, ["game", "duel", "--help"]).output.split())
    assert "whoever has not ended one in its time (14 days, unless you say so) has lost" in told
    assert "ends the duel" in told
