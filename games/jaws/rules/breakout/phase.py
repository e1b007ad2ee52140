"""The Breakout Phase (3.2-F7, 16.5): consolidation, one hex, four waves."""

from engine.asks import Ask, Procedure
from engine.facts import Noted
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.rules.marks import game_mark, set_game, wipe
from games.jaws.data import GERMAN, Table
from games.jaws.orders.breakout import BreakOut, Consolidate, Shift
from games.jaws.orders.turn import End
from games.jaws.rules.breakout import consolidation, one_hex
from games.jaws.rules.breakout.combat import ASSAULTED, STACKS
from games.jaws.rules.breakout.one_hex import SHIFTED
from games.jaws.rules.breakout.waves import BROKE, STEP, WAVE, assigned, wave_of
from games.jaws.rules.closing import to_its_end

MERGING, STEPPING = "consolidation", "one hex"
PHASE_MARKS = (STEP, STACKS, ASSAULTED, SHIFTED, BROKE, WAVE)


def breakout_phase(table: Table) -> Procedure:
    """16.5: one part after another; what has begun is noted, so that each can be entered."""
    last = len(table.data.tables["breakout"]["waves"]) + 1
    parts = [MERGING, STEPPING, *(f"wave {n}" for n in range(1, last + 1))]
    begun = game_mark(table, STEP)
    for part in parts[parts.index(begun) if begun in parts else 0 :]:
        if game_mark(table, STEP) != part:
            if part == "wave 1":
                yield from assigned(table)
            yield from set_game(table, STEP, part, "16.5", Noted)
        yield from to_its_end(_part(table, part), part, GERMAN)
    yield from wipe(table, PHASE_MARKS, "16.5")


def _part(table: Table, part: str) -> Procedure:
    if part == MERGING:
        return _merging(table)
    return _stepping(table) if part == STEPPING else wave_of(table, int(part.removeprefix("wave ")))


def _merging(table: Table) -> Procedure:
    """16.5.1"""
    while consolidation.choices(table):
        order = yield _merge_ask(table)
        if isinstance(order, End):
            return
        yield from consolidation.consolidate(table, order)


def _stepping(table: Table) -> Procedure:
    """16.5.2"""
    while one_hex.goes_on(table.seen_by(GERMAN)):
        order = yield _step_ask(table)
        if isinstance(order, End):
            return
        yield from one_hex.shift(table, order)


def _merge_ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)

    def check(order: Order) -> None:
        if isinstance(order, Consolidate):
            consolidation.check(seen, order)

    return Ask(
        side=GERMAN,
        name="consolidation",
        subject=GERMAN,
        prompt="the Breakout, first part: whom you merge into regiments; `end` goes on to the one-hex move",
        verbs=(Consolidate, End),
        check=check,
        offers=lambda: [Choice(End), *consolidation.choices(seen)],
        default=End,
        case="16.5.1-c1",
        top=True,
        onward=(Shift, BreakOut),
        course="breakout",
    )


def _step_ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)

    def check(order: Order) -> None:
        if isinstance(order, Shift):
            one_hex.check(seen, order)
        else:
            one_hex.check_end(seen)

    def offers() -> list[Choice]:
        moves = one_hex.choices(seen)
        return moves if one_hex.relief(seen) is not None else [Choice(End), *moves]

    return Ask(
        side=GERMAN,
        name="one hex",
        subject=GERMAN,
        prompt="the Breakout, second part: who of Gruppe Stemmermann steps a hex; `end` begins the first wave",
        verbs=(Shift, End),
        check=check,
        offers=offers,
        default=lambda: one_hex.relief(seen) or End(),
        case="16.5.2",
        top=True,
        onward=(BreakOut,),
        course="breakout",
    )
