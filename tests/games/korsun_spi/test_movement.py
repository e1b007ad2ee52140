"""Where units may go, against a plain walk over every path that knows nothing of the code it tests."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from heapq import heappop, heappush
from random import Random

import pytest

import games
from engine import hexset
from engine.asks import Ask
from engine.bots import RandomLegal, play
from engine.facts import Fact, Placed, StageBegan
from engine.hexes import Hex
from engine.orders.choice import Choice
from engine.position import apply
from engine.refusals import Illegal
from engine.table import Table
from games.korsun_spi.orders import Discard, Move
from games.korsun_spi.rules.limits import allowed_area
from games.korsun_spi.rules.maneuver import maneuver
from tests.games.korsun_spi.chart import printed

RULEBOOK = games.rulebook("korsun_spi")
WHEELS = {"mech", "cavalry", "hq"}


class Enough(Exception):
    """As much has been looked at as a test has time for."""


class Walker:
    """One side's units on a position, walked by the text of 5.0, 8.0 and 10.0."""

    def __init__(self, table: Table, side: str) -> None:
        self.table, self.side = table, side
        self.enemies = self._held(table.enemy(side))
        self.friends = self._held(side)
        self.zones = {n for h in self.enemies for n in self._controls(h)}
        self.covered = {n for h in self.enemies if self._on_river(h) for n in self._controls(h)} - set(self.friends)

    def _held(self, side: str) -> dict[Hex, list[str]]:
        held: dict[Hex, list[str]] = {}
        for unit in self.table.position.on_map(side):
            h = self.table.position.hex_of(unit)
            assert h is not None
            held.setdefault(h, []).append(unit)
        return held

    def _controls(self, h: Hex) -> Iterator[Hex]:
        for near in self.table.grid.neighbours(h):
            if not {"major", "sea"} & self.table.board.feature(h, near):
                yield near

    def _on_river(self, h: Hex) -> bool:
        return any("major" in self.table.board.feature(h, near) for near in self.table.grid.neighbours(h))

    def gait(self, unit: str) -> str:
        classes = self.table.unit(unit).classes
        return "hq" if "hq" in classes else "mech" if "mech" in classes else "inf"

    def allowance(self, unit: str) -> float:
        position = self.table.position
        points = position.value(unit, "move")
        if position.mark("game", "weather") == "mud" and self.table.unit(unit).classes & WHEELS:
            points = 4
        return points // 2 if position.mark(unit, "unsupplied") else points

    def price(self, unit: str, here: Hex, there: Hex) -> float | None:
        """One step in Movement Points; None where it is forbidden."""
        alone = all("hq" in self.table.unit(u).classes for u in self.friends.get(there, ()))
        if there in self.enemies or not self.table.board.land >> there & 1:
            return None
        if "major" in self.table.board.feature(here, there) and there in self.covered:
            return None
        if self.gait(unit) == "hq" and there in self.zones and alone:
            return None
        return printed(self.table.game.scenario, self.side, self.gait(unit), self.table.game, here, there)

    def destinations(self, unit: str) -> set[Hex]:
        """Every hex that some path reaches within the allowance (5.11); if there is none, one step away (5.14)."""
        start = self.table.position.hex_of(unit)
        assert start is not None
        if start in self.zones:
            return set()
        spent = (self.table.position.mark(unit, "spent") or 0) / 2
        best: dict[Hex, float] = {}
        heap: list[tuple[float, Hex]] = [(spent, start)]
        while heap:
            cost, here = heappop(heap)
            if here in best:
                continue
            best[here] = cost
            if here in self.zones:
                continue
            for there in self.table.grid.neighbours(here):
                step = self.price(unit, here, there)
                if step is not None and cost + step <= self.allowance(unit):
                    heappush(heap, (cost + step, there))
        near = self.table.grid.neighbours(start)
        free = [there for there in near if self.price(unit, start, there) is not None and not spent and len(best) == 1]
        return {h for h in {*best, *free} - {start} if self.room((unit,), h)}

    def room(self, units: tuple[str, ...], h: Hex) -> bool:
        """7.0, 11.22, 24.12, 19.3-d: three combat units, a corps being three and Baeke none, and one HQ."""
        classes = [self.table.unit(unit).classes for unit in (*units, *self.friends.get(h, ()))]
        sizes = [3 if "corps" in c else 1 for c in classes if not c & {"hq", "heavy"}]
        return sum(sizes) <= 3 and sum("hq" in c for c in classes) <= 1


def watched(scenario: str, seed: int, looks: int, look: Callable[[Table, Ask, Random], None]) -> None:
    """Plays bots against each other and looks at some of their movement questions once they are in contact."""
    chance, seen = Random(seed), 0

    def watch(table: Table, ask: Ask) -> Ask:
        nonlocal seen
        if table.position.turn > 1 and ask.name.endswith("movement") and chance.random() < 0.3:
            look(table, ask, chance)
            seen += 1
        if seen == looks:
            raise Enough
        return ask

    bots = {"soviet": RandomLegal(seed), "german": RandomLegal(seed + 1)}
    with suppress(Enough):
        play(RULEBOOK.game(scenario), bots, seed=seed, watch=watch)
    assert seen


