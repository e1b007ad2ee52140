"""Roads and railroads: smooth lines through the hexes, meeting where they join and leaving by the map's edge."""

from collections.abc import Iterator
from itertools import pairwise

from engine.board import Board
from engine.hexes import Hex
from pbem.pictures.look import Look, Stripe
from pbem.pictures.shapes import Path, Point, Shape

Net = dict[Hex, list[Hex]]


def ways(board: Board, look: Look) -> Iterator[Shape]:
    """All ways of the map, the wider edges of each kind under its lines."""
    usual = Stripe(width=0.05, fill="#7a5a3a")
    for kind in dict.fromkeys(route.kind for route in board.routes):
        stripe = look.ways.get(kind, usual)
        lines = [tuple(line) for line in way_lines(board, kind, stripe.beside)]
        if stripe.edge:
            for line in lines:
                yield Path(line, stripe.edge, stripe.width + 0.035, smooth=True)
        for line in lines:
            yield Path(line, stripe.fill, stripe.width, smooth=True, dash=stripe.dash)


def way_lines(board: Board, kind: str, beside: float = 0.0) -> list[list[Point]]:
    """The ways of a kind as lines from junction to junction."""
    net = _net(board, kind)
    others = set() if not beside else {h for r in board.routes if r.kind != kind for h in r.hexes}
    spots = {h: _spot(board, net, h, beside if h in others else 0.0) for h in net}
    lines = []
    for run in _runs(net):
        points = [spots[h] for h in run]
        first, last = _leaves(board, net, run[0]), _leaves(board, net, run[-1])
        lines.append(([first] if first else []) + points + ([last] if last and len(run) > 1 else []))
    return lines


def _net(board: Board, kind: str) -> Net:
    net: Net = {}
    for route in board.routes:
        if route.kind == kind:
            for a, b in pairwise(route.hexes):
                for here, there in ((a, b), (b, a)):
                    around = net.setdefault(here, [])
                    if there not in around:
                        around.append(there)
    return net


def _spot(board: Board, net: Net, h: Hex, beside: float) -> Point:
    """Where the way passes through a hex: its centre at junctions and places, straighter elsewhere."""
    x, y = board.grid.centre(h)
    if h in board.places or len(net[h]) != 2:
        return x, y
    (ax, ay), (bx, by) = (board.grid.centre(n) for n in net[h])
    return x + ((ax + bx) / 2 - x) * 0.45 + beside, y + ((ay + by) / 2 - y) * 0.45 - beside


def _runs(net: Net) -> Iterator[list[Hex]]:
    """Every step of the net once, in runs from end or fork to the next; a ring without any is a run, too."""
    done: set[tuple[Hex, Hex]] = set()
    starts = [h for h in net if len(net[h]) != 2] + list(net)
    for start in starts:
        for there in net[start]:
            if (start, there) in done:
                continue
            run = [start, there]
            done |= {(start, there), (there, start)}
            while len(net[run[-1]]) == 2 and run[-1] != start:
                onward = next(n for n in net[run[-1]] if n != run[-2])
                done |= {(run[-1], onward), (onward, run[-1])}
                run.append(onward)
            yield run


def _leaves(board: Board, net: Net, h: Hex) -> Point | None:
    """The middle of the outer hexside by which a way goes on beyond the map; None where it just ends."""
    if len(net[h]) != 1 or h in board.places:
        return None
    grid = board.grid
    x, y = grid.centre(h)
    fx, fy = grid.centre(net[h][0])
    corners = grid.corners(h)
    outer = []
    for d in range(6):
        n = grid.neighbour(h, d)
        if n is None or not board.land >> n & 1:
            one, two = corners[d], corners[(d + 1) % 6]
            outer.append(((one[0] + two[0]) / 2, (one[1] + two[1]) / 2))
    if not outer:
        return None
    return min(outer, key=lambda p: (p[0] - x) * (fx - x) + (p[1] - y) * (fy - y))
