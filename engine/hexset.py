"""Sets of hexes as integers, one bit a hex: spreading, flooding, and reach by movement points."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from engine.hexes import Grid, Hex, NotAdjacent, opposite

HexSet = int
# By direction, the hexes that have this feature on that side, or that may be left that way.
Sides = tuple[HexSet, HexSet, HexSet, HexSet, HexSet, HexSet]
# By cost in the game's smallest fraction of a movement point: the hexes that may be left that way for it.
Exits = Mapping[int, Sequence[HexSet]]

EMPTY: HexSet = 0
FEW = 40  # more than these are taken out of a set all at once
_BITS = tuple(tuple(bit for bit in range(8) if octet >> bit & 1) for octet in range(256))


class CostNotPositive(ValueError):
    """An exit that would cost nothing or less."""

    def __init__(self, cost: int) -> None:
        super().__init__(f"leaving a hex must cost something, not {cost}")
        self.cost = cost


def of(hexes: Iterable[Hex]) -> HexSet:
    """The set of these hexes."""
    s = 0
    for h in hexes:
        s |= 1 << h
    return s


def union(sets: Iterable[HexSet]) -> HexSet:
    """All hexes of these sets."""
    s = 0
    for hexes in sets:
        s |= hexes
    return s


def members(s: HexSet) -> Iterator[Hex]:
    """The hexes of a set, in the order of their index."""
    return _few(s) if s.bit_count() <= FEW else iter(_many(s))


def _few(s: HexSet) -> Iterator[Hex]:
    while s:
        lowest = s & -s
        yield lowest.bit_length() - 1
        s ^= lowest


def _many(s: HexSet) -> list[Hex]:
    """Byte by byte: taking one bit after another out of a long number writes the number again for each."""
    octets = s.to_bytes((s.bit_length() + 7) // 8, "little")
    return [8 * place + bit for place, octet in enumerate(octets) if octet for bit in _BITS[octet]]


def count(s: HexSet) -> int:
    """How many hexes are in a set."""
    return s.bit_count()


def _shift(s: HexSet, cells: int) -> HexSet:
    return s << cells if cells >= 0 else s >> -cells


def step(grid: Grid, s: HexSet, direction: int) -> HexSet:
    """The whole set one hex further in a direction; what leaves the map is gone."""
    from_level, from_ahead = grid.shifts[direction]
    if from_level == from_ahead:
        return _shift(s, from_level) & grid.everything
    return (_shift(s & grid.level, from_level) | _shift(s & grid.ahead, from_ahead)) & grid.everything


def spread(grid: Grid, s: HexSet) -> HexSet:
    """The set and all its neighbours."""
    level, ahead = s & grid.level, s & grid.ahead
    sideways = s | level >> 1 | ahead << 1  # where it touches the next line and the one before
    return (s | s << 1 | s >> 1 | sideways << grid.stride | sideways >> grid.stride) & grid.everything


def beside(grid: Grid, s: HexSet) -> HexSet:
    """The neighbours of the set's hexes, one of its own only if it is a neighbour of another."""
    sideways = s | (s & grid.level) >> 1 | (s & grid.ahead) << 1
    return (s << 1 | s >> 1 | sideways << grid.stride | sideways >> grid.stride) & grid.everything


def within(grid: Grid, s: HexSet, distance: int) -> HexSet:
    """The hexes at most this far from the set."""
    for _ in range(distance):
        s = spread(grid, s)
    return s


def ring(grid: Grid, s: HexSet, distance: int) -> HexSet:
    """The hexes exactly this far from the nearest hex of the set."""
    if distance == 0:
        return s
    inner = within(grid, s, distance - 1)
    return spread(grid, inner) & ~inner


def across(grid: Grid, s: HexSet, sides: Sequence[HexSet]) -> HexSet:
    """The hexes one step from the set over these hexsides."""
    found = 0
    level, ahead = s & grid.level, s & grid.ahead
    for leaving, (from_level, from_ahead) in zip(sides, grid.shifts, strict=True):
        # As `step` does it, written out: every reach and every zone of control is made of this.
        if here := level & leaving:
            found |= here << from_level if from_level >= 0 else here >> -from_level
        if here := ahead & leaving:
            found |= here << from_ahead if from_ahead >= 0 else here >> -from_ahead
    return found & grid.everything


def beyond(grid: Grid, h: Hex, sides: Sequence[HexSet]) -> HexSet:
    """The hexes one step from a single hex over these hexsides."""
    found = 0
    for leaving, near in zip(sides, grid.around(h), strict=True):
        if near is not None and leaving >> h & 1:
            found |= 1 << near
    return found


def sides_of(grid: Grid, pairs: Iterable[tuple[Hex, Hex]]) -> Sides:
    """Six masks, both ways, from the pairs of hexes that the hexsides part; raises NotAdjacent."""
    masks = [0] * 6
    for a, b in pairs:
        direction = grid.direction(a, b)
        if direction is None:
            raise NotAdjacent(grid.number_of(a), grid.number_of(b))
        masks[direction] |= 1 << a
        masks[opposite(direction)] |= 1 << b
    return (masks[0], masks[1], masks[2], masks[3], masks[4], masks[5])


