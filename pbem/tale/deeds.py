"""Entries cut into deeds: an order with all that came of it, or the opening of a stage; its battles and reasons."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from engine import facts as f
from pbem.tale.entries import Entry, facts_of
from pbem.wording.naming import gathered, some

_LEADS_IN = (f.Told, f.Chose, f.Noted)  # said of a fight before anything is rolled for it
_DONE = (f.Moved, f.Fought, f.Eliminated, f.StepLost, f.TookHex)


@dataclass(frozen=True)
class Deed:
    """Entries that belong together, and the stage in which it was done."""

    entries: Sequence[Entry]
    stage: f.StageBegan | None

    @property
    def opens(self) -> bool:
        """Whether it is whole: the rest of one that began earlier does not open with an order or a stage."""
        return _opens(self.entries[0])

    @property
    def fought(self) -> bool:
        return any(isinstance(entry.fact, f.Fought) for entry in self.entries)


@dataclass(frozen=True)
class Battle:
    """An attack from its preparation to the last advance; `rolls` are what decided it, none if it began earlier."""

    fought: f.Fought
    before: tuple[Entry, ...]
    rolls: tuple[Entry, ...]
    after: tuple[Entry, ...]
    told: tuple[str, ...]  # the ids of its dice and its fight

    @cached_property
    def lost(self) -> Counter[str]:
        """The steps that each unit lost."""
        found: Counter[str] = Counter()
        for fact in facts_of(self.after):
            if isinstance(fact, f.StepLost):
                found[fact.unit] += fact.steps
        return found

    @cached_property
    def fallen(self) -> list[str]:
        """The units that were eliminated."""
        return [fact.unit for fact in facts_of(self.after) if isinstance(fact, f.Eliminated)]

    def fell(self, units: Iterable[str]) -> int:
        return sum(unit in self.fallen for unit in units)

    def hit(self, units: Iterable[str]) -> int:
        return sum(self.lost[unit] for unit in units)


def deeds(entries: Iterable[Entry], stage: f.StageBegan | None = None) -> Iterator[Deed]:
    """Split where a side chose freely, a stage began or the game ended; the first may be the rest of an earlier one.

    Where the reader may not see the orders, the marches of those who do not fight are deeds by themselves.
    """
    part: list[Entry] = []
    for entry in entries:
        if part and _opens(entry) and not _at_once(part[-1], entry):
            yield from (Deed(one, stage) for one in _apart(part))
            part = []
        part.append(entry)
        stage = entry.fact if isinstance(entry.fact, f.StageBegan) else stage
    yield from (Deed(one, stage) for one in _apart(part))


def _apart(part: list[Entry]) -> Iterator[list[Entry]]:
    fights = [entry.fact for entry in part if isinstance(entry.fact, f.Fought)]
    if not fights or "top" in part[0].item.body:
        yield from [part] if part else []
        return
    fighting = {unit for fight in fights for unit in (*fight.attackers, *fight.defenders)}

    def passes_by(entry: Entry) -> bool:
        return isinstance(entry.fact, f.Moved) and entry.fact.how == "move" and entry.fact.unit not in fighting

    yield from (list(run) for _, run in groupby(part, passes_by))


def _opens(entry: Entry) -> bool:
    return "top" in entry.item.body or entry.item.body.get("fact") in ("StageBegan", "GameEnded")


def _at_once(last: Entry, entry: Entry) -> bool:
    """Two sides that answered at once are told at once."""
    top, before = entry.item.body.get("top"), last.item.body.get("top")
    return top is not None and before == top - 1


def battles(deed: Sequence[Entry], under_way: f.Fought | None = None) -> Iterator[Battle]:
    """The battles of a deed, one for each time dice decided; what led to the first belongs to it.

    With one under way from earlier, the first is the rest of that one, if there is any.
    """
    fights = [i for i, entry in enumerate(deed) if isinstance(entry.fact, f.Fought)]
    starts = [0, *(_led_in(deed, fight) for fight in fights), len(deed)]
    if under_way is not None:
        rest = tuple(deed[: starts[1]])
        if facts_of(rest) or any(entry.item.kind == "roll" for entry in rest):
            yield Battle(under_way, (), (), rest, ())
    elif fights:
        starts[1] = 0
    for number, fight in enumerate(fights, 1):
        start, end = starts[number], starts[number + 1]
        dice = [i for i in _decided(deed, fight) if deed[i].item.kind == "roll"]
        fought = deed[fight].fact
        assert isinstance(fought, f.Fought)
        yield Battle(
            fought,
            before=tuple(deed[i] for i in range(start, fight) if i not in dice),
            rolls=tuple(deed[i] for i in dice),
            after=tuple(deed[fight + 1 : end]),
            told=tuple(deed[i].id for i in (*dice, fight)),
        )


def _led_in(deed: Sequence[Entry], fight: int) -> int:
    """Where a fight begins: what is said just before its dice is said of it, and not of the one before.

    So is all that follows a mark on a hex it is about: whoever may not read the order sees it begin there.
    """
    fought, start = deed[fight].fact, _decided(deed, fight)[0]
    assert isinstance(fought, f.Fought)
    while start and isinstance(deed[start - 1].fact, _LEADS_IN):
        start -= 1
    about = {f"@{target}" for target in fought.targets}
    since = next((i for i in range(fight - 1, -1, -1) if isinstance(deed[i].fact, f.Fought)), -1) + 1
    marks = (i for i in range(since, start) if isinstance(deed[i].fact, f.Marked))
    return next((i for i in marks if deed[i].item.body["subject"] in about), start)


def _decided(deed: Sequence[Entry], fight: int) -> list[int]:
    """Where the dice of a fight stand, as many as it says that decided; where it stands itself if it had none."""
    fought = deed[fight].fact
    assert isinstance(fought, f.Fought)
    dice: list[int] = []
    for i in range(fight - 1, -1, -1):
        if isinstance(deed[i].fact, f.Fought) or len(dice) == len(fought.decided):
            break
        if deed[i].item.kind == "roll":
            dice.insert(0, i)
    return dice or [fight]


def lately(facts: Sequence[f.Fact]) -> list[f.Fact]:
    """The facts since the last phase began in which anybody moved or fought: what a picture tells."""
    done = len(facts)
    for index in range(len(facts) - 1, -1, -1):
        if isinstance(facts[index], f.StageBegan):
            if any(isinstance(fact, _DONE) for fact in facts[index:done]):
                return list(facts[index:])
            done = index
    return list(facts)


@dataclass(frozen=True)
class Reason:
    """What was chosen for somebody, by which preference, who or what was left after each, and the case."""

    who: tuple[str, ...]
    what: str
    by: str
    trace: tuple[tuple[str, tuple[str, ...]], ...]
    case: str
    facts: tuple[f.Chose, ...]

    def traced(self, most: int = 0) -> str:
        """Who was left after each preference, at most so many of them by name."""
        return "; ".join(f"{preference}: {some(left, most or len(left))}" for preference, left in self.trace)


def reasons(facts: Iterable[f.Fact]) -> list[Reason]:
    """The choices among some facts, in their order; the same choice for several is told once."""
    chosen = (fact for fact in facts if isinstance(fact, f.Chose))
    found = gathered(((one.what, one.by, one.trace, one.because), one) for one in chosen)
    return [Reason(tuple(dict.fromkeys(one.who for one in same)), *alike, tuple(same)) for alike, same in found.items()]
