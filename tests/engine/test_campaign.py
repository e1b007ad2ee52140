"""A game under way: written down line by line, put away and resumed."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from engine import facts as f
from engine import log
from engine.asks import Procedure
from engine.campaign import (
    Campaign,
    CannotResume,
    GameClosed,
    LogExists,
    NoSecret,
    verify,
)
from engine.campaign.line_store import OnDisk
from engine.dice import secret_from_seed
from engine.table import Table
from tests.engine.ford import ATTACK, GAME, NEAR, any_answer, begun, played, standing
from tests.engine.toy import play, toy


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ford.jsonl"


# One mail, one line.


def test_the_header_holds_the_game_as_it_is_set_up() -> None:
    campaign = Campaign.new(None, GAME, seed=1, at="1944-01-24T06:00:00Z", nonces={"red": "Lysyanka"})
    (header,) = campaign.lines()
    assert (header["game"], header["scenario"], header["rules"]) == ("toy", "ford", "1")
    assert (header["at"], header["nonces"]) == ("1944-01-24T06:00:00Z", {"red": "Lysyanka"})
    assert [item.body["fact"] for item in log.items(header)] == ["Placed"] * 6 + ["StageBegan"]
    assert [ask.name for ask in campaign.asks] == ["bid", "bid"]


def test_a_mail_that_did_something_is_one_line_and_one_that_did_not_is_none() -> None:
    campaign = begun()
    count, head = campaign.count, campaign.head
    campaign.submit("red", "move G1 0606")
    campaign.submit("blue", "end")
    assert (campaign.count, campaign.head) == (count, head)
    campaign.submit("red", "move G2 0202\ndig T-34\nface 0301", at="1944-01-25T18:00:00Z")
    assert campaign.count == count + 1
    last = campaign.lines()[-1]
    assert (last["by"], last["act"], last["at"]) == ("red", "orders", "1944-01-25T18:00:00Z")


def test_a_sealed_bid_moves_no_head() -> None:
    campaign = Campaign.new(None, GAME, seed=1)
    head = campaign.head
    campaign.submit("red", "bid 2")
    assert campaign.head == head


def test_the_secret_is_the_last_line_of_a_finished_game() -> None:
    campaign = played(None, 1)
    last = campaign.lines()[-1]
    assert last["act"] == "secret"
    assert bytes.fromhex(last["secret"]) == campaign.secret == secret_from_seed(1)
    with pytest.raises(GameClosed):
        campaign.rewind(0)


def test_a_new_game_never_takes_the_place_of_another(path: Path) -> None:
    begun(path)
    before = path.read_bytes()
    with pytest.raises(LogExists):
        Campaign.new(path, GAME)
    assert path.read_bytes() == before


def test_a_game_without_a_seed_has_a_secret_of_its_own() -> None:
    assert Campaign.new(None, GAME).secret != Campaign.new(None, GAME).secret


# Going on later.


def test_a_game_put_away_after_every_mail_is_the_game_played_at_one_sitting(path: Path) -> None:
    once = played(None, 7)
    campaign, rng = Campaign.new(path, NEAR, seed=7), random.Random(7)
    while not campaign.over:
        campaign.submit(*any_answer(campaign, rng))
        before = standing(campaign)
        campaign = Campaign.open(path, toy)
        assert standing(campaign) == before
    assert campaign.lines() == once.lines()


def test_without_its_checkpoint_a_game_resumes_at_the_same_ask(path: Path) -> None:
    campaign, rng = Campaign.new(path, NEAR, seed=3), random.Random(3)
    while not campaign.over:
        campaign.submit(*any_answer(campaign, rng))
        before = standing(campaign)
        path.with_name("ford.jsonl.checkpoint").unlink(missing_ok=True)
        campaign = Campaign.open(path, toy)
        assert standing(campaign) == before


def test_a_checkpoint_that_is_not_true_is_not_believed(path: Path) -> None:
    campaign = begun(path)
    before = standing(campaign)
    state = {"top": campaign.referee.top[0].to_json(), "tally": {"open": 1, "hidden": {}}, "since": [], "dice": {}}
    state["top"]["where"]["G1"] = "0606"
    for wrong in (state, {}, {**state, "top": {}}, {**state, "since": [["fact"]]}):
        log.store_checkpoint(path, campaign.lines()[-1], wrong)
        assert standing(Campaign.open(path, toy)) == before
    path.with_name("ford.jsonl.checkpoint").write_text("not even JSON")
    assert standing(Campaign.open(path, toy)) == before


def test_resuming_reads_the_two_ends_of_the_log_only(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = standing(begun(path))

    def never(file: log.LogFile) -> log.LogRead:
        raise AssertionError("the whole log was read")

    monkeypatch.setattr(log.LogFile, "read", never)
    campaign = Campaign.open(path, toy)
    assert standing(campaign) == before
    campaign.submit("red", "end")  # and it can be written to
    assert campaign.count == before[2] + 1  # type: ignore[operator]


def test_a_torn_last_line_never_happened(path: Path) -> None:
    campaign = begun(path)
    before = standing(campaign)
    with path.open("ab") as file:
        file.write(b'{"act":"orders","at"')
    campaign = Campaign.open(path, toy)
    assert standing(campaign) == before
    campaign.submit("red", "end")
    assert verify(path, toy).ok


def test_orders_in_the_drawer_are_there_after_a_resumption(path: Path) -> None:
    campaign = begun(path)
    campaign.stand("blue", "when support: ask")
    campaign.submit("red", f"{ATTACK}\nend")
    campaign = Campaign.open(path, toy)
    assert [ask.name for ask in campaign.asks] == ["support"]
    assert campaign.drawer.standing["blue"][0].line() == "when support: ask"
    assert campaign.withdraw("red") == ["end"]
    assert Campaign.open(path, toy).withdraw("red") == []


def test_a_sealed_bid_is_there_after_a_resumption_and_may_be_withdrawn(path: Path) -> None:
    campaign = Campaign.new(path, NEAR, seed=2)
    campaign.submit("red", "bid 3")
    campaign = Campaign.open(path, toy)
    assert campaign.withdraw("red") == ["bid 3"]
    campaign.submit("blue", "bid 1")
    assert campaign.count == 1
    campaign.submit("red", "bid 0")
    assert [ask.side for ask in campaign.asks] == ["blue"]


def test_a_crash_between_drawer_and_log_leaves_the_drawer_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = begun(path)
    campaign.stand("blue", "when support: ask")
    campaign.submit("red", f"{ATTACK}\nmove T-34 0202\nend")
    before = standing(campaign)

    def full(file: log.LogFile, line: log.Line) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(log.LogFile, "append", full)
        with pytest.raises(OSError, match="disk is full"):
            campaign.submit("blue", "no support")
    again = Campaign.open(path, toy)
    assert standing(again) == before
    again.submit("blue", "no support")
    assert verify(path, toy).ok


def test_two_writers_do_not_write_over_each_other(path: Path) -> None:
    one, other = begun(path), Campaign.open(path, toy)
    one.submit("red", "move G1 0202")
    with pytest.raises(log.LogMoved):
        other.submit("red", "end")
    reply = Campaign.open(path, toy).submit("red", "move G1 0202")
    assert "has moved already" in str(reply.refused[0].refusal)


def test_an_open_game_without_its_secret_cannot_go_on(path: Path) -> None:
    begun(path)
    path.with_name("ford.jsonl.secret").unlink()
    with pytest.raises(NoSecret):
        Campaign.open(path, toy)


def test_a_finished_game_needs_nothing_beside_its_log(path: Path) -> None:
    campaign = played(path, 4)
    for beside in ("secret", "drawer", "checkpoint", "head"):
        path.with_name(f"ford.jsonl.{beside}").unlink()
    assert verify(path, toy).ok
    assert Campaign.open(path, toy).position.hash() == campaign.position.hash()


def test_rules_that_lead_elsewhere_are_named(path: Path) -> None:
    begun(path)
    path.with_name("ford.jsonl.checkpoint").unlink()

    def muddy(table: Table) -> Procedure:
        yield f.Counted(track="mud", value=1)
        yield from play(table)

    with pytest.raises(CannotResume, match="written under rules 1: the rules lead to another position"):
        Campaign.open(path, lambda *named: replace(toy(*named), play=muddy))


def test_a_game_kept_in_memory_may_be_saved(path: Path) -> None:
    campaign = begun()
    campaign.submit("red", "dig G1")
    campaign.save(path)
    again = Campaign.open(path, toy)
    assert standing(again) == standing(campaign)
    assert verify(path, toy).ok
    with pytest.raises(LogExists):
        campaign.save(path)


def long_game(lines: int) -> Campaign:
    """A game taken back and played again until its log is that long."""
    campaign = begun()
    while campaign.count < lines:
        campaign.submit("red", "move G1 0202\nmove G2 0202\nmove T-34 0303\ndig G1\nface 0102\nend")
        campaign.submit("blue", "move P1 0104\nmove P2 0304\nmove SG 0304\ndig P2\nface 0303")
        campaign.rewind(1)
    return campaign


def test_a_copied_folder_is_a_whole_game(path: Path, tmp_path: Path) -> None:
    campaign = begun(path)
    shutil.copytree(path.parent, tmp_path / "backup", ignore=shutil.ignore_patterns("backup"))
    copy = Campaign.open(tmp_path / "backup" / path.name, toy)
    assert standing(copy) == standing(campaign)
    assert OnDisk.find(tmp_path / "backup" / path.name).header == campaign.lines()[0]