def distance_layers(
    grid: Grid,
    start: HexSet,
    open: HexSet,  # noqa: A002 - the word the rules use
    limit: int | None = None,
    sides: Sequence[HexSet] | None = None,
) -> list[HexSet]:
    """Layer k holds the open hexes first reached in k steps; layer 0 is what of the start is open."""
    frontier = seen = start & open
    layers = [frontier]
    while frontier and (limit is None or len(layers) <= limit):
        near = spread(grid, frontier) if sides is None else across(grid, frontier, sides)
        frontier = near & open & ~seen
        if frontier:
            layers.append(frontier)
            seen |= frontier
    return layers


def flood(
    grid: Grid,
    start: HexSet,
    open: HexSet,  # noqa: A002 - the word the rules use
    sides: Sequence[HexSet] | None = None,
) -> HexSet:
    """All open hexes connected with the open ones of the start, over these hexsides only if any are given."""
    seen, before = start & open, -1
    while seen != before:
        before = seen
        if sides is None:
            seen = spread(grid, seen) & open
            continue
        for leaving, (from_level, from_ahead) in zip(sides, grid.shifts, strict=True):
            # One way after another, from what the last one found: that takes far fewer rounds than layers do.
            level, ahead = seen & leaving & grid.level, seen & leaving & grid.ahead
            seen |= (level << from_level if from_level >= 0 else level >> -from_level) & open
            seen |= (ahead << from_ahead if from_ahead >= 0 else ahead >> -from_ahead) & open
    return seen


def reach(
    grid: Grid, start: HexSet, exits: Exits, budget: int, stop: HexSet = EMPTY, until: HexSet = EMPTY
) -> list[HexSet]:
    """Layer k holds the hexes that cost k at the cheapest; only the start is left if it is in stop.

    The last layer is the first with one of `until` in it. Raises CostNotPositive.
    """
    if (cheapest := min(exits, default=1)) <= 0:
        raise CostNotPositive(cheapest)
    ways = [(cost, *_shifts(grid.shifts, grid.level, grid.ahead, *sides)) for cost, sides in exits.items()]
    layers = [0] * (budget + 1)
    layers[0] = start
    seen = 0
    for spent in range(budget + 1):
        new = layers[spent] = layers[spent] & ~seen
        if not new:
            continue
        if new & until:
            return layers[: spent + 1]
        seen |= new
        leaving = new & ~stop if spent else new
        if not leaving:
            continue
        for cost, anywhere, shifts in ways:
            if leaving & anywhere and spent + cost <= budget:  # most costs are asked nowhere near
                found = 0
                for sides, far in shifts:
                    if here := leaving & sides:
                        found |= here << far if far >= 0 else here >> -far
                layers[spent + cost] |= found & grid.everything
    return layers


@lru_cache(maxsize=1024)
def _shifts(
    by: tuple[tuple[int, int], ...], even: HexSet, odd: HexSet, *sides: HexSet
) -> tuple[HexSet, list[tuple[HexSet, int]]]:
    """`across` taken apart for sides that are crossed again and again: the hexes left, and how far their bits go."""
    found = []
    for leaving, (from_level, from_ahead) in zip(sides, by, strict=True):
        if from_level == from_ahead:
            found.append((leaving, from_level))
        else:
            found += [(leaving & even, from_level), (leaving & odd, from_ahead)]
    return union(sides), [(leaving, far) for leaving, far in found if leaving]


def path(grid: Grid, layers: Sequence[HexSet], exits: Exits, target: Hex, stop: HexSet = EMPTY) -> list[Hex]:
    """One cheapest way from start to target, both included, by the layers of `reach`; empty if none."""
    spent = next((cost for cost, layer in enumerate(layers) if layer >> target & 1), None)
    if spent is None:
        return []
    way = [target]
    while spent:
        came, spent = _step_back(grid, layers, exits, way[-1], spent, stop)
        way.append(came)
    return way[::-1]


def _step_back(grid: Grid, layers: Sequence[HexSet], exits: Exits, h: Hex, spent: int, stop: HexSet) -> tuple[Hex, int]:
    """The hex that h was entered from, and what was spent there: cheapest last step first, clockwise."""
    around = grid.around(h)
    back = [around[opposite(direction)] for direction in range(6)]
    for cost in sorted(cost for cost in exits if cost <= spent):
        before = spent - cost
        left = layers[before] & ~stop if before else layers[before]
        if not left:
            continue
        for came, side in zip(back, exits[cost], strict=True):
            if came is not None and left >> came & side >> came & 1:
                return came, before
    raise ValueError(f"these layers do not lead to {grid.number_of(h)}")
