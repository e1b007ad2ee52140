"""In short: the letter in a sentence and a few rows, from where the reader stands."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine import facts as f
from engine.game import Game
from engine.pieces import Roster
from pbem.report.making import Moment
from pbem.report.report import Report
from pbem.tale.marches import WalkedBack, went_on
from pbem.wording import words
from pbem.wording.marks_and_tracks import mark_words, track_name
from pbem.wording.naming import gathered, side_title, some

ROWS = 8
HEAD = ("turn", "date", "weather")  # told over the letter, and not again
MOST_NAMED = 12
Row = tuple[str, str]


@dataclass(frozen=True)
class Summary:
    """The bold sentence, the rows, and what an inbox shows of it."""

    sentence: str
    rows: tuple[Row, ...]
    preheader: str


def summary(now: Moment, report: Report, past: WalkedBack) -> Summary:
    """What it cost whom, who holds what, who came, how it stands."""
    game, reader, facts = now.game, now.side, report.facts
    losses = {side: lost_by(game.setting.roster, side, facts) for side in game.sides}
    lost, taken = changed_hands(now, facts, past)
    rows: list[Row] = []
    if any(map(game.board.grid.has, past.before.values())):  # else it was all set up just now
        sides = sorted(filter(losses.get, game.sides), key=lambda side: side != reader)
        rows += [("You lost" if side == reader else f"{side_title(side)} lost", losses[side]) for side in sides]
        ground = ("Ground lost", lost), ("Ground taken", taken)
        rows += [(label, some([words.place(game, h) for h in hexes], MOST_NAMED)) for label, hexes in ground if hexes]
        rows += _supply(now)
        rows += _arrivals(now, facts, past) if now.seen.turn else ()
    rows += [row for row in report.standing if row[0].casefold() not in HEAD]
    sentence = _sentence(game, facts, past)
    cost = f"you lost {_without_names(losses.get(reader, ''))}" if losses.get(reader) else ""
    fights = sum(isinstance(fact, f.Fought) for fact in facts)
    fought = f"{fights} {words.plural('fight', fights)}" if fights else ""
    said = ", ".join(part for part in (fought, cost) if part)
    left = f"Ground lost: {', '.join(lost)}." if lost else ""
    preheader = f"{f'{words.capital(said)}.' if said else sentence} {left}".strip()
    return Summary(sentence, tuple(rows[:ROWS]), preheader)


def _sentence(game: Game, facts: Sequence[f.Fact], past: WalkedBack) -> str:
    """How much was fought, and who moved."""
    said = ", ".join(words.how_many(fact.kind for fact in facts if isinstance(fact, f.Fought)))
    roster = game.setting.roster
    moved = Counter(roster.get(unit).side for unit in dict.fromkeys(move.unit for move in went_on(facts)))
    told = [f"{number} {side_title(side)} {words.plural('unit', number)} moved" for side, number in moved.items()]
    placed = len({fact.unit for fact in facts if isinstance(fact, f.Placed) and _came(game, fact, past)})
    told += [f"{placed} {words.plural('unit', placed)} placed"] if placed else []
    whole = "; ".join(part for part in (said, ", ".join(told)) if part)
    return f"{words.capital(whole)}." if whole else "A quiet time."


def lost_by(roster: Roster, side: str, facts: Iterable[f.Fact]) -> str:
    """What a side lost, counted and named; a unit that fell is not counted by its steps as well."""
    steps: Counter[str] = Counter()
    fallen: dict[str, None] = {}
    for fact in facts:
        if isinstance(fact, f.StepLost) and roster.get(fact.unit).side == side:
            steps[fact.unit] += fact.steps
        elif isinstance(fact, f.Eliminated) and roster.get(fact.unit).side == side:
            fallen[fact.unit] = None
    hit = {unit: lost for unit, lost in steps.items() if unit not in fallen}
    counted = (len(fallen), "unit", fallen), (sum(hit.values()), "step", hit)
    return " and ".join(f"{n} {words.plural(what, n)} ({some(who, MOST_NAMED)})" for n, what, who in counted if who)


def _without_names(losses: str) -> str:
    return " and ".join(part.partition(" (")[0] for part in losses.split(" and "))


def changed_hands(now: Moment, facts: Sequence[f.Fact], past: WalkedBack) -> tuple[list[str], list[str]]:
    """The hexes that others have taken from the reader, and he from them."""
    grid, roster, seen, reader = now.game.board.grid, now.game.setting.roster, now.seen, now.side
    was = {place: roster.get(unit).side for unit, place in past.before.items() if grid.has(place)}
    held = {seen.where[unit]: roster.get(unit).side for unit in seen.on_map()}
    lost = {place for place, side in held.items() if was.get(place, side) == reader != side}
    taken = {place for place, side in held.items() if was.get(place, side) != reader == side}
    for fact in facts:
        if isinstance(fact, f.TookHex) and seen.owners.get(fact.hex) == fact.side:
            (taken if fact.side == reader else lost).add(fact.hex)
    return sorted(lost), sorted(taken)


def _supply(now: Moment) -> Iterator[Row]:
    """The reader's units that bear what their game tells under supply."""
    game, seen = now.game, now.seen
    told = {mark for mark, known in game.marks.items() if known.heading == "Supply"} - {*seen.noted}
    bearing = gathered(
        (_supplied(game, mark, value), unit)
        for unit in seen.on_map(now.side)
        for mark, value in seen.marks.get(unit, {}).items()
        if mark in told
    )
    if bearing:
        yield "Supply", "; ".join(f"{mark}: {some(units, MOST_NAMED)}" for mark, units in bearing.items())


def _supplied(game: Game, mark: str, value: int | str) -> str:
    return mark_words(game, mark, value) if game.marks[mark].says else track_name(mark if value == 1 else str(value))


def _came(game: Game, fact: f.Placed, past: WalkedBack) -> bool:
    """Whether it came onto the map: what was laid elsewhere on it is no news."""
    grid = game.board.grid
    return grid.has(fact.at) and not grid.has(past.before.get(fact.unit, ""))


def _arrivals(now: Moment, facts: Iterable[f.Fact], past: WalkedBack) -> Iterator[Row]:
    came = [
        x.unit
        for x in facts
        if (isinstance(x, f.Moved) and x.how == "enter") or (isinstance(x, f.Placed) and _came(now.game, x, past))
    ]
    for side, units in gathered((now.game.setting.roster.get(unit).side, unit) for unit in dict.fromkeys(came)).items():
        yield "Your arrivals" if side == now.side else "New arrivals", some(units, MOST_NAMED)
