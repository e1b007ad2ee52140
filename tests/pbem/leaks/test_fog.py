"""In the fog, what a side does with units that nobody sees leaves no trace in anything its opponent is given."""

from __future__ import annotations

import pytest

from pbem.desk.lifecycle import invite
from tests.pbem.desk.office import JOIN, SECRET
from tests.pbem.leaks.worlds import World, twin

ACTIVATION = ("activate 47PzK", "end")
# 108/14Pz lies under 103/14Pz, and 2918 is another stack far from the enemy.
UNSEEN = ((), ("move 108/14Pz to 2918",), ("move 108/14Pz to 2918", "move 108/14Pz to 2719"))
PROBES = ("status\nlog\norders", "ask attack\nforecast attack 2918 with 252RD\nundo 3", "pass")


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> list[World]:
    """The Germans activate a corps in each, and move none of it, or one unit, once or twice."""
    first = World(tmp_path_factory.mktemp("fog") / "house", rulebook="korsun_vv")
    invite(
        first.house, first.name, "korsun_vv", "encirclement", first.people,
        options={"fog": True}, settings={"pictures": "changes"}, secret=SECRET,
    )  # fmt: skip
    for side, text in zip(first.people, JOIN, strict=True):
        first.mail(side, text)
    first.lead(lambda campaign: campaign.position.stage == "german.sequence")
    found = [twin(first, tmp_path_factory.mktemp("fog") / "house") for _ in UNSEEN]
    for world, moves in zip(found, UNSEEN, strict=True):
        begin, end = ACTIVATION
        world.mail("german", "\n".join([begin, *moves, end]))
        for probe in PROBES:
            world.mail("russian", probe)
    return found


@pytest.mark.case("korsun_vv", "11.1")
def test_unseen_moves_and_their_number_change_nothing_that_the_enemy_is_given(worlds: list[World]) -> None:
    given = [world.given("russian") for world in worlds]
    assert any(isinstance(part, bytes) and part.startswith(b"\x89PNG") for letter in given[0] for part in letter)
    assert given[0] == given[1] == given[2]


def test_the_side_itself_is_told_what_it_did(worlds: list[World]) -> None:
    given = [world.given("german") for world in worlds]
    assert given[0] != given[1] != given[2]
    assert [world.campaign.position.where["108/14Pz"] for world in worlds] == ["2719", "2918", "2719"]
