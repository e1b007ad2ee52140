"""A game under way: written down line by line, resumed, taken back, replayed and verified."""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Iterator
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
    NoUndo,
    replay,
    verify,
    verify_lines,
)
from engine.campaign.store import OnDisk
from engine.canonical import canonical
from engine.dice import secret_from_seed
from engine.table import Table
from engine.view import view
from tests.engine.toy import play, toy

GAME = toy()
NEAR = toy(options={"P1": "0103"})  # a Panzer stands before the Guards
ATTACK = "attack 0103 with G1, G2"


def begun(path: Path | None = None, seed: int = 5) -> Campaign:
    campaign = Campaign.new(path, NEAR, seed=seed)
    campaign.submit("red", "bid 1")
    campaign.submit("blue", "bid 0")
    return campaign


def any_answer(campaign: Campaign, rng: random.Random) -> tuple[str, str]:
    ask = rng.choice(campaign.asks)
    option = rng.choice(ask.options(""))
    while not option.complete:
        option = rng.choice(ask.options(option.line))
    return ask.side, option.line


def played(path: Path | None, seed: int) -> Campaign:
    """A whole game of random legal answers."""
    campaign, rng = Campaign.new(path, NEAR, seed=seed), random.Random(seed)
    while not campaign.over:
        reply = campaign.submit(*any_answer(campaign, rng))
        assert not reply.refused
    return campaign


