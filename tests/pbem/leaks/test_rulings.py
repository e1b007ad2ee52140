"""What the moderator, the clock and the players do to a game tells nobody what is hidden from him."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.moderator import arranging, ruling
from pbem.service.spectators import report_to_spectators
from tests.pbem.leaks.worlds import PROBES, World

CARLA, CLARA = "carla@mill.example", "clara@hill.example"


def rewound(world: World) -> None:
    world.do(ruling.rewind, world.campaign.count - 3)


def corrected(world: World) -> None:
    """The same hand said over again: its owner is told which, the others that there is nothing to see."""
    world.do(ruling.correct, f"pool hand {' '.join(world.campaign.position.pools['hand'])}", "a slip of the pen")


def air_markers_corrected(world: World) -> None:
    """Others in every world, and as many."""
    held = "hartmann barkhorn" if world.campaign.position.pools["hand"] == ("Manstein",) else "rudel-1 rudel-2"
    world.do(ruling.correct, f'axis only: pool "air in hand" {held}\ncount air 2')


def ordered_by_the_moderator(world: World) -> None:
    world.do(ruling.act_for, "soviet", "end")


def succeeded_by_carla(world: World) -> None:
    world.do(arranging.substitute, "soviet", CARLA)
    world.people = {**world.people, "soviet": CARLA}


def opponent_replaced(world: World) -> None:
    world.do(arranging.substitute, "axis", "carl@ford.example")
    world.people = {**world.people, "axis": "carl@ford.example"}


def reminded(world: World) -> None:
    world.wait(30)


def decided_by_the_clock(world: World) -> None:
    world.wait(60)


def taken_back(world: World) -> None:
    to = world.campaign.count - 2
    world.mail("soviet", f"undo {to}")
    world.mail("axis", "accept undo")


def talked_about(world: World) -> None:
    world.mail("axis", "press A cold morning.\nabsent for 3 days\ndraw")
    world.mail("soviet", "wait\nwithdraw\npress Is it?")


DEEDS = (
    rewound, corrected, air_markers_corrected, ordered_by_the_moderator, succeeded_by_carla, opponent_replaced,
    reminded, decided_by_the_clock, taken_back, talked_about,
)  # fmt: skip


def same_for_all_who_may_not_know(worlds: list[World], deed: Callable[[World], None]) -> None:
    first = worlds[0].people["soviet"]
    for world in worlds:
        world.do(arranging.announce_spectator, CLARA)
        deed(world)
        world.mail("soviet", PROBES[0])
        report_to_spectators(world.house)
    for reader in {first, worlds[0].people["soviet"], CLARA}:
        one, *others = (world.given(reader) for world in worlds)
        assert one
        assert all(one == other for other in others), reader


@pytest.fixture(autouse=True)
def same_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes over a chair gets the same address in every world."""
    monkeypatch.setattr(arranging, "new_id", lambda: "c" * 32)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__.replace("_", " "))
def test_a_game_is_dealt_with_before_soviet_orders(
    at_soviet_orders: list[World], deed: Callable[[World], None]
) -> None:
    same_for_all_who_may_not_know(at_soviet_orders, deed)


@pytest.mark.parametrize(
    "deed", [rewound, opponent_replaced, succeeded_by_carla, reminded], ids=lambda deed: deed.__name__.replace("_", " ")
)
def test_a_game_is_dealt_with_while_a_hidden_question_is_open(
    at_a_draw: list[World], deed: Callable[[World], None]
) -> None:
    same_for_all_who_may_not_know(at_a_draw[:2], deed)
