"""What happened, phase by phase: who came, who went where, who fought, what was marked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from engine import facts as f
from engine.game import Game
from engine.reference import Mark
from pbem.report.report import BattleCard, Ids, MarchRow, Note, Phase
from pbem.tale.deeds import Battle, Deed, Reason, battles, deeds, reasons
from pbem.tale.entries import Entry, Tale, facts_of
from pbem.tale.marches import marches
from pbem.wording import words
from pbem.wording.marks_and_tracks import mark_words, subject_name
from pbem.wording.naming import gathered

ARRIVALS = ("enter",)  # ways of moving that bring a unit on to the map
HOW = {"move": "", "rail": "by rail"}
TITLES = (f.StageBegan, f.GameEnded)  # told by what stands above
SLIGHT = (f.Sighted, f.LostSight, f.Doubted, f.TookHex)
APART = (f.Marked, f.Moved, f.Placed, f.Chose)  # what a phase tells together and not in the order it happened


def phases(game: Game, tale: Tale) -> tuple[Phase, ...]:
    """The phases that a report tells of; one that began earlier only if there is something to tell."""
    runs = groupby(deeds(tale.entries, tale.stage), key=lambda deed: id(deed.stage))
    told = enumerate(list(run) for _, run in runs)
    found = [_phase(game, done, tale.reader, None if number else tale.fought) for number, done in told]
    return tuple(phase for phase in found if phase.told or not phase.uneventful)


def bookkeeping(game: Game, tale: Tale) -> tuple[Note, ...]:
    """What only the rules care for, by its kind and its mark."""
    kept = [e for e in tale.entries if e.fact is not None and game.keeps_quiet(e.fact)]
    kept.sort(key=lambda e: (e.item.body["fact"], e.item.body.get("mark", "")))
    return tuple(notes(game, kept, tale.reader))


def _phase(game: Game, done: Sequence[Deed], reader: str, under_way: f.Fought | None) -> Phase:
    fought: list[Battle] = []
    rest: list[Entry] = []
    stage = done[0].stage
    told = tuple(e.id for deed in done for e in deed.entries if isinstance(e.fact, f.StageBegan))
    for deed in done:
        loud = [e for e in deed.entries if not (e.fact and (game.keeps_quiet(e.fact) or isinstance(e.fact, TITLES)))]
        going_on = under_way if deed is done[0] and not deed.opens else None
        own = [*battles(loud, going_on)]
        fought += own
        rest += [] if own else loud
    ids = {id(e.fact): e.id for e in rest}
    chosen = reasons(facts_of(rest))
    rows = [
        MarchRow(", ".join(m.units), m.path, HOW.get(m.how, m.how), tuple(ids[id(move)] for move in m.moves))
        for m in marches(facts_of(rest), game.setting.roster)
        if m.how not in ARRIVALS
    ]
    return Phase(
        title=words.stage_title(stage),
        notes=tuple(notes(game, [e for e in rest if not isinstance(e.fact, APART)], reader)),
        groups=(*_why(chosen, ids), *_marks(game, rest)),
        arrivals=(*_entered(game, rest), *_placed(game, rest)),
        marches=tuple(rows),
        battles=tuple(_card(game, battle, reader) for battle in fought),
        fought=tuple(fought),
        told=told,
        side=stage.side if stage is not None else "",
        reasons=tuple(chosen),
    )


def _why(chosen: Sequence[Reason], ids: Mapping[int, str]) -> Iterator[tuple[str, tuple[Note, ...]]]:
    """The choices of a side that the rules play, each with its whole trace, so that they can be audited."""
    found = []
    for one in chosen:
        trace, told = f" ({one.traced()})" if one.trace else "", tuple(ids[id(fact)] for fact in one.facts)
        found.append(Note(f"{', '.join(one.who)} {one.what}: {one.by}{trace}", one.case, told))
    if found:
        yield "Why", tuple(found)


def notes(game: Game, entries: Iterable[Entry], reader: str) -> Iterator[Note]:
    """Facts and rolls in words as they happened, for a reader; answers are told by what came of them."""
    happened = (entry for entry in entries if entry.item.kind != "answer")
    for kind, run in groupby(happened, key=lambda entry: entry.item.kind):
        same = list(run)
        if kind == "fact":
            ids = {id(entry.fact): entry.id for entry in same}
            for one in words.said(game, facts_of(same), reader):
                counted = all(isinstance(fact, f.Counted) for fact in one.facts)
                slight = all(isinstance(fact, SLIGHT) for fact in one.facts)
                yield Note(one.text, one.case, tuple(ids[id(fact)] for fact in one.facts), counted, slight)
        else:
            yield from (Note(words.roll_sentence(entry.item.body), "", (entry.id,)) for entry in same)


# Battles.


def _card(game: Game, battle: Battle, reader: str) -> BattleCard:
    fought = battle.fought
    title = words.fight_title(game, fought)
    return BattleCard(
        title=title if battle.told else f"{title}, continued",
        attackers=", ".join(fought.attackers),
        defenders=", ".join(fought.defenders) or "nobody",
        before=tuple(notes(game, battle.before, reader)),
        working=tuple((*words.parted(what), case) for what, case in fought.working) if battle.told else (),
        column=fought.column,
        decided=_decided(battle),
        result=fought.result,
        case=fought.because,
        after=tuple(notes(game, battle.after, reader)),
        told=battle.told,
    )


def _decided(battle: Battle) -> str:
    """What counted, and which dice of their streams it was, so that they can be proved."""
    decided = battle.fought.decided
    proofs = [entry.item.body for entry in battle.rolls]
    told = []
    names = {words.die_name(proof) for proof in proofs}
    if len(decided) == len(proofs) > 1 == len(names):  # all from one shuffle
        return f"{words.decided(battle.fought)} ({names.pop()})"
    for number, (what, value) in enumerate(decided):
        proof = proofs[number] if len(proofs) == len(decided) else None
        thrown = f"{proof['value']} thrown, " if proof and what == "die" and str(proof["value"]) != value else ""
        told.append(f"{value} ({thrown}{words.die_name(proof)})" if proof else value)
    kinds = {what for what, _ in decided}
    return f"{words.plural(kinds.pop(), len(told))} {' and '.join(told)}" if len(kinds) == 1 else ", ".join(told)


# Together.


def _entered(game: Game, entries: Iterable[Entry]) -> Iterator[Note]:
    for entry in entries:
        move = entry.fact
        if isinstance(move, f.Moved) and move.how in ARRIVALS:
            way = f" by {'-'.join(move.path[:-1])}" if len(move.path) > 1 else ""
            spot = words.place(game, move.path[-1])
            yield Note(f"{move.unit} entered the map at {spot}{way}", move.because, (entry.id,))


def _placed(game: Game, entries: Iterable[Entry]) -> Iterator[Note]:
    """By place, in the order of the first to come there; a unit put here and there is told where it was left."""
    own = gathered((fact.unit, (fact, e.id)) for e in entries if isinstance(fact := e.fact, f.Placed))
    where = gathered(((runs[-1][0].at, runs[-1][0].because), runs) for runs in own.values())
    for (at, case), found in where.items():
        left = [run[-1][0] for run in found]
        units = ", ".join(f"{fact.unit} (lost {fact.lost})" if fact.lost else fact.unit for fact in left)
        yield Note(f"{words.place(game, at)}: {units}", case, tuple(told for run in found for _, told in run))


def _marks(game: Game, entries: Iterable[Entry]) -> Iterator[tuple[str, tuple[Note, ...]]]:
    """What a phase left marked, under the headings that the game gives its marks; a mark to and fro is told once."""
    last: dict[tuple[str, str], tuple[f.Marked, Ids]] = {}
    for entry in entries:
        if isinstance(fact := entry.fact, f.Marked):
            _, told = last.pop((fact.subject, fact.mark), (None, ()))
            last[fact.subject, fact.mark] = fact, (*told, entry.id)
    headed = gathered((game.marks.get(one[0].mark, Mark("")).heading or "Marks", one) for one in last.values())
    for heading, found in headed.items():
        alike = gathered(((mark_words(game, fact.mark, fact.value), fact.because), (fact, ids)) for fact, ids in found)
        yield (
            heading,
            tuple(
                Note(
                    _borne(mark, [subject_name(fact.subject) for fact, _ in own]),
                    case,
                    sum((ids for _, ids in own), ()),
                )
                for (mark, case), own in alike.items()
            ),
        )


def _borne(mark: str, subjects: list[str]) -> str:
    mark = f"{mark[:1].upper()}{mark[1:]}"
    return mark if subjects == ["game"] else f"{mark}: {', '.join(dict.fromkeys(subjects))}"
