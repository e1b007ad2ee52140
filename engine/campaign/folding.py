"""Reading a log without the rules: the facts in force, folded; and a referee put back where it stood."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from engine import log
from engine.drawer import Drawer
from engine.facts import load
from engine.game import Game
from engine.position import Position, apply
from engine.referee import NO_ANSWERS, DiceCast, Referee, Tally


def replay(
    source: Path | str | Iterable[log.Line], game: Game, upto: int | None = None, reader: str | None = None
) -> Position:
    """The position after a line (None: the last), in truth or from a reader's copy as he knows it.

    Raises DamagedLog, NoWayBack, UnknownFact.
    """
    read = log.LogFile(Path(source)).read().lines if isinstance(source, Path | str) else list(source)
    position = Position(game.setting, reader)
    for line, count in log.effective(read if upto is None else read[: upto + 1]):
        for _, kind, body, _ in log.entries(line)[:count]:
            if kind == "fact":
                apply(position, load(body))
    return position


def fold(position: Position, happened: Iterable[log.Item]) -> None:
    """The facts among what happened, applied."""
    for item in happened:
        if item.kind == "fact":
            apply(position, item.fact)


def units_by_side(game: Game) -> dict[str, list[str]]:
    """The units of each side, as a header lists them: whoever folds the facts without the rules must know."""
    listed: dict[str, list[str]] = {}
    for unit in game.setting.roster:
        listed.setdefault(unit.side, []).append(unit.id)
    return listed


def opened(game: Game) -> tuple[Position, list[log.Item]]:
    """The position as the game is set up, and the facts that made it."""
    position = Position(game.setting)
    facts = game.opening(game)
    for fact in facts:
        apply(position, fact)
    return position, [log.Item("fact", fact, log.audience_of(fact.only, game.sides)) for fact in facts]


def put_back(
    happened: Sequence[log.Item], game: Game, dice: DiceCast, drawer: Drawer, *, strict: bool = False
) -> Referee:
    """A referee at the ask where all that happened leaves it; re-runs one procedure. Raises Differs."""
    start = last_top(happened)
    corrected = max((n for n, item in enumerate(happened) if item.corrects), default=-1) + 1
    if corrected > (start or 0):
        return _put_back_corrected(happened, corrected, game, dice, drawer, strict)
    if start is None:
        start = len(game.opening(game))
    position = Position(game.setting)
    fold(position, happened[:start])
    referee = Referee(game, position, dice, drawer=drawer, tally=tally_of(happened[:start]))
    referee.feed(happened[start:], strict=strict)
    referee.items = []
    return referee


def _put_back_corrected(
    happened: Sequence[log.Item], upto: int, game: Game, dice: DiceCast, drawer: Drawer, strict: bool
) -> Referee:
    """A referee at an ask after which facts were put right by hand, no answer to a top ask having come since."""
    first = next((n for n in range(upto, 0, -1) if not happened[n - 1].corrects), 0)
    referee = put_back(happened[:first], game, dice, drawer)
    referee.correct([item.fact for item in happened[first:upto]])
    referee.feed(happened[upto:], strict=strict)
    referee.items = []
    return referee


def last_top(happened: Sequence[log.Item]) -> int | None:
    """Where the last answer at which the game can be entered stands: the first, if several were given together."""
    tops = (n for n in range(len(happened) - 1, -1, -1) if _enters(happened[n]))
    return next((n for n in tops if happened[n].kind == "answer"), None)


def _enters(item: log.Item) -> bool:
    return 0 in (item.body.get("top"), item.body.get("entry"))


def tally_of(happened: Sequence[log.Item]) -> Tally:
    """The answers among what happened."""
    answers = (item for item in happened if item.kind == "answer")
    return NO_ANSWERS.after((item.body["side"], item.audience != log.ALL) for item in answers)
