"""What wins with the pocket (23.5, 23.6, 23.8): contact with it, or the share of its steps that got out."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, GameEnded, Marked, Told
from engine.position import ELIMINATED
from engine.rules.ground import is_a, place
from engine.rules.marks import game_mark
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.ground import open_to, owner, supply_sides
from games.jaws.rules.korsun import isolated, of_the_pocket, town
from games.jaws.rules.pocket import combat_units, cut_off, escaped, gruppe, linked, out, share, whole
from games.jaws.rules.units import OOS, is_cadre, korps

# 23.8: from the best for the Germans to the worst
LEVELS = (
    "German decisive victory",
    "German marginal victory",
    "Draw",
    "Soviet marginal victory",
    "Soviet decisive victory",
)
WINNERS = (GERMAN, GERMAN, "", SOVIET, SOVIET)
EVEN = 2  # the level of a draw
WAY_OUT = "way out"  # 23.8: the game's mark: the Germans would have won when the Breakout was declared


# 23.5


def relieved(table: Table) -> GameEnded:
    """23.5: a path from a unit of the pocket to one of the 3rd Panzer Korps, or one that broke out while a path leads
    from that korps to a source (16.5.3-p5); or Lysyanka, held and in supply."""
    row = table.data.tables["victory"]["wanda"]
    ours = [unit for unit in combat_units(table) if korps(table, table.unit(unit)) == row["korps"]]
    starts = hexset.of(place(table, unit) for unit in ours)
    traced = hexset.flood(table.grid, starts, open_to(table, GERMAN), supply_sides(table, GERMAN))
    joined = bool(escaped(table)) and not all(cut_off(table, unit) for unit in ours)
    if joined or any(traced >> place(table, unit) & 1 for unit in gruppe(table)):
        return GameEnded(result=LEVELS[0], winner=GERMAN, because=row["case"])
    goal = table.grid.hex(row["hex"])
    if owner(table, goal) == GERMAN and linked(table) >> goal & 1:
        return GameEnded(result=LEVELS[1], winner=GERMAN, because=row["case"])
    return GameEnded(result="Soviet victory", winner=SOVIET, because=row["case"])


# 23.6, 23.8


def by_share(table: Table, hundredths: int) -> int:
    """The level of a share: 0 is the best for the Germans."""
    levels = table.data.tables["victory"]["share"]["levels"]
    return next((n for n, least in enumerate(levels) if hundredths >= least), len(levels))


def _panzers_spent(table: Table) -> int:
    """The panzer divisions of which every tank that has come is gone, and none got out."""
    found, saved = 0, {*escaped(table)}
    for body in (f for f in table.roster.formations if f.kind == "panzer"):
        tanks = [u.id for u in table.roster.by_formation(body.id) if "armor" in u.classes]
        here = any(unit in saved or table.position.hex_of(unit) is not None for unit in tanks)
        found += not here and any(table.position.where.get(unit) == ELIMINATED for unit in tanks)
    return found


def _spent(table: Table, unit: str) -> bool:
    gone = table.position.where.get(unit) == ELIMINATED
    return gone or (table.position.hex_of(unit) is not None and is_cadre(table, unit))


def _corps_spent(table: Table) -> int:
    """The Soviet tank and mechanized corps with every brigade at cadre or gone."""
    found = 0
    for body in (f for f in table.roster.formations if f.kind == "corps"):
        units = [u.id for u in table.roster.by_formation(body.id) if not u.of]
        brigades = [unit for unit in units if is_a(table, unit, "brigade")]
        found += bool(brigades) and all(_spent(table, unit) for unit in brigades)
    return found


def adjustments(table: Table) -> list[tuple[str, int]]:
    """23.8: what moves the level of the campaign, toward the Soviets by one or toward the Germans."""
    row = table.data.tables["victory"]["campaign"]
    lost = all(owner(table, table.grid.hex(spot)) == SOVIET for spot in row["towns"])
    rows = (
        ("Lysyanka and Tal'noye are Soviet", int(lost)),
        ("panzer divisions have no tanks left", int(_panzers_spent(table) >= row["panzers"])),
        ("Korsun is German", -int(owner(table, town(table)) == GERMAN)),
        ("Soviet tank corps are spent", -int(_corps_spent(table) >= row["corps"])),
    )
    return [row_ for row_ in rows if row_[1]]


def wins_by_staying(table: Table) -> bool:
    """23.8: whether the campaign is such that a Breakout now would be a draw at best."""
    return table.data.scenario["victory"] == "campaign" and by_share(table, share(table)) < EVEN


def breakout_declared(table: Table) -> Iterator[Fact]:
    """23.8: Germans whose share would win as it stands have no pocket to break out of, and end no campaign by it; only
    they are told, for it rests on the steps of the pocket (4.4.4)."""
    if wins_by_staying(table):
        yield Marked(subject="game", mark=WAY_OUT, value="yes", because="23.8", only=(GERMAN,))
        text = "So many have a way out that you would win as it stands: this Breakout is a draw at best."
        yield Told(text=text, because="23.8", only=(GERMAN,))


def judged(table: Table) -> Iterator[Fact]:
    """23.6, 23.8: the share of the steps of the pocket that got out; in the campaign, what else moves the level."""
    scenario, found = table.data.scenario, share(table)
    level = by_share(table, found)
    yield Told(text=f"{out(table)} of {whole(table)} steps of the pocket are out: {found} %.", because="23.8")
    if scenario["victory"] == "campaign":
        for what, by in adjustments(table):
            toward = "Soviets" if by > 0 else "Germans"
            yield Told(text=f"One level toward the {toward}: {what}.", because="23.8")
            level += by
    if level < EVEN and game_mark(table, WAY_OUT):
        yield Told(text="A draw at best: so many had a way out when the Breakout was declared.", because="23.8")
        level = EVEN
    level = max(0, min(level, len(LEVELS) - 1))
    points = ((SOVIET, max(0, 100 - found)), (GERMAN, found))
    yield GameEnded(result=LEVELS[level], winner=WINNERS[level], points=points, because=scenario["case"])


def no_pocket(table: Table) -> bool:
    """23.8: Korsun never declared isolated, and all of both korps in supply when that turn ends."""
    if table.data.scenario["victory"] != "campaign" or isolated(table):
        return False
    if table.position.turn != table.data.tables["victory"]["campaign"]["turn"]:
        return False
    own = [unit for unit in combat_units(table) if of_the_pocket(table, unit)]
    return all(table.position.mark(unit, OOS) is None for unit in own)


def never_shut_in(table: Table) -> Iterator[Fact]:
    yield Told(text="There is no pocket: both korps are in supply, and Korsun was never isolated.", because="23.8")
    yield GameEnded(result=LEVELS[0], winner=GERMAN, because="23.8")
