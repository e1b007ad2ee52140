"""Of a stack only the top is seen: what is done below it leaves no trace in anything the opponent is given."""

from __future__ import annotations

import pytest

from pbem.desk.lifecycle import invite
from tests.pbem.desk.office import JOIN, SECRET
from tests.pbem.leaks.worlds import World, twin

# PzJ/14Pz lies under StuG/14Pz, Pio52 under StuG905; both go under others, and no zone changes by it.
UNSEEN = ((), ("move PzJ/14Pz to 5020", "move Pio52 to 5225"))
PROBES = ("status\nlog\norders", "check\nend", "forecast attack 5020 from 4919\nundo 3")


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> list[World]:
    """The Germans move nobody, or two units that nobody sees."""
    first = World(tmp_path_factory.mktemp("covered") / "house", rulebook="jaws")
    invite(
        first.house, first.name, "jaws", "konev", first.people, settings={"pictures": "changes"}, secret=SECRET
    )  # fmt: skip
    for side, text in zip(first.people, JOIN, strict=True):
        first.mail(side, text)
    first.lead(lambda campaign: campaign.position.stage == "german.movement")
    found = [twin(first, tmp_path_factory.mktemp("covered") / "house") for _ in UNSEEN]
    for world, moves in zip(found, UNSEEN, strict=True):
        world.mail("german", "\n".join([*moves, "end"]))
        for probe in PROBES:
            world.mail("soviet", probe)
    return found


@pytest.mark.case("jaws", "11.3-5")
def test_moves_below_the_top_change_nothing_that_the_enemy_is_given(worlds: list[World]) -> None:
    given = [world.given("soviet") for world in worlds]
    assert any(isinstance(part, bytes) and part.startswith(b"\x89PNG") for letter in given[0] for part in letter)
    assert given[0] == given[1]


def test_the_side_itself_is_told_what_it_did(worlds: list[World]) -> None:
    given = [world.given("german") for world in worlds]
    assert given[0] != given[1]
    assert [world.campaign.position.where["PzJ/14Pz"] for world in worlds] == ["5021", "5020"]
    assert [world.campaign.position.where["Pio52"] for world in worlds] == ["5124", "5225"]
