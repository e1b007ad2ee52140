"""The Soviets go forward, together, and round the enemy's back."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held
from engine.table import kept_while_side_still, kept_while_still
from games.manstein.data import Table
from games.manstein.judgement.outlook import FAR, distances
from games.manstein.judgement.post import Post, contact
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS, SOVIET, zoc
from games.manstein.rules.lines import lines, own_rails, sources


def soviet(table: Table, post: Post, h: Hex) -> float:
    w = post.weights
    value = contact(table, post, h) - w["drive"] * post.aim[h]
    if _behind(table) >> h & 1:
        value += w["pocket"] * _cutting(table, AXIS, h)
    data = table.data
    if data.area("breakthrough") >> h & 1 and table.position.mark(post.unit, "broke through") is None:
        value += w["breakthrough"] if lines(table, SOVIET) >> h & 1 else 0.0
    if data.cities >> h & 1 and table.position.owners.get(table.grid.number_of(h)) == AXIS:
        value += w["ordered" if under_order(table, h) else "city"]
    if (data.rail_hexes & ~own_rails(table, SOVIET)) >> h & 1:
        value += w["rail"]
    if data.race and data.west_bank >> h & 1:
        value += w["bank"]
    return value


@kept_while_still()
def _behind(table: Table) -> HexSet:
    """Hexes whose zone would lie on ground next to Axis units that no Soviet zone covers."""
    return hexset.spread(table.grid, hexset.spread(table.grid, held(table, AXIS)) & ~zoc(table, SOVIET))


@kept_while_side_still()
def _cutting(table: Table, enemy: str, h: Hex) -> float:
    """Whether a zone from here lies on the enemy's way home: a retreat through it costs steps."""
    home = distances(table.data, sources(table, enemy))
    near = hexset.within(table.grid, 1 << h, 2) & held(table, enemy)
    return 1.0 if home[h] <= min((home[at] for at in hexset.members(near)), default=-FAR) else 0.0