def movers(ask: Ask) -> list[str]:
    """The units that are offered a move by themselves."""
    return [choice.given["units"][0] for choice in moves(ask) if len(choice.given["units"]) == 1]


def moves(ask: Ask) -> list[Choice]:
    return [choice for choice in ask.choices() if choice.kind is Move]


def limited(table: Table, unit: str, hexes: set[Hex]) -> set[Hex]:
    area = allowed_area(table, unit)
    return hexes if area is None else hexes & set(hexset.members(area))


SCENARIOS = [("korsun", 11), ("korsun", 12), ("proving-rail", 14), ("proving-star", 15)]


@pytest.mark.case("korsun_spi", "5.0", "5.11", "5.13", "5.14", "5.22", "5.23", "5.24", "8.12", "8.21", "10.13-a")
@pytest.mark.parametrize(("scenario", "seed"), SCENARIOS)
def test_units_reach_exactly_the_hexes_that_some_path_leads_to(scenario: str, seed: int):
    def look(table: Table, ask: Ask, chance: Random) -> None:
        walker = Walker(table, ask.side)
        for unit in chance.sample(listed := movers(ask), min(4, len(listed))):
            if table.position.mark(unit, "disengaged") is None:
                offered = next(choice for choice in moves(ask) if choice.given["units"] == (unit,))
                found = {table.grid.hex(to) for to in offered.values}
                assert found == limited(table, unit, walker.destinations(unit)), (unit, table.position.stage)

    watched(scenario, seed, 15, look)


@pytest.mark.case("korsun_spi", "4.2-a", "4.2-c", "5.0", "5.24")
@pytest.mark.parametrize(("scenario", "seed"), SCENARIOS)
def test_whoever_is_free_to_move_is_offered_a_move_and_nobody_else(scenario: str, seed: int):
    def look(table: Table, ask: Ask, chance: Random) -> None:
        walker, listed = Walker(table, ask.side), set(movers(ask))
        for unit in table.position.on_map(ask.side):
            fresh = not table.position.marks.get(unit, {}).keys() - {"unsupplied", "command", "no hq", "active"}
            if fresh and table.position.stage.endswith("initial"):
                assert (unit in listed) == bool(limited(table, unit, walker.destinations(unit))), unit
            elif walker.gait(unit) == "inf" and table.position.stage.endswith("mechanised"):
                assert unit not in listed

    watched(scenario, seed, 12, look)


@pytest.mark.case("korsun_spi", "5.0", "5.11", "5.31", "26.0")
@pytest.mark.parametrize(("scenario", "seed"), SCENARIOS)
def test_every_order_that_is_offered_is_legal_and_no_other_hex_is(scenario: str, seed: int):
    def look(table: Table, ask: Ask, chance: Random) -> None:
        reading = table.reading(ask.side)
        first = ask.choices()
        for begun in chance.sample(first, min(5, len(first))):
            whole = begun.following() if begun.more else [begun]
            assert whole, begun.line()
            for choice in chance.sample(whole, min(4, len(whole))):
                ask.check(choice.order())
                assert table.game.book.read(choice.line(), reading) == choice.order()
            if begun.kind is Move:
                room = Walker(table, ask.side).room  # a hex that is full is a stop on the way, and offered to nobody
                ends = [h for h in hexset.members(table.board.land) if room(begun.given["units"], h)]
                others = {table.grid.number_of(h) for h in ends} - set(begun.values)
                for spot in chance.sample(sorted(others), 4):
                    with pytest.raises(Illegal):
                        ask.check(begun.saying(spot).order())

    watched(scenario, seed, 15, look)


@pytest.mark.case("korsun_spi", "7.0-b")
@pytest.mark.parametrize(
    ("stack", "gone"),
    [
        (["TC18", "RD6"], ("RD6",)),  # the division takes less room than the corps, and gives 4 points instead of 12
        (["TC18", "RD6", "RD31", "RD58"], ("TC18",)),  # 12 points either way: four steps instead of six
        (["RD6", "RD31", "TB25", "GTB20"], ("TB25",)),
        (["RD6", "HQ-27", "HQ-53"], ("HQ-27",)),
    ],
)
def test_the_default_discards_what_costs_least(stack: list[str], gone: tuple[str, ...]):
    game = RULEBOOK.game("korsun")
    position = game.new_position()
    facts: list[Fact] = [StageBegan(stage="soviet.initial", turn=3, side="soviet")]
    for fact in [*facts, *(Placed(unit=unit, at="3018") for unit in stack)]:
        apply(position, fact)
    ask = next(maneuver(Table(game, position), "soviet"))
    assert isinstance(ask, Ask)
    assert ask.default() == Discard(units=gone)
    ask.check(ask.default())