def standing(campaign: Campaign) -> tuple[object, ...]:
    """Everything that must be the same after a resumption."""
    return (
        campaign.position.hash(),
        campaign.head,
        campaign.count,
        [ask.key for ask in campaign.asks],
        campaign.drawer.to_json(),
        dict(campaign._dice.used),
        campaign.referee.count,
        campaign.over,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ford.jsonl"


# One mail, one line.


def test_the_header_holds_the_game_as_it_is_set_up() -> None:
    campaign = Campaign.new(None, GAME, seed=1, at="1944-01-24T06:00:00Z", nonces={"red": "Korsun"})
    (header,) = campaign.lines()
    assert (header["game"], header["scenario"], header["rules"]) == ("toy", "ford", "1")
    assert (header["at"], header["nonces"]) == ("1944-01-24T06:00:00Z", {"red": "Korsun"})
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
    state = {"top": campaign.referee.top[0].to_json(), "count": 1, "since": [], "dice": {}}
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
    assert standing(Campaign.open(path, toy)) == before
    assert campaign.rehearse("blue", "no support").stopped  # the same campaign has found its place again
    assert standing(campaign) == before
    campaign.submit("blue", "no support")
    assert verify(path, toy).ok


def test_two_writers_do_not_write_over_each_other(path: Path) -> None:
    one, other = begun(path), Campaign.open(path, toy)
    one.submit("red", "move G1 0202")
    with pytest.raises(log.LogMoved):
        other.submit("red", "end")
    reply = other.submit("red", "move G1 0202")
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


# Taking back.


def test_a_player_may_take_back_what_nobody_has_answered(path: Path) -> None:
    campaign = begun(path)
    count, before = campaign.count, campaign.position.hash()
    keys = [ask.key for ask in campaign.asks]
    campaign.submit("red", "move G1 0202")
    campaign.submit("red", "dig G2")
    campaign.undo(count - 1, by="red", at="1944-01-26T08:00:00Z")
    assert campaign.position.hash() == before
    assert [ask.key for ask in campaign.asks] == keys
    assert campaign.count == count + 3  # nothing is deleted
    assert campaign.lines()[-1]["back"] == {"line": count - 1, "point": None}
    assert standing(Campaign.open(path, toy)) == standing(campaign)
    assert verify(path, toy).ok


def test_an_undo_may_end_inside_a_procedure() -> None:
    campaign = begun()
    campaign.submit("red", "dig G2")
    line = campaign.count - 1
    campaign.submit("red", "face 0103")
    campaign.undo(line, by="red")
    assert [ask.name for ask in campaign.asks] == ["face"]
    campaign.submit("red", "face 0101\nend")
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok


@pytest.mark.parametrize(
    ("mails", "by", "why"),
    [
        ([("red", ATTACK)], "red", "a die was cast|blue has answered since"),
        ([("red", "scout\nlook 0303")], "red", "it showed somebody what he had not known"),
        ([("red", "end"), ("blue", "dig P2\nface 0304")], "red", "blue has answered since"),
        ([("red", "dig G1")], "blue", "red has answered since"),
    ],
)
def test_no_player_takes_back_what_cannot_be_taken_back(mails: list[tuple[str, str]], by: str, why: str) -> None:
    campaign = begun()
    line = campaign.count - 1
    for side, text in mails:
        campaign.submit(side, text)
    head = campaign.head
    with pytest.raises(NoUndo, match=why):
        campaign.undo(line, by=by)
    assert campaign.head == head
    campaign.undo(line, by="moderator")
    assert campaign.lines()[-1]["act"] == "rewind"


def test_a_rewind_never_rolls_a_die_again() -> None:
    campaign = begun()
    line = campaign.count - 1
    campaign.submit("red", ATTACK)
    campaign.rewind(line)
    campaign.submit("red", ATTACK)
    rolls = [item.body for one in campaign.lines() for item in log.items(one) if item.kind == "roll"]
    assert [roll["k"] for roll in rolls if roll["stream"] == "dice"] == [1, 2]
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok


def test_a_rewind_may_go_to_an_answer_inside_a_line() -> None:
    campaign = begun()
    campaign.submit("red", "move G1 0202\nmove G2 0202\nmove T-34 0303")
    line = campaign.lines()[-1]
    second = [i for i, item in enumerate(log.items(line)) if item.kind == "answer"][1]
    campaign.rewind(line["n"], point=second)
    assert (campaign.position.where["G1"], campaign.position.where["G2"]) == ("0202", "0102")
    campaign.submit("red", "end")
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok
    campaign.rewind(line["n"])  # all that is left of it
    assert campaign.position.where["G2"] == "0102"
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok


def test_a_rewind_to_a_place_between_two_facts_is_refused() -> None:
    campaign = begun()
    campaign.submit("red", "move G1 0202\ndig G2")
    before = standing(campaign)
    with pytest.raises(CannotResume, match="no ask stands"):
        campaign.rewind(campaign.count - 1, point=2)
    with pytest.raises(log.NoWayBack):
        campaign.rewind(99)
    assert standing(campaign) == before


def test_what_waited_for_a_future_that_is_gone_comes_back() -> None:
    campaign = begun()
    campaign.stand("blue", "when support: ask")
    line = campaign.count - 1
    campaign.submit("red", f"{ATTACK}\nmove T-34 0202\nend")
    assert campaign.rewind(line) == {"red": ["move T-34 0202", "end"], "blue": []}
    assert campaign.drawer.waiting == {}
    assert campaign.drawer.standing["blue"]


def test_random_play_with_rewinds_and_resumptions_still_verifies(path: Path) -> None:
    campaign, rng = Campaign.new(path, NEAR, seed=11), random.Random(11)
    for step in range(120):
        if campaign.over:
            break
        campaign.submit(*any_answer(campaign, rng))
        if step % 9 == 8 and not campaign.over:
            in_force = [line for line, _ in log.effective(campaign.lines())]
            line = rng.choice(in_force[-6:])
            points = [i for i, item in enumerate(log.items(line)) if item.kind == "answer" and line["n"]]
            hidden = [i for i in points if log.items(line)[i].audience != log.ALL]
            point = rng.choice([None, *(i for i in points if i not in hidden)])
            before = campaign.head
            try:
                campaign.rewind(line["n"], point=point)
            except log.NoWayBack:  # beyond what an earlier rewind left of the line
                assert campaign.head == before
            campaign = Campaign.open(path, toy)
    verdict = verify(path, toy)
    assert verdict.faults == []
    assert replay(path, NEAR).hash() == campaign.position.hash()


# Reading it without the rules, and with them.


def test_replay_gives_every_position_that_was_played() -> None:
    campaign, rng = Campaign.new(None, NEAR, seed=8), random.Random(8)
    positions = {0: campaign.position.hash()}
    while not campaign.over:
        campaign.submit(*any_answer(campaign, rng))
        positions[campaign.count - 1] = campaign.position.hash()
    lines = campaign.lines()
    for n, position in positions.items():
        assert replay(lines, NEAR, upto=n).hash() == position


def test_verify_counts_what_it_saw(path: Path) -> None:
    campaign = played(path, 9)
    seen: list[tuple[int, int]] = []
    verdict = verify(path, toy, lambda done, total: seen.append((done, total)))
    assert verdict.ok
    assert verdict.lines == campaign.count == len(path.read_bytes().splitlines())
    assert verdict.rolls >= 4
    assert seen[-1] == (campaign.count, campaign.count)


def test_verify_needs_the_secret_of_an_open_game(path: Path) -> None:
    begun(path)
    assert verify(path, toy).ok
    path.with_name("ford.jsonl.secret").write_text("nothing")
    assert not verify(path, toy).ok
    path.with_name("ford.jsonl.secret").unlink()
    assert ["the secret is not known" in fault.what for fault in verify(path, toy).faults] == [True]


def sealed_again(lines: list[log.Line], secret: bytes) -> list[log.Line]:
    """The log as a cheat with the secret would write it: every hash and seal in order."""
    from engine.log.lines import line_hash, salt, seal

    before = lines[0]["prev"]
    for line in lines:
        line["prev"] = before
        line["seals"] = {a: seal(salt(secret, "toy", line["n"], a), p) for a, p in line["parts"].items()}
        before = line["hash"] = line_hash(line)
    return lines


def tampered(lines: list[log.Line]) -> Iterator[list[log.Line]]:
    """A log with one word of one fact or answer changed, for each that there is."""
    for n, line in enumerate(lines):
        for audience, part in line["parts"].items():
            for place, (_, kind, body) in enumerate(part):
                for name, value in body.items():
                    if kind != "roll" and name != "source":
                        copy = json.loads(canonical(lines))
                        other = value + 1 if isinstance(value, int) else "0606"
                        copy[n]["parts"][audience][place][2][name] = other
                        yield copy


def test_whoever_holds_the_secret_still_cannot_change_what_the_rules_decided() -> None:
    campaign = begun(seed=6)
    for side, text in (("red", "move T-34 0202"), ("red", ATTACK), ("red", "scout\nlook 0303\ndig G2\nface 0103")):
        campaign.submit(side, text)
    lines = campaign.lines()
    assert verify_lines(sealed_again(json.loads(canonical(lines)), campaign.secret), campaign.secret, toy).ok
    tried = 0
    for copy in tampered(lines):
        verdict = verify_lines(sealed_again(copy, campaign.secret), campaign.secret, toy)
        assert not verdict.ok
        tried += 1
    assert tried > 60


def test_damage_of_any_kind_is_a_fault_with_a_sentence_and_never_a_crash(path: Path) -> None:
    campaign = begun(path)
    campaign.submit("red", f"{ATTACK}; lose G1")
    content, rng = path.read_bytes(), random.Random(1)
    for _ in range(150):
        at = rng.randrange(len(content))
        match rng.randrange(3):
            case 0:
                damaged = content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]
            case 1:
                damaged = content[:at] + content[at + rng.randrange(1, 40) :]
            case _:
                damaged = content[:at] + content[rng.randrange(len(content)) :][:30] + content[at:]
        path.write_bytes(damaged)
        verdict = verify(path, toy)
        assert (damaged == content) == verdict.ok
        assert all(str(fault) for fault in verdict.faults)
    path.write_bytes(b"")
    assert not verify(path, toy).ok
    path.unlink()
    assert "cannot be read" in verify(path, toy).faults[0].what


