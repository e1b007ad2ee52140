"""A skip: after a restore nobody knows what will be thrown or drawn, wherever the game stands, and nothing is told."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

import games
from engine.bots import RandomLegal
from engine.campaign import Campaign, GameClosed, replay, verify, verify_lines
from engine.dice import EVERY, STEP, Dice
from engine.log import items
from engine.rules.pools import shuffle_track
from tests.engine.ford import ATTACK, any_answer, begun, played, standing
from tests.engine.toy import toy

BOOKS = sorted(games.titles())
SOON = {"kharkov": 30}  # answers, of a game that a random bot soon loses


def rolls(campaign: Campaign, since: int) -> list[Mapping[str, object]]:
    return [item.body for line in campaign.since(since) for item in items(line) if item.kind == "roll"]


def by_a_bot(book: str, answers: int = 0) -> Campaign:
    game = games.find_game(book)
    campaign = Campaign.new(None, game, seed=1944, nonces={side: f"words of {side}" for side in game.sides})
    go_on(campaign, answers or SOON.get(book, 90))
    return campaign


def go_on(campaign: Campaign, answers: int, seed: int = 7) -> None:
    bot = RandomLegal(seed)
    for _ in range(answers):
        if campaign.over:
            break
        ask = next(ask for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None)
        campaign.submit(ask.side, [bot.answer(campaign.referee.table, ask)])


@pytest.mark.parametrize("book", BOOKS)
def test_every_stream_goes_on_elsewhere_and_the_log_verifies(book: str) -> None:
    campaign = by_a_bot(book)
    before = standing(campaign)
    line = campaign.skip(0).line
    assert line is not None
    assert line["skip"] == {EVERY: STEP}
    assert standing(campaign)[0] == before[0]
    assert standing(campaign)[3:5] == before[3:5]  # the asks and the drawer
    go_on(campaign, 60)
    later = rolls(campaign, line["n"])
    assert later
    assert all(body["k"] > STEP for body in later if "k" in body)  # type: ignore[operator]
    assert verify_lines(campaign.lines(), campaign.secret, games.find_game).ok
    assert replay(campaign.lines(), campaign.game).hash() == campaign.position.hash()


@pytest.mark.parametrize("book", BOOKS)
def test_all_that_could_be_thrown_or_drawn_is_another(book: str) -> None:
    """Stream by stream, used or not, and pile by pile: what an unskipped game would throw is not what comes."""
    campaign, twin = by_a_bot(book), by_a_bot(book)
    campaign.skip(0)
    streams = {*twin._dice.used, "never used before", *(f"advance {turn}" for turn in range(9))}
    for stream in streams:
        old, new = ([dice._dice.roll(stream, 1000).value for _ in range(4)] for dice in (twin, campaign))
        assert old != new
    for pile, cards in campaign.position.pools.items():
        shuffle = campaign.position.tracks.get(shuffle_track(pile))
        if shuffle is None or len(cards) < 6:
            continue
        orders = [
            sorted(set(cards), key=lambda card, dice=one._dice: dice.rank(f"{pile}/{shuffle}", card))  # type: ignore[misc]
            for one in (twin, campaign)
        ]
        assert orders[0] != orders[1]
    assert book != "kharkov" or any(track.endswith(" shuffle") for track in campaign.position.tracks)


@pytest.mark.parametrize("book", BOOKS)
def test_it_tells_nobody_how_often_or_for_what_dice_were_thrown(book: str) -> None:
    lines = [by_a_bot(book, answers).skip(0).line for answers in (5, 0)]
    for line in lines:
        assert line is not None
        assert (line["skip"], line["parts"]["all"]) == ({EVERY: STEP}, [])
        assert not any(line["parts"].values())


def test_a_second_one_skips_again_and_one_by_the_clock_goes_where_it_says() -> None:
    campaign = begun()
    campaign.submit("red", ATTACK)
    assert campaign.skip(0).line["skip"] == {EVERY: STEP}  # type: ignore[index]
    campaign.submit("blue", any_answer(campaign, random.Random(1))[1])
    assert campaign.skip(STEP).line["skip"] == {EVERY: 2 * STEP}  # type: ignore[index]
    assert campaign.skip(17 * STEP + 3).line["skip"] == {EVERY: 17 * STEP}  # type: ignore[index]
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok


@pytest.mark.parametrize("seed", range(4))
def test_in_the_midst_of_a_decision_the_checkpoint_and_the_log_lead_to_the_same(tmp_path: Path, seed: int) -> None:
    """After every single answer of a game; opened by its checkpoint and without it, it goes on alike."""
    path, rng = tmp_path / "ford.jsonl", random.Random(seed)
    campaign = begun(path, seed=seed)
    campaign.stand("blue", "when loss: default") if seed == 1 else None
    for _ in range(25):
        if campaign.over:
            break
        campaign.submit(*any_answer(campaign, rng))
        if not campaign.over:
            campaign.skip(0)
        assert standing(Campaign.open(path, toy)) == standing(campaign)
        (tmp_path / "ford.jsonl.checkpoint").unlink()
        campaign = Campaign.open(path, toy)
    assert verify(path, toy).ok


def test_going_back_over_it_throws_nothing_that_was_seen() -> None:
    campaign = begun()
    line = campaign.count - 1
    campaign.submit("red", ATTACK)
    seen = {(body["stream"], body["k"]) for body in rolls(campaign, line)}
    campaign.skip(0)
    campaign.rewind(line)
    campaign.submit("red", ATTACK)
    again = rolls(campaign, campaign.count - 2)
    assert again
    assert all(body["k"] > STEP for body in again)  # type: ignore[operator]
    assert not seen & {(body["stream"], body["k"]) for body in again}
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok


def test_a_players_undo_over_it_keeps_it() -> None:
    campaign = begun()
    line = campaign.count - 1
    campaign.submit("red", "move G1 0202")
    campaign.skip(0)
    campaign.undo(line, by="red")
    assert campaign._dice.used[EVERY] == STEP
    campaign.submit("red", ATTACK)
    assert all(body["k"] > STEP for body in rolls(campaign, campaign.count - 2))  # type: ignore[operator]
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok


def test_a_log_that_pretends_to_have_skipped_is_found_out() -> None:
    campaign = begun()
    campaign.submit("red", ATTACK)
    campaign.skip(0)
    campaign._dice._used.pop(EVERY)  # the next dice are those that were seen
    while not (later := rolls(campaign, campaign.count - 2)) and not campaign.over:
        campaign.submit(*any_answer(campaign, random.Random(3)))
    assert later
    assert any("should be roll 100001" in str(fault) for fault in
               verify_lines(campaign.lines(), campaign.secret, toy).faults)  # fmt: skip


def test_a_game_that_is_over_skips_nothing() -> None:
    with pytest.raises(GameClosed):
        played(None, 1).skip(0)


def test_a_pile_lies_otherwise_behind_each_skip() -> None:
    dice, cards = Dice(b"7" * 32, "ford", {}), [str(n) for n in range(30)]
    orders = []
    for _ in range(3):
        orders.append(sorted(cards, key=lambda card: dice.rank("deck/3001", card)))
        dice.skip(0)
    assert len({tuple(order) for order in orders}) == 3
