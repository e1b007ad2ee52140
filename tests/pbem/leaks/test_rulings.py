"""What the moderator, the clock and the players do to a game tells nobody what is hidden from him."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.desk import seating
from pbem.moderator import arranging, ruling
from pbem.service.recovering import skip_all
from pbem.service.spectators import report_to_spectators
from tests.pbem.leaks.worlds import PROBES, World
from tests.pbem.received import receive

CARLA, CLARA = "carla@mill.example", "clara@hill.example"
TOKEN = "c" * 32


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
    passed_on(world, "soviet", CARLA)


def opponent_replaced(world: World) -> None:
    passed_on(world, "axis", "carl@ford.example")


def passed_on(world: World, side: str, address: str) -> None:
    """Somebody is asked to take over a chair, and joins."""
    world.do(arranging.substitute, side, address)
    world.people = {**world.people, side: address}
    own = world.house.seat_address(world.seat(side).token)
    world.count += 1
    mail = world.raw(side, "join as Carla").replace(own.encode(), world.house.seat_address(TOKEN).encode())
    receive(world.house, mail, id_=f"{world.count:032x}")
    world.service.deal_with_all()
    assert world.seat(side).token == TOKEN


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


def restored(world: World) -> None:
    skip_all(world.house, lambda done, of: None)
    assert world.campaign.last["act"] == "skip"


DEEDS = (
    restored, rewound, corrected, air_markers_corrected, ordered_by_the_moderator, succeeded_by_carla,
    opponent_replaced, reminded, decided_by_the_clock, taken_back, talked_about,
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
    monkeypatch.setattr(seating, "new_id", lambda: TOKEN)
    monkeypatch.setattr(arranging, "new_id", lambda: "d" * 32)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__.replace("_", " "))
def test_a_game_is_dealt_with_before_soviet_orders(
    at_soviet_orders: list[World], deed: Callable[[World], None]
) -> None:
    same_for_all_who_may_not_know(at_soviet_orders, deed)


@pytest.mark.parametrize(
    "deed",
    [restored, rewound, opponent_replaced, succeeded_by_carla, reminded],
    ids=lambda deed: deed.__name__.replace("_", " "),
)
def test_a_game_is_dealt_with_while_a_hidden_question_is_open(
    at_a_draw: list[World], deed: Callable[[World], None]
) -> None:
    same_for_all_who_may_not_know(at_a_draw[:2], deed)