def test_a_game_nobody_knows_is_a_fault(path: Path) -> None:
    played(path, 2)

    def unknown(rulebook: str, scenario: str, options: object) -> object:
        raise LookupError(f"no rulebook is called {rulebook}")

    verdict = verify(path, unknown)  # type: ignore[arg-type]
    assert [fault.what for fault in verdict.faults] == [
        "its game cannot be set up (LookupError: no rulebook is called toy)"
    ]


def test_a_line_dropped_from_the_end_is_missed(path: Path) -> None:
    campaign = begun(path)
    campaign.submit("red", "dig G1")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert [fault.what for fault in verify(path, toy).faults] == ["it was written once and is gone"]


def test_a_players_copy_of_the_log_folds_to_what_he_may_see() -> None:
    campaign = begun()
    campaign.submit("red", "scout\nlook 0303\nmove G1 0202")
    seen = replay(campaign.export("blue"), NEAR)
    assert view(seen, "blue").where == view(campaign.position, "blue").where
    assert seen.mark("@0303", "scouted") is None
    assert log.check_reader(campaign.export("blue")) == []


# It must be quick enough to be used without thinking. The limits are a fraction of what is aimed at, as
# the machine that runs the tests may be busy.


def long_game(lines: int) -> Campaign:
    """A game taken back and played again until its log is that long."""
    campaign = begun()
    while campaign.count < lines:
        campaign.submit("red", "move G1 0202\nmove G2 0202\nmove T-34 0303\ndig G1\nface 0102\nend")
        campaign.submit("blue", "move P1 0104\nmove P2 0304\nmove SG 0304\ndig P2\nface 0303")
        campaign.rewind(1)
    return campaign


def test_resuming_does_not_take_longer_for_a_longer_log(path: Path, tmp_path: Path) -> None:
    short, long = begun(), long_game(600)
    short.save(tmp_path / "short.jsonl")
    long.save(path)
    took = {}
    for name in ("short.jsonl", path.name):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            Campaign.open(tmp_path / name, toy)
            times.append(time.perf_counter() - start)
        took[name] = min(times)
    assert took[path.name] < 0.05
    assert took[path.name] < 5 * took["short.jsonl"]


def test_a_copied_folder_is_a_whole_game(path: Path, tmp_path: Path) -> None:
    campaign = begun(path)
    shutil.copytree(path.parent, tmp_path / "backup", ignore=shutil.ignore_patterns("backup"))
    copy = Campaign.open(tmp_path / "backup" / path.name, toy)
    assert standing(copy) == standing(campaign)
    assert OnDisk.find(tmp_path / "backup" / path.name).header == campaign.lines()[0]
