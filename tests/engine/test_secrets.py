"""Secrets: from all that a player is given, no search over what the other may have chosen finds anything."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import pytest

from engine import log
from engine.campaign import Campaign
from engine.canonical import canonical
from engine.log import lines as log_lines
from engine.referee import Reply
from tests.engine.toy import toy

BIDS = ["bid 0", "bid 1", "bid 2", "bid 3"]  # against a bid of 0 all of them give red the first move
SCOUTED = ["0101", "0303", "0304", "0606"]
HASHES = ("seals", "position", "prev", "hash")


class Given:
    """Everything one side is given while a game is played: replies, questions, heads, and its copy of the log."""

    def __init__(self, campaign: Campaign, side: str) -> None:
        self.campaign, self.side = campaign, side
        self.read: list[Any] = []

    def mail(self, side: str, text: str) -> None:
        reply = self.campaign.submit(side, text, at="1944-01-28")
        self.read.append([self.campaign.count, side == self.side and self._told(reply), self._asked()])

    def rehearse(self, text: str) -> None:
        self.read.append(self._told(self.campaign.rehearse(self.side, text)))

    def _told(self, reply: Reply) -> list[Any]:
        lines = [(line.number, line.text, line.state, line.understood, str(line.refusal)) for line in reply.lines]
        seen = [item.body for item in reply.items if item.audience in ("all", self.side)]
        return [lines, seen, reply.stopped, [str(line) for line in reply.drawn.get(self.side, [])]]

    def _asked(self) -> list[Any]:
        """Who is asked is known to all; what exactly, and what may be answered, to whom it concerns."""
        return [
            [ask.side, ask.key, ask.prompt, ask.side == self.side and [choice.line() for choice in ask.choices()]]
            for ask in self.campaign.asks
        ]

    def log(self) -> list[log.Line]:
        return self.campaign.export(self.side)

    def without_hashes(self) -> bytes:
        """What could be compared: all of it, and of the sealed parts that they are there."""
        copy = json.loads(canonical(self.log()))
        for line in copy:
            line["seals"] = sorted(line["seals"])
            for name in HASHES[1:]:
                line[name] = len(line[name])
        return canonical([copy, self.read])


def played(bid: str, scouted: str, side: str = "blue") -> Given:
    """A game in which red chooses in secret, and blue tries what he can to find out."""
    given = Given(Campaign.new(None, toy(options={"P1": "0103"}), seed=1944), side)
    given.mail("red", bid)
    given.mail("blue", "bid 9")
    given.rehearse("bid 0")
    given.mail("blue", "bid 0")
    given.mail("red", f"move T-34 0202\nscout\nlook {scouted}\ndig G2\nface 0101\nend")
    given.mail("blue", f"if {scouted} has scouted: end\nmove P2 0606")
    given.rehearse(f"attack {scouted} with P1")
    given.mail("blue", "attack 0102 with P1")
    given.mail("blue", "lose P1" if "lose P1" in str(given.campaign.asks) else "scout\nlook 0303")
    given.mail("blue", "end")
    return given


def test_a_secret_bid_cannot_be_told_from_any_other() -> None:
    given = {bid: played(bid, "0303").without_hashes() for bid in BIDS}
    for one, other in combinations(given, 2):
        assert given[one] == given[other], (one, other)


def test_a_hidden_mark_cannot_be_told_from_any_other() -> None:
    """What blue writes about the hex is the same each time: only what red did differs."""

    def game(scouted: str) -> Given:
        given = Given(Campaign.new(None, toy(), seed=1944), "blue")
        for side, text in (("red", "bid 1"), ("blue", "bid 0"), ("red", f"scout\nlook {scouted}\nend")):
            given.mail(side, text)
        given.rehearse("if 0303 has scouted: end")
        given.mail("blue", "move P1 0104\nend")
        return given

    given = {scouted: game(scouted).without_hashes() for scouted in SCOUTED}
    assert len(set(given.values())) == 1


def test_what_a_side_answered_in_secret_is_not_counted_in_what_others_are_asked() -> None:
    asked = []
    for orders in (
        "scout\nlook 0303\nend",
        "move T-34 0202\nend",
    ):  # two that all may read, and one that red alone knows
        campaign = Campaign.new(None, toy(), seed=1944)
        for side, text in (("red", "bid 1"), ("blue", "bid 0"), ("red", orders)):
            campaign.submit(side, text, at="1944-01-28")
        asked.append([ask.key for ask in campaign.asks])
    assert asked[0] == asked[1] == ["1/blue.move/2"]


def test_the_side_itself_has_its_own_secrets_in_its_copy() -> None:
    own = {bid: played(bid, "0303", "red").without_hashes() for bid in BIDS}
    assert len(set(own.values())) == len(BIDS)


def test_everyone_can_check_his_copy_without_the_secret() -> None:
    for bid in BIDS:
        for side in ("red", "blue"):
            assert log.check_reader(played(bid, "0303", side).log()) == []


def test_an_onlooker_learns_nothing_either() -> None:
    exports = []
    for bid in BIDS:
        lines = played(bid, "0303").campaign.export(None)
        exports.append([[line["n"], line["parts"], line["salts"], sorted(line["seals"])] for line in lines])
    assert all(export == exports[0] for export in exports)


# The hashes themselves: whoever guesses a sealed content must not be able to see that he was right.


def candidates(line: int) -> Iterator[tuple[str, Any]]:
    """Every content that red's part of a line, or the position after it, could have: blue knows the rules."""
    for bid in BIDS:
        campaign = played(bid, "0303").campaign
        sealed = campaign.lines()[line]
        for part in sealed["parts"].values():
            yield bid, part
    for bid in BIDS:
        campaign = Campaign.new(None, toy(options={"P1": "0103"}), seed=1944)
        campaign.submit("red", bid)
        campaign.submit("blue", "bid 0")
        yield bid, campaign.position.hash()


