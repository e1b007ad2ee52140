"""The chain that everybody is given: whoever guesses what is sealed in it cannot see that he was right."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from engine.canonical import canonical
from engine.log import Line
from tests.pbem.leaks.worlds import World


def sealed_in(line: Line) -> set[str]:
    """What a reader has of the parts that are not his, and of the position."""
    return {line["hash"], line["position"], *(s for who, s in line["seals"].items() if who not in line["parts"])}


def guesses(worlds: list[World], salts: list[bytes]) -> Iterator[str]:
    """Every hand there could be, sealed in every way that a reader could think of."""
    for world in worlds:
        line = world.campaign.last
        parts = [canonical(part) for part in line["parts"].values()]
        contents = [*parts, world.campaign.position.hash().encode(), canonical(line["parts"])]
        for content in contents:
            yield from (hashlib.sha256(salt + content).hexdigest() for salt in salts)
        bare = {name: value for name, value in line.items() if name not in ("parts", "hash", "seals", "position")}
        yield hashlib.sha256(canonical(bare)).hexdigest()


@pytest.mark.parametrize("reader", ["soviet", None])
def test_no_hand_can_be_checked_against_the_head(drawn: list[World], reader: str | None) -> None:
    for world in drawn:
        copy = world.campaign.export(reader)
        salts = [bytes.fromhex(salt) for line in copy for salt in line["salts"].values()]
        known = [b"", b"\0" * 32, canonical(copy[0]["commit"]), bytes.fromhex(copy[0]["commit"]), *salts]
        assert not sealed_in(copy[-1]) & set(guesses(drawn, known))


def test_the_head_binds_the_hand_all_the_same(drawn: list[World]) -> None:
    assert len({world.campaign.head for world in drawn}) == len(drawn)
    salts = [{tuple(sorted(line["salts"].items())) for line in world.campaign.export("soviet")} for world in drawn]
    assert all(own == salts[0] for own in salts)  # so that they tell nothing either