def found(seals: Iterable[str], line: int) -> set[str]:
    """The bids whose content, hashed in any way a reader could think of, is a hash that he was given."""
    given = set(seals)
    guesses = set()
    for bid, content in candidates(line):
        plain = canonical(content) if not isinstance(content, str) else content.encode()
        for salt in (b"", b"\0" * 32, b"toy", str(line).encode()):
            if hashlib.sha256(salt + plain).hexdigest() in given:
                guesses.add(bid)
    return guesses


def secret_hashes(given: Given, line: int) -> list[str]:
    """The hashes of what blue was not given: others' parts, and the position."""
    copy = given.log()[line]
    return [*(seal for audience, seal in copy["seals"].items() if audience not in copy["parts"]), copy["position"]]


@pytest.mark.parametrize("bid", BIDS)
def test_no_sealed_content_is_found_by_trying_all_there_could_be(bid: str) -> None:
    given = played(bid, "0303")
    assert found(secret_hashes(given, 1), 1) == set()


@pytest.mark.parametrize("bid", BIDS)
def test_without_salt_the_same_search_finds_the_bid(bid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_lines, "seal", lambda salt, part: hashlib.sha256(canonical(part)).hexdigest())
    monkeypatch.setattr(log_lines, "position_seal", lambda secret, game, n, at: hashlib.sha256(at.encode()).hexdigest())
    given = played(bid, "0303")
    position_only = secret_hashes(given, 1)[-1:]
    assert bid in found(secret_hashes(given, 1), 1)
    assert found(position_only, 1) == {bid}


def test_the_salts_that_a_reader_is_given_open_no_other_part() -> None:
    given = played("bid 2", "0303")
    for line in given.log():
        salts = [bytes.fromhex(salt) for salt in line["salts"].values()]
        closed = {seal for audience, seal in line["seals"].items() if audience not in line["parts"]}
        true_parts = given.campaign.lines()[line["n"]]["parts"].values()
        assert not {log_lines.seal(salt, part) for salt in salts for part in true_parts} & closed


def test_the_same_secret_content_is_sealed_differently_in_every_line_and_for_everyone() -> None:
    campaign = played("bid 2", "0303").campaign
    seals = [seal for line in campaign.lines() for seal in line["seals"].values()]
    assert len(set(seals)) == len(seals)
